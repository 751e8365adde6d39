"""A comparison as data: each study with what sets it apart from the first, and over which it is better."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from combinat.exact.root import Root
from combinat.study import Study
from reports.answers.compared import SHARE, SHOWN, Comparison, apart, label_of, style_of, value_of
from reports.answers.dominating import better_than
from reports.answers.payload import study_payload
from reports.answers.records import COLUMNS, records_document
from reports.page.model import Cell, Document, Styled, Table
from reports.page.numerals import exact
from reports.tables.headings import conditions

_AS_MULTIPLES = ("standard_deviation", "volatility_index_90")
_BETTER = "Better for the player than"


def comparison_payload(studies: Sequence[Study]) -> list[dict[str, Any]]:
    """Give studies with what sets each apart from the first, and over which of the others it is better, exactly."""
    found = Comparison(studies)

    def against(study: Study) -> dict[str, Any] | None:
        other = found.at.get((found.first, study.shoe.decks))
        if other is None:
            return None
        values = {key: apart(study, other, partial(value_of, key=key)) for key in SHOWN}
        return {"paytable": found.first} | {
            f"{key}_ratio" if key in _AS_MULTIPLES else key: exact(value) for key, value in values.items()
        }

    return [
        study_payload(study)
        | {
            SHARE: exact(value_of(study, SHARE)),
            "against_first": against(study),
            "better_for_the_player_than": better_than(found, name, decks),
        }
        for (name, decks), study in found.at.items()
    ]


def comparison_records(studies: Sequence[Study]) -> Document:
    """Lay a comparison out line by line: the studies, then differences from the first, and what is better than what."""
    found = Comparison(studies)
    (table,) = records_document(found.studies).tables
    rows: list[tuple[Cell, ...]] = list(table.rows)
    empty = (None,) * (len(COLUMNS) - 8)
    for (name, decks), study in found.at.items():
        other, given = found.at.get((found.first, decks)), conditions(study.analysis)
        for key in SHOWN if name != found.first and other is not None else ():
            value = apart(study, other, partial(value_of, key=key))
            if value is not None:
                kind = "Multiple of the first" if isinstance(value, Root) else "Difference from the first"
                told = (kind, label_of(key), key, str(study.basis))
                rows.append((name, decks, given, *told, *empty, Styled(value, style_of(key))))
        for better in better_than(found, name, decks):
            senses = [sense for sense, holds in better.items() if holds is True]
            rows.append((name, decks, given, _BETTER, str(better["paytable"]), None, ", ".join(senses), *empty, None))
    return Document("", tables=(Table(COLUMNS, tuple(rows)),))
