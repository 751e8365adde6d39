"""The command about wagers on the same cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from combinat.analysis.joint import analyze_joint as join
from combinat.analysis.joint import analyze_spots, check_spots
from combinat.exact.numbers import parse_number
from decks import InputError, Shoe, parse_cards
from decks.errors import quote
from reports.answers.joint import joint_document, joint_lines, joint_overview, joint_payload
from reports.cli.arguments import StudyRequest, parse_digits, parse_format, parse_meters
from reports.cli.options import (
    DIGITS,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    Removed,
    SoftSeventeen,
    complete_paytable,
    progress_if_slow,
    warn,
)
from reports.cli.output import print_answer
from reports.cli.table import BlackjackTable, Table
from reports.cli.trial import PayOverrides
from reports.cli.trying import Pays
from reports.page.model import Document

if TYPE_CHECKING:
    from reports.answers.joint import JointAnswer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def joint(
    wagers: Annotated[
        list[str],
        typer.Argument(
            help="Paytables with what is staked on each, as in TRI-01=10.", autocompletion=complete_paytable
        ),
    ],
    decks: Decks = None,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the defaults, nobody writes to them
    pays: Pays = [],  # noqa: B006
    spots: Annotated[
        int, typer.Option(help="How many spots make these wagers, sharing the dealer's cards and the shoe.")
    ] = 1,
    hits_soft_17: SoftSeventeen = None,
    any_decks: AnyDecks = False,
    format: Format = "table",
    digits: Digits = DIGITS,
) -> None:
    """Analyse wagers on the same cards together: the result of the round, how far they go together, several spots."""
    format, digits = parse_format(format), parse_digits(digits)
    stakes = [_stake(wager) for wager in wagers]
    typed = Table(BlackjackTable(hits_soft_17))
    question = StudyRequest(
        [name for name, _ in stakes], decks, removed, meter, any_decks, None, typed, PayOverrides(tuple(pays))
    )
    with progress_if_slow("hands"):
        answers = join_bets(question, [stake for _, stake in stakes], spots, warn)

    def shown() -> Document:
        if format == "csv":
            return joint_lines(answers)
        return joint_document(answers[0]) if len(answers) == 1 else joint_overview(answers)

    print_answer(shown, lambda: map(joint_payload, answers), format, digits)


def join_bets(
    question: StudyRequest, stakes: Sequence[Fraction], spots: int, warn: Callable[[str], None]
) -> list[JointAnswer]:
    """Return the joint results of wagers at every requested deck count that all are designed for."""
    plain = replace(question, trial=PayOverrides())
    paytables = [replace(plain, arguments=[name]).only() for name in question.arguments]
    if len(question.trial.pays) > 1:
        raise InputError("several pays are tried, for a variant each; try one at a time here")
    if question.trial.pays:
        paytables = [item for _, item in question.named(warn)]
    for message in dict.fromkeys(filter(None, map(question.outside, paytables))):
        warn(message)
    counts = [set(item.select_deck_counts(question.counts, question.any_decks)) for item in paytables]
    shared = sorted(set.intersection(*counts))
    if not shared:
        designs = ", ".join(f"{item.id} for {item.decks_text}" for item in paytables)
        raise InputError(f"no deck count is left that all are designed for ({designs}); --any-decks allows others")
    amounts = parse_meters(question.meters, paytables) if question.meters else {}
    bets = list(zip(paytables, stakes, strict=True))
    cards = parse_cards(question.removed)
    shoes = [Shoe(count, paytables[0].bet.pack, cards) for count in shared]
    check_spots(paytables, shoes[0], spots)
    results = [join(bets, shoe, amounts) for shoe in shoes]
    return [(item, analyze_spots(item, spots) if spots != 1 else None) for item in results]


def _stake(argument: str) -> tuple[str, Fraction]:
    """Parse a paytable with its stake (default 1)."""
    name, equals, number = argument.rpartition("=")
    if not equals:
        return argument, Fraction(1)
    stake = parse_number(number.strip().lstrip("$"))
    if stake is None or not name.strip():
        raise InputError(f"cannot read the wager {quote(argument)}; write a paytable and its stake, as in TRI-01=10")
    return name.strip(), stake
