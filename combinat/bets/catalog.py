"""The catalog of paytables that come with the program, and the lookup of arguments such as `TRI-03` or `mine.toml:ID`.

The catalog consists of collections: the main one and one for each subfolder. Files are parsed on demand and cached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from combinat.bets.identity import as_variant, count_common_awards, find_differences
from combinat.bets.load import load_bet
from combinat.bets.paytable import Paytable
from decks import InputError, did_you_mean
from decks.errors import quote, truncate_middle

CATALOG_FOLDER = Path(__file__).parent / "catalog"
_ID_LINE = re.compile(r'^id = "(.+)"$', re.MULTILINE)
MAIN_COLLECTION = "main"
"""The collection in the catalog folder itself; each other collection is a subfolder."""


@lru_cache(maxsize=1)
def list_collections() -> tuple[str, ...]:
    """Return the names of the collections, the main one first.

    >>> list_collections()
    ('main', 'baccarat', 'poker', 'public')
    """
    return (MAIN_COLLECTION, *sorted({path.parent.name for path in CATALOG_FOLDER.glob("*/*.toml")}))


@lru_cache(maxsize=16)
def collection_files(shelf: str = MAIN_COLLECTION) -> tuple[Path, ...]:
    """Return the files of a collection, sorted by name."""
    name = shelf.strip().lower()
    if name not in list_collections():
        hint = did_you_mean(name, list_collections()) or f"; shelves are {', '.join(list_collections())}"
        raise InputError(f"the catalog has no shelf {quote(shelf)}{hint}")
    return tuple(sorted((CATALOG_FOLDER if name == MAIN_COLLECTION else CATALOG_FOLDER / name).glob("*.toml")))


@lru_cache(maxsize=256)  # more than there are files, so that a pass over the whole catalog parses each file once
def _load_collection_file(path: Path) -> tuple[Paytable, ...]:
    return load_bet(path, f"catalog/{path.relative_to(CATALOG_FOLDER).as_posix()}")


@lru_cache(maxsize=256)
def _read_collection_file(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def iter_collection(shelf: str = MAIN_COLLECTION) -> Iterator[Paytable]:
    """Yield the paytables of one collection."""
    for path in collection_files(shelf):
        yield from _load_collection_file(path)


def iter_paytables() -> Iterator[Paytable]:
    """Yield all paytables of the catalog, collection by collection."""
    for shelf in list_collections():
        yield from iter_collection(shelf)


def list_ids() -> list[str]:
    """Return the ids of all paytables of the catalog, without parsing the files."""
    paths = (path for shelf in list_collections() for path in collection_files(shelf))
    return [id for path in paths for id in _ID_LINE.findall(_read_collection_file(path))]


def search_paytables(paytables: Iterable[Paytable], text: str) -> list[Paytable]:
    """Return the paytables whose id, title or bet name contains every word of `text`.

    >>> [one.id for one in search_paytables(iter_collection(), "super trilux")]
    ['SUP-01']
    """
    words = text.lower().split()
    return [
        paytable
        for paytable in paytables
        if all(word in f"{paytable.id} {paytable.title} {paytable.bet.name}".lower() for word in words)
    ]


def get_paytable(id: str) -> Paytable:
    """Return the catalog paytable with this id, ignoring case.

    >>> get_paytable("tri-03").title
    'TriLux Bonus TRI-03'
    """
    paytable = _find_by_id(id)
    if paytable is None and _is_file(id):
        raise InputError(f"no paytable {quote(id)}; to read the file of that name, write ./{id}")
    return paytable or find_in_catalog(id)


def find_in_catalog(id: str) -> Paytable:
    """Return the catalog paytable with this id, whether or not the working folder has a file of that name."""
    if (paytable := _find_by_id(id)) is not None:
        return paytable
    lowered = id.strip().lower()
    ids = list_ids()
    containing = [candidate for candidate in ids if lowered and lowered in candidate.lower()]
    hint = (
        f"; did you mean {' or '.join(repr(candidate) for candidate in containing[:3])}?"
        if containing
        else did_you_mean(id, ids)
    )
    raise InputError(f"no paytable {quote(id)}{hint or '; combinat list shows them all'}")


def _find_by_id(id: str) -> Paytable | None:
    lowered = id.strip().lower()
    return next((paytable for paytable in _iter_mentioning(lowered) if paytable.id.lower() == lowered), None)


def _iter_mentioning(text: str) -> Iterator[Paytable]:
    """Yield the paytables of all files that contain the lower-case `text` in quotes; other files are not parsed."""
    for path in (path for shelf in list_collections() for path in collection_files(shelf)):
        if f'"{text}"' in _read_collection_file(path).lower():
            yield from _load_collection_file(path)


@lru_cache(maxsize=64)
def mark_if_variant(paytable: Paytable) -> Paytable:
    """Return the paytable, marked as a variant if it uses the identity of a catalog paytable but is a different game.

    This is the only place that decides it, for files, command options and paytables made in Python. The identity is
    the id; for a paytable whose id is not in the catalog, the title or a source.

    >>> from msgspec.structs import replace
    >>> mine = mark_if_variant(replace(get_paytable("TRI-03"), decks=(6,)))
    >>> mine.title, mine.based_on.id, mine.based_on.differences
    ('TriLux Bonus TRI-03, variant', 'TRI-03', ('decks',))
    >>> mark_if_variant(get_paytable("TRI-03")) is get_paytable("TRI-03")
    True
    """
    if paytable.based_on is not None:
        return paytable
    if (original := _find_by_id(paytable.id)) is not None:
        differences = () if original is paytable else find_differences(paytable, original)
        return as_variant(paytable, original, differences) if differences else paytable
    title = paytable.title.lower()
    sources = {source.lower() for source in paytable.bet.sources}
    ids = [id.lower() for id in list_ids() if title.endswith(id.lower())]  # composed titles are in no file
    candidates = [
        candidate
        for phrase in dict.fromkeys((title, *ids, *sorted(sources)))
        for candidate in _iter_mentioning(phrase)
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
    except OSError:  # the name is too long for a file name
        return False


def parse_file_argument(argument: str) -> tuple[str, str | None] | None:
    """Return the file that an argument names and the id after its colon; `None` if the argument is a catalog id.

    Only the spelling decides (a path, or the suffix `.toml`), never the content of the working folder.

    >>> tuple(map(parse_file_argument, ("mine.toml", "mine.toml:MINE", "./mine", "TRI-03")))
    (('mine.toml', None), ('mine.toml', 'MINE'), ('./mine', None), None)
    """
    path, colon, id = argument.rpartition(":")
    if colon and path.lower().endswith(".toml"):
        return path, id
    is_path = "/" in argument or "\\" in argument or argument in (".", "..")
    return (argument, None) if is_path or argument.lower().endswith(".toml") else None


def resolve_paytables(argument: str) -> tuple[Paytable, ...]:
    """Return the paytables that an argument names: a catalog id, a TOML file, or `file.toml:ID` for one of a file."""
    file = parse_file_argument(argument)
    if file is None:
        return (get_paytable(argument),)
    path, id = file
    return tuple(map(mark_if_variant, select_paytables(load_bet(path), id, path)))


def select_paytables(paytables: tuple[Paytable, ...], id: str | None, path: str) -> tuple[Paytable, ...]:
    """Return all paytables of a file, or only the one with `id`."""
    if id is None:
        return paytables
    for paytable in paytables:
        if paytable.id.lower() == id.lower():
            return (paytable,)
    ids = [paytable.id for paytable in paytables]
    hint = did_you_mean(id, ids) or "; it has " + ", ".join(ids)
    raise InputError(f"{truncate_middle(path)}: no paytable {quote(id)}{hint}")
