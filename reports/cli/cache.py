"""The command `cache`: show or clear stored results."""

from __future__ import annotations

from typing import Annotated

import typer
from msgspec import UNSET

from combinat import cache
from combinat.results.cache import CacheAnswer
from decks import InputError
from reports.cli.arguments import parse_format
from reports.cli.options import Format
from reports.cli.output import print_answer
from reports.page.model import Document, Figure, Style

app = typer.Typer(add_completion=False)


@app.command("cache")
def cache_(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all stored results.")] = False,
    format: Format = "table",
) -> None:
    """Show or clear stored results.

    Stored are solved blackjack games and checkpoints of interrupted commands.

    combinat cache
    combinat cache --clear
    """
    format = parse_format(format)
    try:
        folder = str(cache.cache_folder())
    except OSError as error:
        raise InputError(f"the cache has no folder: {error}; set XDG_CACHE_HOME to one") from None
    cleared = cache.clear_cache() if clear else None
    status = CacheAnswer(
        folder=folder,
        is_used=cache.is_enabled() and not cache.refusal_reason(),
        entries=len(cache.list_entries()),
        bytes=cache.total_size(),
        max_bytes=cache.MAX_BYTES,
        cleared=UNSET if cleared is None else cleared,
    )

    def document() -> Document:
        figures = [
            Figure("Folder", folder, Style.TEXT),
            Figure("In use", "yes" if status.is_used else f"no, {_reason()}", Style.TEXT),
            Figure("Entries", status.entries, Style.COUNT),
            Figure("Bytes", status.bytes, Style.COUNT),
            Figure("Bytes at most", status.max_bytes, Style.COUNT),
        ]
        if cleared is not None:
            figures.append(Figure("Entries deleted", cleared, Style.COUNT))
        return Document(title="Cache of stored results", figures=tuple(figures))

    print_answer(document, lambda: [status.to_dict()], format, 0)


def _reason() -> str:
    """Return why the cache is not in use."""
    return cache.refusal_reason() if cache.is_enabled() else f"{cache.DISABLE_VARIABLE} is set"
