"""The command `help`: the help of a command, or a page of the documentation."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from decks import InputError, did_you_mean
from decks.errors import quote
from reports.cli.hints import unknown_command_hint
from reports.cli.output import echo

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_INDEX = "README"
_PACKAGE = Path(__file__).parents[1]
_FOLDERS = (_PACKAGE / "manual", _PACKAGE.parent / "docs")
"""Where the pages are: in an installed package, in a checkout."""


@app.command("help")
def show_help(
    ctx: typer.Context,
    topic: Annotated[
        list[str] | None,
        typer.Argument(help="A command such as analyze, or a page such as tutorial.", show_default="a list of topics"),
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="Show the page where a command has the same name.")] = False,
) -> None:
    """Show the help of a command, or a page of the documentation.

    combinat help tutorial
    combinat help analyze
    """
    words = topic or []
    command, context = _find_command(ctx, words)
    pages = manual_pages()
    name = "-".join(words).lower().removesuffix(".md")
    if command is not None and not (page and name in pages):
        echo(command.get_help(context))
        if name in pages:
            echo(f"\nThe page on this topic: combinat help {name} --page")
        if not words:
            echo(f"\nPages: {', '.join(sorted(pages))}\nTo read one: combinat help tutorial")
    elif name in pages:
        _show_page(pages[name])
    else:
        text = " ".join(words)
        commands = context.find_root().command.list_commands(context)
        found = ", ".join(find_in_pages(text))
        hint = did_you_mean(name, [*pages, *commands])
        hint = hint or (f"; these pages mention it: {found}" if found else "")
        raise InputError(f"{quote(text)} is not a topic{hint or f'; {unknown_command_hint(words, commands)}'}")


def manual_pages() -> dict[str, Path]:
    """Return the pages of the documentation by name."""
    folder = next((folder for folder in _FOLDERS if folder.is_dir()), None)
    paths = sorted(folder.rglob("*.md")) if folder else []
    return {path.stem: path for path in paths if path.stem != _INDEX}


def find_in_pages(text: str) -> list[str]:
    """Return the names of the pages that mention a text, those with it in a heading first."""
    pattern = re.compile(re.escape(text), re.IGNORECASE)
    heading = re.compile(rf"^#.*{re.escape(text)}", re.IGNORECASE | re.MULTILINE)
    contents = {name: path.read_text(encoding="utf-8") for name, path in manual_pages().items()}
    mentioning = [name for name, content in contents.items() if pattern.search(content)]
    return sorted(mentioning, key=lambda name: heading.search(contents[name]) is None)[:5]


def _find_command(ctx: Any, words: list[str]) -> tuple[Any, Any]:
    """Return the command that the words name, or `None`, and its context."""
    context = ctx.find_root()
    command = context.command
    for word in words:
        command = command.get_command(context, word) if hasattr(command, "get_command") else None
        if command is None:
            return None, context
        context = type(ctx)(command, info_name=word, parent=context)
    return command, context


def _show_page(path: Path) -> None:
    """Show a page: as text on a terminal, as Markdown in a pipe."""
    from reports.cli.reference import insert_references  # it imports all commands

    text = insert_references(path.read_text(encoding="utf-8"))
    if not sys.stdout.isatty():
        echo(text, end="")
        return
    from pydoc import pager

    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(no_color=True)
    with console.capture() as capture:
        console.print(Markdown(text, hyperlinks=False))
    pager(capture.get())
