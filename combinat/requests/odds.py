"""The probability of a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from combinat.analysis.odds import RuleOdds, iter_rule_odds
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.tally import NoHandError
from combinat.requests.arguments import CardsLike
from combinat.requests.bets import DeckCounts, parse_decks
from combinat.requests.request import Group, Notify, Option, Request
from combinat.results.odds import OddsAnswer
from decks import InputError, Shoe, find_pack
from decks.cards import as_cards
from decks.errors import quote

DEFAULT_DEAL = "player:2, up:1"
DEFAULT_DECKS = "1,2,4-8"


class Odds(Request[Sequence[RuleOdds], OddsAnswer], frozen=True):
    """Compute the probability of a rule for a deal.

    `combinat words` lists the words that rules can use.
    """

    rule: Annotated[str, Option('Rule that the cards must match, such as "suited and straight".', is_argument=True)]
    deal: Annotated[str, Option("Deal: the number of cards of each role.")] = DEFAULT_DEAL
    decks: Annotated[DeckCounts, Option("Deck counts, such as 6 or 1,2,4-8.", ("--decks", "-d"), group=Group.TABLE)] = (
        DEFAULT_DECKS
    )
    given: Annotated[str | None, Option("Condition: count only hands that match this rule, such as suited.")] = None
    removed: Annotated[CardsLike, Option('Cards already out of the shoe, such as "7h 7d Ks".', group=Group.TABLE)] = ""
    pack: Annotated[
        str, Option('standard, spanish (no tens), or such as "standard with 1 joker".', group=Group.TABLE)
    ] = "standard"

    def answer(self, notify: Notify) -> Sequence[RuleOdds]:
        for text, label in (
            (self.rule, "rule"),
            (self.deal, "deal"),
            ("" if self.given is None else self.given, "given"),
        ):
            if not isinstance(text, str):
                raise InputError(f"{label} must be text such as 'suited' or 'player:2, up:1', got {quote(text)}")
        counts = parse_decks(self.decks)
        if isinstance(self.decks, Shoe):
            shoes = [Shoe(self.decks.decks, self.decks.pack, (*self.decks.removed, *as_cards(self.removed)))]
        else:
            pack = find_pack(self.pack)
            shoes = [Shoe(count, pack, as_cards(self.removed)) for count in counts or ()]
        refusals: list[NoHandError] = []
        odds = list(iter_rule_odds(self.rule, parse_deal(self.deal), shoes, self.given, refusals.append))
        if not odds:
            raise refusals[-1]
        for refusal in refusals:
            notify(str(refusal))
        return odds

    def results(self, computed: Sequence[RuleOdds]) -> Sequence[OddsAnswer]:
        return [OddsAnswer.of(odds) for odds in computed]
