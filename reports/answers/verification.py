"""Par sheets checked by the second method: what came of each file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat.verify import UnreadableError, Verdict, checked, read
from decks.errors import printable
from reports.answers.catalog_comparison import compare_with_catalog
from reports.page.model import Column, Document, Style, Table


class CheckedFile(Struct, frozen=True):
    """One file and the verdict on it, or why there is none."""

    file: str
    verdict: Verdict | None
    problem: str = ""

    @property
    def agrees(self) -> bool:
        """Whether every figure was derived again and is what it should be."""
        return self.verdict is not None and self.verdict.agrees

    @property
    def summary(self) -> str:
        """What came of it, on one line."""
        return self.verdict.summary if self.verdict else self.problem

    @property
    def lines(self) -> list[str]:
        """What came of it, with every difference and note on a line of its own, and what was checked and what not."""
        if self.verdict is None:
            return []
        below = [*self.verdict.details, *self.verdict.listed]
        return [f"{printable(self.file)}: {self.summary}", *(f"  {line}" for line in below)]

    @property
    def payload(self) -> dict[str, Any]:
        """Give the verdict as JSON carries it."""
        verdict = self.verdict or Verdict()
        return {
            "file": self.file,
            "ok": self.agrees,
            "problem": self.problem or None,
            "checked": verdict.checked,
            "differences": verdict.differences,
            "not_reached": str(verdict.not_reached) if verdict.not_reached else None,
            "not_checked": verdict.not_checked,
            "coverage": verdict.coverage or None,
            "notes": verdict.notes,
        }


def check_file(path: Path) -> CheckedFile:
    """Check one file, and compare it with the catalog; a file that cannot be read gets a verdict too."""
    try:
        sheet = read(path)
        verdict = checked(sheet)
    except UnreadableError as error:
        return CheckedFile(str(path), None, str(error))
    compared = compare_with_catalog(sheet)
    verdict.differences += compared.differences
    verdict.notes += compared.notes
    return CheckedFile(str(path), verdict)


def checks_document(checks: list[CheckedFile]) -> Document:
    """Show the verdicts as a table."""
    columns = (Column("File"), Column("Figures", Style.COUNT), Column("Verdict"))
    rows = tuple((printable(check.file), check.payload["checked"], check.summary) for check in checks)
    details = tuple(f"{printable(check.file)}: {line.strip()}" for check in checks for line in check.lines[1:])
    return Document("Par sheets counted a second time", tables=(Table(columns, rows),), notes=details)
