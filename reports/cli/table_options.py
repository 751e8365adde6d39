"""What can be typed about the table that a bet is made at: blackjack around it, and the settings of its own game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.experiment import declared_settings
from reports.cli.blackjack_options import OPTIONS, BlackjackTable, with_options


class Table(Struct, frozen=True):
    """What was typed about the table; the usual one if nothing was."""

    blackjack: BlackjackTable = BlackjackTable()
    settings: dict[str, str] = {}
    """What was typed of settings that games declare, by their keys."""

    def without(self, keys: set[str]) -> BlackjackTable:
        """Give what was typed about blackjack, less what was meant for another game."""
        return replace(self.blackjack, **dict.fromkeys(keys & SHARED & set(self.settings)))


SHARED = {"hands"}
"""What blackjack and other games have by one name: the option is offered once, and goes to whichever asks for it."""


def at_a_table(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a blackjack table and of all other games, as its argument `table`."""
    games = {
        key: Annotated[str | None, typer.Option(setting.option, help=setting.help)]
        for key, setting in declared_settings().items()
        if key not in SHARED
    }
    usual = BlackjackTable()
    offered: dict[str, tuple[Any, Any]] = {name: (option, getattr(usual, name)) for name, option in OPTIONS.items()}
    offered |= {key: (option, None) for key, option in games.items()}

    def table(typed: dict[str, Any]) -> Table:
        blackjack = BlackjackTable(**{name: typed[name] for name in OPTIONS})
        settings = {key: str(typed[key]) for key in (*games, *SHARED) if typed[key] is not None}
        return Table(blackjack, settings)

    return with_options(command, "table", offered, table)
