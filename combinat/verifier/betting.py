"""Check a solved game with betting rounds by plain code.

Use: python -m combinat.verifier.betting GAME.toml SOLVED.json [--sample N] [--seed S] [--full].
SOLVED.json is the output of `combinat solve GAME.toml --format json`. The value of the game must follow from the values
of its starting hands, for all of them. The values of a seeded sample of starting hands (all with --full) are computed
again, card by card, by backward induction. Standard library only; nothing of the program is used.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tomllib
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

RANKS = "23456789TJQKA"
NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
CATEGORIES = {
    3: ("high card", "pair", "flush", "straight", "three of a kind", "straight flush"),
    5: ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
        "straight flush", "royal flush"),
}  # fmt: skip
MAX_DEALS = 3_000_000
"""Deals per starting hand up to which its value is computed again."""
Card = tuple[int, str]
Value = tuple[int, tuple[int, ...]]


def hand_value(cards: tuple[Card, ...]) -> Value:
    """Return the category and the ranks of a hand of three or five cards; a better hand has a higher value."""
    ranks = sorted((rank for rank, _ in cards), reverse=True)
    is_flush = len({suit for _, suit in cards}) == 1
    is_straight = len(set(ranks)) == len(ranks) and ranks[0] - ranks[-1] == len(ranks) - 1
    if ranks == [14, *range(len(ranks), 1, -1)]:
        is_straight, ranks = True, [*ranks[1:], 1]
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = tuple(count for count, _ in groups)
    if is_straight and is_flush:
        name = "royal flush" if len(cards) == 5 and ranks[0] == 14 else "straight flush"
    elif shape[0] == 4:
        name = "four of a kind"
    elif shape == (3, 2):
        name = "full house"
    elif is_flush:
        name = "flush"
    elif is_straight:
        name = "straight"
    elif shape[0] == 3:
        name = "three of a kind"
    else:
        name = "two pair" if shape[:2] == (2, 2) else "pair" if shape[0] == 2 else "high card"
    return CATEGORIES[len(cards)].index(name), tuple(rank for _, rank in groups)


def lowest_value(text: str, size: int) -> Value:
    """Return the value from which on a hand is at least the one in words, such as `pair of jacks`."""
    words = re.sub("[- ]+", " ", text.lower())
    if words in CATEGORIES[size]:
        return CATEGORIES[size].index(words), ()
    if words.startswith("pair of "):
        return CATEGORIES[size].index("pair"), (rank_of(words.removeprefix("pair of ")),)
    if words.endswith(" high"):
        return 0, tuple(rank_of(word) for word in words.split()[:-1])
    raise ValueError(f"unknown hand {text!r}")


def rank_of(word: str) -> int:
    """Return the rank of a word such as "jacks" or "6s"."""
    singular = "six" if word == "sixes" else word.removesuffix("s")
    return int(singular) if singular.isdecimal() else NAMES.index(singular) + 2


def odds_of(text: str) -> Fraction:
    """Return what a pay brings to 1."""
    if text in ("push", "loses"):
        return Fraction(0 if text == "push" else -1)
    match = re.fullmatch(r"([\d,]+) (to|for) (\d+)", text)
    if match is None:
        raise ValueError(f"unknown pay {text!r}")
    odds = Fraction(int(match[1].replace(",", "")), int(match[3]))
    return odds if match[2] == "to" else odds - 1


class PlainBetting:
    """A game read from its file."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.size = {"three cards": 3, "five cards": 5}[game["hands"]]
        low, high = game.get("ranks", "2-A").replace("10", "T").split("-")
        ranks = range(RANKS.index(low) + 2, RANKS.index(high) + 3)
        self.pack = [(rank, suit) for suit in "cdhs" for rank in ranks]
        self.player, self.dealer = game["cards"]["player"], game["cards"].get("dealer", 0)
        self.common = game["cards"].get("common", {})
        self.rounds, self.bets = game["round"], game["bet"]
        self.qualifying = lowest_value(game["qualifies"], self.size) if "qualifies" in game else (0, ())
        self.pays = {bet["name"]: next(b for b in self.bets if b["name"] == bet.get("same_as", bet["name"]))
                     for bet in self.bets}  # fmt: skip
        self.known: dict[tuple[Card, ...], Value] = {}

    def best(self, cards: tuple[Card, ...]) -> Value:
        """Return the value of the best hand of some cards."""
        key = tuple(sorted(cards))
        if key not in self.known:
            self.known[key] = max(map(hand_value, combinations(key, self.size)))
        return self.known[key]

    def odds(self, bet: str, qualified: bool, result: str, value: Value) -> Fraction:
        """Return what a bet pays to 1."""
        pays = self.pays[bet]
        schedule = pays.get(result, {"win": "1 to 1", "tie": "push", "lose": "loses"}[result])
        if not qualified and "not_qualified" in pays:
            schedule = pays["not_qualified"]
        return self.line_odds(schedule, value) + self.line_odds([*pays.get("bonus", ()), {"pays": "push"}], value)

    def line_odds(self, schedule: Any, value: Value) -> Fraction:
        """Return the odds of the first line that a hand reaches."""
        lines = [{"pays": schedule}] if isinstance(schedule, str) else schedule
        return next(
            odds_of(line["pays"])
            for line in lines
            if "hand" not in line or value >= lowest_value(line["hand"], self.size)
        )

    def deals(self) -> int:
        """Return the number of deals of a starting hand."""
        cards, total = len(self.pack) - self.player, 1
        for count in [*self.common.values(), self.dealer]:
            total *= comb(cards, count)
            cards -= count
        return total

    def value(self, own: tuple[Card, ...]) -> dict[str, Fraction]:
        """Return the mean net result of each action of the first round."""
        return self.actions(own, (), 0, {bet["name"]: Fraction(str(bet.get("stake", 0))) for bet in self.bets})

    def actions(
        self, own: tuple[Card, ...], table: tuple[Card, ...], number: int, stakes: dict[str, Fraction]
    ) -> dict[str, Fraction]:
        """Return the mean net result of each action of a round."""
        values = {}
        for action in self.rounds[number]["actions"]:
            added = {name: stake + Fraction(str(action.get("bet", {}).get(name, 0))) for name, stake in stakes.items()}
            if action.get("folds"):
                values[action["name"]] = -sum(added.values(), Fraction())
            elif action.get("ends") or number == len(self.rounds) - 1:
                values[action["name"]] = self.showdown(own, table, added)
            else:
                values[action["name"]] = self.following(own, table, number + 1, added)
        return values

    def following(
        self, own: tuple[Card, ...], table: tuple[Card, ...], number: int, stakes: dict[str, Fraction]
    ) -> Fraction:
        """Return the mean of the best actions of the next round over the cards that are turned over before it."""
        count = sum(self.common[name] for name in self.rounds[number].get("sees", ()))
        unseen = [card for card in self.pack if card not in own + table]
        values = [max(self.actions(own, table + more, number, stakes).values()) for more in combinations(unseen, count)]
        return sum(values, Fraction()) / len(values)

    def showdown(self, own: tuple[Card, ...], table: tuple[Card, ...], stakes: dict[str, Fraction]) -> Fraction:
        """Return the mean net result once all decisions are made."""
        results: Counter[tuple[bool, str, Value]] = Counter()
        unseen = [card for card in self.pack if card not in own + table]
        for later in combinations(unseen, sum(self.common.values()) - len(table)):
            full = table + later
            player = self.best(own + full)
            for hidden in combinations([card for card in unseen if card not in later], self.dealer):
                dealer = self.best(hidden + full) if self.dealer else (-1, ())
                result = "win" if player > dealer else "tie" if player == dealer else "lose"
                results[not self.dealer or dealer >= self.qualifying, result, player] += 1
        net = Fraction()
        for (qualified, result, player), ways in results.items():
            for bet, stake in stakes.items():
                net += ways * stake * self.odds(bet, qualified, result, player)
        return net / results.total()


