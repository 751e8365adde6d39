"""Format and workbook formula of each figure; the keys are those of `combinat.figures`."""

from __future__ import annotations

from msgspec import Struct

from combinat.figures import FIGURES, FigureValue, figure_values
from combinat.study import Study
from reports.page.model import Column, Figure, Style


class FigureStyle(Struct, frozen=True):
    """Number style of a figure and, where it has one, its formula over the named cells of a workbook."""

    style: Style
    name: str = ""
    """Name of the figure's cell in a workbook."""
    formula: str = ""


_CENTRAL = "SUMPRODUCT(Probability,(NetPay-ExpectedValue)^{0})/StandardDeviation^{0}"

STYLES = {
    "return": FigureStyle(Style.PERCENT, "ReturnTotal", "SUM(Return)"),
    "house_edge": FigureStyle(Style.PERCENT, "HouseEdge", "1-ReturnTotal"),
    "expected_value": FigureStyle(Style.DECIMAL, "ExpectedValue", "SUM(NetShare)"),
    "hold": FigureStyle(Style.PERCENT),
    "hold_at_least": FigureStyle(Style.PERCENT),
    "hold_at_most": FigureStyle(Style.PERCENT),
    "fixed_return": FigureStyle(Style.PERCENT),
    "return_without_top_award": FigureStyle(Style.PERCENT),
    "hit_frequency": FigureStyle(Style.PERCENT, "HitFrequency", 'SUMIF(NetPay,">0",Probability)'),
    "plays_per_hit": FigureStyle(Style.ODDS, "PlaysPerHit", 'IF(HitFrequency=0,"none",1/HitFrequency)'),
    "push_rate": FigureStyle(Style.PERCENT, "PushRate", "SUMIF(NetPay,0,Probability)"),
    "edge_per_resolved_bet": FigureStyle(
        Style.PERCENT, "HouseEdgeResolved", 'IF(PushRate=1,"none",HouseEdge/(1-PushRate))'
    ),
    "mean_win": FigureStyle(
        Style.DECIMAL, "MeanWin", 'IF(HitFrequency=0,"none",SUMIF(NetPay,">0",NetShare)/HitFrequency)'
    ),
    "variance": FigureStyle(Style.DECIMAL, "Variance", "SUM(SquareShare)-ExpectedValue^2"),
    "standard_deviation": FigureStyle(Style.DECIMAL, "StandardDeviation", "SQRT(Variance)"),
    "skewness": FigureStyle(Style.DECIMAL, "Skewness", f'IF(Variance=0,"none",{_CENTRAL.format(3)})'),
    "excess_kurtosis": FigureStyle(Style.DECIMAL, "ExcessKurtosis", f'IF(Variance=0,"none",{_CENTRAL.format(4)}-3)'),
    **{
        f"volatility_index_{level}": FigureStyle(
            Style.DECIMAL, f"VolatilityIndex_{level}", f"z_{level}*StandardDeviation"
        )
        for level in (90, 95, 99)
    },
    "top_award_one_in": FigureStyle(Style.ODDS),
    "largest_win": FigureStyle(Style.MONEY),
    "spot_covariance": FigureStyle(Style.DECIMAL),
    "spot_correlation": FigureStyle(Style.DECIMAL),
    "seven_spots": FigureStyle(Style.DECIMAL),
    "long_run_return": FigureStyle(Style.PERCENT),
    "jackpot_odds": FigureStyle(Style.ODDS),
    "second_prize": FigureStyle(Style.ODDS),
    "to_as_for": FigureStyle(Style.PERCENT),
    "for_as_to": FigureStyle(Style.PERCENT),
    "cycle": FigureStyle(Style.COUNT),
}


def to_page_figure(figure_value: FigureValue) -> Figure:
    """Convert a `FigureValue` to a `Figure` of a page."""
    return Figure(
        figure_value.label,
        figure_value.value,
        STYLES[figure_value.key].style,
        figure_value.key,
        str(figure_value.basis),
    )


def page_figures(study: Study, *keys: str) -> tuple[Figure, ...]:
    """Return the figures `keys` of a study, each on every basis that the bet has; missing values are omitted."""
    return tuple(
        to_page_figure(figure_value)
        for key in keys
        for figure_value in figure_values(study, key)
        if figure_value.value is not None
    )


def figure_column(key: str, label: str = "") -> Column:
    """Return the column of a figure, titled `label` or else the figure's own label."""
    return Column(label or FIGURES[key].label, STYLES[key].style, key=key)
