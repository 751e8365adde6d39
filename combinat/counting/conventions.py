"""How cards are counted at a table: when rounds begin, which cards are burned, what the count is divided by.

Rounds take a random number of cards, so that when they begin depends a little on the cards. Rounds every r cards, or
rounds of random lengths that have nothing to do with the cards, are approximations of that; for each depth all figures
are exact.
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
from decks.errors import quoted

PLACES = 10**12
DECK = 52
"""Cards of a deck, which true counts are for."""
ROUNDINGS = {"exact": Fraction(0), "floored": Fraction(0), "rounded": Fraction(1, 2)}
"""By how much a true count may fall short of a whole number that it still reaches."""
DIVIDE_BY = {"exact": Fraction(0), "half": Fraction(1, 2), "whole": Fraction(1)}
"""To which part of a deck the decks left are rounded before the count is divided by them."""


def _check(setting: str, name: str, choices: Sequence[str] | dict[str, Fraction]) -> None:
    if name not in choices:
        raise InputError(f"no {setting} {quoted(name)}{did_you_mean(name, choices) or '; it is ' + ', '.join(choices)}")


class Conventions(Struct, frozen=True):
    """The customs of a table and of a counter, each by its name."""

    name: str
    round_cards: Fraction
    """A round begins every so many cards; nothing if one may begin at any depth, all alike."""
    lengths: tuple[tuple[int, Fraction], ...] = ()
    """How many cards rounds take, and how often, where that is known better than on average."""
    first: int = 0
    """Cards that are seen before the first round that counts: a first round, in which there is nothing to go by yet."""
    burned: int = 0
    """Cards that are burned before all rounds."""
    burned_seen: int = 0
    """How many of them are seen."""
    burns_by_first_card: bool = False
    """Whether the first card burned is shown and says by its points how many follow unseen, as in baccarat."""
    rounds_after_cut: int = 0
    """Rounds that begin after the one in which the cut card comes."""
    divisor: str = "unseen"
    """What the running count is divided by: the cards not seen, or those that are physically in the shoe."""
    decks: str = "exact"
    """Whether the decks left are taken exactly, to the nearest half deck or to the nearest whole one."""
    true_count: str = "exact"
    """How the true count is read: exactly, floored, rounded to the nearest whole number, or not at all: `running`."""
    start: int = 0
    """What the running count starts with."""

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
        """Give the lowest running count, from a start of nothing, with which a trigger is reached.

        >>> [BLACKJACK.least(Fraction(2), 260, 312), BLACKJACK.least(Fraction(2), 0, 312)]
        [2, 12]
        """
        return ceil(self.short_of(trigger) * self.divided_by(seen_cards, cards, unseen_burned)) - self.start

    def short_of(self, trigger: Fraction) -> Fraction:
        """The lowest true count that still reaches a trigger when it is read as is usual here.

        >>> read = [Conventions("mine", Fraction(5), true_count=one) for one in ("exact", "floored", "rounded")]
        >>> [str(one.short_of(Fraction(5, 2))) for one in read]
        ['5/2', '3', '5/2']
        """
        if self.true_count in ("floored", "rounded"):  # read as a whole number, which is no part of one short of it
            trigger = Fraction(ceil(trigger))
        return trigger - ROUNDINGS.get(self.true_count, Fraction(0))

    def divided_by(self, seen_cards: int, cards: int, unseen_burned: int = 0) -> Fraction:
        """What a running count is divided by: the decks left, or one where it is taken as it is."""
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
"""One player and the dealer; a card burned unseen; no round after the cut card's. The lengths of rounds are
approximate: a simulation of 300,000 rounds at a plain basic strategy, with cards that do not run out."""
BACCARAT = Conventions(
    "baccarat", Fraction(4938, 1000), _lengths(4, 379, 304, 317), burns_by_first_card=True, rounds_after_cut=1
)
"""Coups of four to six cards; the first card shows how many are burned; one more after that of the cut card."""
LUCKY_9 = Conventions("lucky 9", Fraction(51, 10), _lengths(4, 206, 500, 285, 7, 1, 1), burned=1)
"""One player and the dealer, as often as rounds of six decks take so many cards, to the thousandth; longer ones, of
which there are three in ten thousand, left out. Otherwise as in blackjack."""
CONVENTIONS = {conventions.name: conventions for conventions in (BLACKJACK, BACCARAT, LUCKY_9)}


def default_cut_card(conventions: Conventions, cards: int) -> int:
    """Where the cut card usually lies: 14 cards from the end in baccarat, a deck in a shoe, 29 cards in two decks.

    >>> default_cut_card(BLACKJACK, 312), default_cut_card(BLACKJACK, 104), default_cut_card(BACCARAT, 416)
    (52, 29, 14)
    """
    if conventions.burns_by_first_card:
        return 14
    return DECK if cards > 3 * DECK else cards * 29 // 104


class Round(Struct, frozen=True):
    """Rounds that begin alike: how many cards are seen, how many burned unseen, and how many such rounds a shoe has."""

    seen: int
    unseen_burned: int
    weight: Fraction
    shown: int = 0
    """What the card is worth that was shown first, if these are rounds of shoes with such a one; nothing if of all."""

    @property
    def key(self) -> tuple[int, int, int]:
        """What tells it from the other rounds of a shoe."""
        return self.seen, self.unseen_burned, self.shown


def burned_by(card: Card) -> int:
    """How many cards are burned after one that is shown: its points in baccarat, ten for a ten or a face.

    >>> burned_by(Card("As")), burned_by(Card("7h")), burned_by(Card("Kd"))
    (1, 7, 10)
    """
    return baccarat_points((int(card.rank),)) or 10


@lru_cache(maxsize=32)  # tables by the place of the cut card ask for each several times
def rounds(conventions: Conventions, shoe: Composition, cut: int, needed: int) -> tuple[Round, ...]:
    """List when rounds begin in a shoe with the cut card so many cards from its end.

    Where the first card says how many are burned, so many cards seen come as often whatever it was, but for the last
    rounds; those that come more often after some cards than after others are listed by what the card was worth.

    >>> from decks import STANDARD
    >>> every_5_4 = Conventions("mine", Fraction(27, 5), first=6)
    >>> [(one.seen, str(one.weight)) for one in rounds(every_5_4, STANDARD.composition, 30, 3)]
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
        starts = _begun(conventions, seen_cards + hidden, cards - cut)
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
            Round(seen_cards, hidden, weight * probability, hidden if conventions.burns_by_first_card else 0)
            for hidden, (probability, begun_at) in starts_by_burn.items()
            for seen_cards, weight in begun_at.items()
        ]
    else:
        listed = list(_listed(starts_by_burn))
    return tuple(sorted(listed, key=lambda start: start.key))


