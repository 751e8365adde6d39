"""Which cards the outcomes of a bet take, by classes of cards: all that a watcher's figures need to know of a bet.

Cards that are gone and cards that come next are exchangeable. So it is enough to know how many cards of each class an
outcome takes from the full shoe, in how many ordered ways, and what is paid then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, lcm, perm, prod

from more_itertools import multinomial
from msgspec import Struct

from combinat.advantage.gains import gain_of, results_of
from combinat.advantage.parted import parted, places_in_view, sorted_into
from combinat.advantage.spread import Kinds, Spread, compositions
from combinat.advantage.spread import Taken as Taken
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import Experiment, experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.listing import Listing, ListsCards, ListsKinds, TakesByRank
from combinat.exact.whole import MiscountError
from decks import Card, Composition, InputError, Shoe

_Row = tuple[int | None, Taken, Taken, Fraction]
"""An award, what is in view, all that is taken, and in how many ordered ways."""


class Weight(Struct, frozen=True):
    """Ordered ways to take some cards: how many, times what they bring above the lowest result, and its square."""

    made: int
    gained: int
    squared: int


class Uses(Struct, frozen=True, dict=True):
    """The outcomes of a bet at a shoe by the classes of the cards they take; those in view are named apart."""

    size: int
    sizes: Taken
    """How many cards of the shoe are in each class."""
    table: Mapping[tuple[Taken, Taken], Weight]
    """For the cards in view when the bet is made and for all cards of the outcome, the ordered ways."""
    lowest: Fraction
    """The lowest result of a wager of one, which results are reckoned from."""
    unit: int
    """What is gained is counted in parts of one: so many make a wager."""
    is_whole: bool
    """Whether outcomes of the lowest result are left out, since without a condition they are all the others.

    Otherwise how often the bet is made stands with the cards in view alone, less where its condition does not hold.
    """
    largest: int = 0
    """What no outcome's gain or square exceeds, in these parts; nothing if the weights themselves tell."""
    most: Uses | None = None
    """The same with the most that squares can be, where these are the least; none if they are known."""

    @cached_property
    def longest(self) -> int:
        """The most cards that an outcome takes."""
        return max((sum(taken) for _, taken in self.table), default=0)

    @cached_property
    def in_view(self) -> int:
        """How many cards are in view when the bet is made."""
        return max((sum(view) for view, _ in self.table), default=0)

    @cached_property
    def squares_of_gain(self) -> Fraction | None:
        """How many times what is gained its square is, if it is always so many: as with a bet that pays one amount.

        >>> def of(*weights):
        ...     table = {((0,), (number,)): one for number, one in enumerate(weights)}
        ...     return Uses(9, (9,), table, Fraction(-1), 1, True).squares_of_gain
        >>> of(Weight(1, 2, 6), Weight(1, 0, 0), Weight(1, 3, 9)), of(Weight(1, 2, 6), Weight(1, 3, 8))
        (Fraction(3, 1), None)
        >>> of(Weight(1, 2, 0), Weight(1, 3, 9)), of(Weight(1, 0, 1))
        (None, None)
        """
        gaining = [one for one in self.table.values() if one.gained or one.squared]
        if not gaining or not gaining[0].gained:
            return None
        times = Fraction(gaining[0].squared, gaining[0].gained)
        is_so = all(one.squared * times.denominator == one.gained * times.numerator for one in gaining)
        return times if times and is_so else None

    @cached_property
    def trade_places(self) -> bool:
        """Whether classes can trade places without any outcome noticing: then any two neighbours can."""
        return len(set(self.sizes)) == 1 and all(
            self.table.get((_swapped(view, place), _swapped(taken, place))) == weight
            for place in range(len(self.sizes) - 1)
            for (view, taken), weight in self.table.items()
        )


def _swapped(taken: Taken, place: int) -> Taken:
    return (*taken[:place], taken[place + 1], taken[place], *taken[place + 2 :])


