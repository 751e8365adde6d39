"""What a sheet claims of itself: flags, published figures, and the checks that it passed."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from combinat.verifier.amounts import Amount
from combinat.verifier.bases import ROUNDS
from combinat.verifier.many_plays import nearest
from combinat.verifier.reading import UnreadableError, said, shown

AGREES = "agrees"
NOT_A_CHECK = "not a check: the rate and seeds were chosen to give it"
DEPENDS = "depends on the meters"
SUMS = (
    "The ways of all awards and of losing hands add up to the cycle",
    "The probabilities add up to one",
    "The mean of all results is the house edge with the sign reversed",
)
OF_FULL_SHOES = "A recount of the shoe card by card agrees with the formula in n"
SECOND_METHOD = "The verifier agrees with every figure that it checks; the figures are listed below"
INFERRED = "the rates and seeds of the meters are inferred, not stated by a source, and so is the hold"


def value_of(figure: str, found: dict[str, Any], is_given: bool) -> Fraction | None:
    """Give our value of a figure that a source prints, if it does not depend on meters."""
    if figure == "hit_frequency":
        return number(found["hit_frequency"])
    if figure == "hold":
        return number(found.get("hold"))
    if figure in ("return", "house_edge"):
        return None if is_given else number(found.get(f"{figure}_without_option", found[figure]))
    raise UnreadableError(f"no figure '{shown(figure)}' is published")


def number(value: Any) -> Fraction | None:
    """Take the number out of a figure, if it is one."""
    if isinstance(value, Amount):
        return None if value.is_open else value.number
    return value if isinstance(value, Fraction) else None


def places_of(text: str) -> int:
    """How many decimals of a percentage are printed."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,12})?%", text, re.ASCII):
        raise UnreadableError(f"no percentage '{shown(text)}'")
    return len(text.rstrip("%").partition(".")[2])


def as_percent(value: Fraction, places: int) -> str:
    """Write a value as a percentage, a half to the even neighbour."""
    scaled = nearest(value * 10 ** (places + 2))
    digits = str(abs(scaled)).rjust(places + 1, "0")
    cut = len(digits) - places
    whole = f"{int(digits[:cut]):,}"
    return f"{'−' if scaled < 0 else ''}{whole}{'.' + digits[cut:] if places else ''}%"


def published_rows(sheet: dict[str, Any], found: dict[str, Any], is_inferred: bool) -> list[dict[str, Any]]:
    """Tell of each figure that a source prints whether it is ours to every digit, and whether that proves anything."""
    rows = []
    for row in said(sheet, "published", list):
        figure, text = said(row, "figure", str), said(row, "text", str)
        ours, places = value_of(figure, found, bool(sheet.get("meters"))), places_of(text)
        agrees = None if ours is None else as_percent(ours, places).replace(",", "") == text
        is_check = not (is_inferred and figure == "hold")
        rows.append({"figure": figure, "decks": said(sheet, "decks", int), "agrees": agrees, "is_check": is_check})
    return rows


def check_rows(sheet: dict[str, Any], published: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """List the checks that a right sheet reports."""
    rows = [(check, AGREES) for check in SUMS]
    if not sheet.get("removed") and str(sheet.get("deal")) not in ROUNDS:  # best play differs with the decks
        rows.append((OF_FULL_SHOES, AGREES))
    rows.append((SECOND_METHOD, AGREES))
    for row, given in zip(published, said(sheet, "published", list), strict=True):
        if not sheet.get("removed"):
            result = {True: AGREES, False: "DIFFERS", None: DEPENDS}[row["agrees"]]
            what = f"Published {row['figure'].replace('_', ' ')} of {given['text']}"
            rows.append((what, result if row["is_check"] or row["agrees"] is None else NOT_A_CHECK))
    return [{"check": check, "result": result} for check, result in rows]


def shoe_in_words(sheet: dict[str, Any]) -> str:
    """Name the shoe."""
    pack = sheet["pack"]
    kind, changed = ("", f" ({pack})") if " " in pack else ("" if pack == "standard" else f"{pack.capitalize()} ", "")
    less = f" less {' '.join(sheet['removed'])}" if sheet["removed"] else ""
    return f"{sheet['decks']} {kind}deck{'s' if sheet['decks'] > 1 else ''}{changed}{less}"


def flag_rows(
    sheet: dict[str, Any], found: dict[str, Any], published: list[dict[str, Any]], is_inferred: bool
) -> list[Any]:
    """List the flags that a right sheet has; of the words that follow a deck count only the beginning is told."""
    flags: list[Any] = []
    edge, shoe = found["house_edge"], shoe_in_words(sheet)
    if isinstance(edge, Amount) and edge.number < 0:
        even = " even without the meter" if edge.is_open else ""
        flags.append(f"favors the player by {as_percent(-edge.number, 4)}{even} with {shoe}")
    if not found["designed"]:
        decks = sheet["decks"]
        flags.append(Beginning(f"not designed for {decks} deck{'s' if decks > 1 else ''}: "))
    if isinstance(variant := sheet.get("variant"), dict):
        differences = variant.get("differences")
        topics = ", ".join(map(str, differences)) if isinstance(differences, list) else ""
        flags.append(f"a variant of {variant.get('of')}, with other {topics}")
    if sheet.get("example") is True:
        flags.append("an example paytable, not a published one")
    if is_inferred:
        flags.append(INFERRED)
    for award, given in zip(found["awards"], sheet["awards"], strict=True):
        if not award["possible"]:
            flags.append(Beginning(f"{given['name']}: impossible with {shoe}"))
    for row, given in zip(published, sheet["published"], strict=True):
        if row["agrees"] is False and not sheet.get("removed"):
            ours = value_of(row["figure"], found, bool(sheet.get("meters")))
            right = as_percent(ours, places_of(given["text"])) if ours is not None else ""
            flags.append(f"the source prints a {row['figure'].replace('_', ' ')} of {given['text']}; it is {right}")
    return flags


class Beginning(str):
    """The beginning of a text of which the rest cannot be told from the sheet."""

    __slots__ = ()

    def fits(self, there: Any) -> bool:
        """Whether a text begins so."""
        return isinstance(there, str) and there.startswith(self)
