"""The most that a wager can win whose winnings are left on the hand: found by trying what can be dealt.

Of hands that are not split every gain is known. Of a split all second cards that the shoe has are tried: with a like
card a hand is split again while it may be, and with each other card the hand has one bet or is doubled. At best all
hands win, as they do when the dealer goes over.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

from combinat.verifier.best_hands import Best, InfiniteDecks
from combinat.verifier.dealer_steps import EMPTY, VALUES, with_card
from combinat.verifier.hands import NAMES, best_total, name_of
from combinat.verifier.house import Awards
from combinat.verifier.meetings import Meeting
from combinat.verifier.play import Play
from combinat.verifier.riding import has_choice, purses
from combinat.verifier.riding_results import Table, profits


class Largest(NamedTuple):
    """The most that a wager of one can win, and how."""

    won: Fraction
    award: str
    hand: str | None = None
    """The hand that winnings are left on, if they are."""
    up: str | None = None
    action: str | None = None


def largest_win(kind: str, awards: Awards, asked: list[Meeting], table: Table) -> Largest:
    """Find the largest win, the first of equals, of those that are taken and of those that are left on a hand."""
    homes = [pay.gross.number for pay in awards.pays]
    found = Largest(Fraction(-1), "")
    for pay, home, chance in zip(awards.pays, homes, awards.chances, strict=True):
        if chance and home - 1 > found.won:
            found = Largest(home - 1, pay.award)
    for meeting in asked:
        best = table.best(meeting)
        if best.result.gain <= 0:
            continue
        most = most_gained(best, meeting, table)
        for award in sorted(meeting.chances):
            if has_choice(kind, homes[award]):
                won = purses(kind, homes[award], most)[1]
                if won > found.won:
                    action = "stand" if best.action == "blackjack" else best.action
                    up = NAMES[meeting.up - 1]
                    found = Largest(won, awards.pays[award].award, name_of(meeting.hand), up, action)
    return found


def most_gained(best: Best, meeting: Meeting, table: Table) -> Fraction:
    """Find the most that a bet of one gains on a hand."""
    if best.action != "split" or isinstance(table.hands, InfiniteDecks):
        return max([gain for gain, chance in profits(best) if chance])
    return Fraction(bets_of_split(table.hands.play, meeting.hand.index(2) + 1, meeting.up))


def bets_of_split(play: Play, value: int, up: int) -> int:
    """Try all numbers of hands and all second cards; count the bets that then lie there."""
    most, left = play.rules.hands_of(value), [many - (one == up) for one, many in zip(VALUES, play.counts, strict=True)]
    bets = {second: bets_on(play, value, second, up) for second in VALUES if left[second - 1]}
    found = 0
    for hands in range(2, min(most, left[value - 1]) + 1):
        # A second card like the first is split again, unless there are as many hands as there may be.
        seconds = [second for second in bets if second != value or hands == most]
        for row in combinations_with_replacement(seconds, hands):
            if all(row.count(second) <= left[second - 1] - hands * (second == value) for second in set(row)):
                found = max(found, sum([bets[second] for second in row]))
    return found


def bets_on(play: Play, value: int, second: int, up: int) -> int:
    """Count the bets on a hand of a split that is not split again."""
    hand = with_card(with_card(EMPTY, value), second)
    if (value == 1 and not play.rules.hit_split_aces) or best_total(hand) == 21:
        return 1
    return 2 if play.after_split(hand, up, is_aces=value == 1) == "double" else 1
