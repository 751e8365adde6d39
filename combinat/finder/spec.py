"""Spec of a paytable search: open pays, seeds and rates, constraints, and how both are written in TOML or options.

A spec is parsed from a TOML file, from options of the command, or from both, where options take precedence. Its
constraints are listed one by one, so that a conflict between them can be reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat.bets.award import Award
from combinat.bets.catalog import parse_file_argument, resolve_paytables
from combinat.bets.meters import parse_amount
from combinat.bets.overrides import split_pay_overrides
from combinat.bets.pay import MAX_PAY, Pay
from combinat.bets.paytable import Paytable
from combinat.bets.schema import read_text
from combinat.bets.toml_text import parse_toml
from combinat.exact.interval import Interval, parse_interval
from combinat.exact.numbers import format_decimal, parse_number
from decks import InputError, did_you_mean, format_deck_counts, parse_deck_counts
from decks.errors import quote, truncate_middle

OUT = "out"
MAX_VALUES = 100_000
"""Maximum number of values of one unknown."""
_FORMS = "write 9, 1..50, 2..30 step 2, or 1|2|5, with |out where it may be left out"
_RANGE = re.compile(r"(?P<low>[^\s.]+(?:\.\d+)?%?)\s*\.\.\s*(?P<high>\S+?)(?:\s+step\s+(?P<step>\S+))?", re.IGNORECASE)


class ValueChoice(Struct, frozen=True):
    """The values that an unknown may have, in ascending order; an award may also be dropped."""

    values: tuple[Fraction, ...]
    may_be_out: bool = False

    def __str__(self) -> str:
        highest = format_decimal(self.values[-1]) if self.values else OUT
        return highest if len(self.values) < 2 else f"{format_decimal(self.values[0])}..{highest}"


def parse_choice(text: object, label: str, *, percent: bool = False, may_be_out: bool = False) -> ValueChoice:
    """Parse open values: a number, a range with or without a step, or a list of these.

    >>> parse_choice("1..4", "pay").values == (1, 2, 3, 4), parse_choice("2..8 step 3|0.5", "pay").values[0]
    (True, Fraction(1, 2))
    >>> parse_choice("5|out", "pay", may_be_out=True).may_be_out
    True
    """
    values: set[Fraction] = set()
    is_out = False
    listed = "|".join(map(str, text)) if isinstance(text, list) else str(text)
    for item in listed.split("|"):
        item_text = item.strip()
        if may_be_out and item_text.lower() == OUT:
            is_out = True
            continue
        values |= _values(item_text, text, label, percent)
        if len(values) > MAX_VALUES:
            raise InputError(f"{label}: {quote(text)} has more than {MAX_VALUES:,} values; give a larger step")
    return ValueChoice(tuple(sorted(values)), is_out)


def _values(item_text: str, text: object, label: str, percent: bool) -> set[Fraction]:
    if ".." not in item_text:
        return {_number(item_text, text, label, percent)}
    ends = _RANGE.fullmatch(item_text)
    if ends is None:
        raise InputError(f"{label}: cannot read {quote(text)}; {_FORMS}")
    low, high = (_number(ends[key], text, label, percent) for key in ("low", "high"))
    step = _number(ends["step"], text, label, percent) if ends["step"] else Fraction(1, 100 if percent else 1)
    if step <= 0:
        raise InputError(f"{label}: the step of {quote(text)} must be more than nothing")
    if low > high:
        raise InputError(f"{label}: the range {quote(item_text)} is empty, since it ends below where it begins")
    count = (high - low) // step + 1
    if count > MAX_VALUES:
        raise InputError(f"{label}: {quote(text)} has {count:,} values; give a larger step")
    return {low + step * number for number in range(count)}


def _number(item_text: str, text: object, label: str, percent: bool) -> Fraction:
    words = item_text.strip().lstrip("$")
    number = parse_number(words.removesuffix("%").strip()) if percent or not words.endswith("%") else None
    if number is None and (odds := re.fullmatch(r"(\d+)/(\d+)", words, re.ASCII)) and int(odds[2]):
        number = Fraction(int(odds[1]), int(odds[2]))
    if number is None or (percent and not words.endswith("%")):
        sign = "; a rate is a percentage, as in 5%..20% step 1%" if percent else f"; {_FORMS}"
        raise InputError(f"{label}: cannot read {quote(item_text or text)}{sign}")
    return number / 100 if percent else number


CLOSEST, ROUNDEST, LOWEST, HIGHEST = "closest", "roundest", "lowest volatility", "highest volatility"
ORDERS = (CLOSEST, ROUNDEST, LOWEST, HIGHEST)
ALL_AWARDS = "*"
"""Name that stands for every award with a fixed pay."""


class Spec(Struct, frozen=True):
    """Open values and constraints of a paytable search."""

    paytable: Paytable
    decks: tuple[int, ...]
    pays: tuple[ValueChoice | None, ...]
    """For each award the pays it may have, as the paytable writes them; `None` where the pay is fixed."""
    edges: tuple[Interval, ...]
    """For each deck count the interval of the edge; with growing meters, of the long-run hold."""
    hit_frequency: Interval = Interval()
    standard_deviation: Interval = Interval()
    top_share: Interval = Interval()
    """Interval of the top award's share of the return."""
    top_at_least: Fraction | None = None
    """Minimum pay of the top award, as it is written; of a meter, its seed."""
    falling: bool | None = None
    """Whether each award must pay less than the one above it (true), or pays may come in any order (false).

    `None`, the default: no award pays more than one above it, except where the paytable itself has it so.
    """
    order: str = CLOSEST
    target: Fraction | None = None
    """Target edge; by default the middle of the first limits on the edge."""
    seeds: tuple[tuple[str, ValueChoice], ...] = ()
    rates: tuple[tuple[str, ValueChoice], ...] = ()
    amounts: tuple[tuple[str, Fraction], ...] = ()
    """Given meters; then the edge is that of a play that finds these amounts."""

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise InputError(f"no order {quote(self.order)}{_hint(self.order, ORDERS)}")
        if not any(self.pays) and not self.seeds and not self.rates:
            raise InputError(
                f"nothing is left open: say what awards of {self.paytable.id} may pay, as in --pays "
                f'"{self.stated[0].name}=1..50", or "*=1..50" for all of them'
            )
        if self.has_meters and (self.order in (LOWEST, HIGHEST) or self._asks_for_spread):
            raise InputError(
                f"{self.paytable.id} pays from meters that grow: no limits for its standard deviation or for the share "
                "of its top award, nor an order by volatility, unless --meter says what they show"
            )
        for award, choice in zip(self.stated, self.pays, strict=True):
            if choice is not None:
                _check_open(award, choice, self.paytable)
        if self.target_edge is None and (self.order == CLOSEST or not self._has_limits):
            raise InputError("no edge to aim at; add for example --edge 4%..5% or --target 4.5%")

    @property
    def stated(self) -> tuple[Award, ...]:
        """The awards as the paytable states them."""
        return self.paytable.settlement.stated

    @property
    def has_meters(self) -> bool:
        """Whether an award pays from a meter without a given amount."""
        return bool(set(self.paytable.meters) - {name for name, _ in self.amounts})

    @property
    def _asks_for_spread(self) -> bool:
        return self.standard_deviation != Interval() or self.top_share != Interval()

    @property
    def _has_limits(self) -> bool:
        """Whether there are limits on anything other than the edge."""
        return self._asks_for_spread or self.hit_frequency != Interval() or self.top_at_least is not None

    @property
    def target_edge(self) -> Fraction | None:
        """Target edge; `None` if neither a target nor limits of the edge are given."""
        middle = next((limits.middle for limits in self.edges if limits.middle is not None), None)
        return self.target if self.target is not None else middle

    @property
    def descending_pairs(self) -> frozenset[tuple[int, int]]:
        """Index pairs of awards, a higher and a lower one, where by default the lower must not pay more.

        These are all with fixed pays that the paytable itself has in this order, so that it keeps its own rule.
        """
        nets = [(index, award.pay.net.constant) for index, award in enumerate(self.stated) if is_plain(award)]
        return frozenset(
            (upper, lower)
            for number, (upper, pay) in enumerate(nets)
            for lower, lower_pay in nets[number + 1 :]
            if pay >= lower_pay
        )

    def nets(self, index: int) -> tuple[Fraction, ...]:
        """Return what an award with a fixed pay may win for a wager of one, in ascending order."""
        award, choice = self.stated[index], self.pays[index]
        if choice is None:
            return (award.pay.net.constant,)
        return tuple(value - award.pay.is_for_one for value in choice.values)


