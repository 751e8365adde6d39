"""How the words of a rule are judged on a fixed deal: on rank rows, for one suit row after the other."""

from __future__ import annotations

from combinat.enumeration.evaluator import FactBy, NumberBy
from combinat.enumeration.rank_rows import Bits, Numbers, RankSpace, union
from combinat.language.tree import Count, Measure, Predicate, Ranks, SameAs
from combinat.language.word import Suits
from decks import Suit

_IS_RED = [suit.is_red for suit in Suit]


class FixedEvaluator:
    """Judges words on the rank rows of a space; the situation is the suit row."""

    def __init__(self, space: RankSpace) -> None:
        self._space = space
        self.everything: Bits = space.everything

    def predicate(self, predicate: Predicate) -> Bits | FactBy[Suits]:
        """Judge a fact word: what it asks of the ranks here and now, what it asks of the suits later."""
        word, places = predicate.word, predicate.places
        bits = self._space.fact(word.ranks, places) if word.ranks else self.everything
        asked = word.suits
        if not asked:
            return bits
        return lambda suits: bits if asked(tuple(suits[place] for place in places)) else 0

    def ranks(self, ranks: Ranks) -> Bits:
        """Find the rows that have each of these ranks as often as it is listed."""
        bits = self.everything
        for rank in set(ranks.ranks):
            counts = self._space.count(self._space.rank_at(place).get(rank, 0) for place in ranks.places)
            bits &= counts.get(ranks.ranks.count(rank), 0)
        return bits

    def measure(self, measure: Measure) -> Numbers:
        """Work out a number word from the ranks."""
        return self._space.number(measure.word.value, measure.places)

    def count(self, count: Count) -> Numbers | NumberBy[Suits]:
        """Count cards of some kinds, at once if their suits do not matter."""
        if all(not isinstance(kind, SameAs) and kind.suits is None for kind in count.kinds):
            return self._space.count(self._marks(count, ()))
        return lambda suits: self._space.count(self._marks(count, suits))

    def _marks(self, count: Count, suits: Suits) -> list[Bits]:
        """For each card counted over, the rows where it is of one of the kinds, the suits being known."""
        marks = []
        for place in count.places:
            rows = 0
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    rows |= self._alike(kind, place, suits)
                elif kind.suits is None or suits[place] in kind.suits:
                    at = self._space.rank_at(place)
                    rows |= self.everything if kind.ranks is None else union(at.get(rank, 0) for rank in kind.ranks)
            marks.append(rows)
        return marks

    def _alike(self, like: SameAs, place: int, suits: Suits) -> Bits:
        """The rows where the card at a place is like the one referred to."""
        one, other = suits[place], suits[like.place]
        match like.what:
            case "rank":
                return self._space.equal(place, like.place)
            case "suit":
                return self.everything if one == other else 0
            case "color":
                return self.everything if _IS_RED[one] == _IS_RED[other] else 0
            case _:
                return self._space.equal(place, like.place) if one == other else 0
