"""The options for the table that a bet is made at: blackjack around it, and the settings of its own game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from combinat.enumeration.experiment import declared_settings
from reports.cli.blackjack_options import OPTIONS, with_options
from reports.cli.table import SHARED, BlackjackTable, Table


def at_a_table(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a blackjack table and of all other games, as its argument `table`."""
    return _with_table(command, tuple(OPTIONS))


def at_a_game(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that plays no blackjack the options of soft 17 and of all other games, as its argument `table`."""
    return _with_table(command, ("hits_soft_17", *SHARED))


def _with_table(command: Callable[..., None], of_blackjack: tuple[str, ...]) -> Callable[..., None]:
    games = {
        key: Annotated[str | None, typer.Option(setting.option, help=setting.help)]
        for key, setting in declared_settings().items()
        if key not in SHARED
    }
    usual = BlackjackTable()
    offered: dict[str, tuple[Any, Any]] = {name: (OPTIONS[name], getattr(usual, name)) for name in of_blackjack}
    offered |= {key: (option, None) for key, option in games.items()}

    def table(typed: dict[str, Any]) -> Table:
        blackjack = BlackjackTable(**{name: typed[name] for name in of_blackjack})
        settings = {key: str(typed[key]) for key in (*games, *SHARED) if typed[key] is not None}
        return Table(blackjack, settings)

    return with_options(command, "table", offered, table)
