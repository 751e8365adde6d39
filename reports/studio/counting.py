"""Card counting for the API and the page: effects of removal, and the value of a count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from combinat.counting.bound import sample_bound
from combinat.counting.removal import removals
from combinat.counting.sampling.driver import Sampling
from combinat.counting.sampling.estimator import check_samples
from combinat.enumeration.decision import Progress
from combinat.study import Study, compute_edge_only
from decks import InputError
from reports.answers.count import CountAnswer, CountRequest, counted, counts_document
from reports.answers.removal import removal_document
from reports.cli.count_asked import count_asked, narrowed_to
from reports.studio import page_json as drawn
from reports.studio.bets import PostedRequest
from reports.studio.panels import selected_study

_SAMPLES, _MOST_SAMPLES = 2000, 10_000_000
"""Default number of sampled shoes, and the maximum when a target width of the interval is given."""
COUNT_KEYS = (
    *("cut", "tags", "best", "unbalanced", "trigger", "conventions", "every", "depths", "suits", "bound", "wager"),
    *("rounds_per_hour", "view", "first", "burned", "burned_seen", "after_cut", "true_count", "divide_by", "divisor"),
    *("start", "wager_alone"),
)


def count_bets(
    request: PostedRequest, body: Mapping[str, Any], warn: Callable[[str], None], progress: Progress | None
) -> list[CountAnswer]:
    """Return the value of a count for each bet and shoe; of several, those that fail become warnings."""
    answers: list[CountAnswer] = []
    refused: list[str] = []
    studies = request.studies(warn)
    for study in studies:
        try:
            answers.append(_count_bet(study, _parse_count(body), body, progress))
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
        documents.insert(0, counts_document(_count_bet(study, _parse_count(body), body, progress)))
    except InputError as error:
        problem = str(error)
    return {"documents": [drawn.document_json(item) for item in documents], "problem": problem}


def _parse_count(body: Mapping[str, Any]) -> CountRequest:
    values = {key: body[key] for key in COUNT_KEYS if body.get(key) not in (None, "")}
    return count_asked(**values)


def _count_bet(study: Study, request: CountRequest, body: Mapping[str, Any], progress: Progress | None) -> CountAnswer:
    """Return the value of one count, with a sampled upper bound if it is requested and not known exactly."""
    until = narrowed_to(body.get("until") or None)
    samples = body.get("samples") or (_SAMPLES if until is None else _MOST_SAMPLES)
    chunk = body.get("chunk") or Sampling().chunk
    seed = 1 if body.get("seed") is None else int(body["seed"])
    check_samples(samples, seed, chunk)
    result, rounds = counted(request, study)
    if not rounds:
        return result
    sampling = Sampling(chunk, until, progress=progress)
    meters, view = study.analysis.meters, request.view
    return replace(
        result, bound=sample_bound(study.paytable, study.shoe, rounds, samples, seed, meters, sampling, view)
    )
