"""The round of Lucky 9 as an experiment: what the registry loads for the deals `lucky 9` and `lucky 9 tie`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from combinat.enumeration.decision import Play
from combinat.enumeration.experiment import CardResolution, View
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.lucky9.deal import LuckyNine
from combinat.enumeration.lucky9.enumerator import LuckyRound, counts_of, kind_of
from combinat.enumeration.lucky9.round import OutcomeWays, ValueCounts
from combinat.enumeration.lucky9.strategy import Policy, count_under_strategy
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.tally import AwardCounts
from decks import Composition, Pack, Shoe


class LuckyExperiment(LuckyRound, frozen=True):
    """A round with all that readers ask of it; what few questions ask is loaded then."""

    @property
    def counts_hands(self) -> bool:
        """A way is an order of as many cards as a round can take."""
        return False

    @property
    def detail_title(self) -> str:
        """A class is known by what was done, and what came of it."""
        return "play"

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """List the outcomes of every hand against every up card."""
        from combinat.enumeration.lucky9.ledger import outcomes

        return outcomes(self, composition)

    def listing(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """A round is known by what its cards count; there are far too many to be listed one by one."""
        single_ranks = tuple((int(rank),) for rank in self.pack.ranks if kind_of(rank))
        tens = tuple(int(rank) for rank in self.pack.ranks if not kind_of(rank))
        return CardResolution(
            (*single_ranks, tens), asks_suits=False, unlisted="rounds of Lucky 9 are too many to be listed"
        )

    def taken_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Sum the rounds up by how many cards of each class of ranks they take, played as is best from the shoe."""
        from combinat.enumeration.lucky9.rank_usage import taken_by_rank

        return taken_by_rank(self, self.played(composition).policy, composition, classes)

    def with_play_kept(self, composition: Composition) -> FixedStrategyRound:
        """The same round played as is best from a shoe, whatever shoe it comes from then."""
        return FixedStrategyRound(self.deal, self.pack, self.ladder, self.played(composition).policy)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Give a round for each award."""
        from combinat.enumeration.lucky9.ledger import examples

        return examples(self, composition)

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Tell how often each award comes by each action."""
        from combinat.enumeration.lucky9.ledger import derivation

        return derivation(self, shoe.composition)

    def views(self) -> tuple[View, ...]:
        """The wager is made before any card is seen."""
        return ()

    def cycle_in_words(self, shoe: Shoe, ways: AwardCounts, condition: str) -> str:  # noqa: ARG002  # it is of no shoe in particular
        """Say what an outcome is."""
        only = f" Only those count where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the first {self.deal.rules.length} cards, the most that a round can take; all "
            f"orders are equally likely.{only} Their number has {len(str(ways.cycle))} digits, so the table gives "
            "exact probabilities; the ways stand in the JSON sheet and in the ledger."
        )

    def assumptions(self) -> tuple[str, ...]:
        """Say how the round goes."""
        from combinat.enumeration.lucky9.strategy import assumptions

        return assumptions(self.deal)


class FixedStrategyRound(LuckyExperiment, frozen=True):
    """A round that is always played alike."""

    policy: Policy

    @cached_property
    def _laws(self) -> dict[ValueCounts, OutcomeWays]:
        """What is known already, by the cards of the shoe: without a ten all shoes are alike."""
        return {}

    def weigh(self, composition: Composition) -> AwardCounts:
        """Count the outcomes of the play that is kept, from any shoe."""
        counts = counts_of(composition)
        law = self._laws[counts] = self._laws.get(counts) or count_under_strategy(self.deal.rules, counts, self.policy)
        totals = self.parts.each(lambda keys: sum(law.get(key, 0) for key in keys))
        return self.ladder.ways(totals, sum(law.values()), 1)


def experiment(deal: LuckyNine, pack: Pack, ladder: Ladder, roles_distinct: bool) -> LuckyExperiment:  # noqa: ARG001
    """Make the experiment of a round; there are no roles to tell apart."""
    return LuckyExperiment(deal, pack, ladder)


def play(experiment: LuckyExperiment, shoe: Shoe) -> Play:
    """Tell how a round from a shoe is played."""
    from combinat.enumeration.lucky9.strategy import LuckyPlay

    return LuckyPlay(experiment.deal, experiment.played(shoe.composition), counts_of(shoe.composition))
