"""Sections with the awards (ways, odds, returns) and with the statistics of the result."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.analysis.basis import Basis, PlayResult
from combinat.analysis.outlook import Z, normal_is_adequate, plays_to_positive_hold, round_to_3_digits, volatility_index
from combinat.exact.numbers import format_decimal
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES, SHEET_GROUPS, other_figures
from combinat.language.english import describe_rule
from combinat.study import Study
from reports.page.figures import STYLES, page_figures
from reports.page.model import Cell, Column, Figure, Section, Style, Styled, Table
from reports.page.numerals import format_fixed
from reports.sheet.sections.outlook import curve_in_words
from reports.sheet.sections.request import Request
from reports.tables.awards import (
    AWARDS,
    NO_AWARD,
    ONE_IN,
    PROBABILITY,
    RETURN,
    TOTAL,
    TRUE_ODDS,
    WAYS,
    added_awards_table,
    value_if_possible,
    wheel_tables,
)
from reports.tables.headings import ANY_ROUND, meter_unit
from reports.tables.results import basis_explanations, meter_amounts_text, results_table


def award_section(request: Request) -> Section:
    """Return the section of awards: ways, probabilities, odds and returns, with totals."""
    analysis = request.analysis
    paytable, condition = analysis.paytable, analysis.paytable.bet.condition
    experiment = paytable.experiment
    cycle = experiment.cycle_in_words(
        analysis.shoe, analysis.ways, describe_rule(condition, paytable.bet.deal) if condition else ""
    )
    counts = _count_table(analysis) if experiment.counts_hands else _probability_table(analysis)
    component_tables = [added_awards_table(analysis)] if paytable.stated_awards else []
    tables = (counts, _odds_table(analysis), _return_table(analysis), *component_tables, *wheel_tables(analysis))
    notes = (*_COLUMN_NOTES, *([_WHEEL_NOTE] if paytable.wheels else []))
    return Section("Awards", key="awards", text=(cycle,), tables=tables, notes=notes)


VOLATILITY = "volatility"
"""Workbook key of the table of confidences."""
_COLUMN_NOTES = (
    '"To 1" is the net win, "for 1" the total payment including the wager; both are given for every award.',
    "An award that comes once in N hands is at true odds if it pays N for 1: it then returns the whole wager by "
    "itself.",
    "Net is the award's contribution to the expected value: its probability times its net win. The total is "
    "the expected value of the pay table.",
)


_WHEEL_NOTE = "Of an award that a wheel multiplies, pays and returns are means; the table of prizes has each by itself."


def _count_table(analysis: Analysis) -> Table:
    columns = (
        Column("Award"),
        Column("Inclusive count", Style.COUNT, key="inclusive_count"),
        Column("Less higher-ranked", Style.COUNT, key="taken"),
        WAYS,
        Column("Probability, exactly", Style.COUNT),
        PROBABILITY,
    )
    rows: list[tuple[Cell, ...]] = [
        (line.award.name, line.matches, line.matches - line.ways, line.ways, str(line.probability), line.probability)
        for line in analysis.lines
    ]
    lose_probability = analysis.lose_probability
    rows.append((NO_AWARD, "", "", analysis.ways.losing, str(lose_probability), lose_probability))
    rows.append((TOTAL, "", "", analysis.ways.cycle, "1", 1))
    return Table(columns, tuple(rows), "From inclusive counts to the ways of each award", totals=1, key=AWARDS)


def _probability_table(analysis: Analysis) -> Table:
    columns = (Column("Award"), Column("Probability, exactly"), PROBABILITY)
    rows: list[tuple[Cell, ...]] = [
        (line.award.name, str(line.probability), line.probability) for line in analysis.lines
    ]
    lose_probability = analysis.lose_probability
    rows.append((NO_AWARD, str(lose_probability), lose_probability))
    rows.append((TOTAL, "1", 1))
    return Table(columns, tuple(rows), "The probability of each award", totals=1, key=AWARDS)


def _odds_table(analysis: Analysis) -> Table:
    columns = (
        Column("Award"),
        Column("1 in, and fair pay for 1", Style.ODDS, key=ONE_IN.key),
        Column("True odds to 1", Style.ODDS, key=TRUE_ODDS.key),
        Column("Pays to 1", Style.COUNT, key="to"),
        Column("Pays for 1", Style.COUNT, key="for"),
        Column("Shortfall from true odds", Style.ODDS, key="short"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            value_if_possible(line, line.one_in),
            value_if_possible(line, line.true_odds),
            exact_pay_text(line.net),
            exact_pay_text(line.gross),
            _shortfall(line),
        )
        for line in analysis.lines
    ]
    lose_probability = analysis.lose_probability
    odds = (1 / lose_probability, (1 - lose_probability) / lose_probability) if lose_probability else (None, None)
    rows.append((NO_AWARD, *odds, exact_pay_text(Polynomial.of(-1)), "0", None))
    return Table(columns, tuple(rows), "Odds and pays", key=AWARDS)


def _return_table(analysis: Analysis) -> Table:
    columns: tuple[Column, ...] = (
        Column("Award"),
        RETURN,
        Column("Cumulative return", Style.DECIMAL, key="return so far"),
        Column("Share of return", Style.PERCENT, key="share"),
        Column("Net", Style.DECIMAL, key="net"),
    )
    rows: list[tuple[Cell, ...]] = []
    cumulative = Polynomial.of(0)
    for line in analysis.lines:
        cumulative += line.return_
        share = share_of_return(analysis, line)
        rows.append((line.award.name, line.return_, cumulative, share, line.net * line.probability))
    losing_share = Fraction(0) if analysis.return_.is_constant else None
    rows.append((NO_AWARD, Polynomial.of(0), cumulative, losing_share, Polynomial.of(-analysis.lose_probability)))
    share = Fraction(1) if analysis.return_.is_constant and analysis.return_ != 0 else None
    total = Styled(analysis.return_, Style.SUM)
    rows.append((TOTAL, total, "", share, Styled(analysis.return_ - 1, Style.SUM)))
    table = Table(columns, tuple(rows), "Returns", totals=1, key=AWARDS)
    # With open meters there are no shares, and cumulative returns are formulas.
    return table.without(*columns[2:4]) if analysis.open_meters else table


def _shortfall(line: AwardLine) -> Cell:
    """Return how much less than the fair pay an award pays; `None` unless it wins a known amount."""
    if line.one_in is None or not line.gross.is_constant or line.gross.constant <= 1:
        return None
    return line.one_in - line.gross.constant


def exact_pay_text(pay: Polynomial) -> str:
    """Format a pay exactly, with the decimals that it needs; a meter pay as a share of the meter.

    >>> exact_pay_text(Polynomial.of(Fraction(5, 2))), exact_pay_text(Polynomial.variable("Mega") - 1)
    ('2.5', 'Mega − 1')
    >>> exact_pay_text(Polynomial.of(Fraction(-1, 3)))  # never rounded
    '−1/3'
    """
    terms = []
    for powers, factor in sorted(pay.terms.items(), key=lambda term: not term[0]):
        name = powers[0][0] if powers else ""
        size = abs(factor)
        factor_text = format_decimal(size) if not name else "" if size == 1 else f"{format_decimal(size)} × "
        terms.append((factor < 0, f"{factor_text}{name}"))
    if not terms:
        return "0"
    first_text = ("−" if terms[0][0] else "") + terms[0][1]
    return first_text + "".join(f" {'−' if is_negative else '+'} {text}" for is_negative, text in terms[1:])


def share_of_return(analysis: Analysis, line: AwardLine) -> Fraction | None:
    """Return an award's share of the total return, or `None` if a meter amount is unknown."""
    if not analysis.return_.is_constant or analysis.return_ == 0:
        return None
    return line.return_.constant / analysis.return_.constant


