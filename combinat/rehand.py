"""Plays the blackjack hands on which a bet's winnings can ride a second time, with the standard library only.

This file needs only recount.py beside it. It deals the player's two cards, the up card and the hole card in order, and
draws every hand of the dealer's to its end. What a hand brings back is counted in rows of physical cards: the player's
further cards, then the dealer's, then as many of the rest as make all rows equally long. No row has a dealer's
blackjack, since a hand is played only when the dealer has looked and has none. Hands are hit as long as that brings
back more; splits are not played here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING or __package__:
    from combinat.recount import COLORS, WORTH, Bet, CannotRederiveError, UnreadableError, card_of, said, shown
else:  # run by itself, with recount.py beside it
    from recount import COLORS, WORTH, Bet, CannotRederiveError, UnreadableError, card_of, said, shown

Hand = tuple[int, ...]  # how many of each value are held, aces first and tens last
Backs = list[int]  # for each up card, one to ten, what comes back of a bet of one in all rows

VALUES = range(1, 11)
NAMES = ("A", *map(str, VALUES[1:]))
MOST = 13  # more cards than ever follow an up card
MOST_SIGNS = 500
RIDES = {"parlay": "proceeds (win and wager)", "press": "winnings (not the wager)"}
LEAST_DOUBLED = {"any two cards": 0, "hard 9 to 11": 9, "hard 10 and 11": 10}
EVERY_DECISION = "a decision for each winning hand and each up card that it can meet, and no other"


class Unreached(str):
    """Which figures of a name are not checked, in words that follow the name."""


class Rules(NamedTuple):
    """The rules of the table, as far as hands that are not split depend on them."""

    hits_soft_17: bool
    blackjack_pays: Fraction
    least_doubled: int
    splits: bool
    surrender: bool


def rules_of(text: str) -> Rules:
    """Read rules such as `dealer hits soft 17, blackjack pays 3 to 2, double any two cards, ..., no surrender`."""
    found = re.fullmatch(
        r"dealer (hits|stands on) soft 17, blackjack pays (\d{1,9}) to (0*[1-9]\d{0,8}), "
        rf"double ({'|'.join(LEAST_DOUBLED)})(?: .*|,.*)?, (no splits|split aces [a-z ]+), (late|no) surrender",
        text[:MOST_SIGNS],  # as long as rules never are, or the search would take ages
        re.ASCII,
    )
    if not found:
        raise UnreadableError(f"cannot read the rules of blackjack '{shown(text)}'")
    pays = Fraction(int(found[2]), int(found[3]))
    return Rules(found[1] == "hits", pays, LEAST_DOUBLED[found[4]], found[5] != "no splits", found[6] == "late")


def hard_total(hand: Hand) -> int:
    """The total of a hand with every ace as one."""
    return sum([value * held for value, held in zip(VALUES, hand, strict=True)])


def best_total(hand: Hand) -> int:
    """The total of a hand with an ace as eleven if that does not go over 21."""
    hard = hard_total(hand)
    return hard + 10 if hand[0] and hard <= 11 else hard


def with_card(hand: Hand, value: int) -> Hand:
    """Give the hand one more card."""
    return (*hand[: value - 1], hand[value - 1] + 1, *hand[value:])


def name_of(hand: Hand) -> str:
    """Write a hand with aces first, then from tens down."""
    return "-".join([NAMES[value - 1] for value in (1, *range(10, 1, -1)) for _ in range(hand[value - 1])])


# What hands bring back


@lru_cache(maxsize=None)
def dealer_hands(hits_soft_17: bool) -> Counter[tuple[int, int, int, Hand]]:
    """Draw every row of values until the dealer stands, but for blackjacks; tell in how many orders each hand comes.

    A hand is the up card, the total (nothing if it is a bust), how many cards follow the up card, and which.
    """
    finished: Counter[tuple[int, int, int, Hand]] = Counter()

    def draw(row: tuple[int, ...]) -> None:
        hard = sum(row)
        is_soft = hard <= 11 and 1 in row
        total = hard + 10 if is_soft else hard
        if len(row) > 1 and total >= 17 and not (total == 17 and is_soft and hits_soft_17):
            if len(row) > 2 or total != 21:
                drawn = tuple([row[1:].count(value) for value in VALUES])
                finished[row[0], total if total <= 21 else 0, len(row) - 1, drawn] += 1
            return
        for value in VALUES:
            draw((*row, value))

    draw(())
    return finished


class Step(NamedTuple):
    """How the dealer's hands are weighed by one value, whereafter those that differ in it only are one."""

    joins: list[int]
    """For each hand, which it becomes."""
    many: list[int]
    """For each hand, how many cards of the value follow the up card; if that is of the value too, `MOST` more."""
    size: int
    """How many hands there are afterwards."""


