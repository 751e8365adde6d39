"""One bet at one shoe and one table, on named bases; each part is worked out once, when it is first asked for.

The figures of a wager depend on what else is done with it. Alone, it is settled and over. With best play, winnings ride
on the blackjack hand where that pays, or what is decided within the round is decided as well as can be. In the long
run, a meter's contributions come back to the players. Every figure that leaves this room names the basis it stands on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.basis import Basis as Basis
from combinat.analysis.basis import Result
from combinat.analysis.joint import spot_risk
from combinat.analysis.outlook import PLAYS, outlook, settled
from combinat.analysis.sensitivity import TO, ConditionalResult, by_decks, of_unit
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import Option, Play, Progress, option_kind
from combinat.enumeration.experiment import View, play
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.exact.polynomial import Polynomial
from combinat.meters.accrual import at_amounts, figures_at, sides
from combinat.meters.hold import meter_figures
from decks import InputError, Shoe

if TYPE_CHECKING:  # a question loads only what it asks about
    from combinat.analysis.joint import SpotRisk
    from combinat.analysis.outlook import SessionOutlook
    from combinat.analysis.sensitivity import DeckCountResult
    from combinat.blackjack.rules import BlackjackRules
    from combinat.meters.hold import MeterFigures


class Study(Struct, frozen=True, dict=True):
    """A bet at a shoe, with the option that goes with it played as well as possible."""

    analysis: Analysis
    """The figures of the wager alone."""
    option: Option | None = None
    seeds_taken: bool = False
    """Whether a meter that was given no amount stands at its seed."""
    options_by_decks: tuple[Option | None, ...] | None = None
    """The option played as well as possible with each of the other deck counts; left out unless it was asked for."""

    def __repr__(self) -> str:
        return f"<Study of {self.paytable.id}, {self.shoe}, {self.basis}>"

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def shoe(self) -> Shoe:
        """The shoe that cards come from."""
        return self.analysis.shoe

    @property
    def basis(self) -> Basis:
        """What the headline stands on."""
        return Basis.BEST if self.option is not None else self.wager_basis

    @property
    def wager_basis(self) -> Basis:
        """What figures of the wager alone stand on: by itself, or with its meters where they are said to stand."""
        if self.seeds_taken:
            return Basis.SEEDS
        if self.analysis.meters:
            return Basis.METERS
        return Basis.WAGER if self.play is None else Basis(self.play.basis)

    @cached_property
    def play(self) -> Play | None:
        """How the round is played, if there is something to decide in it."""
        return play(self.paytable.experiment, self.shoe)

    @property
    def settled_basis(self) -> Basis:
        """What figures stand on for which every meter needs an amount: seeds are taken where none was given."""
        return (self.settled or self).wager_basis

    @property
    def house_edge(self) -> Polynomial:
        """What the house keeps of a wager of one, on the headline's basis."""
        return self.analysis.house_edge - (self.option.gain if self.option else 0)

    @property
    def return_(self) -> Polynomial:
        """What comes back for a wager of one, on the headline's basis."""
        return 1 - self.house_edge

    @property
    def favors_player(self) -> bool:
        """Whether the bet favors the player; with meters of unknown value, even by the fixed pays alone."""
        return self.house_edge.constant < 0

    def edge_change(self, award: int, units: int) -> Fraction:
        """Tell by how much the headline's edge moves if a fixed award pays so many wagers more.

        What is paid more can ride as well. An award that no longer wins, or only then, takes along all that rides.
        """
        line = self.analysis.lines[award]
        change = -line.probability * units
        if self.option is not None:
            now = line.gross.constant
            change -= self.option.gain_with(award, now + units) - self.option.gain_with(award, now)
        return change

    def edge_change_if_paid(self, unit: str) -> Fraction | None:
        """Tell by how much the edge moves if all that wins "to 1" is paid for 1, or all that wins "for 1" to 1."""
        awards = of_unit(self.analysis, unit)
        units = -1 if unit == TO else 1
        return sum((self.edge_change(award, units) for award in awards), Fraction(0)) if awards else None

    @cached_property
    def views(self) -> tuple[tuple[View, tuple[ConditionalResult, ...]], ...]:
        """The bet once something is seen, such as the up card, for everything that can be seen when it is made."""
        return tuple((view, self._viewed(view)) for view in self.paytable.experiment.views())

    def _viewed(self, view: View) -> tuple[ConditionalResult, ...]:
        conditions = view.conditions(self.shoe)
        cycle = sum(condition.ways.cycle for condition in conditions)
        return tuple(
            ConditionalResult(
                condition.name,
                Fraction(condition.ways.cycle, cycle),
                condition.extras,
                Analysis(self.paytable, self.shoe, condition.ways, self.analysis.meters, self.analysis.stated_wager),
            )
            for condition in conditions
        )

    @cached_property
    def meters(self) -> MeterFigures | None:
        """What the meters do, if the paytable says how they are run."""
        if not self.paytable.meters:
            return None
        return meter_figures(self.analysis)

    @property
    def hold(self) -> Fraction | None:
        """What the house keeps of a unit wagered in the long run, if that is known."""
        if not self.paytable.meters:
            return self.house_edge.constant
        return self.meters.hold if self.meters and self.meters.has_closed_form else None

    @cached_property
    def settled(self) -> Study | None:
        """The bet with every meter at an amount, as given or at its seed; none if one is not known."""
        valued = settled(self.analysis) if self.analysis.system or not self.analysis.open_meters else None
        if valued is self.analysis:
            return self
        return None if valued is None else Study(valued, self.option, seeds_taken=True)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The result of a play on every basis on which it is a number, that of the headline first."""
        analysis = (self.settled or self).analysis
        if self.option is not None:  # it could not be worked out with an amount unknown
            best = Result.between(Basis.BEST, self.option.results, analysis.meters)
            return best, Result.of(self.settled_basis, analysis.distribution, analysis.meters)
        if self.meters is None or self.paytable.up is not None:  # the long run is that of all up cards together
            return (
                () if analysis.open_meters else (Result.of(self.settled_basis, analysis.distribution, analysis.meters),)
            )
        amounts = self.meters.at_average if self.meters.has_closed_form else self.meters.at_seed
        stated = dict(self.analysis.meters)
        at_stated = (at_amounts(self.meters, Basis.METERS, amounts | stated),) if stated else ()
        return (*sides(self.meters), *at_stated)

    @property
    def result(self) -> Result | None:
        """The result of a play on the basis that comes first; none if an amount of a meter would have to be known."""
        return self.results[0] if self.results else None

    @cached_property
    def stretches(self) -> tuple[tuple[Basis, tuple[SessionOutlook, ...]], ...]:
        """What to expect over more and more plays, basis by basis; nothing if a meter's amount is not known.

        The player's side is left out: plays that follow one another find nearly the same meters.
        """
        by_basis = [(result.basis, [outlook(result, plays) for plays in PLAYS]) for result in self.results]
        return tuple((basis, tuple(row for row in rows if row)) for basis, rows in by_basis if any(rows))

    @cached_property
    def by_decks(self) -> tuple[DeckCountResult, ...]:
        """The figures of the wager alone with other deck counts."""
        return by_decks(self.paytable, self.analysis.meters, self.shoe.decks)

    @cached_property
    def meters_by_decks(self) -> tuple[MeterFigures | None, ...]:
        """What the meters do with each of these deck counts: run as is said for it, or else as they are run here."""
        if self.meters is None:
            return (None,) * len(self.by_decks)
        system = self.meters.system
        return tuple(figures_at(row.analysis, row.decks, system) if row.analysis else None for row in self.by_decks)

    @cached_property
    def spots(self) -> SpotRisk | None:
        """How spots of one round go together that make the wager alone, meters standing as given or at their seeds."""
        return spot_risk(self.settled.analysis) if self.settled else None

    @cached_property
    def derivation(self) -> Derivation | None:
        """How the counts come about, from first principles."""
        return self.paytable.experiment.derivation(self.shoe)

    @cached_property
    def examples(self) -> tuple[Outcome | None, ...]:
        """A hand for each award."""
        return self.paytable.experiment.examples(self.shoe.composition)


def study(
    paytable: Paytable,
    shoe: Shoe,
    meters: Mapping[str, Fraction] | None = None,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
    progress: Progress | None = None,
    *,
    other_decks: bool = False,
) -> Study:
    """Work out a bet at a shoe and a table; an option that takes long says how far it is.

    It is worked out with all deck counts of the table of these if `other_decks` asks for it.
    """
    analysis = analyze(paytable, shoe, meters)
    kind = paytable.bet.option
    if kind is None:
        return Study(analysis)
    work_out: Callable[..., Option] = import_module(option_kind(kind).module).work_out
    base = Study(analysis)
    rows = base.by_decks if other_decks else ()

    def progress_of(number: int) -> Progress | None:
        """Tell how far one of all deck counts is."""
        if progress is None or not rows:
            return progress
        return lambda done, steps: progress(number * steps + done, (len(rows) + 1) * steps)

    option = work_out(analysis, rules, strategy, progress_of(0))
    if not rows:
        return Study(analysis, option)
    options: dict[int | None, Option | None] = {}
    for number, row in enumerate(_nearest_first(rows, shoe.decks), 1):
        is_own = row.analysis == analysis
        options[row.decks] = option if is_own else _if_enough_cards(row, work_out, rules, strategy, progress_of(number))
    return Study(analysis, option, options_by_decks=tuple(options[row.decks] for row in rows))


class EdgeOnly(Struct, frozen=True):
    """The house edge of a bet on the headline's basis, for questions that need nothing else of a study."""

    house_edge: Polynomial


