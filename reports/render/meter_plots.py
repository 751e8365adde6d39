"""Pictures of meters, drawn with matplotlib: the return by meter amount, and the distribution of jackpots."""

from __future__ import annotations

import io
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any

from combinat.meters.hits import meter_after_plays, plays_quantile
from combinat.meters.hold import LevelFigures, MeterFigures
from decks import InputError
from decks.errors import quote
from reports.page.files import check_output_path, write_file
from reports.render.charts import COLORS
from reports.tables.meters import MeterOptions, other_meter_amounts

FORMATS = ("svg", "png")
_POINTS = 120


def plot_meters(figures: MeterFigures, options: MeterOptions, path: Path) -> None:
    """Write a picture of the return by meter amount and the distribution of jackpots to `path`."""
    format = path.suffix.lower().lstrip(".")
    if format not in FORMATS:
        raise InputError(f"cannot draw into {quote(path)}; name a file that ends in .{' or .'.join(FORMATS)}")
    check_output_path(path)
    write_file(path, draw_meters(figures, options, format), named=True)


def draw_meters(figures: MeterFigures, options: MeterOptions, format: str) -> bytes:
    """Return the picture as bytes, identical for identical figures."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "combinat", "svg.fonttype": "path", "font.size": 9}):
        picture = Figure(figsize=(10, 4.2), layout="constrained")
        returns, jackpots = picture.subplots(1, 2)
        for level, color in zip(figures.levels, cycle(COLORS), strict=False):
            _draw_return(returns, figures, options, level, color)
            _draw_jackpots(jackpots, level, color)
        returns.axhline(100, color="#888888", linewidth=0.8)
        returns.set(title="Return by meter", xlabel="amount of the meter", ylabel="return, percent")
        jackpots.set(
            title="Jackpots",
            xlabel="amount of the jackpot (dashed: the average)",
            ylabel="jackpots up to it, percent",
            ylim=(0, 100),
        )
        for axes in (returns, jackpots):
            axes.grid(color="#dddddd", linewidth=0.6)
            axes.spines[["top", "right"]].set_visible(False)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(5))
            axes.set_xlim(left=0)
            axes.legend(frameon=False)
        picture.suptitle(f"{figures.analysis.paytable.id}, {figures.analysis.shoe}")
        target = io.BytesIO()
        metadata = {"Date": None} if format == "svg" else {"Software": None}
        picture.savefig(target, format=format, dpi=150, metadata=metadata)
    return target.getvalue()


def _draw_return(axes: Any, figures: MeterFigures, options: MeterOptions, level: LevelFigures, color: str) -> None:
    """Draw the return as one meter rises while the others are fixed, with the break-even point marked."""
    name, other_amounts = level.level.name, other_meter_amounts(figures, options)
    break_even = figures.break_even(name, other_amounts)
    max_amount = max(break_even, level.average, level.level.seed) * Fraction(6, 5)
    amounts = [Fraction(0), max_amount]
    values = [figures.return_at(other_amounts | {name: amount}) * 100 for amount in amounts]
    axes.plot([float(x) for x in amounts], [float(y) for y in values], color=color, label=name)
    if break_even > 0:
        axes.plot([float(break_even)], [100], "o", color=color, markersize=4)


def _draw_jackpots(axes: Any, level: LevelFigures, color: str) -> None:
    """Draw the distribution function of the jackpot, without partial awards."""
    steps = [Fraction(step, _POINTS) * Fraction(99, 100) for step in range(1, _POINTS + 1)]
    amounts = [meter_after_plays(level, plays_quantile(level, step)) for step in steps]
    axes.plot([float(x) for x in amounts], [float(y * 100) for y in steps], color=color, label=level.level.name)
    axes.axvline(float(level.average), color=color, linewidth=0.8, linestyle="--")
