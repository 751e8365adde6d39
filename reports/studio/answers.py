"""Answer every kind of HTTP request with the same JSON as the command line; runs in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from combinat.api.par_sheet import par_sheet
from combinat.bets.catalog import find_in_catalog
from combinat.bets.paytable import Paytable
from combinat.enumeration.progress import progress_to
from combinat.requests.catalog import Catalog
from combinat.requests.check import check_paytables
from combinat.requests.hands import Ledger
from combinat.requests.par_sheet import Parsheet
from combinat.requests.request import Request
from combinat.requests.words import Words
from combinat.results.answer import Answer
from combinat.results.check import CheckAnswer
from decks import InputError
from reports.page.files import format_json
from reports.render.formats import FORMATS, parse_sheet_formats
from reports.studio.bets import PostedText, given_options, load_posted, posted_bets, posted_paytable, posted_request
from reports.studio.counting import counting_panel
from reports.studio.edits import edit_text
from reports.studio.export import export_bet
from reports.studio.market import market_panel
from reports.studio.money import money_panel
from reports.studio.panels import (
    figures_panel,
    finder_panel,
    meter_panel,
    outlook_panel,
    parlay_panel,
    wagers_panel,
)
from reports.studio.project import open_project, save_project
from reports.studio.questions import QUESTIONS
from reports.studio.rack_card import rack_card
from reports.studio.rule_builder import rule_panel, words_panel
from reports.studio.variants import compare_variants
from reports.studio.view import build_view

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
Body = Mapping[str, Any]
Handler = Callable[[Body, "ProgressSink"], "StudioAnswer"]
"""Answers one kind of request."""


class StudioAnswer(Struct, frozen=True):
    """A response: its bytes, content type, file name and warnings."""

    content: bytes
    type: str = JSON
    file: str = ""
    warnings: tuple[str, ...] = ()


class ProgressSink:
    """Receiver of progress and partial answers; this base class ignores them."""

    def step(self, done: int, total: int) -> None:
        """Receive progress."""

    def part(self, answer: StudioAnswer) -> None:
        """Receive a partial answer."""


def answer_request(kind: str, body: Body, sink: ProgressSink | None = None) -> StudioAnswer:
    """Answer one request.

    >>> answer_request("odds", {"rule": "pair", "deal": "player:2", "decks": "1"}).content.decode().count('"1/17"')
    1
    """
    return HANDLERS[kind](body, sink or ProgressSink())


def _json(payloads: Iterable[dict[str, Any]], warnings: Iterable[str] = ()) -> StudioAnswer:
    return StudioAnswer(format_json(list(payloads)).encode("utf-8"), warnings=tuple(warnings))


def _json_of(answers: Iterable[Answer], warnings: Iterable[str] = ()) -> StudioAnswer:
    return _json((answer.to_dict() for answer in answers), warnings)


def _answer_question(request: type[Request[Any, Any]]) -> Handler:
    """Return the handler of a question: its results, as the command prints them."""

    def answer(body: Body, sink: ProgressSink) -> StudioAnswer:
        warnings: list[str] = []
        question = posted_request(request, body)
        with progress_to(sink.step):
            computed = question.answer(warnings.append)
        results = question.results(computed)
        if request is Ledger:  # its only result lists outcomes
            (results,) = results
        return _json_of(results, warnings)

    return answer


def _check(body: Body, _: ProgressSink) -> StudioAnswer:
    problems: list[str] = []
    paytables: list[Paytable] = []
    for bet in posted_bets(body["bet"]):
        loaded, errors = bet.inspect() if isinstance(bet, PostedText) else (load_posted(bet), ())
        paytables += loaded
        problems += errors
    return _json_of([CheckAnswer.of(check_paytables(paytables, problems))])


def _par_sheet(body: Body, _: ProgressSink) -> StudioAnswer:
    paytable = posted_paytable(body["bet"])
    (format, *more_formats) = parse_sheet_formats(body["format"])
    if more_formats:
        raise InputError(f"give one format, got {body['format']}")
    has_slow_table = paytable.bet.option is not None  # solving best play at each deck count takes seconds
    options = {"decks": paytable.decks[-1], "other_decks": not has_slow_table} | given_options(Parsheet, body)
    sheet = par_sheet(paytable, **{key: value for key, value in options.items() if key != "bet"})
    file_name = f"{sheet.name}.{FORMATS[format].extension}"
    return StudioAnswer(sheet.content(format), FORMATS[format].media_type, file_name)


def _words(body: Body, _: ProgressSink) -> StudioAnswer:
    question = Words(body.get("deal"))
    return _json_of(question.results(question.answer(lambda _: None)))


def _catalog(_: Body, __: ProgressSink) -> StudioAnswer:
    question = Catalog()
    return _json_of(question.results(question.answer(lambda _: None)))


def _text(body: Body, _: ProgressSink) -> StudioAnswer:
    """Return the text of the catalog file with a paytable."""
    return StudioAnswer(find_in_catalog(body["id"]).bet.file.encode("utf-8"), TEXT)


def _view(body: Body, sink: ProgressSink) -> StudioAnswer:
    return _compact(build_view(body, sink.step, lambda partial_view: sink.part(_compact(partial_view))))


def _edit(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(edit_text(body))


def _compact(payload: object) -> StudioAnswer:
    """Return compact JSON for the page."""
    return StudioAnswer(msgspec.json.encode(payload))


def _variants(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(compare_variants(body))


def _words_with_odds(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(words_panel(body))


def _rule(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(rule_panel(body))


def _save_project(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(save_project(body))


def _open_project(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(open_project(body))


def _market(body: Body, sink: ProgressSink) -> StudioAnswer:
    return _compact(market_panel(body, sink.step))


def _money(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(money_panel(body))


def _rack_card(body: Body, _: ProgressSink) -> StudioAnswer:
    file_name, content, media_type = rack_card(body)
    return StudioAnswer(content, media_type, file_name)


def _meters(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(meter_panel(body))


def _parlay(body: Body, sink: ProgressSink) -> StudioAnswer:
    return _compact(parlay_panel(body, sink.step))


def _wagers(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(wagers_panel(body))


def _finder(body: Body, sink: ProgressSink) -> StudioAnswer:
    return _compact(finder_panel(body, sink.step))


def _card_counting(body: Body, sink: ProgressSink) -> StudioAnswer:
    return _compact(counting_panel(body, sink.step))


def _export(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(export_bet(body))


def _all_figures(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(figures_panel(body))


def _outlook(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(outlook_panel(body))


HANDLERS: dict[str, Handler] = {
    **{name: _answer_question(request) for name, request in QUESTIONS.items()},
    "check": _check,
    "par_sheet": _par_sheet,
    "words": _words,
    "catalog": _catalog,
    "text": _text,
    "view": _view,
    "edit": _edit,
    "variants": _variants,
    "page-words": _words_with_odds,
    "rule": _rule,
    "save-project": _save_project,
    "open-project": _open_project,
    "market": _market,
    "money": _money,
    "rack-card": _rack_card,
    "meters": _meters,
    "export": _export,
    "option": _parlay,
    "figures": _all_figures,
    "outlook": _outlook,
    "wagers": _wagers,
    "counting": _card_counting,
    "finder": _finder,
}
"""Functions that answer each kind of request."""
