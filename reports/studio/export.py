"""Export the bet's text as a file; a changed paytable of the catalog gets a new id."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from combinat.bets.catalog import mark_if_variant
from combinat.bets.export import format_bet
from combinat.bets.identity import based_on_sources
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import BetFields, read_fields
from decks import InputError
from reports.studio.bets import USUAL_NAME, check_text_size
from reports.studio.toml_positions import TextPosition, find_positions

_LONGEST_ID = 40
_REMOVED = ("published", "other_reading")


def export_bet(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name and the content of the file; a text with a mistake in it is kept as it is.

    >>> from combinat.bets.catalog import get_paytable
    >>> text = get_paytable("TRI-03").bet.file
    >>> export_bet({"toml": text, "paytable": "TRI-03"}) == {"name": "TRI-03.toml", "text": text}
    True
    >>> changed = export_bet({"toml": text.replace("100 to 1", "90 to 1"), "paytable": "TRI-03"})
    >>> changed["name"].startswith("TRI-03+variant-"), 'source = ["Based on TRI-03: ' in changed["text"]
    (True, True)
    """
    text = check_text_size(body["toml"])
    paytables, problems = parse_bet(text, USUAL_NAME)
    if problems or not paytables:
        return {"name": USUAL_NAME, "text": text}
    variants = {paytable.id: paytable for paytable in map(mark_if_variant, paytables) if paytable.based_on is not None}
    wanted_id = str(body.get("paytable") or "").lower()
    id = next((paytable.id for paytable in paytables if paytable.id.lower() == wanted_id), paytables[0].id)
    name = f"{_new_id(variants[id]) if id in variants else id}.toml"
    return {"name": name, "text": _rename_variants(text, variants) if variants else text}


def _new_id(variant: Paytable) -> str:
    """Return an id that the catalog does not have: the original id with the variant's mark."""
    if not variant.variant:
        return variant.id
    (mark,) = variant.variant
    return f"{variant.id[: _LONGEST_ID - len(mark) - 1]}+{mark}"


def _rename_variants(text: str, variants: Mapping[str, Paytable]) -> str:
    """Return the text with new ids, titles and sources of variants, keeping its layout if possible."""
    fields = _renamed_fields(text, variants)
    edited = _edit_text(text, fields)
    try:
        is_same = edited is not None and read_fields(edited, _refuse) == fields
    except InputError:
        is_same = False
    return edited if edited is not None and is_same else format_bet(fields)


def _renamed_fields(text: str, variants: Mapping[str, Paytable]) -> BetFields:
    fields = read_fields(text, _refuse)
    assert fields is not None  # it was parsed without a problem
    stated = [fields.source] if isinstance(fields.source, str) else fields.source
    originals = ", ".join(
        dict.fromkeys(
            variant_paytable.based_on.id for variant_paytable in variants.values() if variant_paytable.based_on
        )
    )
    tables = [
        replace(
            table,
            id=_new_id(variant),
            title=table.title and variant.title,
            published=[],
            other_reading=None,
        )
        if (variant := variants.get(table.id))
        else table
        for table in fields.paytable
    ]
    return replace(fields, source=list(based_on_sources(originals, stated)), paytable=tables)


def _refuse(message: str) -> None:
    raise InputError(message)


def _edit_text(text: str, fields: BetFields) -> str | None:
    """Return the text with changed fields, edited from the end; `None` if a value cannot be removed cleanly."""
    values: dict[tuple[str | int, ...], Any] = {("source",): fields.source}
    for number, table in enumerate(fields.paytable):
        values["paytable", number, "id"] = table.id
        values["paytable", number, "title"] = table.title
        values |= {("paytable", number, key): getattr(table, key) for key in _REMOVED}
    changes: list[tuple[int, int, str]] = []
    for position in find_positions(text):
        if position.path not in values:
            continue
        value = values.pop(position.path)
        if value in ([], None):
            if (cut := _line_of(text, position)) is None:
                return None
            changes.append((*cut, ""))
        elif position.path[-1] not in _REMOVED:
            changes.append((position.start, position.end, json.dumps(value, ensure_ascii=False)))
    if ("source",) in values:
        changes.append((0, 0, f"source = {json.dumps(fields.source, ensure_ascii=False)}\n"))
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _line_of(text: str, position: TextPosition) -> tuple[int, int] | None:
    """Return the range of the lines of a key and its value, or `None` if other text shares them."""
    start = text.rfind("\n", 0, position.key[0]) + 1
    end = text.find("\n", position.end) + 1 or len(text)
    line_end = text[position.end : end].strip()
    is_alone = (
        position.key != (0, 0)
        and not text[start : position.key[0]].strip()
        and (not line_end or line_end.startswith("#"))
    )
    return (start, end) if is_alone else None
