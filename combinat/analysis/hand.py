"""Evaluation of one hand by a paytable: the awards paid, the pay, and the reason why each other award is not paid."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct, structs

from combinat.bets.award import Award
from combinat.bets.paytable import Paytable
from combinat.bets.settlement import LOSS
from combinat.enumeration.outcomes import Roles
from combinat.exact.polynomial import Polynomial
from combinat.language.hand import DealtHand, Reason
from decks import Card, InputError, Shoe


class Ruling(Struct, frozen=True):
    """The result of a hand for one award: whether it matches and is paid, and the reasons if it does not match."""

    award: Award
    match_count: int
    """How often the hand matches; at most once, unless the award is paid for each of a quantity."""
    paid_count: int
    """How often the award is paid."""
    reasons: tuple[Reason, ...] = ()

    @property
    def is_paid(self) -> bool:
        """Whether the award is paid."""
        return self.paid_count > 0


class Judgement(Struct, frozen=True):
    """A hand and its evaluation by a paytable."""

    paytable: Paytable
    hand: Roles
    """The cards of each role."""
    is_bet: bool
    """Whether the hand meets the condition under which the bet exists."""
    rulings: tuple[Ruling, ...]
    paid_award: Award | None
    """The award paid, or the sum of the awards paid; `None` if none is."""
    net: Polynomial
    """The net result of a wager of 1, in terms of meters of unknown value; the mean, with a wheel."""

    def __repr__(self) -> str:
        return f"<{self.description}>"

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in the order of the deal."""
        return tuple(card for _, cards in self.hand for card in cards)

    @property
    def has_wheel(self) -> bool:
        """Whether a wheel multiplies the pay."""
        return self.paid_award is not None and bool(self.paid_award.pay.prizes)

    @property
    def award(self) -> str | None:
        """The name of the award paid, or `None`."""
        return self.paid_award.name if self.paid_award else None

    @property
    def pays(self) -> str:
        """The pay as the paytable writes it."""
        return str(self.paid_award.pay) if self.paid_award else "loses"

    @property
    def description(self) -> str:
        """The result on one line."""
        cards = " ".join(map(str, self.cards))
        if not self.is_bet:
            return f"{cards}: no bet, since its condition does not hold: {self.paytable.bet.condition}"
        return f"{cards}: {self.award}, pays {self.pays}" if self.award else f"{cards}: no award, the wager is lost"


def evaluate_hand(
    paytable: Paytable, dealt: DealtHand, shoe: Shoe, meters: dict[str, Fraction] | None = None
) -> Judgement:
    """Evaluate a hand; refuse cards that the shoe cannot deal."""
    hand: Roles = tuple((name, dealt.cards_at(positions)) for name, positions in dealt.deal.disjoint_groups())
    try:
        shoe.composition.remove(card for _, cards in hand for card in cards)
    except InputError as error:
        raise InputError(
            f"{shoe} cannot deal this hand: {str(error).replace('cannot remove', 'it would take')}"
        ) from None
    dealt = structs.replace(dealt, pack=paytable.bet.pack)
    condition = paytable.bet.condition
    is_bet = condition is None or dealt.satisfies(condition.fact)
    settlement = paytable.settlement
    matches = [_count_matches(award, dealt) if is_bet else 0 for award in settlement.stated_awards]
    paid_counts = settlement.paid_counts(matches)
    rulings = tuple(
        Ruling(award, match_count, count, () if match_count else tuple(dict.fromkeys(dealt.reasons(award.rule.fact))))
        for award, match_count, count in zip(settlement.stated_awards, matches, paid_counts, strict=True)
    )
    award_paid = settlement.paid_award(paid_counts)
    net = LOSS if award_paid is None else award_paid.pay.gross_for(paytable.meter_wager(shoe.decks)) - 1
    return Judgement(paytable, hand, is_bet, rulings, award_paid, net.at(meters or {}) if is_bet else Polynomial.of(0))


def _count_matches(award: Award, dealt: DealtHand) -> int:
    """Return how often a hand matches an award."""
    return (dealt.evaluate(award.per.number) or 0) if award.per else int(dealt.satisfies(award.rule.fact))