def statistics_section(request: Request) -> Section:
    """Return the section of statistics: mean, variance and higher moments, the headline's basis first."""
    study, result = request.study, request.study.result
    if result is None:  # formulas in the meters are already in the headline
        plain_figures = tuple(figure for figure in _wager_figures(study) if not _is_formula(figure))
        return Section("Statistics", key="statistics", text=(_UNKNOWN_METERS,), figures=plain_figures)
    rows: list[tuple[Cell, ...]] = [
        (
            f"{level * 100}%",
            format_fixed(z, 6),
            volatility_index(result.standard_deviation, level),
            *_plays_to_positive_hold(result, level),
        )
        for level, z in Z.items()
    ]
    table = Table(
        (
            Column("Confidence", key="confidence"),
            Column("z", Style.COUNT, key="z"),
            Column("Volatility index", Style.DECIMAL, key="index"),
            Column("Plays, about, until the hold's lower bound is above zero", Style.COUNT, key="plays"),
            Column("By", key="by"),
        ),
        tuple(rows),
        "Volatility: z times the standard deviation",
        key=VOLATILITY,
    )
    text = ["All figures are for a wager of 1; the result is the net win of the player."]
    if len(study.results) == 1 and not study.paytable.meters:
        if study.eligibility is not None:
            text.append(f"Basis of these figures: {ANY_ROUND}.")
        figures = [*_wager_figures(study), *page_figures(study, "mean_win", *_MOMENT_KEYS, *_other_keys())]
        return Section("Statistics", key="statistics", text=tuple(text), figures=tuple(figures), tables=(table,))
    if study.option is not None:
        best_suffix, alone_suffix = f", {Basis.BEST}", f", {Basis.WAGER}"
        text.append("The figures of best play come first, then those of the wager alone.")
        wager_figures = page_figures(Study(study.analysis), *_WAGER_KEYS, *_push_keys(study), "mean_win", *_MOMENT_KEYS)
        wager_figures += page_figures(Study(study.analysis), *_other_keys())
        figures = [_with_suffix(figure, best_suffix) for figure in _result_figures(result)]
        figures += [_with_suffix(figure, alone_suffix) for figure in wager_figures]
    else:
        text.append(f"Basis of these figures: {result.basis}.")
        figures = [
            *_result_figures(result),
            *page_figures(study, "hit_frequency", "plays_per_hit", "push_rate", *_push_keys(study), *_other_keys()),
        ]
    return Section(
        "Statistics",
        key="statistics",
        text=tuple(text),
        figures=tuple(figures),
        tables=(table, results_table(study.results)),
        notes=(*basis_explanations(study.results), *(_amount_notes(study) if study.paytable.meters else ())),
    )


