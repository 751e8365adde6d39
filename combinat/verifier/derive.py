"""Works out everything that a sheet should say and that is known here, under the sheet's own keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.adding import MOST_PARTS, misstated_sums, stated_rules
from combinat.verifier.amounts import exact, plain
from combinat.verifier.bases import (
    MEANS,
    SPREAD,
    bases_of,
    basis_of,
    basis_of_many_plays,
    basis_of_the_wager,
    has_option,
    spreads_on_best,
)
from combinat.verifier.bet import Bet, OutOfReachError, rule_of
from combinat.verifier.cards_gone import watching_part
from combinat.verifier.compare import NotChecked
from combinat.verifier.counting import is_void, listed
from combinat.verifier.examples import example_of
from combinat.verifier.figures import added_figures, mean, wheel_figures
from combinat.verifier.form import USUAL_DECKS
from combinat.verifier.format_1 import STRAIGHT_LINE
from combinat.verifier.further import awards_at, further
from combinat.verifier.keys import is_sheet
from combinat.verifier.mispaid import wrong_unit
from combinat.verifier.option import BY_A_CHART, Option
from combinat.verifier.outlook import Side, spread_of, volatility_rows
from combinat.verifier.pace import pace_part
from combinat.verifier.reading import format_of, said, shown
from combinat.verifier.riding import Riding
from combinat.verifier.rules import MOST_CHARACTERS
from combinat.verifier.tables import Counted, count, deck_rows, derivation_rows, pay_rows, up_card_rows

NAMES_BASES, BOOKS_FIRST = 2, 3
INCOMPLETE = NotChecked("with an option whose decisions are not complete")


class Derived(NamedTuple):
    """What was worked out about a sheet."""

    figures: dict[str, Any]
    """What it should say, under its own keys."""
    without_hands: set[object]
    """With how many decks of the usual numbers no hand fulfils the bet's condition."""
    notes: list[str]
    """How it was read, where there is more than one way."""
    misstated: tuple[str, ...] = ()
    """What it says in words or rules that does not fit its other parts."""


def derive(sheet: dict[str, Any], *, every_row: bool = True) -> Derived:
    """Count the bet of a sheet again: the long part of the work.

    Best play with other numbers of decks can be left out, which is the longest part of it.
    """
    counted, notes = count(sheet), list[str]()
    found = without_cards(sheet) | counted.figures | of_the_bet(counted)
    found["awards"] = awards_of(counted)
    found["settlement"] = "all matches" if "all_matches" in sheet else "first match"
    if "all_matches" in sheet:
        found["all_matches"] = added_figures(sheet, counted.counts)
    if "wheels" in sheet:
        found["wheels"] = wheel_figures(sheet, counted.pays, counted.counts)
    option = option_of(counted)
    if option is not None:
        found |= with_option(counted, option)
    if all(pay.is_fixed for pay in counted.pays):
        found["hold"] = found["house_edge"]  # without a meter the long run is like every play
    found |= tables_of(counted, option, notes)
    if "card_counting" in sheet:
        found["card_counting"] = watching_part(counted, found["house_edge"])
    if is_sheet(sheet) and format_of(sheet) >= BOOKS_FIRST:
        found |= further(counted, found, option, every_row=every_row)
    if "pace" in sheet:
        found["pace"] = pace_part(sheet, awards_at(counted, counted.bet.shoe.decks))
    misstated = (*misstated_sums(sheet), *misstated_rules(counted)) if "all_matches" in sheet else ()
    return Derived(exact(found), without_hands(counted), notes, misstated)


def misstated_rules(counted: Counted) -> Iterator[str]:
    """Name every rule of a sum, or of an award that adds up, that fits other hands than it must."""
    stated, deal = stated_rules(counted.sheet), counted.bet.deal
    texts = [text for _, text, _ in stated] + [meaning for _, _, meaning in stated]
    bet = Bet(counted.sheet, [rule_of(text, deal, MOST_CHARACTERS * MOST_PARTS) for text in texts])
    judged = [matches for matches in listed(bet).ways(bet.shoe.decks).together if matches is not None]
    for index, (name, text, _) in enumerate(stated):
        if any(matches[index] != matches[index + len(stated)] for matches in judged):
            yield f"{name}: the file says '{shown(text)}', which fits other hands than the award"


