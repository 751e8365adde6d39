"""The recount of par sheets by the verifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Annotated, Any

from combinat.requests.reports_hook import ask_reports
from combinat.requests.request import Notify, Option, Request
from combinat.results.verify import VerifyAnswer
from decks import InputError
from decks.errors import quote

SheetLike = str | PathLike[str] | Mapping[str, Any]
"""A file with a sheet, or the data of its JSON."""


class Verify(Request[Sequence[VerifyAnswer], VerifyAnswer], frozen=True):
    """Recount par sheets independently and report differences.

    The exit code is 0 if every figure agrees, 1 if a figure differs or was not recounted, and 2 if a file is invalid.
    """

    sheet: Annotated[
        SheetLike | Sequence[SheetLike],
        Option("Par sheets as JSON, PDF or workbook, such as sheets/*.pdf.", is_argument=True, is_repeated=True),
    ]

    full: Annotated[bool, Option("Also check best play at other deck counts. Takes minutes.")] = False

    @property
    def sheets(self) -> list[SheetLike]:
        """The sheets as a list."""
        given = self.sheet if isinstance(self.sheet, (list, tuple)) else [self.sheet]
        for sheet in given:
            if not isinstance(sheet, (str, PathLike, Mapping)):
                raise InputError(f"{quote(sheet)} is not a par sheet; give a file or the data of its JSON")
        return list(given)

    def answer(self, notify: Notify) -> Sequence[VerifyAnswer]:
        answers: Sequence[VerifyAnswer] = ask_reports(self, notify)
        return answers

    def results(self, computed: Sequence[VerifyAnswer]) -> Sequence[VerifyAnswer]:
        return computed
