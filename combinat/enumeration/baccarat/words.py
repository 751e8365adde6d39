"""How the words of a rule are judged on a table of coups; the situation is the suit at every place."""

from __future__ import annotations

from functools import cached_property

from combinat.enumeration.baccarat.coups import Coups
from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.baccarat.vocabulary import BANKER_WINS, MARGIN, PLAYER_WINS, TIE
from combinat.enumeration.evaluator import FactBy, NumberBy
from combinat.enumeration.rank_rows import Bits, Numbers, union
from combinat.language.asked_of_cards import baccarat_points
from combinat.language.tree import Count, Measure, Predicate, Ranks, SameAs
from combinat.language.word import Places, Suits, Word
from decks import Suit

_IS_RED = [suit.is_red for suit in Suit]


class CoupEvaluator:
    """Judges words on the rows of a table; of a card that is not drawn nothing holds, and its numbers have no value."""

    def __init__(self, coups: Coups) -> None:
        self._coups = coups
        self.everything: Bits = coups.everything

    @cached_property
    def _ahead(self) -> Numbers:
        """The player's points less the banker's."""
        player, banker = (self._coups.number(baccarat_points, self._coups.here(hand)) for hand in (PLAYER, BANKER))
        ahead: Numbers = {}
        for own, rows in player.items():
            for other, others in banker.items():
                if both := rows & others:
                    ahead[own - other] = ahead.get(own - other, 0) | both
        return ahead

    def predicate(self, predicate: Predicate) -> Bits | FactBy[Suits]:
        """Judge a fact word: what it asks of the ranks here and now, what it asks of the suits later."""
        word, places = predicate.word, self._coups.here(predicate.places)
        if word.whole:
            return self._of_the_coup(word)
        if not _fits(word, places):
            return 0
        bits = self._coups.number(word.ranks, places).get(1, 0) if word.ranks else self.everything
        asked = word.suits
        if not asked:
            return bits
        return lambda suits: bits if asked(tuple(suits[place] for place in places)) else 0

    def _of_the_coup(self, word: Word) -> Bits:
        signs = {PLAYER_WINS.name: 1, TIE.name: 0, BANKER_WINS.name: -1}
        sign = signs[word.name]
        return union(rows for ahead, rows in self._ahead.items() if (ahead > 0) - (ahead < 0) == sign)

    def ranks(self, ranks: Ranks) -> Bits:
        """Find the rows that have each of these ranks as often as it is listed, and no other card."""
        places = self._coups.here(ranks.places)
        if len(places) != len(ranks.ranks):
            return 0
        bits = self.everything
        for rank in set(ranks.ranks):
            counts = self._coups.count([self._coups.rank_at(place).get(rank, 0) for place in places])
            bits &= counts.get(ranks.ranks.count(rank), 0)
        return bits

    def measure(self, measure: Measure) -> Numbers:
        """Work out a number word; it has no value where there is no such card."""
        word, places = measure.word, self._coups.here(measure.places)
        if word.name == MARGIN.name:
            margins: Numbers = {}
            for ahead, rows in self._ahead.items():
                margins[abs(ahead)] = margins.get(abs(ahead), 0) | rows
            return margins
        if word.name == "cards":
            return {len(places): self.everything}
        return self._coups.number(word.value, places) if _fits(word, places) else {}

    def count(self, count: Count) -> Numbers | NumberBy[Suits]:
        """Count cards of some kinds, at once if their suits do not matter."""
        if all(kind.what == "rank" if isinstance(kind, SameAs) else kind.suits is None for kind in count.kinds):
            return self._coups.count(self._marks(count, ()))
        return lambda suits: self._coups.count(self._marks(count, suits))

    def _marks(self, count: Count, suits: Suits) -> list[Bits]:
        """For each card counted over, the rows where it is of one of the kinds, the suits being known."""
        marks = []
        for place in self._coups.here(count.places):
            rows = 0
            for kind in count.kinds:
                if isinstance(kind, SameAs):
                    rows |= self._alike(kind, place, suits)
                elif kind.suits is None or suits[place] in kind.suits:
                    at = self._coups.rank_at(place)
                    rows |= self.everything if kind.ranks is None else union(at.get(rank, 0) for rank in kind.ranks)
            marks.append(rows)
        return marks

    def _alike(self, like: SameAs, place: int, suits: Suits) -> Bits:
        """The rows where the card at a place is like the one referred to, which must be there."""
        if like.place not in self._coups.places:
            return 0
        bits = self._coups.equal(place, like.place) if like.what in ("", "rank") else self.everything
        match like.what:
            case "rank":
                return bits
            case "color":
                return bits if _IS_RED[suits[place]] == _IS_RED[suits[like.place]] else 0
            case _:
                return bits if suits[place] == suits[like.place] else 0


def _fits(word: Word, places: Places) -> bool:
    least, most = word.sizes
    return least <= len(places) <= most
