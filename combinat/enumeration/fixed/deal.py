"""Fixed deals: named roles with a number of cards each, such as `player:2, up:1`, and default awards for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import factorial, prod

from combinat.enumeration.roles import parse_roles
from combinat.language.deal import SMALL_NUMBERS, Deal, MergedDeal, role_in_words
from combinat.language.words import Positions
from decks import InputError, Pack
from decks.errors import quote

OF_ONE_HAND = 5
"""From this number of cards on, hands are poker hands dealt from one deck."""
STARTERS = {
    1: (("Ace", "has(A)", "11 to 1"),),
    2: (("Suited pair", "pair and suited", "25 to 1"), ("Pair", "pair", "8 to 1")),
    3: (
        ("Straight flush", "straight flush", "35 to 1"),
        ("Three of a kind", "three of a kind", "33 to 1"),
        ("Straight", "straight", "10 to 1"),
        ("Flush", "flush", "5 to 1"),
    ),
    4: (
        ("Four of a kind", "four of a kind", "100 to 1"),
        ("Straight flush", "straight flush", "60 to 1"),
        ("Flush", "flush", "20 to 1"),
        ("Straight", "straight", "15 to 1"),
        ("Three of a kind", "three of a kind", "15 to 1"),
        ("Two pair", "two pair", "7 to 1"),
    ),
    5: (
        ("Straight flush", "straight flush", "500 to 1"),
        ("Four of a kind", "four of a kind", "100 to 1"),
        ("Full house", "full house", "40 to 1"),
        ("Flush", "flush", "20 to 1"),
        ("Straight", "straight", "15 to 1"),
        ("Three of a kind", "three of a kind", "12 to 1"),
        ("Two pair", "two pair", "8 to 1"),
    ),
    6: (
        ("Straight flush", "straight flush", "200 to 1"),
        ("Four of a kind", "four of a kind", "50 to 1"),
        ("Full house", "full house", "15 to 1"),
        ("Flush", "flush", "12 to 1"),
        ("Straight", "straight", "11 to 1"),
        ("Three of a kind", "three of a kind", "9 to 1"),
    ),
    7: (
        ("Straight flush", "straight flush", "50 to 1"),
        ("Four of a kind", "four of a kind", "25 to 1"),
        ("Full house", "full house", "8 to 1"),
        ("Flush", "flush", "6 to 1"),
        ("Straight", "straight", "4 to 1"),
        ("Three of a kind", "three of a kind", "3 to 1"),
    ),
}
"""Awards for a new paytable by the number of cards, with pays that leave a house edge."""


MAX_CARDS = 7
"""The largest number of cards in a deal, as many as a player has in any poker game."""
_DEALER_ROLES = ("up", "hole")
HeldCard = tuple[str, int]
"""A card by its holder and its index among the holder's cards."""


