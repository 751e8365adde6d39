"""Counting conventions of a table: when rounds begin, which cards are burned, and the divisor of the true count.

Rounds take a random number of cards, so their starts depend slightly on the cards. Rounds every r cards, or rounds of
random lengths independent of the cards (a renewal process), are approximations of that; for each depth all figures are
exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from msgspec import Struct

from combinat.exact.numbers import round_ratio
from combinat.language.words import baccarat_points
from decks import Card, Composition, InputError, did_you_mean
from decks.errors import quote

PROBABILITY_SCALE = 10**12
DECK = 52
"""Cards per deck of a true count."""
ROUNDINGS = {"exact": Fraction(0), "floored": Fraction(0), "rounded": Fraction(1, 2)}
"""By how much a true count may fall short of an integer that it still reaches."""
DIVIDE_BY = {"exact": Fraction(0), "half": Fraction(1, 2), "whole": Fraction(1)}
"""Fraction of a deck to which the remaining decks are rounded before dividing."""


def _check(setting: str, name: str, choices: Sequence[str] | dict[str, Fraction]) -> None:
    if name not in choices:
        hint = did_you_mean(name, choices) or f"; write one of {', '.join(choices)}"
        raise InputError(f"{quote(name)} is not a value of {setting}{hint}")


class Conventions(Struct, frozen=True):
    """Named conventions of a table and a counter."""

    name: str
    round_cards: Fraction
    """Mean number of cards per round; 0 if a round may begin at any depth with equal weight."""
    lengths: tuple[tuple[int, Fraction], ...] = ()
    """Distribution of the number of cards per round, where it is known."""
    first: int = 0
    """Cards seen before the first round that counts, such as a round without a bet."""
    burned: int = 0
    """Cards burned before all rounds."""
    burned_seen: int = 0
    """Number of burned cards that are seen."""
    burns_by_first_card: bool = False
    """Whether the first burn card is shown and its points say how many more are burned, as in baccarat."""
    rounds_after_cut: int = 0
    """Rounds that begin after the one in which the cut card comes out."""
    divisor: str = "unseen"
    """Divisor of the running count: unseen cards, or cards physically in the shoe."""
    decks: str = "exact"
    """Whether remaining decks are exact, or rounded to half or whole decks."""
    true_count: str = "exact"
    """How the true count is read: exact, floored, rounded to the nearest integer, or `running` for no division."""
    start: int = 0
    """Initial running count."""

    def __post_init__(self) -> None:
        _check("true count", self.true_count, [*ROUNDINGS, "running"])
        _check("decks", self.decks, DIVIDE_BY)
        _check("divisor", self.divisor, ["unseen", "physical"])
        if self.round_cards and self.round_cards < 1:
            raise InputError(f"cards per round must be 1 or more, or 0 for every depth, got {self.round_cards}")
        if self.burned < 0:
            raise InputError(f"burned cards must be 0 or more, got {self.burned}")
        if not 0 <= self.burned_seen <= self.burned:
            raise InputError(
                f"seen burned cards must be 0 to {self.burned}, the number of burned cards, got {self.burned_seen}"
            )
        if self.first < 0 or self.rounds_after_cut < 0:
            raise InputError(
                f"cards seen first and rounds after the cut card must be 0 or more, got {self.first} and "
                f"{self.rounds_after_cut}"
            )

    def min_running_count(self, trigger: Fraction, seen_cards: int, shoe_size: int, unseen_burned: int = 0) -> int:
        """Return the lowest running count, from an initial count of 0, that reaches a trigger.

        >>> [BLACKJACK.min_running_count(Fraction(2), 260, 312), BLACKJACK.min_running_count(Fraction(2), 0, 312)]
        [2, 12]
        """
        return (
            ceil(self.trigger_threshold(trigger) * self.count_divisor(seen_cards, shoe_size, unseen_burned))
            - self.start
        )

    def trigger_threshold(self, trigger: Fraction) -> Fraction:
        """Return the lowest exact true count that reaches a trigger under this rounding.

        >>> read = [Conventions("mine", Fraction(5), true_count=name) for name in ("exact", "floored", "rounded")]
        >>> [str(conventions.trigger_threshold(Fraction(5, 2))) for conventions in read]
        ['5/2', '3', '5/2']
        """
        if self.true_count in ("floored", "rounded"):  # integers: a fractional trigger is reached by the next integer
            trigger = Fraction(ceil(trigger))
        return trigger - ROUNDINGS.get(self.true_count, Fraction(0))

    def count_divisor(self, seen_cards: int, shoe_size: int, unseen_burned: int = 0) -> Fraction:
        """Return the divisor of a running count: the remaining decks, or 1 for `running`."""
        if self.true_count == "running":
            return Fraction(1)
        decks = Fraction(shoe_size - seen_cards - (unseen_burned if self.divisor == "physical" else 0), DECK)
        if step := DIVIDE_BY[self.decks]:
            decks = max(floor(decks / step + Fraction(1, 2)) * step, step)
        return decks


def _lengths(min_length: int, *thousandths: int) -> tuple[tuple[int, Fraction], ...]:
    return tuple(
        (min_length + extra_cards, Fraction(frequency, sum(thousandths)))
        for extra_cards, frequency in enumerate(thousandths)
    )


BLACKJACK = Conventions(
    "blackjack", Fraction(11, 2), _lengths(4, 173, 384, 281, 114, 33, 10, 5), burned=1, rounds_after_cut=0
)
"""One player and the dealer; one card burned unseen; no round after that of the cut card. Round lengths are
approximate: a simulation of 300,000 rounds with plain basic strategy, with cards that do not run out.
"""
BACCARAT = Conventions(
    "baccarat", Fraction(4938, 1000), _lengths(4, 379, 304, 317), burns_by_first_card=True, rounds_after_cut=1
)
"""Coups of four to six cards; the first card says how many are burned; one more coup after that of the cut card."""
LUCKY_9 = Conventions("lucky 9", Fraction(51, 10), _lengths(4, 206, 500, 285, 7, 1, 1), burned=1)
"""One player and the dealer: frequencies of round lengths with six decks, in thousandths, without longer rounds (three
in ten thousand). Otherwise as in blackjack.
"""
CONVENTIONS = {conventions.name: conventions for conventions in (BLACKJACK, BACCARAT, LUCKY_9)}


def default_cut_card(conventions: Conventions, shoe_size: int) -> int:
    """Return the default cut-card position: 14 in baccarat, one deck in a shoe, 29 cards in two decks.

    >>> default_cut_card(BLACKJACK, 312), default_cut_card(BLACKJACK, 104), default_cut_card(BACCARAT, 416)
    (52, 29, 14)
    """
    if conventions.burns_by_first_card:
        return 14
    return DECK if shoe_size > 3 * DECK else shoe_size * 29 // 104


class RoundStart(Struct, frozen=True):
    """Rounds that begin alike: cards seen, cards burned unseen, and the number of such rounds per shoe."""

    cards_seen: int
    unseen_burned: int
    weight: Fraction
    burn_points: int = 0
    """Points of the burn card shown first, for rounds of shoes with such a card; 0 for all shoes."""

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the round within a shoe."""
        return self.cards_seen, self.unseen_burned, self.burn_points


