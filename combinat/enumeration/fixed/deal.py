"""Fixed deals: named roles with a number of cards each, such as `player:2, up:1`.

Also default awards for them, and the positions that jokers can have in a deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import comb, factorial, prod

from msgspec import Struct

from combinat.exact.numbers import number_word
from combinat.language.deal import Deal, MergedDeal, parse_roles, role_in_words
from combinat.language.words import Positions
from decks import JOKER, Card, InputError, Pack
from decks.cards import card_from_numbers
from decks.errors import quote

POKER_HAND_SIZE = 5
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
_DEALER_CARDS = ("up", "hole")
_DEALER_ROLES = (*_DEALER_CARDS, "dealer")
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
    def positions_by_role(self) -> dict[str, Positions]:
        """The positions of every role, and of `dealer` for the up card and the hole card together."""
        positions = iter(range(self.card_count))
        groups = {role: tuple(next(positions) for _ in range(count)) for role, count in self.roles}
        dealt_to_dealer = tuple(position for role in _DEALER_CARDS for position in groups.get(role, ()))
        if dealt_to_dealer:
            groups.setdefault("dealer", dealt_to_dealer)
        return groups

    @property
    def ranks_hands(self) -> bool:
        """Rules can ask for poker hands."""
        return True

    def objection_to_pack(self, pack: Pack) -> str:
        """Return an error for a pack with too few cards."""
        if pack.size < self.card_count:
            return f"the deal {quote(str(self))} has {self.card_count} cards; the pack has {pack.size}"
        return ""

    @property
    def all_positions(self) -> Positions:
        """All cards."""
        return tuple(range(self.card_count))

    @property
    def dealer_positions(self) -> Positions:
        """The positions of the dealer's cards, which all spots share.

        >>> read_deal("player:2, up:1").dealer_positions
        (2,)
        """
        return tuple(
            position for role, _ in self.roles if role in _DEALER_ROLES for position in self.positions_by_role[role]
        )

    @property
    def spot_positions(self) -> Positions:
        """The positions of the cards that every spot has of its own."""
        return tuple(position for position in self.all_positions if position not in self.dealer_positions)

    @property
    def template_awards(self) -> tuple[tuple[str, str, str], ...]:
        """The poker hands of this number of cards."""
        best = "best five." if self.card_count > POKER_HAND_SIZE else ""
        return tuple((hand, f"{best}{rule}", pays) for hand, rule, pays in STARTERS[self.card_count])

    @property
    def default_decks(self) -> str:
        """One deck for hands of five cards or more."""
        return "1" if self.card_count >= POKER_HAND_SIZE else super().default_decks

    def describe(self, roles_distinct: bool) -> str:
        """Return an English description of the cards that count.

        >>> read_deal("player:2, up:1").describe(roles_distinct=False)
        "the player's two cards and the dealer's up card, as one hand"
        """
        names = [_name_cards(role, count) for role, count in self.roles]
        if len(names) == 1:
            return names[0]
        return f"{', '.join(names[:-1])} and {names[-1]}, {'ordered by role' if roles_distinct else 'as one hand'}"

    @property
    def holders(self) -> tuple[HeldCard, ...]:
        """For each position the holder and the index of the card; the dealer's up card comes before the hole card.

        >>> read_deal("player:2, up:1").holders
        (('player', 0), ('player', 1), ('dealer', 0))
        """
        return tuple(_holder_of(role, card_index) for role, count in self.roles for card_index in range(count))

    def merge_deals(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """Return a fixed deal of all cards of `deals`; `None` if one is not fixed or the cards are too many.

        >>> merged = read_deal("player:2").merge_deals([read_deal("player:2"), read_deal("up:1, player:2")])
        >>> str(merged.deal), merged.position_maps[1]
        ('player:2, up:1', {0: 2, 1: 0, 2: 1})
        """
        fixed_deals = [deal for deal in deals if isinstance(deal, FixedDeal)]
        if len(fixed_deals) < len(deals):
            return None
        appearances: dict[HeldCard, list[tuple[int, str]]] = {}
        for deal_index, deal in enumerate(fixed_deals):
            names = [role for role, count in deal.roles for _ in range(count)]
            for card, name in zip(deal.holders, names, strict=True):
                appearances.setdefault(card, []).append((deal_index, name))
        holders = list(dict.fromkeys(holder for holder, _ in appearances))
        all_cards = sorted(appearances, key=lambda card: (card[0] == "dealer", holders.index(card[0]), card[1]))
        if len(all_cards) > MAX_CARDS:
            return None
        # Cards that no deal distinguishes are one role of the merged deal.
        roles: dict[tuple[str, tuple[tuple[int, str], ...]], list[HeldCard]] = {}
        for card in all_cards:
            roles.setdefault((card[0], tuple(appearances[card])), []).append(card)
        named_roles = tuple((_name(cards, all_cards), len(cards)) for cards in roles.values())
        position_of = {
            card: position for position, card in enumerate(card for cards in roles.values() for card in cards)
        }
        positions = tuple(
            {position: position_of[card] for position, card in enumerate(deal.holders)} for deal in fixed_deals
        )
        return MergedDeal(FixedDeal(named_roles), positions)

    def orders(self, *, roles_distinct: bool) -> int:
        """Return the number of orders of a hand: within each role, or of all cards if roles are combined.

        >>> deal = read_deal("player:2, up:1")
        >>> deal.orders(roles_distinct=True), deal.orders(roles_distinct=False)
        (2, 6)
        """
        return prod(factorial(count) for _, count in self.roles) if roles_distinct else factorial(self.card_count)


def _holder_of(role: str, card_index: int) -> HeldCard:
    return ("dealer", _DEALER_CARDS.index(role) + card_index) if role in _DEALER_CARDS else (role, card_index)


def _name(cards: Sequence[HeldCard], all_cards: Sequence[HeldCard]) -> str:
    """Return the role name of some cards of one holder."""
    holder, first_index = cards[0]
    if holder == "dealer" and len(cards) == 1 and first_index < len(_DEALER_CARDS):
        return _DEALER_CARDS[first_index]
    is_all = sum(owner == holder for owner, _ in all_cards) == len(cards)
    return holder if is_all else f"{holder}_{first_index + 1}"


def _name_cards(role: str, count: int) -> str:
    """Return the name of a role's cards with their number."""
    if count == 1 and role in ("up", "hole", "next"):
        return role_in_words(role, count).name
    return f"the {role.replace('_', ' ')}'s {number_word(count)} card{'s' if count > 1 else ''}"


