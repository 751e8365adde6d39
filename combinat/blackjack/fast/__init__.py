"""Best play from full decks, on arrays."""
