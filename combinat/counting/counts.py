"""The value of a count: for each trigger the betting frequency, the edge when betting and the expected win, exactly.

`CountDistribution` holds the distribution of the running count at the depths where rounds begin, `CountResult`
evaluates triggers on it, and `BettingValue` is the result for one trigger.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.counting.burn_card import ByBurnCard, usage_by_burn_card
from combinat.counting.card_usage import CardUsage, card_usage
from combinat.counting.conventions import (
    DECK,
    Conventions,
    RoundStart,
    default_cut_card,
    round_starts,
    starts_at_depths,
)
from combinat.counting.running_count import AtDepth, iter_count_distributions, joint_count_table
from combinat.counting.tags import SuitSpread, Tags
from combinat.exact.interval import Span
from combinat.exact.surd import Surd
from decks import InputError, Shoe

if TYPE_CHECKING:
    from combinat.counting.parlay import ParlayCounter


class BettingValue(Struct, frozen=True):
    """Value of betting only when the count reaches `trigger`."""

    trigger: Fraction | None
    """Lowest count with a bet; `None` to bet always."""
    frequency: Fraction
    """Fraction of rounds with a bet."""
    won: Fraction
    """Expected win per round dealt, including rounds without a bet."""
    squared: Fraction
    """Second moment of the win per round, or its lower bound."""
    rounds: Fraction
    """Rounds per shoe."""
    max_second_moment: Fraction | None = None
    """Upper bound of the second moment, where it is not known exactly."""

    @property
    def edge(self) -> Fraction | None:
        """The player's average edge when betting."""
        return self.won / self.frequency if self.frequency else None

    @property
    def per_hundred(self) -> Fraction:
        """Units won per 100 rounds, including rounds without a bet."""
        return 100 * self.won

    @property
    def per_shoe(self) -> Fraction:
        """Units won per shoe."""
        return self.rounds * self.won

    @property
    def deviation(self) -> Surd | Span | None:
        """The standard deviation of a wager when betting."""
        if not self.frequency:
            return None
        low, *high = (
            Surd(max(square / self.frequency - (self.won / self.frequency) ** 2, Fraction(0)))
            for square in self._squares
        )
        return Span(low, high[0]) if high and high[0] != low else low

    @property
    def desirability(self) -> Surd | Span | None:
        """Schlesinger's desirability index: 1000 times mean over standard deviation per round.

        >>> value = BettingValue(None, Fraction(1), Fraction(1, 10), Fraction(2, 100), Fraction(1), Fraction(5, 100))
        >>> str(value.desirability)
        'sqrt(250000) to sqrt(1000000)'
        """
        variances = [square - self.won**2 for square in self._squares]
        if min(variances) <= 0:
            return None
        indexes = [Surd(10**6 * self.won**2 / variance, negative=self.won < 0) for variance in variances]
        low, high = min(indexes), max(indexes)
        return low if low == high else Span(low, high)

    @property
    def _squares(self) -> list[Fraction]:
        return [self.squared] if self.max_second_moment is None else [self.squared, self.max_second_moment]


class CountDistribution(Struct, frozen=True):
    """Distribution of the running count by number of cards seen."""

    at: Mapping[int, AtDepth]
    after: Mapping[tuple[int, int], AtDepth] = {}
    """The same for shoes by the points of the burn card: keys are (cards seen, points); empty if not needed."""

    def of(self, start: RoundStart) -> AtDepth:
        """Return the distribution at the start of a round."""
        return self.after[start.seen, start.shown] if start.shown and self.after else self.at[start.seen]

    def extended(self, listed: ByBurnCard, tags: Sequence[int], starts: Sequence[RoundStart]) -> CountDistribution:
        """Return the distribution extended to further rounds; known ones are not computed again."""
        new = [
            start
            for start in starts
            if (start.seen, start.shown) not in self.after and (start.shown or start.seen not in self.at)
        ]
        if not new:
            return self
        addition = count_distribution(listed, tags, new)
        return CountDistribution({**self.at, **addition.at}, {**self.after, **addition.after})


