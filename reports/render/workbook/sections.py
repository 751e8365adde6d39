"""Figures of a workbook one below the other, each with its name and its exact value.

The further sections of a par sheet as worksheets: their words, figures, tables, and native charts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from reports.page.model import Cell, Column, Figure, Plot, Section, Style, Styled, Table, written
from reports.render.workbook.index import FormulaIndex, LiveCell, is_number
from reports.render.workbook.inputs import GREYED
from reports.render.workbook.writer import INK, PALE, Formats, Page, Source, draw, exact_text, number_in_cell, shortened

Label = Callable[[str], str]
"""Gives the formula of words that say what was put in; nothing for all others."""


def as_it_is(_: str) -> str:
    """Words that no input changes need no formula."""
    return ""


def write_figures(
    page: Page, figures: Sequence[Figure], facts: Sequence[LiveCell | None] = (), label: Label = as_it_is
) -> None:
    """Write figures with their exact values, which stand as analyzed, beside them."""
    first = page.row
    for number, figure in enumerate(figures):
        fact = facts[number] if facts else None
        write_label(page, figure.label, label)
        if fact is not None:
            page.formula(page.row, 1, f"={fact.formula}", fact.value, fact.style or figure.style)
        elif number_in_cell(figure.value) is None:
            page.words_from(1, written(figure.value, figure.style, page.looks.digits), align="left", indent=1)
        else:
            page.cell(page.row, 1, figure.value, figure.style)
        if fact is not None or number_in_cell(figure.value) is not None:
            exact = "" if figure.style is Style.POWER else shortened(exact_text(figure.value) or "")
            page.words_from(2, exact, font_color="#555555", align="left", indent=1)
        page.row += 1
    if facts and figures:
        page.grey(first, 2, page.row - 1, 2, GREYED)
    if figures:
        page.row += 1


def write_label(page: Page, text: str, label: Label) -> None:
    """Name a figure, by a formula where its name says what was put in."""
    formula = label(text)
    if formula:
        page.formula(page.row, 0, formula, text, Style.TEXT)
    else:
        page.text(page.row, 0, text)


LONGEST_NAME = 31
_LONGEST_EXACT, _LONGEST_EXACT_STACKED, _MOST_EXACT = 36, 24, 100
"""Longer fractions are read by nobody, and stretch the tables above and below; JSON carries them."""
_LAST_GREY = 60
"""As far to the right as a page may reach."""
AS_ANALYZED = "as analyzed"
_SAYS_INPUTS = ("statistics", "expectation", "exposure")
"""Sections whose own words name what is put in."""
_MOST_FROZEN_ROWS = 6
"""More would leave little of a screen to scroll in."""


class PlacedTable(Struct, frozen=True):
    """Where a table stands on the page: its first and last row, and what its columns and rows are called."""

    first: int
    last: int
    titles: tuple[str, ...]
    begins: tuple[str, ...]
    """What its rows begin with."""


def sheet_name(title: str, existing: Sequence[str]) -> str:
    """Make a name that a worksheet can have, and that no other has."""
    plain = re.sub(r"[\[\]:*?/\\]", " ", title).strip(" '") or "Section"
    name, number = plain, 1
    if len(name) > LONGEST_NAME:
        words = plain[: LONGEST_NAME + 1].rpartition(" ")[0]  # a name ends with a whole word, if it has several
        name = (words or plain[:LONGEST_NAME]).rstrip(" '")  # a spreadsheet takes no name that ends with an apostrophe
    while name.lower() in {used.lower() for used in existing}:
        number += 1
        name = f"{plain[: LONGEST_NAME - 4].rstrip()} {number}"
    return name


class Part(NamedTuple):
    """A section, or a part of one, with the formulas of its figures and of its tables' cells."""

    section: Section
    figures: Sequence[LiveCell | None] = ()
    tables: Sequence[Sequence[Sequence[LiveCell | None]]] = ()

    @property
    def is_live(self) -> bool:
        """Whether something on it follows the inputs."""
        return any(self.figures) or any(fact for table in self.tables for row in table for fact in row)


