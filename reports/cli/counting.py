"""The command that tells what counts are worth, of one bet or of many, and what no count can beat."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from combinat.bets.lookup import catalog, every_paytable, shelves
from combinat.exact.amounts import number_in
from decks import InputError, Shoe, parse_cards
from decks.errors import quoted
from reports.cli.arguments import Question, parse_digits, parse_format, parse_meters
from reports.cli.options import (
    PAYTABLE_HELP,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    Removed,
    bar_when_long,
    complete_paytable,
    warn,
)
from reports.cli.printing import answer
from reports.cli.table import Table
from reports.cli.table_options import at_a_game
from reports.cli.workers_options import Cluster, Jobs

if TYPE_CHECKING:
    from reports.answers.counting import CountedBet

_SAMPLES, _MOST_SAMPLES = 2000, 10_000_000
"""Shoes that are sampled if nothing is said, and at most if it is said how narrow the interval is to be."""

app = typer.Typer(pretty_exceptions_enable=False)


@app.command("count")
@at_a_game
def count_(
    paytables: Annotated[list[str] | None, typer.Argument(help=PAYTABLE_HELP, autocompletion=complete_paytable)] = None,
    shelf: Annotated[
        str | None, typer.Option(help=f"All paytables of a shelf of the catalog: {', '.join(shelves())}.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="All paytables of the catalog.")] = False,
    decks: Decks = None,
    cut: Annotated[int | None, typer.Option(help="The cut card lies so many cards from the end.")] = None,
    tags: Annotated[
        str | None, typer.Option(help='What each card adds, such as "A=-2 2=1 10=-1"; others add 0.')
    ] = None,
    best: Annotated[int, typer.Option(help="Without --tags: find the best whole-number tags up to this level.")] = 1,
    unbalanced: Annotated[bool, typer.Option("--unbalanced", help="With --best: the tags need not come to 0.")] = False,
    trigger: Annotated[
        str | None, typer.Option(help="Tell of this trigger depth by depth instead of the best one.")
    ] = None,
    conventions: Annotated[
        str | None, typer.Option(help="Customs: blackjack or baccarat; by the bet's game if left out.")
    ] = None,
    every: Annotated[
        str | None, typer.Option(help="A round begins every so many cards; 0 for all depths alike.")
    ] = None,
    depths: Annotated[str | None, typer.Option(help="Rounds begin just there, such as 52,104-110.")] = None,
    first: Annotated[int | None, typer.Option(help="Cards seen before the first round that counts.")] = None,
    burned: Annotated[int | None, typer.Option(help="Cards burned before the first round.")] = None,
    burned_seen: Annotated[int | None, typer.Option(help="How many of the burned cards are seen.")] = None,
    after_cut: Annotated[int | None, typer.Option(help="Rounds after the one in which the cut card comes.")] = None,
    true_count: Annotated[str | None, typer.Option(help="exact, floored, rounded, or running for no division.")] = None,
    divide_by: Annotated[str | None, typer.Option(help="Decks left: exact, to the nearest half or whole.")] = None,
    divisor: Annotated[
        str | None, typer.Option(help="Cards divided by: unseen, or physical, those in the shoe.")
    ] = None,
    start: Annotated[int | None, typer.Option(help="What the running count starts with.")] = None,
    suits: Annotated[
        bool, typer.Option("--suits", help="Count the fullest suit left less the emptiest, not tags.")
    ] = False,
    bound: Annotated[bool, typer.Option("--bound", help="Tell what no count can beat, exactly or as sampled.")] = False,
    samples: Annotated[
        int | None, typer.Option(help="Shoes to sample where the bound is not exact; 2000 if left out.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            help="Sample until the interval is plus or minus such a part of what is won, as 0.1%; then --samples is "
            "the most, and ten million if it is left out."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of what is sampled.")] = 1,
    chunk: Annotated[int, typer.Option(help="Shoes that are sampled in one go, by one process or worker.")] = 16384,
    wager: Annotated[str | None, typer.Option(help="The largest wager, to tell what an hour wins.")] = None,
    rounds_per_hour: Annotated[str, typer.Option(help="Rounds in an hour.")] = "70",
    view: Annotated[str, typer.Option(help="Roles whose cards are seen when the bet is made, such as player,up.")] = "",
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the default, nobody writes to it
    any_decks: AnyDecks = False,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    format: Format = "table",
    digits: Digits = 6,
    *,
    table: Table,
) -> None:
    """Tell what it is worth to count cards: how often one bets, the edge then and what is won, for every trigger.

    Of several paytables or deck counts, a line for each with its best trigger; JSON has everything of each.
    """
    from combinat.advantage.sampled import check_samples
    from combinat.advantage.sampling import Sampling
    from combinat.workers.choose import workers
    from reports.answers.counting import CountAsked
    from reports.cli.counted import tell_many, tell_one

    format, digits = parse_format(format), parse_digits(digits)
    customs = _customs(
        round_cards=None if every is None else _number(every, "--every"),
        first=first,
        burned=burned,
        burned_seen=burned_seen,
        rounds_after_cut=after_cut,
        divisor=divisor,
        decks=divide_by,
        true_count=true_count,
        start=start,
    )
    asked = CountAsked(
        cut,
        tags,
        best,
        unbalanced,
        None if trigger is None else _number(trigger, "--trigger"),
        conventions,
        customs,
        None if depths is None else tuple(_whole_numbers(depths)),
        suits,
        bound,
        None if wager is None else (_number(wager, "--wager"), _number(rounds_per_hour, "--rounds-per-hour")),
        tuple(role.strip() for role in view.split(",") if role.strip()),
    )
    named = [*(paytables or []), *_named(shelf, all)]
    question = Question(named, decks, removed, meter, any_decks, None, table)
    bets = list(_bets(question))
    part = _part(until)
    most = samples if samples is not None else _SAMPLES if part is None else _MOST_SAMPLES
    check_samples(most, seed, chunk)
    chunks = max(len(bets), -(-most // chunk) if bound else 1)
    with workers(jobs, chunks, cluster=cluster) as crew, bar_when_long("shoes") as bar:
        tell = tell_one if len(bets) == 1 else tell_many
        document, payload, failures = tell(asked, bets, (most, seed), Sampling(chunk, part, crew, None, bar))
    answer(document, payload, format, digits)
    for failure in failures:
        warn(failure)
    if failures:
        raise typer.Exit(1)


def _named(shelf: str | None, all: bool) -> list[str]:
    """Name the paytables of a shelf, or of all."""
    if shelf is not None and all:
        raise InputError("--all is every shelf; leave --shelf out")
    return [one.id for one in (every_paytable() if all else catalog(shelf) if shelf is not None else ())]


def _bets(question: Question) -> Iterator[CountedBet]:
    """Give every bet at every deck count that is asked for; those outside a design are left out with a warning."""
    from combinat.bets.sent import sent
    from reports.answers.counting import CountedBet

    if not question.arguments:
        raise InputError("no paytable is named; name one or more, a shelf with --shelf, or --all")
    paytables = [paytable for _, paytable in question.named(warn)]
    cards, values = parse_cards(question.removed), parse_meters(question.meters, paytables)
    refused = []
    is_none = True
    for paytable in paytables:
        if outside := question.outside(paytable):
            refused.append(outside)
        own = {name: value for name, value in values.items() if name in paytable.meters}
        bet = sent(paytable, question.soft_17, question.typed.settings)
        for count in paytable.counts_for(question.counts, question.any_decks):
            is_none = False
            shoe = Shoe(count, paytable.bet.pack, cards)
            yield CountedBet(bet, shoe, own, f"{paytable.id} with {shoe}")
    if is_none:
        raise InputError("; ".join(refused))
    for message in refused:
        warn(message)


def _customs(**typed: Any) -> dict[str, Any]:
    """Give what was typed of the conventions; burned cards that are said take the place of a card shown."""
    given = {name: value for name, value in typed.items() if value is not None}
    if "round_cards" in given:
        given["lengths"] = ()
    if "burned" in given:
        given["burns_by_first_card"] = False
    return given


def _part(text: str | None) -> Fraction | None:
    """Read to which part of the estimate an interval is to be narrowed."""
    if text is None:
        return None
    value = number_in(text.strip().removesuffix("%"))
    if value is None or not text.strip().endswith("%") or not 0 < value < 100:
        raise InputError(f"--until {quoted(text)}: no part of what is won; write a percentage, as in 0.1%")
    return value / 100


def _number(text: str, option: str) -> Fraction:
    negative = text.strip().startswith("-")
    value = number_in(text.strip().lstrip("+-"))
    if value is None:
        raise InputError(f"{option} {quoted(text)}: no number; write one, as in 5.4")
    return -value if negative else value


def _whole_numbers(text: str) -> list[int]:
    """Read depths written as numbers and spans."""
    found: list[int] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) < 6 for end in ends):
            raise InputError(f"--depths: no depth {quoted(part.strip())}; write whole numbers, as in 52,104-110")
        found += range(int(ends[0]), int(ends[-1]) + 1)
    if not found:
        raise InputError(f"--depths {quoted(text)}: no depth; write whole numbers, as in 52,104-110")
    return found
