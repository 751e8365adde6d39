"""Evaluation of words on a dealer's finished hands, and the suit classes that rules distinguish.

Rules see the suits of a finished hand only as one suit, one color, or both colors. Hands drawn from a given set of
suits are easy to count; the three classes are differences of such counts (inclusion-exclusion). The situation of an
evaluation is all that is known besides the ranks of the finished hand.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.finished_hands import FINISHED_HAND, UP_CARD, DealerHandTable
from combinat.enumeration.dealer.leading import Run
from combinat.enumeration.ladder import MaskBySuits, ValuesBySuits
from combinat.enumeration.table import Mask, MasksByValue, union
from combinat.language.rules import CardCount, NumberWord, Predicate, Ranks, SameAs
from combinat.language.words import Kind, RankFunction, Suits, Word, count_leading
from decks import Suit

Scope = frozenset[int]
"""Suits that all of the finished hand's cards are drawn from."""

ALL_SUITS: Scope = frozenset({0, 1, 2, 3})
RED: Scope = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK: Scope = ALL_SUITS - RED


class SuitTerm(Struct, frozen=True):
    """A signed term: hands drawn from the suits in `scope`."""

    sign: int
    scope: Scope
    run: Run | None = None
    """The hand begins with at least this run, if given."""


class SuitClass(Struct, frozen=True):
    """A class of suit patterns of the finished hand, as a signed sum of hands drawn from given suits."""

    sample: Suits
    """Two suits that represent the pattern: equal, of one color, or of both; the same for equivalent classes.

    Empty if no rule depends on suits.
    """
    terms: tuple[SuitTerm, ...]
    """The widest scope first; the others are subtracted."""
    size: int = 1
    """Number of equivalent classes, this one included."""
    run: Run | None = None
    """The hand begins with exactly this run; `None` if no rule depends on it."""

    @property
    def scope(self) -> Scope:
        """Suits that a card of such a hand may have."""
        return self.terms[0].scope

    def has(self, suits: Suits) -> bool:
        """Return whether a hand with these suits belongs to the class."""
        if self.run is not None and count_leading(suits, self.run.color) != self.run.length:
            return False
        widest, *excluded = [term.scope for term in self.terms if term.run is None or term.run == self.run]
        return set(suits) <= widest and not any(set(suits) <= scope for scope in excluded)

    def scope_at(self, index: int) -> Scope:
        """Return the suits that the card at an index of the hand may have."""
        if self.run is None or index > self.run.length:
            return self.scope
        return self.scope & self.run.color if index < self.run.length else self.scope - self.run.color

    def with_run(self, run: Run) -> SuitClass:
        """Return the hands of this class with exactly this run: those with at least this run, less those with more."""
        longer_run = run._replace(length=run.length + 1)
        run_terms = [SuitTerm(term.sign, term.scope, run) for term in self.terms]
        longer_terms = [SuitTerm(-term.sign, term.scope, longer_run) for term in self.terms if term.scope & run.color]
        return replace(self, terms=(*run_terms, *longer_terms), run=run)

    def __str__(self) -> str:
        if self.run is not None:
            return f"{replace(self, run=None)}, {self.run.length} leading {'red' if self.run.color == RED else 'black'}"
        match len(self.scope), len(self.terms):
            case 4, 1 | 2:
                return "any suits"
            case 4, _:
                return "both colors"
            case 1, _:
                return "one suit"
            case _:
                return "one color, not one suit"


def _suit_class(sample: Suits, scope: Scope, *excluded_scopes: Scope, size: int = 1) -> SuitClass:
    return SuitClass(sample, (SuitTerm(1, scope), *(SuitTerm(-1, excluded) for excluded in excluded_scopes)), size)


