"""Section on exposure: the largest payment for one wager, and tax reporting thresholds by year.

A bet with meters has a fixed wager and is evaluated at several meter amounts; otherwise the wager is the maximum one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.analysis.basis import Basis
from combinat.analysis.exposure import TaxRule, largest_win, meter_threshold, reporting_threshold, tax_rules
from combinat.bets.meters import HOUSE_JACKPOT
from combinat.exact.numbers import format_decimal
from combinat.figures import FIGURES, figure_values, label_of_wager
from combinat.meters.hits import percentile
from reports.page.model import AtMost, Cell, Column, Figure, Section, Style, Table
from reports.page.numerals import exact, format_fixed, round_up
from reports.sheet.sections.request import Request
from reports.sheet.sections.spots import spot_figures, spot_notes
from reports.tables.awards import rounding_tables

WIN, PAID = "largest_win", "largest_payment"
"""Keys of the largest win and of its total payment."""


class MeterAmounts(Struct, frozen=True):
    """Amounts of the meters when an award is paid."""

    basis: Basis
    meters: Mapping[str, Fraction]
    is_bound: bool = False
    """Whether the amounts are upper bounds."""

    @property
    def title(self) -> str:
        """Return the title of the column of payments."""
        return f"Paid, {self.basis}" if self.meters else "Paid"


def iter_meter_amounts(request: Request) -> Iterator[MeterAmounts]:
    """Yield the meter amounts to evaluate: at the seeds, the averages and the 99th percentiles, and as given."""
    study, analysis = request.study, request.analysis
    if not analysis.paytable.meters:
        yield MeterAmounts(study.wager_basis, {})
        return
    if study.meters is None:
        if not analysis.open_meters:
            yield MeterAmounts(Basis.METERS, analysis.meters)
        return
    figures = study.meters
    if figures.system.kind == HOUSE_JACKPOT:
        yield MeterAmounts(Basis.POSTED, figures.at_seed)
        return
    yield MeterAmounts(Basis.SEEDS, figures.at_seed)
    if figures.has_closed_form:
        yield MeterAmounts(Basis.AVERAGES, figures.at_average)
    percentiles = {level.level.name: percentile(level) for level in figures.levels}
    is_bound = any(quantile.is_bound for quantile in percentiles.values())
    yield MeterAmounts(Basis.PERCENTILES, {name: quantile.amount for name, quantile in percentiles.items()}, is_bound)
    if analysis.meters:
        yield MeterAmounts(Basis.METERS, figures.at_seed | dict(analysis.meters))


def analysis_at(request: Request, case: MeterAmounts) -> Analysis:
    """Return the analysis of the wager with the meters at the amounts of `case`."""
    analysis = request.analysis
    return Analysis(analysis.paytable, analysis.shoe, analysis.ways, case.meters, analysis.stated_wager)


def tax_tests(line: AwardLine, rule: TaxRule, stake: Fraction) -> dict[str, bool]:
    """Return whether an award with a fixed pay is reported at a fixed wager, and whether tax is withheld."""
    paid, minimum = line.gross.constant * stake, rule.times_the_wager * stake
    won, threshold = paid - stake, max(Fraction(rule.reported_from), minimum)
    return {
        "reported": paid >= threshold,
        "reported_less_the_wager": won >= threshold,
        "withheld": won > rule.withheld_above and won >= minimum,
    }


STAKE, TAXED = "stake", "taxed"
"""Workbook keys of the wager and of the table of reported awards."""
OPTION_NOTE = (
    "With the best {kind} all winnings ride where that gains, and every hand of a split wins, doubled as far as it is "
    "doubled. What the player stakes besides, for further hands and doubles, comes back on top and is not counted."
)


def exposure_section(request: Request) -> Section:
    """Return the section with the largest payment for one wager and the tax thresholds by year."""
    rules, stake = tax_rules(), request.stake
    cases = list(iter_meter_amounts(request))
    is_fixed = bool(request.analysis.paytable.meters)
    figures = [Figure("Fixed wager" if is_fixed else "Maximum wager taken", stake, Style.MONEY, STAKE)]
    figures += _option_figures(request)
    for case in cases:
        top = largest_win(analysis_at(request, case))
        if top is not None:
            suffix = f", {case.basis}" if case.meters else ""
            label = f"{label_of_wager(request.study, WIN)}{suffix}"
            figures.append(_money(f"{label}: {top.award.name}", (top.highest.constant - 1) * stake, case, WIN))
            figures.append(_money(_payment_label(label), top.highest.constant * stake, case, PAID))
    figures += spot_figures(request)
    full_table = _fixed_table(request, cases, rules) if is_fixed else _table(request, rules)
    table = replace(
        full_table, rows=tuple(row for row in full_table.rows if not _NEVER.issuperset(row[-len(rules) - 1 :]))
    )
    notes = [f"{rule.name}, {rule.years}: {rule.source}." for rule in rules]
    notes += [_table_note(rules[0].times_the_wager, is_fixed)] * bool(table.rows)
    if request.study.option is not None:
        notes.append(OPTION_NOTE.format(kind=request.study.option.kind))
    notes += spot_notes(request)
    if request.analysis.paytable.wheels:
        notes.append("An award that a wheel multiplies is taken at its highest prize.")
    is_short = len(table.rows) < len(full_table.rows)
    if is_fixed and table.rows:
        notes += _amount_notes(cases)
        if not cases:
            notes.append("What awards from a meter pay depends on its amount, which is not known.")
    return Section(
        "Exposure",
        key="exposure",
        text=(_unlisted_text(len(table.rows), rules[0].times_the_wager, is_fixed),) if is_short else (),
        figures=tuple(figures),
        tables=(*([table] if table.rows else []), *rounding_tables(request.analysis)),
        notes=tuple(notes),
    )


_NEVER = {"no", "never"}


def _unlisted_text(shown: int, multiple: int, is_fixed: bool) -> str:
    """Return the sentence on awards that are never reported."""
    if shown:
        return "Awards that are not listed are never reported, and no tax is withheld from them."
    why = "pays enough at this wager" if is_fixed else f"pays {multiple} times the wager"
    return f"No award is reported or has tax withheld by the rules below: none {why}."


def _option_figures(request: Request) -> Iterator[Figure]:
    """Yield the largest win with best play and the payment that goes with it."""
    if request.study.option is None:
        return
    top, label = request.study.option.largest, next(figure_values(request.study, WIN)).label
    how = f"; {' against '.join(top.known)}, {top.played}" if top.known else ""
    name = request.analysis.lines[top.award].award.name
    yield Figure(f"{label}: {name}{how}", top.net * request.stake, Style.MONEY, WIN, str(Basis.BEST))
    yield Figure(_payment_label(label), (top.net + 1) * request.stake, Style.MONEY, PAID, str(Basis.BEST))


def _payment_label(label: str) -> str:
    """Return the label of the total payment that goes with the label of a largest win."""
    return f"All that is then paid{label.removeprefix(FIGURES[WIN].label)}"


def money_bound(value: Fraction) -> AtMost:
    """Format an upper bound in money.

    >>> print(money_bound(Fraction(1, 3)))
    ≤ 0.34
    """
    return AtMost(format_fixed(round_up(value, 2), 2), value)


def _money(label: str, value: Fraction, case: MeterAmounts, key: str) -> Figure:
    """Return an amount of money as a figure, marked if it is an upper bound."""
    shown = money_bound(value) if case.is_bound else value
    return Figure(label, shown, Style.MONEY, key, str(case.basis))


def _table_note(multiple: int, is_fixed: bool) -> str:
    check = "Thresholds change from year to year; check them before relying on them."
    if is_fixed:
        return (
            f"All amounts are money for the fixed wager. Reported: all that is paid is at least {multiple} times the "
            "wager and reaches the amount of the year; for an award from a meter, the amount of the meter from which "
            "it is. Withheld: what is paid less the wager is above the amount of the rule and at least "
            f"{multiple} times the wager. {check}"
        )
    return (
        f"Pays {multiple} times: all that is paid is at least {multiple} times the wager; wins {multiple} times: "
        "that less the wager is. Reported from: the least wager at which the award also reaches the amount, counting "
        f"all that is paid. Withheld above: the wager from which tax is withheld. {check}"
    )


def _amount_notes(cases: list[MeterAmounts]) -> Iterator[str]:
    """Yield the notes on the meter amounts."""
    for case in cases:
        stand = ", ".join(
            f"{name} at {AtMost.SIGN * case.is_bound}{format_fixed(value, 2)}" for name, value in case.meters.items()
        )
        yield f"{str(case.basis).capitalize()}: {stand}."
    if any(case.is_bound for case in cases):
        sign = AtMost.SIGN.strip()
        yield f"{sign} marks a bound: what is taken out of a meter between hits only lowers its percentiles."


def _table(request: Request, rules: tuple[TaxRule, ...]) -> Table:
    """Return the awards of a bet with a free wager: the wagers from which they are reported."""
    multiple = rules[0].times_the_wager
    columns = (
        Column("Award"),
        Column("Paid at the maximum", Style.MONEY, key="paid"),
        Column(f"Pays {multiple} times", key="pays"),
        Column(f"Wins {multiple} times", key="wins"),
        *(Column(f"Reported from, {rule.years}", Style.MONEY, key=f"reported {rule.years}") for rule in rules),
        Column("Withheld above", Style.MONEY, key="withheld"),
    )
    # An award that loses more than the wager pays nothing.
    lines = [line for line in request.analysis.lines if line.is_possible and line.award.pay.amount >= 0]
    rows = tuple(_tax_row(line, rules, request.stake) for line in lines)
    return Table(columns, rows, "Awards and the tests of tax reporting", key=TAXED)


def _tax_row(line: AwardLine, rules: tuple[TaxRule, ...], wager: Fraction) -> tuple[Cell, ...]:
    thresholds = [threshold for rule in rules if (threshold := reporting_threshold(line, rule)) is not None]
    first = thresholds[0]
    return (
        line.award.name,
        line.highest.constant * wager,
        "no" if first.on_all_paid is None else "yes",
        "no" if first.less_the_wager is None else "yes",
        *("never" if threshold.on_all_paid is None else threshold.on_all_paid for threshold in thresholds),
        "never" if first.withheld_above is None else first.withheld_above,
    )


def _fixed_table(request: Request, cases: list[MeterAmounts], rules: tuple[TaxRule, ...]) -> Table:
    """Return the awards of a bet with a fixed wager: payments, and whether or from which meter they are reported."""
    columns = (
        Column("Award"),
        *(
            Column(case.title, Style.MONEY, key=f"paid, {case.basis}")
            for case in cases or [MeterAmounts(Basis.WAGER, {})]
        ),
        *(Column(f"Reported, {rule.years}", Style.MONEY, key=f"reported {rule.years}") for rule in rules),
        Column("Withheld", Style.MONEY, key="withheld"),
    )
    analyses = [analysis_at(request, case) for case in cases]
    rows = []
    for index, line in enumerate(request.analysis.lines):
        if line.is_possible:
            paid = [analysis.lines[index].gross.constant * request.stake for analysis in analyses]
            cells: list[Cell] = [
                money_bound(value) if case.is_bound and line.award.pay.meter else value
                for case, value in zip(cases, paid, strict=True)
            ]
            if not cases:
                cells = ["depends on the meter" if line.award.pay.meter else line.gross.constant * request.stake]
            rows.append((line.award.name, *cells, *_tax_cells(line, rules, request.stake)))
    return Table(columns, tuple(rows), "Awards and the tests of tax reporting", key=TAXED)


def _tax_cells(line: AwardLine, rules: tuple[TaxRule, ...], stake: Fraction) -> list[Cell]:
    if line.award.pay.meter is not None:
        thresholds = [meter_threshold(line.award.pay.amount, stake, rule) for rule in rules]
        return [
            *(f"from {format_decimal(threshold.on_all_paid)}" for threshold in thresholds),
            f"above {format_decimal(thresholds[0].withheld_above)}",
        ]
    tests = [tax_tests(line, rule, stake) for rule in rules]
    return [
        *("yes" if test["reported"] else "no" for test in tests),
        "yes" if tests[0]["withheld"] else "no",
    ]


def exposure_payload(request: Request) -> dict[str, Any]:
    """Return the exposure as data."""
    rows = [_largest(request, case) for case in iter_meter_amounts(request)]
    is_fixed = bool(request.analysis.paytable.meters)
    first = rows[0] if rows else {"basis": str(request.study.valued_basis), "award": None, "win": None, "payment": None}
    return {
        "basis": first["basis"],
        "max_wager": exact(request.stake),
        "wager_is_fixed": is_fixed,
        WIN: first["win"],
        PAID: first["payment"],
        **_option_payload(request, first),
        "by_meter": rows if is_fixed else [],
        "tax": [
            {"award": line.award.name, "rule": rule.name, "years": rule.years, **_tax(request, line, rule)}
            for line in request.analysis.lines
            if line.is_possible
            for rule in tax_rules()
        ],
    }


def _option_payload(request: Request, alone: dict[str, Any]) -> dict[str, Any]:
    """Return the largest win with best play, which replaces that of the wager alone."""
    if request.study.option is None:
        return {
            "largest_by": {"award": alone["award"], "hand": None, "up": None, "action": None},
            f"{WIN}_without_option": None,
            f"{PAID}_without_option": None,
        }
    top, stake = request.study.option.largest, request.stake
    hand, up = top.known or (None, None)
    return {
        "basis": str(Basis.BEST),
        WIN: exact(top.net * stake),
        PAID: exact((top.net + 1) * stake),
        "largest_by": {
            "award": request.analysis.lines[top.award].award.name,
            "hand": hand,
            "up": up,
            "action": top.played or None,
        },
        f"{WIN}_without_option": alone["win"],
        f"{PAID}_without_option": alone["payment"],
    }


def _largest(request: Request, case: MeterAmounts) -> dict[str, Any]:
    top = largest_win(analysis_at(request, case))
    return {
        "basis": str(case.basis),
        "meters": {name: exact(value) for name, value in case.meters.items()},
        "at_most": case.is_bound,
        "award": top.award.name if top else None,
        "win": exact((top.highest - 1) * request.stake) if top else None,
        "payment": exact(top.highest * request.stake) if top else None,
    }


def _tax(request: Request, line: AwardLine, rule: TaxRule) -> dict[str, Any]:
    pay, stake = line.award.pay, request.stake
    if pay.meter is not None:
        meter = meter_threshold(pay.amount, stake, rule)
        return {
            "reported_from_meter": exact(meter.on_all_paid),
            "reported_from_meter_less_the_wager": exact(meter.less_the_wager),
            "withheld_above_meter": exact(meter.withheld_above),
        }
    if request.analysis.paytable.meters:
        return tax_tests(line, rule, stake)
    threshold = reporting_threshold(line, rule)
    return {
        "reported_from_wager": exact(threshold.on_all_paid) if threshold else None,
        "reported_from_wager_less_the_wager": exact(threshold.less_the_wager) if threshold else None,
        "withheld_above_wager": exact(threshold.withheld_above) if threshold else None,
    }
