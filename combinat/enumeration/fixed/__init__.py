"""Experiments that deal a fixed number of cards to named roles."""
