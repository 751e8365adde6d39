"""Answers as HTML tables, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

MAX_ROWS = 60
"""Rows of a table that are shown; `to_dict` has all."""


def html_table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return an HTML table with all texts escaped."""
    head = "".join(f"<th>{escape(title)}</th>" for title in headings)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def answer_html(data: Mapping[str, Any]) -> str:
    """Return JSON data as HTML: a table of single values, and a table for each list of objects.

    >>> answer_html({"paytable": "TRI-03", "figures": [{"decks": 6}]}).count("<table>")
    2
    """
    tables = {key: value for key, value in data.items() if _is_table(value)}
    singles = [(_heading(key), _text(value)) for key, value in data.items() if key not in tables and key != "format"]
    parts = [html_table(("Field", "Value"), singles)]
    for key, rows in tables.items():
        columns = list(dict.fromkeys(column for row in rows for column in row))
        cells = [tuple(_text(row.get(column)) for column in columns) for row in rows[:MAX_ROWS]]
        more = f" (the first {MAX_ROWS} of {len(rows)})" if len(rows) > MAX_ROWS else ""
        parts.append(f"<p>{escape(_heading(key))}{more}</p>{html_table(tuple(map(_heading, columns)), cells)}")
    return "".join(parts)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _heading(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)
