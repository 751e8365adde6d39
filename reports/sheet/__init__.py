"""The par sheet: its sections, its data and its identification."""
