"""Random edits of par sheets with recomputed fingerprints, which the verifier must not accept.

The sheet is counted once, and every value that the verifier reads for it is remembered. An edit of a value that it did
not read leaves what the sheet should say as it was, so only the comparison runs again; other edits are verified in
full. Run `python -m tests.combinat.verifier.edits 10000 SHEET.json ...` for a long run; tests use a small sample.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from combinat import verifier
from combinat.verifier import blackjack, expected, outlook, report
from combinat.verifier.sheet import Amount, By, NotCountedError, SheetError, fingerprint, write

Path_ = tuple[Any, ...]

GIVEN_BY_PREPARER = (
    *("identification.revision", "identification.date", "identification.prepared_by", "identification.reviewed_by"),
    *("identification.jurisdiction", "identification.history", "identification.document_is_given"),
)
CLOSED_LIST = {
    **dict.fromkeys(GIVEN_BY_PREPARER, "given by the preparer of the sheet"),
    "identification.software": "the program that wrote the sheet",
    "awards.rule_in_words": "prose: the rule in English",
    "checks.check": "prose: what a check is called",
    "play.charts.caption": "prose: the title of a chart",
    "eligibility.charts": "the printed strategy that figures per eligible hand assume",
    "option.certificate": "the hash of a file that is not beside the sheet in this test",
}
"""Fields whose edits are accepted, and why; none is a count, pay, probability, edge, hold or variance."""
CLOSED_FOR_ROUNDS = dict.fromkeys(
    [f"deck_sensitivity.{key}" for key in expected.DECK_FIGURES], "best play at other deck counts, without --full"
)
CHOICES = {
    "exposure.max_wager": "the largest wager that the preparer chose",
}
"""Inputs of the preparer: changed with every figure that follows from them, the sheet is another true sheet."""


class Reads:
    """A part of a sheet that remembers which of its values were read."""

    def __init__(self) -> None:
        self.paths: set[Path_] = set()

    def wrap(self, value: Any, path: Path_ = ()) -> Any:
        """Return a part of a sheet with its path."""
        if isinstance(value, dict):
            return ReadDict({key: self.wrap(item, (*path, key)) for key, item in value.items()}, self, path)
        if isinstance(value, list):
            return ReadList([self.wrap(item, (*path, at)) for at, item in enumerate(value)], self, path)
        return value

    def has(self, path: Path_) -> bool:
        """Return whether a value at a path was read, or how many values its list or table has."""
        return path in self.paths or any((*path[:end], "*") in self.paths for end in range(len(path)))


class ReadDict(dict[str, Any]):
    """A table that remembers its keys that were read."""

    def __init__(self, values: dict[str, Any], reads: Reads, path: Path_) -> None:
        super().__init__(values)
        self.reads, self.path = reads, path

    def note(self, key: Any) -> None:
        self.reads.paths.add((*self.path, key))

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if not isinstance(value, (ReadDict, ReadList)):
            self.note(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        if key not in self.keys_quietly():
            self.note(key)
            return default
        return self[key]

    def __contains__(self, key: object) -> bool:
        self.note(key)
        return super().__contains__(key)

    def keys_quietly(self) -> Any:
        return dict.keys(self)

    def __iter__(self) -> Any:
        self.note("*")
        return super().__iter__()

    def keys(self) -> Any:
        self.note("*")
        return super().keys()

    def items(self) -> Any:
        self.note("*")
        return super().items()

    def values(self) -> Any:
        self.note("*")
        return super().values()

    def __len__(self) -> int:
        self.note("*")
        return super().__len__()

    def __eq__(self, other: object) -> bool:
        self.note("*")
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: Any) -> Any:
        return ReadDict({key: copy.deepcopy(value, memo) for key, value in super().items()}, self.reads, self.path)


class ReadList(list[Any]):
    """A list that remembers that it was read."""

    def __init__(self, values: list[Any], reads: Reads, path: Path_) -> None:
        super().__init__(values)
        self.reads, self.path = reads, path

    def note(self) -> None:
        self.reads.paths.add((*self.path, "*"))

    def __iter__(self) -> Any:
        # the number of rows matters, and rows that are values; what is in tables is remembered by them
        self.reads.paths.add((*self.path, "rows"))
        if any(not isinstance(value, (ReadDict, ReadList)) for value in super().__iter__()):
            self.note()
        return super().__iter__()

    def __getitem__(self, at: Any) -> Any:
        value = super().__getitem__(at)
        if not isinstance(value, (ReadDict, ReadList)):
            self.note()
        self.reads.paths.add((*self.path, "rows"))
        return value

    def __contains__(self, value: object) -> bool:
        self.note()
        return super().__contains__(value)

    def __len__(self) -> int:
        self.reads.paths.add((*self.path, "rows"))
        return super().__len__()

    def __deepcopy__(self, memo: Any) -> Any:
        return ReadList([copy.deepcopy(value, memo) for value in super().__iter__()], self.reads, self.path)


def read_field(part: Any, key: str, kind: type) -> Any:
    """Return a value as `sheet.field` does, for tables that remember what was read too."""
    value = part.get(key) if isinstance(part, dict) else None
    plain = {ReadDict: dict, ReadList: list}.get(type(value), type(value))
    if plain is not kind:
        raise SheetError(f"'{key}' is missing or is not a {kind.__name__}")
    return value


MODULES = [module for name, module in sys.modules.items() if name.startswith("combinat.verifier.")]


@contextmanager
def patched() -> Iterator[None]:
    """Read through tables that remember what was read; add up the same plays, and play the same hands, once."""

    def panjer(first: Any, steps: Any, *arguments: Any) -> Any:
        return known_panjer(first, tuple(steps), *arguments)

    def table(counts: Any, rules: Any, up: int, *, infinite: bool = False) -> Any:
        return known_table(counts, rules, up, infinite)

    def build(counts: Any, rules: Any, up: int, infinite: bool) -> Any:  # arguments of a cache
        return plain_table(counts, rules, up, infinite=infinite)

    plain_panjer, plain_table = outlook.panjer, blackjack.ActionTable
    known_panjer = lru_cache(maxsize=None)(lambda first, steps, *rest: plain_panjer(first, list(steps), *rest))
    known_table = lru_cache(maxsize=None)(build)
    with ExitStack() as stack:
        for module in MODULES:
            if hasattr(module, "field"):
                stack.enter_context(patch.object(module, "field", read_field))
        stack.enter_context(patch.object(outlook, "panjer", panjer))
        stack.enter_context(patch.object(blackjack, "ActionTable", table))
        yield


class Counted:
    """A sheet that was counted, with what was read for it."""

    def __init__(self, sheet: dict[str, Any]) -> None:
        self.sheet = sheet
        self.counted: dict[Any, Any] = {}
        reads = Reads()
        self.expected = expected.Expected(reads.wrap(sheet), max_hands=MAX_HANDS, counted=self.counted)
        self.tree = self.expected.tree()
        self.reads = reads
        self.expected.tree = lambda: self.tree  # type: ignore[method-assign]

    def is_read(self, paths: list[Path_]) -> bool:
        """Return whether an edit at some paths could change what the sheet should say."""
        return any(self.reads.has(path) for path in paths)

    def is_accepted(self, forged: dict[str, Any], paths: list[Path_]) -> bool:
        """Return whether the verifier accepts an edited sheet; one that cannot be read is not accepted."""
        if self.is_read(paths):
            return is_accepted(forged, self.counted)
        self.expected.sheet = forged
        with patch.object(report, "Expected", lambda *_arguments, **_options: self.expected), suppress(*REFUSALS):
            return report.verify(forged, max_hands=MAX_HANDS).agrees
        return False


MAX_HANDS = 100_000
REFUSALS = (SheetError, NotCountedError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError)


def is_accepted(sheet: dict[str, Any], counted: dict[Any, Any] | None = None) -> bool:
    """Return whether the verifier accepts a sheet; one that cannot be read is not accepted."""
    try:
        return verifier.verify(json.loads(json.dumps(sheet)), max_hands=MAX_HANDS, counted=counted).agrees
    except REFUSALS:
        return False


# Edits


def leaves(value: Any, path: Path_ = ()) -> list[Path_]:
    """Return the paths of all values."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [found for at, item in enumerate(value) for found in leaves(item, (*path, at))]
    return [path]


