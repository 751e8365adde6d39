"""Project files: the bet, its variants, notes and target as TOML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.items import String, StringType, Trivia

from combinat.bets.load import parse_bet
from combinat.bets.schema import parse_toml
from decks import InputError
from reports.studio.bets import DEFAULT_NAME, check_text_size

FORMAT = "combinat project 1"
"""The value of `format` in every project file."""
_TEXTS = ("name", "notes", "paytable", "decks", "target", "removed")
_VARIANT_TEXTS = ("name", "note", "paytable")


def save_project(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name and the text of a project file.

    >>> saved = save_project({"name": "My bet", "toml": 'bet = "A"', "variants": [], "locks": ["Flush"]})
    >>> saved["file"], open_project({"text": saved["text"]})["locks"]
    ('My bet.toml', ['Flush'])
    """
    document = tomlkit.document()
    document["format"] = FORMAT
    for key in _TEXTS:
        if body.get(key):
            document[key] = body[key]
    if body.get("locks"):
        document["locks"] = list(body["locks"])
    document["bet"] = _multiline(check_text_size(body["toml"]))
    if amounts := _known_amounts(body):
        document["meters"] = amounts
    variants = tomlkit.aot()
    for variant in body.get("variants") or ():
        table = tomlkit.table()
        for key in _VARIANT_TEXTS:
            if variant.get(key):
                table[key] = variant[key]
        table["bet"] = _multiline(check_text_size(variant["toml"]))
        if amounts := _known_amounts(variant):
            table["meters"] = amounts
        variants.append(table)
    if variants:
        document["variant"] = variants
    stem = re.sub(r"[^\w .+-]", "", str(body.get("name") or "")).strip() or "project"
    return {"file": f"{stem[:60]}.toml", "text": tomlkit.dumps(document)}


def _known_amounts(body: Mapping[str, Any]) -> dict[str, str]:
    """Return the meter amounts that are given."""
    amounts = body.get("meters")
    if not isinstance(amounts, Mapping):
        return {}
    return {name: str(amount) for name, amount in amounts.items() if str(amount).strip()}


def _multiline(text: str) -> String:
    """Return a text as a multi-line TOML string, so that a reader sees its lines."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return String(StringType.MLB, text, f"\n{escaped}", Trivia())


def open_project(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the state of the page from a project file, or from the file of a bet."""
    text = body["text"]
    data = parse_toml(text)
    if data.get("format") != FORMAT:
        if "deal" not in data:
            raise InputError(f'the file is neither a project (format = "{FORMAT}") nor a bet (with a deal)')
        paytables, _ = parse_bet(check_text_size(text), DEFAULT_NAME)
        return {
            **dict.fromkeys(("name", "notes", "removed"), ""),
            "meters": {},
            "toml": text,
            "paytable": paytables[0].id if paytables else None,
            "locks": [],
            "variants": [],
        }
    state: dict[str, Any] = {
        key: str(data.get(key) or "") for key in _TEXTS if key in data or key in ("name", "notes", "removed")
    }
    variants = data.get("variant", [])
    if not isinstance(data.get("bet"), str) or not isinstance(variants, list):
        raise InputError('the project has no bet; write its text as bet = """..."""')
    state["paytable"] = data.get("paytable") or None
    state["toml"] = data["bet"]
    state["meters"] = _known_amounts(data)
    state["locks"] = [str(lock) for lock in data.get("locks", [])]
    state["variants"] = [
        {
            "name": str(variant.get("name", "")),
            "note": str(variant.get("note", "")),
            "paytable": variant.get("paytable"),
            "toml": str(variant.get("bet", "")),
            "meters": _known_amounts(variant),
        }
        for variant in variants
        if isinstance(variant, Mapping)
    ]
    return state
