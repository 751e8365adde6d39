"""The experiment of a fixed deal: what the registry imports for deals such as `player:2, up:1`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

from combinat.enumeration.experiment import CardResolution, ExposedView
from combinat.enumeration.fixed.deal import FixedDeal
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.ledger import count_outcomes, derivation, examples, outcomes, reason_not_listed
from combinat.enumeration.fixed.suits import suit_questions
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.tally import AwardCounts
from decks import Card, Composition, Pack, Shoe

if TYPE_CHECKING:
    from combinat.enumeration.fixed.batch import BatchCounter


class FixedExperiment(FixedEnumerator, frozen=True):
    """A fixed deal with all capabilities of an experiment; rarely used ones are imported on demand."""

    @property
    def counts_hands(self) -> bool:
        """A way is a hand."""
        return True

    @property
    def detail_title(self) -> str:
        """A class is known by its cards."""
        return ""

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Iterate over the counts of many compositions, evaluated in batches."""
        return self._many_shoes.count(compositions)

    @cached_property
    def _many_shoes(self) -> BatchCounter:
        from combinat.enumeration.fixed.batch import BatchCounter  # one shoe does without numpy

        return BatchCounter(self)

    def count_without_each(
        self, composition: Composition, groups: Sequence[Sequence[Card]]
    ) -> Sequence[AwardCounts] | None:
        """Count the hands without one card of each rank at once, if they are many and the suits of a rank are alike."""
        ranks = [card.rank for cards in groups for card in cards[:1]]
        if not reason_not_listed(self) or len(set(ranks)) < len(ranks) or composition.size <= self.deal.card_count:
            return None
        from combinat.enumeration.fixed.batch import counts_without_each

        return counts_without_each(self, composition, groups)

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """List every class of hands that a shoe can give."""
        return outcomes(self, composition)

    def count_outcomes(self, composition: Composition) -> int:
        """Count the classes of hands that a shoe can give."""
        return count_outcomes(self, composition)

    def listing(self, composition: Composition) -> CardResolution:
        """An outcome is one hand up to suit permutations."""
        asks = suit_questions((rule.fact for rule in self.ladder.all_rules), self.jokerless_case.layout)
        ranks = tuple((int(rank),) for rank in self.pack.ranks)
        return CardResolution(ranks, self.suit_permutations_at(composition), bool(asks), reason_not_listed(self))

    def count_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Sum the hands by the number of cards of each rank class."""
        from combinat.enumeration.fixed.batch import ways_by_ranks_used

        return ways_by_ranks_used(self, composition, classes)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return a hand for each award."""
        return examples(self, composition)

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts by how often cards repeat."""
        return derivation(self, self.tally(), shoe)

    def views(self) -> tuple[ExposedView, ...]:
        """The bet is made before any card is exposed."""
        return ()

    def joint_win_probabilities(
        self, composition: Composition, awards: Collection[int], seats: int
    ) -> tuple[Fraction, ...] | None:
        """Return the probabilities that 1, 2, ... spots all win one of these awards in one round."""
        from combinat.enumeration.fixed.spots import winning_together

        return winning_together(self, composition, awards, seats)

    def spots_together(
        self, composition: Composition, spots: int, *, by_class: bool = False
    ) -> dict[tuple[int, ...], int] | None:
        """Count the joint awards of several spots in one round."""
        from combinat.enumeration.fixed.spots import spots_together  # one spot does without numpy

        return spots_together(self, composition, spots, by_class=by_class)

    def can_count_spots(self, composition: Composition, spots: int) -> bool:
        """Return whether the joint awards of `spots` spots are feasible."""
        from combinat.enumeration.fixed.spots import can_count_spots

        return can_count_spots(self, composition, spots)

    def spots_for(self, cards: int) -> int | None:
        """Return the number of spots that `cards` cards suffice for beside the dealer's cards."""
        from combinat.enumeration.fixed.spots import DEALER_ROLES

        own_cards = sum(count for role, count in self.deal.roles if role not in DEALER_ROLES)
        return (cards - self.deal.card_count + own_cards) // own_cards if own_cards else None

    def cycle_in_words(self, shoe: Shoe, ways: AwardCounts, condition: str) -> str:
        """Return the number of hands as a product of binomial coefficients, in words."""
        remaining, hands, terms = shoe.size, 1, []
        for count in [size for _, size in self.deal.roles] if self.roles_distinct else [self.deal.card_count]:
            terms.append(f"C({remaining}, {count})")
            hands *= comb(remaining, count)
            remaining -= count
        only = f", of which {ways.cycle:,} count, where this holds: {condition}" if condition else ""
        return f"There are {' · '.join(terms)} = {hands:,} hands, all equally likely{only}."

    def assumptions(self) -> tuple[str, ...]:
        """Return whether roles matter, as a sentence."""
        if self.roles_distinct:
            return ("Hands are told apart by who holds which cards.",)
        return ("The order of the cards and who holds which do not matter, so hands are counted as combinations.",)


def experiment(deal: FixedDeal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> FixedExperiment:
    """Build the experiment of a fixed deal."""
    return FixedExperiment(deal, pack, ladder, roles_distinct)
