"""The awards of several paytables side by side, once, and how their returns are made up."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from combinat.analysis.analysis import Line
from combinat.study import Study
from reports.answers.compared import Comparison, decks_text
from reports.page.model import Cell, Chart, Column, Series, Style, Styled, Table

_MOST_PARTS = 12
"""More awards than these would be parts of a bar that nobody tells apart."""


def studies_at_most_decks(found: Comparison) -> dict[str, Study]:
    """Give a study of each paytable: with the most decks that all have, or else the most that each has."""
    shared = [count for count in found.decks if all((name, count) in found.at for name in found.names)]
    return {
        name: found.at[name, shared[-1]] if shared else max(found.of(name), key=lambda one: one.shoe.decks)
        for name in found.names
    }


def _where(studies: dict[str, Study]) -> str:
    counts = {one.shoe.decks for one in studies.values()}
    if len(counts) == 1:
        return f"with {decks_text(counts.pop())}"
    return ", ".join(f"{name} with {decks_text(one.shoe.decks)}" for name, one in studies.items())


def awards_table(found: Comparison) -> Table:
    """Show what each award pays, how rarely it comes, and what it returns, in every paytable that has it."""
    studies = studies_at_most_decks(found)
    columns = (Column("Award"), *(Column(name, Style.COUNT) for name in found.names))
    rows: list[tuple[Cell, ...]] = []
    for award in _awards(studies):
        lines = {name: _line(one, award) for name, one in studies.items()}
        rows.append((f"{award}: pays", *(str(line.award.pay) if line else None for line in lines.values())))
        rows.append((f"{award}: 1 in", *(_one_in(line) for line in lines.values())))
        rows.append(
            (f"{award}: return", *(Styled(line.return_, Style.DECIMAL) if line else None for line in lines.values()))
        )
    return Table(columns, tuple(rows), f"Awards, {_where(studies)}")


def _awards(studies: dict[str, Study]) -> Iterator[str]:
    yield from dict.fromkeys(line.award.name for one in studies.values() for line in one.analysis.lines)


def _line(study: Study, award: str) -> Line | None:
    return next((line for line in study.analysis.lines if line.award.name == award), None)


def _one_in(line: Line | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"


def split_chart(found: Comparison) -> Chart | None:
    """Draw of what the return of each paytable is made up, award by award; meters of unknown amounts are left aside."""
    studies = studies_at_most_decks(found)
    awards = list(_awards(studies))
    if len(awards) > _MOST_PARTS:
        return None
    series = tuple(Series(award, tuple(_returned(_line(one, award)) for one in studies.values())) for award in awards)
    is_open = any(not one.analysis.return_.is_constant for one in studies.values())
    aside = "; what meters of unknown amounts return is left aside" if is_open else ""
    return Chart(
        f"Return by award, {_where(studies)}{aside}",
        tuple(studies),
        series,
        is_piled=True,
        y_label="return",
    )


def _returned(line: Line | None) -> Fraction | None:
    return None if line is None else line.return_.constant
