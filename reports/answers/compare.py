"""What `compare` answers: paytables side by side."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.analysis.analysis import Line
from combinat.figures import FIGURES, headline, label_without_option
from combinat.study import Study
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.tables.flags import flags
from reports.tables.headings import cards_gone, meter_units, names

_COMPARED = ("house_edge", "return", "hit_frequency", "push_rate", "standard_deviation", "skewness")


def comparison_document(studies: Sequence[Study]) -> Document:
    """Show paytables side by side, one table for each deck count."""
    called = names(one.paytable for one in studies)
    columns = (Column("Figure"), *(Column(name, Style.COUNT) for name in called.values()))
    tables = []
    flagged: list[str] = []
    for decks in sorted({one.shoe.decks for one in studies}):
        here = {called[one.paytable]: one for one in studies if one.shoe.decks == decks}
        rows = _rows(here, list(called.values()))
        tables.append(Table(columns, tuple(rows), f"{decks} deck{'s' if decks > 1 else ''}"))
        flagged += [f"{name}: {flag}" for name, one in here.items() for flag in flags(one)]
    return Document(
        title=" and ".join(called.values()),
        subtitle=cards_gone(studies[0].shoe),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=meter_units([one.analysis for one in studies]),
    )


def _rows(here: dict[str, Study], called: Sequence[str]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    kinds = {one.option.kind for one in here.values() if one.option}
    for key in _COMPARED:
        style = STYLES[key].style
        if key == "push_rate" and not any(one.analysis.push_rate for one in here.values()):
            continue
        rows.append(
            (
                FIGURES[key].label,
                *(Styled(headline(here[name], key), style) if name in here else None for name in called),
            )
        )
        if key == "house_edge" and kinds:
            alone = [Styled(here[name].analysis.house_edge, style) if name in here else None for name in called]
            rows.append((label_without_option(key, kinds), *alone))
    for award in dict.fromkeys(line.award.name for one in here.values() for line in one.analysis.lines):
        lines = {name: _line(one, award) for name, one in here.items()}
        rows.append((f"{award}: pays", *(_pays(lines.get(name)) for name in called)))
        rows.append((f"{award}: 1 in", *(_one_in(lines.get(name)) for name in called)))
    return rows


def _line(study: Study, award: str) -> Line | None:
    return next((line for line in study.analysis.lines if line.award.name == award), None)


def _pays(line: Line | None) -> Cell:
    return str(line.award.pay) if line else None


def _one_in(line: Line | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"
