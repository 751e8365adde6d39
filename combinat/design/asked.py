"""A spec as a person writes it: a TOML file, options of a command, or both, where options come first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from combinat.bets.lookup import file_in, resolve
from combinat.bets.meter_rules import parse_amount
from combinat.bets.pays import name_pairs
from combinat.bets.paytable import Paytable
from combinat.bets.reading import read_text
from combinat.bets.toml_text import parse_toml
from combinat.design.choice import Choice, parse_choice
from combinat.design.spec import CLOSEST, EVERY, Spec, open_pays
from combinat.exact.limits import Limits, parse_limits
from decks import InputError, parse_deck_counts, suggestion
from decks.errors import quoted, shortened

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
"""The keys of a spec; an option of the command has the same name."""
Asked = dict[str, Any]
"""What is asked, as it was written, by these keys."""


def read_asked(argument: str) -> Asked:
    """Read what the argument of the command says: a spec's file, or else the bet that is meant."""
    file = file_in(argument)
    if file is None or file[1] is not None:
        return {"bet": argument}
    path = Path(file[0])
    called = shortened(path)
    try:
        table = parse_toml(read_text(path))
    except InputError as error:
        raise InputError(f"{called}: {error}") from None
    if "deal" in table or "paytable" in table:
        return {"bet": argument}
    for key in table:
        if key not in KEYS:
            hint = suggestion(key, KEYS) or f"; keys are {', '.join(KEYS)}"
            raise InputError(f"{called}: a spec has no key {quoted(key)}{hint}")
    if not isinstance(table.get("bet"), str):
        raise InputError(f'{called}: say which bet is meant, as in bet = "TRI-04"')
    named = file_in(table["bet"])
    if named is not None:  # a path in a file is meant from where the file lies
        table["bet"] = f"{path.parent / named[0]}{'' if named[1] is None else ':' + named[1]}"
    return table


def spec_of(asked: Asked) -> Spec:
    """Make a spec of what is asked."""
    paytable = _paytable(asked["bet"])
    decks = _decks(asked.get("decks"), paytable)
    edges = _edges(asked.get("edge"), decks)
    falling = asked.get("falling")
    if falling is not None and not isinstance(falling, bool):
        raise InputError(f"falling is true or false, not {quoted(falling)}")
    least = asked.get("top_at_least")
    return Spec(
        paytable,
        decks,
        open_pays(paytable, _pays(asked.get("pays", {}), paytable)),
        edges,
        hit_frequency=_limits(asked, "hit_frequency", percent=True),
        standard_deviation=_limits(asked, "standard_deviation", percent=False),
        top_share=_limits(asked, "top_share", percent=True),
        top_at_least=None if least is None else parse_amount(least, "lowest top award"),
        falling=falling,
        order=" ".join(str(asked.get("order", CLOSEST)).split()).lower(),
        target=_target(asked.get("target")),
        seeds=_of_meters(asked.get("seed", {}), paytable, "seed", percent=False),
        rates=_of_meters(asked.get("rate", {}), paytable, "rate", percent=True),
        amounts=_amounts(asked.get("meter", {}), paytable),
    )


def best_of(asked: Asked) -> int | None:
    """How many of the best are wanted; none if all are."""
    best = asked.get("best", 10)
    if best == "all":
        return None
    number = int(best) if str(best).isascii() and str(best).isdecimal() else 0
    if not number:
        raise InputError(f"best is a number of paytables to show, or all; not {quoted(best)}")
    return number


def _paytable(named: str | Paytable) -> Paytable:
    if isinstance(named, Paytable):
        return named
    found = resolve(named)
    if len(found) > 1:
        ids = ", ".join(one.id for one in found)
        raise InputError(f"{shortened(named)} has several paytables; write {shortened(named)}:ID with one of {ids}")
    return found[0]


def _decks(said: object, paytable: Paytable) -> tuple[int, ...]:
    if said is None:
        return paytable.decks
    return parse_deck_counts(", ".join(map(str, said)) if isinstance(said, list) else str(said))


def _edges(said: object, decks: tuple[int, ...]) -> tuple[Limits, ...]:
    """Read the limits of the edge, for all deck counts or for some; whatever is said of a deck count must hold."""
    found = {count: Limits() for count in decks}
    for counts, texts in said.items() if isinstance(said, Mapping) else [(EVERY, [] if said is None else said)]:
        for count in decks if counts == EVERY else parse_deck_counts(str(counts)):
            if count not in found:
                named = ", ".join(map(str, decks))
                raise InputError(f"edge: limits are given for {count} decks, but the deck counts are {named}")
            for text in texts if isinstance(texts, list) else [texts]:
                found[count] = found[count].and_also(parse_limits(text, "edge", percent=True))
    return tuple(found.values())


def _limits(asked: Asked, key: str, *, percent: bool) -> Limits:
    return parse_limits(asked[key], key.replace("_", " "), percent=percent) if key in asked else Limits()


def _target(said: object) -> Fraction | None:
    if said is None:
        return None
    limits = parse_limits(said, "target", percent=True)
    if limits.low is None or limits.low != limits.high:
        raise InputError(f"the target is one edge, as in 4.2%, not {quoted(said)}")
    return limits.low


def _pays(said: object, paytable: Paytable) -> dict[str, Choice]:
    if not isinstance(said, str | Mapping):
        raise InputError(f'pays are a text, as in "Flush=1..50", or a table by award; not {quoted(said)}')
    names = [EVERY, *(award.name.lower() for award in paytable.settlement.stated)]
    found: dict[str, Choice] = {}
    for name, text in name_pairs(said, names) if isinstance(said, str) else said.items():
        if " ".join(name.split()).lower() in {" ".join(one.split()).lower() for one in found}:
            raise InputError(f"pays: {quoted(name)} is given twice")
        found[name] = parse_choice(text, name, may_be_out=True)
    return found


def _of_meters(said: object, paytable: Paytable, what: str, *, percent: bool) -> tuple[tuple[str, Choice], ...]:
    """Read what a seed or rate may be, of the one meter or by name."""
    found = {name: parse_choice(text, what, percent=percent) for name, text in _named(said, paytable, what).items()}
    return tuple((name, found[name]) for name in paytable.meters if name in found)


def _amounts(said: object, paytable: Paytable) -> tuple[tuple[str, Fraction], ...]:
    found = {name: parse_amount(text, "meter") for name, text in _named(said, paytable, "meter").items()}
    return tuple((name, found[name]) for name in paytable.meters if name in found)


def _named(said: object, paytable: Paytable, what: str) -> dict[str, object]:
    """Give each meter what is said of it; what names none is said of all."""
    if said and not paytable.meters:
        raise InputError(f"{what}: {paytable.id} pays from no meter")
    if not isinstance(said, Mapping):
        return dict.fromkeys(paytable.meters, said)
    known = {name.lower(): name for name in paytable.meters}
    found = {}
    for name, value in said.items():
        if name.strip().lower() not in known:
            hint = suggestion(name, paytable.meters) or f"; its meters are {', '.join(paytable.meters)}"
            raise InputError(f"{what}: {paytable.id} has no meter {quoted(name)}{hint}")
        found[known[name.strip().lower()]] = value
    return found