@lru_cache(maxsize=None)
def steps_of(hits_soft_17: bool) -> tuple[list[int], dict[int, Step], list[tuple[int, int, int]]]:
    """Give the orders of the dealer's hands, the steps for tens down to aces, and what is left of the hands at last."""
    hands, steps = dealer_hands(hits_soft_17), {}
    ends = list(hands)
    for value in reversed(VALUES):
        shorter = [(up, total, length, drawn[:-1]) for up, total, length, drawn in ends]
        places = {end: place for place, end in enumerate(dict.fromkeys(shorter))}
        many = [drawn[-1] + MOST * (up == value) for up, _, _, drawn in ends]
        steps[value] = Step([places[end] for end in shorter], many, len(places))
        ends = list(places)
    return list(hands.values()), steps, [(up, total, length) for up, total, length, _ in ends]


@lru_cache(maxsize=8)
def standing(counts: Hand, hits_soft_17: bool) -> tuple[dict[Hand, Backs], dict[Hand, Backs]]:
    """Count what standing brings back on every hand up to 21, and for two cards how many rows there are.

    Every hand of the player's is weighed against every hand of the dealer's. Since both are given their cards value by
    value, tens first, hands that are alike in high cards are weighed together as far as that goes.
    """
    orders, steps, ends = steps_of(hits_soft_17)
    back: dict[Hand, Backs] = {}
    rows: dict[Hand, Backs] = {}
    cards = sum(counts) - 1  # the up card is gone already
    longest = min(cards, 21 + MOST)
    # A player draws up to 20 and has 30 at most; a dealer draws up to 16.
    if hard_total(counts) <= 30 + 16:
        raise CannotRederiveError("the shoe can run out before the hands of blackjack are finished")

    def weigh(value: int, hand: Hand, weights: list[int]) -> None:
        """Give the hand as many cards of the value as it can hold, and weigh those that the dealer draws."""
        if value == 0:
            compare(hand, weights)
            return
        step, room = steps[value], 21 - hard_total((0,) * value + hand)
        for held in range(min(counts[value - 1], room // value) + 1):
            left = counts[value - 1] - held
            ways = [perm(max(left - gone, 0), times) for gone in (0, 1) for times in range(MOST)]
            joined = [0] * step.size
            for join, many, weight in zip(step.joins, step.many, weights, strict=True):
                joined[join] += weight * ways[many]
            weigh(value - 1, (held, *hand), joined)

    def compare(hand: Hand, weights: list[int]) -> None:
        """Compare the hand with the dealer's: two come back if it wins, one if it ties."""
        held, own = sum(hand), best_total(hand)
        # Every way the cards can lie that are left when both hands are finished makes all rows equally long.
        after = [perm(cards - held - n, longest - held - n) if held + n <= longest else 0 for n in range(MOST)]
        found, alive = [0] * 11, [0] * 11
        for (up, total, length), weight in zip(ends, weights, strict=True):
            times = weight * after[length]
            alive[up] += times
            if own >= total:
                found[up] += times if own == total else 2 * times
        back[hand] = found
        if held == 2:
            rows[hand] = alive

    weigh(10, (), orders)
    return back, rows


class Play:
    """Hands that are not split, played as well as they can be by one who knows the own cards and the up card."""

    def __init__(self, counts: Hand, rules: Rules) -> None:
        self.counts, self.rules = counts, rules
        self.back, self.rows = standing(counts, rules.hits_soft_17)
        self.known: dict[Hand, Backs] = {}

    def next_card(self, hand: Hand, then: Callable[[Hand], Backs]) -> Backs:
        """Add up what comes back with every card that can be drawn; with one that busts nothing does."""
        found = [0] * 11
        for value in VALUES:
            left = self.counts[value - 1] - hand[value - 1]
            if left and hard_total(hand) + value <= 21:
                for up, more in enumerate(then(with_card(hand, value))):
                    found[up] += (left - (up == value)) * more
        return found

    def played(self, hand: Hand) -> Backs:
        """Stand or hit with three cards or more, whichever brings back more."""
        if hand not in self.known:
            is_over = best_total(hand) == 21
            more = self.back[hand] if is_over else self.next_card(hand, self.played)
            self.known[hand] = list(map(max, self.back[hand], more))
        return self.known[hand]

    def worth(self, hand: Hand, up: int) -> dict[str, Fraction]:
        """Give what a bet of one gains on two cards with each action, the one to be taken among equals first."""
        rows = self.rows[hand][up]
        gains = {
            "stand": Fraction(self.back[hand][up], rows) - 1,
            "hit": Fraction(self.next_card(hand, self.played)[up], rows) - 1,
        }
        least = self.rules.least_doubled
        if not least or (not hand[0] and least <= hard_total(hand) <= 11):
            gains["double"] = 2 * (Fraction(self.next_card(hand, self.back.__getitem__)[up], rows) - 1)
        return {**gains, "surrender": Fraction(-1, 2)} if self.rules.surrender else gains


# The decisions


Meetings = dict[tuple[str, str], tuple[Hand, int, dict[int, Fraction]]]
"""By the names of the hand and the up card: both as values, and how often they meet and take each award."""


def meetings(bet: Bet, counts: Hand) -> Meetings:
    """Deal the player's cards, the up card and the hole card: how often each winning hand goes on."""
    kinds = [card for card in product(bet.ranks, COLORS) if bet.left(card)]
    cards, judge = bet.size(bet.decks), lru_cache(maxsize=None)(bet.judge)
    found: Meetings = {}
    met: Counter[tuple[Hand, int, int]] = Counter()
    everything = 0
    for first, second in combinations_with_replacement(kinds, 2):
        orders = 1 if first == second else 2
        ways = orders * bet.left(first) * (bet.left(second) - (first == second))
        worth = [WORTH[first[0]], WORTH[second[0]]]
        hand = tuple([worth.count(value) for value in VALUES])
        # Unless a rule names a role, all orders of three cards are judged alike.
        for up in kinds if ways else ():
            table = (first, second, up) if bet.names_role else tuple(sorted((first, second, up)))
            fitting = judge(table if "up" in bet.sizes else (first, second))
            times = ways * (bet.left(up) - (up == first) - (up == second))
            if fitting is None:
                continue
            everything += times * (cards - 3)
            if True in fitting:
                shows = WORTH[up[0]]
                partner = {1: 10, 10: 1}.get(shows)
                blackjacks = counts[partner - 1] - hand[partner - 1] if partner else 0
                met[hand, shows, fitting.index(True)] += times * (cards - 3 - blackjacks)
    for (hand, shows, award), times in met.items():
        if times:
            _, _, chances = found.setdefault((name_of(hand), NAMES[shows - 1]), (hand, shows, {}))
            chances[award] = Fraction(times, everything)
    return found


def value_of(row: Any) -> Fraction:
    """Read the value that a decision gives."""
    text = str(row.get("value"))
    if not re.fullmatch(r"-?\d{1,500}(/0*[1-9]\d{0,499})?", text, re.ASCII):
        raise UnreadableError(f"no value '{shown(text)}' of a hand")
    return Fraction(text)


def hand_figures(play: Play, hand: Hand, up: int, row: Any, is_best: bool) -> dict[str, Any]:
    """Give what a decision should say of a hand that is no blackjack: its first action, and what a unit on it gains."""
    worth, action = play.worth(hand, up), said(row, "first_action", str)
    if not is_best:
        is_known = action in worth and action != "hit"  # the chart may say where to go on hitting
        value = worth[action] if is_known else Unreached("of hands that are hit or split by a printed chart")
        return {"value": value, "first_action": Unreached("by a printed chart")}
    best = max(worth, key=lambda one: worth[one])
    if not play.rules.splits or 2 not in hand:
        return {"value": worth[best], "first_action": best}
    unsure = Unreached("of pairs as to splitting them")
    if action != "split":
        return {"value": worth[best], "first_action": unsure if action == best else best}
    if value_of(row) < worth[best]:
        return {"value": f"at least {worth[best]}, which it is if not split", "first_action": best}
    return {"value": Unreached("of hands that are split"), "first_action": unsure}


def purses(kind: str, home: Fraction, value: Fraction) -> list[Fraction]:
    """List what a player who bet one can have gained in the end, if settling the bet brings so much back.

    The rules of both games ask the winners only, and a winner is who has more than was bet. They may take everything.
    Or they put it on the hand, where every unit gains `value`: all chips before them, the bet among them, with a
    parlay; with a press the bet is taken back first.
    """
    gained = home - 1
    on_the_hand = home if kind == "parlay" else gained
    return [gained, gained + on_the_hand * value] if gained > 0 else [gained]


class Riding:
    """What each award gains by riding, worked out from every hand and up card with which it comes."""

    def __init__(self, kind: str, met: Meetings, values: dict[tuple[str, str], Fraction | None]) -> None:
        self.kind, self.met, self.values = kind, met, values

    def gain(self, award: int, home: Fraction) -> Fraction | None:
        """Give what the best choices gain by an award that brings so much back, or nothing if a value is not known."""
        found = Fraction(0)
        for name, (_, _, chances) in self.met.items():
            value = self.values[name]
            if award not in chances or len(purses(self.kind, home, Fraction(0))) == 1:
                continue
            if value is None:
                return None
            ends = purses(self.kind, home, value)
            found += chances[award] * (max(ends) - ends[0])
        return found


def unseen_value(play: Play, hand: Hand, up: int, is_best: bool) -> Fraction | None:
    """Give what a unit gains on a hand of which the sheet says nothing, if no split or chart is in the way."""
    if not is_best or (play.rules.splits and 2 in hand):
        return None
    return max(play.worth(hand, up).values())


def option(bet: Bet, homes: list[Fraction], sheet: dict[str, Any]) -> tuple[dict[str, Any], Riding | None]:
    """Work out what a sheet should say of winnings that can ride, from all that each award brings back for one.

    Of hands out of reach the sheet's own values are taken. If decisions are missing, nobody knows what units gain.
    """
    kind, strategy = said(sheet, "kind", str), said(sheet, "strategy", str)
    if kind not in RIDES or strategy not in ("best", "basic"):
        raise UnreadableError(f"no option '{shown(kind)}' with the strategy '{shown(strategy)}'")
    if bet.sizes not in ({"player": 2}, {"player": 2, "up": 1}):
        raise UnreadableError("winnings ride on two cards of the player's, with no others than the up card counting")
    rules = rules_of(said(sheet, "rules", str))
    counts = tuple(
        [sum([bet.left(card) for card in product(bet.ranks, COLORS) if WORTH[card[0]] == value]) for value in VALUES]
    )
    met, play = meetings(bet, counts), Play(counts, rules)
    rows = said(sheet, "decisions", list)
    names = [(said(row, "hand", str), said(row, "up", str)) for row in rows]
    # Who has a choice is seen by whether the purse can end in two ways.
    asked = [len(purses(kind, home, Fraction(0))) > 1 for home in homes]
    if sorted(names) != sorted([name for name, (_, _, chances) in met.items() if any(asked[one] for one in chances)]):
        return {"rides": RIDES[kind], "decisions": [EVERY_DECISION]}, None
    values: dict[tuple[str, str], Fraction | None] = {}
    decisions = []
    gain = used = Fraction(0)
    blackjack = rules.blackjack_pays if kind == "parlay" else Fraction(1)
    for row, name in zip(rows, names, strict=True):
        hand, up, chances = met[name]
        winners = {award: one for award, one in chances.items() if asked[award]}
        if hand[0] == hand[9] == 1:
            figures: dict[str, Any] = {"value": blackjack, "first_action": "stand"}
        else:
            figures = hand_figures(play, hand, up, row, strategy == "best")
        value = values[name] = value_of(row) if isinstance(figures["value"], str) else figures["value"]
        chance = amount = gained = Fraction(0)
        for award, one in winners.items():
            taken, left = purses(kind, homes[award], value)
            _, doubled = purses(kind, homes[award], Fraction(1))
            chance += one
            amount += one * (doubled - taken)  # what lies on the hand is what even money would add to it
            gained += one * (max(taken, left) - taken)
        gain, used = gain + gained, used + chance * (value > 0)
        choice = {"choice": "leave" if value > 0 else "take", "gain": gained}
        decisions.append({"hand": name[0], "up": name[1], "probability": chance, "amount": amount, **choice, **figures})
    for name in met.keys() - values.keys():
        hand, up, _ = met[name]
        is_blackjack = hand[0] == hand[9] == 1
        values[name] = blackjack if is_blackjack else unseen_value(play, hand, up, strategy == "best")
    found = {"rides": RIDES[kind], "gain": gain, "used": used, "decisions": decisions}
    return found, Riding(kind, met, values)


# Example hands


def takes(bet: Bet, example: Any, award: int) -> bool:
    """Whether an example hand can come from the shoe, is dealt as it should be, and takes the award."""
    roles = [role for role in (("up", "hole", "dealer") if bet.draws else bet.sizes) if role in example]
    hand = tuple(card_of(card) for role in roles for card in said(example, role, list))
    sizes = {role: len(example[role]) for role in example}
    if bet.draws:
        ranks = tuple([rank for rank, _ in hand])
        stops = [
            at for at in range(1, len(hand) + 1) if bet.stands(ranks[:at], sum([WORTH[one] for one in ranks[:at]]))
        ]
        is_dealt = len(roles) == len(sizes) and stops == [len(hand)]
    else:
        is_dealt = sizes == bet.sizes
    is_there = all(times <= bet.left(card) for card, times in Counter(hand).items())
    fitting = bet.judge(hand) if is_dealt and is_there else None
    return fitting is not None and fitting[award] and not any(fitting[:award])
