"""The command that finds paytables: from what is asked to pays."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from combinat.bets.export import is_valid_id
from combinat.finder.spec import DESCENDING, EDGE, build_spec, load_request, parse_best
from combinat.parallel.backend import start_workers
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.cli.arguments import parse_digits, parse_format
from reports.cli.options import DIGITS, Digits, Format, complete_paytable, progress_if_slow
from reports.cli.output import echo, print_answer
from reports.cli.workers_options import Cluster, Jobs
from reports.page.errors import INTERRUPTED
from reports.page.files import check_output_path, write_file
from reports.page.numerals import format_percent

if TYPE_CHECKING:
    from combinat.enumeration.decision import Progress
    from combinat.finder.finder import SearchPart, SearchResult

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def design(
    spec: Annotated[
        str,
        typer.Argument(
            help="A spec in a TOML file, or the bet to start from: a catalog id, a file, or file.toml:ID.",
            autocompletion=complete_paytable,
        ),
    ],
    pays: Annotated[
        str | None,
        typer.Option(
            help='What awards may pay: "Flush=1..50, Straight=2..30 step 2, Pair=1|2|out"; *=1..50 for all that win.'
        ),
    ] = None,
    decks: Annotated[str | None, typer.Option("--decks", "-d", help="Deck counts that it must serve: 6,8.")] = None,
    edge: Annotated[
        list[str] | None,
        typer.Option(
            help="Limits of the edge: 4.0%..4.5%, or 6=4.0%..4.5% for one deck count. Needed unless --target is given."
        ),
    ] = None,
    hit_frequency: Annotated[str | None, typer.Option("--hits", help="Limits of the hit frequency: 9%..12%.")] = None,
    standard_deviation: Annotated[
        str | None, typer.Option("--deviation", help="Limits of the standard deviation: ..4.")
    ] = None,
    top_share: Annotated[str | None, typer.Option(help="Limits of the top award's share of the return: ..25%.")] = None,
    top_at_least: Annotated[str | None, typer.Option(help="What the top award, or a seed, must be at least.")] = None,
    falling: Annotated[
        bool | None,
        typer.Option(
            "--falling/--any-order",
            help="Each award pays less than the one above it, or pays in any order. [default: no award pays more than "
            "one above it, except where the bet itself has it so]",
        ),
    ] = None,
    order: Annotated[
        str | None, typer.Option(help="Which come first: closest, roundest, lowest volatility or highest volatility.")
    ] = None,
    target: Annotated[str | None, typer.Option(help="The edge that is wanted. [default: the middle of --edge]")] = None,
    seed: Annotated[
        list[str] | None, typer.Option(help="What a meter's seed may be: 1000..5000 step 500, or Mega=1000|2000.")
    ] = None,
    rate: Annotated[
        list[str] | None, typer.Option(help="What a meter's rate may be: 10%..20%, or Mega=5%|10%.")
    ] = None,
    meter: Annotated[list[str] | None, typer.Option(help="What a meter shows; then it does not grow.")] = None,
    best: Annotated[str | None, typer.Option(help="How many to show, or all; 10 if nothing is said.")] = None,
    write: Annotated[Path | None, typer.Option(help="A file to write one of them to, which check accepts.")] = None,
    pick: Annotated[int, typer.Option(help="Which of those shown is written.")] = 1,
    id: Annotated[str, typer.Option("--id", help="The id of the paytable that is written.")] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it is there already.")] = False,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Find the paytables that do what is asked, all of them counted and the best shown, by an exact search."""
    from combinat.finder.finder import PartitionedSearch
    from reports.answers.design import design_document, design_payload

    format, digits = parse_format(format), parse_digits(digits)
    _check_target(write, id, overwrite)
    typed: dict[str, Any] = {
        "pays": pays,
        "decks": decks,
        "edge": _by_deck_count(edge),
        "hit_frequency": hit_frequency,
        "standard_deviation": standard_deviation,
        "top_share": top_share,
        "top_at_least": top_at_least,
        "falling": falling,
        "order": order,
        "target": target,
        "seed": _by_name(seed),
        "rate": _by_name(rate),
        "meter": _by_name(meter),
        "best": best,
    }
    full_spec = load_request(spec) | {key: typed_value for key, typed_value in typed.items() if typed_value is not None}
    grid = PartitionedSearch(full_spec, parse_best(full_spec))
    is_shared = bool(grid.is_large or cluster)  # what takes no time is searched before others have begun
    chunks = len(grid.parts) if is_shared else 1
    with start_workers(jobs, chunks, cluster=cluster) as crew, progress_if_slow("combinations") as bar:
        result = search_paytable_designs(full_spec, bar, grid.iter_parts(crew) if is_shared else None)
    if not result.best:
        raise typer.Exit(INTERRUPTED)
    if write is not None and not 1 <= pick <= len(result.best):
        raise InputError(f"--pick {pick}: there are {len(result.best)} to pick from")
    print_answer(lambda: design_document(result), lambda: [design_payload(result)], format, digits)
    if write is not None:
        from combinat.finder.export import format_file

        if write_file(write, format_file(result.best[pick - 1], id), named=True):
            echo(f"wrote {truncate_middle(write)}", err=True)
    if not result.is_complete:
        raise typer.Exit(INTERRUPTED)


