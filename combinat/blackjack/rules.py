"""The rules of a blackjack table that affect the value of a hand."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from combinat.blackjack.hands import ACE, Hand, hard_hand_total, is_soft
from decks import InputError, did_you_mean
from decks.errors import quote

MAX_HANDS = 10
DOUBLES = {"any": "any two cards", "9-11": "hard 9 to 11", "10-11": "hard 10 and 11"}
"""First two cards that may be doubled: option name and description."""
STRATEGIES = ("best", "basic")
"""Names of strategies."""


class Action(StrEnum):
    """Actions on a hand; among actions of equal value the first in this order is chosen."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"


class BlackjackRules(Struct, frozen=True):
    """The rules of a table. The dealer always peeks, so a dealer's blackjack wins one bet only.

    >>> print(BlackjackRules())
    dealer hits soft 17, blackjack pays 3 to 2, double any two cards and after a split, split to 4 hands, \
split aces once with one card each, no surrender
    """

    hits_soft_17: bool = True
    double: str = "any"
    double_after_split: bool = True
    max_hands: int = 4
    """Maximum number of hands after splits; 1 means that splitting is not allowed."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    """Whether split aces may draw more than one card each; they may not be doubled in either case."""
    blackjack_pays: Fraction = Fraction(3, 2)
    surrender: bool = False
    """Late surrender: half the bet is forfeited after the dealer has checked for blackjack."""

    def __post_init__(self) -> None:
        if self.double not in DOUBLES:
            hint = did_you_mean(self.double, DOUBLES) or f"; write one of {', '.join(DOUBLES)}"
            raise InputError(f"{quote(self.double)} is not a rule for doubling{hint}")
        if not 1 <= self.max_hands <= MAX_HANDS:
            raise InputError(f"max_hands must be 1 to {MAX_HANDS}, got {self.max_hands}")
        if not 0 <= self.blackjack_pays <= 10:
            raise InputError(f"blackjack_pays must be 0 to 10, got {self.blackjack_pays}; write 3:2, 6:5 or 1:1")

    def __str__(self) -> str:
        pays = self.blackjack_pays
        ace_splits = "as often as others" if self.resplit_aces and self.max_hands > 2 else "once"
        ace_cards = "any number of cards" if self.hit_split_aces else "one card"
        splits = [f"split to {self.max_hands} hands", f"split aces {ace_splits} with {ace_cards} each"]
        doubles = f"double {DOUBLES[self.double]}"
        after_split_text = (
            f"{' and' if self.double_after_split else ', not'} after a split" if self.max_hands > 1 else ""
        )
        return ", ".join(
            (
                f"dealer {'hits' if self.hits_soft_17 else 'stands on'} soft 17",
                f"blackjack pays {pays.numerator} to {pays.denominator}",
                doubles + after_split_text,
                *(splits if self.max_hands > 1 else ["no splits"]),
                "late surrender" if self.surrender else "no surrender",
            )
        )

    @property
    def non_defaults(self) -> tuple[str, ...]:
        """Rules that differ from the defaults, each in a form that fits into a file name.

        >>> BlackjackRules(hits_soft_17=False, blackjack_pays=Fraction(6, 5)).non_defaults
        ('s17', 'blackjack-6-5')
        """
        pays = self.blackjack_pays
        labels = {
            "hits_soft_17": "s17",
            "double": f"double-{self.double}",
            "double_after_split": "no-das",
            "max_hands": f"hands-{self.max_hands}",
            "resplit_aces": "resplit-aces",
            "hit_split_aces": "hit-split-aces",
            "blackjack_pays": f"blackjack-{pays.numerator}-{pays.denominator}",
            "surrender": "surrender",
        }
        defaults = BlackjackRules()
        return tuple(text for name, text in labels.items() if getattr(self, name) != getattr(defaults, name))

    def max_split_hands(self, index: int) -> int:
        """Return the maximum number of hands a pair of this value can be split into.

        >>> BlackjackRules().max_split_hands(ACE), BlackjackRules().max_split_hands(7)
        (2, 4)
        """
        return min(self.max_hands, 2) if index == ACE and not self.resplit_aces else self.max_hands

    def may_double(self, hand: Hand) -> bool:
        """Return whether two cards that are not from a split may be doubled.

        >>> from combinat.blackjack.hands import parse_first_hand
        >>> BlackjackRules(double="9-11").may_double(parse_first_hand("A 8"))
        False
        """
        if sum(hand) != 2:
            return False
        min_total = {"any": 0, "9-11": 9, "10-11": 10}[self.double]
        return not min_total or (not is_soft(hand) and min_total <= hard_hand_total(hand) <= 11)


def parse_blackjack_pays(text: str) -> Fraction:
    """Parse the pay of a blackjack.

    >>> parse_blackjack_pays("6:5"), parse_blackjack_pays("3 to 2")
    (Fraction(6, 5), Fraction(3, 2))
    """
    number_texts = [number_text.strip() for number_text in text.replace(" to ", ":").replace("/", ":").split(":")]
    if len(number_texts) != 2 or not all(
        number_text.isascii() and number_text.isdecimal() and len(number_text) < 4 for number_text in number_texts
    ):
        raise InputError(f"{quote(text)} is not the pay of a blackjack; write 3:2, 6:5 or 1:1")
    if not int(number_texts[1]):
        raise InputError(f"{quote(text)} divides by zero; write the pay of a blackjack as 3:2, 6:5 or 1:1")
    return Fraction(int(number_texts[0]), int(number_texts[1]))


def check_strategy(name: str) -> None:
    """Raise `InputError` if there is no strategy of this name."""
    if name not in STRATEGIES:
        hint = did_you_mean(str(name), STRATEGIES) or f"; write {' or '.join(STRATEGIES)}"
        raise InputError(f"{quote(name)} is not a strategy{hint}")
