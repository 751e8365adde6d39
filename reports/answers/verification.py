"""Answer of the `verify` command: the verifier's result, and a comparison with the installed catalog.

The verifier does not use the catalog: it relies on the sheet's own description of the bet. Here that description and
the limits of jurisdiction tests are compared with the catalog, so that a sheet under a catalog id really is the
sheet of that paytable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from combinat.analysis.exposure import JurisdictionTest, jurisdiction_tests
from combinat.bets.catalog import collection_files, get_paytable, list_collections, list_ids
from combinat.bets.export import describe_award
from combinat.bets.paytable import Paytable
from combinat.enumeration.progress import report_progress
from combinat.results.verify import VerifyAnswer
from combinat.verifier import Verdict, attempt, read_certificate, read_sheet
from combinat.version import VERSION
from decks.errors import printable, quote
from reports.page.model import Column, Document, Style, Table
from reports.page.numerals import exact

_LONGEST = 100


class CatalogComparison(NamedTuple):
    """Differences of a sheet from the catalog, and what could not be compared."""

    differences: list[str]
    notes: list[str]


def compare_with_catalog(sheet: dict[str, Any]) -> CatalogComparison:
    """Compare a sheet or an answer with the catalog's paytable of the same id."""
    result = CatalogComparison([], [])
    id = sheet.get("paytable")
    if not isinstance(id, str):
        return result
    identification = sheet.get("identification")
    if not isinstance(identification, dict):
        identification = {}
    if isinstance(sheet.get("variant"), dict):
        result.notes.append(
            f"marked as a variant of {quote(sheet['variant'].get('of'))}; not compared with the catalog"
        )
    elif id in list_ids():
        paytable = get_paytable(id)
        is_same_file = identification.get("input_sha256") == _fingerprint(paytable.bet.file)
        expected = _expected_fields(paytable, sheet, identification, is_same_file=is_same_file)
        result.differences.extend(_compare(sheet, expected))
        if identification and not is_same_file:
            result.notes.append(f"made from a file other than the installed catalog's {id}")
    elif _is_catalog_file(identification.get("input_sha256")) and not _is_variant(id):
        result.differences.append(
            f"paytable: the file says {_format_value(id)}, but no paytable of its input file has this id"
        )
    result.differences.extend(_compare_document(sheet, identification))
    _compare_tests(sheet, result)
    return result


def _expected_fields(
    paytable: Paytable, sheet: dict[str, Any], identification: dict[str, Any], *, is_same_file: bool
) -> dict[str, Any]:
    """Return what a sheet must state of a paytable, under the sheet's keys.

    Table rules chosen for the sheet change deals, conditions and pays, which are then omitted. Texts of the bet file
    are compared if the sheet was made from the same file, and rules in words if also by the same version.
    """
    bet = paytable.bet
    expected: dict[str, Any] = {"title": paytable.title, "bet": bet.name}
    if bet.deal.settings or "dealer:" in str(bet.deal):
        expected["awards"] = [{"name": award.name} for award in paytable.awards]
    else:
        expected |= {
            "deal": str(bet.deal),
            "given": str(bet.condition) if bet.condition else None,
            "pack": bet.pack.name,
        }
        expected["awards"] = [
            {"name": award.name, "rule": str(award.rule), "pays_text": str(award.pay)} for award in paytable.awards
        ]
    if is_same_file:
        expected |= {"designed_decks": list(paytable.decks), "requires": paytable.requires}
        expected |= {"example": paytable.is_example, "sources": list(bet.sources)}
        expected |= {"notes": list(paytable.remarks), "identification": {"game": bet.game}}
        if identification.get("software") == f"combinat {VERSION}" and not bet.deal.settings:
            rule_texts = [{"rule_in_words": describe_award(award, paytable)} for award in paytable.awards]
            expected["awards"] = [award | text for award, text in zip(expected["awards"], rule_texts, strict=True)]
        published = [figure for figure in paytable.published if figure.decks == sheet.get("decks")]
        expected["published"] = [{"figure": figure.figure, "text": figure.text} for figure in published]
    return expected


def _compare(stated: Any, expected: Any, name: str = "") -> Iterator[str]:
    """Yield every part of a sheet that differs from the catalog; keys that only the sheet has are ignored."""
    if isinstance(expected, dict) and isinstance(stated, dict):
        for key in [key for key in expected if key in stated]:
            yield from _compare(stated[key], expected[key], f"{name}.{key}" if name else key)
    elif isinstance(expected, list) and isinstance(stated, list) and len(expected) == len(stated):
        for index, (row, expected_row) in enumerate(zip(stated, expected, strict=True)):
            yield from _compare(row, expected_row, f"{name}[{index}]")
    elif type(stated) is not type(expected) or stated != expected:
        yield f"{name}: the file says {_format_value(stated)}, but the catalog has {_format_value(expected)}"


def _is_variant(id: str) -> bool:
    """Return whether an id is that of a variant of a catalog paytable, such as `TRI-03+Flush-6`."""
    return any(id.startswith(f"{paytable_id}+") for paytable_id in list_ids())


