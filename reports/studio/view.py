"""The main view of the page, updated at every keystroke: problems with positions, or all figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.catalog import mark_if_variant
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.finder.checks import Finding, check_paytable
from combinat.study import Study
from decks import InputError, Shoe, format_deck_counts, parse_cards, parse_deck_counts
from reports.answers.show import award_document, overview_document
from reports.cli.arguments import parse_meters
from reports.page.model import Plot, Table
from reports.sheet.sections.awards import statistics_section
from reports.sheet.sections.decks import deck_section
from reports.sheet.sections.outlook import pay_sensitivity_section
from reports.sheet.sections.request import Request
from reports.studio import page_json as drawn
from reports.studio.bets import USUAL_NAME, check_text_size
from reports.studio.toml_positions import TextMark, TextOutline, TextPosition, to_utf16, value_at

_PARTIAL_AFTER = 250
"""Milliseconds after which a partial answer is sent."""


def build_view(
    body: Mapping[str, Any],
    step: Progress | None = None,
    part: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """Return all that the page shows while a bet is edited: problems with positions, or figures.

    If it is slow, the selected deck count is first sent to `part`, then progress to `step`.
    """
    until = monotonic() + _PARTIAL_AFTER / 1000
    text = check_text_size(body["toml"])
    outline = TextOutline.of(text)
    paytables, problems = parse_bet(text, USUAL_NAME)
    answer: dict[str, Any] = {
        "problems": [
            {"text": problem.removeprefix(f"{USUAL_NAME}: "), **_mark_json(text, outline.mark(problem))}
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
    paytable = mark_if_variant(chosen)
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
        first = _analyze_if_possible(paytable, body, _selected_decks(paytable, counts, body))
        if part and first and monotonic() > until:
            part({**answer, "figures": _figures([Study(first)], counts, body, is_whole=False)})
        results = studies_by_decks(paytable, body, step if monotonic() > until else None)
        answer["figures"] = _figures(results, [item.shoe.decks for item in results], body)
    except InputError as error:
        answer["question"] = str(error)
    answer["findings"] = [_finding(text, outline, item) for item in check_paytable(chosen)]
    return answer


def studies_by_decks(paytable: Paytable, body: Mapping[str, Any], step: Progress | None = None) -> list[Study]:
    """Return the studies of the wager alone at the chosen deck counts (default: the design's) with a possible hand."""
    counts = _counts(paytable, body)
    results = []
    for done, count in enumerate(counts, 1):
        analysis = _analyze_if_possible(paytable, body, count)
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


def _analyze_if_possible(paytable: Paytable, body: Mapping[str, Any], count: int) -> Analysis | None:
    meters = parse_meters(tuple(body.get("meters") or ()), [paytable])
    try:
        return analyze_wager(paytable, _shoe(paytable, body, count), meters)
    except NoHandError:
        return None


def _selected_decks(paytable: Paytable, counts: Sequence[int], body: Mapping[str, Any]) -> int:
    """Return the selected deck count: as requested, else the last of the design, else the last."""
    requested = body.get("at")
    designed = [count for count in counts if count in paytable.decks]
    return requested if isinstance(requested, int) and requested in counts else (designed or counts)[-1]


def selected(results: Sequence[Study], body: Mapping[str, Any]) -> Study:
    """Return the study at the selected deck count."""
    decks = _selected_decks(results[0].paytable, [study.shoe.decks for study in results], body)
    return next(study for study in results if study.shoe.decks == decks)


def _figures(
    results: Sequence[Study], counts: Sequence[int], body: Mapping[str, Any], is_whole: bool = True
) -> dict[str, Any]:
    current = selected(results, body)
    paytable, request = current.paytable, Request(current)
    sections = [statistics_section(request)]
    if is_whole and not current.shoe.removed:  # a shoe with cards gone is not compared with full ones
        sections.append(deck_section(request))
    return {
        "at": current.shoe.decks,
        "counts": [{"decks": item, "designed": paytable.is_designed_for(item)} for item in counts],
        "is_whole": is_whole,
        "basis": str(current.basis),
        "option": paytable.bet.option,
        "meters": list(paytable.meters),
        "deal": str(paytable.bet.deal),
        "document": drawn.document_json(award_document(current)),
        "overview": drawn.table_json(_overview(results)),
        "sections": [drawn.section_json(item) for item in (*sections, pay_sensitivity_section(request))],
        "plots": [drawn.plot_json(item) for item in _plots(current)],
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


def _finding(text: str, outline: TextOutline, finding: Finding) -> dict[str, Any]:
    level = "error" if finding.is_error else "warning"
    return {
        "text": finding.text,
        "level": level,
        **_mark_json(text, outline.mark_of_finding(finding.paytable, finding.text)),
    }


def _mark_json(text: str, mark: TextMark | None) -> dict[str, Any]:
    if mark is None:
        return {"line": None}
    (position,) = to_utf16(text, [TextPosition(mark.path, mark.start, mark.end)])
    return {"line": mark.line, "from": position.start, "to": position.end, "path": list(mark.path)}


def _outline(outline: TextOutline) -> list[dict[str, Any]] | None:
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
        for position in to_utf16(outline.text, list(outline.found))
    ]


def _plain(value: Any) -> Any:
    """Return a scalar as JSON; `None` for lists and tables, text for dates."""
    if isinstance(value, (list, dict)):
        return None
    return value if isinstance(value, (str, int, bool)) else str(value)
