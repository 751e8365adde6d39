"""The study of one bet at one shoe and one table: all figures on named bases, each computed once on first access.

The figures of a wager depend on the basis. For the wager alone, it is settled and over. With best play, winnings are
parlayed on the blackjack hand where that is favorable, or decisions within the round are optimal. In the long run, the
contributions to a meter are returned to the players. Every reported figure names its basis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.basis import Basis as Basis
from combinat.analysis.basis import PlayResult
from combinat.analysis.joint import spot_risk
from combinat.analysis.outlook import PLAYS, compute_outlook, with_meter_amounts
from combinat.analysis.sensitivity import TO_ONE, ConditionalResult, analyze_by_decks, winning_awards_in_unit
from combinat.bets.paytable import ELIGIBLE_HANDS, Paytable
from combinat.enumeration.decision import PlayerOption, Progress, RoundStrategy
from combinat.enumeration.experiment import ExposedView
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.exact.polynomial import Polynomial
from combinat.meters.accrual import at_amounts, figures_at, iter_results
from combinat.meters.hold import meter_figures
from decks import InputError, Shoe

if TYPE_CHECKING:  # imported at run time only when needed
    from combinat.analysis.joint import SpotRisk
    from combinat.analysis.outlook import SessionOutlook
    from combinat.analysis.sensitivity import DeckCountResult
    from combinat.blackjack.eligibility import Eligibility
    from combinat.blackjack.rules import BlackjackRules
    from combinat.meters.hold import MeterFigures


class Study(Struct, frozen=True, dict=True):
    """A bet at a shoe, with best play of its option."""

    analysis: Analysis
    """The figures of the wager alone."""
    option: PlayerOption | None = None
    uses_seeds: bool = False
    """Whether meters of unknown value are set to their seeds."""
    options_by_decks: tuple[PlayerOption | None, ...] | None = None
    """The best play of the option at each deck count of `analyze_by_decks`; `None` unless requested."""

    def __repr__(self) -> str:
        return f"<Study of {self.paytable.id}, {self.shoe}, {self.basis}>"

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def shoe(self) -> Shoe:
        """The shoe that cards are dealt from."""
        return self.analysis.shoe

    @property
    def basis(self) -> Basis:
        """The basis of the headline."""
        return Basis.BEST if self.option is not None else self.wager_basis

    @property
    def wager_basis(self) -> Basis:
        """The basis of figures of the wager alone: with meters at their values or seeds, or without meters."""
        if self.uses_seeds:
            return Basis.SEEDS
        if self.analysis.meters:
            return Basis.METERS
        return Basis.WAGER if self.round_strategy is None else Basis(self.round_strategy.basis)

    @cached_property
    def round_strategy(self) -> RoundStrategy | None:
        """The play of the round, if it has decisions."""
        return self.paytable.experiment.solve_strategy(self.shoe)

    @property
    def valued_basis(self) -> Basis:
        """The basis of figures that need all meter values: unknown ones are set to their seeds."""
        return (self.at_seeds or self).wager_basis

    @property
    def house_edge(self) -> Polynomial:
        """The house edge on the headline basis."""
        return self.analysis.house_edge - (self.option.gain if self.option else 0)

    @property
    def return_(self) -> Polynomial:
        """The return on the headline basis."""
        return 1 - self.house_edge

    @property
    def favors_player(self) -> bool:
        """Whether the bet favors the player; with meters of unknown value, whether the fixed pays alone do."""
        return self.house_edge.constant < 0

    def edge_change(self, award_index: int, units: int) -> Fraction:
        """Return the change of the headline edge if a fixed award pays `units` more.

        The additional pay can be parlayed too. An award that stops or starts winning changes the whole parlay.
        """
        line = self.analysis.lines[award_index]
        change = -line.probability * units
        if self.option is not None:
            gross = line.gross.constant
            change -= self.option.gain_with(award_index, gross + units) - self.option.gain_with(award_index, gross)
        return change

    def edge_change_in_unit(self, unit: str) -> Fraction | None:
        """Return the change of the edge if all wins "to 1" are paid "for 1", or all wins "for 1" are paid "to 1"."""
        award_indexes = winning_awards_in_unit(self.analysis, unit)
        units = -1 if unit == TO_ONE else 1
        return (
            sum((self.edge_change(award_index, units) for award_index in award_indexes), Fraction(0))
            if award_indexes
            else None
        )

    @cached_property
    def eligibility(self) -> Eligibility | None:
        """The figures per wager of an eligible hand; `None` if any hand may make the wager."""
        if self.paytable.bet.eligible_hands == ELIGIBLE_HANDS[0] or not self.shoe.is_full or self.paytable.up:
            return None
        from combinat.blackjack.eligibility import analyze_eligible  # few bets limit the hands

        return analyze_eligible(self.analysis)

    @cached_property
    def views(self) -> tuple[tuple[ExposedView, tuple[ConditionalResult, ...]], ...]:
        """The figures given exposed cards, such as the up card, for each view of the experiment."""
        return tuple((view, self._conditional_results(view)) for view in self.paytable.experiment.views())

    def _conditional_results(self, view: ExposedView) -> tuple[ConditionalResult, ...]:
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
        """The figures of the meters; `None` if the bet has none or their terms are not known."""
        if not self.paytable.meters:
            return None
        return meter_figures(self.analysis)

    @property
    def hold(self) -> Fraction | None:
        """The hold in the long run; `None` if it is not known."""
        if not self.paytable.meters:
            return self.house_edge.constant
        return self.meters.hold if self.meters and self.meters.has_closed_form else None

    @cached_property
    def at_seeds(self) -> Study | None:
        """The study with unknown meter values set to their seeds; `None` if a seed is not known."""
        is_possible = self.analysis.system or not self.analysis.open_meters
        with_amounts = with_meter_amounts(self.analysis) if is_possible else None
        if with_amounts is self.analysis:
            return self
        return None if with_amounts is None else Study(with_amounts, self.option, uses_seeds=True)

    @cached_property
    def results(self) -> tuple[PlayResult, ...]:
        """The result of a play on every basis with a numeric result, the headline first."""
        analysis = (self.at_seeds or self).analysis
        if self.option is not None:  # an option is only solved with all meter values known
            best = PlayResult.from_bounds(Basis.BEST, self.option.results, analysis.meters)
            return best, PlayResult.from_distribution(self.valued_basis, analysis.distribution, analysis.meters)
        if self.meters is None or self.paytable.up is not None:  # the long run is unconditional on the up card
            return (
                ()
                if analysis.open_meters
                else (PlayResult.from_distribution(self.valued_basis, analysis.distribution, analysis.meters),)
            )
        amounts = self.meters.at_average if self.meters.has_closed_form else self.meters.at_seed
        stated_meters = dict(self.analysis.meters)
        at_stated = (at_amounts(self.meters, Basis.METERS, amounts | stated_meters),) if stated_meters else ()
        return (*iter_results(self.meters), *at_stated)

    @property
    def result(self) -> PlayResult | None:
        """The result of a play on the first basis; `None` if a meter value is missing."""
        return self.results[0] if self.results else None

    @cached_property
    def outlooks(self) -> tuple[tuple[Basis, tuple[SessionOutlook, ...]], ...]:
        """The outlooks for increasing numbers of plays on each basis; empty if a meter value is missing.

        The player's side has none: consecutive plays have nearly the same meter values, so they are dependent.
        """
        by_basis = [(result.basis, [compute_outlook(result, plays) for plays in PLAYS]) for result in self.results]
        return tuple((basis, tuple(row for row in rows if row)) for basis, rows in by_basis if any(rows))

    @cached_property
    def by_decks(self) -> tuple[DeckCountResult, ...]:
        """The figures of the wager alone at other deck counts."""
        return analyze_by_decks(self.paytable, self.analysis.meters, self.shoe.decks)

    @cached_property
    def meters_by_decks(self) -> tuple[MeterFigures | None, ...]:
        """The meter figures at each deck count of `analyze_by_decks`, with its own or this study's meter system."""
        if self.meters is None:
            return (None,) * len(self.by_decks)
        system = self.meters.system
        return tuple(figures_at(row.analysis, row.decks, system) if row.analysis else None for row in self.by_decks)

    @cached_property
    def spots(self) -> SpotRisk | None:
        """The risk of several spots with the wager alone, with meters at their values or seeds."""
        return spot_risk(self.at_seeds.analysis) if self.at_seeds else None

    @cached_property
    def derivation(self) -> Derivation | None:
        """The derivation of the counts from first principles."""
        return self.paytable.experiment.derivation(self.shoe)

    @cached_property
    def examples(self) -> tuple[Outcome | None, ...]:
        """An example hand for each award."""
        return self.paytable.experiment.examples(self.shoe.composition)


