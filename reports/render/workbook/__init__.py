"""Render a par sheet as an Excel workbook whose figures are live formulas: changing a pay recalculates the edge."""

from __future__ import annotations

import io
from datetime import date, datetime, time
from fractions import Fraction

from reports.page.model import Document, Figure, Section, format_cell
from reports.render.workbook.formulas.jurisdictions import add_jurisdictions
from reports.render.workbook.formulas.meters import add_pace
from reports.render.workbook.formulas.wager import collect_formulas
from reports.render.workbook.index import FormulaIndex
from reports.render.workbook.inputs import DIFFERING, GREYED, Inputs
from reports.render.workbook.inputs import NAME as INPUTS
from reports.render.workbook.labels import Labels
from reports.render.workbook.model import NAME as DATA
from reports.render.workbook.model import Calculation, CountsSheet, amounts_text
from reports.render.workbook.sections import (
    add_below,
    add_live,
    add_static,
    is_brief,
    split_section,
    worksheet_name,
    write_figures,
    write_label,
    write_tables,
)
from reports.render.workbook.working import NAME as WORKING
from reports.render.workbook.working import CalculationSheet
from reports.render.workbook.writer import FLAG, Formats, WorksheetPage, exact_or_note, exact_text
from reports.sheet.identity import software_version
from reports.sheet.par_sheet import ParSheet
from reports.tables.headings import meter_unit

FIRST_NAME = "Par sheet"
IDENTIFICATION, HEADLINE, SIGNATURES = "identification", "headline", "signatures"
_ON_THE_FIRST = (IDENTIFICATION, HEADLINE, SIGNATURES)
"""Keys of the sections that appear on the first worksheet."""

_SIGNED = ("Prepared by", "Reviewed by")
"""Labels of the signature lines."""
_EARLIEST = date(1980, 1, 1)


def render(sheet: ParSheet, digits: int) -> bytes:
    """Return a par sheet as the bytes of a workbook."""
    from reports.render.workbook.writer import Book  # only a workbook needs the library

    file = io.BytesIO()
    safe = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    workbook = Book(file, {**safe, "default_format_properties": {"font_name": "Arial", "font_size": 10}})
    document, calculation = sheet.document, Calculation(sheet.study)
    title = document.title.replace("\n", "; ")
    workbook.set_properties(
        {
            "title": title,
            "subject": f"Par sheet, {sheet.study.shoe}",
            "author": sheet.identity.prepared_by,
            "comments": f"Written by {software_version()}",
            "created": datetime.combine(_date(sheet.identity.date), time()),
        }
    )
    workbook.set_calc_mode("auto")
    looks = Formats(workbook, digits)
    inputs = Inputs(calculation, Fraction(sheet.payload["exposure"]["max_wager"]))
    data = CountsSheet(calculation)
    working = CalculationSheet(calculation, inputs, data)
    facts = collect_formulas(calculation, working, data)
    add_jurisdictions(facts, calculation, sheet.payload["jurisdiction_tests"])
    add_pace(facts, calculation, sheet.payload.get("pace"))
    label = Labels(working)
    pages = [
        WorksheetPage(looks, workbook.add_worksheet(FIRST_NAME)),
        WorksheetPage(looks, workbook.add_worksheet(INPUTS)),
    ]
    pages[1].worksheet.set_tab_color("#E0B000")
    inputs.write(looks, pages[1])
    _add_sections(looks, document, facts, pages, label)
    for name, write in ((WORKING, working.write), (DATA, data.write)):
        pages.append(WorksheetPage(looks, workbook.add_worksheet(name)))
        write(pages[-1])
    _write_first(pages[0], sheet, calculation, facts, label)
    for page in pages:
        page.finish(title, f"{sheet.study.paytable.id}, {sheet.study.shoe}")
    workbook.close()
    return file.getvalue()


def _add_sections(
    looks: Formats, document: Document, facts: FormulaIndex, pages: list[WorksheetPage], label: Labels
) -> None:
    """Add the worksheets whose figures follow the inputs, then those that stay as analyzed."""
    split = [split_section(section, facts) for section in document.sections if section.key not in _ON_THE_FIRST]
    for live, _ in split:
        if live is not None:
            pages.append(add_live(looks, live, _free(live.section.title, pages), label))
    first = len(pages)
    for live, static in split:
        if static is None:
            continue
        if is_brief(static.section) and len(pages) > first:
            add_below(pages[-1], static, with_title=True)
        else:
            title = f"Analyzed, {static.section.title}" if live else static.section.title
            pages.append(add_static(looks, static, _free(title, pages)))


