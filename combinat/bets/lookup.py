"""Finding paytables: those that come with the program, and how an argument names one of them or a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from combinat.bets.load import load
from combinat.bets.paytable import Paytable
from decks import InputError, suggestion
from decks.errors import quoted

FOLDER = Path(__file__).parent / "catalog"


def files() -> list[Path]:
    """List the catalog's files in the order of their names."""
    return sorted(FOLDER.glob("*.toml"))


@lru_cache(maxsize=None)
def _load(path: Path) -> tuple[Paytable, ...]:
    return load(path)


def catalog() -> Iterator[Paytable]:
    """Give every paytable of the catalog."""
    for path in files():
        yield from _load(path)


def find(id: str) -> Paytable:
    """Give the catalog's paytable with this id, in capitals or not.

    >>> find("tri-03").title
    'TriLux Bonus TRI-03'
    """
    wanted = id.strip().lower()
    for path in files():
        if f'"{wanted}"' in path.read_text(encoding="utf-8").lower():  # spares parsing all the others
            for paytable in _load(path):
                if paytable.id.lower() == wanted:
                    return paytable
    ids = [paytable.id for paytable in catalog()]
    inside = [known for known in ids if wanted and wanted in known.lower()]
    hint = f"; did you mean {' or '.join(repr(known) for known in inside[:3])}?" if inside else suggestion(id, ids)
    raise InputError(f"no paytable {quoted(id)}{hint or '; combinat list shows them all'}")


def resolve(argument: str) -> tuple[Paytable, ...]:
    """Give the paytables that an argument means: a catalog id, a TOML file, or `file.toml:ID` for one of a file."""
    path, colon, wanted = argument.rpartition(":")
    if colon and path.lower().endswith(".toml"):
        paytables = load(path)
        for paytable in paytables:
            if paytable.id.lower() == wanted.lower():
                return (paytable,)
        ids = [paytable.id for paytable in paytables]
        raise InputError(
            f"{path}: no paytable {quoted(wanted)}{suggestion(wanted, ids) or '; it has ' + ', '.join(ids)}"
        )
    if argument.lower().endswith(".toml") or "/" in argument or "\\" in argument or Path(argument).exists():
        return load(argument)
    return (find(argument),)
