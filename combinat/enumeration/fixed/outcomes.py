"""The classes of hands of a fixed deal, and a hand for each award."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, permutations
from math import prod

from more_itertools import multinomial

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.outcomes import TOGETHER, Outcome, Roles, beyond_the_middle
from combinat.enumeration.rank_rows import rows_in, spread, union
from combinat.enumeration.symmetry import Renaming
from combinat.exact.whole import MiscountError
from combinat.language.word import Places, Suits
from decks import Card, Composition, InputError
from decks.cards import ALL_CARDS

MOST_CARDS = 5
"""Cards of which every class of hands is listed."""
_AT_A_TIME = 4096
"""Rank rows that are looked at together; the ledger itself never stands in memory."""
_SOME = (1 << _AT_A_TIME) - 1
_CARDS = {(int(card.rank), int(card.suit)): card for card in ALL_CARDS}


def outcomes(trial: FixedDeal, composition: Composition) -> Iterator[Outcome]:
    """List every class of hands, award by award, then those that lose."""
    if reason := why_unlisted(trial):
        raise InputError(f"{reason}; a ledger is for up to {MOST_CARDS} without jokers")
    for award in (*range(len(trial.ladder.rules)), None):
        yield from _taken(trial, composition, award)


def why_unlisted(trial: FixedDeal) -> str:
    """Say why hands of too many cards, and with jokers, are not listed; nothing if they are."""
    if trial.deal.cards_dealt > MOST_CARDS:
        return f"hands of {trial.deal.cards_dealt} cards are too many to be listed"
    return "hands of cards with jokers are too many to be listed" if trial.pack.jokers else ""


def _taken(trial: FixedDeal, composition: Composition, award: int | None) -> Iterator[Outcome]:
    """List the classes that an award takes, or that none takes, in the order of their ranks."""
    groups = tuple(_groups(trial).values())
    (portion,) = trial.portions(groups, 0)
    space = portion.space
    renamings = trial.renamings_at(composition)
    judged = trial.judged(renamings, portion)
    there = {int(card.rank) for card, _ in composition}
    taken = [(suits, size, sets.losing if award is None else sets.wins[award]) for suits, size, sets in judged]
    for start in range(0, space.size, _AT_A_TIME):
        some = [(suits, size, rows >> start & _SOME) for suits, size, rows in taken]
        for row in rows_in(union(rows for _, _, rows in some)):
            ranks = space.row(start + row)
            if not there.issuperset(ranks):
                continue  # of a small shoe most ranks are gone
            alike = tuple(tuple(ranks.index(ranks[place], group[0]) for place in group) for group in groups)
            orders = prod(multinomial(*Counter(ranks[place] for place in group).values()) for group in groups)
            classes: Counter[Suits] = Counter()
            for suits, size, rows in some:
                if rows >> row & 1:
                    classes[_first_of_class(suits, alike, renamings)] += size
            for suits, rows_of_suits in sorted(classes.items()):
                cards = tuple(_CARDS[one] for one in zip(ranks, suits, strict=True))
                if drawn := composition.ordered_ways(cards):
                    ways, rest = divmod(drawn * orders * rows_of_suits, trial.orders)
                    if rest:
                        raise MiscountError(f"a class does not have every order of its hands: {cards}")
                    yield _outcome(trial, cards, ways, award)


def examples(trial: FixedDeal, composition: Composition) -> tuple[Outcome | None, ...]:
    """Pick a hand for each award from beyond the middle of its ranks, without repeated cards if there is one."""
    if trial.deal.cards_dealt > MOST_CARDS or trial.pack.jokers:
        from combinat.enumeration.fixed.many_card_examples import examples as of_many_cards  # few bets have so many

        hands = of_many_cards(trial, composition)
        return tuple(_example(trial, cards, composition, award) if cards else None for award, cards in enumerate(hands))
    best: list[tuple[int, int, Outcome] | None] = [None] * len(trial.ladder.rules)
    (portion,) = trial.portions(tuple((place,) for place in trial.deal.everybody), 0)  # every order is looked at
    for suits, size, sets in trial.judged(trial.renamings_at(composition), portion):
        for award, rows in enumerate(sets.wins):
            known, many = best[award], rows.bit_count() * size
            if known and (len(suits), many) <= known[:2]:
                continue  # these are fewer, and no more different than all of them
            fitting: dict[int, list[tuple[Card, ...]]] = {}
            for row in spread(rows):
                cards = portion.seating.cards_of(portion.space.row(row), suits)
                if composition.ordered_ways(cards):
                    fitting.setdefault(len(set(cards)), []).append(cards)
            if fitting:
                different = max(fitting)
                rank = (different, many)
                if known is None or rank > known[:2]:
                    best[award] = (*rank, _example(trial, beyond_the_middle(fitting[different]), composition, award))
    found = [known[2] if known else None for known in best]
    if not all(found):  # of a shoe from which most cards are gone, none of those looked at may be there
        ways = trial.weigh(composition).wins
        for award, one in enumerate(found):
            if one is None and ways[award]:
                found[award] = next(_taken(trial, composition, award))
    return tuple(found)


def _example(trial: FixedDeal, cards: tuple[Card, ...], composition: Composition, award: int) -> Outcome:
    """A hand as an example of what an award takes, the cards of each role in order."""
    in_order = tuple(card for group in _groups(trial).values() for card in sorted(cards[place] for place in group))
    return _outcome(trial, in_order, composition.ways(cards), award)


def _outcome(trial: FixedDeal, cards: tuple[Card, ...], ways: int, award: int | None) -> Outcome:
    """Make a class of one of its hands, whose cards lie group by group."""
    groups = _groups(trial)
    roles: Roles = tuple((name, tuple(cards[place] for place in places)) for name, places in groups.items())
    dealt: Roles = tuple(
        (role, tuple(cards[place] for place in trial.deal.groups[role])) for role, _ in trial.deal.roles
    )
    return Outcome(roles, ways, award, dealt)


def _groups(trial: FixedDeal) -> dict[str, Places]:
    """The roles with their places; all as one if they are not told apart."""
    deal = trial.deal
    if not trial.roles_distinct and len(deal.roles) > 1:
        return {TOGETHER: deal.everybody}
    return {role: deal.groups[role] for role, _ in deal.roles}


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