def _free(title: str, pages: list[WorksheetPage]) -> str:
    return worksheet_name(title, [*(page.name for page in pages), WORKING, DATA])


def _date(text: str) -> date:
    """Return the creation date of the file, reproducible on every run; by default the earliest of a ZIP archive."""
    try:
        return max(date.fromisoformat(text), _EARLIEST)
    except ValueError:
        return _EARLIEST


def _section(document: Document, key: str) -> Section | None:
    return next((section for section in document.sections if section.key == key), None)


def _write_first(
    page: WorksheetPage, sheet: ParSheet, calculation: Calculation, facts: FormulaIndex, label: Labels
) -> None:
    """Write the first worksheet: flags, live headline figures, signature lines, identification."""
    document = sheet.document
    page.title(document.title, document.subtitle)
    for flag in document.flags:
        page.words(f"Note well: {flag}.", bold=True, bg_color=FLAG)
    if document.flags:
        page.row += 1
    _write_headline(page, sheet, calculation, facts, label)
    headline, identification = _section(document, HEADLINE), _section(document, IDENTIFICATION)
    if headline is not None:
        write_tables(page, headline.tables, [facts.of_table(table) for table in headline.tables], label, is_beside=True)
    notes = [*document.notes, *(headline.notes if headline else ())]
    if notes:
        page.heading("Notes")
        for note in notes:
            page.words(note)
        page.row += 1
    signatures = _in_words(_section(document, SIGNATURES), page.looks.digits)
    write_figures(page, [figure for figure in signatures if figure.label not in _SIGNED])
    _write_signatures(page, sheet)
    if identification is not None:
        page.row += 1
        page.heading(identification.title)
        write_figures(page, _in_words(identification, page.looks.digits))
        write_tables(page, identification.tables, (), label, is_beside=True)
        for note in identification.notes:
            page.words(note, font_color="#555555")


def _in_words(section: Section | None, digits: int) -> tuple[Figure, ...]:
    """Return the nonempty figures of a section as text, one line each."""
    figures = section.figures if section else ()
    texts = ((figure.label, format_cell(figure.value, figure.style, digits)) for figure in figures)
    return tuple(Figure(label, text) for label, text in texts if text)


def _write_headline(
    page: WorksheetPage, sheet: ParSheet, calculation: Calculation, facts: FormulaIndex, label: Labels
) -> None:
    page.heading("Headline")
    unchanged = "All inputs are as analyzed."
    changed = f'=IF({DIFFERING}=0,"{unchanged}",{DIFFERING}&" of the inputs differ from those analyzed.")'
    page.words(unchanged, changed, italic=True)
    if calculation.meters:
        page.words(f"As analyzed with {amounts_text(calculation)}; the amounts are inputs.")
        page.words(meter_unit(calculation.analysis.meter_wager))
    headline = _section(sheet.document, HEADLINE)
    figures = headline.figures if headline else sheet.document.figures
    page.header(["Figure", "Live", "As analyzed", "Exactly"])
    first = page.row
    for figure, fact in zip(figures, facts.of_figures(figures), strict=True):
        write_label(page, figure.label, label)
        if fact is not None and isinstance(fact.value, str):
            page.text_from(1, fact.value, f"={fact.formula}", bold=True, align="left", indent=1)
        elif fact is not None:
            style = fact.style or figure.style
            page.formula(page.row, 1, f"={fact.formula}", fact.value, style, bold=True)
            page.cell(page.row, 2, fact.value, style)
            page.text_from(
                3, exact_or_note(exact_text(figure.value) or ""), font_color="#555555", align="left", indent=1
            )
        else:
            page.cell(page.row, 2, figure.value, figure.style)
        page.row += 1
    page.grey(first, 2, page.row - 1, 3, GREYED)
    page.row += 1


def _write_signatures(page: WorksheetPage, sheet: ParSheet) -> None:
    """Write signature lines, with the names that are known."""
    names = (sheet.identity.prepared_by, sheet.identity.reviewed_by)
    for role, name in zip(_SIGNED, names, strict=True):
        page.row += 1
        page.text(page.row, 0, role)
        line = page.looks.look(bottom=1, align="left", indent=1)
        page.worksheet.merge_range(page.row, 1, page.row, 2, "", line)
        page.worksheet.write_string(page.row, 1, name, line)
        page.text(page.row, 3, "Date and signature:", bottom=1)
        page.row += 1
