"""Card counting for the page: effects of removal, and the value of a count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combinat.counting.removal import removals
from combinat.enumeration.decision import Progress
from combinat.enumeration.progress import progress_to
from combinat.requests.count import Count
from combinat.study import compute_edge_only
from decks import InputError
from reports.answers.count import counts_document
from reports.answers.removal import removal_document
from reports.studio import page_json
from reports.studio.bets import given_options
from reports.studio.panels import selected_study


def counting_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return count and effects of removal for the wager alone at the page's deck count, or the count's problem."""
    study = selected_study(body)
    paytable = study.paytable
    effects = removals(study, lambda shoe: compute_edge_only(paytable, shoe, study.analysis.meters), progress)
    documents = [removal_document([effects])]
    problem = ""
    options = given_options(Count, body) | {
        "bet": paytable,
        "decks": study.shoe,
        "removed": "",  # they are out of the shoe
        "any_decks": True,
        "wager_alone": paytable.bet.option is not None,
    }
    try:
        with progress_to(progress):
            outcome = Count(**options).answer(lambda _: None)
        assert outcome.evaluation is not None  # one bet at one deck count
        documents.insert(0, counts_document(outcome.evaluation))
    except InputError as error:
        problem = str(error)
    return {"documents": [page_json.document_json(item) for item in documents], "problem": problem}
