"""Renderers of documents and par sheets: one module or package for each format, listed in `formats`."""
