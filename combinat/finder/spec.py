"""Spec of a paytable search: open pays, seeds and rates, constraints, and how both are written in TOML or options.

A spec is parsed from a TOML file, from options of the command, or from both, where options take precedence. Its
constraints are listed one by one, so that a conflict between them can be reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.award import Award
from combinat.bets.catalog import parse_file_argument, resolve_paytables
from combinat.bets.meters import parse_amount
from combinat.bets.overrides import split_pay_overrides
from combinat.bets.pay import FOR_1, MAX_PAY, TO_1, Pay, fixed_pay
from combinat.bets.paytable import Paytable
from combinat.bets.schema import parse_toml, read_text
from combinat.exact.interval import Interval, Limits, parse_interval
from combinat.exact.numbers import format_decimal, parse_number
from decks import InputError, did_you_mean, format_deck_counts, parse_deck_counts
from decks.errors import quote, truncate_middle

OUT = "out"
MAX_VALUES = 100_000
"""Maximum number of values of one unknown."""
NICE = "nice"
NICE_VALUES = tuple(
    Fraction(value * power)
    for power in (1, 1000, 1_000_000)
    for value in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 500)
    if (power == 1 or value in (1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 100, 250, 500)) and value * power <= MAX_PAY
)
"""Pays that look good on a sign: what `nice` stands for unless the request lists other values."""
_FORMS = "write 9, 1..50, 2..30 step 2, nice, 5..100 nice, or 1|2|5, with |out for an award that may be dropped"
_NICE_RANGE = re.compile(r"(?:(?P<range>.*\S)\s+)?nice", re.IGNORECASE)
_RANGE = re.compile(r"(?P<low>[^\s.]+(?:\.\d+)?%?)\s*\.\.\s*(?P<high>\S+?)(?:\s+step\s+(?P<step>\S+))?", re.IGNORECASE)


class ValueChoice(Struct, frozen=True):
    """The values that an unknown may have, in ascending order; an award may also be dropped."""

    values: tuple[Fraction, ...]
    may_be_out: bool = False

    def __str__(self) -> str:
        highest = format_decimal(self.values[-1]) if self.values else OUT
        return highest if len(self.values) < 2 else f"{format_decimal(self.values[0])}..{highest}"


def parse_choice(
    text: object,
    label: str,
    *,
    percent: bool = False,
    may_be_out: bool = False,
    nice: Sequence[Fraction] = NICE_VALUES,
) -> ValueChoice:
    """Parse open values: a number, a range with or without a step, values of the list `nice`, or a list of these.

    >>> parse_choice("1..4", "pay").values == (1, 2, 3, 4), parse_choice("2..8 step 3|0.5", "pay").values[0]
    (True, Fraction(1, 2))
    >>> parse_choice("5|out", "pay", may_be_out=True).may_be_out
    True
    >>> [int(value) for value in parse_choice("20..60 nice|7", "pay").values]
    [7, 20, 25, 30, 40, 50, 60]
    """
    values: set[Fraction] = set()
    is_out = False
    choices_text = "|".join(map(str, text)) if isinstance(text, list) else str(text)
    for item in choices_text.split("|"):
        item_text = item.strip()
        if may_be_out and item_text.lower() == OUT:
            is_out = True
            continue
        nice_match = None if percent else _NICE_RANGE.fullmatch(item_text)
        if nice_match is None:
            values |= _values(item_text, text, label, percent)
        else:
            values |= _nice_values(nice_match["range"], text, label, nice)
        if len(values) > MAX_VALUES:
            raise InputError(f"{label}: {quote(text)} has more than {MAX_VALUES:,} values; give a larger step")
    return ValueChoice(tuple(sorted(values)), is_out)


def _nice_values(range_text: str | None, text: object, label: str, nice: Sequence[Fraction]) -> set[Fraction]:
    """Return the nice values, all of them or those within a range."""
    limits = Interval() if range_text is None else _nice_limits(range_text, text, label)
    values = {value for value in nice if limits.has(value)}
    if not values:
        raise InputError(f"{label}: {quote(text)} has no value of the nice list; give a wider range")
    return values


def _nice_limits(range_text: str, text: object, label: str) -> Limits:
    low_text, dots, high_text = range_text.partition("..")
    if not dots:
        raise InputError(f"{label}: cannot read {quote(text)}; {_FORMS}")
    low, high = (_number(end, text, label, percent=False) if end.strip() else None for end in (low_text, high_text))
    return Interval(low, high)


def parse_nice_values(value: object) -> tuple[Fraction, ...]:
    """Parse the list of nice values, such as `1, 2, 5, 10..50 step 10`.

    >>> [int(value) for value in parse_nice_values("1, 2, 5, 10..30 step 10")]
    [1, 2, 5, 10, 20, 30]
    """
    texts = value if isinstance(value, (list, tuple)) else str(value).replace("|", ",").split(",")
    return parse_choice([str(item).strip() for item in texts if str(item).strip()], NICE, nice=()).values


def _values(item_text: str, text: object, label: str, percent: bool) -> set[Fraction]:
    if ".." not in item_text:
        return {_number(item_text, text, label, percent)}
    range_match = _RANGE.fullmatch(item_text)
    if range_match is None:
        raise InputError(f"{label}: cannot read {quote(text)}; {_FORMS}")
    lowest_value, highest_value = (_number(range_match[key], text, label, percent) for key in ("low", "high"))
    step = (
        _number(range_match["step"], text, label, percent)
        if range_match["step"]
        else Fraction(1, 100 if percent else 1)
    )
    if step <= 0:
        raise InputError(f"{label}: the step of {quote(text)} must be positive")
    if lowest_value > highest_value:
        raise InputError(f"{label}: the range {quote(item_text)} is empty: it ends below its start")
    count = (highest_value - lowest_value) // step + 1
    if count > MAX_VALUES:
        raise InputError(f"{label}: {quote(text)} has {count:,} values; give a larger step")
    return {lowest_value + step * step_index for step_index in range(count)}


def _number(item_text: str, text: object, label: str, percent: bool) -> Fraction:
    number_text = item_text.strip().lstrip("$")
    number = parse_number(number_text.removesuffix("%").strip()) if percent or not number_text.endswith("%") else None
    if number is None and (odds := re.fullmatch(r"(\d+)/(\d+)", number_text, re.ASCII)) and int(odds[2]):
        number = Fraction(int(odds[1]), int(odds[2]))
    if number is None or (percent and not number_text.endswith("%")):
        hint = "; a rate is a percentage, as in 5%..20% step 1%" if percent else f"; {_FORMS}"
        raise InputError(f"{label}: cannot read {quote(item_text or text)}{hint}")
    return number / 100 if percent else number


CLOSEST, ROUNDEST, LOWEST, HIGHEST = "closest", "roundest", "lowest volatility", "highest volatility"
SMALLEST_CHANGE = "smallest change"
ORDERS = (CLOSEST, ROUNDEST, LOWEST, HIGHEST, SMALLEST_CHANGE)
MAX_ORDER_KEYS = 2
ALL_AWARDS = "*"
"""Name that stands for every award with a fixed pay."""


class OrderKey(Struct, frozen=True):
    """One key of an order; the distance of `closest` may be counted in steps, so that a second key decides ties."""

    name: str
    step: Fraction | None = None

    def __str__(self) -> str:
        return self.name if self.step is None else f"{self.name} {_percent(self.step)}"


def parse_order(text: str) -> tuple[OrderKey, ...]:
    """Parse an order of one or two keys, such as `closest 0.1%, lowest volatility`.

    >>> list(map(str, parse_order("closest 0.1%, Lowest  volatility")))
    ['closest 0.1%', 'lowest volatility']
    """
    keys = []
    for item in text.split(","):
        name = " ".join(item.split()).lower()
        base_name, _, step_text = name.rpartition(" ")
        if base_name == CLOSEST:
            step = parse_interval(step_text, "order", percent=True)
            if step.low is None or step.low != step.high or step.low <= 0:
                raise InputError(f"order: the step of {quote(item.strip())} must be a percentage such as 0.1%")
            keys.append(OrderKey(CLOSEST, step.low))
            continue
        if name not in ORDERS:
            raise InputError(f"{quote(item.strip())} is not an order{_hint(name, ORDERS)}")
        keys.append(OrderKey(name))
    if len(keys) > MAX_ORDER_KEYS or len({key.name for key in keys}) < len(keys):
        raise InputError(f"an order has one or two different keys, got {quote(text)}")
    return tuple(keys)


class Spec(Struct, frozen=True):
    """Open values and constraints of a paytable search."""

    paytable: Paytable
    decks: tuple[int, ...]
    pays: tuple[ValueChoice | None, ...]
    """For each award the pays it may have, as the paytable writes them; `None` where the pay is fixed."""
    edges: tuple[Limits, ...]
    """For each deck count the interval of the edge; with growing meters, of the long-run hold."""
    hit_frequency: Limits = Interval()
    standard_deviation: Limits = Interval()
    top_share: Limits = Interval()
    """Interval of the top award's share of the return."""
    shares: tuple[Limits, ...] = ()
    """For each award the interval of its share of the return; empty if none is limited."""
    top_pay: Limits = Interval()
    """Interval of the top award's pay, as it is written; of a meter, its seed."""
    min_ratio: Fraction | None = None
    """Minimum ratio of an award's pay to the next lower one, both as written."""
    falling: bool | None = None
    """Whether each award must pay less than the one above it (true), or pays may come in any order (false).

    `None`, the default: no award pays more than one above it, except where it does so in the paytable itself.
    """
    order: str = CLOSEST
    target: Fraction | None = None
    """Target edge; by default the middle of the first limits on the edge."""
    seeds: tuple[tuple[str, ValueChoice], ...] = ()
    rates: tuple[tuple[str, ValueChoice], ...] = ()
    amounts: tuple[tuple[str, Fraction], ...] = ()
    """Given meter amounts: the edge is that of a play at these amounts."""
    min_difference: Fraction | None = None
    """Of the solutions shown, each differs from those before it by at least this share in some pay."""
    max_count_gain: Fraction | None = None
    """Maximum of what a card counter wins, in units per 100 rounds."""

    def __post_init__(self) -> None:
        if not any(self.pays) and not self.seeds and not self.rates:
            raise InputError(
                f"no pays of {self.paytable.id} to search; add for example --pays "
                f'"{self.stated[0].name}=1..50", or "*=1..50" for all awards'
            )
        if self.has_meters and (requirement := self._needs_amounts):
            raise InputError(
                f"{requirement} depends on the amounts of the meters, which grow in {self.paytable.id}; state them, "
                "for example --meter 20000"
            )
        for award, choice in zip(self.stated, self.pays, strict=True):
            if choice is not None:
                _check_open(award, choice, self.paytable)
        if self.shares and self.paytable.stated_awards:
            raise InputError(f"the awards of {self.paytable.id} add up; limits on the shares of awards do not apply")
        if self.min_ratio is not None and (self.min_ratio < 1 or self.falling is False):
            reason = "needs descending pays" if self.falling is False else f"must be at least 1, got {self.min_ratio}"
            raise InputError(f"the ratio between neighbors {reason}")
        if self.target_edge is None and (self.order_keys[0].name == CLOSEST or not self._has_limits):
            raise InputError("no edge is given; add for example --edge 4%..5% or --target 4.5%")

    @property
    def _needs_amounts(self) -> str:
        """The first requirement that cannot be met while meters grow; empty if there is none."""
        requirements = (
            ("a limit on the standard deviation", self.standard_deviation != Interval()),
            ("a limit on the top award's share", self.top_share != Interval()),
            ("a limit on an award's share", bool(self.shares)),
            ("a limit on the gain of a counter", self.max_count_gain is not None),
            ("an order by volatility", any(key.name in (LOWEST, HIGHEST) for key in self.order_keys)),
        )
        return next((requirement for requirement, is_asked in requirements if is_asked), "")

    @property
    def stated(self) -> tuple[Award, ...]:
        """The awards as the paytable states them."""
        return self.paytable.settlement.stated_awards

    @property
    def order_keys(self) -> tuple[OrderKey, ...]:
        """The keys of the order."""
        return parse_order(self.order)

    @property
    def has_meters(self) -> bool:
        """Whether an award pays from a meter without a given amount."""
        return bool(set(self.paytable.meters) - {name for name, _ in self.amounts})

    @property
    def _limits_volatility(self) -> bool:
        return self.standard_deviation != Interval() or self.top_share != Interval() or bool(self.shares)

    @property
    def _has_limits(self) -> bool:
        """Whether there are limits on anything other than the edge."""
        return self._limits_volatility or self.hit_frequency != Interval() or self.top_pay != Interval()

    @property
    def target_edge(self) -> Fraction | None:
        """Target edge; `None` if neither a target nor limits of the edge are given."""
        middle = next((limits.middle for limits in self.edges if limits.middle is not None), None)
        return self.target if self.target is not None else middle

    @property
    def descending_pairs(self) -> frozenset[tuple[int, int]]:
        """Index pairs of awards, a higher and a lower one, where by default the lower must not pay more.

        These are the pairs with fixed pays that are in this order in the paytable itself.
        """
        nets = [(index, award.pay.net.constant) for index, award in enumerate(self.stated) if is_plain(award)]
        return frozenset(
            (upper_award, lower_award)
            for pay_index, (upper_award, pay) in enumerate(nets)
            for lower_award, lower_pay in nets[pay_index + 1 :]
            if pay >= lower_pay
        )

    def neighbors(self, is_included: Sequence[bool]) -> tuple[tuple[int, int], ...]:
        """Return index pairs of neighboring awards whose pays have a minimum ratio.

        These are awards with fixed pays that win; where pays need not descend, a pair keeps the order of the paytable.
        """
        winning = [
            index
            for index, award in enumerate(self.stated)
            if is_included[index] and is_plain(award) and (_wins(award.pay) or self.pays[index] is not None)
        ]
        return tuple(pair for pair in pairwise(winning) if self.falling or pair in self.descending_pairs)

    def nets(self, index: int) -> tuple[Fraction, ...]:
        """Return the possible net wins of an award with a fixed pay, for a wager of 1, in ascending order."""
        award, choice = self.stated[index], self.pays[index]
        if choice is None:
            return (award.pay.net.constant,)
        return tuple(value - award.pay.is_for_one for value in choice.values)


