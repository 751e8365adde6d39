"""Differences between two revisions of one bet: its definition first, then every figure with its cause."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import SurdDifference
from combinat.figures import FIGURES
from decks import format_deck_counts
from reports.answers.studies import SECOND_BASIS
from reports.diff.revisions import Data
from reports.page.numerals import BOUNDS, number, parse_root

_SAID = {
    "paytable": "id",
    "title": "title",
    "bet": "bet",
    "deal": "deal",
    "given": "condition",
    "settings": "settings of the game",
    "pack": "pack",
    "decks": "decks",
    "removed": "cards gone",
    "designed_decks": "designed decks",
    "meters": "meters",
    "meter_wager": "wager of the meters",
}
_MOVES = (
    "deal",
    "settings of the game",
    "condition",
    "pack",
    "decks",
    "cards gone",
    "meters",
    "wager of the meters",
    "rules of the table",
)
"""Labels of the changes that affect figures."""
_OF_DOCUMENT = ("document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction", "software")


class Change(Struct, frozen=True):
    """One difference: a label, the old and the new value, and its cause if it follows from another change."""

    what: str
    before: Any
    after: Any
    why: str = ""
    key: str = ""
    """Key of the figure, if it is one."""

    @property
    def difference(self) -> Fraction | SurdDifference | Polynomial | None:
        """Return new minus old for numbers, roots and polynomials in meters; `None` for anything else."""
        old_number, new_number = number(self.before), number(self.after)
        if old_number is not None and new_number is not None:
            return new_number - old_number
        old_root, new_root = parse_root(self.before), parse_root(self.after)
        if old_root is not None and new_root is not None:
            return SurdDifference(new_root, old_root)
        if not self.key:  # not a figure: a word is not a meter
            return None
        old, new = in_meters(self.before), in_meters(self.after)
        return new - old if old is not None and new is not None else None


class Split(Struct, frozen=True):
    """Change of the wager's return due to one award, split into probability and pay."""

    award: str
    by_chance: Polynomial
    by_pay: Polynomial

    @property
    def moved(self) -> Polynomial:
        """Return the total change."""
        return self.by_chance + self.by_pay


class Comparison(Struct, frozen=True):
    """Two revisions of one bet at one shoe."""

    name: str
    said: tuple[Change, ...] = ()
    """Changes of the bet's definition."""
    figures: tuple[Change, ...] = ()
    document: tuple[Change, ...] = ()
    """Changes of the document alone, such as its date or the program version."""
    split: tuple[Split, ...] = ()
    undesigned: tuple[str, ...] = ()
    """Paytables that are not designed for this number of decks."""
    only_in: str = ""
    """`old` or `new` if the other side has no counterpart, else empty."""
    bases: tuple[str | None, str | None] = (None, None)
    """Basis of the figures of each side; `None` in old sheets."""

    @property
    def is_same(self) -> bool:
        """Return whether neither the bet nor a figure differs."""
        return not (self.said or self.figures or self.only_in)


def in_meters(value: object) -> Polynomial | None:
    """Parse a figure as a polynomial in meters; a number is a constant polynomial."""
    constant = number(value)
    if constant is not None:
        return Polynomial.of(constant)
    return Polynomial.read(value) if isinstance(value, str) else None


def compare(old: Data | None, new: Data | None) -> Comparison:
    """Compare two revisions of a bet at a shoe."""
    if old is None or new is None:
        data = old or new or {}
        return Comparison(_name(data), only_in="new" if old is None else "old")
    bet_changes = (*_said(old, new), *_wheels(old, new), *_awards(old, new))
    document = tuple(_document(old, new))
    reason = _reason(bet_changes, document)
    names = dict.fromkeys((_name(old), _name(new)))
    figures, bases = tuple(_figures(old, new, reason)), (old.get("basis"), new.get("basis"))
    undesigned = tuple(dict.fromkeys(str(data["paytable"]) for data in (old, new) if data.get("designed") is False))
    return Comparison(" and ".join(names), bet_changes, figures, document, _split(old, new), undesigned, bases=bases)


def _name(data: Data) -> str:
    return f"{data.get('paytable')}, {data.get('decks')} deck{'s' if data.get('decks') != 1 else ''}"


def _said(old: Data, new: Data) -> Iterator[Change]:
    for key, label in _SAID.items():
        if key in old and key in new and old[key] != new[key]:
            yield Change(label, _text(old[key]), _text(new[key]))
    old_rules, new_rules = ((data.get("option") or {}).get("table") or {} for data in (old, new))
    differing = [key for key in old_rules if key in new_rules and old_rules[key] != new_rules[key]]
    if differing:
        texts = (
            ", ".join(f"{key.replace('_', ' ')} {_text(side[key])}" for key in differing)
            for side in (old_rules, new_rules)
        )
        yield Change("rules of the table", *texts)


def _wheels(old: Data, new: Data) -> Iterator[Change]:
    """Yield wheels whose stops or weights differ."""
    old_wheels, new_wheels = (
        {wheel["name"]: wheel["stops"] for wheel in (side.get("wheels") or {}).get("wheels", [])} for side in (old, new)
    )
    for name in dict.fromkeys((*old_wheels, *new_wheels)):
        old_stops, new_stops = (
            ", ".join(f"{stop['times']} × {stop['weight']}" for stop in side[name]) if name in side else None
            for side in (old_wheels, new_wheels)
        )
        if old_stops != new_stops:
            yield Change(f"wheel {name}, stops × weights", old_stops, new_stops)


