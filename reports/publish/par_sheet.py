"""Par sheets of a request: compute them, inspect one, and save it in the format of the file name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.bets.variants import as_posted_jackpot
from combinat.requests.arguments import text_argument
from combinat.requests.bets import read_meters
from combinat.requests.par_sheet import Parsheet, Parsheets, SheetRequest, parse_max_wager
from combinat.requests.request import Notify
from combinat.results.par_sheet import ParSheetAnswer
from decks import InputError
from decks.errors import quote
from reports.page.files import write_file
from reports.page.model import Document
from reports.page.numerals import parse_digits
from reports.publish.recipe import compute_sheet_with_recipe
from reports.publish.sheets import SheetOptions, SheetSpec, default_paper, parse_paper, sheet_spec
from reports.render.formats import FORMATS, parse_sheet_formats, render_sheet, sheet_formats
from reports.sheet.identity import Identity, parse_change, sheet_date
from reports.sheet.par_sheet import CERTIFICATE_EXTENSION, ParSheet
from reports.sheet.sections.jurisdictions import load_tests


class ComputedSheet:
    """A computed par sheet."""

    def __init__(self, spec: SheetSpec, par_sheet: ParSheet, digits: int, paper: str) -> None:
        self._spec = spec
        self._par_sheet = par_sheet
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
        return self._spec.name

    @property
    def answer(self) -> ParSheetAnswer:
        """Every figure of the sheet, exact."""
        return self._par_sheet.answer

    @property
    def payload(self) -> dict[str, Any]:
        """The JSON data of the sheet."""
        return self._par_sheet.payload

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON data of the sheet."""
        return self.payload

    def __getattr__(self, name: str) -> Callable[..., bytes]:
        """Return the function that renders the sheet in a format: `sheet.pdf()` are the bytes of a PDF file.

        With a path it also writes them: `sheet.pdf("mine.pdf")`.
        """
        if name.startswith("_") or name not in sheet_formats():
            raise AttributeError(f"a par sheet has no {name!r}; its formats are {', '.join(sheet_formats())}")
        return partial(self._render, name)

    def _render(self, format: str, path: str | PathLike[str] | None = None) -> bytes:
        """Return the bytes of a file in a format; write them to `path` if there is one."""
        content = self.content(format)
        if path is not None:
            write_file(Path(path), content, named=True)
        return content

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *sheet_formats()]

    @property
    def document(self) -> Document:
        """The document that readers see, section by section."""
        return self._par_sheet.document

    def text(self, format: str = "markdown") -> str:
        """Return the sheet as text: Markdown, HTML, CSV, JSON or LaTeX."""
        format = text_argument(format, "the format")
        (name, *more_names) = parse_sheet_formats(format)
        if more_names or FORMATS[name].is_binary:
            raise InputError(f"{quote(format)} is not a text format; save the sheet as a file instead")
        return self.content(name).decode("utf-8")

    def content(self, format: str) -> bytes:
        """Return the sheet as the bytes of a file in a format."""
        (name, *more_names) = parse_sheet_formats(text_argument(format, "the format"))
        if more_names:
            raise InputError(f"expected one format, got {quote(format)}")
        return render_sheet(self._par_sheet, name, self._digits, self._paper)

    def save(self, path: str | PathLike[str] = "") -> Path:
        """Write the sheet to a file in the format of its suffix, as PDF for a folder or no path; return the path.

        The certificate of best play, if the sheet has one, is written beside it.
        """
        if not isinstance(path, (str, PathLike)):
            raise InputError(f"cannot save to {quote(path)}: expected a path")
        target = Path(path)
        with suppress(OSError):  # an invalid path; writing reports the reason
            if not str(path) or target.is_dir():
                target /= f"{self.name}.pdf"
        formats = parse_sheet_formats(target.suffix.removeprefix(".") or "none")
        write_file(target, self.content(formats[0]), named=True)
        if self._par_sheet.certificate:
            write_file(target.with_suffix(f".{CERTIFICATE_EXTENSION}"), self._par_sheet.certificate)
        return target


