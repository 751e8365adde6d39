"""Readable rules for later rounds, found by a greedy search, and their exact cost.

States in which all conditions of a vocabulary have the same truth are one group. For each group the values of all
actions are summed over the deals in which best play reaches it, so what a rule gains or loses is exact. Actions are
taken in order of their stake, highest first; each gets conditions joined by `or`, one after the other, as long as they
gain. The rules are written like those of a stated strategy in a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.betting.card_sets import Integers
from combinat.betting.conditions import HandCondition, SeenCards, parse_condition
from combinat.betting.game import BettingGame, Node
from combinat.betting.hands import CATEGORIES, HIGH_CARD, RANK_WORDS, ROYAL_FLUSH, plural_rank
from decks import InputError, Rank

MAX_ALTERNATIVES = 10
"""Conditions joined by `or` for one action."""
_MIN_SHARE = 2000
"""A condition must gain at least this part (1/2000) of what perfect rules would gain."""
_PENALTIES = (20, 4, 1)
"""How much a loss weighs against a gain while conditions are chosen."""
_LONGER = 102
"""A longer condition must gain at least this percentage of a shorter one."""
_GAIN_BITS = 34
"""Gains are compared as integers of at most so many bits, so that their sums fit into 64 bits."""
_MAX_TERMS = 3
_KEY_BITS = 62


class RoundRules(Struct, frozen=True):
    """Rules of one decision: conditions by action in order of priority; otherwise the action that bets least."""

    round: str
    condition: str
    """Stakes so far, if there are several decisions in the round; else empty."""
    default: str
    rules: tuple[tuple[str, tuple[str, ...]], ...]
    """Actions, highest stake first, and their conditions, joined by `or`."""
    cost: Fraction
    """What the rules lose against best play, in antes per round dealt, if all other decisions are played best."""


class Vocabulary:
    """Conditions about the cards seen in a round of a game."""

    def __init__(self, game: BettingGame, number: int) -> None:
        table_size = game.rounds[number].table_size - game.dealer_exposed
        texts = dict.fromkeys(_texts(game, table_size))
        self.conditions: list[HandCondition] = []
        for text in texts:
            try:
                self.conditions.append(parse_condition(text, game.order, game.player_cards, table_size))
            except InputError:
                continue  # a word that these cards do not have
        self.texts = [condition.text for condition in self.conditions]

    def group(self, seen: SeenCards, is_chosen: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Integers]:
        """Return the truth of all conditions in each group (rows), and the group of each chosen state."""
        truth = np.zeros((1, 0), dtype=bool)
        groups = np.zeros(int(is_chosen.sum()), dtype=np.int64)
        for start in range(0, len(self.conditions), _KEY_BITS):
            conditions = self.conditions[start : start + _KEY_BITS]
            key = np.zeros(len(groups), dtype=np.int64)
            for bit, condition in enumerate(conditions):
                key |= np.broadcast_to(condition.holds(seen), seen.shape)[is_chosen].astype(np.int64) << bit
            keys, numbers = np.unique(key, return_inverse=True)
            joint, groups = np.unique(groups * len(keys) + numbers, return_inverse=True)
            bits = keys[joint % len(keys), None] >> np.arange(len(conditions)) & 1
            truth = np.hstack([truth[joint // len(keys)], bits.astype(bool)])
        return truth, groups


class LastVocabulary:
    """Conditions about the cards seen in a last round against a dealer: made hands, hidden pairs, dealer outs.

    Each is a threshold of one of three numbers, so that many states are grouped at once.
    """

    def __init__(self, game: BettingGame) -> None:
        hands = [name for name in CATEGORIES[game.order.size] if name not in (HIGH_CARD, ROYAL_FLUSH)]
        hands += [f"pair of {plural_rank(rank)}" for rank in game.ranks[1:]]
        hands += [f"{RANK_WORDS[rank]} high" for rank in game.ranks if rank >= Rank.JACK]
        strengths = {game.order.threshold(name): name for name in reversed(hands)}
        self._strengths = sorted(strength for strength in strengths if strength <= game.order.count)
        self._ranks = list(game.ranks)
        self._has_outs = game.has_dealer and game.table_count + 1 >= game.order.size
        self._max_outs = len(game.ranks) * 4
        self.texts = [strengths[strength] for strength in self._strengths]
        if game.common_count:
            self.texts += ["hidden pair", *(f"hidden pair of {plural_rank(rank)}" for rank in self._ranks[1:])]
        self._has_hidden_pairs = game.common_count > 0
        if self._has_outs:
            self.texts += [f"dealer outs < {count}" for count in range(1, self._max_outs)]

    def group(self, seen: SeenCards, is_chosen: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Integers]:
        """Return the truth of all conditions in each group (rows), and the group of each chosen state."""
        made = np.searchsorted(self._strengths, seen.strengths[is_chosen], side="right")
        pair = seen.hidden_pair_rank[is_chosen].astype(np.int64)
        outs = seen.dealer_outs[is_chosen].astype(np.int64) if self._has_outs else np.zeros_like(pair)
        keys, groups = np.unique((made * 16 + pair) * 64 + outs, return_inverse=True)
        truth = [keys[:, None] >> 10 >= np.arange(1, len(self._strengths) + 1)]
        if self._has_hidden_pairs:
            truth.append((keys[:, None] >> 6) % 16 >= np.array(self._ranks))
        if self._has_outs:
            truth.append(keys[:, None] % 64 < np.arange(1, self._max_outs))
        return np.hstack(truth), groups


def _texts(game: BettingGame, table_size: int) -> Iterator[str]:
    """Yield conditions that may matter; some of them do not fit the cards seen."""
    seen, size = game.player_cards + table_size, game.order.size
    ranks = game.ranks
    yield from (name for name in CATEGORIES[size] if name not in (HIGH_CARD, ROYAL_FLUSH))
    yield from (f"pair of {plural_rank(rank)}" for rank in ranks)
    if table_size and game.common_count:
        yield "hidden pair"
        yield from (f"hidden pair of {plural_rank(rank)}" for rank in ranks[1:])
    if seen >= size:
        yield from (f"{RANK_WORDS[rank]} high" for rank in ranks if rank >= Rank.EIGHT)
    high = [rank for rank in ranks if rank >= Rank.SIX]
    for count in range(1, min(seen, 4) + 1):
        cards = "card" if count == 1 else "cards"
        yield from (f"{count} {cards} of at least {RANK_WORDS[rank]}" for rank in high)
    for count in range(2 if size == 3 else 3, size):
        for hand in ("flush", "straight", "open straight", "straight flush", "royal flush"):
            yield f"{count} to {'an' if hand[0] == 'o' else 'a'} {hand}"
        if table_size and game.common_count:
            yield from (f"{count} to a flush with {RANK_WORDS[rank]}" for rank in ranks if rank >= Rank.EIGHT)


class RuleSearch:
    """A greedy search for rules of one decision, from the truth of conditions and the value of actions by group."""

    def __init__(self, texts: list[str], truth: NDArray[np.bool_], values: list[list[int]]) -> None:
        _, first = np.unique(truth, axis=1, return_index=True)  # conditions that hold together are one
        kept = [index for index in sorted(first.tolist()) if truth[:, index].any()] or [0]
        self.texts, self.truth = [texts[index] for index in kept], truth[:, kept]
        self.values = np.array(values, dtype=object)
        self._numbers = self.truth.astype(np.int64)
        self.free = np.ones(len(truth), dtype=bool)
        self.chosen = np.zeros(len(truth), dtype=np.int64)

    def find(self, actions: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return conditions for all actions but the first, the highest stake first."""
        is_best = {int(action) for action in self.values.argmax(axis=1)}
        rules = []
        for action in range(len(actions) - 1, 0, -1):
            if action in is_best:
                texts = self._find_conditions(action)
                if texts:
                    rules.append((actions[action], texts))
        return tuple(rules)

    def lost(self) -> int:
        """Return what the rules lose against best play, summed over all deals."""
        best = self.values.max(axis=1)
        return int((best - self.values[np.arange(len(best)), self.chosen]).sum())

    def _find_conditions(self, action: int) -> tuple[str, ...]:
        """Return conditions for an action against the best of those that bet less."""
        exact = self.values[:, action] - self.values[:, :action].max(axis=1)
        exact[~self.free] = 0
        shift = max(max(abs(gain) for gain in exact).bit_length() - _GAIN_BITS, 0)
        gains = np.array([gain >> shift for gain in exact], dtype=np.int64)
        possible = gains[gains > 0].sum()
        taken: list[tuple[str, NDArray[np.bool_]]] = []
        for penalty in _PENALTIES:  # first conditions that are rarely wrong, then those that gain on the whole
            while possible > 0 and len(taken) < MAX_ALTERNATIVES:
                text, holds = self._best_condition(np.where(gains < 0, penalty * gains, gains))
                if gains[holds].sum() * _MIN_SHARE < possible:
                    break
                taken.append((text, holds))
                gains[holds] = 0
        for text, holds in list(taken):  # drop what later conditions made superfluous
            others = [mask for name, mask in taken if name != text]
            union = np.any(others, axis=0) if others else np.zeros(len(holds), dtype=bool)
            only = holds & ~union & self.free
            if exact[only].sum() <= 0:
                taken = [item for item in taken if item[0] != text]
        for _, holds in taken:
            self.chosen[holds & self.free] = action
            self.free &= ~holds
        return tuple(text for text, _ in taken)

    def _best_condition(self, gains: Integers) -> tuple[str, NDArray[np.bool_]]:
        """Return the condition that gains most: one, or up to three of which later ones may be negated."""
        both = (self._numbers * gains[:, None]).T @ self._numbers
        alone = gains @ self._numbers
        only = alone[:, None] - both
        index = int(alone.argmax())
        best, text, holds = int(alone[index]), self.texts[index], self.truth[:, index]
        for table, word in ((both, "and"), (only, "and not")):
            first, second = divmod(int(table.argmax()), len(self.texts))
            if table[first, second] * 100 > max(best, 0) * _LONGER:
                best = int(table[first, second])
                second_holds = self.truth[:, second] if word == "and" else ~self.truth[:, second]
                text, holds = f"{self.texts[first]} {word} {self.texts[second]}", self.truth[:, first] & second_holds
        for _ in range(_MAX_TERMS - 2):
            inside = (gains * holds) @ self._numbers
            for sums, word in ((inside, "and"), ((gains * holds).sum() - inside, "and not")):
                index = int(sums.argmax())
                if sums[index] * 100 > max(best, 0) * _LONGER:
                    best = int(sums[index])
                    holds = holds & (self.truth[:, index] if word == "and" else ~self.truth[:, index])
                    text = f"{text} {word} {self.texts[index]}"
                    break
        return text, holds