def burn_count(card: Card) -> int:
    """Return the number of cards burned after this card: its points in baccarat, ten for a ten or a face.

    >>> burn_count(Card("As")), burn_count(Card("7h")), burn_count(Card("Kd"))
    (1, 7, 10)
    """
    return baccarat_points((int(card.rank),)) or 10


@lru_cache(maxsize=32)  # tables by cut-card position need each result several times
def round_starts(conventions: Conventions, shoe: Composition, cut: int, max_cards: int) -> tuple[RoundStart, ...]:
    """List the starts of rounds in a shoe with the cut card `cut` cards from its end.

    Where the first card says how many are burned, most starts are equally frequent for every such card; the excess near
    the end of the shoe is listed by the points of the card.

    >>> from decks import STANDARD
    >>> every_5_4 = Conventions("mine", Fraction(27, 5), first=6)
    >>> [(start.cards_seen, str(start.weight)) for start in round_starts(every_5_4, STANDARD.composition, 30, 3)]
    [(6, '1'), (11, '3/5'), (12, '2/5'), (16, '1/5'), (17, '4/5')]
    """
    shoe_size = shoe.size
    if not 0 <= cut < shoe_size:
        raise InputError(
            f"the cut card must be 0 to {shoe_size - 1} cards from the end of {shoe_size} cards, got {cut}"
        )
    starts_by_burn: dict[int, tuple[Fraction, dict[int, Fraction]]] = {}
    latest = 0
    for seen_cards, burned_unseen, probability in _list_burns(conventions, shoe):
        if seen_cards + burned_unseen + max_cards > shoe_size:
            raise InputError(
                f"no round begins after {seen_cards + burned_unseen} of {shoe_size} cards, which are seen or burned "
                f"before; it can take {max_cards}"
            )
        starts = _list_starts(conventions, seen_cards + burned_unseen, shoe_size - cut)
        latest = max(latest, *(depth for depth, _ in starts))
        starts_by_burn[burned_unseen] = (
            probability,
            _sum_by_key((depth - burned_unseen, weight) for depth, weight in starts),
        )
    if latest + max_cards > shoe_size:
        min_cut = cut + latest + max_cards - shoe_size
        hint = (
            f"put the cut card at least {min_cut} cards from the end"
            if min_cut < shoe_size
            else "have fewer rounds after it"
        )
        raise InputError(f"a round can begin after {latest} of {shoe_size} cards and needs up to {max_cards}; {hint}")
    if conventions.divisor == "physical":
        round_list = [
            RoundStart(
                seen_cards, burned_unseen, weight * probability, burned_unseen if conventions.burns_by_first_card else 0
            )
            for burned_unseen, (probability, weight_by_seen_cards) in starts_by_burn.items()
            for seen_cards, weight in weight_by_seen_cards.items()
        ]
    else:
        round_list = list(_iter_rounds(starts_by_burn))
    return tuple(sorted(round_list, key=lambda start: start.key))


