"""How an answer reaches standard output: as wide as the terminal, in characters that it can take."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import typer

from combinat.study import Study
from reports.page.model import Document


def answer(document: Callable[[], Document], payload: Callable[[], Any], format: str, digits: int) -> None:
    """Print an answer in the format asked for."""
    typer.echo(json_answer(payload()) if format == "json" else text_answer(document(), format, digits), nl=False)


def json_answer(payload: object) -> str:
    """Give JSON whose characters standard output can take; those that it cannot are escaped, which loses nothing."""
    from reports.page.files import json_text

    text = json_text(payload)
    return text if _can_take(text) else json_text(payload, in_ascii=True)


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

    def payload() -> Any:
        from reports.answers.payload import answers_payload, study_payload

        return answers_payload(map(study_payload, found))

    answer(records if format == "csv" else shown, payload, format, digits)