GroupSums = dict[bytes, list[int]]
"""By truth of all conditions: the sum of the value of each action over the deals in which best play gets there."""


def add_groups(
    sums: GroupSums, truth: NDArray[np.bool_], groups: Integers, values: Sequence[Integers], weights: Integers
) -> None:
    """Add states to the sums of their groups: values of actions (first axis), and in how many deals a state occurs."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(len(truth)))
    totals = [np.add.reduceat((row.astype(np.int64) * weights)[order], starts) for row in values] if len(groups) else []
    for index, key in enumerate(truth if totals else ()):
        row = [int(total[index]) for total in totals]
        name = key.tobytes()
        sums[name] = [a + b for a, b in zip(sums[name], row, strict=True)] if name in sums else row


def join_groups(parts: Sequence[GroupSums]) -> GroupSums:
    """Return the sums of several parts together."""
    joined: GroupSums = {}
    for part in parts:
        for key, row in part.items():
            joined[key] = [a + b for a, b in zip(joined[key], row, strict=True)] if key in joined else row
    return joined


def find_rules(
    game: BettingGame, node: Node, condition: str, texts: list[str], groups: Mapping[bytes, list[int]], unit: int
) -> RoundRules:
    """Return rules for a decision from the values of actions by group, in units of 1 / `unit` antes per round dealt."""
    actions = tuple(action.name for action in game.rounds[node.round].actions)
    truth = np.array([np.frombuffer(key, dtype=bool) for key in groups])
    search = RuleSearch(texts, truth, list(groups.values()))
    rules = search.find(actions)
    return RoundRules(game.rounds[node.round].name, condition, actions[0], rules, Fraction(search.lost(), unit))
