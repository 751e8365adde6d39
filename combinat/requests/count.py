"""Card counting: the value of a count, for one bet or for several with worker processes and a journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from combinat.bets.catalog import iter_collection, iter_paytables
from combinat.bets.overrides import make_reference
from combinat.counting.bound import PerfectPlayBound, sample_bound
from combinat.counting.conventions import RoundStart
from combinat.counting.evaluation import CountedBet, CountEvaluation, evaluate_count
from combinat.counting.options import (
    DEFAULT_SAMPLES,
    MAX_SAMPLES,
    CountOptions,
    SamplingOptions,
    parse_count_options,
    parse_sampling_options,
)
from combinat.counting.sampling.driver import Sampling
from combinat.enumeration.progress import report_progress
from combinat.parallel.backend import start_workers
from combinat.parallel.chunks import Work
from combinat.parallel.executor import SerialExecutor
from combinat.parallel.journal import Journal
from combinat.requests.arguments import Amount, BetLike, exact_amount
from combinat.requests.bets import DeckCounts, RulesRequest
from combinat.requests.request import ClusterAddress, Group, Jobs, Notify, Option
from combinat.results.count import BoundAnswer, CountAnswer, parse_count_answer
from decks import InputError

_ROUNDS = Group.TABLE


class CountReport(Struct, frozen=True):
    """The count of one of several bets and what remains to be sampled, or the reason for failure."""

    name: str
    answer: CountAnswer | None = None
    rounds: tuple[RoundStart, ...] = ()
    """Rounds over which the bound must be sampled, if it is requested and not exact."""
    refusal: str = ""
    failure: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON data, for the journal."""
        return {
            "name": self.name,
            "answer": None if self.answer is None else self.answer.to_dict(),
            "rounds": to_builtins(self.rounds, enc_hook=str),
            "refusal": self.refusal,
        }

    @classmethod
    def parse(cls, data: Any) -> CountReport | None:
        """Parse a report of the journal; return `None` if it is invalid."""
        try:
            rounds = convert(data["rounds"], tuple[RoundStart, ...], dec_hook=lambda kind, value: kind(value))
            answer = None if data["answer"] is None else parse_count_answer(data["answer"])
            return cls(convert(data["name"], str), answer, rounds, convert(data["refusal"], str))
        except (ValidationError, ValueError, TypeError, KeyError):
            return None


class Counting(Struct, frozen=True):
    """A callable that computes counts with the same options; it can be sent to another process."""

    options: CountOptions

    def __call__(self, bet: CountedBet) -> CountReport:
        """Compute the count of one of several bets; an error is reported and does not stop the others."""
        try:
            evaluation, rounds = evaluate_count(self.options, bet.build_study_for(self.options))
        except InputError as error:
            return CountReport(bet.name, refusal=str(error))
        return CountReport(bet.name, CountAnswer.of(evaluation), rounds)


class CountOutcome(Struct, frozen=True):
    """The counts that were requested."""

    answers: tuple[CountAnswer, ...]
    evaluation: CountEvaluation | None = None
    """The evaluated count of a single bet."""
    failures: tuple[str, ...] = ()
    """A message for each bet whose worker process failed."""


class _CountBets(RulesRequest[CountOutcome, CountAnswer], frozen=True):
    """The bets of a count, which Python takes as first arguments."""

    bet: Annotated[
        BetLike | Sequence[BetLike],
        Option(
            "A catalog id such as TRI-03, a TOML file, or FILE.toml:ID for one paytable of a file.",
            names="paytable",
            is_argument=True,
            is_repeated=True,
        ),
    ] = ()
    decks: Annotated[
        DeckCounts,
        Option(
            "Numbers of decks, such as 6 or 1,2,4-8.",
            ("--decks", "-d"),
            group=Group.TABLE,
            default="all that the paytable is designed for",
        ),
    ] = None


