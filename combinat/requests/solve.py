"""Best play of a game with betting rounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from combinat.betting.analysis import solve_game
from combinat.betting.certificate import build_certificate
from combinat.betting.game import BettingGame
from combinat.betting.load import Game, find_game
from combinat.betting.report import GameReport
from combinat.betting.solver import Solution, chunk_count
from combinat.betting.states import Tables
from combinat.betting.variants import SolvedGame, parse_grid, search_variants
from combinat.parallel.backend import start_workers
from combinat.requests.request import ClusterAddress, Jobs, Notify, Option, Request
from combinat.results.solve import SolveAnswer
from decks import InputError
from decks.errors import quote


class Solve(Request[SolvedGame, SolveAnswer], frozen=True):
    """Solve a game with betting rounds by best play.

    The result is exact: the house edge as a fraction, how rounds end, and the value of every starting hand. It is
    stored, so that the second answer is immediate.
    """

    game: Annotated[str, Option("Id of a game, such as UTH, or a TOML file.", names="game", is_argument=True)]
    compare: Annotated[
        Sequence[str],
        Option("Another game to compare it with; may be repeated.", ("--compare",), names="game", is_repeated=True),
    ] = ()
    pays: Annotated[
        Sequence[str],
        Option(
            'Pays to try for one line of a bet, such as "blind/flush=1..3"; may be repeated.',
            ("--pays",),
            is_repeated=True,
        ),
    ] = ()
    edge: Annotated[
        str | None,
        Option('List only variants with this edge in percent, such as "2..3".', unit="percent", default="all variants"),
    ] = None
    jobs: Jobs = 0
    cluster: ClusterAddress = ""

    def answer(self, notify: Notify) -> SolvedGame:  # noqa: ARG002  # nothing to warn about
        game = find_game(self.game)
        others = [find_game(name) for name in self.compare]
        limits = parse_edge_limits(self.edge)
        if self.pays and not isinstance(game, BettingGame):
            raise InputError(f"{game.title} has no pays to try; --pays works for games of poker hands")
        if self.edge and not self.pays:
            raise InputError('--edge selects variants; add for example --pays "blind/flush=1..3"')
        report, *compared = [self._solve(item) for item in (game, *others)]
        variants = None
        if self.pays and isinstance(game, BettingGame):
            grids = [parse_grid(text, game) for text in self.pays]
            variants = tuple(search_variants(game, report, grids, *limits, self._solve))
        return SolvedGame(report, tuple(compared), variants)

    def results(self, computed: SolvedGame) -> Sequence[SolveAnswer]:
        return [SolveAnswer.of(computed)]

    def build_certificate(self) -> bytes:
        """Return the certificate of the game: the value of every action in every state before the last cards."""
        game = find_game(self.game)
        if not isinstance(game, BettingGame):
            raise InputError(f"{game.title} has no certificate; it is one formula for each decision")
        tables = Tables(game)
        if tables.is_single_pass and game.table_count:
            raise InputError(f"{game.title} has no certificate: its only decision comes when all table cards are seen")
        with start_workers(self.jobs, chunk_count(tables), cluster=self.cluster) as workers:
            return build_certificate(Solution(game, workers, follows_plays=False))

    def _solve(self, game: Game) -> GameReport:
        chunks = chunk_count(Tables(game)) if isinstance(game, BettingGame) else 1
        with start_workers(self.jobs, chunks, cluster=self.cluster) as workers:
            return solve_game(game, workers)


def parse_edge_limits(text: str | None) -> tuple[Fraction | None, Fraction | None]:
    """Return the limits of an edge in percent.

    >>> parse_edge_limits("2..3"), parse_edge_limits("..2.5"), parse_edge_limits(None)
    ((Fraction(1, 50), Fraction(3, 100)), (None, Fraction(1, 40)), (None, None))
    """
    if text is None:
        return None, None
    low, is_range, high = text.replace("%", "").partition("..")
    try:
        lowest, highest = (Fraction(part.strip()) / 100 if part.strip() else None for part in (low, high))
    except (ValueError, ZeroDivisionError):
        is_range = ""
    if not is_range:
        raise InputError(f"edge must be a range in percent such as 2..3, got {quote(text)}")
    return lowest, highest