def parts(section: Section, facts: FormulaIndex) -> tuple[Part | None, Part | None]:
    """Tell what follows the inputs from what stays as it was analyzed."""
    figures = facts.of_figures(section.figures)
    tables = [facts.of_table(table) for table in section.tables]
    has_live = [any(fact for row in table for fact in row) for table in tables]
    if not any(figures) and not any(has_live):
        return None, Part(section)
    static_numbers = [
        number for number, fact in enumerate(figures) if fact is None and is_number(section.figures[number].value)
    ]
    live_numbers = [number for number in range(len(figures)) if number not in static_numbers]
    live = Part(
        replace(
            section,
            figures=tuple(section.figures[number] for number in live_numbers),
            tables=tuple(table for table, is_live in zip(section.tables, has_live, strict=True) if is_live),
        ),
        [figures[number] for number in live_numbers],
        [table for table, is_live in zip(tables, has_live, strict=True) if is_live],
    )
    static = replace(
        section,
        text=(),
        figures=tuple(section.figures[number] for number in static_numbers),
        tables=tuple(table for table, is_live in zip(section.tables, has_live, strict=True) if not is_live),
        plots=(),
        notes=(),
    )
    return live, Part(static) if static.figures or static.tables else None


def add_live(looks: Formats, part: Part, name: str, label: Label) -> Page:
    """Add the worksheet of a section whose figures follow the inputs; words from a bet's file stay what they are."""
    label = label if part.section.key in _SAYS_INPUTS else as_it_is
    page = Page(looks, looks.workbook.add_worksheet(name))
    page.worksheet.set_tab_color(INK)
    page.title(f"{part.section.number}. {part.section.title}", "")
    _write_part(page, part, label)
    return page


def add_analyzed(looks: Formats, part: Part, name: str) -> Page:
    """Add the worksheet of a section that stays as it was analyzed, greyed while an input differs."""
    page = Page(looks, looks.workbook.add_worksheet(name))
    page.worksheet.set_tab_color("#B0B0B0")
    page.title(f"{part.section.number}. {part.section.title}, {AS_ANALYZED}", "")
    add_below(page, part)
    page.grey(0, 0, page.row, _LAST_GREY, GREYED)
    return page


def is_brief(section: Section) -> bool:
    """Whether a section is only a few words, not worth a worksheet of its own."""
    return not (section.figures or section.tables or section.plots)


def add_below(page: Page, part: Part, *, with_title: bool = False) -> None:
    """Write a section that stays as it was analyzed below what is on a page."""
    section = part.section
    if with_title:
        page.row += 1
        page.words(f"{section.number}. {section.title}", bold=True, font_size=14, font_color=INK)
    _write_part(page, part, as_it_is)


def _write_part(page: Page, part: Part, label: Label) -> None:
    """Write what a section has, below what is on the page."""
    section = part.section
    _write_words(page, section.text, label, part.is_live)
    if section.text:
        page.row += 1
    write_figures(page, section.figures, part.figures, label)
    placed = write_tables(page, section.tables, part.tables, label)
    for plot in section.plots:
        _write_plot(page, plot, placed)
    for note in section.notes:
        has_numbers = any(map(str.isdigit, note))
        _write_words(page, (note,), label, part.is_live and has_numbers, font_color="#555555")


def write_tables(
    page: Page,
    tables: Sequence[Table],
    facts: Sequence[Sequence[Sequence[LiveCell | None]]],
    label: Label,
    is_beside: bool = False,
) -> list[PlacedTable]:
    """Write tables one below the other, and say where they stand; the head of one alone is kept in view."""
    placed: list[PlacedTable] = []
    for number, table in enumerate(tables):
        is_only = len(tables) == 1 and not is_beside
        placed.append(_write_table(page, table, facts[number] if facts else (), is_only, label))
        page.row += 1
    return placed


def _write_words(page: Page, texts: Sequence[str], label: Label, is_greyed: bool, **look: Any) -> None:
    """Write running text; what is said of figures that follow the inputs holds for those analyzed."""
    for text in texts:
        formula = label(text)
        if is_greyed and not formula:
            page.grey(page.row, 0, page.row, 0, GREYED)
        page.words(text, formula, **look)


class _Shown(NamedTuple):
    """A column as a worksheet has it: of the table, or of the exact texts beside one that does not show all."""

    column: Column
    place: int
    is_exact: bool = False


def _shown(table: Table, digits: int, longest: int) -> list[_Shown]:
    """Put exact fractions beside each column whose decimals do not show all, if they are short enough to read."""
    columns: list[_Shown] = []
    exact_width = 0
    for index, column in enumerate(table.columns):
        columns.append(_Shown(column, index))
        if column.style not in (Style.PERCENT, Style.DECIMAL):
            continue
        cells = [row[index] for row in table.rows]
        texts = [_exact_of(cell) for cell in cells]
        is_long = any(len(text) > longest for text in texts)
        if any(texts) and not is_long and not all(_shows_all(cell, digits) for cell in cells):
            columns.append(_Shown(Column(f"{column.title}, exact", Style.TEXT), index, is_exact=True))
            exact_width += max(map(len, texts))
    return (
        columns
        if exact_width <= _MOST_EXACT
        else [shown_column for shown_column in columns if not shown_column.is_exact]
    )


