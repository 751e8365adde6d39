"""The functions of documents, such as `verify`, `diff` and `submit`, and those of meters, searches and blackjack."""

from __future__ import annotations

from typing import Any, overload

from combinat.api.derive import answer_function, single_function, table_function
from combinat.requests.blackjack import BlackjackEdge, BlackjackStrategy, BlackjackValue
from combinat.requests.check import Check
from combinat.requests.design import Design
from combinat.requests.diff import Diff
from combinat.requests.meters import MeterBreakEven, MeterExplain, MeterShow
from combinat.requests.new import New
from combinat.requests.request import send_warning
from combinat.requests.solve import Solve
from combinat.requests.submit import Rebuild, Sign, Submit
from combinat.requests.titles import BlackjackFreeBets, BlackjackGames, BlackjackSevens, BlackjackTitle
from combinat.requests.verify import SheetLike, Verify
from combinat.requests.words import Words
from combinat.results.table import AnswerTable
from combinat.results.verify import VerifyAnswer
from decks import InputError


@overload
def verify(sheet: list[Any] | tuple[Any, ...], *, full: bool = ...) -> AnswerTable[VerifyAnswer]: ...
@overload
def verify(sheet: SheetLike | Any, *, full: bool = ...) -> VerifyAnswer: ...
def verify(sheet: Any, *, full: bool = False) -> VerifyAnswer | AnswerTable[VerifyAnswer]:
    """Recount a par sheet with the independent verifier: a file, the data of its JSON, or a sheet object.

    The answer has `agrees` and `differences`; a list of sheets gives a table. `full` also checks best play at other
    deck counts.
    """
    is_list = isinstance(sheet, (list, tuple))
    sheets = [getattr(item, "payload", item) for item in (sheet if is_list else [sheet])]
    answers = Verify(sheets, full=full).answer(send_warning)
    if is_list:
        return AnswerTable(answers)
    (answer,) = answers
    if answer.problem:
        raise InputError(f"{answer.file or 'the sheet'}: {answer.problem}")
    return answer


new = answer_function("new", New)
check = single_function("check", Check)
words = table_function("words", Words)
diff = table_function("diff", Diff)
design = single_function("design", Design)
solve = single_function("solve", Solve)
meter = single_function("meter", MeterShow)  # `combinat.meters` is a package
meter_break_even = table_function("meter_break_even", MeterBreakEven)
meter_explain = table_function("meter_explain", MeterExplain)
blackjack_value = single_function("blackjack_value", BlackjackValue)
blackjack_edge = table_function("blackjack_edge", BlackjackEdge)
blackjack_strategy = single_function("blackjack_strategy", BlackjackStrategy)
blackjack_games = table_function("blackjack_games", BlackjackGames)
blackjack_title = single_function("blackjack_title", BlackjackTitle)
blackjack_sevens = table_function("blackjack_sevens", BlackjackSevens)
blackjack_free_bets = single_function("blackjack_free_bets", BlackjackFreeBets)
submit = single_function("submit", Submit)
rebuild = single_function("rebuild", Rebuild)
sign = single_function("sign", Sign)