def count_distribution(listed: ByBurnCard, tags: Sequence[int], starts: Sequence[RoundStart]) -> CountDistribution:
    """Compute the distribution of the count at every round, by burn card where it matters."""
    depths_by_card = {
        shown: sorted({row.seen for row in starts if row.shown == shown}) for shown in {row.shown for row in starts}
    }
    tasks = [
        (listed.of[shown], [row - 1 for row in depths]) if shown else (listed.any_card, depths)
        for shown, depths in depths_by_card.items()
    ]
    by_depth: dict[int, AtDepth] = {}
    by_depth_and_card: dict[tuple[int, int], AtDepth] = {}
    for shown, rows in zip(depths_by_card, joint_count_table(tasks, tags), strict=True):
        for row in rows:
            if shown:
                by_depth_and_card[row.seen + 1, shown] = listed.told(shown, row)
            else:
                by_depth[row.seen] = row
    return CountDistribution(by_depth, by_depth_and_card)


_Line = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...], int, int, int]


class CountResult(Struct, frozen=True, dict=True):
    """A bet with a count, at rounds that begin at depths fixed in advance."""

    paytable: Paytable
    shoe: Shoe
    tags: Tags | SuitSpread
    conventions: Conventions
    rounds: tuple[RoundStart, ...]
    uses: CardUsage
    watched: CountDistribution
    most: CountDistribution | None = None
    """The same with upper bounds of squares, where these are not known exactly."""
    listed: ByBurnCard | None = None
    """The outcomes of the bet by burn card, where rounds depend on it."""

    @property
    def at(self) -> Mapping[int, AtDepth]:
        """Distribution by number of cards seen."""
        return self.watched.at

    @cached_property
    def number_of_rounds(self) -> Fraction:
        """Rounds per shoe."""
        return sum((start.weight for start in self.rounds), Fraction(0))

    @property
    def has_rounds(self) -> bool:
        """Whether the rounds are those of a shoe, not one at every depth for an average."""
        return bool(self.conventions.round_cards)

    @cached_property
    def _common(self) -> int:
        """A common multiple of the ways of all depths and the weights of all rounds."""
        return lcm(*(self.watched.of(start).every * start.weight.denominator for start in self.rounds))

    @cached_property
    def _parts(self) -> dict[tuple[int, int, int], tuple[int, Fraction]]:
        """For each round the weight of its ways, and the divisor of its count."""
        seen_besides, size = self.uses.in_view, self.shoe.size
        return {
            start.key: (
                self._common // (self.watched.of(start).every * start.weight.denominator) * start.weight.numerator,
                self.conventions.count_divisor(start.seen + seen_besides, size, start.unseen_burned),
            )
            for start in self.rounds
        }

    @cached_property
    def _lines(self) -> dict[tuple[int, int, int], _Line]:
        """For each round its counts, the sums from each of them on, its weight, and the divisor of its count."""
        lines = {}
        for start in self.rounds:
            weight, decks = self._parts[start.key]
            lines[start.key] = (*self.watched.of(start).tails, weight, decks.numerator, decks.denominator)
        return lines

    def worth(self, trigger: Fraction | int | None, only: Sequence[RoundStart] | None = None) -> BettingValue:
        """Return the value of betting from a trigger on, in all rounds or only in some."""
        made = gained = squared = highest = 0
        starts = self.rounds if only is None else only
        number = (
            self.number_of_rounds if only is None else sum((round_start.weight for round_start in starts), Fraction(0))
        )
        reached = self.conventions.trigger_threshold(Fraction(trigger or 0))
        numerator, denominator, start = reached.numerator, reached.denominator, self.conventions.start
        for round_start in starts:
            counts, tails, weight, decks, of = self._lines[round_start.key]
            index = 0 if trigger is None else bisect_left(counts, -(-numerator * decks // (denominator * of)) - start)
            bets, gains, squares = tails[index]
            if bets:
                made += weight * bets
                gained += weight * gains
                squared += weight * squares
                if self.most is not None:
                    highest += weight * self.most.of(round_start).tails[1][index][2]
        total_weight = self._common * number
        frequency = made / total_weight
        gain = gained / (total_weight * self.uses.unit)
        square, max_square = (value / (total_weight * self.uses.unit**2) for value in (squared, highest))
        low = self.uses.lowest
        return BettingValue(
            None if trigger is None else Fraction(trigger),
            frequency,
            gain + low * frequency,
            square + 2 * low * gain + low * low * frequency,
            number,
            None if self.most is None else max_square + 2 * low * gain + low * low * frequency,
        )

    @cached_property
    def triggers(self) -> range:
        """Integer triggers from the lowest true count to the highest."""
        lowest, highest = [Fraction(0)], [Fraction(-1)]
        for start in self.rounds:
            counts, (_, decks) = self.watched.of(start).counts, self._parts[start.key]
            if not counts:  # nothing that is in view lets one bet
                continue
            lowest.append((counts[0].count + self.conventions.start) / decks)
            highest.append((counts[-1].count + self.conventions.start) / decks)
        return range(floor(min(lowest)), ceil(max(highest)) + 1)

    @cached_property
    def by_trigger(self) -> tuple[BettingValue, ...]:
        """The values of all triggers that are reached, without those that bet like the next one."""
        values: list[BettingValue] = []
        for trigger in self.triggers:
            value = self.worth(trigger)
            if not value.frequency:
                break
            if values and (values[-1].frequency, values[-1].won) == (value.frequency, value.won):
                values.pop()
            values.append(value)
        return tuple(values)

    @cached_property
    def best(self) -> BettingValue | None:
        """The value of the trigger that wins most; `None` if none wins."""
        best = max(self.by_trigger, key=lambda value: value.won, default=None)
        return best if best and best.won > 0 else None

    @property
    def always(self) -> BettingValue:
        """The value of betting in every round."""
        return self.worth(None)

    def by_depth(self, trigger: Fraction | int | None) -> Iterator[tuple[int, BettingValue]]:
        """Iterate over the value of a trigger at each number of cards seen."""
        for seen_cards in sorted({start.seen for start in self.rounds}):
            yield seen_cards, self.worth(trigger, [start for start in self.rounds if start.seen == seen_cards])

    def by_cut(self, cut: int) -> Iterator[tuple[int, CountResult]]:
        """Iterate over the count with the cut card at `cut` and at every half deck further in, to half the shoe."""
        starts_by_cut = {
            cut_card: round_starts(self.conventions, self.shoe.composition, cut_card, _max_round_cards(self.uses))
            for cut_card in _cuts(cut, self.shoe)
        }
        distribution = self.watched
        if self.listed is not None and isinstance(self.tags, Tags):
            all_starts = [start for starts in starts_by_cut.values() for start in starts]
            distribution = distribution.extended(self.listed, list(self.tags.classes()), all_starts)
        for cut_card, starts in starts_by_cut.items():
            yield cut_card, replace(self, rounds=starts, watched=distribution)

    def max_win_by_count(self) -> Fraction:
        """Return the expected win per round if one bets exactly where count and depth promise a gain."""
        low, gains = self.uses.lowest * self.uses.unit, dict[tuple[int, int, int], int]()
        for start in self.rounds:
            weight, _ = self._parts[start.key]
            for row in self.watched.of(start).counts:
                key = start.seen, start.unseen_burned, row.count
                gain = row.gained * low.denominator + row.made * low.numerator
                gains[key] = gains.get(key, 0) + weight * gain
        total_weight = self._common * self.uses.unit * low.denominator * self.number_of_rounds
        return sum(gain for gain in gains.values() if gain > 0) / total_weight


def compute_count(
    paytable: Paytable,
    shoe: Shoe,
    tags: Tags,
    conventions: Conventions,
    cut: int | None = None,
    depths: Sequence[int] | None = None,
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
    ride: ParlayCounter | None = None,
) -> CountResult:
    """Compute a count at the rounds of a shoe up to its cut card, or at given depths.

    It is for the wager alone, or with the parlay `ride` under a fixed strategy.

    >>> from combinat.counting.conventions import BLACKJACK
    >>> from combinat.counting.tags import parse_tags
    >>> from combinat.bets.catalog import get_paytable
    >>> shoe = Shoe(6)
    >>> tags = parse_tags("2=1", shoe.composition)
    >>> found = compute_count(get_paytable("TRI-03"), shoe, tags, BLACKJACK, depths=[100])
    >>> found.always.won == -Fraction(2127, 48205)  # not to look at the compute_count is to play off the top
    True
    """
    missing = [card for card, _ in shoe.composition if card not in tags.of]
    if missing:
        raise InputError(f"there is no tag for {missing[0]}")
    classes = tags.classes()
    if conventions.burns_by_first_card and depths is None and ride is None:
        listed = usage_by_burn_card(paytable, shoe, list(classes.values()), meters, view)
        starts = _round_starts(listed.any_card, shoe, conventions, cut, None)
        # One walk through the shoe takes the same for all its depths, so those of other cuts are counted with it.
        cut_card = default_cut_card(conventions, shoe.size) if cut is None else cut
        all_starts = [
            start
            for other_cut in _cuts(cut_card, shoe)
            for start in round_starts(conventions, shoe.composition, other_cut, _max_round_cards(listed.any_card))
        ]
        distribution = count_distribution(listed, list(classes), all_starts)
        return CountResult(paytable, shoe, tags, conventions, starts, listed.any_card, distribution, listed=listed)
    usage = card_usage(paytable, shoe, list(classes.values()), meters, view)
    if ride is not None:
        usage = ride.with_gains(usage, list(classes.values()))
    starts = _round_starts(usage, shoe, conventions, cut, depths)
    seen_at = [start.seen for start in starts]
    lower, *upper = [
        CountDistribution({start.seen: start for start in iter_count_distributions(all_starts, list(classes), seen_at)})
        for all_starts in (usage, usage.most)
        if all_starts is not None
    ]
    return CountResult(paytable, shoe, tags, conventions, starts, usage, lower, upper[0] if upper else None)


def count_suits(
    paytable: Paytable,
    shoe: Shoe,
    conventions: Conventions,
    cut: int | None = None,
    depths: Sequence[int] | None = None,
    meters: Mapping[str, Fraction] | None = None,
) -> CountResult:
    """Compute the value of counting the difference between the fullest and the emptiest suit, state by state."""
    from combinat.counting.shoe_states import spread_of_suits, suits_of  # sums of tags do without numpy

    if any(card.is_joker for card, _ in shoe.composition):
        raise InputError("a shoe with jokers has cards of no suit; its suits cannot be counted")
    usage = card_usage(paytable, shoe, suits_of([card for card, _ in shoe.composition]), meters)
    starts = _round_starts(usage, shoe, conventions, cut, depths)
    by_depth = {
        seen_cards: spread_of_suits(usage, seen_cards) for seen_cards in sorted({start.seen for start in starts})
    }
    return CountResult(paytable, shoe, SuitSpread(), conventions, starts, usage, CountDistribution(by_depth))


def _cuts(cut: int, shoe: Shoe) -> list[int]:
    """List the cut-card position and every half deck further in, up to half the shoe."""
    return [cut, *(deeper for deeper in range(DECK // 2, shoe.size // 2 + 1, DECK // 2) if deeper > cut)]


def _round_starts(
    usage: CardUsage, shoe: Shoe, conventions: Conventions, cut: int | None, depths: Sequence[int] | None
) -> tuple[RoundStart, ...]:
    needed = _max_round_cards(usage)
    if depths is not None:
        return starts_at_depths(depths, shoe.size, needed)
    cut_card = default_cut_card(conventions, shoe.size) if cut is None else cut
    return round_starts(conventions, shoe.composition, cut_card, needed)


def _max_round_cards(usage: CardUsage) -> int:
    """Return the cards that a round can need: its longest outcome, or one unseen card when the bet is made."""
    return max(usage.longest, usage.in_view + 1)
