"""The comparison of two revisions of a bet or of a par sheet."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Annotated

from combinat.requests.bets import DeckCounts, parse_decks
from combinat.requests.reports_hook import ask_reports
from combinat.requests.request import Group, Notify, Option, Request
from combinat.results.diff import DiffAnswer

_REVISION = "A par sheet or other result in JSON, a bet's TOML file, FILE.toml:ID, or a catalog id."


class Diff(Request[Sequence[DiffAnswer], DiffAnswer], frozen=True):
    """Compare two par sheets, or two revisions of a bet.

    The answer has the changes of the bet and of its figures, with their causes. The exit code is 0 if nothing differs,
    1 if something does, and 2 if a file cannot be read.
    """

    old: Annotated[str | PathLike[str], Option(_REVISION, names="paytable", is_argument=True)]
    new: Annotated[str | PathLike[str], Option(_REVISION, names="paytable", is_argument=True)]
    decks: Annotated[
        DeckCounts,
        Option("Deck counts to compare, such as 6 or 1,2,4-8.", ("--decks", "-d"), group=Group.TABLE, default="all"),
    ] = None

    @property
    def sides(self) -> tuple[str, str]:
        """Both revisions as texts."""
        return fspath(self.old), fspath(self.new)

    @property
    def deck_counts(self) -> tuple[int, ...] | None:
        """The deck counts to compare; `None` for all."""
        return parse_decks(self.decks)

    def answer(self, notify: Notify) -> Sequence[DiffAnswer]:
        answers: Sequence[DiffAnswer] = ask_reports(self, notify)
        return answers

    def results(self, computed: Sequence[DiffAnswer]) -> Sequence[DiffAnswer]:
        return computed
