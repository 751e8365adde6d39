"""The command `design`: find the paytables that meet given targets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from combinat.bets.export import is_valid_id
from combinat.requests.design import Design
from combinat.requests.request import Group, Option
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.cli.output import echo
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command
from reports.page.files import INTERRUPTED, check_output_path, write_file

if TYPE_CHECKING:
    from combinat.finder.finder import SearchResult

NOTHING_FOUND = 1
"""Exit code if no paytable meets the requirements; the answer then has the nearest misses."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class DesignPrinting(Printing, frozen=True):
    """Options of a search whose solutions are printed, and one of which may be written as a bet."""

    write: Annotated[
        str | None, Option("File for one of the solutions as a bet, such as mine.toml.", group=Group.OUTPUT)
    ] = None
    pick: Annotated[int, Option("With --write: number of the solution to write.", group=Group.OUTPUT)] = 1
    id: Annotated[str, Option("With --write: id of the new paytable, such as MINE-1.", group=Group.OUTPUT)] = ""
    overwrite: Annotated[bool, Option("With --write: replace an existing file.", group=Group.OUTPUT)] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.id and not is_valid_id(self.id):
            raise InputError(
                "--id must be 1 to 40 letters, digits and + . _ - that start with a letter or digit, "
                f"got {quote(self.id)}"
            )
        if self.write_path is not None:  # refuse before the search what could not be written
            check_output_path(self.write_path)
            if self.write_path.is_file() and not self.overwrite:
                raise InputError(
                    f"{truncate_middle(self.write_path)} exists; write to another file, or add --overwrite"
                )

    @property
    def write_path(self) -> Path | None:
        """The file of the bet."""
        return None if self.write is None else Path(self.write)


def _show(question: Design, result: SearchResult, printing: DesignPrinting) -> None:
    from combinat.finder.export import format_file
    from reports.answers.design import design_document

    if not result.best and result.is_interrupted:
        raise typer.Exit(INTERRUPTED)
    path = printing.write_path
    if not result.best:
        printing.show(lambda: design_document(result), lambda: question.results(result))
        raise typer.Exit(NOTHING_FOUND)
    if path is not None and not 1 <= printing.pick <= len(result.best):
        raise InputError(f"--pick must be 1 to {len(result.best)}, got {printing.pick}")
    printing.show(lambda: design_document(result), lambda: question.results(result))
    if path is not None and write_file(path, format_file(result.best[printing.pick - 1], printing.id), named=True):
        echo(f"wrote {truncate_middle(path)}", err=True)
    if result.is_interrupted:
        raise typer.Exit(INTERRUPTED)


add_request_command(
    app,
    Design,
    DesignPrinting,
    _show,
    name="design",
    progress_label="combinations",
    examples=[
        'combinat design TRI-04 --pays "*=1..50" --edge 4%..4.5% --decks 6,8 --falling',
        'combinat design TRI-04 --pays "Straight=1..20" --edge 3%..5% --decks 6 --write found.toml',
    ],
)
