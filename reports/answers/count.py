"""Documents of the `count` command: the value of a card count by trigger, depth and cut-card position.

One bet is shown in full, several in one row each; CSV has a record for each figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import UNSET
from msgspec.structs import replace

from combinat.counting.conventions import Conventions
from combinat.counting.counts import BettingValue
from combinat.counting.evaluation import CountEvaluation, CountingBasis
from combinat.exact.numbers import format_decimal
from combinat.figures import label_without_option
from combinat.results.count import BettingValueAnswer, BoundAnswer, CountAnswer
from combinat.study import Basis
from reports.answers.studies import record_fields
from reports.page.figures import figure_column
from reports.page.model import Cell, Column, Document, Figure, Style, Styled, Table
from reports.tables.headings import meter_amount_texts, meter_units, paytable_heading


def bound_figures(bound: BoundAnswer | None) -> tuple[Figure, ...]:
    """Return the upper bound of all counts (perfect play) and how it was computed."""
    if bound is None:
        return ()
    label = "Won per 100 rounds by perfect play"
    if not bound.sampled:
        return (Figure(f"{label}, exactly", bound.won_per_100_rounds, Style.DECIMAL),)
    return (
        Figure(f"{label}, sampled", bound.won_per_100_rounds, Style.DECIMAL),
        Figure("99% confidence, plus or minus", bound.confidence_99, Style.DECIMAL)
        if bound.confidence_99 is not None
        else Figure("99% confidence", "not to be told: too few shoes favor the player; sample more"),
        *(
            [Figure("How rounds of perfect play are played", "as is best from each shoe")]
            if bound.strategy_recomputed
            else []
        ),
        Figure("Shoes sampled", bound.samples, Style.COUNT),
        Figure("Of these in favor of the player", bound.in_favor_of_the_player, Style.COUNT),
        Figure("Seed", bound.seed, Style.COUNT),
        *([Figure("In chunks of", bound.chunk, Style.COUNT)] if (bound.samples or 0) > (bound.chunk or 0) else []),
    )


VALUE_COLUMNS = (
    Column("Bets", Style.CHANCE),
    Column("Average edge", Style.PERCENT),
    Column("Won per 100 rounds", Style.DECIMAL),
    Column("Won per shoe", Style.DECIMAL),
    figure_column("standard_deviation"),
    Column("Desirability", Style.ODDS),
)
"""Columns of the value of a trigger."""
_SHOWN_TRIGGERS_PER_SIDE = 8
"""Triggers shown on each side of the best one; data formats list all."""


def counts_document(evaluation: CountEvaluation, answer: CountAnswer | None = None) -> Document:
    """Return the value of a count; `answer` has its figures, if they are computed already."""
    count = evaluation.count
    answer = CountAnswer.of(evaluation) if answer is None else answer
    return Document(
        title=paytable_heading(count.paytable),
        subtitle="; ".join(
            [
                f"{count.shoe}, {count.shoe.size} cards",
                *_basis_text(evaluation),
                *meter_amount_texts(evaluation.basis.study.analysis),
                _rounds_text(evaluation),
            ]
        ),
        flags=tuple(answer.flags),
        tables=(
            _trigger_table(answer),
            *_depth_tables(evaluation.betting_value, answer),
            *([_cut_table(answer)] if answer.cut is not None else []),
        ),
        figures=count_figures(answer, answer.perfect_play),
        csv_columns=record_fields(evaluation.basis.study.analysis),
        notes=count_notes(evaluation),
    )


def _trigger_table(answer: CountAnswer) -> Table:
    """Return the triggers around the best one."""
    middle = len(answer.triggers) // 2 if answer.best is None else answer.triggers.index(answer.best)
    shown = answer.triggers[max(middle - _SHOWN_TRIGGERS_PER_SIDE, 0) : middle + _SHOWN_TRIGGERS_PER_SIDE + 1]
    name = "Running count" if answer.conventions.true_count == "running" else "True count"
    rows = tuple(
        (f"{value.trigger}{' (best)' if value == answer.best else ''}", *_value_cells(value)) for value in shown
    )
    return Table((Column(f"{name} from", Style.COUNT), *VALUE_COLUMNS), rows, "Result of betting at or above a trigger")


def _depth_tables(chosen: BettingValue | None, answer: CountAnswer) -> list[Table]:
    """Return the values of the chosen trigger by depth; no table if there is none."""
    if chosen is None or chosen.trigger is None:
        return []
    rows = tuple((value.seen or 0, *_value_cells(value)) for value in _thin_out(answer.by_depth))
    columns = (Column("Cards seen", Style.COUNT), *VALUE_COLUMNS)
    return [Table(columns, rows, f"At {chosen.trigger} or more, by depth").without(VALUE_COLUMNS[3])]


def _cut_table(answer: CountAnswer) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (row.cut, *((row.best.trigger, *_value_cells(row.best)) if row.best else (None,) * (len(VALUE_COLUMNS) + 1)))
        for row in answer.by_cut
    ]
    columns = (Column("Cut card", Style.COUNT), Column("Best trigger", Style.COUNT), *VALUE_COLUMNS)
    return Table(columns, tuple(rows), "Best trigger by cut-card position, in cards from the end")


def count_figures(answer: CountAnswer, bound: BoundAnswer | None) -> tuple[Figure, ...]:
    """Return the summary figures of a count, with the upper bound of all counts."""
    return (
        Figure("Tags", answer.tags_text),
        *(
            [
                Figure("Sum of all tags", answer.tags_total, Style.COUNT),
                Figure("Betting correlation", answer.betting_correlation, Style.DECIMAL),
            ]
            if answer.betting_correlation is not None
            else []
        ),
        *_edge_figures(answer),
        Figure("Best trigger", _trigger(answer.best) if answer.best else "none wins", Style.COUNT),
        Figure("Won per 100 rounds by betting at every favorable count", answer.at_every_gaining_count, Style.DECIMAL),
        *(
            Figure(f"Gained per 100 rounds by {source}", gain, Style.DECIMAL)
            if gain is not None
            else Figure(f"Gained per 100 rounds by {source}", "too expensive to compute; give --depths")
            for source, gain in answer.information.items()
        ),
        *bound_figures(bound),
        *(
            [Figure("Won per hour with the largest wager", answer.won_per_hour, Style.MONEY)]
            if answer.largest_wager is not None
            else []
        ),
    )


def _edge_figures(answer: CountAnswer) -> Iterator[Figure]:
    """Yield the house edge off the top, and that of the wager alone if it differs."""
    yield Figure("House edge off the top", answer.house_edge, Style.PERCENT)
    if answer.house_edge_without_option is not UNSET and answer.option is not UNSET:
        label = label_without_option("house_edge")
        yield Figure(label, answer.house_edge_without_option, Style.PERCENT, basis=str(answer.wager_basis))


def _value_cells(value: BettingValueAnswer | None) -> tuple[Cell, ...]:
    return tuple(None if value is None else value.value_or_bounds(key) for key in _VALUE_KEYS)


def _thin_out(rows: list[BettingValueAnswer]) -> list[BettingValueAnswer]:
    """Thin out the depths; data formats list all."""
    step = max(len(rows) // 12, 1)
    return [row for index, row in enumerate(rows) if (len(rows) - 1 - index) % step == 0]


def _basis_text(evaluation: CountEvaluation) -> list[str]:
    """Return the basis of the figures if the player has decisions besides betting."""
    is_decided = evaluation.count.paytable.bet.option is not None or evaluation.basis.study.round_strategy is not None
    return [evaluation.basis.basis] if is_decided else []


def _rounds_text(evaluation: CountEvaluation) -> str:
    if evaluation.cut is None:
        return "at given depths"
    return f"cut card {evaluation.cut} cards from the end; {rounds_in_words(evaluation.count.conventions)}"


def rounds_in_words(conventions: Conventions) -> str:
    """Describe when rounds begin."""
    if conventions.lengths:
        fewest_cards, most_cards = conventions.lengths[0][0], conventions.lengths[-1][0]
        return f"rounds of {fewest_cards} to {most_cards} cards, {format_decimal(conventions.round_cards)} on average"
    if conventions.round_cards:
        return f"a round every {format_decimal(conventions.round_cards)} cards"
    return "all depths alike"


def count_notes(evaluation: CountEvaluation) -> tuple[str, ...]:
    """Return the notes on the assumptions of the figures."""
    count, conventions = evaluation.count, evaluation.count.conventions
    lines = ["The figures are exact for rounds that begin at these depths; nothing is simulated."]
    if evaluation.cut is not None and conventions.round_cards:
        lines.append(
            f"{rounds_in_words(conventions).capitalize()}: an approximation. The number of cards in a round depends on "
            "the cards, and so does, slightly, the depth at which the next round begins."
        )
    if evaluation.cut is None and count.has_rounds:
        lines.append("Won per shoe: the total of one round at each of these depths.")
    if (
        evaluation.cut is not None
        and any(round_.burn_points for round_ in count.rounds)
        and not count.distribution.by_burn_points
    ):
        lines.append("The number of burn cards is averaged over the exposed first card, which is counted too.")
    lines.append(conventions_in_words(conventions, evaluation.cut is not None))
    if count.paytable.bet.condition:
        lines.append("Bets: rounds in which the bet's condition holds too; otherwise the wager is returned.")
    lines += basis_notes(evaluation.basis)
    if evaluation.basis.parlay is not None and (option := evaluation.basis.study.option):
        lines += option.notes  # they name the table rules and the strategy
    lines += meter_units([evaluation.basis.study.analysis])
    if count.usage.exposed_count:
        lines.append(
            "Gained by seeing cards: bets are made when the count and the exposed ranks together favor the player, "
            "not when the count alone does."
        )
    lines.append("Desirability: 1,000 times the win per round divided by its standard deviation.")
    if count.upper_distribution is not None:
        lines.append(
            "Standard deviation and desirability are given as exact bounds, because the joint distribution of split "
            "hands is not computed."
        )
    return tuple(lines)


def basis_notes(basis: CountingBasis) -> tuple[str, ...]:
    """Return the notes on the strategy used while counting, if the player has decisions."""
    if basis.study.round_strategy is not None:
        return (
            "Rounds are played as is best off the top, whatever the count is: it only decides whether one bets. The "
            "betting correlation is that with the effects of removal on this one play.",
        )
    if basis.parlay is None or basis.study.option is None:
        return ()
    return (
        f"With the {basis.study.option.kind}: hands are played, and winnings left or taken, as with all cards in the "
        "shoe; who counts decides only whether to bet. So the average edge over all counts is that off the top.",
        f"A hand and the dealer's take up to {basis.parlay.longest} cards together; where fewer are left no round "
        "begins. Should a split use up the cards, each of its hands counts as if it were dealt first.",
    )


def conventions_in_words(conventions: Conventions, with_rounds: bool = True) -> str:
    r"""Describe the counting conventions.

    >>> from combinat.counting.conventions import BLACKJACK
    >>> print(conventions_in_words(BLACKJACK).replace("; ", ";\n"))
    Conventions of blackjack: one card is burned unseen;
    the true count is the running count over the decks not seen, exact.
    """
    clauses = _burn_clauses(conventions) if with_rounds else []
    if conventions.true_count == "running":
        clauses.append(f"the running count alone, from {conventions.start}")
    else:
        divisor = {"unseen": "not seen", "physical": "left in the shoe"}[conventions.divisor]
        rounding = {"exact": "", "half": " to the nearest half", "whole": " to the nearest whole one"}[
            conventions.decks
        ]
        start = f" from {conventions.start}" if conventions.start else ""
        clauses.append(
            f"the true count is the running count{start} over the decks {divisor}{rounding}, {conventions.true_count}"
        )
    return f"Conventions of {conventions.name}: {'; '.join(clauses)}."


def _burn_text(burned_count: int, seen_count: int) -> str:
    """Describe the burn cards and how many of them are seen.

    >>> _burn_text(1, 1), _burn_text(3, 1)
    ('one card is burned and seen', '3 cards are burned, 1 of them seen')
    """
    cards = "one card is burned" if burned_count == 1 else f"{burned_count} cards are burned"
    return (
        f"{cards} unseen"
        if not seen_count
        else f"{cards} and seen"
        if seen_count == burned_count
        else f"{cards}, {seen_count} of them seen"
    )


def _burn_clauses(conventions: Conventions) -> list[str]:
    """Describe the burn cards and when the first and last rounds begin."""
    clauses = []
    if conventions.first:
        clauses.append(f"{conventions.first} cards are seen before the first round")
    if conventions.burns_by_first_card:
        clauses.append("the first card is shown and as many as its points are burned unseen")
    elif conventions.burned:
        clauses.append(_burn_text(conventions.burned, conventions.burned_seen))
    if conventions.rounds_after_cut:
        clauses.append(f"{conventions.rounds_after_cut} more after the round in which the cut card comes")
    return clauses


_RECORD_COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("Given"),
    Column("Basis"),
    Column("Kind"),
    Column("Name"),
    Column("Trigger", Style.COUNT),
    Column("Cards seen", Style.COUNT),
    Column("Cut card", Style.COUNT),
    replace(VALUE_COLUMNS[0], style=Style.DECIMAL),  # exact value, not a percentage
    *VALUE_COLUMNS[1:],
    Column("Value", Style.DECIMAL),
)
_VALUE_KEYS = ("frequency", "edge", "won_per_100_rounds", "won_per_shoe", "standard_deviation", "desirability")


def count_records(answers: Sequence[CountAnswer]) -> Document:
    """Return counts as records."""
    lines = tuple(
        (answer.paytable, answer.decks, _conditions_text(answer), basis or answer.basis, *line)
        for answer in answers
        for basis, *line in (*_value_records(answer), *_figure_records(answer))
    )
    return Document("", tables=(Table(_RECORD_COLUMNS, lines, keys=2),))


def _conditions_text(answer: CountAnswer) -> str:
    """Return the conditions of the figures: the rule, removed cards and meter amounts."""
    removed = f"less {' '.join(answer.removed)}" if answer.removed else ""
    meters = (f"{name} at {format_decimal(value)}" for name, value in answer.meters.items())
    return "; ".join(filter(None, (answer.given, removed, *meters)))


def _value_records(answer: CountAnswer) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every trigger, for the best one, and for each depth and cut-card position.

    The first cell is the basis if it differs from the count's.
    """
    yield _value_record("Every round", answer.always)
    for value in answer.triggers:
        yield _value_record("Trigger", value)
    if answer.best:
        yield _value_record("Best trigger", answer.best)
    for value in answer.by_depth:
        yield _value_record("Depth", value, cards_seen=value.seen or 0)
    for row in answer.by_cut:
        yield _value_record("Cut card", row.best, cut=row.cut)


