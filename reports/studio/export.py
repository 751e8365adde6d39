"""Export the bet's text as a file; a changed paytable of the catalog gets a new id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tomlkit
from msgspec.structs import replace
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from combinat.bets.catalog import mark_if_variant
from combinat.bets.export import format_bet
from combinat.bets.identity import based_on_sources
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import MAX_ID, BetFields, read_fields
from decks import InputError
from reports.studio.bets import DEFAULT_NAME, check_text_size

_REMOVED_KEYS = ("published", "other_interpretation")


def export_bet(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name and the content of the file; a text with errors is not changed.

    >>> from combinat.bets.catalog import get_paytable
    >>> text = get_paytable("TRI-03").bet.file
    >>> export_bet({"toml": text, "paytable": "TRI-03"}) == {"name": "TRI-03.toml", "text": text}
    True
    >>> changed = export_bet({"toml": text.replace("100 to 1", "90 to 1"), "paytable": "TRI-03"})
    >>> changed["name"].startswith("TRI-03+variant-"), 'source = ["Based on TRI-03: ' in changed["text"]
    (True, True)
    """
    text = check_text_size(body["toml"])
    paytables, problems = parse_bet(text, DEFAULT_NAME)
    if problems or not paytables:
        return {"name": DEFAULT_NAME, "text": text}
    variants = {paytable.id: paytable for paytable in map(mark_if_variant, paytables) if paytable.based_on is not None}
    wanted_id = str(body.get("paytable") or "").lower()
    id = next((paytable.id for paytable in paytables if paytable.id.lower() == wanted_id), paytables[0].id)
    name = f"{new_id(variants[id]) if id in variants else id}.toml"
    return {"name": name, "text": _rename_variants(text, variants) if variants else text}


def new_id(variant: Paytable) -> str:
    """Return an id that the catalog does not have: the original id with the variant's mark."""
    if not variant.variant:
        return variant.id
    (mark,) = variant.variant
    return f"{variant.id[: MAX_ID - len(mark) - 1]}+{mark}"


def _rename_variants(text: str, variants: Mapping[str, Paytable]) -> str:
    """Return the text with new ids, titles and sources of variants, keeping its layout if possible."""
    fields = _renamed_fields(text, variants)
    try:
        edited = _edit_text(text, fields)
        is_same = read_fields(edited, _refuse) == fields
    except (InputError, TOMLKitError):
        is_same = False
    return edited if is_same else format_bet(fields)


def _renamed_fields(text: str, variants: Mapping[str, Paytable]) -> BetFields:
    fields = read_fields(text, _refuse)
    assert fields is not None  # it was parsed without a problem
    sources = [fields.source] if isinstance(fields.source, str) else fields.source
    originals = ", ".join(dict.fromkeys(variant.based_on.id for variant in variants.values() if variant.based_on))
    tables = [
        replace(
            table,
            id=new_id(variant),
            title=table.title and variant.title,
            published=[],
            other_interpretation=None,
        )
        if (variant := variants.get(table.id))
        else table
        for table in fields.paytable
    ]
    return replace(fields, source=list(based_on_sources(originals, sources)), paytable=tables)


def _refuse(message: str) -> None:
    raise InputError(message)


def _edit_text(text: str, fields: BetFields) -> str:
    """Return the text with changed fields; comments and order stay."""
    document = tomlkit.parse(text)
    document["source"] = fields.source
    tables = document["paytable"]
    assert isinstance(tables, AoT)
    for table, new_table in zip(tables, fields.paytable, strict=True):
        table["id"] = new_table.id
        if new_table.title:
            table["title"] = new_table.title
        for key in _REMOVED_KEYS:
            if not getattr(new_table, key):
                table.pop(key, None)
    return tomlkit.dumps(document)
