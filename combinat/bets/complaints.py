"""What a checker of types finds wrong with a file, said in the file's own terms."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from combinat.bets.fields import (
    AwardFields,
    BetFields,
    Fields,
    LevelFields,
    MetersFields,
    PackFields,
    PaytableFields,
    PublishedFields,
)
from decks import suggestion
from decks.errors import quoted

_COMPLAINT = r"(?P<what>.*?)(?: - at `\$?(?P<path>[^`]*)`)?"
_STEP = r"\.?(paytable|awards|published|notes|decks|source|meters|levels)\[(\d+)\]|\.?([a-z_]+)|\[\.\.\.\]"


def plain(complaint: str, table: dict[str, Any]) -> str:
    """Say in the file's own terms what the checker found: which paytable, which award, which key."""
    match = re.fullmatch(_COMPLAINT, complaint, re.DOTALL)
    assert match is not None  # the pattern fits any text
    what, path = match["what"], match["path"] or ""
    where: list[str] = []
    structure: type[Fields] = BetFields
    for listed, number, key in re.findall(_STEP, path):
        if listed == "paytable":
            structure = PaytableFields
            where.append(_named_paytable(table, int(number)))
        elif listed == "awards":
            structure = AwardFields
            where.append(f"award {int(number) + 1}")
        elif listed == "meters":
            structure = MetersFields
            where.append("meters")
        elif listed == "levels":
            structure = LevelFields
            where.append(f"level {int(number) + 1}")
        elif listed == "published":
            structure = PublishedFields
            where.append("published")
        elif listed or key:
            structure = PackFields if key == "pack" else structure
            where.append(listed or key)
    prefix = "".join(f"{step}: " for step in where)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        keys = [field.encode_name for field in msgspec.structs.fields(structure)]
        hint = suggestion(unknown[1], keys) or f"; keys here are {', '.join(keys)}"
        return f"{prefix}no key {quoted(unknown[1])}{hint}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what, re.DOTALL):
        examples = {"paytable": "a [[paytable]] table", "pays": 'pays = "9 to 1"', "awards": "awards = [...]"}
        return f"{prefix}the key '{missing[1]}' is missing; add {examples.get(missing[1], missing[1] + ' = ...')}"
    words = {
        "str": "text in quotes",
        "int": "a whole number",
        "object": "a table",
        "array": "a list",
        "bool": "true or false",
    }
    return prefix + re.sub(r"`([a-z |]+)`", lambda m: " or ".join(words.get(w, w) for w in m[1].split(" | ")), what)


def _named_paytable(table: dict[str, Any], number: int) -> str:
    """Name a paytable by its id if it has one, else by its place."""
    try:
        name = table["paytable"][number]["id"]
    except (KeyError, TypeError, IndexError):
        name = None
    return f"paytable {quoted(name)}" if isinstance(name, str) else f"paytable {number + 1}"
