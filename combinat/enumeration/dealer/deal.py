"""The deal of a dealer's draw, such as `player:2, dealer:h17`: roles dealt first, then the dealer's hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from combinat.enumeration.dealer.finished_hands import dealer_stands
from combinat.enumeration.fixed.deal import FixedDeal
from combinat.exact.numbers import number_word
from combinat.language.deal import DEAL_FORM, DRAWING_RULES, CardsDescription, Deal, MergedDeal, parse_roles, split_role
from combinat.language.rules import CardCount, Node, NumberWord, Predicate, SameAs
from combinat.language.words import (
    TWO_OR_MORE,
    WORDS,
    Positions,
    Vocabulary,
    Word,
    hard_total,
    one_color,
    one_suit,
)
from decks import Card, InputError, Rank, Suit
from decks.errors import quote

MAX_CARDS_BEFORE_DRAW = 2
"""Cards dealt to roles before the dealer draws."""


RED = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK = frozenset(int(suit) for suit in Suit if not suit.is_red)


def _leading(color: str, suits: frozenset[int]) -> Word:
    return Word(
        f"leading {color}s",
        f"how many of the dealer's cards are {color} before the first card of the other color, in the order dealt",
        TWO_OR_MORE,
        distinguished_suits=frozenset({suits}),
        by_value=True,
        quantity=f"number of leading {color} cards",
        leading_suits=suits,
    )


LEADING_WORDS = (_leading("red", RED), _leading("black", BLACK))
"""Numbers that only a hand dealt in order has: the up card, the hole card, and every further card."""


class DealerDrawDeal(Deal, frozen=True):
    """Roles that are dealt cards, then a dealer who draws: the up card, and one position for all further cards.

    >>> read_deal("player:2, dealer:h17").positions_by_role
    {'player': (0, 1), 'up': (2,), 'dealer': (2, 3)}
    """

    roles: tuple[tuple[str, int], ...]
    draw: str

    def __str__(self) -> str:
        return ", ".join([*(f"{role}:{count}" for role, count in self.roles), f"dealer:{self.draw}"])

    @property
    def kind(self) -> str:
        """The experiment's name."""
        return "dealer"

    @property
    def card_count(self) -> int:
        """Number of cards dealt to roles."""
        return sum(count for _, count in self.roles)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of every deal, and those about the order in which the dealer's cards are dealt."""
        return WORDS.plus(numbers=LEADING_WORDS)

    @property
    def hits_soft_17(self) -> bool:
        """Whether the dealer hits a soft 17."""
        return self.draw == "h17"

    @cached_property
    def positions_by_role(self) -> dict[str, Positions]:
        """Positions of every role, of the up card, and of the finished hand."""
        positions = iter(range(self.card_count))
        groups = {role: tuple(next(positions) for _ in range(count)) for role, count in self.roles}
        return groups | {"up": (self.card_count,), "dealer": self.drawn}

    @property
    def exposable_positions(self) -> dict[str, Positions]:
        """Positions of all exposed cards, including the hole card, which rules cannot refer to.

        >>> read_deal("dealer:h17").exposable_positions
        {'up': (0,), 'dealer': (0, 1), 'hole': (2,)}
        """
        return self.positions_by_role | {"hole": (self.hole,)}

    @property
    def hole(self) -> int:
        """Position of the hole card, where it is distinguished from the cards after it."""
        return self.card_count + 2

    @property
    def drawn(self) -> Positions:
        """Positions of the finished hand; the last stands for all cards after the up card."""
        return (self.card_count, self.card_count + 1)

    @property
    def all_positions(self) -> Positions | None:
        """Positions of the finished hand if no role is dealt cards, else `None`."""
        return self.drawn if not self.roles else None

    @property
    def named_roles(self) -> tuple[str, ...]:
        """The dealer first."""
        return ("dealer", *(role for role, _ in self.roles))

    def size(self, positions: Positions) -> int | None:
        """Return the number of cards at `positions`; `None` for the finished hand."""
        return None if positions == self.drawn else len(positions)

    def max_cards(self, positions: Positions) -> int:
        """Return the maximum number of cards at `positions`; 22 aces would already be a bust."""
        return _MAX_DEALER_CARDS if positions == self.drawn else len(positions)

    def possible_values(self, word: Word, positions: Positions) -> range | None:
        """Return the range of a number word; a finished hand has a hard total from 7 (soft 17) to 26."""
        if positions != self.drawn:
            return super().possible_values(word, positions)
        if word.leading_suits is not None:
            return range(_MAX_DEALER_CARDS + 1)
        ranges = {"cards": range(2, _MAX_DEALER_CARDS + 1), "total": range(17, 27), "hard total": range(7, 27)}
        return ranges.get(word.name) or super().possible_values(word, positions)

    def check_node(self, node: Node) -> str:
        """Return why a node cannot be evaluated: the finished hand is known only as one suit, one color or both."""
        match node:
            case NumberWord(word, positions) if word.leading_suits is not None and (
                self.roles or positions != self.drawn
            ):
                return (
                    f"'{word.name}' can only be counted in the dealer's finished hand, with no other cards dealt; "
                    f"write the deal as dealer:{self.draw}"
                )
            case Predicate(word, positions) | NumberWord(word, positions) if positions == self.drawn:
                if word.sizes[1] < 2 or (word.suits is not None and word.sizes[1] < _MIN_SUIT_WORD_SIZE):
                    return f"'{word.name}' does not apply to the dealer's finished hand"
                if word.suits not in _COUNTABLE_SUIT_TESTS:
                    return (
                        f"'{word.name}' cannot be counted in the dealer's finished hand: only whether all its cards "
                        "have one suit or one color is known; use dealer.suited or dealer.same color"
                    )
            case CardCount(positions, kinds):
                counts_drawn = positions[0] in self.drawn
                for kind in kinds:
                    is_unknown = (
                        kind.aspect != "rank" and (counts_drawn or kind.position in self.drawn)
                        if isinstance(kind, SameAs)
                        else (kind.suits is not None and counts_drawn)
                    )
                    if is_unknown:
                        return (
                            "the suits of single cards of the dealer's finished hand are not known; "
                            "use dealer.suited, dealer.same color, dealer.leading reds, or ranks"
                        )
            case _:
                pass
        return ""

    def describe_cards(self, positions: Positions) -> CardsDescription:
        """Return how the cards at `positions` are named."""
        if positions == self.drawn:
            return CardsDescription("the dealer's cards", None, "the dealer", "the dealer's hand")
        return super().describe_cards(positions)

    def objection_to_hand(self, dealt: Mapping[int, tuple[Card, ...]]) -> str:
        """Return an error for a dealer's hand that is unfinished, or was finished before its last card."""
        hand = [card for position in self.drawn for card in dealt[position]]
        for length in range(2, len(hand) + 1):
            ranks = [card.rank for card in hand[:length]]
            hard = hard_total(tuple(ranks))
            if dealer_stands(hard, Rank.ACE in ranks, self.hits_soft_17) != (length == len(hand)):
                cards = " ".join(map(str, hand[:length]))
                reason = "draws no more" if length < len(hand) else "draws another card"
                return f"a dealer who {DRAWING_RULES[self.draw]} {reason} with {cards}"
        return "" if len(hand) > 1 else "the dealer has two cards at least"

    def hand_of_card(self, positions: Positions) -> Positions | None:
        """Return the finished hand for the up card, which is described together with it."""
        return self.drawn if positions == self.positions_by_role["up"] else None

    @property
    def template_awards(self) -> tuple[tuple[str, str, str], ...]:
        """Sample awards: busts by number of cards."""
        return (
            ("Bust with six cards or more", "dealer.bust and dealer.cards >= 6", "40 to 1"),
            ("Bust with five cards", "dealer.bust and dealer.cards == 5", "7 to 1"),
            ("Bust", "dealer.bust", "1.5 to 1"),
        )

    def describe(self, roles_distinct: bool) -> str:  # noqa: ARG002  # roles are always distinct
        """Describe the cards on which the wager is evaluated."""
        roles = [
            f"the {role.replace('_', ' ')}'s {number_word(count)} card{'s' if count > 1 else ''}"
            for role, count in self.roles
        ]
        dealer_text = f"the dealer's finished hand (the dealer {DRAWING_RULES[self.draw]})"
        return f"{', '.join(roles)} and {dealer_text}" if roles else dealer_text

    def merge_deals(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """Merge deals that end with the same draw into one deal; `None` if too many cards would be dealt before it.

        A fixed deal that names cards of the dealer cannot be merged: these cards are part of the draw.

        >>> merged = read_deal("dealer:h17").merge_deals([read_deal("dealer:h17"), read_deal("player:2, dealer:h17")])
        >>> str(merged.deal), merged.position_maps[0]
        ('player:2, dealer:h17', {0: 2, 1: 3})
        """
        if any(isinstance(deal, DealerDrawDeal) and deal.draw != self.draw for deal in deals):
            return None
        earlier_deals = [FixedDeal(deal.roles) if isinstance(deal, DealerDrawDeal) else deal for deal in deals]
        dealt = FixedDeal(()).merge_deals(earlier_deals)
        if dealt is None or not isinstance(dealt.deal, FixedDeal) or dealt.deal.card_count > MAX_CARDS_BEFORE_DRAW:
            return None
        if any(holder == "dealer" for holder, _ in dealt.deal.holders):
            return None
        merged = DealerDrawDeal(dealt.deal.roles, self.draw)
        positions = tuple(
            {
                **mapping,
                **(dict(zip(deal.drawn, merged.drawn, strict=True)) if isinstance(deal, DealerDrawDeal) else {}),
            }
            for deal, mapping in zip(deals, dealt.position_maps, strict=True)
        )
        return MergedDeal(merged, positions)

    def variant(self, name: str) -> DealerDrawDeal | None:
        """Return the deal with the drawing rule `h17` or `s17`."""
        return replace(self, draw=name) if name in DRAWING_RULES else None


_MAX_DEALER_CARDS = 22
_MIN_SUIT_WORD_SIZE = 12
"""Minimum hand size that a word about suits must support to be used of the dealer's hand."""
_COUNTABLE_SUIT_TESTS = (None, one_suit, one_color)
"""Values of `Word.suits` that two sample suits decide (`SuitClass.sample`)."""


def read_deal(text: str) -> DealerDrawDeal:
    """Parse a deal that ends with the dealer's draw.

    >>> str(read_deal("player:2,dealer:H17"))
    'player:2, dealer:h17'
    """
    *role_texts, last = text.split(",")
    for role_text in role_texts:
        if split_role(role_text)[1].lower() in DRAWING_RULES:
            raise InputError(f"the dealer's draw must be the last role of the deal; {DEAL_FORM}")
    role, draw = split_role(last)
    if draw.lower() not in DRAWING_RULES:
        raise InputError(f"the dealer's draw must be the last role of the deal; {DEAL_FORM}")
    if role != "dealer":
        raise InputError(f"only the dealer draws, not {quote(role)}; {DEAL_FORM}")
    roles = parse_roles(role_texts)
    if role in roles:
        raise InputError(f"the deal names {quote(role)} twice; {DEAL_FORM}")
    dealt = sum(roles.values())
    if dealt > MAX_CARDS_BEFORE_DRAW:
        raise InputError(
            f"the deal {quote(text)} has {dealt} cards before the dealer's draw; "
            f"at most {MAX_CARDS_BEFORE_DRAW} can be counted"
        )
    if any(role in roles for role in ("up", "hole")):
        raise InputError("the deal has both 'dealer' and 'up' or 'hole'; 'dealer' already means up and hole together")
    return DealerDrawDeal(tuple(roles.items()), draw.lower())
