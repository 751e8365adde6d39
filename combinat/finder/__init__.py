"""Search for paytables that meet targets, and check paytables for mistakes."""
