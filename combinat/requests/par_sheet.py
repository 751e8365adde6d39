"""Par sheets: one for each paytable and deck count, and those of a whole collection."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from os import PathLike
from typing import Annotated, Any, Generic, TypeVar

from combinat.bets.catalog import MAIN_COLLECTION, list_collections
from combinat.exact.numbers import parse_number
from combinat.meters.session import Pace, parse_pace
from combinat.requests.arguments import Amount, exact_amount
from combinat.requests.bets import TableRequest
from combinat.requests.reports_hook import ask_reports
from combinat.requests.request import ClusterAddress, Group, Jobs, Notify, Option, Request
from combinat.results.par_sheet import ParSheetAnswer
from decks import InputError
from decks.errors import quote

R = TypeVar("R")
A = TypeVar("A")
DEFAULT_ROUNDS_PER_HOUR = 70
SHEET_DIGITS = 10
"""Default decimals of a probability on a sheet."""
Revision = Annotated[str | int, Option("Revision of the document.", group=Group.DOCUMENT)]
Date = Annotated[
    str | None,
    Option(
        "Date of the document, such as 2026-11-16.",
        group=Group.DOCUMENT,
        default="from SOURCE_DATE_EPOCH, otherwise blank",
    ),
]
PreparedBy = Annotated[
    str,
    Option('Name of the preparer, such as "A. Mathematician".', group=Group.DOCUMENT, default="a line for a signature"),
]
ReviewedBy = Annotated[str, Option("Name of the reviewer.", group=Group.DOCUMENT, default="a line for a signature")]
Jurisdiction = Annotated[
    str,
    Option("Jurisdiction of the submission. If it has jurisdiction tests, only these are shown.", group=Group.DOCUMENT),
]
History = Annotated[
    Sequence[str],
    Option(
        'Line of the revision history, such as "1, 2026-01-10: first issue". May be repeated.',
        group=Group.DOCUMENT,
        is_repeated=True,
    ),
]
Tests = Annotated[
    str | PathLike[str] | None,
    Option("TOML file of jurisdiction tests.", group=Group.DOCUMENT, default="the tests of combinat"),
]
MaxWager = Annotated[
    Amount | None,
    Option("Largest wager at the table, for the exposure. Not used with meters.", unit="money", group=Group.DOCUMENT),
]
OtherDecks = Annotated[
    bool,
    Option(
        "For a bet with a parlay or press, solve best play for all deck counts of the deck table. Takes seconds for "
        "each.",
        ("--other-decks/--no-other-decks",),
    ),
]
Verify = Annotated[
    bool,
    Option(
        "Recount bets that take long too before their sheets are written: seconds for the dealer's hand and Lucky 9, a "
        "minute for a parlay. Without it their sheets say that they were not recounted.",
        ("--verify",),
    ),
]
Digits = Annotated[int, Option("Decimals of probabilities; percentages have two fewer.", group=Group.OUTPUT)]
Paper = Annotated[
    str,
    Option(
        "Paper size of PDF files: a4 or letter.",
        group=Group.OUTPUT,
        default="letter for jurisdictions of the United States, otherwise a4",
    ),
]


class SheetRequest(TableRequest[R, A], Generic[R, A], frozen=True, kw_only=True):
    """A request for par sheets, one for each paytable and deck count."""

    posted_jackpot: Annotated[
        bool,
        Option(
            "Treat the meters as posted jackpots, fixed prizes without contributions, at the amounts of --meter or at "
            "their seeds."
        ),
    ] = False
    other_decks: OtherDecks = True
    verify: Verify = False
    counting: Annotated[
        bool,
        Option(
            "Add the card-counting section: effects of removal, the best counts and what they win. Takes seconds to "
            "minutes."
        ),
    ] = False
    rounds_per_hour: Annotated[
        Amount | None,
        Option("With --counting: rounds per hour, such as 70.", unit="rounds", default=str(DEFAULT_ROUNDS_PER_HOUR)),
    ] = None
    samples: Annotated[
        int,
        Option(
            "With --counting: estimate the upper bound for perfect play from this number of sampled shoes, such as "
            "2000.",
            ("--bound",),
            default="no estimate",
        ),
    ] = 0
    plays_per_day: Annotated[
        Amount | None,
        Option("Wagers per day on each meter, such as 2000. Adds days between hits and hits per year.", unit="wagers"),
    ] = None
    days: Annotated[
        Amount | None, Option("With --plays-per-day: days for the probabilities of hits.", unit="days", default="30")
    ] = None
    document: Annotated[
        str,
        Option(
            "Document number, such as MB-2026-014.",
            group=Group.DOCUMENT,
            default="from the paytable and the deck count",
        ),
    ] = ""
    revision: Revision = "1"
    date: Date = None
    prepared_by: PreparedBy = ""
    reviewed_by: ReviewedBy = ""
    jurisdiction: Jurisdiction = ""
    history: History = ()
    tests: Tests = None
    max_wager: MaxWager = None
    digits: Digits = SHEET_DIGITS
    paper: Paper = ""

    def check_shoe(self) -> None:
        """Raise `InputError` for options that a sheet, which is of a full shoe, does not have."""
        for name in ("removed", "up"):
            if getattr(self, name) != self.default_of(name):
                raise InputError(f"a par sheet is of a full shoe before the deal; leave {name} out")

    @property
    def largest_wager(self) -> Fraction | None:
        """The largest wager at the table; `None` if it is not stated."""
        return parse_max_wager(self.max_wager)

    @property
    def pace(self) -> Pace | None:
        """The pace of play on the meters; `None` if it is not given."""
        texts = [None if value is None else str(value) for value in (self.plays_per_day, self.days)]
        return parse_pace(*texts)

    @property
    def counting_rounds(self) -> Fraction | None:
        """The rounds per hour of the card-counting section; `None` without that section."""
        if not self.counting:
            for option, is_given in (("rounds_per_hour", self.rounds_per_hour is not None), ("bound", self.samples)):
                if is_given:
                    flag = option.replace("_", "-")
                    raise InputError(f"--{flag} belongs to the card-counting section; add --counting (counting=True)")
            return None
        rounds = DEFAULT_ROUNDS_PER_HOUR if self.rounds_per_hour is None else self.rounds_per_hour
        number = parse_number(rounds) if isinstance(rounds, str) else exact_amount(rounds, "--rounds-per-hour")
        if number is None or number <= 0:
            raise InputError(f"--rounds-per-hour must be a positive number such as 70, got {quote(rounds)}")
        if self.samples and self.samples < 2:
            raise InputError(f"--bound must be 2 or more sampled shoes, got {self.samples}")
        return number


class Parsheet(SheetRequest[Sequence[Any], ParSheetAnswer], frozen=True, kw_only=True):
    """Write the par sheets of paytables.

    There is one sheet for each paytable and deck count.
    """

    def answer(self, notify: Notify) -> Sequence[Any]:
        sheets: Sequence[Any] = ask_reports(self, notify)
        return sheets

    def results(self, computed: Sequence[Any]) -> Sequence[ParSheetAnswer]:
        return [sheet.answer for sheet in computed]


def parse_max_wager(amount: Amount | None) -> Fraction | None:
    """Return the largest wager, `None` if it is not stated; raise `InputError` unless it is positive."""
    if amount is None:
        return None
    wager = parse_number(amount) if isinstance(amount, str) else exact_amount(amount, "--max-wager")
    if wager is None or wager <= 0:
        raise InputError(f"--max-wager must be a positive amount such as 100, got {quote(amount)}")
    return wager


class Parsheets(Request[None, Any], frozen=True, kw_only=True):
    """Write the par sheets of a collection of the catalog.

    Also writes an index page and a manifest with the SHA-256 of each file. The same command resumes an interrupted run.
    """

    only: Annotated[
        str,
        Option("Write only ids that match one of these patterns, such as 'TRI-*' or 'TRI-*,HM-1'.", names="paytable"),
    ] = "*"
    collection: Annotated[
        str,
        Option(
            f"Collection of the catalog: {', '.join(list_collections())}.",
            ("--collection", "--shelf"),
            names="collection",
        ),
    ] = MAIN_COLLECTION
    decks: Annotated[
        str | None,
        Option("Deck counts, such as 6 or 1,2,4-8.", ("--decks", "-d"), default="those of the design"),
    ] = None
    other_decks: OtherDecks = True
    verify: Verify = False
    jobs: Jobs = 0
    cluster: ClusterAddress = ""
    revision: Revision = "1"
    date: Date = None
    prepared_by: PreparedBy = ""
    reviewed_by: ReviewedBy = ""
    jurisdiction: Jurisdiction = ""
    history: History = ()
    tests: Tests = None
    max_wager: MaxWager = None
    digits: Digits = SHEET_DIGITS
    paper: Paper = ""
