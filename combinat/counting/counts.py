"""The value of a count: for each trigger the betting frequency, the edge when betting and the expected win, exactly.

For rounds i with weights w_i, true count T_i and result X_i of a unit wager, the expected win per round with trigger t
is the sum over i of w_i E[X_i; T_i >= t] over the sum of all w_i.

`CountDistribution` holds the distribution of the running count at the depths where rounds begin, `CountResult`
evaluates triggers on it, and `BettingValue` is the result for one trigger.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm
from typing import TYPE_CHECKING, NamedTuple

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
from combinat.exact.interval import Interval
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
    mean_win: Fraction
    """Expected win per round dealt, including rounds without a bet."""
    second_moment: Fraction
    """Second moment of the win per round, or its lower bound."""
    rounds: Fraction
    """Rounds per shoe."""
    max_second_moment: Fraction | None = None
    """Upper bound of the second moment, where it is not known exactly."""

    @property
    def edge(self) -> Fraction | None:
        """The player's average edge when betting."""
        return self.mean_win / self.frequency if self.frequency else None

    @property
    def per_hundred(self) -> Fraction:
        """Units won per 100 rounds, including rounds without a bet."""
        return 100 * self.mean_win

    @property
    def per_shoe(self) -> Fraction:
        """Units won per shoe."""
        return self.rounds * self.mean_win

    @property
    def deviation(self) -> Surd | Interval[Surd] | None:
        """The standard deviation of a wager when betting."""
        if not self.frequency:
            return None
        low, *high = (
            Surd(max(square / self.frequency - (self.mean_win / self.frequency) ** 2, Fraction(0)))
            for square in self._squares
        )
        return Interval(low, high[0]) if high and high[0] != low else low

    @property
    def desirability(self) -> Surd | Interval[Surd] | None:
        """Schlesinger's desirability index: 1000 times mean over standard deviation per round.

        >>> value = BettingValue(None, Fraction(1), Fraction(1, 10), Fraction(2, 100), Fraction(1), Fraction(5, 100))
        >>> str(value.desirability)
        'sqrt(250000) to sqrt(1000000)'
        """
        variances = [square - self.mean_win**2 for square in self._squares]
        if min(variances) <= 0:
            return None
        indexes = [Surd(10**6 * self.mean_win**2 / variance, negative=self.mean_win < 0) for variance in variances]
        lowest_index, highest_index = min(indexes), max(indexes)
        return lowest_index if lowest_index == highest_index else Interval(lowest_index, highest_index)

    @property
    def _squares(self) -> list[Fraction]:
        if self.max_second_moment is None:
            return [self.second_moment]
        return [self.second_moment, self.max_second_moment]


class CountDistribution(Struct, frozen=True):
    """Distribution of the running count by number of cards seen."""

    by_depth: Mapping[int, AtDepth]
    by_burn_points: Mapping[tuple[int, int], AtDepth] = {}
    """For shoes by the points of the burn card: keys are (cards seen, points); empty if not needed."""

    def at_start(self, start: RoundStart) -> AtDepth:
        """Return the distribution at the start of a round."""
        if start.burn_points and self.by_burn_points:
            return self.by_burn_points[start.cards_seen, start.burn_points]
        return self.by_depth[start.cards_seen]

    def extend(self, burn_usage: ByBurnCard, tags: Sequence[int], starts: Sequence[RoundStart]) -> CountDistribution:
        """Return the distribution extended to further rounds; depths that it has are not computed again."""
        new_starts = [
            start
            for start in starts
            if (start.cards_seen, start.burn_points) not in self.by_burn_points
            and (start.burn_points or start.cards_seen not in self.by_depth)
        ]
        if not new_starts:
            return self
        addition = count_distribution(burn_usage, tags, new_starts)
        return CountDistribution(
            {**self.by_depth, **addition.by_depth}, {**self.by_burn_points, **addition.by_burn_points}
        )


def count_distribution(burn_usage: ByBurnCard, tags: Sequence[int], starts: Sequence[RoundStart]) -> CountDistribution:
    """Compute the distribution of the count at every round, by burn card where it matters."""
    depths_by_points = {
        points: sorted({start.cards_seen for start in starts if start.burn_points == points})
        for points in {start.burn_points for start in starts}
    }
    tasks = [
        (burn_usage.by_points[points], [depth - 1 for depth in depths]) if points else (burn_usage.any_card, depths)
        for points, depths in depths_by_points.items()
    ]
    by_depth: dict[int, AtDepth] = {}
    by_depth_and_points: dict[tuple[int, int], AtDepth] = {}
    for points, rows in zip(depths_by_points, joint_count_table(tasks, tags), strict=True):
        for row in rows:
            if points:
                by_depth_and_points[row.cards_seen + 1, points] = burn_usage.add_burn_card(points, row)
            else:
                by_depth[row.cards_seen] = row
    return CountDistribution(by_depth, by_depth_and_points)


