"""Every outcome of a bet, class by class: which cards, in how many ways, and which award takes them.

Hands that differ only by a renaming of suits that no rule notices are one class, written as one of them. The ways of
all classes add up to the cycle: this is the enumeration itself, laid open for whoever wants to check it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, permutations
from math import comb, prod
from typing import TypeVar

from more_itertools import multinomial
from msgspec import Struct

from combinat.deal import Deal
from combinat.fixed_deal import FixedDeal
from combinat.paytable import Award, Paytable
from combinat.ranks import Bits, rows_in
from combinat.suits import Renaming, Suits, suit_rows
from combinat.whole import divided
from decks import Card, Composition, InputError, Rank, Shoe, Suit

Roles = tuple[tuple[str, tuple[Card, ...]], ...]
"""For each role its cards; roles that are not told apart are one, called `all cards`."""

TOGETHER = "all cards"  # no role's name has a space
T = TypeVar("T")
MOST_CLASSES = 2_000_000
_ENOUGH = 100
"""Hands to pick an example from."""


class Outcome(Struct, frozen=True):
    """A class of outcomes: one hand of it, the ways of them all, and the award that takes them."""

    roles: Roles
    ways: int
    award: Award | None
    suits: str = ""
    """How the suits of a dealer's finished hand fall, where the class is wider than renaming suits."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the one hand."""
        return tuple(card for _, cards in self.roles for card in cards)

    def dealt(self, deal: Deal) -> Roles:
        """The one hand as it could be dealt, also if roles are not told apart."""
        if self.roles[0][0] != TOGETHER:
            return self.roles
        cards = iter(self.cards)
        return tuple((role, tuple(next(cards) for _ in range(count))) for role, count in deal.roles)


def outcomes(paytable: Paytable, shoe: Shoe) -> Iterator[Outcome]:
    """List every class of outcomes that a shoe can give, the ways adding up to the cycle.

    >>> from combinat.finding import find
    >>> first = next(outcomes(find("HM-1"), Shoe(6)))
    >>> " ".join(map(str, first.cards)), first.ways, first.award.name  # one of four suits, 6 aces times 6 kings
    ('Kc Ac', 144, 'Ace-king suited')
    """
    trial = paytable.experiment
    if isinstance(trial, FixedDeal):
        _check_size(paytable, trial, shoe.composition)
        for award in (*paytable.awards, None):
            yield from _dealt(paytable, trial, shoe.composition, award)
    else:
        from combinat.drawn_outcomes import drawn_outcomes  # a fixed deal needs nothing of the dealer's draw

        yield from drawn_outcomes(paytable, trial, shoe.composition)


def _check_size(paytable: Paytable, trial: FixedDeal, composition: Composition) -> None:
    """Refuse to list more classes than anybody reads."""
    sizes = [len(group) for group in _groups(paytable)[1]]
    rank_rows = prod(comb(len(trial.pack.ranks) + size - 1, size) for size in sizes)
    classes = rank_rows * len(suit_rows(trial.deal.cards, trial.renamings_at(composition)))
    if classes > MOST_CLASSES:
        raise InputError(
            f"the deal {trial.deal} has some {classes // 1_000_000} million classes of outcomes; at most "
            f"{MOST_CLASSES // 1_000_000} million are listed"
        )


def examples(paytable: Paytable, shoe: Shoe) -> tuple[Outcome | None, ...]:
    """Give a hand for each award that shows what it is for; none if the award cannot be won.

    >>> from combinat.finding import find
    >>> [" ".join(map(str, one.cards)) for one in examples(find("HM-1"), Shoe(6))]
    ['Kc Ac', '9c 10c', '10c 10d', '9d 10c']
    """
    trial = paytable.experiment
    if isinstance(trial, FixedDeal):
        return _dealt_examples(paytable, trial, shoe.composition)
    from combinat.drawn_outcomes import drawn_examples

    return drawn_examples(paytable, trial, shoe.composition)


