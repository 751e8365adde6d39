"""Random edits of par sheets with recomputed fingerprints, which the verifier must not accept.

Run `python -m tests.combinat.verifier.edits 10000 SHEET.json ...` for a long run; tests use a small seeded sample.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from combinat.verifier import expected as module
from combinat.verifier import outlook
from combinat.verifier.report import verify
from combinat.verifier.sheet import NotCountedError, SheetError, fingerprint

OPEN = (
    *("identification.revision", "identification.date", "identification.prepared_by", "identification.reviewed_by"),
    *("identification.jurisdiction", "identification.history", "identification.software"),
    *("verification", "rule_in_words", "checks", "caption"),
)
"""The closed list: prose, and fields that are not checked, none of which is a figure."""


def remember_counts(monkeypatch: Any = None) -> None:
    """Count the same cards once: edits that do not change the bet are compared with the same count."""
    known: dict[Any, Any] = {}

    def remembered(kind: Any) -> Any:
        def build(bet: Any, *arguments: Any) -> Any:
            texts = tuple([rule.text for rule in bet.every_rule])
            key = (kind, texts, bet.condition is None, tuple(bet.sizes.items()), bet.shoe, bet.roles_apart, arguments)
            if key not in known:
                known[key] = kind(bet, *arguments)
            return known[key]

        return build

    for name in ("FixedDeal", "BaccaratDeal"):
        setattr(module, name, remembered(getattr(module, name)))
    outlook.panjer = lru_cache(maxsize=None)(_hashable(outlook.panjer))  # type: ignore[assignment]
    del monkeypatch


def _hashable(function: Any) -> Any:
    def call(first: Any, steps: Any, *arguments: Any) -> Any:
        return function(first, list(steps), *arguments)

    cached = lru_cache(maxsize=None)(call)
    return lambda first, steps, *arguments: cached(first, tuple(steps), *arguments)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [found for at, item in enumerate(value) for found in leaves(item, (*path, at))]
    return [path]


def parent(sheet: Any, path: tuple[Any, ...]) -> Any:
    """Return the table or list that holds a value."""
    for step in path[:-1]:
        sheet = sheet[step]
    return sheet


def alter(value: Any, chance: random.Random) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 7))
    if value is None:
        return chance.choice((0, "1/2", "text"))
    digits = [at for at, character in enumerate(value) if character.isdigit()]
    if digits and chance.random() < 0.8:
        at = chance.choice(digits)
        return value[:at] + str((int(value[at]) + chance.randrange(1, 10)) % 10) + value[at + 1 :]
    return value + chance.choice((" ", "x", " or better"))


def edit(sheet: dict[str, Any], chance: random.Random) -> tuple[dict[str, Any], str] | None:
    """Return a sheet with one random edit, and its description; `None` if the edit changes nothing."""
    forged = copy.deepcopy(sheet)
    path = chance.choice(leaves(forged))
    holder, last = parent(forged, path), path[-1]
    kind = chance.choice(("alter", "alter", "alter", "delete", "duplicate", "swap", "add"))
    if kind == "alter":
        holder[last] = alter(holder[last], chance)
    elif kind == "delete":
        del holder[last]
    elif kind == "duplicate":
        lists = [part for at in range(1, len(path)) if isinstance(part := parent(forged, (*path[:at], "")), list)]
        rows = lists[-1] if lists else None
        if rows is None:
            return None
        rows.insert(chance.randrange(len(rows) + 1), copy.deepcopy(chance.choice(rows)))
    elif kind == "swap":
        other = chance.choice(leaves(forged))
        other_holder = parent(forged, other)
        if holder[last] == other_holder[other[-1]]:
            return None
        holder[last], other_holder[other[-1]] = other_holder[other[-1]], holder[last]
        kind = f"swap with {'.'.join(map(str, other))}"
        if is_open(other) and is_open(path):
            return None
    elif isinstance(holder, dict):
        holder["approved"] = True
    else:
        holder.append(copy.deepcopy(holder[0]))
    if forged == sheet:
        return None
    if path[-1] != "data_sha256":
        forged["data_sha256"] = fingerprint(forged)
    return forged, f"{kind} {'.'.join(map(str, path))}"


def is_open(path: tuple[Any, ...]) -> bool:
    """Return whether a path is in the closed list of prose and unchecked fields."""
    text = ".".join([str(step) for step in path if not isinstance(step, int)])
    return any(text == name or text.startswith(f"{name}.") or text.endswith(f".{name}") for name in OPEN) or any(
        step in ("verification", "checks", "history") for step in path
    )


def is_accepted(sheet: dict[str, Any]) -> bool:
    """Return whether the verifier accepts a sheet; a sheet that cannot be read is not accepted."""
    try:
        return verify(json.loads(json.dumps(sheet)), max_hands=100_000).agrees
    except (SheetError, NotCountedError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError):
        return False


def run(sheets: list[dict[str, Any]], number: int, seed: int) -> list[str]:
    """Return the descriptions of edits that were accepted outside the closed list."""
    chance, wrong, seen = random.Random(seed), list[str](), Counter[str]()
    while seen.total() < number:
        sheet = chance.choice(sheets)
        edited = edit(sheet, chance)
        if edited is None:
            continue
        forged, what = edited
        path = tuple([int(step) if step.isdigit() else step for step in what.split(" ")[-1].split(".")])
        seen[what.split(" ")[0]] += 1
        if is_accepted(forged) and not is_open(path):
            wrong.append(f"{sheet['paytable']}: {what}")
            print(wrong[-1], flush=True)
        if seen.total() % 500 == 0:
            print(seen.total(), dict(seen), len(wrong), flush=True)
    return wrong


if __name__ == "__main__":
    remember_counts()
    files = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[2:]]
    print(len(run(files, int(sys.argv[1]), 1)), "accepted")
