"""Make the files of a par sheet: one for each paytable, deck count and format."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from msgspec import Struct

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.exposure import JurisdictionTest
from combinat.bets.catalog import mark_if_variant
from combinat.bets.paytable import Paytable
from combinat.bets.variants import MeterOverrides
from combinat.blackjack.rules import BlackjackRules
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.meters.session import Pace
from combinat.study import build_study
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote
from reports.page.files import format_json, write_all
from reports.publish.index import delete_stale_indexes
from reports.render import pdf, render
from reports.sheet.identity import Identity, fingerprint
from reports.sheet.par_sheet import ParSheet, build_par_sheet

EXTENSIONS = {
    "pdf": "pdf",
    "xlsx": "xlsx",
    "html": "html",
    "markdown": "md",
    "csv": "csv",
    "json": "json",
    "latex": "tex",
}
SHEET_DIGITS = 10
PAPERS = ("a4", "letter")
SCHEMA = Path(__file__).parent / "par_sheet.schema.json"


class SheetOptions(Struct, frozen=True):
    """Options of all sheets of a command: formats, decimals, document fields, overrides."""

    formats: tuple[str, ...] = tuple(EXTENSIONS)
    digits: int = SHEET_DIGITS
    identity: Identity = Identity()
    max_wager: Fraction = Fraction(100)
    meters: dict[str, Fraction] = {}
    house_jackpot: bool = False
    """Whether meters are posted jackpots, of these amounts or else of their seeds, without contributions."""
    rules: BlackjackRules | None = None
    """The blackjack rules for parlays; `None` for the default table."""
    strategy: str = "best"
    soft_17: str = ""
    """The dealer's soft-17 rule for dealer bets, `h17` or `s17`; empty for that of the bet's file."""
    other_decks: bool = True
    """Whether an option is also computed for the table of other deck counts."""
    paper: str = PAPERS[0]
    """Paper size of PDF files."""
    settings: dict[str, str] = {}
    """Settings of games by key."""
    pays: tuple[str, ...] = ()
    """Pay overrides, one variant each."""
    run: MeterOverrides | None = None
    """Overrides of the meters' terms."""
    tests: tuple[JurisdictionTest, ...] | None = None
    """Jurisdiction tests; `None` for the built-in ones."""
    rounds_per_hour: Fraction | None = None
    """Rounds per hour, if sheets include card counting."""
    samples: int = 0
    """Shoes to sample for the upper bound of perfect play; 0 for none."""
    pace: Pace | None = None
    """Pace of play, if sheets include hits of meters."""


class SheetSpec(Struct, frozen=True):
    """A par sheet to be written."""

    paytable: Paytable
    decks: int
    table: tuple[str, ...] = ()
    """Blackjack rules that differ from the default table, each as a part of a file name."""

    @property
    def name(self) -> str:
        """The file name without extension, different for different rules."""
        return "_".join([sheet_file_name(self.paytable.id, self.decks), *self.paytable.variant, *self.table])


def sheet_spec(paytable: Paytable, decks: int, options: SheetOptions) -> SheetSpec:
    """Return the sheet of a paytable at a deck count.

    >>> from combinat.bets.catalog import get_paytable
    >>> sheet_spec(get_paytable("HM-1"), 6, SheetOptions(rules=BlackjackRules(hits_soft_17=False, max_hands=2))).name
    'HM-1_6-decks_s17_hands-2'
    """
    paytable = mark_if_variant(paytable)
    if not paytable.bet.option:
        return SheetSpec(paytable, decks)
    rules = options.rules.unusual if options.rules is not None else ()
    return SheetSpec(paytable, decks, (*rules, *([] if options.strategy == "best" else [options.strategy])))


def sheet_file_name(id: str, decks: int) -> str:
    """Return the base of a sheet's file name.

    >>> sheet_file_name("TRI-03", 6)
    'TRI-03_6-decks'
    """
    return f"{id}_{decks}-deck{'s' if decks > 1 else ''}"


