"""Check a solved game with betting rounds by plain code.

Use: python -m combinat.verifier.betting GAME.toml SOLVED.json [CERTIFICATE.gz] [--sample N] [--seed S] [--full]
[--jobs N]. SOLVED.json is the output of `combinat solve GAME.toml --format json`, the certificate that of
`combinat solve GAME.toml --certificate CERTIFICATE.gz`.

The edge must follow from the values of all starting hands. With a certificate, the values of every round must follow
from those of the next one, for all states (Bellman equations), and a seeded sample of the states before the last cards
is computed again, card by card. Without one, a sample of starting hands is computed again, card by card. With --full
every table of cards and every hand is computed again, up to suit permutation, and all values are compared.

Standard library only; nothing of the program is used.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
import tomllib
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, factorial, lcm, prod
from operator import mul
from pathlib import Path
from typing import Any

RANKS = "23456789TJQKA"
NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
CATEGORIES = {
    3: ("high card", "pair", "flush", "straight", "three of a kind", "straight flush"),
    5: ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
        "straight flush", "royal flush"),
}  # fmt: skip
SHAPES = {
    (4, 1): "four of a kind", (3, 2): "full house", (3,): "three of a kind", (3, 1, 1): "three of a kind",
    (2, 2, 1): "two pair", (2, 1): "pair", (2, 1, 1, 1): "pair",
}  # fmt: skip
OUTCOMES = [(qualified, result) for qualified in (True, False) for result in ("win", "tie", "lose")]
PAY_KEYS = ("win", "tie", "lose", "not_qualified", "bonus")
MAX_DEALS = 3_000_000
"""Deals per starting hand up to which its value is computed again, card by card."""
Card = tuple[int, int]
"""Rank (2 to 14) and suit (0 to 3)."""
Cards = tuple[Card, ...]
Stakes = tuple[int, ...]
"""Stake of each bet, in units of 1 / `PlainBetting.stake_unit`."""
Key = tuple[int, ...]
"""A state up to suit permutation."""


# Hands: values are integers, a better hand has a higher one


def encode(category: int, ranks: tuple[int, ...]) -> int:
    """Return a category and up to five ranks as one integer that orders hands.

    >>> encode(1, (9, 4)) < encode(1, (9, 5)) < encode(2, (2,))
    True
    """
    value = category
    for position in range(5):
        value = value * 16 + (ranks[position] if position < len(ranks) else 0)
    return value


@lru_cache(maxsize=100_000)
def rank_value(ranks: tuple[int, ...], size: int) -> int:
    """Return the value of the best hand of `size` cards by ranks alone; `ranks` are ascending."""
    if len(ranks) > size:
        return max(rank_value(ranks[:i] + ranks[i + 1 :], size) for i in range(len(ranks)))
    counts = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    name = SHAPES.get(tuple(count for count, _ in counts), "high card")
    top = straight_top(ranks, size)
    if top:
        return encode(CATEGORIES[size].index("straight"), (top,))
    return encode(CATEGORIES[size].index(name), tuple(rank for _, rank in counts))


@lru_cache(maxsize=100_000)
def suited_value(ranks: tuple[int, ...], size: int) -> int:
    """Return the value of the best flush of `size` cards; `ranks` are ascending."""
    if len(ranks) > size:
        return max(suited_value(ranks[:i] + ranks[i + 1 :], size) for i in range(len(ranks)))
    top = straight_top(ranks, size)
    if top:
        name = "royal flush" if size == 5 and top == 14 else "straight flush"
        return encode(CATEGORIES[size].index(name), (top,))
    return encode(CATEGORIES[size].index("flush"), ranks[::-1])


def straight_top(ranks: tuple[int, ...], size: int) -> int:
    """Return the top rank of a straight, 0 if it is none.

    >>> straight_top((2, 3, 14), 3), straight_top((4, 5, 6), 3), straight_top((2, 13, 14), 3)
    (3, 6, 0)
    """
    if ranks == (*range(2, size + 1), 14):
        return size
    return ranks[-1] if ranks == tuple(range(ranks[0], ranks[0] + size)) else 0


def hand_value(cards: Cards, size: int) -> int:
    """Return the value of the best hand of `size` cards."""
    ordered = sorted(cards)
    value = rank_value(tuple([rank for rank, _ in ordered]), size)
    suits = [suit for _, suit in ordered]
    for suit in set(suits):
        if suits.count(suit) >= size:
            value = max(value, suited_value(tuple([rank for rank, card_suit in ordered if card_suit == suit]), size))
    return value


def lowest_value(text: str, size: int) -> int:
    """Return the value from which on a hand is at least the one in words, such as `pair of jacks`."""
    words = re.sub("[- ]+", " ", text.strip().lower())
    if words in CATEGORIES[size]:
        return encode(CATEGORIES[size].index(words), ())
    if words == "mini royal":
        return encode(CATEGORIES[size].index("straight flush"), (14,))
    kind, _, rank = words.partition(" of ")
    if kind in ("pair", "three"):
        return encode(CATEGORIES[size].index("pair" if kind == "pair" else "three of a kind"), (rank_of(rank),))
    if words.endswith(" high"):
        return encode(0, tuple(rank_of(word) for word in words.split()[:-1]))
    raise ValueError(f"unknown hand {text!r}")


def rank_of(word: str) -> int:
    """Return the rank of a word such as "jacks" or "6s"."""
    singular = "six" if word == "sixes" else word.removesuffix("s")
    return int(singular) if singular.isdecimal() else NAMES.index(singular) + 2


def odds_of(text: str) -> Fraction:
    """Return what a pay brings to 1.

    >>> odds_of("3 to 2"), odds_of("5 for 1"), odds_of("loses")
    (Fraction(3, 2), Fraction(4, 1), Fraction(-1, 1))
    """
    if text in ("push", "loses"):
        return Fraction(0 if text == "push" else -1)
    match = re.fullmatch(r"([\d,.]+) (to|for) ([\d.]+)", text)
    if match is None:
        raise ValueError(f"unknown pay {text!r}")
    odds = Fraction(match[1].replace(",", "")) / Fraction(match[3])
    return odds if match[2] == "to" else odds - 1


# States up to suit permutation


def state_key(hand: Cards, table: Cards) -> Key:
    """Return what stays the same when suits are permuted: the ranks of both sets in each suit, in ascending order.

    >>> state_key(((14, 0), (14, 1)), ()) == state_key(((14, 3), (14, 2)), ())
    True
    """
    return tuple(sorted(state_masks(hand, table)))


def state_masks(hand: Cards, table: Cards) -> list[int]:
    """Return the ranks of both sets in each suit as bits, those of the table 16 bits higher."""
    masks = [0, 0, 0, 0]
    for rank, suit in hand:
        masks[suit] |= 1 << rank
    for rank, suit in table:
        masks[suit] |= 1 << rank + 16
    return masks


def orbit_size(key: Key) -> int:
    """Return how many states a key stands for: the orders of its four suits.

    >>> orbit_size(state_key(((14, 0), (14, 1)), ())), orbit_size(state_key(((14, 0), (13, 1)), ()))
    (6, 12)
    """
    return factorial(4) // prod(factorial(count) for count in Counter(key).values())


def parse_cards(text: str) -> Cards:
    """Return the cards of a text such as AcKd.

    >>> parse_cards("AcKd"), parse_cards("-")
    (((14, 0), (13, 1)), ())
    """
    return tuple((RANKS.index(text[i]) + 2, "cdhs".index(text[i + 1])) for i in range(0, len(text) - 1, 2))


def parse_hand(text: str) -> Cards:
    """Return the cards of a starting hand such as AKs, 77 or `Jc Tc 9c`."""
    if " " in text:
        return parse_cards(text.replace(" ", ""))
    suits = (0, 0) if text.endswith("s") else (0, 1)
    return tuple((RANKS.index(rank) + 2, suit) for rank, suit in zip(text.rstrip("so"), suits, strict=False))


# The game


def total_stake(action: dict[str, Any]) -> Fraction:
    """Return the sum of the stakes that an action adds."""
    return sum((Fraction(str(stake)) for stake in action.get("bet", {}).values()), Fraction())


class PlainBetting:
    """A game read from its file."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.size = {"three cards": 3, "five cards": 5}[game["hands"]]
        low, high = game.get("ranks", "2-A").replace("10", "T").split("-")
        ranks = range(RANKS.index(low) + 2, RANKS.index(high) + 3)
        self.pack = [(rank, suit) for suit in range(4) for rank in ranks]
        cards = game["cards"]
        self.player, self.dealer = cards["player"], cards.get("dealer", 0)
        self.exposed = cards.get("dealer_up", 0)
        self.hidden = self.dealer - self.exposed
        self.common = cards.get("common", {})
        self.table_count = sum(self.common.values()) + self.exposed
        self.bets = game["bet"]
        self.qualifying = lowest_value(game["qualifies"], self.size) if "qualifies" in game else 0
        self.rounds = [
            sorted(round["actions"], key=lambda action: (not action.get("folds", False), total_stake(action)))
            for round in game["round"]
        ]
        self.seen: list[int] = []
        """Number of table cards that are seen in each round."""
        for round in game["round"]:
            self.seen.append(
                (self.seen[-1] if self.seen else self.exposed)
                + sum(self.common[name] for name in round.get("sees", ()))
            )
        self.stored = [size for size in self.seen if size < self.table_count] if self.table_count else [0]
        """Table cards seen in the rounds before the last cards are turned over."""
        self.decides_last = self.seen[-1] == self.table_count > 0
        schedules = [bet[name] for bet in self.bets for name in PAY_KEYS if name in bet]
        lines = [line for item in schedules for line in ([{"pays": item}] if isinstance(item, str) else item)]
        self.pay_unit = lcm(*(odds_of(line["pays"]).denominator for line in lines))
        amounts = [str(bet.get("stake", 0)) for bet in self.bets]
        amounts += [
            str(stake) for actions in self.rounds for action in actions for stake in action.get("bet", {}).values()
        ]
        self.stake_unit = lcm(*(Fraction(amount).denominator for amount in amounts))
        first = tuple(int(Fraction(amount) * self.stake_unit) for amount in amounts[: len(self.bets)])
        self.stakes: list[list[Stakes]] = [[first]]
        """Stakes that are possible in each round."""
        for actions in self.rounds[:-1]:
            following = [
                self.add(stakes, action)
                for stakes in self.stakes[-1]
                for action in actions
                if not action.get("folds") and not action.get("ends")
            ]
            self.stakes.append(list(dict.fromkeys(following)))
        self.after = [
            [(stakes, action, self.add(stakes, action)) for stakes in level for action in actions]
            for level, actions in zip(self.stakes, self.rounds, strict=True)
        ]
        """By round: stakes, action, and stakes after it."""
        self.pays_by_value: dict[int, list[list[int]]] = {}

    def add(self, stakes: Stakes, action: dict[str, Any]) -> Stakes:
        """Return the stakes after an action."""
        added = action.get("bet", {})
        return tuple(
            stake + int(Fraction(str(added.get(bet["name"], 0))) * self.stake_unit)
            for bet, stake in zip(self.bets, stakes, strict=True)
        )

    def pays(self, value: int) -> list[list[int]]:
        """Return the odds of each bet (rows) for each of `OUTCOMES`, by the value of the player's hand."""
        if value not in self.pays_by_value:
            self.pays_by_value[value] = [
                [int(self.odds(bet, *outcome, value) * self.pay_unit) for outcome in OUTCOMES] for bet in self.bets
            ]
        return self.pays_by_value[value]

    def odds(self, bet: dict[str, Any], qualified: bool, result: str, value: int) -> Fraction:
        """Return what a bet pays to 1."""
        bet = next(other for other in self.bets if other["name"] == bet.get("same_as", bet["name"]))
        schedule = bet.get(result, {"win": "1 to 1", "tie": "push", "lose": "loses"}[result])
        if not qualified and "not_qualified" in bet:
            schedule = bet["not_qualified"]
        return self.line_odds(schedule, value) + self.line_odds([*bet.get("bonus", ()), {"pays": "push"}], value)

    def line_odds(self, schedule: Any, value: int) -> Fraction:
        """Return the odds of the first line that a hand reaches."""
        lines = [{"pays": schedule}] if isinstance(schedule, str) else schedule
        return next(
            odds_of(line["pays"])
            for line in lines
            if "hand" not in line or value >= lowest_value(line["hand"], self.size)
        )

    def deals(self, seen: int) -> int:
        """Return in how many ways the other cards can come, round by round, once `seen` table cards are seen."""
        unseen, total = len(self.pack) - self.player - seen, 1
        sizes = sorted({size for size in (*self.seen, self.table_count) if size >= seen} | {seen})
        for size, following in pairwise(sizes):
            total *= comb(unseen, following - size)
            unseen -= following - size
        return total * comb(unseen, self.hidden)

    def shared(self, table: Cards) -> Cards:
        """Return the table cards that are part of the player's hand."""
        return () if self.exposed else table

    def outcome(self, player: int, dealer: int) -> int:
        """Return the index of the outcome of a showdown; without a dealer every hand wins."""
        if not self.dealer:
            return 0
        result = 0 if player > dealer else 1 if player == dealer else 2
        return result if dealer >= self.qualifying else result + 3

    def action_values(
        self, number: int, pays: list[int], following: dict[Stakes, int], deals: int
    ) -> dict[tuple[Stakes, str], int | None]:
        """Return the value of each action of a round by stakes; None if it depends on decisions not in `following`."""
        values: dict[tuple[Stakes, str], int | None] = {}
        for stakes, action, after in self.after[number]:
            if action.get("folds"):
                value: int | None = -sum(after) * deals * self.pay_unit
            elif number == len(self.rounds) - 1 or action.get("ends"):
                value = sum(map(mul, after, pays))
            else:
                value = following.get(after)
            values[stakes, action["name"]] = value
        return values

    def best(self, values: dict[tuple[Stakes, str], int | None]) -> dict[Stakes, int]:
        """Return the value of the best action by stakes."""
        best: dict[Stakes, int] = {}
        for (stakes, _), value in values.items():
            if value is None:
                raise ValueError("the value of an action is missing")
            if stakes not in best or value > best[stakes]:
                best[stakes] = value
        return best

    def last_values(self, value: int, counts: list[int]) -> tuple[list[int], dict[Stakes, int]]:
        """Return pays and values of the last decision in a state with all table cards, from the ways of outcomes."""
        pays = [sum(map(mul, counts, row)) for row in self.pays(value)]
        if not self.decides_last:
            return pays, {}
        return pays, self.best(self.action_values(len(self.rounds) - 1, pays, {}, sum(counts)))

    # Values of one state, card by card

    def deal_out(self, hand: Cards, table: Cards) -> tuple[list[int], dict[Stakes, int]]:
        """Return sums of pays and of values of the last decision over all cards that can still come."""
        unseen = [card for card in self.pack if card not in hand + table]
        pays, values = [0] * len(self.bets), dict.fromkeys(self.stakes[-1] if self.decides_last else (), 0)
        showdowns: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for later in combinations(unseen, self.table_count - len(table)):
            full = table + later
            player = hand_value(hand + self.shared(full), self.size)
            counts = [0] * len(OUTCOMES)
            for hidden in combinations([card for card in unseen if card not in later], self.hidden):
                counts[self.outcome(player, hand_value(hidden + full, self.size) if self.dealer else 0)] += 1
            showdowns[player, tuple(counts)] += 1
        for (player, outcomes), ways in showdowns.items():
            more, last = self.last_values(player, list(outcomes))
            pays = [total + ways * pay for total, pay in zip(pays, more, strict=True)]
            for stakes, value in last.items():
                values[stakes] += ways * value
        return pays, values

    def play_out(
        self, hand: Cards, table: Cards, number: int
    ) -> tuple[list[int], dict[tuple[Stakes, str], int | None]]:
        """Return sums of pays and the value of each action of a round before the last cards, card by card."""
        deals = self.deals(self.seen[number] if self.table_count else 0)
        if number == len(self.stored) - 1:
            pays, following = self.deal_out(hand, table)
            return pays, self.action_values(number, pays, following, deals)
        unseen = [card for card in self.pack if card not in hand + table]
        pays, sums = [0] * len(self.bets), dict.fromkeys(self.stakes[number + 1], 0)
        for more in combinations(unseen, self.seen[number + 1] - self.seen[number]):
            later, values = self.play_out(hand, table + more, number + 1)
            pays = [total + pay for total, pay in zip(pays, later, strict=True)]
            for stakes, value in self.best(values).items():
                sums[stakes] += value
        return pays, self.action_values(number, pays, sums, deals)

    # All tables

    def tables(self) -> list[tuple[Cards, int]]:
        """Return the tables with all cards up to suit permutation, and how many each stands for."""
        tables: dict[Key, Cards] = {}
        for cards in combinations(self.pack, self.table_count):
            tables.setdefault(state_key((), cards), cards)
        return [(cards, orbit_size(key)) for key, cards in tables.items()]

    def states(self, table: Cards) -> Iterator[tuple[Cards, int, list[int]]]:
        """Yield all own hands beside a table, the value of the player's hand, and the ways of each outcome.

        The dealer's hands that avoid the player's cards are counted by inclusion-exclusion over the player's cards.
        """
        unseen = [card for card in self.pack if card not in table]
        by_cards: dict[Cards, list[int]] = defaultdict(list)
        sizes = range(min(self.player, self.hidden) + 1)
        if self.dealer:
            for hidden in combinations(unseen, self.hidden):
                value = hand_value(hidden + table, self.size)
                for size in sizes:
                    for cards in combinations(hidden, size):
                        by_cards[cards].append(value)
            for values in by_cards.values():
                values.sort()
        known: set[Key] = set()
        for hand in combinations(unseen, self.player):
            if not self.stored:  # the only decision: own hands are taken up to suit permutation
                key = state_key(hand, table)
                if key in known:
                    continue
                known.add(key)
            player = hand_value(hand + self.shared(table), self.size)
            if not self.dealer:
                yield hand, player, [1, 0, 0, 0, 0, 0]
                continue
            lower = below = weak = total = 0
            for size in sizes:
                sign = (-1) ** size
                for cards in combinations(hand, size):
                    values = by_cards.get(cards, [])
                    lower += sign * bisect_left(values, player)
                    below += sign * bisect_right(values, player)
                    weak += sign * bisect_left(values, self.qualifying)
                    total += sign * len(values)
            tie, is_weak = below - lower, player < self.qualifying
            weak_win, weak_tie = min(lower, weak), tie if is_weak else 0
            strong_win = lower - weak_win
            weak_lose = weak - weak_win - weak_tie
            counts = [strong_win, tie - weak_tie, total - lower - tie - weak_lose, weak_win, weak_tie, weak_lose]
            yield hand, player, counts


