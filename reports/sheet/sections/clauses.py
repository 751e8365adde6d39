"""Appendix: the clauses of the source documents that concern a bet, and where the sheet accounts for each."""

from __future__ import annotations

from combinat.bets.sources import Clause, clauses_of
from reports.page.model import Cell, Column, Section, Table
from reports.sheet.sections.request import Request


def clauses_section(request: Request) -> Section | None:
    """Return the clause matrix of the bet's source documents; `None` if they are not on file."""
    paytable = request.analysis.paytable
    clauses = clauses_of(paytable)
    if not clauses:
        return None
    citations: dict[tuple[str, str, str], list[str]] = {}
    for document, clause in clauses:  # the same clause of several documents is one row
        row = (clause.text, clause.status, clause.where)
        citations.setdefault(row, []).append(f"{document.label}, {clause.section}")
    columns = (Column("Clause"), Column("Document and section"), Column("Status"), Column("Where, or why not"))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (text, "; ".join(cited), status, where) for (text, status, where), cited in citations.items()
    )
    counts = ", ".join(f"{_count(status, clauses)} {status}" for status in ("modelled", "stated", "procedural"))
    original = f" of {paytable.based_on.id}, on which this variant is based" if paytable.based_on else ""
    based_on = f"Based on {paytable.based_on.id}: " if paytable.based_on else ""
    documents = {document.label: f"{based_on}{document.title}" for document, _ in clauses}
    return Section(
        "Appendix: clauses of the sources",
        key="clauses",
        text=(
            f"Every clause of the source documents{original} that concerns this bet, restated: {len(clauses)} clauses, "
            f"{counts}. A clause of several documents is one row. Modelled: part of the figures. Stated: on this "
            "sheet, without effect on the figures. Procedural: not on this sheet.",
            *(f"{label}: {title}." for label, title in documents.items()),
        ),
        tables=(Table(columns, rows, "Clause matrix"),),
    )


def _count(status: str, clauses: tuple[tuple[object, Clause], ...]) -> int:
    return sum(clause.status == status for _, clause in clauses)
