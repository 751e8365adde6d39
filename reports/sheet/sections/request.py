"""Input of a par sheet: the study of the bet and the user's settings."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.exposure import JurisdictionTest
from combinat.meters.session import Pace
from combinat.study import Study
from reports.sheet.identity import Identity, input_fingerprint, software_version

if TYPE_CHECKING:
    from combinat.counting.summary import CountingSummary


class Request(Struct, frozen=True, dict=True):
    """Everything that a par sheet is built from."""

    study: Study
    identity: Identity = Identity()
    max_wager: Fraction = Fraction(100)
    """Maximum wager of the table, for the exposure of a bet without a fixed wager."""

    tests: tuple[JurisdictionTest, ...] = ()
    """Jurisdiction tests to apply."""
    rounds_per_hour: Fraction | None = None
    """Rounds per hour; adds the section on card counting."""
    samples: int = 0
    """Shoes to sample for the upper bound of all counts; 0 to omit it."""
    pace: Pace | None = None
    """Pace of play; adds the hits of meters per day and year."""
    table: tuple[str, ...] = ()
    """Blackjack rules that are not the default ones, as written in the document number."""

    @cached_property
    def watch(self) -> CountingSummary | None:
        """The results of card counting, or `None` if not requested."""
        if self.rounds_per_hour is None:
            return None
        from combinat.counting.summary import summarize_counting  # few sheets need it

        return summarize_counting(self.study, self.samples)

    @property
    def analysis(self) -> Analysis:
        """The analysis of the wager alone."""
        return self.study.analysis

    @property
    def stake(self) -> Fraction:
        """The wager of the exposure section: the fixed wager of a bet with meters, else the maximum wager."""
        return self.analysis.meter_wager if self.analysis.paytable.meters else self.max_wager

    @property
    def document_number(self) -> str:
        """The document number: as given, else built from paytable, deck count and variant."""
        paytable = self.analysis.paytable
        pieces = (paytable.id, f"{self.analysis.shoe.decks}D", *paytable.variant, *self.table)
        return self.identity.document or "-".join(pieces)

    @cached_property
    def input_sha256(self) -> str:
        """The SHA-256 of the bet file."""
        return input_fingerprint(self.analysis.paytable)

    @cached_property
    def software(self) -> str:
        """The name and version of the program."""
        return software_version()
