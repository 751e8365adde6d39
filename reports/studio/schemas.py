"""OpenAPI schemas of the API's responses, generated from the results."""

from __future__ import annotations

import json
from typing import Any

from combinat.requests.catalog import Catalog
from combinat.requests.request import Request
from combinat.requests.words import Words
from combinat.results.answer import schema_parts
from reports.studio.questions import QUESTIONS, result_name, result_type

_REQUESTS: dict[str, type[Request[Any, Any]]] = {**QUESTIONS, "words": Words, "catalog": Catalog}
_COMPONENTS = "#/components/schemas/"


def describe_response(kind: str) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of the response to one kind of request."""
    schema = {"type": "array", "items": {"$ref": f"{_COMPONENTS}{result_name(_REQUESTS[kind])}"}}
    return {200: {"description": "The answer.", "content": {"application/json": {"schema": schema}}}}


def response_components() -> dict[str, Any]:
    """Return the schemas of all results by name, as components of an OpenAPI document."""
    _, definitions = schema_parts(tuple(dict.fromkeys(map(result_type, _REQUESTS.values()))))
    components: dict[str, Any] = json.loads(json.dumps(definitions).replace("#/$defs/", _COMPONENTS))
    return components