def read_deal(text: str) -> FixedDeal:
    """Parse a deal written as roles and card counts.

    >>> str(read_deal("player:2,up:1"))
    'player:2, up:1'
    """
    roles = parse_roles(text.split(","))
    dealt = sum(roles.values())
    if dealt > MAX_CARDS:
        raise InputError(f"the deal {quote(text)} has {dealt} cards; at most {MAX_CARDS} can be counted")
    if "dealer" in roles and any(role in roles for role in _DEALER_CARDS):
        raise InputError("the deal has both 'dealer' and 'up' or 'hole'; 'dealer' already means up and hole together")
    return FixedDeal(tuple(roles.items()))


class JokerLayout(Struct, frozen=True):
    """The positions of a deal that hold jokers; the other cards are numbered from zero."""

    card_count: int
    """The number of cards that are not jokers."""
    groups: tuple[Positions, ...]
    """The groups of these cards that no rule distinguishes, by their numbers."""
    card_numbers: tuple[int | None, ...]
    """For each position of the deal the number of its card; `None` for a joker."""
    multiplicity: int
    """The number of equivalent layouts, with jokers at other positions of the same groups."""

    @property
    def jokers(self) -> int:
        """The number of jokers."""
        return len(self.card_numbers) - self.card_count

    def card_numbers_at(self, positions: Positions) -> Positions:
        """Return the numbers of the cards at `positions` that are not jokers."""
        ranked_positions = [self.card_numbers[position] for position in positions]
        return tuple([ranked_position for ranked_position in ranked_positions if ranked_position is not None])

    def cards_of(self, ranks: tuple[int, ...], suits: tuple[int, ...]) -> tuple[Card, ...]:
        """Return the cards of the deal, jokers included, if the others have these ranks and suits."""
        ranked_cards = list(map(card_from_numbers, ranks, suits))
        return tuple(
            JOKER if ranked_position is None else ranked_cards[ranked_position] for ranked_position in self.card_numbers
        )

    def count_jokers(self, positions: Positions) -> int:
        """Return the number of jokers at `positions`."""
        return sum(self.card_numbers[position] is None for position in positions)


def iter_joker_layouts(groups: tuple[Positions, ...], jokers: int) -> Iterator[JokerLayout]:
    """Iterate over the layouts with up to `jokers` jokers; within a group they are at its end.

    >>> [(layout.card_numbers, layout.multiplicity) for layout in iter_joker_layouts(((0, 1), (2,)), 1)]
    [((0, 1, 2), 1), ((0, 1, None), 1), ((0, None, 1), 2)]
    """
    card_count = sum(map(len, groups))
    for joker_counts in product(*(range(min(len(group), jokers) + 1) for group in groups)):
        if sum(joker_counts) > jokers:
            continue
        joker_positions = {
            position
            for group, count in zip(groups, joker_counts, strict=True)
            for position in group[len(group) - count :]
        }
        remaining = [position for position in range(card_count) if position not in joker_positions]
        ranked_position_of = {position: ranked_position for ranked_position, position in enumerate(remaining)}
        yield JokerLayout(
            card_count=len(remaining),
            groups=tuple(
                renumbered
                for group in groups
                if (
                    renumbered := tuple(
                        ranked_position_of[position] for position in group if position in ranked_position_of
                    )
                )
            ),
            card_numbers=tuple(ranked_position_of.get(position) for position in range(card_count)),
            multiplicity=prod(comb(len(group), count) for group, count in zip(groups, joker_counts, strict=True)),
        )
