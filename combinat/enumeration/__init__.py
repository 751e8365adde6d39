"""Enumeration: random experiments, ladders of rules, and exact counts for every number of decks."""
