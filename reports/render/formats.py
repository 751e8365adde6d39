"""The output formats. To add one, write its renderer and add an entry to `FORMATS`.

Renderers are imported when they are first used, because some load large libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from msgspec import Struct

from decks import InputError, did_you_mean
from decks.errors import quote
from reports.page.files import format_json

if TYPE_CHECKING:
    from reports.page.model import Document
    from reports.sheet.par_sheet import ParSheet

PAPERS = ("a4", "letter")
"""Paper sizes of PDF files; the first is the default."""

DocumentRenderer = Callable[["Document", int], str | bytes]
"""Renders a document; the number is that of decimals of a probability."""
SheetRenderer = Callable[["ParSheet", int, str], bytes]
"""Renders a par sheet with a number of decimals, for a paper size."""


class Use(Flag):
    """What is written in a format."""

    ANSWERS = auto()
    """Answers of all commands."""
    PAGES = auto()
    """Answers that are complete pages, with charts."""
    SHEETS = auto()
    """Par sheets."""


class Format(Struct, frozen=True):
    """An output format: its names, what is written in it, and its renderers."""

    name: str
    """Value of `--format`."""
    extension: str
    media_type: str
    label: str
    """Name on a button of the studio."""
    link_text: str
    """Name in the links of an index page."""
    uses: Use
    render_document: DocumentRenderer | None = None
    """`None` if no answer is written in the format, or if answers are written from their data, as in JSON."""
    render_sheet: SheetRenderer | None = None
    """`None` if a sheet is rendered like any other document."""
    is_binary: bool = False
    more_extensions: tuple[str, ...] = ()
    """Other extensions by which a file name selects the format."""


def _renderer(path: str) -> DocumentRenderer:
    """Return a renderer that imports `path`, as in `module:function`, when it is called."""

    def render_document(document: Document, digits: int) -> str | bytes:
        content: str | bytes = resolve_name(path)(document, digits)
        return content

    return render_document


def _render_pdf_sheet(sheet: ParSheet, digits: int, paper: str) -> bytes:
    from reports.render import pdf

    identity = sheet.identity
    return pdf.render(sheet.document, digits, identity.prepared_by, identity.date, paper, sheet.embedded_files)


def _render_workbook_sheet(sheet: ParSheet, digits: int, _: str) -> bytes:
    from reports.render import workbook

    return workbook.render(sheet, digits)


def _render_json_sheet(sheet: ParSheet, _: int, __: str) -> bytes:
    return format_json(sheet.payload).encode("utf-8")


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format(
            name="pdf",
            extension="pdf",
            media_type="application/pdf",
            label="PDF",
            link_text="PDF",
            uses=Use.SHEETS,
            render_document=_renderer("reports.render.pdf:render"),
            render_sheet=_render_pdf_sheet,
            is_binary=True,
        ),
        Format(
            name="xlsx",
            extension="xlsx",
            media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            label="Excel",
            link_text="XLSX",
            uses=Use.PAGES | Use.SHEETS,
            render_document=_renderer("reports.render.workbook.answer:render_answer"),
            render_sheet=_render_workbook_sheet,
            is_binary=True,
        ),
        Format(
            name="html",
            extension="html",
            media_type="text/html; charset=utf-8",
            label="HTML",
            link_text="HTML",
            uses=Use.PAGES | Use.SHEETS,
            render_document=_renderer("reports.render.html:render"),
            more_extensions=("htm",),
        ),
        Format(
            name="table",
            extension="txt",
            media_type="text/plain; charset=utf-8",
            label="Text",
            link_text="TXT",
            uses=Use.ANSWERS | Use.PAGES,
            render_document=_renderer("reports.render.terminal:render"),
        ),
        Format(
            name="markdown",
            extension="md",
            media_type="text/markdown; charset=utf-8",
            label="Markdown",
            link_text="MD",
            uses=Use.ANSWERS | Use.PAGES | Use.SHEETS,
            render_document=_renderer("reports.render.markdown:render"),
            more_extensions=("markdown",),
        ),
        Format(
            name="csv",
            extension="csv",
            media_type="text/csv; charset=utf-8",
            label="CSV",
            link_text="CSV",
            uses=Use.ANSWERS | Use.PAGES | Use.SHEETS,
            render_document=_renderer("reports.render.csv:render"),
        ),
        Format(
            name="json",
            extension="json",
            media_type="application/json",
            label="JSON",
            link_text="JSON",
            uses=Use.ANSWERS | Use.PAGES | Use.SHEETS,
            render_sheet=_render_json_sheet,
        ),
        Format(
            name="latex",
            extension="tex",
            media_type="application/x-latex; charset=utf-8",
            label="LaTeX",
            link_text="LaTeX",
            uses=Use.ANSWERS | Use.PAGES | Use.SHEETS,
            render_document=_renderer("reports.render.latex:render"),
            more_extensions=("latex",),
        ),
    )
}
"""All formats by name."""


def answer_formats() -> tuple[str, ...]:
    """Return the names of the formats in which every command answers, the default first."""
    return tuple(format.name for format in FORMATS.values() if Use.ANSWERS in format.uses)


def page_formats() -> tuple[str, ...]:
    """Return the names of the formats of answers that are complete pages, the default first."""
    answer_names = answer_formats()
    pages = (format.name for format in FORMATS.values() if Use.PAGES in format.uses)
    return (*answer_names, *(name for name in pages if name not in answer_names))


def sheet_formats() -> tuple[str, ...]:
    """Return the names of the formats of par sheets."""
    return tuple(format.name for format in FORMATS.values() if Use.SHEETS in format.uses)


def parse_sheet_formats(text: str) -> tuple[str, ...]:
    """Parse a list of sheet formats, each a name or an extension, or `all`.

    >>> parse_sheet_formats("pdf, md")
    ('pdf', 'markdown')
    """
    formats = sheet_formats()
    if text.strip().lower() == "all":
        return formats
    names_by_extension = {FORMATS[name].extension: name for name in formats}
    words = (word.strip().lower() for word in text.split(","))
    names = tuple(dict.fromkeys(names_by_extension.get(word, word) for word in words))
    for name in names:
        if name not in formats:
            hint = did_you_mean(name, formats) or f"; sheet formats are {', '.join(formats)}"
            raise InputError(f"unknown sheet format {quote(name)}{hint}")
    return names


def render_document(document: Document, format: str, digits: int) -> bytes:
    """Return a document as the bytes of a file; `digits` is the number of decimals of a probability."""
    content = _render(document, format, digits)
    return content.encode("utf-8") if isinstance(content, str) else content


def render_text(document: Document, format: str, digits: int) -> str:
    """Return a document as text; `digits` is the number of decimals of a probability."""
    content = _render(document, format, digits)
    return content if isinstance(content, str) else content.decode("utf-8")


def _render(document: Document, format: str, digits: int) -> str | bytes:
    render = FORMATS[format].render_document
    assert render is not None, format  # options with other formats are refused when they are parsed
    return render(document, digits)


def render_sheet(sheet: ParSheet, format: str, digits: int, paper: str = PAPERS[0]) -> bytes:
    """Return a par sheet as the bytes of a file."""
    render = FORMATS[format].render_sheet
    return render(sheet, digits, paper) if render else render_document(sheet.document, format, digits)
