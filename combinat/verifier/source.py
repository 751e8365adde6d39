"""The source of a sheet: the bet's TOML file, whose text and SHA-256 are on the sheet, read with `tomllib`.

What the sheet says of the bet (names, deal, pack, condition, rules, pays, deck counts, requirements, sources, notes,
published figures, terms of meters, settings) is compared with the file. Where an option of the command line changed the
bet, the sheet lists the topics that differ from the file, and only these may differ. The limits of jurisdiction tests
are compared with the file of tests in the same way.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from fractions import Fraction
from typing import Any

from combinat.verifier.figures import format_odds, parse_odds
from combinat.verifier.sheet import Comparison, OneOf, SheetError, Unchecked, field, parse_number, show, write

MAX_TEXT = 300_000
MAX_KEY_PARTS = 8
PUBLISHED = ("hold", "hit_frequency", "house_edge", "return")
JOKER = {"any card": "", "an ace, a straight or a flush": " for an ace, a straight or a flush"}
LUCKY_9_SETTINGS = {
    "nines": "push",
    "qualify": "any",
    "lucky_pays": "3 to 2",
    "hands": "4",
    "tie_pays": "7 to 1",
    "tie_stake": "0",
}
LABELS = {
    "maker": "Maker's description",
    "other": "Other source",
    "interpretation": "Interpretation",
    "assumption": "Assumption",
}
AWARD_TOPICS = {"awards", "rules", "pays"}
COMPARED_TOPICS = AWARD_TOPICS | {"deal", "pack", "condition", "required wager", "decks"}
TOPICS = COMPARED_TOPICS | {"settlement", "wheels", "option", "meters", "names", "published figures"}
CHANGED = "changed by an option of the command line, as the sheet says"


def _one_line(text: str) -> str:
    """Return a text with line breaks as single spaces."""
    return re.sub(r"[ \t]*[\t\r\n][ \t\r\n]*", " ", text)


def tidy(value: Any) -> Any:
    """Return TOML data with every text on one line."""
    if isinstance(value, str):
        return _one_line(value)
    if isinstance(value, list):
        return [tidy(item) for item in value]
    return {key: tidy(item) for key, item in value.items()} if isinstance(value, dict) else value


def _parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text, numbers with a decimal point as text."""
    if len(text) > MAX_TEXT or any(
        len(re.findall(r"\.", line.split("=")[0].split('"')[0])) > MAX_KEY_PARTS for line in text.splitlines()
    ):
        raise SheetError("the text of an input file is too long, or has a key of too many parts")
    try:
        tables: dict[str, Any] = tidy(tomllib.loads(text, parse_float=str))
        return tables
    except (ValueError, RecursionError) as error:
        raise SheetError(f"an input file is not valid TOML: {show(str(error))}") from None


def text_of(sheet: dict[str, Any], name: str) -> str:
    """Return the text of an input file on the sheet."""
    stated_file = field(field(sheet, "input_files", dict), name, dict)
    return str(field(stated_file, "text", str))


