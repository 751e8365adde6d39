"""Titles as data: a name, a pack, a number of decks and rules, each with its source and date."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat.blackjack.titles.rules import TitleRules, parse_title_rule, parse_title_rules
from decks import InputError, Pack, Shoe, did_you_mean
from decks.cards import as_cards
from decks.errors import quote
from decks.shoe import find_pack

_KEYS = {"name", "decks", "pack", "date", "source", "notes", "published", "rules", "side_bets"}


class PublishedEdge(Struct, frozen=True):
    """A published house edge, with the rules in which it differs from the title."""

    edge: str
    source: str
    rules: dict[str, Any]


class SideBet(Struct, frozen=True):
    """A bet on the number of free bets in a round; other numbers lose."""

    name: str
    pays: dict[int, Fraction]
    """Pay to 1 by the number of free bets."""
    source: str = ""


class Title(Struct, frozen=True):
    """A title of blackjack."""

    key: str
    """Name on the command line, such as free-bet."""
    name: str
    decks: int
    pack: Pack
    rules: TitleRules
    source: tuple[str, ...]
    date: str
    notes: tuple[str, ...] = ()
    published: tuple[PublishedEdge, ...] = ()
    side_bets: tuple[SideBet, ...] = ()

    def shoe(self, decks: int | None = None, removed: str = "") -> Shoe:
        """Return the shoe of the title, or with another number of decks."""
        return Shoe(self.decks if decks is None else decks, self.pack, as_cards(removed))

    def with_rules(self, changes: Mapping[str, Any]) -> TitleRules:
        """Return the rules with some of them changed."""
        fields = {name: getattr(self.rules, name) for name in self.rules.__struct_fields__}
        for name, value in changes.items():
            if name not in fields:
                raise InputError(f"{quote(name)} is not a rule{did_you_mean(name, fields) or ''}")
            fields[name] = parse_title_rule(name, value)
        return TitleRules(**fields)


def _parse_title(key: str, text: str, origin: str) -> Title:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{origin} is not a TOML file: {error}") from None
    for name in data:
        if name not in _KEYS:
            raise InputError(f"{origin}: {quote(name)} is not a key of a title{did_you_mean(name, _KEYS) or ''}")
    decks = data.get("decks", 6)
    if not isinstance(decks, int) or isinstance(decks, bool):
        raise InputError(f"{origin}: decks must be a number, got {decks!r}")
    rules = data.get("rules", {})
    published = data.get("published", [])
    return Title(
        key=key,
        name=str(data.get("name", key)),
        decks=decks,
        pack=find_pack(str(data.get("pack", "standard"))),
        rules=parse_title_rules(rules),
        source=tuple(data.get("source", ())),
        date=str(data.get("date", "")),
        notes=tuple(data.get("notes", ())),
        side_bets=tuple(
            parse_side_bet(str(bet.get("name", "")), bet.get("pays", {}), str(bet.get("source", "")))
            for bet in data.get("side_bets", ())
        ),
        published=tuple(PublishedEdge(edge["edge"], edge["source"], dict(edge.get("rules", {}))) for edge in published),
    )


def parse_side_bet(name: str, pays: Mapping[str, Any], source: str = "") -> SideBet:
    """Parse a bet on the number of free bets.

    >>> parse_side_bet("Pot of Gold", {"1": 3, "2": "12"}).pays
    {1: Fraction(3, 1), 2: Fraction(12, 1)}
    """
    parsed = {}
    for number, pay in pays.items():
        texts = str(number).strip(), str(pay).strip()
        if not all(text.isascii() and text.isdecimal() and len(text) < 7 for text in texts) or texts[0] == "0":
            raise InputError(f"a pay must be written as NUMBER=PAY, such as 2=12, got {quote('='.join(texts))}")
        parsed[int(texts[0])] = Fraction(int(texts[1]))
    if not parsed:
        raise InputError(f"{quote(name)} has no pays; write for example 1=3,2=12")
    return SideBet(name, parsed, source)


@lru_cache(maxsize=1)
def titles() -> dict[str, Title]:
    """Return the titles of the catalog by key.

    >>> sorted(titles())[:3]
    ['bet-the-set-21', 'double-exposure', 'european']
    """
    folder = files("combinat.blackjack.titles") / "games"
    entries = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            key = file.name.removesuffix(".toml").replace("_", "-")
            entries[key] = _parse_title(key, file.read_text(encoding="utf-8"), file.name)
    return entries


SEVEN_TITLES = (
    "bet-the-set-21",
    "free-bet",
    "house-money",
    "kings-bounty",
    "royal-match-21",
    "trilux-blackjack",
    "zappit",
)
"""Titles across which the Blazing 7's and TriLux jackpots may be linked."""


def find_title(name: str) -> Title:
    """Return the title of this name, or the one in a TOML file.

    >>> find_title("Free Bet").name
    'Free Bet Blackjack'
    """
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key in titles():
        return titles()[key]
    for title in titles().values():
        if title.name.lower() == name.strip().lower():
            return title
    if name.endswith(".toml"):
        path = Path(name)
        try:
            return _parse_title(path.stem, path.read_text(encoding="utf-8"), name)
        except (OSError, UnicodeDecodeError):
            raise InputError(f"cannot read the title {quote(name)}") from None
    hint = did_you_mean(key, titles()) or f"; write one of {', '.join(titles())}, or a TOML file"
    raise InputError(f"unknown title {quote(name)}{hint}")


def parse_rule_changes(texts: Sequence[str]) -> dict[str, str]:
    """Parse changes of rules; a name alone means true.

    >>> parse_rule_changes(["push_22", "zap=15-18"])
    {'push_22': 'true', 'zap': '15-18'}
    """
    changes = {}
    for text in texts:
        name, separator, value = text.partition("=")
        changes[name.strip()] = value.strip() if separator else "true"
    return changes
