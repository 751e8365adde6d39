"""Differences between two revisions of a bet: `revisions` loads them, `changes` compares, `answer` shows."""
