"""The most that a bet can win on a hand: with a split, as many hands as there can be, doubled as far as they are."""

from __future__ import annotations

from fractions import Fraction

from combinat.blackjack.charts import BasicPlay
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import ACE, EMPTY, PLACES, Hand, pair_place, total, with_card
from combinat.blackjack.infinite import InfiniteBlackjack
from combinat.blackjack.play import BestPlay, Strategy
from combinat.blackjack.rules import Action
from combinat.exact.distribution import Distribution


def most_won(game: Blackjack | InfiniteBlackjack, hand: Hand, up: int, blackjack_pays: Fraction | None) -> Fraction:
    """Give the most that a bet of one wins on a first hand, played as the game plays it.

    >>> from combinat.blackjack.hands import parse_first_hand
    >>> from decks import Shoe
    >>> game = Blackjack(Shoe(1), ups=(1,))  # against a two
    >>> most_won(game, parse_first_hand("6 5"), 1, None)  # eleven is doubled
    Fraction(2, 1)
    """
    results = game.results(hand, up, blackjack_pays)
    if isinstance(results, Distribution):
        return results.known[-1][0]
    place = pair_place(hand)
    if place is None or isinstance(game, InfiniteBlackjack):
        raise ValueError("only the results of a pair from a shoe are known loosely")
    return Fraction(bets_of_a_split(game, place, up))


def bets_of_a_split(game: Blackjack, place: int, up: int) -> int:
    """Count the bets on all hands of a split when they are most, as many of them doubled as cards allow.

    Each hand needs a card of the pair's value to begin with, and each that is doubled a second card with which it is.

    >>> from decks import Shoe
    >>> nines = Blackjack(Shoe(1), ups=(1,))  # against a two, so that three other twos are left to make eleven
    >>> bets_of_a_split(nines, 8, 1)
    7
    """
    most = game.rules.most_hands(place)
    left = [game.counts[card] - (card == up) for card in PLACES]
    hands = min(most, left[place])
    left[place] -= hands
    doubled = sum(left[card] for card in PLACES if left[card] and _doubles(game, place, card, up))
    return hands + min(hands, doubled)


def _doubles(game: Blackjack, place: int, second: int, up: int) -> bool:
    """Whether a hand of a split is doubled with a second card, if it is not split again."""
    hand = with_card(with_card(EMPTY, place), second)
    if place == ACE or total(hand) == 21 or not game.rules.double_after_split:
        return False
    values = game.hand(hand, up).values
    ranks = sorted(set(values.values()))  # a strategy compares whole numbers
    left: list[Action] = [one for one in values if one not in (Action.SURRENDER, Action.SPLIT)]
    allowed = {one: [ranks.index(values[one])] for one in left}
    way: Strategy = BestPlay() if game.strategy == "best" else BasicPlay(game.shoe.decks, game.rules, (up,))
    return way.choose(hand, allowed) == [Action.DOUBLE]