def build_study(
    paytable: Paytable,
    shoe: Shoe,
    meters: Mapping[str, Fraction] | None = None,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
    progress: Progress | None = None,
    *,
    other_decks: bool = False,
) -> Study:
    """Build the study of a bet at a shoe and a table; solving an option reports to `progress`.

    With `other_decks`, the option is also solved at each deck count of `Study.by_decks`.
    """
    analysis = analyze_wager(paytable, shoe, meters)
    if paytable.bet.option is None:
        return Study(analysis)
    from combinat.blackjack.parlay.option import solve_parlay  # few bets have an option, and blackjack is slow to load

    rows = Study(analysis).by_decks if other_decks else ()

    def progress_of(row_number: int) -> Progress | None:
        """Return the progress callback of one of all deck counts."""
        if progress is None or not rows:
            return progress
        return lambda done, steps: progress(row_number * steps + done, (len(rows) + 1) * steps)

    option = solve_parlay(analysis, rules, strategy, progress_of(0))
    if not rows:
        return Study(analysis, option)
    options: dict[int | None, PlayerOption | None] = {}
    for row_number, row in enumerate(_nearest_first(rows, shoe.decks), 1):
        is_own = row.analysis == analysis
        options[row.decks] = (
            option if is_own else _if_enough_cards(row, solve_parlay, rules, strategy, progress_of(row_number))
        )
    return Study(analysis, option, options_by_decks=tuple(options[row.decks] for row in rows))


