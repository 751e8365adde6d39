"""What to expect over many plays, and how the figures move with the decks and the pays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.analysis.long_run import CONFIDENCE, Stretch
from combinat.analysis.sensitivity import AtDecks
from combinat.figures import FIGURES, label_without_option
from combinat.meters.hold import known_hold
from decks import format_deck_counts
from reports.page.figures import column
from reports.page.model import Cell, Column, Plot, Section, Style, Table
from reports.sheet.sections.awards import meter_basis
from reports.sheet.sections.request import Request
from reports.tables.headings import INFINITE


def expectation(request: Request) -> Section:
    """Say between which bounds the hold of many plays lies and how likely the house is ahead."""
    title = "What to expect"
    study = request.study
    if study.settled is None:
        unknown = "This depends on the amounts of the meters, which are not known; give them with --meter."
        return Section(6, title, key="expectation", text=(unknown,))
    settled = study.settled.analysis
    columns = (
        Column("Plays", Style.COUNT),
        Column("Hold, from", Style.PERCENT),
        Column("to", Style.PERCENT),
        Column("House ahead", Style.CHANCE),
        Column("By"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.plays, one.least_hold, one.most_hold, one.house_ahead, method(one)) for one in study.stretches
    )
    percent = f"{CONFIDENCE * 100}%"
    notes = [
        "The distribution itself: the chance of every sum that the plays can give back, without approximation; the "
        "hold's bounds are whole sums. The normal curve: an approximation by the mean and the standard deviation only, "
        "used where the plays are more than 25 times the squared skewness, and called rough where they are fewer but "
        "the sums too many to be worked out, as with very large pays, pays of many decimals or very many plays."
    ]
    text = [f"With a wager of one in each play, the hold lies between these bounds with a confidence of {percent}."]
    if study.option is not None:
        text.append(f"This is for the wager alone, without the {study.option.kind}.")
    if settled is not request.analysis:
        text.append(
            f"{meter_basis(settled)} What the wagers add to the meters counts as held here; in the long run it is paid "
            "out again, which the hold in the headline takes into account."
        )
    return Section(
        6,
        title,
        key="expectation",
        text=tuple(text),
        tables=(Table(columns, rows, f"Hold of the house over many plays, {percent} confidence"),),
        notes=tuple(notes),
    )


def method(stretch: Stretch) -> str:
    """Name the way in which the figures for so many plays were found."""
    if stretch.is_exact:
        return "the distribution itself"
    return "normal curve, a rough approximation" if stretch.is_rough else "normal curve, an approximation"


def deck_sensitivity(request: Request) -> Section:
    """Show the figures with every usual number of decks."""
    # Where no hand fits the bet's condition, there is nothing to show but that.
    found = {one.decks: one.analysis for one in request.study.by_decks if one.analysis is not None}
    label, kept = _kept(tuple(found.values()))
    values = dict(zip(found, kept, strict=True))
    here = values[request.analysis.shoe.decks]
    columns: tuple[Column, ...] = (
        Column("Decks", Style.COUNT),
        Column(label, Style.PERCENT),
        Column("Change", Style.PERCENT),
        column("hit_frequency"),
        column("standard_deviation"),
        column("top_award_one_in"),
        Column("Designed"),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in request.study.by_decks:
        decks = INFINITE if one.decks is None else one.decks
        if one.analysis is None:
            rows.append((decks, *["impossible"] * 5, _mark(request, one)))
            continue
        top = one.analysis.top
        rows.append(
            (
                decks,
                values[one.decks],
                values[one.decks] - here,
                one.analysis.hit_frequency,
                one.analysis.standard_deviation,
                top.one_in if top.is_possible else "impossible",
                _mark(request, one),
            )
        )
    if request.analysis.open_meters:  # a deviation is a number only with every meter's amount
        columns, rows = columns[:4] + columns[5:], [row[:4] + row[5:] for row in rows]
    plot = Plot(
        caption=f"{label} by number of decks; filled: designed for",
        steps=tuple(INFINITE if decks is None else str(decks) for decks in found),
        values=kept,
        marked=frozenset(place for place, decks in enumerate(found) if decks in request.analysis.paytable.decks),
        x_label="decks",
        y_label=label.lower(),
        source=label,
    )
    notes = [f"{INFINITE}: every card drawn as if from a full deck, independent of the others."]
    if len(found) < len(request.study.by_decks):
        counts = format_deck_counts(one.decks for one in request.study.by_decks if one.decks and one.analysis is None)
        notes.append(
            f"With {counts} deck{'' if counts == '1' else 's'} the bet is impossible: no hand fits the condition "
            "under which it is made."
        )
    played = request.study.play is not None
    counted = "Each number of decks with its own best play" if played else "All from one enumeration"
    return Section(
        7,
        "Deck sensitivity",
        key="deck_sensitivity",
        text=(f"{counted}; the change is against this sheet's {request.analysis.shoe}.",),
        tables=(Table(columns, tuple(rows), "The figures by number of decks"),),
        plots=(plot,),
        notes=tuple(notes),
    )


def _kept(found: Sequence[Analysis]) -> tuple[str, tuple[Fraction, ...]]:
    """Give what the house keeps at each deck count, in the one figure that can be a number at all of them."""
    if all(one.house_edge.is_constant for one in found):
        option = found[0].paytable.bet.option
        label = label_without_option("house_edge", {option}) if option else FIGURES["house_edge"].label
        return label, tuple(one.house_edge.constant for one in found)
    holds = [known_hold(one) for one in found]
    if None not in holds:
        return FIGURES["hold"].label, tuple(hold for hold in holds if hold is not None)
    return "Kept of the fixed pays", tuple(1 - one.fixed_return for one in found)


def _mark(request: Request, one: AtDecks) -> str:
    designed = "yes" if one.decks in request.analysis.paytable.decks else "no"
    return f"{designed}, this sheet" if one.decks == request.analysis.shoe.decks else designed


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
    return Section(8, "Paytable sensitivity", key="pay_sensitivity", tables=(table,), notes=tuple(notes))
