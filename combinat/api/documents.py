"""The functions of documents, such as `verify`, `diff` and `submit`, and those of meters and blackjack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from combinat.requests.blackjack import BlackjackEdge, BlackjackStrategy, BlackjackValue
from combinat.requests.diff import Diff
from combinat.requests.meters import MeterBreakEven, MeterExplain, MeterReport
from combinat.requests.new import New
from combinat.requests.request import Request, build_request, send_warning
from combinat.requests.submit import Rebuild, Sign, Submit
from combinat.requests.titles import BlackjackGames, BlackjackTitle
from combinat.requests.verify import SheetLike, Verify
from combinat.results.blackjack import BlackjackEdgeAnswer, BlackjackStrategyAnswer, BlackjackValueAnswer
from combinat.results.diff import DiffAnswer
from combinat.results.meters import ExplainAnswer, MeterAnswer
from combinat.results.submit import RebuildAnswer, SignAnswer, SubmitAnswer
from combinat.results.table import AnswerTable
from combinat.results.titles import BlackjackGamesAnswer, BlackjackTitleAnswer
from combinat.results.verify import VerifyAnswer
from decks import InputError

P = ParamSpec("P")
A = TypeVar("A")


def verify(sheet: SheetLike | Any) -> VerifyAnswer:
    """Recount a par sheet with the independent verifier: a file, the data of its JSON, or a sheet object.

    The answer has `agrees` and `differences`.
    """
    data = sheet.payload if hasattr(sheet, "payload") else sheet
    (answer,) = Verify(data).answer(send_warning)
    if answer.problem:
        raise InputError(f"{answer.file or 'the sheet'}: {answer.problem}")
    return answer


def _function(name: str, request: Callable[P, Request[Any]], convert: Callable[[Any], A]) -> Callable[P, A]:
    """Return the function of a request; `convert` makes what it returns from the answer."""

    def ask(*args: P.args, **kwargs: P.kwargs) -> A:
        return convert(build_request(request, *args, **kwargs).answer(send_warning))

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = request.__doc__
    return ask


def _diff_table(answers: Sequence[DiffAnswer]) -> AnswerTable[DiffAnswer]:
    return AnswerTable(answers)


def _text(text: str) -> str:
    return text


def _break_even_table(reports: Sequence[MeterReport]) -> AnswerTable[MeterAnswer]:
    return AnswerTable(
        [
            MeterAnswer.of_unknown(report.analysis, report.meters)
            if report.figures is None
            else MeterAnswer.of(report.figures, report.meters)
            for report in reports
        ]
    )


def _explain_table(groups: Sequence[Any]) -> AnswerTable[ExplainAnswer]:
    return AnswerTable([ExplainAnswer.of(*group) for group in groups])


def _value(answer: Any) -> BlackjackValueAnswer:
    return BlackjackValueAnswer.of(*answer)


def _edge_table(edges: Sequence[Any]) -> AnswerTable[BlackjackEdgeAnswer]:
    return AnswerTable([BlackjackEdgeAnswer.of(*pair) for pair in edges])


def _strategy(answer: Any) -> BlackjackStrategyAnswer:
    return BlackjackStrategyAnswer.of(*answer)


def _dossier(answer: Any) -> SubmitAnswer:
    assert isinstance(answer, SubmitAnswer)  # the request is a par sheet's with another answer
    return answer


def _comparison(answer: RebuildAnswer) -> RebuildAnswer:
    return answer


def _signature(answers: Sequence[SignAnswer]) -> SignAnswer:
    return answers[0]


def _games_table(games: Sequence[Any]) -> AnswerTable[BlackjackGamesAnswer]:
    return AnswerTable([BlackjackGamesAnswer.of(title) for title in games])


diff = _function("diff", Diff, _diff_table)
new = _function("new", New, _text)
meter_break_even = _function("meter_break_even", MeterBreakEven, _break_even_table)
meter_explain = _function("meter_explain", MeterExplain, _explain_table)
blackjack_value = _function("blackjack_value", BlackjackValue, _value)
blackjack_edge = _function("blackjack_edge", BlackjackEdge, _edge_table)
blackjack_strategy = _function("blackjack_strategy", BlackjackStrategy, _strategy)
submit = _function("submit", Submit, _dossier)
rebuild = _function("rebuild", Rebuild, _comparison)
sign = _function("sign", Sign, _signature)
blackjack_games = _function("blackjack_games", BlackjackGames, _games_table)
blackjack_title = _function("blackjack_title", BlackjackTitle, BlackjackTitleAnswer.of)
