"""Where in a bet's text a message belongs: the program's own lines name the place in words, and the text has it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from combinat.bets.toml_text import parse_toml
from reports.studio.places import Path, Place, places, value_at

_NAMED = re.compile(r"(hand|paytable|award|wheel) '((?:[^']|'(?!:|$))*)'")
_OF_THE_BET = re.compile(r"(hand|wheel) '.*': ")
_NUMBERED = re.compile(r"(paytable|award|level) ([0-9]+)")
_SYNTAX = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")
_AWARD = re.compile(r"^([^:]+): ")
_QUOTED = re.compile(r"'([^']+)'")
_LISTS = {"award": "awards", "level": "levels"}
_KEY = re.compile(r"(\w+): ")


class Mark(Struct, frozen=True):
    """A stretch of the text that a message is about."""

    line: int
    """Counted from 1."""
    start: int
    end: int
    path: Path = ()


class Outline(Struct, frozen=True):
    """What a text says and where; empty where it is not TOML."""

    text: str
    data: Mapping[str, Any]
    found: tuple[Place, ...]

    @classmethod
    def of(cls, text: str) -> Outline:
        """Read a text as far as it can be read.

        >>> Outline.of("bet = 3").data, Outline.of("bet =").data
        ({'bet': 3}, {})
        """
        try:
            return cls(text, parse_toml(text), tuple(places(text)))
        except (ValueError, RecursionError):
            return cls(text, {}, ())

    def mark(self, message: str) -> Mark | None:
        r"""Find what a message is about: `name: where: where: what`.

        >>> text = 'bet = "Mine"\ndeal = "player:0"'
        >>> Outline.of(text).mark("mine.toml: deal: a role gets at least one card").line
        2
        """
        _, _, told = message.partition(": ")
        if syntax := _SYNTAX.search(told):
            return self._at_column(int(syntax[1]), int(syntax[2]))
        if "(at end of document)" in told:
            return self._between(len(self.text.rstrip()), len(self.text.rstrip()))
        path: Path = ()
        while step := self._step(path, told):
            more, told = step
            path += more
        place = self._place(path)
        return self._word(place, told) if self.found else None

    def mark_of_finding(self, paytable: str, told: str) -> Mark | None:
        """Find what a check's finding is about: a hand, wheel or award if it begins with one, else the paytable."""
        if _OF_THE_BET.match(told):
            return self.mark(f"check: {told}")
        return self.mark(f"check: paytable '{paytable}': {_AWARD.sub(_as_step, told)}")

    def _step(self, path: Path, told: str) -> tuple[Path, str] | None:
        """Read one step of where a message says that it is."""
        for pattern in (_NAMED, _NUMBERED):
            if (match := pattern.match(told)) and told.startswith(": ", match.end()):
                rest = told[match.end() + 2 :]
                found = self._named(path, match[1], match[2]) if pattern is _NAMED else None
                if pattern is _NUMBERED:
                    found = (_LISTS.get(match[1], match[1]), int(match[2]) - 1)
                return None if found is None else (found, rest)
        key = _KEY.match(told)
        if key is None or value_at(self.data, (*path, key[1])) is None:
            return None
        return (key[1],), told[key.end() :]

    def _named(self, path: Path, what: str, name: str) -> Path | None:
        if what in ("hand", "wheel"):
            return (f"{what}s", name)
        key, field = ("paytable", "id") if what == "paytable" else ("awards", "name")
        many = value_at(self.data, (*path, key))
        for number, one in enumerate(many if isinstance(many, list) else ()):
            if isinstance(one, dict) and name in (one.get(field), one.get("hand") if what == "award" else None):
                return (key, number)
        return None

    def _place(self, path: Path) -> Place:
        """Give the place of a path, or of the nearest that is written above it; the whole text if there is none."""
        by_path = {one.path: one for one in self.found}
        while path and path not in by_path:
            path = path[:-1]
        return by_path[path] if path else Place((), 0, len(self.text))

    def _word(self, place: Place, told: str) -> Mark:
        """Narrow a place to the first word that the message quotes, if the text has it there."""
        inside = [place, *(one for one in self.found if place.path and one.path[: len(place.path)] == place.path)]
        start, end = min(one.start for one in inside), max(one.end for one in inside)
        for quote in _QUOTED.findall(told.split("; ")[0]):
            # What is given twice is wrong where it stands for the second time.
            at = self.text.rfind(quote, start, end) if " times; " in told else self.text.find(quote, start, end)
            if at >= 0:
                return self._between(at, at + len(quote), place.path)
        return self._between(place.start, min(place.end, _line_end(self.text, place.start)), place.path)

    def _at_column(self, line: int, column: int) -> Mark:
        starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        start = starts[min(line, len(starts)) - 1]
        at = min(start + column - 1, len(self.text))
        return Mark(line, at, max(at, _line_end(self.text, at)))

    def _between(self, start: int, end: int, path: Path = ()) -> Mark:
        return Mark(self.text.count("\n", 0, start) + 1, start, end, path)


def _as_step(match: re.Match[str]) -> str:
    return f"award '{match[1]}': "


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
