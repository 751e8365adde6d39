"""The command `words`: the vocabulary of rules."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from combinat.requests.words import Words
from combinat.results.words import WordEntry
from reports.answers.vocabulary import vocabulary_document
from reports.cli.printing import TextPrinting
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _show(question: Words, entries: Sequence[WordEntry], printing: TextPrinting) -> None:
    printing.show(lambda: vocabulary_document(entries, question.deal), lambda: question.results(entries))


add_request_command(
    app,
    Words,
    TextPrinting,
    _show,
    name="words",
    progress_label="words",
    examples=["combinat words", "combinat words --deal baccarat"],
)
