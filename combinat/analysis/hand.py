"""One hand judged by a paytable: which award it takes, what that pays, and why each other award is not paid."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct, structs

from combinat.bets.award import Award
from combinat.bets.paytable import Paytable
from combinat.bets.settlement import LOST
from combinat.enumeration.outcomes import Roles
from combinat.exact.polynomial import Polynomial
from combinat.language.hand import DealtHand, Reason
from decks import Card, InputError, Shoe


class Ruling(Struct, frozen=True):
    """One award: whether a hand fits it and takes it, and if it does not fit, why."""

    award: Award
    fits: int
    """How often it fits; at most once, unless it is paid for each of something."""
    times: int
    """How often it is taken."""
    reasons: tuple[Reason, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether it is paid."""
        return self.times > 0

    @property
    def why(self) -> str:
        """Say what came of it."""
        if self.is_taken:
            return f"taken {self.times} times" if self.times > 1 else "taken"
        return "fits, but a higher award is taken" if self.fits else "; ".join(map(str, self.reasons))


class Judgement(Struct, frozen=True):
    """A hand, and what a paytable says of it."""

    paytable: Paytable
    hand: Roles
    """For each role its cards."""
    is_bet: bool
    """Whether the bet is made at all with these cards; under its condition it may not be."""
    rulings: tuple[Ruling, ...]
    settled: Award | None
    """What the awards that are taken come to; none if none is."""
    net: Polynomial
    """What a wager of one wins, in terms of the meters that are not said to stand anywhere; a mean if a wheel turns."""

    def __repr__(self) -> str:
        return f"<{self.in_words}>"

    @property
    def cards(self) -> tuple[Card, ...]:
        """All the cards, in the order of the deal."""
        return tuple(card for _, cards in self.hand for card in cards)

    @property
    def is_spun(self) -> bool:
        """Whether a wheel decides what is paid."""
        return self.settled is not None and bool(self.settled.pay.prizes)

    @property
    def taken(self) -> tuple[Award, ...]:
        """The awards that are paid."""
        return tuple(ruling.award for ruling in self.rulings if ruling.is_taken)

    @property
    def award(self) -> str | None:
        """The name of what is paid, if something is."""
        return self.settled.name if self.settled else None

    @property
    def pays(self) -> str:
        """What is paid, as the paytable writes it."""
        return str(self.settled.pay) if self.settled else "loses"

    @property
    def in_words(self) -> str:
        """Say in one line what comes of the hand."""
        cards = " ".join(map(str, self.cards))
        if not self.is_bet:
            return f"{cards}: no bet, since its condition does not hold: {self.paytable.bet.given}"
        return f"{cards}: {self.award}, pays {self.pays}" if self.award else f"{cards}: no award, the wager is lost"


def judge(paytable: Paytable, dealt: DealtHand, shoe: Shoe, meters: dict[str, Fraction] | None = None) -> Judgement:
    """Judge a hand that lies on the table; cards that the shoe cannot hold are refused."""
    hand: Roles = tuple((name, dealt.at(positions)) for name, positions in dealt.deal.disjoint_groups())
    try:
        shoe.composition.remove(card for _, cards in hand for card in cards)
    except InputError as error:
        raise InputError(
            f"{shoe} cannot deal this hand: {str(error).replace('cannot remove', 'it would take')}"
        ) from None
    dealt, condition = structs.replace(dealt, pack=paytable.bet.pack), paytable.bet.given
    is_bet = condition is None or dealt.fits(condition.fact)
    settlement = paytable.settlement
    matches = [_times(award, dealt) if is_bet else 0 for award in settlement.stated]
    paid_counts = settlement.taken(matches)
    rulings = tuple(
        Ruling(award, match_count, count, () if match_count else tuple(dict.fromkeys(dealt.reasons(award.rule.fact))))
        for award, match_count, count in zip(settlement.stated, matches, paid_counts, strict=True)
    )
    award_paid = settlement.settled(paid_counts)
    net = LOST if award_paid is None else award_paid.pay.gross_for(paytable.meter_wager(shoe.decks)) - 1
    return Judgement(paytable, hand, is_bet, rulings, award_paid, net.at(meters or {}) if is_bet else Polynomial.of(0))


def _times(award: Award, dealt: DealtHand) -> int:
    """Tell how often a hand fits an award."""
    return (dealt.number(award.per.number) or 0) if award.per else int(dealt.fits(award.rule.fact))
