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
from combinat.requests.par_sheet import SHEET_DIGITS
from combinat.study import build_study
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote
from reports.page.files import write_all
from reports.page.numerals import parse_digits
from reports.publish.index import delete_stale_indexes
from reports.render.formats import FORMATS, PAPERS, render_sheet, sheet_formats
from reports.sheet.identity import Identity, fingerprint, is_in_united_states, sheet_name
from reports.sheet.par_sheet import CERTIFICATE_EXTENSION, ParSheet, build_par_sheet

LETTER = PAPERS[1]


class SheetOptions(Struct, frozen=True):
    """Options of all sheets of a command: formats, decimals, document fields, overrides."""

    formats: tuple[str, ...] = sheet_formats()
    digits: int = SHEET_DIGITS
    identity: Identity = Identity()
    max_wager: Fraction | None = None
    """Largest wager of the table; `None` if it is not stated."""
    meters: dict[str, Fraction] = {}
    posted_jackpot: bool = False
    """Whether meters are posted jackpots, of these amounts or else of their seeds, without contributions."""
    rules: BlackjackRules | None = None
    """The blackjack rules for parlays; `None` for the default table."""
    strategy: str = "best"
    soft_17: str = ""
    """The dealer's soft-17 rule for dealer bets, `h17` or `s17`; empty for that of the bet's file."""
    other_decks: bool = True
    """Whether an option is also computed for the table of other deck counts."""
    paper: str = ""
    """Paper size of PDF files; empty for letter in jurisdictions of the United States and A4 elsewhere."""
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
    verify: bool = False
    """Whether the verifier also recounts bets that take long."""

    def __post_init__(self) -> None:  # a recipe is a file that anybody can edit
        parse_digits(self.digits)
        parse_paper(self.paper)


class SheetSpec(Struct, frozen=True):
    """A par sheet to be written."""

    paytable: Paytable
    decks: int
    table: tuple[str, ...] = ()
    """Blackjack rules that differ from the default table, each as a part of a file name."""

    @property
    def name(self) -> str:
        """The file name without extension, different for different rules."""
        return sheet_name(self.paytable.id, self.decks, *self.paytable.variant, *self.table)


def sheet_spec(paytable: Paytable, decks: int, options: SheetOptions) -> SheetSpec:
    """Return the sheet of a paytable at a deck count.

    >>> from combinat.bets.catalog import get_paytable
    >>> sheet_spec(get_paytable("HM-1"), 6, SheetOptions(rules=BlackjackRules(hits_soft_17=False, max_hands=2))).name
    'HM-1-6D-s17-hands-2'
    """
    paytable = mark_if_variant(paytable)
    if not paytable.bet.option:
        return SheetSpec(paytable, decks)
    rules = options.rules.non_defaults if options.rules is not None else ()
    return SheetSpec(paytable, decks, (*rules, *([] if options.strategy == "best" else [options.strategy])))


class FileRecord(Struct, frozen=True):
    """A file that was written."""

    format: str
    """The name of its format, or `certificate`."""
    name: str
    size: int
    sha256: str


def parse_paper(text: str) -> str:
    """Parse a paper size; an empty text is the default of the jurisdiction.

    >>> parse_paper("Letter")
    'letter'
    """
    paper = text.strip().lower()
    if paper and paper not in PAPERS:
        hint = did_you_mean(paper, PAPERS) or f"; expected {' or '.join(PAPERS)}"
        raise InputError(f"unknown paper size {quote(text)}{hint}")
    return paper


def default_paper(identity: Identity) -> str:
    """Return the paper size of a jurisdiction: letter in the United States, otherwise A4.

    >>> default_paper(Identity(jurisdiction="Washington")), default_paper(Identity())
    ('letter', 'a4')
    """
    return LETTER if is_in_united_states(identity.jurisdiction) else PAPERS[0]


def compute_sheet(sheet: SheetSpec, options: SheetOptions, progress: Progress | None = None) -> ParSheet:
    """Compute a par sheet."""
    amounts = {} if options.posted_jackpot else options.meters  # the paytable has the posted prizes already
    meters = {name: value for name, value in amounts.items() if name in sheet.paytable.meters}
    shoe = Shoe(sheet.decks, sheet.paytable.bet.pack)
    result = build_study(
        sheet.paytable, shoe, meters, options.rules, options.strategy, progress, other_decks=options.other_decks
    )
    optional_arguments = options.rounds_per_hour, options.samples, options.pace, sheet.table, options.verify
    return build_par_sheet(result, options.identity, options.max_wager, options.tests, *optional_arguments)


def render_files(sheet: SheetSpec, par_sheet: ParSheet, options: SheetOptions) -> dict[FileRecord, bytes]:
    """Return the files of a sheet in all formats of the options, and at last its certificate, if it has one."""
    content_by_format = {
        format: render_sheet(par_sheet, format, options.digits, options.paper or default_paper(options.identity))
        for format in options.formats
    }
    names = {format: f"{sheet.name}.{FORMATS[format].extension}" for format in content_by_format}
    if par_sheet.certificate:
        content_by_format["certificate"] = par_sheet.certificate
        names["certificate"] = f"{sheet.name}.{CERTIFICATE_EXTENSION}"
    return {
        FileRecord(format, names[format], len(data), fingerprint(data)): data
        for format, data in content_by_format.items()
    }


def write_files(folder: Path, files: Mapping[FileRecord, bytes]) -> None:
    """Write all files of one sheet, or none."""
    delete_stale_indexes(folder, {record.name: record.sha256 for record in files})
    write_all({folder / record.name: data for record, data in files.items()})


def possible_counts(paytable: Paytable, counts: tuple[int, ...], refusals: list[str]) -> tuple[int, ...]:
    """Return the deck counts that allow the bet's condition; append the reasons for others to `refusals`."""
    if paytable.bet.condition is None:
        return counts
    possible_deck_counts, reasons = [], []
    for count in counts:
        try:
            analyze_wager(paytable, Shoe(count, paytable.bet.pack))
        except NoHandError as error:
            reasons.append(str(error))
        else:
            possible_deck_counts.append(count)
    refusals += dict.fromkeys(reasons)  # a reason common to several deck counts appears once
    return tuple(possible_deck_counts)
