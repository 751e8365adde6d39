"""OpenAPI schemas of the API's responses: the stable keys and their types."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_INTEGER: Schema = {"type": "integer"}
_FLAG: Schema = {"type": "boolean"}
_TEXT_OR_NULL: Schema = {"anyOf": [_TEXT, {"type": "null"}]}
_EXACT: Schema = {
    "anyOf": [_INTEGER, _TEXT, {"type": "null"}],
    "description": 'An integer, a fraction as "p/q", a square root or a formula in meters; null if there is no value.',
}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(**keys: Schema) -> Schema:
    """Return the schema of an object with at least these keys; a trailing underscore of a key is removed."""
    properties = {key.removesuffix("_"): schema for key, schema in keys.items()}
    return {"type": "object", "required": list(properties), "properties": properties}


_TEXTS = _list(_TEXT)
_AWARD = _object(name=_TEXT, pays=_EXACT, ways=_EXACT, probability=_EXACT, return_=_EXACT)
_FIGURES = {
    **dict.fromkeys(("format", "paytable", "title", "bet", "deal", "pack", "basis"), _TEXT),
    **dict.fromkeys(("decks", "cards"), _INTEGER),
    **dict.fromkeys(("designed", "ordered_by_role", "favors_player", "example"), _FLAG),
    **dict.fromkeys(("house_edge", "return_", "hold", "hit_frequency", "variance", "standard_deviation"), _EXACT),
    **dict.fromkeys(("skewness", "excess_kurtosis", "mean_win", "fixed_return", "push_rate", "cycle"), _EXACT),
    **dict.fromkeys(("removed", "flags", "notes", "sources"), _TEXTS),
    "awards": _list(_AWARD),
    "designed_decks": _list(_INTEGER),
    "given": _TEXT_OR_NULL,
    "meters": {"type": "object"},
    "bases": {"type": "object"},
}
_FINDING = _object(paytable=_TEXT, text=_TEXT)
_COUNTING = {
    "format": _TEXT,
    "paytable": _TEXT,
    "bet": _TEXT,
    "decks": _INTEGER,
    "cards": _INTEGER,
    "removed": _TEXTS,
}
_COUNTING |= {"given": _TEXT_OR_NULL, "basis": _TEXT}

RESPONSES: dict[str, Schema] = {
    "analyze": _list(_object(**_FIGURES)),
    "compare": _list(
        _object(**_FIGURES, against_first={"type": "object"}, better_for_the_player_than=_list({"type": "object"}))
    ),
    "joint": _list(
        _object(
            format=_TEXT,
            decks=_INTEGER,
            removed=_TEXTS,
            basis=_TEXT,
            **dict.fromkeys(("wagers", "pairs", "results", "total"), _list({"type": "object"})),
            **dict.fromkeys(("staked", "house_edge", "all_win", "one_wins", "mean", "variance"), _EXACT),
            standard_deviation=_EXACT,
        )
    ),
    "design": _list(
        _object(
            format=_TEXT,
            paytable=_TEXT,
            decks=_list(_INTEGER),
            basis=_TEXT,
            combinations=_INTEGER,
            found=_INTEGER,
            complete=_FLAG,
            candidates=_list({"type": "object"}),
        )
    ),
    "removal": _list(_object(**_COUNTING, house_edge=_EXACT, mean_change=_EXACT, effects=_list({"type": "object"}))),
    "count": _list(_object(**_COUNTING, information={"type": "object"}, won_per_hour=_EXACT)),
    "odds": _list(
        _object(
            format=_TEXT,
            rule=_TEXT,
            given=_TEXT_OR_NULL,
            deal=_TEXT,
            pack=_TEXT,
            decks=_INTEGER,
            removed=_TEXTS,
            **dict.fromkeys(("cycle", "ways", "probability", "one_in", "true_odds"), _EXACT),
        )
    ),
    "check": _list(_object(format=_TEXT, ok=_FLAG, problems=_TEXTS, findings=_list(_FINDING))),
    "words": _list(_object(format=_TEXT, word=_TEXT, kind=_TEXT, meaning=_TEXT)),
    "catalog": _list(
        _object(
            format=_TEXT,
            paytable=_TEXT,
            collection=_TEXT,
            title=_TEXT,
            bet=_TEXT,
            deal=_TEXT,
            decks=_list(_INTEGER),
            awards=_list({"type": "object"}),
            meters=_TEXTS,
            requires=_TEXT_OR_NULL,
            example=_FLAG,
            sources=_TEXTS,
        )
    ),
}


def describe_response(kind: str) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of the response to one kind of request."""
    return {200: {"description": "The answer.", "content": {"application/json": {"schema": RESPONSES[kind]}}}}
