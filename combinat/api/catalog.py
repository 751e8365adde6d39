"""The catalog of paytables, or the paytables of a file, as a searchable sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike, fspath
from typing import Any, overload

from combinat.bets.catalog import iter_collection, list_collections, search_contents, search_paytables
from combinat.bets.load import load_bet as load_file
from combinat.bets.paytable import Paytable
from combinat.requests.catalog import Catalog as CatalogRequest
from combinat.requests.request import send_warning
from combinat.results.answer import to_json_data
from combinat.results.catalog import CatalogEntry
from combinat.results.html import html_table
from decks import InputError, did_you_mean
from decks.errors import quote


class Catalog(Sequence[Paytable]):
    """A sequence of paytables, accessed by id (ignoring case) or by index."""

    def __init__(self, paytables: Sequence[Paytable]) -> None:
        self._paytables = tuple(paytables)

    def __eq__(self, other: object) -> bool:
        return self._paytables == other._paytables if isinstance(other, Catalog) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.ids)

    def __repr__(self) -> str:
        return (
            f"<{len(self)} paytable{'s' if len(self) != 1 else ''}: {', '.join(self.ids[:3])}{', …' * (len(self) > 3)}>"
        )

    def _repr_html_(self) -> str:
        rows = [(paytable.id, paytable.title, str(paytable.bet.deal), paytable.decks_text) for paytable in self]
        return html_table(("Paytable", "Title", "Deal", "Decks"), rows)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the entries of the paytables as JSON data."""
        return to_json_data(CatalogEntry.of(paytable, _collection_of(paytable)) for paytable in self)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all paytables."""
        return tuple(paytable.id for paytable in self._paytables)

    def search(self, text: str) -> Catalog:
        """Return the paytables whose id, title or bet name contains all words of `text`.

        If there are none, those with the words in their awards, rules or game.

        >>> catalog().search("trilux bonus").ids[:2]
        ('TRI-01', 'TRI-02')
        """
        paytables = search_paytables(self._paytables, str(text)) or search_contents(self._paytables, str(text))
        return Catalog(paytables)

    def __iter__(self) -> Iterator[Paytable]:
        return iter(self._paytables)

    def __len__(self) -> int:
        return len(self._paytables)

    def __contains__(self, item: object) -> bool:
        return item in self._paytables or str(item).lower() in {id.lower() for id in self.ids}

    @overload
    def __getitem__(self, key: str | int) -> Paytable: ...
    @overload
    def __getitem__(self, key: slice) -> Catalog: ...
    def __getitem__(self, key: str | int | slice) -> Paytable | Catalog:
        if isinstance(key, slice):
            return Catalog(self._paytables[key])
        if isinstance(key, int):
            return self._paytables[key]
        for paytable in self._paytables:
            if paytable.id.lower() == key.strip().lower():
                return paytable
        raise NoPaytableError(f"no paytable {quote(key)}{did_you_mean(key, self.ids)}")


def _collection_of(paytable: Paytable) -> str | None:
    """Return the collection of the catalog that has a paytable; `None` if it comes from a file."""
    return next((name for name in list_collections() if paytable in iter_collection(name)), None)


class NoPaytableError(InputError, KeyError):
    """Raised if a catalog has no paytable with that id."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


def catalog(
    file: str | PathLike[str] | None = None,
    *,
    words: str | Sequence[str] = (),
    collection: str | None = None,
) -> Catalog:
    """Return the paytables of the catalog, of one collection of it, or of a file, that contain all `words`.

    The collections are main, baccarat, poker and public.

    >>> catalog()["tri-03"].title
    'TriLux Bonus TRI-03'
    >>> catalog(words="trilux bonus", collection="main").ids[:2]
    ('TRI-01', 'TRI-02')
    """
    if file is None:
        by_collection = CatalogRequest(words, collection).answer(send_warning)
        return Catalog([paytable for paytables in by_collection.values() for paytable in paytables])
    if not isinstance(file, (str, PathLike)):
        raise InputError(f"{quote(file)} is not a file name; write for example catalog('mine.toml')")
    return Catalog(load_file(fspath(file))).search(words if isinstance(words, str) else " ".join(words))
