"""Watching the cards: what their removal does to a bet, what a count of them is worth, and what no count can beat."""
