"""The packages in import order: `python -m tests.packages` prints which package imports which."""

import ast
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ORDER = (
    "decks",
    "combinat.version",
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
    "combinat.betting",
    "combinat.analysis",
    "combinat.meters",
    "combinat.blackjack",
    "combinat.study",
    "combinat.alternatives",
    "combinat.figures",
    "combinat.counting",
    "combinat.finder",
    "combinat.verifier",
    "combinat.results",
    "combinat.requests",
    "combinat.api",
    "combinat",
    "reports.page",
    "reports.tables",
    "reports.answers",
    "reports.sheet",
    "reports.diff",
    "reports.render",
    "reports.publish",
    "reports.submission",
    "reports.studio",
    "reports.cli",
    "reports",
    "combinat.__main__",
)
"""A package imports only packages above it."""
TOP_LEVEL = ("decks", "combinat", "reports")
SOURCES = sorted(path for package in TOP_LEVEL for path in (ROOT / package).rglob("*.py"))
ONLY_INIT_AND_MAIN = ("combinat", "reports")
"""Packages that hold only `__init__` and `__main__` themselves; other modules in them are listed in `ORDER`."""


def module_name(path):
    """Return the dotted name of a file's module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = frozenset(map(module_name, SOURCES))


@lru_cache(maxsize=None)
def nodes_of(path):
    """Return all nodes of a file's syntax tree, parents before children, without expression contexts."""
    nodes = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in nodes:  # the list grows meanwhile; this takes half the time of `ast.walk`
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                nodes += [item for item in child if isinstance(item, ast.AST)]
            elif isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                nodes.append(child)
    return nodes


def imports(path):
    """Yield the full name of every module that a file imports, at its top or within a function."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name"
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from dict.fromkeys(name if name in MODULES else node.module for name in named)


def package_of(module):
    """Return the package of `ORDER` that a module belongs to (the longest match), or `None`."""
    matches = [package for package in ORDER if module == package or module.startswith(_prefix(package))]
    return max(matches, key=len) if matches else None


def _prefix(package):
    return f"{package}.__main__" if package in ONLY_INIT_AND_MAIN else f"{package}."


def imports_by_package():
    """Return {importing package: {imported package: modules that import it}}."""
    edges = defaultdict(lambda: defaultdict(list))
    for path in SOURCES:
        importing = package_of(module_name(path))
        for module in imports(path):
            imported = package_of(module)
            if imported is not None and imported != importing:
                edges[importing][imported].append(module_name(path))
    return edges


if __name__ == "__main__":
    for package, imported in sorted(imports_by_package().items(), key=lambda item: ORDER.index(item[0])):
        print(f"{package}: {', '.join(sorted(imported, key=ORDER.index))}")
