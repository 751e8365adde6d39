"""Identification of a sheet, signatures, and the terms that it uses."""

from __future__ import annotations

from pathlib import PurePath

from combinat.bets.catalog import list_ids
from combinat.bets.paytable import Paytable
from combinat.bets.toml_positions import TextOutline
from reports.page.model import Column, Figure, Section, Table
from reports.sheet.checker import CHECKER, checker_sha256
from reports.sheet.sections.request import Request
from reports.sheet.sections.source import source_figures


def identification_section(request: Request, data_sha256: str) -> Section:
    """Return the section that identifies the bet, the document, the program and the data, and states the source."""
    paytable, shoe, identity = request.analysis.paytable, request.analysis.shoe, request.identity
    removed_text = f", less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""
    file_name = PurePath(paytable.bet.origin).name
    return Section(
        "Identification and source",
        key="identification",
        figures=(
            Figure("Game", _game(paytable)),
            Figure("Bet", paytable.bet.name),
            Figure("Paytable", "-".join((paytable.id, *paytable.variant))),
            Figure("Decks", f"{shoe.decks} of {shoe.pack.size} cards, {shoe.size:,} in all{removed_text}"),
            Figure("Jurisdiction", identity.jurisdiction or "not stated"),
            Figure("Document", request.document_number),
            Figure("Revision", identity.revision),
            Figure("Date", identity.date or "not stated"),
            Figure("Program", request.software),
            Figure(f"SHA-256 of the input{f', {file_name}' if file_name else ''}", request.input_sha256),
            Figure("SHA-256 of the data (JSON)", data_sha256),
            Figure(f"SHA-256 of {CHECKER}", checker_sha256()),
            *source_figures(request),
        ),
    )


def _game(paytable: Paytable) -> str:
    """Return the game of a bet; that of a file of one's own which names none is marked as the default."""
    is_from_catalog = paytable.based_on is not None or paytable.id in list_ids()
    is_stated = is_from_catalog or not paytable.bet.file or "game" in TextOutline.of(paytable.bet.file).data
    return paytable.bet.game if is_stated else f"{paytable.bet.game} (default; the file names no game)"


PREPARED, REVIEWED = "Prepared by", "Reviewed by"
"""Roles of the signers."""
SIGNATURE_LINES = ("Title", "License number", "Date", "Signature")
"""What each signer fills in, after the name."""
_STATEMENTS = {
    PREPARED: "I prepared this sheet. The rules, the paytable and the assumptions are those stated in it.",
    REVIEWED: "I checked this sheet against the cited sources, and I confirm its figures for the stated assumptions.",
}


def signatures_section(request: Request) -> Section:
    """Return the section with a statement and signature lines for each signer."""
    identity = request.identity
    names = {PREPARED: identity.prepared_by, REVIEWED: identity.reviewed_by}
    return Section(
        "Signatures",
        key="signatures",
        text=tuple(f"{role}: {statement}" for role, statement in _STATEMENTS.items()),
        figures=tuple(
            Figure(label, value)
            for role, name in names.items()
            for label, value in ((role, name), *((line, "") for line in SIGNATURE_LINES))
        ),
    )


_TERMS = (
    "Ways: the number of equally likely hands that take an award; the cycle is their total. Return: the mean total "
    "payment for a wager of 1, including the wager; house edge: 1 less the return. Hold: the share of all wagers that "
    "the house keeps in the long run, after contributions to meters. Volatility index: the standard deviation of the "
    "result of a wager times z, the quantile of the normal distribution for a confidence level.",
    "Every figure is computed as an exact fraction or as the square root of one, and rounded once, when it is printed, "
    "to the nearest last digit, halves to even. Approximate figures are marked where they stand.",
    "The SHA-256 of the data is that of the JSON sheet with its keys sorted, without spaces, and without the SHA-256 "
    f"itself. It protects against accidents; a signature protects against intent. {CHECKER} is a page that recounts "
    "the data in a browser, offline.",
)


def terms_section(request: Request) -> Section:
    """Return the section with the terms of the sheet and its revision history."""
    rows = tuple((change.revision, change.date, change.what) for change in request.identity.history)
    columns = (Column("Revision"), Column("Date"), Column("Change"))
    tables = (Table(columns, rows, "Revision history"),) if rows else ()
    return Section("Terms", key="terms", text=_TERMS, tables=tables)