def _check_open(award: Award, choice: ValueChoice, paytable: Paytable) -> None:
    """Raise an error for an open pay that is not plain, or is too high."""
    if choice.values and choice.values[-1] > MAX_PAY:
        raise InputError(f"{quote(award.name)} may pay {choice}; more than {MAX_PAY:,} is taken for a slip")
    if award.pay.meter is not None:
        raise InputError(
            f"{quote(award.name)} pays from the meter {quote(award.pay.meter)}; leave its seed or rate open instead"
        )
    if award.pay.prizes:
        raise InputError(f"{quote(award.name)} is multiplied by a wheel; its pay cannot be left open")
    if paytable.parts and any(component.pay.prizes for component in paytable.parts):
        raise InputError(f"the awards of {paytable.id} add up and have wheels; their pays cannot be left open")


def is_plain(award: Award) -> bool:
    """Return whether an award has a fixed pay, without a meter or a wheel."""
    return award.pay.meter is None and not award.pay.prizes


def open_pays(paytable: Paytable, choices: dict[str, ValueChoice]) -> tuple[ValueChoice | None, ...]:
    """Return the choice of each award from `choices` by name, ignoring case; `*` means all others with plain pays.

    Under `*` a push stays a push and a loss stays a loss; only their names open them.
    """
    stated = paytable.settlement.stated
    index_by_name = {award.name.lower(): index for index, award in enumerate(stated)}
    pays: list[ValueChoice | None] = [None] * len(stated)
    if (default := choices.get(ALL_AWARDS)) is not None:
        pays = [default if is_plain(award) and _wins(award.pay) else None for award in stated]
    for name, choice in choices.items():
        if name == ALL_AWARDS:
            continue
        index = index_by_name.get(" ".join(name.split()).lower())
        if index is None:
            names = [award.name for award in stated]
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
    return Pay(amount, "for 1" if pay.is_for_one else "to 1")