def _check_open(award: Award, choice: ValueChoice, paytable: Paytable) -> None:
    """Raise an error for an open pay that is not plain, or is too high."""
    if choice.values and choice.values[-1] > MAX_PAY:
        raise InputError(f"{quote(award.name)} must pay at most {MAX_PAY:,}, got {choice}")
    if award.pay.meter is not None:
        raise InputError(
            f"{quote(award.name)} pays from the meter {quote(award.pay.meter)}; give a range for its seed or rate"
        )
    if award.pay.prizes:
        raise InputError(f"{quote(award.name)} is multiplied by a wheel; its pay must be fixed")
    if paytable.stated_awards and any(component.pay.prizes for component in paytable.stated_awards):
        raise InputError(f"the awards of {paytable.id} add up and have wheels; their pays must be fixed")


def is_plain(award: Award) -> bool:
    """Return whether an award has a fixed pay, without a meter or a wheel."""
    return award.pay.meter is None and not award.pay.prizes


def open_pays(paytable: Paytable, choices: dict[str, ValueChoice]) -> tuple[ValueChoice | None, ...]:
    """Return the choice of each award from `choices` by name, ignoring case; `*` means all others with plain pays.

    Under `*` a push stays a push and a loss stays a loss; only their names open them.
    """
    stated_awards = paytable.settlement.stated_awards
    index_by_name = {award.name.lower(): index for index, award in enumerate(stated_awards)}
    pays: list[ValueChoice | None] = [None] * len(stated_awards)
    if (default := choices.get(ALL_AWARDS)) is not None:
        pays = [default if is_plain(award) and _wins(award.pay) else None for award in stated_awards]
    for name, choice in choices.items():
        if name == ALL_AWARDS:
            continue
        index = index_by_name.get(" ".join(name.split()).lower())
        if index is None:
            names = [award.name for award in stated_awards]
            hint = did_you_mean(name, names) or f"; its awards are {', '.join(names)}"
            raise InputError(f"{paytable.id} has no award {quote(name)}{hint}")
        pays[index] = choice
    return tuple(pays)