def beyond_the_middle(found: Sequence[T]) -> T:
    """Pick one of many that is neither the lowest nor the highest."""
    return found[len(found) * 5 // 8]


# A fixed deal


def _dealt(paytable: Paytable, trial: FixedDeal, composition: Composition, award: Award | None) -> Iterator[Outcome]:
    """List the classes that an award takes, or that none takes."""
    names, groups = _groups(paytable)
    renamings = trial.renamings_at(composition)
    several = trial.deal.cards > 1
    in_order = [_is_sorted(row, groups) for row in trial.space.rows] if several else [True] * trial.space.size
    orders = trial.deal.orders(apart=trial.apart)
    part = len(trial.ladder.rules) + (len(paytable.awards) if award is None else paytable.awards.index(award))
    classes: Counter[tuple[tuple[int, ...], Suits]] = Counter()
    for suits, size, sets in trial.judged(renamings):
        for row in rows_in(sets[part]):
            if in_order[row]:
                ranks = trial.space.rows[row] if several else (trial.space.rows[row],)
                alike = tuple(tuple(ranks.index(ranks[place], group[0]) for place in group) for group in groups)
                classes[ranks, _first_of_class(suits, alike, renamings)] += size
    for (ranks, suits), rows_of_suits in sorted(classes.items()):
        cards = tuple(Card(Rank(rank), Suit(suit)) for rank, suit in zip(ranks, suits, strict=True))
        drawn = composition.ordered_ways(cards)
        if drawn:
            for group in groups:
                drawn *= multinomial(*Counter(ranks[place] for place in group).values())
            ways = divided(drawn * rows_of_suits, orders)  # a class has every order of its hands
            roles = tuple(
                (name, tuple(cards[place] for place in group)) for name, group in zip(names, groups, strict=True)
            )
            yield Outcome(roles, ways, award)


def _dealt_examples(paytable: Paytable, trial: FixedDeal, composition: Composition) -> tuple[Outcome | None, ...]:
    """Pick a hand for each award from beyond the middle of its ranks, without repeated cards if there is one."""
    names, groups = _groups(paytable)
    many, several = len(trial.ladder.rules), trial.deal.cards > 1
    best: list[tuple[int, int, Outcome] | None] = [None] * many
    for suits, size, sets in trial.judged(trial.renamings_at(composition)):
        for part in range(many):
            fitting: dict[int, list[tuple[Card, ...]]] = {}
            rows = sets[many + part]
            for row in _spread(rows):
                ranks = trial.space.rows[row] if several else (trial.space.rows[row],)
                cards = tuple(Card(Rank(rank), Suit(suit)) for rank, suit in zip(ranks, suits, strict=True))
                if composition.ordered_ways(cards):
                    fitting.setdefault(len(set(cards)), []).append(cards)
            if fitting:
                different = max(fitting)
                rank = (different, rows.bit_count() * size)
                known = best[part]
                if known is None or rank > known[:2]:
                    cards = beyond_the_middle(fitting[different])
                    roles = tuple(
                        (name, tuple(sorted(cards[place] for place in group)))
                        for name, group in zip(names, groups, strict=True)
                    )
                    best[part] = (*rank, Outcome(roles, composition.ways(cards), paytable.awards[part]))
    return tuple(known[2] if known else None for known in best)


def _spread(rows: Bits) -> list[int]:
    """Give some of the rows, spread over them all; every one of them if they are few."""
    if rows.bit_count() <= _ENOUGH:
        return list(rows_in(rows))
    digits = f"{rows:b}"[::-1]
    found = (digits.find("1", len(digits) * part // _ENOUGH) for part in range(_ENOUGH))
    return list(dict.fromkeys(row for row in found if row >= 0))


def _groups(paytable: Paytable) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """The roles with their places; all as one if they are not told apart."""
    deal = paytable.bet.deal
    if not paytable.apart and len(deal.roles) > 1:
        return (TOGETHER,), (tuple(range(deal.cards)),)
    names = tuple(role for role, _ in deal.roles)
    return names, tuple(deal.groups[name] for name in names)


def _is_sorted(row: Sequence[int], groups: tuple[tuple[int, ...], ...]) -> bool:
    return all(row[one] <= row[other] for group in groups for one, other in pairwise(group))


@lru_cache(maxsize=65536)
def _first_of_class(suits: Suits, alike: tuple[tuple[int, ...], ...], renamings: tuple[Renaming, ...]) -> Suits:
    """Write a suit row in one way only, whatever the order of cards of one rank and the names of the suits."""
    blocks = [list(block) for group in alike for _, block in groupby(group)]
    rows = [list(suits)]
    start = 0
    for block in blocks:
        width = len(block)
        rows = [
            [*row[:start], *order, *row[start + width :]]
            for row in rows
            for order in set(permutations(row[start : start + width]))
        ]
        start += width
    return min(tuple(renaming[suit] for suit in row) for row in rows for renaming in renamings)
