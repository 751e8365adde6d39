"""The form of a par sheet: how its file is read, and which keys and rows it must have, by the standard library only.

This file needs only recount.py beside it. What a sheet says is not looked at here but for what decides which other
parts there must be. A sheet from which something was taken away then lacks it by name, also where nothing is counted
again. Of free words, such as notes and sources, nobody can say how many there should be.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Collection, Iterator
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from combinat.recount import UnreadableError, shown
else:  # run by itself, with recount.py beside it
    from recount import UnreadableError, shown

KINDS = {"standard": 52, "spanish": 48}
MOST_BYTES = 20_000_000  # many times the largest sheet

OPTION = ("house_edge_without_option", "return_without_option", "option")
OF_ANSWER = (
    *("paytable", "title", "bet", "deal", "given", "roles_told_apart", "pack", "decks", "cards", "removed"),
    *("designed_decks", "designed", "cycle", "awards", "up_cards", "loses", "meters", "house_edge", "return"),
    *("fixed_return", "hold", "hit_frequency", "push_rate", "mean_win", "variance", "standard_deviation", "skewness"),
    *("excess_kurtosis", "favors_player", "flags", "published", "requires", "example", "notes", "sources"),
)
OF_SHEET = (
    *("format", "identification", *OF_ANSWER, "expected_value", "plays_per_hit", "edge_per_resolved_bet"),
    *("return_without_top_award", "volatility_index", "settled_meters", "expectation", "deck_sensitivity"),
    *("pay_sensitivity", "meter", "exposure", "derivation", "checks", "data_sha256"),
)
ONLY_SHEETS = {"format", "identification", "expectation", "exposure", "derivation", "checks"}
"""What tells a par sheet from the answer to a question, which has fewer figures of the same names."""
OF_AWARD = (
    *("name", "rule", "pays", "unit", "pays_text", "fits", "ways", "probability", "return", "net", "one_in"),
    *("true_odds", "possible"),
)
OF_PARTS = {
    "loses": ("ways", "probability"),
    "up_cards[]": ("up", "probability", "bust", "suited_bust", "awards", "hit_frequency", "return", "house_edge"),
    "up_cards[].awards[]": ("name", "pays_text", "probability"),
    "published[]": ("figure", "text", "decks", "agrees"),
    "option": ("kind", "rides", "rules", "strategy", "gain", "used", "decisions"),
    "option.decisions[]": ("hand", "up", "probability", "amount", "value", "choice", "gain", "first_action"),
}
OF_METER = (
    *("paytable", "decks", "kind", "wager", "basis", "fixed_return", "hold", "return_at_seed", "return_at_average"),
    "levels",
)
OF_BOUNDED_METER = ("paytable", "decks", "hold_at_least", "hold_at_most")
OF_SHEET_PARTS = {
    **OF_PARTS,
    "identification": (
        *("game", "document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction", "software"),
        "input_sha256",
    ),
    "awards[]": (
        *(*OF_AWARD, "rule_in_words", "taken_by_higher", "pays_to_1", "pays_for_1", "share_of_return"),
        *("fair_pay_for_1", "example"),
    ),
    "volatility_index[]": ("confidence", "z", "index"),
    "expectation[]": ("plays", "confidence", "method", "rough", "least_hold", "most_hold", "house_ahead"),
    "deck_sensitivity[]": (
        *("decks", "designed", "house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in"),
    ),
    "pay_sensitivity[]": ("award", "one_more", "one_less"),
    "meter.levels[]": (
        *("name", "seed", "rate", "reserve", "cap", "reset_probability", "average_meter", "variance"),
        *("long_run_return", "break_even", "slope", "median_plays"),
    ),
    "exposure": ("max_wager", "largest_win", "largest_payment", "tax"),
    "exposure.tax[]": (
        *("award", "rule", "years", "reported_from_wager", "reported_from_wager_less_the_wager"),
        "withheld_above_wager",
    ),
    "derivation[]": ("award", "ways", "steps"),
    "derivation[].steps[]": ("cards", "hands", "formula", "numbers", "ways"),
    "checks[]": ("check", "result"),
}

CONFIDENCES = ("90%", "95%", "99%")
PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
USUAL_DECKS = range(1, 9)
TAX_RULES = (("United States, Form W-2G", "2025 and before"), ("United States, Form W-2G", "2026"))
CHECKS = (
    "The ways of all awards and of losing hands add up to the cycle",
    "The probabilities add up to one",
    "The mean of all results is the house edge, turned around",
    "The second method, ordered physical cards, re-derives the figures of this sheet",
)
NO_AWARD = "no award"
CHECK_OF_FULL_SHOES = "The shoe weighed card by card gives the counts of the formula in n"


def read(path: str | Path) -> dict[str, Any]:
    """Read a sheet's file, in which nothing may be said twice: a person would see the one and a program the other."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise UnreadableError("a key stands twice in one object")
        return found

    try:
        if not stat.S_ISREG(mode := Path(path).stat().st_mode) and not stat.S_ISDIR(mode):
            raise UnreadableError("is no regular file: save the sheet to a file and name that")
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise UnreadableError(f"is no par sheet: it has more than {MOST_BYTES:,} bytes")
        sheet = json.loads(content.decode("utf-8"), object_pairs_hook=once)
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    except UnreadableError:
        raise
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"is no JSON: {shown(error)}") from None
    if not isinstance(sheet, dict):
        raise UnreadableError("is no par sheet: an object was expected")
    return sheet