def _wins(pay: Pay) -> bool:
    """Return whether a fixed pay is more than the wager: neither a push nor a loss.

    >>> from combinat.bets.pay import parse_pay
    >>> [_wins(parse_pay(pay)) for pay in ("2 to 1", "2 for 1", "push", "1 for 1", "0.5 for 1", "loses", "loses 2")]
    [True, True, False, False, False, False, False]
    """
    return pay.net.constant > 0


def replace_amount(pay: Pay, amount: Fraction) -> Pay:
    """Return a pay of another amount in the same form: `to 1` or `for 1`."""
    return fixed_pay(amount, FOR_1 if pay.is_for_one else TO_1)


def _hint(word: str, words: tuple[str, ...]) -> str:
    return did_you_mean(word, words) or f"; write one of {', '.join(words)}"


EDGE, HITS, DEVIATION, SHARE, TOP = "edge", "hits", "deviation", "share", "top"
AWARD_SHARE, RATIO, GAIN = "award share", "ratio", "gain"
FALLING, DESCENDING = "falling", "descending"


class Constraint(Struct, frozen=True):
    """One constraint: limits of a figure at a deck count, or a condition on the pays."""

    kind: str
    at: int = 0
    """Index of the deck count in the spec."""
    low: Fraction | None = None
    """Lower bound; of a standard deviation, its square."""
    high: Fraction | None = None
    text: str = ""
    award: int = 0
    """Index of the award whose share is limited."""

    def __str__(self) -> str:
        return self.text


