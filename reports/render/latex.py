"""LaTeX tables, to be put into a report of one's own; they need the booktabs package."""

from __future__ import annotations

from reports.model import Cell, Column, Document, Formula, Style, Styled, Table, written
from reports.render.grid import grid

_SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "×": r"$\times$",
    "—": "---",
    "≈": r"$\approx$",
} | {sign: f"$^{power}$" for power, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def _escaped(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def _written(cell: Cell, style: Style, digits: int) -> str:
    value = cell.value if isinstance(cell, Styled) else cell
    return f"${value.latex}$" if isinstance(value, Formula) else _escaped(written(cell, style, digits))


def render(document: Document, digits: int) -> str:
    """Write a document's tables and figures as LaTeX."""
    parts = [f"% {line}" for line in (*document.title.splitlines(), document.subtitle) if line]
    parts += [rf"\noindent\textbf{{{_escaped(flag)}}}\\" for flag in document.flags]
    for table in document.tables:
        if table.caption:
            parts.append(f"% {table.caption}")
        parts.append(_ruled(grid(table, "latex_raw", digits, _written)))
    if document.figures:
        rows = tuple((figure.label, Styled(figure.value, figure.style)) for figure in document.figures)
        figures = Table((Column("Figure"), Column("Value", Style.COUNT)), rows)
        parts.append(_ruled(grid(figures, "latex_raw", digits, _written)))
    parts += [f"% {note}" for note in document.notes]
    return "\n".join(parts) + "\n"


def _ruled(table: str) -> str:
    """Turn the three lines of a table into booktabs' top, middle and bottom rules."""
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        table = table.replace(r"\hline", rule, 1)
    return table
