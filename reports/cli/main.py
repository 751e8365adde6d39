"""The command-line application, its command `show`, and the handling of errors and exit codes."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer

from combinat import cache
from decks import InputError
from reports.answers.show import award_document, overview_document
from reports.cli.arguments import StudyRequest, parse_digits, parse_format
from reports.cli.lazy import Commands
from reports.cli.options import (
    DIGITS,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    NoCache,
    OneOrMore,
    Removed,
    Up,
    progress_if_slow,
    warn,
)
from reports.cli.output import answer_studies, echo, guard_streams, output_error
from reports.cli.table import Table
from reports.cli.table_options import at_a_table
from reports.cli.trial import PayOverrides
from reports.cli.trying import trying
from reports.page.errors import INTERRUPTED

app = typer.Typer(
    name="combinat",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        echo(f"combinat {version('combinat')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[  # typer reads it and calls the function it names
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    no_cache: NoCache = False,  # likewise
) -> None:
    """The exact math of casino side bets, from a full enumeration of the shoe."""


@app.command()
@at_a_table
@trying
def show(
    paytables: OneOrMore,
    decks: Decks = None,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    up: Up = None,
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = DIGITS,
    *,
    table: Table,
    trial: PayOverrides,
) -> None:
    """Show a paytable's awards and figures; with several deck counts or paytables, a line for each.

    The options from --h17 to --strategy are the blackjack table around a bet whose winnings can ride on the hand; those
    after them, and --hands, are the settings of a game that has them, such as Lucky 9.
    """
    format, digits = parse_format(format), parse_digits(digits)
    question = StudyRequest(paytables, decks, removed, meter, any_decks, up, table, trial)
    with progress_if_slow("hands") as progress:
        studies = question.studies(warn, progress)
        single = studies[0] if len(studies) == 1 else None
        answer_studies(
            studies, lambda: award_document(single) if single else overview_document(studies), format, digits
        )


def main() -> NoReturn:
    """Run the program; an input error is one line on standard error and exit code 2."""
    with guard_streams():
        code = _run()
        error = output_error()
        if error and not isinstance(error, BrokenPipeError):
            warn(f"cannot write to standard output: {error.strerror}")
            code = code or 1
    sys.exit(code)


def _run() -> int:
    """Run the command and return the exit code."""
    cache.set_warning(warn)
    try:
        code = app(standalone_mode=False) or 0
    except InputError as error:
        warn(str(error))
        return error.exit_code
    except typer.Abort:
        code = INTERRUPTED
    except typer.TyperException as error:
        if message := " ".join(_message(error).split()):
            warn(message)
        return 2
    if code == INTERRUPTED:
        warn("interrupted")
    return int(code)


def _message(error: typer.TyperException) -> str:
    """Return what is wrong with the arguments, and a hint at the help."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else _requested_command()
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if not message or message.startswith("Usage: "):  # nothing was asked, so help is shown, in plain text by ourselves
        echo(message, end="\n" if message else "")
        return ""
    return f"{message.rstrip('.')}; see {command} --help"


def _requested_command() -> str:
    """Return the name of the requested command, for errors without a context."""
    commands: Any = typer.main.get_command(app)
    return " ".join(["combinat", *[name for name in sys.argv[1:2] if name in commands.list_commands(None)]])


if __name__ == "__main__":
    main()
