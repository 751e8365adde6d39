"""What to expect over many plays, and how the figures move with the decks and the pays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.long_run import CONFIDENCE, Stretch
from combinat.meters import known_hold
from combinat.sensitivity import AtDecks
from reports.documents import WITHOUT_END
from reports.model import Cell, Column, Plot, Section, Style, Table
from reports.sections.awards import meter_basis
from reports.sections.request import Request


def expectation(request: Request) -> Section:
    """Say between which bounds the hold of many plays lies and how likely the house is ahead."""
    title = "What to expect"
    settled = request.settled
    if settled is None:
        unknown = "This depends on the amounts of the meters, which are not known; give them with --meter."
        return Section(6, title, text=(unknown,))
    columns = (
        Column("Plays", Style.COUNT),
        Column("Hold, from", Style.PERCENT),
        Column("to", Style.PERCENT),
        Column("House ahead", Style.CHANCE),
        Column("By"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.plays, one.least_hold, one.most_hold, one.house_ahead, method(one)) for one in request.stretches
    )
    percent = f"{CONFIDENCE * 100}%"
    notes = [
        "The distribution itself: the chance of every sum that the plays can give back, without approximation; the "
        "hold's bounds are whole sums. The normal curve: an approximation by the mean and the standard deviation only, "
        "used where the plays are more than 25 times the squared skewness, and called rough where they are fewer but "
        "the sums too many to be worked out, as with very large pays, pays of many decimals or very many plays."
    ]
    text = [f"With a wager of one in each play, the hold lies between these bounds with a confidence of {percent}."]
    if request.analysis.riding is not None:
        text.append(f"This is for the wager by itself, without the {request.analysis.riding.kind}.")
    if settled is not request.analysis:
        text.append(
            f"{meter_basis(settled)} What the wagers add to the meters counts as held here; in the long run it is paid "
            "out again, which the hold in the headline takes into account."
        )
    return Section(
        6,
        title,
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
    found = request.by_decks
    label, values = _kept(found)
    here = values[[one.decks for one in found].index(request.analysis.shoe.decks)]
    columns: tuple[Column, ...] = (
        Column("Decks", Style.COUNT),
        Column(label, Style.PERCENT),
        Column("Change", Style.PERCENT),
        Column("Hit frequency", Style.PERCENT),
        Column("Standard deviation", Style.DECIMAL),
        Column("Top award 1 in", Style.ODDS),
        Column("Designed"),
    )
    rows: list[tuple[Cell, ...]] = []
    for one, value in zip(found, values, strict=True):
        top = one.analysis.top
        rows.append(
            (
                WITHOUT_END if one.decks is None else one.decks,
                value,
                value - here,
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
        steps=tuple(WITHOUT_END if one.decks is None else str(one.decks) for one in found),
        values=values,
        marked=frozenset(place for place, one in enumerate(found) if one.decks in request.analysis.paytable.decks),
        x_label="decks",
        y_label=label.lower(),
    )
    return Section(
        7,
        "Deck sensitivity",
        text=(f"All from one enumeration; the change is against this sheet's {request.analysis.shoe}.",),
        tables=(Table(columns, tuple(rows), "The figures by number of decks"),),
        plots=(plot,),
        notes=(f"{WITHOUT_END}: every card drawn as if from a full deck, independent of the others.",),
    )


def _kept(found: Sequence[AtDecks]) -> tuple[str, tuple[Fraction, ...]]:
    """Give what the house keeps at each deck count, in the one figure that can be a number at all of them."""
    if all(one.analysis.house_edge.is_constant for one in found):
        option = found[0].analysis.paytable.bet.option
        return f"House edge, no {option}" if option else "House edge", tuple(
            one.analysis.house_edge.constant for one in found
        )
    holds = [known_hold(one.analysis) for one in found]
    if None not in holds:
        return "Hold in the long run", tuple(hold for hold in holds if hold is not None)
    return "Kept of the fixed pays", tuple(1 - one.analysis.fixed_return for one in found)


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
    edge, gains = analysis.best_edge, analysis.riding.per_unit if analysis.riding else {}
    rows: list[tuple[Cell, ...]] = []
    for line in analysis.lines:
        if line.award.pay.meter is None:
            # What is paid more can ride as well, so the option makes each unit count for more.
            step, can_fall = line.probability + gains.get(line.award, 0), line.award.pay.amount >= 1
            less = (step, edge + step) if can_fall else (None, None)
            rows.append((line.award.name, str(line.award.pay), -step, less[0], edge - step, less[1]))
    notes = ["One unit is one wager. The edge is a straight line in each pay: two units do twice as much."]
    if analysis.riding is not None:
        notes.append(f"The edge is that with the best {analysis.riding.kind}, on which each unit paid can ride too.")
    if analysis.paytable.meters:
        notes.append("Awards from a meter are left out; the meter section says what an amount does.")
    if analysis.open_meters:  # the edge itself is a formula in the meters
        columns, rows = columns[:4], [row[:4] for row in rows]
    table = Table(columns, tuple(rows), "One unit more or less on each award")
    return Section(8, "Paytable sensitivity", tables=(table,), notes=tuple(notes))
