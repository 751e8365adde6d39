"""The experiment of a fixed deal: what the registry imports for deals such as `player:2, up:1`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

from combinat.enumeration.experiment import CardResolution, Experiment
from combinat.enumeration.fixed.deal import FixedDeal
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.ledger import (
    count_hand_outcomes,
    derive_hand_counts,
    hand_examples,
    iter_hand_outcomes,
    reason_not_listed,
)
from combinat.enumeration.fixed.suits import suit_questions
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.tally import AwardCounts, Tally
from decks import Card, Composition, Pack, Shoe

if TYPE_CHECKING:
    from combinat.enumeration.fixed.batch import BatchCounter


class FixedExperiment(Experiment):
    """A fixed deal, counted by a `FixedEnumerator`; parts that need numpy are imported on demand."""

    deal: FixedDeal

    def __init__(self, deal: FixedDeal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> None:
        super().__init__(deal, pack, ladder)
        self.enumerator = FixedEnumerator(deal, pack, ladder, roles_distinct)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self.enumerator.full_deck_tally

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's hands for any composition."""
        return self.enumerator.count(composition)

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Iterate over the counts of many compositions, evaluated in batches."""
        return self._batch_counter.count(compositions)

    @cached_property
    def _batch_counter(self) -> BatchCounter:
        from combinat.enumeration.fixed.batch import BatchCounter

        return BatchCounter(self.enumerator)

    def count_without_each(
        self, composition: Composition, groups: Sequence[Sequence[Card]]
    ) -> Sequence[AwardCounts] | None:
        """Count the hands without one card of each rank at once, if hands are many and each group is one rank."""
        ranks = [card.rank for cards in groups for card in cards[:1]]
        is_small = not reason_not_listed(self.enumerator)
        if is_small or len(set(ranks)) < len(ranks) or composition.size <= self.deal.card_count:
            return None
        from combinat.enumeration.fixed.batch import counts_without_each

        return counts_without_each(self.enumerator, composition, groups)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:
        """Return for each rule whether it takes any hand."""
        return self.enumerator.reachable_rules(enough)

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Iterate over the orbits of hands under suit permutations."""
        return iter_hand_outcomes(self.enumerator, composition)

    def count_outcomes(self, composition: Composition) -> int:
        """Count the orbits of hands."""
        return count_hand_outcomes(self.enumerator, composition)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return a typical hand for each award."""
        return hand_examples(self.enumerator, composition)

    def card_resolution(self, composition: Composition) -> CardResolution:
        """Return the resolution of outcomes: an outcome is one hand up to suit permutations."""
        facts = (rule.fact for rule in self.ladder.all_rules)
        return CardResolution(
            tuple((int(rank),) for rank in self.pack.ranks),
            self.enumerator.suit_permutations_at(composition),
            bool(suit_questions(facts, self.enumerator.jokerless_case.layout)),
            reason_not_listed(self.enumerator),
        )

    def count_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Sum the hands by the number of cards of each rank class."""
        from combinat.enumeration.fixed.batch import ways_by_ranks_used

        return ways_by_ranks_used(self.enumerator, composition, classes)

    def count_spots_jointly(
        self, composition: Composition, spot_count: int, *, by_class: bool = False
    ) -> dict[tuple[int, ...], int] | None:
        """Count the joint awards of several spots that share the dealer's cards."""
        from combinat.enumeration.fixed.spots import spots_together

        return spots_together(self.enumerator, composition, spot_count, by_class=by_class)

    def can_count_spots(self, composition: Composition, spot_count: int) -> bool:
        """Return whether the joint awards of `spot_count` spots are feasible."""
        from combinat.enumeration.fixed.spots import can_count_spots

        return can_count_spots(self.enumerator, composition, spot_count)

    def max_spots(self, card_count: int) -> int | None:
        """Return the number of spots for which `card_count` cards suffice beside the dealer's cards."""
        dealer_count, spot_size = len(self.deal.dealer_positions), len(self.deal.spot_positions)
        return (card_count - dealer_count) // spot_size if spot_size else None

    def joint_win_probabilities(
        self, composition: Composition, award_indexes: Collection[int], spot_count: int
    ) -> tuple[Fraction, ...] | None:
        """Return the probabilities that 1, 2, ... spots all win one of `award_indexes`."""
        from combinat.enumeration.fixed.spots import winning_together

        return winning_together(self.enumerator, composition, award_indexes, spot_count)

    @property
    def counts_hands(self) -> bool:
        """A way is a hand."""
        return True

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts by how often cards repeat."""
        return derive_hand_counts(self.enumerator, self.tally(), shoe)

    def cycle_in_words(self, shoe: Shoe, award_counts: AwardCounts, condition: str) -> str:
        """Return the number of hands as a product of binomial coefficients, in words."""
        is_distinct = self.enumerator.roles_distinct
        remaining, hand_count, terms = shoe.size, 1, []
        for count in [size for _, size in self.deal.roles] if is_distinct else [self.deal.card_count]:
            terms.append(f"C({remaining}, {count})")
            hand_count *= comb(remaining, count)
            remaining -= count
        only = f", of which {award_counts.cycle:,} count, where this holds: {condition}" if condition else ""
        return f"There are {' · '.join(terms)} = {hand_count:,} hands, all equally likely{only}."

    def assumptions(self) -> tuple[str, ...]:
        """Return whether roles matter, as a sentence."""
        if self.enumerator.roles_distinct:
            return ("Hands are ordered by role: it matters who holds which cards.",)
        return ("The order of the cards and who holds which do not matter, so hands are counted as combinations.",)


def experiment(deal: FixedDeal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> FixedExperiment:
    """Build the experiment of a fixed deal."""
    return FixedExperiment(deal, pack, ladder, roles_distinct)