def compute_sheets(request: Parsheet, notify: Notify) -> list[ComputedSheet]:
    """Return the sheet of every paytable of a request at every requested deck count."""
    options, all_options = sheet_options(request, notify), sheet_options(request, _ignore, for_command=True)
    sheets = []
    for paytable, shoe, meters in request.iter_cases(notify):
        posted = as_posted_jackpot(paytable, meters) if request.posted_jackpot else paytable
        spec = sheet_spec(posted, shoe.decks, options)
        par_sheet = compute_sheet_with_recipe(spec, options, recipe_options=all_options)
        sheets.append(ComputedSheet(spec, par_sheet, options.digits, options.paper))
    return sheets


def sheet_options(
    request: SheetRequest[Any, Any],
    notify: Notify,
    formats: tuple[str, ...] = sheet_formats(),
    *,
    for_command: bool = False,
) -> SheetOptions:
    """Return the options of all sheets of a request.

    Sheets `for_command` load their paytables again from the arguments of the command, so that their options also hold
    the overrides.
    """
    request.check_shoe()
    paytables = request.paytables(notify if for_command else _ignore)
    metered = [paytable.id for paytable in paytables if paytable.meters]
    if metered and request.largest_wager is not None:
        notify(f"--max-wager is ignored for {', '.join(metered)}: a bet with meters has a fixed wager")
    unmetered = [paytable.id for paytable in paytables if not paytable.meters]
    if unmetered and request.pace is not None:
        notify(f"--plays-per-day is ignored for {', '.join(unmetered)}: there is no meter")
    meters = read_meters(request.meters, paytables)
    if request.posted_jackpot:
        for paytable in paytables:  # raises InputError before anything is written
            as_posted_jackpot(paytable, {name: value for name, value in meters.items() if name in paytable.meters})
    options = replace(
        document_options(request, formats),
        meters=meters,
        posted_jackpot=request.posted_jackpot,
        rules=request.blackjack_rules,
        strategy=request.strategy,
        other_decks=request.other_decks,
        rounds_per_hour=request.counting_rounds,
        samples=request.samples,
        pace=request.pace,
    )
    return replace(options, **_overrides(request, paytables)) if for_command else options


def _ignore(_: str) -> None:
    """Drop a message that is sent again while the sheets are computed."""


def _overrides(request: SheetRequest[Any, Any], paytables: Sequence[Paytable]) -> dict[str, Any]:
    hits = request.hits_soft_17
    return {
        "soft_17": "" if hits is None else "h17" if hits else "s17",
        "settings": request.game_settings(paytables),
        "pays": tuple(map(str, request.pay_overrides)),
        "run": request.other_meter_terms,
    }


def document_options(request: SheetRequest[Any, Any] | Parsheets, formats: tuple[str, ...]) -> SheetOptions:
    """Return the options that are the same for all sheets of a command: the document, its figures, its format."""
    history = request.history
    if isinstance(history, str) or not isinstance(history, Sequence):
        raise InputError(f"history must be a list of lines, got {quote(history)}")
    if request.tests is not None and not isinstance(request.tests, (str, PathLike)):
        raise InputError(f"tests must be the path of a file, got {quote(request.tests)}")
    identity = Identity(
        text_argument(getattr(request, "document", ""), "the document"),
        text_argument(request.revision, "the revision"),
        sheet_date(None if request.date is None else text_argument(request.date, "the date")),
        text_argument(request.prepared_by, "prepared_by"),
        text_argument(request.reviewed_by, "reviewed_by"),
        text_argument(request.jurisdiction, "the jurisdiction"),
        tuple(parse_change(text_argument(line, "the history")) for line in history),
    )
    return SheetOptions(
        formats=formats,
        digits=parse_digits(request.digits),
        identity=identity,
        max_wager=parse_max_wager(request.max_wager),
        tests=None if request.tests is None else load_tests(Path(fspath(request.tests))),
        paper=parse_paper(text_argument(request.paper, "the paper")) or default_paper(identity),
        other_decks=request.other_decks,
        verify=request.verify,
    )
