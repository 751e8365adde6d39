"""The options for the rules of a blackjack table, shared by every command that plays blackjack."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from reports.cli.options import NoCache
from reports.cli.table import USUAL_HANDS, BlackjackTable

_SAID = "best: by the very cards of the hand; basic: by a printed chart of totals."
OPTIONS: dict[str, Any] = {
    "hits_soft_17": Annotated[
        bool | None, typer.Option("--h17/--s17", help="Whether the dealer hits soft 17 or stands on it.")
    ],
    "double_after_split": Annotated[
        bool, typer.Option("--das/--no-das", help="Whether hands of a split may be doubled.")
    ],
    "double": Annotated[str, typer.Option(help="Which first two cards may be doubled: any, 9-11 or 10-11.")],
    "hands": Annotated[
        int | None,
        typer.Option(
            help=f"How many hands splits may make; 1 for no splits. Usually {USUAL_HANDS}.", show_default=False
        ),
    ],
    "resplit_aces": Annotated[bool, typer.Option("--resplit-aces", help="Split aces may be split again.")],
    "hit_split_aces": Annotated[bool, typer.Option("--hit-split-aces", help="Split aces may draw more than one card.")],
    "blackjack": Annotated[str, typer.Option("--blackjack", help="What a blackjack pays: 3:2, 6:5 or 1:1.")],
    "surrender": Annotated[bool, typer.Option("--surrender", help="Half the bet may be given up after the peek.")],
    "strategy": Annotated[str, typer.Option("--strategy", help=_SAID)],
}


def at_a_blackjack_table(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a blackjack table, which reach it as its argument `table`."""
    usual = BlackjackTable()
    offered = {name: (option, getattr(usual, name)) for name, option in OPTIONS.items()}
    return with_options(command, "table", offered, lambda typed: BlackjackTable(**typed))


def with_options(
    command: Callable[..., None],
    argument: str,
    options: dict[str, tuple[Any, Any]],
    read: Callable[[dict[str, Any]], Any],
) -> Callable[..., None]:
    """Give a command options by their names, each with its annotation and default, which reach it as one argument."""
    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, parameter in signature(command).parameters.items()
        if name != argument
    ]
    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=option)
        for name, (option, default) in options.items()
    ]

    is_first = not any(parameter.name == "no_cache" for parameter in own)  # options of several kinds share it
    if is_first:
        added.append(Parameter("no_cache", Parameter.KEYWORD_ONLY, default=False, annotation=NoCache))

    @wraps(command)
    def with_argument(**given: Any) -> None:
        if is_first:
            given.pop("no_cache")  # its callback has done what it says
        typed = {name: given.pop(name) for name in options}
        command(**given, **{argument: read(typed)})

    with_argument.__signature__ = Signature([*own, *added])  # type: ignore[attr-defined]  # what typer reads
    with_argument.__annotations__ = {one.name: one.annotation for one in (*own, *added)}
    return with_argument
