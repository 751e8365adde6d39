"""The steps of a derivation: of a fixed deal by how often cards repeat, of a drawn hand by its number of cards."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb, factorial, perm, prod
from typing import Any, NamedTuple

from combinat.verifier.bet import Bet
from combinat.verifier.cards import COLORS, WORTH
from combinat.verifier.compare import Described
from combinat.verifier.counting import first_of
from combinat.verifier.dealer_draws import SUITS, DealerDraws, Draws, suit_falls
from combinat.verifier.draws_after_others import DrawsAfterOthers
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.leading_draws import LeadingDraws
from combinat.verifier.rank_by_rank import Pattern, RankByRank

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
TIMES = {2: " twice", **{times: f" {NUMBERS[times]} times" for times in range(3, 8)}}
EVERY_PATTERN = Described("a step for each pattern of cards that wins it, and no other")


@lru_cache(maxsize=64)
def patterns_of(deals: FixedDeals | RankByRank, awards: int) -> Counter[tuple[int, Pattern]]:
    """Count, in order, the rows of card kinds that win each award, or at last none, by their pattern."""
    found: Counter[tuple[int, Pattern]] = Counter()
    if isinstance(deals, RankByRank):
        for (matches, pattern), rows in deals.rows.items():
            if matches is not None:
                found[winner(matches, awards), pattern] += rows
        return found
    for deal, orders in deals.deals.items():
        if not deals.peeks:
            if deal.matches[0] is not None:
                found[winner(deal.matches[0], awards), pattern_of(deal.gone)] += orders
            continue
        for pair, rows in pairs_after(deal.held, deals.bet.shoe.ranks).items():
            judged = deal.matches[pair.is_blackjack]
            if judged is not None:
                found[winner(judged, awards), pair.pattern] += orders * rows
    return found


class Pair(NamedTuple):
    """Two cards of the dealer's beside cards that lie there: the pattern of all, and whether they are a blackjack."""

    pattern: Pattern
    is_blackjack: bool


@lru_cache(maxsize=100_000)
def pairs_after(lying: tuple[tuple[int, int], ...], ranks: tuple[int, ...]) -> Counter[Pair]:
    """Count the rows of two card kinds by the pattern that they make with the cards that lie there."""
    found: Counter[Pair] = Counter()
    kinds = [(worth_of(rank), 0) for rank in ranks for _ in COLORS]
    for worth, times in lying:  # of the kinds of this worth, one lies there so many times already
        kinds[kinds.index((worth, 0))] = (worth, times)
    lie = Counter(kinds)
    for (first, many), kinds_of_first in lie.items():
        for (second, times), kinds_of_second in lie.items():
            others = kinds_of_second - ((first, many) == (second, times))
            if not others:
                continue
            rest = [held for _, held in lying]
            apart = sorted(replaced(replaced(rest, many), times), reverse=True)
            is_blackjack = sorted((first, second)) == [1, 10]
            found[Pair(tuple(apart), is_blackjack)] += kinds_of_first * others
        same = sorted(replaced(replaced([held for _, held in lying], many), many + 1), reverse=True)
        found[Pair(tuple(same), is_blackjack=False)] += kinds_of_first
    return +found


def replaced(held: list[int], times: int) -> list[int]:
    """Give a card that lies there so many times once more."""
    rest = list(held)
    if times:
        rest.remove(times)
    return [*rest, times + 1]


def worth_of(rank: int) -> int:
    """Whether a card is an ace, worth ten, or another."""
    return WORTH[rank] if WORTH[rank] in (1, 10) else 0


def winner(matches: tuple[bool, ...], awards: int) -> int:
    """The place of the award that a hand wins; behind the last if it wins none."""
    first = first_of(matches[:awards])
    return awards if first is None else first


def pattern_of(gone: tuple[int, ...]) -> Pattern:
    """Tell how often cards come in a hand, by how many like each lay there when it came.

    >>> pattern_of((0, 1, 0))  # a card, one like it, another
    (2, 1)
    """
    most = Counter(gone)
    return tuple(sorted([times + 1 for times in most for _ in range(most[times] - most[times + 1])], reverse=True))


def fixed_steps(bet: Bet, counted: dict[Pattern, int], given: list[Any]) -> Any:
    """Give the steps of one award in the order of the sheet, whose patterns must be just these."""
    steps = {in_words(pattern): step_of(bet, pattern, rows) for pattern, rows in counted.items()}
    names = [row.get("cards") if isinstance(row, dict) else None for row in given]
    if sorted(map(str, names)) != sorted(steps):
        return EVERY_PATTERN
    return [steps[str(name)] for name in names]


