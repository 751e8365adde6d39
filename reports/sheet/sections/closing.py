"""Last section of a sheet: terms, source file and software."""

from __future__ import annotations

from pathlib import PurePath

from reports.page.model import Column, Figure, Section, Table
from reports.sheet.sections.request import Request

_TERMS = (
    "Ways: how many of the equally likely hands take an award; all together they are the cycle. Return: what comes "
    "back of a wager of one on average; house edge: one less the return. Hold: the part of all wagers that the house "
    "keeps in the long run, meters included. Volatility index: the standard deviation of a play's result times z, the "
    "point of the normal curve for a confidence.",
    "Every figure is worked out as an exact fraction, or as the root of one, and rounded once, when it is written, to "
    "the nearest last digit, halves to even. What is approximate is called so where it stands.",
)
_FINGERPRINT = (
    "The fingerprint of the data is that of the JSON sheet with its keys sorted, without spaces, and without the "
    "fingerprint itself. Whoever changes the data can recompute it: it protects against accidents, a signature against "
    "intent."
)


def identification_section(request: Request, data_sha256: str) -> Section:
    """Return the section that identifies the bet, its file and the software, with a glossary of terms."""
    paytable, shoe = request.analysis.paytable, request.analysis.shoe
    removed = f", less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""
    file = PurePath(paytable.bet.origin).name
    return Section(
        "Identification and terms",
        key="identification",
        figures=(
            Figure("Game", paytable.bet.game),
            Figure("Bet", paytable.bet.name),
            Figure("Paytable", paytable.id),
            Figure("Decks", f"{shoe.decks} of {shoe.pack.size} cards, {shoe.size:,} cards in all{removed}"),
            Figure("Designed for", paytable.decks_text),
            Figure("Source", "; ".join(paytable.bet.sources) or "the bet's file itself"),
            Figure("Software", request.software),
            Figure(f"SHA-256 of the bet's file{f', {file}' if file else ''}", request.input_sha256),
            Figure("SHA-256 of this sheet's data", data_sha256),
        ),
        tables=_history(request),
        notes=(*_TERMS, _FINGERPRINT),
    )


def _history(request: Request) -> tuple[Table, ...]:
    """Return the revision history; empty if none was given."""
    rows = tuple((change.revision, change.date, change.what) for change in request.identity.history)
    columns = (Column("Revision"), Column("Date"), Column("Change"))
    return (Table(columns, rows, "Revision history"),) if rows else ()