def _exact_of(cell: Cell) -> str:
    return (exact_text(cell) or "") if isinstance(number_in_cell(cell), Fraction) else ""


def _shows_all(cell: Cell, digits: int) -> bool:
    """Whether the decimals of a fraction, or of a percentage, end where the page ends them."""
    number = number_in_cell(cell)
    return not isinstance(number, Fraction) or 10**digits % number.denominator == 0


def _write_table(
    page: Page, table: Table, facts: Sequence[Sequence[LiveCell | None]], is_only: bool, label: Label
) -> PlacedTable:
    if table.caption:
        page.heading(table.caption, label(table.caption))
    shown = _shown(table, page.looks.cell_digits, _LONGEST_EXACT if is_only else _LONGEST_EXACT_STACKED)
    head, first = page.row, page.row + 1
    static = [bool(facts) and _stays(table, facts, shown_column) for shown_column in shown]
    titles = [
        f"{shown_column.column.title}, {AS_ANALYZED}" if is_static else shown_column.column.title
        for shown_column, is_static in zip(shown, static, strict=True)
    ]
    page.header(titles)
    if is_only:
        if page.row <= _MOST_FROZEN_ROWS:
            page.worksheet.freeze_panes(page.row, 0)
        page.worksheet.repeat_rows(head)
    for number, row in enumerate(table.rows):
        is_total = number >= len(table.rows) - table.totals
        look: dict[str, Any] = {"bold": True, "bg_color": PALE} if is_total else {}
        for column, shown_column in enumerate(shown):
            cell, fact = row[shown_column.place], facts[number][shown_column.place] if facts else None
            if shown_column.is_exact:
                page.text(page.row, column, _exact_of(cell), align="right", font_color="#555555", **look)
            elif fact is not None:
                style = fact.style or (cell.style if isinstance(cell, Styled) else shown_column.column.style)
                page.formula(page.row, column, f"={fact.formula}", fact.value, style, **look)
            else:
                page.cell(page.row, column, cell, shown_column.column.style, **look)
                if facts and is_number(cell) and not static[column] and shown_column.place >= table.keys:
                    page.grey(page.row, column, page.row, column, GREYED)
        page.row += 1
    for column, shown_column in enumerate(shown):
        if facts and table.rows and (static[column] or shown_column.is_exact):
            page.grey(first, column, page.row - 1, column, GREYED)
    return PlacedTable(first, page.row - 1, tuple(shown_column.column.title for shown_column in shown), _begins(table))


def _begins(table: Table) -> tuple[str, ...]:
    return tuple(written(row[0], table.columns[0].style, 0) for row in table.rows)


def _stays(table: Table, facts: Sequence[Sequence[LiveCell | None]], shown_column: _Shown) -> bool:
    """Whether a column of numbers, in a table that follows the inputs, does not."""
    if shown_column.is_exact or shown_column.place < table.keys or any(row[shown_column.place] for row in facts):
        return False
    return any(is_number(row[shown_column.place]) or _is_fraction(row[shown_column.place]) for row in table.rows)


def _is_fraction(cell: Cell) -> bool:
    """Whether a cell gives a value exactly, in words."""
    return isinstance(cell, str) and cell.partition("/")[2].isdigit()


def _source(plot: Plot, placed: Sequence[PlacedTable]) -> Source | None:
    """Find the rows and the column of a table on the page that hold what the plot shows, step for step."""
    for table in placed:
        for column, title in enumerate(table.titles):
            if title == plot.source and table.begins[-len(plot.steps) :] == plot.steps:
                return Source(table.last - len(plot.steps) + 1, table.last, column)
    return None


def _write_plot(page: Page, plot: Plot, placed: Sequence[PlacedTable]) -> None:
    """Draw a plot over the cells that it shows; one of figures that stand in no table gets one."""
    source = _source(plot, placed)
    if source is None:
        columns = (Column(plot.x_label or "Step"), Column(plot.y_label or plot.caption, plot.style))
        rows = tuple(zip(plot.steps, plot.values, strict=True))
        new_table = _write_table(page, Table(columns, rows, plot.caption), (), False, as_it_is)
        source = Source(new_table.first, new_table.last, 1)
        page.row += 1
    draw(page, plot, source)