def _hint(word: str, words: tuple[str, ...]) -> str:
    return did_you_mean(word, words) or f"; orders are {', '.join(words)}"


EDGE, HITS, DEVIATION, SHARE, TOP = "edge", "hits", "deviation", "share", "top"
FALLING, DESCENDING = "falling", "descending"


class Constraint(Struct, frozen=True):
    """One constraint: limits of a figure at a deck count, or a condition on the pays."""

    kind: str
    at: int = 0
    """Index of the deck count in the spec."""
    low: Fraction | None = None
    high: Fraction | None = None
    text: str = ""

    def __str__(self) -> str:
        return self.text


def constraints(spec: Spec) -> tuple[Constraint, ...]:
    """Return the constraints of a spec."""
    demands = [
        *_edges(spec),
        *_limits(spec, HITS, "the hit frequency", spec.hit_frequency, _percent),
        *_limits(spec, DEVIATION, "the standard deviation", spec.standard_deviation, format_decimal),
        *_limits(spec, SHARE, "the top award's share of the return", spec.top_share, _percent),
    ]
    if spec.falling:
        demands.append(Constraint(FALLING, text="every award pays less than the one above it"))
    if _is_descending(spec):
        demands.append(Constraint(DESCENDING, text=f"no award pays more than one above it{_as_in_original(spec)}"))
    if spec.top_at_least is not None:
        minimum = format_decimal(spec.top_at_least)
        demands.append(Constraint(TOP, low=spec.top_at_least, text=f"the top award pays at least {minimum}"))
    return tuple(demands)


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
    by_limits: dict[Interval, list[int]] = {}
    for decks, limits in zip(spec.decks, spec.edges, strict=True):
        by_limits.setdefault(limits, []).append(decks)
    edge = "hold" if spec.has_meters else "edge"
    phrases = [
        f"{edge} {_span(limits, _percent)} with {format_deck_counts(tuple(counts))} deck{'s' * (counts != [1])}"
        for limits, counts in by_limits.items()
        if limits != Interval()
    ]
    for label, limits, written in (
        ("hit frequency", spec.hit_frequency, _percent),
        ("standard deviation", spec.standard_deviation, format_decimal),
        ("top award's share of the return", spec.top_share, _percent),
    ):
        if limits != Interval():
            phrases.append(f"{label} {_span(limits, written)}")
    phrases += ["pays that fall from award to award"] if spec.falling else []
    phrases += [f"no award that pays more than one above it{_as_in_original(spec)}"] if _is_descending(spec) else []
    phrases += [f"a top award of at least {format_decimal(spec.top_at_least)}"] if spec.top_at_least is not None else []
    return tuple(phrases)


