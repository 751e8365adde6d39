"""The change log of a dossier that replaces an earlier one: rules, pays, deck counts, and the figures that follow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from combinat.results.par_sheet import SHEET_FORMAT
from decks import InputError, format_deck_counts
from decks.errors import quote
from reports.diff.answer import diff_document
from reports.diff.changes import RevisionComparison, ValueChange, compare_revisions, pair_revisions
from reports.page.model import Column, Document, Section, Table, number_sections
from reports.sheet.par_sheet import data_fingerprint
from reports.submission.papers import Submission

Data = Mapping[str, Any]
_TEXTS = {"rules_of_play": "rule of play", "assumptions": "assumption"}
"""Lists of texts in the terms of a sheet, and what a line of each is called."""


_TITLE = "title"
"""The label of a changed title: a change of the document, not of the bet."""


class ChangeLog:
    """The comparison of a dossier with the one that it replaces."""

    def __init__(self, old_sheets: Sequence[dict[str, Any]], new_sheets: Sequence[dict[str, Any]]) -> None:
        try:
            pairs = pair_revisions(list(old_sheets), list(new_sheets))
            self.comparisons: list[RevisionComparison] = [compare_revisions(*pair) for pair in pairs]
            self._texts = {
                comparison.name: list(_text_changes(old, new)) if old and new else []
                for comparison, (old, new) in zip(self.comparisons, pairs, strict=True)
            }
        except (AttributeError, KeyError, TypeError):
            raise InputError(f"a replaced sheet does not have the fields of {quote(SHEET_FORMAT)}") from None
        unpaired = any(comparison.only_in for comparison in self.comparisons)
        self._deck_counts = list(_deck_count_changes(old_sheets, new_sheets)) if unpaired else []

    @property
    def changes(self) -> list[tuple[str, str, str, str]]:
        """The changes of rules, pays and deck counts: what, before, after, and the sheets that have it."""
        sheets_by_change: dict[tuple[str, str, str], list[str]] = {}
        for comparison in self.comparisons:
            for change in (*comparison.said, *self._texts[comparison.name]):
                key = (change.what, _text(change.before), _text(change.after))
                if change.what != _TITLE:
                    sheets_by_change.setdefault(key, []).append(comparison.name)
        return [
            *((*change, "; ".join(sheets)) for change, sheets in sheets_by_change.items()),
            *self._deck_counts,
        ]

    @property
    def _titles(self) -> list[str]:
        return [
            f"{comparison.name}: {change.what} {change.before}, now {change.after}"
            for comparison in self.comparisons
            for change in comparison.said
            if change.what == _TITLE
        ]

    def document(self, submission: Submission) -> Document:
        """Return the change log as a document."""
        columns = (Column("What changed"), Column("Before"), Column("After"), Column("Sheets"))
        changes = self.changes
        details = diff_document(self.comparisons, "before", "after")
        figures = tuple(table for table in details.tables if not table.caption.endswith("changes of the bet"))
        same = [comparison.name for comparison in self.comparisons if comparison.is_same]
        documents = (*self._titles, *details.notes)
        return Document(
            title=f"Change log: {submission.title}",
            subtitle=f"To: {submission.recipient}",
            number=f"Changes {submission.title}",
            sections=number_sections(
                Section(
                    "Rules, pays and deck counts",
                    key="changes",
                    text=(
                        f"Compared with: {'; '.join(submission.replaced)}.",
                        *([] if changes else ["No rule, pay or deck count was changed."]),
                    ),
                    tables=(Table(columns, tuple(changes)),) if changes else (),
                ),
                Section(
                    "Figures that follow",
                    key="changed_figures",
                    text=(
                        *([] if figures else ["No figure was changed."]),
                        *([f"Unchanged in rules, pays and figures: {'; '.join(same)}."] if same else []),
                    ),
                    tables=figures,
                ),
                Section("Changes of the documents", key="changed_documents", notes=documents) if documents else None,
            ),
        )


def _deck_count_changes(old_sheets: Sequence[Data], new_sheets: Sequence[Data]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the changed deck counts of each paytable: what, before, after, and the paytable."""
    old_counts, new_counts = (_deck_counts_by_paytable(sheets) for sheets in (old_sheets, new_sheets))
    if len(old_counts) == len(new_counts) == 1:  # the id of the only paytable may be changed
        old_counts = dict(zip(new_counts, old_counts.values(), strict=True))
    for paytable in dict.fromkeys((*old_counts, *new_counts)):
        before, after = (
            format_deck_counts(counts[paytable]) if paytable in counts else "not submitted"
            for counts in (old_counts, new_counts)
        )
        if before != after:
            yield "deck counts", before, after, paytable


