"""Exact engine: values of hands from any shoe, for any strategy, in integers."""