def _is_descending(spec: Spec) -> bool:
    """Return whether pays must descend by default, and the choices allow a violation."""
    if spec.falling is not None:
        return False
    indices = {index for pair in spec.descending_pairs for index in pair}
    pays = {index: nets for index in indices if (nets := spec.nets(index))}
    return any(
        upper in pays and lower in pays and pays[lower][-1] > pays[upper][0] for upper, lower in spec.descending_pairs
    )


def _as_in_original(spec: Spec) -> str:
    """Describe the exceptions from descending pays, if there are any."""
    fixed = sum(is_plain(award) for award in spec.stated)
    is_descending = len(spec.descending_pairs) == fixed * (fixed - 1) // 2
    return "" if is_descending else f" unless it does in {spec.paytable.id}"


def _span(limits: Interval, written: Callable[[Fraction], str]) -> str:
    low, high = (None if end is None else _format_signed(end, written) for end in (limits.low, limits.high))
    if low is None:
        return f"up to {high}"
    return f"from {low} up" if high is None else f"of {low}" if low == high else f"from {low} to {high}"


def _edges(spec: Spec) -> Iterator[Constraint]:
    label = "the hold" if spec.has_meters else "the edge"
    for deck_index, limits in enumerate(spec.edges):
        yield from _interval_constraints(
            EDGE, deck_index, label, limits, _percent, f" with {_decks(spec.decks[deck_index])}"
        )


def _limits(
    spec: Spec, kind: str, label: str, limits: Interval, written: Callable[[Fraction], str]
) -> Iterator[Constraint]:
    for deck_index, decks in enumerate(spec.decks):
        yield from _interval_constraints(kind, deck_index, label, limits, written, f" with {_decks(decks)}")


def _interval_constraints(
    kind: str, deck_index: int, label: str, limits: Interval, written: Callable[[Fraction], str], where: str
) -> Iterator[Constraint]:
    if limits.low is not None:
        yield Constraint(
            kind, deck_index, low=limits.low, text=f"{label} is at least {_format_signed(limits.low, written)}{where}"
        )
    if limits.high is not None:
        yield Constraint(
            kind, deck_index, high=limits.high, text=f"{label} is at most {_format_signed(limits.high, written)}{where}"
        )


def _format_signed(value: Fraction, written: Callable[[Fraction], str]) -> str:
    return f"−{written(-value)}" if value < 0 else written(value)


def signed_percent(value: Fraction) -> str:
    """Format an edge as a percentage.

    >>> signed_percent(Fraction(-1, 200)), signed_percent(Fraction(9, 200))
    ('−0.5%', '4.5%')
    """
    return _format_signed(value, _percent)


def _percent(value: Fraction) -> str:
    return f"{format_decimal(value * 100)}%"


def _decks(count: int) -> str:
    return f"{count} deck{'s' if count > 1 else ''}"


