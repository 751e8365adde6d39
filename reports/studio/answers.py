"""Answer every kind of HTTP request with the same JSON as the command line; runs in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from combinat.api.par_sheet import par_sheet
from combinat.bets.catalog import find_in_catalog
from combinat.bets.load import inspect_text
from combinat.bets.paytable import Paytable
from combinat.enumeration.progress import progress_to
from combinat.requests.catalog import Catalog
from combinat.requests.check import check_paytables
from combinat.requests.counting import compute_removals
from combinat.requests.odds import Odds
from combinat.requests.words import Words
from combinat.results.answer import Answer, to_json_data
from combinat.results.catalog import CatalogEntry
from combinat.results.check import CheckAnswer
from combinat.results.comparison import Comparison
from combinat.results.count import CountAnswer
from combinat.results.design import DesignAnswer
from combinat.results.joint import JointAnswer
from combinat.results.odds import OddsAnswer
from combinat.results.removal import RemovalAnswer
from combinat.results.words import WordAnswer
from decks import InputError
from reports.answers.requests import parse_meters
from reports.answers.studies import answers_payload, study_payload
from reports.page.files import format_json
from reports.render.formats import FORMATS, parse_sheet_formats
from reports.studio.bets import PostedRequest, check_text_size, parse_request
from reports.studio.counting import count_bets, counting_panel
from reports.studio.edits import edit_text
from reports.studio.export import export_bet
from reports.studio.market import market_panel
from reports.studio.money import money_panel
from reports.studio.panels import (
    figures_panel,
    finder_panel,
    join_wagers,
    meter_panel,
    outlook_panel,
    parlay_panel,
    search_pays,
    wagers_panel,
)
from reports.studio.project import open_project, save_project
from reports.studio.rack_card import rack_card
from reports.studio.rule_builder import rule_panel, words_panel
from reports.studio.variants import compare_variants
from reports.studio.view import build_view

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
Body = Mapping[str, Any]


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
    return StudioAnswer(format_json(answers_payload(payloads)).encode("utf-8"), warnings=tuple(warnings))


def _json_of(answers: Iterable[Answer], warnings: Iterable[str] = ()) -> StudioAnswer:
    return _json((answer.to_dict() for answer in answers), warnings)


def _analyze(body: Body, sink: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    studies = parse_request(body).build_studies(warnings.append, sink.step)
    return _json(map(study_payload, studies), warnings)


def _compare(body: Body, sink: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    request = replace(parse_request(body), include_originals=True)
    comparison = Comparison(request.build_studies(warnings.append, sink.step))
    return _json(to_json_data(comparison.answers()), warnings)


def _joint(body: Body, _: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    rounds = join_wagers(body, warnings.append)
    return _json_of((JointAnswer.of(*joint_arguments) for joint_arguments in rounds), warnings)


def _design(body: Body, sink: ProgressSink) -> StudioAnswer:
    paytable = parse_request({"bets": [body["bet"]]}).resolve_one()
    return _json_of([DesignAnswer.of(search_pays(paytable, body, sink.step))])


def _removal(body: Body, sink: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    request = parse_request(body)
    studies = request.build_studies(warnings.append)
    with progress_to(sink.step):
        effects_by_shoe = compute_removals(studies, request.blackjack_rules, request.strategy)
    return _json_of((RemovalAnswer.of(item) for effects in effects_by_shoe for item in effects), warnings)


def _count(body: Body, sink: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    bets = parse_request({**body, "seed": None, "wager": None})  # here these are options of the count, not of meters
    counts = count_bets(bets, body, warnings.append, sink.step)
    return _json_of(map(CountAnswer.of, counts), warnings)


def _odds(body: Body, _: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    odds = Odds(**{key: value for key, value in body.items() if value is not None}).answer(warnings.append)
    return _json_of(map(OddsAnswer.of, odds), warnings)


def _check(body: Body, _: ProgressSink) -> StudioAnswer:
    request = parse_request(body)
    problems: list[str] = []
    paytables: list[Paytable] = []
    for argument in request.arguments:
        if argument in request.texts:
            loaded_paytables, errors = inspect_text(check_text_size(request.texts[argument]), argument)
            problems += errors
        else:
            loaded_paytables = request.load_paytables(argument)
        paytables += loaded_paytables
    return _json_of([CheckAnswer.of(check_paytables(paytables, problems))])


def _sheet(body: Body, _: ProgressSink) -> StudioAnswer:
    request = parse_request({**body, "bets": [body["bet"]], "decks": None})
    paytable = request.resolve_one()
    (format, *more_formats) = parse_sheet_formats(body["format"])
    if more_formats:
        raise InputError(f"give one format, got {body['format']}")
    sheet = par_sheet(
        paytable,
        body.get("decks") or paytable.decks[-1],
        meters=_meter_amounts(request),
        posted_jackpot=bool(body.get("posted_jackpot")),
        any_decks=True,
        other_decks=paytable.bet.option is None or bool(body.get("other_decks")),  # only an option makes it slow
        counting=body.get("rounds_per_hour") not in (None, ""),
        **_blackjack_options(request),
        **{key: body[key] for key in _SHEET_KEYS if body.get(key) not in (None, "", [])},
    )
    file_name = f"{sheet.name}.{FORMATS[format].extension}"
    return StudioAnswer(sheet.content(format), FORMATS[format].media_type, file_name)


def _blackjack_options(request: PostedRequest) -> dict[str, Any]:
    """Return the rules of blackjack by the names of the options of a request."""
    options = asdict(request.table.blackjack)
    return options | {"max_hands": options.pop("hands"), "blackjack_pays": options.pop("blackjack")}


_SHEET_KEYS = (
    *("max_wager", "document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction"),
    *("digits", "paper", "history", "rounds_per_hour"),
)


def _meter_amounts(request: PostedRequest) -> dict[str, Any] | None:
    return parse_meters(request.meters, [request.resolve_one()]) or None


def _words(body: Body, _: ProgressSink) -> StudioAnswer:
    return _json_of(map(WordAnswer.of, Words(body.get("deal")).answer(lambda _: None)))


def _catalog(_: Body, __: ProgressSink) -> StudioAnswer:
    by_collection = Catalog().answer(lambda _: None)
    return _json_of(CatalogEntry.of(item, name) for name, paytables in by_collection.items() for item in paytables)


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


HANDLERS: dict[str, Callable[[Body, ProgressSink], StudioAnswer]] = {
    "analyze": _analyze,
    "compare": _compare,
    "joint": _joint,
    "design": _design,
    "removal": _removal,
    "count": _count,
    "odds": _odds,
    "check": _check,
    "sheet": _sheet,
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
