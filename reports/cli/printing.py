"""How an answer is printed: its format, its decimals, the file that it goes to, and its charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from combinat.requests.request import Group, Option
from combinat.results.answer import Answer
from reports.cli.output import PageAnswer
from reports.cli.pages import check_targets, page_format, write_charts
from reports.page.model import Document
from reports.page.numerals import parse_digits
from reports.render.formats import page_formats

DIGITS = 8
"""Default decimals of a probability."""


class TextPrinting(Struct, frozen=True):
    """Options of an answer without decimals."""

    format: Annotated[
        str | None,
        Option(
            f"One of {', '.join(page_formats())}.",
            ("--format", "-f"),
            group=Group.OUTPUT,
            default="table, or by the ending of --output",
            names="format",
        ),
    ] = None
    output: Annotated[
        str | None, Option("The file to write.", ("--output", "-o"), group=Group.OUTPUT, default="standard output")
    ] = None

    def __post_init__(self) -> None:
        _ = self.format_name
        check_targets(self.output_path, None)

    @property
    def output_path(self) -> Path | None:
        """The file to write; `None` for standard output."""
        return None if self.output is None else Path(self.output)

    @property
    def format_name(self) -> str:
        """The format: that of `--format`, else that of the ending of the file, else a table."""
        return page_format(self.format, self.output_path)

    @property
    def decimals(self) -> int:
        """Decimals of a probability."""
        return 0

    def show(
        self,
        document: Callable[[], Document],
        answers: Callable[[], Iterable[Answer]],
        records: Callable[[], Document] | None = None,
    ) -> None:
        """Print an answer: as a document, as records of a uniform shape in CSV, or as JSON."""

        def payloads() -> list[dict[str, Any]]:
            return [answer.to_dict() for answer in answers()]

        PageAnswer(document, payloads, records or document).give(self.format_name, self.decimals, self.output_path)


class Printing(TextPrinting, frozen=True):
    """Options of an answer with decimals."""

    digits: Annotated[int, Option("Decimals of a probability; percentages have two fewer.", group=Group.OUTPUT)] = (
        DIGITS
    )

    def __post_init__(self) -> None:
        parse_digits(self.digits)
        super().__post_init__()

    @property
    def decimals(self) -> int:
        return self.digits


class ChartPrinting(Printing, frozen=True):
    """Options of an answer that may also be drawn."""

    plot: Annotated[str | None, Option("Draw the charts of the answer to this SVG file.", group=Group.OUTPUT)] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_targets(self.output_path, self.plot_path)

    @property
    def plot_path(self) -> Path | None:
        """The file of the charts."""
        return None if self.plot is None else Path(self.plot)

    def draw_charts(self, document: Document) -> None:
        """Draw the charts of a document if a file is named."""
        if self.plot_path is not None:
            write_charts(self.plot_path, document)