Row = tuple[list[int], dict[tuple[Stakes, str], int | None]]
"""Sums of pays by bet, and values of actions; None if they depend on later decisions."""
Sums = dict[Key, list[int]]
"""By state: sums of pays by bet, then of the best values by stakes of the next round."""


def sum_tables(game: dict[str, Any], part: int, parts: int) -> Sums:
    """Sum the values of all states of some last tables to the states of the round before."""
    plain = PlainBetting(game)
    sums: Sums = {}
    for table, orbit in plain.tables()[part::parts]:
        lower = [state_masks((), cards) for cards in combinations(table, plain.stored[-1] if plain.stored else 0)]
        for hand, value, counts in plain.states(table):
            pays, last = plain.last_values(value, counts)
            if not plain.stored:
                key = state_key(hand, table)
                sums[key] = [orbit_size(key) * best for best in last.values()]
                continue
            row = [orbit * item for item in (*pays, *last.values())]
            bits = [(suit, 1 << rank) for rank, suit in hand]
            for masks in lower:
                with_own = masks[:]
                for suit, bit in bits:
                    with_own[suit] |= bit
                with_own.sort()
                add_sums(sums, tuple(with_own), row)
    return sums


def add_sums(sums: Sums, key: Key, row: list[int]) -> None:
    """Add a row to the sums of a state."""
    if key in sums:
        total = sums[key]
        for index, item in enumerate(row):
            total[index] += item
    else:
        sums[key] = row[:]


