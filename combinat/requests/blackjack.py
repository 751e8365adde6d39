"""Blackjack itself: the value of a hand, the house edge of the game, and the strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Generic, TypeVar

from combinat.blackjack.game import BlackjackGame, HandValue, house_edge
from combinat.blackjack.hands import INDEXES, Hand, parse_first_hand, parse_up
from combinat.blackjack.rules import BlackjackRules, parse_blackjack_pays
from combinat.blackjack.strategy import MAX_CARDS, StrategyTable, strategy_table
from combinat.enumeration.progress import report_progress
from combinat.requests.arguments import CardsLike, exact_amount
from combinat.requests.bets import DeckCounts, parse_decks
from combinat.requests.request import Group, Notify, Option, Request
from combinat.results.blackjack import BlackjackEdgeAnswer, BlackjackStrategyAnswer, BlackjackValueAnswer
from decks import Card, InputError, Rank, Shoe, parse_card
from decks.cards import as_cards, parse_rank

R = TypeVar("R")
A = TypeVar("A")
_TABLE = Group.TABLE
_OneDeckCount = Annotated[DeckCounts, Option("Number of decks, such as 6.", ("--decks", "-d"), group=_TABLE)]


class GameRequest(Request[R, A], Generic[R, A], frozen=True, kw_only=True):
    """A request about blackjack at a table."""

    decks: Annotated[DeckCounts, Option("Numbers of decks, such as 6 or 1,2,4-8.", ("--decks", "-d"), group=_TABLE)] = 6
    removed: Annotated[CardsLike, Option('Cards removed from the shoe, such as "7h 7d Ks".', group=_TABLE)] = ""
    hits_soft_17: Annotated[
        bool, Option("The dealer hits soft 17, or stands on soft 17.", ("--h17/--s17",), group=_TABLE)
    ] = True
    double_after_split: Annotated[
        bool, Option("Doubling after a split is allowed, or not allowed.", ("--das/--no-das",), group=_TABLE)
    ] = True
    double: Annotated[str, Option("Totals of two cards that may be doubled: any, 9-11 or 10-11.", group=_TABLE)] = "any"
    max_hands: Annotated[
        int, Option("Maximum number of hands after splits; 1 means no splits.", ("--hands",), group=_TABLE)
    ] = 4
    resplit_aces: Annotated[bool, Option("Allow split aces to be split again.", group=_TABLE)] = False
    hit_split_aces: Annotated[bool, Option("Allow split aces to draw more than one card.", group=_TABLE)] = False
    blackjack_pays: Annotated[
        str | Fraction, Option("Pay of a blackjack: 3:2, 6:5 or 1:1.", ("--blackjack",), group=_TABLE)
    ] = "3:2"
    surrender: Annotated[bool, Option("Allow late surrender: give up half the bet.", group=_TABLE)] = False
    strategy: Annotated[
        str,
        Option("Player's strategy. best: optimal for the cards of the hand; basic: a chart by total.", group=_TABLE),
    ] = "best"

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        pays = self.blackjack_pays
        return BlackjackRules(
            hits_soft_17=self.hits_soft_17,
            double=self.double.strip().lower(),
            double_after_split=self.double_after_split,
            max_hands=self.max_hands,
            resplit_aces=self.resplit_aces,
            hit_split_aces=self.hit_split_aces,
            blackjack_pays=parse_blackjack_pays(pays) if isinstance(pays, str) else exact_amount(pays, "blackjack"),
            surrender=self.surrender,
        )

    @property
    def shoes(self) -> list[Shoe]:
        """The shoes of the requested deck counts."""
        if isinstance(self.decks, Shoe):
            return [Shoe(self.decks.decks, self.decks.pack, (*self.decks.removed, *as_cards(self.removed)))]
        return [Shoe(count, removed=as_cards(self.removed)) for count in parse_decks(self.decks) or ()]

    @property
    def single_shoe(self) -> Shoe:
        """The only shoe; raise `InputError` if there are several."""
        shoes = self.shoes
        if len(shoes) > 1:
            raise InputError(f"this takes one deck count, as in --decks {shoes[-1].decks}, not {len(shoes)}")
        return shoes[0]


class BlackjackValue(GameRequest[tuple[BlackjackGame, HandValue], BlackjackValueAnswer], frozen=True, kw_only=True):
    """Show the expected value of each action on a hand.

    The values are conditional on a dealer without blackjack.
    """

    hand: Annotated[str, Option('First two cards, such as "8h 8c", or "8 8" for any suits.')]
    up: Annotated[str, Option("Dealer's up card, such as 6, K or Ah.")]
    decks: _OneDeckCount = 6

    def answer(self, _notify: Notify) -> tuple[BlackjackGame, HandValue]:
        shoe, up = self.single_shoe, parse_up(self.up)
        hand = _parse_dealt_hand(shoe, self.hand, self.up)
        game = BlackjackGame(shoe, self.rules, self.strategy, ups=(up,))
        return game, game.hand(hand, up)

    def results(self, computed: tuple[BlackjackGame, HandValue]) -> Sequence[BlackjackValueAnswer]:
        return [BlackjackValueAnswer.of(*computed)]


class BlackjackEdge(
    GameRequest[Sequence[tuple[BlackjackGame, Fraction]], BlackjackEdgeAnswer], frozen=True, kw_only=True
):
    """Show the house edge of the game for each number of decks."""

    def answer(self, _notify: Notify) -> Sequence[tuple[BlackjackGame, Fraction]]:
        games = [BlackjackGame(shoe, self.rules, self.strategy) for shoe in self.shoes]
        return [(game, house_edge(game, report_progress)) for game in games]

    def results(self, computed: Sequence[tuple[BlackjackGame, Fraction]]) -> Sequence[BlackjackEdgeAnswer]:
        return [BlackjackEdgeAnswer.of(*pair) for pair in computed]


class BlackjackStrategy(
    GameRequest[tuple[BlackjackGame, StrategyTable], BlackjackStrategyAnswer], frozen=True, kw_only=True
):
    """Show the best strategy by total, and its exceptions.

    Exceptions are hands whose cards are played differently from their total.
    """

    up: Annotated[
        str | None, Option("Show only this up card of the dealer, such as 6, K or A.", default="all up cards")
    ] = None
    max_cards: Annotated[
        int, Option(f"Maximum number of cards of the hands listed as exceptions, 2 to {MAX_CARDS}.", ("--cards",))
    ] = 2
    decks: _OneDeckCount = 6

    def answer(self, _notify: Notify) -> tuple[BlackjackGame, StrategyTable]:
        if not 2 <= self.max_cards <= MAX_CARDS:
            raise InputError(f"--cards must be 2 to {MAX_CARDS}, got {self.max_cards}")
        ups = INDEXES if self.up is None else (parse_up(self.up),)
        game = BlackjackGame(self.single_shoe, self.rules, self.strategy, ups)
        return game, strategy_table(game, self.max_cards, report_progress)

    def results(self, computed: tuple[BlackjackGame, StrategyTable]) -> Sequence[BlackjackStrategyAnswer]:
        return [BlackjackStrategyAnswer.of(*computed)]


def _parse_dealt_hand(shoe: Shoe, hand: str, up: str) -> Hand:
    """Parse a hand; raise `InputError` if the shoe cannot deal it, such as the same card twice from one deck."""
    first_hand = parse_first_hand(hand)
    cards, ranks = _parse_cards_and_ranks(hand, up)
    try:
        remaining = shoe.composition.remove(cards)
    except InputError as error:
        raise InputError(f"{shoe} cannot deal {hand} against {up}: {error}") from None
    for rank, needed in ranks.items():
        available = sum(copies for card, copies in remaining if card.rank == rank)
        if available < needed and Rank.TEN <= rank <= Rank.KING:  # the game counts values, so it would take another ten
            raise InputError(f"{shoe} cannot deal {hand} against {up}: it has {available} of {rank}")
    return first_hand


def _parse_cards_and_ranks(*texts: str) -> tuple[list[Card], Counter[Rank]]:
    """Parse cards with suits, and the ranks of cards without."""
    cards: list[Card] = []
    ranks: Counter[Rank] = Counter()
    for word in " ".join(texts).replace(",", " ").replace("-", " ").split():
        try:
            cards.append(parse_card(word))
        except InputError:
            ranks[parse_rank(word)] += 1
    return cards, ranks