def constraints(spec: Spec) -> tuple[Constraint, ...]:
    """Return the constraints of a spec."""
    constraint_list = [
        *_edges(spec),
        *_limits(spec, HITS, "the hit frequency", spec.hit_frequency, _percent),
        *map(
            _square_bounds, _limits(spec, DEVIATION, "the standard deviation", spec.standard_deviation, format_decimal)
        ),
        *_limits(spec, SHARE, "the top award's share of the return", spec.top_share, _percent),
    ]
    for index, (award, limits) in enumerate(zip(spec.stated, spec.shares, strict=bool(spec.shares))):
        label = f"the share of {award.name} in the return"
        constraint_list += [
            replace(constraint, award=index) for constraint in _limits(spec, AWARD_SHARE, label, limits, _percent)
        ]
    if spec.falling:
        constraint_list.append(Constraint(FALLING, text="every award pays less than the one above it"))
    if _is_descending(spec):
        constraint_list.append(
            Constraint(DESCENDING, text=f"no award pays more than one above it{_as_in_original(spec)}")
        )
    if spec.min_ratio is not None:
        ratio_text = format_decimal(spec.min_ratio)
        constraint_list.append(
            Constraint(RATIO, low=spec.min_ratio, text=f"every award pays at least {ratio_text} times the next one")
        )
    constraint_list += _interval_constraints(TOP, 0, "the pay of the top award", spec.top_pay, format_decimal, "")
    if spec.max_count_gain is not None:
        constraint_list += [
            Constraint(
                GAIN,
                deck_index,
                high=spec.max_count_gain,
                text=f"a counter wins at most {format_decimal(spec.max_count_gain)} per 100 rounds with "
                f"{format_decks([decks])}",
            )
            for deck_index, decks in enumerate(spec.decks)
        ]
    return tuple(constraint_list)


