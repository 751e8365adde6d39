"""What `count` answers: what a count is worth, trigger by trigger, at each depth and for each place of the cut card."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from combinat.advantage.bound import Bound
from combinat.advantage.conventions import Conventions
from combinat.advantage.counts import Count, Worth
from combinat.advantage.played import Played
from combinat.exact.amounts import decimal_text
from combinat.exact.root import Root
from combinat.figures import label_without_option
from reports.answers.bound import bound_figures
from reports.page.figures import column
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.tables.flags import flags
from reports.tables.headings import conditions, heading, meter_units, meters_shown

WORTH = (
    Column("Bets", Style.CHANCE),
    Column("Average edge", Style.PERCENT),
    Column("Won per 100 rounds", Style.DECIMAL),
    Column("Won per shoe", Style.DECIMAL),
    column("standard_deviation"),
    Column("Desirability", Style.ODDS),
)
"""What is told of a trigger, wherever it is told."""
_AROUND = 8
"""Triggers that a table shows on each side of the best one; data has all."""


class Answer(Struct, frozen=True):
    """A count with what was asked about it."""

    count: Count
    cut: int | None
    """Where the cut card lies; nothing if depths were given."""
    correlation: Root | None
    played: Played
    """What it stands on."""
    trigger: Fraction | None = None
    """The trigger that was asked for; the best one if none was."""
    information: tuple[tuple[str, Fraction | None], ...] = ()
    """What it is worth to see more, in units per 100 rounds; nothing where that would take too long."""
    bound: Bound | None = None
    """What no count can beat, if that was asked."""
    table: tuple[Fraction, Fraction] | None = None
    """The largest wager and the rounds of an hour, if they were said."""

    @property
    def per_hour(self) -> Fraction | None:
        """What an hour wins with the largest wager."""
        if self.table is None or self.chosen is None:
            return None
        wager, number = self.table
        return wager * number * self.chosen.won

    @property
    def chosen(self) -> Worth | None:
        """What the trigger in question is worth."""
        return self.count.best if self.trigger is None else self.count.worth(self.trigger)


def counts_document(answer: Answer) -> Document:
    """Show what a count is worth."""
    count, chosen = answer.count, answer.chosen
    every = count.by_trigger
    best = count.best
    place = next((number for number, one in enumerate(every) if one is best), len(every) // 2)
    shown = every[max(place - _AROUND, 0) : place + _AROUND + 1]
    name = "Running count" if count.conventions.true_count == "running" else "True count"
    triggers = Table(
        (Column(f"{name} from", Style.COUNT), *WORTH),
        tuple((_mark(one, best), *_cells(count, one)) for one in shown),
        "What is won by betting from a trigger on",
    )
    tables = [triggers]
    if chosen and chosen.trigger is not None:
        rows = tuple((seen, *_cells(count, one)) for seen, one in _some(list(count.by_depth(chosen.trigger))))
        without_shoe = Table(
            (Column("Cards seen", Style.COUNT), *WORTH), rows, f"From {chosen.trigger} on, at each depth"
        )
        tables.append(without_shoe.without(WORTH[3]))
    if answer.cut is not None:
        tables.append(_by_cut(answer))
    return Document(
        title=heading(count.paytable),
        subtitle="; ".join(
            [
                f"{count.shoe}, {count.shoe.size} cards",
                *_play(answer),
                *meters_shown(answer.played.study.analysis),
                _rounds(answer),
            ]
        ),
        flags=flags(answer.played.study),
        tables=tuple(tables),
        figures=count_figures(answer),
        told=_told(answer),
        notes=notes(answer),
    )


def _told(answer: Answer) -> tuple[tuple[str, str], ...]:
    given = conditions(answer.played.study.analysis)
    return (("Paytable", answer.count.paytable.id), ("Decks", str(answer.count.shoe.decks)), ("Given", given))


def count_figures(answer: Answer) -> tuple[Figure, ...]:
    """Tell what is known of a count as a whole."""
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
        *_edges(answer.played),
        Figure("Best trigger", best.trigger if best else "none wins", Style.COUNT),
        Figure("Won per 100 rounds by betting at every count that gains", 100 * count.most_by_count(), Style.DECIMAL),
        *(
            Figure(f"Gained per 100 rounds by {what}", worth, Style.DECIMAL)
            if worth is not None
            else Figure(f"Gained per 100 rounds by {what}", "would take minutes; say at which --depths")
            for what, worth in answer.information
        ),
        *bound_figures(answer.bound),
        *([Figure("Won per hour with the largest wager", answer.per_hour, Style.MONEY)] if answer.table else []),
    )


def _edges(way: Played) -> Iterator[Figure]:
    """Give the edge off the top, and that of the wager alone where it is another."""
    yield Figure("House edge off the top", way.house_edge, Style.PERCENT)
    if way.ride is not None and (option := way.study.option):
        label = label_without_option("house_edge", {option.kind})
        edge = way.study.analysis.house_edge.constant
        yield Figure(label, edge, Style.PERCENT, basis=str(way.study.wager_basis))


def _mark(one: Worth, best: Worth | None) -> str:
    return f"{one.trigger}{' (best)' if one is best else ''}"


def _cells(count: Count, one: Worth) -> tuple[Cell, ...]:
    per_shoe = one.per_shoe if count.has_rounds else None
    return one.frequency, one.edge, one.per_hundred, per_shoe, one.deviation, one.desirability


def _some(rows: list[tuple[int, Worth]]) -> list[tuple[int, Worth]]:
    """Leave out most of many depths, which data has all."""
    step = max(len(rows) // 12, 1)
    return [row for number, row in enumerate(rows) if (len(rows) - 1 - number) % step == 0]


def _by_cut(answer: Answer) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for cut, one in answer.count.by_cut(answer.cut or 0):
        best = one.best
        values = (best.trigger, *_cells(one, best)) if best else (None,) * (len(WORTH) + 1)
        rows.append((cut, *values))
    columns = (Column("Cut card", Style.COUNT), Column("Best trigger", Style.COUNT), *WORTH)
    return Table(columns, tuple(rows), "The best trigger with the cut card so many cards from the end")


def _play(answer: Answer) -> list[str]:
    """Name what the figures stand on where more is decided than whether one bets."""
    is_decided = answer.count.paytable.bet.option is not None or answer.played.study.play is not None
    return [answer.played.basis] if is_decided else []


def _rounds(answer: Answer) -> str:
    if answer.cut is None:
        return "at given depths"
    return f"cut card {answer.cut} cards from the end; {rounds_in_words(answer.count.conventions)}"


def rounds_in_words(conventions: Conventions) -> str:
    """Say when rounds begin."""
    if conventions.lengths:
        fewest, most = conventions.lengths[0][0], conventions.lengths[-1][0]
        return f"rounds of {fewest} to {most} cards, {decimal_text(conventions.round_cards)} on average"
    if conventions.round_cards:
        return f"a round every {decimal_text(conventions.round_cards)} cards"
    return "all depths alike"


def notes(answer: Answer) -> tuple[str, ...]:
    """Say what the figures stand on."""
    count, conventions = answer.count, answer.count.conventions
    told = ["Exact for rounds that begin at these depths: no shoe is shuffled."]
    if answer.cut is not None and conventions.round_cards:
        told.append(
            f"{rounds_in_words(conventions).capitalize()}: an approximation. Really the cards decide how many a round "
            "takes, so that when rounds begin depends a little on the cards."
        )
    if answer.cut is None and count.has_rounds:
        told.append("Won per shoe: what rounds at these depths win together, one at each.")
    if answer.cut is not None and any(one.shown for one in count.rounds) and not count.watched.after:
        told.append("How many cards are burned is averaged over the card shown, which is counted like any other.")
    told.append(in_words(conventions, answer.cut is not None))
    if count.paytable.bet.given:
        told.append("Bets are rounds in which the bet's condition holds too; without it the wager comes back.")
    told += basis_notes(answer.played)
    if answer.played.ride is not None and (option := answer.played.study.option):
        told += option.notes  # they name the rules of the table and the strategy
    told += meter_units([answer.played.study.analysis])
    if count.uses.in_view:
        told.append(
            "Gained by seeing cards: one bets where the count and the ranks in view together promise a gain, and not "
            "where the count alone does."
        )
    told.append("Desirability: a thousand times what a round wins over its standard deviation.")
    if count.most is not None:
        told.append(
            "Standard deviation and desirability are intervals whose ends are exact bounds: the hands of a split meet "
            "one dealer, and how they go together is not worked out."
        )
    return tuple(told)


def basis_notes(way: Played) -> tuple[str, ...]:
    """Say how rounds are played while cards are counted, if anything is decided in them."""
    if way.study.play is not None:
        return (
            "Rounds are played as is best off the top, whatever the count is: it only decides whether one bets. The "
            "betting correlation is that with the effects of removal on this one play.",
        )
    if way.ride is None or way.study.option is None:
        return ()
    return (
        f"With the {way.study.option.kind}: hands are played, and winnings left or taken, as with all cards in the "
        "shoe; who counts decides only whether to bet. So the average edge over all counts is that off the top.",
        f"A hand and the dealer's take up to {way.ride.longest} cards together; where fewer are left no round begins. "
        "Should a split use up the cards, each of its hands counts as if it were dealt first.",
    )


def in_words(conventions: Conventions, with_rounds: bool = True) -> str:
    r"""Say by which customs the cards are counted.

    >>> from combinat.advantage.conventions import BLACKJACK
    >>> print(in_words(BLACKJACK).replace("; ", ";\n"))
    Conventions of blackjack: one card is burned unseen;
    the true count is the running count over the decks not seen, exact.
    """
    parts = _begins(conventions) if with_rounds else []
    if conventions.true_count == "running":
        parts.append(f"the running count alone, from {conventions.start}")
    else:
        left = {"unseen": "not seen", "physical": "left in the shoe"}[conventions.divisor]
        nearest = {"exact": "", "half": " to the nearest half", "whole": " to the nearest whole one"}[conventions.decks]
        start = f" from {conventions.start}" if conventions.start else ""
        parts.append(
            f"the true count is the running count{start} over the decks {left}{nearest}, {conventions.true_count}"
        )
    return f"Conventions of {conventions.name}: {'; '.join(parts)}."


def _burned(burned: int, seen: int) -> str:
    """Say how many cards are burned, and how many of them are seen.

    >>> _burned(1, 1), _burned(3, 1)
    ('one card is burned and seen', '3 cards are burned, 1 of them seen')
    """
    cards = "one card is burned" if burned == 1 else f"{burned} cards are burned"
    return f"{cards} unseen" if not seen else f"{cards} and seen" if seen == burned else f"{cards}, {seen} of them seen"


def _begins(conventions: Conventions) -> list[str]:
    """Say what is burned, and when the first and the last round begin."""
    parts = []
    if conventions.first:
        parts.append(f"{conventions.first} cards are seen before the first round")
    if conventions.burns_by_first_card:
        parts.append("the first card is shown and as many as its points are burned unseen")
    elif conventions.burned:
        parts.append(_burned(conventions.burned, conventions.burned_seen))
    if conventions.rounds_after_cut:
        parts.append(f"{conventions.rounds_after_cut} more after the round in which the cut card comes")
    return parts
