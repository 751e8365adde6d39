"""What was typed about the table that a bet is made at: blackjack around it, and the settings of its own game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from combinat.blackjack.rules import BlackjackRules, parse_blackjack_pays

if TYPE_CHECKING:  # commands that only offer these options start faster without
    from combinat.blackjack.rules import BlackjackRules

USUAL_HANDS = 4


class BlackjackTable(Struct, frozen=True):
    """What was typed about the blackjack table; the usual table if nothing was.

    >>> BlackjackTable(hits_soft_17=False, blackjack="6:5").rules.blackjack_pays
    Fraction(6, 5)
    """

    hits_soft_17: bool | None = None
    double_after_split: bool = True
    double: str = "any"
    hands: int | None = None
    """How many hands splits may make; left out, the usual four."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    blackjack: str = "3:2"
    surrender: bool = False
    strategy: str = "best"

    @property
    def typed_rules(self) -> BlackjackRules | None:
        """The rules, if more was typed than how the dealer plays soft 17, which other bets ask for too."""
        return None if self == BlackjackTable(hits_soft_17=self.hits_soft_17) else self.rules

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        return BlackjackRules(
            hits_soft_17=self.hits_soft_17 is not False,
            double=self.double.strip().lower(),
            double_after_split=self.double_after_split,
            max_hands=USUAL_HANDS if self.hands is None else self.hands,
            resplit_aces=self.resplit_aces,
            hit_split_aces=self.hit_split_aces,
            blackjack_pays=parse_blackjack_pays(self.blackjack),
            surrender=self.surrender,
        )


class Table(Struct, frozen=True):
    """What was typed about the table; the usual one if nothing was."""

    blackjack: BlackjackTable = BlackjackTable()
    settings: dict[str, str] = {}
    """What was typed of settings that games declare, by their keys."""

    def without(self, keys: set[str]) -> BlackjackTable:
        """Give what was typed about blackjack, less what was meant for another game."""
        return replace(self.blackjack, **dict.fromkeys(keys & SHARED & set(self.settings)))


SHARED = {"hands"}
"""What blackjack and other games have by one name: the option is offered once, and goes to whichever asks for it."""
