"""The paytables that come with the program, or those of a file, to look through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike, fspath
from typing import overload

from combinat.api.result import html_table
from combinat.bets.catalog import MAIN, search_paytables
from combinat.bets.catalog import catalog as all_paytables
from combinat.bets.load import load as load_file
from combinat.bets.paytable import Paytable
from decks import InputError, did_you_mean
from decks.errors import quoted


class Catalog(Sequence[Paytable]):
    """Paytables in their order, to be taken by id in any case, or by place."""

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
        rows = [(one.id, one.title, str(one.bet.deal), one.decks_text) for one in self]
        return html_table(("Paytable", "Title", "Deal", "Decks"), rows)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of them all."""
        return tuple(one.id for one in self._paytables)

    def search(self, text: str) -> Catalog:
        """Keep those whose id, title or bet has all the words of a text.

        >>> catalog().search("trilux bonus").ids[:2]
        ('TRI-01', 'TRI-02')
        """
        return Catalog(search_paytables(self._paytables, str(text)))

    def __iter__(self) -> Iterator[Paytable]:
        return iter(self._paytables)

    def __len__(self) -> int:
        return len(self._paytables)

    def __contains__(self, one: object) -> bool:
        return one in self._paytables or str(one).lower() in {id.lower() for id in self.ids}

    @overload
    def __getitem__(self, place: str | int) -> Paytable: ...
    @overload
    def __getitem__(self, place: slice) -> Catalog: ...
    def __getitem__(self, place: str | int | slice) -> Paytable | Catalog:
        if isinstance(place, slice):
            return Catalog(self._paytables[place])
        if isinstance(place, int):
            return self._paytables[place]
        for one in self._paytables:
            if one.id.lower() == place.strip().lower():
                return one
        raise NoPaytableError(f"no paytable {quoted(place)}{did_you_mean(place, self.ids)}")


class NoPaytableError(InputError, KeyError):
    """A catalog has no paytable of that id."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


def catalog(file: str | PathLike[str] | None = None, *, shelf: str = MAIN) -> Catalog:
    """Give the paytables that come with the program, those of one shelf, or all those of a file.

    >>> catalog()["tri-03"].title
    'TriLux Bonus TRI-03'
    """
    if file is not None and not isinstance(file, (str, PathLike)):
        raise InputError(f"no file {quoted(file)}; give its name, as in catalog('mine.toml')")
    return Catalog(tuple(all_paytables(str(shelf))) if file is None else load_file(fspath(file)))
