"""Bets on the dealer's finished hand: the deal, its enumeration, and its outcomes."""
