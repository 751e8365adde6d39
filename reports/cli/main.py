"""The command-line application, and the handling of errors and exit codes."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn

import typer

import combinat
from combinat import cache
from decks import InputError
from reports.cli.help import use_plain_help
from reports.cli.hints import usage_hint
from reports.cli.lazy import Commands
from reports.cli.options import NoCache, warn
from reports.cli.output import echo, guard_streams, output_error
from reports.page.files import INTERRUPTED

app = typer.Typer(
    name="combinat",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        echo(f"combinat {combinat.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[  # only its callback uses it
        bool, typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    no_cache: NoCache = False,  # only its callback uses it
) -> None:
    """Compute the exact math of casino side bets by full enumeration.

    combinat list trilux
    combinat analyze TRI-03 --decks 6
    """


use_plain_help(app)


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
        code = app(prog_name="combinat", standalone_mode=False) or 0
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
    """Return what is wrong with the arguments, and which help to read."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else _requested_command()
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if not message or message.startswith("Usage: "):  # without arguments the help is shown
        echo(message, end="\n" if message else "")
        return ""
    if context is not None and context.parent is None and len(sys.argv) > 2:
        return f"{message.rstrip('.')}; write the command first, for example: combinat analyze TRI-03 --decks 6"
    if context is not None and (hint := usage_hint(context.command, message, command)):
        return f"{message.rstrip('.')}; {hint}"
    return f"{message.rstrip('.')}; see {command} --help"


def _requested_command() -> str:
    """Return the name of the requested command, for errors without a context."""
    commands: Any = typer.main.get_command(app)
    return " ".join(["combinat", *[name for name in sys.argv[1:2] if commands.has_command(name)]])


if __name__ == "__main__":
    main()
