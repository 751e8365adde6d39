"""Par sheets checked by the second method: what came of each file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat.recount import UnreadableError
from combinat.sheet_form import read
from combinat.verify import Verdict, verify
from reports.model import Column, Document, Style, Table


class Check(Struct, frozen=True):
    """One file and the verdict on it, or why there is none."""

    file: str
    verdict: Verdict | None
    problem: str = ""

    @property
    def agrees(self) -> bool:
        """Whether every figure is what it should be."""
        return self.verdict is not None and not self.verdict.differences

    @property
    def summary(self) -> str:
        """What came of it, on one line."""
        if self.verdict is None:
            return self.problem
        differences = len(self.verdict.differences)
        if not differences:
            return f"{self.verdict.checked} figures re-derived, all agree"
        if not self.verdict.checked:
            return self.verdict.differences[0]
        return f"{differences} of {self.verdict.checked} figures differ"

    @property
    def lines(self) -> list[str]:
        """What came of it, with every difference on a line of its own."""
        if self.verdict is None:
            return []
        more = self.verdict.differences if self.verdict.checked else []
        return [f"{self.file}: {self.summary}", *(f"  {difference}" for difference in more)]

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
            "not_checked": verdict.not_checked,
        }


def check_file(path: Path) -> Check:
    """Check one file; one that cannot be read is a verdict too."""
    try:
        return Check(str(path), verify(read(path)))
    except UnreadableError as error:
        return Check(str(path), None, str(error))


def not_checked(checks: list[Check]) -> list[str]:
    """List what was not looked at in any of the files."""
    return list(dict.fromkeys(name for check in checks for name in check.payload["not_checked"]))


def checks_document(checks: list[Check]) -> Document:
    """Show the verdicts as a table."""
    columns = (Column("File"), Column("Figures", Style.COUNT), Column("Verdict"))
    rows = tuple((check.file, check.payload["checked"], check.summary) for check in checks)
    differences = tuple(f"{check.file}: {one}" for check in checks for one in check.payload["differences"])
    left_out = f"Not checked: {', '.join(not_checked(checks)) or 'nothing'}."
    return Document("Par sheets counted a second time", tables=(Table(columns, rows),), notes=(*differences, left_out))
