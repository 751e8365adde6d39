"""Single values as HTML: escaped text that may break in lines, numbers lined up, and cards drawn as cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from decks import Card
from reports.page import numerals
from reports.page.model import Cell, Formula, Hand, Style, Styled, written

if TYPE_CHECKING:  # it loads with the first page
    from markupsafe import Markup

LONG_NUMBER = 26
"""How many characters a number may have before it is cut into lines."""
LONG_TEXT = 32
"""How many characters of a text want to stand in one line."""

_NUMBER = re.compile(rf"(?:[<>≤≥] )?[-{numerals.MINUS}]?[\d,]+(\.\d+)?(%?)")
_LONG_WORD = re.compile(r"\S{25,}")
_BREAKS = re.compile(r"([^/·×,;:)_.]{1,16}[/·×,;:)_.]*|[/·×,;:)_.]+)")
_EXACT_BITS = 1200
_AS_TEXT = "\N{VARIATION SELECTOR-15}"  # without it phones show the suits as colored pictures


class Entry(Struct, frozen=True):
    """One value as the page shows it."""

    text: str
    kind: str = ""
    """The classes that say how it looks."""
    exact: str = ""
    """The exact value, where the text is rounded."""
    pad: str = ""
    """Unseen characters that bring the decimal point under those above."""
    hand: Hand | None = None

    def element(self, tag: str, attributes: str = "") -> str:
        """Write the value as an element of the page, without any space that would be read back as a part of it.

        >>> Entry("0.33", "number", "1/3").element("td")
        '<td class="number" title="1/3">0.33</td>'
        """
        if self.kind:
            attributes += f' class="{self.kind}"'
        if self.exact:
            attributes += f' title="{escape(self.exact)}"'
        if self.pad:
            attributes += f' data-pad="{self.pad}"'
        return f"<{tag}{attributes}>{_drawn(self.hand) if self.hand else broken(self.text)}</{tag}>"


def entry(cell: Cell, style: Style, digits: int, numeric: bool) -> Entry:
    """Put one value into words and classes."""
    value, style = (cell.value, cell.style) if isinstance(cell, Styled) else (cell, style)
    text = written(value, style, digits)
    if isinstance(value, Hand):
        return Entry(text, "hands", hand=value)
    if isinstance(value, Formula):
        return Entry(text, "formula long" if len(text) > LONG_TEXT else "formula")
    if not numeric:
        return Entry(text, "long" if len(text) > LONG_TEXT else "", _exactly(value, text))
    kind = "number long" if len(text) > LONG_NUMBER else "number"
    if value is None or (
        isinstance(value, str) and text.islower() and not any(character.isdigit() for character in text)
    ):
        kind += " words"  # such as "impossible", in a column of numbers
    return Entry(text, kind, _exactly(value, text))


def _exactly(value: object, text: str) -> str:
    """Give the exact value behind a rounded text, if it is one that a reader can take in."""
    if isinstance(value, Polynomial) and value.is_constant:
        value = value.constant
    if not isinstance(value, (Fraction, Polynomial, Root)):
        return ""
    fraction = value.square if isinstance(value, Root) else value
    # Fractions of a million plays have more digits than Python writes; JSON is the place for long ones.
    if isinstance(fraction, Fraction) and fraction.denominator.bit_length() > _EXACT_BITS:
        return ""
    exact = str(numerals.exact(value))
    return "" if exact == text else exact


def decimal_pads(texts: Sequence[str]) -> list[str]:
    """Find what each number lacks behind its decimal point, so that the points of a column stand in line.

    >>> decimal_pads(["1,234", "5.25", "−0.5", "none"])
    ['.00', '', '0', '']
    """
    matches = [_NUMBER.fullmatch(text) for text in texts]
    tails = [(match[1] or "", match[2]) for match in matches if match]
    longest = max((len(fraction) for fraction, _ in tails), default=0)
    sign = "%" if any(sign for _, sign in tails) else ""

    def pad(match: re.Match[str] | None) -> str:
        if match is None:
            return ""
        fraction = match[1] or ""
        point = "." if longest and not fraction else ""
        return point + "0" * (longest - len(fraction) - len(point)) + ("" if match[2] else sign)

    return [pad(match) for match in matches]


def padded(entries: Sequence[Entry]) -> list[Entry]:
    """Line numbers up at their decimal points."""
    pads = decimal_pads([one.text for one in entries])
    return [replace(one, pad=pad) if pad else one for one, pad in zip(entries, pads, strict=True)]


def pieces(text: str) -> tuple[str, ...]:
    """Cut a text where a line may break: long words after their characters, or anywhere if they have none.

    >>> pieces("short words stay whole")
    ('short words stay whole',)
    >>> pieces("123456789012345678901/98765432109876543210")
    ('1234567890123456', '78901/', '9876543210987654', '3210')
    """
    cut: list[str] = []
    end = 0
    for word in _LONG_WORD.finditer(text):
        first, *others = _BREAKS.findall(word.group())
        cut += [text[end : word.start()] + first, *others]
        end = word.end()
    return (*cut[:-1], cut[-1] + text[end:]) if cut else (text,)


def broken(text: str) -> str:
    """Escape a text and let its long words break.

    >>> broken("a < b")
    'a &lt; b'
    """
    return escape(text) if len(text) < LONG_NUMBER else "<wbr>".join(map(escape, pieces(text)))


def safe(text: str) -> Markup:
    """Hand finished markup to a template, which escapes everything else."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 every text in it went through escape()


def spoken(cards: Sequence[Card]) -> str:
    """Name cards as a screen reader says them.

    >>> from decks import parse_cards
    >>> spoken(parse_cards("7h As"))
    '7 of hearts, ace of spades'
    """
    return ", ".join(
        str(card)
        if card.is_joker
        else f"{card.rank.name.lower() if str(card.rank).isalpha() else card.rank} of {card.suit}"
        for card in cards
    )


def _drawn(hand: Hand) -> str:
    """Draw a hand as cards, each role with its name."""
    roles = (
        f'<span class="role"><span class="name">{escape(role.replace("_", " "))}</span> '
        f'<span class="cards" role="img" aria-label="{spoken(cards)}">{"".join(map(_card, cards))}</span></span>'
        for role, cards in hand.roles
    )
    return f'<span class="hand">{"".join(roles)}</span>'


def _card(card: Card) -> str:
    color, (rank, symbol) = " red" if card.is_red else "", card.marks
    return f'<span class="card{color}"><b>{rank}</b><i>{symbol}{_AS_TEXT if symbol else ""}</i></span>'
