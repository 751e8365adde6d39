"""The command `new`: start a bet's file from a template or from an existing bet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from combinat.bets.catalog import list_ids, parse_file_argument
from combinat.requests.new import New
from combinat.requests.request import Group, Option
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.cli.output import echo
from reports.cli.output_format import check_extension
from reports.cli.request_command import add_request_command
from reports.page.files import check_output_path, write_file

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class NewFile(Struct, frozen=True):
    """The file to write."""

    file: Annotated[
        str | None,
        Option("File to write, such as mine.toml.", group=Group.OUTPUT, default="standard output", is_argument=True),
    ] = None
    output: Annotated[
        str | None,
        Option(
            "File to write, if it is not the argument.",
            ("--output", "-o"),
            group=Group.OUTPUT,
            default="standard output",
        ),
    ] = None
    overwrite: Annotated[bool, Option("Replace an existing file.", ("--overwrite",), group=Group.OUTPUT)] = False

    def __post_init__(self) -> None:
        check_extension(self.path, "a bet's file is TOML", "toml")

    @property
    def path(self) -> Path | None:
        """The file to write, from the argument or from `--output`; `None` for standard output."""
        if self.file is None:
            return None if self.output is None else Path(self.output)
        if self.output is not None:
            raise InputError(f"two files to write, {quote(self.file)} and {quote(self.output)}; name one")
        if parse_file_argument(self.file) is None:
            hint = f"write {self.file}.toml; to copy a paytable add --from, for example --from TRI-03"
            if self.file.lower() in map(str.lower, list_ids()):
                hint = f"to copy the paytable write: combinat new --from {self.file}"
            raise InputError(f"{quote(self.file)} is not a TOML file; {hint}")
        return Path(self.file)


def _write(_: New, text: str, target: NewFile) -> None:
    output = target.path
    if output is None:
        echo(text, end="")
        return
    check_output_path(output)
    if output.is_file() and not target.overwrite:
        raise InputError(f"{truncate_middle(output)} exists; write to another file, or add --overwrite")
    if write_file(output, text, named=True):
        echo(str(output))


add_request_command(
    app,
    New,
    NewFile,
    _write,
    name="new",
    progress_label="hands",
    examples=["combinat new mine.toml --from TRI-03 --id MINE", "combinat new mygame.toml --template betting"],
)
