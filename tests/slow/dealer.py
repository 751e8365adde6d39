"""The dealer's hand drawn card by card, in every order."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import perm

from decks import Rank, parse_card
from tests.slow.rules import judge


class RanOutError(Exception):
    """A card was needed and none remained."""


def dealer_stands(values, hits_soft_17) -> bool:
    """Return whether the dealer stands; equal cards in another order are looked up."""
    return _stands(tuple(sorted(values)), hits_soft_17)


@lru_cache(maxsize=None)
def _stands(values, hits_soft_17) -> bool:
    """Return whether the dealer stands by listing all totals, with an ace as 1 or 11."""
    totals = {0}
    for value in values:
        totals = {total + worth for total in totals for worth in ((1, 11) if value == 1 else (value,))}
    best = max((total for total in totals if total <= 21), default=min(totals))
    soft = best != min(totals)
    return best > 17 or (best == 17 and not (soft and hits_soft_17))


def final_hand_probabilities(decks, up, hits_soft_17, suits=4, no_blackjack=False) -> dict[tuple[int, int], Fraction]:
    """Return the probability of each (hard total, number of cards) given an up card, from the first `suits` suits.

    Values are 1 to 10, tens and faces together. With fewer than four suits it is the probability of drawing only these.
    With `no_blackjack` all probabilities are given that the dealer has none.
    """
    remaining = {value: suits * decks * (4 if value == 10 else 1) for value in range(1, 11)}
    cards = 52 * decks - 1
    remaining[up] -= 1
    ways_of: Counter[tuple[int, int]] = Counter()

    def draw(values, ways):
        if len(values) > 1 and dealer_stands(values, hits_soft_17):
            if not (no_blackjack and sorted(values) == [1, 10]):
                ways_of[sum(values), len(values)] += ways
            return
        for value, count in remaining.items():
            if count:
                remaining[value] -= 1
                draw([*values, value], ways * count)
                remaining[value] += 1

    draw([up], 1)
    up_is_right = Fraction(suits, 4)
    found = {key: up_is_right * Fraction(ways, perm(cards, key[1] - 1)) for key, ways in ways_of.items()}
    if no_blackjack and up in (1, 10):
        partner = 10 if up == 1 else 1
        whole = 4 * decks * (4 if partner == 10 else 1)
        given = 1 - Fraction(whole, cards)
        found = {key: probability / given for key, probability in found.items()}
    return found


def probability_by_ranks(fact, given, hits_soft_17, suits=4, gone=()) -> Fraction:
    """Return the probability of a rule, given another, by drawing the dealer's hand from one deck rank by rank.

    With fewer than four suits the rule must require one suit or color; the result is the probability of hands of
    these suits times the number of such sets. `gone` lists removed cards by rank, faces as tens, since no rule used
    here distinguishes them.
    """
    ranks_alike = {
        rank: 4 if rank == 10 else 1 for rank in (*range(2, 11), 14)
    }  # these rules do not distinguish faces from tens
    remaining = {rank: suits * count - list(gone).count(rank) for rank, count in ranks_alike.items()}
    every = {rank: 4 * count - list(gone).count(rank) for rank, count in ranks_alike.items()}
    shades = ("c", "d") if suits == 4 else ("c", "c")
    is_given, fits = given and judge(given), judge(fact)

    def chance(counts, counts_as):
        """Return the probability of a hand that satisfies a predicate."""
        found = Fraction(0)
        for ranks, ways in drawn_ranks(tuple(counts.items()), hits_soft_17).items():
            cards = [parse_card(f"{Rank(rank)}{shades[index % 2]}") for index, rank in enumerate(ranks)]
            if counts_as([cards[0], cards[1:]]):
                found += Fraction(ways, perm(52 - len(gone), len(ranks)))
        return found

    if is_given is None:
        return chance(remaining, fits) * (4 // suits)
    return chance(remaining, lambda hand: is_given(hand) and fits(hand)) * (4 // suits) / chance(every, is_given)


def chance_of_runs(fact, given, hits_soft_17) -> Fraction:
    """Draw the dealer's hand from one deck card by card and give the chance of a rule, given another.

    The rules may ask for ranks and for leading cards of a color. So the colors of cards matter until the second color
    comes; any card after it is laid down in that color.
    """
    every = {rank: 16 if rank == 10 else 4 for rank in (*range(2, 11), 14)}  # faces are tens to these rules
    left = {rank: {"d": many // 2, "c": many // 2} for rank, many in every.items()}
    is_given, fits = judge(given) if given else lambda _hand: True, judge(fact)
    chances = {False: Fraction(0), True: Fraction(0)}

    def draw(cards, shades, ways):
        values = [1 if card.rank == 14 else min(int(card.rank), 10) for card in cards]
        if len(cards) > 1 and dealer_stands(values, hits_soft_17):
            hand = [cards[0], cards[1:]]
            if is_given(hand):
                chances[fits(hand)] += Fraction(ways, perm(52, len(cards)))
            return
        for rank, by_shade in left.items():
            held = sum(int(card.rank) == rank for card in cards)
            for shade, count in by_shade.items() if len(shades) < 2 else [(shades[-1], every[rank] - held)]:
                if count > 0:
                    by_shade[shade] -= 1
                    more = shades if shade in shades else shades + shade
                    draw([*cards, parse_card(f"{Rank(rank)}{shade}")], more, ways * count)
                    by_shade[shade] += 1

    draw([], "", 1)
    return chances[True] / sum(chances.values())


@lru_cache(maxsize=None)
def drawn_ranks(remaining, hits_soft_17) -> Counter[tuple[int, ...]]:
    """Draw the dealer's hand from given counts by rank; return the ways of each hand, sorted after the up card."""
    counts, counter = dict(remaining), Counter()

    def draw(ranks, ways):
        values = [1 if rank == 14 else min(rank, 10) for rank in ranks]
        if len(ranks) > 1 and dealer_stands(values, hits_soft_17):
            counter[ranks[0], *sorted(ranks[1:])] += ways
            return
        for rank, count in counts.items():
            if count:
                counts[rank] -= 1
                draw([*ranks, rank], ways * count)
                counts[rank] += 1

    draw([], 1)
    return counter


