"""The public functions of searches, card counting and meters: each returns answers with exact fields.

Their keyword arguments are the options of the command of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from combinat.requests.arguments import BetLike
from combinat.requests.bets import DeckCounts
from combinat.requests.count import Count
from combinat.requests.design import Design
from combinat.requests.meters import MeterReport, MeterShow
from combinat.requests.request import Request, build_request, send_warning
from combinat.requests.solve import Solve
from combinat.results.answer import Answer
from combinat.results.count import CountAnswer
from combinat.results.design import DesignAnswer
from combinat.results.meters import MeterAnswer
from combinat.results.solve import SolveAnswer
from combinat.results.table import AnswerTable
from decks import InputError, Shoe

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
AnswerT = TypeVar("AnswerT", bound=Answer)


def _answer_function(name: str, request: Callable[P, Request[R]], convert: Callable[[R], A]) -> Callable[P, A]:
    """Return the Python function of a request: `convert` makes its result from the answer."""

    def ask(*args: P.args, **kwargs: P.kwargs) -> A:
        return convert(build_request(request, *args, **kwargs).answer(send_warning))

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = request.__doc__
    return ask


def _meter_answer(report: MeterReport) -> MeterAnswer:
    if report.figures is None:
        return MeterAnswer.of_unknown(report.analysis, report.meters)
    return MeterAnswer.of(report.figures, report.meters, report.pace)


design = _answer_function("design", Design, DesignAnswer.of)
solve = _answer_function("solve", Solve, SolveAnswer.of)
meter = _answer_function("meter", MeterShow, _meter_answer)  # `combinat.meters` is a package


class CountFunction(Protocol[P]):
    """The function `count`: one answer for one bet at one deck count or shoe, otherwise a table."""

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a text is a bet, though it is a sequence of texts too
        self, bet: BetLike, decks: int | Shoe, *args: P.args, **kwargs: P.kwargs
    ) -> CountAnswer: ...
    @overload
    def __call__(
        self,
        bet: BetLike | Sequence[BetLike] = ...,
        decks: str | Sequence[int] | None = ...,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> AnswerTable[CountAnswer]: ...
    @overload
    def __call__(
        self, bet: Sequence[BetLike], decks: int | Shoe, *args: P.args, **kwargs: P.kwargs
    ) -> AnswerTable[CountAnswer]: ...


def _count_function(
    request: Callable[Concatenate[BetLike | Sequence[BetLike], DeckCounts, P], Count],
) -> CountFunction[P]:
    def count(
        bet: BetLike | Sequence[BetLike] = (), decks: DeckCounts = None, *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        outcome = request(bet, decks, *args, **kwargs).answer(send_warning)
        for failure in outcome.failures:
            send_warning(failure)
        is_single = not isinstance(bet, (list, tuple)) and isinstance(decks, (int, Shoe))
        return _only(outcome.answers, bet) if is_single else AnswerTable(outcome.answers)

    count.__doc__ = Count.__doc__
    return cast("CountFunction[P]", count)


def _only(answers: Sequence[AnswerT], bet: object) -> AnswerT:
    """Return the only answer; raise `InputError` if the bet has several paytables."""
    if len(answers) != 1:
        ids = ", ".join(getattr(answer, "paytable", "") for answer in answers)
        raise InputError(f"{bet} has several paytables; write '{bet}:ID' with one of {ids}")
    return answers[0]


count = _count_function(Count)
