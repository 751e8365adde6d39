"""How the words of a rule are judged on a fixed deal: on rank rows, for one suit row after the other."""

from __future__ import annotations

from combinat.enumeration.evaluator import FactBy, NumberBy
from combinat.enumeration.fixed.best_hands import BestHands
from combinat.enumeration.fixed.seating import Seating
from combinat.enumeration.rank_rows import Bits, Numbers, RankSpace, union
from combinat.language.tree import Count, Measure, Predicate, Ranks, SameAs
from combinat.language.word import Places, Suits
from combinat.language.words import JOKERS
from decks import Pack, Suit

_IS_RED = [suit.is_red for suit in Suit]


class FixedEvaluator:
    """Judges words on the rank rows of a space; the situation is the suit row.

    A joker has neither rank nor suit: of cards with one among them, nothing holds that looks at all of them, and no
    number has a value, but the best of them may make any hand.
    """

    def __init__(self, space: RankSpace, seating: Seating, pack: Pack) -> None:
        self._space = space
        self._seating = seating
        self._pack = pack
        self._best: dict[tuple[Places, int], BestHands] = {}
        self.everything: Bits = space.everything

    def predicate(self, predicate: Predicate) -> Bits | FactBy[Suits]:
        """Judge a fact word: what it asks of the ranks here and now, what it asks of the suits later."""
        word, places = predicate.word, self._seating.here(predicate.places)
        jokers = self._seating.jokers_among(predicate.places)
        if size := word.best or word.any_size:
            key = (predicate.places, size)
            if key not in self._best:
                self._best[key] = BestHands(self._space, places, size, jokers, self._pack.joker_is_ace)
            return self._best[key].said(word.name) if word.best else self._best[key].some(word.name)
        if jokers:
            return 0
        bits = self._space.fact(word.ranks, places) if word.ranks else self.everything
        asked = word.suits
        if not asked:
            return bits
        return lambda suits: bits if asked(tuple([suits[place] for place in places])) else 0

    def ranks(self, ranks: Ranks) -> Bits:
        """Find the rows that have each of these ranks as often as it is listed."""
        places = self._seating.here(ranks.places)
        if len(places) < len(ranks.places):
            return 0
        bits = self.everything
        for rank in set(ranks.ranks):
            counts = self._space.count(self._space.rank_at(place).get(rank, 0) for place in places)
            bits &= counts.get(ranks.ranks.count(rank), 0)
        return bits

    def measure(self, measure: Measure) -> Numbers:
        """Work out a number word from the ranks."""
        word, places = measure.word, self._seating.here(measure.places)
        if word.name == "cards":
            return {len(measure.places): self.everything}
        return self._space.number(word.value, places) if len(places) == len(measure.places) else {}

    def count(self, count: Count) -> Numbers | NumberBy[Suits]:
        """Count cards of some kinds, at once if their suits do not matter."""
        if all(not isinstance(kind, SameAs) and kind.suits is None for kind in count.kinds):
            return self._space.count(self._marks(count, ()))
        return lambda suits: self._space.count(self._marks(count, suits))

    def _marks(self, count: Count, suits: Suits) -> list[Bits]:
        """For each card counted over, the rows where it is of one of the kinds, the suits being known."""
        marks = []
        for place in self._seating.here(count.places):
            rows = 0
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    rows |= self._alike(kind, place, suits)
                elif kind.suits is None or suits[place] in kind.suits:
                    at = self._space.rank_at(place)
                    rows |= self.everything if kind.ranks is None else union(at.get(rank, 0) for rank in kind.ranks)
            marks.append(rows)
        if JOKERS in count.kinds:
            marks += [self.everything] * self._seating.jokers_among(count.places)
        return marks

    def _alike(self, like: SameAs, place: int, suits: Suits) -> Bits:
        """The rows where the card at a place is like the one referred to; none is like a joker."""
        for there in self._seating.here((like.place,)):
            one, other = suits[place], suits[there]
            match like.what:
                case "rank":
                    return self._space.equal(place, there)
                case "suit":
                    return self.everything if one == other else 0
                case "color":
                    return self.everything if _IS_RED[one] == _IS_RED[other] else 0
                case _:
                    return self._space.equal(place, there) if one == other else 0
        return 0
