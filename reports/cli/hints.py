"""Hints for what is not a command: a paytable, a title, a collection, or a word that another program would use."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from combinat.bets.catalog import list_ids, parse_file_argument, search_catalog, suggest_paytables
from decks import did_you_mean
from decks.errors import quote
from reports.cli.help import split_examples
from reports.cli.shorthand import DECK_COUNTS

_WORDS = {
    "analyze": "calc calculate compute figures hold house house-edge info print return rtp run stats variance",
    "list": "bets collections find ls paytables titles",
    "parsheet": "export par par-sheet pdf report sheet",
    "parsheets": "all par-sheets sheets",
    "new": "add create init start template",
    "judge": "evaluate hand pay score settle which",
    "odds": "chance prob probability rule",
    "check": "lint test validate",
    "studio": "app edit editor gui serve server ui web",
    "design": "finder optimize target",
    "compare": "versus vs",
    "removal": "eor",
    "count": "counting",
    "meter": "break-even jackpot meters progressive",
    "words": "language syntax vocabulary",
    "blackjack value": "value",
    "blackjack strategy": "chart strategy",
    "verify": "audit recount",
    "help": "docs examples man manual topics tutorial",
}
"""Words that people try, by the command that does what they mean."""
_COMMANDS_BY_WORD = {word: command for command, words in _WORDS.items() for word in words.split()}
_SIMULATION_WORDS = ("sim", "simulate", "simulation", "montecarlo", "monte-carlo")
_EXIT_WORDS = ("bye", "exit", "quit")
_VERSION = "version"
_RESERVED = {*_COMMANDS_BY_WORD, *_SIMULATION_WORDS, _VERSION}
"""Words that are never searched for in titles."""


def is_catalog_search(arguments: Sequence[str]) -> bool:
    """Return whether the only argument is part of a title or the name of a collection, to be listed.

    >>> is_catalog_search(["TriLux Bonus"]), is_catalog_search(["public"]), is_catalog_search(["TRI-03"])
    (True, True, False)
    """
    if len(arguments) != 1 or len(arguments[0].strip()) < 3 or arguments[0].lower() in _RESERVED:
        return False
    is_id = arguments[0].strip().lower() in map(str.lower, list_ids())
    return not is_id and bool(search_catalog(arguments[0]))


def unknown_command_hint(arguments: Sequence[str], commands: Iterable[str]) -> str:
    """Return the end of the error message for an unknown command: what to write instead.

    >>> unknown_command_hint(["TRI-03", "6"], ["analyze"])
    'it is a paytable; write: combinat analyze TRI-03 --decks 6'
    >>> unknown_command_hint(["rtp", "TRI-03"], ["analyze"])
    'write: combinat analyze TRI-03'
    """
    word, lowered, rest = arguments[0], arguments[0].strip().lower(), arguments[1:]
    if lowered == _VERSION:
        return "write: combinat --version"
    if lowered in _SIMULATION_WORDS:
        return f"nothing is simulated, every hand is counted; write: {_command('analyze', rest or ['TRI-03'])}"
    if command := _COMMANDS_BY_WORD.get(lowered):
        if command.startswith("blackjack "):
            rest = [argument for argument in rest if argument.lower() != "blackjack"]
        return f"write: {_command(command, rest)}"
    if parse_file_argument(word) is not None:
        return (
            f"to check the file write: {_command('check', [word])}; for its figures: {_command('analyze', arguments)}"
        )
    if lowered in map(str.lower, list_ids()):
        return f"it is a paytable; write: {_command('analyze', arguments)}"
    if lowered not in _EXIT_WORDS and (hint := did_you_mean(lowered, commands)):
        return hint.removeprefix("; ")
    if search_catalog(word):
        return f"for the paytables of that name write: {_command('list', [word])}"
    return suggest_paytables(word).removeprefix("; ") or "combinat --help lists all commands"


def unknown_command_message(arguments: Sequence[str], commands: Iterable[str]) -> str:
    """Return the error message for an unknown command."""
    return f"{quote(arguments[0])} is not a command; {unknown_command_hint(arguments, commands)}"


def usage_hint(command: Any, message: str, path: str) -> str:
    """Return what to write instead of a missing or superfluous argument, or an unknown subcommand; empty for others.

    `command` is the command with the error, `path` its name such as `combinat meter`.
    """
    if unknown := _NO_SUCH_COMMAND.match(message):
        names = command.list_commands(None)
        if unknown[1].lower() in map(str.lower, list_ids()):
            return f"write: {path} {names[0]} {unknown[1]}"
        return f"write one of: {', '.join(f'{path} {name}' for name in names)}"
    if message.startswith(_ARGUMENT_ERRORS):
        _, examples = split_examples(command.help or "")
        return f"write for example: {examples[0]}" if examples else ""
    return ""


_NO_SUCH_COMMAND = re.compile(r"No such command '(.*)'")
_ARGUMENT_ERRORS = ("Missing argument", "Got unexpected extra argument")


def _command(name: str, arguments: Sequence[str]) -> str:
    """Return a command line; bare numbers after the first argument become `--decks`."""
    counts = [argument for argument in arguments[1:] if DECK_COUNTS.fullmatch(argument)]
    if counts and not any(argument.startswith("-") for argument in arguments):
        arguments = [*(argument for argument in arguments if argument not in counts), "--decks", ",".join(counts)]
    return shlex.join(["combinat", *name.split(), *arguments])
