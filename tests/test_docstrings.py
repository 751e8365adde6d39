"""Docstrings of public methods exist, and docstrings name only parameters and other names that exist."""

import ast
import builtins
import inspect
import re
from importlib import import_module

import pytest

from tests.packages import MODULES, SOURCES, module_name, nodes_of

QUOTED_WORD = re.compile(r"`([a-z_][A-Za-z_0-9]*)`")
VALUES = {
    "return",
    "h17",
    "s17",
    "q",
    "to",
    "running",
    "up",
    "dealer",
    "up_cards",
    "detail",
    "error",
    "warning",
    "agrees",
    "differences",
    "house_edges",
    "variances",
    "table",
    "head",
    "ranks_7_7_7",
    "ranks_A_K_Q",
}
"""Words in backticks that are no names: values, keys of JSON data, roles, words of the rule language, and programs."""


def public_methods(owner):
    """Yield the public methods and properties that a class itself defines."""
    for name, value in vars(owner).items():
        function = getattr(value, "__func__", None) or getattr(value, "fget", None) or getattr(value, "func", value)
        is_written_here = inspect.isfunction(function) and function.__qualname__ == f"{owner.__qualname__}.{name}"
        if not name.startswith("_") and is_written_here:
            yield name, function


def overrides(owner, name):
    return any(name in vars(base) for base in owner.__mro__[1:])


@pytest.mark.parametrize("package", ["decks", "combinat", "reports"])
def test_public_methods_have_docstrings(package):
    modules = [import_module(name) for name in sorted(MODULES) if name.split(".")[0] == package]
    missing = {
        f"{owner.__module__}.{owner.__qualname__}.{name}"
        for module in modules
        for owner in vars(module).values()
        if inspect.isclass(owner) and owner.__module__ == module.__name__ and not owner.__name__.startswith("_")
        for name, function in public_methods(owner)
        if not function.__doc__ and not overrides(owner, name)
    }
    assert not missing


def test_method_without_docstring_is_found():
    class Base:
        def documented(self):
            """Return nothing."""

        def bare(self):
            pass

    class Derived(Base):
        def documented(self):
            pass

    assert [name for name, function in public_methods(Base) if not function.__doc__] == ["bare"]
    assert overrides(Derived, "documented")
    assert not overrides(Base, "bare")


def names_of(nodes):
    """Return the names that a module defines, imports or uses as attributes, other than parameters and locals."""
    names = set(dir(builtins))
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Attribute(attr=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add((alias or name).split(".")[-1])
            case ast.Module(body=body):
                statements = [statement for statement in body if isinstance(statement, ast.Assign)]
                names |= {name.id for line in statements for name in ast.walk(line) if isinstance(name, ast.Name)}
    return names


def unknown_words(nodes):
    """Yield the function and each word in backticks of its docstring that is neither a parameter nor another name."""
    names = names_of(nodes)
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parameters = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
            prose = (ast.get_docstring(node) or "").split(">>>")[0]
            for word in QUOTED_WORD.findall(prose):
                if word not in parameters | names | VALUES:
                    yield node.name, word


@pytest.mark.parametrize("package", ["decks", "combinat", "reports"])
def test_words_in_backticks_are_parameters_or_names(package):
    paths = [path for path in SOURCES if module_name(path).split(".")[0] == package]
    assert not {path.name: unknown for path in paths if (unknown := list(unknown_words(nodes_of(path))))}


def test_docstring_that_names_no_parameter_is_found():
    source = 'LIMIT = 3\ndef renamed(text):\n    """Parse `text` up to `LIMIT`, `None` or `line`."""\n'
    nodes = list(ast.walk(ast.parse(source)))
    assert list(unknown_words(nodes)) == [("renamed", "line")]