class FileRecord(Struct, frozen=True):
    """A file that was written."""

    format: str
    name: str
    size: int
    sha256: str


def parse_sheet_formats(text: str) -> tuple[str, ...]:
    """Parse a list of sheet formats.

    >>> parse_sheet_formats("pdf, md")
    ('pdf', 'markdown')
    """
    if text.strip().lower() == "all":
        return tuple(EXTENSIONS)
    formats = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",")))
    extensions = {extension: name for name, extension in EXTENSIONS.items()}
    named = tuple(dict.fromkeys(extensions.get(name, name) for name in formats))
    for name in named:
        if name not in EXTENSIONS:
            hint = did_you_mean(name, EXTENSIONS) or f"; sheets are written as {', '.join(EXTENSIONS)}"
            raise InputError(f"no sheet format {quote(name)}{hint}")
    return named


def parse_paper(text: str) -> str:
    """Parse a paper size.

    >>> parse_paper("Letter")
    'letter'
    """
    paper = text.strip().lower()
    if paper not in PAPERS:
        hint = did_you_mean(paper, PAPERS) or f"; it is {' or '.join(PAPERS)}"
        raise InputError(f"no paper {quote(text)}{hint}")
    return paper


def compute_sheet(sheet: SheetSpec, options: SheetOptions, progress: Progress | None = None) -> ParSheet:
    """Compute a par sheet."""
    amounts = {} if options.house_jackpot else options.meters  # the prizes are the paytable's own then
    meters = {name: value for name, value in amounts.items() if name in sheet.paytable.meters}
    shoe = Shoe(sheet.decks, sheet.paytable.bet.pack)
    result = build_study(
        sheet.paytable, shoe, meters, options.rules, options.strategy, progress, other_decks=options.other_decks
    )
    extras = options.rounds_per_hour, options.samples, options.pace, sheet.table
    return build_par_sheet(result, options.identity, options.max_wager, options.tests, *extras)


def render_sheet(made: ParSheet, format: str, digits: int, paper: str = PAPERS[0]) -> bytes:
    """Return the bytes of a sheet in one format."""
    if format == "json":
        return format_json(made.payload).encode("utf-8")
    if format == "xlsx":
        from reports.render import workbook  # what only one format needs is loaded when that is written

        return workbook.render(made, digits)
    if format == "pdf":
        identity = made.identity
        return pdf.render(made.document, digits, author=identity.prepared_by, date=identity.date, paper=paper)
    return render(made.document, format, digits).encode("utf-8")


def render_files(sheet: SheetSpec, made: ParSheet, options: SheetOptions) -> dict[FileRecord, bytes]:
    """Return the files of a sheet in all formats of the options."""
    files = {format: render_sheet(made, format, options.digits, options.paper) for format in options.formats}
    return {
        FileRecord(format, f"{sheet.name}.{EXTENSIONS[format]}", len(data), fingerprint(data)): data
        for format, data in files.items()
    }


def write_files(folder: Path, files: Mapping[FileRecord, bytes]) -> None:
    """Write all files of one sheet, or none."""
    delete_stale_indexes(folder, {record.name: record.sha256 for record in files})
    write_all({folder / record.name: data for record, data in files.items()})


def possible_counts(paytable: Paytable, counts: tuple[int, ...], refused: list[str]) -> tuple[int, ...]:
    """Return the deck counts that allow the bet's condition; append the reasons for others to `refused`."""
    if paytable.bet.given is None:
        return counts
    possible, reasons = [], []
    for count in counts:
        try:
            analyze_wager(paytable, Shoe(count, paytable.bet.pack))
        except NoHandError as error:
            reasons.append(str(error))
        else:
            possible.append(count)
    refused += dict.fromkeys(reasons)  # what holds at any deck count is said once
    return tuple(possible)