class Checker:
    """Checks of one solved game; `problems` says what is wrong."""

    def __init__(self, game: dict[str, Any], solved: dict[str, Any]) -> None:
        self.game, self.plain = game, PlainBetting(game)
        self.solved = solved
        self.problems: list[str] = []

    def fail(self, text: str) -> None:
        """Note a problem."""
        self.problems.append(f"wrong: {text}")

    def start(self) -> dict[Key, dict[str, Fraction]]:
        """Return the stated values of the starting hands; the edge must follow from them."""
        values = {}
        for hand in self.solved["starting_hands"]:
            key = state_key(parse_hand(hand["hand"]), ())
            values[key] = {name: Fraction(value) for name, value in hand["values"].items()}
            if hand["ways"] != orbit_size(key):
                self.fail(f"{hand['hand']} has {orbit_size(key)} combinations, not {hand['ways']}")
        hands = comb(len(self.plain.pack), self.plain.player)
        if sum(map(orbit_size, values)) != hands:
            self.fail(f"the starting hands are not all {hands:,} hands")
        self.check_edge(sum((orbit_size(key) * max(row.values()) for key, row in values.items()), Fraction()) / hands)
        return values

    def check_edge(self, mean: Fraction) -> None:
        """Compare the stated edge with a mean net result."""
        if mean != -Fraction(self.solved["house_edge"]):
            self.fail(f"the values give an edge of {-mean}, not {self.solved['house_edge']}")

    def net_values(self, values: dict[tuple[Stakes, str], int | None]) -> dict[str, Fraction]:
        """Return the mean net result of each action of a starting hand."""
        unit = self.plain.deals(0) * self.plain.pay_unit * self.plain.stake_unit
        return {name: Fraction(value or 0, unit) for (_, name), value in values.items()}

    def check_start(self, rows: dict[Key, Row], start: dict[Key, dict[str, Fraction]]) -> None:
        """Compare the stated values of starting hands with sums over all deals."""
        for key, (_, values) in rows.items():
            if self.net_values(values) != start.get(key):
                self.fail(f"values of the starting hand {key}")
        if len(rows) != len(start):
            self.fail("the starting hands are not complete")

    def round_values(self, number: int, sums: Sums) -> dict[Key, Row]:
        """Return the rows of a round from sums over the cards that follow."""
        plain, rows = self.plain, {}
        deals = plain.deals(plain.stored[number])
        names = plain.stakes[number + 1] if number + 1 < len(plain.stakes) else []
        for key, total in sums.items():
            orbit = orbit_size(key)
            if any(item % orbit for item in total):
                self.fail(f"the sums of {key} do not fit its {orbit} states")
            means = [item // orbit for item in total]
            pays, best = means[: len(plain.bets)], means[len(plain.bets) :]
            following = dict(zip(names, best, strict=True)) if best else {}
            rows[key] = (pays, plain.action_values(number, pays, following, deals))
        return rows

    def add_row(self, number: int, hand: Cards, table: Cards, row: Row, sums: Sums) -> None:
        """Add a row of a round to the sums of the round before."""
        orbit = orbit_size(state_key(hand, table))
        values = [orbit * item for item in (*row[0], *self.plain.best(row[1]).values())]
        for cards in combinations(table, self.plain.stored[number - 1]):
            add_sums(sums, state_key(hand, cards), values)

    # Certificate

    def check_certificate(self, path: Path, sample: int, seed: int, computed: dict[Key, Row] | None) -> str:
        """Check all equations of a certificate and compute a sample of its last states again; return what was done."""
        start = self.start()
        plain = self.plain
        with gzip.open(path, "rt", encoding="ascii") as file:
            header = json.loads(next(file))
            if len(header["rounds"]) != len(plain.stored):
                raise ValueError("the certificate does not belong to the game")
            last = len(plain.stored) - 1
            chosen = set(random.Random(seed).sample(range(header["rounds"][last]["states"]), sample))  # noqa: S311  # a seeded sample
            rows: list[dict[Key, Row]] = [{} for _ in plain.stored]
            sums: list[Sums] = [{} for _ in plain.stored]
            known: list[set[Key]] = [set() for _ in plain.stored]
            states = [0] * len(plain.stored)
            readers = [ColumnReader(plain, number, header) for number in range(len(plain.stored))]
            count = 0
            for line in file:
                text, own_text, table_text, *values = line.split()
                number, hand, table = int(text), parse_cards(own_text), parse_cards(table_text)
                key = state_key(hand, table)
                row = readers[number].read([int(value) for value in values])
                if key in known[number] or len({*hand, *table}) != plain.player + plain.stored[number]:
                    self.fail(f"state {own_text} {table_text} is there twice or has the wrong cards")
                known[number].add(key)
                states[number] += orbit_size(key)
                if number == last:
                    self._check_last(number, f"{own_text} {table_text}", hand, table, row, count in chosen, computed)
                    count += 1
                if number < last or not last:
                    rows[number][key] = row
                if number:
                    self.add_row(number, hand, table, row, sums[number - 1])
        for number, size in enumerate(plain.stored):
            cards = len(plain.pack)
            if states[number] != comb(cards, plain.player) * comb(cards - plain.player, size):
                self.fail(f"round {number + 1} of the certificate is not complete")
        for number in range(last):
            computed_rows = self.round_values(number, sums[number])
            for key, row in rows[number].items():
                if not is_same(computed_rows.get(key), row):
                    self.fail(f"values of {key} do not follow from the next round")
        self.check_start(rows[0], start)
        text = "all of them" if computed is not None else f"{sample} of them (seed {seed})"
        counts = ", ".join(f"{len(known[number]):,}" for number in range(len(known)))
        return f"checked: the equations of all states ({counts}); the last ones computed again: {text}"

    def _check_last(
        self,
        number: int,
        name: str,
        hand: Cards,
        table: Cards,
        row: Row,
        is_chosen: bool,
        computed: dict[Key, Row] | None,
    ) -> None:
        """Check a state before the last cards: actions that end follow from the pays; the rest if it is computed."""
        if computed is not None:
            if not is_same(computed.get(state_key(hand, table)), row):
                self.fail(f"values of {name}")
        elif is_chosen:
            if not is_same(self.plain.play_out(hand, table, number), row):
                self.fail(f"values of {name}")
        elif row[0]:
            deals = self.plain.deals(self.plain.stored[number])
            for action, value in self.plain.action_values(number, row[0], {}, deals).items():
                if value is not None and value != row[1][action]:
                    self.fail(f"{action[1]} in {name} does not follow from the pays")

    # Without a certificate

    def compute_all(self, jobs: int) -> dict[Key, Row]:
        """Compute the last states again from every table of cards; if there is one decision, check the edge."""
        parts = jobs * 4 if jobs > 1 else 1
        total: Sums = {}
        for sums in self._run(parts, jobs):
            for key, row in sums.items():
                add_sums(total, key, row)
        if not self.plain.stored:
            self.check_mean(sum(row[0] for row in total.values()), self.plain.table_count)
            return {}
        return self.round_values(len(self.plain.stored) - 1, total)

    def check_mean(self, total: int, seen: int) -> None:
        """Compare the stated edge with the sum of the best values of all states of the first decision."""
        plain, cards = self.plain, len(self.plain.pack)
        deals = comb(cards, plain.player) * comb(cards - plain.player, seen) * plain.deals(seen)
        self.check_edge(Fraction(total, deals * plain.pay_unit * plain.stake_unit))

    def _run(self, parts: int, jobs: int) -> Iterator[Sums]:
        if parts == 1:
            yield sum_tables(self.game, 0, 1)
            return
        with ProcessPoolExecutor(jobs) as pool:
            yield from pool.map(sum_tables, [self.game] * parts, range(parts), [parts] * parts)

    def check_full(self, jobs: int) -> str:
        """Compute everything again and compare the starting hands."""
        plain = self.plain
        start = self.start() if self.solved["starting_hands"] else {}
        rows = self.compute_all(jobs)
        if plain.stored:
            for number in range(len(plain.stored) - 1, 0, -1):
                sums: Sums = {}
                for key, row in rows.items():
                    self.add_row(number, *cards_of(key), row, sums)
                rows = self.round_values(number - 1, sums)
            if start:
                self.check_start(rows, start)
            else:
                best = sum(orbit_size(key) * max(plain.best(row[1]).values()) for key, row in rows.items())
                self.check_mean(best, plain.stored[0])
        return f"checked: the edge and the values of {len(start):,} starting hands, from every table of cards"

    def check_sample(self, sample: int, seed: int) -> str:
        """Check the edge by the starting hands, and compute a sample of them again."""
        start = self.start()
        if self.plain.deals(0) > MAX_DEALS:
            return (
                f"checked: edge from {len(start)} starting hands; not checked: their values "
                "(give a certificate, or --full)"
            )
        hands = self.solved["starting_hands"]
        chosen = random.Random(seed).sample(hands, min(sample, len(hands)))  # noqa: S311  # a seeded sample
        for hand in chosen:
            cards = parse_hand(hand["hand"])
            _, values = self.plain.play_out(cards, (), 0)
            if self.net_values(values) != start[state_key(cards, ())]:
                self.fail(f"values of {hand['hand']}")
        return f"checked: edge from {len(hands)} starting hands; values of {len(chosen)} of them (seed {seed})"


class ColumnReader:
    """Reads the integers of a row of a certificate as pays by bet and values of actions."""

    def __init__(self, plain: PlainBetting, number: int, header: dict[str, Any]) -> None:
        columns = header["rounds"][number]["columns"]
        names = [bet["name"] for bet in plain.bets]
        pays = {name: index for index, column in enumerate(columns) for name in column.get("pay", ())}
        self.pays = [pays[name] for name in names] if pays else []
        actions = {
            (tuple(int(Fraction(column["stakes"][name]) * plain.stake_unit) for name in names), column["action"]): index
            for index, column in enumerate(columns)
            if "action" in column
        }
        expected = [(stakes, action["name"]) for stakes, action, _ in plain.after[number]]
        if set(expected) != set(actions) or (header["pay_unit"], header["stake_unit"]) != (
            plain.pay_unit,
            plain.stake_unit,
        ):
            raise ValueError("the certificate does not belong to the game")
        self.actions = [(key, actions[key]) for key in expected]

    def read(self, numbers: list[int]) -> Row:
        """Return a row."""
        return [numbers[index] for index in self.pays], {key: numbers[index] for key, index in self.actions}


def is_same(computed: Row | None, row: Row) -> bool:
    """Whether computed values are those of a row, which may be without pays."""
    return computed is not None and computed[1] == row[1] and (not row[0] or computed[0] == row[0])


def cards_of(key: Key) -> tuple[Cards, Cards]:
    """Return own cards and table of a key."""
    hand = tuple((rank, suit) for suit, mask in enumerate(key) for rank in range(2, 15) if mask >> rank & 1)
    table = tuple((rank, suit) for suit, mask in enumerate(key) for rank in range(2, 15) if mask >> rank + 16 & 1)
    return hand, table


def check_solution(
    game: dict[str, Any],
    solved: dict[str, Any],
    sample: int,
    seed: int,
    full: bool,
    certificate: Path | None = None,
    jobs: int = 1,
) -> list[str]:
    """Return what is wrong with a solved game; the last line says what was checked."""
    if "cards" not in game:
        return ["not checked: only games of poker hands can be checked"]
    checker = Checker(game, solved)
    if certificate is not None and full:
        computed = checker.compute_all(jobs)
        done = checker.check_certificate(certificate, 0, seed, computed)
    elif certificate is not None:
        done = checker.check_certificate(certificate, sample, seed, None)
    elif full:
        done = checker.check_full(jobs)
    elif not solved["starting_hands"]:
        done = "not checked: cards on the table are seen before the first decision (give --full)"
    else:
        done = checker.check_sample(sample, seed)
    return [*checker.problems, done]


def main(arguments: list[str]) -> int:
    """Check the files named on the command line; the exit code is 1 if something is wrong."""

    def number(name: str, default: int) -> int:
        return int(arguments[arguments.index(name) + 1]) if name in arguments else default

    files = [argument for argument in arguments if argument.endswith((".toml", ".json", ".gz"))]
    if [Path(name).suffix for name in files] not in ([".toml", ".json"], [".toml", ".json", ".gz"]):
        print(
            "use: python -m combinat.verifier.betting GAME.toml SOLVED.json [CERTIFICATE.gz] [--sample N] [--seed S] "
            "[--full] [--jobs N]",
            file=sys.stderr,
        )
        return 2
    game = tomllib.loads(Path(files[0]).read_text("utf-8"))
    solved = json.loads(Path(files[1]).read_text("utf-8"))
    solved = solved[0] if isinstance(solved, list) else solved
    lines = check_solution(
        game,
        solved,
        number("--sample", 5),
        number("--seed", 1),
        "--full" in arguments,
        Path(files[2]) if len(files) == 3 else None,
        number("--jobs", 1),
    )
    print("\n".join(lines))
    return int(any(line.startswith("wrong") for line in lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
