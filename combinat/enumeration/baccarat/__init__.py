"""Baccarat's coup: two hands, and third cards by the rules of the game."""
