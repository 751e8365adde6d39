"""Section on card counting: effects of removal, the best counts, and their win by cut-card position."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.counting.counts import BettingValue
from combinat.counting.summary import BestCount, CountingSummary
from reports.answers.count import basis_notes, bound_figures, bound_payload, conventions_in_words, rounds_in_words
from reports.answers.removal import cards_text, effects_payload, removal_table
from reports.answers.removal import effect_notes as removal_notes
from reports.page.model import Cell, Column, Figure, Plot, Section, Style, Table
from reports.page.numerals import exact
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
    watch = request.watch
    if watch is None:
        return None
    return Section(
        "Watching the cards",
        key="watching",
        text=(_text(watch),),
        figures=_figures(request, watch),
        tables=(removal_table(watch.removal, "Effect of removal"), *_tables(request, watch)),
        plots=(*_effects_plot(watch), *_cut_plot(watch)),
        notes=_notes(request, watch),
    )


def _text(watch: CountingSummary) -> str:
    is_decided = watch.played.ride is not None or watch.played.study.play is not None
    edge = f"the edge of {watch.removal.basis}" if is_decided else "the edge of the wager alone"
    if not watch.levels:
        return f"How {edge} moves when one card is gone. No count is told of: {watch.reason}."
    return (
        f"How {edge} moves when one card is gone, and what is won by somebody who counts: who bets "
        "the largest wager whenever the true count reaches the best trigger, and otherwise not at all. Exact for each "
        f"depth; {rounds_in_words(watch.conventions)}, which is an approximation."
    )


def _figures(request: Request, watch: CountingSummary) -> tuple[Figure, ...]:
    figures: list[Figure] = []
    for level in watch.levels:
        figures.append(Figure(f"Best tags of level {level.level}", str(level.tags)))
        figures.append(Figure(f"Betting correlation, level {level.level}", level.correlation, Style.DECIMAL))
    if watch.levels:
        figures.append(Figure("Largest wager", request.stake, Style.MONEY))
        figures.append(Figure("Rounds per hour", request.rounds_per_hour, Style.COUNT))
    for turn in watch.turns:
        figures.append(Figure(f"Counted bet turns at {turn.meter}", turn.amount, Style.MONEY))
    return (*figures, *bound_figures(watch.bound))


def _tables(request: Request, watch: CountingSummary) -> tuple[Table, ...]:
    rows = tuple(
        (level.level, cut, *_value_cells(request, best)) for level in watch.levels for cut, best in level.by_cut
    )
    caption = "The best count of each level, with the cut card so many cards from the end"
    return (Table(_COLUMNS, rows, caption, keys=2),) if rows else ()


def _value_cells(request: Request, best: BettingValue | None) -> tuple[Cell, ...]:
    if best is None:
        return ("none wins", *(None,) * (len(_COLUMNS) - 3))
    return best.trigger, best.frequency, best.edge, best.per_hundred, best.per_shoe, _per_hour(request, best)


def _per_hour(request: Request, best: BettingValue) -> Fraction:
    return request.stake * (request.rounds_per_hour or 0) * best.won


def _effects_plot(watch: CountingSummary) -> tuple[Plot, ...]:
    effects = sorted(watch.removal.effects, key=lambda effect: effect.change.constant)
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


def _cut_plot(watch: CountingSummary) -> tuple[Plot, ...]:
    rows = watch.levels[-1].by_cut if watch.levels else ()
    if len(rows) < 2:
        return ()
    return (
        Plot(
            f"Won per 100 rounds by the best count of level {watch.levels[-1].level}, by where the cut card lies",
            tuple(str(cut) for cut, _ in rows),
            tuple(best.per_hundred if best else Fraction(0) for _, best in rows),
            x_label="Cut card, cards from the end",
            y_label="Won per 100 rounds",
            style=Style.DECIMAL,
            source=_PER_100.title,
        ),
    )


def _notes(request: Request, watch: CountingSummary) -> tuple[str, ...]:
    notes = list(removal_notes([watch.removal]))
    if watch.levels:
        notes.append(conventions_in_words(watch.conventions))
        notes += basis_notes(watch.played)
        notes.append("Won per hour: the largest wager times the rounds of an hour, those without a bet included.")
    if watch.played.ride is not None and request.samples:
        notes.append("What no count can beat is not worked out where winnings ride.")
    if watch.removal.study.analysis.meters:
        notes.append(meter_unit(watch.removal.study.analysis.meter_wager))
    return tuple(notes)


def counting_payload(request: Request) -> dict[str, Any]:
    """Return the data of the section under its key; empty if it was not requested."""
    watch = request.watch
    if watch is None:
        return {}
    removal = watch.removal
    return {
        "watching": {
            "basis": str(removal.basis),
            "meters": {name: exact(value) for name, value in removal.study.analysis.meters.items()},
            "removal": effects_payload(removal),
            "counts": [_level(request, level, watch.played.basis) for level in watch.levels],
            "no_counts": watch.reason or None,
            "rounds_per_hour": exact(request.rounds_per_hour),
            "wager": exact(request.stake),
            "turns": [{"meter": turn.meter, "amount": exact(turn.amount)} for turn in watch.turns],
            "perfect_play": None if watch.bound is None else bound_payload(watch.bound),
        }
    }


def _level(request: Request, level: BestCount, basis: str) -> dict[str, Any]:
    return {
        "level": level.level,
        "basis": basis,
        "tags": {str(card): tag for card, tag in level.tags.of.items()},
        "betting_correlation": exact(level.correlation),
        "conventions": level.count.conventions.name,
        "by_cut": [{"cut": cut} | _best(request, best) for cut, best in level.by_cut],
    }


def _best(request: Request, best: BettingValue | None) -> dict[str, Any]:
    """Return the figures of the best trigger; `None` for each if no trigger wins."""
    return {
        "trigger": exact(best.trigger) if best else None,
        "frequency": exact(best.frequency) if best else None,
        "edge": exact(best.edge) if best else None,
        "won_per_100_rounds": exact(best.per_hundred) if best else None,
        "won_per_shoe": exact(best.per_shoe) if best else None,
        "won_per_hour": exact(_per_hour(request, best)) if best else None,
    }
