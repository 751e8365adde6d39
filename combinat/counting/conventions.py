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
        raise InputError(f"no {setting} {quote(name)}{did_you_mean(name, choices) or '; it is ' + ', '.join(choices)}")


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
            raise InputError(f"no round every {self.round_cards} cards; give 1 or more, or 0 for every depth alike")
        if self.burned < 0:
            raise InputError(f"no {self.burned} burned cards; give 0 or more")
        if not 0 <= self.burned_seen <= self.burned:
            raise InputError(
                f"{self.burned_seen} of {self.burned} burned cards cannot be seen; give 0 to {self.burned}"
            )
        if self.first < 0 or self.rounds_after_cut < 0:
            raise InputError("cards seen first and rounds after the cut card cannot be fewer than none")

    def least(self, trigger: Fraction, seen_cards: int, cards: int, unseen_burned: int = 0) -> int:
        """Return the lowest running count, from an initial count of 0, that reaches a trigger.

        >>> [BLACKJACK.least(Fraction(2), 260, 312), BLACKJACK.least(Fraction(2), 0, 312)]
        [2, 12]
        """
        return ceil(self.trigger_threshold(trigger) * self.count_divisor(seen_cards, cards, unseen_burned)) - self.start

    def trigger_threshold(self, trigger: Fraction) -> Fraction:
        """Return the lowest exact true count that reaches a trigger under this rounding.

        >>> read = [Conventions("mine", Fraction(5), true_count=one) for one in ("exact", "floored", "rounded")]
        >>> [str(one.trigger_threshold(Fraction(5, 2))) for one in read]
        ['5/2', '3', '5/2']
        """
        if self.true_count in ("floored", "rounded"):  # read as a whole number, which is no part of one short of it
            trigger = Fraction(ceil(trigger))
        return trigger - ROUNDINGS.get(self.true_count, Fraction(0))

    def count_divisor(self, seen_cards: int, cards: int, unseen_burned: int = 0) -> Fraction:
        """Return the divisor of a running count: the remaining decks, or 1 for `running`."""
        if self.true_count == "running":
            return Fraction(1)
        decks = Fraction(cards - seen_cards - (unseen_burned if self.divisor == "physical" else 0), DECK)
        if step := DIVIDE_BY[self.decks]:
            decks = max(floor(decks / step + Fraction(1, 2)) * step, step)
        return decks


def _lengths(base: int, *thousandths: int) -> tuple[tuple[int, Fraction], ...]:
    return tuple((base + extra, Fraction(frequency, sum(thousandths))) for extra, frequency in enumerate(thousandths))


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


def default_cut_card(conventions: Conventions, cards: int) -> int:
    """Return the default cut-card position: 14 in baccarat, one deck in a shoe, 29 cards in two decks.

    >>> default_cut_card(BLACKJACK, 312), default_cut_card(BLACKJACK, 104), default_cut_card(BACCARAT, 416)
    (52, 29, 14)
    """
    if conventions.burns_by_first_card:
        return 14
    return DECK if cards > 3 * DECK else cards * 29 // 104


