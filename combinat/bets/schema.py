"""Schema of a bet's TOML file: its keys and types, reading within limits, and sanitizing of texts.

The texts of a file reach terminals, spreadsheets, web pages and typeset documents. Each output format escapes its own
special characters; control and other unprintable characters, which matter everywhere, are rejected here. Validation
errors of msgspec are translated to the terms of the file: which paytable, which award, which key.

`tomllib` keeps every prefix of a dotted key, so that a key of 40,000 parts takes gigabytes. One linear pass over the
text (`check_limits`) finds such keys, and brackets nested too deeply, before the parser sees them.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NoReturn

import msgspec

from combinat.bets.toml_errors import explain_toml_error
from decks import InputError, did_you_mean
from decks.errors import quote
from decks.shoe import ANY_CARD

# The largest numbers of characters of ids, names, sources and all other texts.
MAX_ID, MAX_NAME, MAX_SOURCE, MAX_TEXT = 40, 80, 500, 2000
MAX_BYTES = MAX_CHARACTERS = 256 * 1024
MAX_KEY_PARTS = 8
MAX_KEY_LENGTH = 10_000
MAX_DEPTH = 16
MAX_WORD_LENGTH = 100
ID_PATTERN = re.compile(rf"[A-Za-z0-9][A-Za-z0-9+._-]{{0,{MAX_ID - 1}}}")

_PLAIN_KEY = re.compile(r"[a-z_]{1,40}")
_LINE_END = re.compile(r"[ \t]*[\t\r\n][ \t\r\n]*")


def join_lines(text: str) -> str:
    r"""Join the lines of a text, and refuse unprintable characters: control, direction and private-use ones.

    >>> join_lines("a note\n  of two lines")
    'a note of two lines'
    >>> join_lines("\x1b[2J")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the text '�[2J' has an unprintable character, U+001B; remove it
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
            raise InputError(f"the text {quote(text)} has an unprintable character, {code_point}; remove it")
    if len(line) > MAX_TEXT:
        raise InputError(f"a text must be at most {MAX_TEXT:,} characters, got {len(line):,}: {quote(text)}")
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
                yield path, InputError(f"the key {quote(key)} has an unprintable character; remove it")
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

    pays: Any  # a number is rejected later, with advice on its unit
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


class AlternativeFields(Fields):
    """The bet without an assumption: what is different, and the changed rules, pays or settings."""

    text: str
    rules: dict[str, str] = {}
    pays: dict[str, str] = {}
    settings: dict[str, str] = {}
    paytable: str | None = None
    soft_17: str | None = None
    given: str | None = None
    table: dict[str, bool | int] = {}


class AssumptionFields(Fields):
    """An assumption behind the figures: whose words it follows, and its effect on the house edge."""

    text: str
    origin: str
    effect: str = ""
    alternative: AlternativeFields | None = None


class PaytableFields(Fields):
    """One paytable of the bet."""

    id: str
    decks: int | str | list[int]
    awards: list[AwardFields] | None = None
    settings: dict[str, str | int] = {}
    title: str | None = None
    published: list[PublishedFields] = []
    notes: list[str] = []
    clause: str | None = None
    decks_clause: str | None = None
    assumptions: list[AssumptionFields] = []
    requires: str | None = None
    example: bool = False
    other_interpretation: str | None = None
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
    ordered_by_role: bool | None = None
    hands: dict[str, str] = {}
    settings: dict[str, str | int] = {}
    source: str | list[str] = []
    given: str | None = None
    settlement: Literal["first match", "all matches"] = "first match"
    wheels: dict[str, dict[str, int] | str] = {}
    notes: list[str] = []
    game: str = "Blackjack"
    made: str = "before any card is dealt"
    settled: str = "when its cards are known"
    eligible_hands: str = "any"
    maker: str | None = None
    requirements: str | None = None
    rules_of_play: list[str] = []
    assumptions: list[AssumptionFields] = []
    option: str | None = None


_TYPE_NAMES = {
    "str": "text in quotes",
    "int": "a whole number",
    "object": "a table",
    "array": "a list",
    "bool": "true or false",
}
_EXAMPLES = {
    "bet": 'bet = "My bet"',
    "deal": 'deal = "player:2, up:1"',
    "paytable": "a [[paytable]] table, with two brackets",
    "id": 'id = "MINE-1"',
    "decks": 'decks = "6, 8"',
    "awards": "awards = [...]",
    "hands": "a [hands] table, with one bracket",
    "pays": 'pays = "9 to 1"',
    "rate": 'rate = "12%"',
    "settlement": '"first match" or "all matches"',
    "levels": 'levels = [{ name = "Mega", seed = 10000, rate = "12%" }]',
}
"""How to write a key that is missing or has a value of another type."""
_PERCENTAGES = ("rate", "reserve", "rate_after_cap", "hold", "hit_frequency", "house_edge", "return")
_OTHER_KEYS: dict[tuple[type[Fields], str], str] = {
    **{(BetFields, key): "bet" for key in ("name", "title", "id")},
    **{(BetFields, key): "deal" for key in ("cards", "dealt")},
    **{(BetFields, key): "hands" for key in ("rules", "awards", "events")},
    **{(PaytableFields, key): "id" for key in ("name", "paytable")},
    **{(PaytableFields, key): "awards" for key in ("pays", "payouts", "hands", "prizes")},
    **{(AwardFields, key): "pays" for key in ("pay", "payout", "odds", "prize")},
    **{(AwardFields, key): "when" for key in ("rule", "if", "condition")},
    **{(MetersFields, key): "levels" for key in ("name", "seed", "rate")},
    **{(LevelFields, key): "rate" for key in ("contribution", "percent")},
}
"""Keys that people write, with the key that they mean."""
OLD_KEYS = {
    "awards_add_up": 'settlement = "all matches"',
    "tell_roles_apart": "ordered_by_role = ...",
    "other_reading": "other_interpretation = ...",
}
"""Former keys of bet files, with what to write instead."""
_VALIDATION_MESSAGE = r"(?P<what>.*?)(?: - at `\$?(?P<path>[^`]*)`)?"
_LISTS = "paytable|awards|published|notes|decks|source|meters|levels|rules_of_play|assumptions"
_STEP = rf"\.?({_LISTS})\[(\d+)\]|\.?([a-z_]+)|\[\.\.\.\]"


