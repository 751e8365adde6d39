"""Positions in a bet's TOML text: of every value, and of the value that a message is about.

The form of the page edits single values by their positions. Messages name their subject in words, such as
`paytable 'X': award 'Flush': ...`; `TextOutline` follows these steps to a range of the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from combinat.bets.schema import parse_toml

Path = tuple[str | int, ...]

_KEY = re.compile(r"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))\s*""")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(r"""\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""", re.DOTALL)
_PLAIN = re.compile(r"[^,\]}#\n]*[^,\]}#\s]")


class TextPosition(Struct, frozen=True):
    """A value of the text: its path of keys and indexes, and its range."""

    path: Path
    start: int
    end: int
    key: tuple[int, int] = (0, 0)
    """Range of the last part of its key; (0, 0) for list items and table headings."""


def find_positions(text: str) -> list[TextPosition]:
    r"""Return every value of a valid TOML text, including tables by their headings.

    >>> [(item.path, 'deal = "player:2"'[item.start : item.end]) for item in find_positions('deal = "player:2"')]
    [(('deal',), '"player:2"')]
    >>> [item.path for item in find_positions('[[paytable]]\nawards = [{ pays = "push" }]')]
    [('paytable', 0), ('paytable', 0, 'awards', 0, 'pays'), ('paytable', 0, 'awards', 0), ('paytable', 0, 'awards')]
    """
    return list(_Scanner(text).positions())


def to_utf16(text: str, positions: list[TextPosition]) -> list[TextPosition]:
    """Convert positions to UTF-16 code units, as browsers count; they differ after a character beyond the BMP.

    >>> to_utf16("😀ab", [TextPosition(("a",), 1, 2)])
    [TextPosition(path=('a',), start=2, end=3, key=(0, 0))]
    """
    if text.isascii() or max(text) < "\U00010000":
        return positions
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + (2 if character >= "\U00010000" else 1))
    return [
        TextPosition(
            position.path,
            offsets[position.start],
            offsets[position.end],
            (offsets[position.key[0]], offsets[position.key[1]]),
        )
        for position in positions
    ]


