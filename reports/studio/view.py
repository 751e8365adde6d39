"""The main view of the page, updated at every keystroke: problems with positions, or all figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze
from combinat.bets.catalog import identified
from combinat.bets.load import parse
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.finder.checks import Finding, check
from combinat.study import Study
from decks import InputError, Shoe, format_deck_counts, parse_cards, parse_deck_counts
from reports.answers.show import award_document, overview_document
from reports.cli.arguments import parse_meters
from reports.page.model import Plot, Table
from reports.sheet.sections.awards import statistics
from reports.sheet.sections.decks import deck_sensitivity
from reports.sheet.sections.outlook import pay_sensitivity
from reports.sheet.sections.request import Request
from reports.studio import page_json as drawn
from reports.studio.bets import USUAL_NAME, checked
from reports.studio.toml_positions import Mark, Outline, Place, in_units, value_at

_SOON = 250
"""Milliseconds after which a partial answer is sent."""


def view(
    body: Mapping[str, Any],
    step: Progress | None = None,
    part: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """Return all that the page shows while a bet is edited: problems with positions, or figures.

    If it is slow, the selected deck count is first sent to `part`, then progress to `step`.
    """
    until = monotonic() + _SOON / 1000
    text = checked(body["toml"])
    outline = Outline.of(text)
    paytables, problems = parse(text, USUAL_NAME)
    answer: dict[str, Any] = {
        "problems": [
            {"text": problem.removeprefix(f"{USUAL_NAME}: "), **_marked(text, outline.mark(problem))}
            for problem in problems
        ],
        "outline": _outline(outline),
        "paytables": [
            {"id": item.id, "title": item.title, "decks": format_deck_counts(item.decks)} for item in paytables
        ],
        "findings": [],
        "figures": None,
    }
    if not paytables or problems:  # what can be read of a bet that has a mistake is not the bet
        return answer
    wanted_id = str(body.get("paytable") or "").lower()
    chosen = next((item for item in paytables if item.id.lower() == wanted_id), paytables[0])
    paytable = identified(chosen)
    answer["paytable"] = paytable.id
    answer["settings"] = [
        {
            "key": item.key,
            "title": item.title,
            "meaning": item.meaning,
            "usual": item.usual,
            "choices": list(item.choices),
        }
        for item in (chosen.setting for chosen in paytable.bet.deal.settings)
    ]
    try:
        counts = _counts(paytable, body)
        first = _possible(paytable, body, _looked_at(paytable, counts, body))
        if part and first and monotonic() > until:
            part({**answer, "figures": _figures([Study(first)], counts, body, is_whole=False)})
        results = studies(paytable, body, step if monotonic() > until else None)
        answer["figures"] = _figures(results, [item.shoe.decks for item in results], body)
    except InputError as error:
        answer["question"] = str(error)
    answer["findings"] = [_finding(text, outline, item) for item in check(chosen)]
    return answer


def studies(paytable: Paytable, body: Mapping[str, Any], step: Progress | None = None) -> list[Study]:
    """Return the studies of the wager alone at the chosen deck counts (default: the design's) with a possible hand."""
    counts = _counts(paytable, body)
    results = []
    for done, count in enumerate(counts, 1):
        analysis = _possible(paytable, body, count)
        results += [Study(analysis)] if analysis else []
        if step:
            step(done, len(counts))
    if not results:
        raise NoHandError(paytable.bet.given, _shoe(paytable, body, counts[0]), paytable.tally)
    return results


def _counts(paytable: Paytable, body: Mapping[str, Any]) -> Sequence[int]:
    text = str(body.get("decks") or "").strip()
    return parse_deck_counts(text) if text else paytable.decks


def _shoe(paytable: Paytable, body: Mapping[str, Any], count: int) -> Shoe:
    return Shoe(count, paytable.bet.pack, parse_cards(body.get("removed") or ""))


def _possible(paytable: Paytable, body: Mapping[str, Any], count: int) -> Analysis | None:
    meters = parse_meters(tuple(body.get("meters") or ()), [paytable])
    try:
        return analyze(paytable, _shoe(paytable, body, count), meters)
    except NoHandError:
        return None


def _looked_at(paytable: Paytable, counts: Sequence[int], body: Mapping[str, Any]) -> int:
    """Return the selected deck count: as requested, else the last of the design, else the last."""
    requested = body.get("at")
    designed = [count for count in counts if count in paytable.decks]
    return requested if isinstance(requested, int) and requested in counts else (designed or counts)[-1]


def shown(results: Sequence[Study], body: Mapping[str, Any]) -> Study:
    """Return the study at the selected deck count."""
    decks = _looked_at(results[0].paytable, [study.shoe.decks for study in results], body)
    return next(study for study in results if study.shoe.decks == decks)


def _figures(
    results: Sequence[Study], counts: Sequence[int], body: Mapping[str, Any], is_whole: bool = True
) -> dict[str, Any]:
    current = shown(results, body)
    paytable, request = current.paytable, Request(current)
    sections = [statistics(request)]
    if is_whole and not current.shoe.removed:  # a shoe with cards gone is not compared with full ones
        sections.append(deck_sensitivity(request))
    return {
        "at": current.shoe.decks,
        "counts": [{"decks": item, "designed": paytable.is_designed_for(item)} for item in counts],
        "is_whole": is_whole,
        "basis": str(current.basis),
        "option": paytable.bet.option,
        "meters": list(paytable.meters),
        "deal": str(paytable.bet.deal),
        "document": drawn.document(award_document(current)),
        "overview": drawn.table(_overview(results)),
        "sections": [drawn.section(item) for item in (*sections, pay_sensitivity(request))],
        "plots": [drawn.plot(item) for item in _plots(current)],
    }


def _overview(results: Sequence[Study]) -> Table:
    """Return a table with a row for each deck count, without the column of paytables."""
    (table,) = overview_document(results).tables
    return replace(table.without(table.columns[0]), keys=1)


def _plots(study: Study) -> Iterator[Plot]:
    """Yield the plot of the return by award, if all returns are numbers."""
    lines = [line for line in study.analysis.lines if line.return_.is_constant]
    if len(lines) == len(study.analysis.lines):
        yield Plot(
            caption="Return by award",
            steps=tuple(line.award.name for line in lines),
            values=tuple(line.return_.constant for line in lines),
            x_label="award",
            y_label="return",
        )


def _finding(text: str, outline: Outline, finding: Finding) -> dict[str, Any]:
    level = "error" if finding.is_error else "warning"
    return {
        "text": finding.text,
        "level": level,
        **_marked(text, outline.mark_of_finding(finding.paytable, finding.text)),
    }


def _marked(text: str, mark: Mark | None) -> dict[str, Any]:
    if mark is None:
        return {"line": None}
    (position,) = in_units(text, [Place(mark.path, mark.start, mark.end)])
    return {"line": mark.line, "from": position.start, "to": position.end, "path": list(mark.path)}


def _outline(outline: Outline) -> list[dict[str, Any]] | None:
    """Return every value with its position; `None` if the text is not valid TOML."""
    if not outline.found:
        return None
    return [
        {
            "path": list(position.path),
            "from": position.start,
            "to": position.end,
            "key": list(position.key),
            "value": _plain(value_at(outline.data, position.path)),
        }
        for position in in_units(outline.text, list(outline.found))
    ]


def _plain(value: Any) -> Any:
    """Return a scalar as JSON; `None` for lists and tables, text for dates."""
    if isinstance(value, (list, dict)):
        return None
    return value if isinstance(value, (str, int, bool)) else str(value)
