"""The verdict on a sheet, in a regulator's words: what was recounted and how, what is prose, what is not checked."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from combinat.verifier.deal import MAX_HANDS
from combinat.verifier.expected import EVERY_FIGURE, WRITING_HANDS, Expected
from combinat.verifier.sheet import (
    ALGEBRA,
    BRUTE,
    CERTIFICATE,
    FORMAT,
    MERGED,
    SAMPLE,
    Comparison,
    NotCountedError,
    SheetError,
    fingerprint,
    read_certificate,
    read_sheet,
    show,
)

METHODS = {
    BRUTE: "recounted by brute force: every hand of cards tested by the sheet's rules",
    MERGED: "recounted after merging hands that no rule distinguishes",
    CERTIFICATE: "checked by certificate: the stated strategy evaluated, its equations checked state by state",
    SAMPLE: "checked by sample",
    ALGEBRA: "worked out from these counts by algebra: sums, moments, closed forms, meters",
}

Notify = Callable[[int, int], None]
"""Is told how many steps of how many are done."""


def ignore(_done: int, _total: int) -> None:
    """Show no progress."""


WRITTEN_LAST = ("verification", "data_sha256")
"""The keys that a sheet gets after the verifier has read it."""


class Verdict:
    """The result of verifying one sheet."""

    def __init__(self, not_counted: str = "") -> None:
        self.differences: list[str] = []
        self.not_counted = not_counted
        """Why the bet was not counted again; empty if it was."""
        self.figures: dict[str, int] = {}
        self.texts = 0
        self.merged = ""
        self.prose: list[str] = []
        self.not_checked: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Verdict: {self.summary}>"

    @property
    def agrees(self) -> bool:
        """Whether the bet was counted again and every checked value is right."""
        return not self.differences and not self.not_counted

    @property
    def total(self) -> int:
        """The number of figures that were checked."""
        return sum(self.figures.values())

    @property
    def summary(self) -> str:
        """The verdict on one line."""
        if self.differences:
            count = len(self.differences)
            return f"DIFFERS: {count} value{'s' if count > 1 else ''} of the sheet {'are' if count > 1 else 'is'} wrong"
        if self.not_counted:
            return f"not verified: {self.not_counted}"
        return f"{self.total:,} figures checked, all agree"

    @property
    def coverage(self) -> dict[str, Any]:
        """What was checked, how, and what was not, as the sheet prints it."""
        checked = [
            {"method": method, "figures": self.figures[method], "by": words}
            for method, words in METHODS.items()
            if self.figures.get(method)
        ]
        not_checked = {EVERY_FIGURE: self.not_counted} if self.not_counted else self.not_checked
        return {
            "checked": checked,
            "merged": self.merged,
            "compared_with_source": self.texts,
            "prose": self.prose,
            "not_checked": [{"key": what, "reason": why} for what, why in not_checked.items()],
        }

    @property
    def lines(self) -> list[str]:
        """The differences, then what was checked and what was not."""
        coverage = self.coverage
        lines = [f"wrong: {difference}" for difference in self.differences]
        lines += [f"{row['figures']:,} figures {row['by']}" for row in coverage["checked"]]
        lines += [f"merged: {self.merged}"] if self.merged else []
        lines.append(f"{self.texts:,} names, rules and other words compared with the bet's file and the figures")
        lines += [f"prose, not checked: {', '.join(self.prose)}"] if self.prose else []
        by_reason: dict[str, list[str]] = {}
        for what, why in self.not_checked.items():
            by_reason.setdefault(why, []).append(what)
        return lines + [f"not checked: {', '.join(names)} ({why})" for why, names in by_reason.items()]


def verify(
    sheet: dict[str, Any],
    *,
    max_hands: int = MAX_HANDS,
    is_full: bool = False,
    counted: dict[Any, Any] | None = None,
    certificate: bytes | None = None,
    notify: Notify = ignore,
) -> Verdict:
    """Count the bet of a sheet again and compare every value of the sheet.

    `max_hands` is the limit of brute force; beyond it hands are merged. `is_full` also checks best play at other deck
    counts. `counted` holds bets that the caller had counted before, which are then not counted again. `notify` is told
    how far the check of best play is.
    """
    check_sheet(sheet)
    try:
        expected = Expected(sheet, max_hands=max_hands, is_full=is_full, counted=counted)
        expected.certificate, expected.notify = certificate, notify
    except NotCountedError as error:
        return Verdict(str(error))
    verdict = compare_sheet(expected)
    if verdict.not_counted:
        return verdict
    comparison = Comparison()
    if certificate is None and _used_certificate(sheet):
        verdict.not_checked["verification"] = "it was written with the certificate, which is not beside the sheet"
    elif max_hands >= WRITING_HANDS:
        written = Verdict(expected.left_out) if expected.left_out else verdict
        comparison.compare(sheet.get("verification"), written.coverage, "verification")
    comparison.compare(sheet.get("data_sha256"), fingerprint(sheet), "data_sha256")
    verdict.differences += comparison.differences
    return verdict


def _used_certificate(sheet: dict[str, Any]) -> bool:
    """Return whether the report on a sheet was written by a verifier that had read the certificate."""
    option, report = sheet.get("option"), sheet.get("verification")
    if not isinstance(option, dict) or not option.get("certificate") or not isinstance(report, dict):
        return False
    keys = {
        part: [row.get(key) for row in report.get(part) or () if isinstance(row, dict)]
        for part, key in (("checked", "method"), ("not_checked", "key"))
        if isinstance(report.get(part), list)
    }
    return CERTIFICATE in keys.get("checked", ()) and "option.certificate" not in keys.get("not_checked", ())


def verify_draft(
    sheet: dict[str, Any],
    counted: dict[Any, Any] | None = None,
    *,
    max_tested: int | None = WRITING_HANDS,
    certificate: bytes | None = None,
) -> Verdict:
    """Verify a sheet while it is written, before it has its last two keys.

    A bet with more than `max_tested` hands to test is not counted then; the sheet says so. `None` counts every bet.
    """
    try:
        expected = Expected(sheet, counted=counted, max_tested=max_tested)
        expected.certificate = certificate
        return compare_sheet(expected)
    except NotCountedError as error:
        return Verdict(str(error))
    except Exception as error:  # the sheet is written, and says that the verifier failed
        verdict = Verdict()
        verdict.differences.append(f"the verifier failed: {type(error).__name__}: {show(str(error))}")
        return verdict


def compare_sheet(expected: Expected) -> Verdict:
    """Compare a sheet with what it should say, without the parts that are written last."""
    try:
        tree = expected.tree()
    except NotCountedError as error:
        return Verdict(str(error))
    verdict = Verdict()
    sheet = {key: value for key, value in expected.sheet.items() if key not in WRITTEN_LAST}
    comparison = Comparison(expected.count_method)
    comparison.compare(sheet, tree)
    verdict.differences = [*comparison.differences, *expected.problems]
    verdict.figures = dict(comparison.figures)
    if expected.states:
        verdict.figures[CERTIFICATE] += expected.states
    verdict.texts = comparison.texts
    verdict.merged = expected.merged_note
    verdict.prose = list(comparison.prose)
    verdict.not_checked = {kind: why for kind, (_, why) in comparison.unchecked.items()}
    return verdict


def check_sheet(sheet: dict[str, Any]) -> None:
    """Raise `SheetError` unless a value is a par sheet of this format."""
    if not isinstance(sheet, dict):
        raise SheetError("is not the JSON of a par sheet; 'combinat parsheet ID --decks 6 -o sheet.json' writes one")
    if sheet.get("format") != FORMAT:
        raise SheetError(f"has the format {show(sheet.get('format'))}; this verifier reads '{FORMAT}'")


def verify_file(path: str, *, is_full: bool = False, notify: Notify = ignore) -> tuple[Verdict | None, str]:
    """Verify one file; return the verdict, or `None` and what is wrong with the file."""
    return attempt(lambda: read_sheet(path), is_full, read_certificate(path), notify)


def attempt(
    load: Callable[[], dict[str, Any]], is_full: bool, certificate: bytes | None = None, notify: Notify = ignore
) -> tuple[Verdict | None, str]:
    """Verify one sheet; whatever is wrong with it is one line, so that other sheets still get their verdicts."""
    try:
        return verify(load(), is_full=is_full, certificate=certificate, notify=notify), ""
    except SheetError as error:
        return None, str(error)
    except RecursionError:
        return None, "is not a valid sheet: it is nested too deeply"
    except Exception as error:  # a defect must not keep other sheets from their verdicts
        return None, f"is not a valid sheet: {type(error).__name__}: {show(str(error))}"


class Progress:
    """Shows progress on a terminal, at most every two seconds."""

    def __init__(self, name: str) -> None:
        self.name, self.last = name, time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Show how many steps are done."""
        if sys.stderr.isatty() and time.monotonic() > self.last + 2:
            self.last = time.monotonic()
            print(f"{show(self.name)}: best play, {done} of {total}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Verify files: 0 if all agree, 1 if one differs or is not verified, 2 if one cannot be read."""
    is_full = "--full" in arguments
    paths = [argument for argument in arguments if argument != "--full"]
    if not paths or any(path.startswith("-") for path in paths):
        print("usage: python -m combinat.verifier [--full] SHEET.json ...", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        verdict, problem = verify_file(path, is_full=is_full, notify=Progress(path))
        if verdict is None:
            print(f"{show(path)}: {problem}", file=sys.stderr)
            code = 2
            continue
        print("\n".join([f"{show(path)}: {verdict.summary}", *[f"  {line}" for line in verdict.lines]]), flush=True)
        code = max(code, 0 if verdict.agrees else 1)
    return code
