"""Bet files: pays, awards, paytables and meter systems, how to load and export them, and the catalog."""
