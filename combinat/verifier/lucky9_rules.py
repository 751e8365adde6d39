"""The rules of Lucky 9 as its rules of play state them: hands, how two of them compare, and what a table may choose."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.reading import UnreadableError, number_of, said, shown

DEALS = {"lucky 9": False, "lucky 9 tie": True}
"""The wagers on a round, and whether they are on the Tie."""
NINES, QUALIFY, MOST_HANDS = ("push", "maker"), ("any", "three"), 4
CARDS = range(10)  # tens and faces are worth nothing


class Hand(NamedTuple):
    """A finished hand: its points, how many cards it has, and whether there is one worth nothing among them."""

    points: int
    cards: int
    has_ten: bool

    @property
    def is_lucky(self) -> bool:
        """Whether it is a Lucky 9: two cards that make 9, none of them worth nothing."""
        return self.points == 9 and self.cards == 2 and not self.has_ten


def hand_of(*cards: int) -> Hand:
    """Make a hand of its cards.

    >>> hand_of(4, 5).is_lucky, hand_of(0, 9).is_lucky, hand_of(2, 3, 4).is_lucky
    (True, False, False)
    """
    return Hand(sum(cards) % 10, len(cards), 0 in cards)


class Terms(NamedTuple):
    """What a table has chosen, and what is wagered."""

    is_tie: bool
    nines: str
    qualify: str
    lucky_pays: Fraction
    hands: int
    tie_pays: Fraction
    tie_stake: Fraction

    @property
    def cards(self) -> int:
        """How many cards a round can take: the dealer three, and the player three or two for each hand of a split.

        Each split again takes a card from the shoe that begins a hand; the first split takes none.
        """
        begun_from_the_shoe = max(self.hands - 2, 0)
        in_splits = 2 + self.hands + begun_from_the_shoe if self.hands > 1 else 0
        return 3 + max(3, in_splits)

    def wins(self, own: Hand, dealer: Hand, *, is_split: bool = False) -> int:
        """Settle one wager on a hand: 1 if it wins, -1 if it loses, 0 if it is pushed.

        >>> terms = Terms(False, "maker", "three", Fraction(3, 2), 4, Fraction(7), Fraction(0))
        >>> [terms.wins(hand_of(4, 5), other) for other in (hand_of(0, 9), hand_of(2, 3, 4), hand_of(1, 8))]
        [0, 1, 0]
        """
        if own.points <= 2 and (self.qualify == "any" or own.cards == 3):
            return -1
        if self.nines == "maker" and own.points == dealer.points == 9:
            is_lucky = own.is_lucky and not is_split  # after a split every 9 of two cards is a natural one
            if is_lucky and dealer.cards == 3:
                return 1
            return -1 if dealer.is_lucky and own.cards == 3 else 0
        return (own.points > dealer.points) - (own.points < dealer.points)


def terms_of(sheet: dict[str, Any]) -> Terms:
    """Read what a table has chosen."""
    chosen = said(sheet, "settings", dict)
    nines, qualify, hands = [said(chosen, key, str) for key in ("nines", "qualify", "hands")]
    if nines not in NINES or qualify not in QUALIFY or hands not in map(str, range(1, MOST_HANDS + 1)):
        raise UnreadableError(f"no rules of Lucky 9 '{shown(chosen)}'")
    return Terms(
        is_tie=DEALS[sheet["deal"]],
        nines=nines,
        qualify=qualify,
        lucky_pays=odds_of(said(chosen, "lucky_pays", str)),
        hands=int(hands),
        tie_pays=odds_of(said(chosen, "tie_pays", str)),
        tie_stake=number_of(said(chosen, "tie_stake", str)),
    )


def odds_of(text: str) -> Fraction:
    """Read what is paid to one.

    >>> odds_of("3 to 2")
    Fraction(3, 2)
    """
    paid, _, staked = text.partition(" to ")
    stake = number_of(staked)
    if not stake:
        raise UnreadableError(f"no odds '{shown(text)}'")
    return number_of(paid) / stake
