"""What `joint` answers: wagers on the same cards together, at one spot or at several."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from combinat.analysis.joint import Joint, JointSpots, Wager
from combinat.exact.distribution import Distribution
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from reports.page.model import Cell, Column, Document, Figure, Style, Table, together
from reports.page.numerals import exact
from reports.tables.awards import ONE_IN, PROBABILITY
from reports.tables.headings import cards_gone, heading, meter_units, meters_shown, names

Answer = tuple[Joint, JointSpots | None]
_EDGE = Column(FIGURES["house_edge"].label, Style.PERCENT)
_DEVIATION = Column(FIGURES["standard_deviation"].label, Style.DECIMAL)
_MADE = Column("Made", Style.PERCENT)
_WHEELS = "Where a wheel decides, those of different bets and spots turn independently."


def joint_document(answer: Answer) -> Document:
    """Show wagers of one round together."""
    joint, spots = answer
    tables = [_wagers_table(joint)]
    if len(joint.wagers) > 1:
        tables.append(_pairs_table(joint))
    tables.append(_total_table(joint.total, "The result of one round" if spots is None else "The result of one spot"))
    figures = _figures(joint)
    if spots is not None:
        figures = (*figures, *_spot_figures(spots))
        if spots.total is not None:
            tables.append(_total_table(spots.total, f"The result of all {spots.spots} spots"))
    stakes = " and ".join(f"{format_decimal(one.stake)} on {one.paytable.id}" for one in joint.wagers)
    each = "" if spots is None else f", at each of {spots.spots} spots"
    return Document(
        title="\n".join(dict.fromkeys(heading(one.paytable) for one in joint.wagers)),
        subtitle=f"{joint.shoe}, {joint.shoe.size:,} cards; {stakes}{each}",
        tables=tuple(tables),
        figures=figures,
        told=(("Wagers", f"{stakes}{each}"), ("Decks", str(joint.shoe.decks)), ("Given", _given(joint))),
        notes=_notes(joint, spots),
    )


def joint_lines(answers: Sequence[Answer]) -> Document:
    """Lay the same out line by line, for spreadsheets, with one shape for one deck count and for many."""
    return together([joint_document(one) for one in answers])


def _given(joint: Joint) -> str:
    """Say under what the figures stand: cards that are gone, and what meters show."""
    shown = (words for one in joint.wagers for words in _meters(one))
    return "; ".join(dict.fromkeys(filter(None, (cards_gone(joint.shoe), *shown))))


def _meters(wager: Wager) -> list[str]:
    where = " (its seed)" if wager.seeds_taken else ""
    return [f"{wager.paytable.id}: {shown}{where}" for shown in meters_shown(wager.analysis)]


def _wagers_table(joint: Joint) -> Table:
    hit_frequency = Column(FIGURES["hit_frequency"].label, Style.PERCENT)
    columns = (Column("Wager"), Column("Stake", Style.COUNT), _EDGE, _DEVIATION, hit_frequency, _MADE)
    called = names(one.paytable for one in joint.wagers)
    rows: list[tuple[Cell, ...]] = []
    for place, one in enumerate(joint.wagers):
        alone = joint.results.marginal(place)
        hits = alone.chance(lambda result: result.constant > 0)
        name, made = called[one.paytable], joint.made[place]
        rows.append((name, format_decimal(one.stake), -alone.mean.constant, alone.standard_deviation, hits, made))
    table = Table(columns, tuple(rows), "Each wager, for a wager of one")
    return table if any(made < 1 for made in joint.made) else table.without(_MADE)


def _pairs_table(joint: Joint) -> Table:
    columns = (
        Column("Wagers"),
        Column("Covariance", Style.DECIMAL),
        Column("Correlation", Style.DECIMAL),
        Column("Both win", Style.PERCENT),
        Column("One wins at least", Style.PERCENT),
    )
    called = [names(one.paytable for one in joint.wagers)[one.paytable] for one in joint.wagers]
    rows = []
    for one, other in combinations(range(len(called)), 2):
        figures = (joint.results.covariance(one, other), joint.results.correlation(one, other))
        rows.append(
            (f"{called[one]} and {called[other]}", *figures, joint.both_win(one, other), joint.either_wins(one, other))
        )
    return Table(columns, tuple(rows), "Two wagers together, for a wager of one each")


def _total_table(total: Distribution, caption: str) -> Table:
    columns = (Column("Result", Style.COUNT), PROBABILITY, ONE_IN, Column("This or more", Style.DECIMAL))
    reached = Fraction(0)
    rows: list[tuple[Cell, ...]] = []
    for result, chance in reversed(total.known):
        reached += chance
        rows.append(
            (format_decimal(result) if result >= 0 else f"−{format_decimal(-result)}", chance, 1 / chance, reached)
        )
    return Table(columns, tuple(rows), caption)


def _figures(joint: Joint) -> tuple[Figure, ...]:
    total = joint.total
    several = len(joint.wagers) > 1
    return (
        Figure("Staked", format_decimal(joint.staked), Style.COUNT),
        Figure("Mean result", total.mean.constant, Style.DECIMAL),
        Figure(f"{FIGURES['house_edge'].label}, of all that is staked", joint.house_edge, Style.PERCENT),
        Figure("Standard deviation of the result", total.standard_deviation, Style.DECIMAL),
        *([Figure("If the wagers were independent", joint.deviation_if_independent, Style.DECIMAL)] if several else []),
        Figure("Chance to be ahead", total.chance(lambda result: result.constant > 0), Style.PERCENT),
        Figure("Chance to be even", total.chance(lambda result: result.constant == 0), Style.PERCENT),
        *([Figure("All wagers win", joint.all_win, Style.PERCENT)] if several else []),
        *([Figure("At least one wager wins", joint.one_wins, Style.PERCENT)] if several else []),
    )


def _spot_figures(spots: JointSpots) -> tuple[Figure, ...]:
    many = f"{spots.spots} spots"
    ahead = spots.total.chance(lambda result: result.constant > 0) if spots.total else None
    alone = spots.joint.total.variance.constant
    return (
        Figure(f"Staked at {many}", format_decimal(spots.staked), Style.COUNT),
        Figure(f"Mean result of {many}", spots.mean, Style.DECIMAL),
        Figure(f"Standard deviation of {many}", spots.standard_deviation, Style.DECIMAL),
        Figure("If the spots were independent", Surd(alone * spots.spots), Style.DECIMAL),
        Figure(FIGURES["spot_covariance"].label, spots.covariance, Style.DECIMAL),
        Figure(FIGURES["spot_correlation"].label, spots.correlation, Style.DECIMAL),
        *([Figure(f"Chance to be ahead with {many}", ahead, Style.PERCENT)] if ahead is not None else []),
    )


def _notes(joint: Joint, spots: JointSpots | None) -> tuple[str, ...]:
    notes = [
        f"{one.paytable.id}: the wager alone; nothing rides on the hand."
        for one in joint.wagers
        if one.paytable.bet.option
    ]
    for one, made in zip(joint.wagers, joint.made, strict=True):
        if made < 1:
            notes.append(f"{one.paytable.id} is only made under its condition; in all other rounds its result is 0.")
        notes += [f"{shown}." for shown in _meters(one)]
    if any(one.paytable.wheels for one in joint.wagers):
        notes.append(_WHEELS)
    if spots is not None:
        notes.append("The spots share the dealer's cards and the shoe; all other cards are each spot's own.")
        if spots.total is None:
            notes.append("More than three spots: mean and deviation are exact, the distribution is not worked out.")
    return (*dict.fromkeys(notes), *meter_units([one.analysis for one in joint.wagers]))


def joint_overview(answers: Sequence[Answer]) -> Document:
    """Show the same wagers with several deck counts, a line each."""
    first, _ = answers[0]
    several, with_spots = len(first.wagers) > 1, answers[0][1] is not None
    both = (Column("All win", Style.PERCENT), Column("One wins at least", Style.PERCENT))
    of_spots = (
        Column("Deviation of all spots", Style.DECIMAL),
        Column(FIGURES["spot_correlation"].label, Style.DECIMAL),
    )
    columns = (
        Column("Decks", Style.COUNT),
        _EDGE,
        _DEVIATION,
        Column("Ahead", Style.PERCENT),
        *(both if several else ()),
        *(of_spots if with_spots else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    for joint, spots in answers:
        ahead = joint.total.chance(lambda result: result.constant > 0)
        row: tuple[Cell, ...] = (joint.shoe.decks, joint.house_edge, joint.total.standard_deviation, ahead)
        row += (joint.all_win, joint.one_wins) if several else ()
        rows.append(row + ((spots.standard_deviation, spots.correlation) if spots else ()))
    stakes = " and ".join(f"{format_decimal(one.stake)} on {one.paytable.id}" for one in first.wagers)
    return Document(
        title="\n".join(dict.fromkeys(heading(one.paytable) for one in first.wagers)),
        subtitle=", ".join(filter(None, [stakes, cards_gone(first.shoe)])),
        tables=(Table(columns, tuple(rows)),),
        notes=_notes(*answers[0]),
    )


def joint_payload(answer: Answer) -> dict[str, Any]:
    """Give wagers of one round as data."""
    joint, spots = answer
    results = joint.results
    places = range(len(joint.wagers))
    wagers = [
        {
            "paytable": one.paytable.id,
            "stake": exact(one.stake),
            "house_edge": exact(-results.marginal(place).mean.constant),
            "variance": exact(results.marginal(place).variance.constant),
            "hit_frequency": exact(results.marginal(place).chance(lambda result: result.constant > 0)),
            "made": exact(joint.made[place]),
            "meters": {name: exact(value) for name, value in one.analysis.meters.items()},
        }
        for place, one in enumerate(joint.wagers)
    ]
    return {
        "decks": joint.shoe.decks,
        "removed": [str(card) for card in joint.shoe.removed],
        "basis": "wager alone",
        "wagers": wagers,
        "pairs": [
            {
                "wagers": [joint.wagers[place].paytable.id for place in (one, other)],
                "covariance": exact(results.covariance(one, other)),
                "correlation": exact(results.correlation(one, other)),
                "both_win": exact(joint.both_win(one, other)),
            }
            for one, other in combinations(places, 2)
        ],
        "results": [
            {"results": [exact(one) for one in row], "probability": exact(chance)} for row, chance in sorted(results)
        ],
        "staked": exact(joint.staked),
        "house_edge": exact(joint.house_edge),
        "all_win": exact(joint.all_win),
        "one_wins": exact(joint.one_wins),
        **_distribution(joint.total),
        "spots": _spots_payload(spots) if spots else None,
    }


def _spots_payload(spots: JointSpots) -> dict[str, Any]:
    known = _distribution(spots.total) if spots.total else {"total": None}
    return {
        "number": spots.spots,
        "staked": exact(spots.staked),
        "covariance": exact(spots.covariance),
        "correlation": exact(spots.correlation),
        **known,
        "mean": exact(spots.mean),
        "variance": exact(spots.variance),
        "standard_deviation": exact(spots.standard_deviation),
    }


def _distribution(total: Distribution) -> dict[str, Any]:
    return {
        "mean": exact(total.mean.constant),
        "variance": exact(total.variance.constant),
        "standard_deviation": exact(total.standard_deviation),
        "total": [{"result": exact(result), "probability": exact(chance)} for result, chance in total.known],
    }
