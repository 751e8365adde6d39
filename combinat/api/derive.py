"""Python functions derived from requests: their keyword arguments are the fields of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from combinat.requests.request import Request, build_request, send_warning
from combinat.results.answer import Answer
from combinat.results.table import AnswerTable

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")
AnswerT = TypeVar("AnswerT", bound=Answer)


def single_function(name: str, request: Callable[P, Request[Any, A]]) -> Callable[P, A]:
    """Return the function of a request that has one result."""

    def ask(*args: P.args, **kwargs: P.kwargs) -> A:
        question = build_request(request, *args, **kwargs)
        (result,) = question.results(question.answer(send_warning))
        return result

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = request.__doc__
    return ask


def table_function(name: str, request: Callable[P, Request[Any, AnswerT]]) -> Callable[P, AnswerTable[AnswerT]]:
    """Return the function of a request that has several results."""

    def ask(*args: P.args, **kwargs: P.kwargs) -> AnswerTable[AnswerT]:
        question = build_request(request, *args, **kwargs)
        return AnswerTable(question.results(question.answer(send_warning)))

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = request.__doc__
    return ask


def answer_function(name: str, request: Callable[P, Request[R, Any]]) -> Callable[P, R]:
    """Return the function of a request that returns what the request computes, such as a text."""

    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        return build_request(request, *args, **kwargs).answer(send_warning)

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = request.__doc__
    return ask
