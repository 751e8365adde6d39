"""The command `cache`: show or clear stored results."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from combinat import cache
from decks import InputError
from reports.cli.arguments import parse_format
from reports.cli.options import Format
from reports.cli.output import answer
from reports.page.model import Document, Figure, Style

app = typer.Typer(add_completion=False)


@app.command("cache")
def cache_(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all that is in it.")] = False,
    format: Format = "table",
) -> None:
    """Show where results that take long are kept and how much there is, or delete them."""
    format = parse_format(format)
    try:
        folder = str(cache.folder())
    except OSError as error:
        raise InputError(f"no folder for a cache: {error}; name one with XDG_CACHE_HOME") from None
    cleared = cache.clear() if clear else None
    status: dict[str, Any] = {
        "folder": folder,
        "on": cache.is_on() and not cache.refusal(),
        "entries": len(cache.entries()),
        "bytes": cache.size(),
        "most_bytes": cache.MOST_BYTES,
    }
    if cleared is not None:
        status["cleared"] = cleared

    def document() -> Document:
        figures = [
            Figure("Folder", folder, Style.TEXT),
            Figure("In use", "yes" if status["on"] else f"no, {_reason()}", Style.TEXT),
            Figure("Entries", status["entries"], Style.COUNT),
            Figure("Bytes", status["bytes"], Style.COUNT),
            Figure("Bytes at most", status["most_bytes"], Style.COUNT),
        ]
        if cleared is not None:
            figures.append(Figure("Entries deleted", cleared, Style.COUNT))
        return Document(title="Cache of what was worked out", figures=tuple(figures))

    answer(document, lambda: [status], format, 0)


def _reason() -> str:
    """Return why the cache is not in use."""
    return cache.refusal() if cache.is_on() else f"{cache.OFF} is set"
