"""Input of a par sheet: the study of the bet and the user's settings."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.alternatives import AssumptionEffect, assumption_effects
from combinat.analysis.analysis import Analysis
from combinat.analysis.exposure import TABLE_GAMES, JurisdictionTest
from combinat.meters.session import Pace
from combinat.study import Study
from reports.sheet.identity import Identity, input_fingerprint, sheet_name, software_version

if TYPE_CHECKING:
    from combinat.counting.summary import CountingSummary


EXAMPLE_WAGER = Fraction(100)
"""The wager of the exposure section if the largest wager of the table is not stated."""


class Request(Struct, frozen=True, dict=True):
    """Everything that a par sheet is built from."""

    study: Study
    identity: Identity = Identity()
    max_wager: Fraction | None = None
    """Largest wager of the table, for the exposure of a bet without a fixed wager; `None` if it is not stated."""

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
    def counting_summary(self) -> CountingSummary | None:
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
        """The wager of the exposure section: the fixed one of a bet with meters, the largest one, or an example."""
        return self.analysis.meter_wager if self.analysis.paytable.meters else self.max_wager or EXAMPLE_WAGER

    @property
    def is_stake_stated(self) -> bool:
        """Whether the wager of the exposure section is fixed by the bet or was stated for the table."""
        return bool(self.analysis.paytable.meters) or self.max_wager is not None

    @property
    def applicable_tests(self) -> tuple[JurisdictionTest, ...]:
        """The tests for table games of the sheet's jurisdiction, or of all; those of money need a stated wager."""
        jurisdiction = self.identity.jurisdiction.strip().lower()
        return tuple(
            test
            for test in self.tests
            if test.applies_to == TABLE_GAMES
            and (not jurisdiction or test.jurisdiction.lower() == jurisdiction)
            and (self.is_stake_stated or not test.in_money)
        )

    @property
    def name(self) -> str:
        """The name of the sheet, which its title and its file name begin with."""
        paytable = self.analysis.paytable
        return sheet_name(paytable.id, self.analysis.shoe.decks, *paytable.variant, *self.table)

    @property
    def document_number(self) -> str:
        """The document number: as given, else the name of the sheet."""
        return self.identity.document or self.name

    @cached_property
    def assumption_effects(self) -> tuple[AssumptionEffect, ...]:
        """The assumptions of the bet, each with the edge under its alternative."""
        return assumption_effects(self.study)

    @cached_property
    def certificate(self) -> bytes:
        """The file beside the sheet that proves best play; empty if nothing is played."""
        option = self.study.option
        return b"" if option is None else option.certificate(self.analysis.paytable.id, self.analysis.shoe)

    @cached_property
    def input_sha256(self) -> str:
        """The SHA-256 of the bet file."""
        return input_fingerprint(self.analysis.paytable)

    @cached_property
    def software(self) -> str:
        """The name and version of the program."""
        return software_version()