def search_paytable_designs(
    spec: dict[str, Any], progress: Progress | None, done: Iterable[SearchPart] | None = None
) -> SearchResult:
    """Search for paytables that meet `spec`, or merge the parts in `done`; raise `InputError` if there are none."""
    from combinat.finder.finder import find_paytables

    requirements, max_results = build_spec(spec), parse_best(spec)
    result = find_paytables(
        requirements,
        max_results,
        None if progress is None else lambda position, total, _: progress(position, total),
        done,
    )
    if not result.best and result.is_complete:
        raise InputError(f"none of {result.size:,} combinations does what is asked; {_why_not(result)}")
    return result


def _why_not(result: SearchResult) -> str:
    """Describe which requirements conflict, and which edges are possible."""
    if not result.size:
        return "no award is left that could be won"
    if not result.conflict:
        return "the meters would take more of each wager than the fixed pays leave"
    reasons = []
    for requirement in result.conflict:
        low, high = result.reach(requirement.at)
        hints = {
            EDGE: f" (it can be {format_percent(low, 2)} to {format_percent(high, 2)})",
            DESCENDING: " (--any-order allows it)",
        }
        reasons.append(f"{requirement}{hints.get(requirement.kind, '')}")
    begins = "none meets this by itself" if len(reasons) == 1 else "these exclude one another"
    return f"{begins}: {'; '.join(reasons)}"


def _by_deck_count(texts: list[str] | None) -> dict[str, list[str]] | None:
    """Parse limits that may apply to one deck count, such as `6=4%..5%`, and group them by deck count."""
    if not texts:
        return None
    limits_by_decks: dict[str, list[str]] = {}
    for text in texts:
        name, equals, limits = text.rpartition("=")
        limits_by_decks.setdefault(name.strip() if equals else "*", []).append(limits)
    return limits_by_decks


def _by_name(texts: list[str] | None) -> Any:
    """Parse values that may apply to one meter, such as `Mega=1000..5000`."""
    if not texts:
        return None
    splits = [text.rpartition("=") for text in texts]
    if len(splits) == 1 and not splits[0][1]:
        return texts[0]
    values: dict[str, str] = {}
    for (prefix, equals, value), text in zip(splits, texts, strict=True):
        if not equals:
            raise InputError(f"{quote(text)}: say of which meter, as in Mega={text}")
        name = prefix.strip()
        if name.lower() in map(str.lower, values):
            raise InputError(f"{quote(text)}: {quote(name)} is given twice")
        values[name] = value
    return values


def _check_target(path: Path | None, id: str, overwrite: bool) -> None:
    """Raise `InputError` before the search if the file could not be written."""
    if id and not is_valid_id(id):
        raise InputError(
            f"{quote(id)} is no id; write 1 to 40 letters, digits and + . _ - beginning with one of the first"
        )
    if path is not None:
        check_output_path(path)
        if path.is_file() and not overwrite:
            raise InputError(f"{truncate_middle(path)} is there already; write to another file, or give --overwrite")
