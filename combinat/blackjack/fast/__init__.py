"""Fast engine: best strategy from full decks, on numpy arrays."""
