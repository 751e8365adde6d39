"""SVG charts without a plotting library: one figure over its steps, line charts and stacked bars.

Coordinates are rounded to a hundredth of a point; printed numbers go through `numerals` like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape

from msgspec import Struct

from reports.page import numerals
from reports.page.model import Plot, SeriesChart, Style
from reports.page.text import truncate

# fmt: off
COLORS = (
    "#1b5e8c", "#b5541c", "#3d7a3a", "#7a3d73", "#8a6d1b", "#2a8080", "#a03a3a", "#5a5a8c", "#6b8e23", "#555555",
)
# fmt: on
FONT = "Libertinus Serif, Georgia, Times New Roman, serif"
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'


def scale(values: tuple[Fraction, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the lowest and the highest value of an axis, and a round step between its grid lines."""
    lowest, highest = min(values, default=Fraction(0)), max(values, default=Fraction(1))
    spread = highest - lowest or abs(highest) or Fraction(1)
    # Leave room for the labels of points, but do not extend the axis below zero without negative values.
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
    is_rotated: bool = False,
    has_halo: bool = False,
) -> str:
    """Return a text element; `has_halo` keeps a number legible where a line passes behind it."""
    if not text:
        return ""
    attributes = (f' fill="{color}"' if color else "") + (f' font-weight="{weight}"' if weight == "bold" else "")
    attributes += f' transform="rotate(-90 {format_coordinate(x)} {format_coordinate(y)})"' if is_rotated else ""
    attributes += ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' if has_halo else ""
    position = f'x="{format_coordinate(x)}" y="{format_coordinate(y)}"'
    return f'<text {position} text-anchor="{anchor}"{attributes}>{escape_text(text)}</text>'


class _Axes(Struct, frozen=True):
    """The axes of a chart: where they lie, and the values at both ends of the y axis."""

    left: int
    right: int
    top: int
    bottom: int
    steps: tuple[str, ...]
    lowest: Fraction
    highest: Fraction
    interval: Fraction
    """Difference between neighboring grid lines."""

    def y(self, value: Fraction) -> Fraction:
        """Return the y coordinate of a value."""
        span = (self.highest - self.lowest) or Fraction(1)
        return self.bottom - (self.bottom - self.top) * (value - self.lowest) / span

    @property
    def xs(self) -> list[Fraction]:
        """The x coordinate of each step."""
        step_width = Fraction(self.right - self.left, max(len(self.steps), 1))
        return [self.left + step_width * (2 * index + 1) / 2 for index in range(len(self.steps))]

    def svg_elements(self, style: Style, x_label: str, y_label: str) -> list[str]:
        """Return the grid lines, the names of the steps and the labels of both axes."""
        elements = []
        for tick in range(int((self.highest - self.lowest) / self.interval) + 1):
            value = self.lowest + tick * self.interval
            y = self.y(value)
            color, width = ("#888888", "1") if value == 0 or not tick else ("#dddddd", "0.7")
            value_text = format_value(style, value, axis_decimals(self.interval, style))
            elements.append(
                f'<path d="M{self.left} {format_coordinate(y)}H{self.right}" stroke="{color}" stroke-width="{width}"/>'
                + text_element(self.left - 8, y + 4, value_text, "end")
            )
        elements += [text_element(x, self.bottom + 18, name) for x, name in zip(self.xs, self.steps, strict=True)]
        middle_x, middle_y = Fraction(self.left + self.right, 2), Fraction(self.top + self.bottom, 2)
        elements.append(text_element(middle_x, self.bottom + 42, x_label, color="#555555"))
        elements.append(text_element(16, middle_y, y_label, color="#555555", is_rotated=True))
        return elements


def _svg(width: int, height: int, caption: str, description: str, body: str, namespace: str = _NAMESPACE) -> str:
    """Return an SVG element with its title, and a label for screen readers."""
    label = escape_text(": ".join(filter(None, (caption, description))))
    return (
        f'<svg{namespace} viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{label}" font-family="{FONT}" font-size="12" fill="#333333">'
        f"<title>{escape_text(caption)}</title>{body}</svg>"
    )


def _draw_point(x: Fraction, y: Fraction, radius: str, color: str, *, is_filled: bool) -> str:
    return (
        f'<circle cx="{format_coordinate(x)}" cy="{format_coordinate(y)}" r="{radius}" '
        f'fill="{color if is_filled else "#ffffff"}" stroke="{color}" stroke-width="1.4"/>'
    )


_PLOT_WIDTH, _PLOT_HEIGHT = 640, 280
_MAX_LABELED_STEPS = 10
"""Maximum number of points whose values are printed."""
_DIGIT_HEIGHT, _DIGIT_MARGIN = 9, 3
"""Height of a number above its baseline, and the margin around it, in points."""