def lacking(sheet: dict[str, Any], without_hands: Collection[object] = ()) -> list[str]:
    """Name every key and every row that a sheet of this kind must have and has not.

    With some numbers of decks there may be no hand that the bet is made with; these need no row.
    """
    is_sheet = not ONLY_SHEETS.isdisjoint(sheet)
    parts = OF_SHEET_PARTS if is_sheet else {**OF_PARTS, "awards[]": OF_AWARD}
    if isinstance(meter := sheet.get("meter"), dict):
        is_bounded = not {"hold_at_least", "hold_at_most"}.isdisjoint(meter)
        parts = {**parts, "meter": OF_BOUNDED_METER if is_bounded else OF_METER}
    names = (*(OF_SHEET if is_sheet else OF_ANSWER), *(() if set(OPTION).isdisjoint(sheet) else OPTION))
    missing = [f"{name}: missing" for name in names if name not in sheet]
    for path, keys in parts.items():
        for name, part in found(sheet, path):
            if isinstance(part, dict):
                missing += [f"{name}{key}: missing" for key in keys if key not in part]
            else:
                missing.append(f"{name.rstrip(': .')}: is no object")
    if is_sheet:
        for path, wanted, given in rows(sheet, without_hands):
            missing += [f"{path}: no row for {shown(label)}" for label in wanted if label not in given]
        missing += [*unsummed_steps(sheet), *missing_words(sheet)]
    return missing


def found(value: Any, path: str, name: str = "") -> Iterator[tuple[str, Any]]:
    """Find every part of a sheet that has a path such as `up_cards[].awards[]`, each with the beginning of its keys."""
    step, _, rest = path.partition(".")
    key = step.removesuffix("[]")
    inner = value.get(key) if isinstance(value, dict) else None
    if step.endswith("[]"):
        for at, one in enumerate(inner if isinstance(inner, list) else []):
            label = f" {shown(one['name'])}" if isinstance(one, dict) and isinstance(one.get("name"), str) else ""
            place = f"{name}{key}[{at}]{label}: "
            yield from found(one, rest, place) if rest else [(place, one)]
    elif inner is not None:
        yield from found(inner, rest, f"{name}{key}.") if rest else [(f"{name}{key}.", inner)]


def column(sheet: dict[str, Any], path: str, *keys: str) -> list[Any]:
    """List what the rows of a table say under some keys, as it is written if that is one text or number."""
    there = [part for _, part in found(sheet, path) if isinstance(part, dict)]
    return [part.get(keys[0]) if len(keys) == 1 else tuple([part.get(key) for key in keys]) for part in there]


