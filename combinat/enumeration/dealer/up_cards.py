"""A bet on the dealer's hand seen from each up card, since it is made with the up card in view."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.dealer.blocks import Ranks
from combinat.enumeration.dealer.deal import DrawnHand
from combinat.enumeration.dealer.dealer_draw import DealerDraw
from combinat.enumeration.dealer.finished_hands import TENS
from combinat.enumeration.experiment import Condition, ConditionTally
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from combinat.language.tree import Rule
from decks import Pack, Rank, Shoe

_EXTRA_RULES = ("dealer.bust", "dealer.bust and dealer.suited")


def name_of(ranks: Ranks) -> str:
    """Name the ranks of an up card as one says them.

    >>> name_of((10, 11, 12, 13)), name_of((14,))
    ('10, J, Q, K', 'A')
    """
    return ", ".join(str(Rank(rank)) for rank in ranks)


@lru_cache(maxsize=16)
def _busts(deal: DrawnHand, pack: Pack, given: Rule | None, tens_apart: bool) -> DealerDraw:
    """The dealer's busts and suited busts, under the bet's own condition."""
    if given is None or given.roles.isdisjoint(role for role, _ in deal.roles):
        # Cards that nobody asks about are like cards that stay in the shoe, so they need not be dealt.
        deal = replace(deal, roles=())
        given = given and parse_rule(given.text, deal)
    rules = tuple(parse_rule(text, deal) for text in _EXTRA_RULES)
    return DealerDraw(deal, pack, Ladder(rules, given), tens_apart)


class UpCards(Struct, frozen=True):
    """The bet given each up card, with how often the dealer busts then."""

    draw: DealerDraw
    key: str = "up_cards"
    case_key: str = "up"
    case_title: str = "Up card"
    title: str = "By the dealer's up card"
    text: str = "The bet is made with the up card in view, so its edge is another for each."
    extras: tuple[tuple[str, str], ...] = (("bust", "Bust"), ("suited_bust", "Suited bust"))

    def _of_busts(self, tens_apart: bool) -> DealerDraw:
        return _busts(self.draw.deal, self.draw.pack, self.draw.ladder.given, tens_apart)

    def conditions(self, shoe: Shoe) -> tuple[Condition, ...]:
        """The bet given each up card that is possible."""
        draw = self.draw
        if any(card.rank in TENS for card in shoe.removed):
            # One card worth ten is then not like another: the suits that go with it are other ones.
            draw = replace(draw, tens_apart=True)
        busts = self._of_busts(tens_apart=not any(len(ranks) > 1 for ranks in draw.table.rank_classes))
        if shoe.is_full:
            ways = {ranks: tally.at(shoe.decks) for ranks, tally in draw.tally_by_up_card().items()}
            busting = {ranks: tally.at(shoe.decks) for ranks, tally in busts.tally_by_up_card().items()}
        else:
            ways = draw.weigh_by_up_card(shoe.composition)
            busting = busts.weigh_by_up_card(shoe.composition)
        found = []
        for ranks, own in ways.items():
            if own.cycle:  # else no such card is left, or the condition rules it out
                chances = [Fraction(hands, busting[ranks].cycle) for hands in busting[ranks].matches]
                extras = {key: chance for (key, _), chance in zip(self.extras, chances, strict=True)}
                found.append(Condition(name_of(ranks), own, extras))
        return tuple(found)

    def extra_tallies(self) -> tuple[ConditionTally, ...]:
        """The busts with each up card that the condition leaves."""
        tallies = self._of_busts(tens_apart=False).tally_by_up_card()
        return tuple(
            ConditionTally(name_of(ranks), tally) for ranks, tally in tallies.items() if tally.fewest_decks is not None
        )
