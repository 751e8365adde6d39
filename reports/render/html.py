"""HTML: a sheet as one file that needs nothing else, for the screen, the phone and the printer."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from reports.page.model import Chart, Document, Figure, Plot, Style, Table, is_numeric
from reports.render.markup import LONG_NUMBER, LONG_TEXT, Entry, broken, entry, padded, safe

if TYPE_CHECKING:  # a command loads only what it shows
    from jinja2 import Environment
    from markupsafe import Markup

_HAND_WIDTH = 22
_KEPT_WHOLE = 10
"""Tables of so many rows are not divided between pages."""
_DENSITIES = ((96, ""), (130, "dense"), (150, "denser"))
_TONES = 5
_BLANK = '<dd><span class="blank" role="img" aria-label="a line to fill in"></span></dd>'


class Grid(Struct, frozen=True):
    """One table as the page shows it."""

    caption: str
    headings: tuple[tuple[str, str, int], ...]
    """Each column's title, class, and how many characters want to stand in one line; a title may take three lines."""
    rows: tuple[Markup, ...]
    totals: tuple[Markup, ...]
    looks: str
    """How small it is printed, and whether on one page."""


class Figures(Struct, frozen=True):
    """Some figures as the page shows them."""

    lines: tuple[tuple[str, Markup], ...]
    """Each figure's label and value."""
    width: int
    """How many characters the widest number has, which the others stand under."""


def render(document: Document, digits: int) -> str:
    """Write a document as one HTML file."""
    title = " ".join(document.title.split())
    return page(
        "sheet.html.jinja",
        title=title,
        running_head=css_text(title),
        document=document,
        grid=lambda table: _grid(table, digits),
        figures=lambda some: _figures(some, digits),
        picture=_picture,
        chart=_chart,
    )


def page(template: str, **values: object) -> str:
    """Fill one of the templates that lie beside this module."""
    found = _environment().get_template(template)
    return found.render(breakable=lambda text: safe(broken(text)), policy=_policy(template), **values)


@lru_cache(maxsize=8)
def _policy(template: str) -> str:
    """Write the content security policy of a page: its own styles and its own script, and nothing from elsewhere.

    >>> _policy("sheet.html.jinja")
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    """
    source = (Path(__file__).parent / template).read_text(encoding="utf-8")
    hashes = [
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
        for script in re.findall(r"<script>(.*?)</script>", source, re.DOTALL)
    ]
    scripts = f"script-src {' '.join(hashes)}; " if hashes else ""
    return f"default-src 'none'; {scripts}style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )


def css_text(text: str) -> Markup:
    r"""Write a text as a CSS string that no character can leave.

    >>> print(css_text('TRI</style>'))
    "TRI\3c \2f style\3e "
    """
    characters = (
        character if character.isascii() and character.isalnum() else f"\\{ord(character):x} " for character in text
    )
    return safe(f'"{"".join(characters)}"')


def _grid(table: Table, digits: int) -> Grid:
    """Lay a table out: every value as text, numbers lined up, a heading for each row, and the totals apart."""
    columns = []
    tones = {choice: tone % _TONES for tone, choice in enumerate(table.choices())}
    for place, column in enumerate(table.columns):
        numeric = is_numeric(column)
        entries = [entry(row[place], column.style, digits, numeric) for row in table.rows]
        if column.style is Style.CHOICE:
            entries = [_shaded(one, tones) for one in entries]
        columns.append(padded(entries) if numeric else entries)
    columns[:1] = map(_repeated, columns[:1])
    headings = tuple(
        (column.title, *(("number", -(-len(column.title) // 3)) if is_numeric(column) else ("", _longest(entries))))
        for column, entries in zip(table.columns, columns, strict=True)
    )
    rows = tuple(map(_row, zip(*columns, strict=True)))
    body = len(rows) - table.totals
    looks = [_density(table, columns), "whole" if len(rows) <= _KEPT_WHOLE else ""]
    return Grid(table.caption, headings, rows[:body], rows[body:], " ".join(filter(None, looks)))


def _shaded(entry: Entry, tones: Mapping[str, int]) -> Entry:
    """Shade what is chosen."""
    return replace(entry, kind=f"choice tone-{tones[entry.text]}") if entry.text in tones else entry


def _repeated(names: Sequence[Entry]) -> list[Entry]:
    """Mark the names that only say again what stands above them."""
    said = [None, *(one.text for one in names)]
    return [
        replace(one, kind=f"{one.kind} again".strip()) if one.text == before else one
        for one, before in zip(names, said, strict=False)
    ]


def _row(entries: Iterable[Entry]) -> Markup:
    """Write a row's cells, the first of which names it."""
    first, *others = entries
    return safe(first.element("th", ' scope="row"') + "".join(one.element("td") for one in others))


def _longest(entries: Iterable[Entry]) -> int:
    """Say how many characters of a column of words want to stand in one line; cards take as much room as some words."""
    return max((_HAND_WIDTH if one.hand else min(len(one.text), LONG_TEXT) for one in entries), default=0)


def _density(table: Table, columns: Sequence[Sequence[Entry]]) -> str:
    """Say how small a table must be printed, from its width in characters; words can wrap, numbers cannot."""
    characters = 0
    for column, entries in zip(table.columns, columns, strict=True):
        title = max(map(len, column.title.split()), default=0)
        numbers = (min(len(one.text), LONG_NUMBER) for one in entries)
        characters += max(title, max(numbers, default=0) if is_numeric(column) else _longest(entries)) + 2
    return next((name for limit, name in _DENSITIES if characters <= limit), "densest")


def _figures(figures: Sequence[Figure], digits: int) -> Figures:
    """Put figures into words, numbers lined up at their decimal points, and a line to fill in where there is none."""
    entries = padded([entry(one.value, one.style, digits, _is_number(one)) for one in figures])
    width = max((len(one.text) + len(one.pad) for one in entries if one.kind == "number"), default=0)
    values = (safe(one.element("dd") if one.text else _BLANK) for one in entries)
    return Figures(tuple(zip((one.label for one in figures), values, strict=True)), width)


def _is_number(figure: Figure) -> bool:
    return figure.style is not Style.TEXT and not isinstance(figure.value, str)


def _chart(chart: Chart) -> Markup:
    """Draw a chart as a part of the page."""
    from reports.render.charts import draw_chart

    return safe(draw_chart(chart).decode("utf-8").replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))


def _picture(plot: Plot) -> Markup:
    """Draw a plot as a part of the page."""
    from reports.render.plots import draw_plot

    return safe(draw_plot(plot).decode("utf-8").replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
