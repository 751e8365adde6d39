"""The commands `meter show`, `meter break-even` and `meter explain`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from combinat.meters.explain import Explanation, Goal
from combinat.requests.meters import MeterBreakEven, MeterExplain, MeterReport, MeterShow
from combinat.requests.request import Group, Option
from combinat.results.answer import Answer
from decks import InputError
from reports.answers.meters import (
    break_even_document,
    explain_document,
    hold_formula_document,
    meter_document,
    unknown_break_even_document,
)
from reports.cli.output import echo, text_answer
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command
from reports.page.files import write_file
from reports.page.model import Document
from reports.render.formats import answer_formats, render_text
from reports.render.meter_plots import plot_meters
from reports.tables.meters import MeterOptions

app = typer.Typer(
    help="Analyze progressive meters: hold and break-even amounts.",
    no_args_is_help=True,
    add_completion=False,
)


class MeterPrinting(Printing, frozen=True):
    """Options of a meter report that may also be drawn."""

    plot: Annotated[
        str | None,
        Option("File for a chart of return and jackpots, such as meter.svg or meter.png.", group=Group.OUTPUT),
    ] = None


class ExplainPrinting(Printing, frozen=True):
    """Options of explanations."""

    most: Annotated[int, Option("Maximum number of explanations to show.", group=Group.OUTPUT)] = 5


def _options(report: MeterReport) -> MeterOptions:
    return MeterOptions(meters=report.meters, pace=report.pace, floor=report.floor, plays=report.plays)


def _show_meters(question: MeterShow, report: MeterReport, printing: MeterPrinting) -> None:
    figures = report.figures
    document = hold_formula_document(report.analysis) if figures is None else meter_document(figures, _options(report))
    if printing.plot is not None and figures is not None and figures.has_closed_form:
        plot_meters(figures, _options(report), Path(printing.plot))
    printing.show(lambda: document, lambda: question.results(report))


def _break_even_document(report: MeterReport) -> Document:
    if report.figures is None:
        return unknown_break_even_document(report.analysis, _options(report))
    return break_even_document(report.figures, _options(report))


def _show_each(documents: Sequence[Document], answers: Callable[[], Sequence[Answer]], printing: Printing) -> None:
    """Print several documents one after the other, or their answers as one list of JSON."""
    format_name, path = printing.format_name, printing.output_path
    if len(documents) == 1 or format_name == "json":
        printing.show(lambda: documents[0], answers)
    elif format_name not in answer_formats():
        raise InputError(f"{format_name} is for one answer at a time; write for example --decks 6 or --format markdown")
    elif path is not None:
        texts = [render_text(document, format_name, printing.decimals) for document in documents]
        if write_file(path, "".join(texts), named=True):
            echo(str(path))
    else:
        for text in [text_answer(document, format_name, printing.decimals) for document in documents]:
            echo(text, end="")


def _show_break_even(question: MeterBreakEven, reports: Sequence[MeterReport], printing: Printing) -> None:
    _show_each([_break_even_document(report) for report in reports], lambda: question.results(reports), printing)


def _show_explanations(
    question: MeterExplain, groups: Sequence[tuple[Sequence[Goal], Sequence[Explanation]]], printing: ExplainPrinting
) -> None:
    documents = [explain_document(goals, explanations, printing.most) for goals, explanations in groups]
    _show_each(documents, lambda: question.results(groups), printing)


add_request_command(
    app,
    MeterShow,
    MeterPrinting,
    _show_meters,
    name="show",
    progress_label="hands",
    examples=[
        "combinat meter show BLZ-1-UP --decks 6",
        "combinat meter show BLZ-1-UP --seed 2000 --rate 24% --plays-per-day 2000",
    ],
    omitted=("hits_soft_17",),
    single=("bet",),
)
add_request_command(
    app,
    MeterBreakEven,
    Printing,
    _show_break_even,
    name="break-even",
    progress_label="hands",
    examples=[
        "combinat meter break-even BLZ-1-UP --decks 6",
        "combinat meter break-even BLZ-1-UP --seed 2000 --rate 24% --wager 5",
    ],
    omitted=("hits_soft_17",),
    single=("bet",),
)
add_request_command(
    app,
    MeterExplain,
    ExplainPrinting,
    _show_explanations,
    name="explain",
    progress_label="hands",
    examples=[
        "combinat meter explain BLZ-1-UP",
        "combinat meter explain BLZ-1-UP --hold 24.78 --rates 10-30 --seeds 1000,2000",
    ],
)
