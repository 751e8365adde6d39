"""The dealer's draw as a file writes it: roles that are dealt cards first, and how the dealer draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from combinat.enumeration.dealer.finished_hands import stands
from combinat.enumeration.fixed.deal import FixedDeal
from combinat.enumeration.roles import DRAWS, FORM, parse_roles, split_part
from combinat.language.deal import SMALL_NUMBERS, Cards, Deal, MergedDeal
from combinat.language.rules import Count, Measure, Node, Predicate, SameAs
from combinat.language.words import SEVERAL, WORDS, Positions, Vocabulary, Word, hard_total
from decks import Card, InputError, Rank, Suit
from decks.errors import quoted

MAX_CARDS_BEFORE_DRAW = 2
"""Cards dealt to roles before the dealer draws."""


RED = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK = frozenset(int(suit) for suit in Suit if not suit.is_red)


def _leading(color: str, suits: frozenset[int]) -> Word:
    return Word(
        f"leading {color}s",
        f"how many of the dealer's cards are {color} before the first card of the other color, in the order dealt",
        SEVERAL,
        tells_apart=frozenset({suits}),
        by_value=True,
        quantity=f"number of leading {color} cards",
        leading=suits,
    )


LEADING_WORDS = (_leading("red", RED), _leading("black", BLACK))
"""Numbers that only a hand dealt in order has: the up card, the hole card, and every further card."""


class DealerDrawDeal(Deal, frozen=True):
    """Roles that are dealt cards, then a dealer who draws: an up card, and all further cards at the last place.

    >>> read_deal("player:2, dealer:h17").groups
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
    def cards_dealt(self) -> int:
        """How many cards are dealt to roles."""
        return sum(count for _, count in self.roles)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of every deal, and those about the order in which the dealer's cards are dealt."""
        return WORDS.plus(numbers=LEADING_WORDS)

    @property
    def hits_soft_17(self) -> bool:
        """Whether the dealer goes on with a soft 17."""
        return self.draw == "h17"

    @cached_property
    def groups(self) -> dict[str, Positions]:
        """Every role, the up card, and the finished hand."""
        places = iter(range(self.cards_dealt))
        groups = {role: tuple(next(places) for _ in range(count)) for role, count in self.roles}
        return groups | {"up": (self.cards_dealt,), "dealer": self.drawn}

    @property
    def in_view(self) -> dict[str, Positions]:
        """The hole card too: no rule tells it from the cards after it, so that it has no place of its own there.

        >>> read_deal("dealer:h17").in_view
        {'up': (0,), 'dealer': (0, 1), 'hole': (2,)}
        """
        return self.groups | {"hole": (self.hole,)}

    @property
    def hole(self) -> int:
        """The place of the second card drawn, where it is told from those after it."""
        return self.cards_dealt + 2

    @property
    def drawn(self) -> Positions:
        """The places of the finished hand, the last one standing for all cards after the up card."""
        return (self.cards_dealt, self.cards_dealt + 1)

    @property
    def everybody(self) -> Positions | None:
        """The finished hand, if nobody else is dealt cards."""
        return self.drawn if not self.roles else None

    @property
    def whose(self) -> tuple[str, ...]:
        """The dealer first."""
        return ("dealer", *(role for role, _ in self.roles))

    def size(self, places: Positions) -> int | None:
        """How many cards lie at some places; open for the finished hand."""
        return None if places == self.drawn else len(places)

    def most_cards(self, places: Positions) -> int:
        """No more cards than this lie at some places; of so many aces a finished hand would be bust."""
        return _MOST_DRAWN if places == self.drawn else len(places)

    def values(self, word: Word, places: Positions) -> range | None:
        """The values that a number word can have; a finished hand goes from a soft 17 with its ace as one to a 26."""
        if places != self.drawn:
            return super().values(word, places)
        if word.leading is not None:
            return range(_MOST_DRAWN + 1)
        drawn = {"cards": range(2, _MOST_DRAWN + 1), "total": range(17, 27), "hard total": range(7, 27)}
        return drawn.get(word.name) or super().values(word, places)

    def objection(self, node: Node) -> str:
        """Refuse what the finished hand does not tell: its suits are known only as one, one color, or mixed."""
        match node:
            case Measure(word, places) if word.leading is not None and (self.roles or places != self.drawn):
                return (
                    f"'{word.name}' can only be counted in the dealer's finished hand, with no other cards dealt; "
                    f"write the deal as dealer:{self.draw}"
                )
            case Predicate(word, places) | Measure(word, places) if places == self.drawn:
                if word.sizes[1] < 2 or (word.suits is not None and word.sizes[1] < _LONGEST):
                    return f"'{word.name}' cannot be said of the dealer's finished hand"
            case Count(places, kinds):
                of_drawn = places[0] in self.drawn
                for kind in kinds:
                    unknown = (
                        kind.what != "rank" and (of_drawn or kind.place in self.drawn)
                        if isinstance(kind, SameAs)
                        else (kind.suits is not None and of_drawn)
                    )
                    if unknown:
                        return (
                            "the suits of single cards of the dealer's finished hand are not known; "
                            "dealer.suited, dealer.same color and dealer.leading reds can be asked, or ranks"
                        )
            case _:
                pass
        return ""

    def cards(self, places: Positions) -> Cards:
        """Name some cards, the finished hand as the dealer's."""
        if places == self.drawn:
            return Cards("the dealer's cards", None, "the dealer", "the dealer's hand")
        return super().cards(places)

    def misdealt(self, places: Mapping[int, tuple[Card, ...]]) -> str:
        """Refuse a dealer's hand that is not finished, or that was finished before its last card."""
        hand = [card for place in self.drawn for card in places[place]]
        for held in range(2, len(hand) + 1):
            ranks = [card.rank for card in hand[:held]]
            hard = hard_total(tuple(ranks))
            if stands(hard, Rank.ACE in ranks, self.hits_soft_17) != (held == len(hand)):
                shown = " ".join(map(str, hand[:held]))
                more = "draws no more" if held < len(hand) else "draws another card"
                return f"a dealer who {DRAWS[self.draw]} {more} with {shown}"
        return "" if len(hand) > 1 else "the dealer has two cards at least"

    def shown_with(self, places: Positions) -> Positions | None:
        """The up card is spoken of together with the finished hand."""
        return self.drawn if places == self.groups["up"] else None

    @property
    def starters(self) -> tuple[tuple[str, str, str], ...]:
        """Busts by the number of cards."""
        return (
            ("Bust with six cards or more", "dealer.bust and dealer.cards >= 6", "40 to 1"),
            ("Bust with five cards", "dealer.bust and dealer.cards == 5", "7 to 1"),
            ("Bust", "dealer.bust", "1.5 to 1"),
        )

    def in_words(self, roles_distinct: bool) -> str:  # noqa: ARG002  # they always are
        """Say which cards count."""
        parts = [
            f"the {role.replace('_', ' ')}'s {SMALL_NUMBERS[count]} card{'s' if count > 1 else ''}"
            for role, count in self.roles
        ]
        drawn = f"the dealer's finished hand (the dealer {DRAWS[self.draw]})"
        return f"{', '.join(parts)} and {drawn}" if parts else drawn

    def common(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """One draw for all the deals that end with it, other cards being dealt before it, if there are not too many.

        Cards of the dealer's that a fixed deal names are a part of the draw, and so are not dealt before it.

        >>> found = read_deal("dealer:h17").common([read_deal("dealer:h17"), read_deal("player:2, dealer:h17")])
        >>> str(found.deal), found.places[0]
        ('player:2, dealer:h17', {0: 2, 1: 3})
        """
        if any(isinstance(deal, DealerDrawDeal) and deal.draw != self.draw for deal in deals):
            return None
        before = [FixedDeal(deal.roles) if isinstance(deal, DealerDrawDeal) else deal for deal in deals]
        dealt = FixedDeal(()).common(before)
        if dealt is None or not isinstance(dealt.deal, FixedDeal) or dealt.deal.cards_dealt > MAX_CARDS_BEFORE_DRAW:
            return None
        if any(holder == "dealer" for holder, _ in dealt.deal.cards_held):
            return None
        whole = DealerDrawDeal(dealt.deal.roles, self.draw)
        places = tuple(
            {**lying, **(dict(zip(deal.drawn, whole.drawn, strict=True)) if isinstance(deal, DealerDrawDeal) else {})}
            for deal, lying in zip(deals, dealt.places, strict=True)
        )
        return MergedDeal(whole, places)

    def variant(self, name: str) -> DealerDrawDeal | None:
        """The same deal with the dealer hitting soft 17 or standing on it."""
        return replace(self, draw=name) if name in DRAWS else None


_MOST_DRAWN = 22
_LONGEST = 12
"""A word that asks for suits must be able to speak of hands as long as the dealer's get."""


def read_deal(text: str) -> DealerDrawDeal:
    """Read a deal that ends with the dealer's draw.

    >>> str(read_deal("player:2,dealer:H17"))
    'player:2, dealer:h17'
    """
    *before, last = text.split(",")
    for part in before:
        if split_part(part)[1].lower() in DRAWS:
            raise InputError(f"the deal goes on after the dealer's draw; {FORM}")
    role, draw = split_part(last)
    if draw.lower() not in DRAWS:
        raise InputError(f"the deal goes on after the dealer's draw; {FORM}")
    if role != "dealer":
        raise InputError(f"only the dealer draws, not {quoted(role)}; {FORM}")
    roles = parse_roles(before)
    if role in roles:
        raise InputError(f"the deal names {quoted(role)} twice; {FORM}")
    dealt = sum(roles.values())
    if dealt > MAX_CARDS_BEFORE_DRAW:
        raise InputError(
            f"the deal {quoted(text)} has {dealt} cards before the dealer's draw; "
            f"at most {MAX_CARDS_BEFORE_DRAW} can be counted"
        )
    if any(role in roles for role in ("up", "hole")):
        raise InputError("the deal has both 'dealer' and 'up' or 'hole'; 'dealer' already means up and hole together")
    return DealerDrawDeal(tuple(roles.items()), draw.lower())
