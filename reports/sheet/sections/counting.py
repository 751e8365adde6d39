"""Section on card counting: effects of removal, the best counts, and their win by cut-card position."""

from __future__ import annotations

from fractions import Fraction

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from combinat.counting.counts import BettingValue
from combinat.counting.summary import BestCount, CountingSummary
from combinat.results.count import BoundAnswer
from combinat.results.par_sheet import (
    BestCountAnswer,
    BreakEvenAnswer,
    CountingAnswer,
    CutCardAnswer,
    PerfectPlayAnswer,
    RemovalSectionAnswer,
)
from combinat.results.removal import EffectAnswer
from reports.answers.count import basis_notes, bound_figures, conventions_in_words, rounds_in_words
from reports.answers.removal import cards_text, removal_table
from reports.answers.removal import effect_notes as removal_notes
from reports.page.model import Cell, Column, Figure, Plot, Section, Style, Table
from reports.sheet.sections.request import Request
from reports.tables.headings import meter_unit

_PER_100 = Column("Won per 100 rounds", Style.DECIMAL)
_COLUMNS = (
    Column("Level", Style.COUNT),
    Column("Cut card", Style.COUNT),
    Column("Best trigger", Style.COUNT),
    Column("Bets", Style.CHANCE),
    Column("Average edge", Style.PERCENT),
    _PER_100,
    Column("Won per shoe", Style.DECIMAL),
    Column("Won per hour", Style.MONEY),
)


def counting_section(request: Request) -> Section | None:
    """Return the section, or `None` if it was not requested."""
    summary = request.counting_summary
    if summary is None:
        return None
    return Section(
        "Watching the cards",
        key="card_counting",
        text=(_introduction(summary),),
        figures=_figures(request, summary),
        tables=(removal_table(summary.removal, "Effect of removal"), *_tables(request, summary)),
        plots=(*_effects_plot(summary), *_cut_plot(summary)),
        notes=_notes(request, summary),
    )


def _introduction(summary: CountingSummary) -> str:
    has_decisions = summary.basis.parlay is not None or summary.basis.study.round_strategy is not None
    edge = f"the edge of {summary.removal.basis}" if has_decisions else "the edge of the wager alone"
    if not summary.levels:
        return f"How {edge} moves when one card is gone. No count is told of: {summary.reason}."
    return (
        f"How {edge} moves when one card is gone, and what is won by somebody who counts: who bets "
        "the largest wager whenever the true count reaches the best trigger, and otherwise not at all. Exact for each "
        f"depth; {rounds_in_words(summary.conventions)}, which is an approximation."
    )


def _figures(request: Request, summary: CountingSummary) -> tuple[Figure, ...]:
    figures: list[Figure] = []
    for level in summary.levels:
        figures.append(Figure(f"Best tags of level {level.level}", str(level.tags)))
        figures.append(Figure(f"Betting correlation, level {level.level}", level.correlation, Style.DECIMAL))
    if summary.levels:
        figures.append(Figure("Largest wager", request.stake, Style.MONEY))
        figures.append(Figure("Rounds per hour", request.rounds_per_hour, Style.COUNT))
    for turn in summary.break_even_meters:
        figures.append(Figure(f"Counted bet turns at {turn.meter}", turn.amount, Style.MONEY))
    return (*figures, *bound_figures(None if summary.bound is None else BoundAnswer.of(summary.bound)))


def _tables(request: Request, summary: CountingSummary) -> tuple[Table, ...]:
    rows = tuple(
        (level.level, cut, *_value_cells(request, best)) for level in summary.levels for cut, best in level.by_cut
    )
    caption = "The best count of each level, with the cut card so many cards from the end"
    return (Table(_COLUMNS, rows, caption, keys=2),) if rows else ()


def _value_cells(request: Request, best: BettingValue | None) -> tuple[Cell, ...]:
    if best is None:
        return ("none wins", *(None,) * (len(_COLUMNS) - 3))
    return best.trigger, best.frequency, best.edge, best.per_hundred, best.per_shoe, _per_hour(request, best)


