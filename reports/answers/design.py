"""Answer of the `design` command: the paytables that meet the requirements."""

from __future__ import annotations

from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.exact.numbers import format_decimal
from combinat.figures import FIGURES
from combinat.finder.finder import SearchResult
from combinat.finder.model import SEED
from combinat.finder.ranking import Candidate
from combinat.finder.spec import CLOSEST, HIGHEST, LOWEST, ROUNDEST, Spec, constraints, describe_spec, signed_percent
from reports.page.model import Cell, Column, Document, Style, Table
from reports.page.numerals import exact
from reports.tables.headings import meter_unit, paytable_heading

OUT = "out"
_IN_WORDS = {
    CLOSEST: "Closest first: by how far the {edge} is from {target}, at the deck count where that is most.",
    ROUNDEST: "Roundest first: a pay costs 2 for each digit after its first, but 1 if that is a last 5; zeros at the "
    "end cost nothing.",
    LOWEST: "Lowest standard deviation with {decks} first.",
    HIGHEST: "Highest standard deviation with {decks} first.",
}
_EQUAL_SUMS = " Of equal sums the one whose {edge} is closest to {target} is first."


def design_document(result: SearchResult) -> Document:
    """Return the paytables that were found, best first."""
    spec = result.spec
    return Document(
        title=paytable_heading(spec.paytable),
        subtitle=_count_text(result),
        flags=() if result.is_complete else ("The search was interrupted: these are the best so far, and not all.",),
        tables=(_table(result),),
        notes=_notes(spec),
    )


def _count_text(result: SearchResult) -> str:
    """Return how many paytables were found and how many are shown."""
    first = f"; the first {len(result.best):,}" if len(result.best) < result.count else ""
    if not result.is_complete:
        return f"{result.count:,} were found so far among {result.size:,} combinations{first}"
    return f"{result.count:,} of {result.size:,} combinations do what is asked{first}"


def _table(result: SearchResult) -> Table:
    spec = result.spec
    edge = "Hold" if spec.has_meters else "Edge"
    columns = [
        Column("No.", Style.COUNT),
        *(Column(spec.stated[index].name, Style.COUNT) for index in _open_awards(spec)),
    ]
    columns += [Column(f"{kind.capitalize()} of {name}", Style.COUNT) for kind, name in _open_meters(spec)]
    columns += [Column(f"{edge}, {_decks(count)}", Style.PERCENT) for count in spec.decks]
    columns += [Column(f"{FIGURES['hit_frequency'].label}, {_decks(spec.decks[0])}", Style.PERCENT)]
    if not spec.has_meters:
        columns += [Column(f"{FIGURES['standard_deviation'].label}, {_decks(spec.decks[0])}", Style.DECIMAL)]
        columns += [Column(f"Top award's share, {_decks(spec.decks[0])}", Style.PERCENT)]
    rows = tuple(_row(number, candidate) for number, candidate in enumerate(result.best, 1))
    return Table(tuple(columns), rows, keys=1)


def _row(number: int, candidate: Candidate) -> tuple[Cell, ...]:
    spec, first = candidate.model.spec, candidate.analyses[0]
    meters = [
        format_decimal(value) if kind == SEED else f"{format_decimal(value * 100)}%"
        for kind, _, value in candidate.meter_values
    ]
    figures: list[Cell] = [first.hit_frequency]
    if not spec.has_meters:
        figures += [first.standard_deviation, _top_award_share(first)]
    return (
        number,
        *(candidate.pays[index] or OUT for index in _open_awards(spec)),
        *meters,
        *candidate.edges,
        *figures,
    )


def _top_award_share(analysis: Analysis) -> Any:
    """Return the top award's share of the return, or `None` if the return is zero."""
    total_return = analysis.return_.constant
    return analysis.top.return_.constant / total_return if total_return else None


def _open_awards(spec: Spec) -> list[int]:
    """Return the indices of the awards with open pays."""
    return [index for index, choice in enumerate(spec.pays) if choice is not None]


def _open_meters(spec: Spec) -> list[tuple[str, str]]:
    return [*(("seed", name) for name, _ in spec.seeds), *(("rate", name) for name, _ in spec.rates)]


def _notes(spec: Spec) -> tuple[str, ...]:
    edge = "hold" if spec.has_meters else "edge"
    target = "" if spec.target_edge is None else signed_percent(spec.target_edge)
    words = _IN_WORDS[spec.order] + (_EQUAL_SUMS if spec.order == ROUNDEST and target else "")
    order = words.format(edge=edge, target=target, decks=_decks(spec.decks[0]))
    requirements = "; ".join(describe_spec(spec))
    notes = [f"Asked for: {requirements}." if requirements else "Nothing is asked of the figures.", order]
    fixed = [
        f"{award.name} {award.pays_text}"
        for award, choice in zip(spec.stated, spec.pays, strict=True)
        if choice is None
    ]
    notes += [f"As they stand: {'; '.join(fixed)}."] if fixed else []
    if spec.has_meters:
        notes.append("The hold is that of the long run: what comes into the meters is paid out.")
    if spec.paytable.bet.option:
        notes.append(f"Figures are of the wager alone; what the {spec.paytable.bet.option} adds is not searched for.")
    if spec.paytable.bet.deal.objection_to_cards:
        notes.append("How the round is played goes by the settings of the game, not by the pays that are searched.")
    notes += [f"{name} at {format_decimal(value)}." for name, value in spec.amounts]
    if spec.paytable.meters:
        notes.append(meter_unit(spec.paytable.meter_wager(spec.decks[0])))
    return tuple(notes)


def _decks(count: int) -> str:
    return f"{count} deck{'s' if count > 1 else ''}"


def design_payload(result: SearchResult) -> dict[str, Any]:
    """Return the paytables that were found as data."""
    spec = result.spec
    return {
        "paytable": spec.paytable.id,
        "decks": list(spec.decks),
        "asked": [str(constraint) for constraint in constraints(spec)],
        "order": spec.order,
        "target": None if spec.target_edge is None else exact(spec.target_edge),
        "basis": "long run" if spec.has_meters else "at the given meters" if spec.amounts else "wager alone",
        "combinations": result.size,
        "found": result.count,
        "complete": result.is_complete,
        "candidates": [_candidate(candidate) for candidate in result.best],
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    spec = candidate.model.spec
    by_decks = []
    for decks, edge, analysis in zip(spec.decks, candidate.edges, candidate.analyses, strict=True):
        figures: dict[str, Any] = {"decks": decks, "hold" if spec.has_meters else "house_edge": exact(edge)}
        figures["hit_frequency"] = exact(analysis.hit_frequency)
        if not spec.has_meters:
            figures["variance"] = exact(analysis.variance)
            figures["standard_deviation"] = exact(analysis.standard_deviation)
            figures["top_share"] = exact(_top_award_share(analysis))
        by_decks.append(figures)
    meters = [{"meter": name, kind: exact(value)} for kind, name, value in candidate.meter_values]
    pays = {award.name: pay for award, pay in zip(spec.stated, candidate.pays, strict=True)}
    return {"pays": pays, "meters": meters, "figures": by_decks}
