"""Exact values: polynomials in named unknowns, square roots, amounts as people write them, chances over many plays."""