def _sum_by_key(terms: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for key, term in terms:
        sums[key] = sums[key] + term if key in sums else term
    return sums


def _iter_rounds(starts_by_burn: Mapping[int, tuple[Fraction, Mapping[int, Fraction]]]) -> Iterator[RoundStart]:
    """Iterate over rounds common to all burn cards, and by burn card over those that are more frequent after it."""
    for seen_cards in sorted({seen_cards for _, starts in starts_by_burn.values() for seen_cards in starts}):
        common_weight = min(starts.get(seen_cards, Fraction(0)) for _, starts in starts_by_burn.values())
        if common_weight:
            yield RoundStart(seen_cards, 0, common_weight)
        for burned_unseen, (probability, starts) in starts_by_burn.items():
            if excess := starts.get(seen_cards, Fraction(0)) - common_weight:
                yield RoundStart(seen_cards, 0, excess * probability, burned_unseen)


def starts_at_depths(depths: Sequence[int], shoe_size: int, max_cards: int) -> tuple[RoundStart, ...]:
    """Return one round at each depth, with all cards before it seen."""
    for depth in depths:
        if not 0 <= depth <= shoe_size - max_cards:
            raise InputError(
                f"a depth must be 0 to {shoe_size - max_cards}, got {depth}: a round can need {max_cards} of "
                f"{shoe_size} cards"
            )
    return tuple(RoundStart(depth, 0, Fraction(1)) for depth in sorted(set(depths)))


def _list_burns(conventions: Conventions, shoe: Composition) -> list[tuple[int, int, Fraction]]:
    """List (cards seen, cards burned unseen, probability)."""
    if not conventions.burns_by_first_card:
        burned_unseen = conventions.burned - conventions.burned_seen
        return [(conventions.first + conventions.burned_seen, burned_unseen, Fraction(1))]
    copies_by_points: dict[int, int] = {}
    for card, copies in shoe:
        copies_by_points[burn_count(card)] = copies_by_points.get(burn_count(card), 0) + copies
    return [
        (conventions.first + 1, value, Fraction(copies_by_points[value], shoe.size))
        for value in sorted(copies_by_points)
    ]


def _list_starts(conventions: Conventions, first_depth: int, cut_at: int) -> list[tuple[int, Fraction]]:
    """List the starts of rounds with weights; a round that begins before the cut card at `cut_at` is dealt."""
    if not conventions.round_cards:
        return [(depth, Fraction(1)) for depth in range(first_depth, max(cut_at, first_depth + 1))]
    if conventions.lengths:
        return _renewal_starts(conventions, first_depth, cut_at)
    starts: list[tuple[int, Fraction]] = []
    round_number = rounds_after = 0
    while True:
        start_depth = first_depth + conventions.round_cards * round_number
        if start_depth >= cut_at and round_number:
            rounds_after += 1
            if rounds_after > conventions.rounds_after_cut:
                return starts
        fraction = start_depth - floor(start_depth)
        starts += [(floor(start_depth), 1 - fraction)] + ([(floor(start_depth) + 1, fraction)] if fraction else [])
        round_number += 1


def _renewal_starts(conventions: Conventions, first_depth: int, cut_at: int) -> list[tuple[int, Fraction]]:
    """Return the probability that a round begins at each depth, for random round lengths."""
    weights_by_depth = _renewal_weights(conventions.lengths, conventions.rounds_after_cut, cut_at - first_depth)
    return [
        (first_depth + depth, Fraction(scaled_weight, PROBABILITY_SCALE)) for depth, scaled_weight in weights_by_depth
    ]


@lru_cache(maxsize=1024)
def _renewal_weights(
    lengths: tuple[tuple[int, Fraction], ...], rounds_after_cut: int, cut_at: int
) -> tuple[tuple[int, int], ...]:
    """Return the renewal probabilities by depth after the first round, in units of 1e-12."""
    starts: dict[int, int] = {}
    weight_by_depth = {0: PROBABILITY_SCALE}
    length_odds = [(length, probability.numerator, probability.denominator) for length, probability in lengths]
    for extra_rounds in range(rounds_after_cut + 1):
        weights_after_cut: dict[int, int] = {}
        while weight_by_depth:
            depth = min(weight_by_depth)
            weight = weight_by_depth.pop(depth)
            starts[depth] = starts.get(depth, 0) + weight
            for length, numerator, denominator in length_odds:
                target = weight_by_depth if extra_rounds == 0 and depth + length < cut_at else weights_after_cut
                target[depth + length] = target.get(depth + length, 0) + round_ratio(weight * numerator, denominator)
        weight_by_depth = weights_after_cut
    return tuple((depth, weight) for depth, weight in sorted(starts.items()) if weight)


def find_conventions(name: str) -> Conventions:
    """Return conventions by name."""
    if name not in CONVENTIONS:
        raise InputError(
            f"{quote(name)} is not the name of conventions"
            f"{did_you_mean(name, CONVENTIONS) or '; write one of ' + ', '.join(CONVENTIONS)}"
        )
    return CONVENTIONS[name]
