"""How the parts of a sheet are found by a path such as `up_cards[].awards[]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combinat.verifier.reading import shown


def found(value: Any, path: str, name: str = "") -> Iterator[tuple[str, Any]]:
    """Find every part of a sheet that has a path, each with the beginning of its keys.

    >>> [name for name, _ in found({"up_cards": [{"awards": [1, 2]}]}, "up_cards[].awards[]")]
    ['up_cards[0]: awards[0]: ', 'up_cards[0]: awards[1]: ']
    """
    step, _, rest = path.partition(".")
    key = step.removesuffix("[]")
    inner = value.get(key) if isinstance(value, dict) else None
    if step.endswith("[]"):
        for at, one in enumerate(inner if isinstance(inner, list) else []):
            place = f"{name}{key}[{at}]{label_of(one)}: "
            yield from found(one, rest, place) if rest else [(place, one)]
    elif inner is not None:
        yield from found(inner, rest, f"{name}{key}.") if rest else [(f"{name}{key}.", inner)]


def label_of(part: Any) -> str:
    """Name a part by its name, if it has one."""
    return f" {shown(part['name'])}" if isinstance(part, dict) and isinstance(part.get("name"), str) else ""


def column(sheet: dict[str, Any], path: str, key: str) -> list[Any]:
    """List what the rows of a table say under a key."""
    return [part.get(key) for _, part in found(sheet, path) if isinstance(part, dict)]


def columns(sheet: dict[str, Any], path: str, *keys: str) -> list[tuple[Any, ...]]:
    """List what the rows of a table say under some keys."""
    there = [part for _, part in found(sheet, path) if isinstance(part, dict)]
    return [tuple([part.get(key) for key in keys]) for part in there]
