"""Winnings that stay on the blackjack hand: the parlay and press options."""