def draw_plot(plot: Plot) -> bytes:
    """Draw one figure over its steps as an SVG file."""
    axes = _Axes(68, 620, 22, 226, plot.steps, *scale(plot.values))
    points = list(zip(axes.xs, map(axes.y, plot.values), strict=True))
    elements = axes.svg_elements(plot.style, plot.x_label, plot.y_label)
    line = "L".join(f"{format_coordinate(x)} {format_coordinate(y)}" for x, y in points)
    elements.append(f'<path d="M{line}" fill="none" stroke="{COLORS[0]}" stroke-width="1.4"/>' if line else "")
    elements += [
        _draw_point(x, y, "3.6", COLORS[0], is_filled=index in plot.marked) for index, (x, y) in enumerate(points)
    ]
    decimals = _distinguishing_decimals(plot)
    texts = [format_value(plot.style, value, decimals) for value in plot.values]
    if len(points) <= _MAX_LABELED_STEPS:
        ys = [y for _, y in points]
        for index, (x, y) in enumerate(points):
            label_y = _label_y(y, axes.y(Fraction(0)), axes.bottom, is_above=_is_label_above(ys, index))
            weight = "bold" if index in plot.marked else "normal"
            elements.append(text_element(x, label_y, texts[index], weight=weight, has_halo=True))
    description = ", ".join(f"{step} {text}" for step, text in zip(plot.steps, texts, strict=True))
    return _svg(_PLOT_WIDTH, _PLOT_HEIGHT, plot.caption, description, "".join(elements)).encode("utf-8")


def _distinguishing_decimals(plot: Plot) -> int:
    """Return the number of decimals, 2 to 6, at which different values print differently."""
    value_count = len(set(plot.values))
    for decimals in range(2, 6):
        if len({format_value(plot.style, value, decimals) for value in plot.values}) == value_count:
            return decimals
    return 6


def _label_y(y: Fraction, zero_y: Fraction, bottom: int, *, is_above: bool) -> Fraction:
    """Return the y coordinate of a point's label: above or below it, on the other side if the zero line runs there.

    >>> [int(_label_y(Fraction(100), Fraction(zero_y), 226, is_above=False)) for zero_y in (60, 115, 200)]
    [118, 91, 118]
    """
    y_above, y_below = y - 9, y + 18
    preferred_y, other_y = (y_above, y_below) if is_above or y + 20 > bottom else (y_below, y_above)
    is_first_crossed, is_second_crossed = (
        -_DIGIT_MARGIN < zero_y - label_y + _DIGIT_HEIGHT < _DIGIT_HEIGHT + 2 * _DIGIT_MARGIN
        for label_y in (preferred_y, other_y)
    )
    return other_y if is_first_crossed and not is_second_crossed and other_y + 2 <= bottom else preferred_y


def _is_label_above(ys: list[Fraction], index: int) -> bool:
    """Return whether the label of a point belongs above it, where the line leaves room."""
    neighbor_ys = [ys[neighbor] for neighbor in (index - 1, index + 1) if 0 <= neighbor < len(ys)]
    return 2 * ys[index] <= sum(neighbor_ys) + (ys[index] if len(neighbor_ys) == 1 else 0) if neighbor_ys else True


_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 68, 500, 22, 240
_LEGEND_LEFT, _LEGEND_LINE = 516, 18
_BELOW_AXIS = 54
"""Height of the names and labels below the x axis."""
_MAX_NAME, _MAX_STEP_NAME = 30, 18
"""Maximum characters of a name in the legend and below the x axis."""
_MAX_LABELED_VALUES = 40
_PLACES = 2
_LABEL_HEIGHT = 12
_MIN_LABELED_HEIGHT = 14
"""A bar segment lower than this has no room for its number."""


def draw_chart(chart: SeriesChart) -> bytes:
    """Draw a chart as an SVG file."""
    return _draw_chart(chart, _NAMESPACE).encode("utf-8")


def draw_charts(charts: Sequence[SeriesChart]) -> bytes:
    """Draw several charts into one SVG file, one below the other."""
    drawings, height = [], 0
    for chart in charts:
        drawings.append(f'<g transform="translate(0 {height})">{_draw_chart(chart)}</g>')
        height += _height(chart)
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    return f"<svg{_NAMESPACE} {size}>{''.join(drawings)}</svg>\n".encode()


def _height(chart: SeriesChart) -> int:
    return max(_BOTTOM + _BELOW_AXIS, _TOP + (len(chart.series) + 1) * _LEGEND_LINE)


