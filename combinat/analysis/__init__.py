"""Figures that follow from the ways: edge, moments, outlooks, closed forms, exposure, and probabilities of rules."""
