"""What changed between two revisions of a bet, and why: `revisions` reads them, `changes` compares, `answer` shows."""
