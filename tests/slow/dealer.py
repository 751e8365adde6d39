"""The dealer's hand drawn card by card, order by order, in the plainest way."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import perm

from decks import Rank, parse_card
from tests.slow.rules import judge


class RanOutError(Exception):
    """A card was needed and none was left."""


def dealer_stands(values, hits_soft_17) -> bool:
    """Judge the dealer's hand; the same cards come in many orders and are judged once."""
    return _stands(tuple(sorted(values)), hits_soft_17)


@lru_cache(maxsize=None)
def _stands(values, hits_soft_17) -> bool:
    """Judge the dealer's hand by listing its totals, an ace being 1 or 11."""
    totals = {0}
    for value in values:
        totals = {total + worth for total in totals for worth in ((1, 11) if value == 1 else (value,))}
    best = max((total for total in totals if total <= 21), default=min(totals))
    soft = best != min(totals)
    return best > 17 or (best == 17 and not (soft and hits_soft_17))


def final_hands(decks, up, hits_soft_17, suits=4, no_blackjack=False) -> dict[tuple[int, int], Fraction]:
    """Give the chance of each (hard total, number of cards) for an up card, all cards being of the first few suits.

    The values are 1 to 10, tens and faces together. With fewer than four suits, it is the chance of drawing just them.
    The up card is given; with `no_blackjack` everything is given that the dealer has none.
    """
    left = {value: suits * decks * (4 if value == 10 else 1) for value in range(1, 11)}
    cards = 52 * decks - 1
    left[up] -= 1
    ways_of: Counter[tuple[int, int]] = Counter()

    def draw(values, ways):
        if len(values) > 1 and dealer_stands(values, hits_soft_17):
            if not (no_blackjack and sorted(values) == [1, 10]):
                ways_of[sum(values), len(values)] += ways
            return
        for value, count in left.items():
            if count:
                left[value] -= 1
                draw([*values, value], ways * count)
                left[value] += 1

    draw([up], 1)
    up_is_right = Fraction(suits, 4)
    found = {key: up_is_right * Fraction(ways, perm(cards, key[1] - 1)) for key, ways in ways_of.items()}
    if no_blackjack and up in (1, 10):
        partner = 10 if up == 1 else 1
        whole = 4 * decks * (4 if partner == 10 else 1)
        given = 1 - Fraction(whole, cards)
        found = {key: chance / given for key, chance in found.items()}
    return found


def chance_by_ranks(fact, given, hits_soft_17, suits=4, gone=()) -> Fraction:
    """Draw the dealer's hand from one deck rank by rank and give the chance of a rule, given another.

    With fewer than four suits the rule must ask for all cards to be of one suit or color; the chance is then that of
    hands drawn from just these suits, times the number of such sets. Cards gone are listed by rank,
    faces as tens, since no rule given here may tell them apart.
    """
    ranks_alike = {rank: 4 if rank == 10 else 1 for rank in (*range(2, 11), 14)}  # faces are tens to these rules
    left = {rank: suits * many - list(gone).count(rank) for rank, many in ranks_alike.items()}
    every = {rank: 4 * many - list(gone).count(rank) for rank, many in ranks_alike.items()}
    shades = ("c", "d") if suits == 4 else ("c", "c")
    is_given, fits = given and judge(given), judge(fact)

    def chance(counts, counts_as):
        """The chance that a hand of some cards counts."""
        found = Fraction(0)
        for ranks, ways in drawn_ranks(tuple(counts.items()), hits_soft_17).items():
            cards = [parse_card(f"{Rank(rank)}{shades[place % 2]}") for place, rank in enumerate(ranks)]
            if counts_as([cards[0], cards[1:]]):
                found += Fraction(ways, perm(52 - len(gone), len(ranks)))
        return found

    if is_given is None:
        return chance(left, fits) * (4 // suits)
    return chance(left, lambda hand: is_given(hand) and fits(hand)) * (4 // suits) / chance(every, is_given)


@lru_cache(maxsize=None)
def drawn_ranks(left, hits_soft_17) -> Counter[tuple[int, ...]]:
    """Draw the dealer's hand from so many cards of each rank; those after the up card are listed in order."""
    counts, found = dict(left), Counter()

    def draw(ranks, ways):
        values = [1 if rank == 14 else min(rank, 10) for rank in ranks]
        if len(ranks) > 1 and dealer_stands(values, hits_soft_17):
            found[ranks[0], *sorted(ranks[1:])] += ways
            return
        for rank, count in counts.items():
            if count:
                counts[rank] -= 1
                draw([*ranks, rank], ways * count)
                counts[rank] += 1

    draw([], 1)
    return found


def drawn_hands(cards, deal, hits_soft_17):
    """Deal physical cards to roles, then draw, in every order: give each hand, by place, with its chance."""

    def draw(dealt, dealer, rest, chance):
        values = [1 if card.rank == 14 else min(int(card.rank), 10) for card in dealer]
        if len(dealt) == deal.card_count and len(dealer) > 1 and dealer_stands(values, hits_soft_17):
            yield [*dealt, dealer[0], dealer[1:]], chance
            return
        if not rest:
            raise RanOutError
        for place, card in enumerate(rest):
            left = rest[:place] + rest[place + 1 :]
            if len(dealt) < deal.card_count:
                yield from draw([*dealt, card], dealer, left, chance / len(rest))
            else:
                yield from draw(dealt, [*dealer, card], left, chance / len(rest))

    yield from draw([], [], list(cards), Fraction(1))


def count_drawn(cards, deal, rules, given, hits_soft_17):
    """Deal physical cards to roles, then draw; give the chance of each rule being the first that fits, and of none."""
    return share(drawn_hands(cards, deal, hits_soft_17), rules, given)


def share(hands, rules, given):
    """Give the chance, given a rule, of each of others being the first that fits, and of none; nothing if none can."""
    chances = [Fraction(0)] * (len(rules) + 1)
    inside = Fraction(0)
    judges, is_given = [judge(rule.fact) for rule in rules], given and judge(given.fact)
    for hand, chance in hands:
        if is_given is None or is_given(hand):
            inside += chance
            judged = [fits(hand) for fits in judges]
            chances[judged.index(True) if True in judged else -1] += chance
    return [chance / inside for chance in chances] if inside else None
