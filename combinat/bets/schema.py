"""Schema of a bet's TOML file: its keys and types, bounded reading of files, and sanitizing of texts.

The texts of a file reach terminals, spreadsheets, web pages and typeset documents. Each output format escapes its own
special characters; control and other unprintable characters, which matter everywhere, are rejected here. Validation
errors of msgspec are translated to the terms of the file: which paytable, which award, which key.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from combinat.bets.toml_text import parse_toml
from decks import InputError, did_you_mean
from decks.errors import quote
from decks.shoe import ANY_CARD

MAX_NAME = 80
MAX_SOURCE = 500
MAX_TEXT = 2000

_PLAIN_KEY = re.compile(r"[a-z_]{1,40}")
_LINE_END = re.compile(r"[ \t]*[\t\r\n][ \t\r\n]*")


def join_lines(text: str) -> str:
    r"""Join the lines of a text, and refuse unprintable characters: control, direction and private-use ones.

    >>> join_lines("a note\n  of two lines")
    'a note of two lines'
    >>> join_lines("\x1b[2J")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the text '�[2J' has a character that cannot be shown, U+001B; leave it out
    """
    line = text
    if not text.isprintable():
        line = "".join(
            " " if unicodedata.category(character) == "Zs" else character for character in _LINE_END.sub(" ", text)
        )
        unprintable = next((character for character in line if not character.isprintable()), None)
        if unprintable is not None:
            name = unicodedata.name(unprintable, "")
            code_point = f"U+{ord(unprintable):04X}{f' ({name.lower()})' if name else ''}"
            raise InputError(f"the text {quote(text)} has a character that cannot be shown, {code_point}; leave it out")
    if len(line) > MAX_TEXT:
        raise InputError(f"the text {quote(text)} has {len(line):,} characters; at most {MAX_TEXT:,} are read")
    return line


def check_name(name: str, key: str, max_length: int = MAX_NAME) -> str:
    """Return a name; refuse one that is empty, unprintable or longer than `max_length`."""
    if not name.strip() or len(name) > max_length or not name.isprintable():
        raise InputError(f"{key} {quote(name)} must be 1 to {max_length} printable characters")
    return name


def sanitize(table: dict[str, Any]) -> Iterator[tuple[str, InputError]]:
    """Join the lines of every text of the tables in place; yield the path and the error of each invalid text."""
    queue: list[tuple[str, Any]] = [("$", table)]  # a queue, since nesting may exceed the recursion limit
    for path, container in queue:
        for key, value in container.items() if isinstance(container, dict) else enumerate(container):
            value_path = path + (
                f"[{key}]" if isinstance(key, int) else f".{key}" if _PLAIN_KEY.fullmatch(key) else "[...]"
            )
            if isinstance(key, str) and not key.isprintable():
                yield path, InputError(f"the key {quote(key)} has a character that cannot be shown; leave it out")
            elif isinstance(value, str):
                try:
                    container[key] = join_lines(value)
                except InputError as error:
                    yield value_path, error
            elif isinstance(value, (dict, list)):
                queue.append((value_path, value))


class Fields(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Base of the tables of a file; unknown keys are rejected."""


class AwardFields(Fields):
    """An award: a shared hand, or a name with its own rule or quantity; and the pay."""

    pays: Any  # a number is refused later, with advice on its unit
    hand: str | None = None
    name: str | None = None
    when: str | None = None
    per: str | None = None
    wheel: str | None = None


class PublishedFields(Fields):
    """Figures that a source prints for one deck count."""

    decks: int
    hold: str | None = None
    hit_frequency: str | None = None
    house_edge: str | None = None
    return_: str | None = msgspec.field(default=None, name="return")


class LevelFields(Fields):
    """The terms of one meter."""

    name: str
    seed: str | int
    rate: str = "0%"
    reserve: str = "0%"
    cap: str | int | None = None
    rate_after_cap: str = "0%"
    deducted: bool = True
    seed_paid_by: str = "house"


class MetersFields(Fields):
    """The meter system of a paytable, for some deck counts or for all."""

    levels: list[LevelFields]
    decks: int | str | list[int] | None = None
    wager: str | int = 1
    kind: str = "progressive"
    all_pays_deducted: bool = False
    basis: str | None = None


class PaytableFields(Fields):
    """One paytable of the bet."""

    id: str
    decks: int | str | list[int]
    awards: list[AwardFields] | None = None
    settings: dict[str, str | int] = {}
    title: str | None = None
    published: list[PublishedFields] = []
    notes: list[str] = []
    requires: str | None = None
    example: bool = False
    other_reading: str | None = None
    meters: list[MetersFields] = []


class PackFields(Fields):
    """A custom pack: removed ranks, and jokers with their meaning."""

    base: str = "standard"
    without: list[str | int] = []
    jokers: int = 0
    joker: str = ANY_CARD


class BetFields(Fields):
    """The whole file: one bet with its paytables."""

    bet: str
    deal: str
    paytable: list[PaytableFields]
    pack: str | PackFields = "standard"
    tell_roles_apart: bool | None = None
    hands: dict[str, str] = {}
    settings: dict[str, str | int] = {}
    source: str | list[str] = []
    given: str | None = None
    awards_add_up: bool = False
    wheels: dict[str, dict[str, int] | str] = {}
    notes: list[str] = []
    game: str = "Blackjack"
    made: str = "before any card is dealt"
    settled: str = "when the cards that it looks at are known"
    option: str | None = None


