"""Render documents as one self-contained HTML file for screen, phone and printer.

Values become escaped elements: long words get line-break opportunities, numbers of a column are aligned at their
decimal points by hidden padding, and hands are drawn as cards. The pages are Jinja templates beside this module.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from decks import Card
from decks.errors import one_line
from reports.page import numerals
from reports.page.model import (
    Cell,
    Document,
    Figure,
    Formula,
    Hand,
    Plot,
    SeriesChart,
    Style,
    Table,
    Value,
    format_cell,
    is_numeric,
    plain_value,
    style_of,
    unstyled,
)
from reports.page.text import decimal_pads
from reports.render.charts import draw_chart, draw_plot

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

LONG_NUMBER = 26
"""Characters of a number before it is broken into lines."""
LONG_TEXT = 32
"""Characters of a text that should fit on one line."""

_LONG_WORD = re.compile(r"\S{25,}")
_BREAKS = re.compile(r"([^/·×,;:)_.]{1,16}[/·×,;:)_.]*|[/·×,;:)_.]+)")
_EXACT_BITS = 1200
_TEXT_PRESENTATION = "\N{VARIATION SELECTOR-15}"  # without it phones draw the suits as emoji


class HtmlCell(Struct, frozen=True):
    """A value as the page shows it."""

    text: str
    css_classes: str = ""
    exact: str = ""
    """The exact value, where the text is rounded."""
    pad: str = ""
    """Hidden characters that align the decimal point with those above."""
    hand: Hand | None = None

    def element(self, tag: str, attributes: str = "") -> str:
        """Return the value as an HTML element without surrounding whitespace.

        >>> HtmlCell("0.33", "number", "1/3").element("td")
        '<td class="number" title="1/3">0.33</td>'
        """
        if self.css_classes:
            attributes += f' class="{self.css_classes}"'
        if self.exact:
            attributes += f' title="{escape(self.exact)}"'
        if self.pad:
            attributes += f' data-pad="{self.pad}"'
        return f"<{tag}{attributes}>{_draw_hand(self.hand) if self.hand else escape_breakable(self.text)}</{tag}>"


def build_cell(cell: Cell, style: Style, digits: int, is_number: bool) -> HtmlCell:
    """Format a value and choose its CSS classes."""
    value, style = unstyled(cell), style_of(cell, style)
    text = format_cell(value, style, digits)
    if isinstance(value, Hand):
        return HtmlCell(text, "hands", hand=value)
    if isinstance(value, Formula):
        return HtmlCell(text, "formula long" if len(text) > LONG_TEXT else "formula")
    if not is_number:
        return HtmlCell(text, "long" if len(text) > LONG_TEXT else "", _exact_title(value, text))
    css_classes = "number long" if len(text) > LONG_NUMBER else "number"
    if value is None or (
        isinstance(value, str) and text.islower() and not any(character.isdigit() for character in text)
    ):
        css_classes += " words"  # such as "impossible", in a column of numbers
    return HtmlCell(text, css_classes, _exact_title(value, text))


def _exact_title(value: Value, text: str) -> str:
    """Return the exact value behind a rounded text, or an empty string if it is too long to read."""
    value = plain_value(value)
    if not isinstance(value, (Fraction, Polynomial, Surd)):
        return ""
    fraction = value.square if isinstance(value, Surd) else value
    # Fractions over many plays exceed Python's limit of digits; the JSON file has them.
    if isinstance(fraction, Fraction) and fraction.denominator.bit_length() > _EXACT_BITS:
        return ""
    exact_text = str(numerals.exact(value))
    return "" if exact_text == text else exact_text


def align_decimals(entries: Sequence[HtmlCell]) -> list[HtmlCell]:
    """Add padding to entries so that their decimal points align."""
    pads = decimal_pads([entry.text for entry in entries])
    return [replace(entry, pad=pad) if pad else entry for entry, pad in zip(entries, pads, strict=True)]


def split_breakable(text: str) -> tuple[str, ...]:
    """Split a text where a line may break: long words after punctuation, or anywhere if they have none.

    >>> split_breakable("short words stay whole")
    ('short words stay whole',)
    >>> split_breakable("123456789012345678901/98765432109876543210")
    ('1234567890123456', '78901/', '9876543210987654', '3210')
    """
    chunks: list[str] = []
    end = 0
    for word in _LONG_WORD.finditer(text):
        first_piece, *more_pieces = _BREAKS.findall(word.group())
        chunks += [text[end : word.start()] + first_piece, *more_pieces]
        end = word.end()
    return (*chunks[:-1], chunks[-1] + text[end:]) if chunks else (text,)


def escape_breakable(text: str) -> str:
    """Escape a text and add line-break opportunities to long words.

    >>> escape_breakable("a < b")
    'a &lt; b'
    """
    return escape(text) if len(text) < LONG_NUMBER else "<wbr>".join(map(escape, split_breakable(text)))


def mark_safe(text: str) -> Markup:
    """Mark a text as finished markup; templates escape everything else."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 every text in it went through escape()


