"""The answer to `odds`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from combinat.analysis.odds import RuleOdds
from combinat.exact.surd import Exact
from combinat.results.answer import ANSWER_FORMAT, Answer, exact_or_none

_MAX_SHOWN_CYCLE = 10**15
"""Ways are omitted from the summary if the cycle is too large to be informative."""


class OddsAnswer(Answer, frozen=True, kw_only=True):
    """The probability of a rule at one deck count."""

    format: str = ANSWER_FORMAT
    rule: str
    given: Annotated[str | None, Meta(description="The condition: hands that do not match it are not counted.")]
    deal: str
    ordered_by_role: Annotated[bool, Meta(description="Whether hands that differ by role only are counted apart.")]
    pack: str
    decks: int
    removed: list[str]
    cycle: Annotated[int, Meta(description="Number of equally likely hands.")]
    ways: Annotated[int, Meta(description="Ways of the rule.")]
    probability: Fraction
    one_in: Annotated[Fraction | None, Meta(description="Mean number of hands per match; null if it never matches.")]
    true_odds: Annotated[Fraction | None, Meta(description="Odds against the rule, to 1.")]

    def __repr__(self) -> str:
        ways = f"{self.ways:,} of {self.cycle:,} ways, " if self.cycle < _MAX_SHOWN_CYCLE else ""
        return f"<{self.rule}: {ways}probability {self.probability:.6g}>"

    @classmethod
    def of(cls, odds: RuleOdds) -> OddsAnswer:
        """Build the answer from counted odds."""
        return cls(
            rule=odds.rule,
            given=odds.condition,
            deal=str(odds.deal),
            ordered_by_role=odds.roles_distinct,
            pack=odds.shoe.pack.name,
            decks=odds.shoe.decks,
            removed=[str(card) for card in odds.shoe.removed],
            cycle=odds.cycle,
            ways=odds.ways,
            probability=Exact(odds.probability),
            one_in=exact_or_none(odds.one_in),
            true_odds=exact_or_none(odds.true_odds),
        )
