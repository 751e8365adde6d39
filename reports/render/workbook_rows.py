"""What a workbook's calculation starts from: meters with amounts, outcomes with their ways, and deck counts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.bets.pay import Pay
from combinat.enumeration.tally import Ways
from reports.render.workbook_cells import Number

IMPOSSIBLE = "impossible"


class Meter(Struct, frozen=True):
    """A meter's amount in money, for the wager that the paytable states, and where it comes from."""

    name: str
    defined_name: str
    amount: Fraction
    origin: str
    is_seed: bool = False


def meters_of(analysis: Analysis) -> tuple[Meter, ...]:
    """Say which amount each meter stands at in the workbook: as given, else its seed, else nothing."""
    system = analysis.system
    found: list[Meter] = []
    for name in analysis.paytable.meters:
        defined = f"Meter_{name}"
        if name in analysis.meters:
            found.append(Meter(name, defined, analysis.meters[name], "as given"))
        elif system is not None:
            basis = "its seed, which is inferred" if system.basis else "its seed"
            found.append(Meter(name, defined, system.level(name).seed, basis, is_seed=True))
        else:
            found.append(Meter(name, defined, Fraction(0), "not known: put the amount in"))
    return tuple(found)


class AwardRow(Struct, frozen=True):
    """One row of the calculation: an award, or that none is won."""

    name: str
    pay: Pay | None
    fits: int | None
    ways: int
    cycle: int
    gross: Fraction
    gain: Fraction = Fraction(0)
    """What the best choices add to the return for each unit that could ride."""
    line: int | None = None
    """The place of its award in the ladder."""
    share: Fraction = Fraction(1)
    """The part of the award's hands that it is: less than all where a wheel decides."""

    @property
    def probability(self) -> Fraction:
        """The chance of the outcome."""
        return Fraction(self.ways, self.cycle)

    @property
    def net(self) -> Fraction:
        """What is won for a wager of one."""
        return self.gross - 1

    @property
    def is_metered(self) -> bool:
        """Whether the award pays from a meter."""
        return self.pay is not None and self.pay.meter is not None

    def per_chance(self, value: Callable[[Fraction], Fraction]) -> Number | str:
        """Give what follows from the chance, unless there is none."""
        return value(self.probability) if self.ways else IMPOSSIBLE


class DeckColumn(Struct, frozen=True):
    """How often each outcome comes with a number of decks."""

    title: int | str
    """What the input calls it: the number, or that it is infinite, or that it is this sheet's own shoe."""
    ways: Ways


class Decks(Struct, frozen=True):
    """The deck counts that a workbook knows, and the place of this sheet's among them."""

    columns: tuple[DeckColumn, ...]
    place: int

    @property
    def here(self) -> DeckColumn:
        """The one of this sheet."""
        return self.columns[self.place]