def step_of(bet: Bet, pattern: Pattern, rows: int) -> dict[str, Any]:
    """Count the hands of one pattern and their ways, in n and with the number of decks put in."""
    decks = bet.shoe.decks
    if bet.ordered_by_role:
        behind = f" ÷ {bet.orders}" if bet.orders > 1 else ""
        hands, ways = rows, rows * prod([perm(decks, times) for times in pattern]) // bet.orders
        formula = "·".join(["n" + "".join([f"(n−{gone})" for gone in range(1, times)]) for times in pattern]) + behind
        numbers = [str(max(decks - gone, 0)) for times in pattern for gone in range(times)]
        return step(pattern, hands, formula, "·".join(numbers) + behind, ways)
    hands = rows * prod(map(factorial, pattern)) // factorial(sum(pattern))
    chosen = [comb(decks, times) for times in pattern]
    formula = "·".join(["n" if times == 1 else f"C(n,{times})" for times in pattern])
    return step(pattern, hands, formula, "·".join(map(str, chosen)), hands * prod(chosen))


def step(pattern: Pattern, hands: int, formula: str, numbers: str, ways: int) -> dict[str, Any]:
    """Put a step together."""
    return {"cards": in_words(pattern), "hands": hands, "formula": formula, "numbers": numbers, "ways": ways}


def in_words(pattern: Pattern) -> str:
    """Say a pattern.

    >>> in_words((1, 1, 1)), in_words((2, 1)), in_words((2, 2, 1))
    ('three different cards', 'one card twice and one other card', 'two cards twice and one other card')
    """
    if len(pattern) > 1 and set(pattern) == {1}:
        return f"{NUMBERS[len(pattern)]} different cards"
    parts: list[str] = []
    for times, kinds in sorted(Counter(pattern).items(), reverse=True):
        plural = "s" if kinds > 1 else ""
        parts.append(f"{NUMBERS[kinds]} {'other ' if parts else ''}card{plural}{TIMES.get(times, '')}")
    return " and ".join(parts)


@lru_cache(maxsize=64)
def drawn_hands(draws: DealerDraws, decks: int, awards: int) -> dict[tuple[int, int], tuple[int, int]]:
    """By award and number of cards: how many finished hands win it, and in how many orders they are drawn.

    A hand is the ranks before the dealer, those worth ten told apart only by a rule; where a rule asks for suits, one
    hand if they are alike, another if of one color, and another if of both.
    """
    tens_apart = any(rule.tells_tens_apart for rule in draws.bet.every_rule)
    draws = draws if tens_apart == draws.bet.tells_tens_apart else type(draws)(draws.bet, tens_apart)
    if isinstance(draws, LeadingDraws):
        return leading_hands(draws, decks, awards)
    if isinstance(draws, DrawsAfterOthers):
        return hands_after_others(draws, decks, awards)
    asks = any({"suited", "same_color"} & set(rule.words) for rule in draws.bet.every_rule)
    weights = Draws(decks, list(draws.kinds.values()), draws.longest)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for row, orders in draws.rows.items():
        hand = draws.hand_of[row]
        falls = [(hand.matches[-1], weights.ways(hand, SUITS))]
        if asks:
            falls = list(zip(hand.matches, suit_falls(weights, hand), strict=True))
        for matches, ways in falls:
            if matches is not None and ways:
                key = (winner(matches, awards), len(row))
                hands, in_order = found.get(key, (0, 0))
                found[key] = (hands + 1, in_order + orders)
    return found


def hands_after_others(draws: DrawsAfterOthers, decks: int, awards: int) -> dict[tuple[int, int], tuple[int, int]]:
    """The same where cards are dealt to others: each hand of theirs makes another one, in the dealer's orders."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for row, orders in draws.rows.items():
        for others, rows in zip(draws.others, draws.hands_of_others(row, decks), strict=True):
            matches = draws.judged(row, others.example)[-1] if rows else None
            if matches is not None:
                key = (winner(matches, awards), len(row) + draws.dealt)
                hands, in_order = found.get(key, (0, 0))
                found[key] = (hands + rows, in_order + orders * rows)
    return found


def leading_hands(draws: LeadingDraws, decks: int, awards: int) -> dict[tuple[int, int], tuple[int, int]]:
    """The same where a rule counts leading cards of a color: a hand that some order wins with is one of the award's."""
    asks = any({"suited", "same_color"} & set(rule.words) for rule in draws.bet.every_rule)
    winning = {
        (winner(hand.matches, awards), hand.row, len(hand.kind) if asks else 0)
        for hand in draws.all_hands(decks)
        if hand.matches is not None
    }
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for award, row, _ in winning:
        hands, in_order = found.get((award, len(row)), (0, 0))
        found[award, len(row)] = (hands + 1, in_order + draws.rows[row])
    return found