def _awards(old: Data, new: Data) -> Iterator[Change]:
    old_awards, new_awards = ({award["name"]: award for award in side["awards"]} for side in (old, new))
    for name in dict.fromkeys((*old_awards, *new_awards)):
        old_award, new_award = old_awards.get(name), new_awards.get(name)
        if old_award is None or new_award is None:
            yield Change(
                f"award {name}", old_award and old_award.get("pays_text"), new_award and new_award.get("pays_text")
            )
            continue
        if old_award.get("rule") != new_award.get("rule"):
            yield Change(f"rule of {name}", old_award.get("rule"), new_award.get("rule"))
        if old_award.get("pays_text") != new_award.get("pays_text"):
            yield Change(f"pay of {name}", old_award.get("pays_text"), new_award.get("pays_text"))
    shared = [[name for name in side if name in old_awards and name in new_awards] for side in (old_awards, new_awards)]
    if shared[0] != shared[1]:
        yield Change("order of the awards", ", ".join(shared[0]), ", ".join(shared[1]))


def _document(old: Data, new: Data) -> Iterator[Change]:
    old_identification, new_identification = (data.get("identification") or {} for data in (old, new))
    for key in _OF_DOCUMENT:
        if (
            old_identification.get(key)
            and new_identification.get(key)
            and old_identification[key] != new_identification[key]
        ):
            label = "program" if key == "software" else key.replace("_", " ")
            yield Change(label, old_identification[key], new_identification[key])


def _reason(bet_changes: tuple[Change, ...], document: tuple[Change, ...]) -> str:
    """Name the cause of changed figures: changes of the bet, else the program version."""
    moving = ("pay of", "rule of", "award ", "order of", "wheel ")
    causes = [change.what for change in bet_changes if change.what in _MOVES or change.what.startswith(moving)]
    if causes:
        return ", ".join(causes)
    programs = [change for change in document if change.what == "program"]
    return f"program: {programs[0].before}, now {programs[0].after}" if programs else "nothing that the revisions say"


def _figures(old: Data, new: Data, reason: str) -> Iterator[Change]:
    for key, figure in FIGURES.items():
        for name, label in ((key, figure.label), (SECOND_BASIS.format(key), f"{figure.label}, wager alone")):
            old_value, new_value = _known(old, name), _known(new, name)
            if name in old and name in new and old_value != new_value:
                bases = [(data.get("bases") or {}).get(name) for data in (old, new)]
                basis = f"; {bases[0]}, now {bases[1]}" if all(bases) and bases[0] != bases[1] else ""
                yield Change(label, old_value, new_value, reason + basis, key)
    old_awards, new_awards = ({award["name"]: award for award in side["awards"]} for side in (old, new))
    for name in [name for name in old_awards if name in new_awards]:
        for key in ("ways", "probability", "return"):
            old_value, new_value = old_awards[name].get(key), new_awards[name].get(key)
            if old_value != new_value:
                yield Change(
                    f"{name}: {key}", old_value, new_value, _why_award(name, key, old_awards, new_awards, reason), key
                )


def _known(data: Data, name: str) -> Any:
    """Return a figure, or its bounds if only these are known."""
    value = data.get(name)
    return data.get(BOUNDS.format(name)) if value is None else value


def _why_award(name: str, key: str, old_awards: Data, new_awards: Data, reason: str) -> str:
    """Name the cause of a change of an award's figure: its own pay or rule, else the common cause."""
    causes = [
        cause
        for cause, field in (("pay", "pays_text"), ("rule", "rule"))
        if old_awards[name].get(field) != new_awards[name].get(field)
    ]
    if key != "return":
        causes = [cause for cause in causes if cause == "rule"]
    elif causes == ["pay"] and old_awards[name].get("probability") != new_awards[name].get("probability"):
        causes.append("chance")  # changed for another reason
    return f"its {' and '.join(causes)}" if causes else reason


def _split(old: Data, new: Data) -> tuple[Split, ...]:
    """Split the change of the return by award; empty if a return is neither a number nor a formula."""
    old_awards, new_awards = ({award["name"]: award for award in side["awards"]} for side in (old, new))
    splits = []
    for name in dict.fromkeys((*old_awards, *new_awards)):
        old_probability, new_probability = (
            number(side[name].get("probability")) if name in side else Fraction(0) for side in (old_awards, new_awards)
        )
        old_return, new_return = (
            in_meters(side[name].get("return") if name in side else 0) for side in (old_awards, new_awards)
        )
        if old_probability is None or new_probability is None or old_return is None or new_return is None:
            return ()
        # Gross pay when the award is won.
        pay = (
            old_return * (1 / old_probability)
            if old_probability
            else new_return * (1 / new_probability)
            if new_probability
            else Polynomial.of(0)
        )
        by_chance = pay * (new_probability - old_probability)
        if new_return != old_return:
            splits.append(Split(name, by_chance, new_return - old_return - by_chance))
    return tuple(splits)


def _text(value: object) -> str:
    if isinstance(value, list) and value and all(type(item) is int for item in value):
        return format_deck_counts(value)  # only deck counts are lists of integers
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    return "none" if value is None else str(value)
