"""Formulas in the number of decks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from combinat.bets.paytable import Paytable
from combinat.requests.bets import TableRequest
from combinat.requests.request import Notify
from decks import InputError

if TYPE_CHECKING:
    from combinat.results.formula import FormulaAnswer


class Formula(TableRequest[Paytable, "FormulaAnswer"], frozen=True, kw_only=True):
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

    def results(self, computed: Paytable) -> Sequence[FormulaAnswer]:
        from combinat.results.formula import FormulaAnswer  # imports sympy, which is slow

        return [FormulaAnswer.of(computed)]


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
