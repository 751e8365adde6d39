"""The options of the commands that write par sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Output = Annotated[
    Path, typer.Option("--output", "-o", help="The folder to write into; it is made if it is not there.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace files in the folder that combinat did not write.")]
SheetOutput = Annotated[
    Path,
    typer.Option(
        "--output", "-o", help="The folder to write into; or for one sheet a file, in the format of its ending: x.pdf."
    ),
]
SheetFormats = Annotated[
    str,
    typer.Option(
        "--format", "-f", help="Formats with commas between: pdf, xlsx, html, markdown, csv, json, latex; or all."
    ),
]
SHEET_FORMATS = "pdf,xlsx,html,json"
OneSheetFormats = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        help="Formats with commas between: pdf, xlsx, html, markdown, csv, json, latex; or all.",
        show_default=f"{SHEET_FORMATS}; for a file that of its ending",
    ),
]
Number = Annotated[str, typer.Option("--document", help="The document's number; left out, paytable and deck count.")]
Revision = Annotated[str, typer.Option(help="The document's revision.")]
Date = Annotated[
    str | None, typer.Option(help="The date it bears, as 2026-11-16; left out, that of SOURCE_DATE_EPOCH or none.")
]
PreparedBy = Annotated[str, typer.Option(help="Who prepared it; left out, a line to sign on.")]
ReviewedBy = Annotated[str, typer.Option(help="Who reviewed it; left out, a line to sign on.")]
Jurisdiction = Annotated[
    str, typer.Option(help="Where it is submitted; if there are tests of that name, only these are shown.")
]
Tests = Annotated[
    Path | None, typer.Option("--tests", help="A TOML file of tests of jurisdictions, instead of those built in.")
]
History = Annotated[
    list[str],
    typer.Option("--history", help="A line of the revision history, as '1, 2026-01-10: first issue'; may be repeated."),
]
MaxWager = Annotated[
    str, typer.Option(help="The largest wager that the table takes, for the exposure; with meters the wager is fixed.")
]
MAX_WAGER = "100"
HouseJackpot = Annotated[
    bool,
    typer.Option(
        "--house-jackpot",
        help="Run the meters as posted prizes, of the amounts given with --meter or else of their seeds, to which "
        "nothing is contributed.",
    ),
]
OtherDecks = Annotated[
    bool,
    typer.Option(
        "--other-decks/--no-other-decks",
        help="Work out the best play of a bet that has an option with the other deck counts too, for the table of "
        "these; it takes some seconds for each, once.",
    ),
]
Paper = Annotated[str, typer.Option(help="What a PDF is printed on: a4 or letter.")]
SheetDigits = Annotated[int, typer.Option("--digits", help="Decimals of a probability; percentages get two fewer.")]
