"""What sheets since format 3 should say besides: results on every basis, many plays, meters, exposure, claims."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.amounts import Whole
from combinat.verifier.bases import basis_of_many_plays, basis_of_the_wager
from combinat.verifier.cards import INFINITE
from combinat.verifier.claims import check_rows, flag_rows, published_rows
from combinat.verifier.compare import NotChecked
from combinat.verifier.counting import is_void
from combinat.verifier.exposures import exposure_part, with_option
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.house import Awards, House, house_of
from combinat.verifier.jackpots import meter_part, prize_rows, round_rows
from combinat.verifier.jurisdictions import asked_rows, tests_of
from combinat.verifier.many_plays import central, mean_of
from combinat.verifier.meter_terms import System, system_of
from combinat.verifier.mispaid import misranked_rows, rounding_rows
from combinat.verifier.option import BY_A_CHART, Option
from combinat.verifier.outlook import Side, books_side, expectation_rows, row_of, sides_of, spread_of, volatility_rows
from combinat.verifier.rank_by_rank import RankByRank
from combinat.verifier.reading import UnreadableError, number_of, said, shown
from combinat.verifier.spots import spots_part
from combinat.verifier.tables import Counted, decks_of

BOUNDS = NotChecked("of a hold that is known between bounds only")
UNTIL_IT_IS_READ = NotChecked("while a sheet is being made; the command that checks its file looks at every row")
POSTED = "at the posted prize"
MOST_CARDS = 5  # of a deal of which seats are looked at together


def further(
    counted: Counted, found: dict[str, Any], option: Option | None, *, every_row: bool = True
) -> dict[str, Any]:
    """Work out what follows for a sheet, beside the figures that were found of it already."""
    sheet, awards = counted.sheet, awards_at(counted, counted.bet.shoe.decks)
    meters = {name: number_of(amount) for name, amount in said(sheet, "meters", dict).items()}
    names = list(dict.fromkeys([pay.unit[3:] for pay in counted.pays if not pay.is_fixed]))
    if isinstance(sheet.get("meter"), dict) and {"levels", "terms"}.isdisjoint(sheet["meter"]):
        keys = ("hold", "meter", "settled_meters", "results", "volatility_index", "outlook", "exposure")
        return dict.fromkeys(
            (*keys, "posted_jackpot", "rounds", "spots", "jurisdiction_tests", "published", "flags", "checks"), BOUNDS
        )
    system = system_of(sheet)
    if system is not None and {terms.name for terms in system.levels} != set(names):
        system = None  # a meter is missing, which the form of the sheet tells
    house = house_of(awards, system) if system else None
    sides = sides_of(house, meters) if house else plain_sides(sheet, awards, meters)
    largest = None
    if option is not None:
        if not option.is_known_play:
            by_chart = ("results", "volatility_index", "outlook", "deck_sensitivity", "exposure")
            return further(counted, found, None, every_row=every_row) | dict.fromkeys(by_chart, BY_A_CHART)
        largest = option.largest(awards) if option.is_complete else None
        best = option.best_side(awards, counted.bet.shoe.decks, meters)
        sides = [*([best] if best else []), *plain_sides(sheet, awards, meters)]
    first = sides[0] if sides else None
    wager = Fraction(1) if sheet.get("meter_wager") is None else number_of(sheet["meter_wager"])
    stake = wager if names else number_of(said(sheet, "exposure", dict).get("max_wager"))
    seeds = {level.terms.name: level.terms.seed for level in house.levels} if house else {}
    answers: dict[str, Any] = {
        "meter": meter_part(house, meters, {key: sheet[key] for key in ("paytable", "decks")}) if house else None,
        "settled_meters": Whole(seeds | meters) if house or set(names) == set(meters) else None,
        "results": [row_of(side) for side in sides],
        "volatility_index": volatility_rows(first, first.basis if first else basis_of_the_wager(sheet)),
        "outlook": expectation_rows(sides, said(sheet, "outlook", list)),
        "misranked": misranked_rows(sheet, awards),
        "rounding": rounding_rows(awards),
        "posted_jackpot": {"basis": POSTED, "prizes": prize_rows(awards, names, wager, seeds | meters)}
        if names
        else None,
        "rounds": rounds_of(counted, awards, house, names),
        "spots": spots_part(counted, backs_of(awards, seeds | meters, wager), basis_of_many_plays(sheet)),
        "exposure": exposure_part(awards, house, stake, meters) | ({"max_wager": wager} if names else {}),
    }
    if option is not None:
        answers["exposure"] = (
            with_option(answers["exposure"], largest, stake) if largest else NotChecked("with an incomplete option")
        )
    if names:
        answers["hold"] = row_of(first)["house_edge"] if house and first and house.has_closed_form else None
    if not counted.bet.shoe.removed:
        rows = found["deck_sensitivity"]
        answers["deck_sensitivity"] = (
            with_best_play(counted, option, rows, meters, every_row=every_row)
            if option is not None and not names
            else with_headlines(counted, system, rows)
        )
    known = found | {key: value for key, value in answers.items() if key == "hold"}
    tested = known | {key: answers[key] for key in ("spots", "exposure")}
    answers["jurisdiction_tests"] = asked_rows(tests_of(sheet), tested, awards, stake)
    return answers | claims(sheet, known, system)


def backs_of(awards: Awards, amounts: dict[str, Fraction], wager: Fraction) -> list[Fraction] | None:
    """What comes back with each award while the meters stand at some amounts; nothing if one has no amount."""
    if not {pay.unit[3:] for pay in awards.pays if not pay.is_fixed} <= set(amounts):
        return None
    return [back for back, _ in awards.backs(amounts, wager)][:-1]


def claims(sheet: dict[str, Any], found: dict[str, Any], system: System | None) -> dict[str, Any]:
    """Give what a sheet should claim of itself."""
    is_inferred = system is not None and system.is_inferred
    published = published_rows(sheet, found, is_inferred)
    return {
        "published": published,
        "flags": flag_rows(sheet, found, published, is_inferred),
        "checks": check_rows(sheet, published),
    }


def awards_at(counted: Counted, decks: int) -> Awards:
    """The awards with their chances from so many decks."""
    counts = counted.counts_of(counted.ways_of_decks(decks).together)
    return Awards(counted.pays, [Fraction(won, counts.cycle) for won in counts.winning])


def without_meters(sheet: dict[str, Any], awards: Awards, found: dict[str, Any]) -> dict[str, Any]:
    """Work out what follows for a bet that pays from no meter, beside the figures that were found of it already."""
    (side,) = plain_sides(sheet, awards, {})
    stake = number_of(said(sheet, "exposure", dict).get("max_wager"))
    exposure = exposure_part(awards, None, stake, {}) | {"basis": side.basis}
    return {
        "meter": None,
        "settled_meters": {},
        "results": [row_of(side)],
        "volatility_index": volatility_rows(side, side.basis),
        "outlook": expectation_rows([side], said(sheet, "outlook", list)),
        "misranked": misranked_rows(sheet, awards),
        "rounding": rounding_rows(awards),
        "posted_jackpot": None,
        "rounds": [],
        "spots": None,
        "exposure": exposure,
        "jurisdiction_tests": asked_rows(tests_of(sheet), found | {"exposure": exposure}, awards, stake),
        **claims(sheet, found, None),
    }


def plain_sides(sheet: dict[str, Any], awards: Awards, meters: dict[str, Fraction]) -> list[Side]:
    """The one side of a bet without meters that are known to be run: the wager by itself, if that is a number."""
    if any(pay.gross.is_open for pay in awards.pays):
        return []
    results = [
        (back.number, one * chance)
        for pay, one in zip(awards.pays, awards.chances, strict=True)
        for back, chance in pay.outcomes
    ]
    results.append((Fraction(0), awards.nothing))
    return [Side(basis_of_the_wager(sheet), meters, 1 - mean_of(results), results, central(results, 2))]


def rounds_of(counted: Counted, awards: Awards, house: House | None, names: list[str]) -> list[dict[str, Any]]:
    """Give the winners of each meter in one round."""
    hands, is_too_much = counted.hands, counted.bet.shoe.jokers or counted.bet.deal.cards > MOST_CARDS
    if is_too_much or not isinstance(hands, (FixedDeals, RankByRank)) or counted.sheet.get("given") is not None:
        return []
    rows = []
    levels = {level.terms.name: level for level in house.levels} if house and house.has_closed_form else {}
    for name in names:
        rows += round_rows(hands, counted.bet, awards, name, levels.get(name))
    return rows


def with_headlines(counted: Counted, system: System | None, rows: list[Any]) -> list[Any]:
    """Give each row of the other numbers of decks what the house then keeps, on its books."""
    if all(pay.is_fixed for pay in counted.pays):
        return [{**row, "headline": None} for row in rows]
    given = said(counted.sheet, "deck_sensitivity", list)
    return [
        {**row, "headline": headline(counted, system, own) if isinstance(own, dict) else None}
        for row, own in zip(rows, given, strict=True)
    ]


def with_best_play(
    counted: Counted, option: Option, rows: list[Any], meters: dict[str, Fraction], *, every_row: bool
) -> list[Any]:
    """Give each row of the other numbers of decks what the house then keeps with the best choices, if it was asked."""
    part, own = said(counted.sheet, "option", dict), counted.bet.shoe.decks
    if not said(part, "other_decks", bool):
        return [{**row, "headline": None} for row in rows]
    found = []
    for row in rows:
        decks = decks_of(row)
        headline: Any = UNTIL_IT_IS_READ
        if every_row or decks == own:
            is_void_here = is_void(counted.ways_of_decks(decks).together)
            side = None if is_void_here else option.best_side(awards_at(counted, decks), decks, meters)
            headline = headline_of(side, decks) if side else None
        found.append({**row, "headline": headline})
    return found


def headline_of(side: Side, decks: int) -> dict[str, Any]:
    """Give what a row says of the best choices; with infinitely many decks all is exact."""
    is_exact = side.is_exact or decks == INFINITE
    return {
        "basis": side.basis,
        "hold": side.edge,
        "standard_deviation": f"sqrt({side.variance})" if is_exact else None,
        "standard_deviation_bounds": None if is_exact else spread_of(side)["standard_deviation_bounds"],
    }


def headline(counted: Counted, system: System | None, row: dict[str, Any]) -> dict[str, Any]:
    """Work out the hold with another number of decks: the meters run as the row says, or as on the sheet."""
    nothing = dict.fromkeys(("basis", "hold", "standard_deviation", "hits"))
    part = row.get("headline")
    terms = part.get("terms") if isinstance(part, dict) else None
    if terms is not None and not isinstance(terms, dict):
        raise UnreadableError(f"'terms' of a meter cannot be {shown(terms)}")
    if system is None:  # where nobody says how the meters are run here, the other rows are no basis either
        return nothing
    run = system_of({"meter": terms}) if terms is not None else system
    decks = decks_of(row)
    if run is None or is_void(counted.ways_of_decks(decks).together):
        return nothing
    awards = awards_at(counted, decks)
    house = house_of(awards, run)
    taken = sum([one.rate + one.reserve for one in run.levels], Fraction(0))
    if house is None or not house.has_closed_form:
        return nothing
    if taken > 1 - awards.fixed_return and not run.all_pays_deducted:
        return nothing
    side = books_side(house)
    result = row_of(side)
    return {
        "basis": side.basis,
        "hold": result["house_edge"],
        "standard_deviation": result["standard_deviation"],
        "hits": Whole({level.terms.name: level.whole for level in house.levels}),
    }
