"""Finding paytables that do what is asked, for the API and for the page, which can take one into the bet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combinat.bets.paytable import Paytable
from combinat.design.asked import KEYS
from combinat.design.finder import Found
from combinat.enumeration.decision import Progress
from reports.answers.design import design_document, design_payload
from reports.cli.design import searched
from reports.studio import drawn
from reports.studio.panels import only

_MOST = 200
"""How many of the best are given at once."""


def search(paytable: Paytable, body: Mapping[str, Any], progress: Progress | None) -> Found:
    """Search among the pays of a paytable for what is asked; what is left empty is not asked."""
    asked = {key: body[key] for key in KEYS if key != "bet" and body.get(key) not in (None, "", {})}
    asked["best"] = min(int(asked.get("best", 10)), _MOST)
    return searched(asked | {"bet": paytable}, progress)


def found(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Show what was found, with the pays, seeds and rates of each as the page writes them into the bet."""
    best = search(only(body), {**body, "decks": body.get("for_decks")}, progress)
    candidates = design_payload(best)["candidates"]
    return {
        "document": drawn.document(design_document(best)),
        "candidates": [{"pays": one["pays"], "meters": _meters(number, best)} for number, one in enumerate(candidates)],
    }


def _meters(number: int, best: Found) -> list[dict[str, str]]:
    from combinat.design.model import RATE
    from combinat.exact.amounts import decimal_text

    return [
        {"meter": name, "key": kind, "value": f"{decimal_text(value * 100)}%" if kind == RATE else decimal_text(value)}
        for kind, name, value in best.best[number].of_meters
    ]
