"""Python API of par sheets: compute one, inspect it, and save it in the format of the file name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

from combinat.api.arguments import (
    Amount,
    BetLike,
    Meters,
    Pays,
    exact_amount,
    load,
    meter_amounts,
    shoe_for,
    table_rules,
    text_argument,
)
from combinat.bets.variants import as_house_jackpot
from combinat.blackjack.rules import BlackjackRules
from combinat.meters.session import Pace
from decks import InputError
from decks.errors import quote
from reports.page.files import write_file
from reports.page.model import Document
from reports.publish.sheets import (
    EXTENSIONS,
    PAPERS,
    SHEET_DIGITS,
    SheetOptions,
    SheetSpec,
    compute_sheet,
    parse_paper,
    parse_sheet_formats,
    render_sheet,
    sheet_spec,
)
from reports.sheet.identity import Identity, parse_change, sheet_date
from reports.sheet.par_sheet import ParSheet
from reports.sheet.sections.jurisdictions import load_tests


class ComputedSheet:
    """A computed par sheet."""

    def __init__(self, sheet: SheetSpec, made: ParSheet, digits: int, paper: str) -> None:
        self._sheet = sheet
        self._made = made
        self._digits = digits
        self._paper = paper

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComputedSheet):
            return NotImplemented
        settings = (self.name, self._digits, self._paper, self.document)
        return settings == (other.name, other._digits, other._paper, other.document) and self.payload == other.payload

    def __hash__(self) -> int:
        return hash((self.name, self._digits, self._paper))

    def __repr__(self) -> str:
        return f"<ParSheet {self.name}>"

    def _repr_html_(self) -> str:
        return self.text("html")

    @property
    def name(self) -> str:
        """The name of its files, without extension."""
        return self._sheet.name

    @property
    def payload(self) -> dict[str, Any]:
        """The JSON data: every figure, exact."""
        return self._made.payload

    @property
    def document(self) -> Document:
        """The document that readers see, section by section."""
        return self._made.document

    def text(self, format: str = "markdown") -> str:
        """Return the sheet as text: Markdown, HTML, CSV, JSON or LaTeX."""
        format = text_argument(format, "the format")
        (name,) = parse_sheet_formats(format) if "," not in format else ("",)
        if name not in EXTENSIONS or name in ("pdf", "xlsx"):
            raise InputError(f"the format {quote(format)} is no text; save the sheet as a file instead")
        return self.content(name).decode("utf-8")

    def content(self, format: str) -> bytes:
        """Return the sheet as the bytes of a file in a format."""
        (name, *more_names) = parse_sheet_formats(text_argument(format, "the format"))
        if more_names:
            raise InputError(f"a file has one format, not {quote(format)}")
        return render_sheet(self._made, name, self._digits, self._paper)

    def save(self, path: str | PathLike[str] = "") -> Path:
        """Write the sheet to a file in the format of its suffix, as PDF for a folder or no path; return the path."""
        if not isinstance(path, (str, PathLike)):
            raise InputError(f"no file {quote(path)}; write its path")
        target = Path(path)
        with suppress(OSError):  # no path that there can be; to write there says why
            if not str(path) or target.is_dir():
                target /= f"{self.name}.pdf"
        formats = parse_sheet_formats(target.suffix.removeprefix(".") or "none")
        write_file(target, self.content(formats[0]), named=True)
        return target


def par_sheet(
    bet: BetLike,
    decks: int | None = None,
    *,
    meters: Meters | None = None,
    pays: Pays | None = None,
    house_jackpot: bool = False,
    rules: BlackjackRules | Mapping[str, object] | None = None,
    strategy: str = "best",
    max_wager: Amount = 100,
    document: str = "",
    revision: str = "1",
    date: str | None = None,
    prepared_by: str = "",
    reviewed_by: str = "",
    jurisdiction: str = "",
    history: Sequence[str] = (),
    tests: str | Path | None = None,
    digits: int = SHEET_DIGITS,
    other_decks: bool = True,
    rounds_per_hour: Amount | None = None,
    plays_per_day: Amount | None = None,
    days: Amount = 30,
    paper: str = PAPERS[0],
) -> ComputedSheet:
    """Compute the par sheet of a bet at a deck count; the document fields are those of the command line.

    `pays` overrides pays of awards. With `house_jackpot`, the meters are posted jackpots of the given amounts, or of
    their seeds, without contributions. `rounds_per_hour` adds card counting, `plays_per_day` adds meter hits per day
    and within `days`. Without `other_decks`, parlays are not computed for other deck counts, which takes long.

    >>> sheet = par_sheet("TRI-02", decks=2, prepared_by="A. Analyst")
    >>> sheet, sheet.payload["house_edge"]
    (<ParSheet TRI-02_2-decks>, '1265/45526')
    """
    paytable = load(bet, pays)
    amounts = meter_amounts(meters, paytable)
    paytable = as_house_jackpot(paytable, amounts) if house_jackpot else paytable
    if isinstance(history, str) or not isinstance(history, Sequence):
        raise InputError(f"the history: no list {quote(history)}; write a list of lines")
    identity = Identity(
        text_argument(document, "the document"),
        text_argument(revision, "the revision"),
        sheet_date(None if date is None else text_argument(date, "the date")),
        text_argument(prepared_by, "prepared_by"),
        text_argument(reviewed_by, "reviewed_by"),
        text_argument(jurisdiction, "the jurisdiction"),
        tuple(parse_change(text_argument(line, "the history")) for line in history),
    )
    wager = exact_amount(max_wager, "the maximum wager")
    if wager <= 0:
        raise InputError(f"the maximum wager: no amount {quote(max_wager)}; write more than nothing, as in 100")
    if tests is not None and not isinstance(tests, (str, PathLike)):
        raise InputError(f"the tests: no file {quote(tests)}; write its path")
    options = SheetOptions(
        digits=digits,
        identity=identity,
        tests=None if tests is None else load_tests(Path(tests)),
        max_wager=wager,
        meters=amounts,
        house_jackpot=house_jackpot,
        rules=table_rules(rules, None),
        strategy=strategy,
        other_decks=other_decks,
        rounds_per_hour=None if rounds_per_hour is None else exact_amount(rounds_per_hour, "the rounds per hour"),
        pace=None
        if plays_per_day is None
        else Pace(exact_amount(plays_per_day, "the plays per day"), exact_amount(days, "the days")),
    )
    sheet = sheet_spec(paytable, shoe_for(paytable, decks, None, ()).decks, options)
    return ComputedSheet(sheet, compute_sheet(sheet, options), digits, parse_paper(text_argument(paper, "the paper")))
