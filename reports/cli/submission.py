"""The commands `submit`, `rebuild` and `sign`, which write, check and sign dossiers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace

from combinat.requests.request import Group, Notify, Option
from combinat.requests.submit import PASSPHRASE_VARIABLE, Rebuild, Sign, Submit
from combinat.results.answer import Answer
from combinat.results.submit import RebuildAnswer, SignAnswer, SubmitAnswer
from decks import InputError
from decks.errors import quote
from reports.cli.options import warn
from reports.cli.output import echo, json_answer
from reports.cli.request_command import add_request_command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class SummaryPrinting(Struct, frozen=True):
    """How the result of a command that writes files is printed."""

    format: Annotated[str, Option("table or json.", ("--format", "-f"), group=Group.OUTPUT)] = "table"

    def __post_init__(self) -> None:
        if self.format not in ("table", "json"):
            raise InputError(f"--format must be table or json, got {quote(self.format)}")

    def show(self, answers: Sequence[Answer], lines: Iterable[str]) -> None:
        """Print lines, or the answers as JSON."""
        if self.format == "json":
            echo(json_answer(answer.to_dict() for answer in answers), end="")
        else:
            for line in lines:
                echo(line)


def _show_dossier(_: Submit, answer: SubmitAnswer, printing: SummaryPrinting) -> None:
    printing.show(
        [answer], [f"{answer.output}: {len(answer.files)} files for {', '.join(answer.sheets)}; start with cover.pdf"]
    )
    if answer.added_by_applicant:
        count = len(answer.added_by_applicant)
        warn(f"the applicant must add {count} of the requirements for {answer.jurisdiction}; cover.pdf lists them")
    if answer.not_read:
        warn(f"not read for {answer.jurisdiction}: {'; '.join(answer.not_read)}")


def _show_comparison(_: Rebuild, answer: RebuildAnswer, printing: SummaryPrinting) -> None:
    count = len(answer.differences)
    verdict = "same bytes" if answer.same else f"{count} problem{'' if count == 1 else 's'}"
    lines = [f"{answer.dossier}: {answer.files} files made again, {verdict}"]
    lines += [f"  {line}" for line in (*answer.differences, *answer.signed)]
    lines += [f"  {name}: not part of the dossier" for name in answer.other_files]
    printing.show([answer], lines)
    if not answer.same:
        raise typer.Exit(1)


def _sign(request: Sign, notify: Notify) -> Sequence[SignAnswer]:
    """Sign a file; the passphrase is asked for on a terminal if it is neither in a file nor in the environment."""
    if request.passphrase_file is None and PASSPHRASE_VARIABLE not in os.environ and sys.stdin.isatty():
        passphrase = typer.prompt("Passphrase of the certificate", default="", hide_input=True, show_default=False)
        request = replace(request, passphrase=passphrase)
    return request.answer(notify)


def _show_signature(_: Sign, answers: Sequence[SignAnswer], printing: SummaryPrinting) -> None:
    lines = []
    for answer in answers:
        place = f"stamp on page {answer.page}" if answer.page else "no signature block, so no visible stamp"
        lines.append(f"{answer.output}: signed by {answer.signer}; {place}")
        lines.append("  the bytes now differ from those that combinat makes; keep the unsigned file for rebuild")
    printing.show(answers, lines)


add_request_command(
    app,
    Submit,
    SummaryPrinting,
    _show_dossier,
    name="submit",
    progress_label="sheet",
    examples=[
        "combinat submit TRI-03 --decks 6,8 --to washington --output dossier",
        "combinat submit mine.toml --to generic --replaces old.zip --output new.zip",
    ],
    omitted=("removed", "up", "jurisdiction"),
)
add_request_command(
    app,
    Rebuild,
    SummaryPrinting,
    _show_comparison,
    name="rebuild",
    progress_label="sheet",
    examples=["combinat rebuild dossier", "combinat rebuild dossier.zip --output again"],
)
add_request_command(
    app,
    Sign,
    SummaryPrinting,
    _show_signature,
    name="sign",
    progress_label="signature",
    examples=["combinat sign dossier/cover.pdf --certificate signer.p12"],
    omitted=("passphrase",),
    answer=_sign,
)
