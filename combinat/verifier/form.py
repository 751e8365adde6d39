"""The form of a par sheet: what must be there, whatever it says.

What a sheet says is not looked at here but for what decides which other parts there must be. A sheet from which
something was taken away then lacks it by name, also where nothing is counted again. Of free words, such as notes and
sources, nobody can say how many there should be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from combinat.verifier.bases import ROUNDS, pays_from_meters
from combinat.verifier.keys import is_sheet, keys_of, keys_of_parts
from combinat.verifier.parts import column, columns, found
from combinat.verifier.reading import format_of, shown
from combinat.verifier.steps import NO_AWARD, is_derived, wrong_sums
from combinat.verifier.unknown_keys import unknown_keys

IDENTIFIED_BY = {"date": r"\d{4}-\d\d-\d\d", "input_sha256": r"[0-9a-f]{64}"}
BLANK_ALLOWED = ("date",)
IS_GIVEN = "document_is_given"
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
CHECK_OF_FULL_SHOES = "The shoe weighed card by card gives the counts of the formula in n"


def lacking(sheet: dict[str, Any], without_hands: Collection[object] = ()) -> list[str]:
    """Name every key and every row that a sheet of this kind must have and has not.

    With some numbers of decks there may be no hand that the bet is made with; these need no row.
    """
    missing = [*missing_keys(sheet, format_of(sheet)), *unknown_keys(sheet, format_of(sheet))]
    if is_sheet(sheet):
        for path, wanted, given in rows(sheet, without_hands):
            missing += [f"{path}: no row for {row_name(label)}" for label in wanted if label not in given]
        missing += [*misstated_identification(sheet), *misstated_wager(sheet)]
        missing += [*wrong_sums(sheet, format_of(sheet)), *missing_checks(sheet), *missing_flags(sheet)]
    return missing


def row_name(label: object) -> str:
    """Name a row by what tells it apart, which may be several things.

    >>> row_name(("Flush", "Form W-2G", "2026"))
    'Flush, Form W-2G, 2026'
    """
    return shown(", ".join(map(str, label)) if isinstance(label, tuple) else label)


def missing_keys(sheet: dict[str, Any], form: int) -> Iterator[str]:
    """Name every key that is missing, in the sheet and in its parts."""
    yield from [f"{key}: missing" for key in keys_of(sheet, form) if key not in sheet]
    for path, keys in keys_of_parts(sheet, form).items():
        for name, part in found(sheet, path):
            if isinstance(part, dict):
                yield from [f"{name}{key}: missing" for key in keys if key not in part]
            else:
                yield f"{name.rstrip(': .')}: is no object"


def misstated_identification(sheet: dict[str, Any]) -> Iterator[str]:
    """Name what identifies a document and is no text, a date that is none, and a fingerprint that is none."""
    for key in ("paytable", "title", "bet", "requires"):
        if key in sheet and not isinstance(sheet[key], str) and not (key == "requires" and sheet[key] is None):
            yield f"{key}: is no text"
    part = sheet.get("identification")
    for key, value in part.items() if isinstance(part, dict) else ():
        if key in IDENTIFIED_BY and not (isinstance(value, str) and re.fullmatch(IDENTIFIED_BY[key], value, re.ASCII)):
            is_blank = value is None and key in BLANK_ALLOWED
            yield from [] if is_blank else [f"identification.{key}: cannot be {shown(value)}"]
        elif key not in (*IDENTIFIED_BY, "history", IS_GIVEN) and not isinstance(value, str) and value is not None:
            yield f"identification.{shown(key)}: is no text"


def misstated_wager(sheet: dict[str, Any]) -> Iterator[str]:
    """Name the wager of meters on a sheet that has none."""
    if sheet.get("meter_wager") is not None and not pays_from_meters(sheet):
        yield "meter_wager: is there, but no award is paid from a meter"


# The rows of the tables


def rows(sheet: dict[str, Any], without_hands: Collection[object]) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Go through the tables: where each is, which rows it must have, and which it has."""
    names, fixed = column(sheet, "awards[]", "name"), fixed_awards(sheet)
    is_settled = sheet.get("settled_meters") is not None
    taxed, derived = columns(sheet, "exposure.tax[]", "award", "rule", "years"), column(sheet, "derivation[]", "award")
    moved = column(sheet, "pay_sensitivity[]", "award")
    yield "volatility_index", list(CONFIDENCES), column(sheet, "volatility_index[]", "confidence")
    if format_of(sheet) < 3:  # later ones are worked out row by row
        yield "outlook", list(PLAYS) if is_settled else [], column(sheet, "outlook[]", "plays")
    given_decks = [str(count) for count in column(sheet, "deck_sensitivity[]", "decks")]
    yield "deck_sensitivity", deck_counts(sheet, without_hands), given_decks
    yield "pay_sensitivity", fixed, moved
    yield from meter_rows(sheet)
    yield "exposure.tax", [(name, *rule) for name in awards_with_amounts(sheet) for rule in TAX_RULES], taxed
    if is_derived(sheet, format_of(sheet)):
        yield "derivation", [*names, NO_AWARD], derived
    elsewhere = [*derived, *moved, *[award for award, _, _ in taxed]]
    yield "awards", [award for award in elsewhere if award != NO_AWARD], names


