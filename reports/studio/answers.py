"""Answer every kind of HTTP request with the same JSON as the command line; runs in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.odds import odds
from combinat.bets.catalog import catalog, in_catalog, shelves
from combinat.bets.load import parse
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import parse_deal
from combinat.finder.checks import check
from decks import InputError, Shoe, pack_named, parse_cards, parse_deck_counts
from reports.answers.catalog import check_payload
from reports.answers.compare import comparison_payload
from reports.answers.joint import joint_payload
from reports.answers.removal import removal_payload
from reports.answers.studies import answers_payload, odds_payload, paytable_payload, study_payload
from reports.answers.vocabulary import vocabulary_payload
from reports.cli.arguments import parse_meters
from reports.page.files import json_text
from reports.publish.par_sheet import par_sheet
from reports.publish.sheets import EXTENSIONS, sheet_formats
from reports.studio.bets import PostedQuestion, checked, question
from reports.studio.export import export
from reports.studio.view import view

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


class Answer(Struct, frozen=True):
    """A response: its bytes, content type, file name and warnings."""

    content: bytes
    type: str = JSON
    file: str = ""
    warnings: tuple[str, ...] = ()


class ProgressSink:
    """Receiver of progress and partial answers; this base class ignores them."""

    def step(self, done: int, total: int) -> None:
        """Receive progress."""

    def part(self, answer: Answer) -> None:
        """Receive a partial answer."""


def answer(kind: str, body: Body, sink: ProgressSink | None = None) -> Answer:
    """Answer one request.

    >>> answer("odds", {"rule": "pair", "deal": "player:2", "decks": "1"}).content.decode().count('"1/17"')
    1
    """
    return QUESTIONS[kind](body, sink or ProgressSink())


def _json(payloads: Iterable[dict[str, Any]], warnings: Iterable[str] = ()) -> Answer:
    return Answer(json_text(answers_payload(payloads)).encode("utf-8"), warnings=tuple(warnings))


def _analyze(body: Body, teller: ProgressSink) -> Answer:
    warnings: list[str] = []
    studies = question(body).studies(warnings.append, teller.step)
    return _json(map(study_payload, studies), warnings)


def _compare(body: Body, teller: ProgressSink) -> Answer:
    warnings: list[str] = []
    request = replace(question(body), beside=True)
    return _json(comparison_payload(request.studies(warnings.append, teller.step)), warnings)


def _joint(body: Body, _: ProgressSink) -> Answer:
    from reports.studio.panels import joined_wagers

    warnings: list[str] = []
    return _json(map(joint_payload, joined_wagers(body, warnings.append)), warnings)


def _design(body: Body, teller: ProgressSink) -> Answer:
    from reports.answers.design import design_payload
    from reports.studio.panels import search

    paytable = question({"bets": [body["bet"]]}).only()
    return _json([design_payload(search(paytable, body, teller.step))])


def _removal(body: Body, teller: ProgressSink) -> Answer:
    from reports.studio.panels import removals_of

    warnings: list[str] = []
    removals = removals_of(question(body), warnings.append, teller.step)
    return _json((removal_payload(effect) for by_card in removals for effect in by_card), warnings)


def _count(body: Body, teller: ProgressSink) -> Answer:
    from reports.answers.count import counts_payload
    from reports.studio.counting import counts_of

    warnings: list[str] = []
    bets = question({**body, "seed": None, "wager": None})  # which are those of the count, not of meters that are tried
    counts = counts_of(bets, body, warnings.append, teller.step)
    return _json(map(counts_payload, counts), warnings)


def _odds(body: Body, _: ProgressSink) -> Answer:
    cards, pack = parse_cards(body.get("removed") or ""), pack_named(body.get("pack") or "standard")
    shoes = [Shoe(count, pack, cards) for count in parse_deck_counts(body["decks"])]
    refused: list[InputError] = []
    results = list(odds(body["rule"], parse_deal(body["deal"]), shoes, body.get("given"), refused.append))
    if not results:
        raise refused[-1]
    return _json(map(odds_payload, results), map(str, refused))


def _check(body: Body, _: ProgressSink) -> Answer:
    request = question(body)
    problems: list[str] = []
    paytables: list[Paytable] = []
    for argument in request.arguments:
        if argument in request.texts:
            parsed, errors = parse(checked(request.texts[argument]), argument)
            problems += errors
        else:
            parsed = request.resolved(argument)
        paytables += parsed
    return _json([check_payload(problems, [finding for paytable in paytables for finding in check(paytable)])])


def _sheet(body: Body, _: ProgressSink) -> Answer:
    request = question({**body, "bets": [body["bet"]], "decks": None})
    paytable = request.only()
    (format, *more_formats) = sheet_formats(body["format"])
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
    return Answer(sheet.content(format), SHEET_TYPES[format], f"{sheet.name}.{EXTENSIONS[format]}")


_IDENTITY = (
    *("max_wager", "document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction"),
    *("digits", "paper", "history", "rounds_per_hour"),
)


def _amounts(request: PostedQuestion) -> dict[str, Any] | None:
    return parse_meters(request.meters, [request.only()]) or None


def _words(body: Body, _: ProgressSink) -> Answer:
    deal = body.get("deal")
    return _json(vocabulary_payload(None if deal is None else parse_deal(deal)))


def _catalog(_: Body, __: ProgressSink) -> Answer:
    return _json([paytable_payload(paytable, shelf) for shelf in shelves() for paytable in catalog(shelf)])


def _text(body: Body, _: ProgressSink) -> Answer:
    """Return the text of the catalog file with a paytable."""
    return Answer(in_catalog(body["id"]).bet.file.encode("utf-8"), TEXT)


def _view(body: Body, teller: ProgressSink) -> Answer:
    return _compact(view(body, teller.step, lambda partial_view: teller.part(_compact(partial_view))))


def _compact(payload: object) -> Answer:
    """Return compact JSON for the page."""
    import msgspec

    return Answer(msgspec.json.encode(payload))


def _pins(body: Body, _: ProgressSink) -> Answer:
    from reports.studio.variants import pins

    return _compact(pins(body))


def _meters(body: Body, _: ProgressSink) -> Answer:
    from reports.studio.panels import meters

    return _compact(meters(body))


def _option(body: Body, teller: ProgressSink) -> Answer:
    from reports.studio.panels import option

    return _compact(option(body, teller.step))


def _wagers(body: Body, _: ProgressSink) -> Answer:
    from reports.studio.panels import wagers

    return _compact(wagers(body))


def _found(body: Body, teller: ProgressSink) -> Answer:
    from reports.studio.panels import found

    return _compact(found(body, teller.step))


def _watched(body: Body, teller: ProgressSink) -> Answer:
    from reports.studio.counting import watched

    return _compact(watched(body, teller.step))


def _export(body: Body, _: ProgressSink) -> Answer:
    return _compact(export(body))


def _long_run(body: Body, _: ProgressSink) -> Answer:
    from reports.studio.panels import long_run

    return _compact(long_run(body))


QUESTIONS: dict[str, Callable[[Body, ProgressSink], Answer]] = {
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
    "watched": _watched,
    "found": _found,
}
