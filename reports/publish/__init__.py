"""Write par sheets as files, one or many, with an index."""
