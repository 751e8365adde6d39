"""The options of answers that are pages of their own: their formats, the file they go to, and their pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from decks import InputError
from decks.errors import quote
from reports.cli.arguments import PAGE_FORMATS, parse_format
from reports.cli.options import complete_name
from reports.cli.output_format import format_for
from reports.page.files import check_output_path, write_file
from reports.page.model import Document
from reports.render.charts import draw_charts


def _complete_format(incomplete: str) -> list[str]:
    return complete_name(incomplete, PAGE_FORMATS)


PageFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        help=f"{', '.join(PAGE_FORMATS[:-1])} or xlsx.",
        autocompletion=_complete_format,
        show_default="table, or that of the ending of --output",
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; left out, standard output.")]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="Draw the pictures of the answer into this .svg file.")]


def page_format(format: str | None, output: Path | None) -> str:
    """Return the format of an answer: `format`, else that of the ending of `output`, else a table."""
    named = None if format is None else parse_format(format, PAGE_FORMATS)
    return format_for(output, named, PAGE_FORMATS, "table")


def check_targets(output: Path | None, plot: Path | None) -> None:
    """See that files can be written where they are wanted, before work is done for them."""
    if plot is not None and plot.suffix.lower() != ".svg":
        raise InputError(f"cannot draw into {quote(plot)}; name a file that ends in .svg")
    for path in (output, plot):
        if path is not None:
            check_output_path(path)


def draw_into(plot: Path, document: Document) -> None:
    """Draw the pictures of a document into a file."""
    if not document.charts:
        raise InputError(f"there is nothing to draw into {quote(plot)}: a picture needs several decks or few awards")
    write_file(plot, draw_charts(document.charts), named=True)
