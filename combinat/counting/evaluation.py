"""Evaluate a count against a bet: the options are applied to the conventions of its game, and the count computed.

The upper bound of all counts (perfect play) is exact where possible; otherwise it remains to be sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.paytable import Paytable
from combinat.blackjack.rules import BlackjackRules
from combinat.counting.bound import PerfectPlayBound, exact_bound
from combinat.counting.card_usage import check_lists_cards
from combinat.counting.conventions import CONVENTIONS, Conventions, RoundStart, default_cut_card, find_conventions
from combinat.counting.counts import BettingValue, CountResult, compute_count, count_suits
from combinat.counting.exposed_cards import check_view, max_win_with_exposed
from combinat.counting.options import CountOptions
from combinat.counting.removal import RemovalEffects, fixed_strategy_removal, removals
from combinat.counting.tags import best_tags, betting_correlation, parse_tags
from combinat.exact.surd import Surd
from combinat.study import Basis, Study, build_study
from decks import InputError, Shoe

if TYPE_CHECKING:
    from combinat.counting.parlay import ParlayCounter


class CountingBasis(Struct, frozen=True, dict=True):
    """A bet as it is counted."""

    study: Study
    parlay: ParlayCounter | None = None
    """The parlay, if winnings are left where that is best for the full shoe."""

    @property
    def basis(self) -> str:
        """The basis of the figures; with decisions, the best strategy for the full shoe."""
        if self.parlay is not None:
            return str(Basis.OFF_THE_TOP)
        labels = [str(self.study.wager_basis)]
        if self.study.round_strategy is not None:
            labels += [self.study.round_strategy.basis, "chosen off the top"]
        return ", ".join(dict.fromkeys(labels))

    @property
    def house_edge(self) -> Fraction:
        """The house edge before a card is dealt."""
        return self.study.house_edge.constant

    @cached_property
    def removal(self) -> RemovalEffects:
        """Effects of removal under the fixed strategy; the basis of best tags and the betting correlation."""
        return fixed_strategy_removal(self.study) if self.parlay is None else self.parlay.removal()

    @cached_property
    def published_removal(self) -> RemovalEffects:
        """Effects of removal as published: with decisions reoptimized for each shoe."""
        if self.study.round_strategy is None:
            return self.removal
        paytable, meters = self.study.paytable, self.study.analysis.meters
        (removal,) = removals(self.study, lambda shoe: build_study(paytable, shoe, meters))
        return removal

    def default_cut(self, conventions: Conventions) -> int:
        """Return the default cut-card position, or one further in if the longest round needs it."""
        default = default_cut_card(conventions, self.study.shoe.size)
        if self.parlay is None:
            return default
        max_round_cards = max([length for length, _ in conventions.lengths], default=ceil(conventions.round_cards))
        return max(default, self.parlay.longest - 1 + conventions.rounds_after_cut * max_round_cards)


def counting_basis(bet: Study) -> CountingBasis:
    """Return the basis on which a bet is counted: with its option, if it has one that is solved.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> counting_basis(build_study(get_paytable("TRI-03"), Shoe(6))).basis
    'wager alone'
    """
    if bet.option is None:
        return CountingBasis(Study(bet.analysis))
    from combinat.counting.parlay import ParlayCounter  # few bets have a parlay

    return CountingBasis(bet, ParlayCounter(bet))


class CountEvaluation(Struct, frozen=True):
    """A count with the options under which it was evaluated."""

    count: CountResult
    cut: int | None
    """Cut-card position from the end of the shoe; `None` if depths were given."""
    correlation: Surd | None
    basis: CountingBasis
    """Basis of the figures."""
    trigger: Fraction | None = None
    """The requested trigger; `None` for the best one."""
    information: tuple[tuple[str, Fraction | None], ...] = ()
    """Value of additional information per 100 rounds; `None` if it is too expensive to compute."""
    bound: PerfectPlayBound | None = None
    """Upper bound of all counts, if requested."""
    table: tuple[Fraction, Fraction] | None = None
    """Largest wager and rounds per hour, if given."""

    @property
    def per_hour(self) -> Fraction | None:
        """The win per hour with the largest wager."""
        if self.table is None or self.betting_value is None:
            return None
        wager, number = self.table
        return wager * number * self.betting_value.mean_win

    @property
    def betting_value(self) -> BettingValue | None:
        """The value of betting at the requested trigger, else at the best one."""
        return self.count.best if self.trigger is None else self.count.betting_value(self.trigger)


class CountedBet(Struct, frozen=True):
    """A bet at a shoe; it can be sent to another process."""

    bet: Callable[[], Paytable]
    shoe: Shoe
    meters: dict[str, Fraction]
    name: str
    rules: BlackjackRules | None = None
    """Rules of the blackjack table, if winnings may be parlayed."""
    strategy: str = "best"

    def build_study_for(self, options: CountOptions) -> Study:
        """Analyze the bet, including parlays unless the options are for the wager alone."""
        if options.wager_alone:
            return Study(analyze_wager(self.bet(), self.shoe, self.meters))
        return build_study(self.bet(), self.shoe, self.meters, self.rules, self.strategy)


def evaluate_count(options: CountOptions, study: Study) -> tuple[CountEvaluation, tuple[RoundStart, ...]]:
    """Compute a count, and return the rounds over which its bound must still be sampled."""
    paytable, shoe, meters = study.paytable, study.shoe, study.analysis.meters
    if study.analysis.open_meters:
        raise InputError(f"{paytable.id} pays from meters; give their amounts with --meter")
    check_lists_cards(paytable)
    basis = counting_basis(Study(study.analysis) if options.wager_alone else study)
    _check_options(options, basis)
    game = paytable.bet.game.lower()
    convention_name = (
        options.conventions if options.conventions is not None else game if game in CONVENTIONS else "blackjack"
    )
    conventions: Conventions = replace(find_conventions(convention_name), **options.convention_overrides)
    cut = options.cut if options.cut is not None else basis.default_cut(conventions)
    cut_position, view = (cut if options.depths is None else None), list(options.view)
    depths = options.depths
    if options.suits:
        if options.tags is not None or view:
            raise InputError("--suits counts suits instead of tags, so it excludes --tags and --view")
        correlation, card_count = None, count_suits(paytable, shoe, conventions, cut_position, depths, meters)
    else:
        tags = (
            best_tags(basis.removal, options.best, not options.unbalanced)
            if options.tags is None
            else parse_tags(options.tags, shoe.composition)
        )
        card_count = compute_count(paytable, shoe, tags, conventions, cut_position, depths, meters, view, basis.parlay)
        correlation = betting_correlation(tags, basis.removal)  # last, so that errors are raised early
    information: list[tuple[str, Fraction | None]] = []
    if view:
        blind = compute_count(paytable, shoe, tags, conventions, cut_position, depths, meters)
        information += _information_values(
            view, blind.max_win_by_count(), lambda roles: max_win_with_exposed(card_count, tags, roles, meters)
        )
    has_unseen_burns = "burned" in options.convention_overrides and conventions.burned > conventions.burned_seen
    if has_unseen_burns and depths is None and not options.suits:
        all_seen = replace(conventions, burned_seen=conventions.burned)
        gain = _best_win(
            compute_count(paytable, shoe, tags, all_seen, cut_position, None, meters, view, basis.parlay)
        ) - _best_win(card_count)
        information.append(("seeing the burned cards", gain))
    bound = _exact_bound(options, card_count, meters)
    answer = CountEvaluation(
        card_count, cut_position, correlation, basis, options.trigger, tuple(information), bound, options.table
    )
    return answer, card_count.rounds if options.bound and bound is None else ()


def _check_options(options: CountOptions, basis: CountingBasis) -> None:
    """Raise `InputError` for options that need the wager alone, where winnings are parlayed."""
    if basis.parlay is None:
        return
    for option, is_given in (("--suits", options.suits), ("--bound", options.bound), ("--view", bool(options.view))):
        if is_given:
            raise InputError(f"{basis.study.paytable.id}: {option} is for the wager alone; give --wager-alone too")


def _exact_bound(options: CountOptions, card_count: CountResult, meters: Any) -> PerfectPlayBound | None:
    """Return the exact upper bound of all counts if it is requested and can be computed."""
    if not options.bound:
        return None
    bound = exact_bound(card_count.paytable, card_count.shoe, card_count.rounds, meters, options.view)
    if bound is None and options.view:
        check_view(card_count.paytable, card_count.shoe.composition, options.view)  # raises if it cannot be sampled
    return bound


def _information_values(
    view: Sequence[str], blind: Fraction, compute_win: Callable[[Sequence[str]], Fraction | None]
) -> Iterator[tuple[str, Fraction | None]]:
    """Yield the value of seeing the roles in `view`, and of seeing the last one in addition to the others."""
    *other_roles, last_role = view
    win_in_view = compute_win(view)
    yield f"seeing {' and '.join(view)}", None if win_in_view is None else 100 * (win_in_view - blind)
    if other_roles:
        win_without_last = None if win_in_view is None else compute_win(other_roles)
        gain = None if win_in_view is None or win_without_last is None else 100 * (win_in_view - win_without_last)
        yield f"seeing {last_role} besides {' and '.join(other_roles)}", gain


def _best_win(card_count: CountResult) -> Fraction:
    """Return the win per 100 rounds of the best trigger."""
    return card_count.best.per_hundred if card_count.best else Fraction(0)
