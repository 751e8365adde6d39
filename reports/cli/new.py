"""The command `new`: start a bet's file from a template or from an existing bet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from combinat.bets.export import DEFAULT_DEAL, build_template, export_toml, is_valid_id
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.cli.arguments import StudyRequest
from reports.cli.options import complete_paytable
from reports.cli.output import echo
from reports.cli.output_format import check_ending
from reports.cli.trial import PayOverrides
from reports.cli.trying import Pays
from reports.page.files import check_output_path, write_file

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def new(
    origin: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="The bet to start from: a catalog id such as TRI-03, a file, or file.toml:ID. Left out, a template.",
            autocompletion=complete_paytable,
        ),
    ] = None,
    deal: Annotated[
        str | None, typer.Option(help="How the template's cards come: player:2,up:1, dealer:h17, baccarat, lucky 9.")
    ] = None,
    pays: Pays = [],  # noqa: B006  # typer reads the default, nobody writes to it
    id: Annotated[str, typer.Option("--id", help="The paytable's id; left out, one that says where it is from.")] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; left out, standard output.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it is there already.")] = False,
) -> None:
    """Begin a bet's file of your own: a commented template, or a copy of a bet of the catalog."""
    check_ending(output, "a bet's file is TOML", "toml")
    text = _text(origin, deal, pays, id)
    if output is None:
        echo(text, end="")
        return
    check_output_path(output)
    if output.is_file() and not overwrite:
        raise InputError(f"{truncate_middle(output)} is there already; write to another file, or give --overwrite")
    if write_file(output, text, named=True):
        echo(str(output))


def _text(origin: str | None, deal: str | None, pays: list[str], id: str) -> str:
    if id and not is_valid_id(id):
        raise InputError(
            f"{quote(id)} is no id; write 1 to 40 letters, digits and + . _ - beginning with one of the first"
        )
    if origin is None:
        if pays:
            raise InputError("--pays is for a bet that is there; name it with --from, as in --from TRI-03")
        return build_template(DEFAULT_DEAL if deal is None else deal, id)
    if deal is not None:
        raise InputError("--deal is for a template; the cards of a copy come as in the bet that it is made from")
    if len(pays) > 1:
        raise InputError("--pays is given twice, and a file is made of one paytable; put all pays into one")
    paytable = StudyRequest([origin], trial=PayOverrides(tuple(pays))).only()
    return paytable.bet.file if pays and not id else export_toml(paytable, id)
