"""Cross tabulation: counts of every combination of answers to several questions about the same cards.

Each combination that some outcome gives becomes a rule. The rules are disjoint, so their ladder is counted like any
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from msgspec import Struct

from combinat.enumeration.experiment import Experiment, experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import AwardCounts
from combinat.language.deal import Deal
from combinat.language.rules import And, Fact, Rule
from decks import InputError, Pack, Shoe

MAX_CELLS = 2_000
"""The largest number of combinations that is counted; more would take minutes."""
_MAX_UNFILTERED = 12
"""Up to this number, counting all combinations is faster than finding the possible ones first."""

Answers = tuple[Fact, ...]
"""The answers to one question; every outcome satisfies exactly one."""


class CrossTab(Struct, frozen=True):
    """The possible combinations of answers, with the experiment that counts them."""

    experiment: Experiment
    cells: tuple[tuple[int, ...], ...]
    """For each rule of the ladder, the index of the answer to every question."""

    def at(self, shoe: Shoe) -> dict[tuple[int, ...], int]:
        """Count the outcomes of each combination of answers from a shoe."""
        return self.by_cell(
            self.experiment.tally().at(shoe.decks) if shoe.is_full else self.experiment.count(shoe.composition)
        )

    def by_cell(self, award_counts: AwardCounts) -> dict[tuple[int, ...], int]:
        """Return the counts of a ladder by combination of answers, without zeros."""
        return {cell: count for cell, count in zip(self.cells, award_counts.wins, strict=True) if count}


def build_crosstab(
    deal: Deal,
    pack: Pack,
    questions: Sequence[Answers],
    condition: Rule | None = None,
    *,
    roles_distinct: bool = True,
) -> CrossTab:
    """Build the cross tabulation of questions about a deal; roles must be distinct if an answer distinguishes them.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from combinat.language.rules import Not
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2")
    >>> facts = [parse_rule(text, deal).fact for text in ("suited", "pair")]
    >>> crossing = build_crosstab(deal, STANDARD, [(fact, Not(fact)) for fact in facts])
    >>> crossing.at(Shoe(1))  # no pair of one deck is suited
    {(0, 1): 312, (1, 0): 78, (1, 1): 936}
    """

    def build(cells: Sequence[tuple[tuple[int, ...], tuple[Fact, ...]]]) -> Experiment:
        rules = tuple(_rule(cell, facts) for cell, facts in cells)
        return experiment(deal, pack, Ladder(rules, condition), roles_distinct)

    cells: list[tuple[tuple[int, ...], tuple[Fact, ...]]] = [((), ())]
    for answers in questions:
        longer_cells = [
            ((*cell, answer_index), (*facts, fact))
            for cell, facts in cells
            for answer_index, fact in enumerate(answers)
        ]
        if len(longer_cells) > _MAX_UNFILTERED:
            longer_cells = list(compress(longer_cells, build(longer_cells).reachable_rules(MAX_CELLS + 1)))
        if len(longer_cells) > MAX_CELLS:
            raise InputError(f"the rules have more than {MAX_CELLS:,} combinations; use fewer rules at once")
        cells = longer_cells
    return CrossTab(build(cells), tuple(cell for cell, _ in cells))


def _rule(cell: tuple[int, ...], facts: tuple[Fact, ...]) -> Rule:
    return Rule(str(cell), And(facts) if len(facts) > 1 else facts[0], frozenset())
