"""The search for paytables that meet given targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Annotated, Any

from combinat.bets.paytable import Paytable
from combinat.enumeration.progress import report_progress
from combinat.finder.spec import ALL_AWARDS, SearchRequest, load_request, parse_best
from combinat.parallel.backend import start_workers
from combinat.requests.arguments import Amount, BetLike
from combinat.requests.bets import DeckCounts, parse_decks
from combinat.requests.request import ClusterAddress, Group, Jobs, Notify, Option, Request
from combinat.results.design import DesignAnswer
from decks import InputError
from decks.errors import quote

if TYPE_CHECKING:
    from combinat.finder.finder import SearchResult

Limits = str | Sequence[str] | Mapping[int | str, str | Sequence[str]] | None
"""Limits such as `4%..4.5%`, as a list whose entries may name a deck count, `6=4%..4.5%`, or by deck count."""
Choices = str | Sequence[str] | Mapping[str, Any] | None
"""Allowed values of a meter such as `1000..5000 step 500`, as a list of `Mega=1000|2000`, or by meter."""


class _BetDesign(Request["SearchResult", DesignAnswer], frozen=True):
    """The bet of a search, which Python takes as first argument."""

    bet: Annotated[
        BetLike,
        Option(
            "Paytable to start from (a catalog id such as TRI-04, a TOML file, or FILE.toml:ID), or a TOML file with "
            "the targets.",
            names="paytable",
            is_argument=True,
        ),
    ]


class Design(_BetDesign, frozen=True, kw_only=True):
    """Find all paytables that meet given targets.

    Give ranges for some pays and limits for the house edge and other figures. The search is exhaustive and exact.
    """

    pays: Annotated[
        str | Mapping[str, Any] | None,
        Option(
            'Allowed pays, such as "Flush=1..50, Straight=2..30 step 2, Pair=1|2|out", where out drops the award, or '
            '"*=1..50" for all winning awards. "5..100 nice" stands for the pays of --nice within a range.'
        ),
    ] = None
    decks: Annotated[
        DeckCounts,
        Option(
            "Numbers of decks at which all limits must hold, such as 6,8.",
            ("--decks", "-d"),
            group=Group.TABLE,
            default="all that the paytable is designed for",
        ),
    ] = None
    edge: Annotated[
        Limits,
        Option(
            "Limits of the house edge: 4%..4.5%, or 6=4%..4.5% for six decks only. May be repeated. Required without "
            "--target.",
            is_repeated=True,
        ),
    ] = None
    hit_frequency: Annotated[
        str | None, Option("Limits of the hit frequency, such as 9%..12%.", ("--hits",), unit="percent")
    ] = None
    standard_deviation: Annotated[
        str | None, Option("Limits of the standard deviation per unit wagered, such as ..4.", ("--deviation",))
    ] = None
    top_share: Annotated[str | None, Option("Limits of the top award's share of the return, such as ..25%.")] = None
    share: Annotated[
        str | Mapping[str, str] | None,
        Option('Limits of each award\'s share of the return, such as "Flush=..40%", or "*=..50%" for all awards.'),
    ] = None
    top_pay: Annotated[
        str | int | None, Option("Limits of the top award's pay, or of its seed, such as 100.. or 100..500.")
    ] = None
    min_ratio: Annotated[Amount | None, Option("Minimum ratio of each pay to the next lower one, such as 1.5.")] = None
    nice: Annotated[
        str | Sequence[int] | None,
        Option(
            'Pays that "nice" stands for in --pays, such as "1,2,3,5,10,15,20,25,50,100".',
            default="1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 500, "
            "1000 and so on",
        ),
    ] = None
    falling: Annotated[
        bool | None,
        Option(
            "Require strictly decreasing pays, or allow any order.",
            ("--falling/--any-order",),
            default="no award pays more than one above it, unless the original paytable does",
        ),
    ] = None
    order: Annotated[
        str | None,
        Option(
            'Order of the solutions: closest (to the target), roundest, "smallest change", "lowest volatility" or '
            '"highest volatility", or two of them, such as "closest 0.1%, roundest", where distances are compared in '
            "steps of 0.1%.",
            default="closest",
        ),
    ] = None
    min_difference: Annotated[
        str | None,
        Option("Skip solutions of which every pay is within this share of one shown before, such as 20%."),
    ] = None
    max_count_gain: Annotated[
        Amount | None,
        Option(
            "Maximum of what a card counter wins, such as 0.1. For deals of up to three cards.",
            unit="units per 100 rounds",
        ),
    ] = None
    target: Annotated[
        str | None, Option("Desired house edge, such as 4.2%.", unit="percent", default="the middle of --edge")
    ] = None
    seed: Annotated[
        Choices,
        Option(
            'Allowed seeds of a meter, such as "1000..5000 step 500", or Mega=1000|2000 for one of several meters.',
            unit="money",
            is_repeated=True,
        ),
    ] = None
    rate: Annotated[
        Choices,
        Option(
            "Allowed contribution rates of a meter, such as 10%..20%, or Mega=5%|10% for one of several meters.",
            unit="percent of each wager",
            is_repeated=True,
        ),
    ] = None
    meter: Annotated[
        Choices,
        Option(
            "Fixed amount on a meter, such as 20000 or Mega=20000, instead of a growing meter.",
            unit="money",
            is_repeated=True,
        ),
    ] = None
    best: Annotated[int | str | None, Option("Number of solutions to show, such as 5, or all.", default="10")] = None
    jobs: Jobs = 0
    cluster: ClusterAddress = ""

    def answer(self, _notify: Notify) -> SearchResult:
        from combinat.finder.finder import PartitionedSearch, find_requested  # imports numpy, which is slow

        request = self.search_request
        grid = PartitionedSearch(request, parse_best(request))
        is_parallel = bool(grid.is_large or self.cluster)  # a small search ends before worker processes have started
        with start_workers(self.jobs, len(grid.parts) if is_parallel else 1, cluster=self.cluster) as workers:
            return find_requested(request, report_progress, grid.iter_parts(workers) if is_parallel else None)

    def results(self, computed: SearchResult) -> Sequence[DesignAnswer]:
        return [DesignAnswer.of(computed)]

    @property
    def search_request(self) -> SearchRequest:
        """The targets by name: those of the file, overridden by those of this request."""
        counts = parse_decks(self.decks)
        options: dict[str, Any] = {
            "pays": self.pays,
            "decks": None if counts is None else list(counts),
            "edge": _limits_by_deck_count(self.edge),
            "hit_frequency": self.hit_frequency,
            "standard_deviation": self.standard_deviation,
            "top_share": self.top_share,
            "share": self.share,
            "top_pay": self.top_pay,
            "min_ratio": self.min_ratio,
            "nice": self.nice,
            "min_difference": self.min_difference,
            "max_count_gain": self.max_count_gain,
            "falling": self.falling,
            "order": self.order,
            "target": self.target,
            "seed": _by_meter(self.seed),
            "rate": _by_meter(self.rate),
            "meter": _by_meter(self.meter),
            "best": self.best,
        }
        return _load_targets(self.bet) | {key: value for key, value in options.items() if value is not None}


def _load_targets(bet: BetLike) -> SearchRequest:
    if isinstance(bet, Paytable):
        return {"bet": bet}
    if not isinstance(bet, (str, PathLike)):
        raise InputError(f"bet must be a catalog id, a file or a paytable, got {quote(bet)}")
    return load_request(fspath(bet))


def _limits_by_deck_count(limits: Limits) -> dict[str, list[str]] | None:
    """Group limits such as `4%..5%` or `6=4%..5%` by deck count; `*` stands for all deck counts.

    >>> _limits_by_deck_count(["4%..", "6=..5%"])
    {'*': ['4%..'], '6': ['..5%']}
    """
    if not limits:
        return None
    limits_by_decks: dict[str, list[str]] = {}
    if isinstance(limits, Mapping):
        for decks, texts in limits.items():
            limits_by_decks[str(decks)] = [texts] if isinstance(texts, str) else list(texts)
        return limits_by_decks
    texts = list(limits) if isinstance(limits, Sequence) and not isinstance(limits, str) else [limits]
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"a limit must be text such as '4%..4.5%', got {quote(text)}")
        name, equals, limit = text.rpartition("=")
        limits_by_decks.setdefault(name.strip() if equals else ALL_AWARDS, []).append(limit)
    return limits_by_decks


def _by_meter(choices: Choices) -> Any:
    """Return values that may apply to one meter, such as `Mega=1000..5000`, by meter; a text applies to all.

    >>> _by_meter(["Mega=1000..5000", "Mini=100"]), _by_meter("1000|2000")
    ({'Mega': '1000..5000', 'Mini': '100'}, '1000|2000')
    """
    if not choices:
        return None
    if isinstance(choices, Mapping):
        return dict(choices)
    if not isinstance(choices, (str, Sequence)):
        return str(choices)
    texts = [choices] if isinstance(choices, str) else choices
    splits = [text.rpartition("=") for text in texts]
    if len(splits) == 1 and not splits[0][1]:
        return texts[0]
    values: dict[str, str] = {}
    for (prefix, equals, value), text in zip(splits, texts, strict=True):
        if not equals:
            raise InputError(f"{quote(text)} names no meter; write for example Mega={text}")
        name = prefix.strip()
        if name.lower() in map(str.lower, values):
            raise InputError(f"{quote(text)}: the meter {quote(name)} is given twice")
        values[name] = value
    return values
