"""SVG charts without a plotting library: line charts, stacked bars, and helpers for axes and labels.

Coordinates are rounded to a hundredth of a point; printed numbers go through `numerals` like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape

from reports.page import numerals
from reports.page.model import SeriesChart, Style

COLORS = ("#1b5e8c", "#b5541c", "#3d7a3a", "#7a3d73")
FONT = "Libertinus Serif, Georgia, Times New Roman, serif"


def scale(values: tuple[Fraction, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the lowest and the highest value of an axis, and a round step between its grid lines."""
    lowest, highest = min(values, default=Fraction(0)), max(values, default=Fraction(1))
    spread = highest - lowest or abs(highest) or Fraction(1)
    # Room for the numbers at the points, but no negative numbers on the axis where there are none.
    lowest_with_margin = lowest - spread / 8
    lowest, highest = lowest_with_margin if lowest < 0 else max(lowest_with_margin, Fraction(0)), highest + spread / 8
    step = Fraction(1)
    while step * 5 > spread:
        step /= 10
    while step * 5 <= spread:
        step *= 10
    step = next(
        step * factor for factor in (Fraction(1, 5), Fraction(1, 2), Fraction(1)) if step * factor * 5 >= spread
    )
    return lowest // step * step, -(-highest // step) * step, step


def axis_decimals(step: Fraction, style: Style) -> int:
    """Count the decimals that the numbers on an axis need."""
    displayed, decimals = step * (100 if style is Style.PERCENT else 1), 0
    while (displayed * 10**decimals).denominator > 1:
        decimals += 1
    return decimals


def format_value(style: Style, value: Fraction, decimals: int) -> str:
    """Format a value of a chart with a number of decimals."""
    write: Callable[[Fraction, int], str] = numerals.format_percent if style is Style.PERCENT else numerals.format_fixed
    return write(value, decimals)


def escape_text(text: str) -> str:
    """Escape a text for SVG and replace unprintable characters by spaces."""
    return escape("".join(character if character.isprintable() else " " for character in text))


def format_coordinate(coordinate: Fraction | int) -> str:
    """Format a coordinate to a hundredth of a point."""
    return numerals.format_fixed(coordinate, 2, grouped=False).replace(numerals.MINUS, "-")


def text_element(
    x: Fraction | int,
    y: Fraction | int,
    text: str,
    anchor: str = "middle",
    *,
    color: str = "",
    weight: str = "",
    turned: bool = False,
    haloed: bool = False,
) -> str:
    """Return a text element; `haloed` keeps a number legible where a line passes behind it."""
    if not text:
        return ""
    looks = (f' fill="{color}"' if color else "") + (f' font-weight="{weight}"' if weight == "bold" else "")
    looks += f' transform="rotate(-90 {format_coordinate(x)} {format_coordinate(y)})"' if turned else ""
    looks += ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' if haloed else ""
    place = f'x="{format_coordinate(x)}" y="{format_coordinate(y)}"'
    return f'<text {place} text-anchor="{anchor}"{looks}>{escape_text(text)}</text>'


_COLORS = ("#1b5e8c", "#b5541c", "#3d7a3a", "#7a3d73", "#8a6d1b", "#2a8080", "#a03a3a", "#5a5a8c", "#6b8e23", "#555555")
_WIDTH, _LEFT, _RIGHT, _TOP, _DEEP = 720, 68, 500, 22, 240
_LEGEND, _LINE = 516, 18
_BELOW = 54
_MOST_PRINTED = 40
_PLACES = 2
_LINE_OF_TEXT = 12
_LEAST_PRINTED = 14
"""A bar segment lower than this has no room for its number."""


def draw_chart(chart: SeriesChart) -> bytes:
    """Draw a chart as an SVG file."""
    return _svg(chart, ' xmlns="http://www.w3.org/2000/svg"').encode("utf-8")


def draw_charts(charts: Sequence[SeriesChart]) -> bytes:
    """Draw several charts into one SVG file, one below the other."""
    drawings, height = [], 0
    for chart in charts:
        drawings.append(f'<g transform="translate(0 {height})">{_svg(chart)}</g>')
        height += _height(chart)
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(drawings)}</svg>\n'.encode()


def _height(chart: SeriesChart) -> int:
    return max(_DEEP + _BELOW, _TOP + (len(chart.series) + 1) * _LINE)


def _svg(chart: SeriesChart, namespace: str = "") -> str:
    height = _height(chart)
    label = escape_text(f"{chart.caption}: {_in_words(chart)}")
    body = _draw_stacked_bars(chart) if chart.is_piled else _draw_lines(chart)
    return (
        f'<svg{namespace} viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-label="{label}" font-family="{FONT}" font-size="12" fill="#333333">'
        f"<title>{escape_text(chart.caption)}</title>{body}{_legend(chart)}</svg>"
    )


def _in_words(chart: SeriesChart) -> str:
    """Describe a chart in words for screen readers."""
    return "; ".join(
        f"{series.name} "
        + ", ".join(
            f"{step} {format_value(Style.PERCENT, value, _PLACES)}"
            for step, value in zip(chart.steps, series.values, strict=True)
            if value is not None
        )
        for series in chart.series
    )


def _color(index: int) -> str:
    return _COLORS[index % len(_COLORS)]


