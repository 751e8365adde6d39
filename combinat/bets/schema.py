"""Words that a person wrote into a file, made fit to stand on any page: one line each, of characters that can be seen.

What a file says goes to the terminal, into spreadsheets, web pages and typeset documents. Each of those escapes what is
special to it; what is special everywhere, characters that cannot be seen but do something, is kept out here.

The shape of a bet's TOML file: which keys there are and what kind of value each takes.

What a checker of types finds wrong with a file, said in the file's own terms.

Reading a file that somebody named: an ordinary one of a bounded size, or a clear word about what it is instead.

The tables and keys of a bet's file, read and of the right kinds, before anybody asks what they mean.
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
from decks.errors import quoted
from decks.shoe import ANY_CARD

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
        unprintable = next((character for character in line if not character.isprintable()), None)
        if unprintable is not None:
            name = unicodedata.name(unprintable, "")
            code_point = f"U+{ord(unprintable):04X}{f' ({name.lower()})' if name else ''}"
            raise InputError(
                f"the text {quoted(text)} has a character that cannot be shown, {code_point}; leave it out"
            )
    if len(line) > MAX_TEXT:
        raise InputError(f"the text {quoted(text)} has {len(line):,} characters; at most {MAX_TEXT:,} are read")
    return line


def check_name(name: str, key: str, max_length: int = MAX_NAME) -> str:
    """Refuse a name that is empty or too long for its place."""
    if not name.strip() or len(name) > max_length or not name.isprintable():
        raise InputError(f"{key} {quoted(name)} must be 1 to {max_length} printable characters")
    return name


def sanitize(table: dict[str, Any]) -> Iterator[tuple[str, InputError]]:
    """Make every text of a file's tables one line, in place; give each that cannot be, with the path to it."""
    queue: list[tuple[str, Any]] = [("$", table)]  # not by recursion: a file may nest tables deeper than that goes
    for path, container in queue:
        for key, value in container.items() if isinstance(container, dict) else enumerate(container):
            value_path = path + (
                f"[{key}]" if isinstance(key, int) else f".{key}" if _PLAIN_KEY.fullmatch(key) else "[...]"
            )
            if isinstance(key, str) and not key.isprintable():
                yield path, InputError(f"the key {quoted(key)} has a character that cannot be shown; leave it out")
            elif isinstance(value, str):
                try:
                    container[key] = one_line(value)
                except InputError as error:
                    yield value_path, error
            elif isinstance(value, (dict, list)):
                queue.append((value_path, value))


class Fields(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table of the file whose keys are known."""


class AwardFields(Fields):
    """One award: a shared hand, or a name with its own rule or number; and what it pays."""

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
    """How one meter is run."""

    name: str
    seed: str | int
    rate: str = "0%"
    reserve: str = "0%"
    cap: str | int | None = None
    rate_after_cap: str = "0%"
    deducted: bool = True
    seed_paid_by: str = "house"


class MetersFields(Fields):
    """How the meters of a paytable are run, at some deck counts or at all."""

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
    """A pack of one's own: what is left out, and jokers with what they stand for."""

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


_COMPLAINT = r"(?P<what>.*?)(?: - at `\$?(?P<path>[^`]*)`)?"
_STEP = r"\.?(paytable|awards|published|notes|decks|source|meters|levels)\[(\d+)\]|\.?([a-z_]+)|\[\.\.\.\]"


def explain_validation_error(complaint: str, table: dict[str, Any]) -> str:
    """Say in the file's own terms what the checker found: which paytable, which award, which key."""
    match = re.fullmatch(_COMPLAINT, complaint, re.DOTALL)
    assert match is not None  # the pattern fits any text
    message, path = match["what"], match["path"] or ""
    location: list[str] = []
    structure: type[Fields] = BetFields
    for list_name, number, key in re.findall(_STEP, path):
        if list_name == "paytable":
            structure = PaytableFields
            location.append(_named_paytable(table, int(number)))
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
        return f"{prefix}no key {quoted(unknown[1])}{hint}"
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


def _named_paytable(table: dict[str, Any], number: int) -> str:
    """Name a paytable by its id if it has one, else by its place."""
    try:
        name = table["paytable"][number]["id"]
    except (KeyError, TypeError, IndexError):
        name = None
    return f"paytable {quoted(name)}" if isinstance(name, str) else f"paytable {number + 1}"


MAX_BYTES = 256 * 1024

# A pipe that took a file's place after the first look is opened without waiting for its writer.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_small(path: Path, max_bytes: int) -> bytes:
    """Read an ordinary file of up to so many bytes; anything else is refused before a byte of it is read."""
    try:
        _refuse(path.stat(), max_bytes)  # before it is opened, which for a device can mean something
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            _refuse(os.fstat(file.fileno()), max_bytes)
            data = file.read(max_bytes + 1)
    except (FileNotFoundError, InputError):
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"the file cannot be read: {reason}") from None
    if len(data) > max_bytes:  # its size was told wrong, as a system's own files do, or it grew
        raise InputError(f"the file has more than {max_bytes:,} bytes")
    return data


def _refuse(status: os.stat_result, max_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("this is a directory; name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise InputError("this is not an ordinary file")
    if status.st_size > max_bytes:
        raise InputError(f"the file has {status.st_size:,} bytes; at most {max_bytes:,} are read")


def read_text(path: Path) -> str:
    """Read a small text file, with a clear word about anything else."""
    try:
        data = read_small(path, MAX_BYTES)
    except FileNotFoundError:
        near = did_you_mean(path.name, _neighbours(path))
        raise InputError(f"there is no such file{near}") from None
    try:
        if b"\0" in data:
            raise UnicodeDecodeError("utf-8", data, data.index(b"\0"), data.index(b"\0") + 1, "a zero byte")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not text: byte {error.start + 1} is not UTF-8") from None


def _neighbours(path: Path) -> list[str]:
    try:
        return [sibling.name for sibling in path.parent.iterdir() if sibling.suffix == ".toml"]
    except OSError:
        return []


def read_fields(text: str, note: Callable[[str], None]) -> BetFields | None:
    """Read the tables of a file, every text in them as one line of characters that can be seen.

    What cannot be seen is noted, each by itself, and nothing is given then; anything else that is wrong is raised.
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