def without_cards(sheet: dict[str, Any]) -> dict[str, Any]:
    """Give what follows without counting: what each figure stands on, and the fingerprint."""
    found: dict[str, Any] = {"basis": basis_of(sheet), "bases": bases_of(sheet)}
    if "outlook" in sheet and format_of(sheet) == NAMES_BASES:
        found["outlook"] = [{"basis": basis_of_many_plays(sheet)} for _ in said(sheet, "outlook", list)]
    if "exposure" in sheet and format_of(sheet) == NAMES_BASES:
        found["exposure"] = {"basis": basis_of_many_plays(sheet)}
    if "data_sha256" in sheet:
        rest = {key: value for key, value in sheet.items() if key != "data_sha256"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        found["data_sha256"] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return found


def of_the_bet(counted: Counted) -> dict[str, Any]:
    """Give what is said of the shoe and the roles."""
    shoe = counted.bet.shoe
    designed = said(counted.sheet, "designed_decks", list)
    found = {"cards": shoe.size(shoe.decks), "designed": shoe.decks in designed}
    return {**found, "ordered_by_role": True} if counted.bet.names_role else found


def awards_of(counted: Counted) -> list[dict[str, Any]]:
    """Give the figures of the awards, with their example hands."""
    found = []
    for at, (award, given) in enumerate(zip(counted.figures["awards"], counted.sheet["awards"], strict=True)):
        example = example_of(counted.bet, given.get("example"), at, award["possible"])
        # The name and the words of the pay are the sheet's own, which nothing here can confirm.
        own = {key: value for key, value in award.items() if key not in ("name", "pays_text")}
        found.append({**own, "example": example})
    return found


def option_of(counted: Counted) -> Option | None:
    """Work out the option, if the player has one."""
    if not has_option(counted.sheet):
        return None
    if any(pay.gross.is_open for pay in counted.pays):
        raise OutOfReachError("what can ride from a meter is not known without its amount in 'meters'")
    homes = [pay.gross.number for pay in counted.pays]
    return Option(counted.bet, homes, said(counted.sheet, "option", dict), format_of(counted.sheet))


def with_option(counted: Counted, option: Option) -> dict[str, Any]:
    """Give the mean of the best choices; other figures are those of winnings taken."""
    figures = option.figures()
    best = mean(counted.figures["house_edge"] - plain(figures.get("gain", Fraction(0))))
    on_both = (*MEANS, *(SPREAD if spreads_on_best(counted.sheet) else ()))
    best |= spread_with_option(counted, option) if spreads_on_best(counted.sheet) else {}
    return {
        **{f"{key}_without_option": counted.figures[key] for key in on_both},
        **(best if option.is_complete else dict.fromkeys(best, INCOMPLETE)),
        "option": figures,
    }


def spread_with_option(counted: Counted, option: Option) -> dict[str, Any]:
    """Give how far results spread with the best choices, or between what that lies."""
    if not option.is_known_play:
        keys = [key for key in counted.sheet if key.removesuffix("_bounds") in SPREAD]
        return dict.fromkeys(keys, BY_A_CHART)
    side = option.best_side(awards_at(counted, counted.bet.shoe.decks), counted.bet.shoe.decks, {})
    if side is None or side.variance is None:
        return {}
    if not side.is_exact:
        return dict.fromkeys(SPREAD) | spread_of(side)
    return {"variance": side.variance, "standard_deviation": f"sqrt({side.variance})"}


def tables_of(counted: Counted, option: Option | None, notes: list[str]) -> dict[str, Any]:
    """Give the rows of those tables that the sheet has."""
    sheet, found = counted.sheet, dict[str, Any]()
    if "up_cards" in sheet:
        found["up_cards"] = up_card_rows(counted)
    if "deck_sensitivity" in sheet and not counted.bet.shoe.removed:
        found["deck_sensitivity"] = deck_rows(counted)
    if "pay_sensitivity" in sheet:
        found["pay_sensitivity"] = pays_moved(counted, option, notes)
    if "wrong_unit" in sheet:
        found["wrong_unit"] = wrong_unit(sheet, counted.pays, counted.counts.winning, found.get("pay_sensitivity"))
    if "volatility_index" in sheet:
        found["volatility_index"] = volatility_rows(wager_side(counted), basis_of_the_wager(sheet))
    if "derivation" in sheet:
        found["derivation"] = derivation_rows(counted)
    return found


def wager_side(counted: Counted) -> Side | None:
    """The wager by itself, if its variance is a number."""
    edge, variance = counted.figures["house_edge"], counted.figures["variance"]
    if variance.is_open:
        return None
    return Side(basis_of_the_wager(counted.sheet), {}, edge.number, None, variance.number)


def pays_moved(counted: Counted, option: Option | None, notes: list[str]) -> Any:
    """Give the sensitivity to pays; that of a sheet of format 1 is a straight line, which is noted if it matters."""
    if option is not None and not option.is_complete:
        return INCOMPLETE
    riding: Riding | None = option.riding() if option else None
    rows = pay_rows(counted, riding, is_straight=False)
    if format_of(counted.sheet) > 1:
        return rows
    straight = pay_rows(counted, riding, is_straight=True)
    if straight != rows:
        notes.append(STRAIGHT_LINE)
    return straight


def without_hands(counted: Counted) -> set[object]:
    """Tell with how many decks no hand fulfils the condition, so that a sheet needs no row for them."""
    if counted.sheet.get("given") is None or counted.bet.shoe.removed:
        return set()
    return {decks for decks in USUAL_DECKS if is_void(counted.ways_of_decks(decks).together)}
