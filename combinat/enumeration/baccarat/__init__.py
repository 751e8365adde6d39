"""Bets on a coup of baccarat: the drawing rules, the deal, its enumeration, and its outcomes."""
