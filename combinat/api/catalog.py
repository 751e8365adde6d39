"""The catalog of paytables, or the paytables of a file, as a searchable sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike, fspath
from typing import overload

from combinat.api.result import html_table
from combinat.bets.catalog import MAIN_COLLECTION, search_paytables
from combinat.bets.catalog import iter_collection as all_paytables
from combinat.bets.load import load_bet as load_file
from combinat.bets.paytable import Paytable
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

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all paytables."""
        return tuple(paytable.id for paytable in self._paytables)

    def search(self, text: str) -> Catalog:
        """Return the paytables whose id, title or bet name contains all words of `text`.

        >>> catalog().search("trilux bonus").ids[:2]
        ('TRI-01', 'TRI-02')
        """
        return Catalog(search_paytables(self._paytables, str(text)))

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


class NoPaytableError(InputError, KeyError):
    """Raised if a catalog has no paytable with that id."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


def catalog(file: str | PathLike[str] | None = None, *, shelf: str = MAIN_COLLECTION) -> Catalog:
    """Return the paytables of a collection of the catalog (`shelf`), or all paytables of a file.

    >>> catalog()["tri-03"].title
    'TriLux Bonus TRI-03'
    """
    if file is not None and not isinstance(file, (str, PathLike)):
        raise InputError(f"no file {quote(file)}; give its name, as in catalog('mine.toml')")
    return Catalog(tuple(all_paytables(str(shelf))) if file is None else load_file(fspath(file)))
