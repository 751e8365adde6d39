"""What a table chooses of the rules of Lucky 9; the sources leave it to the configured version, or are silent."""

from __future__ import annotations

from fractions import Fraction

from combinat.enumeration.lucky9.scoring import ANY, MAKER, PUSH, THREE
from combinat.exact.amounts import number_in
from combinat.language.setting import Setting
from decks import InputError

MOST_PAID = 100
MOST_STAKED = 1_000_000
MOST_HANDS = 4


def _ratio(said: str, between: str, most: int) -> Fraction | None:
    """Read a number, or two with something between them; `None` if it is none or too large.

    >>> _ratio("1/3", "/", 10), _ratio("0.5", "/", 10), _ratio("11", "/", 10), _ratio("1/0", "/", 10)
    (Fraction(1, 3), Fraction(1, 2), None, None)
    """
    above, found, below = said.partition(between)
    number, by = number_in(above), number_in(below) if found else Fraction(1)
    if number is None or not by or number / by > most:
        return None
    return number / by


def _pays(said: str) -> Fraction:
    """Read what is paid to one.

    >>> _pays("3 to 2"), _pays("1.5"), _pays("7")
    (Fraction(3, 2), Fraction(3, 2), Fraction(7, 1))
    """
    paid = _ratio(said, " to ", MOST_PAID)
    if not paid:
        raise InputError(f"write what is paid to one, 3 to 2 or 1.5, more than nothing and {MOST_PAID} at most")
    return paid


def _hands(said: str) -> int:
    if said not in map(str, range(1, MOST_HANDS + 1)):
        raise InputError(f"it is 1, for no splits, to {MOST_HANDS}")
    return int(said)


def _stake(said: str) -> Fraction:
    """Read a stake, also as a fraction, as one without a short decimal is written.

    >>> _stake("0.5"), _stake("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    stake = _ratio(said, "/", MOST_STAKED)
    if stake is None:
        raise InputError(f"write how many times the main wager it is, such as 0.5 or 1/3, {MOST_STAKED:,} at most")
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
LUCKY_PAYS = Setting("lucky_pays", "A Lucky 9 pays", "What a Lucky 9 pays that wins.", "3 to 2", read=_pays)
HANDS = Setting("hands", "Hands of a split", "How many hands splits may make, 1 for no splits.", "4", read=_hands)
TIE_PAYS = Setting("tie_pays", "The Tie pays", "What the Tie wager pays.", "7 to 1", read=_pays)
TIE_STAKE = Setting(
    "tie_stake",
    "Stake on the Tie",
    "What is wagered on the Tie for each unit on the main wager, if the play is to be the best for both.",
    "0",
    read=_stake,
)
SETTINGS = (NINES, QUALIFY, LUCKY_PAYS, HANDS, TIE_PAYS, TIE_STAKE)