def _square_bounds(constraint: Constraint) -> Constraint:
    """Square the bounds of a standard deviation, keeping their signs, so that variances can be compared with them."""
    low, high = (None if end is None else end * abs(end) for end in (constraint.low, constraint.high))
    return replace(constraint, low=low, high=high)


def describe_spec(spec: Spec) -> tuple[str, ...]:
    """Describe the constraints of a spec: intervals with both ends, and equal deck counts together.

    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.finder.spec import parse_choice
    >>> from combinat.finder.spec import open_pays
    >>> bet, limits = get_paytable("TRI-04"), Interval(Fraction(4, 100), Fraction(45, 1000))
    >>> pays = open_pays(bet, {"*": parse_choice("1..50", "pays")})
    >>> describe_spec(Spec(bet, (6, 8), pays, (limits, limits), top_share=Interval(high=Fraction(1, 4)), falling=False))
    ('edge from 4% to 4.5% with 6, 8 decks', "top award's share of the return up to 25%")
    """
    decks_by_interval: dict[Limits, list[int]] = {}
    for decks, limits in zip(spec.decks, spec.edges, strict=True):
        decks_by_interval.setdefault(limits, []).append(decks)
    edge = "hold" if spec.has_meters else "edge"
    phrases = [
        f"{edge} {_span(limits, _percent)} with {format_deck_counts(tuple(counts))} deck{'s' * (counts != [1])}"
        for limits, counts in decks_by_interval.items()
        if limits != Interval()
    ]
    for label, limits, format_number in (
        ("hit frequency", spec.hit_frequency, _percent),
        ("standard deviation", spec.standard_deviation, format_decimal),
        ("top award's share of the return", spec.top_share, _percent),
    ):
        if limits != Interval():
            phrases.append(f"{label} {_span(limits, format_number)}")
    phrases += [
        f"share of {award.name} {_span(limits, _percent)}"
        for award, limits in zip(spec.stated, spec.shares, strict=False)
        if limits != Interval()
    ]
    phrases += ["pays that fall from award to award"] if spec.falling else []
    phrases += [f"no award that pays more than one above it{_as_in_original(spec)}"] if _is_descending(spec) else []
    if spec.min_ratio is not None:
        phrases.append(f"every pay at least {format_decimal(spec.min_ratio)} times the next one")
    if spec.top_pay != Interval():
        phrases.append(f"pay of the top award {_span(spec.top_pay, format_decimal)}")
    if spec.max_count_gain is not None:
        phrases.append(f"gain of a counter up to {format_decimal(spec.max_count_gain)} per 100 rounds")
    return tuple(phrases)