def parse_hand(text: str) -> tuple[Card, ...]:
    """Return the cards of a starting hand such as AKs, 77 or `Jc Tc 9c`."""
    if " " in text or (re.fullmatch("..", text) and text[1] in "cdhs"):
        return tuple((RANKS.index(card[0]) + 2, card[1]) for card in text.split())
    suits = "cccc" if text.endswith("s") else "cdhs"
    return tuple((RANKS.index(rank) + 2, suit) for rank, suit in zip(text.rstrip("so"), suits, strict=False))


def check_solution(game: dict[str, Any], solved: dict[str, Any], sample: int, seed: int, full: bool) -> list[str]:
    """Return what is wrong with a solved game; the last lines say what was checked."""
    if "cards" not in game or game["cards"].get("dealer_up"):
        return ["not checked: only poker games without an exposed dealer card can be checked"]
    hands = solved["starting_hands"]
    if not hands:
        return ["not checked: cards on the table are seen before the first decision"]
    problems = []
    ways = sum(hand["ways"] for hand in hands)
    mean = sum((hand["ways"] * max(map(Fraction, hand["values"].values())) for hand in hands), Fraction()) / ways
    if mean != -Fraction(solved["house_edge"]):
        problems.append(f"wrong: the starting hands give an edge of {-mean}, not {solved['house_edge']}")
    plain = PlainBetting(game)
    if plain.deals() > MAX_DEALS and not full:
        return [*problems, f"checked: edge from {len(hands)} starting hands; not checked: their values (use --full)"]
    chosen = hands if full else random.Random(seed).sample(hands, min(sample, len(hands)))  # noqa: S311  # a seeded sample
    for hand in chosen:
        values = plain.value(parse_hand(hand["hand"]))
        if values != {name: Fraction(value) for name, value in hand["values"].items()}:
            problems.append(f"wrong: values of {hand['hand']}")
        plain.known.clear()
    return [*problems, f"checked: edge from {len(hands)} starting hands; values of {len(chosen)} of them"]


def main(arguments: list[str]) -> int:
    """Check the files named on the command line; the exit code is 1 if something is wrong."""
    files = [argument for argument in arguments if argument.endswith((".toml", ".json"))]
    sample = int(arguments[arguments.index("--sample") + 1]) if "--sample" in arguments else 5
    seed = int(arguments[arguments.index("--seed") + 1]) if "--seed" in arguments else 1
    if len(files) != 2:
        print("use: python -m combinat.verifier.betting GAME.toml SOLVED.json [--sample N] [--full]", file=sys.stderr)
        return 2
    game = tomllib.loads(Path(files[0]).read_text("utf-8"))
    solved = json.loads(Path(files[1]).read_text("utf-8"))
    solved = solved[0] if isinstance(solved, list) else solved
    lines = check_solution(game, solved, sample, seed, "--full" in arguments)
    print("\n".join(lines))
    return int(any(line.startswith("wrong") for line in lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