def uses(
    paytable: Paytable,
    shoe: Shoe,
    classes: Sequence[Sequence[Card]],
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
    apart: bool = False,
) -> Uses:
    """List what a bet's outcomes take of some classes of cards, which together are all cards of the shoe.

    Cards in view are taken together, as a sum of tags has them, or `apart` by the role that shows them. What is decided
    in a round is decided as is best from this shoe.

    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> from decks.cards import ALL_CARDS
    >>> sevens = [card for card in ALL_CARDS if str(card).startswith("7")]
    >>> others = [card for card in ALL_CARDS if card not in sevens]
    >>> found = uses(find("BLZ-1-UP"), Shoe(1), [sevens, others], {"meter": Fraction(1000)})
    >>> found.table[(0, 0), (3, 0)].made  # 4 · 3 · 2 ways to deal three sevens
    24
    """
    check_listed(paytable)
    composition = shoe.composition
    results = results_of(paytable, shoe.decks, meters or {})
    lowest = min(result for pay in results for result, _ in pay)
    shown = places_in_view(paytable, view)
    means = [mean for pay in results for mean in gain_of(pay, lowest, 1)]
    unit = lcm(*(mean.denominator for mean in means))
    gains = [gain_of(pay, lowest, unit) for pay in results]
    is_whole = paytable.bet.given is None and not view and not gains[-1][0]
    sizes = tuple(sum(composition[card] for card in cards) for cards in classes)
    listed = _Listed(paytable, composition, classes, shown, apart)
    table: dict[tuple[Taken, Taken], list[Fraction]] = {}
    for award, seen, taken, ordered in listed.rows(paytable.ladder, not gains[-1][0]):
        gain, square = gains[-1 if award is None else award]
        if gain:
            known = table.setdefault((seen, taken), [Fraction(0)] * 3)
            known[0] += ordered if is_whole else 0
            known[1] += ordered * gain
            known[2] += ordered * square
    if not is_whole:
        for seen, taken, ordered in listed.made():
            table.setdefault((seen, taken), [Fraction(0)] * 3)[0] += ordered
    scale = lcm(*(value.denominator for row in table.values() for value in row))
    if scale != 1:
        raise MiscountError(f"ordered ways are no whole numbers, but parts of {scale}")
    weights = {key: Weight(*(value.numerator for value in row)) for key, row in table.items() if any(row)}
    largest = ceil(max(square for _, square in gains)) + 1
    return Uses(composition.size, sizes, weights, lowest, unit, is_whole, largest)


def _ranks_of(classes: Sequence[Sequence[Card]]) -> list[list[int]] | None:
    """The ranks of each class, if cards of one rank are in one class; 0 stands for jokers."""
    found = [sorted({int(card.rank) for card in cards}) for cards in classes]
    every = [rank for ranks in found for rank in ranks]
    return found if len(set(every)) == len(every) else None


