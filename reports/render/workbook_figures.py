"""Figures of a workbook one below the other, each with its name and its exact value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reports.page.model import Figure, Style, written
from reports.render.workbook_cells import exact_text, number_in_cell, shortened
from reports.render.workbook_facts import Fact
from reports.render.workbook_inputs import GREYED
from reports.render.workbook_page import Page

Label = Callable[[str], str]
"""Gives the formula of words that say what was put in; nothing for all others."""


def as_it_is(_: str) -> str:
    """Words that no input changes need no formula."""
    return ""


def write_figures(
    page: Page, figures: Sequence[Figure], facts: Sequence[Fact | None] = (), label: Label = as_it_is
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
