"""Card counting for the API and the page: effects of removal, and the value of a count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from combinat.counting.bound import sample_bound
from combinat.counting.evaluation import CountEvaluation, evaluate_count
from combinat.counting.options import CountOptions, parse_count_options, parse_sampling_options
from combinat.counting.removal import removals
from combinat.counting.sampling.driver import Sampling
from combinat.enumeration.decision import Progress
from combinat.study import Study, compute_edge_only
from decks import InputError
from reports.answers.count import counts_document
from reports.answers.removal import removal_document
from reports.studio import page_json
from reports.studio.bets import PostedRequest
from reports.studio.panels import selected_study

_COUNT_KEYS = (
    *("cut", "tags", "best", "unbalanced", "trigger", "conventions", "every", "depths", "suits", "bound", "wager"),
    *("rounds_per_hour", "view", "first", "burned", "burned_seen", "after_cut", "true_count", "divide_by", "divisor"),
    *("start", "wager_alone"),
)


def count_bets(
    request: PostedRequest, body: Mapping[str, Any], warn: Callable[[str], None], progress: Progress | None
) -> list[CountEvaluation]:
    """Return the value of a count for each bet and shoe; of several, those that fail become warnings."""
    answers: list[CountEvaluation] = []
    refused: list[str] = []
    studies = request.build_studies(warn)
    for study in studies:
        try:
            answers.append(_count_bet(study, _parse_count_body(body), body, progress))
        except InputError as error:
            if len(studies) == 1:
                raise
            refused.append(f"{study.paytable.id} with {study.shoe}: {error}")
    if not answers:
        raise InputError("; ".join(refused))
    for message in refused:
        warn(message)
    return answers


def counting_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return count and effects of removal for the wager alone at the page's deck count, or the count's problem."""
    study = selected_study(body)
    effects = removals(study, lambda shoe: compute_edge_only(study.paytable, shoe, study.analysis.meters), progress)
    documents = [removal_document([effects])]
    problem = ""
    try:
        documents.insert(0, counts_document(_count_bet(study, _parse_count_body(body), body, progress)))
    except InputError as error:
        problem = str(error)
    return {"documents": [page_json.document_json(item) for item in documents], "problem": problem}


def _parse_count_body(body: Mapping[str, Any]) -> CountOptions:
    values = {key: body[key] for key in _COUNT_KEYS if body.get(key) not in (None, "")}
    return parse_count_options(**values)


def _count_bet(
    study: Study, count_options: CountOptions, body: Mapping[str, Any], progress: Progress | None
) -> CountEvaluation:
    """Return the value of one count, with a sampled upper bound if it is requested and not known exactly."""
    options = parse_sampling_options(
        body.get("samples") or None, body.get("until") or None, body.get("seed"), body.get("chunk") or None
    )
    result, rounds = evaluate_count(count_options, study)
    if not rounds:
        return result
    sampling = Sampling(options.chunk, options.precision, progress=progress)
    bound = sample_bound(
        study.paytable,
        study.shoe,
        rounds,
        options.samples,
        options.seed,
        study.analysis.meters,
        sampling,
        count_options.view,
    )
    return replace(result, bound=bound)
