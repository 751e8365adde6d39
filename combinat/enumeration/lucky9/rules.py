"""Rules of Lucky 9: how hands are scored and compared, and the settings that a table chooses.

Suits and faces do not matter: a card is its value, ace 1 and tens and faces 0, so that there are ten card values. A
hand has the last digit of its sum as points. Only for 9s does it matter how they were made. Where the sources leave a
rule open, it is a setting.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.exact.numbers import parse_number
from combinat.language.deal import Setting
from decks import InputError

CARD_VALUES = range(10)
"""Possible values of a card."""
NINE = 9
LUCKY, NATURAL, DRAWN = 9, 10, 11
"""The 9s: of two cards without a ten-valued one, of two cards with one, of three cards."""
SCORES = range(12)
"""A score is the points of a hand or, with 9 points, which kind of 9 it is."""
MIN_QUALIFYING_POINTS = 3
MAX_DEALER_DRAW_POINTS = 4

PUSH, MAKER = "push", "maker"
ANY, THREE = "any", "three"


def points(score: int) -> int:
    """Return the points of a score.

    >>> [points(score) for score in (0, 8, LUCKY, NATURAL, DRAWN)]
    [0, 8, 9, 9, 9]
    """
    return min(score, NINE)


def score_two_cards(first_value: int, second_value: int) -> int:
    """Return the score of two cards.

    >>> score_two_cards(7, 5), score_two_cards(4, 5) == LUCKY, score_two_cards(0, 9) == NATURAL
    (2, True, True)
    """
    total = (first_value + second_value) % 10
    if total < NINE:
        return total
    return LUCKY if first_value and second_value else NATURAL


def score_after_split(first_value: int, second_value: int) -> int:
    """Return the score of two cards after a split, where no 9 is lucky.

    >>> score_after_split(4, 5) == NATURAL
    True
    """
    total = (first_value + second_value) % 10
    return NATURAL if total == NINE else total


def score_three_cards(two_card_points: int, third: int) -> int:
    """Return the score of a hand with `two_card_points` that draws `third`.

    >>> score_three_cards(4, 5) == DRAWN, score_three_cards(4, 9)
    (True, 3)
    """
    total = (two_card_points + third) % 10
    return DRAWN if total == NINE else total


class LuckyNineRules(Struct, frozen=True, dict=True):
    """The rules that a table chooses; a round is solved once for each choice."""

    nines: str = PUSH
    qualify: str = ANY
    lucky_pays: Fraction = Fraction(3, 2)
    hands: int = 4

    def result(self, player: int, dealer: int, *, drew: bool) -> int:
        """Return 1 if a hand beats the dealer's, 0 if it pushes and -1 if it loses; `drew` means it has three cards.

        >>> LuckyNineRules().result(2, 0, drew=False), LuckyNineRules(qualify=THREE).result(2, 0, drew=False)
        (-1, 1)
        >>> tuple(rules.result(LUCKY, DRAWN, drew=False) for rules in (LuckyNineRules(), LuckyNineRules(nines=MAKER)))
        (0, 1)
        """
        player_points, dealer_points = points(player), points(dealer)
        if player_points < MIN_QUALIFYING_POINTS and (drew or self.qualify == ANY):
            return -1
        if player_points != dealer_points:
            return 1 if player_points > dealer_points else -1
        if self.nines == MAKER and {player, dealer} == {LUCKY, DRAWN}:
            return 1 if player == LUCKY else -1
        return 0

    @cached_property
    def standing(self) -> tuple[tuple[int, ...], ...]:
        """For each score of a hand that drew no card, the result against each score of the dealer."""
        return tuple(
            tuple(self.result(player_score, dealer_score, drew=False) for dealer_score in SCORES)
            for player_score in SCORES
        )

    @cached_property
    def drawing(self) -> tuple[tuple[int, ...], ...]:
        """For each score of a three-card hand, the result against each score of the dealer."""
        return tuple(
            tuple(self.result(player_score, dealer_score, drew=True) for dealer_score in SCORES)
            for player_score in SCORES
        )

    @property
    def length(self) -> int:
        """Maximum number of cards of a round: with four hands, two for each and three for the dealer.

        >>> LuckyNineRules().length, LuckyNineRules(hands=1).length
        (11, 6)
        """
        of_one_hand = 3
        first_cards, dealer_cards = 2, 3
        splits = 2 * (self.hands - 1)  # each hand after the first takes its first card from the shoe, or the pair
        return dealer_cards + max(of_one_hand, first_cards + splits)


MAX_ODDS = 100
MAX_STAKE = 1_000_000
MAX_HANDS = 4


def _parse_ratio(text: str, separator: str, maximum: int) -> Fraction | None:
    """Parse a number, or two with `separator` between them; `None` if it is invalid or above `maximum`.

    >>> tuple(_parse_ratio(text, "/", 10) for text in ("1/3", "0.5", "11", "1/0"))
    (Fraction(1, 3), Fraction(1, 2), None, None)
    """
    numerator_text, has_separator, denominator_text = text.partition(separator)
    numerator, denominator = (
        parse_number(numerator_text),
        parse_number(denominator_text) if has_separator else Fraction(1),
    )
    if numerator is None or not denominator or numerator / denominator > maximum:
        return None
    return numerator / denominator


def _parse_odds(text: str) -> Fraction:
    """Parse odds to one.

    >>> _parse_odds("3 to 2"), _parse_odds("1.5"), _parse_odds("7")
    (Fraction(3, 2), Fraction(3, 2), Fraction(7, 1))
    """
    odds = _parse_ratio(text, " to ", MAX_ODDS)
    if not odds:
        raise InputError(f"write odds to one, such as 3 to 2 or 1.5, above 0 and at most {MAX_ODDS}")
    return odds


def _parse_hands(text: str) -> int:
    if text not in map(str, range(1, MAX_HANDS + 1)):
        raise InputError(f"write a number from 1 (no splits) to {MAX_HANDS}")
    return int(text)


def _parse_stake(text: str) -> Fraction:
    """Parse a stake, as a decimal or as a fraction.

    >>> _parse_stake("0.5"), _parse_stake("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    stake = _parse_ratio(text, "/", MAX_STAKE)
    if stake is None:
        raise InputError(f"write a multiple of the main wager, such as 0.5 or 1/3, at most {MAX_STAKE:,}")
    return stake


NINES = Setting(
    "nines",
    "Two hands of 9",
    "What happens if player and dealer both have 9.",
    PUSH,
    {
        PUSH: "two 9s push, however they were made",
        MAKER: "a Lucky 9 beats a three-card 9, the dealer's too; all other 9s push; a two-card 9 is not hit",
    },
)
QUALIFY = Setting(
    "qualify",
    "Hands that do not qualify",
    "Which hands lose whatever the dealer has.",
    ANY,
    {
        ANY: "a hand of 0, 1 or 2 points loses",
        THREE: "a hand of three cards with 0, 1 or 2 points loses; one of two cards is compared with the dealer's",
    },
)
LUCKY_PAYS = Setting("lucky_pays", "A Lucky 9 pays", "What a Lucky 9 pays that wins.", "3 to 2", parse=_parse_odds)
HANDS = Setting(
    "hands", "Hands of a split", "How many hands splits may make, 1 for no splits.", "4", parse=_parse_hands
)
TIE_PAYS = Setting("tie_pays", "The Tie pays", "What the Tie wager pays.", "7 to 1", parse=_parse_odds)
TIE_STAKE = Setting(
    "tie_stake",
    "Stake on the Tie",
    "What is wagered on the Tie for each unit on the main wager, if the play is to be the best for both.",
    "0",
    parse=_parse_stake,
)
SETTINGS = (NINES, QUALIFY, LUCKY_PAYS, HANDS, TIE_PAYS, TIE_STAKE)
