"""The rack card: a printable card of the pays, as PDF or SVG. That of a changed catalog paytable is marked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from combinat.bets.paytable import Paytable
from decks import InputError
from reports.studio.export import new_id
from reports.studio.panels import selected_paytable

MEDIA_TYPES = {"pdf": "application/pdf", "svg": "image/svg+xml"}
_TEMPLATE = """
#let card = json("card.json")
#set document(title: card.title, date: none)
#set page(width: 100mm, height: auto, margin: 9mm)
#set text(font: "Libertinus Serif", size: 11pt, lang: "en")
#align(center)[
  #text(size: 18pt, weight: "bold", card.title)
]
#v(2mm)
#line(length: 100%, stroke: 0.8pt)
#table(
  columns: (1fr, auto), stroke: (_, y) => if y > 0 { (top: 0.3pt + luma(190)) }, inset: (x: 1mm, y: 2.1mm),
  align: (left, right),
  ..card.awards.map(award => (award.name, text(weight: "bold", award.pays))).flatten(),
)
#line(length: 100%, stroke: 0.8pt)
#text(size: 8.5pt, fill: luma(70), card.notes.join(linebreak()))
"""


def rack_card(body: Mapping[str, Any]) -> tuple[str, bytes, str]:
    """Return the file name, the content and the media type of the card."""
    format = str(body.get("format") or "pdf")
    if format not in MEDIA_TYPES:
        raise InputError(f"a rack card is pdf or svg, got {format}")
    paytable = selected_paytable(body)
    card = build_card(paytable)
    id = new_id(paytable) if paytable.based_on else paytable.id
    return f"{id} rack card.{format}", _compile(card, "pdf" if format == "pdf" else "svg"), MEDIA_TYPES[format]


def build_card(paytable: Paytable) -> dict[str, Any]:
    """Return the texts of the card.

    >>> from combinat.bets.catalog import get_paytable
    >>> card = build_card(get_paytable("TRI-03"))
    >>> card["title"], card["awards"][0], card["notes"]
    ('TriLux Bonus', {'name': 'Mini royal', 'pays': '100 to 1'}, ['Only the highest award is paid.'])
    """
    notes = ["All matching awards are paid." if paytable.stated_awards else "Only the highest award is paid."]
    if paytable.based_on:
        notes.append(f"A variant of {paytable.based_on.id}, with other {', '.join(paytable.based_on.differences)}.")
    return {
        "title": paytable.bet.name,
        "awards": [
            {"name": award.name, "pays": award.pays_text.upper() if award.pays_text == "push" else award.pays_text}
            for award in paytable.settlement.stated_awards
        ],
        "notes": notes,
    }


def _compile(card: dict[str, Any], format: Literal["pdf", "svg"]) -> bytes:
    """Typeset the card with the bundled fonts."""
    from typst import Compiler, Fonts  # loads slowly

    compiler = Compiler(font_paths=Fonts(include_system_fonts=False))
    files = {"main": _TEMPLATE.encode(), "card.json": json.dumps(card).encode()}
    pages = compiler.compile(files, format=format)  # type: ignore[type-var]  # files by name are accepted too
    page = pages[0] if isinstance(pages, list) else pages
    assert isinstance(page, bytes)
    return page