def _sums(terms: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for key, term in terms:
        sums[key] = sums[key] + term if key in sums else term
    return sums


def _listed(starts_by_burn: Mapping[int, tuple[Fraction, Mapping[int, Fraction]]]) -> Iterator[Round]:
    """List rounds that come whatever card was shown, and by the card those that come more often after it."""
    for seen_cards in sorted({seen_cards for _, starts in starts_by_burn.values() for seen_cards in starts}):
        always = min(starts.get(seen_cards, Fraction(0)) for _, starts in starts_by_burn.values())
        if always:
            yield Round(seen_cards, 0, always)
        for hidden, (probability, starts) in starts_by_burn.items():
            if excess := starts.get(seen_cards, Fraction(0)) - always:
                yield Round(seen_cards, 0, excess * probability, hidden)


def at_depths(depths: Sequence[int], cards: int, needed: int) -> tuple[Round, ...]:
    """One round at each of some depths, all cards before it seen."""
    for depth in depths:
        if not 0 <= depth <= cards - needed:
            raise InputError(f"no round begins after {depth} of {cards} cards; it can take {needed}")
    return tuple(Round(depth, 0, Fraction(1)) for depth in sorted(set(depths)))


def _burns(conventions: Conventions, shoe: Composition) -> list[tuple[int, int, Fraction]]:
    """The cards burned in view and out of view, with their chance."""
    if not conventions.burns_by_first_card:
        hidden = conventions.burned - conventions.burned_seen
        return [(conventions.first + conventions.burned_seen, hidden, Fraction(1))]
    shown: dict[int, int] = {}
    for card, copies in shoe:
        shown[burned_by(card)] = shown.get(burned_by(card), 0) + copies
    return [(conventions.first + 1, value, Fraction(shown[value], shoe.size)) for value in sorted(shown)]


def _begun(conventions: Conventions, first: int, cut_at: int) -> list[tuple[int, Fraction]]:
    """When rounds begin: the cut card lies after so many cards, and a round that begins before it is played."""
    if not conventions.round_cards:
        return [(depth, Fraction(1)) for depth in range(first, max(cut_at, first + 1))]
    if conventions.lengths:
        return _renewed(conventions, first, cut_at)
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


def _renewed(conventions: Conventions, first: int, cut_at: int) -> list[tuple[int, Fraction]]:
    """How likely a round begins at each depth, if every one takes cards at random."""
    likely = _likely(conventions.lengths, conventions.rounds_after_cut, cut_at - first)
    return [(first + depth, Fraction(scaled, PLACES)) for depth, scaled in likely]


@lru_cache(maxsize=1024)
def _likely(
    lengths: tuple[tuple[int, Fraction], ...], rounds_after_cut: int, cut_at: int
) -> tuple[tuple[int, int], ...]:
    """How likely a round begins so many cards after the first, of a million million."""
    starts: dict[int, int] = {}
    waiting = {0: PLACES}
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


def convention(name: str) -> Conventions:
    """Find conventions by their name."""
    if name not in CONVENTIONS:
        raise InputError(
            f"no conventions {quoted(name)}{did_you_mean(name, CONVENTIONS) or '; they are ' + ', '.join(CONVENTIONS)}"
        )
    return CONVENTIONS[name]
