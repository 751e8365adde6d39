"""Blackjack as a Python program asks about it: hands and up cards as one writes them."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from combinat.api.arguments import AnyCards, as_text, given_shoe, table_rules, without
from combinat.blackjack.edge import house_edge
from combinat.blackjack.game import Blackjack as Game
from combinat.blackjack.game import HandValue
from combinat.blackjack.hands import parse_first_hand, parse_up
from combinat.exact.exact import Exact
from decks import Card, InputError, Shoe


class Blackjack:
    """A game of blackjack at a number of decks or a shoe, under the usual rules or with some by their names.

    >>> game = Blackjack(decks=6, hits_soft_17=False)
    >>> game
    <Blackjack, 6 decks: dealer stands on soft 17, blackjack pays 3 to 2, double any two cards and after a split, \
split to 4 hands, split aces once with one card each, no surrender>
    >>> eleven = game.hand("6 5", up="6")
    >>> str(eleven.best), f"{eleven.value:.6f}"
    ('double', '0.682665')
    """

    def __init__(
        self,
        decks: int | Shoe | None = None,
        *,
        shoe: Shoe | None = None,
        removed: AnyCards = (),
        strategy: str = "best",
        **rules: object,
    ) -> None:
        at = given_shoe(decks, shoe)
        if at is None:
            if decks is None or isinstance(decks, Shoe):
                raise InputError("say how many decks, as in Blackjack(decks=6)")
            at = Shoe(decks)
        self.shoe = without(at, removed)
        self.strategy = strategy
        self._game = Game(self.shoe, table_rules(rules, None), strategy)
        self.rules = self._game.rules

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Blackjack):
            return NotImplemented
        return (self.shoe, self.rules, self.strategy) == (other.shoe, other.rules, other.strategy)

    def __hash__(self) -> int:
        return hash((self.shoe, self.strategy))

    def __repr__(self) -> str:
        return f"<Blackjack, {self.shoe}: {self.rules}>"

    @cached_property
    def house_edge(self) -> Fraction:
        """What the house wins of each first bet, insurance not taken; a whole game takes some seconds."""
        return Exact(house_edge(self._game))

    def hand(self, hand: str, up: str | int | Card) -> HandValue:
        """Give the value of each action on a first hand against an up card, the dealer having no blackjack."""
        shown = parse_up(str(up))
        first = parse_first_hand(as_text(hand, "the hand"))
        found = Game(self.shoe, self.rules, self.strategy, ups=(shown,)).hand(first, shown)
        return HandValue(
            found.hand,
            found.up,
            Exact(found.chance),
            Exact(found.dealer_blackjack),
            {action: Exact(value) for action, value in found.values.items()},
            found.action,
            Exact(found.value),
        )
