"""Workbook formulas behind the figures of a sheet."""
