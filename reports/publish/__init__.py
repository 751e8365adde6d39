"""Par sheets as files, one or many, with their index."""
