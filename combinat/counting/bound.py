"""Upper bound for any way of card counting: bet exactly when the remaining composition favors the player.

The bound is E[max(0, expected win given the remaining composition)] over all compositions at the starts of rounds.
Where few classes of cards matter, such as tens and others for insurance, every state of the shoe is enumerated and the
bound is exact. Otherwise shoes are sampled and each is valued exactly. This is the only place in the program that
samples; the result says so, and no exact figure depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import perm, prod
from operator import ge

from more_itertools import multinomial
from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.counting.burn_card import usage_by_burn_card
from combinat.counting.card_usage import CardUsage, ClassCounts, card_usage, compositions
from combinat.counting.conventions import RoundStart
from combinat.counting.exposed_cards import check_view
from combinat.counting.sampling.driver import SERIAL_SAMPLING, Sampling, sample
from combinat.counting.sampling.estimator import Sampler, check_samples
from combinat.counting.shoe_states import best_win_rate
from combinat.exact.surd import Surd
from decks import Card, InputError, Shoe

MAX_CLASSES = 3
"""Maximum number of classes of cards for which all states of a shoe are enumerated."""


class PerfectPlayBound(Struct, frozen=True):
    """Maximum expected win per round, exact or sampled."""

    mean_win: Fraction
    classes: tuple[tuple[Card, ...], ...] = ()
    """The classes of cards that matter, if all states were enumerated."""
    samples: int = 0
    """Number of sampled shoes; 0 if the bound is exact."""
    seed: int = 0
    half_width: Surd | None = None
    """Half-width of the 99% confidence interval; `None` if too few sampled shoes favor the player."""
    chunk: int = 0
    """Number of shoes per chunk of the sample."""
    favorable_count: int = 0
    """Number of sampled shoes that favor the player."""
    is_reoptimized: bool = False
    """Whether decisions in a round were recomputed for each shoe."""

    @property
    def is_sampled(self) -> bool:
        """Whether it is an estimate."""
        return self.samples > 0

    def is_within(self, fraction: Fraction) -> bool:
        """Return whether the half-width is at most `fraction` of the mean."""
        if self.half_width is None:
            return not self.is_sampled
        return not self.half_width > fraction * self.mean_win

    @property
    def per_hundred(self) -> Fraction:
        """Units won per 100 rounds."""
        return 100 * self.mean_win


def exact_bound(
    paytable: Paytable,
    shoe: Shoe,
    rounds: Sequence[RoundStart],
    meters: Mapping[str, Fraction] | None = None,
    exposed_roles: Sequence[str] = (),
) -> PerfectPlayBound | None:
    """Compute the bound by enumerating states; `None` if too many classes matter or the round has decisions."""
    resolution = paytable.experiment.card_resolution(shoe.composition)
    if paytable.experiment.has_decisions or resolution is None or resolution.uses_suits:
        return None
    classes = _classes(paytable, shoe, meters, exposed_roles)
    if len(classes) > MAX_CLASSES:
        return None
    round_count = sum((start.weight for start in rounds), Fraction(0))
    win_rates = _win_rates(paytable, shoe, classes, meters, exposed_roles, rounds)
    total = sum((start.weight * win_rates[start.cards_seen, start.burn_points] for start in rounds), Fraction(0))
    return PerfectPlayBound(total / round_count, tuple(map(tuple, classes)))


def _win_rates(
    paytable: Paytable,
    shoe: Shoe,
    classes: Sequence[Sequence[Card]],
    meters: Mapping[str, Fraction] | None,
    view: Sequence[str],
    rounds: Sequence[RoundStart],
) -> dict[tuple[int, int], Fraction]:
    """Return the win rate of perfect play by number of cards seen and points of the burn card."""
    if not any(start.burn_points for start in rounds):
        usage = card_usage(paytable, shoe, classes, meters, view, by_role=True)
        return {
            (seen_cards, 0): best_win_rate(usage, seen_cards) for seen_cards in {start.cards_seen for start in rounds}
        }
    burn_usage = usage_by_burn_card(paytable, shoe, classes, meters, view, by_role=True)
    win_rates = {}
    for seen_cards, points in {(start.cards_seen, start.burn_points) for start in rounds}:
        if points:
            win_rates[seen_cards, points] = best_win_rate(
                burn_usage.by_points[points], seen_cards - 1, burn_usage.count_arrangements(points, seen_cards)
            )
        else:
            win_rates[seen_cards, 0] = best_win_rate(burn_usage.any_card, seen_cards)
    return win_rates


def _classes(
    paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None, view: Sequence[str]
) -> list[list[Card]]:
    """Group ranks that are interchangeable in any hand."""
    ranks = sorted({card.rank for card, _ in shoe.composition})
    cards_by_rank = [[card for card, _ in shoe.composition if card.rank == rank] for rank in ranks]
    usage = card_usage(paytable, shoe, cards_by_rank, meters, view, by_role=True)
    hands = [_Hand(usage, *key) for key in usage.weights]
    groups: list[list[int]] = []
    for index in range(len(cards_by_rank)):
        group = next(
            (candidate for candidate in groups if _are_interchangeable(hands, usage.class_sizes, [*candidate, index])),
            None,
        )
        if group is None:
            groups.append([index])
        else:
            group.append(index)
    return [[card for index in indexes for card in cards_by_rank[index]] for indexes in groups]


class _Hand:
    """Card usage of an outcome by role, unexposed cards last, and its weight per ordered way."""

    def __init__(self, bet_usage: CardUsage, view: ClassCounts, usage: ClassCounts) -> None:
        class_count = len(usage)
        exposed = [view[start : start + class_count] for start in range(0, len(view), class_count)]
        self.counts_by_role = [
            *exposed,
            tuple(class_total - sum(visible) for class_total, *visible in zip(usage, *exposed, strict=True)),
        ]
        weight = bet_usage.weights[view, usage]
        ways = prod(map(perm, bet_usage.class_sizes, usage))
        self.weight_per_way = Fraction(weight.bets, ways), Fraction(weight.gains, ways)


def _are_interchangeable(hands: Sequence[_Hand], sizes: ClassCounts, group: Sequence[int]) -> bool:
    """Return whether cards of some ranks can be exchanged one for one: all resulting hands have the same weight.

    Invariance under swapping two ranks is not enough: a pair is invariant, but exchanging one of its cards breaks it.
    """
    other_indexes = [index for index in range(len(sizes)) if index not in group]
    weights_by_key: dict[tuple[ClassCounts, ...], tuple[Fraction, ...]] = {}
    hand_counts: Counter[tuple[ClassCounts, ...]] = Counter()
    for hand in hands:
        group_counts = [tuple(role_counts[index] for index in group) for role_counts in hand.counts_by_role]
        key = tuple(
            (sum(counts), *(role_counts[index] for index in other_indexes))
            for counts, role_counts in zip(group_counts, hand.counts_by_role, strict=True)
        )
        orders = prod(multinomial(*counts) for counts in group_counts)
        weight_per_way = tuple(weight / orders for weight in hand.weight_per_way)
        if weights_by_key.setdefault(key, weight_per_way) != weight_per_way:
            return False
        hand_counts[key] += 1
    copies = [sizes[index] for index in group]
    possible_counts = {
        totals: _count_distributions(totals, copies)
        for totals in {tuple(role_counts[0] for role_counts in key) for key in weights_by_key}
    }
    return all(
        hand_counts[key] == possible_counts[tuple(role_counts[0] for role_counts in key)] for key in weights_by_key
    )


def _count_distributions(totals: ClassCounts, copies: Sequence[int]) -> int:
    """Count the ways to distribute `totals` cards over ranks with at most `copies` of each.

    >>> _count_distributions((1, 1), [1, 5])  # a first and a second card of two ranks, only one card of the first rank
    3
    """
    choices = (list(compositions(cards, len(copies))) for cards in totals)
    return sum(all(map(ge, copies, map(sum, zip(*choice, strict=True)))) for choice in product(*choices))


def sample_bound(
    paytable: Paytable,
    shoe: Shoe,
    rounds: Sequence[RoundStart],
    samples: int,
    seed: int = 1,
    meters: Mapping[str, Fraction] | None = None,
    sampling: Sampling = SERIAL_SAMPLING,
    view: Sequence[str] = (),
) -> PerfectPlayBound:
    """Estimate the bound from sampled shoes, each valued exactly; every sample has its own random stream.

    >>> from combinat.counting.conventions import starts_at_depths
    >>> from combinat.bets.catalog import get_paytable
    >>> bound = sample_bound(get_paytable("TRI-01"), Shoe(6), starts_at_depths([260], 312, 3), 20)
    >>> bound.is_sampled, bound.samples, bound.mean_win >= 0
    (True, 20, True)
    """
    check_samples(samples, seed, sampling.chunk)
    if unknown := [name for name in paytable.meters if name not in (meters or {})]:
        raise InputError(f"{paytable.id} pays from meters; give the amount of {' and '.join(unknown)}")
    if view:
        check_view(paytable, shoe.composition, view)  # raise errors here rather than in a worker
    bet = sampling.bet or (lambda: paytable)
    sums = sample(Sampler(bet, shoe, tuple(rounds), seed, dict(meters or {}), tuple(view)), samples, sampling)
    strategy_recomputed = paytable.experiment.has_decisions
    return PerfectPlayBound(
        sums.mean, (), sums.samples, seed, sums.half_width, sampling.chunk, sums.favorable_count, strategy_recomputed
    )


def compute_bound(
    paytable: Paytable,
    shoe: Shoe,
    rounds: Sequence[RoundStart],
    samples: int,
    seed: int = 1,
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
    sampling: Sampling = SERIAL_SAMPLING,
) -> PerfectPlayBound:
    """Compute the bound exactly where possible, else by sampling."""
    exact_result = exact_bound(paytable, shoe, rounds, meters, view)
    if exact_result is not None:
        return exact_result
    return sample_bound(paytable, shoe, rounds, samples, seed, meters, sampling, view)
