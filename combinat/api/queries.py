"""Public functions: odds of a rule, outcomes, verification, one hand, and blackjack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from combinat.analysis.batch import iter_house_edges as at_shoes
from combinat.bets.paytable import Paytable
from combinat.blackjack.game import BlackjackGame as Game
from combinat.blackjack.game import HandValue, house_edge
from combinat.blackjack.hands import parse_first_hand, parse_up
from combinat.exact.surd import Exact
from combinat.requests.arguments import (
    BetLike,
    CardsLike,
    Meters,
    check_shoe_pack,
    load,
    meter_amounts,
    remove_cards,
    shoe_argument,
    table_rules,
    text_argument,
)
from decks import Card, Composition, InputError, Shoe
from decks.errors import quote

if TYPE_CHECKING:
    pass


def house_edges(
    bet: BetLike, shoes: Iterable[Shoe | Composition], *, meters: Meters | None = None
) -> Iterator[Fraction]:
    """Iterate over the exact house edges of the wager alone at many shoes, thousands per second.

    A shoe is a `Shoe`, or a `Composition`: the number of each card, as seen by a card counter.

    >>> shoes = [Shoe(6, removed=cards) for cards in ("", "Kh Kd", "2c 2d 2h 2s")]
    >>> [f"{edge:.4%}" for edge in house_edges("TRI-03", shoes)]
    ['4.4124%', '4.2568%', '3.8662%']
    """
    paytable = load(bet)
    if not isinstance(shoes, Iterable):
        raise InputError(f"shoes must be a list, such as [Shoe(6, removed='Kh')], got {quote(shoes)}")
    return at_shoes(paytable, _compositions(paytable, shoes), meter_amounts(meters, paytable))


def _compositions(paytable: Paytable, shoes: Iterable[Shoe | Composition]) -> Iterator[Composition]:
    for shoe in shoes:
        if isinstance(shoe, Composition):
            yield shoe
        elif not isinstance(shoe, Shoe):
            raise InputError(f"{quote(shoe)} is not a Shoe, such as Shoe(6, removed='Kh'), or a Composition")
        else:
            check_shoe_pack(paytable.id, paytable.bet.pack, shoe)
            yield shoe.composition


class Blackjack:
    """A game of blackjack at a number of decks or a shoe, with default rules or some overridden by name.

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
        removed: CardsLike = (),
        strategy: str = "best",
        **rules: object,
    ) -> None:
        resolved = shoe_argument(decks, shoe)
        if resolved is None:
            if decks is None or isinstance(decks, Shoe):
                raise InputError("the number of decks is missing; write for example Blackjack(decks=6)")
            resolved = Shoe(decks)
        self.shoe = remove_cards(resolved, removed)
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
        """The house edge per initial bet, without insurance; computing it takes some seconds."""
        return Exact(house_edge(self._game))

    def hand(self, hand: str, up: str | int | Card) -> HandValue:
        """Return the value of each action on a starting hand against an up card, given no dealer blackjack."""
        up_card = parse_up(str(up))
        first_hand = parse_first_hand(text_argument(hand, "the hand"))
        result = Game(self.shoe, self.rules, self.strategy, ups=(up_card,)).hand(first_hand, up_card)
        return HandValue(
            result.hand,
            result.up,
            Exact(result.probability),
            Exact(result.dealer_blackjack),
            {action: Exact(value) for action, value in result.values.items()},
            result.action,
            Exact(result.value),
        )
