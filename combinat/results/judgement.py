"""The answer to `judge`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from combinat.analysis.hand import Judgement, Ruling
from combinat.exact.surd import Exact
from combinat.language.deal import Deal
from combinat.language.english import describe_rule
from combinat.results.answer import ANSWER_FORMAT, Answer, Value


class ReasonAnswer(Answer, frozen=True, kw_only=True):
    """A part of a rule that does not hold."""

    failing: Annotated[str, Meta(description="What holds instead, in English.")]
    has: Annotated[str, Meta(description="The cards or values of the hand.")]

    def __str__(self) -> str:
        return f"{self.failing} ({self.has})" if self.has else self.failing


class RulingAnswer(Answer, frozen=True, kw_only=True):
    """The result of a hand for one award."""

    name: str
    rule: str
    rule_in_words: str
    pays_text: str
    matches: Annotated[bool, Meta(description="Whether the hand matches the rule.")]
    paid: Annotated[bool, Meta(description="Whether the award is paid.")]
    times: Annotated[int, Meta(description="How often the award is paid.")]
    reasons: Annotated[list[ReasonAnswer], Meta(description="Why the hand does not match.")]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.why}>"

    @property
    def why(self) -> str:
        """Why the award is paid or not."""
        if self.paid:
            return f"paid {self.times} times" if self.times > 1 else "paid"
        if self.matches:
            return "matches, but a higher award is paid"
        return "; ".join(
            f"{reason.failing} ({reason.has})" if reason.has else reason.failing for reason in self.reasons
        )

    @classmethod
    def of(cls, ruling: Ruling, deal: Deal) -> RulingAnswer:
        """Build the answer from the ruling on an award."""
        return cls(
            name=ruling.award.name,
            rule=str(ruling.award.rule),
            rule_in_words=describe_rule(ruling.award.rule, deal),
            pays_text=ruling.award.pays_text,
            matches=bool(ruling.match_count),
            paid=ruling.is_paid,
            times=ruling.paid_count,
            reasons=[ReasonAnswer(failing=reason.failing, has=reason.observed) for reason in ruling.reasons],
        )


class JudgementAnswer(Answer, frozen=True, kw_only=True):
    """One hand: its award, what it pays, and why it does not match the other awards."""

    format: str = ANSWER_FORMAT
    paytable: str
    deal: str
    hand: Annotated[dict[str, list[str]], Meta(description="The cards of each role.")]
    bet_is_made: Annotated[bool, Meta(description="Whether the hand meets the condition of the bet.")]
    award: Annotated[str | None, Meta(description="The award that is paid; null if there is none.")]
    pays_text: Annotated[str | None, Meta(description="The pay; null if the bet is not made.")]
    net: Annotated[Value, Meta(description="Net result of a wager of 1; the mean with a wheel.")]
    awards: list[RulingAnswer]

    def __repr__(self) -> str:
        cards = " ".join(card for cards in self.hand.values() for card in cards)
        if not self.bet_is_made:
            return f"<{cards}: no bet, since its condition does not hold>"
        return f"<{cards}: {f'{self.award}, pays {self.pays_text}' if self.award else 'no award, the wager is lost'}>"

    @classmethod
    def of(cls, judgement: Judgement) -> JudgementAnswer:
        """Build the answer from an evaluated hand."""
        deal, net = judgement.paytable.bet.deal, judgement.net
        return cls(
            paytable=judgement.paytable.id,
            deal=str(deal),
            hand={role: [str(card) for card in cards] for role, cards in judgement.hand},
            bet_is_made=judgement.is_bet,
            award=judgement.award,
            pays_text=judgement.pays if judgement.is_bet else None,
            net=Exact(net.constant) if net.is_constant else net,
            awards=[RulingAnswer.of(ruling, deal) for ruling in judgement.rulings],
        )
