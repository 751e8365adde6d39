"""The deal of baccarat: positions of both hands, of their first two cards and of their third cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from combinat.language.deal import CardsDescription, Deal
from combinat.language.rules import Node, NumberWord, Predicate, Ranks
from combinat.language.words import ANY_SIZE, WORDS, Positions, Vocabulary, Word, baccarat_points, possible_points
from decks import Card, InputError
from decks.errors import quote

NATURAL = 8
"""A two-card hand with this many points or more ends the coup."""
PLAYER_STANDS = 6
"""With this many points or more the player stands."""
BANKER_DRAWS_ON: dict[int, range] = {
    **dict.fromkeys((0, 1, 2), range(10)),
    3: range(10),  # except for an eight, see `banker_draws`
    4: range(2, 8),
    5: range(4, 8),
    6: range(6, 8),
}
"""For each total of the banker, the points of the player's third card with which the banker draws."""


def is_over(player: int, banker: int) -> bool:
    """Return whether the coup ends with four cards because one hand is a natural."""
    return max(player, banker) >= NATURAL


def player_draws(player: int) -> bool:
    """Return whether the player draws with `player` points, if neither hand is a natural."""
    return player < PLAYER_STANDS


def banker_draws(banker: int, player_third: int | None) -> bool:
    """Return whether the banker draws; `player_third` is the points of the player's third card, if there is one.

    >>> banker_draws(3, 8), banker_draws(3, 9), banker_draws(6, None), banker_draws(6, 7)
    (False, True, False, True)
    """
    if player_third is None:
        return banker < PLAYER_STANDS
    return player_third in BANKER_DRAWS_ON.get(banker, ()) and (banker, player_third) != (3, 8)


def _is_natural(hand: tuple[int, ...]) -> bool:
    return len(hand) == 2 and baccarat_points(hand) >= NATURAL


PLAYER_WINS = Word(
    "player wins",
    "the player has more points than the banker",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    sentences=("the player wins", "the player does not win"),
)
BANKER_WINS = Word(
    "banker wins",
    "the banker has more points than the player",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    sentences=("the banker wins", "the banker does not win"),
)
TIE = Word(
    "tie",
    "both hands have the same number of points",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    sentences=("the hands tie", "the hands do not tie"),
)
MARGIN = Word(
    "margin",
    "how many points the winner has more than the loser; 0 if the hands tie",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    bounds=possible_points,
)
NATURAL_HAND = Word(
    "natural",
    "the hand is two cards with 8 or 9 points",
    (2, 3),
    ranks=_is_natural,
    by_value=True,
)

_NUMBERS = {name: word for name, word in WORDS.numbers.items() if name != "total"}
VOCABULARY = Vocabulary(
    WORDS.facts,
    _NUMBERS,
    {**WORDS.aliases, "total": "points", "player win": "player wins", "banker win": "banker wins"},
).plus(facts=(PLAYER_WINS, BANKER_WINS, TIE, NATURAL_HAND), numbers=(MARGIN,))
"""Words for rules about a coup; a total means points."""


NAME = "baccarat"
PLAYER: Positions = (0, 1, 2)
BANKER: Positions = (3, 4, 5)
PLAYER_THIRD = 2
BANKER_THIRD = 5
THIRDS = frozenset({PLAYER_THIRD, BANKER_THIRD})
MAX_COUP_CARDS = 6
"""Number of cards of the longest coup."""

_CARDS = {
    PLAYER: CardsDescription("the player's cards", None, "the player", "the player's hand"),
    BANKER: CardsDescription("the banker's cards", None, "the banker", "the banker's hand"),
    PLAYER[:2]: CardsDescription("the player's first two cards", 2),
    BANKER[:2]: CardsDescription("the banker's first two cards", 2),
    PLAYER[2:]: CardsDescription("the player's third card", 1, may_be_absent=True),
    BANKER[2:]: CardsDescription("the banker's third card", 1, may_be_absent=True),
    PLAYER + BANKER: CardsDescription("all cards of the coup", None, "the coup", "the coup", needs_name=False),
}


