"""The figures of bets: analyze, compare, sensitivity, and formulas in the number of decks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from combinat.bets.paytable import Paytable
from combinat.exact.interval import Limits, parse_interval
from combinat.requests.bets import TableRequest
from combinat.requests.request import Notify, Option
from combinat.study import Study
from decks import InputError


class Analyze(TableRequest[Sequence[Study]], frozen=True, kw_only=True):
    """Compute the awards and figures of bets.

    With several deck counts or bets, the answer has one row for each. The options on splits, doubles and strategy are
    for bets whose winnings can be parlayed on the blackjack hand.
    """

    def answer(self, notify: Notify) -> Sequence[Study]:
        return self.studies(notify)


class Compare(TableRequest[Sequence[Study]], frozen=True, kw_only=True):
    """Compare paytables with the first one.

    The answer has the figures by deck count, their differences, which paytable is better for the player, and the
    awards side by side.
    """

    @property
    def keeps_originals(self) -> bool:
        return True

    def answer(self, notify: Notify) -> Sequence[Study]:
        return self.studies(notify)


class Sensitivity(TableRequest[Sequence[Study]], frozen=True, kw_only=True):
    """Compute how each pay affects the house edge.

    The answer has, for each award, the change of the edge per unit of pay, and the range of pays that keeps the edge
    within limits, for each deck count and for all together.
    """

    edge: Annotated[
        str | None,
        Option("Limits of the house edge: 3%..5%, ..5% or 3%.. (inclusive).", unit="percent", default="0%.."),
    ] = None

    @property
    def edge_limits(self) -> Limits | None:
        """The limits of the house edge; `None` if none are given."""
        return None if self.edge is None else parse_interval(self.edge, "--edge", percent=True)

    def answer(self, notify: Notify) -> Sequence[Study]:
        _ = self.edge_limits  # an error in the limits is reported before the count
        return self.studies(notify)


class Formula(TableRequest[Paytable], frozen=True, kw_only=True):
    """Return the ways of each award as a formula in the deck count.

    The answer has the probabilities and the house edge as formulas too. The rules of the dealer and of games, the up
    card and the pays matter to them; other table conditions do not.
    """

    def answer(self, notify: Notify) -> Paytable:
        if len(self.bets) > 1:
            raise InputError(f"formulas are of one bet at a time, got {len(self.bets)} bets")
        for name in IRRELEVANT_TO_FORMULAS:
            if getattr(self, name) != self.default_of(name):
                raise InputError(f"{name} does not affect formulas in the number of decks; leave it out")
        return self.single_paytable(notify)


IRRELEVANT_TO_FORMULAS = (
    "decks",
    "removed",
    "any_decks",
    "meters",
    "seed",
    "rate",
    "wager",
    "double_after_split",
    "double",
    "resplit_aces",
    "hit_split_aces",
    "blackjack_pays",
    "surrender",
    "strategy",
    "table",
)
"""Options of requests about bets that formulas do not depend on."""
