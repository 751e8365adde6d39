"""Words that a person wrote into a file, made fit to stand on any page: one line each, of characters that can be seen.

What a file says goes to the terminal, into spreadsheets, web pages and typeset documents. Each of those escapes what is
special to it; what is special everywhere, characters that cannot be seen but do something, is kept out here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from decks import InputError
from decks.errors import quoted

MAX_NAME = 80
MAX_SOURCE = 500
MAX_TEXT = 2000

_PLAIN_KEY = re.compile(r"[a-z_]{1,40}")
_LINE_END = re.compile(r"[ \t]*[\t\r\n][ \t\r\n]*")


def one_line(text: str) -> str:
    r"""Fold the lines of a text into one, and refuse characters that cannot be seen: control, direction, private ones.

    >>> one_line("a note\n  of two lines")
    'a note of two lines'
    >>> one_line("\x1b[2J")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the text '�[2J' has a character that cannot be shown, U+001B; leave it out
    """
    line = text
    if not text.isprintable():
        line = "".join(
            " " if unicodedata.category(character) == "Zs" else character for character in _LINE_END.sub(" ", text)
        )
        unseen = next((character for character in line if not character.isprintable()), None)
        if unseen is not None:
            name = unicodedata.name(unseen, "")
            said = f"U+{ord(unseen):04X}{f' ({name.lower()})' if name else ''}"
            raise InputError(f"the text {quoted(text)} has a character that cannot be shown, {said}; leave it out")
    if len(line) > MAX_TEXT:
        raise InputError(f"the text {quoted(text)} has {len(line):,} characters; at most {MAX_TEXT:,} are read")
    return line


def check_name(name: str, key: str, most: int = MAX_NAME) -> str:
    """Refuse a name that is empty or too long for its place."""
    if not name.strip() or len(name) > most or not name.isprintable():
        raise InputError(f"{key} {quoted(name)} must be 1 to {most} printable characters")
    return name


def cleaned(table: dict[str, Any]) -> Iterator[tuple[str, InputError]]:
    """Make every text of a file's tables one line, in place; give each that cannot be, with the path to it."""
    waiting: list[tuple[str, Any]] = [("$", table)]  # not by recursion: a file may nest tables deeper than that goes
    for path, inside in waiting:
        for key, value in inside.items() if isinstance(inside, dict) else enumerate(inside):
            where = path + (f"[{key}]" if isinstance(key, int) else f".{key}" if _PLAIN_KEY.fullmatch(key) else "[...]")
            if isinstance(key, str) and not key.isprintable():
                yield path, InputError(f"the key {quoted(key)} has a character that cannot be shown; leave it out")
            elif isinstance(value, str):
                try:
                    inside[key] = one_line(value)
                except InputError as error:
                    yield where, error
            elif isinstance(value, (dict, list)):
                waiting.append((where, value))
