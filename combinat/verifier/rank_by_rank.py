"""Hands of many cards, by going through the pack from the twos to the aces, and giving copies of each card to roles.

What rules cannot tell apart is carried on as one (`traits`, `kept`), with the number of ways in which it came about and
with one hand that is so; at the end that hand is judged for all of them. Suits that no rule tells apart change places.

From full decks, the ways of a hand depend on how often its cards repeat. So the number that is carried on has a place
for each such pattern, as a decimal number has one for tens and one for hundreds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import product
from math import comb, factorial, perm, prod

from combinat.verifier.bet import Bet, Matches
from combinat.verifier.cards import ACE, INFINITE, Card, Cards, Shoe
from combinat.verifier.kept import ALL, MOST_CARDS, Need, needs_of, suits_alike
from combinat.verifier.through_the_pack import Going, Held, Share, States
from combinat.verifier.traits import LOWEST, Exactly

Pattern = tuple[int, ...]
"""How often each card of a hand comes, the most frequent first."""
MOVES = {0: 0, 1: 0, 2: 1, 3: 4, 4: 9, 5: 11, 6: 14, 7: 15}
"""By how many places a card that comes so often moves a number: for no two patterns of a hand the same in all."""
PLACE = 2**48  # more than there are rows of seven cards


class RankByRank:
    """Every kind of hand that rules tell apart, counted for any number of decks."""

    def __init__(self, bet: Bet, *, is_every_role_apart: bool = False) -> None:
        self.bet, self.shoe, self.cards = bet, bet.shoe, bet.deal.cards
        self.needs = needs_of([rule.source for rule in (bet.condition, *bet.rules)], bet.roles)
        asked = [one for need in self.needs for one in (need.group, need.other)]
        groups = list(dict.fromkeys([ALL, *asked, *(bet.deal.sizes if is_every_role_apart else ())]))
        alike: dict[tuple[bool, ...], list[str]] = {}
        for role in bet.deal.sizes:  # roles that are never asked of by themselves are dealt as one
            alike.setdefault(tuple([group == ALL or is_in(bet, role, group) for group in groups]), []).append(role)
        self.roles = list(alike.values())
        self.sizes = tuple([sum([bet.deal.sizes[role] for role in roles]) for roles in self.roles])
        self.places = {
            group: tuple([place for place, among in enumerate(alike) if among[at]]) for at, group in enumerate(groups)
        }

    @cached_property
    def alike(self) -> list[list[int]]:
        """The places of suits that no rule tells apart, and of which the same cards are removed."""
        if any(need.trait is Exactly for need in self.needs):
            return []
        suits, found = self.shoe.suits, list[list[int]]()
        for together in suits_alike([rule.source for rule in self.bet.every_rule], suits):
            by: dict[object, list[int]] = {}
            for suit in together:
                removed = [self.shoe.removed[rank, suit] for rank in self.shoe.ranks]
                by.setdefault(tuple(removed), []).append(suits.index(suit))
            found += [places for places in by.values() if len(places) > 1]
        return found

    @property
    def asked(self) -> tuple[list[Need], dict[str, Share], Shoe, list[list[int]]]:
        """What is kept, of which roles, of which shoe, and which suits may change places."""
        return self.needs, self.places, self.shoe, self.alike

    def ways(self, decks: int) -> Counter[Matches]:
        """In how many ways physical cards can be dealt in order, by how the hand is judged."""
        found: Counter[Matches] = Counter()
        if self.shoe.removed and decks != INFINITE:
            for jokers in self.jokers():
                drawn = perm(max(self.left(self.shoe.joker, decks), 0), sum(jokers)) * prod(
                    map(comb, self.sizes, jokers)
                )
                for matches, ways in self.dealt(jokers, lambda card, many: perm(max(self.left(card, decks), 0), many)):
                    found[matches] += ways * drawn
            return +found
        for (matches, pattern), rows in self.rows.items():
            # From infinitely many decks every row is as likely; the factor keeps numbers whole when orders are put
            # together.
            each = factorial(self.cards) if decks == INFINITE else prod([perm(decks, times) for times in pattern])
            found[matches] += rows * each
        return +found

    def jokers(self) -> Iterator[Share]:
        """List how many jokers each role can have."""
        yield from product(*[range(size + 1 if self.shoe.jokers else 1) for size in self.sizes])

    def left(self, card: Card, decks: int) -> int:
        """How many of a card there are."""
        return decks * self.shoe.copies(card) - self.shoe.removed[card]

    @cached_property
    def rows(self) -> Counter[tuple[Matches, Pattern]]:
        """The rows of card kinds, by how they are judged and how often cards repeat; each joker of a deck is a kind."""
        found: Counter[tuple[Matches, Pattern]] = Counter()
        places = {sum([MOVES[times] for times in one]): one for one in patterns(self.cards)}
        for jokers in self.jokers():
            drawn = rows_of_jokers(self.shoe.jokers, sum(jokers)) * prod(map(comb, self.sizes, jokers))
            for matches, number in self.dealt(jokers, lambda _, many: PLACE ** MOVES[many]):
                for place, pattern in places.items():
                    found[matches, pattern] += number * drawn // PLACE**place % PLACE
        return +found

    def dealt(self, jokers: Share, weight: Callable[[Card, int], int]) -> Iterator[tuple[Matches, int]]:
        """Go through the pack, and judge what comes of it; so many copies of a card have such a weight."""
        left = tuple([size - many for size, many in zip(self.sizes, jokers, strict=True)])
        going = Going(*self.asked, jokers)
        states: States = {going.start(left): (1, ())}
        for rank in range(LOWEST, ACE + 1):
            for at, suit in enumerate(self.shoe.suits if rank in self.shoe.ranks else ()):
                weights = [weight((rank, suit), many) for many in range(sum(left) + 1)]
                states = going.with_card((rank, suit), at, weights, states)
            states = going.with_rank(rank, states)
        for (rest, _, _), (ways, held) in states.items():
            if not any(rest):
                yield self.bet.by_the_ladder(self.hand(held, jokers)), ways

    def hand(self, held: Held, jokers: Share) -> Cards:
        """Lay the cards of a hand down, role after role."""
        cards = [[self.shoe.joker] * many for many in jokers]
        for rank, at, share in held:
            for own, many in zip(cards, share, strict=True):
                own += [(rank, self.shoe.suits[at])] * many
        owner = {role: own for roles, own in zip(self.roles, cards, strict=True) for role in roles}
        return tuple([owner[role].pop() for role, size in self.bet.deal.sizes.items() for _ in range(size)])


def is_in(bet: Bet, role: str, group: str) -> bool:
    """Whether the cards of a role are among those of a role that may stand for several."""
    return bet.roles[role][0] in bet.roles[group]


def rows_of_jokers(kinds: int, jokers: int) -> int:
    """Count the rows of so many jokers, by how often each kind comes: a number with a place for each pattern.

    >>> rows_of_jokers(2, 2) == 2 + 2 * PLACE  # one and the other in two orders, or two alike in two ways
    True
    """
    if not kinds:
        return int(not jokers)
    return sum(
        [
            comb(jokers, many) * PLACE ** MOVES[many] * rows_of_jokers(kinds - 1, jokers - many)
            for many in range(jokers + 1)
        ]
    )


def patterns(cards: int, most: int = MOST_CARDS) -> Iterator[Pattern]:
    """List how often the cards of a hand can repeat.

    >>> list(patterns(3))
    [(3,), (2, 1), (1, 1, 1)]
    """
    if not cards:
        yield ()
    for times in range(min(cards, most), 0, -1):
        yield from [(times, *rest) for rest in patterns(cards - times, times)]
