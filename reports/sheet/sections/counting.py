"""Watching the cards: what removal does, what the best counts win, and how far the cut card keeps that down."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.counting.counts import BettingValue
from combinat.counting.summary import Level, Watch
from reports.answers.count import basis_notes, bound_figures, bound_payload, in_words, rounds_in_words
from reports.answers.removal import cards_text, effects_payload, removal_table
from reports.answers.removal import notes as removal_notes
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


def watching(request: Request) -> Section | None:
    """Show the section, if it was asked for."""
    found = request.watch
    if found is None:
        return None
    return Section(
        "Watching the cards",
        key="watching",
        text=(_text(found),),
        figures=_figures(request, found),
        tables=(removal_table(found.removal, "Effect of removal"), *_tables(request, found)),
        plots=(*_effects_plot(found), *_cut_plot(found)),
        notes=_notes(request, found),
    )


def _text(found: Watch) -> str:
    is_decided = found.played.ride is not None or found.played.study.play is not None
    edge = f"the edge of {found.removal.basis}" if is_decided else "the edge of the wager alone"
    if not found.levels:
        return f"How {edge} moves when one card is gone. No count is told of: {found.reason}."
    return (
        f"How {edge} moves when one card is gone, and what is won by somebody who counts: who bets "
        "the largest wager whenever the true count reaches the best trigger, and otherwise not at all. Exact for each "
        f"depth; {rounds_in_words(found.conventions)}, which is an approximation."
    )


def _figures(request: Request, found: Watch) -> tuple[Figure, ...]:
    figures: list[Figure] = []
    for one in found.levels:
        figures.append(Figure(f"Best tags of level {one.level}", str(one.tags)))
        figures.append(Figure(f"Betting correlation, level {one.level}", one.correlation, Style.DECIMAL))
    if found.levels:
        figures.append(Figure("Largest wager", request.stake, Style.MONEY))
        figures.append(Figure("Rounds per hour", request.rounds_per_hour, Style.COUNT))
    for turn in found.turns:
        figures.append(Figure(f"Counted bet turns at {turn.meter}", turn.amount, Style.MONEY))
    return (*figures, *bound_figures(found.bound))


def _tables(request: Request, found: Watch) -> tuple[Table, ...]:
    rows = tuple((one.level, cut, *_worth(request, best)) for one in found.levels for cut, best in one.by_cut)
    caption = "The best count of each level, with the cut card so many cards from the end"
    return (Table(_COLUMNS, rows, caption, keys=2),) if rows else ()


def _worth(request: Request, best: BettingValue | None) -> tuple[Cell, ...]:
    if best is None:
        return ("none wins", *(None,) * (len(_COLUMNS) - 3))
    return best.trigger, best.frequency, best.edge, best.per_hundred, best.per_shoe, _per_hour(request, best)


def _per_hour(request: Request, best: BettingValue) -> Fraction:
    return request.stake * (request.rounds_per_hour or 0) * best.won


def _effects_plot(found: Watch) -> tuple[Plot, ...]:
    effects = sorted(found.removal.effects, key=lambda one: one.change.constant)
    if len(effects) < 2 or not all(one.change.is_constant for one in effects):
        return ()
    return (
        Plot(
            "Change of the house edge when one card is gone",
            tuple(cards_text(one.cards) for one in effects),
            tuple(one.change.constant for one in effects),
            x_label="Cards",
            y_label="Change",
            source="Change",
        ),
    )


def _cut_plot(found: Watch) -> tuple[Plot, ...]:
    rows = found.levels[-1].by_cut if found.levels else ()
    if len(rows) < 2:
        return ()
    return (
        Plot(
            f"Won per 100 rounds by the best count of level {found.levels[-1].level}, by where the cut card lies",
            tuple(str(cut) for cut, _ in rows),
            tuple(best.per_hundred if best else Fraction(0) for _, best in rows),
            x_label="Cut card, cards from the end",
            y_label="Won per 100 rounds",
            style=Style.DECIMAL,
            source=_PER_100.title,
        ),
    )


def _notes(request: Request, found: Watch) -> tuple[str, ...]:
    told = list(removal_notes([found.removal]))
    if found.levels:
        told.append(in_words(found.conventions))
        told += basis_notes(found.played)
        told.append("Won per hour: the largest wager times the rounds of an hour, those without a bet included.")
    if found.played.ride is not None and request.samples:
        told.append("What no count can beat is not worked out where winnings ride.")
    if found.removal.study.analysis.meters:
        told.append(meter_unit(found.removal.study.analysis.meter_wager))
    return tuple(told)


def watching_payload(request: Request) -> dict[str, Any]:
    """Give the section's data under its key; nothing if it was not asked for."""
    found = request.watch
    if found is None:
        return {}
    removal = found.removal
    return {
        "watching": {
            "basis": str(removal.basis),
            "meters": {name: exact(value) for name, value in removal.study.analysis.meters.items()},
            "removal": effects_payload(removal),
            "counts": [_level(request, one, found.played.basis) for one in found.levels],
            "no_counts": found.reason or None,
            "rounds_per_hour": exact(request.rounds_per_hour),
            "wager": exact(request.stake),
            "turns": [{"meter": one.meter, "amount": exact(one.amount)} for one in found.turns],
            "perfect_play": None if found.bound is None else bound_payload(found.bound),
        }
    }


def _level(request: Request, one: Level, basis: str) -> dict[str, Any]:
    return {
        "level": one.level,
        "basis": basis,
        "tags": {str(card): tag for card, tag in one.tags.of.items()},
        "betting_correlation": exact(one.correlation),
        "conventions": one.count.conventions.name,
        "by_cut": [{"cut": cut} | _best(request, best) for cut, best in one.by_cut],
    }


def _best(request: Request, best: BettingValue | None) -> dict[str, Any]:
    """Give what the best trigger is worth; nothing of it if none wins."""
    return {
        "trigger": exact(best.trigger) if best else None,
        "frequency": exact(best.frequency) if best else None,
        "edge": exact(best.edge) if best else None,
        "won_per_100_rounds": exact(best.per_hundred) if best else None,
        "won_per_shoe": exact(best.per_shoe) if best else None,
        "won_per_hour": exact(_per_hour(request, best)) if best else None,
    }