def iter_drawn_hands(cards, deal, hits_soft_17):
    """Deal physical cards to roles, then draw, in every order; yield each hand by position with its probability."""

    def draw(dealt, dealer, rest, probability):
        values = [1 if card.rank == 14 else min(int(card.rank), 10) for card in dealer]
        if len(dealt) == deal.card_count and len(dealer) > 1 and dealer_stands(values, hits_soft_17):
            yield [*dealt, dealer[0], dealer[1:]], probability
            return
        if not rest:
            raise RanOutError
        for index, card in enumerate(rest):
            remaining = rest[:index] + rest[index + 1 :]
            if len(dealt) < deal.card_count:
                yield from draw([*dealt, card], dealer, remaining, probability / len(rest))
            else:
                yield from draw(dealt, [*dealer, card], remaining, probability / len(rest))

    yield from draw([], [], list(cards), Fraction(1))


def drawn_probabilities(cards, deal, rules, given, hits_soft_17):
    """Deal physical cards to roles, then draw; return the probability that each rule matches first, and of none."""
    return first_match_probabilities(iter_drawn_hands(cards, deal, hits_soft_17), rules, given)


def first_match_probabilities(hands, rules, given):
    """Return the probability, given a condition, that each rule matches first, and of none; `None` if impossible."""
    probabilities = [Fraction(0)] * (len(rules) + 1)
    inside = Fraction(0)
    judges, is_given = [judge(rule.fact) for rule in rules], given and judge(given.fact)
    for hand, probability in hands:
        if is_given is None or is_given(hand):
            inside += probability
            judged = [fits(hand) for fits in judges]
            probabilities[judged.index(True) if True in judged else -1] += probability
    return [probability / inside for probability in probabilities] if inside else None
