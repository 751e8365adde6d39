"""Plots: meters with matplotlib, and one figure over its steps as hand-written SVG.

Coordinates are approximate; printed numbers go through `numerals` like all others.
"""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.meters.hits import meter_after_plays, plays_quantile
from combinat.meters.hold import LevelFigures, MeterFigures
from decks import InputError
from decks.errors import quote
from reports.page.files import check_output_path, write_file
from reports.page.model import Plot
from reports.render.charts import (
    COLORS,
    FONT,
    axis_decimals,
    escape_text,
    format_coordinate,
    format_value,
    scale,
    text_element,
)
from reports.tables.meters import MeterOptions, other_meter_amounts

FORMATS = ("svg", "png")
_POINTS = 120


def plot_meters(figures: MeterFigures, question: MeterOptions, path: Path) -> None:
    """Write a picture of the return by meter amount and the distribution of jackpots to `path`."""
    format = path.suffix.lower().lstrip(".")
    if format not in FORMATS:
        raise InputError(f"cannot draw into {quote(path)}; name a file that ends in .{' or .'.join(FORMATS)}")
    check_output_path(path)
    write_file(path, draw_meters(figures, question, format), named=True)


def draw_meters(figures: MeterFigures, question: MeterOptions, format: str) -> bytes:
    """Return the picture as bytes, identical for identical figures."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "combinat", "svg.fonttype": "path", "font.size": 9}):
        picture = Figure(figsize=(10, 4.2), layout="constrained")
        returns, jackpots = picture.subplots(1, 2)
        for level, color in zip(figures.levels, COLORS * 3, strict=False):
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


def _draw_return(axes: Any, figures: MeterFigures, question: MeterOptions, level: LevelFigures, color: str) -> None:
    """Draw the return as one meter rises while the others are fixed, with the break-even point marked."""
    name, other_amounts = level.level.name, other_meter_amounts(figures, question)
    break_even = figures.break_even(name, other_amounts)
    right = max(break_even, level.average, level.level.seed) * Fraction(6, 5)
    amounts = [Fraction(0), right]
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


_WIDTH, _HEIGHT = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 68, 620, 22, 226
_MOST_PRINTED = 10
_TALL, _DEPTH = 9, 3
"""Height of a number above its baseline, and the margin around it, in points."""


def draw_plot(plot: Plot) -> bytes:
    """Return one figure over its steps as SVG; loading a plotting library would take longer than making the sheet."""
    low, high, step = scale(plot.values)
    spread = (high - low) or Fraction(1)
    across = Fraction(_RIGHT - _LEFT, max(len(plot.steps), 1))
    xs = [_LEFT + across * (2 * index + 1) / 2 for index in range(len(plot.steps))]
    ys = [_BOTTOM - (_BOTTOM - _TOP) * (value - low) / spread for value in plot.values]
    label = escape_text(": ".join(text for text in (plot.caption, _describe(plot)) if text))
    elements = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-label="{label}" font-family="{FONT}" font-size="12" fill="#333333">',
        f"<title>{escape_text(plot.caption)}</title>",
    ]
    for tick in range(int((high - low) / step) + 1):
        value = low + tick * step
        y = _BOTTOM - (_BOTTOM - _TOP) * (value - low) / spread
        color, width = ("#888888", 1) if value == 0 or not tick else ("#dddddd", 0.7)
        elements.append(
            f'<path d="M{_LEFT} {format_coordinate(y)}H{_RIGHT}" stroke="{color}" stroke-width="{width}"/>'
            + text_element(_LEFT - 8, y + 4, format_value(plot.style, value, axis_decimals(step, plot.style)), "end")
        )
    elements += [text_element(x, _BOTTOM + 18, name) for x, name in zip(xs, plot.steps, strict=True)]
    elements.append(text_element(Fraction(_LEFT + _RIGHT, 2), _BOTTOM + 42, plot.x_label, color="#555555"))
    middle = Fraction(_TOP + _BOTTOM, 2)
    elements.append(text_element(16, middle, plot.y_label, color="#555555", turned=True))
    line = "L".join(f"{format_coordinate(x)} {format_coordinate(y)}" for x, y in zip(xs, ys, strict=True))
    elements.append(f'<path d="M{line}" fill="none" stroke="{COLORS[0]}" stroke-width="1.4"/>' if line else "")
    for index, (x, y) in enumerate(zip(xs, ys, strict=True)):
        fill = COLORS[0] if index in plot.marked else "#ffffff"
        elements.append(
            f'<circle cx="{format_coordinate(x)}" cy="{format_coordinate(y)}" r="3.6" fill="{fill}" '
            f'stroke="{COLORS[0]}" stroke-width="1.4"/>'
        )
    if len(xs) <= _MOST_PRINTED:
        decimals = _distinguishing_decimals(plot)
        zero = _BOTTOM + (_BOTTOM - _TOP) * low / spread
        for index, (x, y) in enumerate(zip(xs, ys, strict=True)):
            weight = "bold" if index in plot.marked else "normal"
            label_y = _label_y(y, zero, is_above=_is_label_above(ys, index))
            elements.append(
                text_element(
                    x, label_y, format_value(plot.style, plot.values[index], decimals), weight=weight, haloed=True
                )
            )
    elements.append("</svg>")
    return "".join(text for text in elements if text).encode("utf-8")


def _distinguishing_decimals(plot: Plot) -> int:
    """Return the number of decimals, 2 to 6, at which different values print differently."""
    different = len(set(plot.values))
    return next(
        (
            decimals
            for decimals in range(2, 6)
            if len({format_value(plot.style, v, decimals) for v in plot.values}) == different
        ),
        6,
    )


def _label_y(y: Fraction, zero: Fraction, *, is_above: bool) -> Fraction:
    """Return the y coordinate of a point's label: above or below it, on the other side if the zero line runs there.

    >>> [int(_label_y(Fraction(100), Fraction(zero), is_above=False)) for zero in (60, 115, 200)]
    [118, 91, 118]
    """
    y_above, y_below = y - 9, y + 18
    first, second = (y_above, y_below) if is_above or y + 20 > _BOTTOM else (y_below, y_above)
    is_crossed = [-_DEPTH < zero - label_y + _TALL < _TALL + 2 * _DEPTH for label_y in (first, second)]
    return second if is_crossed[0] and not is_crossed[1] and second + 2 <= _BOTTOM else first


def _is_label_above(ys: list[Fraction], index: int) -> bool:
    """Return whether the label of a point belongs above it, where the line leaves room."""
    neighbor_ys = [ys[neighbor] for neighbor in (index - 1, index + 1) if 0 <= neighbor < len(ys)]
    return 2 * ys[index] <= sum(neighbor_ys) + (ys[index] if len(neighbor_ys) == 1 else 0) if neighbor_ys else True


def _describe(plot: Plot) -> str:
    """Describe a plot in words for screen readers."""
    decimals = _distinguishing_decimals(plot)
    return ", ".join(
        f"{step} {format_value(plot.style, value, decimals)}"
        for step, value in zip(plot.steps, plot.values, strict=True)
    )
