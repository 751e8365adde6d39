"""Document of the `design` command: the paytables that meet the requirements."""

from __future__ import annotations

from fractions import Fraction

from combinat.exact.numbers import format_decimal, round_half_even
from combinat.figures import FIGURES
from combinat.finder.finder import SearchResult
from combinat.finder.model import SEED
from combinat.finder.ranking import Candidate
from combinat.finder.relaxation import describe_relaxed
from combinat.finder.spec import (
    CLOSEST,
    DESCENDING,
    EDGE,
    HIGHEST,
    LOWEST,
    ROUNDEST,
    SMALLEST_CHANGE,
    Spec,
    describe_spec,
    signed_percent,
)
from reports.answers.studies import decks_text
from reports.page.model import Cell, Column, Document, Style, Table
from reports.tables.headings import meter_unit, paytable_heading

OUT = "out"
_ORDER_NOTES = {
    CLOSEST: "Closest first: by the distance of the {edge} from {target}, at the deck count where it is largest.",
    ROUNDEST: "Roundest first: a pay costs 2 for each digit after its first, but 1 for a final 5; trailing zeros cost "
    "nothing.",
    LOWEST: "Lowest standard deviation with {decks} first.",
    HIGHEST: "Highest standard deviation with {decks} first.",
    SMALLEST_CHANGE: "Smallest change first: the changes of all pays relative to the paytable as it is, added up.",
}
_STEPS = " Distances are compared in steps of {step}."
_SECOND_KEY = " Among equals: "
_EQUAL_SUMS = " Of equal costs, the {edge} closest to {target} is first."
NO_SOLUTION = "none of {size:,} combinations meets the requirements"


def design_document(result: SearchResult) -> Document:
    """Return the paytables that were found, best first."""
    spec = result.spec
    return Document(
        title=paytable_heading(spec.paytable),
        subtitle=_count_text(result),
        flags=_flags(result),
        tables=(_table(result),) if result.best else (_nearest_table(result),) if result.nearest else (),
        notes=(*_proof(result), *_notes(result)),
    )


def _flags(result: SearchResult) -> tuple[str, ...]:
    if result.is_interrupted:
        return ("The search was interrupted: these are the best so far.",)
    return () if result.is_complete else (f"{result.incomplete[0].upper()}{result.incomplete[1:]}.",)


def _proof(result: SearchResult) -> tuple[str, ...]:
    """Return which requirements exclude one another, if nothing was found."""
    if result.best or not result.is_complete:
        return ()
    if not result.size:
        return ("No award can be won.",)
    if not result.conflict:
        return ("The meters would take more of each wager than the fixed pays leave.",)
    reasons = []
    for requirement in result.conflict:
        lowest_edge, highest_edge = (_rounded_percent(edge) for edge in result.reach(requirement.at))
        hints = {
            EDGE: f" (possible: {lowest_edge} to {highest_edge})",
            DESCENDING: " (unless any order is allowed)",
        }
        reasons.append(f"{requirement}{hints.get(requirement.kind, '')}")
    beginning = (
        "No combination meets this requirement" if len(reasons) == 1 else "These requirements exclude one another"
    )
    return (f"{beginning}: {'; '.join(reasons)}.", "Each row shows the smallest change of a limit that suffices.")


def _rounded_percent(edge: Fraction) -> str:
    """Format an edge as a percentage with at most two decimals."""
    return signed_percent(Fraction(round_half_even(edge * 10_000), 10_000))


def _count_text(result: SearchResult) -> str:
    """Return how many paytables were found and how many are shown."""
    limit_text = f"; the first {len(result.best):,} are shown" if len(result.best) < result.count else ""
    if not result.count and result.is_complete:
        return NO_SOLUTION.format(size=result.size)
    if not result.is_complete:
        return f"{result.count:,} were found so far among {result.size:,} combinations{limit_text}"
    return f"{result.count:,} of {result.size:,} combinations meet the requirements{limit_text}"


def _table(result: SearchResult) -> Table:
    spec = result.spec
    rows = [_row(number, candidate) for number, candidate in enumerate(result.best, 1)]
    if result.current is not None:
        rows.insert(0, _row(0, result.current, has_gain=bool(result.best[0].count_gains)))
    columns = (Column("No.", Style.COUNT), *_columns(spec, has_gain=bool(result.best[0].count_gains)))
    return Table(columns, tuple(rows), keys=1)


def _nearest_table(result: SearchResult) -> Table:
    """Return the smallest changes of limits that suffice, with the paytable that each allows."""
    spec = result.spec
    has_gain = bool(result.nearest[0].candidate.count_gains)
    rows = [
        (
            "; ".join(describe_relaxed(relaxed, spec) for relaxed in miss.relaxed),
            *_row(None, miss.candidate, has_gain=has_gain)[1:],
        )
        for miss in result.nearest
    ]
    if result.current is not None:
        rows.insert(0, ("paytable as it is", *_row(None, result.current, has_gain=has_gain)[1:]))
    return Table((Column("Change of the limits"), *_columns(spec, has_gain=has_gain)), tuple(rows), "Nearest misses")


