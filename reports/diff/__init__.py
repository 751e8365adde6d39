"""Compare two revisions of a bet: `revisions` loads them, `changes` compares them, `answer` shows the result."""
