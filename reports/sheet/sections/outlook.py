"""Sections with confidence intervals for the hold over many plays and with the effect of each pay on the edge."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.basis import Basis
from combinat.analysis.outlook import ASYMPTOTIC, CONFIDENCE, DISTRIBUTION, NORMAL, WIDEST, SessionOutlook
from combinat.analysis.sensitivity import find_misrankings
from reports.page.figures import page_figures
from reports.page.model import Cell, Column, Section, Style, Styled, Table
from reports.page.numerals import NO_VALUE
from reports.sheet.sections.request import Request
from reports.tables.awards import PAYS
from reports.tables.results import MEANINGS

OUTLOOKS, ONE_UNIT = "stretches", "one unit"
"""Workbook keys of the tables of many plays, and of one unit more or less."""


def outlook_section(request: Request) -> Section:
    """Return the section with intervals for the hold over many plays and the probability of a house win."""
    title, study = "Confidence intervals for hold", request.study
    if study.result is None:
        unknown_text = "This depends on the amounts of the meters, which are not known; give them with --meter."
        return Section(title, key="outlook", text=(unknown_text,))
    first_outlook = study.outlooks[0] if study.outlooks else None
    if first_outlook is None or first_outlook[0] is not study.result.basis:
        return Section(title, key="outlook", text=(_NO_SPREAD,))
    confidence_text = f"{CONFIDENCE * 100}%"
    text = [
        f"With a wager of one in each play, the hold lies between these bounds with a confidence of {confidence_text}."
    ]
    caption = f"Hold of the house over many plays, {confidence_text} confidence"
    if len(study.outlooks) > 1 or study.paytable.meters:
        text.append(MEANINGS[first_outlook[0]])
        caption += f", {first_outlook[0]}"
    other_bases = _FIXED_METERS if study.option is None else str(Basis.WAGER)
    tables = [_outlook_table(*first_outlook, caption)]
    tables += [
        _other_bases_table(study.outlooks[1:], f"On other bases, {confidence_text} confidence: {other_bases}")
    ] * (len(study.outlooks) > 1)
    notes = (_METHODS, *([_WIDEST] if study.result.variance_bounds is not None else []))
    return Section(title, key="outlook", text=tuple(text), tables=tuple(tables), notes=notes)


_FIXED_METERS = "single wagers, the meters held fixed"
_WIDEST = (
    "With the largest deviation: only bounds of the standard deviation are known, and the normal curve uses the upper "
    "bound. The interval then has at least this confidence, within the accuracy of the curve, and the probability that "
    "the house is ahead is the one nearest to one half. The approximation is called rough where the plays are fewer "
    "than 25 times an upper bound of the squared skewness."
)


_NO_SPREAD = (
    "There is no interval: only bounds of the hold are known, or a reserve pays exactly the seeds, so that the sums "
    "of many plays have no normal limit. Section Statistics gives a play at the seeds."
)
_METHODS = (
    "Exact distribution: the probability of every total payment over the plays, without approximation; the bounds of "
    "the hold are attainable totals. Normal curve: an approximation by the mean and the standard deviation only, used "
    "where the plays are more than 25 times the squared skewness. It is called rough where they are fewer but the "
    "exact distribution is too large to compute, as with very large pays, pays of many decimals or very many plays. "
    "Asymptotic: the limiting normal curve of dependent plays, called rough where fewer than 25 of the rarest hits are "
    "expected."
)


def _outlook_table(basis: Basis, outlooks: Sequence[SessionOutlook], caption: str) -> Table:
    columns = (
        Column("Plays", Style.COUNT),
        Column("Hold, from", Style.PERCENT, key=f"{basis} from"),
        Column("to", Style.PERCENT, key=f"{basis} to"),
        Column("House ahead", Style.CHANCE, key=f"{basis} ahead"),
        Column("By", key=f"{basis} by"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            outlook.plays,
            approximation_style(outlook, outlook.least_hold),
            approximation_style(outlook, outlook.most_hold),
            approximation_style(outlook, outlook.house_ahead, is_chance=True),
            method_text(outlook),
        )
        for outlook in outlooks
    )
    return Table(columns, rows, caption, key=OUTLOOKS)


def approximation_style(outlook: SessionOutlook, value: Fraction, *, is_chance: bool = False) -> Cell:
    """Return `value` with the number of digits that the method of its computation justifies."""
    if outlook.method == DISTRIBUTION:
        return value
    if is_chance:
        return Styled(value, Style.ROUGH_CHANCE if outlook.is_rough else Style.APPROXIMATE_CHANCE)
    return Styled(value, Style.ROUGH if outlook.is_rough else Style.APPROXIMATE)


def _other_bases_table(by_basis: Sequence[tuple[Basis, Sequence[SessionOutlook]]], caption: str) -> Table:
    """Return the intervals on the other bases, where contributions to fixed meters count as hold."""
    columns = [Column("Plays", Style.COUNT)]
    for basis, _ in by_basis:
        columns += [
            Column(f"{str(basis).capitalize()}, from", Style.PERCENT, key=f"{basis} from"),
            Column("to", Style.PERCENT, key=f"{basis} to"),
        ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row[0].plays, *(bound for outlook in row for bound in _bounds(outlook)))
        for row in zip(*(outlooks for _, outlooks in by_basis), strict=True)
    )
    return Table(tuple(columns), rows, caption, key=OUTLOOKS)


def _bounds(outlook: SessionOutlook) -> tuple[Cell, Cell]:
    """Return the bounds, or "rough" for a rough approximation."""
    if outlook.is_rough:
        return "rough", "rough"
    return approximation_style(outlook, outlook.least_hold), approximation_style(outlook, outlook.most_hold)


_CURVES = {NORMAL: "normal curve", WIDEST: "normal curve with the largest deviation", ASYMPTOTIC: "asymptotic"}


def curve_in_words(is_adequate: bool) -> str:
    """Return the name of the normal approximation and its quality."""
    return f"{_CURVES[NORMAL]}, {'an approximation' if is_adequate else 'a rough approximation'}"


def method_text(outlook: SessionOutlook) -> str:
    """Return the name of the method by which an outlook was computed."""
    if outlook.method == DISTRIBUTION:
        return "exact distribution"
    curve_name = _CURVES[outlook.method]
    return f"{curve_name}, a rough approximation" if outlook.is_rough else f"{curve_name}, an approximation"


def pay_sensitivity_section(request: Request) -> Section:
    """Return the section with the effect on the edge of one unit more or less on each award."""
    analysis = request.analysis
    columns: tuple[Column, ...] = (
        Column("Award"),
        PAYS,
        Column("One unit more changes the edge by", Style.PERCENT, key="+1"),
        Column("One unit less, by", Style.PERCENT, key="-1"),
        Column("Edge with one more", Style.PERCENT, key="+1 edge"),
        Column("Edge with one less", Style.PERCENT, key="-1 edge"),
        Column("Paid as the award below, by", Style.PERCENT, key="below"),
    )
    study = request.study
    edge = study.house_edge
    misranked_changes = {misranking.award: misranking.change for misranking in find_misrankings(analysis)}
    rows: list[tuple[Cell, ...]] = []
    for award_index, line in enumerate(analysis.lines):
        if line.award.pay.meter is None:
            increase, decrease = study.edge_change(award_index, 1), study.edge_change(award_index, -1)
            decreased = (decrease, edge + decrease) if line.award.pay.amount >= 1 else (None, None)
            cells = (line.award.name, str(line.award.pay), increase, decreased[0], edge + increase, decreased[1])
            rows.append((*cells, misranked_changes.get(award_index, NO_VALUE)))
    condition = "" if study.option is None else ", as long as the award wins"
    notes = [f"One unit is one wager. The edge is linear in each pay{condition}: two units have twice the effect."]
    if study.option is not None:
        notes.append(
            f"The edge is that of best play: each unit paid can also be used for the {study.option.kind}. An award "
            "that does not win gives no choice."
        )
    if study.round_strategy is not None:
        notes.append("Hands are played as they are now, whatever the pays.")
    if analysis.paytable.meters:
        notes.append("Awards from a meter are not listed; the section on meters gives the effect of their amounts.")
    table = Table(columns, tuple(rows), "One unit more or less on each award", key=ONE_UNIT)
    if analysis.open_meters:  # the edge is a formula in the meters
        table = table.without(*columns[4:6])
    if misranked_changes:
        suffix = f"; {Basis.WAGER}" if study.option is not None else ""
        notes.append(
            "Paid as the award below: what it adds to the edge if every hand of an award is paid as the next on the "
            f"table, or as lost after the last, where that pays less{suffix}."
        )
    else:
        table = table.without(columns[6])
    figures = page_figures(study, "to_as_for", "for_as_to")
    return Section("Paytable sensitivity", "pay_sensitivity", figures=figures, tables=(table,), notes=tuple(notes))
