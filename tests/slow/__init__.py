"""Slow and obvious twins of everything that is counted fast."""