ANY_SUITS = _suit_class((), ALL_SUITS)
_ONE_SUIT, _ONE_COLOR = (0, 0), tuple(sorted(RED))
_BOTH_COLORS = _suit_class((0, 1), ALL_SUITS, RED, BLACK)
SUIT_CLASSES: tuple[SuitClass, ...] = (
    *(_suit_class(_ONE_SUIT, frozenset({suit})) for suit in range(4)),
    *(_suit_class(_ONE_COLOR, color, *(frozenset({suit}) for suit in sorted(color))) for color in (RED, BLACK)),
    _BOTH_COLORS,
)
"""Every suit and every color as a separate class."""
SYMMETRIC_SUIT_CLASSES: tuple[SuitClass, ...] = (
    _suit_class(_ONE_SUIT, frozenset({0}), size=4),
    _suit_class(_ONE_COLOR, RED, *(frozenset({suit}) for suit in sorted(RED)), size=2),
    _BOTH_COLORS,
)
"""The same classes where all suits are equivalent, and so are both colors."""


class DealerSituation(Struct, frozen=True):
    """All that is known besides the finished hand's ranks: the cards dealt to roles, and its suit class.

    The suits of the finished hand are represented by two: equal, of one color, or of both colors. Suits that no rule
    depends on are empty.
    """

    ranks: tuple[int, ...]
    suits: Suits
    drawn_suits: Suits
    run: Run | None = None
    """The run of one color that the finished hand begins with; `None` if no rule depends on it."""