KEYS = (
    "bet",
    "decks",
    "pays",
    "edge",
    "hit_frequency",
    "standard_deviation",
    "top_share",
    "top_at_least",
    "falling",
    "order",
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
    called = truncate_middle(path)
    try:
        table = parse_toml(read_text(path))
    except InputError as error:
        raise InputError(f"{called}: {error}") from None
    if "deal" in table or "paytable" in table:
        return {"bet": argument}
    for key in table:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"; keys are {', '.join(KEYS)}"
            raise InputError(f"{called}: a spec has no key {quote(key)}{hint}")
    if not isinstance(table.get("bet"), str):
        raise InputError(f'{called}: say which bet is meant, as in bet = "TRI-04"')
    named = parse_file_argument(table["bet"])
    if named is not None:  # a path in a file is meant from where the file lies
        table["bet"] = f"{path.parent / named[0]}{'' if named[1] is None else ':' + named[1]}"
    return table


def build_spec(request: SearchRequest) -> Spec:
    """Build a spec from a request."""
    paytable = _paytable(request["bet"])
    decks = _parse_decks(request.get("decks"), paytable)
    edges = _parse_edges(request.get("edge"), decks)
    falling = request.get("falling")
    if falling is not None and not isinstance(falling, bool):
        raise InputError(f"falling is true or false, not {quote(falling)}")
    minimum_top = request.get("top_at_least")
    return Spec(
        paytable,
        decks,
        open_pays(paytable, _pays(request.get("pays", {}), paytable)),
        edges,
        hit_frequency=_parse_limits(request, "hit_frequency", percent=True),
        standard_deviation=_parse_limits(request, "standard_deviation", percent=False),
        top_share=_parse_limits(request, "top_share", percent=True),
        top_at_least=None if minimum_top is None else parse_amount(minimum_top, "lowest top award"),
        falling=falling,
        order=" ".join(str(request.get("order", CLOSEST)).split()).lower(),
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
        raise InputError(f"best is a number of paytables to show, or all; not {quote(best)}")
    return number


def _paytable(named: str | Paytable) -> Paytable:
    if isinstance(named, Paytable):
        return named
    paytables = resolve_paytables(named)
    if len(paytables) > 1:
        ids = ", ".join(paytable.id for paytable in paytables)
        raise InputError(
            f"{truncate_middle(named)} has several paytables; write {truncate_middle(named)}:ID with one of {ids}"
        )
    return paytables[0]


def _parse_decks(value: object, paytable: Paytable) -> tuple[int, ...]:
    if value is None:
        return paytable.decks
    return parse_deck_counts(", ".join(map(str, value)) if isinstance(value, list) else str(value))


def _parse_edges(value: object, decks: tuple[int, ...]) -> tuple[Interval, ...]:
    """Parse the limits of the edge, for all deck counts or for some; all limits of a deck count apply."""
    intervals = {count: Interval() for count in decks}
    for counts, texts in (
        value.items() if isinstance(value, Mapping) else [(ALL_AWARDS, [] if value is None else value)]
    ):
        for count in decks if counts == ALL_AWARDS else parse_deck_counts(str(counts)):
            if count not in intervals:
                named = ", ".join(map(str, decks))
                raise InputError(f"edge: limits are given for {count} decks, but the deck counts are {named}")
            for text in texts if isinstance(texts, list) else [texts]:
                intervals[count] = intervals[count].intersect(parse_interval(text, "edge", percent=True))
    return tuple(intervals.values())


def _parse_limits(request: SearchRequest, key: str, *, percent: bool) -> Interval:
    return parse_interval(request[key], key.replace("_", " "), percent=percent) if key in request else Interval()


def _target(value: object) -> Fraction | None:
    if value is None:
        return None
    limits = parse_interval(value, "target", percent=True)
    if limits.low is None or limits.low != limits.high:
        raise InputError(f"the target is one edge, as in 4.2%, not {quote(value)}")
    return limits.low


def _pays(value: object, paytable: Paytable) -> dict[str, ValueChoice]:
    if not isinstance(value, str | Mapping):
        raise InputError(f'pays are a text, as in "Flush=1..50", or a table by award; not {quote(value)}')
    names = [ALL_AWARDS, *(award.name.lower() for award in paytable.settlement.stated)]
    choices: dict[str, ValueChoice] = {}
    for name, text in split_pay_overrides(value, names) if isinstance(value, str) else value.items():
        if " ".join(name.split()).lower() in {" ".join(known_name.split()).lower() for known_name in choices}:
            raise InputError(f"pays: {quote(name)} is given twice")
        choices[name] = parse_choice(text, name, may_be_out=True)
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
    meter_names = {name.lower(): name for name in paytable.meters}
    values = {}
    for name, value in setting.items():
        if name.strip().lower() not in meter_names:
            hint = did_you_mean(name, paytable.meters) or f"; its meters are {', '.join(paytable.meters)}"
            raise InputError(f"{label}: {paytable.id} has no meter {quote(name)}{hint}")
        values[meter_names[name.strip().lower()]] = value
    return values
