"""What a maximum wager can cost the house, and which awards are reported to the tax office."""

from __future__ import annotations

from fractions import Fraction

from combinat.analysis.analysis import Line
from combinat.analysis.exposure import TaxRule, largest_win, reported, tax_rules
from reports.page.model import Cell, Column, Figure, Section, Style, Table
from reports.sheet.sections.awards import meter_basis
from reports.sheet.sections.request import Request


def exposure(request: Request) -> Section:
    """Show the largest win at the maximum wager, and the wagers from which awards are reported, by year."""
    study = request.study.settled or request.study
    settled = study.analysis
    wager = request.max_wager
    top = largest_win(settled)
    figures = [Figure("Maximum wager taken", wager, Style.MONEY)]
    if top is not None:
        figures.append(Figure(f"Largest win at it: {top.award.name}", top.net.constant * wager, Style.MONEY))
        figures.append(Figure("All that is then paid out", top.gross.constant * wager, Style.MONEY))
    rules = tax_rules()
    columns = (
        Column("Award"),
        Column("Paid at the maximum", Style.MONEY),
        Column(f"Pays {rules[0].times_the_wager} times"),
        Column(f"Wins {rules[0].times_the_wager} times"),
        *(Column(f"Reported from, {rule.years}", Style.MONEY) for rule in rules),
        Column("Withheld above", Style.MONEY),
    )
    # An award by which more than the wager is lost pays nothing out.
    rows = [_row(line, rules, wager) for line in settled.lines if line.is_possible and line.award.pay.amount >= 0]
    times = rules[0].times_the_wager
    notes = [f"{rule.name}, {rule.years}: {rule.source}." for rule in rules]
    notes.append(
        f"Pays {times} times: all that is paid is at least {times} times the wager; wins {times} times: that less the "
        "wager is. "
        "Reported from: the least wager at which the award also reaches the amount, counting all that is paid. "
        "Withheld above: the wager from which tax is withheld. Thresholds change from year to year; check them before "
        "relying on them."
    )
    if settled is not request.analysis:
        notes.append(meter_basis(settled))
    elif request.study.settled is None:
        notes.append("Awards from a meter depend on its amount, which is not known.")
    caption = "Awards and the tests of tax reporting"
    return Section(
        10,
        "Exposure",
        key="exposure",
        figures=tuple(figures),
        tables=(Table(columns, tuple(rows), caption),),
        notes=tuple(notes),
    )


def _row(line: Line, rules: tuple[TaxRule, ...], wager: Fraction) -> tuple[Cell, ...]:
    found = [reported(line, rule) for rule in rules]
    first = found[0]
    if first is None:
        return (line.award.name, *["depends on the meter"] * 3, *["" for _ in rules], "")
    return (
        line.award.name,
        line.gross.constant * wager,
        "no" if first.on_all_paid is None else "yes",
        "no" if first.less_the_wager is None else "yes",
        *("never" if one is None or one.on_all_paid is None else one.on_all_paid for one in found),
        "never" if first.withheld_above is None else first.withheld_above,
    )