class Count(_CountBets, frozen=True, kw_only=True):
    """Evaluate card counting against paytables.

    For each trigger: how often the player bets, the player's edge on these bets, and the win. With several paytables or
    numbers of decks, shows only the best trigger of each; JSON and CSV have all figures.
    """

    collection: Annotated[
        str | None,
        Option("Count all paytables of a collection.", ("--collection", "--shelf"), names="collection"),
    ] = None
    all: Annotated[bool, Option("Count all paytables of the catalog.")] = False
    cut: Annotated[
        int | None,
        Option(
            "Cut-card position, in cards from the end of the shoe.",
            unit="cards",
            group=_ROUNDS,
            default="52; 14, 29 or 43 with 1, 2 or 3 decks; 14 in baccarat",
        ),
    ] = None
    tags: Annotated[
        str | Mapping[str, int] | None,
        Option('Tag of each card, such as "A=-2 2=1 10=-1"; other cards have 0.', default="the best tags, see --best"),
    ] = None
    best: Annotated[
        int | None,
        Option("Without --tags: largest absolute value of a tag in the search for the best tags.", default="1"),
    ] = None
    unbalanced: Annotated[bool, Option("With --best: allow tags whose sum over a deck is not zero.")] = False
    trigger: Annotated[
        Amount | None,
        Option(
            "Trigger to show by depth, such as 5: the count from which the player bets.",
            default="the trigger that wins most",
        ),
    ] = None
    conventions: Annotated[
        str | None,
        Option(
            'Conventions of rounds and counts: blackjack, baccarat or "lucky 9".',
            group=_ROUNDS,
            default="those of the bet's game",
        ),
    ] = None
    every: Annotated[
        Amount | None,
        Option(
            "Cards per round, such as 5.4; 0 gives every depth the same weight.",
            unit="cards",
            group=_ROUNDS,
            default="random, as in the game",
        ),
    ] = None
    depths: Annotated[
        str | int | Sequence[int] | None,
        Option(
            "Numbers of cards dealt before a round, such as 52,104-110, instead of rounds through a shoe.",
            unit="cards",
            group=_ROUNDS,
        ),
    ] = None
    first: Annotated[
        int | None,
        Option("Cards seen before the first round that is evaluated.", unit="cards", group=_ROUNDS, default="0"),
    ] = None
    burned: Annotated[
        int | None,
        Option(
            "Number of burn cards before the first round.",
            unit="cards",
            group=_ROUNDS,
            default="1; in baccarat by the first card",
        ),
    ] = None
    burned_seen: Annotated[
        int | None, Option("Number of burn cards that are seen.", unit="cards", group=_ROUNDS, default="0")
    ] = None
    after_cut: Annotated[
        int | None,
        Option(
            "Rounds dealt after the round in which the cut card appears.", group=_ROUNDS, default="0; 1 in baccarat"
        ),
    ] = None
    true_count: Annotated[
        str | None,
        Option("True count: exact, floored, rounded, or running for the running count.", default="exact"),
    ] = None
    divide_by: Annotated[
        str | None, Option("Precision of the remaining decks: exact, half or whole decks.", default="exact")
    ] = None
    divisor: Annotated[
        str | None,
        Option(
            "Cards that make the remaining decks: unseen (burn cards included) or physical (in the shoe).",
            default="unseen",
        ),
    ] = None
    start: Annotated[int | None, Option("Initial running count.", default="0")] = None
    suits: Annotated[
        bool,
        Option("Count suit imbalance instead of tags: the most cards that remain of a suit less the fewest."),
    ] = False
    bound: Annotated[bool, Option("Also report the upper bound for perfect play (exact or sampled).")] = False
    wager: Annotated[Amount | None, Option("Largest wager, such as 100. Adds the win per hour.", unit="money")] = None
    rounds_per_hour: Annotated[Amount | None, Option("With --wager: rounds per hour.", unit="rounds", default="70")] = (
        None
    )
    view: Annotated[
        str | Sequence[str], Option("Roles whose cards are exposed when the bet is made, such as player,up.")
    ] = ""
    wager_alone: Annotated[bool, Option("Evaluate the wager without parlay or press.")] = False
    samples: Annotated[
        int | None,
        Option(
            "With --bound: number of sampled shoes, where the bound is not exact.",
            group=Group.RUN,
            default=f"{DEFAULT_SAMPLES}; with --until {MAX_SAMPLES}",
        ),
    ] = None
    until: Annotated[
        str | None,
        Option(
            "With --bound: stop sampling when the half-width of the interval is this percentage of the win, such as "
            "0.1%.",
            group=Group.RUN,
        ),
    ] = None
    seed: Annotated[int | None, Option("With --bound: seed of the random numbers.", group=Group.RUN, default="1")] = (
        None
    )
    chunk: Annotated[
        int | None,
        Option(
            "With --bound: number of shoes sampled at a time by one process.",
            group=Group.RUN,
            default=str(Sampling().chunk),
        ),
    ] = None
    jobs: Jobs = 0
    cluster: ClusterAddress = ""

    @property
    def bets(self) -> Sequence[BetLike]:
        """The bets of the request, of its collection, or of the catalog."""
        if self.collection is not None and self.all:
            raise InputError("--all includes every collection; omit --collection")
        bets = [*super().bets]
        if self.all or self.collection is not None:
            collected = iter_paytables() if self.collection is None else iter_collection(self.collection)
            bets += [paytable.id for paytable in collected]
        if not bets:
            raise InputError("no paytable; write for example: combinat count TRI-03, --collection public, or --all")
        return bets

    @property
    def options(self) -> CountOptions:
        """The options of the count, independent of the bet."""
        tags = self.tags
        options = parse_count_options(
            cut=self.cut,
            tags=" ".join(f"{card}={tag}" for card, tag in tags.items()) if isinstance(tags, Mapping) else tags,
            best=self.best,
            unbalanced=self.unbalanced,
            trigger=_number(self.trigger, "trigger"),
            conventions=self.conventions,
            every=_number(self.every, "every"),
            depths=_text(self.depths),
            suits=self.suits,
            bound=self.bound,
            wager=_number(self.wager, "wager"),
            rounds_per_hour=_number(self.rounds_per_hour, "rounds_per_hour"),
            view=_text(self.view) or "",
            wager_alone=self.wager_alone,
            first=self.first,
            burned=self.burned,
            burned_seen=self.burned_seen,
            after_cut=self.after_cut,
            true_count=self.true_count,
            divide_by=self.divide_by,
            divisor=self.divisor,
            start=self.start,
        )
        if self.rounds_per_hour is not None and self.wager is None:
            raise InputError("--rounds-per-hour needs a wager; add for example --wager 100")
        return options

    @property
    def sampling(self) -> SamplingOptions:
        """How the upper bound for perfect play is sampled."""
        options = parse_sampling_options(self.samples, self.until, self.seed, self.chunk)
        given = {"--samples": self.samples, "--until": self.until, "--seed": self.seed, "--chunk": self.chunk}
        if not self.bound and (names := [name for name, value in given.items() if value is not None]):
            raise InputError(f"{names[0]} belongs to the upper bound for perfect play; add --bound")
        return options

    def counted_bets(self, notify: Notify) -> list[CountedBet]:
        """Return every bet at every requested deck count; those outside a design are skipped with a message."""
        cases = list(self.iter_cases(notify))
        paytables = list(dict.fromkeys(paytable for paytable, _, _ in cases))
        if self.wager_alone and not any(paytable.bet.option for paytable in paytables):
            subject = paytables[0].id if len(paytables) == 1 else f"these {len(paytables)} bets"
            raise InputError(f"--wager-alone is only for bets with a parlay or press, not for {subject}")
        soft_17 = "" if self.hits_soft_17 is None else "h17" if self.hits_soft_17 else "s17"
        settings = self.game_settings(paytables)
        bets = [
            CountedBet(
                make_reference(paytable, soft_17, settings),
                shoe,
                meters,
                f"{paytable.id} with {shoe}",
                self.blackjack_rules if paytable.bet.option else None,
                self.strategy,
            )
            for paytable, shoe, meters in cases
        ]
        return list({_journal_key(bet): bet for bet in bets}.values())  # a bet that is given twice is counted once

    def answer(self, notify: Notify) -> CountOutcome:
        options, bets, drawing = self.options, self.counted_bets(notify), self.sampling
        chunks = max(len(bets), -(-drawing.samples // drawing.chunk) if self.bound else 1)
        with start_workers(self.jobs, chunks, cluster=self.cluster) as workers:
            sampling = Sampling(drawing.chunk, drawing.precision, workers, None, report_progress)
            sampler = _BoundSampler(options, drawing, sampling, notify)
            if len(bets) == 1:
                return _count_one(options, bets[0], sampler)
            return _count_each(options, bets, sampler, notify)

    def results(self, computed: CountOutcome) -> Sequence[CountAnswer]:
        return computed.answers


def _number(value: Amount | None, name: str) -> str | Fraction | None:
    """Return a number of Python exactly; a text is parsed with the other options."""
    return value if value is None or isinstance(value, str) else exact_amount(value, name)


def _text(value: Any) -> str | None:
    """Return a number, or several, as the text that an option has."""
    if value is None or isinstance(value, str):
        return value
    return ",".join(map(str, value)) if isinstance(value, Sequence) else str(value)


class _BoundSampler(Struct, frozen=True):
    """Samples the upper bound for perfect play."""

    options: CountOptions
    drawing: SamplingOptions
    sampling: Sampling
    notify: Notify

    def sample(self, bet: CountedBet, rounds: Sequence[RoundStart]) -> PerfectPlayBound | None:
        """Return the sampled bound over `rounds`; `None` if there are none to be sampled."""
        if not rounds:
            return None
        samples, seed, sampling = self.drawing.samples, self.drawing.seed, replace(self.sampling, bet=bet.bet)
        bound = sample_bound(bet.bet(), bet.shoe, rounds, samples, seed, bet.meters, sampling, self.options.view)
        if sampling.precision is not None and not bound.is_within(sampling.precision):
            self.notify(
                f"{bet.name}: the interval is wider than --until after {bound.samples:,} shoes; increase --samples"
            )
        return bound


def _count_one(options: CountOptions, bet: CountedBet, sampler: _BoundSampler) -> CountOutcome:
    evaluation, rounds = evaluate_count(options, bet.build_study_for(options))
    if (bound := sampler.sample(bet, rounds)) is not None:
        evaluation = replace(evaluation, bound=bound)
    return CountOutcome((CountAnswer.of(evaluation),), evaluation)


def _count_each(
    options: CountOptions, bets: Sequence[CountedBet], sampler: _BoundSampler, notify: Notify
) -> CountOutcome:
    """Count several bets; finished ones are kept in a journal so that an interrupted command can continue."""
    journal = Journal({"command": "count", "options": repr(options)})
    reports: dict[int, CountReport] = {}
    try:
        for number, report in _iter_reports(options, bets, sampler.sampling, journal):
            reports[number] = report
            report_progress(len(reports), len(bets))
        in_order = [reports[number] for number in range(len(bets))]
        bounds = [sampler.sample(bet, report.rounds) for bet, report in zip(bets, in_order, strict=True)]
    finally:
        journal.close()
    journal.finish()
    refusals = [f"{report.name}: {report.refusal}" for report in in_order if report.refusal]
    if len(refusals) == len(bets):
        raise InputError("; ".join(dict.fromkeys(report.refusal for report in in_order)))
    for refusal in refusals:
        notify(refusal)
    answers = tuple(
        report.answer if bound is None else replace(report.answer, perfect_play=BoundAnswer.of(bound))
        for report, bound in zip(in_order, bounds, strict=True)
        if report.answer is not None
    )
    return CountOutcome(
        answers, failures=tuple(f"{report.name}: {report.failure}" for report in in_order if report.failure)
    )


def _iter_reports(
    options: CountOptions, bets: Sequence[CountedBet], sampling: Sampling, journal: Journal
) -> Iterator[tuple[int, CountReport]]:
    """Yield reports with their indexes as they finish, first those of an interrupted run."""
    numbers = {name: number for number, name in enumerate(map(_journal_key, bets))}
    remaining = []
    for bet in bets:
        if (stored := CountReport.parse(journal.kept.get(_journal_key(bet)))) is not None:
            yield numbers[_journal_key(bet)], stored
        else:
            remaining.append([bet])
    work: Work[CountedBet, CountReport] = Work(Counting(options), lambda bet, why: CountReport(bet.name, failure=why))
    for (bet,), (report,) in work.run(remaining, sampling.workers or SerialExecutor()):
        if not report.failure:
            journal.add(_journal_key(bet), report.to_dict())
        yield numbers[_journal_key(bet)], report


def _journal_key(bet: CountedBet) -> str:
    return repr((bet.bet, str(bet.shoe), bet.shoe.composition.counts, bet.meters, bet.rules, bet.strategy))
