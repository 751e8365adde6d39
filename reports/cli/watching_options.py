"""The options of sheets that tell of watching the cards."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import typer

from combinat.exact.numbers import parse_number
from decks import InputError
from decks.errors import quote

Watching = Annotated[
    bool,
    typer.Option(
        "--watching",
        help="Tell of watching the cards: effects of removal, the best counts and what they win; some seconds more.",
    ),
]
RoundsPerHour = Annotated[str | None, typer.Option(help="With --watching: rounds in an hour; 70 if left out.")]
Samples = Annotated[
    int, typer.Option("--bound", help="With --watching: tell what no count can beat, from so many sampled shoes.")
]


def rounds_of_an_hour(watching: bool, text: str | None, samples: int) -> Fraction | None:
    """Read how many rounds an hour has; there are none if nobody watches."""
    if not watching:
        for option, is_given in (("--rounds-per-hour", text is not None), ("--bound", bool(samples))):
            if is_given:
                raise InputError(f"{option} is about watching the cards; give --watching too")
        return None
    text = "70" if text is None else text
    number = parse_number(text)
    if number is None or number <= 0:
        raise InputError(f"cannot read the rounds per hour {quote(text)}; write a number such as 70")
    if samples and samples < 2:
        raise InputError(f"cannot sample {samples} shoes; give 2 or more, or leave --bound out")
    return number
