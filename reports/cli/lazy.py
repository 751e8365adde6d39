"""Load the modules of commands on first use, so that the program starts faster."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from decks import InputError, did_you_mean
from decks.errors import quote

_LAZY_COMMANDS = {
    "list": "reports.cli.questions",
    "compare": "reports.cli.questions",
    "odds": "reports.cli.questions",
    "check": "reports.cli.questions",
    "formula": "reports.cli.questions",
    "sensitivity": "reports.cli.sensitivity",
    "new": "reports.cli.new",
    "joint": "reports.cli.joint",
    "design": "reports.cli.design",
    "diff": "reports.cli.diff",
    "judge": "reports.cli.rules",
    "words": "reports.cli.rules",
    "removal": "reports.cli.removal",
    "count": "reports.cli.count",
    "parsheet": "reports.cli.sheets",
    "parsheets": "reports.cli.sheets",
    "ledger": "reports.cli.audit",
    "verify": "reports.cli.audit",
    "schema": "reports.cli.audit",
    "meter": "reports.cli.meters",
    "blackjack": "reports.cli.blackjack",
    "cache": "reports.cli.cache",
    "studio": "reports.studio.command",
}
"""Commands that are loaded on first use, with the module whose `app` has them."""


class Commands(TyperGroup):
    """A group of commands, some of which are loaded on first use."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        first, *remaining = _LAZY_COMMANDS
        return [first, *super().list_commands(ctx), *remaining]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the requested command; suggest similar names, including those of commands that are not loaded."""
        names = self.list_commands(ctx)
        if args and args[0] not in names:
            hint = did_you_mean(args[0], names) or "; combinat --help lists them all"
            raise InputError(f"no command {quote(args[0])}{hint}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name."""
        if cmd_name not in _LAZY_COMMANDS:
            return super().get_command(ctx, cmd_name)
        loaded = get_command(import_module(_LAZY_COMMANDS[cmd_name]).app)
        command = getattr(loaded, "commands", {}).get(cmd_name, loaded)
        command.name = cmd_name
        return command
