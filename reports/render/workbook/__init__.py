"""Render a par sheet as an Excel workbook whose figures are live formulas: changing a pay recalculates the edge."""

from __future__ import annotations

import io
from datetime import date, datetime, time
from fractions import Fraction

from decks import Shoe
from reports.page.model import Document, Figure, Section, format_cell
from reports.render.workbook.embedded import write_embedded_files
from reports.render.workbook.formulas.meters import add_pace
from reports.render.workbook.formulas.wager import add_jurisdictions, collect_formulas
from reports.render.workbook.index import FormulaIndex
from reports.render.workbook.inputs import DECKS, DIFFERING, GREYED, Inputs
from reports.render.workbook.inputs import NAME as INPUTS
from reports.render.workbook.model import NAME as DATA
from reports.render.workbook.model import Calculation, CountsSheet, amounts_text
from reports.render.workbook.sections import (
    InputLabels,
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
from reports.render.workbook.writer import (
    FLAG,
    CellFormats,
    WorksheetPage,
    create_workbook,
    exact_or_note,
    exact_text,
    string_literal,
)
from reports.sheet.identity import software_version
from reports.sheet.par_sheet import ParSheet
from reports.tables.headings import meter_unit

FIRST_NAME = "Par sheet"
IDENTIFICATION, HEADLINE, SIGNATURES = "identification", "headline", "signatures"
_FIRST_SHEET_KEYS = (IDENTIFICATION, HEADLINE, SIGNATURES)
"""Keys of the sections that appear on the first worksheet."""

_SIGNATURE_LABELS = ("Prepared by", "Reviewed by")
"""Labels of the signature lines."""
_EARLIEST_DATE = date(1980, 1, 1)


def render(sheet: ParSheet, digits: int) -> bytes:
    """Return a par sheet as the bytes of a workbook."""
    file = io.BytesIO()
    workbook = create_workbook(file)
    document, calculation = sheet.document, Calculation(sheet.study)
    title = document.title.replace("\n", "; ")
    workbook.set_properties(
        {
            "title": title,
            "subject": f"Par sheet, {sheet.study.shoe}",
            "author": sheet.identity.prepared_by,
            "comments": f"Written by {software_version()}",
            "created": datetime.combine(_creation_date(sheet.identity.date), time()),
        }
    )
    workbook.set_calc_mode("auto")
    formats = CellFormats(workbook, digits)
    inputs = Inputs(calculation, Fraction(sheet.payload["exposure"]["max_wager"]))
    data = CountsSheet(calculation)
    working = CalculationSheet(calculation, inputs, data)
    formulas = collect_formulas(calculation, working, data)
    add_jurisdictions(formulas, calculation, sheet.payload["jurisdiction_tests"])
    add_pace(formulas, calculation, sheet.payload.get("pace"))
    label = InputLabels(working)
    pages = [
        WorksheetPage(formats, workbook.add_worksheet(FIRST_NAME)),
        WorksheetPage(formats, workbook.add_worksheet(INPUTS)),
    ]
    pages[1].worksheet.set_tab_color("#E0B000")
    inputs.write(formats, pages[1])
    _add_sections(formats, document, formulas, pages, label)
    for name, write in ((WORKING, working.write), (DATA, data.write)):
        pages.append(WorksheetPage(formats, workbook.add_worksheet(name)))
        write(pages[-1])
    _write_first(pages[0], sheet, calculation, formulas, label)
    write_embedded_files(workbook, sheet.embedded_files)
    for page in pages:
        page.finish(title, f"{sheet.study.paytable.id}, {sheet.study.shoe}")
    workbook.close()
    return file.getvalue()


def _add_sections(
    formats: CellFormats, document: Document, formulas: FormulaIndex, pages: list[WorksheetPage], label: InputLabels
) -> None:
    """Add the worksheets whose figures follow the inputs, then those that stay as analyzed."""
    parts = [split_section(section, formulas) for section in document.sections if section.key not in _FIRST_SHEET_KEYS]
    for live, _ in parts:
        if live is not None:
            pages.append(add_live(formats, live, _unused_name(live.section.title, pages), label))
    first_static = len(pages)
    for live, static in parts:
        if static is None:
            continue
        if is_brief(static.section) and len(pages) > first_static:
            add_below(pages[-1], static, with_title=True)
        else:
            title = f"Analyzed, {static.section.title}" if live else static.section.title
            pages.append(add_static(formats, static, _unused_name(title, pages)))


def _unused_name(title: str, pages: list[WorksheetPage]) -> str:
    return worksheet_name(title, [*(page.name for page in pages), WORKING, DATA])


def _creation_date(text: str) -> date:
    """Return the creation date of the file, reproducible on every run; by default the earliest of a ZIP archive."""
    try:
        return max(date.fromisoformat(text), _EARLIEST_DATE)
    except ValueError:
        return _EARLIEST_DATE


def _section(document: Document, key: str) -> Section | None:
    return next((section for section in document.sections if section.key == key), None)


def _write_first(
    page: WorksheetPage, sheet: ParSheet, calculation: Calculation, formulas: FormulaIndex, label: InputLabels
) -> None:
    """Write the first worksheet: flags, live headline figures, signature lines, identification."""
    document = sheet.document
    title = string_literal(document.title)
    page.title(
        document.title,
        document.subtitle,
        f'=IF({DIFFERING}=0,{title},{title}&" (variant: inputs differ from the submitted ones)")',
        _subtitle_formula(sheet, calculation),
    )
    for flag in document.flags:
        page.paragraph(f"Note well: {flag.removesuffix('.')}.", bold=True, bg_color=FLAG)
    if document.flags:
        page.row += 1
    _write_headline(page, sheet, calculation, formulas, label)
    headline, identification = _section(document, HEADLINE), _section(document, IDENTIFICATION)
    if headline is not None:
        write_tables(
            page, headline.tables, [formulas.of_table(table) for table in headline.tables], label, is_below_figures=True
        )
    notes = [*document.notes, *(headline.notes if headline else ())]
    if notes:
        page.heading("Notes")
        for note in notes:
            page.paragraph(note)
        page.row += 1
    signatures = _text_figures(_section(document, SIGNATURES), page.formats.digits)
    write_figures(page, [figure for figure in signatures if figure.label not in _SIGNATURE_LABELS])
    _write_signatures(page, sheet)
    if identification is not None:
        page.row += 1
        page.heading(identification.title)
        write_figures(page, _text_figures(identification, page.formats.digits))
        write_tables(page, identification.tables, (), label, is_below_figures=True)
        for note in identification.notes:
            page.paragraph(note, font_color="#555555")


_MAX_LITERAL = 255
"""Largest number of characters of a text in a formula."""


def _subtitle_formula(sheet: ParSheet, calculation: Calculation) -> str:
    """Return the formula of the subtitle, which follows the deck count of the inputs; empty if a text is too long."""
    subtitle, pack = sheet.document.subtitle, sheet.study.shoe.pack
    cards = subtitle.partition("; ")[2]
    formula = string_literal(subtitle)
    for column in calculation.decks.columns:
        if isinstance(column.title, int) and column.title != calculation.decks.analyzed.title:
            shoe = Shoe(column.title, pack)
            text = string_literal(f"{shoe}, {shoe.size:,} cards; {cards}")
            formula = f"IF({DECKS}={column.title},{text},{formula})"
    return "" if len(subtitle) > _MAX_LITERAL else f"={formula}"


def _text_figures(section: Section | None, digits: int) -> tuple[Figure, ...]:
    """Return the nonempty figures of a section as text, one line each."""
    figures = section.figures if section else ()
    texts = ((figure.label, format_cell(figure.value, figure.style, digits)) for figure in figures)
    return tuple(Figure(label, text) for label, text in texts if text)


def _write_headline(
    page: WorksheetPage, sheet: ParSheet, calculation: Calculation, formulas: FormulaIndex, label: InputLabels
) -> None:
    page.heading("Headline")
    unchanged_text = "All inputs are as analyzed."
    changed_formula = f'=IF({DIFFERING}=0,"{unchanged_text}",{DIFFERING}&" of the inputs differ from those analyzed.")'
    page.paragraph(unchanged_text, changed_formula, italic=True)
    if calculation.meters:
        page.paragraph(f"As analyzed with {amounts_text(calculation)}; the amounts are inputs.")
        page.paragraph(meter_unit(calculation.analysis.meter_wager))
    figures = sheet.document.figures
    page.header(["Figure", "Live", "As analyzed", "Exactly"])
    first_row = page.row
    for figure, live_cell in zip(figures, formulas.of_figures(figures), strict=True):
        write_label(page, figure.label, label)
        if live_cell is not None and isinstance(live_cell.value, str):
            page.write_across(1, live_cell.value, f"={live_cell.formula}", bold=True, align="left", indent=1)
        elif live_cell is not None:
            style = live_cell.style or figure.style
            page.formula(page.row, 1, f"={live_cell.formula}", live_cell.value, style, bold=True)
            page.cell(page.row, 2, live_cell.value, style)
            page.write_across(
                3, exact_or_note(exact_text(figure.value) or ""), font_color="#555555", align="left", indent=1
            )
        else:
            page.cell(page.row, 2, figure.value, figure.style)
        page.row += 1
    page.grey(first_row, 2, page.row - 1, 3, GREYED)
    page.row += 1


def _write_signatures(page: WorksheetPage, sheet: ParSheet) -> None:
    """Write signature lines, with the names that are known."""
    names = (sheet.identity.prepared_by, sheet.identity.reviewed_by)
    for role, name in zip(_SIGNATURE_LABELS, names, strict=True):
        page.row += 1
        line_format = page.formats.cell_format(bottom=1, align="left", indent=1)
        for label, text, second_label in ((role, name, "Title:"), ("", "License number:", "Date and signature:")):
            page.text(page.row, 0, label)
            page.worksheet.merge_range(page.row, 1, page.row, 2, "", line_format)
            page.worksheet.write_string(page.row, 1, text, line_format)
            page.text(page.row, 3, second_label, bottom=1)
            page.row += 1