def file_part(sheet: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what a sheet should say of an input file: its text, and the SHA-256 of that text."""
    text = text_of(sheet, name)
    return {"sha256": hashlib.sha256(text.encode("utf-8")).hexdigest(), "text": text}


def _parse_decks(value: Any) -> list[int]:
    """Return deck counts: 6, [6, 8] or "2, 4-8"."""
    counts: set[int] = set()
    for range_text in (str(value) if not isinstance(value, list) else ",".join(map(str, value))).split(","):
        ends = [int(end) for end in re.findall(r"\d{1,3}", range_text)]
        if not ends or len(ends) > 2:
            raise SheetError(f"'{show(value)}' is not a list of deck counts")
        counts |= set(range(ends[0], ends[-1] + 1))
    return sorted(counts)


def pack_name(pack: Any) -> str:
    """Return the name of a pack, with its changes."""
    if isinstance(pack, str):
        return pack
    without = [str(word) for word in pack.get("without", [])]
    name = pack.get("base", "standard") + (f" without {' '.join(dict.fromkeys(without))}" if without else "")
    if jokers := pack.get("jokers", 0):
        name += f" with {jokers} joker{'s' if jokers > 1 else ''}{JOKER[pack.get('joker', 'any card')]}"
    return str(name)


def same_text(text: str) -> Any:
    """Return a leaf that accepts a text with any spacing."""
    return OneOf(
        f"'{text}'", lambda stated: isinstance(stated, str) and "".join(stated.split()) == "".join(text.split())
    )


def _parse_rate(text: Any) -> Fraction:
    """Parse a rate such as 24% or 0.24."""
    value = str(text).strip()
    return parse_number(value.rstrip("%").strip()) / (100 if value.endswith("%") else 1)


class Source:
    """The bet's file, and the paytable of a sheet in it."""

    def __init__(self, sheet: dict[str, Any]) -> None:
        self.sheet = sheet
        self.bet = _parse_toml(text_of(sheet, "bet"))
        self.changed = set(map(str, field(field(sheet["input_files"], "bet", dict), "changed", list)))
        self.differing: set[str] = set()
        tables = [table for table in self.bet.get("paytable", []) if isinstance(table, dict)]
        matching_tables = [table for table in tables if table.get("id") == sheet.get("paytable")]
        if len(matching_tables) != 1:
            raise SheetError(f"its input file has no paytable '{show(sheet.get('paytable'))}'")
        (self.table,) = matching_tables

    def unless(self, topic: str, expected: Any, stated: Any) -> Any:
        """Return what the file says, unless the sheet says that a topic was changed; then it must differ somewhere."""
        if topic not in self.changed:
            return expected
        comparison = Comparison()
        comparison.compare(stated, expected)
        if comparison.differences:
            self.differing.add(topic)
        return Unchecked(CHANGED)

    def changed_topics(self) -> Any:
        """Return a leaf for the changed topics: each must differ from the file, and the report names them."""
        unknown = self.changed - TOPICS
        compared = COMPARED_TOPICS - AWARD_TOPICS if self.awards is None else COMPARED_TOPICS
        same = {topic for topic in self.changed & compared if topic not in self.differing}
        words = f"topics that differ from the file{f', not {min(same | unknown)}' if same | unknown else ''}"
        return OneOf(words, lambda stated: not same and not unknown and len(stated) == len(set(stated)))

    @property
    def awards(self) -> list[dict[str, Any]] | None:
        """The awards of the paytable; `None` if the game defines them."""
        return self.table.get("awards")

    def rule_of(self, award: dict[str, Any]) -> str | None:
        """Return the rule of an award of the file; `None` for one that is paid per count."""
        hand = award.get("hand")
        return self.bet.get("hands", {}).get(hand) if hand is not None else award.get("when")

    def pay_text(self, award: dict[str, Any]) -> str:
        """Return the pay of an award of the file as a sheet writes it."""
        text = format_odds(*parse_odds(str(award.get("pays"))))
        return f"{text} × {award['wheel']}" if award.get("wheel") else text

    def game_awards(self, settings: dict[str, Any]) -> list[tuple[str, str, str]]:
        """Return the awards that Lucky 9 defines itself: name, rule and pay."""
        if self.bet.get("deal") == "lucky 9 tie":
            return [("Tie", "tie", settings["tie_pays"])]
        words = {4: "four", 3: "three", 2: "two"}
        max_hands = int(settings["hands"])
        rows = [
            (f"Wins {words[units]} units", f"units won == {units}", f"{units} to 1")
            for units in (4, 3, 2)
            if units <= max_hands
        ]
        rows += [("Lucky 9 wins", "lucky nine and units won == 1", settings["lucky_pays"])]
        rows += [("Wins one unit", "units won == 1", "1 to 1"), ("Push", "units won == 0 and units lost == 0", "push")]
        rows += [
            (f"Loses {words[units]} units", f"units lost == {units}", f"loses {units}")
            for units in (2, 3, 4)
            if units <= max_hands
        ]
        return rows

    # What the sheet should say

    def expected(self) -> dict[str, Any]:
        """Return what the sheet should say of the bet."""
        bet, table, unless = self.bet, self.table, self.unless
        title = table.get("title") or f"{bet['bet']} {table['id']}"
        sources = bet.get("source", [])
        sources = [sources] if isinstance(sources, str) else sources
        variant = self.sheet.get("variant")
        if isinstance(variant, dict):
            base = f"Based on {variant.get('of')}"
            sources = [source if source.startswith(base) else f"{base}: {source}"[:500] for source in sources] or [base]
        decks = _parse_decks(table["decks"])
        is_renamed = self.changed or isinstance(variant, dict)
        sheet = self.sheet
        return {
            "paytable": table["id"],
            "title": Unchecked(CHANGED) if is_renamed else title,
            "bet": unless("names", bet["bet"], sheet.get("bet")),
            "deal": unless("deal", same_text(bet["deal"]), sheet.get("deal")),
            "given": unless(
                "condition", None if bet.get("given") is None else same_text(bet["given"]), sheet.get("given")
            ),
            "pack": unless("pack", pack_name(bet.get("pack", "standard")), sheet.get("pack")),
            "designed_decks": unless("decks", decks, sheet.get("designed_decks")),
            "requires": unless("required wager", table.get("requires"), sheet.get("requires")),
            "example": unless("published figures", table.get("example", False), sheet.get("example")),
            "notes": self.notes(),
            "sources": list(sources),
            **self.settings_part(),
        }

    def notes(self) -> list[str]:
        """Return the assumptions of the file that concern the paytable, with their labels, then its notes."""
        names = {row["name"] for row in self.stated_awards(None)}
        notes = []
        for assumption in [*self.bet.get("assumptions", []), *self.table.get("assumptions", [])]:
            alternative = assumption.get("alternative", {})
            changed = {*alternative.get("rules", {}), *alternative.get("pays", {})}
            label = LABELS.get(assumption.get("origin"))
            if label and (not changed or changed & names):
                notes.append(f"{label}: {assumption['text']}")
        return [*notes, *self.bet.get("notes", []), *self.table.get("notes", [])]

    def settings_part(self) -> dict[str, Any]:
        """Return the settings of the game, if it has any."""
        if "settings" not in self.sheet:
            return {}
        stated = {
            key: str(value) for key, value in {**self.bet.get("settings", {}), **self.table.get("settings", {})}.items()
        }
        return {"settings": self.unless("deal", LUCKY_9_SETTINGS | stated, self.sheet["settings"])}

    def stated_awards(self, settings: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Return name, rule and pay of each award of the file, and the count that it is paid for."""
        if self.awards is None:
            rows = self.game_awards(settings or LUCKY_9_SETTINGS)
            return [
                {"name": name, "rule": rule, "per": None, "pays_text": format_odds(*parse_odds(pay))}
                for name, rule, pay in rows
            ]
        return [
            {
                "name": award.get("name") or award.get("hand"),
                "rule": self.rule_of(award),
                "per": award.get("per"),
                "pays_text": self.pay_text(award),
            }
            for award in self.awards
        ]

    def award_rows(self, settings: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Return what each award of the sheet should say of name, rule and pay."""
        awards = field(self.sheet, "awards", list)
        rows = []
        for index, row in enumerate(self.stated_awards(settings)):
            stated = awards[index] if index < len(awards) and isinstance(awards[index], dict) else {}
            if self.awards is None:  # they follow from the settings, which are compared
                rows.append({"name": row["name"], "rule": same_text(row["rule"]), "pays_text": row["pays_text"]})
                continue
            name = self.unless("awards", row["name"], stated.get("name"))
            rule = self.unless("rules", same_text(row["rule"] or ""), stated.get("rule"))
            pay = self.unless("pays", row["pays_text"], stated.get("pays_text"))
            if "awards" in self.changed:
                rule = pay = Unchecked(CHANGED)
            rows.append({"name": name, "rule": rule, "pays_text": pay})
        if len(rows) != len(awards):
            self.differing.add("awards")
        return rows

    def published(self, decks: int) -> Any:
        """Return the figures that the file says a source prints for a number of decks."""
        return [
            {"figure": figure, "text": row[figure]}
            for row in self.table.get("published", [])
            for figure in PUBLISHED
            if row.get(figure) is not None and row.get("decks") == decks
        ]

    def meter_terms(self, decks: int) -> dict[str, Any] | None:
        """Return the terms of the meters for a number of decks."""
        for system in self.table.get("meters", []):
            if system.get("decks") is None or decks in _parse_decks(system["decks"]):
                return {
                    "kind": system.get("kind", "progressive"),
                    "wager": parse_number(system.get("wager", 1)),
                    "all_pays_deducted": system.get("all_pays_deducted", False),
                    "basis": system.get("basis"),
                    "levels": [
                        {
                            "name": level["name"],
                            "seed": parse_number(level["seed"]),
                            "rate": _parse_rate(level.get("rate", "0%")),
                            "reserve": _parse_rate(level.get("reserve", "0%")),
                            "cap": None if level.get("cap") is None else parse_number(level["cap"]),
                            "rate_after_cap": _parse_rate(level.get("rate_after_cap", "0%")),
                            "deducted": level.get("deducted", True),
                            "seed_paid_by": level.get("seed_paid_by", "house"),
                        }
                        for level in system["levels"]
                    ],
                }
        return None


def test_limits(sheet: dict[str, Any], jurisdiction: Any) -> list[dict[str, Any]]:
    """Return the jurisdiction tests of the file of tests, as the sheet lists them."""
    tests = _parse_toml(text_of(sheet, "tests")).get("test", [])
    own_tests = [test for test in tests if test.get("jurisdiction") == jurisdiction]
    return [
        {
            "jurisdiction": test["jurisdiction"],
            "test": test["name"],
            "applies_to": test.get("applies_to", ""),
            "figure": test["figure"],
            "in_money": test.get("in_money", False),
            "at_least": write(parse_number(test["at_least"])) if test.get("at_least") else None,
            "at_most": write(parse_number(test["at_most"])) if test.get("at_most") else None,
            "consequence": test.get("consequence") or None,
            "source": test["source"],
            "year": test["year"],
        }
        for test in own_tests or tests
    ]