def card_names(cards: Sequence[Card]) -> str:
    """Return the names of cards for screen readers.

    >>> from decks import parse_cards
    >>> card_names(parse_cards("7h As"))
    '7 of hearts, ace of spades'
    """
    return ", ".join(
        str(card)
        if card.is_joker
        else f"{card.rank.name.lower() if str(card.rank).isalpha() else card.rank} of {card.suit}"
        for card in cards
    )


def _draw_hand(hand: Hand) -> str:
    """Return a hand drawn as cards, each role with its name."""
    roles = (
        f'<span class="role"><span class="name">{escape(role.replace("_", " "))}</span> '
        f'<span class="cards" role="img" aria-label="{card_names(cards)}">'
        f"{''.join(map(_draw_card, cards))}</span></span>"
        for role, cards in hand.roles
    )
    return f'<span class="hand">{"".join(roles)}</span>'


def _draw_card(card: Card) -> str:
    color, (rank, symbol) = " red" if card.is_red else "", card.face
    return f'<span class="card{color}"><b>{rank}</b><i>{symbol}{_TEXT_PRESENTATION if symbol else ""}</i></span>'


_HAND_WIDTH = 22
_MAX_UNSPLIT_ROWS = 10
"""Tables of up to this many rows are not split between printed pages."""
_DENSITIES = ((96, ""), (130, "dense"), (150, "denser"))
_TONES = 5
_BLANK = '<dd><span class="blank" role="img" aria-label="a line to fill in"></span></dd>'


class HtmlTable(Struct, frozen=True):
    """A table as the page shows it."""

    caption: str
    headings: tuple[tuple[str, str, int], ...]
    """Each column's title, CSS class and characters that should fit on one line; a title may take three lines."""
    rows: tuple[Markup, ...]
    totals: tuple[Markup, ...]
    css_classes: str
    """CSS classes: print density, and whether the table stays on one page."""


class Figures(Struct, frozen=True):
    """A list of figures as the page shows them."""

    lines: tuple[tuple[str, Markup], ...]
    """Each figure's label and value."""
    width: int
    """Characters of the widest number, with which the others are aligned."""


def render(document: Document, digits: int) -> str:
    """Return a document as one HTML file."""
    title = one_line(document.title)
    return render_template(
        "sheet.html.jinja",
        title=title,
        running_head=css_text(title),
        document=document,
        grid=lambda table: _build_table(table, digits),
        figures=lambda figures: _build_figures(figures, digits),
        picture=_inline_plot,
        chart=_inline_chart,
    )


def render_template(template: str, **values: object) -> str:
    """Fill one of the templates beside this module."""
    source = _environment().get_template(template)
    return source.render(breakable=lambda text: mark_safe(escape_breakable(text)), policy=_policy(template), **values)


