"""Estimates of perfect play from sampled shoes."""
