"""Answer of the `compute_count` command: the value of a card count by trigger, depth and cut-card position.

A `CountRequest` is evaluated by `Counting` for each `CountedBet`, possibly in another process; the result is a document
for one bet, one row each for several bets, CSV records, or JSON. The upper bound of all counts (perfect play) is exact
where possible and sampled otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.paytable import Paytable
from combinat.blackjack.rules import BlackjackRules
from combinat.counting.bound import PerfectPlayBound, exact_bound
from combinat.counting.card_usage import check_lists_cards
from combinat.counting.conventions import CONVENTIONS, Conventions, RoundStart, find_conventions
from combinat.counting.counted_bet import CountingBasis, counting_basis
from combinat.counting.counts import BettingValue, CountResult, compute_count, count_suits
from combinat.counting.exposed_cards import check_view, max_win_with_exposed
from combinat.counting.tags import best_tags, betting_correlation, parse_tags
from combinat.exact.interval import Span
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import label_without_option
from combinat.study import Basis, Study, build_study
from decks import InputError, Shoe
from reports.answers.studies import SECOND_BASIS, assumptions_payload
from reports.page.figures import figure_column
from reports.page.model import Cell, Column, Document, Figure, Formula, Hand, Style, Styled, Table, Value
from reports.page.numerals import BOUNDS, exact, exact_or_bounds, parse_exact, parse_exact_number
from reports.tables.headings import conditions_text, flags, meter_amount_texts, meter_units, paytable_heading


def bound_figures(bound: PerfectPlayBound | None) -> tuple[Figure, ...]:
    """Return the upper bound of all counts (perfect play) and how it was computed."""
    if bound is None:
        return ()
    label = "Won per 100 rounds by perfect play"
    if not bound.is_sampled:
        return (Figure(f"{label}, exactly", bound.per_hundred, Style.DECIMAL),)
    return (
        Figure(f"{label}, sampled", bound.per_hundred, Style.DECIMAL),
        Figure("99% confidence, plus or minus", 100 * bound.half_width, Style.DECIMAL)
        if bound.half_width is not None
        else Figure("99% confidence", "not to be told: too few shoes favor the player; sample more"),
        *([Figure("How rounds of perfect play are played", "as is best from each shoe")] if bound.chosen_anew else []),
        Figure("Shoes sampled", bound.samples, Style.COUNT),
        Figure("Of these in favor of the player", bound.gaining, Style.COUNT),
        Figure("Seed", bound.seed, Style.COUNT),
        *([Figure("In chunks of", bound.chunk, Style.COUNT)] if bound.samples > bound.chunk else []),
    )


def bound_payload(bound: PerfectPlayBound) -> dict[str, Any]:
    """Return the upper bound of all counts as data."""
    return {
        "sampled": bound.is_sampled,
        "won_per_100_rounds": exact(bound.per_hundred),
        "confidence_99": exact(100 * bound.half_width) if bound.half_width is not None else None,
        "play_chosen_anew": bound.chosen_anew,
        "samples": bound.samples or None,
        "in_favor_of_the_player": bound.gaining if bound.is_sampled else None,
        "seed": bound.seed if bound.is_sampled else None,
        "classes": [[str(card) for card in cards] for cards in bound.classes],
    }


VALUE_COLUMNS = (
    Column("Bets", Style.CHANCE),
    Column("Average edge", Style.PERCENT),
    Column("Won per 100 rounds", Style.DECIMAL),
    Column("Won per shoe", Style.DECIMAL),
    figure_column("standard_deviation"),
    Column("Desirability", Style.ODDS),
)
"""Columns of the value of a trigger."""
_AROUND = 8
"""Triggers shown on each side of the best one; data formats list all."""


class CountAnswer(Struct, frozen=True):
    """A count with the options of the request."""

    count: CountResult
    cut: int | None
    """Cut-card position from the end of the shoe; `None` if depths were given."""
    correlation: Surd | None
    played: CountingBasis
    """Basis of the figures."""
    trigger: Fraction | None = None
    """The requested trigger; `None` for the best one."""
    information: tuple[tuple[str, Fraction | None], ...] = ()
    """Value of additional information per 100 rounds; `None` if it is too expensive to compute."""
    bound: PerfectPlayBound | None = None
    """Upper bound of all counts, if requested."""
    table: tuple[Fraction, Fraction] | None = None
    """Largest wager and rounds per hour, if given."""

    @property
    def per_hour(self) -> Fraction | None:
        """The win per hour with the largest wager."""
        if self.table is None or self.betting_value is None:
            return None
        wager, number = self.table
        return wager * number * self.betting_value.won

    @property
    def betting_value(self) -> BettingValue | None:
        """The value of betting at the requested trigger, else at the best one."""
        return self.count.best if self.trigger is None else self.count.worth(self.trigger)


def counts_document(answer: CountAnswer) -> Document:
    """Return the value of a count."""
    count, chosen = answer.count, answer.betting_value
    betting_values = count.by_trigger
    best = count.best
    best_index = next(
        (index for index, betting_value in enumerate(betting_values) if betting_value is best), len(betting_values) // 2
    )
    shown = betting_values[max(best_index - _AROUND, 0) : best_index + _AROUND + 1]
    name = "Running count" if count.conventions.true_count == "running" else "True count"
    triggers = Table(
        (Column(f"{name} from", Style.COUNT), *VALUE_COLUMNS),
        tuple((_mark(betting_value, best), *_cells(count, betting_value)) for betting_value in shown),
        "What is won by betting from a trigger on",
    )
    tables = [triggers]
    if chosen and chosen.trigger is not None:
        rows = tuple(
            (cards_seen, *_cells(count, betting_value))
            for cards_seen, betting_value in _thin_out(list(count.by_depth(chosen.trigger)))
        )
        without_shoe = Table(
            (Column("Cards seen", Style.COUNT), *VALUE_COLUMNS), rows, f"From {chosen.trigger} on, at each depth"
        )
        tables.append(without_shoe.without(VALUE_COLUMNS[3]))
    if answer.cut is not None:
        tables.append(_by_cut(answer))
    return Document(
        title=paytable_heading(count.paytable),
        subtitle="; ".join(
            [
                f"{count.shoe}, {count.shoe.size} cards",
                *_basis_text(answer),
                *meter_amount_texts(answer.played.study.analysis),
                _rounds_text(answer),
            ]
        ),
        flags=flags(answer.played.study),
        tables=tuple(tables),
        figures=count_figures(answer),
        told=_csv_columns(answer),
        notes=count_notes(answer),
    )


def _csv_columns(answer: CountAnswer) -> tuple[tuple[str, str], ...]:
    condition = conditions_text(answer.played.study.analysis)
    return (("Paytable", answer.count.paytable.id), ("Decks", str(answer.count.shoe.decks)), ("Given", condition))


def count_figures(answer: CountAnswer) -> tuple[Figure, ...]:
    """Return the summary figures of a count."""
    count, best = answer.count, answer.count.best
    return (
        Figure("Tags", str(count.tags)),
        *(
            [
                Figure("Sum of all tags", count.tags.total(count.shoe.composition), Style.COUNT),
                Figure("Betting correlation", answer.correlation, Style.DECIMAL),
            ]
            if answer.correlation is not None
            else []
        ),
        *_edge_figures(answer.played),
        Figure("Best trigger", best.trigger if best else "none wins", Style.COUNT),
        Figure(
            "Won per 100 rounds by betting at every count that gains", 100 * count.max_win_by_count(), Style.DECIMAL
        ),
        *(
            Figure(f"Gained per 100 rounds by {source}", gain, Style.DECIMAL)
            if gain is not None
            else Figure(f"Gained per 100 rounds by {source}", "would take minutes; say at which --depths")
            for source, gain in answer.information
        ),
        *bound_figures(answer.bound),
        *([Figure("Won per hour with the largest wager", answer.per_hour, Style.MONEY)] if answer.table else []),
    )


def _edge_figures(basis: CountingBasis) -> Iterator[Figure]:
    """Yield the house edge off the top, and that of the wager alone if it differs."""
    yield Figure("House edge off the top", basis.house_edge, Style.PERCENT)
    if basis.ride is not None and (option := basis.study.option):
        label = label_without_option("house_edge", {option.kind})
        edge = basis.study.analysis.house_edge.constant
        yield Figure(label, edge, Style.PERCENT, basis=str(basis.study.wager_basis))


def _mark(betting_value: BettingValue, best: BettingValue | None) -> str:
    return f"{betting_value.trigger}{' (best)' if betting_value is best else ''}"


def _cells(count: CountResult, betting_value: BettingValue) -> tuple[Cell, ...]:
    per_shoe = betting_value.per_shoe if count.has_rounds else None
    return (
        betting_value.frequency,
        betting_value.edge,
        betting_value.per_hundred,
        per_shoe,
        betting_value.deviation,
        betting_value.desirability,
    )


def _thin_out(rows: list[tuple[int, BettingValue]]) -> list[tuple[int, BettingValue]]:
    """Thin out the depths; data formats list all."""
    step = max(len(rows) // 12, 1)
    return [row for index, row in enumerate(rows) if (len(rows) - 1 - index) % step == 0]


def _by_cut(answer: CountAnswer) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for cut, count_at_cut in answer.count.by_cut(answer.cut or 0):
        best = count_at_cut.best
        values = (best.trigger, *_cells(count_at_cut, best)) if best else (None,) * (len(VALUE_COLUMNS) + 1)
        rows.append((cut, *values))
    columns = (Column("Cut card", Style.COUNT), Column("Best trigger", Style.COUNT), *VALUE_COLUMNS)
    return Table(columns, tuple(rows), "The best trigger with the cut card so many cards from the end")


def _basis_text(answer: CountAnswer) -> list[str]:
    """Return the basis of the figures if the player has decisions besides betting."""
    is_decided = answer.count.paytable.bet.option is not None or answer.played.study.play is not None
    return [answer.played.basis] if is_decided else []


def _rounds_text(answer: CountAnswer) -> str:
    if answer.cut is None:
        return "at given depths"
    return f"cut card {answer.cut} cards from the end; {rounds_in_words(answer.count.conventions)}"


def rounds_in_words(conventions: Conventions) -> str:
    """Describe when rounds begin."""
    if conventions.lengths:
        fewest, most = conventions.lengths[0][0], conventions.lengths[-1][0]
        return f"rounds of {fewest} to {most} cards, {format_decimal(conventions.round_cards)} on average"
    if conventions.round_cards:
        return f"a round every {format_decimal(conventions.round_cards)} cards"
    return "all depths alike"


def count_notes(answer: CountAnswer) -> tuple[str, ...]:
    """Return the notes on the assumptions of the figures."""
    count, conventions = answer.count, answer.count.conventions
    lines = ["Exact for rounds that begin at these depths: no shoe is shuffled."]
    if answer.cut is not None and conventions.round_cards:
        lines.append(
            f"{rounds_in_words(conventions).capitalize()}: an approximation. Really the cards decide how many a round "
            "takes, so that when rounds begin depends a little on the cards."
        )
    if answer.cut is None and count.has_rounds:
        lines.append("Won per shoe: what rounds at these depths win together, one at each.")
    if answer.cut is not None and any(round_.shown for round_ in count.rounds) and not count.watched.after:
        lines.append("How many cards are burned is averaged over the card shown, which is counted like any other.")
    lines.append(conventions_in_words(conventions, answer.cut is not None))
    if count.paytable.bet.given:
        lines.append("Bets are rounds in which the bet's condition holds too; without it the wager comes back.")
    lines += basis_notes(answer.played)
    if answer.played.ride is not None and (option := answer.played.study.option):
        lines += option.notes  # they name the table rules and the strategy
    lines += meter_units([answer.played.study.analysis])
    if count.uses.in_view:
        lines.append(
            "Gained by seeing cards: one bets where the count and the ranks in view together promise a gain, and not "
            "where the count alone does."
        )
    lines.append("Desirability: a thousand times what a round wins over its standard deviation.")
    if count.most is not None:
        lines.append(
            "Standard deviation and desirability are intervals whose ends are exact bounds: the hands of a split meet "
            "one dealer, and how they go together is not worked out."
        )
    return tuple(lines)


def basis_notes(basis: CountingBasis) -> tuple[str, ...]:
    """Return the notes on the strategy used while counting, if the player has decisions."""
    if basis.study.play is not None:
        return (
            "Rounds are played as is best off the top, whatever the count is: it only decides whether one bets. The "
            "betting correlation is that with the effects of removal on this one play.",
        )
    if basis.ride is None or basis.study.option is None:
        return ()
    return (
        f"With the {basis.study.option.kind}: hands are played, and winnings left or taken, as with all cards in the "
        "shoe; who counts decides only whether to bet. So the average edge over all counts is that off the top.",
        f"A hand and the dealer's take up to {basis.ride.longest} cards together; where fewer are left no round "
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


def counts_payload(answer: CountAnswer) -> dict[str, Any]:
    """Return a count as data, with all triggers, depths and cut-card positions."""
    count, conventions, chosen = answer.count, answer.count.conventions, answer.betting_value
    return {
        "paytable": count.paytable.id,
        "bet": count.paytable.bet.name,
        "decks": count.shoe.decks,
        "cards": count.shoe.size,
        "designed": answer.played.study.analysis.is_designed,
        "removed": [str(card) for card in count.shoe.removed],
        **assumptions_payload(answer.played.study, rides=answer.played.ride is not None),
        "tags": {str(card): tag for card, tag in count.tags.of.items()},
        "tags_total": count.tags.total(count.shoe.composition),
        "betting_correlation": exact(answer.correlation),
        "conventions": {
            "name": conventions.name,
            "round_cards": exact(conventions.round_cards),
            "lengths": {str(cards): exact(probability) for cards, probability in conventions.lengths},
            "first": conventions.first,
            "burned": conventions.burned,
            "burned_seen": conventions.burned_seen,
            "burns_by_first_card": conventions.burns_by_first_card,
            "rounds_after_cut": conventions.rounds_after_cut,
            "divisor": conventions.divisor,
            "decks": conventions.decks,
            "true_count": conventions.true_count,
            "start": conventions.start,
        },
        "rounds_are_approximate": answer.cut is not None and bool(conventions.round_cards),
        "cut": answer.cut,
        "rounds": exact(count.number_of_rounds) if count.has_rounds else None,
        "basis": str(answer.played.basis),
        **_edges_payload(answer.played),
        "always": _value_payload(count, count.always),
        "triggers": [_value_payload(count, betting_value) for betting_value in count.by_trigger],
        "best": _value_payload(count, count.best) if count.best else None,
        "at_every_gaining_count": exact(100 * count.max_win_by_count()),
        "by_depth": [
            {"seen": cards_seen} | _value_payload(count, betting_value)
            for cards_seen, betting_value in count.by_depth(chosen.trigger)
        ]
        if chosen
        else [],
        "by_cut": [
            {"cut": cut, "best": _value_payload(at_cut, at_cut.best) if at_cut.best else None}
            for cut, at_cut in count.by_cut(answer.cut)
        ]
        if answer.cut is not None
        else [],
        "information": {source: exact(gain) for source, gain in answer.information},
        "perfect_play": None if answer.bound is None else sampled_payload(answer.bound),
        "won_per_hour": exact(answer.per_hour),
    }


def _edges_payload(basis: CountingBasis) -> dict[str, Any]:
    alone = {} if basis.ride is None else {SECOND_BASIS.format("house_edge"): exact(basis.study.analysis.house_edge)}
    return {"house_edge": exact(basis.house_edge)} | alone


def sampled_payload(bound: PerfectPlayBound) -> dict[str, Any]:
    """Return the upper bound of all counts with its sampling chunk."""
    return bound_payload(bound) | {"chunk": bound.chunk or None}


def _value_payload(count: CountResult, betting_value: BettingValue) -> dict[str, Any]:
    return {
        "trigger": exact(betting_value.trigger),
        "frequency": exact(betting_value.frequency),
        "edge": exact(betting_value.edge),
        "won_per_100_rounds": exact(betting_value.per_hundred),
        "won_per_shoe": exact(betting_value.per_shoe) if count.has_rounds else None,
        **_or_bounds("standard_deviation", betting_value.deviation),
        **_or_bounds("desirability", betting_value.desirability),
    }


def _or_bounds(key: str, value: Surd | Span | None) -> dict[str, Any]:
    """Return a figure, with its bounds if only these are known."""
    return exact_or_bounds(key, value) if isinstance(value, Span) else {key: exact(value)}


COLUMNS = (
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


class CountRecord(Struct, frozen=True):
    """The part of a CSV record that JSON has in another form; it can be sent to another process."""

    given: str
    figures: tuple[tuple[str, str | int | None, str, str], ...]
    """Label, JSON value, style, and basis if it differs from the count's."""
    flags: tuple[str, ...]

    @classmethod
    def of(cls, answer: CountAnswer) -> CountRecord:
        """Extract the record of a count."""
        figures = tuple(
            (figure.label, _to_json(figure.value), figure.style.value, figure.basis) for figure in count_figures(answer)
        )
        study = answer.played.study
        return cls(conditions_text(study.analysis), figures, flags(study))


