"""What a wager brings whose winnings are left on the hand wherever that gains something.

Of a hand that is not split every result is known: it wins, ties or loses its bets. Of the hands of one split the mean
is known, and between what the mean square lies. So the variance of the wager lies between bounds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from combinat.verifier.best_hands import Best, InfiniteDecks, ShoeTable
from combinat.verifier.hands import is_blackjack
from combinat.verifier.house import Awards
from combinat.verifier.many_plays import Results, central
from combinat.verifier.meetings import Meeting
from combinat.verifier.outlook import Side
from combinat.verifier.riding import has_choice, purses
from combinat.verifier.splits import Split
from combinat.verifier.table_rules import TableRules

BEST = "best play"
CERTAIN = "blackjack"
BETS = {"stand": 1, "hit": 1, "double": 2}


class Loose(NamedTuple):
    """What comes back of a wager on a hand that is split, as far as that is known."""

    mean: Fraction
    least_square: Fraction
    most_square: Fraction
    largest: tuple[Fraction, Fraction]
    """What the award brings back, and the most that the hands can bring or take."""
    chance: Fraction


class Table(NamedTuple):
    """A table at which winnings ride, and what they gain there with a blackjack."""

    hands: ShoeTable | InfiniteDecks
    blackjack_gains: Fraction
    rules: TableRules

    def best(self, meeting: Meeting) -> Best:
        """What is best done with a hand, and what comes of it."""
        if is_blackjack(meeting.hand):
            gain = self.blackjack_gains
            return Best(CERTAIN, Split(gain, gain**2, gain**2))
        return self.hands.best(meeting.hand, meeting.up)


def best_side(kind: str, awards: Awards, met: list[Meeting], table: Table, meters: dict[str, Fraction]) -> Side:
    """Put together what comes back of a wager of one with the best choices."""
    homes = [pay.gross.number for pay in awards.pays]
    known: Results = [(Fraction(0), awards.nothing)]
    loose: list[Loose] = []
    taken = list(awards.chances)
    for meeting in met:
        asked = [award for award in meeting.chances if has_choice(kind, homes[award])]
        best = table.best(meeting) if asked else None
        if best is None or best.result.gain <= 0:
            continue
        for award in asked:
            home, chance = homes[award], meeting.chances[award]
            taken[award] -= chance
            on_the_hand = purses(kind, home, Fraction(1))[1] - purses(kind, home, Fraction(1))[0]
            if best.action == "split":
                most = 2 * table.rules.hands_of(meeting.hand.index(2) + 1)  # all hands doubled
                loose.append(moved(best.result, home, on_the_hand, most, chance))
            else:
                known += [(home + on_the_hand * profit, chance * one) for profit, one in profits(best)]
    known += list(zip(homes, taken, strict=True))
    return side_of(known, loose, meters)


def moved(result: Split, home: Fraction, on_the_hand: Fraction, most: int, chance: Fraction) -> Loose:
    """What comes back where so much lies on hands that are split."""

    def square(own: Fraction) -> Fraction:
        return home**2 + 2 * home * on_the_hand * result.gain + on_the_hand**2 * own

    return Loose(
        home + on_the_hand * result.gain,
        square(result.least_square),
        square(result.most_square),
        (home, on_the_hand * most),
        chance,
    )


def profits(best: Best) -> Results:
    """Every gain of a bet of one on a hand that is not split, with its chance."""
    gain, square, _ = best.result
    if best.action not in BETS:
        return [(gain, Fraction(1))]
    bets = BETS[best.action]
    decided, ahead = square / bets**2, gain / bets
    won, lost = (decided + ahead) / 2, (decided - ahead) / 2
    return [(Fraction(bets), won), (Fraction(0), 1 - won - lost), (Fraction(-bets), lost)]


def side_of(known: Results, loose: list[Loose], meters: dict[str, Fraction]) -> Side:
    """Put a side together of results that are known and of those that are known loosely."""
    mean = sum([back * chance for back, chance in known], Fraction(0))
    mean += sum([one.mean * one.chance for one in loose], Fraction(0))
    if not loose:
        return Side(BEST, meters, 1 - mean, known, central(known, 2))
    square = sum([back**2 * chance for back, chance in known], Fraction(0)) - mean**2
    least = square + sum([one.least_square * one.chance for one in loose], Fraction(0))
    most = square + sum([one.most_square * one.chance for one in loose], Fraction(0))
    third = abs(sum([(back - mean) ** 3 * chance for back, chance in known], Fraction(0)))
    for one in loose:
        # The third power of a distance is at most its square times the largest distance.
        apart = one.most_square - 2 * mean * one.mean + mean**2
        home, ridden = one.largest
        third += apart * (abs(mean - 1) + abs(home - 1) + ridden) * one.chance
    return Side(BEST, meters, 1 - mean, None, most, least_variance=least, skewed=third**2 / least**3 if least else None)
