"""The catalog of paytables that come with the program, and the lookup of arguments such as `TRI-03` or `mine.toml:ID`.

The catalog consists of collections: the main one and one for each subfolder. Files are parsed on demand and cached.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from combinat.bets.identity import count_common_awards, find_differences, mark_as_variant
from combinat.bets.load import load_bet
from combinat.bets.paytable import Paytable
from decks import InputError, did_you_mean
from decks.errors import quote, truncate_middle

CATALOG_FOLDER = Path(__file__).parent / "catalog"
_ID_LINE = re.compile(r'^id = "(.+)"$', re.MULTILINE)
MAIN_COLLECTION = "main"
"""The collection in the catalog folder itself; each other collection is a subfolder."""
MAX_SUGGESTIONS = 3
"""Largest number of paytables that an error message names."""
MIN_SEARCHED = 3
"""Smallest number of characters that are searched for in titles."""


@lru_cache(maxsize=1)
def list_collections() -> tuple[str, ...]:
    """Return the names of the collections, the main one first.

    >>> list_collections()
    ('main', 'baccarat', 'poker', 'public')
    """
    return (MAIN_COLLECTION, *sorted({path.parent.name for path in CATALOG_FOLDER.glob("*/*.toml")}))


@lru_cache(maxsize=16)
def collection_files(collection: str = MAIN_COLLECTION) -> tuple[Path, ...]:
    """Return the files of a collection, sorted by name."""
    name = collection.strip().lower()
    if name not in list_collections():
        hint = did_you_mean(name, list_collections()) or f"; the collections are {', '.join(list_collections())}"
        raise InputError(f"unknown collection {quote(collection)}{hint}")
    return tuple(sorted((CATALOG_FOLDER if name == MAIN_COLLECTION else CATALOG_FOLDER / name).glob("*.toml")))


@lru_cache(maxsize=256)  # more than there are files, so that a pass over the whole catalog parses each file once
def _load_collection_file(path: Path) -> tuple[Paytable, ...]:
    return load_bet(path, f"catalog/{path.relative_to(CATALOG_FOLDER).as_posix()}")


@lru_cache(maxsize=256)
def _read_collection_file(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def iter_collection(collection: str = MAIN_COLLECTION) -> Iterator[Paytable]:
    """Yield the paytables of one collection."""
    for path in collection_files(collection):
        yield from _load_collection_file(path)


def iter_paytables() -> Iterator[Paytable]:
    """Yield all paytables of the catalog, collection by collection."""
    for collection in list_collections():
        yield from iter_collection(collection)


def list_ids() -> list[str]:
    """Return the ids of all paytables of the catalog, without parsing the files."""
    paths = (path for collection in list_collections() for path in collection_files(collection))
    return [id for path in paths for id in _ID_LINE.findall(_read_collection_file(path))]


def search_paytables(paytables: Iterable[Paytable], text: str, collection: str = "") -> list[Paytable]:
    """Return the paytables whose id, title, bet name or `collection` contains every word of `text`.

    >>> [paytable.id for paytable in search_paytables(iter_collection(), "super trilux")]
    ['SUP-01']
    """
    words = text.lower().split()
    return [
        paytable
        for paytable in paytables
        if all(word in f"{paytable.id} {paytable.title} {paytable.bet.name} {collection}".lower() for word in words)
    ]


def search_contents(paytables: Iterable[Paytable], text: str) -> list[Paytable]:
    """Return the paytables whose names, game, deal, award names or rules contain every word of `text`.

    >>> [paytable.id for paytable in search_contents(iter_collection("public"), "mini royal")][:2]
    ['PAIR-PLUS-5-MR50', 'PAIR-PLUS-5-MR100']
    """
    words = text.lower().split()
    return [paytable for paytable in paytables if all(word in _contents(paytable) for word in words)]


def _contents(paytable: Paytable) -> str:
    bet = paytable.bet
    awards = (f"{award.name} {award.rule}" for award in paytable.awards)
    return " ".join((paytable.id, paytable.title, bet.name, bet.game, str(bet.deal), *awards)).lower()


def search_catalog(text: str) -> list[Paytable]:
    """Return the paytables of all collections whose id, title, bet name or collection contains every word of `text`."""
    return [
        paytable
        for collection in list_collections()
        for paytable in search_paytables(iter_collection(collection), text, collection)
    ]


def get_paytable(id: str) -> Paytable:
    """Return the catalog paytable with this id, ignoring case.

    >>> get_paytable("tri-03").title
    'TriLux Bonus TRI-03'
    """
    paytable = _find_by_id(id)
    if paytable is None and _is_file(id):
        raise InputError(f"unknown paytable {quote(id)}; to read the file of that name, write ./{id}")
    if paytable is None and _is_file(f"{id}.toml"):
        raise InputError(f"unknown paytable {quote(id)}; to read the file of that name, write {id}.toml")
    return paytable or find_in_catalog(id)


def find_in_catalog(id: str) -> Paytable:
    """Return the catalog paytable with this id or title, whether or not the working folder has a file of that name.

    The name of a bet with a single paytable is good enough.

    >>> find_in_catalog("trilux super 3").id
    'SUP-01'
    """
    if (paytable := _find_by_id(id)) is not None:
        return paytable
    name = id.strip().lower()
    named = [item for item in iter_paytables() if name in (item.title.lower(), item.bet.name.lower())]
    if len(named) == 1:
        return named[0]
    raise InputError(f"unknown paytable {quote(id)}{suggest_paytables(id) or '; combinat list shows all'}")


def suggest_paytables(text: str) -> str:
    """Return the end of an error message that names paytables similar to `text`; empty if there are none.

    >>> suggest_paytables("trilux super")
    "; did you mean 'SUP-01'?"
    >>> suggest_paytables("TriLux Bonus")
    "; 4 paytables have that name, such as 'TRI-01' and 'TRI-02'; combinat list 'TriLux Bonus' shows them"
    """
    lowered = text.strip().lower()
    ids = list_ids()
    similar = [id for id in ids if lowered and id.lower().startswith(lowered)]
    similar = similar or [paytable.id for paytable in search_catalog(text) if len(lowered) >= MIN_SEARCHED]
    if len(similar) > MAX_SUGGESTIONS:
        examples = " and ".join(map(quote, similar[:2]))
        command = f"combinat list {shlex.quote(text)}"
        return f"; {len(similar)} paytables have that name, such as {examples}; {command} shows them"
    if similar:
        return f"; did you mean {' or '.join(map(quote, similar))}?"
    return did_you_mean(text, ids) or _suggest_word(lowered)


def _suggest_word(text: str) -> str:
    """Return the end of an error message that suggests to search for the nearest word of a title."""
    names = (f"{paytable.title} {paytable.bet.name}" for paytable in iter_paytables())
    title_words = sorted({word for name in names for word in re.findall("[a-z]{5,}", name.lower())})
    for word in text.split():
        similar = [title for title in title_words if title[0] == word[0] and abs(len(title) - len(word)) <= 1]
        nearest = get_close_matches(word, similar, n=1)
        if nearest:
            return f"; for bets named {quote(nearest[0])} write: combinat list {nearest[0]}"
    return ""


def _find_by_id(id: str) -> Paytable | None:
    lowered = id.strip().lower()
    return next((paytable for paytable in _iter_mentioning(lowered) if paytable.id.lower() == lowered), None)


def _iter_mentioning(text: str) -> Iterator[Paytable]:
    """Yield the paytables of all files that contain the lower-case `text` in quotes; other files are not parsed."""
    for path in (path for collection in list_collections() for path in collection_files(collection)):
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
        return mark_as_variant(paytable, original, differences) if differences else paytable
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
    return mark_as_variant(paytable, original, differences) if set(differences) - {"names"} else paytable


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
    hint = did_you_mean(id, ids) or f"; the file has {', '.join(ids)}"
    raise InputError(f"{truncate_middle(path)}: unknown paytable {quote(id)}{hint}")
