"""Options of answers that are complete pages: format, output file and charts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from decks import InputError
from decks.errors import quote
from reports.cli.arguments import parse_format
from reports.cli.options import complete_name
from reports.cli.output_format import format_for
from reports.page.files import check_output_path, write_file
from reports.page.model import Document
from reports.render.charts import draw_charts
from reports.render.formats import page_formats


def _complete_format(incomplete: str) -> list[str]:
    return complete_name(incomplete, page_formats())


PageFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        help=f"Output format: {', '.join(page_formats()[:-1])} or {page_formats()[-1]}.",
        autocompletion=_complete_format,
        show_default="from the extension of --output, otherwise table",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="File to write, such as answer.html.", show_default="standard output"),
]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="File for the charts, such as charts.svg.")]


def page_format(format: str | None, output: Path | None) -> str:
    """Return the format of an answer: `format`, else that of the extension of `output`, else `table`."""
    formats = page_formats()
    return format_for(output, None if format is None else parse_format(format, formats), formats, formats[0])


def check_targets(output: Path | None, plot: Path | None) -> None:
    """Raise `InputError` if a file could not be written, before anything is computed."""
    if plot is not None and plot.suffix.lower() != ".svg":
        raise InputError(f"--plot must be a file with the extension .svg, got {quote(plot)}")
    for path in (output, plot):
        if path is not None:
            check_output_path(path)


def write_charts(plot: Path, document: Document) -> None:
    """Write the charts of a document to a file."""
    if not document.charts:
        raise InputError(
            f"--plot {quote(plot)}: no chart to draw; a chart needs several numbers of decks or few awards"
        )
    write_file(plot, draw_charts(document.charts), named=True)
