"""The command `diff`: compare two revisions of a bet."""

from __future__ import annotations

from typing import Annotated

import typer

from decks import InputError, parse_deck_counts
from reports.cli.arguments import parse_digits, parse_format
from reports.cli.options import DIGITS, Decks, Digits, Format, complete_paytable
from reports.cli.output import print_answer
from reports.diff.answer import diff_document, diff_payload
from reports.diff.changes import compare_revisions
from reports.diff.revisions import load_sides, pair_revisions

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_SIDE = "A par sheet or an answer as JSON, a bet's TOML file, file.toml:ID, or a catalog id."
Side = Annotated[str, typer.Argument(help=_SIDE, autocompletion=complete_paytable)]


@app.command()
def diff(old: Side, new: Side, decks: Decks = None, format: Format = "table", digits: Digits = DIGITS) -> None:
    """Tell what changed between two sheets or two revisions of a bet's file, and why.

    The exit code is 0 if neither the bet nor any figure differs, 1 if something does, and 2 if a file cannot be read.
    """
    format, digits = parse_format(format), parse_digits(digits)
    old_side, new_side = load_sides(old, new, None if decks is None else parse_deck_counts(decks))
    if not old_side and not new_side:
        raise InputError(f"neither {old} nor {new} has anything for {decks} decks")
    comparisons = [compare_revisions(*pair) for pair in pair_revisions(old_side, new_side)]
    print_answer(lambda: diff_document(comparisons, old, new), lambda: diff_payload(comparisons), format, digits)
    if not all(comparison.is_same for comparison in comparisons):
        raise typer.Exit(1)
