"""The functions of rules, wagers on the same cards, single hands and the catalog, derived from their requests.

A function returns one answer for one deck count or shoe, and an `AnswerTable` for a list of deck counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from combinat.api.functions import BetFunction as OneOrTable
from combinat.api.functions import is_list
from combinat.requests.arguments import BetLike, CardsLike
from combinat.requests.bets import DeckCounts
from combinat.requests.counting import Removal
from combinat.requests.hands import HandLike, Judge, Ledger
from combinat.requests.joint import Joint
from combinat.requests.odds import DEFAULT_DEAL, DEFAULT_DECKS, Odds
from combinat.requests.request import Request, request_fields, send_warning
from combinat.results.answer import Answer
from combinat.results.judgement import JudgementAnswer
from combinat.results.ledger import LedgerAnswer
from combinat.results.odds import OddsAnswer
from combinat.results.removal import RemovalAnswer
from combinat.results.table import AnswerTable
from decks import InputError, Shoe
from decks.errors import quote

P = ParamSpec("P")
A = TypeVar("A", bound=Answer)


def _one_or_table(answers: Sequence[A], decks: DeckCounts) -> A | AnswerTable[A]:
    """Return the first answer at the only shoe, or a table of all answers if several deck counts were given."""
    if isinstance(decks, (str, Sequence)) and not isinstance(decks, Shoe):
        return AnswerTable(answers)
    counts = list(dict.fromkeys(getattr(answer, "decks", None) for answer in answers))
    if len(counts) == 1:
        return answers[0]
    raise InputError(f"decks is missing; write decks={counts[-1]}, or decks={counts} for a table")


class BetFunction(Protocol[P, A]):
    """A function of bets: one answer at one deck count or shoe, a table at a list of them."""

    @overload
    def __call__(
        self, bet: BetLike | Sequence[BetLike], decks: int | Shoe | None = None, *args: P.args, **kwargs: P.kwargs
    ) -> A: ...
    @overload
    def __call__(
        self, bet: BetLike | Sequence[BetLike], decks: str | Sequence[int], *args: P.args, **kwargs: P.kwargs
    ) -> AnswerTable[A]: ...


def _bet_function(
    request: Callable[Concatenate[BetLike | Sequence[BetLike], DeckCounts, P], Request[Any, A]],
) -> BetFunction[P, A]:
    def ask(bet: BetLike | Sequence[BetLike], decks: DeckCounts = None, *args: P.args, **kwargs: P.kwargs) -> Any:
        question = request(bet, decks, *args, **kwargs)
        return _one_or_table(question.results(question.answer(send_warning)), decks)

    ask.__doc__ = request.__doc__
    return cast("BetFunction[P, A]", ask)


def _removal_function(
    request: Callable[Concatenate[BetLike | Sequence[BetLike], DeckCounts, P], Removal],
) -> OneOrTable[P, RemovalAnswer, AnswerTable[RemovalAnswer]]:
    def removal(bet: BetLike | Sequence[BetLike], decks: DeckCounts = None, *args: P.args, **kwargs: P.kwargs) -> Any:
        question = request(bet, decks, *args, **kwargs)
        answers = question.results(question.answer(send_warning))
        return AnswerTable(answers) if is_list(bet) else _one_or_table(answers, decks)

    removal.__doc__ = Removal.__doc__
    return cast("OneOrTable[P, RemovalAnswer, AnswerTable[RemovalAnswer]]", removal)


class OddsFunction(Protocol[P]):
    """The function `odds`: one answer at one deck count or shoe, a table at several."""

    @overload
    def __call__(
        self, rule: str, deal: str = ..., decks: str | Sequence[int] = ..., *args: P.args, **kwargs: P.kwargs
    ) -> AnswerTable[OddsAnswer]: ...
    @overload
    def __call__(
        self, rule: str, deal: str = ..., decks: int | Shoe = ..., *args: P.args, **kwargs: P.kwargs
    ) -> OddsAnswer: ...


def _odds_function(request: Callable[Concatenate[str, str, DeckCounts, P], Odds]) -> OddsFunction[P]:
    def odds(
        rule: str,
        deal: str = DEFAULT_DEAL,
        decks: DeckCounts = DEFAULT_DECKS,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Any:
        question = request(rule, deal, decks, *args, **kwargs)
        return _one_or_table(question.results(question.answer(send_warning)), decks)

    odds.__doc__ = Odds.__doc__
    return cast("OddsFunction[P]", odds)


odds = _odds_function(Odds)


joint = _bet_function(Joint)
removal = _removal_function(Removal)
"""Compute the effects of removal on the headline basis; a list of bets or deck counts gives a table of every basis."""


class JudgeFunction(Protocol[P]):
    """The function `judge`: a hand in the order of the deal, or the cards of each role by name."""

    @overload
    def __call__(self, bet: BetLike, hand: HandLike, *args: P.args, **kwargs: P.kwargs) -> JudgementAnswer: ...
    @overload
    def __call__(self, bet: BetLike, **roles: CardsLike) -> JudgementAnswer: ...


def _judge_function(request: Callable[Concatenate[BetLike, P], Judge]) -> JudgeFunction[P]:
    def judge(bet: BetLike, hand: HandLike | None = None, *args: Any, **kwargs: Any) -> JudgementAnswer:
        names = [field.name for field in request_fields(Judge)]
        options = {name: kwargs.pop(name) for name in names if name in kwargs}
        if kwargs and hand is not None:
            raise InputError(f"judge has no option {quote(next(iter(kwargs)))}; give a hand or the cards of each role")
        question = request(bet, *args, **options | {"hand": kwargs or hand})
        (judgement,) = question.results(question.answer(send_warning))
        return judgement

    judge.__doc__ = Judge.__doc__
    return cast("JudgeFunction[P]", judge)


judge = _judge_function(Judge)


class LedgerFunction(Protocol[P]):
    """The function `ledger`, for one deck count or shoe."""

    def __call__(
        self, bet: BetLike, decks: int | Shoe | None = None, *args: P.args, **kwargs: P.kwargs
    ) -> LedgerAnswer: ...


def _ledger_function(
    request: Callable[Concatenate[BetLike | Sequence[BetLike], DeckCounts, P], Ledger],
) -> LedgerFunction[P]:
    def ledger(bet: BetLike, decks: int | Shoe | None = None, *args: P.args, **kwargs: P.kwargs) -> LedgerAnswer:
        question = request(bet, decks, *args, **kwargs)
        (listing,) = question.results(question.answer(send_warning))
        return listing

    ledger.__doc__ = Ledger.__doc__
    return ledger


ledger = _ledger_function(Ledger)
