"""Each of the awards that add up by itself: how often it is paid, and what it comes to on average."""

from __future__ import annotations

from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.award import Award
from combinat.enumeration.tally import Counted


class Part(Counted, frozen=True):
    """One of the awards that add up; its ways are those of the hands that fit it at least once."""

    award: Award
    times: Fraction
    """How often it is paid in a hand, on average."""

    @property
    def paid(self) -> Fraction:
        """What it pays on average for a wager of one, the wager itself not counted where it comes back."""
        return self.times * self.award.pay.amount


def added_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Give the awards that add up, as the paytable states them; nothing if they do not add up.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.load import parse
    >>> from decks import Shoe
    >>> ((sevens,), _) = parse('''
    ... bet = "Sevens"
    ... deal = "player:2"
    ... awards_add_up = true
    ... [[paytable]]
    ... id = "S"
    ... decks = 1
    ... awards = [{ name = "Seven", per = "count(7)", pays = "5 to 1" }]
    ... ''', "sevens.toml")
    >>> seven, = added_parts(analyze(sevens, Shoe(1)))
    >>> seven.ways, seven.times  # 4 x 48 hands with one and 6 with two; each card is a 7 once in 13 times
    (198, Fraction(2, 13))
    """
    lines = analysis.lines
    return tuple(
        Part(
            ways=sum(line.ways for line in lines if line.award.made_of[place]),
            cycle=analysis.ways.cycle,
            award=award,
            times=sum((line.award.made_of[place] * line.probability for line in lines), Fraction(0)),
        )
        for place, award in enumerate(analysis.paytable.parts)
    )
