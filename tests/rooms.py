"""The rooms of the house and who knows whom: `python -m tests.rooms` prints the import graph between them."""

import ast
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ORDER = (
    "decks",
    "combinat.cache",
    "combinat.parallel",
    "combinat.exact",
    "combinat.language",
    "combinat.enumeration",
    "combinat.enumeration.fixed",
    "combinat.enumeration.dealer",
    "combinat.enumeration.baccarat",
    "combinat.enumeration.lucky9",
    "combinat.bets",
    "combinat.analysis",
    "combinat.meters",
    "combinat.blackjack",
    "combinat.finder",
    "combinat.study",
    "combinat.figures",
    "combinat.counting",
    "combinat.verifier",
    "combinat.api",
    "combinat",
    "reports.page",
    "reports.tables",
    "reports.answers",
    "reports.sheet",
    "reports.diff",
    "reports.render",
    "reports.publish",
    "reports.cli",
    "reports.studio",
    "reports",
    "combinat.__main__",
)
"""From the top down: a room knows only those above it."""
ROOMS = ("decks", "combinat", "reports")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
HALLS = ("combinat", "reports")
"""Rooms of nothing but a package's own `__init__` and `__main__`: whatever else lies there needs a room of its own."""


def module_name(path):
    """Name the module that a file is."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = frozenset(map(module_name, SOURCES))


@lru_cache(maxsize=None)
def nodes_of(path):
    """Read a file and list what its code is made of, each part after the one that it is part of."""
    found = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in found:  # which grows meanwhile; `ast.walk` takes twice as long, and lists how each name is used too
        for field in node._fields:
            part = getattr(node, field, None)
            if isinstance(part, list):
                found += [one for one in part if isinstance(one, ast.AST)]
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context):
                found.append(part)
    return found


def imports(path):
    """Give the full name of every module that a file imports, at its top or within a function."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name"
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from dict.fromkeys(name if name in MODULES else node.module for name in named)


def room_of(module):
    """Find the room that a module is in: the longest name of a room that it begins with."""
    found = [room for room in ORDER if module == room or module.startswith(_inside(room))]
    return max(found, key=len) if found else None


def _inside(room):
    return f"{room}.__main__" if room in HALLS else f"{room}."


def edges():
    """For each room, the rooms that it knows, with the files that import them."""
    known = defaultdict(lambda: defaultdict(list))
    for path in SOURCES:
        here = room_of(module_name(path))
        for module in imports(path):
            there = room_of(module)
            if there is not None and there != here:
                known[here][there].append(module_name(path))
    return known


if __name__ == "__main__":
    for room, others in sorted(edges().items(), key=lambda item: ORDER.index(item[0])):
        print(f"{room}: {', '.join(sorted(others, key=ORDER.index))}")