class _Listed:
    """The outcomes of a bet by the classes of their cards, the cards in view apart from the others."""

    def __init__(
        self,
        paytable: Paytable,
        composition: Composition,
        classes: Sequence[Sequence[Card]],
        shown: Sequence[frozenset[int]],
        apart: bool,
    ) -> None:
        self._paytable, self._bet, self._composition, self._classes = paytable, paytable.bet, composition, classes
        self._given = paytable.ladder.given
        self._distinct = paytable.roles_distinct or bool(shown)
        self._shown = shown
        self._apart = apart
        self._by_rank = None if shown else _ranks_of(classes)

    def rows(self, ladder: Ladder, only_awards: bool = False) -> Iterator[_Row]:
        """List the outcomes that a ladder sorts, those that it takes no part in left out if nobody asks for them."""
        trial = self._trial(ladder)
        if self._by_rank is not None and isinstance(trial, TakesByRank):
            for award, taken, ways in trial.taken_by_rank(self._composition, self._by_rank):
                if award is not None or not only_awards:
                    yield award, (0,) * len(taken), taken, Fraction(ways)
            return
        listing = trial.listing(self._composition) if isinstance(trial, ListsCards) else Listing(())
        if listing.unlisted:
            raise InputError(f"{self._paytable.id}: {listing.unlisted}; give tags by rank alone, with no cards in view")
        spread = Spread(self._composition, self._classes, listing)
        found: Counter[tuple[int | None, tuple[Kinds, ...]]] = Counter()
        for award, parts, ways in self._hands(trial, spread, only_awards):
            found[award, parts] += ways
        every = (
            self._trial(Ladder(ladder.rules)).weigh(self._composition).cycle
        )  # those that a condition leaves out too
        for (award, parts), ways in found.items():
            for takes, share in spread.parted(parts):
                taken = _sum(takes)
                yield (
                    award,
                    self._in_view(takes[:-1]),
                    taken,
                    Fraction(ways, every) * share * perm(self._composition.size, sum(taken)),
                )

    def made(self) -> Iterator[tuple[Taken, Taken, Fraction]]:
        """How often the bet is made: with all cards that can be in view, less where its condition does not hold."""
        sizes = [sum(self._composition[card] for card in cards) for cards in self._classes]
        for takes in product(*(list(compositions(len(places), len(sizes))) for places in self._shown)):
            taken = _sum(takes) if takes else (0,) * len(sizes)
            ways = prod(map(perm, sizes, taken)) * prod(multinomial(*take) for take in takes)
            if ways:
                yield self._in_view(takes), taken, Fraction(ways)
        if self._given is not None:
            for award, seen, taken, ordered in self.rows(Ladder((self._given,))):
                if award is None:
                    yield seen, taken, -ordered

    def _trial(self, ladder: Ladder) -> Experiment:
        """The experiment that sorts outcomes by a ladder: where it can be the bet's own, which knows some of it."""
        if ladder == self._paytable.ladder and self._distinct == self._paytable.roles_distinct:
            return self._paytable.experiment
        return experiment(self._bet.deal, self._bet.pack, ladder, self._distinct)

    def _in_view(self, takes: Sequence[Taken]) -> Taken:
        if not takes:
            return (0,) * len(self._classes)
        return tuple([many for take in takes for many in take]) if self._apart else _sum(takes)

    def _hands(
        self, trial: Experiment, spread: Spread, only_awards: bool
    ) -> Iterator[tuple[int | None, tuple[Kinds, ...], int]]:
        """Give the award of each class of outcomes, its kinds in view and last those out of view, and its ways."""
        if not isinstance(trial, ListsKinds):
            for outcome in trial.outcomes(self._composition):
                if outcome.award is None and only_awards:
                    return  # these come last
                for parts in spread.kinds(parted(trial.deal, outcome, self._shown)):
                    yield outcome.award, parts, outcome.ways
            return
        for one in trial.kinds(self._composition, frozenset().union(*self._shown)):
            if one.award is not None or not only_awards:
                cards = [(place, kind) for place, kinds in one.at.items() for kind in kinds]
                yield one.award, tuple([tuple(sorted(some)) for some in sorted_into(self._shown, cards)]), one.ways


def check_listed(paytable: Paytable) -> None:
    """Refuse a bet whose outcomes are not listed by their cards."""
    if not isinstance(paytable.experiment, ListsCards):
        raise InputError(
            f"{paytable.id}: its outcomes are not listed by their cards; no count is worked out, only the effect of "
            "removal"
        )


def every_outcome(paytable: Paytable, composition: Composition) -> int:
    """Count all outcomes, those too that a condition leaves out."""
    bet, rules = paytable.bet, paytable.ladder.rules
    return experiment(bet.deal, bet.pack, Ladder(rules), paytable.roles_distinct).weigh(composition).cycle


def _sum(takes: Sequence[Taken]) -> Taken:
    return tuple(map(sum, zip(*takes, strict=True)))
