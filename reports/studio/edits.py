"""Edits of a bet's TOML text that keep its comments, spaces and order."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import reduce
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, InlineTable, Item, Null, SingleKey, Table

from combinat.bets.schema import parse_toml
from decks import InputError
from reports.studio.bets import check_text_size

Path = Sequence[str | int]

_FIRST_PAYTABLE = re.compile(r"^(?:#.*\n)*\[\[ *paytable *\]\]", re.MULTILINE)


def edit_text(body: Mapping[str, Any]) -> dict[str, Any]:
    r"""Return the text after edits, each of which sees the text of those before it.

    An edit sets the value at a path (`None` removes it), appends an item to a list, or swaps an item with the next one.

    >>> text = 'deal = "player:2" # cards\nhands = { Pair = "pair" }\n'
    >>> edit_text({"toml": text, "edits": [{"kind": "set", "path": ["hands", "Pair"], "value": "suited"}]})["toml"]
    'deal = "player:2" # cards\nhands = { Pair = "suited" }\n'
    """
    text = check_text_size(body["toml"])
    has_windows_lines = "\r\n" in text
    text = text.replace("\r\n", "\n")
    for edit in body["edits"]:
        kind, path, value = edit["kind"], edit["path"], edit.get("value")
        expected = _edit_data(parse_toml(text), kind, path, value)
        try:
            text = _edit(text, kind, path, value)
            is_right = tomllib.loads(text) == expected
        except (TOMLKitError, ValueError, LookupError, TypeError):
            is_right = False
        if not is_right:
            raise InputError(f"{_name(path)} can only be changed in the text; open Text")
    return {"toml": text.replace("\n", "\r\n") if has_windows_lines else text}


def _edit_data(data: Any, kind: str, path: Path, value: Any) -> Any:
    """Return the plain data after an edit, which the edited text must hold."""
    parent = data = deepcopy(data)
    *parents, key = path
    try:
        for step in parents:
            if kind == "set" and value is not None and isinstance(parent, dict):
                parent.setdefault(str(step), {})
            parent = parent[step]
        if kind == "append":
            parent.setdefault(key, []).append(value)
        elif kind == "swap":
            index = int(key)
            parent[index], parent[index + 1] = parent[index + 1], parent[index]
        elif value is None:
            del parent[key]
        else:
            parent[key] = value
    except (LookupError, TypeError, AttributeError):
        raise InputError(f"the text has no {_name(path)}") from None
    return data


def _name(path: Path) -> str:
    return ".".join(str(step + 1 if isinstance(step, int) else step) for step in path)


def _edit(text: str, kind: str, path: Path, value: Any) -> str:
    document = tomlkit.parse(text)
    if len(path) > 1 and path[0] not in document:
        document = tomlkit.parse(_add_section(text, str(path[0])))
    parent: Any = document
    *parents, key = path
    for depth, step in enumerate(parents, 1):
        if isinstance(parent, (Table, InlineTable)) and step not in parent:
            key, value = step, reduce(lambda inner, name: {name: inner}, reversed(path[depth:]), value)
            break
        parent = parent[step]
    if kind == "append":
        _append(parent, key, value)
    elif kind == "swap":
        _swap(parent, int(key))
    elif value is None:
        del parent[key]
    else:
        parent[key] = _as_item(value)
    return tomlkit.dumps(document)


def _add_section(text: str, name: str) -> str:
    """Add an empty table before the first paytable, or at the end."""
    first_paytable = _FIRST_PAYTABLE.search(text)
    if first_paytable is None:
        return f"{text.rstrip()}\n{name} = {{}}\n"
    start = first_paytable.start()
    return f"{text[:start]}[{name}]\n\n{text[start:]}"


def _append(parent: Any, key: str | int, value: Any) -> None:
    if isinstance(parent, Table) and isinstance(parent.get(str(key)), (AoT, type(None))):
        table = tomlkit.table()
        for field, item in value.items():
            table[field] = _as_item(item)
        tables = parent.get(str(key), tomlkit.aot())
        tables.append(table)
        parent[str(key)] = tables
        return
    if key not in parent:
        parent[key] = tomlkit.array()
    parent[key].append(_as_item(value))


def _as_item(value: Any) -> Item:
    return tomlkit.value(_format(value))


def _format(value: Any) -> str:
    """Return a value as TOML: a table in one line, a list of tables with a line for each."""
    if isinstance(value, Mapping):
        fields = [f"{SingleKey(key).as_string()} = {_format(field)}" for key, field in value.items()]
        return f"{{ {', '.join(fields)} }}"
    if isinstance(value, list):
        return "".join(["[\n", *(f"  {_format(item)},\n" for item in value), "]"])
    return str(tomlkit.item(value).as_string())


def _swap(items: Array | AoT, index: int) -> None:
    """Swap an item with the next one, each with the comment on its line and those on the lines above it.

    tomlkit has no public function for this: `_value` lists the items with their indents, commas and comments.
    """
    if isinstance(items, AoT):
        items.insert(index + 1, items.pop(index))
        return
    groups = items._value
    ends = [number for number, group in enumerate(groups) if not isinstance(group.value, (Null, type(None)))]
    first, second = (groups[_comment_start(groups, end) : end + 1] for end in ends[index : index + 2])
    first[-1].comma, second[-1].comma = second[-1].comma, first[-1].comma
    first[0].indent, second[0].indent = second[0].indent, first[0].indent
    start = _comment_start(groups, ends[index])
    stop = ends[index + 1] + 1
    between = groups[ends[index] + 1 : stop - len(second)]
    groups[start:stop] = [*second, *between, *first]


def _comment_start(groups: list[Any], index: int) -> int:
    """Return the index of the first comment on the lines directly above an item."""
    while index and isinstance(groups[index - 1].value, Null) and _begins_line(groups[index - 1]):
        index -= 1
    return index


def _begins_line(group: Any) -> bool:
    return group.comment is not None and group.indent is not None and "\n" in group.indent.s
