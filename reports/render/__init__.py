"""Render a document as text: one module for each format, loaded on first use."""

from __future__ import annotations

from importlib import import_module

from reports.page.model import Document

_MODULES = {
    "table": "terminal",
    "markdown": "markdown",
    "csv": "csv",
    "latex": "latex",
    "html": "html",
}


def render(document: Document, format: str, digits: int) -> str:
    """Write a document in a format; `digits` is the number of decimals of a probability."""
    text = import_module(f"reports.render.{_MODULES[format]}").render(document, digits)
    assert isinstance(text, str)  # every renderer gives text
    return text