def _value_record(
    kind: str, value: BettingValueAnswer | None, cards_seen: int | None = None, cut: int | None = None
) -> tuple[Cell, ...]:
    trigger = None if value is None else _trigger(value)
    return ("", kind, None, trigger, cards_seen, cut, *_value_cells(value), None)


def _trigger(value: BettingValueAnswer) -> Fraction | int | None:
    """Return the trigger, without decimals if it is an integer."""
    trigger = value.trigger
    return int(trigger) if trigger is not None and trigger.denominator == 1 else trigger


def _figure_records(answer: CountAnswer) -> Iterator[tuple[Cell, ...]]:
    empty = (None,) * (3 + len(_VALUE_KEYS))
    bound = answer.perfect_play
    exact_bound, sampled_bound = (None, bound) if bound is not None and bound.sampled else (bound, None)
    for figure in (*count_figures(answer, exact_bound), *bound_figures(sampled_bound)):
        yield (figure.basis, "Figure", figure.label, *empty, Styled(figure.value, figure.style))
    for flag in answer.flags:
        yield ("", "Flag", flag, *empty, None)


_OVERVIEW_COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("House edge off the top", Style.PERCENT),
    Column("Best trigger", Style.COUNT),
    *VALUE_COLUMNS[:3],
)
_BASIS_COLUMN = Column("Basis")
_BOUND_COLUMNS = (
    Column("Won by perfect play", Style.DECIMAL),
    Column("99% confidence, plus or minus", Style.DECIMAL),
    Column("Shoes sampled", Style.COUNT),
    Column("Seed", Style.COUNT),
)


