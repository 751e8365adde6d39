"""The public function `count`: its keyword arguments are the options of the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from combinat.requests.arguments import BetLike
from combinat.requests.bets import DeckCounts
from combinat.requests.count import Count
from combinat.requests.request import send_warning
from combinat.results.answer import Answer
from combinat.results.count import CountAnswer
from combinat.results.table import AnswerTable
from decks import InputError, Shoe

P = ParamSpec("P")
AnswerT = TypeVar("AnswerT", bound=Answer)


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
