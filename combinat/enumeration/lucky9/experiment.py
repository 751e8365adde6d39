"""The round of Lucky 9 as an experiment, registered for the deals `lucky 9` and `lucky 9 tie`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from combinat.enumeration.decision import RoundStrategy
from combinat.enumeration.experiment import CardResolution, ExposedView
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.lucky9.deal import LuckyNine
from combinat.enumeration.lucky9.enumerator import LuckyRound, card_value, count_values
from combinat.enumeration.lucky9.round import OutcomeWays, ValueCounts
from combinat.enumeration.lucky9.strategy import LuckyNineStrategy, count_under_strategy
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.tally import AwardCounts
from decks import Composition, Pack, Shoe


class LuckyExperiment(LuckyRound, frozen=True):
    """A round with the full interface of an experiment; rarely used parts are imported on demand."""

    @property
    def counts_hands(self) -> bool:
        """Return `False`: a way is an order of the maximum number of cards of a round."""
        return False

    @property
    def detail_title(self) -> str:
        """Title of the detail of an outcome: the action and its result."""
        return "play"

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Yield the outcomes of every hand against every up card."""
        from combinat.enumeration.lucky9.ledger import outcomes

        return outcomes(self, composition)

    def listing(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """Return which cards outcomes distinguish: values only; there are too many rounds to list."""
        single_ranks = tuple((int(rank),) for rank in self.pack.ranks if card_value(rank))
        tens = tuple(int(rank) for rank in self.pack.ranks if not card_value(rank))
        return CardResolution(
            (*single_ranks, tens), asks_suits=False, reason_not_listed="rounds of Lucky 9 are too many to be listed"
        )

    def count_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Count the rounds by how many cards of each rank class they use, under best play for the composition."""
        from combinat.enumeration.lucky9.rank_usage import count_rank_usage

        return count_rank_usage(self, self.played(composition).policy, composition, classes)

    def with_fixed_strategy(self, composition: Composition) -> FixedStrategyRound:
        """Return the same round with the strategy that is best for `composition` fixed for every composition."""
        return FixedStrategyRound(self.deal, self.pack, self.ladder, self.played(composition).policy)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return an example for each award."""
        from combinat.enumeration.lucky9.ledger import examples

        return examples(self, composition)

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the probability of each award by action."""
        from combinat.enumeration.lucky9.ledger import derivation

        return derivation(self, shoe.composition)

    def views(self) -> tuple[ExposedView, ...]:
        """Return no view: the wager is made before any card is exposed."""
        return ()

    def cycle_in_words(self, shoe: Shoe, ways: AwardCounts, condition: str) -> str:  # noqa: ARG002  # it is of no shoe in particular
        """Describe what an outcome is."""
        only = f" Only those count where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the first {self.deal.rules.length} cards, the most that a round can take; all "
            f"orders are equally likely.{only} Their number has {len(str(ways.cycle))} digits, so the table gives "
            "exact probabilities; the ways stand in the JSON sheet and in the ledger."
        )

    def assumptions(self) -> tuple[str, ...]:
        """Describe the rules of the round."""
        from combinat.enumeration.lucky9.strategy import assumptions

        return assumptions(self.deal)


class FixedStrategyRound(LuckyExperiment, frozen=True):
    """A round played by a fixed strategy."""

    policy: LuckyNineStrategy

    @cached_property
    def _laws(self) -> dict[ValueCounts, OutcomeWays]:
        """Cache of distributions by card values: all shoes less one ten-valued card are equal."""
        return {}

    def count(self, composition: Composition) -> AwardCounts:
        """Count the outcomes of the fixed strategy for a composition."""
        counts = count_values(composition)
        law = self._laws[counts] = self._laws.get(counts) or count_under_strategy(self.deal.rules, counts, self.policy)
        totals = self.parts.each(lambda keys: sum(law.get(key, 0) for key in keys))
        return self.ladder.ways(totals, sum(law.values()), 1)


def experiment(deal: LuckyNine, pack: Pack, ladder: Ladder, roles_distinct: bool) -> LuckyExperiment:  # noqa: ARG001
    """Return the experiment of a round; there are no roles to distinguish."""
    return LuckyExperiment(deal, pack, ladder)


def play(experiment: LuckyExperiment, shoe: Shoe) -> RoundStrategy:
    """Return the best play for a shoe."""
    from combinat.enumeration.lucky9.strategy import LuckyPlay

    return LuckyPlay(experiment.deal, experiment.played(shoe.composition), count_values(shoe.composition))
