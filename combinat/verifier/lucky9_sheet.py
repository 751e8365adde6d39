"""What a sheet of a wager on a round of Lucky 9 should say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.amounts import exact
from combinat.verifier.bases import basis_of, basis_of_the_wager
from combinat.verifier.bet import OutOfReachError
from combinat.verifier.cards import INFINITE, Shoe, shoe_of
from combinat.verifier.compare import Described
from combinat.verifier.counting import Counts
from combinat.verifier.derive import NAMES_BASES, Derived, without_cards
from combinat.verifier.figures import figures
from combinat.verifier.further import UNTIL_IT_IS_READ, without_meters
from combinat.verifier.house import Awards
from combinat.verifier.lucky9_dealers import Stock
from combinat.verifier.lucky9_gone import stock_of, watched_round
from combinat.verifier.lucky9_judge import Judge, example_wins
from combinat.verifier.lucky9_play import Play, play_of
from combinat.verifier.lucky9_rules import CARDS, DEALS, Terms, terms_of
from combinat.verifier.mispaid import wrong_unit
from combinat.verifier.pays import Pay, pays_of
from combinat.verifier.reading import format_of, said
from combinat.verifier.steps import NO_AWARD
from combinat.verifier.tables import OF_DECKS, decks_of

NAMES = {0: "10", 1: "A", **{card: str(card) for card in range(2, 10)}}
LETTERS = {"stand": "S", "hit": "H", "split": "P", "resplit": "R"}
AN_EXAMPLE = Described("a round that is best played and takes the award")
EVERY_HAND = Described("a row for each hand, total or pair that can be")


def is_round(sheet: dict[str, Any]) -> bool:
    """Whether a sheet is about a wager on a round."""
    deal = sheet.get("deal")
    return isinstance(deal, str) and deal in DEALS


def derive_round(sheet: dict[str, Any], *, every_row: bool) -> Derived:
    """Play the round again and work out what the sheet should say."""
    terms, shoe, judge, pays = terms_of(sheet), shoe_of(sheet), Judge(sheet), pays_of(sheet)
    if any(not pay.is_fixed for pay in pays):
        raise OutOfReachError("a round pays from a meter")
    play = play_of(terms._replace(is_tie=False), stock_of(shoe), infinite=False)
    counts = judge.counts(list(play.laws.values()))
    found = without_cards(sheet) | figures(pays, counts)
    found |= {"hold": found["house_edge"], "cards": sum(stock_of(shoe))}
    found["designed"] = shoe.decks in said(sheet, "designed_decks", list)
    found["awards"] = [
        {key: value for key, value in award.items() if key not in ("name", "pays_text")}
        | {"example": example_of(judge, play, shoe, given, at, award["possible"])}
        for at, (award, given) in enumerate(zip(found["awards"], sheet["awards"], strict=True))
    ]
    found |= {"up_cards": [], "decisions": decisions_of(play), "play": play_part(sheet, play, stock_of(shoe))}
    if "pay_sensitivity" in sheet:
        found["pay_sensitivity"] = [
            {"award": pay.award, "one_more": -chance, "one_less": chance, "basis": basis_of(sheet)}
            for pay, chance in zip(pays, [Fraction(won, counts.cycle) for won in counts.winning], strict=True)
        ]
    if "wrong_unit" in sheet:
        found["wrong_unit"] = wrong_unit(sheet, pays, counts.winning, found.get("pay_sensitivity"))
    if "volatility_index" in sheet and format_of(sheet) > NAMES_BASES:
        awards = Awards(pays, [Fraction(won, counts.cycle) for won in counts.winning])
        found |= without_meters(sheet, awards, found)
    if "derivation" in sheet:
        found["derivation"] = derivation_of(judge, play, pays, counts)
    if "deck_sensitivity" in sheet:
        rows = said(sheet, "deck_sensitivity", list)
        found["deck_sensitivity"] = (
            [deck_row(sheet, terms, judge, row) for row in rows] if every_row else UNTIL_IT_IS_READ
        )
    if "card_counting" in sheet:
        found["card_counting"] = watched_round(sheet, judge, pays, play) if every_row else UNTIL_IT_IS_READ
    return Derived(exact(found), set(), [])


def example_of(judge: Judge, play: Play, shoe: Shoe, given: Any, award: int, is_possible: bool) -> Any:
    """Give what should stand as an award's example: its own, if it is a right one."""
    example = given.get("example")
    if not is_possible:
        return None
    return example if example_wins(judge, play, shoe, example, award) else AN_EXAMPLE


def decisions_of(play: Play) -> list[dict[str, Any]]:
    """Give every spot with the value of each action."""
    return [
        {
            "hand": f"{NAMES[one.spot[0]]}-{NAMES[one.spot[1]]}",
            "up": NAMES[one.spot[2]],
            "probability": one.chance,
            "best": one.best,
            "values": one.values,
        }
        for one in play.choices
    ]


