"""The dealer's hand, drawn to its end."""