class _Scanner:
    """A single-pass scanner of valid TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0
        self.counts: dict[Path, int] = {}
        self.key = (0, 0)

    def positions(self) -> Iterator[TextPosition]:
        table: Path = ()
        self.skip_blank()
        while self.offset < len(self.text):
            start = self.offset
            if self.text.startswith("[[", start):
                self.offset += 2
                keys = self.read_keys()
                self.offset += 2
                table = (*self.resolve_path(keys[:-1]), keys[-1])
                table_index = self.counts.get(table, 0)
                self.counts[table] = table_index + 1
                table += (table_index,)
                yield TextPosition(table, start, self.offset)
            elif self.text[start] == "[":
                self.offset += 1
                table = self.resolve_path(self.read_keys())
                self.offset += 1
                yield TextPosition(table, start, self.offset)
            else:
                yield from self.read_pair(table)
            self.skip_blank()

    def resolve_path(self, keys: Path) -> Path:
        """Insert the index of the last table after each array of tables in a path."""
        path: Path = ()
        for key in keys:
            path += (key,)
            if path in self.counts:
                path += (self.counts[path] - 1,)
        return path

    def skip_blank(self) -> None:
        match = _BLANK.match(self.text, self.offset)
        self.offset = match.end() if match else self.offset

    def read_keys(self) -> Path:
        """Read a dotted key."""
        path: Path = ()
        while match := _KEY.match(self.text, self.offset):
            self.offset = match.end()
            self.key = (match.end() - len(match[0].lstrip()), match.start() + len(match[0].rstrip()))
            path += (_unescape_key(match),)
            if not self.text.startswith(".", self.offset):
                break
            self.offset += 1
        return path

    def read_pair(self, table: Path) -> Iterator[TextPosition]:
        keys, key = self.read_keys(), self.key
        self.offset += 1  # the equals sign
        yield from self.read_value(table + keys, key)

    def read_value(self, path: Path, key: tuple[int, int] = (0, 0)) -> Iterator[TextPosition]:
        self.skip_blank()
        start = self.offset
        opening = self.text[start : start + 1]
        if opening == "[":
            yield from self.read_items(path, "]")
        elif opening == "{":
            yield from self.read_items(path, "}")
        else:
            match = _STRING.match(self.text, start) or _PLAIN.match(self.text, start)
            self.offset = match.end() if match else start + 1
        yield TextPosition(path, start, self.offset, key)

    def read_items(self, path: Path, closing: str) -> Iterator[TextPosition]:
        """Read an array or an inline table."""
        self.offset += 1
        item_index = 0
        self.skip_blank()
        while self.offset < len(self.text) and self.text[self.offset] != closing:
            yield from self.read_value((*path, item_index)) if closing == "]" else self.read_pair(path)
            item_index += 1
            self.skip_blank()
            if self.text.startswith(",", self.offset):
                self.offset += 1
                self.skip_blank()
        self.offset += 1


def _unescape_key(match: re.Match[str]) -> str:
    double_quoted, single_quoted, bare = match.groups()
    if double_quoted is not None:
        return str(tomllib.loads(f'key = "{double_quoted}"')["key"]) if "\\" in double_quoted else double_quoted
    return single_quoted if single_quoted is not None else bare


def value_at(data: Any, path: Path) -> Any:
    """Return the value at a path, or `None`."""
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


_NAMED_STEP = re.compile(r"(hand|paytable|award|wheel) '((?:[^']|'(?!:|$))*)'")
_BET_LEVEL_FINDING = re.compile(r"(hand|wheel) '.*': ")
_NUMBERED_STEP = re.compile(r"(paytable|award|level) ([0-9]+)")
_SYNTAX = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")
_AWARD_PREFIX = re.compile(r"^([^:]+): ")
_QUOTED = re.compile(r"'([^']+)'")
_LISTS = {"award": "awards", "level": "levels"}
_KEY_IN_MESSAGE = re.compile(r"(\w+): ")


class TextMark(Struct, frozen=True):
    """The range of the text that a message is about."""

    line: int
    """Counted from 1."""
    start: int
    end: int
    path: Path = ()


class TextOutline(Struct, frozen=True):
    """The data of a text and their positions; empty if it is not valid TOML."""

    text: str
    data: Mapping[str, Any]
    positions: tuple[TextPosition, ...]

    @classmethod
    def of(cls, text: str) -> TextOutline:
        """Parse a text; return an empty outline if it is not valid TOML.

        >>> TextOutline.of("bet = 3").data, TextOutline.of("bet =").data
        ({'bet': 3}, {})
        """
        try:
            return cls(text, parse_toml(text), tuple(find_positions(text)))
        except (ValueError, RecursionError):
            return cls(text, {}, ())

    def mark(self, message: str) -> TextMark | None:
        r"""Return the range that a message `name: step: step: problem` is about.

        >>> text = 'bet = "Mine"\ndeal = "player:0"'
        >>> TextOutline.of(text).mark("mine.toml: deal: a role gets at least one card").line
        2
        """
        _, _, description = message.partition(": ")
        if syntax := _SYNTAX.search(description):
            return self._mark_column(int(syntax[1]), int(syntax[2]))
        if "(at end of document)" in description:
            return self._mark_range(len(self.text.rstrip()), len(self.text.rstrip()))
        path: Path = ()
        while step := self._parse_step(path, description):
            step_path, description = step
            path += step_path
        position = self._position_of(path)
        return self._narrow_to_word(position, description) if self.positions else None

    def mark_of_finding(self, paytable: str, finding: str) -> TextMark | None:
        """Return the range of a check's finding: the hand, wheel or award that it begins with, else the paytable."""
        if _BET_LEVEL_FINDING.match(finding):
            return self.mark(f"check: {finding}")
        return self.mark(f"check: paytable '{paytable}': {_AWARD_PREFIX.sub(_as_step, finding)}")

    def _parse_step(self, path: Path, description: str) -> tuple[Path, str] | None:
        """Read one step of a message's location; return its path and the remaining text."""
        for pattern in (_NAMED_STEP, _NUMBERED_STEP):
            if (match := pattern.match(description)) and description.startswith(": ", match.end()):
                remaining = description[match.end() + 2 :]
                step_path = self._path_of_name(path, match[1], match[2]) if pattern is _NAMED_STEP else None
                if pattern is _NUMBERED_STEP:
                    step_path = (_LISTS.get(match[1], match[1]), int(match[2]) - 1)
                    if isinstance(value_at(self.data, path), list):  # the message does not say which meter system
                        step_path = (0, *step_path)
                return None if step_path is None else (step_path, remaining)
        key_match = _KEY_IN_MESSAGE.match(description)
        if key_match is None or value_at(self.data, (*path, key_match[1])) is None:
            return None
        return (key_match[1],), description[key_match.end() :]

    def _path_of_name(self, path: Path, kind: str, name: str) -> Path | None:
        if kind in ("hand", "wheel"):
            return (f"{kind}s", name)
        key, field = ("paytable", "id") if kind == "paytable" else ("awards", "name")
        items = value_at(self.data, (*path, key))
        for item_index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict) and name in (item.get(field), item.get("hand") if kind == "award" else None):
                return (key, item_index)
        return None

    def _position_of(self, path: Path) -> TextPosition:
        """Return the position of a path or of its nearest ancestor; the whole text if there is none."""
        by_path = {position.path: position for position in self.positions}
        while path and path not in by_path:
            path = path[:-1]
        return by_path[path] if path else TextPosition((), 0, len(self.text))

    def _narrow_to_word(self, position: TextPosition, description: str) -> TextMark:
        """Narrow a position to the first word that the message quotes, if it occurs there."""
        positions = [
            position,
            *(item for item in self.positions if position.path and item.path[: len(position.path)] == position.path),
        ]
        start, end = min(item.start for item in positions), max(item.end for item in positions)
        for quote in _QUOTED.findall(description.split("; ")[0]):
            # A repeated key is wrong at its second occurrence.
            offset = (
                self.text.rfind(quote, start, end) if " times; " in description else self.text.find(quote, start, end)
            )
            if offset >= 0:
                return self._mark_range(offset, offset + len(quote), position.path)
        return self._mark_range(position.start, min(position.end, _line_end(self.text, position.start)), position.path)

    def _mark_column(self, line: int, column: int) -> TextMark:
        starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        start = starts[min(line, len(starts)) - 1]
        offset = min(start + column - 1, len(self.text))
        return TextMark(line, offset, max(offset, _line_end(self.text, offset)))

    def _mark_range(self, start: int, end: int, path: Path = ()) -> TextMark:
        return TextMark(self.text.count("\n", 0, start) + 1, start, end, path)


def _as_step(match: re.Match[str]) -> str:
    return f"award '{match[1]}': "


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