def rows(sheet: dict[str, Any], without_hands: Collection[object]) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Go through the tables: where each is, which rows it must have, and which it has."""
    names = column(sheet, "awards[]", "name")
    units = [str(unit) for unit in column(sheet, "awards[]", "unit")]
    fixed = [name for name, unit in zip(names, units, strict=True) if unit in ("to 1", "for 1")]
    meters = list(dict.fromkeys([unit.removeprefix("of ") for unit in units if unit.startswith("of ")]))
    settled, designed, given = [sheet.get(key) for key in ("settled_meters", "designed_decks", "meters")]
    counts = [*USUAL_DECKS, *(designed if isinstance(designed, list) else []), sheet.get("decks"), "infinite"]
    decks = [count for count in dict.fromkeys(map(str, counts)) if count not in set(map(str, without_hands))]
    yield "volatility_index", list(CONFIDENCES), column(sheet, "volatility_index[]", "confidence")
    yield "expectation", list(PLAYS) if settled is not None else [], column(sheet, "expectation[]", "plays")
    yield "deck_sensitivity", decks, [str(count) for count in column(sheet, "deck_sensitivity[]", "decks")]
    yield "pay_sensitivity", fixed, column(sheet, "pay_sensitivity[]", "award")
    if isinstance(settled, dict):
        yield "settled_meters", meters, list(settled)
    if isinstance(sheet.get("meter"), dict) and "levels" in sheet["meter"]:
        yield "meter.levels", meters, column(sheet, "meter.levels[]", "name")
    taxed = column(sheet, "exposure.tax[]", "award", "rule", "years")
    known = [
        name
        for name, unit, is_possible in zip(names, units, column(sheet, "awards[]", "possible"), strict=True)
        if is_possible is True and (name in fixed or settled is not None or unit[3:] in (given or ()))
    ]
    yield "exposure.tax", [(name, *rule) for name in known for rule in TAX_RULES], taxed
    derived = column(sheet, "derivation[]", "award")
    if is_derived(sheet):
        yield "derivation", [*names, NO_AWARD], derived
    elsewhere = [*derived, *column(sheet, "pay_sensitivity[]", "award"), *[award for award, _, _ in taxed]]
    yield "awards", [award for award in elsewhere if award != NO_AWARD], names


def is_derived(sheet: dict[str, Any]) -> bool:
    """Whether the ways are derived step by step: those of a fixed deal from full decks."""
    return not str(sheet.get("deal")).endswith(("dealer:h17", "dealer:s17")) and not sheet.get("removed")


def unsummed_steps(sheet: dict[str, Any]) -> Iterator[str]:
    """Name the derivations of which a step is missing: their ways, or all hands of the pack, do not add up."""
    for name, part in found(sheet, "derivation[]"):
        if isinstance(part, dict):
            ways = column({"steps": part.get("steps")}, "steps[]", "ways")
            if not all(type(one) is int for one in ways) or sum(ways) != part.get("ways"):
                yield f"{name}steps: do not add up to the ways"
    if is_derived(sheet) and sheet.get("given") is None:
        kinds, cards = (
            KINDS.get(str(sheet.get("pack")), 0),
            sum(map(int, re.findall(r":([1-5])\b", str(sheet.get("deal"))))),
        )
        hands = column(sheet, "derivation[].steps[]", "hands")
        every = kinds**cards if sheet.get("roles_told_apart") else comb(kinds + cards - 1, cards)
        if not all(type(one) is int for one in hands) or sum(hands) != every:
            yield f"derivation: the hands of all steps do not add up to {every:,}"


def missing_words(sheet: dict[str, Any]) -> Iterator[str]:
    """Name the checks, published figures and flags that must be there because of what the sheet says elsewhere."""
    checks = [str(check) for check in column(sheet, "checks[]", "check")]
    flags = [str(flag) for flag in sheet["flags"]] if isinstance(sheet.get("flags"), list) else []
    published = column(sheet, "published[]", "figure", "text")
    wanted = [*CHECKS, *([] if sheet.get("removed") else [CHECK_OF_FULL_SHOES])]
    if not sheet.get("removed"):
        wanted += [f"Published {str(figure).replace('_', ' ')} of {text}" for figure, text in published]
    for check in wanted:
        if not any(one.startswith(check) for one in checks):
            yield f"checks: no row for {shown(check)}"
    for check in [one for one in checks if one.startswith("Published ") and one not in wanted]:
        yield f"published: no row for {shown(check)}"
    expected = ["favors the player"] * (sheet.get("favors_player") is True)
    expected += ["not designed for"] * (sheet.get("designed") is False)
    expected += ["an example paytable"] * (sheet.get("example") is True)
    for name, is_possible in column(sheet, "awards[]", "name", "possible"):
        expected += [f"{name}: impossible"] * (is_possible is False)
    for figure, agrees in column(sheet, "published[]", "figure", "agrees"):
        words = f"the source prints a {str(figure).replace('_', ' ')}"
        expected += [words] * (agrees is False and not sheet.get("removed"))
    for beginning in expected:
        if not any(flag.startswith(beginning) for flag in flags):
            yield f"flags: none begins with {shown(beginning)}"
