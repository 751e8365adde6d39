"""What no way of watching the cards can beat: to bet exactly when the very cards that are left favor the player.

Where few classes of cards matter, as tens and others for insurance, every state of the shoe is looked at and the bound
is exact. Otherwise shoes are sampled, each valued exactly: this is the one place where something is sampled, it says
so, and no figure that is called exact comes from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import perm, prod

from msgspec import Struct
from numpy.random import Philox

from combinat.advantage.conventions import Round
from combinat.advantage.states import most_won
from combinat.advantage.uses import Taken, Uses, check_listed, uses
from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import experiment, weigh_many
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.listing import ListsCards
from combinat.exact.root import Root
from decks import Card, Composition, InputError, Shoe

MOST_CLASSES = 3
"""Classes of cards up to which all states of a shoe are few enough."""
Z_99 = Fraction(2576, 1000)
"""Standard deviations on each side of the mean that an interval of 99 percent takes, by the normal curve."""
MOST_SAMPLES = 1_000_000


class Bound(Struct, frozen=True):
    """What a round wins at most on average, exactly or as sampled."""

    won: Fraction
    classes: tuple[tuple[Card, ...], ...] = ()
    """The classes of cards that matter, where all states were looked at."""
    samples: int = 0
    """How many shoes were sampled; none if it is exact."""
    seed: int = 0
    half_width: Root | None = None
    """Half of the 99 percent confidence interval of what was sampled."""

    @property
    def is_sampled(self) -> bool:
        """Whether it is an estimate."""
        return self.samples > 0

    @property
    def per_hundred(self) -> Fraction:
        """Units won in 100 rounds."""
        return 100 * self.won


def exact_bound(
    paytable: Paytable,
    shoe: Shoe,
    rounds: Sequence[Round],
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
) -> Bound | None:
    """Work out the bound state by state; nothing if too many classes of cards matter."""
    if not isinstance(paytable.experiment, ListsCards) or paytable.experiment.listing(shoe.composition).asks_suits:
        return None
    classes = _classes(paytable, shoe, meters, view)
    if len(classes) > MOST_CLASSES:
        return None
    taken = uses(paytable, shoe.composition, classes, meters, view)
    number = sum((one.weight for one in rounds), Fraction(0))
    won = {seen: most_won(taken, seen) for seen in {one.seen for one in rounds}}
    total = sum((one.weight * won[one.seen] for one in rounds), Fraction(0))
    return Bound(total / number, tuple(map(tuple, classes)))


def _classes(
    paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None, view: Sequence[str]
) -> list[list[Card]]:
    """Put ranks together that trade places without any outcome noticing."""
    ranks = sorted({card.rank for card, _ in shoe.composition})
    each = [[card for card, _ in shoe.composition if card.rank == rank] for rank in ranks]
    taken = uses(paytable, shoe.composition, each, meters, view)
    shares = {key: _share(taken, key) for key in taken.table}
    found: list[list[int]] = []
    for place in range(len(each)):
        alike = next((some for some in found if _trade(shares, some[0], place)), None)
        if alike is None:
            found.append([place])
        else:
            alike.append(place)
    return [[card for place in places for card in each[place]] for places in found]


def _share(taken: Uses, key: tuple[Taken, Taken]) -> tuple[Fraction, ...]:
    """What an outcome weighs apart from how many cards of each class there are."""
    ways = prod(perm(size, many) for size, many in zip(taken.sizes, key[1], strict=True))
    weight = taken.table[key]
    return Fraction(weight.made, ways), Fraction(weight.gained, ways)


def _trade(shares: Mapping[tuple[Taken, Taken], tuple[Fraction, ...]], one: int, other: int) -> bool:
    def swapped(taken: Taken) -> Taken:
        row = list(taken)
        row[one], row[other] = taken[other], taken[one]
        return tuple(row)

    return all(shares.get((swapped(view), swapped(taken))) == share for (view, taken), share in shares.items())


def sampled_bound(
    paytable: Paytable,
    shoe: Shoe,
    rounds: Sequence[Round],
    samples: int,
    seed: int = 1,
    meters: Mapping[str, Fraction] | None = None,
) -> Bound:
    """Estimate the bound from sampled shoes, each valued exactly; every sample has a stream of its own.

    >>> from combinat.advantage.conventions import at_depths
    >>> from combinat.bets.lookup import find
    >>> found = sampled_bound(find("TRI-01"), Shoe(6), at_depths([260], 312, 3), 20)
    >>> found.is_sampled, found.samples, found.won >= 0
    (True, 20, True)
    """
    if not 2 <= samples <= MOST_SAMPLES:
        raise InputError(f"cannot sample {samples} shoes; give 2 to {MOST_SAMPLES:,}")
    if not 0 <= seed < 2**64:
        raise InputError(f"no seed {seed}; give a whole number from 0 to {2**64 - 1}")
    if unknown := [name for name in paytable.meters if name not in (meters or {})]:
        raise InputError(f"{paytable.id} pays from meters; say what {' and '.join(unknown)} shows")
    deepest = _by_depth(rounds, samples)
    shoes = (_left(shoe.composition, seen, seed, number) for number, seen in enumerate(deepest))
    first, second = Fraction(0), Fraction(0)
    for gain in _gains(paytable, shoe, shoes, dict(meters or {})):
        first += gain
        second += gain * gain
    mean = first / samples
    variance = (second / samples - mean * mean) * Fraction(samples, samples - 1)
    return Bound(mean, (), samples, seed, Root(variance / samples) * Z_99)


def _by_depth(rounds: Sequence[Round], samples: int) -> Iterator[int]:
    """Give as many depths, spread over the rounds by their weights."""
    number = sum((one.weight for one in rounds), Fraction(0))
    place, reached = 0, rounds[0].weight
    for sample in range(samples):
        at = number * (2 * sample + 1) / (2 * samples)
        while reached <= at:
            place += 1
            reached += rounds[place].weight
        yield rounds[place].seen


def _gains(
    paytable: Paytable, shoe: Shoe, shoes: Iterator[Composition], meters: dict[str, Fraction]
) -> Iterator[Fraction]:
    """What the player gains from each shoe by betting only if it is good."""
    bet = paytable.bet
    whole = experiment(bet.deal, bet.pack, Ladder(paytable.ladder.rules, None), paytable.roles_distinct)
    while some := list(islice(shoes, 1024)):
        every = [0] * len(some) if bet.given is None else [ways.cycle for ways in weigh_many(whole, some)]
        for ways, all_hands in zip(weigh_many(paytable.experiment, some), every, strict=True):
            if not ways.cycle:
                yield Fraction(0)
                continue
            edge = -Analysis(paytable, shoe, ways, meters).house_edge.constant
            yield max(edge, Fraction(0)) * (1 if bet.given is None else Fraction(ways.cycle, all_hands))


def _left(composition: Composition, seen: int, seed: int, number: int) -> Composition:
    """Take cards at random out of a shoe: those of sample so and so, whatever was sampled before."""
    cards = [card for card, copies in composition for _ in range(copies)]
    stream = Philox(key=seed, counter=[0, 0, number, 0])
    waiting: list[int] = []
    for place in range(seen):
        many = len(cards) - place
        while True:
            if not waiting:
                waiting = stream.random_raw(seen + 8).tolist()
            drawn = waiting.pop()
            if drawn < 2**64 - 2**64 % many:  # otherwise some cards would come a little more often
                break
        other = place + drawn % many
        cards[place], cards[other] = cards[other], cards[place]
    return Composition.of(cards[seen:])


def bound(
    paytable: Paytable,
    shoe: Shoe,
    rounds: Sequence[Round],
    samples: int,
    seed: int = 1,
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
) -> Bound:
    """Give the bound exactly where that can be done, and sampled otherwise."""
    found = exact_bound(paytable, shoe, rounds, meters, view)
    if found is not None:
        return found
    if view:
        check_listed(paytable)
        raise InputError("with cards in view the bound is only worked out where few classes of cards matter")
    return sampled_bound(paytable, shoe, rounds, samples, seed, meters)
