"""The check of paytables and their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from os import PathLike, fspath
from typing import Annotated, TypeGuard

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import parse_file_argument
from combinat.bets.load import inspect_bet
from combinat.bets.paytable import Paytable
from combinat.counting.evaluation import evaluate_count
from combinat.counting.options import CountOptions
from combinat.exact.numbers import format_decimal, round_half_even
from combinat.finder.checks import CheckResult, DeckFigures, Finding, check_paytable, deck_figures, merge_findings
from combinat.finder.spec import format_decks
from combinat.requests.arguments import BetLike
from combinat.requests.bets import resolve_bet
from combinat.requests.request import Notify, Option, Request
from combinat.results.check import CheckAnswer
from combinat.study import Study
from decks import InputError, Shoe
from decks.errors import quote

MAX_COUNTED_WIN = Fraction(1)
"""Units per 100 rounds that a simple count may win before `check` warns."""
COUNTED_DEPTH = Fraction(3, 4)
"""Part of the shoe that a player has seen where `check` tries a count."""
MAX_COUNTED_DECKS = 8
"""Largest number of decks with which `check` tries a count."""


class Check(Request[CheckResult, CheckAnswer], frozen=True):
    """Check paytables and their files for errors.

    Shows the figures of the wager at each deck count. Reports for example awards that are never won, published figures
    that differ and bets that a simple card count beats, or prints "ok". The exit code is 1 for an error and 2 if a file
    cannot be read.
    """

    bet: Annotated[
        BetLike | Sequence[BetLike],
        Option(
            "A catalog id such as TRI-03, a TOML file of your own, or file.toml:ID for one paytable of a file.",
            names="paytable",
            is_argument=True,
            is_repeated=True,
        ),
    ]

    def answer(self, _notify: Notify) -> CheckResult:
        problems: list[str] = []
        paytables: list[Paytable] = []
        bets = (self.bet,) if isinstance(self.bet, (str, PathLike, Paytable)) else self.bet
        for bet in bets:
            if _is_whole_file(bet):
                readable, unreadable = inspect_bet(fspath(bet))
                paytables += readable
                problems += unreadable
            else:
                paytables += resolve_bet(bet)
        return check_paytables(paytables, problems)

    def results(self, computed: CheckResult) -> Sequence[CheckAnswer]:
        return [CheckAnswer.of(computed)]


def check_paytables(paytables: Sequence[Paytable], problems: Sequence[str] = ()) -> CheckResult:
    """Return the findings and the figures of paytables, with the problems of the files that they come from."""
    findings: list[Finding] = []
    figures: list[DeckFigures] = []
    for paytable in paytables:
        errors_and_warnings = list(check_paytable(paytable))
        findings += errors_and_warnings
        if not any(finding.is_error for finding in errors_and_warnings):
            findings += lint_design(paytable)
        figures += deck_figures(paytable)
    return CheckResult(tuple(problems), merge_findings(findings), tuple(figures))


def _is_whole_file(bet: BetLike) -> TypeGuard[str | PathLike[str]]:
    """Return whether a bet is a file, all paytables of which are checked."""
    if isinstance(bet, PathLike):
        return True
    file = parse_file_argument(bet) if isinstance(bet, str) else None
    return file is not None and file[1] is None


def lint_design(paytable: Paytable) -> Iterator[Finding]:
    """Yield warnings about the design of a paytable without errors: meters without terms, and a count that beats it."""
    if paytable.meters and not paytable.systems:
        names = ", ".join(quote(name) for name in paytable.meters)
        yield Finding(
            paytable.id,
            False,
            f"awards pay from the meter {names}, but nothing says how it is run; for the hold add its seed and rate "
            "under [[paytable.meters]]",
        )
    if (win := simple_count_win(paytable)) is not None and win[1] > MAX_COUNTED_WIN:
        decks, units = win[0], format_decimal(Fraction(round_half_even(win[1] * 10), 10))
        yield Finding(
            paytable.id,
            False,
            f"a simple card count wins {units} units per 100 rounds with {format_decks([decks])}, three quarters dealt"
            f"; for details: combinat count {paytable.id} --decks {decks}",
        )


def simple_count_win(paytable: Paytable) -> tuple[int, Fraction] | None:
    """Return a deck count and the units per 100 rounds that the best count with tags -1, 0 and 1 wins there.

    The player has seen three quarters of the shoe and bets only if the count favors the bet. `None` for bets with
    meters or a parlay, and where no such count is possible.

    >>> from combinat.bets.catalog import get_paytable
    >>> simple_count_win(get_paytable("TRI-03"))[1] < Fraction(1, 100) < simple_count_win(get_paytable("OVER-13"))[1]
    True
    """
    decks = [count for count in paytable.decks if count <= MAX_COUNTED_DECKS]
    if paytable.meters or paytable.bet.option or not decks or paytable.tally.fewest_decks is None:
        return None
    try:
        shoe = Shoe(max(decks), paytable.bet.pack)
        study = Study(analyze_wager(paytable, shoe))
        if study.analysis.favors_player:
            return None
        options = CountOptions(depths=(int(shoe.size * COUNTED_DEPTH),))
        evaluation, _ = evaluate_count(options, study)
    except InputError:  # no count moves the edge, or the rules look at suits that a finished hand does not list
        return None
    best = evaluation.count.best
    return shoe.decks, best.per_hundred if best else Fraction(0)
