"""OpenAPI schemas of the API's responses, generated from the results."""

from __future__ import annotations

import json
from typing import Any

from combinat.results.analysis import AnalysisAnswer
from combinat.results.answer import Answer, schema_parts
from combinat.results.catalog import CatalogEntry
from combinat.results.check import CheckAnswer
from combinat.results.comparison import ComparisonAnswer
from combinat.results.count import CountAnswer
from combinat.results.design import DesignAnswer
from combinat.results.joint import JointAnswer
from combinat.results.odds import OddsAnswer
from combinat.results.removal import RemovalAnswer
from combinat.results.words import WordAnswer

RESPONSES: dict[str, type[Answer]] = {
    "analyze": AnalysisAnswer,
    "compare": ComparisonAnswer,
    "joint": JointAnswer,
    "design": DesignAnswer,
    "removal": RemovalAnswer,
    "count": CountAnswer,
    "odds": OddsAnswer,
    "check": CheckAnswer,
    "words": WordAnswer,
    "catalog": CatalogEntry,
}
"""The result of each kind of request; a response is a list of them."""
_COMPONENTS = "#/components/schemas/"


def describe_response(kind: str) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of the response to one kind of request."""
    schema = {"type": "array", "items": {"$ref": f"{_COMPONENTS}{RESPONSES[kind].__name__}"}}
    return {200: {"description": "The answer.", "content": {"application/json": {"schema": schema}}}}


def response_components() -> dict[str, Any]:
    """Return the schemas of all results by name, as components of an OpenAPI document."""
    _, definitions = schema_parts(tuple(RESPONSES.values()))
    components: dict[str, Any] = json.loads(json.dumps(definitions).replace("#/$defs/", _COMPONENTS))
    return components
