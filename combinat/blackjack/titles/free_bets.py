"""Number of free bets in a round, for bets such as Pot of Gold on Free Bet Blackjack.

Free doubles of two cards and free splits depend on the first two cards of each hand only, so the distribution follows
from the second cards that are dealt: a card of the pair's value splits again, a card that makes a total for a free
double adds one free bet, any other card adds none. Cards drawn later do not matter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from combinat.blackjack.fast.tables import hand_rows
from combinat.blackjack.hands import BLACKJACK_PARTNER, EMPTY, INDEXES, Hand, is_natural, pair_index, with_card
from combinat.blackjack.titles.game import TitleGame, hand_probability
from combinat.blackjack.titles.play import DOUBLE, SPLIT, Context
from combinat.blackjack.titles.rules import HoleCard
from decks import InputError


def free_bet_probabilities(game: TitleGame) -> dict[int, Fraction]:
    """Return the probability of each number of free bets in a round.

    >>> from combinat.blackjack.titles.rules import TitleRules
    >>> from decks import Shoe
    >>> free_bet_probabilities(TitleGame(Shoe(1), TitleRules(max_hands=1), "mimic"))
    {0: Fraction(1, 1)}
    """
    rules = game.rules
    if rules.free_double_any_cards:
        raise InputError("the number of free bets needs free doubles of two cards only: free_double_any_cards = false")
    if rules.zap:
        raise InputError("the number of free bets is not computed for a title with exchanges")
    if rules.hole_card is not HoleCard.PEEK:
        raise InputError(f"the number of free bets needs hole_card = 'peek', got {rules.hole_card}")
    probabilities: defaultdict[int, Fraction] = defaultdict(Fraction)
    for hand in game.solver.hands:
        for up in INDEXES:
            seen, natural = game.dealer_cards(hand, up)
            probability = hand_probability(game.counts, hand)
            is_played = not is_natural(hand) and game.first_action(hand, up) in (DOUBLE, SPLIT)
            if not is_played:
                probabilities[0] += probability * seen
                continue
            probabilities[0] += probability * natural
            dealt = with_card(hand, up)
            for hole in INDEXES:
                if BLACKJACK_PARTNER.get(up) == hole:
                    continue
                share = probability * seen * _draw(game.counts, dealt, hole)
                if share:
                    for number, conditional in _round(game, hand, up, with_card(dealt, hole)).items():
                        probabilities[number] += share * conditional
    return dict(sorted(probabilities.items()))


def _draw(counts: Hand, removed: Hand, index: int) -> Fraction:
    """Return the probability that the next card has a value."""
    return Fraction(counts[index] - removed[index], sum(counts) - sum(removed))


def _round(game: TitleGame, hand: Hand, up: int, dealt: Hand) -> Mapping[int, Fraction]:
    """Return the probabilities of free bets after the first cards, if the hand is doubled or split."""
    pair = pair_index(hand)
    if game.first_action(hand, up) == DOUBLE or pair is None:
        return {int(game.rules.can_double_free(hand)): Fraction(1)}
    kinds = [_second_card(game, pair, index, up) for index in INDEXES]
    counts: Counter[SecondCard] = Counter()
    for kind, count, copies in zip(kinds, game.counts, dealt, strict=True):
        counts[kind] += count - copies
    return _deal_seconds(
        tuple(sorted(counts.items())),
        2,
        (),
        game.rules.max_split_hands(pair),
        game.rules.max_free_hands(pair),
    )


class SecondCard(NamedTuple):
    """What the second card of a split hand does."""

    is_pair: bool
    doubles_money: bool
    """Whether the hand is doubled for free if money is on it."""
    doubles_free: bool
    """Whether the hand is doubled for free if a free bet is on it."""


def _second_card(game: TitleGame, pair: int, index: int, up: int) -> SecondCard:
    hand = with_card(with_card(EMPTY, pair), index)
    row = hand_rows().row_of[hand]
    doubles = []
    for is_free in (False, True):
        context = Context(is_free and bool(game.rules.free_splits), is_split=True, is_aces=pair == 0)
        allowed, chosen = game.solver.table(context)
        doubles.append(bool(allowed.free_double[row]) and int(chosen.actions[row, up]) == DOUBLE)
    return SecondCard(index == pair, *doubles)


@lru_cache(maxsize=100_000)
def _deal_seconds(
    remaining: tuple[tuple[SecondCard, int], ...],
    hand_count: int,
    seconds: tuple[SecondCard, ...],
    max_hands: int,
    max_free: int,
) -> Mapping[int, Fraction]:
    """Deal second cards, to the first hand first; hands that pair are split again."""
    if len(seconds) == hand_count:
        free_hands = min(max_free, hand_count - 1)
        doubles = [
            second.doubles_free if number >= hand_count - free_hands else second.doubles_money
            for number, second in enumerate(seconds)
        ]
        return {free_hands + sum(doubles): Fraction(1)}
    size = sum(count for _, count in remaining)
    probabilities: defaultdict[int, Fraction] = defaultdict(Fraction)
    for kind, count in remaining:
        if not count:
            continue
        after = tuple((other, left - (other == kind)) for other, left in remaining)
        is_again = kind.is_pair and hand_count < max_hands
        rest = _deal_seconds(
            after, hand_count + is_again, seconds if is_again else (*seconds, kind), max_hands, max_free
        )
        for number, conditional in rest.items():
            probabilities[number] += Fraction(count, size) * conditional
    return probabilities
