"""Reference pages as Markdown, generated from the program: commands, Python functions, JSON answers, keys of a file.

The documentation site and `combinat help` insert them into their pages.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_type_hints

import msgspec
from typer.main import get_command

import combinat
import combinat.requests
import combinat.results
from combinat.bets import schema
from combinat.requests.request import Request, request_fields
from combinat.results.answer import Answer
from combinat.results.par_sheet import sheet_schema
from reports.cli.help import split_examples
from reports.cli.main import app

_DOCTEST = re.compile(r"(?:^>>> .*\n(?:^(?!>>> |$).*\n)*)+", re.MULTILINE)


FILE_KEYS = {
    "alternative": "what else the source may mean; the sheet computes its edge",
    "all_pays_deducted": "whether all pays, not only those of the meters, are costs of the hold",
    "assumptions": "what no source states, each with its origin and its effect",
    "awards": "awards, highest first: a list of tables",
    "settlement": "first match: a hand is paid the first award that it matches; all matches: all of them",
    "base": "the pack to change",
    "basis": "how the terms of a meter were found, if no source states them",
    "bet": "the name of the bet",
    "cap": "the highest amount of a meter",
    "clause": "the clause of the source that has the paytable",
    "deal": "who gets how many cards, such as `player:2, up:1`, `dealer:h17` or `baccarat`",
    "decks": 'deck counts: `6`, `[6, 8]` or `"2, 4-8"`',
    "decks_clause": "the clause of the source that states the deck counts",
    "deducted": "whether the amounts of a meter are costs of the hold",
    "effect": "`none`, or why the effect is not known",
    "eligible_hands": "hands of blackjack with which the bet can win",
    "example": "whether the paytable is an example, not one in use",
    "game": "the game on whose table the bet is made",
    "given": "the condition under which the bet exists",
    "hand": "a name under `[hands]`",
    "hands": "names of hands, each with its rule",
    "hit_frequency": "a percentage such as `9.68%`",
    "hold": "a percentage such as `24.78%`",
    "house_edge": "a percentage such as `4.41%`",
    "id": "letters, digits and `+ . _ -`",
    "joker": "what a joker is: any card, or an ace or completes a straight or flush",
    "jokers": "number of jokers",
    "kind": "`progressive`, or a jackpot with a posted prize",
    "levels": "the meters: a list of tables",
    "made": "when the wager is made",
    "meters": "how the meters are run, see [Meters](meters.md)",
    "name": "the name of the award, or of the meter",
    "notes": "notes for the sheet",
    "option": "`parlay` or `press`: winnings may be left on the next hand",
    "origin": "where the assumption comes from",
    "other_interpretation": "the id of a paytable with another interpretation of the rules",
    "pack": "`standard`, `spanish`, or a table",
    "pays": "`9 to 1`, `9 for 1`, `even money`, `push`, `100% of meter`, see [Settlement](settlement.md)",
    "paytable": "a paytable, or the id of one",
    "per": "a number: the award is paid that many times",
    "published": "figures that a source prints, which are compared",
    "rate": "the part of each wager that a meter gets, such as `12%`",
    "rate_after_cap": "the rate once the cap is reached",
    "maker": "who makes the bet, for the filter of the index page",
    "requirements": "what the bet requires, for the sheet",
    "requires": "a requirement of the paytable in words",
    "reserve": "the part of each wager for the next seed",
    "return": "a percentage such as `95.59%`",
    "rules": "other rules by hand",
    "rules_of_play": "rules of play for the sheet, one text each",
    "seed": "the amount of a meter after a hit",
    "seed_paid_by": "who pays the seed",
    "settings": "settings of a game that has some, such as Lucky 9",
    "settled": "when the wager is settled",
    "soft_17": "`h17` or `s17`",
    "source": "where rules and paytable come from",
    "table": "other table conditions",
    "ordered_by_role": "whether hands are ordered by role even if no rule names one",
    "text": "the assumption, or the alternative, in words",
    "title": "the title of the paytable",
    "wager": "the fixed wager of the meters",
    "wheel": "a name under `[wheels]`, which multiplies the pay",
    "wheels": "names of wheels, each with stops and weights, or dice",
    "when": "a rule, see [Rules](rules.md)",
    "without": "ranks to remove",
}
"""The meaning of each key of a bet file."""


def commands_page() -> str:
    """Return every command with its arguments, options and examples."""
    return "\n".join(_command_section(names, command) for names, command in _iter_commands(get_command(app)))


def _iter_commands(group: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "list_commands"):
            yield from _iter_commands(command, *names, name)
        else:
            yield (*names, name), command


def _command_section(names: tuple[str, ...], command: Any) -> str:
    text, examples = split_examples(command.help or "")
    lines = [f"## combinat {' '.join(names)}", "", text, ""]
    context = command.context_class(command, info_name=" ".join(("combinat", *names)))
    groups: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            is_argument = parameter.param_type_name == "argument"
            title = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or "Options"
            meaning = re.sub(r"\[default: \((.*)\)(?=[];])", r"[default: \1", " ".join(record[1].split()))
            groups.setdefault(title, []).append((record[0].replace(", --shelf", ""), meaning))
    for title, records in groups.items():
        lines += [f"| {title} | Meaning |", "|---|---|"]
        lines += [f"| `{name.strip().replace('|', chr(92) + '|')}` | {_cell(text)} |" for name, text in records]
        lines.append("")
    if examples:
        lines += ["```", *examples, "```", ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;").replace("*", r"\*")


def python_page() -> str:
    """Return every public function and class with its docstring and the arguments of its request."""
    requests = {request.__name__.lower(): request for request in _subclasses(combinat.requests, Request)}
    requests |= {"meter": requests["metershow"]}
    return "\n".join(
        _api_section(name, getattr(combinat, name), requests.get(name))
        for name in combinat.__all__
        if not name.startswith("_")
    )


def _api_section(name: str, item: Any, request: Any) -> str:
    docstring = inspect.cleandoc(item.__doc__ or "")
    text = _DOCTEST.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", docstring + "\n")
    lines = [f"## combinat.{name}", "", text.replace("<", "&lt;") if "```" not in text else text, ""]
    if request is not None:
        lines += ["| Argument | Default | Meaning |", "|---|---|---|"]
        for field in request_fields(request):
            default = "required" if field.is_required else field.option.default or f"`{field.default!r}`"
            lines.append(f"| `{field.name}` | {_cell(default)} | {_cell(field.option.description)} |")
        lines.append("")
    if inspect.isclass(item):
        members = [(key, value) for key, value in inspect.getmembers(item) if not key.startswith("_")]
        documented = [(key, inspect.getdoc(value)) for key, value in members if inspect.getdoc(value)]
        own = [(key, doc) for key, doc in documented if key in vars(item) or key in _annotations(item)]
        rows = [
            f"| `{key}` | {_cell(doc.splitlines()[0])} |"
            for key, doc in own
            if doc and "Alias for" not in doc and "(" not in doc[:5]
        ]
        lines += ["| Member | Meaning |", "|---|---|", *rows, ""] if rows else []
    return "\n".join(lines)


def _annotations(item: Any) -> dict[str, Any]:
    return getattr(item, "__annotations__", {})


def json_page() -> str:
    """Return every kind of JSON answer with its fields."""
    answers = [kind for kind in _subclasses(combinat.results, Answer) if not kind.__name__.startswith("_")]
    return "\n".join(map(_answer_section, sorted(answers, key=lambda kind: kind.__name__)))


def _answer_section(kind: Any) -> str:
    first_line = inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0]
    lines = [f"## {kind.__name__}", "", first_line, "", "| Key | Type | Meaning |", "|---|---|---|"]
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        hint, metadata = hints[field.name], getattr(hints[field.name], "__metadata__", ())
        meaning = next((entry.description for entry in metadata if isinstance(entry, msgspec.Meta)), "") or ""
        lines.append(f"| `{field.encode_name}` | {_cell(_type_name(hint))} | {_cell(meaning)} |")
    return "\n".join([*lines, ""])


def _type_name(hint: Any) -> str:
    text = str(getattr(hint, "__origin__", hint)) if hasattr(hint, "__metadata__") else str(hint)
    text = re.sub(r"<class '(.*?)'>", r"\1", text)
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text).replace("NoneType", "null").replace("None", "null")


def sheet_page() -> str:
    """Return the keys of a par sheet, the types of its values, and the objects in it, from its JSON Schema."""
    schema = sheet_schema()
    definitions = sorted(schema["$defs"].items())
    values = ["### Values", "", "| Type | Meaning |", "|---|---|"]
    for name, value in definitions:
        if "properties" not in value:
            names = f" One of: {', '.join(value['enum'])}." if "enum" in value else ""
            values.append(f"| {name} | {_cell(value['description'] + names)} |")
    objects = [_object_section(name, value) for name, value in definitions if "properties" in value]
    return "\n".join((_object_section("A par sheet", schema), *values, "", *objects))


def _object_section(name: str, definition: dict[str, Any]) -> str:
    first_line = str(definition.get("description", "")).split("\n\n")[0]
    lines = [f"### {name}", "", first_line, "", "| Key | Type | Meaning |", "|---|---|---|"]
    for key, value in definition["properties"].items():
        type_text = _schema_type(value) + ("" if key in definition.get("required", ()) else ", may be absent")
        lines.append(f"| `{key}` | {_cell(type_text)} | {_cell(str(value.get('description', '')))} |")
    return "\n".join([*lines, ""])


def _schema_type(value: dict[str, Any]) -> str:
    """Return the type of a value in words.

    >>> _schema_type({"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/exact"}}, {"type": "null"}]})
    'list of exact or null'
    """
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(map(_schema_type, value["anyOf"])))
    if "enum" in value:
        return " or ".join(map(str, value["enum"]))
    if value.get("type") == "array":
        return f"list of {_schema_type(value['items'])}" if value.get("items") else "list"
    if value.get("type") == "object" and value.get("additionalProperties"):
        return f"object of {_schema_type(value['additionalProperties'])} by name"
    return str(value.get("const") or value.get("type") or "any")


def file_page() -> str:
    """Return the keys of a bet file, by table."""
    tables: dict[str, Any] = {
        "The file": schema.BetFields,
        "`[[paytable]]`": schema.PaytableFields,
        "An award": schema.AwardFields,
        "`[[paytable.meters]]`": schema.MetersFields,
        "A level of the meters": schema.LevelFields,
        "`[[paytable.published]]`": schema.PublishedFields,
        "`[pack]`": schema.PackFields,
        "An assumption": schema.AssumptionFields,
        "The alternative of an assumption": schema.AlternativeFields,
    }
    lines = []
    for title, fields in tables.items():
        lines += [f"### {title}", "", "| Key | Type | Default | Meaning |", "|---|---|---|---|"]
        for field in msgspec.structs.fields(fields):
            default = "required" if field.required else f"`{_default(field)!r}`"
            meaning = FILE_KEYS.get(field.encode_name, "")
            lines.append(f"| `{field.encode_name}` | {_cell(_type_name(field.type))} | {_cell(default)} | {meaning} |")
        lines.append("")
    return "\n".join(lines)


def _default(field: Any) -> Any:
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def _subclasses(package: Any, base: type) -> list[Any]:
    """Return the subclasses of `base` in a package, once each."""
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")
    found: list[Any] = []
    queue: list[Any] = [base]
    for kind in queue:
        queue += [child for child in kind.__subclasses__() if child not in queue]
        found += [kind] if kind is not base else []
    return found


PAGES = {"commands": commands_page, "python": python_page, "json": json_page, "sheet": sheet_page, "file": file_page}
_DIRECTIVE = re.compile(r"^```\{generated-reference\} (\w+)\n```\n", re.MULTILINE)


def insert_references(page: str) -> str:
    """Return the text of a page with the generated references that it names."""
    return _DIRECTIVE.sub(lambda match: PAGES[match[1]]().rstrip() + "\n", page)
