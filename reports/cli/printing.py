"""How an answer reaches standard output: as wide as the terminal, in characters that it can take."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat.study import Study
from decks import InputError
from reports.cli.streams import say
from reports.page.files import write_file
from reports.page.model import Document

Payloads = Iterable[dict[str, Any]]
"""What JSON has of answers: of each its data, be it one or many."""


def answer(document: Callable[[], Document], payloads: Callable[[], Payloads], format: str, digits: int) -> None:
    """Print an answer in the format asked for."""
    say(json_answer(payloads()) if format == "json" else text_answer(document(), format, digits), end="")


def json_answer(payloads: Payloads) -> str:
    """Give JSON whose characters standard output can take; those that it cannot are escaped, which loses nothing."""
    from reports.answers.payload import answers_payload
    from reports.page.files import json_text

    found = answers_payload(payloads)
    text = json_text(found)
    return text if _can_take(text) else json_text(found, in_ascii=True)


def text_answer(document: Document, format: str, digits: int) -> str:
    """Give a document as text: for a terminal as wide as that is, for a pipe in one line per row and in ASCII."""
    if format == "table":
        from reports.render.terminal import render

        is_terminal = sys.stdout.isatty()
        width = _columns() if is_terminal else None
        text = render(document, digits, width, in_ascii=not is_terminal)
        return text if _can_take(text) else render(document, digits, width, in_ascii=True)
    from reports.render import render as render_as

    text = render_as(document, format, digits)
    if _can_take(text):
        return text
    from reports.render.plain import plain

    return plain(text)


def _columns() -> int:
    from shutil import get_terminal_size  # a pipe has no width, and starts faster without it

    return get_terminal_size().columns


def _can_take(text: str) -> bool:
    """Whether standard output has a character for each of a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def answer_studies(found: list[Study], shown: Callable[[], Document], format: str, digits: int) -> None:
    """Print studies: as a page to look at, or with one shape for one and for many."""

    def records() -> Document:
        from reports.answers.records import records_document

        return records_document(found)

    def payloads() -> Payloads:
        from reports.answers.payload import study_payload

        return map(study_payload, found)

    answer(records if format == "csv" else shown, payloads, format, digits)


class Answer(Struct, frozen=True):
    """An answer that is a page of its own, in whichever form a format asks for."""

    document: Callable[[], Document]
    payloads: Callable[[], Payloads]
    records: Callable[[], Document]
    """What is laid out line by line, for spreadsheets."""

    def content(self, format: str, digits: int) -> bytes:
        """Give the answer as a file of a format."""
        if format == "json":
            from reports.answers.payload import answers_payload
            from reports.page.files import json_text

            return json_text(answers_payload(self.payloads())).encode("utf-8")
        if format == "xlsx":
            from reports.render.workbook_answer import render as workbook

            return workbook(self.document(), digits)
        from reports.render import render as render_as

        return render_as(self.records() if format == "csv" else self.document(), format, digits).encode("utf-8")

    def give(self, format: str, digits: int, output: Path | None = None) -> None:
        """Print the answer, or write it into a file."""
        if output is not None:
            if write_file(output, self.content(format, digits), named=True):
                say(str(output))
        elif format == "xlsx":
            if sys.stdout.isatty():
                raise InputError("a workbook is not for a terminal; name a file with --output")
            sys.stdout.flush()
            sys.stdout.buffer.write(self.content(format, digits))
        else:
            answer(self.records if format == "csv" else self.document, self.payloads, format, digits)
