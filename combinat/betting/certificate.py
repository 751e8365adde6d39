"""Certificate of a solved game: the value of every action in every state before the last cards are turned over.

The first line is a JSON object that names the columns of each round. Each further line is a state up to suit
permutation: the number of its round, own cards, cards on the table (`-` if none), and the values as integers. A value
is a sum over all ways in which the other cards can come; pays are in units of 1 / `pay_unit`, actions in units of
1 / (`pay_unit` x `stake_unit`). `combinat.verifier.betting` checks that each round follows from the next one.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np

from combinat.betting.card_sets import PERMUTATIONS, Integers, own_representatives
from combinat.betting.solver import Solution

FORMAT = "combinat certificate 1"
_RANKS = "23456789TJQKA"


def build_certificate(solution: Solution) -> bytes:
    """Return the certificate of a solution, compressed by gzip; equal solutions give equal bytes."""
    buffer = BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=6, mtime=0) as file:
        for line in certificate_lines(solution):
            file.write(line.encode("ascii"))
    return buffer.getvalue()


def certificate_lines(solution: Solution) -> Iterator[str]:
    """Yield the lines of a certificate."""
    game, tables = solution.game, solution.tables
    rounds = [_Round(solution, number) for number in range(len(solution.action_values))]
    header = {
        "format": FORMAT,
        "game": game.id,
        "pay_unit": game.pay_unit,
        "stake_unit": game.stake_unit,
        "rounds": [
            {
                "round": game.rounds[number].name,
                "states": len(round.own_numbers),
                "deals": tables.ways_after(game.rounds[number].table_size),
                "columns": round.columns,
            }
            for number, round in enumerate(rounds)
        ],
    }
    yield json.dumps(header) + "\n"
    for number, round in enumerate(rounds):
        yield from round.lines(number)


class _Round:
    """The states of one round up to suit permutation, and the columns of their values."""

    def __init__(self, solution: Solution, number: int) -> None:
        game = solution.game
        self._game, self._space = game, solution.tables.space
        self._classes = solution.tables.by_size[game.rounds[number].table_size]
        (first, *_) = solution.action_values[number].values()
        if first.shape[2] != solution.tables.hand_count:  # own hands of each orbit only, in a game without tables
            self.own_numbers = self._representatives(range(len(PERMUTATIONS)))
            self.rows = np.zeros(len(self.own_numbers), dtype=np.int64)
            positions = np.arange(len(self.own_numbers))
        else:
            self.rows, self.own_numbers = self._states(solution.is_state(number))
            positions = self.own_numbers
        pays = solution.pay_values[number] if solution.pay_values else {}
        keys = solution.payoffs.keys_of_bets
        self.columns: list[dict[str, Any]] = [
            {"pay": [bet.name for bet, bet_key in zip(game.bets, keys, strict=True) if bet_key == key]} for key in pays
        ]
        arrays = [array[self.rows, positions] for array in pays.values()]
        for node, values in solution.action_values[number].items():
            stakes = {bet.name: str(stake) for bet, stake in zip(game.bets, node.stakes, strict=True)}
            for action, array in zip(game.rounds[number].actions, values, strict=True):
                self.columns.append({"action": action.name, "stakes": stakes})
                arrays.append(array[self.rows, positions])
        self.values = np.stack(arrays, axis=1)

    def _representatives(self, group: range | tuple[int, ...]) -> Integers:
        return own_representatives(self._space.rank_count, self._game.player_cards, tuple(group))[0]

    def _states(self, is_state: Integers) -> tuple[Integers, Integers]:
        """Return the table and the own hand of one state of each orbit."""
        fixed = np.stack([self._classes.is_fixed(number) for number in range(len(PERMUTATIONS))], axis=1)
        rows, hands = [], []
        for row in range(len(self._classes)):
            numbers = self._representatives(tuple(np.flatnonzero(fixed[row]).tolist()))
            dealt = numbers[is_state[row, numbers]]
            rows.append(np.full(len(dealt), row))
            hands.append(dealt)
        return np.concatenate(rows), np.concatenate(hands)

    def lines(self, number: int) -> Iterator[str]:
        """Yield a line for each state."""
        hands = self._space.subsets(self._game.player_cards)
        names = [self._name(card) for card in range(self._space.card_count)]
        hand_names = ["".join(names[card] for card in hand) for hand in hands[self.own_numbers].tolist()]
        tables = ["".join(names[card] for card in table) or "-" for table in self._classes.cards.tolist()]
        for hand, row, values in zip(hand_names, self.rows.tolist(), self.values.tolist(), strict=True):
            yield f"{number} {hand} {tables[row]} {' '.join(map(str, values))}\n"

    def _name(self, card: int) -> str:
        suit, index = divmod(card, self._space.rank_count)
        return _RANKS[self._game.ranks[index] - 2] + "cdhs"[suit]