def at_path(sheet: Any, path: Path_) -> Any:
    """Return the value at a path."""
    for step in path:
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


KINDS = ("alter", "alter", "alter", "delete", "duplicate", "swap", "add")


def choose_leaf(sheet: dict[str, Any], chance: random.Random) -> Path_:
    """Return the path of a value: of each section equally often."""
    key = chance.choice([key for key in sheet if leaves(sheet[key])])
    return chance.choice(leaves(sheet[key], (key,)))


class Edit:
    """One random edit: the edited sheet, what was done, and the paths that it touches."""

    def __init__(self, sheet: dict[str, Any], chance: random.Random) -> None:
        self.sheet = copy.deepcopy(sheet)
        self.path = path = choose_leaf(sheet, chance)
        self.paths = [path]
        self.kind = chance.choice(KINDS)
        holder, last = at_path(self.sheet, path[:-1]), path[-1]
        if self.kind == "alter":
            holder[last] = alter(holder[last], chance)
        elif self.kind == "delete":
            del holder[last]
            self.paths += [(*path[:-1], "rows")] if isinstance(holder, list) else []
            self.paths += leaves(sheet) if isinstance(holder, list) and path[:-1] == () else []
        elif self.kind == "duplicate":
            ends = [end for end in range(1, len(path)) if isinstance(at_path(self.sheet, path[:end]), list)]
            if ends:
                rows = at_path(self.sheet, path[: ends[-1]])
                rows.insert(chance.randrange(len(rows) + 1), copy.deepcopy(chance.choice(rows)))
                self.paths = [(*path[: ends[-1]], "rows"), *leaves(rows, path[: ends[-1]])]
        elif self.kind == "swap":
            other = choose_leaf(sheet, chance)
            other_holder = at_path(self.sheet, other[:-1])
            holder[last], other_holder[other[-1]] = other_holder[other[-1]], holder[last]
            self.paths.append(other)
        elif isinstance(holder, dict):
            holder["approved"] = True
            self.paths = [(*path[:-1], "approved")]
        else:
            holder.append(copy.deepcopy(holder[0]))
            self.paths = [(*path[:-1], "rows"), *leaves(holder, path[:-1])]
        self.changes = self.sheet != sheet
        if self.changes and path != ("data_sha256",):
            self.sheet["data_sha256"] = fingerprint(self.sheet)

    def __str__(self) -> str:
        return f"{self.kind} {'.'.join(map(str, self.path))}"