def _is_descending(spec: Spec) -> bool:
    """Return whether pays must descend by default, and the choices allow a violation."""
    if spec.falling is not None:
        return False
    award_indexes = {index for pair in spec.descending_pairs for index in pair}
    pays = {index: nets for index in award_indexes if (nets := spec.nets(index))}
    return any(
        upper_award in pays and lower_award in pays and pays[lower_award][-1] > pays[upper_award][0]
        for upper_award, lower_award in spec.descending_pairs
    )


def _as_in_original(spec: Spec) -> str:
    """Describe the exceptions from descending pays, if there are any."""
    plain_count = sum(is_plain(award) for award in spec.stated)
    is_descending = len(spec.descending_pairs) == plain_count * (plain_count - 1) // 2
    return "" if is_descending else f" unless it does in {spec.paytable.id}"


def _span(limits: Limits, format_number: Callable[[Fraction], str]) -> str:
    low_text, high_text = (
        None if end is None else _format_signed(end, format_number) for end in (limits.low, limits.high)
    )
    if low_text is None:
        return f"up to {high_text}"
    return (
        f"from {low_text} up"
        if high_text is None
        else f"of {low_text}"
        if low_text == high_text
        else f"from {low_text} to {high_text}"
    )


def _edges(spec: Spec) -> Iterator[Constraint]:
    label = "the hold" if spec.has_meters else "the edge"
    for deck_index, limits in enumerate(spec.edges):
        yield from _interval_constraints(
            EDGE, deck_index, label, limits, _percent, f" with {format_decks([spec.decks[deck_index]])}"
        )


def _limits(
    spec: Spec, kind: str, label: str, limits: Limits, format_number: Callable[[Fraction], str]
) -> Iterator[Constraint]:
    for deck_index, decks in enumerate(spec.decks):
        yield from _interval_constraints(
            kind, deck_index, label, limits, format_number, f" with {format_decks([decks])}"
        )


def _interval_constraints(
    kind: str, deck_index: int, label: str, limits: Limits, format_number: Callable[[Fraction], str], where: str
) -> Iterator[Constraint]:
    if limits.low is not None:
        yield Constraint(
            kind,
            deck_index,
            low=limits.low,
            text=f"{label} is at least {_format_signed(limits.low, format_number)}{where}",
        )
    if limits.high is not None:
        yield Constraint(
            kind,
            deck_index,
            high=limits.high,
            text=f"{label} is at most {_format_signed(limits.high, format_number)}{where}",
        )


def _format_signed(value: Fraction, format_number: Callable[[Fraction], str]) -> str:
    return f"−{format_number(-value)}" if value < 0 else format_number(value)


def signed_percent(value: Fraction) -> str:
    """Format an edge as a percentage.

    >>> signed_percent(Fraction(-1, 200)), signed_percent(Fraction(9, 200))
    ('−0.5%', '4.5%')
    """
    return _format_signed(value, _percent)


def _percent(value: Fraction) -> str:
    return f"{format_decimal(value * 100)}%"


def format_decks(counts: Iterable[int]) -> str:
    """Format deck counts with their unit.

    >>> format_decks([1]), format_decks([4, 5, 6])
    ('1 deck', '4-6 decks')
    """
    text = format_deck_counts(counts)
    return f"{text} deck{'' if text == '1' else 's'}"


KEYS = (
    "bet",
    "decks",
    "pays",
    "edge",
    "hit_frequency",
    "standard_deviation",
    "top_share",
    "share",
    "top_pay",
    "min_ratio",
    "nice",
    "falling",
    "order",
    "min_difference",
    "max_count_gain",
    "target",
    "seed",
    "rate",
    "meter",
    "best",
)
"""Keys of a spec; the options of the command have the same names."""
SearchRequest = dict[str, Any]
"""A request as it was written, by these keys."""


