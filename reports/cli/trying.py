"""The options for what can be tried of a paytable without a file: other pays, and meters that are run otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from reports.cli.blackjack_options import with_options
from reports.cli.trial import PayOverrides

MONEY = "as money for the fixed wager"
FORM = "for one meter NAME=VALUE. May be repeated."
Pays = Annotated[
    list[str],
    typer.Option(
        "--pays",
        help='Other pays for some awards, as "Flush=6, Straight=9 to 1"; the answer is marked as that of a variant. '
        "May be repeated, for a variant each.",
    ),
]
Seeds = Annotated[list[str], typer.Option("--seed", help=f"What a meter starts at, {MONEY}: 2000, or {FORM}")]
Rates = Annotated[list[str], typer.Option("--rate", help=f"What part of each wager goes in: 24%, or {FORM}")]
Wager = Annotated[
    str | None, typer.Option(help="The fixed wager, as an amount of money; left out, the paytable's, or 1.")
]


def trying(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of other pays and other meters, which reach it as its argument `trial`."""
    offered: dict[str, tuple[Any, Any]] = {
        "pays": (Pays, []),
        "seed": (Seeds, []),
        "rate": (Rates, []),
        "wager": (Wager, None),
    }

    def trial(typed: dict[str, Any]) -> PayOverrides:
        return PayOverrides(tuple(typed["pays"]), tuple(typed["seed"]), tuple(typed["rate"]), typed["wager"])

    return with_options(command, "trial", offered, trial)
