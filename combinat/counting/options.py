"""Options of card counting: tags, conventions and cut card, and how the bound for perfect play is sampled."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.counting.sampling.driver import Sampling
from combinat.counting.sampling.estimator import check_samples
from combinat.exact.numbers import parse_number
from decks import InputError
from decks.errors import quote

_CONVENTION_FIELDS = {
    "first": "first",
    "burned": "burned",
    "burned_seen": "burned_seen",
    "after_cut": "rounds_after_cut",
    "divisor": "divisor",
    "divide_by": "decks",
    "true_count": "true_count",
    "start": "start",
}
"""Fields of `Conventions` by option."""
_OPTIONS_OF_ROUNDS = ("cut", "every", "first", "burned", "burned_seen", "after_cut")
"""Options that decide where rounds begin; `depths` replaces them."""
DEFAULT_SAMPLES, MAX_SAMPLES = 2000, 10_000_000
"""Default number of sampled shoes, and the maximum when a precision is given."""


class CountOptions(Struct, frozen=True):
    """Options of a count, independent of the bet."""

    cut: int | None = None
    """Cut-card position in cards from the end of the shoe."""
    tags: str | None = None
    best: int = 1
    """Highest level of the tags that are tried if none are given."""
    unbalanced: bool = False
    trigger: Fraction | None = None
    conventions: str | None = None
    convention_overrides: dict[str, Any] = {}
    """Overrides of the conventions, by field name."""
    depths: tuple[int, ...] | None = None
    suits: bool = False
    bound: bool = False
    table: tuple[Fraction, Fraction] | None = None
    """Largest wager and rounds per hour."""
    view: tuple[str, ...] = ()
    """Roles whose cards are exposed when the bet is made."""
    wager_alone: bool = False
    """Whether to ignore parlays."""


def parse_count_options(
    *,
    cut: int | None = None,
    tags: str | None = None,
    best: int | None = None,
    unbalanced: bool = False,
    trigger: str | Fraction | None = None,
    conventions: str | None = None,
    every: str | Fraction | None = None,
    depths: str | None = None,
    suits: bool = False,
    bound: bool = False,
    wager: str | Fraction | None = None,
    rounds_per_hour: str | Fraction | None = None,
    view: str = "",
    wager_alone: bool = False,
    **convention_options: Any,
) -> CountOptions:
    """Parse the options of a count; `None` stands for the default.

    >>> options = parse_count_options(tags="A=1 2=-1", every="5", view="player, up", burned=1)
    >>> options.view, options.convention_overrides["burned"], parse_count_options(depths="52,104-106").depths
    (('player', 'up'), 1, (52, 104, 105, 106))
    """
    if tags is not None and (best is not None or unbalanced):
        raise InputError("--tags states the tags, so it excludes --best and --unbalanced")
    if suits and (best is not None or unbalanced):
        raise InputError("--suits counts suits instead of tags, so it excludes --best and --unbalanced")
    options = {"cut": cut, "every": every, **convention_options}
    given_options = [name for name in _OPTIONS_OF_ROUNDS if options.get(name) is not None]
    if depths is not None and given_options:
        raise InputError(f"--depths states where rounds begin, so it excludes --{given_options[0].replace('_', '-')}")
    overrides = {_CONVENTION_FIELDS[name]: value for name, value in convention_options.items() if value is not None}
    if every is not None:
        overrides |= {"round_cards": _parse_signed(every, "--every"), "lengths": ()}
    if "burned" in overrides:  # a fixed number of burn cards replaces the custom of burning by the first card
        overrides["burns_by_first_card"] = False
    hourly_rounds = _parse_positive("70" if rounds_per_hour is None else rounds_per_hour, "--rounds-per-hour")
    return CountOptions(
        cut=cut,
        tags=tags,
        best=1 if best is None else best,
        unbalanced=unbalanced,
        trigger=None if trigger is None else _parse_signed(trigger, "--trigger"),
        conventions=conventions,
        convention_overrides=overrides,
        depths=None if depths is None else tuple(_parse_depths(depths)),
        suits=suits,
        bound=bound,
        table=None if wager is None else (_parse_positive(wager, "--wager"), hourly_rounds),
        view=tuple(dict.fromkeys(role.strip() for role in view.split(",") if role.strip())),
        wager_alone=wager_alone,
    )


class SamplingOptions(Struct, frozen=True):
    """How the bound for perfect play is sampled."""

    samples: int
    """Maximum number of shoes."""
    seed: int
    chunk: int
    """Shoes that are sampled together, by one process."""
    precision: Fraction | None
    """Relative half-width of the confidence interval at which sampling stops; `None` to use all samples."""


def parse_sampling_options(
    samples: int | None = None, until: str | None = None, seed: int | None = None, chunk: int | None = None
) -> SamplingOptions:
    """Parse the sampling options; `None` stands for the default.

    >>> parse_sampling_options(until="0.1%").precision, parse_sampling_options().samples
    (Fraction(1, 1000), 2000)
    """
    precision = None if until is None else _parse_precision(until)
    max_samples = samples if samples is not None else DEFAULT_SAMPLES if precision is None else MAX_SAMPLES
    options = SamplingOptions(
        max_samples, 1 if seed is None else seed, Sampling().chunk if chunk is None else chunk, precision
    )
    check_samples(options.samples, options.seed, options.chunk)
    return options


def _parse_precision(text: str) -> Fraction:
    value = parse_number(text.strip().removesuffix("%"))
    if value is None or not text.strip().endswith("%") or not 0 < value < 100:
        raise InputError(f"--until {quote(text)}: write a percentage between 0% and 100%, for example 0.1%")
    return value / 100


def _parse_signed(text: str | Fraction, option: str) -> Fraction:
    if isinstance(text, Fraction):
        return text
    stripped = text.strip()
    value = parse_number(stripped[1:] if stripped.startswith(("+", "-")) else stripped)
    if value is None:
        raise InputError(f"{option} {quote(text)} is not a number; write for example 5.4")
    return -value if stripped.startswith("-") else value


def _parse_positive(text: str | Fraction, option: str) -> Fraction:
    value = _parse_signed(text, option)
    if value <= 0:
        raise InputError(f"{option} must be positive, got {quote(text)}")
    return value


def _parse_depths(text: str) -> list[int]:
    """Parse depths written as integers and ranges, such as `52,104-110`."""
    depths: list[int] = []
    for item in text.split(","):
        ends = [end.strip() for end in item.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) < 6 for end in ends):
            raise InputError(f"--depths: {quote(item.strip())} is not a depth; write for example 52,104-110")
        depths += range(int(ends[0]), int(ends[-1]) + 1)
    if not depths:
        raise InputError(f"--depths {quote(text)} has no depth; write for example 52,104-110")
    return depths
