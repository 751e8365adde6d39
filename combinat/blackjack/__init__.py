"""The game around the bets: the exact value of every hand, how to play it, and winnings that ride on it."""
