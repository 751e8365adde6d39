"""Render documents as LaTeX tables to include in another report; they need the booktabs package."""

from __future__ import annotations

from decks import Card
from decks.errors import one_line
from reports.page.model import (
    Cell,
    Column,
    Document,
    Figure,
    Formula,
    Hand,
    Style,
    Styled,
    Table,
    format_cell,
    unstyled,
)
from reports.render.terminal import grid

_ESCAPES = {
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
    "[": "{[}",  # after the end of a row it would start an optional argument
    "]": "{]}",
    "*": "{*}",  # after the end of a row it would be the starred form
    "<": "$<$",  # LaTeX's default text encoding has other characters at these codes
    ">": "$>$",
    "|": r"\textbar{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": "$-$",
    "×": r"$\times$",
    "—": "---",
    "≈": r"$\approx$",
    "·": r"$\cdot$",
    "÷": r"$\div$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
} | {character: f"$^{power}$" for power, character in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


def _escape(text: str) -> str:
    r"""Escape a text so that LaTeX prints every character and interprets none.

    >>> _escape(r"[5%] \write18")
    '{[}5\\%{]} \\textbackslash{}write18'
    >>> _escape("≤ 25.65%, > 3")
    '$\\leq$ 25.65\\%, $>$ 3'
    """
    return "".join(_ESCAPES.get(character, character) for character in one_line(text))


def _comment(text: str) -> str:
    """Return a text as a comment of one line."""
    return f"% {one_line(text)}"


def _format_card(card: Card) -> str:
    if card.is_joker:
        return str(card)
    return rf"{card.rank}$\{card.suit.name.lower().removesuffix('s')}suit$"


def _format_cell(cell: Cell, style: Style, digits: int) -> str:
    value = unstyled(cell)
    if isinstance(value, Hand):
        return "; ".join(f"{_escape(role)} {' '.join(map(_format_card, cards))}" for role, cards in value.roles)
    return f"${value.latex}$" if isinstance(value, Formula) else _escape(format_cell(cell, style, digits))


def render(document: Document, digits: int) -> str:
    """Return a document's tables and figures as LaTeX."""
    blocks = [_comment(line) for line in (*document.title.splitlines(), document.subtitle) if line]
    blocks += [rf"\noindent\textbf{{{_escape(flag)}}}\\" for flag in document.flags]
    if document.sections:
        for section in document.sections:
            blocks.append(rf"\section*{{{section.numbered(_escape(section.title))}}}")
            blocks += [_escape(text) + "\n" for text in section.text]
            blocks += _body(section.tables, section.figures, digits)
            blocks += map(_comment, section.notes)
    else:
        blocks += _body(document.tables, document.figures, digits)
        blocks += map(_comment, document.notes)
    return "\n".join(blocks) + "\n"


def _body(tables: tuple[Table, ...], figures: tuple[Figure, ...], digits: int) -> list[str]:
    blocks = []
    for table in tables:
        if table.caption:
            blocks.append(_comment(table.caption))
        blocks.append(_use_booktabs_rules(grid(table, "latex_raw", digits, _format_cell)))
    if figures:
        rows = tuple((figure.label, Styled(figure.value, figure.style)) for figure in figures)
        blocks.append(
            _use_booktabs_rules(
                grid(Table((Column("Figure"), Column("Value", Style.COUNT)), rows), "latex_raw", digits, _format_cell)
            )
        )
    return blocks


def _use_booktabs_rules(table: str) -> str:
    """Turn the three lines of a table into booktabs' top, middle and bottom rules."""
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        table = table.replace(r"\hline", rule, 1)
    return table
