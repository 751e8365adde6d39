"""Answer of `verify --plain`: the plain verifier's verdict, and a comparison with the installed catalog."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from combinat.plain import Verdict, attempt, read_sheet
from combinat.requests.verify import SheetLike, Verify
from combinat.results.verify import VerifyAnswer
from decks.errors import printable
from reports.answers.verification import compare_with_catalog


class PlainFile(Struct, frozen=True):
    """A file and the plain verifier's verdict, or the problem that prevented one."""

    file: str
    verdict: Verdict | None
    problem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Return whether every value that was checked is right."""
        return self.verdict is not None and self.verdict.agrees

    @property
    def summary(self) -> str:
        """The result on one line."""
        return self.verdict.summary if self.verdict else self.problem

    @property
    def lines(self) -> list[str]:
        """The result with what was checked and how, one line each."""
        if self.verdict is None:
            return []
        details = [*self.verdict.lines, *(f"note: {note}" for note in self.notes)]
        return [f"{printable(self.file)}: {self.summary}", *(f"  {line}" for line in details)]

    @property
    def answer(self) -> VerifyAnswer:
        """The verdict as data."""
        verdict = self.verdict or Verdict()
        return VerifyAnswer(
            file=self.file,
            ok=self.agrees,
            problem=self.problem or None,
            checked=verdict.total,
            differences=verdict.differences,
            not_reached=verdict.not_counted or None,
            not_checked=list(verdict.not_checked),
            coverage=verdict.coverage if self.verdict else None,
            notes=list(self.notes),
        )


def verify_plainly(request: Verify) -> list[PlainFile]:
    """Verify the JSON sheets of a request with the plain verifier, and compare them with the catalog."""
    return [_verify(sheet, request.full) for sheet in request.sheets]


def _verify(sheet: SheetLike, is_full: bool) -> PlainFile:
    name = "" if isinstance(sheet, Mapping) else str(sheet)
    verdict, problem = attempt(lambda: dict(sheet) if isinstance(sheet, Mapping) else read_sheet(name), is_full)
    if verdict is None:
        return PlainFile(name, None, problem)
    compared = compare_with_catalog(dict(sheet) if isinstance(sheet, Mapping) else read_sheet(name))
    verdict.differences += [text for text in compared.differences if text not in verdict.differences]
    return PlainFile(name, verdict, notes=tuple(compared.notes))
