"""The options of answers that are pages of their own: their formats, the file they go to, and their pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from decks import InputError
from decks.errors import quoted
from reports.cli.arguments import PAGE_FORMATS
from reports.cli.options import completed
from reports.page.files import check_file, write_file
from reports.page.model import Document


def _complete_format(incomplete: str) -> list[str]:
    return completed(incomplete, PAGE_FORMATS)


PageFormat = Annotated[
    str,
    typer.Option("--format", "-f", help=f"{', '.join(PAGE_FORMATS[:-1])} or xlsx.", autocompletion=_complete_format),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; left out, standard output.")]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="Draw the pictures of the answer into this .svg file.")]


def check_targets(output: Path | None, plot: Path | None) -> None:
    """See that files can be written where they are wanted, before work is done for them."""
    if plot is not None and plot.suffix.lower() != ".svg":
        raise InputError(f"cannot draw into {quoted(plot)}; name a file that ends in .svg")
    for path in (output, plot):
        if path is not None:
            check_file(path)


def draw_into(plot: Path, document: Document) -> None:
    """Draw the pictures of a document into a file."""
    if not document.charts:
        raise InputError(f"there is nothing to draw into {quoted(plot)}: a picture needs several decks or few awards")
    from reports.render.charts import draw_charts

    write_file(plot, draw_charts(document.charts), named=True)