class EdgeOnly(Struct, frozen=True):
    """The house edge of a bet on the headline basis, for callers that need no other figure of a study."""

    house_edge: Polynomial


def compute_edge_only(
    paytable: Paytable,
    shoe: Shoe,
    meters: Mapping[str, Fraction] | None = None,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
) -> EdgeOnly:
    """Return the house edge of `build_study` without the slower distribution of an option.

    >>> from combinat.bets.catalog import get_paytable
    >>> bet = get_paytable("TRI-01")
    >>> compute_edge_only(bet, Shoe(6)).house_edge == build_study(bet, Shoe(6)).house_edge
    True
    """
    analysis = analyze_wager(paytable, shoe, meters)
    if paytable.bet.option is None:
        return EdgeOnly(analysis.house_edge)
    from combinat.blackjack.parlay.option import parlay_gain  # as in `build_study`

    return EdgeOnly(analysis.house_edge - parlay_gain(analysis, rules, strategy))


def _nearest_first(rows: tuple[DeckCountResult, ...], decks: int) -> list[DeckCountResult]:
    """Order deck counts so that each follows a near one: their strategies are similar, so work can be reused."""
    is_fewer = [row.decks is not None and row.decks < decks for row in rows]
    fewer = [row for row, has_fewer in zip(rows, is_fewer, strict=True) if has_fewer]
    return [*[row for row, has_fewer in zip(rows, is_fewer, strict=True) if not has_fewer], *reversed(fewer)]


def _if_enough_cards(
    row: DeckCountResult,
    solve_option: Callable[..., PlayerOption],
    rules: BlackjackRules | None,
    strategy: str,
    progress: Progress | None,
) -> PlayerOption | None:
    """Solve an option at another deck count; `None` if there are too few cards or no hand meets the condition."""
    if row.analysis is None:
        return None
    try:
        return solve_option(row.analysis, rules, strategy, progress, infinite=row.decks is None)
    except InputError:
        return None
