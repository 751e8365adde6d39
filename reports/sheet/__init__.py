"""The par sheet: its sections, its data, its identity."""
