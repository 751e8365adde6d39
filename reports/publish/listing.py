"""The lists that a folder of par sheets opens with, which may never name what is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from combinat.bets.reading import read_small
from decks import InputError
from decks.errors import shortened
from reports.page.files import check_replaceable
from reports.publish.ownership import LISTS, SUMS, is_foreign, is_own_sums

_MOST_BYTES = 1 << 24


def check_own_files(folder: Path, names: Iterable[str]) -> None:
    """Refuse to write into a folder where a file of one of the names is there that combinat did not write."""
    listed = listed_fingerprints(folder)
    foreign = [name for name in names if name not in listed and is_foreign(folder / name)]
    if foreign:
        others = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise InputError(
            f"{shortened(folder / foreign[0])}{others}: not written by combinat; choose another folder with --output, "
            "or replace with --force"
        )


def take_lists_away(folder: Path, *, force: bool = False) -> None:
    """Remove the lists of an earlier run, before the first of their sheets is written over.

    Files of their names that combinat did not write stay, unless `force` is set.
    """
    paths = [folder / name for name in LISTS]
    paths = [path for path in paths if force or not is_foreign(path)]
    for path in paths:
        check_replaceable(path)
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"cannot remove {path}: {error.strerror}") from None


def take_false_lists_away(folder: Path, fingerprints: Mapping[str, str]) -> None:
    """Remove a folder's lists if they have another fingerprint for a file that is about to be written."""
    listed = listed_fingerprints(folder)
    if any(listed.get(name, sha256) != sha256 for name, sha256 in fingerprints.items()):
        take_lists_away(folder)


def listed_fingerprints(folder: Path) -> dict[str, str]:
    """Read which files a folder's sums name, with their fingerprints; none if there are no sums to be read."""
    try:
        text = read_small(folder / SUMS, _MOST_BYTES).decode("utf-8")
    except (OSError, ValueError):
        return {}
    if not is_own_sums(text):
        return {}
    lines = (line.partition("  ") for line in text.splitlines())
    return {name: sha256 for sha256, _, name in lines}


def sums_text(files: Sequence[tuple[str, str]]) -> str:
    """Write each file's fingerprint and name as `sha256sum --check` reads them."""
    return "".join(f"{sha256}  {name}\n" for name, sha256 in files)