class _RoundTails(NamedTuple):
    """The running counts of a round, with sums from each of them on."""

    counts: tuple[int, ...]
    tails: tuple[tuple[int, int, int], ...]
    """For each count: bets made, gains and squares with this count or a higher one."""
    weight: int
    """Weight of the ways of the round."""
    divisor_numerator: int
    divisor_denominator: int

    def index_from(self, threshold: Fraction, start_count: int) -> int:
        """Return the index of the lowest count with (count + start_count) / divisor >= threshold."""
        numerator = threshold.numerator * self.divisor_numerator
        min_count = -(-numerator // (threshold.denominator * self.divisor_denominator)) - start_count
        return bisect_left(self.counts, min_count)


class CountResult(Struct, frozen=True, dict=True):
    """A bet with a count, at rounds that begin at depths fixed in advance."""

    paytable: Paytable
    shoe: Shoe
    tags: Tags | SuitSpread
    conventions: Conventions
    rounds: tuple[RoundStart, ...]
    usage: CardUsage
    distribution: CountDistribution
    upper_distribution: CountDistribution | None = None
    """Distribution with upper bounds of squares, if `distribution` has lower bounds."""
    burn_usage: ByBurnCard | None = None
    """The outcomes of the bet by burn card, where rounds depend on it."""

    @property
    def by_cards_seen(self) -> Mapping[int, AtDepth]:
        """Distribution by number of cards seen."""
        return self.distribution.by_depth

    @cached_property
    def number_of_rounds(self) -> Fraction:
        """Rounds per shoe."""
        return sum((start.weight for start in self.rounds), Fraction(0))

    @property
    def has_rounds(self) -> bool:
        """Whether the rounds are those of a shoe, not one at every depth for an average."""
        return bool(self.conventions.round_cards)

    @cached_property
    def _common_denominator(self) -> int:
        """A common multiple of the ways of all depths and the weights of all rounds."""
        return lcm(*(self.distribution.at_start(start).total_ways * start.weight.denominator for start in self.rounds))

    @cached_property
    def _weights(self) -> dict[tuple[int, int, int], tuple[int, Fraction]]:
        """For each round the weight of its ways, and the divisor of its count."""
        exposed_cards, size = self.usage.exposed_count, self.shoe.size
        return {
            start.key: (
                self._common_denominator
                // (self.distribution.at_start(start).total_ways * start.weight.denominator)
                * start.weight.numerator,
                self.conventions.count_divisor(start.cards_seen + exposed_cards, size, start.unseen_burned),
            )
            for start in self.rounds
        }

    @cached_property
    def _tails_by_round(self) -> dict[tuple[int, int, int], _RoundTails]:
        """For each round its counts, the sums from each of them on, its weight, and the divisor of its count."""
        tails_by_round = {}
        for start in self.rounds:
            weight, divisor = self._weights[start.key]
            tails = self.distribution.at_start(start).tails
            tails_by_round[start.key] = _RoundTails(*tails, weight, divisor.numerator, divisor.denominator)
        return tails_by_round

    def betting_value(self, trigger: Fraction | int | None, only: Sequence[RoundStart] | None = None) -> BettingValue:
        """Return the value of betting from a trigger on, in all rounds or only in some."""
        total_bets = total_gains = total_squares = max_total_squares = 0
        starts = self.rounds if only is None else only
        round_count = (
            self.number_of_rounds if only is None else sum((round_start.weight for round_start in starts), Fraction(0))
        )
        threshold = self.conventions.trigger_threshold(Fraction(trigger or 0))
        for round_start in starts:
            round_tails = self._tails_by_round[round_start.key]
            index = 0 if trigger is None else round_tails.index_from(threshold, self.conventions.start)
            bet_ways, gains, squares = round_tails.tails[index]
            if bet_ways:
                total_bets += round_tails.weight * bet_ways
                total_gains += round_tails.weight * gains
                total_squares += round_tails.weight * squares
                if self.upper_distribution is not None:
                    max_total_squares += (
                        round_tails.weight * self.upper_distribution.at_start(round_start).tails[1][index][2]
                    )
        total_weight = self._common_denominator * round_count
        frequency = total_bets / total_weight
        gain = total_gains / (total_weight * self.usage.unit)
        square, max_square = (
            value / (total_weight * self.usage.unit**2) for value in (total_squares, max_total_squares)
        )
        lowest_result = self.usage.lowest_result
        return BettingValue(
            None if trigger is None else Fraction(trigger),
            frequency,
            gain + lowest_result * frequency,
            square + 2 * lowest_result * gain + lowest_result * lowest_result * frequency,
            round_count,
            None
            if self.upper_distribution is None
            else max_square + 2 * lowest_result * gain + lowest_result * lowest_result * frequency,
        )

    @cached_property
    def triggers(self) -> range:
        """Integer triggers from the lowest true count to the highest."""
        lowest_true_counts, highest_true_counts = [Fraction(0)], [Fraction(-1)]
        for start in self.rounds:
            counts, (_, divisor) = self.distribution.at_start(start).counts, self._weights[start.key]
            if not counts:  # no exposed cards allow a bet
                continue
            lowest_true_counts.append((counts[0].count + self.conventions.start) / divisor)
            highest_true_counts.append((counts[-1].count + self.conventions.start) / divisor)
        return range(floor(min(lowest_true_counts)), ceil(max(highest_true_counts)) + 1)

    @cached_property
    def _wins_by_trigger(self) -> dict[int, int]:
        """What each trigger wins, times a common factor.

        A trigger that makes the same bets as the next higher one is left out.
        """
        scaled_lowest_result = self.usage.lowest_result * self.usage.unit
        tails_of_rounds = [self._tails_by_round[round_start.key] for round_start in self.rounds]
        results: list[tuple[int, int, int]] = []
        for trigger in self.triggers:
            bets_made = total_gains = 0
            threshold = self.conventions.trigger_threshold(Fraction(trigger))
            for round_tails in tails_of_rounds:
                bet_ways, gains, _ = round_tails.tails[round_tails.index_from(threshold, self.conventions.start)]
                if bet_ways:
                    bets_made += round_tails.weight * bet_ways
                    total_gains += round_tails.weight * gains
            if not bets_made:
                break
            win = total_gains * scaled_lowest_result.denominator + bets_made * scaled_lowest_result.numerator
            if results and results[-1][1:] == (bets_made, win):
                results.pop()
            results.append((trigger, bets_made, win))
        return {trigger: win for trigger, _, win in results}

    @cached_property
    def by_trigger(self) -> tuple[BettingValue, ...]:
        """The values of all triggers that are reached, without those that make the same bets as the next higher one."""
        return tuple(map(self.betting_value, self._wins_by_trigger))

    @cached_property
    def best(self) -> BettingValue | None:
        """The value of the trigger that wins most; `None` if none wins."""
        wins = self._wins_by_trigger
        best = max(wins, key=wins.__getitem__, default=None)
        return self.betting_value(best) if best is not None and wins[best] > 0 else None

    @property
    def every_round(self) -> BettingValue:
        """The value of betting in every round."""
        return self.betting_value(None)

    def by_depth(self, trigger: Fraction | int | None) -> Iterator[tuple[int, BettingValue]]:
        """Iterate over the value of a trigger at each number of cards seen."""
        for seen_cards in sorted({start.cards_seen for start in self.rounds}):
            yield (
                seen_cards,
                self.betting_value(trigger, [start for start in self.rounds if start.cards_seen == seen_cards]),
            )

    def by_cut(self, cut: int) -> Iterator[tuple[int, CountResult]]:
        """Iterate over the count with the cut card at `cut` and at every half deck further in, to half the shoe."""
        starts_by_cut = {
            cut_card: round_starts(self.conventions, self.shoe.composition, cut_card, _max_round_cards(self.usage))
            for cut_card in _cuts(cut, self.shoe)
        }
        distribution = self.distribution
        if self.burn_usage is not None and isinstance(self.tags, Tags):
            all_starts = [start for starts in starts_by_cut.values() for start in starts]
            distribution = distribution.extend(self.burn_usage, list(self.tags.cards_by_tag()), all_starts)
        for cut_card, starts in starts_by_cut.items():
            yield cut_card, replace(self, rounds=starts, distribution=distribution)

    def max_win_by_count(self) -> Fraction:
        """Return the expected win per round with a bet exactly where count and depth have a positive expected win."""
        lowest_result, gains = self.usage.lowest_result * self.usage.unit, dict[tuple[int, int, int], int]()
        for start in self.rounds:
            weight, _ = self._weights[start.key]
            for row in self.distribution.at_start(start).counts:
                key = start.cards_seen, start.unseen_burned, row.count
                gain = row.gains * lowest_result.denominator + row.bets * lowest_result.numerator
                gains[key] = gains.get(key, 0) + weight * gain
        total_weight = self._common_denominator * self.usage.unit * lowest_result.denominator * self.number_of_rounds
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
    >>> count = compute_count(get_paytable("TRI-03"), shoe, tags, BLACKJACK, depths=[100])
    >>> count.every_round.mean_win == -Fraction(2127, 48205)  # ignoring the count is betting off the top
    True
    """
    untagged_cards = [card for card, _ in shoe.composition if card not in tags.tag_by_card]
    if untagged_cards:
        raise InputError(f"no tag for {untagged_cards[0]}; give every card of the shoe a tag")
    classes = tags.cards_by_tag()
    if conventions.burns_by_first_card and depths is None and ride is None:
        burn_usage = usage_by_burn_card(paytable, shoe, list(classes.values()), meters, view)
        starts = _round_starts(burn_usage.any_card, shoe, conventions, cut, None)
        # One pass computes all depths at once, so the depths of other cut-card positions are included.
        cut_card = default_cut_card(conventions, shoe.size) if cut is None else cut
        all_starts = [
            start
            for other_cut in _cuts(cut_card, shoe)
            for start in round_starts(conventions, shoe.composition, other_cut, _max_round_cards(burn_usage.any_card))
        ]
        distribution = count_distribution(burn_usage, list(classes), all_starts)
        return CountResult(
            paytable, shoe, tags, conventions, starts, burn_usage.any_card, distribution, burn_usage=burn_usage
        )
    usage = card_usage(paytable, shoe, list(classes.values()), meters, view)
    if ride is not None:
        usage = ride.with_gains(usage, list(classes.values()))
    starts = _round_starts(usage, shoe, conventions, cut, depths)
    depths_seen = [start.cards_seen for start in starts]
    lower_distribution, *upper_distributions = [
        CountDistribution(
            {row.cards_seen: row for row in iter_count_distributions(bound_usage, list(classes), depths_seen)}
        )
        for bound_usage in (usage, usage.upper_bounds)
        if bound_usage is not None
    ]
    return CountResult(
        paytable,
        shoe,
        tags,
        conventions,
        starts,
        usage,
        lower_distribution,
        upper_distributions[0] if upper_distributions else None,
    )


def count_suits(
    paytable: Paytable,
    shoe: Shoe,
    conventions: Conventions,
    cut: int | None = None,
    depths: Sequence[int] | None = None,
    meters: Mapping[str, Fraction] | None = None,
) -> CountResult:
    """Compute the value of counting the difference between the fullest and the emptiest suit, state by state."""
    from combinat.counting.shoe_states import spread_of_suits, suits_of  # imports numpy, which sums of tags do not need

    if any(card.is_joker for card, _ in shoe.composition):
        raise InputError("the suits of a shoe with jokers cannot be counted: a joker has no suit")
    usage = card_usage(paytable, shoe, suits_of([card for card, _ in shoe.composition]), meters)
    starts = _round_starts(usage, shoe, conventions, cut, depths)
    by_depth = {
        seen_cards: spread_of_suits(usage, seen_cards) for seen_cards in sorted({start.cards_seen for start in starts})
    }
    return CountResult(paytable, shoe, SuitSpread(), conventions, starts, usage, CountDistribution(by_depth))


def _cuts(cut: int, shoe: Shoe) -> list[int]:
    """List the cut-card position and every half deck further in, up to half the shoe."""
    return [cut, *(deeper_cut for deeper_cut in range(DECK // 2, shoe.size // 2 + 1, DECK // 2) if deeper_cut > cut)]


def _round_starts(
    usage: CardUsage, shoe: Shoe, conventions: Conventions, cut: int | None, depths: Sequence[int] | None
) -> tuple[RoundStart, ...]:
    max_cards = _max_round_cards(usage)
    if depths is not None:
        return starts_at_depths(depths, shoe.size, max_cards)
    cut_card = default_cut_card(conventions, shoe.size) if cut is None else cut
    return round_starts(conventions, shoe.composition, cut_card, max_cards)


def _max_round_cards(usage: CardUsage) -> int:
    """Return the cards that a round can need: its longest outcome, or one unseen card when the bet is made."""
    return max(usage.max_cards, usage.exposed_count + 1)