def count_records(rows: Sequence[tuple[CountRecord, dict[str, Any], PerfectPlayBound | None]]) -> Document:
    """Return counts as records, each from its JSON and its sampled bound."""
    lines = tuple(
        (payload["paytable"], payload["decks"], recorded.given, basis or payload["basis"], *line)
        for recorded, payload, bound in rows
        for basis, *line in (*_value_rows(payload), *_records(recorded, bound))
    )
    return Document("", tables=(Table(COLUMNS, lines, keys=2),))


def _value_rows(payload: dict[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every trigger, for the best one, and for each depth and cut-card position.

    The first cell is the basis if it differs from the count's.
    """
    yield _line("Every round", payload["always"])
    for row in payload["triggers"]:
        yield _line("Trigger", row)
    if payload["best"]:
        yield _line("Best trigger", payload["best"])
    for row in payload["by_depth"]:
        yield _line("Depth", row, cards_seen=row["seen"])
    for row in payload["by_cut"]:
        yield _line("Cut card", row["best"] or {}, cut=row["cut"])


def _line(
    kind: str, figures: dict[str, Any], cards_seen: int | None = None, cut: int | None = None
) -> tuple[Cell, ...]:
    return (
        "",
        kind,
        None,
        _parse_value(figures.get("trigger")),
        cards_seen,
        cut,
        *(_figure_or_bounds(figures, key) for key in _VALUE_KEYS),
        None,
    )


def _figure_or_bounds(figures: dict[str, Any], key: str) -> Cell:
    """Return a figure, or its bounds if only these are known."""
    return _parse_value(figures.get(BOUNDS.format(key)) or figures.get(key))


def _records(recorded: CountRecord, bound: PerfectPlayBound | None) -> Iterator[tuple[Cell, ...]]:
    empty = (None,) * (3 + len(_VALUE_KEYS))
    for label, data, style, basis in recorded.figures:
        yield (basis, "Figure", label, *empty, Styled(_parse_value(data), Style(style)))
    for figure in bound_figures(bound):
        yield (figure.basis, "Figure", figure.label, *empty, Styled(figure.value, figure.style))
    for flag in recorded.flags:
        yield ("", "Flag", flag, *empty, None)


def _to_json(content: Value) -> str | int | None:
    return str(content) if isinstance(content, (str, Formula, Hand)) else exact(content)


def _parse_value(data: Any) -> Value:
    """Parse a value from JSON; integers stay integers, and anything that is not a number is text."""
    if data is None or isinstance(data, int):
        return data
    parsed = parse_exact(data)
    return str(data) if parsed is None else parsed


_COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("House edge off the top", Style.PERCENT),
    Column("Best trigger", Style.COUNT),
    *VALUE_COLUMNS[:3],
)
_BASIS = Column("Basis")
_BOUND = (
    Column("Won by perfect play", Style.DECIMAL),
    Column("99% confidence, plus or minus", Style.DECIMAL),
    Column("Shoes sampled", Style.COUNT),
    Column("Seed", Style.COUNT),
)


def many_counts_document(rows: Sequence[tuple[dict[str, Any], PerfectPlayBound | None]]) -> Document:
    """Return the best trigger of each count and, if requested, the upper bound of all counts."""
    has_bound = any(payload["perfect_play"] for payload, _ in rows)
    rides = any(payload["basis"] == Basis.OFF_THE_TOP for payload, _ in rows)
    cells = tuple((*_row(payload), *(_bound_cell(payload, bound) if has_bound else ())) for payload, bound in rows)
    notes = [
        "Each with the best trigger of its own count; none where no trigger wins. JSON and CSV have the tags and "
        "all triggers."
    ]
    if any("chosen off the top" in payload["basis"] for payload, _ in rows):
        notes.append("Rounds in which something is decided are played as is best off the top, whatever the count is.")
    if has_bound:
        notes.append(
            "Won by perfect play in 100 rounds: exact where no shoe was sampled; no confidence where too few shoes "
            "favor the player."
        )
    if rides:
        notes.append(
            f"{str(Basis.OFF_THE_TOP).capitalize()}: hands are played, and winnings left or taken, as with all cards "
            "in the shoe. --wager-alone counts the wager alone."
        )
    columns = (*_COLUMNS[:2], _BASIS, *_COLUMNS[2:], *(_BOUND if has_bound else ()))
    table = Table(columns, cells, keys=2)
    shown = table if rides else table.without(_BASIS)
    return Document(title="What counts are worth", tables=(shown,), notes=tuple(notes))


def _row(payload: dict[str, Any]) -> tuple[Cell, ...]:
    best = payload["best"] or {}
    figures = (parse_exact_number(best.get(key)) for key in ("trigger", "frequency", "edge", "won_per_100_rounds"))
    return payload["paytable"], payload["decks"], payload["basis"], parse_exact_number(payload["house_edge"]), *figures


def _bound_cell(payload: dict[str, Any], bound: PerfectPlayBound | None) -> tuple[Cell, ...]:
    if bound is not None and bound.is_sampled:
        half_width = None if bound.half_width is None else 100 * bound.half_width
        return bound.per_hundred, half_width, bound.samples, bound.seed
    return parse_exact_number((payload["perfect_play"] or {}).get("won_per_100_rounds")), None, None, None


class CountRequest(Struct, frozen=True):
    """Options of a counting request, independent of the bet."""

    cut: int | None = None
    tags: str | None = None
    best: int = 1
    unbalanced: bool = False
    trigger: Fraction | None = None
    conventions: str | None = None
    customs: dict[str, Any] = {}
    """Overrides of the conventions, by field name."""
    depths: tuple[int, ...] | None = None
    suits: bool = False
    bound: bool = False
    table: tuple[Fraction, Fraction] | None = None
    """Largest wager and rounds per hour."""
    view: tuple[str, ...] = ()
    wager_alone: bool = False
    """Whether to ignore parlays."""


class CountedBet(Struct, frozen=True):
    """A bet at a shoe; it can be sent to another process."""

    bet: Callable[[], Paytable]
    shoe: Shoe
    meters: dict[str, Fraction]
    name: str
    rules: BlackjackRules | None = None
    """Rules of the blackjack table, if winnings may be parlayed."""
    strategy: str = "best"

    def study(self, request: CountRequest) -> Study:
        """Analyze the bet, including parlays unless the request is for the wager alone."""
        if request.wager_alone:
            return Study(analyze_wager(self.bet(), self.shoe, self.meters))
        return build_study(self.bet(), self.shoe, self.meters, self.rules, self.strategy)


class CountReport(Struct, frozen=True):
    """Result of a count: exact figures for JSON and what remains to be sampled, or the reason for failure."""

    name: str
    payload: dict[str, Any] = {}
    recorded: CountRecord | None = None
    """Additional data for CSV."""
    rounds: tuple[RoundStart, ...] = ()
    """Rounds over which the bound must be sampled, if it is requested and not exact."""
    refusal: str = ""
    failure: str = ""


class Counting(Struct, frozen=True):
    """A callable that computes counts for one request."""

    asked: CountRequest

    def __call__(self, bet: CountedBet) -> CountReport:
        """Compute the count of one of several bets; an error is reported and does not stop the others."""
        try:
            answer, rounds = counted(self.asked, bet.study(self.asked))
        except InputError as error:
            return CountReport(bet.name, refusal=str(error))
        return CountReport(bet.name, counts_payload(answer), CountRecord.of(answer), rounds)


def counted(request: CountRequest, bet_study: Study) -> tuple[CountAnswer, tuple[RoundStart, ...]]:
    """Compute a count, and return the rounds over which its bound must still be sampled."""
    paytable, shoe, meters = bet_study.paytable, bet_study.shoe, bet_study.analysis.meters
    if bet_study.analysis.open_meters:
        raise InputError(f"{paytable.id} pays from meters; say what they show with --meter")
    check_lists_cards(paytable)
    basis = counting_basis(Study(bet_study.analysis) if request.wager_alone else bet_study)
    _check_options(request, basis)
    game = paytable.bet.game.lower()
    convention_name = (
        request.conventions if request.conventions is not None else game if game in CONVENTIONS else "blackjack"
    )
    conventions: Conventions = replace(find_conventions(convention_name), **request.customs)
    cut = request.cut if request.cut is not None else basis.default_cut(conventions)
    cut_position, view = (cut if request.depths is None else None), list(request.view)
    depths = request.depths
    if request.suits:
        if request.tags is not None or view:
            raise InputError("--suits is a count of its own; it goes with neither --tags nor --view")
        correlation, card_count = None, count_suits(paytable, shoe, conventions, cut_position, depths, meters)
    else:
        tags = (
            best_tags(basis.removal, request.best, not request.unbalanced)
            if request.tags is None
            else parse_tags(request.tags, shoe.composition)
        )
        card_count = compute_count(paytable, shoe, tags, conventions, cut_position, depths, meters, view, basis.ride)
        correlation = betting_correlation(tags, basis.removal)  # last, so that errors are raised early
    information: list[tuple[str, Fraction | None]] = []
    if view:
        blind = compute_count(paytable, shoe, tags, conventions, cut_position, depths, meters)
        information += _information_values(
            view, blind.max_win_by_count(), lambda roles: max_win_with_exposed(card_count, tags, roles, meters)
        )
    has_unseen_burns = "burned" in request.customs and conventions.burned > conventions.burned_seen
    if has_unseen_burns and depths is None and not request.suits:
        all_seen = replace(conventions, burned_seen=conventions.burned)
        gain = _best_win(
            compute_count(paytable, shoe, tags, all_seen, cut_position, None, meters, view, basis.ride)
        ) - _best_win(card_count)
        information.append(("seeing the burned cards", gain))
    bound = _bound(request, card_count, meters)
    answer = CountAnswer(
        card_count, cut_position, correlation, basis, request.trigger, tuple(information), bound, request.table
    )
    return answer, card_count.rounds if request.bound and bound is None else ()


def _check_options(request: CountRequest, basis: CountingBasis) -> None:
    """Raise `InputError` for options that need the wager alone, where winnings are parlayed."""
    if basis.ride is None:
        return
    for is_asked, phrase in (
        (request.suits, "--suits counts"),
        (request.bound, "--bound is of"),
        (bool(request.view), "--view goes with"),
    ):
        if is_asked:
            raise InputError(f"{basis.study.paytable.id}: {phrase} the wager alone; give --wager-alone too")


def _bound(request: CountRequest, card_count: CountResult, meters: Any) -> PerfectPlayBound | None:
    """Return the exact upper bound of all counts if it is requested and can be computed."""
    if not request.bound:
        return None
    bound = exact_bound(card_count.paytable, card_count.shoe, card_count.rounds, meters, request.view)
    if bound is None and request.view:
        check_view(card_count.paytable, card_count.shoe.composition, request.view)  # raises if it cannot be sampled
    return bound


def _information_values(
    view: Sequence[str], blind: Fraction, compute_win: Callable[[Sequence[str]], Fraction | None]
) -> Iterator[tuple[str, Fraction | None]]:
    """Yield the value of seeing the roles in `view`, and of seeing the last one in addition to the others."""
    *other_roles, last_role = view
    win_in_view = compute_win(view)
    yield f"seeing {' and '.join(view)}", None if win_in_view is None else 100 * (win_in_view - blind)
    if other_roles:
        win_without_last = None if win_in_view is None else compute_win(other_roles)
        gain = None if win_in_view is None or win_without_last is None else 100 * (win_in_view - win_without_last)
        yield f"seeing {last_role} besides {' and '.join(other_roles)}", gain


def _best_win(card_count: CountResult) -> Fraction:
    """Return the win per 100 rounds of the best trigger."""
    return card_count.best.per_hundred if card_count.best else Fraction(0)
