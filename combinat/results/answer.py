"""The base class of answers, and the conversion of exact values to JSON.

An answer is a frozen Struct. Its fields are the keys of the JSON object, in order; a field that is `UNSET` has no key.
Integers are JSON numbers; a fraction is the text "p/q", a root "sqrt(p/q)", and a formula in meters a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Exact, Surd
from combinat.results.html import answer_html
from decks import Card, InputError

ANSWER_FORMAT = "combinat answer 3"
"""The name of the format, in every answer."""

if TYPE_CHECKING:
    Value = int | Fraction | Polynomial | Surd | Interval[Fraction] | Interval[Surd]
    Root = Surd
else:

    class Root:
        """An exact square root; the schema of `Surd` itself would be an object, but its JSON is a text."""

    class _ValueType(type):
        """The type of `Value`, so that every exact value is an instance of it when an answer is parsed."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, (int, Fraction, Polynomial, Surd, Interval))

    class Value(metaclass=_ValueType):
        """An exact value: a number, a root, a formula in meters, or bounds. A Struct may name one custom type only."""


def _refer(name: str) -> Meta:
    """Return the annotation of a type whose schema is an entry of `VALUE_SCHEMAS`."""
    return Meta(extra_json_schema={"$ref": f"#/$defs/{name}"})


Probability = Annotated[Fraction, _refer("probability")]
NonNegative = Annotated[Fraction, _refer("non_negative")]
Count = Annotated[int, Meta(ge=0)]
DeckCount = Annotated[int, Meta(ge=1, le=100)]
Text = Annotated[str, Meta(min_length=1)]
Percentage = Annotated[str, Meta(pattern=r"^[0-9]+(\.[0-9]*)?%$")]
LongDecimal = Annotated[str, Meta(pattern=r"^-?(0|[1-9][0-9]*)\.[0-9]{30}$")]
"""A decimal that stands for a fraction of large powers."""
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
MeterName = Annotated[str, Meta(pattern="^[A-Za-z_][A-Za-z0-9_]{0,19}$")]
CardText = Annotated[str, Meta(pattern="^(([2-9]|10|[JQKA])[cdhs]|joker)$")]

_FACTOR = r"[A-Za-z_][A-Za-z0-9_]{0,19}(\*\*[0-9]+)?"
_NUMBER = "[0-9]+(/[0-9]+)?"
_TERM = rf"({_NUMBER}|({_NUMBER}\*)?{_FACTOR}(\*{_FACTOR})*)"
_FRACTION = "[1-9][0-9]*/[1-9][0-9]*"
VALUE_SCHEMAS: dict[str, Any] = {
    "exact": {
        "description": "A fraction in lowest terms as text, an integer as a number.",
        "anyOf": [{"type": "integer"}, {"type": "string", "pattern": f"^-?{_FRACTION}$"}],
    },
    "non_negative": {
        "description": "A fraction that is zero or positive.",
        "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": f"^{_FRACTION}$"}],
    },
    "probability": {
        "description": "A probability.",
        "anyOf": [{"type": "integer", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": f"^{_FRACTION}$"}],
    },
    "formula_in_meters": {
        "description": "A polynomial in the amounts of meters, as text.",
        "type": "string",
        "pattern": f"^(?=.*[A-Za-z_])-?{_TERM}( [+-] {_TERM})*$",
    },
    "root": {
        "description": "The square root of a fraction, as text.",
        "type": "string",
        "pattern": r"^-?sqrt\((0|[1-9][0-9]*)(/[1-9][0-9]*)?\)$",
    },
    "value": {
        "description": "An exact value: a number, a square root, or a formula in the amounts of meters.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("exact", "root", "formula_in_meters")],
    },
}
"""Schemas of exact values, which every generated schema defines."""


_SCHEMA_NAMES = {Value: "value", Root: "root"}


class Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of an answer, or a whole one."""

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON data, with exact values as numbers and texts."""
        data: dict[str, Any] = to_json(self)
        return {"format": data["format"], **data} if "format" in data else data

    def _repr_html_(self) -> str:
        return answer_html(self.to_dict())


def to_json(value: Any) -> Any:
    """Convert an answer or a part of one to JSON data.

    `msgspec.to_builtins` would write a root as an object, since its class is a Struct.

    >>> to_json({"deviation": Surd(Fraction(1, 2)), "cards": [Card("As")]})
    {'deviation': 'sqrt(1/2)', 'cards': ['As']}
    """
    if isinstance(value, (Fraction, Polynomial, Surd, Card)):
        return encode_value(value)
    if isinstance(value, Struct):
        return {key: to_json(item) for key, item in _items(value) if item is not UNSET}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return value if isinstance(value, str) else encode_value(value)


def _items(value: Struct) -> Iterator[tuple[str, Any]]:
    """Iterate over the keys and values of a Struct."""
    for name, key in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
        yield key, getattr(value, name)


def encode_value(value: Any) -> int | str | None:
    """Convert an exact value to JSON: integers to numbers, fractions to "p/q", anything else to its expression.

    >>> encode_value(Fraction(6, 3)), encode_value(Fraction(1, 3)), encode_value(Surd(Fraction(1, 2)))
    (2, '1/3', 'sqrt(1/2)')
    """
    if isinstance(value, Polynomial) and value.is_constant:
        value = value.constant
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if value is None or isinstance(value, int):
        return value
    try:
        return str(value)
    except ValueError:  # Python refuses to convert integers of more than 4,300 digits
        raise InputError(
            "an exact figure has more than 4,300 digits; move the cap of a meter nearer to its seed"
        ) from None


def exact_or_none(value: Fraction | None) -> Exact | None:
    """Return a fraction that can be formatted, or `None`."""
    return None if value is None else Exact(value)


def answer_schema(answers: Sequence[type[Answer]]) -> dict[str, Any]:
    """Return the JSON Schema of answers; each is a list of objects.

    >>> from combinat.results.odds import OddsAnswer
    >>> schema = answer_schema([OddsAnswer])
    >>> schema["$defs"]["OddsAnswer"]["properties"]["ways"]
    {'description': 'Ways of the rule.', 'type': 'integer'}
    """
    references, definitions = schema_parts(answers)
    return {
        "$schema": JSON_SCHEMA,
        "anyOf": [{"type": "array", "items": reference} for reference in references],
        "$defs": definitions,
    }


JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def schema_parts(answers: Sequence[type[Answer]]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Return a reference to the schema of each answer, and all definitions."""
    references, definitions = msgspec.json.schema_components(answers, schema_hook=_describe_type)
    for definition in definitions.values():
        properties = definition.get("properties", {})
        if "views" in properties:  # each view has a key of its own
            definition["additionalProperties"] = properties.pop("views")["additionalProperties"]
        written = [key for key, schema in properties.items() if schema.pop("default", None) is not None]
        definition["required"] = [key for key in properties if key in {*definition.get("required", ()), *written}]
    return references, definitions | VALUE_SCHEMAS


def _describe_type(kind: type) -> dict[str, Any]:
    """Return the schema of a type that JSON does not have."""
    return {"$ref": f"#/$defs/{_SCHEMA_NAMES.get(kind, 'exact')}"}


def to_json_data(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """Return answers as JSON data."""
    return [answer.to_dict() for answer in answers]