def field_of(path: Path_) -> str:
    """Return the name of a field without row numbers."""
    return ".".join([str(step) for step in path if not isinstance(step, int)])


def open_field(path: Path_, sheet: dict[str, Any]) -> str:
    """Return the field of the closed list that a path belongs to; empty if it belongs to none."""
    text = field_of(path)
    names = [*CLOSED_LIST, *(CLOSED_FOR_ROUNDS if sheet["deal"].startswith("lucky") else ())]
    return next((name for name in names if text == name or text.startswith(f"{name}.")), "")


def fill(stated: Any, tree: Any) -> Any:
    """Return a part of a sheet with every plain value as it should be."""
    if isinstance(tree, By):
        return fill(stated, tree.part)
    if isinstance(tree, dict) and not isinstance(tree, Amount) and isinstance(stated, dict):
        return {key: fill(value, tree[key]) if key in tree else value for key, value in stated.items()}
    if isinstance(tree, list) and isinstance(stated, list):
        if len(tree) != len(stated):
            return stated
        return [fill(value, part) for value, part in zip(stated, tree, strict=True)]
    value = write(tree)
    return value if value is None or isinstance(value, (str, int)) else stated


def derive(forged: dict[str, Any], path: Path_, counted: dict[Any, Any]) -> dict[str, Any] | None:
    """Return a sheet with everything that follows from an edited value, which stays; `None` if it cannot be read."""
    try:
        part = expected.Expected(json.loads(json.dumps(forged)), max_hands=MAX_HANDS, counted=counted)
        filled = fill(forged, part.tree())
        holder = at_path(filled, path[:-1])
        holder[path[-1]] = at_path(forged, path)
    except (*REFUSALS, RecursionError):
        return None
    filled["data_sha256"] = fingerprint(filled)
    return filled  # type: ignore[no-any-return]