class FixedDeal(Deal, frozen=True):
    """The roles in the order of the deal, with the number of cards of each.

    >>> deal = read_deal("player:2, up:1, hole:1")
    >>> deal.positions("dealer")  # the up card and the hole card together
    (2, 3)
    """

    roles: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return ", ".join(f"{role}:{count}" for role, count in self.roles)

    @property
    def kind(self) -> str:
        """The experiment's name."""
        return "fixed"

    @property
    def card_count(self) -> int:
        """The number of cards dealt."""
        return sum(count for _, count in self.roles)

    @cached_property
    def groups(self) -> dict[str, Positions]:
        """Every role, and the dealer's cards together if the deal has them apart."""
        positions = iter(range(self.card_count))
        groups = {role: tuple(next(positions) for _ in range(count)) for role, count in self.roles}
        dealt_to_dealer = tuple(position for role in _DEALER_ROLES for position in groups.get(role, ()))
        if dealt_to_dealer:
            groups.setdefault("dealer", dealt_to_dealer)
        return groups

    @property
    def ranks_hands(self) -> bool:
        """Hands of poker can be asked for."""
        return True

    def objection_to_pack(self, pack: Pack) -> str:
        """Cards are dealt from any pack that has as many."""
        if pack.size < self.card_count:
            return f"the deal {quote(str(self))} has {self.card_count} cards; the pack has {pack.size}"
        return ""

    @property
    def all_positions(self) -> Positions:
        """All cards."""
        return tuple(range(self.card_count))

    @property
    def template_awards(self) -> tuple[tuple[str, str, str], ...]:
        """The poker hands of this number of cards."""
        best = "best five." if self.card_count > OF_ONE_HAND else ""
        return tuple((hand, f"{best}{rule}", pays) for hand, rule, pays in STARTERS[self.card_count])

    @property
    def default_decks(self) -> str:
        """Hands of five cards and more are dealt from one deck."""
        return "1" if self.card_count >= OF_ONE_HAND else super().default_decks

    def description(self, roles_distinct: bool) -> str:
        """Return an English description of the cards that count.

        >>> read_deal("player:2, up:1").description(roles_distinct=False)
        "the player's two cards and the dealer's up card, taken together"
        """
        names = [_name_cards(role, count) for role, count in self.roles]
        if len(names) == 1:
            return names[0]
        return f"{', '.join(names[:-1])} and {names[-1]}, {'told apart' if roles_distinct else 'taken together'}"

    @property
    def holders(self) -> tuple[HeldCard, ...]:
        """For each position the holder and the index of the card; the dealer's up card comes before the hole card.

        >>> read_deal("player:2, up:1").holders
        (('player', 0), ('player', 1), ('dealer', 0))
        """
        return tuple(_holder_of(role, number) for role, count in self.roles for number in range(count))

    def common(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """Return a fixed deal of all cards of `deals`; `None` if one is not fixed or the cards are too many.

        >>> found = read_deal("player:2").common([read_deal("player:2"), read_deal("up:1, player:2")])
        >>> str(found.deal), found.places[1]
        ('player:2, up:1', {0: 2, 1: 0, 2: 1})
        """
        fixed = [deal for deal in deals if isinstance(deal, FixedDeal)]
        if len(fixed) < len(deals):
            return None
        appearances: dict[HeldCard, list[tuple[int, str]]] = {}
        for number, deal in enumerate(fixed):
            names = [role for role, count in deal.roles for _ in range(count)]
            for card, name in zip(deal.holders, names, strict=True):
                appearances.setdefault(card, []).append((number, name))
        holders = list(dict.fromkeys(holder for holder, _ in appearances))
        all_cards = sorted(appearances, key=lambda card: (card[0] == "dealer", holders.index(card[0]), card[1]))
        if len(all_cards) > MAX_CARDS:
            return None
        # Cards that every deal tells alike are one role of the common deal, for they come in any order.
        roles: dict[tuple[str, tuple[tuple[int, str], ...]], list[HeldCard]] = {}
        for card in all_cards:
            roles.setdefault((card[0], tuple(appearances[card])), []).append(card)
        named = tuple((_name(cards, all_cards), len(cards)) for cards in roles.values())
        position_of = {
            card: position for position, card in enumerate(card for cards in roles.values() for card in cards)
        }
        positions = tuple({position: position_of[card] for position, card in enumerate(deal.holders)} for deal in fixed)
        return MergedDeal(FixedDeal(named), positions)

    def orders(self, *, roles_distinct: bool) -> int:
        """Return the number of orders of a hand: within each role, or of all cards if roles are combined.

        >>> deal = read_deal("player:2, up:1")
        >>> deal.orders(roles_distinct=True), deal.orders(roles_distinct=False)
        (2, 6)
        """
        return prod(factorial(count) for _, count in self.roles) if roles_distinct else factorial(self.card_count)


def _holder_of(role: str, number: int) -> HeldCard:
    return ("dealer", _DEALER_ROLES.index(role) + number) if role in _DEALER_ROLES else (role, number)


def _name(cards: Sequence[HeldCard], all_cards: Sequence[HeldCard]) -> str:
    """Return the role name of some cards of one holder."""
    holder, first = cards[0]
    if holder == "dealer" and len(cards) == 1 and first < len(_DEALER_ROLES):
        return _DEALER_ROLES[first]
    is_all = sum(owner == holder for owner, _ in all_cards) == len(cards)
    return holder if is_all else f"{holder}_{first + 1}"


def _name_cards(role: str, count: int) -> str:
    """Return the name of a role's cards with their number."""
    if count == 1 and role in ("up", "hole", "next"):
        return role_in_words(role, count).name
    return f"the {role.replace('_', ' ')}'s {SMALL_NUMBERS[count]} card{'s' if count > 1 else ''}"


def read_deal(text: str) -> FixedDeal:
    """Parse a deal written as roles and card counts.

    >>> str(read_deal("player:2,up:1"))
    'player:2, up:1'
    """
    roles = parse_roles(text.split(","))
    dealt = sum(roles.values())
    if dealt > MAX_CARDS:
        raise InputError(f"the deal {quote(text)} has {dealt} cards; at most {MAX_CARDS} can be counted")
    if "dealer" in roles and any(role in roles for role in _DEALER_ROLES):
        raise InputError("the deal has both 'dealer' and 'up' or 'hole'; 'dealer' already means up and hole together")
    return FixedDeal(tuple(roles.items()))
