"""The ledger: every outcome with its ways and its award, as CSV that can be summed independently."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.enumeration.outcomes import Outcome
from decks.cards import ALL_CARDS, JOKER
from reports.page.text import escape_spreadsheet_text
from reports.tables.headings import conditions_text

_CARD_TEXTS = {card: str(card) for card in (*ALL_CARDS, JOKER)}
_MAX_STORED_TEXTS = 65_536
"""Maximum number of cached line endings; most endings occur many times."""


def ledger_lines(analysis: Analysis) -> Iterator[str]:
    """Yield the ledger line by line, the heading together with the first."""
    experiment = analysis.paytable.experiment
    condition = escape_spreadsheet_text(conditions_text(analysis))
    heading = ""
    ending_by_key: dict[tuple[str, int, int | None], str] = {}
    for index, outcome in enumerate(experiment.outcomes(analysis.shoe.composition)):
        if not index:
            heading = _heading(outcome, analysis, condition)
        key = (outcome.detail, outcome.ways, outcome.award)
        ending = ending_by_key.get(key)
        if ending is None:
            if len(ending_by_key) >= _MAX_STORED_TEXTS:
                ending_by_key.clear()
            ending = ending_by_key[key] = _ending(outcome, analysis, condition)
        # Card names need no CSV quoting.
        roles = ",".join([" ".join([_CARD_TEXTS[card] for card in cards]) for _, cards in outcome.roles])
        yield f"{roles},{ending}" if index else f"{heading}{roles},{ending}"


def _heading(outcome: Outcome, analysis: Analysis, condition: str) -> str:
    """Return the column titles of a ledger whose first outcome is `outcome`."""
    detail = analysis.paytable.experiment.detail_title
    return _csv_line(
        *(role for role, _ in outcome.roles),
        *([detail] if detail else []),
        "ways",
        "probability",
        "award",
        "pays",
        *(["given"] if condition else []),
    )


def _ending(outcome: Outcome, analysis: Analysis, condition: str) -> str:
    """Return the fields of an outcome after its cards."""
    award = None if outcome.award is None else analysis.paytable.awards[outcome.award]
    return _csv_line(
        *([outcome.detail] if analysis.paytable.experiment.detail_title else []),
        str(outcome.ways),
        str(Fraction(outcome.ways, analysis.ways.cycle)),
        escape_spreadsheet_text(award.name) if award else "no award",
        str(award.pay) if award else "loses",
        *([condition] if condition else []),
    )


def _csv_line(*fields: str) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()