def load_request(argument: str) -> SearchRequest:
    """Parse the argument of the command: the file of a spec, or a bet."""
    file = parse_file_argument(argument)
    if file is None or file[1] is not None:
        return {"bet": argument}
    path = Path(file[0])
    file_name = truncate_middle(path)
    try:
        table = parse_toml(read_text(path))
    except InputError as error:
        raise InputError(f"{file_name}: {error}") from None
    if "deal" in table or "paytable" in table:
        return {"bet": argument}
    for key in table:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"; keys are {', '.join(KEYS)}"
            raise InputError(f"{file_name}: a spec has no key {quote(key)}{hint}")
    if not isinstance(table.get("bet"), str):
        raise InputError(f'{file_name}: the spec names no bet; write for example bet = "TRI-04"')
    bet_file = parse_file_argument(table["bet"])
    if bet_file is not None:  # a path in a file is relative to the file
        table["bet"] = f"{path.parent / bet_file[0]}{'' if bet_file[1] is None else ':' + bet_file[1]}"
    return table


def build_spec(request: SearchRequest) -> Spec:
    """Build a spec from a request."""
    paytable = _paytable(request["bet"])
    decks = _parse_decks(request.get("decks"), paytable)
    edges = _parse_edges(request.get("edge"), decks)
    falling = request.get("falling")
    if falling is not None and not isinstance(falling, bool):
        raise InputError(f"falling must be true or false, got {quote(falling)}")
    nice = parse_nice_values(request["nice"]) if "nice" in request else NICE_VALUES
    return Spec(
        paytable,
        decks,
        open_pays(paytable, _pays(request.get("pays", {}), paytable, nice)),
        edges,
        hit_frequency=_parse_limits(request, "hit_frequency", percent=True),
        standard_deviation=_parse_limits(request, "standard_deviation", percent=False),
        top_share=_parse_limits(request, "top_share", percent=True),
        shares=_parse_shares(request.get("share", {}), paytable),
        top_pay=_parse_limits(request, "top_pay", percent=False),
        min_ratio=_parse_number(request, "min_ratio"),
        falling=falling,
        order=" ".join(str(request.get("order", CLOSEST)).split()).lower(),
        min_difference=_parse_difference(request.get("min_difference")),
        max_count_gain=_parse_number(request, "max_count_gain"),
        target=_target(request.get("target")),
        seeds=_parse_meter_choices(request.get("seed", {}), paytable, "seed", percent=False),
        rates=_parse_meter_choices(request.get("rate", {}), paytable, "rate", percent=True),
        amounts=_amounts(request.get("meter", {}), paytable),
    )


def parse_best(request: SearchRequest) -> int | None:
    """Return the number of paytables to show; `None` for all."""
    best = request.get("best", 10)
    if best == "all":
        return None
    number = int(best) if str(best).isascii() and str(best).isdecimal() else 0
    if not number:
        raise InputError(f"best must be a number of paytables, or all, got {quote(best)}")
    return number


def _paytable(bet_argument: str | Paytable) -> Paytable:
    if isinstance(bet_argument, Paytable):
        return bet_argument
    paytables = resolve_paytables(bet_argument)
    if len(paytables) > 1:
        ids = ", ".join(paytable.id for paytable in paytables)
        name = truncate_middle(bet_argument)
        raise InputError(f"{name} has several paytables; write {name}:ID with one of {ids}")
    return paytables[0]


def _parse_decks(value: object, paytable: Paytable) -> tuple[int, ...]:
    if value is None:
        return paytable.decks
    return parse_deck_counts(", ".join(map(str, value)) if isinstance(value, list) else str(value))


def _parse_edges(value: object, decks: tuple[int, ...]) -> tuple[Limits, ...]:
    """Parse the limits of the edge, for all deck counts or for some; all limits of a deck count apply."""
    intervals: dict[int, Limits] = {count: Interval() for count in decks}
    for counts, texts in (
        value.items() if isinstance(value, Mapping) else [(ALL_AWARDS, [] if value is None else value)]
    ):
        for count in decks if counts == ALL_AWARDS else parse_deck_counts(str(counts)):
            if count not in intervals:
                deck_text = ", ".join(map(str, decks))
                raise InputError(f"edge: limits are given for {count} decks, but the deck counts are {deck_text}")
            for text in texts if isinstance(texts, list) else [texts]:
                intervals[count] = intervals[count].intersect(parse_interval(text, "edge", percent=True))
    return tuple(intervals.values())


def _parse_limits(request: SearchRequest, key: str, *, percent: bool) -> Limits:
    return parse_interval(request[key], key.replace("_", " "), percent=percent) if key in request else Interval()