def many_counts_document(answers: Sequence[CountAnswer]) -> Document:
    """Return the best trigger of each count and, if requested, the upper bound of all counts."""
    has_bound = any(answer.perfect_play for answer in answers)
    has_parlays = any(answer.basis == Basis.OFF_THE_TOP for answer in answers)
    cells = tuple((*_overview_row(answer), *(_bound_cells(answer) if has_bound else ())) for answer in answers)
    notes = [
        "Each row has the best trigger of its own count, or none if no trigger wins. JSON and CSV have the tags and "
        "all triggers."
    ]
    if any("chosen off the top" in answer.basis for answer in answers):
        notes.append("Rounds with decisions are played by the strategy of the full shoe, whatever the count.")
    if has_bound:
        notes.append(
            "Won by perfect play: per 100 rounds, exact if no shoe was sampled. There is no confidence interval if too "
            "few shoes favor the player."
        )
    if has_parlays:
        notes.append(
            f"{str(Basis.OFF_THE_TOP).capitalize()}: hands are played and winnings parlayed as with the full shoe. "
            "--wager-alone counts the wager alone."
        )
    columns = (*_OVERVIEW_COLUMNS[:2], _BASIS_COLUMN, *_OVERVIEW_COLUMNS[2:], *(_BOUND_COLUMNS if has_bound else ()))
    table = Table(columns, cells, keys=2)
    shown_table = table if has_parlays else table.without(_BASIS_COLUMN)
    return Document(title="Value of card counting", tables=(shown_table,), notes=tuple(notes))


def _overview_row(answer: CountAnswer) -> tuple[Cell, ...]:
    best = answer.best
    figures = (best.trigger, best.frequency, best.edge, best.won_per_100_rounds) if best else (None,) * 4
    return answer.paytable, answer.decks, answer.basis, answer.house_edge, *figures


def _bound_cells(answer: CountAnswer) -> tuple[Cell, ...]:
    bound = answer.perfect_play
    if bound is None:
        return (None,) * 4
    return bound.won_per_100_rounds, bound.confidence_99, bound.samples, bound.seed
