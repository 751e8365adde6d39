"""What differs between two revisions of one bet: what the bet says first, then every figure with what moved it."""

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
"""What moves figures, if it differs."""
_OF_DOCUMENT = ("document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction", "software")


class Change(Struct, frozen=True):
    """One thing that differs: what it is, what it was and is now, and why where it follows from something else."""

    what: str
    before: Any
    after: Any
    why: str = ""
    key: str = ""
    """The figure's key, where it is a figure."""

    @property
    def difference(self) -> Fraction | SurdDifference | Polynomial | None:
        """How much a number moved, a root, or a figure in terms of meters, term by term."""
        before, after = number(self.before), number(self.after)
        if before is not None and after is not None:
            return after - before
        was, now = parse_root(self.before), parse_root(self.after)
        if was is not None and now is not None:
            return SurdDifference(now, was)
        if not self.key:  # no figure: a word is no meter
            return None
        old, new = in_meters(self.before), in_meters(self.after)
        return new - old if old is not None and new is not None else None


class Split(Struct, frozen=True):
    """How far an award moved the return of the wager: by how likely it is, and by what it pays."""

    award: str
    by_chance: Polynomial
    by_pay: Polynomial

    @property
    def moved(self) -> Polynomial:
        """How far altogether."""
        return self.by_chance + self.by_pay


class Comparison(Struct, frozen=True):
    """Two revisions of one bet at one shoe."""

    name: str
    said: tuple[Change, ...] = ()
    """What the bet says."""
    figures: tuple[Change, ...] = ()
    document: tuple[Change, ...] = ()
    """What is about the document alone, such as its date and the program's version."""
    split: tuple[Split, ...] = ()
    undesigned: tuple[str, ...] = ()
    """The paytables that are not designed for so many decks."""
    only_in: str = ""
    """`old` or `new`, if the other side has nothing like it."""
    bases: tuple[str | None, str | None] = (None, None)
    """What the figures of each side stand on; nothing in sheets that are older than that."""

    @property
    def is_same(self) -> bool:
        """Whether neither the bet nor a figure differs."""
        return not (self.said or self.figures or self.only_in)


def in_meters(value: object) -> Polynomial | None:
    """Read a figure in terms of meters; a number is one without any."""
    found = number(value)
    if found is not None:
        return Polynomial.of(found)
    return Polynomial.read(value) if isinstance(value, str) else None


def compare(old: Data | None, new: Data | None) -> Comparison:
    """Compare two revisions of a bet at a shoe."""
    if old is None or new is None:
        one = old or new or {}
        return Comparison(_name(one), only_in="new" if old is None else "old")
    said = (*_said(old, new), *_wheels(old, new), *_awards(old, new))
    document = tuple(_document(old, new))
    moved = _reason(said, document)
    names = dict.fromkeys((_name(old), _name(new)))
    figures, bases = tuple(_figures(old, new, moved)), (old.get("basis"), new.get("basis"))
    undesigned = tuple(dict.fromkeys(str(one["paytable"]) for one in (old, new) if one.get("designed") is False))
    return Comparison(" and ".join(names), said, figures, document, _split(old, new), undesigned, bases=bases)


def _name(one: Data) -> str:
    return f"{one.get('paytable')}, {one.get('decks')} deck{'s' if one.get('decks') != 1 else ''}"


def _said(old: Data, new: Data) -> Iterator[Change]:
    for key, what in _SAID.items():
        if key in old and key in new and old[key] != new[key]:
            yield Change(what, _text(old[key]), _text(new[key]))
    before, after = ((one.get("option") or {}).get("table") or {} for one in (old, new))
    differing = [key for key in before if key in after and before[key] != after[key]]
    if differing:
        texts = (
            ", ".join(f"{key.replace('_', ' ')} {_text(side[key])}" for key in differing) for side in (before, after)
        )
        yield Change("rules of the table", *texts)


def _wheels(old: Data, new: Data) -> Iterator[Change]:
    """Tell of wheels with other stops or weights."""
    before, after = (
        {wheel["name"]: wheel["stops"] for wheel in (side.get("wheels") or {}).get("wheels", [])} for side in (old, new)
    )
    for name in dict.fromkeys((*before, *after)):
        was, now = (
            ", ".join(f"{stop['times']} × {stop['weight']}" for stop in side[name]) if name in side else None
            for side in (before, after)
        )
        if was != now:
            yield Change(f"wheel {name}, stops × weights", was, now)


