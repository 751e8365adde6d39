"""The parlay and press options: winnings left on the blackjack hand."""
