"""What to expect over many plays, and how the figures move with the decks and the pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.basis import Basis
from combinat.analysis.long_run import CONFIDENCE, DISTRIBUTION, NORMAL, Stretch
from combinat.exact.root import Root
from combinat.figures import FIGURES, label_of_wager
from combinat.meters.books import books
from decks import format_deck_counts
from reports.page.figures import column
from reports.page.model import Cell, Column, Plot, Section, Style, Table
from reports.sheet.sections.request import Request
from reports.tables.headings import INFINITE
from reports.tables.results import MEANINGS


def expectation(request: Request) -> Section:
    """Say between which bounds the hold of many plays lies and how likely the house is ahead."""
    title, study = "What to expect", request.study
    if study.result is None:
        unknown = "This depends on the amounts of the meters, which are not known; give them with --meter."
        return Section(title, key="expectation", text=(unknown,))
    first = study.stretches[0] if study.stretches else None
    if first is None or first[0] is not study.result.basis:
        return Section(title, key="expectation", text=(_NO_SPREAD,))
    percent = f"{CONFIDENCE * 100}%"
    text = [f"With a wager of one in each play, the hold lies between these bounds with a confidence of {percent}."]
    if study.option is not None:
        text.append(f"This is for the wager alone, without the {study.option.kind}.")
    caption = f"Hold of the house over many plays, {percent} confidence"
    if study.paytable.meters:
        text.append(MEANINGS[first[0]])
        caption += f", {first[0]}"
    tables = [_stretch_table(first[1], caption)]
    tables += [_beside(study.stretches[1:], percent)] if len(study.stretches) > 1 else []
    return Section(title, key="expectation", text=tuple(text), tables=tuple(tables), notes=(_METHODS,))


_NO_SPREAD = (
    "There is no interval: the hold is only known between bounds, or a reserve pays just the seeds, so that the sums "
    "of many plays tend to no normal curve. Section 5 gives a play at the seeds."
)
_METHODS = (
    "The distribution itself: the chance of every sum that the plays can give back, without approximation; the "
    "hold's bounds are whole sums. The normal curve: an approximation by the mean and the standard deviation only, "
    "used where the plays are more than 25 times the squared skewness, and called rough where they are fewer but "
    "the sums too many to be worked out, as with very large pays, pays of many decimals or very many plays. "
    "Asymptotic: the normal curve that plays which depend on one another tend to, called rough while fewer than 25 of "
    "the rarest hits are to be expected."
)


def _stretch_table(stretches: Sequence[Stretch], caption: str) -> Table:
    columns = (
        Column("Plays", Style.COUNT),
        Column("Hold, from", Style.PERCENT),
        Column("to", Style.PERCENT),
        Column("House ahead", Style.CHANCE),
        Column("By"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.plays, one.least_hold, one.most_hold, one.house_ahead, method(one)) for one in stretches
    )
    return Table(columns, rows, caption)


def _beside(others: Sequence[tuple[Basis, Sequence[Stretch]]], percent: str) -> Table:
    """The same while the meters stand still: what goes into them counts as kept, so it is no hold of the books."""
    columns = [Column("Plays", Style.COUNT)]
    for basis, _ in others:
        columns += [Column(f"{str(basis).capitalize()}, from", Style.PERCENT), Column("to", Style.PERCENT)]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (parts[0].plays, *(bound for one in parts for bound in _bounds(one)))
        for parts in zip(*(stretches for _, stretches in others), strict=True)
    )
    caption = f"Beside it, {percent} confidence: wagers by themselves, the meters standing still"
    return Table(tuple(columns), rows, caption)


def _bounds(stretch: Stretch) -> tuple[Cell, Cell]:
    """The bounds, unless they are a rough approximation, which nobody should read beside exact ones."""
    return ("rough", "rough") if stretch.is_rough else (stretch.least_hold, stretch.most_hold)


def method(stretch: Stretch) -> str:
    """Name the way in which the figures for so many plays were found."""
    if stretch.method == DISTRIBUTION:
        return "the distribution itself"
    curve = "normal curve" if stretch.method == NORMAL else "asymptotic"
    return f"{curve}, a rough approximation" if stretch.is_rough else f"{curve}, an approximation"


def deck_sensitivity(request: Request) -> Section:
    """Show the figures with every usual number of decks."""
    # Where no hand fits the bet's condition, there is nothing to show but that.
    rows_of = [_at_decks(request, place) for place in range(len(request.study.by_decks))]
    label = _label(request)
    here = next(row.kept for row in rows_of if row.is_this_sheet)
    columns: list[Column] = [
        Column("Decks", Style.COUNT),
        Column(label, Style.PERCENT),
        Column("Change", Style.PERCENT),
        column("hit_frequency"),
        column("standard_deviation"),
        column("top_award_one_in"),
        Column("Designed"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for row in rows_of:
        decks, analysis = row.decks or INFINITE, row.analysis
        if analysis is None:
            rows.append((decks, *["impossible"] * 5, row.mark))
            continue
        known = row.kept is not None and here is not None
        rows.append(
            (
                decks,
                row.kept if row.kept is not None else _NEVER_HIT,
                row.kept - here if row.kept is not None and here is not None and known else None,
                analysis.hit_frequency,
                row.deviation,
                analysis.top.one_in if analysis.top.is_possible else "impossible",
                row.mark,
            )
        )
    if request.study.result is None:  # a deviation is a number only with every meter's amount
        columns, rows = columns[:4] + columns[5:], [row[:4] + row[5:] for row in rows]
    shown = [row for row in rows_of if row.kept is not None]
    plot = Plot(
        caption=f"{label} by number of decks; filled: designed for",
        steps=tuple(INFINITE if row.decks is None else str(row.decks) for row in shown),
        values=tuple(row.kept for row in shown if row.kept is not None),
        marked=frozenset(place for place, row in enumerate(shown) if row.decks in request.analysis.paytable.decks),
        x_label="decks",
        y_label=label.lower(),
        source=label,
    )
    played = request.study.play is not None
    counted = "Each number of decks with its own best play" if played else "All from one enumeration"
    return Section(
        "Deck sensitivity",
        key="deck_sensitivity",
        text=(f"{counted}; the change is against this sheet's {request.analysis.shoe}.",),
        tables=(Table(tuple(columns), tuple(rows), "The figures by number of decks"),),
        plots=(plot,),
        notes=tuple(_deck_notes(request, rows_of)),
    )


_NEVER_HIT = "never hit"


class _AtDecks(Struct, frozen=True):
    """A row of the deck table, on the basis of the headline."""

    decks: int | None
    analysis: Analysis | None
    kept: Fraction | None
    deviation: Root | None
    is_this_sheet: bool
    mark: str


def _at_decks(request: Request, place: int) -> _AtDecks:
    """Work out a row: what the house keeps and how far that spreads, on the books where the meters are known."""
    study = request.study
    one, figures = study.by_decks[place], study.meters_by_decks[place]
    is_here = one.decks == study.shoe.decks
    designed = "yes" if one.decks in study.paytable.decks else "no"
    mark = f"{designed}, this sheet" if is_here else designed
    analysis = one.analysis
    if analysis is None:
        return _AtDecks(one.decks, None, None, None, is_here, mark)
    if study.meters is None:
        known = analysis.house_edge.constant if analysis.house_edge.is_constant else 1 - analysis.fixed_return
        return _AtDecks(one.decks, analysis, known, analysis.standard_deviation, is_here, mark)
    result = books(figures) if figures else None
    kept = result.house_edge if result else None
    return _AtDecks(one.decks, analysis, kept, result.standard_deviation if result else None, is_here, mark)


def _label(request: Request) -> str:
    """Name what the house keeps at each deck count."""
    study = request.study
    if study.meters is not None:
        return FIGURES["hold"].label
    if study.analysis.house_edge.is_constant:
        return label_of_wager(study, "house_edge")
    return "Kept of the fixed pays"


def _deck_notes(request: Request, rows: Sequence[_AtDecks]) -> Iterator[str]:
    study = request.study
    yield f"{INFINITE}: every card drawn as if from a full deck, independent of the others."
    missing = [row.decks for row in rows if row.decks and row.analysis is None]
    if missing:
        counts = format_deck_counts(missing)
        yield (
            f"With {counts} deck{'' if counts == '1' else 's'} the bet is impossible: no hand fits the condition "
            "under which it is made."
        )
    if study.meters is not None:
        yield (
            f"Hold and standard deviation stand on this basis: {study.results[0].basis}. The meters are run at each "
            "deck count as the paytable says for it, else as on this sheet."
        )
        if any(row.analysis is not None and row.kept is None for row in rows):
            yield f"{_NEVER_HIT.capitalize()}: an award that takes a whole meter cannot come, so there is no long run."


def pay_sensitivity(request: Request) -> Section:
    """Show what one unit more or less on each award does to the edge."""
    analysis = request.analysis
    columns: tuple[Column, ...] = (
        Column("Award"),
        Column("Pays", Style.COUNT),
        Column("One unit more changes the edge by", Style.PERCENT),
        Column("One unit less, by", Style.PERCENT),
        Column("Edge with one more", Style.PERCENT),
        Column("Edge with one less", Style.PERCENT),
    )
    study = request.study
    edge = study.house_edge
    rows: list[tuple[Cell, ...]] = []
    for award, line in enumerate(analysis.lines):
        if line.award.pay.meter is None:
            more, less = study.edge_change(award, 1), study.edge_change(award, -1)
            falling = (less, edge + less) if line.award.pay.amount >= 1 else (None, None)
            rows.append((line.award.name, str(line.award.pay), more, falling[0], edge + more, falling[1]))
    as_long_as_it_wins = "" if study.option is None else ", as long as the award wins"
    notes = [
        "One unit is one wager. The edge is a straight line in each pay"
        f"{as_long_as_it_wins}: two units do twice as much."
    ]
    if study.option is not None:
        notes.append(
            f"The edge is that with the best {study.option.kind}, on which each unit paid can ride too; with an "
            "award that does not win nothing rides."
        )
    if study.play is not None:
        notes.append("Hands are played as they are now, whatever the pays.")
    if analysis.paytable.meters:
        notes.append("Awards from a meter are left out; the meter section says what an amount does.")
    if analysis.open_meters:  # the edge itself is a formula in the meters
        columns, rows = columns[:4], [row[:4] for row in rows]
    table = Table(columns, tuple(rows), "One unit more or less on each award")
    return Section("Paytable sensitivity", key="pay_sensitivity", tables=(table,), notes=tuple(notes))