def _draw_chart(chart: SeriesChart, namespace: str = "") -> str:
    body = _draw_stacked_bars(chart) if chart.is_stacked else _draw_lines(chart)
    return _svg(_WIDTH, _height(chart), chart.caption, _describe(chart), body + _draw_legend(chart), namespace)


def _describe(chart: SeriesChart) -> str:
    """Describe a chart in words for screen readers."""
    return "; ".join(
        f"{series.name} "
        + ", ".join(
            f"{step} {_percent(value)}"
            for step, value in zip(chart.steps, series.values, strict=True)
            if value is not None
        )
        for series in chart.series
    )


def _percent(value: Fraction) -> str:
    return numerals.format_percent(value, _PLACES)


def _color(index: int) -> str:
    return COLORS[index % len(COLORS)]


def _draw_legend(chart: SeriesChart) -> str:
    """Draw the legend, from the top down."""
    return "".join(
        f'<rect x="{_LEGEND_LEFT}" y="{_TOP + index * _LEGEND_LINE}" width="11" height="11" fill="{_color(index)}"/>'
        + text_element(_LEGEND_LEFT + 18, _TOP + index * _LEGEND_LINE + 10, truncate(series.name, _MAX_NAME), "start")
        for index, series in enumerate(chart.series)
    )


def _build_axes(chart: SeriesChart, values: Sequence[Fraction]) -> _Axes:
    """Return axes that have room for `values`."""
    steps = tuple(truncate(step, _MAX_STEP_NAME) for step in chart.steps)
    return _Axes(_LEFT, _RIGHT, _TOP, _BOTTOM, steps, *scale(tuple(values)))


def _draw_lines(chart: SeriesChart) -> str:
    """Draw a line for each series; a missing value interrupts it, and marked points are filled."""
    values = [value for series in chart.series for value in series.values if value is not None]
    axes = _build_axes(chart, values)
    elements = axes.svg_elements(Style.PERCENT, chart.x_label, chart.y_label)
    label_ys_by_step: dict[int, list[Fraction]] = {}
    for index, series in enumerate(chart.series):
        color = _color(index)
        segments, is_begun = [], False
        for x, value in zip(axes.xs, series.values, strict=True):
            if value is not None:
                command = "L" if is_begun else "M"
                segments.append(f"{command}{format_coordinate(x)} {format_coordinate(axes.y(value))}")
            is_begun = value is not None
        elements.append(
            f'<path d="{"".join(segments)}" fill="none" stroke="{color}" stroke-width="1.4"/>' if segments else ""
        )
        for step, (x, value) in enumerate(zip(axes.xs, series.values, strict=True)):
            if value is None:
                continue
            y = axes.y(value)
            elements.append(_draw_point(x, y, "3.4", color, is_filled=step in series.marked))
            if len(values) <= _MAX_LABELED_VALUES:
                label_ys = label_ys_by_step.setdefault(step, [])
                is_taken = any(abs(label_y - (y - 8)) < _LABEL_HEIGHT for label_y in label_ys)
                label_ys.append(y + 17 if is_taken else y - 8)
                elements.append(text_element(x, label_ys[-1], _percent(value), color=color, has_halo=True))
    return "".join(elements)


def _draw_stacked_bars(chart: SeriesChart) -> str:
    """Draw a stacked bar for each step, bottom up in the reverse order of the legend."""
    sums = [
        sum((series.values[step] or Fraction(0) for series in chart.series), Fraction(0))
        for step in range(len(chart.steps))
    ]
    axes = _build_axes(chart, [Fraction(0), *sums])
    elements = axes.svg_elements(Style.PERCENT, chart.x_label, chart.y_label)
    width = min(Fraction(_RIGHT - _LEFT, max(len(chart.steps), 1)) * 3 / 5, Fraction(90))
    for step, x in enumerate(axes.xs):
        total = Fraction(0)
        for index in reversed(range(len(chart.series))):
            value = chart.series[index].values[step]
            if not value or value < 0:
                continue
            top_y, bottom_y = axes.y(total + value), axes.y(total)
            total += value
            elements.append(
                f'<rect x="{format_coordinate(x - width / 2)}" y="{format_coordinate(top_y)}" '
                f'width="{format_coordinate(width)}" height="{format_coordinate(bottom_y - top_y)}" '
                f'fill="{_color(index)}" stroke="#ffffff" stroke-width="0.7"/>'
            )
            if bottom_y - top_y >= _MIN_LABELED_HEIGHT:
                elements.append(text_element(x, (top_y + bottom_y) / 2 + 4, _percent(value), color="#ffffff"))
        elements.append(text_element(x, axes.y(total) - 6, _percent(sums[step]), weight="bold"))
    return "".join(elements)
