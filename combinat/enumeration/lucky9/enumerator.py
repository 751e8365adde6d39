"""Count a Lucky 9 round under best play: for every number of full decks, and for any composition.

The best strategy depends on the number of decks, so best play has no single formula. Under a fixed strategy there is
one: the ways of an outcome are sums of products of falling factorials in the number of decks n, a polynomial whose
degree is at most the number of cards of a round. Newton interpolation finds it exactly. The formulas use the strategy
that is best with an infinite deck.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from itertools import product

from msgspec import Struct

from combinat.enumeration.ladder import Ladder
from combinat.enumeration.lucky9.deal import LuckyNine, RoundEvaluator
from combinat.enumeration.lucky9.round import Key, OutcomeWays, ValueCounts
from combinat.enumeration.lucky9.rules import CARD_VALUES, NINE
from combinat.enumeration.lucky9.strategy import Objective, SolvedRound, count_under_strategy, solve_round
from combinat.enumeration.table import Mask, iter_bits
from combinat.enumeration.tally import AwardCounts, Counts, Partition, Tally
from combinat.exact.polynomial import NewtonPolynomial, Polynomial
from combinat.language.words import baccarat_points
from decks import Composition, InputError, Pack, Rank

SEARCHED_DECKS = range(1, 13)
"""Deck counts searched for an outcome; one that twelve decks cannot give, no number gives."""


class RoundTally(Tally, frozen=True, dict=True, kw_only=True):
    """Tally of the outcomes of a round by `Key` instead of by shape; the base class counts the orders of cards."""

    objective: Objective
    deck: tuple[int, ...]
    """Number of cards of each value in one deck."""

    @property
    def note(self) -> str:
        """Explain which strategy the formulas assume."""
        return (
            "The formulas are those of one play, the best with infinite decks, kept at every number of decks. The best "
            "play with n decks can differ in a few hands; the figures of a number of decks are always those of its own "
            "best play, so they can be slightly better for the player than the formula."
        )

    def best(self, decks: int) -> SolvedRound:
        """Return the solved round for a number of full decks."""
        return solve_round(self.objective, tuple(cards * decks for cards in self.deck))

    @cached_property
    def _infinite(self) -> SolvedRound:
        return solve_round(self.objective, self.deck, infinite=True)

    def at(self, decks: int) -> AwardCounts:
        """Count the outcomes of best play with a number of decks."""
        solution = self.best(decks)

        def ways(counts: Counts) -> int:
            return _total(solution.law, counts)

        return AwardCounts(
            cycle=solution.cycle - ways(self.excluded),
            matches=tuple(map(ways, self.matches)),
            wins=tuple(map(ways, self.wins)),
            losing=ways(self.losing),
        )

    @cached_property
    def _followed(self) -> tuple[OutcomeWays, ...]:
        """Ways of each outcome with one, two, three … decks, under the strategy of the formulas."""
        policy = self._infinite.policy
        counts = [tuple(cards * decks for cards in self.deck) for decks in range(1, self.length + 2)]
        return tuple(count_under_strategy(self.objective.rules, cards, policy) for cards in counts)

    def polynomial(self, counts: Counts) -> Polynomial:
        """Return the ways under the fixed strategy as a polynomial in the number of decks n."""
        return NewtonPolynomial.through(1, [_total(law, counts) for law in self._followed]).polynomial

    def limit(self, counts: Counts) -> Fraction:
        """Return the probability with an infinite deck."""
        solution = self._infinite
        return Fraction(_total(solution.law, counts), solution.cycle - _total(solution.law, self.excluded))

    def first_decks(self, counts: Counts) -> int | None:
        """Return the smallest number of decks with which best play can give an outcome, `None` if there is none."""
        if not Tally.shapes(counts):
            return None
        return next((decks for decks in SEARCHED_DECKS if _total(self.best(decks).law, counts)), None)


def _total(law: OutcomeWays, counts: Counts) -> int:
    """Return the total ways of some outcomes."""
    return sum(law.get(key, 0) for key in Tally.shapes(counts))


class LuckyRound(Struct, frozen=True, dict=True):
    """A round under the rules of a table, partitioned by a ladder."""

    deal: LuckyNine
    pack: Pack
    ladder: Ladder

    @property
    def objective(self) -> Objective:
        """The objective that best play maximizes."""
        return Objective(self.deal.rules, self.deal.tie_pays, self.deal.tie_stake)

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Every conceivable outcome of a round."""
        max_hands = max(self.deal.most_hands, 1)
        combinations = product(range(-max_hands, max_hands + 1), (False, True), range(NINE + 1), (False, True))
        return tuple(Key(*key) for key in combinations if abs(key[0]) <= 1 or not key[3])

    @cached_property
    def parts(self) -> Partition[tuple[Key, ...]]:
        """The outcomes in each bucket of the ladder."""
        sort: Callable[[None], Partition[Mask]] = self.ladder.judge(RoundEvaluator(self.keys))
        rows = sort(None)
        return rows.each(lambda bits: tuple(self.keys[row] for row in iter_bits(bits)))

    @cached_property
    def awards(self) -> dict[Key, int | None]:
        """The award that each outcome wins, `None` if it loses."""
        awards: dict[Key, int | None] = dict.fromkeys(self.parts.losing)
        for award, keys in enumerate(self.parts.wins):
            awards |= dict.fromkeys(keys, award)
        return awards

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether best play with an infinite deck can win it."""
        tally = self.tally()
        return tuple(bool(tally.limit(wins)) for wins in tally.wins)

    def tally(self) -> RoundTally:
        """Return the counts for every number of decks."""
        return self._full_deck_tally

    @cached_property
    def _full_deck_tally(self) -> RoundTally:
        listed = self.parts.each(lambda keys: dict.fromkeys(keys, 1))
        deck = count_values(self.pack.composition)
        length = self.deal.rules.length
        return RoundTally(
            self.pack.size,
            length,
            1,
            listed.matches,
            listed.wins,
            listed.losing,
            listed.excluded,
            objective=self.objective,
            deck=deck,
        )

    def played(self, composition: Composition) -> SolvedRound:
        """Solve the round for a composition."""
        needed = self.deal.rules.length
        if composition.size < needed:
            raise InputError(f"a round can take {needed} cards; the shoe has {composition.size}")
        return solve_round(self.objective, count_values(composition))

    def count(self, composition: Composition) -> AwardCounts:
        """Count the outcomes of best play for a composition."""
        solution = self.played(composition)
        totals = self.parts.each(lambda keys: sum(solution.law.get(key, 0) for key in keys))
        return self.ladder.ways(totals, solution.cycle, 1)


def count_values(composition: Composition) -> ValueCounts:
    """Count the cards of a composition by value.

    >>> from decks import STANDARD
    >>> count_values(STANDARD.composition)
    (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)
    """
    counts = [0] * len(CARD_VALUES)
    for card, copies in composition:
        counts[card_value(card.rank)] += copies
    return tuple(counts)


def card_value(rank: Rank) -> int:
    """Return the value of a rank."""
    return baccarat_points((int(rank),))