def _per_hour(request: Request, best: BettingValue) -> Fraction:
    return request.stake * (request.rounds_per_hour or 0) * best.mean_win


def _effects_plot(summary: CountingSummary) -> tuple[Plot, ...]:
    effects = sorted(summary.removal.effects, key=lambda effect: effect.change.constant)
    if len(effects) < 2 or not all(effect.change.is_constant for effect in effects):
        return ()
    return (
        Plot(
            "Change of the house edge when one card is gone",
            tuple(cards_text(effect.cards) for effect in effects),
            tuple(effect.change.constant for effect in effects),
            x_label="Cards",
            y_label="Change",
            source="Change",
        ),
    )


def _cut_plot(summary: CountingSummary) -> tuple[Plot, ...]:
    rows = summary.levels[-1].by_cut if summary.levels else ()
    if len(rows) < 2:
        return ()
    return (
        Plot(
            f"Won per 100 rounds by the best count of level {summary.levels[-1].level}, by where the cut card lies",
            tuple(str(cut) for cut, _ in rows),
            tuple(best.per_hundred if best else Fraction(0) for _, best in rows),
            x_label="Cut card, cards from the end",
            y_label="Won per 100 rounds",
            style=Style.DECIMAL,
            source=_PER_100.title,
        ),
    )


def _notes(request: Request, summary: CountingSummary) -> tuple[str, ...]:
    notes = list(removal_notes([summary.removal]))
    if summary.levels:
        notes.append(conventions_in_words(summary.conventions))
        notes += basis_notes(summary.basis)
        notes.append("Won per hour: the largest wager times the rounds of an hour, those without a bet included.")
    if summary.basis.parlay is not None and request.samples:
        notes.append("What no count can beat is not worked out where winnings ride.")
    if summary.removal.study.analysis.meters:
        notes.append(meter_unit(summary.removal.study.analysis.meter_wager))
    return tuple(notes)


def counting_answer(request: Request) -> CountingAnswer | UnsetType:
    """Return the data of the section; `UNSET` if it was not requested."""
    summary = request.counting_summary
    if summary is None or request.rounds_per_hour is None:
        return UNSET
    removal = summary.removal
    return CountingAnswer(
        basis=removal.basis,
        meters=dict(removal.study.analysis.meters),
        removal=RemovalSectionAnswer(
            house_edge=removal.house_edge,
            strategy_recomputed=removal.is_reoptimized,
            mean_change=removal.balance,
            effects=list(map(EffectAnswer.of, removal.effects)),
        ),
        counts=[_best_count(request, level, summary.basis.basis) for level in summary.levels],
        no_counts=summary.reason or None,
        rounds_per_hour=request.rounds_per_hour,
        wager=request.stake,
        break_even_meters=[BreakEvenAnswer(meter=turn.meter, amount=turn.amount) for turn in summary.break_even_meters],
        perfect_play=None if summary.bound is None else _perfect_play(BoundAnswer.of(summary.bound)),
    )


def _best_count(request: Request, level: BestCount, basis: str) -> BestCountAnswer:
    return BestCountAnswer(
        level=level.level,
        basis=basis,
        tags={str(card): tag for card, tag in level.tags.tag_by_card.items()},
        betting_correlation=level.correlation,
        conventions=level.count.conventions.name,
        by_cut=[_cut_card(request, cut, best) for cut, best in level.by_cut],
    )


def _cut_card(request: Request, cut: int, best: BettingValue | None) -> CutCardAnswer:
    """Return the figures of the best trigger; `None` for each if no trigger wins."""
    return CutCardAnswer(
        cut=cut,
        trigger=best.trigger if best else None,
        frequency=best.frequency if best else None,
        edge=best.edge if best else None,
        won_per_100_rounds=best.per_hundred if best else None,
        won_per_shoe=best.per_shoe if best else None,
        won_per_hour=_per_hour(request, best) if best else None,
    )


def _perfect_play(bound: BoundAnswer) -> PerfectPlayAnswer:
    """Return the upper bound of all counts under the keys of a sheet."""
    fields = asdict(bound)
    del fields["chunk"]
    return PerfectPlayAnswer(**fields)