class Coup(Deal, frozen=True):
    """A coup: positions of six cards, where the third card of either hand may not be drawn.

    >>> Coup().positions_by_role["banker"], Coup().size(Coup().positions_by_role["banker_first"])
    ((3, 4, 5), 2)
    """

    def __str__(self) -> str:
        return NAME

    @property
    def kind(self) -> str:
        """The experiment's name."""
        return NAME

    @cached_property
    def positions_by_role(self) -> dict[str, Positions]:
        """Positions of both finished hands, and of the first two cards and the third card of each."""
        return {
            "player": PLAYER,
            "banker": BANKER,
            "player_first": PLAYER[:2],
            "banker_first": BANKER[:2],
            "player_third": PLAYER[2:],
            "banker_third": BANKER[2:],
        }

    @property
    def all_positions(self) -> Positions:
        """Positions of all cards of the coup."""
        return PLAYER + BANKER

    @property
    def vocabulary(self) -> Vocabulary:
        """The words for cards, who wins, and by how much."""
        return VOCABULARY

    def min_cards(self, positions: Positions) -> int:
        """Return the minimum number of cards at `positions`."""
        return len(set(positions) - THIRDS)

    def size(self, positions: Positions) -> int | None:
        """Return the number of cards at `positions`; `None` where a third card may be drawn."""
        return len(positions) if THIRDS.isdisjoint(positions) else None

    def possible_values(self, word: Word, positions: Positions) -> range | None:
        """Return the range of a number word, with and without a third card."""
        if word.is_about_deal:
            return word.bounds(len(positions)) if word.bounds else None
        sizes = range(self.min_cards(positions), self.max_cards(positions) + 1)
        if not word.bounds:
            return None
        intervals = [word.bounds(size) for size in sizes if size or word.name == "cards"]
        return range(min(interval.start for interval in intervals), max(interval.stop for interval in intervals))

    def check_node(self, node: Node) -> str:
        """Return why a node cannot be evaluated: a word about the coup used of one hand, or a wrong number of cards."""
        match node:
            case Predicate(word, positions) | NumberWord(word, positions) if word.is_about_deal:
                if positions != self.all_positions:
                    return f"'{word.name}' applies to the coup, not to some of its cards; leave the role out"
            case Predicate(word, positions) | NumberWord(word, positions):
                min_cards, max_cards = word.sizes
                if max_cards < self.min_cards(positions) or min_cards > self.max_cards(positions):
                    hint = self._hint(word, positions)
                    return f"'{word.name}' does not apply to {self.describe_cards(positions).name}{hint}"
            case Ranks(positions, ranks):
                if not self.min_cards(positions) <= len(ranks) <= self.max_cards(positions):
                    return f"{len(ranks)} ranks are named for {self.describe_cards(positions).name}"
            case _:
                pass
        return ""

    def _hint(self, word: Word, positions: Positions) -> str:
        if word.is_rank:
            return "; use high, low or count"
        if positions == self.all_positions:
            return f"; write player.{word.name} or banker.{word.name}"
        return ""

    def describe_cards(self, positions: Positions) -> CardsDescription:
        """Return how the cards at `positions` are named."""
        return _CARDS[positions]

    def value_of_deal(self, word: Word, dealt: Mapping[int, tuple[Card, ...]]) -> int | None:
        """Return the value of a word about the entire coup: who wins and by how much."""
        player, banker = (_points(hand, dealt) for hand in (PLAYER, BANKER))
        values_by_word = {
            PLAYER_WINS.name: player > banker,
            BANKER_WINS.name: banker > player,
            TIE.name: player == banker,
            MARGIN.name: abs(player - banker),
        }
        return values_by_word.get(word.name)

    def objection_to_hand(self, dealt: Mapping[int, tuple[Card, ...]]) -> str:
        """Return an error for a third card that is not drawn by the rules, or is missing."""
        player, banker = _points(PLAYER[:2], dealt), _points(BANKER[:2], dealt)
        is_open = not is_over(player, banker)
        third_points = _points(PLAYER[2:], dealt) if dealt[PLAYER_THIRD] else None
        if bool(dealt[PLAYER_THIRD]) != (is_open and player_draws(player)):
            return f"the player draws {'no third card' if dealt[PLAYER_THIRD] else 'a third card'} with {player} points"
        if bool(dealt[BANKER_THIRD]) != (is_open and banker_draws(banker, third_points)):
            return f"the banker draws {'no third card' if dealt[BANKER_THIRD] else 'a third card'} with {banker} points"
        return ""

    @property
    def template_awards(self) -> tuple[tuple[str, str, str], ...]:
        """Sample awards: wins of the player by margin."""
        return (
            ("Player wins by 9", "player wins and margin == 9", "25 to 1"),
            ("Player wins by 7 or 8", "player wins and margin >= 7", "4 to 1"),
            ("Player wins by 4 to 6", "player wins and margin >= 4", "push"),
        )

    def describe(self, roles_distinct: bool) -> str:  # noqa: ARG002  # roles are always distinct
        """Describe the cards on which the wager is evaluated."""
        return "a coup of baccarat"


def _points(positions: Positions, cards_by_position: Mapping[int, tuple[Card, ...]]) -> int:
    return baccarat_points(tuple(int(card.rank) for position in positions for card in cards_by_position[position]))


def read_deal(text: str) -> Coup:
    """Parse the deal of baccarat.

    >>> str(read_deal(" Baccarat "))
    'baccarat'
    """
    if text.strip().lower() != NAME:
        raise InputError(f"cannot read the deal {quote(text)}; write '{NAME}'")
    return Coup()
