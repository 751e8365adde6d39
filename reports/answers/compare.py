"""What `compare` answers: paytables side by side."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.analysis.analysis import Line
from combinat.figures import FIGURES, headline, label_without_option
from combinat.study import Study
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.tables.flags import flags
from reports.tables.headings import cards_gone, meter_units

_COMPARED = ("house_edge", "return", "hit_frequency", "push_rate", "standard_deviation", "skewness")


def comparison_document(studies: Sequence[Study]) -> Document:
    """Show paytables side by side, one table for each deck count."""
    ids = list(dict.fromkeys(one.paytable.id for one in studies))
    tables = []
    flagged: list[str] = []
    for decks in sorted({one.shoe.decks for one in studies}):
        here = {one.paytable.id: one for one in studies if one.shoe.decks == decks}
        columns = (Column("Figure"), *(Column(id, Style.COUNT) for id in ids))
        tables.append(Table(columns, tuple(_rows(here, ids)), f"{decks} deck{'s' if decks > 1 else ''}"))
        flagged += [f"{id}: {flag}" for id, one in here.items() for flag in flags(one)]
    return Document(
        title=" and ".join(ids),
        subtitle=cards_gone(studies[0].shoe),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=meter_units([one.analysis for one in studies]),
    )


def _rows(here: dict[str, Study], ids: Sequence[str]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    kinds = {one.option.kind for one in here.values() if one.option}
    for key in _COMPARED:
        style = STYLES[key].style
        if key == "push_rate" and not any(one.analysis.push_rate for one in here.values()):
            continue
        rows.append(
            (FIGURES[key].label, *(Styled(headline(here[id], key), style) if id in here else None for id in ids))
        )
        if key == "house_edge" and kinds:
            alone = [Styled(here[id].analysis.house_edge, style) if id in here else None for id in ids]
            rows.append((label_without_option(key, kinds), *alone))
    for name in dict.fromkeys(line.award.name for one in here.values() for line in one.analysis.lines):
        lines = {id: _line(one, name) for id, one in here.items()}
        rows.append((f"{name}: pays", *(_pays(lines.get(id)) for id in ids)))
        rows.append((f"{name}: 1 in", *(_one_in(lines.get(id)) for id in ids)))
    return rows


def _line(study: Study, name: str) -> Line | None:
    return next((line for line in study.analysis.lines if line.award.name == name), None)


def _pays(line: Line | None) -> Cell:
    return str(line.award.pay) if line else None


def _one_in(line: Line | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"