def play_part(sheet: dict[str, Any], play: Play, stock: Stock) -> dict[str, Any]:
    """Give what the play comes to, and its charts."""
    terms = play.terms
    best, simple = play.on_average(play.best), play.on_average(play.simple)
    found = {
        "main_edge": -best.main,
        "tie_edge": -best.tie,
        "simple_main_edge": -simple.main,
        "simple_tie_edge": -simple.tie,
        "simple_cost": best.with_stake(terms) - simple.with_stake(terms),
    }
    if terms.tie_stake:
        alone_play = play_of(terms._replace(tie_stake=Fraction(0)), stock, infinite=False)
        alone = alone_play.on_average(alone_play.best)
        found |= {
            "alone_main_edge": -alone.main,
            "alone_tie_edge": -alone.tie,
            "tie_play_gain": best.with_stake(terms) - alone.with_stake(terms),
            "both_edge": -best.with_stake(terms) / (1 + terms.tie_stake),
        }
    charts = said(said(sheet, "play", dict), "charts", list)
    return {"basis": basis_of_the_wager(sheet), "figures": found, "charts": [chart_of(play, one) for one in charts]}


def chart_of(play: Play, chart: Any) -> dict[str, Any]:
    """Give the rows of a chart: by hand, by total or by pair, told by what its first row is about."""
    rows = said(chart, "rows", list)
    names = [said(row, "name", str).split(", ") for row in rows]
    each = [name for listed in names for name in listed]
    ups = [1, *range(2, 10), 0]
    pairs = [f"{NAMES[card]}-{NAMES[card]}" for card in CARDS]
    wanted = rows_by_hand(play, ups)
    if set(each) <= set(map(str, CARDS)):
        wanted = rows_by_total(play, ups)
    elif set(each) <= set(pairs):
        wanted = rows_by_pair(play, ups)
    found: Any = EVERY_HAND
    if sorted(each) == sorted(wanted):
        right = [cells_of(row, [wanted[name] for name in listed]) for row, listed in zip(rows, names, strict=True)]
        found = [{"name": row["name"], "cells": cells} for row, cells in zip(rows, right, strict=True)]
    return {"columns": [NAMES[up] for up in ups], "rows": found}


def cells_of(row: Any, wanted: list[list[str]]) -> list[str]:
    """Give what a row of several hands should say, which are played alike: that of the first of which it is wrong."""
    return next((cells for cells in wanted if cells != row.get("cells")), wanted[0])


def rows_by_hand(play: Play, ups: list[int]) -> dict[str, list[str]]:
    """What to do with each hand."""
    found: dict[str, list[str]] = {}
    for one, other, _ in play.best:
        letters = [LETTERS.get(play.best.get((one, other, up), ""), "") for up in ups]
        found[f"{NAMES[one]}-{NAMES[other]}"] = letters
    return found


def rows_by_total(play: Play, ups: list[int]) -> dict[str, list[str]]:
    """What to do with each total by the simple strategy."""
    found: dict[str, list[str]] = {}
    for total in CARDS:
        letters = [LETTERS[play.by_total[total, up][0]] if (total, up) in play.by_total else "" for up in ups]
        if any(letters):
            found[str(total)] = letters
    return found


def rows_by_pair(play: Play, ups: list[int]) -> dict[str, list[str]]:
    """Which pairs to split by the simple strategy; a dash for those that are played by their total."""
    plan, found = play.simple, dict[str, list[str]]()
    for card in CARDS:
        actions = [plan.get((card, card, up), "") for up in ups]
        if any(actions):
            letters = [LETTERS[one] if "split" in one else "–" if one else "" for one in actions]
            found[f"{NAMES[card]}-{NAMES[card]}"] = letters
    return found


def derivation_of(judge: Judge, play: Play, pays: list[Pay], counts: Counts) -> list[dict[str, Any]]:
    """Give how often each action brings each award."""
    parts = {action: judge.counts([law]) for action, law in play.laws.items()}
    spots = {action: [one.best for one in play.choices].count(action) for action in parts}
    found = []
    for at, name in enumerate([*[pay.award for pay in pays], NO_AWARD]):
        won = {action: [*part.winning, part.losing][at] for action, part in parts.items()}
        steps = [
            {"action": action, "situations": spots[action], "probability": Fraction(ways, counts.cycle)}
            for action, ways in won.items()
            if ways
        ]
        found.append({"award": name, "ways": sum(won.values()), "steps": steps})
    return found


def deck_row(sheet: dict[str, Any], terms: Terms, judge: Judge, row: Any) -> dict[str, Any]:
    """Play from another number of full decks and give what its row should say."""
    decks = decks_of(row)
    stock = stock_of(shoe_of(sheet), decks)
    play = play_of(terms._replace(is_tie=False), stock, infinite=decks == INFINITE)
    found = figures(pays_of(sheet), judge.counts(list(play.laws.values())))
    row_of = {key: found[key] for key in OF_DECKS}
    is_designed = decks in said(sheet, "designed_decks", list)
    found = {"decks": row["decks"], "designed": is_designed, "basis": basis_of_the_wager(sheet), "headline": None}
    return row_of | found