def _parse_number(request: SearchRequest, key: str) -> Fraction | None:
    """Parse a number that is not negative, such as 1.5."""
    if key not in request:
        return None
    number = parse_number(str(request[key]).strip())
    if number is None or number < 0:
        raise InputError(f"{key.replace('_', ' ')} must be a number such as 1.5, got {quote(request[key])}")
    return number


def _parse_difference(value: object) -> Fraction | None:
    if value is None:
        return None
    limits = parse_interval(value, "min difference", percent=True)
    if limits.low is None or limits.low != limits.high or not 0 < limits.low <= 1:
        raise InputError(f"min difference must be a percentage such as 20%, got {quote(value)}")
    return limits.low


def _parse_shares(value: object, paytable: Paytable) -> tuple[Limits, ...]:
    """Parse limits on the shares of awards, such as `Flush=..40%, *=5%..`, where `*` stands for all others."""
    if not value:
        return ()
    if not isinstance(value, str | Mapping):
        raise InputError(f'share must be a text such as "Flush=..40%", or a table by award, got {quote(value)}')
    awards = paytable.settlement.stated_awards
    names = [ALL_AWARDS, *(award.name.lower() for award in awards)]
    texts = dict(split_pay_overrides(value, names) if isinstance(value, str) else value.items())
    limits_by_name = {
        " ".join(name.split()).lower(): parse_interval(text, f"share of {name}", percent=True)
        for name, text in texts.items()
    }
    for name in limits_by_name:
        if name not in names:
            raise InputError(f"{paytable.id} has no award {quote(name)}{did_you_mean(name, names)}")
    default = limits_by_name.get(ALL_AWARDS, Interval())
    return tuple(limits_by_name.get(award.name.lower(), default) for award in awards)


def _target(value: object) -> Fraction | None:
    if value is None:
        return None
    limits = parse_interval(value, "target", percent=True)
    if limits.low is None or limits.low != limits.high:
        raise InputError(f"the target must be one edge, such as 4.2%, got {quote(value)}")
    return limits.low


def _pays(value: object, paytable: Paytable, nice: Sequence[Fraction]) -> dict[str, ValueChoice]:
    if not isinstance(value, str | Mapping):
        raise InputError(f'pays must be a text such as "Flush=1..50", or a table by award, got {quote(value)}')
    names = [ALL_AWARDS, *(award.name.lower() for award in paytable.settlement.stated_awards)]
    choices: dict[str, ValueChoice] = {}
    for name, text in split_pay_overrides(value, names) if isinstance(value, str) else value.items():
        if " ".join(name.split()).lower() in {" ".join(known_name.split()).lower() for known_name in choices}:
            raise InputError(f"pays: {quote(name)} is given twice")
        choices[name] = parse_choice(text, name, may_be_out=True, nice=nice)
    return choices


def _parse_meter_choices(
    value: object, paytable: Paytable, label: str, *, percent: bool
) -> tuple[tuple[str, ValueChoice], ...]:
    """Parse the choices of a seed or rate, of the only meter or by name."""
    choices = {
        name: parse_choice(text, label, percent=percent) for name, text in _by_meter(value, paytable, label).items()
    }
    return tuple((name, choices[name]) for name in paytable.meters if name in choices)


def _amounts(value: object, paytable: Paytable) -> tuple[tuple[str, Fraction], ...]:
    amounts = {name: parse_amount(text, "meter") for name, text in _by_meter(value, paytable, "meter").items()}
    return tuple((name, amounts[name]) for name in paytable.meters if name in amounts)


def _by_meter(setting: object, paytable: Paytable, label: str) -> dict[str, object]:
    """Return the setting of each meter; a setting without a name applies to all."""
    if setting and not paytable.meters:
        raise InputError(f"{label}: {paytable.id} pays from no meter")
    if not isinstance(setting, Mapping):
        return dict.fromkeys(paytable.meters, setting)
    name_by_lower_case = {name.lower(): name for name in paytable.meters}
    values = {}
    for name, value in setting.items():
        if name.strip().lower() not in name_by_lower_case:
            hint = did_you_mean(name, paytable.meters) or f"; its meters are {', '.join(paytable.meters)}"
            raise InputError(f"{label}: {paytable.id} has no meter {quote(name)}{hint}")
        values[name_by_lower_case[name.strip().lower()]] = value
    return values