def explain_validation_error(msgspec_message: str, table: dict[str, Any]) -> str:
    """Translate a message of msgspec to the terms of the file: which paytable, which award, which key."""
    match = re.fullmatch(_VALIDATION_MESSAGE, msgspec_message, re.DOTALL)
    assert match is not None  # the pattern matches any text
    message, path = match["what"], match["path"] or ""
    location: list[str] = []
    structure: type[Fields] = BetFields
    for list_name, index_text, key in re.findall(_STEP, path):
        if list_name == "paytable":
            structure = PaytableFields
            location.append(_paytable_label(table, int(index_text)))
        elif list_name == "awards":
            structure = AwardFields
            location.append(f"award {int(index_text) + 1}")
        elif list_name == "meters":
            structure = MetersFields
            location.append("meters")
        elif list_name == "levels":
            structure = LevelFields
            location.append(f"level {int(index_text) + 1}")
        elif list_name == "assumptions":
            structure = AssumptionFields
            location.append(f"assumption {int(index_text) + 1}")
        elif list_name == "published":
            structure = PublishedFields
            location.append("published")
        elif list_name or key:
            structure = PackFields if key == "pack" else AlternativeFields if key == "alternative" else structure
            location.append(list_name or key)
    prefix = "".join(f"{step}: " for step in location)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        keys = [field.encode_name for field in msgspec.structs.fields(structure)]
        if old_key_advice := OLD_KEYS.get(unknown[1]):
            return f"{prefix}the key {quote(unknown[1])} has another name now; write {old_key_advice}"
        meant = _OTHER_KEYS.get((structure, unknown[1].lower()))
        advice = _EXAMPLES["levels"] if meant == "levels" else f"{meant} = ..."
        hint = f"; write {advice}" if meant else did_you_mean(unknown[1], keys)
        hint = hint or f"; the keys are {', '.join(keys)}"
        return f"{prefix}unknown key {quote(unknown[1])}{hint}"
    if missing_match := re.fullmatch(r"Object missing required field `(.*)`", message, re.DOTALL):
        missing_key = missing_match[1]
        return f"{prefix}the key '{missing_key}' is missing; add {_EXAMPLES.get(missing_key, missing_key + ' = ...')}"
    if invalid := re.fullmatch(r"Invalid enum value '(.*)'", message, re.DOTALL):
        return f"{prefix}must be {_EXAMPLES[location[-1]]}, got {quote(invalid[1])}"
    if mismatch := re.fullmatch(r"Expected `(.*)`, got `(.*)`", message):
        expected, actual = (
            " or ".join(_TYPE_NAMES.get(name, name) for name in types.split(" | ")) for types in mismatch.groups()
        )
        example = _EXAMPLES.get(location[-1]) if location else None
        if location and location[-1] in _PERCENTAGES and isinstance(value := _value_at(table, path), int):
            example = f'{location[-1]} = "{value}%"'
        return f"{prefix}must be {expected}, got {actual}{f'; write {example}' if example else ''}"
    return prefix + message


def _value_at(table: Any, path: str) -> Any:
    """Return the value at a path of msgspec such as `.paytable[0].id`; `None` if it is not unique."""
    for key, index in re.findall(r"\.([a-z_]+)|\[(\d+)\]", path):
        try:
            table = table[key] if key else table[int(index)]
        except (KeyError, IndexError, TypeError):
            return None
    return table


def _paytable_label(table: dict[str, Any], index: int) -> str:
    """Return the label of a paytable: its id or, without one, its position."""
    try:
        name = table["paytable"][index]["id"]
    except (KeyError, TypeError, IndexError):
        name = None
    return f"paytable {quote(name)}" if isinstance(name, str) else f"paytable {index + 1}"


# Do not block if a pipe has replaced the file after the first check.
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
        raise InputError(f"the file must be at most {max_bytes:,} bytes")
    return data


def _check_ordinary_file(status: os.stat_result, max_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("this is a folder; name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise InputError("this is not an ordinary file")
    if status.st_size > max_bytes:
        raise InputError(f"the file must be at most {max_bytes:,} bytes, got {status.st_size:,}")


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


# Every alternative succeeds where it starts, so the pass is linear; an unclosed string extends to the end.
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
    decks.errors.InputError: a key has more than 8 dotted parts (at line 1, column 16)
    """
    check_limits(text)
    try:
        return tomllib.loads(text, parse_float=str)
    except RecursionError:
        raise InputError("this is not valid TOML: it is nested too deeply") from None
    except ValueError as error:
        raise InputError(explain_toml_error(text, str(error))) from None


def check_limits(text: str) -> None:
    """Refuse a text that is too long, nested too deeply, or has a key or a number that is too long."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the text must be at most {MAX_CHARACTERS:,} characters, got {len(text):,}")
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
                _raise_at(text, position, f"a key has more than {MAX_KEY_PARTS} dotted parts")
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
