"""Section on exposure: the largest payment for one wager, several spots in a round, and tax thresholds by year.

A bet with meters has a fixed wager and is evaluated at several meter amounts; otherwise the wager is the maximum one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.analysis.basis import Basis
from combinat.analysis.exposure import TaxRule, largest_win, meter_threshold, reporting_threshold, tax_rules
from combinat.analysis.joint import MAX_SPOTS
from combinat.bets.meters import HOUSE_JACKPOT
from combinat.enumeration.decision import LargestWin
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, figure_values, label_of_wager
from combinat.meters.hits import percentile
from combinat.results.par_sheet import (
    ExposureAnswer,
    LargestByAnswer,
    LargestWinAnswer,
    SpotRiskAnswer,
    SpotsTogetherAnswer,
    TaxAnswer,
)
from reports.page.figures import page_figures
from reports.page.model import AtMost, Cell, Column, Figure, Section, Style, Table
from reports.page.numerals import format_fixed, format_root, round_up
from reports.sheet.sections.request import Request
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
    payment, minimum = line.gross.constant * stake, rule.times_the_wager * stake
    net_win, threshold = payment - stake, max(Fraction(rule.reported_from), minimum)
    return {
        "reported": payment >= threshold,
        "reported_less_the_wager": net_win >= threshold,
        "withheld": net_win > rule.withheld_above and net_win >= minimum,
    }


STAKE, TAXED = "stake", "taxed"
"""Workbook keys of the wager and of the table of reported awards."""
OPTION_NOTE = (
    "Best play: all that may be left is left where best play leaves it, and every hand of a split wins, doubled where "
    "best play doubles it. Additional wagers of the player for splits and doubles are returned too and are not counted."
)


def exposure_section(request: Request) -> Section:
    """Return the section with the largest payment for one wager and the tax thresholds by year."""
    rules, stake = tax_rules(), request.stake
    cases = list(iter_meter_amounts(request))
    is_fixed = bool(request.analysis.paytable.meters)
    figures = [Figure(_stake_label(request), stake, Style.MONEY, STAKE)]
    figures += _option_figures(request)
    for case in cases:
        top_line = largest_win(analysis_at(request, case))
        if top_line is not None:
            suffix = f", {case.basis}" if case.meters else ""
            label = f"{label_of_wager(request.study, WIN)}{suffix}"
            figures.append(
                _money(f"{label}: {top_line.award.name}", (top_line.highest.constant - 1) * stake, case, WIN)
            )
            figures.append(_money(_payment_label(label), top_line.highest.constant * stake, case, PAID))
    figures += spot_figures(request)
    full_table = _fixed_wager_table(request, cases, rules) if is_fixed else _free_wager_table(request, rules)
    table = replace(
        full_table, rows=tuple(row for row in full_table.rows if not _NEVER.issuperset(row[-len(rules) - 1 :]))
    )
    notes = [f"{rule.name}, {rule.years}: {rule.source}." for rule in rules]
    notes += [_table_note(rules[0].times_the_wager, is_fixed)] * bool(table.rows)
    if request.study.option is not None:
        notes.append(OPTION_NOTE)
    notes += spot_notes(request)
    if request.analysis.paytable.wheels:
        notes.append("An award that a wheel multiplies is taken at its highest prize.")
    has_unlisted = len(table.rows) < len(full_table.rows)
    if is_fixed and table.rows:
        notes += _amount_notes(cases)
        if not cases:
            notes.append("What awards from a meter pay depends on its amount, which is not known.")
    return Section(
        "Exposure",
        key="exposure",
        text=(_unlisted_text(len(table.rows), rules[0].times_the_wager, is_fixed),) if has_unlisted else (),
        figures=tuple(figures),
        tables=(*([table] if table.rows else []), *rounding_tables(request.analysis)),
        notes=tuple(notes),
    )


def _stake_label(request: Request) -> str:
    if request.analysis.paytable.meters:
        return "Fixed wager"
    return "Largest wager" if request.is_stake_stated else "Wager of this example; the largest wager is not stated"


_NEVER = {"no", "never"}


def _unlisted_text(listed_count: int, multiple: int, is_fixed: bool) -> str:
    """Return the sentence on awards that are never reported."""
    if listed_count:
        return "Awards that are not listed are never reported, and no tax is withheld from them."
    reason = "pays enough at this wager" if is_fixed else f"pays {multiple} times the wager"
    return f"No award is reported or has tax withheld by the rules below: none {reason}."


def _option_figures(request: Request) -> Iterator[Figure]:
    """Yield the largest win with best play and the payment that goes with it."""
    if request.study.option is None:
        return
    largest, label = request.study.option.largest_win, next(figure_values(request.study, WIN)).label
    decision_text = f"; {' against '.join(largest.known_cards)}, {largest.first_action}" if largest.known_cards else ""
    name = request.analysis.lines[largest.award].award.name
    yield Figure(f"{label}: {name}{decision_text}", largest.net * request.stake, Style.MONEY, WIN, str(Basis.BEST))
    yield Figure(_payment_label(label), (largest.net + 1) * request.stake, Style.MONEY, PAID, str(Basis.BEST))


def _payment_label(label: str) -> str:
    """Return the label of the total payment that goes with the label of a largest win."""
    return f"Total payment including wager{label.removeprefix(FIGURES[WIN].label)}"


def money_bound(value: Fraction) -> AtMost:
    """Format an upper bound in money.

    >>> print(money_bound(Fraction(1, 3)))
    ≤ 0.34
    """
    return AtMost(format_fixed(round_up(value, 2), 2), value)


def _money(label: str, value: Fraction, case: MeterAmounts, key: str) -> Figure:
    """Return an amount of money as a figure, marked if it is an upper bound."""
    amount = money_bound(value) if case.is_bound else value
    return Figure(label, amount, Style.MONEY, key, str(case.basis))


def _table_note(multiple: int, is_fixed: bool) -> str:
    caution_text = "Thresholds change from year to year; check them before relying on them."
    if is_fixed:
        return (
            f"All amounts are money for the fixed wager. Reported: all that is paid is at least {multiple} times the "
            "wager and reaches the amount of the year; for an award from a meter, the amount of the meter from which "
            "it is. Withheld: what is paid less the wager is above the amount of the rule and at least "
            f"{multiple} times the wager. {caution_text}"
        )
    return (
        f"Pays {multiple} times: all that is paid is at least {multiple} times the wager; wins {multiple} times: "
        "that less the wager is. Reported from: the least wager at which the award also reaches the amount, counting "
        f"all that is paid. Withheld above: the wager from which tax is withheld. {caution_text}"
    )


def _amount_notes(cases: list[MeterAmounts]) -> Iterator[str]:
    """Yield the notes on the meter amounts."""
    for case in cases:
        amounts_text = ", ".join(
            f"{name} at {AtMost.SIGN * case.is_bound}{format_fixed(value, 2)}" for name, value in case.meters.items()
        )
        yield f"{str(case.basis).capitalize()}: {amounts_text}."
    if any(case.is_bound for case in cases):
        sign = AtMost.SIGN.strip()
        yield f"{sign} marks a bound: what is taken out of a meter between hits only lowers its percentiles."


def _free_wager_table(request: Request, rules: tuple[TaxRule, ...]) -> Table:
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
    first_threshold = thresholds[0]
    return (
        line.award.name,
        line.highest.constant * wager,
        "no" if first_threshold.on_all_paid is None else "yes",
        "no" if first_threshold.less_the_wager is None else "yes",
        *("never" if threshold.on_all_paid is None else threshold.on_all_paid for threshold in thresholds),
        "never" if first_threshold.withheld_above is None else first_threshold.withheld_above,
    )


def _fixed_wager_table(request: Request, cases: list[MeterAmounts], rules: tuple[TaxRule, ...]) -> Table:
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
            payments = [analysis.lines[index].gross.constant * request.stake for analysis in analyses]
            cells: list[Cell] = [
                money_bound(value) if case.is_bound and line.award.pay.meter else value
                for case, value in zip(cases, payments, strict=True)
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


def exposure_answer(request: Request) -> ExposureAnswer:
    """Return the exposure as data."""
    rows = [_largest_win(request, case) for case in iter_meter_amounts(request)]
    is_fixed = bool(request.analysis.paytable.meters)
    if rows:
        basis, award, win, payment = rows[0].basis, rows[0].award, rows[0].win, rows[0].payment
    else:
        basis, award, win, payment = request.study.valued_basis, None, None, None
    tax = [_tax(request, line, rule) for line in request.analysis.lines if line.is_possible for rule in tax_rules()]
    exposure = ExposureAnswer(
        basis=basis,
        max_wager=request.stake,
        wager_is_fixed=is_fixed,
        largest_win=win,
        largest_payment=payment,
        largest_by=LargestByAnswer(award=award, hand=None, up=None, action=None),
        largest_win_without_option=None,
        largest_payment_without_option=None,
        by_meter=rows if is_fixed else [],
        tax=tax,
    )
    return (
        exposure if request.study.option is None else _with_option(request, exposure, request.study.option.largest_win)
    )


def _with_option(request: Request, exposure: ExposureAnswer, largest: LargestWin) -> ExposureAnswer:
    """Return the exposure with the largest win of best play, which replaces that of the wager alone."""
    hand, up = largest.known_cards or (None, None)
    award = request.analysis.lines[largest.award].award.name
    return replace(
        exposure,
        basis=Basis.BEST,
        largest_win=largest.net * request.stake,
        largest_payment=(largest.net + 1) * request.stake,
        largest_by=LargestByAnswer(award=award, hand=hand, up=up, action=largest.first_action or None),
        largest_win_without_option=exposure.largest_win,
        largest_payment_without_option=exposure.largest_payment,
    )


def _largest_win(request: Request, case: MeterAmounts) -> LargestWinAnswer:
    top_line = largest_win(analysis_at(request, case))
    payment = top_line.highest.constant * request.stake if top_line else None
    return LargestWinAnswer(
        basis=case.basis,
        meters=dict(case.meters),
        at_most=case.is_bound,
        award=top_line.award.name if top_line else None,
        win=None if payment is None else payment - request.stake,
        payment=payment,
    )


def _tax(request: Request, line: AwardLine, rule: TaxRule) -> TaxAnswer:
    pay, stake = line.award.pay, request.stake
    answer = TaxAnswer(award=line.award.name, rule=rule.name, years=rule.years)
    if pay.meter is not None:
        thresholds = meter_threshold(pay.amount, stake, rule)
        return replace(
            answer,
            reported_from_meter=thresholds.on_all_paid,
            reported_from_meter_less_the_wager=thresholds.less_the_wager,
            withheld_above_meter=thresholds.withheld_above,
        )
    if request.analysis.paytable.meters:
        return replace(answer, **tax_tests(line, rule, stake))
    threshold = reporting_threshold(line, rule)
    return replace(
        answer,
        reported_from_wager=threshold.on_all_paid if threshold else None,
        reported_from_wager_less_the_wager=threshold.less_the_wager if threshold else None,
        withheld_above_wager=threshold.withheld_above if threshold else None,
    )


_DIGITS = 4
_EQUAL_SPOTS = (
    "All spots of a round have the same result, since it depends on the dealer's cards alone: m spots have m times the "
    "standard deviation of one."
)


def spot_figures(request: Request) -> tuple[Figure, ...]:
    """Return covariance and correlation of two spots; empty if all spots are equal or it is unknown."""
    risk, settled_analysis = request.study.spots, request.study.at_seeds
    if risk is None or settled_analysis is None or risk.correlation in (None, 1):
        return ()
    return page_figures(settled_analysis, "spot_covariance", "spot_correlation", "seven_spots")


def spot_notes(request: Request) -> tuple[str, ...]:
    """Return the notes on the meaning and the basis of the figures."""
    risk, study = request.study.spots, request.study
    if risk is None or risk.correlation is None:
        return ()
    if risk.correlation == 1:
        return (_EQUAL_SPOTS,)
    limit_text = independent_text = ""
    if risk.max_spots < MAX_SPOTS:
        count_text = f"up to {risk.max_spots} of them" if risk.max_spots > 2 else "two of them"
        limit_text = f", and there are cards for {count_text}"
    else:
        deviation = format_root(Surd(MAX_SPOTS * risk.variance), _DIGITS)
        independent_text = f" If they were independent, seven would have a standard deviation of {deviation}."
    return (
        f"Spots of one round share a shoe{_shared_cards_text(request)}{limit_text}; "
        "the figures are for a wager of one at each "
        f"({study.valued_basis}). Together m of them have m times the variance of one and m(m−1) times the covariance "
        f"more.{independent_text}",
    )


def _shared_cards_text(request: Request) -> str:
    return " and the dealer's cards" if "up" in request.analysis.paytable.bet.deal.positions_by_role else ""


def spots_answer(request: Request) -> SpotRiskAnswer | None:
    """Return the covariance of two spots and the variance of two to seven, or `None` if unknown."""
    risk = request.study.spots
    if risk is None:
        return None
    return SpotRiskAnswer(
        basis=request.study.valued_basis,
        covariance=risk.covariance,
        correlation=risk.correlation,
        by_spots=[
            SpotsTogetherAnswer(
                spots=spot_count,
                variance=risk.variance_of(spot_count),
                standard_deviation=risk.standard_deviation_of(spot_count),
            )
            for spot_count in range(2, risk.max_spots + 1)
        ],
        seven_spots=risk.standard_deviation_of(MAX_SPOTS) if risk.max_spots >= MAX_SPOTS else None,
    )
