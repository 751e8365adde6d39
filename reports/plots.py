"""Pictures of meters. A picture's coordinates are approximate by nature; no printed number comes from here."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.meter_play import meter_after, plays_quantile
from combinat.meters import LevelFigures, MeterFigures
from decks import InputError
from decks.errors import quoted
from reports.files import write_file
from reports.meter_documents import Question, others_of

FORMATS = ("svg", "png")
_POINTS = 120
_COLORS = ("#1b5e8c", "#b5541c", "#3d7a3a", "#7a3d73")


def plot_meters(figures: MeterFigures, question: Question, path: Path) -> None:
    """Draw the return by the amount of each meter, and the distribution of its jackpots, into one file."""
    format = path.suffix.lower().lstrip(".")
    if format not in FORMATS:
        raise InputError(f"cannot draw into {quoted(path)}; name a file that ends in .{' or .'.join(FORMATS)}")
    write_file(path, draw_meters(figures, question, format))


def draw_meters(figures: MeterFigures, question: Question, format: str) -> bytes:
    """Draw the two pictures and give the file's bytes, the same for the same figures."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "combinat", "svg.fonttype": "path", "font.size": 9}):
        picture = Figure(figsize=(10, 4.2), layout="constrained")
        returns, jackpots = picture.subplots(1, 2)
        for level, color in zip(figures.levels, _COLORS * 3, strict=False):
            _draw_return(returns, figures, question, level, color)
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


def _draw_return(axes: Any, figures: MeterFigures, question: Question, level: LevelFigures, color: str) -> None:
    """Draw the return as one meter rises, the others standing still, with the break-even marked."""
    name, others = level.level.name, others_of(figures, question)
    even = figures.break_even(name, others)
    right = max(even, level.average, level.level.seed) * Fraction(6, 5)
    at = [Fraction(0), right]
    values = [figures.return_at(others | {name: amount}) * 100 for amount in at]
    axes.plot([float(x) for x in at], [float(y) for y in values], color=color, label=name)
    if even > 0:
        axes.plot([float(even)], [100], "o", color=color, markersize=4)


def _draw_jackpots(axes: Any, level: LevelFigures, color: str) -> None:
    """Draw what part of the jackpots is at most an amount; partial awards are left aside."""
    steps = [Fraction(step, _POINTS) * Fraction(99, 100) for step in range(1, _POINTS + 1)]
    amounts = [meter_after(level, plays_quantile(level, step)) for step in steps]
    axes.plot([float(x) for x in amounts], [float(y * 100) for y in steps], color=color, label=level.level.name)
    axes.axvline(float(level.average), color=color, linewidth=0.8, linestyle="--")