@lru_cache(maxsize=8)
def _policy(template: str) -> str:
    """Return the content security policy of a page: inline styles and scripts only, nothing external.

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
    r"""Return a text as a CSS string literal in which every special character is escaped.

    >>> print(css_text('TRI</style>'))
    "TRI\3c \2f style\3e "
    """
    characters = (
        character if character.isascii() and character.isalnum() else f"\\{ord(character):x} " for character in text
    )
    return mark_safe(f'"{"".join(characters)}"')


def _build_table(table: Table, digits: int) -> HtmlTable:
    """Lay out a table: values as text, numbers aligned, a heading for each row, totals separate."""
    columns = []
    tones = {choice: tone % _TONES for tone, choice in enumerate(table.choices())}
    for index, column in enumerate(table.columns):
        is_number = is_numeric(column)
        entries = [build_cell(row[index], column.style, digits, is_number) for row in table.rows]
        if column.style is Style.CHOICE:
            entries = [_shade_choice(cell_entry, tones) for cell_entry in entries]
        columns.append(align_decimals(entries) if is_number else entries)
    columns[:1] = map(_mark_repeated, columns[:1])
    headings = tuple(
        (
            column.title,
            *(("number", -(-len(column.title) // 3)) if is_numeric(column) else ("", _max_line_length(entries))),
        )
        for column, entries in zip(table.columns, columns, strict=True)
    )
    rows = tuple(map(_row, zip(*columns, strict=True)))
    body_count = len(rows) - table.totals
    css_classes = [_density(table, columns), "whole" if len(rows) <= _MAX_UNSPLIT_ROWS else ""]
    return HtmlTable(table.caption, headings, rows[:body_count], rows[body_count:], " ".join(filter(None, css_classes)))


def _shade_choice(entry: HtmlCell, tones: Mapping[str, int]) -> HtmlCell:
    """Add the shade of a chosen action to an entry."""
    return replace(entry, css_classes=f"choice tone-{tones[entry.text]}") if entry.text in tones else entry


def _mark_repeated(names: Sequence[HtmlCell]) -> list[HtmlCell]:
    """Mark row names that repeat the name above."""
    texts = [None, *(entry.text for entry in names)]
    return [
        replace(entry, css_classes=f"{entry.css_classes} again".strip()) if entry.text == previous else entry
        for entry, previous in zip(names, texts, strict=False)
    ]


def _row(entries: Iterable[HtmlCell]) -> Markup:
    """Return the cells of a row, the first of which names it."""
    first_entry, *other_entries = entries
    return mark_safe(
        first_entry.element("th", ' scope="row"') + "".join(entry.element("td") for entry in other_entries)
    )


def _max_line_length(entries: Iterable[HtmlCell]) -> int:
    """Return the characters of a text column that should fit on one line; cards count as `_HAND_WIDTH`."""
    return max((_HAND_WIDTH if entry.hand else min(len(entry.text), LONG_TEXT) for entry in entries), default=0)


def _density(table: Table, columns: Sequence[Sequence[HtmlCell]]) -> str:
    """Return the print density of a table from its width in characters; words can wrap, numbers cannot."""
    width = 0
    for column, entries in zip(table.columns, columns, strict=True):
        title = max(map(len, column.title.split()), default=0)
        text_lengths = (min(len(entry.text), LONG_NUMBER) for entry in entries)
        width += max(title, max(text_lengths, default=0) if is_numeric(column) else _max_line_length(entries)) + 2
    return next((name for limit, name in _DENSITIES if width <= limit), "densest")


def _build_figures(figures: Sequence[Figure], digits: int) -> Figures:
    """Format figures with aligned decimal points, and a blank line to fill in where a value is missing."""
    cells = align_decimals([build_cell(figure.value, figure.style, digits, _is_number(figure)) for figure in figures])
    width = max((len(cell.text) + len(cell.pad) for cell in cells if cell.css_classes == "number"), default=0)
    values = (mark_safe(cell.element("dd") if cell.text else _BLANK) for cell in cells)
    return Figures(tuple(zip((figure.label for figure in figures), values, strict=True)), width)


def _is_number(figure: Figure) -> bool:
    return figure.style is not Style.TEXT and not isinstance(figure.value, str)


def _inline_chart(chart: SeriesChart) -> Markup:
    return _inline_svg(draw_chart(chart))


def _inline_plot(plot: Plot) -> Markup:
    return _inline_svg(draw_plot(plot))


def _inline_svg(file: bytes) -> Markup:
    """Return an SVG file as an element of the page, which needs no namespace."""
    return mark_safe(file.decode("utf-8").replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
