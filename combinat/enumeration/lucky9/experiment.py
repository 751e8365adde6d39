"""The round of Lucky 9 as an experiment, registered for the deals `lucky 9` and `lucky 9 tie`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combinat.enumeration.decision import RoundStrategy
from combinat.enumeration.experiment import CardResolution, Experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.lucky9.deal import LuckyNine
from combinat.enumeration.lucky9.enumerator import LuckyEnumerator, RoundTally, card_value, count_values
from combinat.enumeration.lucky9.ledger import derive_round_probabilities, iter_round_outcomes, round_examples
from combinat.enumeration.lucky9.rank_usage import count_rank_usage
from combinat.enumeration.lucky9.round import OutcomeWays, ValueCounts
from combinat.enumeration.lucky9.strategy import LuckyNineStrategy, LuckyPlay, assumptions, count_under_strategy
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.tally import AwardCounts
from decks import Composition, Pack, Shoe


class LuckyExperiment(Experiment):
    """A round of Lucky 9 under best play."""

    deal: LuckyNine

    def __init__(self, deal: LuckyNine, pack: Pack, ladder: Ladder) -> None:
        super().__init__(deal, pack, ladder)
        self.enumerator = LuckyEnumerator(deal, pack, ladder)

    def tally(self) -> RoundTally:
        """Return the counts for every number of decks."""
        return self.enumerator.full_deck_tally

    def count(self, composition: Composition) -> AwardCounts:
        """Count the outcomes of best play for a composition."""
        return self.enumerator.count(composition)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether best play with an infinite deck can win it."""
        return self.enumerator.reachable_rules()

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Yield the outcomes of every hand against every up card."""
        return iter_round_outcomes(self.enumerator, composition)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return an example for each award."""
        return round_examples(self.enumerator, composition)

    def card_resolution(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """Return which cards outcomes distinguish: values only; there are too many rounds to list."""
        single_ranks = tuple((int(rank),) for rank in self.pack.ranks if card_value(rank))
        tens = tuple(int(rank) for rank in self.pack.ranks if not card_value(rank))
        return CardResolution(
            (*single_ranks, tens), uses_suits=False, reason_not_listed="rounds of Lucky 9 are too many to be listed"
        )

    def count_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Count the rounds by how many cards of each rank class they use, under best play for the composition."""
        strategy = self.enumerator.solve(composition).strategy
        return count_rank_usage(self.enumerator, strategy, composition, classes)

    @property
    def has_decisions(self) -> bool:
        """The player stands, hits or splits."""
        return True

    def solve_strategy(self, shoe: Shoe) -> RoundStrategy:
        """Return the best play for a shoe."""
        composition = shoe.composition
        return LuckyPlay(self.deal, self.enumerator.solve(composition), count_values(composition))

    def fix_strategy(self, composition: Composition) -> FixedStrategyExperiment:
        """Return the same round with the strategy that is best for `composition` fixed for every composition."""
        strategy = self.enumerator.solve(composition).strategy
        return FixedStrategyExperiment(self.deal, self.pack, self.ladder, strategy)

    @property
    def detail_title(self) -> str:
        """Title of the detail of an outcome: the action and its result."""
        return "play"

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the probability of each award by action."""
        return derive_round_probabilities(self.enumerator, shoe.composition)

    def cycle_in_words(self, shoe: Shoe, award_counts: AwardCounts, condition: str) -> str:  # noqa: ARG002
        """Describe what an outcome is; the text is the same for every shoe."""
        only = f" Only those count where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the first {self.deal.rules.length} cards, the most that a round can take; all "
            f"orders are equally likely.{only} Their number has {len(str(award_counts.cycle))} digits, so the table "
            "gives exact probabilities; the ways stand in the JSON sheet and in the ledger."
        )

    def assumptions(self) -> tuple[str, ...]:
        """Describe the rules of the round."""
        return assumptions(self.deal)


class FixedStrategyExperiment(LuckyExperiment):
    """A round played by a fixed strategy."""

    def __init__(self, deal: LuckyNine, pack: Pack, ladder: Ladder, strategy: LuckyNineStrategy) -> None:
        super().__init__(deal, pack, ladder)
        self._policy = strategy
        self._ways: dict[ValueCounts, OutcomeWays] = {}
        """Cache by card values: all shoes less one ten-valued card are equal."""

    def count(self, composition: Composition) -> AwardCounts:
        """Count the outcomes of the fixed strategy for a composition."""
        counts = count_values(composition)
        if counts not in self._ways:
            self._ways[counts] = count_under_strategy(
                self.deal.rules, counts, self._policy, split_ties=self.enumerator.distinguishes_ties
            )
        ways = self._ways[counts]
        return self.enumerator.count_outcomes(ways, sum(ways.values()))


def experiment(deal: LuckyNine, pack: Pack, ladder: Ladder, roles_distinct: bool) -> LuckyExperiment:  # noqa: ARG001
    """Return the experiment of a round; there are no roles to distinguish."""
    return LuckyExperiment(deal, pack, ladder)
