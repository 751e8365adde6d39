"""The second method: re-derives a par sheet from its JSON, by other code."""