class Result:
    """The result of many edits."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        """Accepted edits by field of the closed list."""
        self.wrong: list[str] = []
        self.compared, self.derived = 0, 0


def try_edits(sheet: Counted, number: int, chance: random.Random, result: Result) -> None:
    """Try edits of one sheet."""
    tried = 0
    while tried < number:
        edit = Edit(sheet.sheet, chance)
        if not edit.changes:
            continue
        tried += 1
        result.kinds[edit.kind] += 1
        accepted = sheet.is_accepted(edit.sheet, edit.paths)
        if not sheet.is_read(edit.paths):
            result.compared += 1
            if chance.random() < 0.01 and accepted != is_accepted(edit.sheet, sheet.counted):
                result.wrong.append(f"{sheet.sheet['paytable']}: {edit}: full verification decides otherwise")
        elif not accepted and edit.kind == "alter" and edit.path != ("data_sha256",) and chance.random() < 0.3:
            derived = derive(edit.sheet, edit.path, sheet.counted)
            result.derived += 1
            if derived is not None and is_accepted(derived, sheet.counted) and field_of(edit.path) not in CHOICES:
                result.wrong.append(f"{sheet.sheet['paytable']}: {edit} with all that follows from it")
        if accepted:
            names = [open_field(path, sheet.sheet) for path in edit.paths if path[-1] != "rows"]
            if all(names):
                result.accepted[names[0]] += 1
            else:
                result.wrong.append(f"{sheet.sheet['paytable']}: {edit}")


def run(paths: list[str], number: int, seed: int) -> Result:
    """Try edits of sheets, the same number of each, and print what was accepted."""
    result, each = Result(), -(-number // len(paths))
    for path in paths:
        sheet = Counted(json.loads(Path(path).read_text(encoding="utf-8")))
        if not is_accepted(sheet.sheet, sheet.counted):
            print(f"{path}: the sheet itself is not accepted", flush=True)
            continue
        before = len(result.wrong)
        try_edits(sheet, each, random.Random(f"{seed} {path}"), result)
        wrong = result.wrong[before:]
        print(f"{Path(path).name}: {each} edits, {len(wrong)} wrongly accepted", *wrong, sep="\n  ", flush=True)
    return result


def main(arguments: list[str]) -> None:
    """Run many edits: NUMBER SHEET.json ..."""
    with patched():
        result = run(arguments[1:], int(arguments[0]), 1)
    print(f"{result.kinds.total():,} edits {dict(result.kinds)}; {result.compared:,} by comparison, "
          f"{result.derived:,} also with all that follows")  # fmt: skip
    for name, count in sorted(result.accepted.items()):
        print(f"accepted: {count} of {name} ({(CLOSED_LIST | CLOSED_FOR_ROUNDS)[name]})")
    print(f"{len(result.wrong)} wrongly accepted")


if __name__ == "__main__":
    main(sys.argv[1:])