def _is_catalog_file(sha256: Any) -> bool:
    """Return whether a fingerprint is that of a file of the catalog."""
    paths = [path for collection in list_collections() for path in collection_files(collection)]
    return any(_fingerprint(path.read_text(encoding="utf-8")) == sha256 for path in paths)


def _fingerprint(text: str) -> str:
    """Return the SHA-256 of a bet's file, as a sheet states it."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _compare_document(sheet: dict[str, Any], identification: dict[str, Any]) -> Iterator[str]:
    """Yield a document number whose id or deck count is not the sheet's."""
    number = identification.get("document")
    default = f"{sheet.get('paytable')}-{sheet.get('decks')}D"
    match = re.fullmatch(r"(.+)-\d+D", number) if isinstance(number, str) else None
    if match and number != default and match[1] in {*list_ids(), sheet.get("paytable")}:
        stated, expected = _format_value(number), _format_value(default)
        yield f"identification.document: the file says {stated}, but the sheet is {expected}"


def _compare_tests(sheet: dict[str, Any], result: CatalogComparison) -> None:
    """Compare the limits of jurisdiction tests with those of the tests that come with the program."""
    tests = sheet.get("jurisdiction_tests")
    installed = {test.source: test for test in jurisdiction_tests()}
    for index, row in enumerate(tests if isinstance(tests, list) else []):
        source = row.get("source") if isinstance(row, dict) else None
        name = f"jurisdiction_tests[{index}]"
        if isinstance(source, str) and source in installed:
            result.differences.extend(_compare(row, _limits(installed[source]), name))
        elif isinstance(row, dict):
            result.notes.append(
                f"{name}: {_format_value(row.get('test'))} does not come with the program: limits not compared"
            )


def _limits(test: JurisdictionTest) -> dict[str, Any]:
    """Return what a sheet must state of a test, under the sheet's keys."""
    low_limit, high_limit = map(exact, test.bounds)
    return {
        "jurisdiction": test.jurisdiction,
        "test": test.name,
        "applies_to": test.applies_to,
        "figure": test.figure,
        "in_money": test.in_money,
        "at_least": low_limit,
        "at_most": high_limit,
        "consequence": test.consequence or None,
        "year": test.year,
    }


def _format_value(value: Any) -> str:
    """Format a value on one line, in quotes if it is text."""
    return printable(quote(value) if isinstance(value, str) else str(value)[:_LONGEST])


class CheckedFile(Struct, frozen=True):
    """A file and its verdict, or the problem that prevented one."""

    file: str
    verdict: Verdict | None
    problem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Return whether the bet was recounted and every checked value is right."""
        return self.verdict is not None and self.verdict.agrees

    @property
    def summary(self) -> str:
        """The result on one line."""
        return self.verdict.summary if self.verdict else self.problem

    @property
    def lines(self) -> list[str]:
        """The result with differences, coverage and notes, one line each."""
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


def verify_data(sheet: Mapping[str, Any], *, is_full: bool = False) -> CheckedFile:
    """Verify the data of a sheet and compare it with the catalog."""
    return _verify("", lambda: dict(sheet), is_full)


def verify_file(path: Path, *, is_full: bool = False, certificate: bytes | None = None) -> CheckedFile:
    """Verify one file and compare it with the catalog; an unreadable file is reported as a problem.

    The certificate of best play is the file beside it, unless it is given.
    """
    return _verify(str(path), lambda: read_sheet(path), is_full, certificate or read_certificate(path))


_NOT_JSON = re.compile(r"is not a par sheet's JSON: (line \d+, column \d+): .*")


def plain_problem(problem: str) -> str:
    """Return why a file cannot be verified, with the file to name instead of what a parser expected.

    >>> plain_problem("is not a par sheet's JSON: line 1, column 1: Expecting value")
    "is not a par sheet's JSON (line 1, column 1); name the .json, .pdf or .xlsx file of a sheet"
    """
    advice = "name the .json, .pdf or .xlsx file of a sheet"
    if match := _NOT_JSON.fullmatch(problem):
        return f"is not a par sheet's JSON ({match[1]}); {advice}"
    return problem


def _verify(name: str, load: Callable[[], Any], is_full: bool, certificate: bytes | None = None) -> CheckedFile:
    sheets: list[Any] = []

    def load_once() -> Any:
        sheets.append(load())
        return sheets[0]

    verdict, problem = attempt(load_once, is_full, certificate, report_progress)
    if verdict is None:
        return CheckedFile(name, None, plain_problem(problem))
    compared = compare_with_catalog(sheets[0])
    verdict.differences += [text for text in compared.differences if text not in verdict.differences]
    return CheckedFile(name, verdict, notes=tuple(compared.notes))


def checks_document(checks: Sequence[Any]) -> Document:
    """Return the verdicts as a table."""
    columns = (Column("File"), Column("Figures", Style.COUNT), Column("Verdict"))
    rows = tuple((printable(check.file), check.answer.checked, check.summary) for check in checks)
    details = tuple(f"{printable(check.file)}: {line.strip()}" for check in checks for line in check.lines[1:])
    return Document("Par sheets recounted by the verifier", tables=(Table(columns, rows),), notes=details)
