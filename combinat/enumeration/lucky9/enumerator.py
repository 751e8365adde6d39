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
        return solve_round(self.objective, tuple(copies * decks for copies in self.deck))

    @cached_property
    def _infinite(self) -> SolvedRound:
        return solve_round(self.objective, self.deck, infinite=True)

    def at(self, decks: int) -> AwardCounts:
        """Count the outcomes of best play with a number of decks."""
        solution = self.best(decks)

        def ways(counts: Counts) -> int:
            return _total(solution.outcome_ways, counts)

        return AwardCounts(
            cycle=solution.cycle - ways(self.excluded),
            matches=tuple(map(ways, self.matches)),
            wins=tuple(map(ways, self.wins)),
            losing=ways(self.losing),
        )

    @cached_property
    def _ways_by_decks(self) -> tuple[OutcomeWays, ...]:
        """Ways of each outcome with one, two, three … decks, under the strategy of the formulas."""
        strategy = self._infinite.strategy
        counts = [tuple(copies * decks for copies in self.deck) for decks in range(1, self.length + 2)]
        return tuple(count_under_strategy(self.objective.rules, copies, strategy) for copies in counts)

    def polynomial(self, counts: Counts) -> Polynomial:
        """Return the ways under the fixed strategy as a polynomial in the number of decks n."""
        return NewtonPolynomial.through(
            1, [_total(outcome_ways, counts) for outcome_ways in self._ways_by_decks]
        ).polynomial

    def limit(self, counts: Counts) -> Fraction:
        """Return the probability with an infinite deck."""
        solution = self._infinite
        return Fraction(
            _total(solution.outcome_ways, counts), solution.cycle - _total(solution.outcome_ways, self.excluded)
        )

    def first_decks(self, counts: Counts) -> int | None:
        """Return the smallest number of decks with which best play can give an outcome, `None` if there is none."""
        if not Tally.shapes(counts):
            return None
        return next((decks for decks in SEARCHED_DECKS if _total(self.best(decks).outcome_ways, counts)), None)


def _total(outcome_ways: OutcomeWays, counts: Counts) -> int:
    """Return the total ways of some outcomes."""
    return sum(outcome_ways.get(key, 0) for key in Tally.shapes(counts))


class LuckyEnumerator(Struct, frozen=True, dict=True):
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
        max_hands = max(self.deal.max_hands, 1)
        combinations = product(range(-max_hands, max_hands + 1), (False, True), range(NINE + 1), (False, True))
        return tuple(Key(*key) for key in combinations if abs(key[0]) <= 1 or not key[3])

    @cached_property
    def parts(self) -> Partition[tuple[Key, ...]]:
        """The outcomes in each bucket of the ladder."""
        sort: Callable[[None], Partition[Mask]] = self.ladder.judge(RoundEvaluator(self.keys))
        rows = sort(None)
        return rows.map_values(lambda bits: tuple(self.keys[row] for row in iter_bits(bits)))

    @cached_property
    def awards(self) -> dict[Key, int | None]:
        """The award that each outcome wins, `None` if it loses."""
        awards: dict[Key, int | None] = dict.fromkeys(self.parts.losing)
        for award_index, keys in enumerate(self.parts.wins):
            awards |= dict.fromkeys(keys, award_index)
        return awards

    @cached_property
    def distinguishes_ties(self) -> bool:
        """Whether a rule depends on `is_tie`; else ties of split hands need not be counted."""
        return any({key._replace(is_tie=not key.is_tie) for key in keys} != set(keys) for keys in self.parts.all_values)

    def reachable_rules(self) -> tuple[bool, ...]:
        """Return for each rule whether best play with an infinite deck can win it."""
        tally = self.full_deck_tally
        return tuple(bool(tally.limit(wins)) for wins in tally.wins)

    @cached_property
    def full_deck_tally(self) -> RoundTally:
        """The counts for every number of decks."""
        tally = self.parts.map_values(lambda keys: dict.fromkeys(keys, 1))
        deck = count_values(self.pack.composition)
        length = self.deal.rules.length
        return RoundTally(
            self.pack.size,
            length,
            1,
            tally.matches,
            tally.wins,
            tally.losing,
            tally.excluded,
            objective=self.objective,
            deck=deck,
        )

    def solve(self, composition: Composition) -> SolvedRound:
        """Solve the round for a composition."""
        needed_count = self.deal.rules.length
        if composition.size < needed_count:
            raise InputError(f"a round can take {needed_count} cards; the shoe has {composition.size}")
        return solve_round(self.objective, count_values(composition))

    def count(self, composition: Composition) -> AwardCounts:
        """Count the outcomes of best play for a composition."""
        solution = self.solve(composition)
        return self.count_outcomes(solution.outcome_ways, solution.cycle)

    def count_outcomes(self, outcome_ways: OutcomeWays, cycle: int) -> AwardCounts:
        """Sum the ways of outcomes by award."""
        totals = self.parts.map_values(lambda keys: sum(outcome_ways.get(key, 0) for key in keys))
        return self.ladder.ways(totals, cycle, 1)


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
