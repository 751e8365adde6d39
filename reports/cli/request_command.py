"""Build commands from requests: the fields of a request become arguments and options, grouped in the help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, cleandoc
from typing import Annotated, Any, TypeVar

import typer
from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.experiment import declared_settings
from combinat.language.deal import Setting
from combinat.requests.request import Field, Group, Notify, Request, request_fields
from reports.cli.help import SectionedCommand
from reports.cli.options import (
    NoCache,
    complete_collection,
    complete_name,
    complete_paytable,
    refuse_deck_counts,
    warn,
)
from reports.cli.progress import progress_if_slow
from reports.render.formats import page_formats

R = TypeVar("R")
OutputOptions = TypeVar("OutputOptions", bound=Struct)
_COMPLETIONS: dict[str, Callable[[str], list[str]]] = {
    "paytable": complete_paytable,
    "collection": complete_collection,
    "format": lambda incomplete: complete_name(incomplete, page_formats()),
}
_STRATEGY = "strategy"
"""The field of requests that may solve blackjack, whose results are cached."""
_SHARED_KEYS = {"hands"}
"""Settings of games that share an option with a rule of blackjack."""
_SETTINGS = "settings"
"""The field that holds the settings of games; each declared setting is an option."""


def add_request_command(
    app: typer.Typer,
    request: type[Request[Any, Any]],
    output: type[OutputOptions],
    show: Callable[[Any, R, OutputOptions], None],
    *,
    name: str,
    progress_label: str,
    examples: Sequence[str],
    omitted: Sequence[str] = (),
    single: Sequence[str] = (),
    answer: Callable[[Any, Notify], R] | None = None,
) -> None:
    """Add the command of a request: parse its options, compute the answer with progress, and show it.

    `output` is the Struct of options on how the answer is printed. The command has no option for `omitted` fields, and
    takes `single` fields only once. `answer` replaces the method of the request, for a command that writes while it
    computes.
    """
    own = [field for field in request_fields(request) if field.name not in (*omitted, _SETTINGS)]
    own.sort(key=lambda field: list(Group).index(field.option.group))  # help lists the groups in this order
    has_settings = any(field.name == _SETTINGS for field in request_fields(request))
    settings = declared_settings() if has_settings else {}
    game_settings = {key: setting for key, setting in settings.items() if key not in _SHARED_KEYS}
    own = [_taken_once(field) if field.name in single else field for field in own]
    printed = request_fields(output)

    def run(**values: Any) -> None:
        values.pop("no_cache", None)
        chosen = {key: values.pop(key) for key in game_settings}
        target = output(**{field.name: values.pop(field.name) for field in printed})
        given = {field.name: _value(field, values[field.name]) for field in own}
        if has_settings:
            given[_SETTINGS] = {key: value for key, value in chosen.items() if value is not None}
        question = request(**given)
        with progress_if_slow(progress_label):
            computed = question.answer(warn) if answer is None else answer(question, warn)
        show(question, computed, target)

    parameters = [*map(_parameter, own), *map(_setting_parameter, game_settings.values()), *map(_parameter, printed)]
    if any(field.name == _STRATEGY for field in own):
        parameters.append(Parameter("no_cache", Parameter.KEYWORD_ONLY, default=False, annotation=NoCache))
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__doc__ = "\n\n".join((cleandoc(request.__doc__ or ""), "\n".join(examples)))
    app.command(name, cls=SectionedCommand)(run)


def _parameter(field: Field) -> Parameter:
    """Return the parameter of a field, annotated for typer."""
    option = field.option
    completion = _COMPLETIONS.get(option.names)
    if option.is_argument:
        check = refuse_deck_counts if option.names == "paytable" and option.is_repeated else None
        info: Any = typer.Argument(help=option.description, autocompletion=completion, callback=check)
    else:
        info = typer.Option(
            *(option.flags or (f"--{field.name.replace('_', '-')}",)),
            help=option.description,
            autocompletion=completion,
            show_default=option.default or True,
            rich_help_panel=str(option.group),
        )
    default = Parameter.empty if field.is_required else [] if option.is_repeated else field.default
    annotation = Annotated[_command_line_type(field), info]  # type: ignore[valid-type]
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _taken_once(field: Field) -> Field:
    """Return a field that the command line takes once, though the request has several values."""
    return replace(field, option=replace(field.option, is_repeated=False))


def _setting_parameter(setting: Setting) -> Parameter:
    choices = f" One of {', '.join(setting.choices)}." if setting.choices else ""
    info = typer.Option(
        setting.option,
        help=f"{setting.meaning}{choices}",
        show_default=setting.default,
        rich_help_panel=str(Group.TABLE),
    )
    return Parameter(setting.key, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, info])


def _command_line_type(field: Field) -> Any:
    if field.option.is_repeated:
        return list[str]
    if field.is_flag:
        return bool if field.default is not None else bool | None
    if field.is_integer:
        return int | None if field.default is None else int
    return str if isinstance(field.default, str) or field.is_required else str | None


def _value(field: Field, value: Any) -> Any:
    """Return the value of a field from the command line; an empty list means that nothing was given."""
    return field.default if field.option.is_repeated and value == [] else value
