"""The maximum win of a bet on a hand, including the maximum number of split and doubled hands."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from combinat.blackjack.hands import ACE, EMPTY, INDEXES, Hand, total, with_card
from combinat.blackjack.infinite import InfiniteBlackjack
from combinat.blackjack.parlay.results import Results
from combinat.blackjack.rules import BlackjackRules
from combinat.exact.distribution import Distribution


class PlayedGame(Protocol):
    """A game with a known strategy."""

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Results:
        """Return the distribution of the profit of a unit bet on a first hand, or its moments for a split."""
        ...

    def max_bets(self, hand: Hand, up: int) -> int:
        """Return the maximum number of bets on all hands of a split."""
        ...


class SplitTable(Protocol):
    """A table at which pairs are split."""

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        ...

    @property
    def counts(self) -> Hand:
        """The cards of the shoe."""
        ...

    def doubles(self, hand: Hand, up: int) -> bool:
        """Return whether two cards without an ace are doubled after a split, if they are not split again."""
        ...


def max_win(game: PlayedGame | InfiniteBlackjack, hand: Hand, up: int, blackjack_pays: Fraction | None) -> Fraction:
    """Return the maximum win of a unit bet on a first hand under the strategy of the game.

    >>> from combinat.blackjack.game import BlackjackGame
    >>> from combinat.blackjack.hands import parse_first_hand
    >>> from decks import Shoe
    >>> game = BlackjackGame(Shoe(1), BlackjackRules(max_hands=1), ups=(1,))  # no splits, against a two
    >>> max_win(game, parse_first_hand("6 5"), 1, None)  # eleven is doubled_hands
    Fraction(2, 1)
    """
    results = game.results(hand, up, blackjack_pays)
    if isinstance(results, Distribution):
        return results.numeric_outcomes[-1][0]
    if isinstance(game, InfiniteBlackjack):
        raise ValueError("an infinite deck has exact distributions for all hands")
    return Fraction(game.max_bets(hand, up))


def max_split_bets(table: SplitTable, pair: int, up: int) -> int:
    """Return the maximum number of bets on all hands of a split, with as many doubled as the cards allow.

    Each hand needs a card of the pair's value, and each doubled hand a second card with which it is doubled.

    >>> from combinat.blackjack.game import BlackjackGame
    >>> from decks import Shoe
    >>> nines = BlackjackGame(Shoe(1), ups=(1,))  # against a two: three twos remain to make eleven
    >>> max_split_bets(nines, 8, 1)
    7
    """
    max_hands = table.rules.max_split_hands(pair)
    remaining = [table.counts[card] - (card == up) for card in INDEXES]
    hand_count = min(max_hands, remaining[pair])
    remaining[pair] -= hand_count
    doubled_hands = sum(remaining[card] for card in INDEXES if remaining[card] and _doubles(table, pair, card, up))
    return hand_count + min(hand_count, doubled_hands)


def _doubles(table: SplitTable, index: int, second_card: int, up: int) -> bool:
    """Return whether a hand of a split is doubled with this second card, if it is not split again."""
    hand = with_card(with_card(EMPTY, index), second_card)
    if index == ACE or total(hand) == 21 or not table.rules.double_after_split:
        return False
    return table.doubles(hand, up)