def _plays_to_positive_hold(result: PlayResult, level: Fraction) -> tuple[Cell, Cell]:
    """Return the plays until the hold's lower bound is positive, in 3 digits, and the quality of the normal curve."""
    plays = plays_to_positive_hold(result, level)
    return (
        (None, None) if plays is None else (round_to_3_digits(plays), curve_in_words(normal_is_adequate(result, plays)))
    )


_MOMENT_KEYS = ("variance", "standard_deviation", "skewness", "excess_kurtosis")


_WAGER_KEYS = (
    *("expected_value", "house_edge", "return", "return_without_top_award", "hit_frequency", "plays_per_hit"),
    "push_rate",
)


def _other_keys() -> tuple[str, ...]:
    """Return the figures of sheets that no section places by name."""
    placed = {*_MOMENT_KEYS, *_WAGER_KEYS, "mean_win", "edge_per_resolved_bet", "hold", "fixed_return"}
    return other_figures(SHEET_GROUPS, placed)


def _wager_figures(study: Study) -> tuple[Figure, ...]:
    return page_figures(study, *_WAGER_KEYS, *_push_keys(study))


def _with_suffix(figure: Figure, suffix: str) -> Figure:
    """Append the basis to the label of a figure."""
    return replace(figure, label=figure.label + suffix)


def _push_keys(study: Study) -> list[str]:
    return ["edge_per_resolved_bet"] if study.analysis.push_rate else []


_HOLD_BASES = (Basis.BOOKS, Basis.LONG_RUN, Basis.POSTED)
_HOLD_LABELS = {"house_edge": FIGURES["hold"].label, "return": FIGURES["long_run_return"].label}
"""Labels on the bases where the mean profit of the house is the hold, as in the headline."""


def _result_figures(result: PlayResult) -> list[Figure]:
    """Return the moments of a result on its basis."""
    values = {
        "expected_value": -result.house_edge,
        "house_edge": result.house_edge,
        "return": 1 - result.house_edge,
        **{key: getattr(result, key) for key in _MOMENT_KEYS},
        "variance": result.variance_or_bounds,
    }
    bound_text = ", at most" if result.is_bound else ""
    labels = _HOLD_LABELS if result.basis in _HOLD_BASES else {}
    return [
        Figure(
            labels.get(key, FIGURES[key].label) + (bound_text if key in _MOMENT_KEYS[:2] else ""),
            value,
            STYLES[key].style,
            key,
            str(result.basis),
        )
        for key, value in values.items()
        if value is not None
    ]


def _amount_notes(study: Study) -> list[str]:
    """Return the notes on meter amounts and their unit."""
    texts = [
        f"{str(result.basis).capitalize()}: {meter_amounts_text(result)}." for result in study.results if result.meters
    ]
    return [*texts, meter_unit(study.analysis.meter_wager)]


def _is_formula(figure: Figure) -> bool:
    return isinstance(figure.value, Polynomial) and not figure.value.is_constant


_UNKNOWN_METERS = "The variance depends on the amounts of the meters, which are not known; give them with --meter."
