"""How the words of a rule are judged on the dealer's finished hands, other players' cards being known."""

from __future__ import annotations

from msgspec import Struct

from combinat.enumeration.dealer.deal import DrawnHand
from combinat.enumeration.dealer.finished_hands import TENS, FinishedHands
from combinat.enumeration.evaluator import FactBy, NumberBy
from combinat.enumeration.rank_rows import Bits, Numbers
from combinat.language.tree import Count, Measure, Predicate, Ranks, Rule, SameAs, parts
from combinat.language.word import RankFunction, Suits, Word
from decks import Suit


class Situation(Struct, frozen=True):
    """What is known beside the finished hand's ranks: the cards dealt to roles, and how its suits fall.

    Suits of the finished hand are given by two that stand for all: equal, of one color, or of both colors. Suits that
    no rule asks about are left empty.
    """

    ranks: tuple[int, ...]
    suits: Suits
    drawn_suits: Suits


def tells_tens_apart(rules: tuple[Rule, ...]) -> bool:
    """Whether any rule treats 10, J, Q and K differently."""
    for rule in rules:
        for node in parts(rule.fact):
            match node:
                case Predicate(word) if word.ranks and not word.by_value:
                    return True
                case Measure(word) if not word.by_value:
                    return True
                case Ranks(_, ranks) if TENS & set(ranks):
                    return True
                case Count(_, kinds):
                    for kind in kinds:
                        if isinstance(kind, SameAs) or (kind.ranks and 0 < len(kind.ranks & TENS) < len(TENS)):
                            return True
                case _:
                    pass
    return False


def asks_for_suits(rules: tuple[Rule, ...], places: tuple[int, ...]) -> bool:
    """Whether any rule looks at the suits of cards at these places."""
    for rule in rules:
        for node in parts(rule.fact):
            match node:
                case Predicate(word, said_of) if word.suits and set(said_of) & set(places):
                    return True
                case Count(counted, kinds) if set(counted) & set(places):
                    if any(kind.what != "rank" if isinstance(kind, SameAs) else kind.suits for kind in kinds):
                        return True
                case _:
                    pass
    return False


class DrawnEvaluator:
    """Judges words on the rows of a table of finished hands."""

    def __init__(self, deal: DrawnHand, table: FinishedHands) -> None:
        self._deal = deal
        self._table = table
        self.everything: Bits = table.everything

    def predicate(self, predicate: Predicate) -> Bits | FactBy[Situation]:
        """Judge a fact word, of the finished hand, of the up card or of a role's cards."""
        word, places = predicate.word, predicate.places
        if places == self._deal.drawn[:1]:
            return self._table.number(word.value, True).get(1, 0)  # no word asks for the suit of a single card
        if places != self._deal.drawn:
            return lambda situation: self.everything if _holds(word, places, situation) else 0
        bits = self._fact(word) if word.ranks else self.everything
        asked = word.suits
        if not asked:
            return bits
        return lambda situation: bits if asked(situation.drawn_suits) else 0

    def _fact(self, word: Word) -> Bits:
        least, most = word.sizes
        size = self._table.number(len, False)
        fitting = sum(rows for cards, rows in size.items() if least <= cards <= most)
        return self._table.number(word.value, False).get(1, 0) & fitting

    def ranks(self, ranks: Ranks) -> Bits | FactBy[Situation]:
        """Judge whether the cards have just these ranks."""
        places, wanted = ranks.places, ranks.ranks
        if places != self._deal.drawn:
            return lambda situation: (
                self.everything if tuple(sorted(situation.ranks[place] for place in places)) == wanted else 0
            )
        bits = self._table.number(len, False).get(len(wanted), 0)
        for rank in set(wanted):
            bits &= self._table.how_many(frozenset({rank})).get(wanted.count(rank), 0)
        return bits

    def measure(self, measure: Measure) -> Numbers | NumberBy[Situation]:
        """Work out a number word, of the finished hand, of the up card or of a role's cards."""
        function, places = measure.word.value, measure.places
        if places == self._deal.drawn:
            return self._table.number(function, False)
        if places == self._deal.drawn[:1]:
            return self._table.number(function, True)
        return self._of_role(function, places)

    def _of_role(self, function: RankFunction, places: tuple[int, ...]) -> NumberBy[Situation]:
        return lambda situation: {function(tuple(situation.ranks[place] for place in places)): self.everything}

    def count(self, count: Count) -> Numbers | NumberBy[Situation]:
        """Count cards of some kinds in the finished hand, at the up card or among a role's cards."""
        places = count.places
        if places[0] < self._deal.cards_dealt:
            return lambda situation: self._count_role(count, situation)
        same = [kind.place for kind in count.kinds if isinstance(kind, SameAs)]
        references = [place for place in same if place < self._deal.cards_dealt]
        if not references:
            return self._count_drawn(count, ())
        return lambda situation: self._count_drawn(count, tuple(situation.ranks[place] for place in references))

    def _count_drawn(self, count: Count, referred: tuple[int, ...]) -> Numbers:
        """Count cards in the finished hand or at the up card, the ranks of the roles' cards referred to being known."""
        ranks = set(referred)
        for kind in count.kinds:
            if not isinstance(kind, SameAs):
                ranks |= kind.ranks or set()
        if not any(isinstance(kind, SameAs) and kind.place in self._deal.drawn for kind in count.kinds):
            return self._count_ranks(count.places, frozenset(ranks))
        numbers: Numbers = {}
        for up, rows in self._table.number(max, True).items():
            for value, among in self._count_ranks(count.places, frozenset({*ranks, up})).items():
                numbers[value] = numbers.get(value, 0) | (rows & among)
        return numbers

    def _count_ranks(self, places: tuple[int, ...], ranks: frozenset[int]) -> Numbers:
        if places == self._deal.drawn:
            return self._table.how_many(ranks)
        hit = self._table.up_is(ranks)
        return {1: hit, 0: self.everything & ~hit}

    def _count_role(self, count: Count, situation: Situation) -> Numbers:
        certain = 0
        by_up: list[Bits] = []
        for place in count.places:
            rank = situation.ranks[place]
            matches_up = False
            matched = False
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    if kind.place < self._deal.cards_dealt:
                        matched |= _alike(kind, place, situation)
                    else:
                        matches_up = True  # the grammar lets only the rank be compared with the up card's
                elif (kind.ranks is None or rank in kind.ranks) and (
                    kind.suits is None or situation.suits[place] in kind.suits
                ):
                    matched = True
            if matched:
                certain += 1
            elif matches_up:
                by_up.append(self._table.up_is(frozenset({rank})))
        numbers: Numbers = {certain: self.everything}
        for hit in by_up:
            raised: Numbers = {}
            for value, rows in numbers.items():
                raised[value + 1] = raised.get(value + 1, 0) | (rows & hit)
                raised[value] = raised.get(value, 0) | (rows & ~hit)
            numbers = raised
        return numbers


def _holds(word: Word, places: tuple[int, ...], situation: Situation) -> bool:
    ranks = tuple(situation.ranks[place] for place in places)
    if word.ranks and not word.ranks(ranks):
        return False
    return not word.suits or word.suits(tuple(situation.suits[place] for place in places))


def _alike(like: SameAs, place: int, situation: Situation) -> bool:
    same_rank = situation.ranks[place] == situation.ranks[like.place]
    if like.what == "rank":
        return same_rank
    one, other = situation.suits[place], situation.suits[like.place]
    match like.what:
        case "suit":
            return one == other
        case "color":
            return Suit(one).is_red == Suit(other).is_red
        case _:
            return same_rank and one == other
