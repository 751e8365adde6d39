"""Finding paytables: those that come with the program, and how an argument names one of them or a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from combinat.bets.identity import as_variant, count_common_awards, find_differences
from combinat.bets.load import load
from combinat.bets.paytable import Paytable
from decks import InputError, did_you_mean
from decks.errors import quoted, truncate_middle

FOLDER = Path(__file__).parent / "catalog"
_ID_LINE = re.compile(r'^id = "(.+)"$', re.MULTILINE)
MAIN = "main"
"""The shelf that the catalog's own folder is; every other has a folder in it."""


@lru_cache(maxsize=1)
def shelves() -> tuple[str, ...]:
    """Name the shelves of the catalog, the main one first.

    >>> shelves()
    ('main', 'baccarat', 'poker', 'public')
    """
    return (MAIN, *sorted({path.parent.name for path in FOLDER.glob("*/*.toml")}))


@lru_cache(maxsize=16)
def files(shelf: str = MAIN) -> tuple[Path, ...]:
    """List the files of a shelf in the order of their names."""
    name = shelf.strip().lower()
    if name not in shelves():
        hint = did_you_mean(name, shelves()) or f"; shelves are {', '.join(shelves())}"
        raise InputError(f"the catalog has no shelf {quoted(shelf)}{hint}")
    return tuple(sorted((FOLDER if name == MAIN else FOLDER / name).glob("*.toml")))


@lru_cache(maxsize=256)  # more than the files there are, else all are read anew each time that all are asked for
def _load(path: Path) -> tuple[Paytable, ...]:
    return load(path, f"catalog/{path.relative_to(FOLDER).as_posix()}")


@lru_cache(maxsize=256)
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def catalog(shelf: str = MAIN) -> Iterator[Paytable]:
    """Give every paytable of a shelf of the catalog."""
    for path in files(shelf):
        yield from _load(path)


def every_paytable() -> Iterator[Paytable]:
    """Give every paytable of the catalog, shelf by shelf."""
    for shelf in shelves():
        yield from catalog(shelf)


def every_id() -> list[str]:
    """Name every paytable of the catalog by its id, without reading what its file says of it."""
    paths = (path for shelf in shelves() for path in files(shelf))
    return [id for path in paths for id in _ID_LINE.findall(_text(path))]


def search_paytables(paytables: Iterable[Paytable], text: str) -> list[Paytable]:
    """Keep the paytables whose id, title or bet has every word of a text.

    >>> [one.id for one in search_paytables(catalog(), "super trilux")]
    ['SUP-01']
    """
    words = text.lower().split()
    return [
        paytable
        for paytable in paytables
        if all(word in f"{paytable.id} {paytable.title} {paytable.bet.name}".lower() for word in words)
    ]


def find(id: str) -> Paytable:
    """Give the catalog's paytable with this id, in capitals or not.

    >>> find("tri-03").title
    'TriLux Bonus TRI-03'
    """
    paytable = _with_id(id)
    if paytable is None and _is_file(id):
        raise InputError(f"no paytable {quoted(id)}; to read the file of that name, write ./{id}")
    return paytable or in_catalog(id)


def in_catalog(id: str) -> Paytable:
    """Give the catalog's paytable with this id, whatever lies in the working folder."""
    if (paytable := _with_id(id)) is not None:
        return paytable
    lowered = id.strip().lower()
    ids = every_id()
    containing = [candidate for candidate in ids if lowered and lowered in candidate.lower()]
    hint = (
        f"; did you mean {' or '.join(repr(candidate) for candidate in containing[:3])}?"
        if containing
        else did_you_mean(id, ids)
    )
    raise InputError(f"no paytable {quoted(id)}{hint or '; combinat list shows them all'}")


def _with_id(id: str) -> Paytable | None:
    lowered = id.strip().lower()
    return next((paytable for paytable in _mentioning(lowered) if paytable.id.lower() == lowered), None)


def _mentioning(text: str) -> Iterator[Paytable]:
    """Yield the paytables of all files in which a lower-case text stands in quotes; parsing the others is spared."""
    for path in (path for shelf in shelves() for path in files(shelf)):
        if f'"{text}"' in _text(path).lower():
            yield from _load(path)


@lru_cache(maxsize=64)
def identified(paytable: Paytable) -> Paytable:
    """Return the paytable, marked as a variant if it carries an identity of the catalog without being the same game.

    The one place where this is decided, for files, for options of commands and for paytables made in Python. The
    identity is the id; for a paytable with an id of its own, the title or a source.

    >>> from msgspec.structs import replace
    >>> mine = identified(replace(find("TRI-03"), decks=(6,)))
    >>> mine.title, mine.based_on.id, mine.based_on.differences
    ('TriLux Bonus TRI-03, variant', 'TRI-03', ('decks',))
    >>> identified(find("TRI-03")) is find("TRI-03")
    True
    """
    if paytable.based_on is not None:
        return paytable
    if (original := _with_id(paytable.id)) is not None:
        differences = () if original is paytable else find_differences(paytable, original)
        return as_variant(paytable, original, differences) if differences else paytable
    title = paytable.title.lower()
    sources = {source.lower() for source in paytable.bet.sources}
    ids = [id.lower() for id in every_id() if title.endswith(id.lower())]  # of titles that no file spells out
    candidates = [
        candidate
        for phrase in dict.fromkeys((title, *ids, *sorted(sources)))
        for candidate in _mentioning(phrase)
        if candidate.title.lower() == title or sources & {source.lower() for source in candidate.bet.sources}
    ]
    if not candidates:
        return paytable
    original = max(
        candidates, key=lambda candidate: (candidate.title.lower() == title, count_common_awards(paytable, candidate))
    )
    differences = find_differences(paytable, original)
    return as_variant(paytable, original, differences) if set(differences) - {"names"} else paytable


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # a name longer than a file's may be
        return False


def file_in(argument: str) -> tuple[str, str | None] | None:
    """Give the file that an argument names and the id after its colon, or nothing if it is an id of the catalog.

    How it is written decides, a path or the suffix, and never what happens to lie in the working folder.

    >>> file_in("mine.toml"), file_in("mine.toml:MINE"), file_in("./mine"), file_in("TRI-03")
    (('mine.toml', None), ('mine.toml', 'MINE'), ('./mine', None), None)
    """
    path, colon, id = argument.rpartition(":")
    if colon and path.lower().endswith(".toml"):
        return path, id
    is_path = "/" in argument or "\\" in argument or argument in (".", "..")
    return (argument, None) if is_path or argument.lower().endswith(".toml") else None


def resolve(argument: str) -> tuple[Paytable, ...]:
    """Give the paytables that an argument means: a catalog id, a TOML file, or `file.toml:ID` for one of a file."""
    file = file_in(argument)
    if file is None:
        return (find(argument),)
    path, id = file
    return tuple(map(identified, chosen(load(path), id, path)))


def chosen(paytables: tuple[Paytable, ...], id: str | None, path: str) -> tuple[Paytable, ...]:
    """Give all paytables of a file, or the one with an id."""
    if id is None:
        return paytables
    for paytable in paytables:
        if paytable.id.lower() == id.lower():
            return (paytable,)
    ids = [paytable.id for paytable in paytables]
    hint = did_you_mean(id, ids) or "; it has " + ", ".join(ids)
    raise InputError(f"{truncate_middle(path)}: no paytable {quoted(id)}{hint}")
