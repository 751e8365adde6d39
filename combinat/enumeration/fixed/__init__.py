"""A fixed number of cards to named roles."""
