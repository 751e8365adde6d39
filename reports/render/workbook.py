"""The par sheet as a workbook whose figures are formulas: who changes a pay sees the edge move."""

from __future__ import annotations

import io
from datetime import date, datetime, time

from reports.page.model import Document, Figure, Section, written
from reports.render.workbook_awards import add_awards
from reports.render.workbook_calculation import VOLATILITY, Calculation, LiveFigure, amounts_text
from reports.render.workbook_cells import FLAG, Formats, Page, shortened
from reports.render.workbook_sections import add_below, add_section, is_brief, sheet_name, write_figures
from reports.sheet.identity import software
from reports.sheet.par_sheet import ParSheet
from reports.tables.headings import meter_unit

FIRST_NAME = "Par sheet"
IDENTIFICATION, HEADLINE, AWARDS = "identification", "headline", "awards"
"""The sections that have a place of their own in a workbook, by their keys."""

_HEADLINE = (
    "house_edge",
    "return",
    "hit_frequency",
    "plays_per_hit",
    "push_rate",
    "mean_win",
    "standard_deviation",
    *VOLATILITY.values(),
)
"""The figures that stand at the top as formulas."""
_EARLIEST = date(1980, 1, 1)


def render(sheet: ParSheet, digits: int) -> bytes:
    """Write a par sheet as a workbook."""
    from xlsxwriter import Workbook  # type: ignore[import-untyped]  # it comes without types

    file = io.BytesIO()
    safe = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    workbook = Workbook(file, {**safe, "default_format_properties": {"font_name": "Arial", "font_size": 10}})
    document, calculation = sheet.document, Calculation(sheet.study)
    title = document.title.replace("\n", "; ")
    workbook.set_properties(
        {
            "title": title,
            "subject": f"Par sheet, {sheet.study.shoe}",
            "author": sheet.identity.prepared_by,
            "comments": f"Written by {software()}",
            "created": datetime.combine(_date(sheet.identity.date), time()),
        }
    )
    workbook.set_calc_mode("auto")
    looks = Formats(workbook, digits)
    pages = [Page(looks, workbook.add_worksheet(FIRST_NAME))]
    pages.append(add_awards(looks, calculation, document, _section(document, AWARDS)))
    for section in document.sections:
        if section.key in (IDENTIFICATION, HEADLINE, AWARDS):
            continue
        if is_brief(section):
            add_below(pages[-1], section)
        else:
            pages.append(add_section(looks, section, sheet_name(section.title, [page.name for page in pages])))
    _write_first(pages[0], sheet, calculation)
    for page in pages:
        page.finish(title, f"{sheet.study.paytable.id}, {sheet.study.shoe}")
    workbook.close()
    return file.getvalue()


def _date(text: str) -> date:
    """Give the date that the file bears, the same on every run; without one, the earliest that an archive can bear."""
    try:
        return max(date.fromisoformat(text), _EARLIEST)
    except ValueError:
        return _EARLIEST


def _section(document: Document, key: str) -> Section | None:
    return next((section for section in document.sections if section.key == key), None)


def _write_first(page: Page, sheet: ParSheet, calculation: Calculation) -> None:
    """Write what the reader sees first: what this is, the headline with live figures, flags, notes, signatures."""
    document = sheet.document
    page.title(document.title, document.subtitle)
    for flag in document.flags:
        page.words(f"Note well: {flag}.", bold=True, bg_color=FLAG)
    if document.flags:
        page.row += 1
    page.heading("Identification")
    write_figures(page, _identity(sheet, page.looks.digits))
    _write_headline(page, sheet, calculation)
    sections = (_section(document, key) for key in (IDENTIFICATION, HEADLINE))
    notes = [*document.notes, *(note for section in sections if section for note in section.notes)]
    if notes:
        page.heading("Notes")
        for note in notes:
            page.words(note)
        page.row += 1
    _write_signatures(page, sheet)


def _identity(sheet: ParSheet, digits: int) -> tuple[Figure, ...]:
    """Say what identifies the sheet, in words, so that it stands in one line down the page."""
    section = _section(sheet.document, IDENTIFICATION)
    figures = section.figures if section else ()
    texts = ((figure.label, written(figure.value, figure.style, digits)) for figure in figures)
    return tuple(Figure(label, text) for label, text in texts if text)


def _write_headline(page: Page, sheet: ParSheet, calculation: Calculation) -> None:
    page.heading("Headline")
    if calculation.meters:
        page.words(f"With {amounts_text(calculation)}; the amounts are inputs on Awards.")
        page.words(meter_unit(calculation.analysis.meter_wager))
    page.header(["Figure", "Live, from Awards", "As analyzed", "Exact, as analyzed"])
    headline = _section(sheet.document, HEADLINE)
    others = headline.figures if headline else sheet.document.figures
    live = {figure.label for figure in calculation.figures}
    for key in _HEADLINE:
        for other in others if calculation.option else ():  # what no formula over the awards can tell
            if other.key == key and other.label not in live:
                page.text(page.row, 0, other.label)
                page.text(page.row, 2, written(other.value, other.style, page.looks.digits), align="right")
                page.row += 1
        for figure in reversed(calculation.figures):  # with an option, the best choice stands first
            if figure.key == key:
                _write_live(page, figure)
    page.row += 1
    write_figures(page, [figure for figure in others if figure.key not in _HEADLINE])


def _write_live(page: Page, figure: LiveFigure) -> None:
    page.text(page.row, 0, figure.label)
    page.formula(page.row, 1, f"={figure.name}", figure.value, figure.style, bold=True)
    if isinstance(figure.value, str):
        page.text(page.row, 2, figure.value, align="right")
    else:
        page.number(page.row, 2, figure.value, figure.style)
    page.text(page.row, 3, shortened(figure.exact), font_color="#555555")
    page.row += 1


def _write_signatures(page: Page, sheet: ParSheet) -> None:
    """Leave lines to sign on, with the names that are known."""
    for role, name in (("Prepared by", sheet.identity.prepared_by), ("Reviewed by", sheet.identity.reviewed_by)):
        page.row += 1
        page.text(page.row, 0, role)
        line = page.looks.look(bottom=1, align="left", indent=1)
        page.worksheet.merge_range(page.row, 1, page.row, 2, "", line)
        page.worksheet.write_string(page.row, 1, name, line)
        page.text(page.row, 3, "Date and signature:", bottom=1)
        page.row += 1