def _legend(chart: SeriesChart) -> str:
    """Draw the legend, from the top down."""
    return "".join(
        f'<rect x="{_LEGEND}" y="{_TOP + index * _LINE}" width="11" height="11" fill="{_color(index)}"/>'
        + text_element(_LEGEND + 18, _TOP + index * _LINE + 10, _short(series.name), "start")
        for index, series in enumerate(chart.series)
    )


def _short(name: str, max_length: int = 30) -> str:
    return name if len(name) <= max_length else f"{name[: max_length - 1]}…"


def _axes(chart: SeriesChart, values: Sequence[Fraction]) -> tuple[str, Fraction, Fraction]:
    """Draw the axes for `values`; return the SVG, the lowest value of the y axis and its span."""
    low, high, step = scale(tuple(values))
    spread = (high - low) or Fraction(1)
    elements = []
    for tick in range(int((high - low) / step) + 1):
        value = low + tick * step
        y = _y(value, low, spread)
        color, width = ("#888888", "1") if value == 0 or not tick else ("#dddddd", "0.7")
        elements.append(
            f'<path d="M{_LEFT} {format_coordinate(y)}H{_RIGHT}" stroke="{color}" stroke-width="{width}"/>'
            + text_element(
                _LEFT - 8, y + 4, format_value(Style.PERCENT, value, axis_decimals(step, Style.PERCENT)), "end"
            )
        )
    elements += [
        text_element(x, _DEEP + 18, _short(step, 18)) for x, step in zip(_step_centers(chart), chart.steps, strict=True)
    ]
    elements.append(text_element(Fraction(_LEFT + _RIGHT, 2), _DEEP + 42, chart.x_label, color="#555555"))
    elements.append(text_element(16, Fraction(_TOP + _DEEP, 2), chart.y_label, color="#555555", turned=True))
    return "".join(elements), low, spread


def _step_centers(chart: SeriesChart) -> list[Fraction]:
    step_width = Fraction(_RIGHT - _LEFT, max(len(chart.steps), 1))
    return [_LEFT + step_width * (2 * index + 1) / 2 for index in range(len(chart.steps))]


def _y(value: Fraction, low: Fraction, spread: Fraction) -> Fraction:
    return _DEEP - (_DEEP - _TOP) * (value - low) / spread


def _draw_lines(chart: SeriesChart) -> str:
    """Draw a line for each series; a missing value interrupts it, and marked points are filled."""
    values = [value for series in chart.series for value in series.values if value is not None]
    axes, low, spread = _axes(chart, values)
    elements = [axes]
    xs = _step_centers(chart)
    printed: dict[int, list[Fraction]] = {}
    for index, series in enumerate(chart.series):
        color = _color(index)
        points = [
            None if value is None else (x, _y(value, low, spread)) for x, value in zip(xs, series.values, strict=True)
        ]
        segments, is_begun = [], False
        for point in points:
            if point is not None:
                segments.append(
                    f"{'L' if is_begun else 'M'}{format_coordinate(point[0])} {format_coordinate(point[1])}"
                )
            is_begun = point is not None
        elements.append(
            f'<path d="{"".join(segments)}" fill="none" stroke="{color}" stroke-width="1.4"/>' if segments else ""
        )
        for step, (point, value) in enumerate(zip(points, series.values, strict=True)):
            if point is None or value is None:
                continue
            fill = color if step in series.marked else "#ffffff"
            elements.append(
                f'<circle cx="{format_coordinate(point[0])}" cy="{format_coordinate(point[1])}" r="3.4" '
                f'fill="{fill}" stroke="{color}" '
                'stroke-width="1.4"/>'
            )
            if len(values) <= _MOST_PRINTED:
                label = format_value(Style.PERCENT, value, _PLACES)
                label_ys = printed.setdefault(step, [])
                y_above = point[1] - 8
                y = point[1] + 17 if any(abs(label_y - y_above) < _LINE_OF_TEXT for label_y in label_ys) else y_above
                label_ys.append(y)
                elements.append(text_element(point[0], y, label, color=color, haloed=True))
    return "".join(elements)


def _draw_stacked_bars(chart: SeriesChart) -> str:
    """Draw a stacked bar for each step, bottom up in the reverse order of the legend."""
    sums = [
        sum((series.values[step] or Fraction(0) for series in chart.series), Fraction(0))
        for step in range(len(chart.steps))
    ]
    axes, low, spread = _axes(chart, [Fraction(0), *sums])
    elements = [axes]
    width = min(Fraction(_RIGHT - _LEFT, max(len(chart.steps), 1)) * 3 / 5, Fraction(90))
    for step, x in enumerate(_step_centers(chart)):
        height = Fraction(0)
        for index in reversed(range(len(chart.series))):
            value = chart.series[index].values[step]
            if not value or value < 0:
                continue
            top, bottom = _y(height + value, low, spread), _y(height, low, spread)
            height += value
            elements.append(
                f'<rect x="{format_coordinate(x - width / 2)}" y="{format_coordinate(top)}" '
                f'width="{format_coordinate(width)}" height="{format_coordinate(bottom - top)}" '
                f'fill="{_color(index)}" stroke="#ffffff" stroke-width="0.7"/>'
            )
            if bottom - top >= _LEAST_PRINTED:
                label = format_value(Style.PERCENT, value, _PLACES)
                elements.append(text_element(x, (top + bottom) / 2 + 4, label, color="#ffffff"))
        elements.append(
            text_element(
                x, _y(height, low, spread) - 6, format_value(Style.PERCENT, sums[step], _PLACES), weight="bold"
            )
        )
    return "".join(elements)
