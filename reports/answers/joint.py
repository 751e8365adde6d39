"""Answer of the `joint` command: several wagers on the same cards, at one spot or at several."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from combinat.analysis.joint import JointAnalysis, JointSpots, JointWager
from combinat.exact.distribution import Distribution
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from reports.page.model import Cell, Column, Document, Figure, Style, Table, combine_documents
from reports.page.numerals import exact
from reports.tables.awards import ONE_IN, PROBABILITY
from reports.tables.headings import meter_amount_texts, meter_units, paytable_heading, paytable_names, removed_text

JointAnswer = tuple[JointAnalysis, JointSpots | None]
_EDGE = Column(FIGURES["house_edge"].label, Style.PERCENT)
_DEVIATION = Column(FIGURES["standard_deviation"].label, Style.DECIMAL)
_MADE = Column("Made", Style.PERCENT)
_WHEELS = "Where a wheel decides, those of different bets and spots turn independently."


def joint_document(answer: JointAnswer) -> Document:
    """Return the joint results of the wagers of one round."""
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
    stakes = " and ".join(f"{format_decimal(wager.stake)} on {wager.paytable.id}" for wager in joint.wagers)
    at_spots = "" if spots is None else f", at each of {spots.spots} spots"
    return Document(
        title="\n".join(dict.fromkeys(paytable_heading(wager.paytable) for wager in joint.wagers)),
        subtitle=f"{joint.shoe}, {joint.shoe.size:,} cards; {stakes}{at_spots}",
        tables=tuple(tables),
        figures=figures,
        told=(("Wagers", f"{stakes}{at_spots}"), ("Decks", str(joint.shoe.decks)), ("Given", _conditions_text(joint))),
        notes=_notes(joint, spots),
    )


def joint_lines(answers: Sequence[JointAnswer]) -> Document:
    """Return the joint results as records, in the same shape for one deck count and for several."""
    return combine_documents([joint_document(answer) for answer in answers])


def _conditions_text(joint: JointAnalysis) -> str:
    """Return the conditions of the figures: removed cards and meter amounts."""
    meter_texts = (words for wager in joint.wagers for words in _meter_notes(wager))
    return "; ".join(dict.fromkeys(filter(None, (removed_text(joint.shoe), *meter_texts))))


def _meter_notes(wager: JointWager) -> list[str]:
    suffix = " (its seed)" if wager.uses_seeds else ""
    return [f"{wager.paytable.id}: {shown}{suffix}" for shown in meter_amount_texts(wager.analysis)]


def _wagers_table(joint: JointAnalysis) -> Table:
    hit_frequency = Column(FIGURES["hit_frequency"].label, Style.PERCENT)
    columns = (Column("Wager"), Column("Stake", Style.COUNT), _EDGE, _DEVIATION, hit_frequency, _MADE)
    labels = paytable_names(wager.paytable for wager in joint.wagers)
    rows: list[tuple[Cell, ...]] = []
    for index, wager in enumerate(joint.wagers):
        marginal = joint.results.marginal(index)
        hits = marginal.chance(lambda result: result.constant > 0)
        name, made = labels[wager.paytable], joint.made[index]
        rows.append(
            (name, format_decimal(wager.stake), -marginal.mean.constant, marginal.standard_deviation, hits, made)
        )
    table = Table(columns, tuple(rows), "Each wager, for a wager of one")
    return table if any(made < 1 for made in joint.made) else table.without(_MADE)


def _pairs_table(joint: JointAnalysis) -> Table:
    columns = (
        Column("Wagers"),
        Column("Covariance", Style.DECIMAL),
        Column("Correlation", Style.DECIMAL),
        Column("Both win", Style.PERCENT),
        Column("One wins at least", Style.PERCENT),
    )
    labels = [paytable_names(wager.paytable for wager in joint.wagers)[wager.paytable] for wager in joint.wagers]
    rows = []
    for first, second in combinations(range(len(labels)), 2):
        figures = (joint.results.covariance(first, second), joint.results.correlation(first, second))
        rows.append(
            (
                f"{labels[first]} and {labels[second]}",
                *figures,
                joint.both_win(first, second),
                joint.either_wins(first, second),
            )
        )
    return Table(columns, tuple(rows), "Two wagers together, for a wager of one each")


def _total_table(total: Distribution, caption: str) -> Table:
    columns = (Column("Result", Style.COUNT), PROBABILITY, ONE_IN, Column("This or more", Style.DECIMAL))
    cumulative = Fraction(0)
    rows: list[tuple[Cell, ...]] = []
    for result, probability in reversed(total.known):
        cumulative += probability
        rows.append(
            (
                format_decimal(result) if result >= 0 else f"−{format_decimal(-result)}",
                probability,
                1 / probability,
                cumulative,
            )
        )
    return Table(columns, tuple(rows), caption)


def _figures(joint: JointAnalysis) -> tuple[Figure, ...]:
    total = joint.total
    has_many = len(joint.wagers) > 1
    return (
        Figure("Staked", format_decimal(joint.total_stake), Style.COUNT),
        Figure("Mean result", total.mean.constant, Style.DECIMAL),
        Figure(f"{FIGURES['house_edge'].label}, of all that is staked", joint.house_edge, Style.PERCENT),
        Figure("Standard deviation of the result", total.standard_deviation, Style.DECIMAL),
        *(
            [Figure("If the wagers were independent", joint.deviation_if_independent, Style.DECIMAL)]
            if has_many
            else []
        ),
        Figure("Chance to be ahead", total.chance(lambda result: result.constant > 0), Style.PERCENT),
        Figure("Chance to be even", total.chance(lambda result: result.constant == 0), Style.PERCENT),
        *([Figure("All wagers win", joint.all_win, Style.PERCENT)] if has_many else []),
        *([Figure("At least one wager wins", joint.one_wins, Style.PERCENT)] if has_many else []),
    )


def _spot_figures(spots: JointSpots) -> tuple[Figure, ...]:
    spots_text = f"{spots.spots} spots"
    ahead = spots.total.chance(lambda result: result.constant > 0) if spots.total else None
    alone = spots.joint.total.variance.constant
    return (
        Figure(f"Staked at {spots_text}", format_decimal(spots.total_stake), Style.COUNT),
        Figure(f"Mean result of {spots_text}", spots.mean, Style.DECIMAL),
        Figure(f"Standard deviation of {spots_text}", spots.standard_deviation, Style.DECIMAL),
        Figure("If the spots were independent", Surd(alone * spots.spots), Style.DECIMAL),
        Figure(FIGURES["spot_covariance"].label, spots.covariance, Style.DECIMAL),
        Figure(FIGURES["spot_correlation"].label, spots.correlation, Style.DECIMAL),
        *([Figure(f"Chance to be ahead with {spots_text}", ahead, Style.PERCENT)] if ahead is not None else []),
    )


def _notes(joint: JointAnalysis, spots: JointSpots | None) -> tuple[str, ...]:
    notes = [
        f"{wager.paytable.id}: the wager alone; nothing rides on the hand."
        for wager in joint.wagers
        if wager.paytable.bet.option
    ]
    for wager, made in zip(joint.wagers, joint.made, strict=True):
        if made < 1:
            notes.append(f"{wager.paytable.id} is only made under its condition; in all other rounds its result is 0.")
        notes += [f"{shown}." for shown in _meter_notes(wager)]
    if any(wager.paytable.wheels for wager in joint.wagers):
        notes.append(_WHEELS)
    if spots is not None:
        notes.append("The spots share the dealer's cards and the shoe; all other cards are each spot's own.")
        if spots.total is None:
            notes.append("More than three spots: mean and deviation are exact, the distribution is not worked out.")
    return (*dict.fromkeys(notes), *meter_units([wager.analysis for wager in joint.wagers]))


def joint_overview(answers: Sequence[JointAnswer]) -> Document:
    """Return the joint results for several deck counts, one row each."""
    first, _ = answers[0]
    has_many, with_spots = len(first.wagers) > 1, answers[0][1] is not None
    win_columns = (Column("All win", Style.PERCENT), Column("One wins at least", Style.PERCENT))
    of_spots = (
        Column("Deviation of all spots", Style.DECIMAL),
        Column(FIGURES["spot_correlation"].label, Style.DECIMAL),
    )
    columns = (
        Column("Decks", Style.COUNT),
        _EDGE,
        _DEVIATION,
        Column("Ahead", Style.PERCENT),
        *(win_columns if has_many else ()),
        *(of_spots if with_spots else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    for joint, spots in answers:
        ahead = joint.total.chance(lambda result: result.constant > 0)
        row: tuple[Cell, ...] = (joint.shoe.decks, joint.house_edge, joint.total.standard_deviation, ahead)
        row += (joint.all_win, joint.one_wins) if has_many else ()
        rows.append(row + ((spots.standard_deviation, spots.correlation) if spots else ()))
    stakes = " and ".join(f"{format_decimal(wager.stake)} on {wager.paytable.id}" for wager in first.wagers)
    return Document(
        title="\n".join(dict.fromkeys(paytable_heading(wager.paytable) for wager in first.wagers)),
        subtitle=", ".join(filter(None, [stakes, removed_text(first.shoe)])),
        tables=(Table(columns, tuple(rows)),),
        notes=_notes(*answers[0]),
    )


def joint_payload(answer: JointAnswer) -> dict[str, Any]:
    """Return the joint results of the wagers of one round as data."""
    joint, spots = answer
    results = joint.results
    indices = range(len(joint.wagers))
    wagers = [
        {
            "paytable": wager.paytable.id,
            "stake": exact(wager.stake),
            "house_edge": exact(-results.marginal(index).mean.constant),
            "variance": exact(results.marginal(index).variance.constant),
            "hit_frequency": exact(results.marginal(index).chance(lambda result: result.constant > 0)),
            "made": exact(joint.made[index]),
            "meters": {name: exact(value) for name, value in wager.analysis.meters.items()},
        }
        for index, wager in enumerate(joint.wagers)
    ]
    return {
        "decks": joint.shoe.decks,
        "removed": [str(card) for card in joint.shoe.removed],
        "basis": "wager alone",
        "wagers": wagers,
        "pairs": [
            {
                "wagers": [joint.wagers[index].paytable.id for index in (first, second)],
                "covariance": exact(results.covariance(first, second)),
                "correlation": exact(results.correlation(first, second)),
                "both_win": exact(joint.both_win(first, second)),
            }
            for first, second in combinations(indices, 2)
        ],
        "results": [
            {"results": [exact(result) for result in row], "probability": exact(probability)}
            for row, probability in sorted(results)
        ],
        "staked": exact(joint.total_stake),
        "house_edge": exact(joint.house_edge),
        "all_win": exact(joint.all_win),
        "one_wins": exact(joint.one_wins),
        **_distribution(joint.total),
        "spots": _spots_payload(spots) if spots else None,
    }


def _spots_payload(spots: JointSpots) -> dict[str, Any]:
    distribution = _distribution(spots.total) if spots.total else {"total": None}
    return {
        "number": spots.spots,
        "staked": exact(spots.total_stake),
        "covariance": exact(spots.covariance),
        "correlation": exact(spots.correlation),
        **distribution,
        "mean": exact(spots.mean),
        "variance": exact(spots.variance),
        "standard_deviation": exact(spots.standard_deviation),
    }


def _distribution(total: Distribution) -> dict[str, Any]:
    return {
        "mean": exact(total.mean.constant),
        "variance": exact(total.variance.constant),
        "standard_deviation": exact(total.standard_deviation),
        "total": [{"result": exact(result), "probability": exact(probability)} for result, probability in total.known],
    }
