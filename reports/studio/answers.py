"""Answer every kind of HTTP request with the same JSON as the command line; runs in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.odds import iter_rule_odds
from combinat.bets.catalog import find_in_catalog, iter_collection, list_collections
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import parse_deal
from combinat.finder.checks import check_paytable
from decks import InputError, Shoe, find_pack, parse_cards, parse_deck_counts
from reports.answers.catalog import check_payload
from reports.answers.compare import comparison_payload
from reports.answers.count import counts_payload
from reports.answers.design import design_payload
from reports.answers.joint import joint_payload
from reports.answers.removal import removal_payload
from reports.answers.studies import answers_payload, odds_payload, paytable_payload, study_payload
from reports.answers.vocabulary import vocabulary_payload
from reports.cli.arguments import parse_meters
from reports.page.files import format_json
from reports.publish.par_sheet import par_sheet
from reports.publish.sheets import EXTENSIONS, parse_sheet_formats
from reports.studio.bets import PostedRequest, check_text_size, parse_request
from reports.studio.counting import count_bets, counting_panel
from reports.studio.export import export_bet
from reports.studio.panels import (
    compute_removals,
    finder_panel,
    join_wagers,
    meter_panel,
    outlook_panel,
    parlay_panel,
    search_pays,
    wagers_panel,
)
from reports.studio.variants import compare_pins
from reports.studio.view import build_view

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
SHEET_TYPES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": JSON,
    "latex": "application/x-latex; charset=utf-8",
}
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
    return QUESTIONS[kind](body, sink or ProgressSink())


def _json(payloads: Iterable[dict[str, Any]], warnings: Iterable[str] = ()) -> StudioAnswer:
    return StudioAnswer(format_json(answers_payload(payloads)).encode("utf-8"), warnings=tuple(warnings))


def _analyze(body: Body, teller: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    studies = parse_request(body).studies(warnings.append, teller.step)
    return _json(map(study_payload, studies), warnings)


def _compare(body: Body, teller: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    request = replace(parse_request(body), beside=True)
    return _json(comparison_payload(request.studies(warnings.append, teller.step)), warnings)


def _joint(body: Body, _: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    return _json(map(joint_payload, join_wagers(body, warnings.append)), warnings)


def _design(body: Body, teller: ProgressSink) -> StudioAnswer:
    paytable = parse_request({"bets": [body["bet"]]}).only()
    return _json([design_payload(search_pays(paytable, body, teller.step))])


def _removal(body: Body, teller: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    removals = compute_removals(parse_request(body), warnings.append, teller.step)
    return _json((removal_payload(effect) for by_card in removals for effect in by_card), warnings)


def _count(body: Body, teller: ProgressSink) -> StudioAnswer:
    warnings: list[str] = []
    bets = parse_request(
        {**body, "seed": None, "wager": None}
    )  # which are those of the count, not of meters that are tried
    counts = count_bets(bets, body, warnings.append, teller.step)
    return _json(map(counts_payload, counts), warnings)


def _odds(body: Body, _: ProgressSink) -> StudioAnswer:
    cards, pack = parse_cards(body.get("removed") or ""), find_pack(body.get("pack") or "standard")
    shoes = [Shoe(count, pack, cards) for count in parse_deck_counts(body["decks"])]
    refused: list[InputError] = []
    results = list(iter_rule_odds(body["rule"], parse_deal(body["deal"]), shoes, body.get("given"), refused.append))
    if not results:
        raise refused[-1]
    return _json(map(odds_payload, results), map(str, refused))


def _check(body: Body, _: ProgressSink) -> StudioAnswer:
    request = parse_request(body)
    problems: list[str] = []
    paytables: list[Paytable] = []
    for argument in request.arguments:
        if argument in request.texts:
            parsed, errors = parse_bet(check_text_size(request.texts[argument]), argument)
            problems += errors
        else:
            parsed = request.resolved(argument)
        paytables += parsed
    return _json([check_payload(problems, [finding for paytable in paytables for finding in check_paytable(paytable)])])


def _sheet(body: Body, _: ProgressSink) -> StudioAnswer:
    request = parse_request({**body, "bets": [body["bet"]], "decks": None})
    paytable = request.only()
    (format, *more_formats) = parse_sheet_formats(body["format"])
    if more_formats:
        raise InputError("one format at a time: an answer is one file")
    sheet = par_sheet(
        paytable,
        body.get("decks") or paytable.decks[-1],
        meters=_amounts(request),
        house_jackpot=bool(body.get("house_jackpot")),
        rules=request.table,
        strategy=request.strategy,
        other_decks=bool(body.get("other_decks")),
        **{key: body[key] for key in _IDENTITY if body.get(key) not in (None, "", [])},
    )
    return StudioAnswer(sheet.content(format), SHEET_TYPES[format], f"{sheet.name}.{EXTENSIONS[format]}")


_IDENTITY = (
    *("max_wager", "document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction"),
    *("digits", "paper", "history", "rounds_per_hour"),
)


def _amounts(request: PostedRequest) -> dict[str, Any] | None:
    return parse_meters(request.meters, [request.only()]) or None


def _words(body: Body, _: ProgressSink) -> StudioAnswer:
    deal = body.get("deal")
    return _json(vocabulary_payload(None if deal is None else parse_deal(deal)))


def _catalog(_: Body, __: ProgressSink) -> StudioAnswer:
    return _json(
        [paytable_payload(paytable, shelf) for shelf in list_collections() for paytable in iter_collection(shelf)]
    )


def _text(body: Body, _: ProgressSink) -> StudioAnswer:
    """Return the text of the catalog file with a paytable."""
    return StudioAnswer(find_in_catalog(body["id"]).bet.file.encode("utf-8"), TEXT)


def _view(body: Body, teller: ProgressSink) -> StudioAnswer:
    return _compact(build_view(body, teller.step, lambda partial_view: teller.part(_compact(partial_view))))


def _compact(payload: object) -> StudioAnswer:
    """Return compact JSON for the page."""
    return StudioAnswer(msgspec.json.encode(payload))


def _pins(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(compare_pins(body))


def _meters(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(meter_panel(body))


def _option(body: Body, teller: ProgressSink) -> StudioAnswer:
    return _compact(parlay_panel(body, teller.step))


def _wagers(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(wagers_panel(body))


def _finder(body: Body, teller: ProgressSink) -> StudioAnswer:
    return _compact(finder_panel(body, teller.step))


def _card_counting(body: Body, teller: ProgressSink) -> StudioAnswer:
    return _compact(counting_panel(body, teller.step))


def _export(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(export_bet(body))


def _long_run(body: Body, _: ProgressSink) -> StudioAnswer:
    return _compact(outlook_panel(body))


QUESTIONS: dict[str, Callable[[Body, ProgressSink], StudioAnswer]] = {
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
    "pins": _pins,
    "meters": _meters,
    "export": _export,
    "option": _option,
    "long run": _long_run,
    "wagers": _wagers,
    "watched": _card_counting,
    "found": _finder,
}