class FinishedHandEvaluator:
    """Evaluates rule nodes as masks over the rows of a table of finished hands."""

    def __init__(self, deal: DealerDrawDeal, table: DealerHandTable) -> None:
        self._deal = deal
        self._table = table
        self.everything: Mask = table.everything

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[DealerSituation]:
        """Evaluate a predicate of the finished hand, of the up card or of a role's cards."""
        word, positions = predicate.word, predicate.positions
        if positions == self._deal.drawn[:1]:
            return self._table.fact(word.value, UP_CARD)  # no word depends on the suit of a single card
        if positions != self._deal.drawn:
            return lambda situation: self.everything if _holds(word, positions, situation) else 0
        rows = self._finished_hand_fact(word) if word.ranks else self.everything
        suit_test = word.suits
        if not suit_test:
            return rows
        return lambda situation: rows if suit_test(situation.drawn_suits) else 0

    def _finished_hand_fact(self, word: Word) -> Mask:
        min_cards, max_cards = word.sizes
        rows_by_length = self._table.number(len, FINISHED_HAND)
        applicable = union(rows for card_count, rows in rows_by_length.items() if min_cards <= card_count <= max_cards)
        return self._table.fact(word.value, FINISHED_HAND) & applicable

    def ranks(self, ranks: Ranks) -> Mask | MaskBySuits[DealerSituation]:
        """Evaluate whether the cards have exactly these ranks."""
        positions, required = ranks.positions, ranks.ranks
        if positions != self._deal.drawn:
            return lambda situation: (
                self.everything if tuple(sorted(situation.ranks[position] for position in positions)) == required else 0
            )
        rows = self._table.number(len, FINISHED_HAND).get(len(required), 0)
        for rank in set(required):
            rows &= self._table.count_ranks(frozenset({rank})).get(required.count(rank), 0)
        return rows

    def number(self, number: NumberWord) -> MasksByValue | ValuesBySuits[DealerSituation]:
        """Evaluate a number word of the finished hand, of the up card or of a role's cards."""
        if number.word.leading_suits is not None:
            return self._leading(number.word.leading_suits)
        function, positions = number.word.value, number.positions
        if positions == self._deal.drawn:
            return self._table.number(function, FINISHED_HAND)
        if positions == self._deal.drawn[:1]:
            return self._table.number(function, UP_CARD)
        return self._role_number(function, positions)

    def _leading(self, color: Scope) -> ValuesBySuits[DealerSituation]:
        def count(situation: DealerSituation) -> MasksByValue:
            run = situation.run
            return {run.length if run is not None and run.color == color else 0: self.everything}

        return count

    def _role_number(self, function: RankFunction, positions: tuple[int, ...]) -> ValuesBySuits[DealerSituation]:
        return lambda situation: {function(tuple(situation.ranks[position] for position in positions)): self.everything}

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[DealerSituation]:
        """Count cards of given kinds in the finished hand, at the up card or among a role's cards."""
        positions = count.positions
        if positions[0] < self._deal.card_count:
            return lambda situation: self._count_role(count, situation)
        references = [
            kind.position for kind in count.kinds if isinstance(kind, SameAs) and kind.position < self._deal.card_count
        ]
        if not references:
            return self._count_dealer_cards(count, ())
        return lambda situation: self._count_dealer_cards(
            count, tuple(situation.ranks[position] for position in references)
        )

    def _count_dealer_cards(self, count: CardCount, reference_ranks: tuple[int, ...]) -> MasksByValue:
        """Count cards in the finished hand or at the up card, given the ranks of the roles' cards referred to."""
        ranks = set(reference_ranks)
        for kind in count.kinds:
            if not isinstance(kind, SameAs):
                ranks |= kind.ranks or set()
        if not any(isinstance(kind, SameAs) and kind.position in self._deal.drawn for kind in count.kinds):
            return self._count_ranks(count.positions, frozenset(ranks))
        rows_by_count: MasksByValue = {}
        for up_rank, up_rows in self._table.rank_at(UP_CARD[0]).items():
            for match_count, rows in self._count_ranks(count.positions, frozenset({*ranks, up_rank})).items():
                rows_by_count[match_count] = rows_by_count.get(match_count, 0) | (up_rows & rows)
        return rows_by_count

    def _count_ranks(self, positions: tuple[int, ...], ranks: frozenset[int]) -> MasksByValue:
        if positions == self._deal.drawn:
            return self._table.count_ranks(ranks)
        rows = self._table.up_is(ranks)
        return {1: rows, 0: self.everything & ~rows}

    def _count_role(self, count: CardCount, situation: DealerSituation) -> MasksByValue:
        """Count a role's cards; a card like the up card is counted on the rows with such an up card."""
        certain = 0
        rows_like_up: list[Mask] = []
        compares_up = any(isinstance(kind, SameAs) and kind.position >= self._deal.card_count for kind in count.kinds)
        for position in count.positions:
            if any(self._is_of_kind(kind, position, situation) for kind in count.kinds):
                certain += 1
            elif compares_up:  # only ranks can be compared with the up card
                rows_like_up.append(self._table.up_is(frozenset({situation.ranks[position]})))
        return {certain + like_up: rows for like_up, rows in self._table.count(rows_like_up).items()}

    def _is_of_kind(self, kind: Kind | SameAs, position: int, situation: DealerSituation) -> bool:
        """Return whether a role's card is of a kind, whatever the up card is."""
        if isinstance(kind, SameAs):
            return kind.position < self._deal.card_count and _is_same(kind, position, situation)
        return (kind.ranks is None or situation.ranks[position] in kind.ranks) and (
            kind.suits is None or situation.suits[position] in kind.suits
        )


def _holds(word: Word, positions: tuple[int, ...], situation: DealerSituation) -> bool:
    ranks = tuple(situation.ranks[position] for position in positions)
    if word.ranks and not word.ranks(ranks):
        return False
    return not word.suits or word.suits(tuple(situation.suits[position] for position in positions))


def _is_same(same_as: SameAs, position: int, situation: DealerSituation) -> bool:
    same_rank = situation.ranks[position] == situation.ranks[same_as.position]
    if same_as.aspect == "rank":
        return same_rank
    suit, reference_suit = situation.suits[position], situation.suits[same_as.position]
    match same_as.aspect:
        case "suit":
            return suit == reference_suit
        case "color":
            return Suit(suit).is_red == Suit(reference_suit).is_red
        case _:
            return same_rank and suit == reference_suit
