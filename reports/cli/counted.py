"""How counts are told: one of them in full, or many in a line each, worked out by whoever there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from combinat.advantage.bound import Bound, sampled_bound
from combinat.advantage.sampling import Sampling
from combinat.workers.chunks import Work
from combinat.workers.executor import Here
from combinat.workers.journal import Journal
from decks import InputError
from reports.answers.count_records import Recorded, count_records
from reports.answers.counting import CountAsked, CountedBet, Counting, Told, counted
from reports.answers.counts import counts_document
from reports.answers.counts_payload import counts_payload, sampled_payload
from reports.answers.many_counts import many_counts_document
from reports.cli.options import bar_when_long, warn
from reports.cli.printing import Answer

Answered = tuple[Answer, list[str]]
"""What is told, and what could not be done."""


def tell_one(asked: CountAsked, bets: Sequence[CountedBet], drawing: tuple[int, int], how: Sampling) -> Answered:
    """Tell everything of one count."""
    (bet,) = bets
    found, rounds = counted(asked, bet.study(asked))
    bound = _sampled(bet, rounds, drawing, how, asked.view) if rounds else None
    whole = found if bound is None else replace(found, bound=bound)
    return (
        Answer(
            lambda: counts_document(whole),
            lambda: [counts_payload(whole)],
            lambda: count_records([(Recorded.of(found), counts_payload(whole), bound)]),
        ),
        [],
    )


def tell_many(asked: CountAsked, bets: Sequence[CountedBet], drawing: tuple[int, int], how: Sampling) -> Answered:
    """Tell of many counts the best trigger of each; those that cannot be are named."""
    journal = Journal({"command": "count", "asked": repr(asked)})
    told: dict[int, Told] = {}
    try:
        with bar_when_long("counts") as bar:
            for number, one in _done(asked, bets, how, journal):
                told[number] = one
                if bar is not None:
                    bar(len(told), len(bets))
        in_order = [told[number] for number in range(len(bets))]
        bounds: list[Bound | None] = [
            _sampled(bet, one.rounds, drawing, how, asked.view) if one.rounds else None
            for bet, one in zip(bets, in_order, strict=True)
        ]
    finally:
        journal.close()
    journal.finish()
    refusals = [f"{one.name}: {one.refusal}" for one in in_order if one.refusal]
    if len(refusals) == len(bets):
        raise InputError("; ".join(dict.fromkeys(one.refusal for one in in_order)))
    for refusal in refusals:
        warn(refusal)
    rows = [
        (one.recorded, one.payload if bound is None else one.payload | {"perfect_play": sampled_payload(bound)}, bound)
        for one, bound in zip(in_order, bounds, strict=True)
        if one.recorded
    ]
    failures = [f"{one.name}: {one.failure}" for one in in_order if one.failure]
    return (
        Answer(
            lambda: many_counts_document([(payload, bound) for _, payload, bound in rows]),
            lambda: (payload for _, payload, _ in rows),
            lambda: count_records(rows),
        ),
        failures,
    )


def _done(asked: CountAsked, bets: Sequence[CountedBet], how: Sampling, journal: Journal) -> Iterator[tuple[int, Told]]:
    """Give counts with their numbers as they are done, and first those that an earlier run has left."""
    numbers = {bet: number for number, bet in enumerate(map(_name, bets))}
    left = []
    for bet in bets:
        if (noted := _noted(journal.kept.get(_name(bet)))) is not None:
            yield numbers[_name(bet)], noted
        else:
            left.append([bet])
    work: Work[CountedBet, Told] = Work(Counting(asked), lambda bet, why: Told(bet.name, failure=why))
    for (bet,), (one,) in work.through(left, how.workers or Here()):
        if not one.failure:
            journal.add(_name(bet), to_builtins(one, enc_hook=str))
        yield numbers[_name(bet)], one


def _name(bet: CountedBet) -> str:
    return repr((bet.bet, str(bet.shoe), bet.shoe.composition.counts, bet.meters, bet.rules, bet.strategy))


def _noted(result: Any) -> Told | None:
    """Read what a journal says of a count; nothing if it does not make sense."""
    try:
        return convert(result, Told, dec_hook=lambda kind, value: kind(value))
    except (ValidationError, ValueError, TypeError):
        return None


def _sampled(bet: CountedBet, rounds: Any, drawing: tuple[int, int], how: Sampling, view: Sequence[str]) -> Bound:
    """Sample what no count can beat."""
    samples, seed = drawing
    found = sampled_bound(bet.bet(), bet.shoe, rounds, samples, seed, bet.meters, replace(how, bet=bet.bet), view)
    if how.until is not None and not found.is_within(how.until):
        warn(
            f"{bet.name}: after {found.samples:,} shoes the interval is not yet as narrow as asked; give more --samples"
        )
    return found
