"""Exact arithmetic: polynomials, square roots, number formats, and probabilities over many plays."""
