"""The command `count`: the value of card counting, for one bet in full or for many in a line each.

Several bets are counted by worker processes, and finished ones are kept in a journal so that an interrupted command can
continue. With `--bound` the upper bound for perfect play is computed or sampled too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from combinat.bets.catalog import iter_collection, iter_paytables, list_collections
from combinat.bets.overrides import make_reference
from combinat.counting.bound import PerfectPlayBound, sample_bound
from combinat.counting.sampling.driver import Sampling
from combinat.parallel.backend import start_workers
from combinat.parallel.chunks import Work
from combinat.parallel.executor import SerialExecutor
from combinat.parallel.journal import Journal
from decks import InputError, Shoe, parse_cards
from reports.answers.count import (
    CountedBet,
    Counting,
    CountRecord,
    CountReport,
    CountRequest,
    count_records,
    counted,
    counts_document,
    counts_payload,
    many_counts_document,
    sampled_payload,
)
from reports.cli.arguments import StudyRequest, parse_digits, parse_format, parse_meters
from reports.cli.options import (
    DIGITS,
    PAYTABLE_HELP,
    AnyDecks,
    Decks,
    Digits,
    Format,
    Meter,
    Removed,
    complete_paytable,
    complete_shelf,
    progress_if_slow,
    warn,
)
from reports.cli.output import PageAnswer
from reports.cli.table import Table
from reports.cli.table_options import at_a_table
from reports.cli.trial import PayOverrides
from reports.cli.trying import Pays
from reports.cli.workers_options import Cluster, Jobs

if TYPE_CHECKING:
    from reports.answers.count import CountedBet

AnswerWithFailures = tuple[PageAnswer, list[str]]
"""An answer, and failures."""


def show_one(
    request: CountRequest, bets: Sequence[CountedBet], drawing: tuple[int, int], sampling: Sampling
) -> AnswerWithFailures:
    """Return the full answer for one bet."""
    (bet,) = bets
    with progress_if_slow("steps"):
        result, rounds = counted(request, bet.study(request))
    bound = _sample_bound(bet, rounds, drawing, sampling, request.view) if rounds else None
    bounded = result if bound is None else replace(result, bound=bound)
    return (
        PageAnswer(
            lambda: counts_document(bounded),
            lambda: [counts_payload(bounded)],
            lambda: count_records([(CountRecord.of(result), counts_payload(bounded), bound)]),
        ),
        [],
    )


def show_many(
    request: CountRequest, bets: Sequence[CountedBet], drawing: tuple[int, int], sampling: Sampling
) -> AnswerWithFailures:
    """Return the best trigger of each of several bets; warn about those that cannot be counted."""
    journal = Journal({"command": "count", "asked": repr(request)})
    reports: dict[int, CountReport] = {}
    try:
        with progress_if_slow("counts") as bar:
            for number, report in _iter_reports(request, bets, sampling, journal):
                reports[number] = report
                if bar is not None:
                    bar(len(reports), len(bets))
        in_order = [reports[number] for number in range(len(bets))]
        bounds: list[PerfectPlayBound | None] = [
            _sample_bound(bet, report.rounds, drawing, sampling, request.view) if report.rounds else None
            for bet, report in zip(bets, in_order, strict=True)
        ]
    finally:
        journal.close()
    journal.finish()
    refusals = [f"{report.name}: {report.refusal}" for report in in_order if report.refusal]
    if len(refusals) == len(bets):
        raise InputError("; ".join(dict.fromkeys(report.refusal for report in in_order)))
    for refusal in refusals:
        warn(refusal)
    rows = [
        (
            report.recorded,
            report.payload if bound is None else report.payload | {"perfect_play": sampled_payload(bound)},
            bound,
        )
        for report, bound in zip(in_order, bounds, strict=True)
        if report.recorded
    ]
    failures = [f"{report.name}: {report.failure}" for report in in_order if report.failure]
    return (
        PageAnswer(
            lambda: many_counts_document([(payload, bound) for _, payload, bound in rows]),
            lambda: (payload for _, payload, _ in rows),
            lambda: count_records(rows),
        ),
        failures,
    )


def _iter_reports(
    request: CountRequest, bets: Sequence[CountedBet], sampling: Sampling, journal: Journal
) -> Iterator[tuple[int, CountReport]]:
    """Yield reports with their indexes as they finish, first those of an interrupted run."""
    numbers = {bet: number for number, bet in enumerate(map(_name, bets))}
    remaining = []
    for bet in bets:
        if (stored := _report_from_journal(journal.kept.get(_name(bet)))) is not None:
            yield numbers[_name(bet)], stored
        else:
            remaining.append([bet])
    work: Work[CountedBet, CountReport] = Work(Counting(request), lambda bet, why: CountReport(bet.name, failure=why))
    for (bet,), (report,) in work.through(remaining, sampling.workers or SerialExecutor()):
        if not report.failure:
            journal.add(_name(bet), to_builtins(report, enc_hook=str))
        yield numbers[_name(bet)], report


def _name(bet: CountedBet) -> str:
    return repr((bet.bet, str(bet.shoe), bet.shoe.composition.counts, bet.meters, bet.rules, bet.strategy))


def _report_from_journal(result: Any) -> CountReport | None:
    """Return the report in a journal record, or `None` if it is invalid."""
    try:
        return convert(result, CountReport, dec_hook=lambda kind, value: kind(value))
    except (ValidationError, ValueError, TypeError):
        return None


def _sample_bound(
    bet: CountedBet, rounds: Any, drawing: tuple[int, int], sampling: Sampling, view: Sequence[str]
) -> PerfectPlayBound:
    """Sample the upper bound for perfect play."""
    samples, seed = drawing
    bound = sample_bound(bet.bet(), bet.shoe, rounds, samples, seed, bet.meters, replace(sampling, bet=bet.bet), view)
    if sampling.until is not None and not bound.is_within(sampling.until):
        warn(
            f"{bet.name}: after {bound.samples:,} shoes the interval is not yet as narrow as asked; give more --samples"
        )
    return bound


_SAMPLES, _MOST_SAMPLES = 2000, 10_000_000
"""Default number of sampled shoes, and the maximum when a target width of the interval is given."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command("count")
@at_a_table
def count_(
    paytables: Annotated[list[str] | None, typer.Argument(help=PAYTABLE_HELP, autocompletion=complete_paytable)] = None,
    shelf: Annotated[
        str | None,
        typer.Option(
            help=f"All paytables of a shelf of the catalog: {', '.join(list_collections())}.",
            autocompletion=complete_shelf,
        ),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="All paytables of the catalog.")] = False,
    decks: Decks = None,
    cut: Annotated[int | None, typer.Option(help="The cut card lies so many cards from the end.")] = None,
    tags: Annotated[
        str | None, typer.Option(help='What each card adds, such as "A=-2 2=1 10=-1"; others add 0.')
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(help="Without --tags: find the best whole-number tags up to this level; 1 if left out."),
    ] = None,
    unbalanced: Annotated[bool, typer.Option("--unbalanced", help="With --best: the tags need not come to 0.")] = False,
    trigger: Annotated[
        str | None, typer.Option(help="Tell of this trigger depth by depth instead of the best one.")
    ] = None,
    conventions: Annotated[
        str | None, typer.Option(help="Customs: blackjack, baccarat or lucky 9; by the bet's game if left out.")
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
    seed: Annotated[int | None, typer.Option(help="The seed of what is sampled; 1 if left out.")] = None,
    chunk: Annotated[
        int | None,
        typer.Option(help="Shoes that are sampled in one go, by one process or worker; 16384 if left out."),
    ] = None,
    wager: Annotated[str | None, typer.Option(help="The largest wager, to tell what an hour wins.")] = None,
    rounds_per_hour: Annotated[
        str | None, typer.Option(help="With --wager: rounds in an hour; 70 if left out.")
    ] = None,
    view: Annotated[str, typer.Option(help="Roles whose cards are seen when the bet is made, such as player,up.")] = "",
    wager_alone: Annotated[
        bool, typer.Option("--wager-alone", help="Take winnings that could ride on the hand; count the wager alone.")
    ] = False,
    removed: Removed = "",
    meter: Meter = [],  # noqa: B006  # typer reads the defaults, nobody writes to them
    pays: Pays = [],  # noqa: B006
    any_decks: AnyDecks = False,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    format: Format = "table",
    digits: Digits = DIGITS,
    *,
    table: Table,
) -> None:
    """Tell what it is worth to count cards: how often one bets, the edge then and what is won, for every trigger.

    Of several paytables or deck counts, a line for each with its best trigger; JSON and CSV have everything of each.
    """
    from combinat.counting.sampling.driver import Sampling
    from combinat.counting.sampling.estimator import check_samples
    from reports.cli.count_asked import count_asked, narrowed_to

    format, digits = parse_format(format), parse_digits(digits)
    request = count_asked(
        cut=cut,
        tags=tags,
        best=best,
        unbalanced=unbalanced,
        trigger=trigger,
        conventions=conventions,
        every=every,
        depths=depths,
        suits=suits,
        bound=bound,
        wager=wager,
        **({} if rounds_per_hour is None else {"rounds_per_hour": rounds_per_hour}),
        view=view,
        wager_alone=wager_alone,
        first=first,
        burned=burned,
        burned_seen=burned_seen,
        after_cut=after_cut,
        true_count=true_count,
        divide_by=divide_by,
        divisor=divisor,
        start=start,
    )
    if rounds_per_hour is not None and wager is None:
        raise InputError("--rounds-per-hour is about what an hour wins with the largest wager; give --wager too")
    named = [*(paytables or []), *_collection_ids(shelf, all)]
    question = StudyRequest(named, decks, removed, meter, any_decks, None, table, PayOverrides(tuple(pays)))
    bets = list(_bets(question, wager_alone))
    precision = narrowed_to(until)
    max_samples = samples if samples is not None else _SAMPLES if precision is None else _MOST_SAMPLES
    stream, size = (1 if seed is None else seed), (Sampling().chunk if chunk is None else chunk)
    check_samples(max_samples, stream, size)
    sampling = {"--samples": samples, "--until": until, "--seed": seed, "--chunk": chunk}
    if not bound and (sampling_options := [name for name, value in sampling.items() if value is not None]):
        raise InputError(f"{sampling_options[0]} is about what no count can beat, which is sampled; give --bound too")
    chunks = max(len(bets), -(-max_samples // size) if bound else 1)
    with start_workers(jobs, chunks, cluster=cluster) as crew, progress_if_slow("shoes") as bar:
        show = show_one if len(bets) == 1 else show_many
        result, failures = show(request, bets, (max_samples, stream), Sampling(size, precision, crew, None, bar))
    result.give(format, digits)
    for failure in failures:
        warn(failure)
    if failures:
        raise typer.Exit(1)


def _collection_ids(shelf: str | None, all: bool) -> list[str]:
    """Return the ids of a collection of the catalog, or of the whole catalog."""
    if shelf is not None and all:
        raise InputError("--all is every shelf; leave --shelf out")
    return [
        paytable.id for paytable in (iter_paytables() if all else iter_collection(shelf) if shelf is not None else ())
    ]


def _bets(question: StudyRequest, wager_alone: bool) -> Iterator[CountedBet]:
    """Yield every bet at every requested deck count; those outside a design are skipped with a warning."""
    from reports.answers.count import CountedBet

    if not question.arguments:
        raise InputError("no paytable is named; name one or more, a shelf with --shelf, or --all")
    paytables = [paytable for _, paytable in question.named(warn)]
    if wager_alone and not any(paytable.bet.option for paytable in paytables):
        ids = list(dict.fromkeys(paytable.id for paytable in paytables))
        subject = f"{ids[0]}: its" if len(ids) == 1 else f"these {len(ids)} bets: their"
        raise InputError(f"--wager-alone does not matter to {subject} winnings cannot ride on the hand")
    cards, values = parse_cards(question.removed), parse_meters(question.meters, paytables)
    refused = []
    is_none = True
    for paytable in paytables:
        if reason := question.outside(paytable):
            refused.append(reason)
        meters = {name: value for name, value in values.items() if name in paytable.meters}
        bet = make_reference(paytable, question.soft_17, question.typed.settings)
        for count in paytable.select_deck_counts(question.counts, question.any_decks):
            is_none = False
            shoe = Shoe(count, paytable.bet.pack, cards)
            rules = question.table if paytable.bet.option else None
            yield CountedBet(bet, shoe, meters, f"{paytable.id} with {shoe}", rules, question.strategy)
    if is_none:
        raise InputError("; ".join(refused))
    for message in refused:
        warn(message)
