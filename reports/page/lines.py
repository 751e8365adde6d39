"""Answers as lines for spreadsheets, which have no title: tables and figures, each line naming what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from reports.page.model import AtMost, Cell, Column, Document, Figure, Style, Styled, Table


def lines_of(document: Document) -> Iterator[Table]:
    """Give the tables of an answer, then its figures and its flags as tables too, with what every line is about."""
    is_alone = not document.figures and not document.flags
    for table in document.tables:
        caption = table.caption or ("" if is_alone else table.columns[0].title)
        yield replace(table, caption=caption, told=document.told or table.told)
    if document.figures:
        yield replace(figures_table(document.figures, "Figures"), told=document.told)
    if document.flags:
        yield Table((Column("Flag"),), tuple((flag,) for flag in document.flags), "Flags", told=document.told)


def together(documents: Sequence[Document]) -> Document:
    """Put answers of one question one below the other, such as those for several deck counts."""
    return Document("", tables=tuple(table for document in documents for table in lines_of(document)))


def figures_table(figures: Sequence[Figure], caption: str) -> Table:
    """Lay figures out as a table."""
    rows = tuple((figure.label + if_bound([figure.value]), Styled(figure.value, figure.style)) for figure in figures)
    return Table((Column("Figure"), Column("Value", Style.DECIMAL)), rows, caption)


def if_bound(cells: Iterable[Cell]) -> str:
    """Say in a heading that figures are not exceeded, so that the figures themselves can be numbers."""
    return ", at most" if any(isinstance(cell, AtMost) for cell in cells) else ""