_VALIDATION_MESSAGE = r"(?P<what>.*?)(?: - at `\$?(?P<path>[^`]*)`)?"
_STEP = r"\.?(paytable|awards|published|notes|decks|source|meters|levels)\[(\d+)\]|\.?([a-z_]+)|\[\.\.\.\]"


def explain_validation_error(complaint: str, table: dict[str, Any]) -> str:
    """Translate a message of msgspec to the terms of the file: which paytable, which award, which key."""
    match = re.fullmatch(_VALIDATION_MESSAGE, complaint, re.DOTALL)
    assert match is not None  # the pattern fits any text
    message, path = match["what"], match["path"] or ""
    location: list[str] = []
    structure: type[Fields] = BetFields
    for list_name, number, key in re.findall(_STEP, path):
        if list_name == "paytable":
            structure = PaytableFields
            location.append(_paytable_label(table, int(number)))
        elif list_name == "awards":
            structure = AwardFields
            location.append(f"award {int(number) + 1}")
        elif list_name == "meters":
            structure = MetersFields
            location.append("meters")
        elif list_name == "levels":
            structure = LevelFields
            location.append(f"level {int(number) + 1}")
        elif list_name == "published":
            structure = PublishedFields
            location.append("published")
        elif list_name or key:
            structure = PackFields if key == "pack" else structure
            location.append(list_name or key)
    prefix = "".join(f"{step}: " for step in location)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        keys = [field.encode_name for field in msgspec.structs.fields(structure)]
        hint = did_you_mean(unknown[1], keys) or f"; keys here are {', '.join(keys)}"
        return f"{prefix}no key {quote(unknown[1])}{hint}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", message, re.DOTALL):
        examples = {"paytable": "a [[paytable]] table", "pays": 'pays = "9 to 1"', "awards": "awards = [...]"}
        return f"{prefix}the key '{missing[1]}' is missing; add {examples.get(missing[1], missing[1] + ' = ...')}"
    words = {
        "str": "text in quotes",
        "int": "a whole number",
        "object": "a table",
        "array": "a list",
        "bool": "true or false",
    }
    return prefix + re.sub(r"`([a-z |]+)`", lambda m: " or ".join(words.get(w, w) for w in m[1].split(" | ")), message)


def _paytable_label(table: dict[str, Any], number: int) -> str:
    """Return the label of a paytable: its id or, without one, its position."""
    try:
        name = table["paytable"][number]["id"]
    except (KeyError, TypeError, IndexError):
        name = None
    return f"paytable {quote(name)}" if isinstance(name, str) else f"paytable {number + 1}"


MAX_BYTES = 256 * 1024

# Non-blocking, in case a pipe has replaced the file after the first check.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_small_file(path: Path, max_bytes: int) -> bytes:
    """Read a regular file of up to `max_bytes` bytes; refuse anything else before reading it."""
    try:
        _check_ordinary_file(path.stat(), max_bytes)  # before opening, which can have effects on a device
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            _check_ordinary_file(os.fstat(file.fileno()), max_bytes)
            data = file.read(max_bytes + 1)
    except (FileNotFoundError, InputError):
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"the file cannot be read: {reason}") from None
    if len(data) > max_bytes:  # the reported size was wrong, as in /proc, or the file grew
        raise InputError(f"the file has more than {max_bytes:,} bytes")
    return data


def _check_ordinary_file(status: os.stat_result, max_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("this is a directory; name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise InputError("this is not an ordinary file")
    if status.st_size > max_bytes:
        raise InputError(f"the file has {status.st_size:,} bytes; at most {max_bytes:,} are read")


def read_text(path: Path) -> str:
    """Read a small UTF-8 text file; raise `InputError` for anything else."""
    try:
        data = read_small_file(path, MAX_BYTES)
    except FileNotFoundError:
        near = did_you_mean(path.name, _toml_files_beside(path))
        raise InputError(f"there is no such file{near}") from None
    try:
        if b"\0" in data:
            raise UnicodeDecodeError("utf-8", data, data.index(b"\0"), data.index(b"\0") + 1, "a zero byte")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not text: byte {error.start + 1} is not UTF-8") from None


def _toml_files_beside(path: Path) -> list[str]:
    try:
        return [sibling.name for sibling in path.parent.iterdir() if sibling.suffix == ".toml"]
    except OSError:
        return []


def read_fields(text: str, note: Callable[[str], None]) -> BetFields | None:
    """Return the fields of a bet file, with every text as one printable line.

    Each unprintable text is reported to `note`, and the result is then `None`; other problems raise `InputError`.
    """
    table = parse_toml(text)
    unprintable = list(sanitize(table))
    for path, problem in unprintable:
        note(explain_validation_error(f"{problem} - at `{path}`", table))
    if unprintable:
        return None
    try:
        return msgspec.convert(table, BetFields)
    except msgspec.ValidationError as error:
        raise InputError(explain_validation_error(str(error), table)) from None