class RoundStart(Struct, frozen=True):
    """Rounds that begin alike: cards seen, cards burned unseen, and the number of such rounds per shoe."""

    seen: int
    unseen_burned: int
    weight: Fraction
    shown: int = 0
    """Points of the burn card shown first, for rounds of shoes with such a card; 0 for all shoes."""

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the round within a shoe."""
        return self.seen, self.unseen_burned, self.shown


def burn_count(card: Card) -> int:
    """Return the number of cards burned after this card: its points in baccarat, ten for a ten or a face.

    >>> burn_count(Card("As")), burn_count(Card("7h")), burn_count(Card("Kd"))
    (1, 7, 10)
    """
    return baccarat_points((int(card.rank),)) or 10


@lru_cache(maxsize=32)  # tables by the place of the cut card ask for each several times
def round_starts(conventions: Conventions, shoe: Composition, cut: int, needed: int) -> tuple[RoundStart, ...]:
    """List the starts of rounds in a shoe with the cut card `cut` cards from its end.

    Where the first card says how many are burned, most starts are equally frequent for every such card; the excess near
    the end of the shoe is listed by the points of the card.

    >>> from decks import STANDARD
    >>> every_5_4 = Conventions("mine", Fraction(27, 5), first=6)
    >>> [(one.seen, str(one.weight)) for one in round_starts(every_5_4, STANDARD.composition, 30, 3)]
    [(6, '1'), (11, '3/5'), (12, '2/5'), (16, '1/5'), (17, '4/5')]
    """
    cards = shoe.size
    if not 0 <= cut < cards:
        raise InputError(f"no cut card {cut} cards from the end of {cards} cards; give 0 to {cards - 1}")
    starts_by_burn: dict[int, tuple[Fraction, dict[int, Fraction]]] = {}
    latest = 0
    for seen_cards, hidden, probability in _burns(conventions, shoe):
        if seen_cards + hidden + needed > cards:
            raise InputError(
                f"no round begins after {seen_cards + hidden} of {cards} cards, which are seen or burned before; "
                f"it can take {needed}"
            )
        starts = _starts(conventions, seen_cards + hidden, cards - cut)
        latest = max(latest, *(depth for depth, _ in starts))
        starts_by_burn[hidden] = probability, _sums((depth - hidden, weight) for depth, weight in starts)
    if latest + needed > cards:
        min_cut = cut + latest + needed - cards
        hint = (
            f"put the cut card at least {min_cut} cards from the end"
            if min_cut < cards
            else "have fewer rounds after it"
        )
        raise InputError(f"a round can begin after {latest} of {cards} cards and needs up to {needed}; {hint}")
    if conventions.divisor == "physical":
        listed = [
            RoundStart(seen_cards, hidden, weight * probability, hidden if conventions.burns_by_first_card else 0)
            for hidden, (probability, begun_at) in starts_by_burn.items()
            for seen_cards, weight in begun_at.items()
        ]
    else:
        listed = list(_iter_rounds(starts_by_burn))
    return tuple(sorted(listed, key=lambda start: start.key))


def _sums(terms: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for key, term in terms:
        sums[key] = sums[key] + term if key in sums else term
    return sums


def _iter_rounds(starts_by_burn: Mapping[int, tuple[Fraction, Mapping[int, Fraction]]]) -> Iterator[RoundStart]:
    """Iterate over rounds common to all burn cards, and by burn card over those that are more frequent after it."""
    for seen_cards in sorted({seen_cards for _, starts in starts_by_burn.values() for seen_cards in starts}):
        always = min(starts.get(seen_cards, Fraction(0)) for _, starts in starts_by_burn.values())
        if always:
            yield RoundStart(seen_cards, 0, always)
        for hidden, (probability, starts) in starts_by_burn.items():
            if excess := starts.get(seen_cards, Fraction(0)) - always:
                yield RoundStart(seen_cards, 0, excess * probability, hidden)


def starts_at_depths(depths: Sequence[int], cards: int, needed: int) -> tuple[RoundStart, ...]:
    """Return one round at each depth, with all cards before it seen."""
    for depth in depths:
        if not 0 <= depth <= cards - needed:
            raise InputError(f"no round begins after {depth} of {cards} cards; it can take {needed}")
    return tuple(RoundStart(depth, 0, Fraction(1)) for depth in sorted(set(depths)))


def _burns(conventions: Conventions, shoe: Composition) -> list[tuple[int, int, Fraction]]:
    """List (cards seen, cards burned unseen, probability)."""
    if not conventions.burns_by_first_card:
        hidden = conventions.burned - conventions.burned_seen
        return [(conventions.first + conventions.burned_seen, hidden, Fraction(1))]
    shown: dict[int, int] = {}
    for card, copies in shoe:
        shown[burn_count(card)] = shown.get(burn_count(card), 0) + copies
    return [(conventions.first + 1, value, Fraction(shown[value], shoe.size)) for value in sorted(shown)]


def _starts(conventions: Conventions, first: int, cut_at: int) -> list[tuple[int, Fraction]]:
    """List the starts of rounds with weights; a round that begins before the cut card at `cut_at` is dealt."""
    if not conventions.round_cards:
        return [(depth, Fraction(1)) for depth in range(first, max(cut_at, first + 1))]
    if conventions.lengths:
        return _renewal_starts(conventions, first, cut_at)
    starts: list[tuple[int, Fraction]] = []
    number = last = 0
    while True:
        start_depth = first + conventions.round_cards * number
        if start_depth >= cut_at and number:
            last += 1
            if last > conventions.rounds_after_cut:
                return starts
        fraction = start_depth - floor(start_depth)
        starts += [(floor(start_depth), 1 - fraction)] + ([(floor(start_depth) + 1, fraction)] if fraction else [])
        number += 1


def _renewal_starts(conventions: Conventions, first: int, cut_at: int) -> list[tuple[int, Fraction]]:
    """Return the probability that a round begins at each depth, for random round lengths."""
    likely = _renewal_weights(conventions.lengths, conventions.rounds_after_cut, cut_at - first)
    return [(first + depth, Fraction(scaled, PROBABILITY_SCALE)) for depth, scaled in likely]


@lru_cache(maxsize=1024)
def _renewal_weights(
    lengths: tuple[tuple[int, Fraction], ...], rounds_after_cut: int, cut_at: int
) -> tuple[tuple[int, int], ...]:
    """Return the renewal probabilities by depth after the first round, in units of 1e-12."""
    starts: dict[int, int] = {}
    waiting = {0: PROBABILITY_SCALE}
    length_odds = [(cards, probability.numerator, probability.denominator) for cards, probability in lengths]
    for extra_rounds in range(rounds_after_cut + 1):
        later: dict[int, int] = {}
        while waiting:
            depth = min(waiting)
            weight = waiting.pop(depth)
            starts[depth] = starts.get(depth, 0) + weight
            for cards, numerator, denominator in length_odds:
                target = waiting if extra_rounds == 0 and depth + cards < cut_at else later
                target[depth + cards] = target.get(depth + cards, 0) + round_ratio(weight * numerator, denominator)
        waiting = later
    return tuple((depth, weight) for depth, weight in sorted(starts.items()) if weight)


def find_conventions(name: str) -> Conventions:
    """Return conventions by name."""
    if name not in CONVENTIONS:
        raise InputError(
            f"no conventions {quote(name)}{did_you_mean(name, CONVENTIONS) or '; they are ' + ', '.join(CONVENTIONS)}"
        )
    return CONVENTIONS[name]
