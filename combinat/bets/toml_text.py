"""Parsing of TOML text within limits on its size, its nesting depth and the length of its keys.

`tomllib` keeps every prefix of a dotted key, so that a key of 40,000 parts takes gigabytes. One linear pass over the
text finds such keys, and brackets nested too deeply, before the parser sees them.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, NoReturn

from decks import InputError

MAX_CHARACTERS = 256 * 1024
MAX_KEY_PARTS = 8
MAX_KEY_LENGTH = 10_000
MAX_DEPTH = 16
MAX_WORD_LENGTH = 100

# Each alternative matches wherever it starts, so that the pass is linear; strings without an end go on to the end.
_TOKEN = re.compile(
    r'''
    (?P<string> """(?:[^"\\]++|\\.|""?(?!"))*+(?:"{3,5}|\\?\Z)
              | \'\'\'(?:[^']++|\'\'?(?!'))*+(?:'{3,5}|\Z)
              | "(?:[^"\\\n]++|\\[^\n])*+"?
              | '[^'\n]*+'? )
  | (?P<bare> [A-Za-z0-9_+-]++ )
  | (?P<dot> \. )
  | (?P<space> [ \t]++ )
  | (?P<open> [\[{] )
  | (?P<close> [\]}] )
  | (?P<comment> \#[^\n]*+ )
  | (?P<other> . )
    ''',
    re.VERBOSE | re.DOTALL,
)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML text; numbers with a decimal point become strings, so that no float is ever made.

    >>> parse_toml("a.b = 1.50")
    {'a': {'b': '1.50'}}
    >>> parse_toml("a" + ".a" * 40_000 + " = 1")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: a key has more than 8 parts with dots between (at line 1, column 16)
    """
    check_limits(text)
    try:
        return tomllib.loads(text, parse_float=str)
    except RecursionError:
        raise InputError("this is not valid TOML: it is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"this is not valid TOML: {error}") from None


def check_limits(text: str) -> None:
    """Refuse a text that is too long, nested too deeply, or has a key or a number that is too long."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read")
    depth, key_parts, start, is_header = 0, 1, 0, False
    for token in _TOKEN.finditer(text):
        kind, position = token.lastgroup, token.start()
        if kind in ("string", "space"):
            continue
        if kind == "bare":
            if token.end() - position > MAX_WORD_LENGTH:
                _raise_at(text, position, f"a key or number has more than {MAX_WORD_LENGTH} characters")
            continue
        if kind == "dot":
            key_parts += 1
            if key_parts > MAX_KEY_PARTS:
                _raise_at(text, position, f"a key has more than {MAX_KEY_PARTS} parts with dots between")
            continue
        if position - start > MAX_KEY_LENGTH and (token[0] == "=" or (is_header and token[0] == "]")):
            _raise_at(text, start, f"a key has more than {MAX_KEY_LENGTH} characters")
        if kind == "open":
            is_first = depth == 0 and (start == 0 or text[start - 1] == "\n") and not text[start:position].strip(" \t")
            is_header = token[0] == "[" and (is_first or (is_header and depth == 1 and start == position))
            depth += 1
            if depth > MAX_DEPTH:
                _raise_at(text, position, f"brackets are nested more than {MAX_DEPTH} deep")
        elif kind == "close":
            depth = max(depth - 1, 0)
        key_parts, start = 1, token.end()


def _raise_at(text: str, position: int, message: str) -> NoReturn:
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    raise InputError(f"{message} (at line {line}, column {column})")
