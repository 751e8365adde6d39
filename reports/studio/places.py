"""Where in a TOML text each value is written, so that an error has a line and a form can change just that value."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

Path = tuple[str | int, ...]

_KEY = re.compile(r"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))\s*""")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(r"""\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""", re.DOTALL)
_PLAIN = re.compile(r"[^,\]}#\n]*[^,\]}#\s]")


class Place(Struct, frozen=True):
    """A value of the text: the keys and numbers that lead to it, and from where to where it is written."""

    path: Path
    start: int
    end: int
    key: tuple[int, int] = (0, 0)
    """From where to where the last part of its key is written; nothing for items of lists and for headings."""


def places(text: str) -> list[Place]:
    r"""Find every value of a text that is known to be valid TOML, tables by their headings too.

    >>> [(place.path, 'deal = "player:2"'[place.start : place.end]) for place in places('deal = "player:2"')]
    [(('deal',), '"player:2"')]
    >>> [place.path for place in places('[[paytable]]\nawards = [{ pays = "push" }]')]
    [('paytable', 0), ('paytable', 0, 'awards', 0, 'pays'), ('paytable', 0, 'awards', 0), ('paytable', 0, 'awards')]
    """
    return list(_Scanner(text).places())


def in_units(text: str, found: list[Place]) -> list[Place]:
    """Count places in units of UTF-16, as a browser does; they differ after a character beyond the first plane.

    >>> in_units("😀ab", [Place(("a",), 1, 2)])
    [Place(path=('a',), start=2, end=3, key=(0, 0))]
    """
    if text.isascii() or max(text) < "\U00010000":
        return found
    before = [0]
    for character in text:
        before.append(before[-1] + (2 if character >= "\U00010000" else 1))
    return [
        Place(one.path, before[one.start], before[one.end], (before[one.key[0]], before[one.key[1]])) for one in found
    ]


class _Scanner:
    """Walks through a text once; what is valid TOML needs few questions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.counts: dict[Path, int] = {}
        self.key = (0, 0)

    def places(self) -> Iterator[Place]:
        table: Path = ()
        self.blank()
        while self.at < len(self.text):
            start = self.at
            if self.text.startswith("[[", start):
                self.at += 2
                keys = self.keys()
                self.at += 2
                table = (*self.resolved(keys[:-1]), keys[-1])
                number = self.counts.get(table, 0)
                self.counts[table] = number + 1
                table += (number,)
                yield Place(table, start, self.at)
            elif self.text[start] == "[":
                self.at += 1
                table = self.resolved(self.keys())
                self.at += 1
                yield Place(table, start, self.at)
            else:
                yield from self.pair(table)
            self.blank()

    def resolved(self, keys: Path) -> Path:
        """Lead into the last table of each array of tables on the way."""
        found: Path = ()
        for key in keys:
            found += (key,)
            if found in self.counts:
                found += (self.counts[found] - 1,)
        return found

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def keys(self) -> Path:
        """Read a key, its parts parted by dots."""
        found: Path = ()
        while match := _KEY.match(self.text, self.at):
            self.at = match.end()
            self.key = (match.end() - len(match[0].lstrip()), match.start() + len(match[0].rstrip()))
            found += (_unescaped(match),)
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
        return found

    def pair(self, table: Path) -> Iterator[Place]:
        keys, key = self.keys(), self.key
        self.at += 1  # the sign of equality
        yield from self.value(table + keys, key)

    def value(self, path: Path, key: tuple[int, int] = (0, 0)) -> Iterator[Place]:
        self.blank()
        start = self.at
        opening = self.text[start : start + 1]
        if opening == "[":
            yield from self.listed(path, "]")
        elif opening == "{":
            yield from self.listed(path, "}")
        else:
            match = _STRING.match(self.text, start) or _PLAIN.match(self.text, start)
            self.at = match.end() if match else start + 1
        yield Place(path, start, self.at, key)

    def listed(self, path: Path, closing: str) -> Iterator[Place]:
        """Read a list or a table in line: values between commas."""
        self.at += 1
        number = 0
        self.blank()
        while self.at < len(self.text) and self.text[self.at] != closing:
            yield from self.value((*path, number)) if closing == "]" else self.pair(path)
            number += 1
            self.blank()
            if self.text.startswith(",", self.at):
                self.at += 1
                self.blank()
        self.at += 1


def _unescaped(match: re.Match[str]) -> str:
    doubly, singly, bare = match.groups()
    if doubly is not None:
        return str(tomllib.loads(f'key = "{doubly}"')["key"]) if "\\" in doubly else doubly
    return singly if singly is not None else bare


def value_at(data: Any, path: Path) -> Any:
    """Give the value that a path leads to; nothing if it leads nowhere."""
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data
