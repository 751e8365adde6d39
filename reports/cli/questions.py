"""The commands `list`, `compare`, `odds`, `check` and `formula`."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import typer

from combinat.analysis.odds import iter_rule_odds as count_odds
from combinat.bets.catalog import (
    iter_collection,
    list_collections,
    parse_file_argument,
    resolve_paytables,
    search_paytables,
)
from combinat.bets.load import inspect_bet
from combinat.enumeration.experiment import parse_deal
from combinat.finder.checks import Finding
from combinat.finder.checks import check_paytable as look
from decks import InputError, Shoe, did_you_mean, find_pack, parse_cards, parse_deck_counts
from decks.errors import quote
from reports.answers.catalog import check_document, check_payload, collections_document
from reports.answers.compare import comparison_document, comparison_payload, comparison_records
from reports.answers.odds import odds_document
from reports.answers.studies import odds_payload, paytable_payload
from reports.cli.arguments import StudyRequest, parse_digits, parse_format
from reports.cli.options import (
    DIGITS,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    OneOrMore,
    OnePaytable,
    Removed,
    Up,
    complete_paytable,
    complete_shelf,
    progress_if_slow,
    warn,
)
from reports.cli.output import PageAnswer, echo, print_answer
from reports.cli.pages import Output, PageFormat, PlotFile, check_targets, draw_into, page_format
from reports.cli.table import Table
from reports.cli.table_options import at_a_game, at_a_table
from reports.cli.trial import PayOverrides
from reports.cli.trying import Pays, trying

app = typer.Typer(add_completion=False)


@app.command("list")
def list_(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="Show only paytables whose id, title or bet has all these words.", autocompletion=complete_paytable
        ),
    ] = None,
    shelf: Annotated[
        str | None,
        typer.Option(
            help=f"Only this shelf of the catalog: {', '.join(list_collections())}.", autocompletion=complete_shelf
        ),
    ] = None,
    format: Format = "table",
) -> None:
    """List the paytables of the catalog, shelf by shelf."""
    format = parse_format(format)
    text = " ".join(words or [])
    by_shelf = {
        name: search_paytables(iter_collection(name), text)
        for name in ([shelf] if shelf is not None else list_collections())
    }
    if not any(by_shelf.values()):
        where = f" on the shelf {quote(shelf)}" if shelf is not None else ""
        known_words = [
            word
            for name in by_shelf
            for item in iter_collection(name)
            for word in f"{item.id} {item.title}".lower().split()
        ]
        unknown = [word for word in text.lower().split() if not any(word in item for item in known_words)]
        hint = did_you_mean(unknown[0], known_words) if unknown else ""
        raise InputError(
            f"no paytable{where} has {quote(text)} in its id, title or bet{hint or '; combinat list shows them all'}"
        )

    def payload() -> list[dict[str, Any]]:
        return [paytable_payload(item, name) for name, shelf_paytables in by_shelf.items() for item in shelf_paytables]

    print_answer(lambda: collections_document(by_shelf), payload, format, 0)


@app.command()
@at_a_table
@trying
def compare(
    paytables: OneOrMore,
    decks: Decks = None,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    up: Up = None,
    any_decks: AnyDecks = False,
    plot: PlotFile = None,
    format: PageFormat = None,
    digits: Digits = DIGITS,
    output: Output = None,
    *,
    table: Table,
    trial: PayOverrides,
) -> None:
    """Hold paytables against the first: figures by number of decks, which is better for the player, awards once."""
    format, digits = page_format(format, output), parse_digits(digits)
    check_targets(output, plot)
    with progress_if_slow("winning hands") as progress:
        question = StudyRequest(paytables, decks, removed, meter, any_decks, up, table, trial, beside=True)
        studies = question.studies(warn, progress)
    shown = lru_cache(maxsize=1)(lambda: comparison_document(studies))
    if plot is not None:
        draw_into(plot, shown())
    PageAnswer(shown, lambda: comparison_payload(studies), lambda: comparison_records(studies)).give(
        format, digits, output
    )


@app.command()
def odds(
    rule: Annotated[str, typer.Argument(help='What the cards must be, such as "suited and straight".')],
    deal: Annotated[str, typer.Option(help="Who gets how many cards.")] = "player:2, up:1",
    decks: Annotated[str, typer.Option("--decks", "-d", help="Deck counts: 6, or 1,2,4-8.")] = "1,2,4-8",
    given: Annotated[str | None, typer.Option(help="Count only among hands that fit this rule.")] = None,
    removed: Removed = "",
    pack: Annotated[
        str, typer.Option(help="standard, spanish (without tens), or as in 'standard with 1 joker'.")
    ] = "standard",
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Tell how likely any rule is, for cards dealt as you say. The words of a rule: combinat words."""
    format, digits = parse_format(format), parse_digits(digits)
    cards, kind = parse_cards(removed), find_pack(pack)
    shoes = [Shoe(count, kind, cards) for count in parse_deck_counts(decks)]
    refused: list[InputError] = []
    with progress_if_slow("hands"):
        results = list(count_odds(rule, parse_deal(deal), shoes, given, refused.append))
    if not results:
        raise refused[-1]
    for refusal in refused:
        warn(str(refusal))
    print_answer(lambda: odds_document(results), lambda: map(odds_payload, results), format, digits)


@app.command()
def check(
    paytables: OneOrMore,
    format: Format = "table",
) -> None:
    """Tell what is wrong with a bet's file, or that it is ok."""
    format = parse_format(format)
    findings: list[Finding] = []
    unreadable: list[str] = []
    with progress_if_slow("hands"):
        for argument in paytables:
            file = parse_file_argument(argument)
            if file and file[1] is None:
                readable, problems = inspect_bet(argument)
                unreadable += problems
            else:
                readable = resolve_paytables(argument)
            findings += [finding for item in readable for finding in look(item)]

    for problem in unreadable:
        warn(problem)
    if format != "table":
        print_answer(lambda: check_document(findings), lambda: [check_payload(unreadable, findings)], format, 0)
    elif findings:
        for finding in findings:
            echo(f"{finding.paytable}: {'error' if finding.is_error else 'warning'}: {finding.text}")
    elif not unreadable:
        echo("ok")
    if unreadable:
        raise typer.Exit(2)
    if any(finding.is_error for finding in findings):
        raise typer.Exit(1)


@app.command()
@at_a_game
def formula(
    paytable: OnePaytable,
    pays: Pays = [],  # noqa: B006  # typer reads the default, nobody writes to it
    up: Up = None,
    format: Format = "table",
    *,
    table: Table,
) -> None:
    """Give each award's ways and probability as a formula in the number of decks, n."""
    from reports.answers.formulas import formula_document, formula_payload

    format = parse_format(format)
    resolved = StudyRequest([paytable], up=up, typed=table, trial=PayOverrides(tuple(pays))).only()
    print_answer(lambda: formula_document(resolved), lambda: [formula_payload(resolved)], format, 0)
