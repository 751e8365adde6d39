"""The commands `judge` (evaluate one hand) and `words` (the vocabulary of rules)."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from combinat.enumeration.experiment import parse_deal
from combinat.language.hand import parse_roles_of_hand
from reports.answers.judge import judgement_document, judgement_payload
from reports.answers.vocabulary import vocabulary_document, vocabulary_payload
from reports.cli.arguments import StudyRequest, parse_digits, parse_format, parse_meters
from reports.cli.options import DIGITS, Digits, Format, Meter, OnePaytable, Removed, SoftSeventeen
from reports.cli.output import print_answer
from reports.cli.table import BlackjackTable, Table
from reports.cli.trial import PayOverrides
from reports.cli.trying import Pays

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def judge(
    paytable: OnePaytable,
    hand: Annotated[
        list[str],
        typer.Argument(help='The cards in the order of the deal, "As Ks Qs", or by role: player="As Ks" up=Qs.'),
    ],
    decks: Annotated[int | None, typer.Option("--decks", "-d", help="Decks; left out, the most of the design.")] = None,
    removed: Removed = "",
    pays: Pays = [],  # noqa: B006  # typer reads the defaults, nobody writes to them
    meter: Meter = [],  # noqa: B006
    hits_soft_17: SoftSeventeen = None,
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Judge one hand: which award it takes, what that pays, and why each award above it does not fit."""
    from combinat.api.queries import judge as judge_hand

    format, digits = parse_format(format), parse_digits(digits)
    resolved = StudyRequest(
        [paytable], typed=Table(BlackjackTable(hits_soft_17)), trial=PayOverrides(tuple(pays))
    ).only()
    roles: dict[str, Any] = {**parse_roles_of_hand(hand, resolved.bet.deal)}
    cards = None if roles else " ".join(hand)
    meters = dict(parse_meters(meter, [resolved]))
    judgement = judge_hand(resolved, cards, decks=decks, removed=removed, meters=meters, **roles)
    print_answer(lambda: judgement_document(judgement), lambda: [judgement_payload(judgement)], format, digits)


@app.command()
def words(
    deal: Annotated[str | None, typer.Option(help="Show the words of this deal, its own among them.")] = None,
    format: Format = "table",
) -> None:
    """List the words that a rule can use, with what they mean."""
    format = parse_format(format)
    experiment = None if deal is None else parse_deal(deal)
    print_answer(lambda: vocabulary_document(experiment), lambda: vocabulary_payload(experiment), format, 0)
