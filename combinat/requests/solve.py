"""Best play of a game with betting rounds."""

from __future__ import annotations

from typing import Annotated

from combinat.betting.analysis import solve_game
from combinat.betting.game import BettingGame
from combinat.betting.load import find_game
from combinat.betting.report import GameReport
from combinat.betting.solver import chunk_count
from combinat.betting.states import Tables
from combinat.parallel.backend import start_workers
from combinat.requests.request import ClusterAddress, Jobs, Notify, Option, Request


class Solve(Request[GameReport], frozen=True):
    """Solve a game with betting rounds by best play.

    The result is exact: the house edge as a fraction, how rounds end, and the value of every starting hand. It is
    stored, so that the second answer is immediate.
    """

    game: Annotated[str, Option("Id of a game, such as UTH, or a TOML file.", is_argument=True)]
    jobs: Jobs = 0
    cluster: ClusterAddress = ""

    def answer(self, notify: Notify) -> GameReport:  # noqa: ARG002  # nothing to warn about
        game = find_game(self.game)
        chunks = chunk_count(Tables(game)) if isinstance(game, BettingGame) else 1
        with start_workers(self.jobs, chunks, cluster=self.cluster) as workers:
            return solve_game(game, workers)