def _deck_counts_by_paytable(sheets: Sequence[Data]) -> dict[str, list[int]]:
    counts: dict[str, list[int]] = {}
    for sheet in sheets:
        counts.setdefault(str(sheet["paytable"]), []).append(sheet["decks"])
    return counts


def _text(value: object) -> str:
    return "none" if value is None else str(value)


def _text_changes(old_sheet: Data, new_sheet: Data) -> Iterator[ValueChange]:
    """Yield the changed lines of the rules of play and of the assumptions."""
    old_terms, new_terms = (sheet.get("terms") or {} for sheet in (old_sheet, new_sheet))
    for key, label in _TEXTS.items():
        if key not in old_terms or key not in new_terms:  # a sheet of an earlier version
            continue
        old_lines, new_lines = (list(map(_line, terms[key] or ())) for terms in (old_terms, new_terms))
        matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
            if tag != "equal":
                before, after = old_lines[old_start:old_end], new_lines[new_start:new_end]
                yield ValueChange(label, "\n".join(before) or None, "\n".join(after) or None)


def _line(item: object) -> str:
    return str(item["text"]) if isinstance(item, Mapping) else str(item)


def load_replaced_sheets(contents: Mapping[str, bytes], folder: str) -> dict[str, dict[str, Any]]:
    """Return the JSON of the sheets in a folder of a dossier by file name."""
    sheets = {}
    for name, content in contents.items():
        file_folder, _, file_name = name.rpartition("/")
        if file_folder == folder and file_name.endswith(".json"):
            sheets[file_name] = _parse_sheet(content, name)
    if not sheets:
        raise InputError("the replaced dossier has no sheets")
    return sheets


def _parse_sheet(content: bytes, name: str) -> dict[str, Any]:
    """Parse a replaced sheet; raise `InputError` unless it is an unchanged sheet of this format."""
    try:
        sheet = json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(f"the replaced {name} is not JSON") from None
    if not isinstance(sheet, dict) or "format" not in sheet or not isinstance(sheet.get("identification"), dict):
        raise InputError(f"the replaced {name} is not a par sheet")
    if sheet["format"] != SHEET_FORMAT:
        raise InputError(f"the replaced {name} has the format {quote(sheet['format'])}; expected {quote(SHEET_FORMAT)}")
    if sheet.get("data_sha256") != _fingerprint(sheet):
        raise InputError(f"the replaced {name} was changed: its data_sha256 is not that of its data")
    if not isinstance(sheet.get("paytable"), str) or not isinstance(sheet.get("decks"), int) or _has_control(sheet):
        raise InputError(f"the replaced {name} is not a sheet that combinat wrote")
    return sheet


def _has_control(value: object) -> bool:
    """Return whether a text in JSON data has a character that cannot be printed, besides ends of lines and tabs."""
    if isinstance(value, str):
        return not value.replace("\n", "").replace("\t", "").isprintable()
    if isinstance(value, Mapping):
        return any(map(_has_control, value)) or any(map(_has_control, value.values()))
    return isinstance(value, list) and any(map(_has_control, value))


def _fingerprint(sheet: dict[str, Any]) -> str | None:
    try:
        return data_fingerprint(sheet)
    except ValueError:  # half of a surrogate pair
        return None


def describe_replaced(sheets: Mapping[str, Data]) -> tuple[str, ...]:
    """Return the document number, revision and date of replaced sheets."""
    texts = []
    for name, sheet in sheets.items():
        identification = sheet.get("identification") or {}
        document = identification.get("document") or name.removesuffix(".json")
        date = f" of {identification['date']}" if identification.get("date") else ""
        texts.append(f"{document}, revision {identification.get('revision') or '1'}{date}")
    return tuple(texts)
