"""What a par sheet is made of: the analysis, what a person says about the sheet, and what is worked out once."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.long_run import PLAYS, Stretch, long_run, settled
from combinat.analysis.sensitivity import AtDecks, by_decks
from combinat.enumeration.fixed.outcomes import Outcome, examples
from reports.sheet.identity import Identity, input_fingerprint, software


class Request(Struct, frozen=True, dict=True):
    """One par sheet to be made; what several sections show is worked out when it is first asked for, and once."""

    analysis: Analysis
    identity: Identity = Identity()
    max_wager: Fraction = Fraction(100)
    """The largest wager that the table takes, for the exposure."""

    @property
    def document_number(self) -> str:
        """The document's number: as given, else made of the paytable and the deck count."""
        return self.identity.document or f"{self.analysis.paytable.id}-{self.analysis.shoe.decks}D"

    @cached_property
    def input_sha256(self) -> str:
        """The fingerprint of the bet's file."""
        return input_fingerprint(self.analysis.paytable)

    @cached_property
    def software(self) -> str:
        """The program and its version."""
        return software()

    @cached_property
    def settled(self) -> Analysis | None:
        """The analysis with every meter at an amount, if that is known."""
        return settled(self.analysis)

    @cached_property
    def examples(self) -> tuple[Outcome | None, ...]:
        """A hand for each award."""
        return examples(self.analysis.paytable, self.analysis.shoe)

    @cached_property
    def by_decks(self) -> tuple[AtDecks, ...]:
        """The figures with other deck counts."""
        return by_decks(self.analysis.paytable, self.analysis.meters, self.analysis.shoe.decks)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """What to expect over more and more plays; nothing if a meter's amount is not known."""
        return tuple(long_run(self.settled, plays) for plays in PLAYS) if self.settled else ()
