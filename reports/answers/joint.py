"""Answer of the `joint` command: several wagers on the same cards, at one spot or at several."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from combinat.analysis.joint import JointAnalysis, JointSpots, JointWager
from combinat.exact.distribution import Distribution
from combinat.exact.numbers import format_decimal
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from combinat.requests.joint import JointRound
from reports.page.model import Cell, Column, Document, Figure, Style, Table, combine_documents
from reports.tables.awards import ONE_IN, PROBABILITY
from reports.tables.headings import meter_amount_texts, meter_units, paytable_heading, paytable_names, removed_text

_EDGE_COLUMN = Column(FIGURES["house_edge"].label, Style.PERCENT)
_DEVIATION_COLUMN = Column(FIGURES["standard_deviation"].label, Style.DECIMAL)
_MADE_COLUMN = Column("Made", Style.PERCENT)
_WHEELS_NOTE = "The wheels of different bets and spots are spun independently."


def joint_document(answer: JointRound) -> Document:
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
    stakes = _stakes_text(joint)
    at_spots = "" if spots is None else f", at each of {spots.spots} spots"
    return Document(
        title=_heading(joint),
        subtitle=f"{joint.shoe}, {joint.shoe.size:,} cards; {stakes}{at_spots}",
        tables=tuple(tables),
        figures=figures,
        csv_columns=(
            ("Wagers", f"{stakes}{at_spots}"),
            ("Decks", str(joint.shoe.decks)),
            ("Given", _conditions_text(joint)),
        ),
        notes=_notes(joint, spots),
    )


def joint_lines(answers: Sequence[JointRound]) -> Document:
    """Return the joint results as records, in the same shape for one deck count and for several."""
    return combine_documents([joint_document(answer) for answer in answers])


def _conditions_text(joint: JointAnalysis) -> str:
    """Return the conditions of the figures: removed cards and meter amounts."""
    meter_texts = (text for wager in joint.wagers for text in _meter_notes(wager))
    return "; ".join(dict.fromkeys(filter(None, (removed_text(joint.shoe), *meter_texts))))


def _meter_notes(wager: JointWager) -> list[str]:
    suffix = " (its seed)" if wager.uses_seeds else ""
    return [f"{wager.paytable.id}: {amount}{suffix}" for amount in meter_amount_texts(wager.analysis)]


def _wagers_table(joint: JointAnalysis) -> Table:
    hit_frequency = Column(FIGURES["hit_frequency"].label, Style.PERCENT)
    columns = (
        Column("Wager"),
        Column("Stake", Style.COUNT),
        _EDGE_COLUMN,
        _DEVIATION_COLUMN,
        hit_frequency,
        _MADE_COLUMN,
    )
    labels = paytable_names(wager.paytable for wager in joint.wagers)
    rows: list[tuple[Cell, ...]] = []
    for index, wager in enumerate(joint.wagers):
        marginal = joint.results.marginal(index)
        hits = marginal.probability(_is_positive)
        name, frequency = labels[wager.paytable], joint.bet_probabilities[index]
        rows.append(
            (name, format_decimal(wager.stake), -marginal.mean.constant, marginal.standard_deviation, hits, frequency)
        )
    table = Table(columns, tuple(rows), "Each wager, for a wager of one")
    return table if any(frequency < 1 for frequency in joint.bet_probabilities) else table.without(_MADE_COLUMN)


def _pairs_table(joint: JointAnalysis) -> Table:
    columns = (
        Column("Wagers"),
        Column("Covariance", Style.DECIMAL),
        Column("Correlation", Style.DECIMAL),
        Column("Both win", Style.PERCENT),
        Column("At least one wins", Style.PERCENT),
    )
    labels = [paytable_names(wager.paytable for wager in joint.wagers)[wager.paytable] for wager in joint.wagers]
    rows = []
    for first_index, second_index in combinations(range(len(labels)), 2):
        figures = (
            joint.results.covariance(first_index, second_index),
            joint.results.correlation(first_index, second_index),
        )
        rows.append(
            (
                f"{labels[first_index]} and {labels[second_index]}",
                *figures,
                joint.both_win(first_index, second_index),
                joint.either_wins(first_index, second_index),
            )
        )
    return Table(columns, tuple(rows), "Two wagers together, for a wager of one each")


def _is_positive(result: Polynomial) -> bool:
    return result.constant > 0


def _stakes_text(joint: JointAnalysis) -> str:
    return " and ".join(f"{format_decimal(wager.stake)} on {wager.paytable.id}" for wager in joint.wagers)


def _heading(joint: JointAnalysis) -> str:
    return "\n".join(dict.fromkeys(paytable_heading(wager.paytable) for wager in joint.wagers))


def _total_table(total: Distribution, caption: str) -> Table:
    columns = (Column("Result", Style.COUNT), PROBABILITY, ONE_IN, Column("This or more", Style.DECIMAL))
    cumulative = Fraction(0)
    rows: list[tuple[Cell, ...]] = []
    for result, probability in reversed(total.numeric_outcomes):
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
    has_several_wagers = len(joint.wagers) > 1
    return (
        Figure("Staked", format_decimal(joint.total_stake), Style.COUNT),
        Figure("Mean result", total.mean.constant, Style.DECIMAL),
        Figure(f"{FIGURES['house_edge'].label}, of the total stake", joint.house_edge, Style.PERCENT),
        Figure("Standard deviation of the result", total.standard_deviation, Style.DECIMAL),
        *(
            [Figure("If the wagers were independent", joint.deviation_if_independent, Style.DECIMAL)]
            if has_several_wagers
            else []
        ),
        Figure("Probability of being ahead", total.probability(_is_positive), Style.PERCENT),
        Figure("Probability of breaking even", total.probability(lambda result: result.constant == 0), Style.PERCENT),
        *([Figure("All wagers win", joint.all_win, Style.PERCENT)] if has_several_wagers else []),
        *([Figure("At least one wager wins", joint.any_wins, Style.PERCENT)] if has_several_wagers else []),
    )


def _spot_figures(spots: JointSpots) -> tuple[Figure, ...]:
    spots_text = f"{spots.spots} spots"
    ahead = spots.total.probability(_is_positive) if spots.total else None
    spot_variance = spots.joint.total.variance.constant
    return (
        Figure(f"Staked at {spots_text}", format_decimal(spots.total_stake), Style.COUNT),
        Figure(f"Mean result of {spots_text}", spots.mean, Style.DECIMAL),
        Figure(f"Standard deviation of {spots_text}", spots.standard_deviation, Style.DECIMAL),
        Figure("If the spots were independent", Surd(spot_variance * spots.spots), Style.DECIMAL),
        Figure(FIGURES["spot_covariance"].label, spots.covariance, Style.DECIMAL),
        Figure(FIGURES["spot_correlation"].label, spots.correlation, Style.DECIMAL),
        *([Figure(f"Probability of being ahead with {spots_text}", ahead, Style.PERCENT)] if ahead is not None else []),
    )


def _notes(joint: JointAnalysis, spots: JointSpots | None) -> tuple[str, ...]:
    notes = [
        f"{wager.paytable.id}: the wager alone; winnings are not parlayed."
        for wager in joint.wagers
        if wager.paytable.bet.option
    ]
    for wager, frequency in zip(joint.wagers, joint.bet_probabilities, strict=True):
        if frequency < 1:
            notes.append(f"{wager.paytable.id} is made only if its condition holds; in other rounds its result is 0.")
        notes += [f"{amount}." for amount in _meter_notes(wager)]
    if any(wager.paytable.wheels for wager in joint.wagers):
        notes.append(_WHEELS_NOTE)
    if spots is not None:
        notes.append("The spots share the dealer's cards and the shoe; each spot has its own other cards.")
        if spots.total is None:
            notes.append("More than three spots: mean and deviation are exact; the distribution is not computed.")
    return (*dict.fromkeys(notes), *meter_units([wager.analysis for wager in joint.wagers]))


def joint_overview(answers: Sequence[JointRound]) -> Document:
    """Return the joint results for several deck counts, one row each."""
    first_joint, _ = answers[0]
    has_several_wagers, with_spots = len(first_joint.wagers) > 1, answers[0][1] is not None
    win_columns = (Column("All win", Style.PERCENT), Column("At least one wins", Style.PERCENT))
    spot_columns = (
        Column("Standard deviation of all spots", Style.DECIMAL),
        Column(FIGURES["spot_correlation"].label, Style.DECIMAL),
    )
    columns = (
        Column("Decks", Style.COUNT),
        _EDGE_COLUMN,
        _DEVIATION_COLUMN,
        Column("Ahead", Style.PERCENT),
        *(win_columns if has_several_wagers else ()),
        *(spot_columns if with_spots else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    for joint, spots in answers:
        ahead = joint.total.probability(_is_positive)
        row: tuple[Cell, ...] = (joint.shoe.decks, joint.house_edge, joint.total.standard_deviation, ahead)
        row += (joint.all_win, joint.any_wins) if has_several_wagers else ()
        rows.append(row + ((spots.standard_deviation, spots.correlation) if spots else ()))
    return Document(
        title=_heading(first_joint),
        subtitle=", ".join(filter(None, [_stakes_text(first_joint), removed_text(first_joint.shoe)])),
        tables=(Table(columns, tuple(rows)),),
        notes=_notes(*answers[0]),
    )
