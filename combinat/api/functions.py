"""The public functions, derived from the requests: their keyword arguments are the fields of a request.

A function of bets returns one result for one bet at one deck count, and a table for a list of bets or of deck counts.

>>> result = analyze("TRI-03", decks=6)
>>> result.house_edge, result["Flush"].ways
(Fraction(2127, 48205), 292896)
>>> result
<TRI-03, 6 decks: house edge 4.4124%, hit frequency 9.6761%>
>>> analyze("TRI-03", decks=6, pays={"Flush": 4})
<TRI-03+Flush-4, 6 decks: house edge 10.2548%, hit frequency 9.6761%>
>>> analyze("TRI-03", decks=[6, 8])
<2 results: TRI-03 at 6 decks, TRI-03 at 8 decks>
>>> form = formula("TRI-03")
>>> form["Mini royal"].ways, form.at(6)
(4*n**3, Fraction(2127, 48205))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, Protocol, TypeVar, cast, overload

from combinat.analysis.analysis import analyze_wager
from combinat.api.comparison import ComparisonResult
from combinat.api.result import Result
from combinat.api.result_table import ResultTable
from combinat.api.sensitivity import SensitivityResult
from combinat.bets.paytable import Paytable
from combinat.requests.analysis import Analyze
from combinat.requests.arguments import BetLike
from combinat.requests.bets import DeckCounts
from combinat.requests.compare import Compare
from combinat.requests.formula import Formula
from combinat.requests.request import Request, build_request, check_option_names, send_warning
from combinat.requests.sensitivity import Sensitivity
from combinat.results.sensitivity import pay_sensitivities
from combinat.study import Study
from decks import InputError, Shoe

if TYPE_CHECKING:
    from combinat.api.closed_form import ClosedForm

P = ParamSpec("P")
One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)
R = TypeVar("R")
RequestT = TypeVar("RequestT", bound=Request[Any, Any])
BetList = list[str] | list[Paytable] | tuple[BetLike, ...]
"""Several bets."""


class BetFunction(Protocol[P, One, Many]):
    """A function of a bet: one result at one deck count or shoe, a table of several bets or at a list of them."""

    @overload
    def __call__(self, bet: BetLike, decks: int | Shoe | None = None, *args: P.args, **kwargs: P.kwargs) -> One: ...
    @overload
    def __call__(self, bet: BetLike, decks: str | Sequence[int], *args: P.args, **kwargs: P.kwargs) -> Many: ...
    @overload
    def __call__(self, bet: BetList, decks: DeckCounts = None, *args: P.args, **kwargs: P.kwargs) -> Many: ...


def _analyze_function(
    request: Callable[Concatenate[BetLike | Sequence[BetLike], DeckCounts, P], Analyze],
) -> BetFunction[P, Result, ResultTable]:
    def analyze(bet: BetLike | Sequence[BetLike], decks: DeckCounts = None, *args: P.args, **kwargs: P.kwargs) -> Any:
        check_option_names(Analyze, kwargs)
        builders = list(request(bet, decks, *args, **kwargs).iter_study_builders(send_warning))
        if is_list(bet) or isinstance(decks, str) or is_list(decks):
            return _table(builders)
        if len(builders) > 1:
            _refuse_several(bet, [build.args[0] for build in builders])
        return _result(builders[0])

    analyze.__qualname__ = "analyze"
    analyze.__doc__ = Analyze.__doc__
    return cast("BetFunction[P, Result, ResultTable]", analyze)


def is_list(value: object) -> bool:
    """Return whether an argument is a list of bets or of deck counts."""
    return isinstance(value, Iterable) and not isinstance(value, (str, PathLike, Paytable, Shoe))


def _function_of(request: Callable[P, RequestT], result: Callable[[RequestT], R]) -> Callable[P, R]:
    """Return the function of a request: its parameters are the fields, and `result` builds what it returns."""

    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        return result(build_request(request, *args, **kwargs))

    ask.__name__ = ask.__qualname__ = cast("type", request).__name__.lower()
    ask.__doc__ = request.__doc__
    return ask


def _table(builders: Iterable[partial[Study]]) -> ResultTable:
    return ResultTable([_result(build) for build in builders])


def _result(build: partial[Study]) -> Result:
    paytable, shoe, meters = build.args[:3]
    return Result(analyze_wager(paytable, shoe, meters), build)


def _refuse_several(bet: object, paytables: Sequence[Paytable]) -> NoReturn:
    """Raise an error that says how to choose one of several results."""
    ids = list(dict.fromkeys(paytable.id for paytable in paytables))
    if len(ids) > 1:
        raise InputError(f"{bet} has several paytables; write '{bet}:ID' with one of {', '.join(ids)}")
    paytable = paytables[0]
    raise InputError(
        f"{paytable.id} is designed for {paytable.decks_text}; write decks={paytable.decks[-1]}, "
        f"or decks={list(paytable.decks)} for a table"
    )


def _closed_form(question: Formula) -> ClosedForm:
    from combinat.api.closed_form import ClosedForm  # imports sympy, which is slow

    return ClosedForm(question.answer(send_warning))


analyze = _analyze_function(Analyze)
compare = _function_of(Compare, lambda question: ComparisonResult(_table(question.iter_study_builders(send_warning))))
sensitivity = _function_of(
    Sensitivity,
    lambda question: SensitivityResult(pay_sensitivities(question.answer(send_warning), question.edge_limits)),
)
formula = _function_of(Formula, _closed_form)
