"""The way through a pack, card after card and rank after rank: what comes of giving copies of each card to roles."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import Any, NamedTuple

from combinat.verifier.bet import OutOfReachError
from combinat.verifier.cards import Card, Shoe
from combinat.verifier.kept import Need
from combinat.verifier.traits import SameAs, Trait

Share = tuple[int, ...]
"""How many cards each role gets, or may still get."""
Held = tuple[tuple[int, int, Share], ...]
"""The cards of a hand: rank, place of the suit, and who has how many of them."""
Columns = tuple[tuple[Any, ...], ...]
"""What is kept for each suit."""
State = tuple[Share, tuple[Any, ...], Columns]
"""How many cards each role may still get, what is kept of ranks, and for each suit."""
States = dict[State, tuple[int, Held]]

ALL_SUITS = -1  # where what is kept of all cards stands behind what is kept for each suit
MOST_STATES = 200_000  # some twenty seconds


class Kept(NamedTuple):
    """A trait of the cards of some roles, beside another role's card if they are compared."""

    trait: Trait
    group: Share
    """The places of the roles whose cards it is about."""
    other: Share

    def told(self, share: Share) -> Any:
        """What it is told when roles get such copies of a card; nothing if it has nothing to do with it."""
        many = sum([share[at] for at in self.group])
        if not isinstance(self.trait, SameAs):
            return many
        beside = sum([share[at] for at in self.other])
        return (many, beside) if many or beside else 0


class Given(NamedTuple):
    """One way to give copies of a card to the roles."""

    share: Share
    left: Share
    """What roles may still get."""
    copies: int
    orders: int
    """In how many ways their places can be chosen among those that roles have left."""
    told: list[tuple[Any, ...]]
    """What each trait is told, those that are kept for each suit, and at last those kept of all cards."""


class Going:
    """The way through the pack: what is kept, card after card and rank after rank, when roles have so many jokers."""

    def __init__(
        self, needs: list[Need], places: dict[str, Share], shoe: Shoe, alike: list[list[int]], jokers: Share
    ) -> None:
        self.alike = alike

        def kept(some: list[Need]) -> list[Kept]:
            groups = [(need, places[need.group]) for need in some]
            return [
                Kept(need.start(sum([jokers[at] for at in group]), shoe), group, places[need.other])
                for need, group in groups
            ]

        in_order = sorted(needs, key=lambda need: need.form)
        self.kept = [kept([need for need in in_order if suit in need.suits]) for suit in shoe.suits]
        self.kept.append(kept([need for need in in_order if not need.suits]))
        self.given = lru_cache(maxsize=100_000)(self.ways_to_give)
        self.in_order = lru_cache(maxsize=100_000)(self.put_in_order)

    def start(self, left: Share) -> State:
        """Nothing is dealt yet."""
        *columns, of_all = [tuple([one.trait.start for one in kept]) for kept in self.kept]
        return left, of_all, tuple(columns)

    def with_card(self, card: Card, at: int, weights: list[int], states: States) -> States:
        """Give each role any number of copies of a card, whose suit has a place."""
        found = dict(states)
        tell = lru_cache(maxsize=100_000)(lambda at, kept, many: told(self.kept[at], kept, card, many))

        @lru_cache(maxsize=1_000)
        def there(left: Share) -> list[tuple[Given, int]]:
            ways = [(one, one.orders * weights[one.copies]) for one in self.given(left)]
            return [(one, many) for one, many in ways if many]

        @lru_cache(maxsize=100_000)
        def tell_suit(columns: Columns, many: tuple[Any, ...]) -> tuple[Columns, list[int]]:
            column = tell(at, columns[at], many)
            return self.in_order((*columns[:at], column, *columns[at + 1 :]), at + 1)

        for (left, of_all, columns), (ways, held) in states.items():
            for one, many in there(left):
                now, moved = tell_suit(columns, one.told[at])
                state = (one.left, tell(ALL_SUITS, of_all, one.told[ALL_SUITS]), now)
                self.put(found, state, moved, ways * many, (*held, (card[0], at, one.share)))
        if len(found) > MOST_STATES:
            raise OutOfReachError("its rules tell more hands apart than are gone through in seconds")
        return found

    def with_rank(self, rank: int, states: States) -> States:
        """Go on to the next rank."""
        found: States = {}
        close = lru_cache(maxsize=100_000)(lambda at, kept, left: closed(self.kept[at], kept, rank, left))

        @lru_cache(maxsize=100_000)
        def close_suits(columns: Columns, left: Share) -> tuple[Columns, list[int]]:
            columns = tuple([close(at, column, left) for at, column in enumerate(columns)])
            return self.in_order(columns, len(columns))

        for (left, of_all, columns), (ways, held) in states.items():
            now, moved = close_suits(columns, left)
            self.put(found, (left, close(ALL_SUITS, of_all, left), now), moved, ways, held)
        return found

    def put(self, found: States, state: State, moved: list[int], ways: int, held: Held) -> None:
        """Add a state to others; where suits have changed places, so do the cards."""
        before = found.get(state)
        if before is not None:
            found[state] = before[0] + ways, before[1]
        else:
            found[state] = ways, tuple([(rank, moved[at], share) for rank, at, share in held]) if moved else held

    def put_in_order(self, columns: Columns, suits: int) -> tuple[Columns, list[int]]:
        """Put what is kept for suits in order among those alike, and tell where each goes, if one does.

        Of suits that no rule tells apart and that have their cards, one comes first.
        """
        now, goes = list(columns), list(range(len(columns)))
        for places in self.alike:
            among = [at for at in places if at < suits]
            for was, at in zip(sorted(among, key=columns.__getitem__), among, strict=True):
                now[at], goes[was] = columns[was], at
        return tuple(now), goes if goes != sorted(goes) else []

    def ways_to_give(self, left: Share) -> list[Given]:
        """List the ways to give copies of a card to roles that may still get so many cards."""
        found = []
        for share in product(*[range(many + 1) for many in left]):
            if any(share):
                rest = tuple([one - other for one, other in zip(left, share, strict=True)])
                told = [tuple([one.told(share) for one in kept]) for kept in self.kept]
                found.append(Given(share, rest, sum(share), prod(map(comb, left, share)), told))
        return found


def told(kept: list[Kept], now: tuple[Any, ...], card: Card, many: tuple[Any, ...]) -> tuple[Any, ...]:
    """Tell some traits of copies of a card."""
    return tuple([one.trait.add(was, card, new) if new else was for one, was, new in zip(kept, now, many, strict=True)])


def closed(kept: list[Kept], now: tuple[Any, ...], rank: int, left: Share) -> tuple[Any, ...]:
    """Tell some traits that all cards of a rank have come."""
    pairs = zip(kept, now, strict=True)
    return tuple([one.trait.close(was, rank, sum([left[at] for at in one.group])) for one, was in pairs])
