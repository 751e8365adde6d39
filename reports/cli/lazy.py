"""Load the modules of commands on first use, so that the program starts faster."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from decks import InputError
from reports.cli.help import HelpWithExamples, use_plain_help
from reports.cli.hints import is_catalog_search, unknown_command_message

_LAZY_COMMANDS = {
    "list": "reports.cli.catalog",
    "analyze": "reports.cli.analyze",
    "compare": "reports.cli.compare",
    "odds": "reports.cli.odds",
    "check": "reports.cli.check",
    "formula": "reports.cli.formula",
    "sensitivity": "reports.cli.sensitivity",
    "new": "reports.cli.new",
    "joint": "reports.cli.joint",
    "design": "reports.cli.design",
    "diff": "reports.cli.diff",
    "judge": "reports.cli.judge",
    "words": "reports.cli.words",
    "removal": "reports.cli.removal",
    "count": "reports.cli.count",
    "solve": "reports.cli.solve",
    "parsheet": "reports.cli.sheets",
    "parsheets": "reports.cli.sheets",
    "ledger": "reports.cli.ledger",
    "verify": "reports.cli.audit",
    "submit": "reports.cli.submission",
    "rebuild": "reports.cli.submission",
    "sign": "reports.cli.submission",
    "schema": "reports.cli.audit",
    "meter": "reports.cli.meters",
    "blackjack": "reports.cli.blackjack",
    "cache": "reports.cli.cache",
    "studio": "reports.studio.command",
    "help": "reports.cli.manual",
}
"""The module of each command that is loaded on first use; its `app` holds the command."""


_SYNONYMS = {"show": "analyze", "edge": "analyze", "catalog": "list", "search": "list"}
"""Other names of commands, which help does not list. They are not commands of their own, which would be built too."""


class Commands(HelpWithExamples, TyperGroup):
    """The commands of the program, loaded on first use."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # overrides a method of typer
        """Return the names of all commands."""
        return list(_LAZY_COMMANDS)

    def has_command(self, name: str) -> bool:
        """Return whether there is a command with this name."""
        return name in _LAZY_COMMANDS or name in _SYNONYMS

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the requested command: `list` for part of a title; for another unknown name, suggest a command."""
        if args and not self.has_command(args[0]):
            if not is_catalog_search(args):
                raise InputError(unknown_command_message(args, [*_LAZY_COMMANDS, *_SYNONYMS]))
            args = ["list", *args]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # overrides a method of typer
        """Return a command by its name."""
        name = _SYNONYMS.get(cmd_name, cmd_name)
        module = _LAZY_COMMANDS.get(name)
        if module is None:
            return None
        loaded = get_command(use_plain_help(import_module(module).app))
        command = getattr(loaded, "commands", {}).get(name, loaded)
        command.name = cmd_name
        return command