def fixed_awards(sheet: dict[str, Any]) -> list[Any]:
    """Name the awards that are paid from no meter."""
    return [name for name, unit in columns(sheet, "awards[]", "name", "unit") if unit in ("to 1", "for 1")]


def awards_with_amounts(sheet: dict[str, Any]) -> list[Any]:
    """Name the awards that can be won and of which it is known what they pay."""
    fixed, meters = fixed_awards(sheet), sheet.get("meters")
    given = meters if isinstance(meters, dict) else {}
    is_settled = sheet.get("settled_meters") is not None
    return [
        name
        for name, unit, is_possible in columns(sheet, "awards[]", "name", "unit", "possible")
        if is_possible is True and (name in fixed or is_settled or str(unit)[3:] in given)
    ]


def deck_counts(sheet: dict[str, Any], without_hands: Collection[object]) -> list[str]:
    """List the numbers of decks that a sheet must look at: the usual ones, those of the design, its own, infinite."""
    designed = sheet.get("designed_decks")
    counts = [*USUAL_DECKS, *(designed if isinstance(designed, list) else []), sheet.get("decks"), "infinite"]
    return [count for count in dict.fromkeys(map(str, counts)) if count not in set(map(str, without_hands))]


def meter_rows(sheet: dict[str, Any]) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Go through what there must be for each meter from which an award is paid."""
    units = [str(unit) for unit in column(sheet, "awards[]", "unit")]
    meters = list(dict.fromkeys([unit.removeprefix("of ") for unit in units if unit.startswith("of ")]))
    if isinstance(settled := sheet.get("settled_meters"), dict):
        yield "settled_meters", meters, list(settled)
    if isinstance(sheet.get("meter"), dict) and "levels" in sheet["meter"]:
        yield "meter.levels", meters, column(sheet, "meter.levels[]", "name")


# The words that follow from what is said elsewhere


def missing_checks(sheet: dict[str, Any]) -> Iterator[str]:
    """Name the checks that a sheet must report, and the published figures that its checks are about."""
    checks = [str(check) for check in column(sheet, "checks[]", "check")]
    wanted = list(CHECKS)
    if not sheet.get("removed"):
        published = columns(sheet, "published[]", "figure", "text")
        # How a round is best played differs with the number of decks, so that there is no formula to compare with.
        wanted += [] if str(sheet.get("deal")) in ROUNDS else [CHECK_OF_FULL_SHOES]
        wanted += [*[f"Published {spaced(figure)} of {text}" for figure, text in published]]
    if format_of(sheet) > 2:
        return  # its checks are worked out row by row
    for check in wanted:
        if not any(one.startswith(check) for one in checks):
            yield f"checks: no row for {shown(check)}"
    for check in [one for one in checks if one.startswith("Published ") and one not in wanted]:
        yield f"published: no row for {shown(check)}"


def missing_flags(sheet: dict[str, Any]) -> Iterator[str]:
    """Name the flags that must warn of what a sheet says elsewhere."""
    flags = [str(flag) for flag in sheet["flags"]] if isinstance(sheet.get("flags"), list) else []
    for beginning in expected_flags(sheet):
        if not any(flag.startswith(beginning) for flag in flags):
            yield f"flags: none begins with {shown(beginning)}"


def expected_flags(sheet: dict[str, Any]) -> Iterator[str]:
    """Give the beginnings of the flags that must be there."""
    if sheet.get("favors_player") is True:
        yield "favors the player"
    if sheet.get("designed") is False:
        yield "not designed for"
    if isinstance(variant := sheet.get("variant"), dict):
        yield f"a variant of {variant.get('of')}"
    if sheet.get("example") is True:
        yield "an example paytable"
    for name, is_possible in columns(sheet, "awards[]", "name", "possible"):
        if is_possible is False:
            yield f"{name}: impossible"
    for figure, agrees in columns(sheet, "published[]", "figure", "agrees"):
        if agrees is False and not sheet.get("removed"):
            yield f"the source prints a {spaced(figure)}"


def spaced(figure: object) -> str:
    """Write the key of a figure in words."""
    return str(figure).replace("_", " ")
