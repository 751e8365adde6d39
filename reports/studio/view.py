"""The main view of the page, updated at every keystroke: problems with positions, or all figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.catalog import mark_if_variant
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.toml_positions import TextMark, TextOutline, TextPosition, to_utf16, value_at
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.finder.checks import Finding, check_paytable
from combinat.requests.bets import read_meters
from combinat.study import Study
from decks import InputError, Shoe, format_deck_counts, parse_cards, parse_deck_counts
from reports.answers.show import award_document
from reports.studio.bets import DEFAULT_NAME, check_text_size
from reports.studio.ladder import award_rows, deck_rows

_PARTIAL_AFTER_MS = 250
"""Milliseconds after which a partial answer is sent."""


def build_view(
    body: Mapping[str, Any],
    on_progress: Progress | None = None,
    on_partial: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """Return all that the page shows while a bet is edited: problems with positions, or figures.

    If it is slow, the figures of the selected deck count are passed to `on_partial` first, then progress to
    `on_progress`.
    """
    partial_time = monotonic() + _PARTIAL_AFTER_MS / 1000
    text = check_text_size(body["toml"])
    outline = TextOutline.of(text)
    paytables, problems = parse_bet(text, DEFAULT_NAME)
    answer: dict[str, Any] = {
        "problems": [
            {"text": problem.removeprefix(f"{DEFAULT_NAME}: "), **_mark_json(text, outline.mark(problem))}
            for problem in problems
        ],
        "outline": _outline(outline),
        "paytables": [
            {"id": item.id, "title": item.title, "decks": format_deck_counts(item.decks)} for item in paytables
        ],
        "findings": [],
        "figures": None,
    }
    if not paytables or problems:  # figures of a bet with errors would be misleading
        return answer
    wanted_id = str(body.get("paytable") or "").lower()
    chosen_paytable = next((item for item in paytables if item.id.lower() == wanted_id), paytables[0])
    paytable = mark_if_variant(chosen_paytable)
    answer["paytable"] = paytable.id
    answer["title"] = paytable.title
    answer["settings"] = [
        {
            "key": item.key,
            "title": item.title,
            "meaning": item.meaning,
            "default": item.default,
            "choices": list(item.choices),
        }
        for item in (choice.setting for choice in paytable.bet.deal.settings)
    ]
    try:
        counts = _deck_counts(paytable, body)
        selected_analysis = _analyze_if_possible(paytable, body, _selected_decks(paytable, counts, body))
        if on_partial and selected_analysis and monotonic() > partial_time:
            on_partial({**answer, "figures": _figures([Study(selected_analysis)], counts, body, is_complete=False)})
        results = studies_by_decks(paytable, body, on_progress if monotonic() > partial_time else None)
        answer["figures"] = _figures(results, [item.shoe.decks for item in results], body)
    except InputError as error:
        answer["question"] = str(error)
    answer["findings"] = [_finding(text, outline, item) for item in check_paytable(chosen_paytable)]
    return answer


def studies_by_decks(paytable: Paytable, body: Mapping[str, Any], on_progress: Progress | None = None) -> list[Study]:
    """Return the studies of the wager alone at the chosen deck counts (default: the design's) with a possible hand."""
    counts = _deck_counts(paytable, body)
    results = []
    for done, count in enumerate(counts, 1):
        analysis = _analyze_if_possible(paytable, body, count)
        results += [Study(analysis)] if analysis else []
        if on_progress:
            on_progress(done, len(counts))
    if not results:
        raise NoHandError(paytable.bet.condition, _shoe(paytable, body, counts[0]), paytable.tally)
    return results


def _deck_counts(paytable: Paytable, body: Mapping[str, Any]) -> Sequence[int]:
    text = str(body.get("decks") or "").strip()
    return parse_deck_counts(text) if text else paytable.decks


def _shoe(paytable: Paytable, body: Mapping[str, Any], count: int) -> Shoe:
    return Shoe(count, paytable.bet.pack, parse_cards(body.get("removed") or ""))


def _analyze_if_possible(paytable: Paytable, body: Mapping[str, Any], count: int) -> Analysis | None:
    meters = read_meters(body.get("meters") or None, [paytable])
    try:
        return analyze_wager(paytable, _shoe(paytable, body, count), meters)
    except NoHandError:
        return None


def _selected_decks(paytable: Paytable, counts: Sequence[int], body: Mapping[str, Any]) -> int:
    """Return the selected deck count: as requested, else the last of the design, else the last."""
    requested = body.get("at")
    designed = [count for count in counts if count in paytable.decks]
    return requested if isinstance(requested, int) and requested in counts else (designed or counts)[-1]


def select_study(results: Sequence[Study], body: Mapping[str, Any]) -> Study:
    """Return the study at the selected deck count."""
    decks = _selected_decks(results[0].paytable, [study.shoe.decks for study in results], body)
    return next(study for study in results if study.shoe.decks == decks)


def _figures(
    results: Sequence[Study], counts: Sequence[int], body: Mapping[str, Any], is_complete: bool = True
) -> dict[str, Any]:
    current = select_study(results, body)
    paytable = current.paytable
    return {
        "at": current.shoe.decks,
        "counts": [{"decks": item, "designed": paytable.is_designed_for(item)} for item in counts],
        "is_whole": is_complete,
        "option": paytable.bet.option,
        "meters": list(paytable.meters),
        "deal": str(paytable.bet.deal),
        "flags": list(award_document(current).flags),
        "decks": deck_rows(results, counts),
        "awards": award_rows(current),
        "all_matches": bool(paytable.stated_awards),
    }


def _finding(text: str, outline: TextOutline, finding: Finding) -> dict[str, Any]:
    return {
        "text": finding.text,
        "level": finding.level,
        **_mark_json(text, outline.mark_of_finding(finding.paytable, finding.text)),
    }


def _mark_json(text: str, mark: TextMark | None) -> dict[str, Any]:
    if mark is None:
        return {"line": None}
    (position,) = to_utf16(text, [TextPosition(mark.path, mark.start, mark.end)])
    return {"line": mark.line, "from": position.start, "to": position.end, "path": list(mark.path)}


def _outline(outline: TextOutline) -> list[dict[str, Any]] | None:
    """Return every value with its position; `None` if the text is not valid TOML."""
    if not outline.positions:
        return None
    return [
        {
            "path": list(position.path),
            "from": position.start,
            "to": position.end,
            "key": list(position.key),
            "value": _scalar_json(value_at(outline.data, position.path)),
        }
        for position in to_utf16(outline.text, list(outline.positions))
    ]


def _scalar_json(value: Any) -> Any:
    """Return a scalar as JSON; `None` for lists and tables, text for dates."""
    if isinstance(value, (list, dict)):
        return None
    return value if isinstance(value, (str, int, bool)) else str(value)