def edge_only(
    paytable: Paytable,
    shoe: Shoe,
    meters: Mapping[str, Fraction] | None = None,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
) -> EdgeOnly:
    """Return the house edge of `study`, without the distribution of an option, which takes longer.

    >>> from combinat.bets.catalog import find
    >>> edge_only(find("TRI-01"), Shoe(6)).house_edge == study(find("TRI-01"), Shoe(6)).house_edge
    True
    """
    analysis = analyze(paytable, shoe, meters)
    kind = paytable.bet.option
    if kind is None:
        return EdgeOnly(analysis.house_edge)
    gain: Callable[..., Fraction] = import_module(option_kind(kind).module).gain
    return EdgeOnly(analysis.house_edge - gain(analysis, rules, strategy))


def _nearest_first(rows: tuple[DeckCountResult, ...], decks: int) -> list[DeckCountResult]:
    """Put deck counts behind those that they are near to: at these, hands are played much the same, and counted so."""
    is_fewer = [row.decks is not None and row.decks < decks for row in rows]
    fewer = [row for row, has_fewer in zip(rows, is_fewer, strict=True) if has_fewer]
    return [*[row for row, has_fewer in zip(rows, is_fewer, strict=True) if not has_fewer], *reversed(fewer)]


def _if_enough_cards(
    row: DeckCountResult,
    work_out: Callable[..., Option],
    rules: BlackjackRules | None,
    strategy: str,
    progress: Progress | None,
) -> Option | None:
    """Work an option out with another deck count; nothing where there are too few cards or no hand fits."""
    if row.analysis is None:
        return None
    try:
        return work_out(row.analysis, rules, strategy, progress, infinite=row.decks is None)
    except InputError:
        return None
