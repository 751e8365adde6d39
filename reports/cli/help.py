"""Help as plain text: options in sections, defaults as `[default: 6]`, examples at the end."""

from __future__ import annotations

import inspect
import re
from typing import Any

import typer
from typer.core import TyperCommand

from reports.cli.shorthand import expand_shorthand

_COMPUTED_DEFAULT = re.compile(r"\[default: \((.*)\)(?=[];])", re.DOTALL)
"""Typer puts a default that is given as text into parentheses."""

_OLD_FLAGS = re.compile(r", --shelf\b")
"""Earlier names of options, which work but are not listed."""


def split_examples(docstring: str) -> tuple[str, list[str]]:
    r"""Split the help of a command into its text and the example commands of its last paragraph.

    >>> split_examples("Show awards.\n\ncombinat show TRI-03\ncombinat show TRI-04")
    ('Show awards.', ['combinat show TRI-03', 'combinat show TRI-04'])
    """
    text, _, last_paragraph = inspect.cleandoc(docstring).rpartition("\n\n")
    if not last_paragraph.startswith("combinat "):
        return inspect.cleandoc(docstring), []
    return text, last_paragraph.splitlines()


class HelpWithExamples:
    """A command whose help ends with the examples of its docstring, each on a line of its own."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # overrides a method of typer
        """Write the help without the examples."""
        text, _ = split_examples(self.help or "")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # overrides a method of typer
        """Write the examples."""
        _, examples = split_examples(self.help or "")
        if examples:
            with formatter.section("Examples" if len(examples) > 1 else "Example"):
                formatter.write("".join(f"  {example}\n" for example in examples))


class SectionedCommand(HelpWithExamples, TyperCommand):
    """A command whose help lists options by section, the `rich_help_panel` of each option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, with shorthand such as `--json` written out."""
        options = {flag for parameter in self.get_params(ctx) for flag in parameter.opts}
        return super().parse_args(ctx, expand_shorthand(args, options))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write one list for each section: arguments, general options, then the others in order of appearance."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                name, text = _OLD_FLAGS.sub("", record[0]), record[1]
                title = "Arguments" if parameter.param_type_name == "argument" else "Options"
                records = sections.setdefault(getattr(parameter, "rich_help_panel", None) or title, [])
                records.append((name, _COMPUTED_DEFAULT.sub(r"[default: \1", text)))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def use_plain_help(app: typer.Typer) -> typer.Typer:
    """Return an application, changed so that the help of its commands is plain text in sections.

    Typer would draw boxes on a terminal, which leave half of its width to the text.
    """
    app.rich_markup_mode = None
    for command in app.registered_commands:
        command.cls = SectionedCommand
    return app