def _awards(old: Data, new: Data) -> Iterator[Change]:
    before, after = ({one["name"]: one for one in side["awards"]} for side in (old, new))
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            yield Change(f"award {name}", was and was.get("pays_text"), now and now.get("pays_text"))
            continue
        if was.get("rule") != now.get("rule"):
            yield Change(f"rule of {name}", was.get("rule"), now.get("rule"))
        if was.get("pays_text") != now.get("pays_text"):
            yield Change(f"pay of {name}", was.get("pays_text"), now.get("pays_text"))
    shared = [[name for name in side if name in before and name in after] for side in (before, after)]
    if shared[0] != shared[1]:
        yield Change("order of the awards", ", ".join(shared[0]), ", ".join(shared[1]))


def _document(old: Data, new: Data) -> Iterator[Change]:
    before, after = (one.get("identification") or {} for one in (old, new))
    for key in _OF_DOCUMENT:
        if before.get(key) and after.get(key) and before[key] != after[key]:
            what = "program" if key == "software" else key.replace("_", " ")
            yield Change(what, before[key], after[key])


def _reason(said: tuple[Change, ...], document: tuple[Change, ...]) -> str:
    """Name what moved the figures: what the bet says, else the program."""
    moving = ("pay of", "rule of", "award ", "order of", "wheel ")
    found = [one.what for one in said if one.what in _MOVES or one.what.startswith(moving)]
    if found:
        return ", ".join(found)
    programs = [one for one in document if one.what == "program"]
    return f"program: {programs[0].before}, now {programs[0].after}" if programs else "nothing that the revisions say"


def _figures(old: Data, new: Data, moved: str) -> Iterator[Change]:
    for key, figure in FIGURES.items():
        for name, label in ((key, figure.label), (SECOND_BASIS.format(key), f"{figure.label}, wager alone")):
            was, now = _known(old, name), _known(new, name)
            if name in old and name in new and was != now:
                bases = [(one.get("bases") or {}).get(name) for one in (old, new)]
                basis = f"; {bases[0]}, now {bases[1]}" if all(bases) and bases[0] != bases[1] else ""
                yield Change(label, was, now, moved + basis, key)
    before, after = ({one["name"]: one for one in side["awards"]} for side in (old, new))
    for name in [one for one in before if one in after]:
        for key in ("ways", "probability", "return"):
            was, now = before[name].get(key), after[name].get(key)
            if was != now:
                yield Change(f"{name}: {key}", was, now, _why_award(name, key, before, after, moved), key)


def _known(one: Data, name: str) -> Any:
    """Give a figure, or where it is only known between bounds these."""
    value = one.get(name)
    return one.get(BOUNDS.format(name)) if value is None else value


def _why_award(name: str, key: str, before: Data, after: Data, moved: str) -> str:
    """Say what moved a figure of an award: its own pay or rule, or whatever moved the others."""
    own = [
        what
        for what, field in (("pay", "pays_text"), ("rule", "rule"))
        if before[name].get(field) != after[name].get(field)
    ]
    if key != "return":
        own = [what for what in own if what == "rule"]
    elif own == ["pay"] and before[name].get("probability") != after[name].get("probability"):
        own.append("chance")  # which something else has moved
    return f"its {' and '.join(own)}" if own else moved


def _split(old: Data, new: Data) -> tuple[Split, ...]:
    """Take the change of the return apart, award by award; nothing if a return is no number and no formula."""
    before, after = ({one["name"]: one for one in side["awards"]} for side in (old, new))
    found = []
    for name in dict.fromkeys((*before, *after)):
        was, now = (number(side[name].get("probability")) if name in side else Fraction(0) for side in (before, after))
        gave, gives = (in_meters(side[name].get("return") if name in side else 0) for side in (before, after))
        if was is None or now is None or gave is None or gives is None:
            return ()
        # What it gives back where it is won.
        pay = gave * (1 / was) if was else gives * (1 / now) if now else Polynomial.of(0)
        by_chance = pay * (now - was)
        if gives != gave:
            found.append(Split(name, by_chance, gives - gave - by_chance))
    return tuple(found)


def _text(value: object) -> str:
    if isinstance(value, list) and value and all(type(one) is int for one in value):
        return format_deck_counts(value)  # nothing else is a list of whole numbers
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "none"
    return "none" if value is None else str(value)
