"""The questions that HTTP answers: their names, and the result whose JSON is the response."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any, ForwardRef, get_args

from combinat.requests.analysis import Analyze
from combinat.requests.blackjack import BlackjackEdge, BlackjackStrategy, BlackjackValue
from combinat.requests.check import Check
from combinat.requests.compare import Compare
from combinat.requests.count import Count
from combinat.requests.counting import Removal
from combinat.requests.design import Design
from combinat.requests.formula import Formula
from combinat.requests.hands import Judge, Ledger
from combinat.requests.joint import Joint
from combinat.requests.meters import MeterBreakEven, MeterExplain, MeterShow
from combinat.requests.odds import Odds
from combinat.requests.request import Request
from combinat.requests.sensitivity import Sensitivity
from combinat.requests.solve import Solve
from combinat.requests.titles import BlackjackGames, BlackjackTitle
from combinat.results.answer import Answer
from combinat.results.ledger import LedgerAnswer, OutcomeAnswer

QUESTIONS: dict[str, type[Request[Any, Any]]] = {
    "analyze": Analyze,
    "compare": Compare,
    "sensitivity": Sensitivity,
    "odds": Odds,
    "judge": Judge,
    "joint": Joint,
    "design": Design,
    "removal": Removal,
    "count": Count,
    "formula": Formula,
    "ledger": Ledger,
    "meter": MeterShow,
    "meter_break_even": MeterBreakEven,
    "meter_explain": MeterExplain,
    "blackjack_value": BlackjackValue,
    "blackjack_edge": BlackjackEdge,
    "blackjack_strategy": BlackjackStrategy,
    "blackjack_games": BlackjackGames,
    "blackjack_title": BlackjackTitle,
    "solve": Solve,
    "check": Check,
}
"""The requests by the names of their Python functions."""


def _declared_result(request: type[Request[Any, Any]]) -> Any:
    """Return what a request declares as its result: a type, or a reference to one whose module is slow to import."""
    for base in (base for kind in request.__mro__ for base in getattr(kind, "__orig_bases__", ())):
        declared = (get_args(base) or (None,))[-1]
        if declared is LedgerAnswer:
            return OutcomeAnswer
        if isinstance(declared, ForwardRef) or (isinstance(declared, type) and issubclass(declared, Answer)):
            return declared
    raise TypeError(f"{request.__name__} declares no result")


def result_name(request: type[Request[Any, Any]]) -> str:
    """Return the name of the Struct of the results of a request.

    >>> result_name(Analyze), result_name(Formula)
    ('AnalysisAnswer', 'FormulaAnswer')
    """
    declared = _declared_result(request)
    return declared.__forward_arg__ if isinstance(declared, ForwardRef) else str(declared.__name__)


def result_type(request: type[Request[Any, Any]]) -> type[Answer]:
    """Return the Struct of the results of a request."""
    declared = _declared_result(request)
    if isinstance(declared, ForwardRef):
        declared = resolve_name(f"{request.__module__.replace('requests', 'results')}:{declared.__forward_arg__}")
    result: type[Answer] = declared
    return result
