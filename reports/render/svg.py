"""What pictures drawn by hand share: axes with round steps, words at places, and the colors of lines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import escape

from reports.page import numerals
from reports.page.model import Style

COLORS = ("#1b5e8c", "#b5541c", "#3d7a3a", "#7a3d73")
FONT = "Libertinus Serif, Georgia, Times New Roman, serif"


def scale(values: tuple[Fraction, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """Choose the lowest and highest value of an axis, and a round step between its lines."""
    least, most = min(values, default=Fraction(0)), max(values, default=Fraction(1))
    spread = most - least or abs(most) or Fraction(1)
    # Room for the numbers at the points, but no negative numbers on the axis where there are none.
    below = least - spread / 8
    least, most = below if least < 0 else max(below, Fraction(0)), most + spread / 8
    step = Fraction(1)
    while step * 5 > spread:
        step /= 10
    while step * 5 <= spread:
        step *= 10
    step = next(step * part for part in (Fraction(1, 5), Fraction(1, 2), Fraction(1)) if step * part * 5 >= spread)
    return least // step * step, -(-most // step) * step, step


def places_of(step: Fraction, style: Style) -> int:
    """Count the decimals that the numbers on an axis need."""
    shown, places = step * (100 if style is Style.PERCENT else 1), 0
    while (shown * 10**places).denominator > 1:
        places += 1
    return places


def number(style: Style, value: Fraction, places: int) -> str:
    """Write a value in a picture, rounded where all others are."""
    write: Callable[[Fraction, int], str] = numerals.percent if style is Style.PERCENT else numerals.decimal
    return write(value, places)


def spoken(text: str) -> str:
    """Make a text fit to stand in a picture."""
    return escape("".join(character if character.isprintable() else " " for character in text))


def at(coordinate: Fraction | int) -> str:
    """Write a coordinate, to a hundredth of a point."""
    return numerals.decimal(coordinate, 2, grouped=False).replace(numerals.MINUS, "-")


def text_at(
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
    """Write a word into a picture; a halo keeps a number legible where the line passes behind it."""
    if not text:
        return ""
    looks = (f' fill="{color}"' if color else "") + (f' font-weight="{weight}"' if weight == "bold" else "")
    looks += f' transform="rotate(-90 {at(x)} {at(y)})"' if turned else ""
    looks += ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' if haloed else ""
    return f'<text x="{at(x)}" y="{at(y)}" text-anchor="{anchor}"{looks}>{spoken(text)}</text>'
