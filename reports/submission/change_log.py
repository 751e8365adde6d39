"""The change log of a dossier that replaces an earlier one: rules, pays, deck counts, and the figures that follow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from decks import InputError
from reports.diff.answer import diff_document
from reports.diff.changes import RevisionComparison, ValueChange, compare_revisions, pair_revisions
from reports.page.model import Column, Document, Section, Table, number_sections
from reports.submission.papers import Submission

Data = Mapping[str, Any]
_TEXTS = {"rules_of_play": "rule of play", "assumptions": "assumption"}
"""Lists of texts in the terms of a sheet, and what a line of each is called."""


class ChangeLog:
    """The comparison of a dossier with the one that it replaces."""

    def __init__(self, old_sheets: Sequence[dict[str, Any]], new_sheets: Sequence[dict[str, Any]]) -> None:
        pairs = pair_revisions(list(old_sheets), list(new_sheets))
        self.comparisons: list[RevisionComparison] = [compare_revisions(*pair) for pair in pairs]
        self._texts = {
            comparison.name: list(_text_changes(old, new)) if old and new else []
            for comparison, (old, new) in zip(self.comparisons, pairs, strict=True)
        }

    @property
    def changes(self) -> list[tuple[str, str, str, str]]:
        """The changes of rules, pays and deck counts: what, before, after, and the sheets that have it."""
        sheets_by_change: dict[tuple[str, str, str], list[str]] = {}
        for comparison in self.comparisons:
            if comparison.only_in:
                sides = (
                    ("submitted", "not submitted") if comparison.only_in == "old" else ("not submitted", "submitted")
                )
                sheets_by_change.setdefault(("deck count or sheet", *sides), []).append(comparison.name)
            for change in (*comparison.said, *self._texts[comparison.name]):
                key = (change.what, _text(change.before), _text(change.after))
                sheets_by_change.setdefault(key, []).append(comparison.name)
        return [(*change, "; ".join(sheets)) for change, sheets in sheets_by_change.items()]

    def document(self, submission: Submission) -> Document:
        """Return the change log as a document."""
        columns = (Column("What changed"), Column("Before"), Column("After"), Column("Sheets"))
        changes = self.changes
        details = diff_document(self.comparisons, "before", "after")
        figures = tuple(table for table in details.tables if not table.caption.endswith("changes of the bet"))
        same = [comparison.name for comparison in self.comparisons if comparison.is_same]
        return Document(
            title=f"Change log: {submission.title}",
            subtitle=f"Replaces: {'; '.join(submission.replaced)}",
            number=f"Changes {submission.title}",
            sections=number_sections(
                Section(
                    "Rules, pays and deck counts",
                    key="changes",
                    text=() if changes else ("No rule, pay or deck count was changed.",),
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
                Section("Changes of the documents", key="changed_documents", notes=details.notes)
                if details.notes
                else None,
            ),
        )


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
        if name.startswith(f"{folder}/") and name.endswith(".json"):
            try:
                sheet = json.loads(content)
            except (ValueError, RecursionError):
                raise InputError(f"the replaced {name} is not JSON") from None
            if not isinstance(sheet, dict) or not {"paytable", "decks", "awards", "cycle"} <= sheet.keys():
                raise InputError(f"the replaced {name} is not a par sheet")
            sheets[name.rpartition("/")[2]] = sheet
    if not sheets:
        raise InputError("the replaced dossier has no sheets")
    return sheets


def describe_replaced(sheets: Mapping[str, Data]) -> tuple[str, ...]:
    """Return the document number, revision and date of replaced sheets."""
    texts = []
    for name, sheet in sheets.items():
        identification = sheet.get("identification") or {}
        document = identification.get("document") or name.removesuffix(".json")
        date = f" of {identification['date']}" if identification.get("date") else ""
        texts.append(f"{document}, revision {identification.get('revision') or '1'}{date}")
    return tuple(texts)
