"""How the words of a rule are judged on a table of coups; the situation is the suit at every place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import repeat

from combinat.enumeration.baccarat.coups import Coups
from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.baccarat.vocabulary import BANKER_WINS, MARGIN, PLAYER_WINS, TIE
from combinat.enumeration.evaluator import FactBy, NumberBy
from combinat.enumeration.rank_rows import Bits, Numbers, union
from combinat.language.asked_of_cards import baccarat_points
from combinat.language.tree import Count, Measure, Predicate, Ranks, SameAs
from combinat.language.word import Places, Suits, Word
from decks import Suit

_MAX_KNOWN = 256
"""Counts of cards that are kept, of up to some 100 kB each."""
_IS_RED = [suit.is_red for suit in Suit]


class CoupEvaluator:
    """Judges words on the rows of a table; of a card that is not drawn nothing holds, and its numbers have no value."""

    def __init__(self, coups: Coups) -> None:
        self._coups = coups
        self._counts: dict[Count, NumberBy[Suits]] = {}
        self._known: dict[tuple[Count, tuple[bool, ...]], Numbers] = {}
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
            return self._coups.count(self._marks(count, repeat(True)))
        # Rules that ask for the same share this function, so that it counts once for each suit row.
        return self._counts.setdefault(count, lru_cache(maxsize=1)(lambda suits: self._counted(count, suits)))

    def _counted(self, count: Count, suits: Suits) -> Numbers:
        """Count cards of some kinds; suits that fit alike are counted once."""
        key = count, tuple(self._fitting(count, suits))
        if key not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[key] = self._coups.count(self._marks(count, iter(key[1])))
        return self._known[key]

    def _fitting(self, count: Count, suits: Suits) -> Iterator[bool]:
        """Tell of each card counted over, and of each kind, whether the suits fit."""
        for place in self._coups.here(count.places):
            for kind in count.kinds:
                if not isinstance(kind, SameAs):
                    yield kind.suits is None or suits[place] in kind.suits
                elif kind.what == "color":
                    yield _IS_RED[suits[place]] == _IS_RED[suits[kind.place]]
                else:
                    yield kind.what == "rank" or suits[place] == suits[kind.place]

    def _marks(self, count: Count, fitting: Iterator[bool]) -> list[Bits]:
        """For each card counted over, the rows where it is of one of the kinds whose suits fit."""
        marks = []
        for place in self._coups.here(count.places):
            rows = 0
            for kind, fits in zip(count.kinds, fitting, strict=False):
                if not fits:
                    continue
                if isinstance(kind, SameAs):
                    rows |= self._alike(kind, place)
                else:
                    at = self._coups.rank_at(place)
                    rows |= self.everything if kind.ranks is None else union(at.get(rank, 0) for rank in kind.ranks)
            marks.append(rows)
        return marks

    def _alike(self, like: SameAs, place: int) -> Bits:
        """The rows where the rank at a place fits the card referred to, which must be there."""
        if like.place not in self._coups.places:
            return 0
        return self._coups.equal(place, like.place) if like.what in ("", "rank") else self.everything


def _fits(word: Word, places: Places) -> bool:
    least, most = word.sizes
    return least <= len(places) <= most
