"""Single hands: the award of one hand, and the ledger of all outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.hand import Judgement, evaluate_hand
from combinat.bets.paytable import Paytable
from combinat.bets.variants import condition_on_up_card
from combinat.language.hand import DealtHand, hand_from_cards, hand_from_roles, parse_roles_of_hand
from combinat.requests.arguments import CardsLike
from combinat.requests.bets import ShoeRequest, UpCard, read_meters
from combinat.requests.request import Group, Notify, Option
from combinat.results.judgement import JudgementAnswer
from combinat.results.ledger import LedgerAnswer, OutcomeListing
from decks import Card, InputError
from decks.cards import as_cards

HandLike = CardsLike | Mapping[str, CardsLike] | Sequence[str]
"""Cards in the order of the deal, cards by role, or texts such as `player=As Ks`."""


class Judge(ShoeRequest[Judgement, JudgementAnswer], frozen=True, kw_only=True):
    """Find the award of one hand, and explain why.

    Shows the award, its pay, and why the hand does not match the awards above it.
    """

    hand: Annotated[
        HandLike | None,
        Option(
            'Cards in the order of the deal, such as "As Ks Qs", or by role, such as player="As Ks" up=Qs.',
            is_argument=True,
            is_repeated=True,
        ),
    ] = None

    def answer(self, notify: Notify) -> Judgement:
        paytable = self.single_paytable(notify)
        counts = self.deck_counts or (max(paytable.decks),)
        if len(counts) > 1:
            raise InputError(f"a hand comes from one shoe; choose one deck count, such as {counts[-1]}")
        hand = self._dealt_hand(paytable)
        return evaluate_hand(paytable, hand, self.shoe(paytable, counts[0]), read_meters(self.meters, [paytable]))

    def results(self, computed: Judgement) -> Sequence[JudgementAnswer]:
        return [JudgementAnswer.of(computed)]

    def _dealt_hand(self, paytable: Paytable) -> DealtHand:
        """Return the cards at the positions of the deal."""
        deal, hand = paytable.bet.deal, self.hand
        if hand is None:
            raise InputError(f"the hand is missing; give a hand in the order of {deal}, or the cards of each role")
        if not isinstance(hand, (Mapping, Card)):
            items = [hand] if isinstance(hand, str) else list(hand)
            texts = [item for item in items if isinstance(item, str)]
            if len(texts) == len(items):
                hand = parse_roles_of_hand(texts, deal) or " ".join(texts)
        if isinstance(hand, Mapping):
            cards_by_role = {role: as_cards(cards) for role, cards in hand.items()}
            return hand_from_roles(deal, cards_by_role, paytable.ladder.all_rules)
        return hand_from_cards(deal, as_cards(hand))


class Ledger(ShoeRequest[OutcomeListing, LedgerAnswer], frozen=True, kw_only=True):
    """List every outcome with its ways and its award as CSV.

    Each line is a class of equivalent hands. The ways add up to the cycle.
    """

    up: Annotated[
        UpCard, Option("The dealer's up card, such as 8, K or A; only its outcomes are listed.", group=Group.TABLE)
    ] = None
    limit: Annotated[int | None, Option("Maximum number of outcomes, such as 1000.", default="all outcomes")] = None

    def given_up_card(self, paytables: list[Paytable]) -> list[Paytable]:
        if self.up is None:
            return paytables
        up = str(self.up.rank if isinstance(self.up, Card) else self.up)
        return [condition_on_up_card(paytable, up) for paytable in paytables]

    def answer(self, notify: Notify) -> OutcomeListing:
        if self.limit is not None and self.limit < 1:
            raise InputError(f"limit must be 1 or more, got {self.limit}")
        cases = list(self.iter_cases(notify))
        if len(cases) > 1:
            listed = ", ".join(f"{paytable.id} with {shoe}" for paytable, shoe, _ in cases[:4])
            raise InputError(
                f"a ledger needs one paytable and one number of decks, got {listed}; add for example --decks 6"
            )
        ((paytable, shoe, meters),) = cases
        count = paytable.experiment.count_outcomes(shoe.composition)  # raises LimitError before the expensive analysis
        return OutcomeListing(analyze_wager(paytable, shoe, meters), count, self.limit)

    def results(self, computed: OutcomeListing) -> Sequence[LedgerAnswer]:
        return [LedgerAnswer(computed)]