def _columns(spec: Spec, *, has_gain: bool) -> list[Column]:
    edge, first_decks = "Hold" if spec.has_meters else "Edge", decks_text(spec.decks[0])
    columns = [Column(spec.stated[index].name, Style.COUNT) for index in _open_awards(spec)]
    columns += [Column(f"{kind.capitalize()} of {name}", Style.COUNT) for kind, name in _open_meters(spec)]
    columns += [Column(f"{edge}, {decks_text(count)}", Style.PERCENT) for count in spec.decks]
    columns += [Column(f"{FIGURES['hit_frequency'].label}, {first_decks}", Style.PERCENT)]
    if not spec.has_meters:
        columns += [Column(f"{FIGURES['standard_deviation'].label}, {first_decks}", Style.DECIMAL)]
        columns += [Column(f"Top award's share, {first_decks}", Style.PERCENT)]
    if has_gain:
        columns += [Column(f"Gain of a counter, {decks_text(count)}", Style.DECIMAL) for count in spec.decks]
    return columns


def _row(number: int | None, candidate: Candidate, *, has_gain: bool = False) -> tuple[Cell, ...]:
    spec, first_analysis = candidate.model.spec, candidate.analyses[0]
    meters = [
        format_decimal(value) if kind == SEED else f"{format_decimal(value * 100)}%"
        for kind, _, value in candidate.meter_values
    ]
    figures: list[Cell] = [first_analysis.hit_frequency]
    if not spec.has_meters:
        figures += [first_analysis.standard_deviation, first_analysis.top_award_share]
    gains: list[Cell] = list(candidate.count_gains)
    if has_gain and not gains:
        gains = [None] * len(spec.decks)
    return (
        number,
        *(candidate.pays[index] or OUT for index in _open_awards(spec)),
        *meters,
        *candidate.edges,
        *figures,
        *gains,
    )


def _open_awards(spec: Spec) -> list[int]:
    """Return the indices of the awards with open pays."""
    return [index for index, choice in enumerate(spec.pays) if choice is not None]


def _open_meters(spec: Spec) -> list[tuple[str, str]]:
    return [*(("seed", name) for name, _ in spec.seeds), *(("rate", name) for name, _ in spec.rates)]


def _order_note(spec: Spec) -> str:
    """Describe the order of the solutions."""
    edge = "hold" if spec.has_meters else "edge"
    target = "" if spec.target_edge is None else signed_percent(spec.target_edge)
    parts = []
    for key in spec.order_keys:
        template = _ORDER_NOTES[key.name] + (_STEPS if key.step is not None else "")
        step = "" if key.step is None else signed_percent(key.step)
        parts.append(template.format(edge=edge, target=target, decks=decks_text(spec.decks[0]), step=step))
    first, *others = parts
    if others:
        return first + _SECOND_KEY + others[0][0].lower() + others[0][1:]
    is_by_cost = spec.order_keys[0].name in (ROUNDEST, SMALLEST_CHANGE)
    return first + (_EQUAL_SUMS.format(edge=edge, target=target) if is_by_cost and target else "")


def _notes(result: SearchResult) -> tuple[str, ...]:
    spec = result.spec
    requirements = "; ".join(describe_spec(spec))
    notes = [
        f"Requirements: {requirements}." if requirements else "No requirements on the figures.",
        _order_note(spec),
    ]
    if result.best and result.current is not None:
        missed = "; ".join(map(str, result.current_misses))
        notes.append(
            f"Row 0 is the paytable as it is. It misses: {missed}."
            if missed
            else "Row 0 is the paytable as it is; it meets the requirements."
        )
    if spec.min_difference is not None:
        notes.append(f"Each solution differs by {signed_percent(spec.min_difference)} or more in some pay.")
    if spec.max_count_gain is not None:
        notes.append(
            "Gain of a counter: units per 100 rounds, with tags equal to the effects of removal, for rounds after one "
            "to six eighths of the shoe. Paytables within the other limits, for which it was computed: "
            f"{result.evaluated:,}."
        )
    fixed = [
        f"{award.name} {award.pays_text}"
        for award, choice in zip(spec.stated, spec.pays, strict=True)
        if choice is None
    ]
    notes += [f"Fixed pays: {'; '.join(fixed)}."] if fixed else []
    if spec.has_meters:
        notes.append("The hold is that of the long run: contributions to the meters are paid out.")
    if spec.paytable.bet.option:
        notes.append(f"Figures are of the wager alone; the {spec.paytable.bet.option} is not part of the search.")
    if spec.paytable.bet.deal.objection_to_cards:
        notes.append("Rounds are played by the settings of the game, whatever the pays.")
    notes += [f"{name} at {format_decimal(value)}." for name, value in spec.amounts]
    if spec.paytable.meters:
        notes.append(meter_unit(spec.paytable.meter_wager(spec.decks[0])))
    return tuple(notes)
