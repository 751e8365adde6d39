"""Paytables from TOML text, or from a dictionary of the same shape."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, overload

import msgspec

from combinat.api.catalog import Catalog
from combinat.bets.catalog import mark_if_variant
from combinat.bets.export import format_bet
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import BetFields, explain_validation_error
from combinat.requests.arguments import unwrap_numpy_scalar
from decks import InputError
from decks.errors import quote

_ORIGIN = "the bet"
"""The name of a bet that has no file, in error messages."""


@overload
def loads(bet: str | Mapping[str, Any]) -> Paytable: ...
@overload
def loads(bet: str | Mapping[str, Any], *, several: Literal[True]) -> Catalog: ...
def loads(bet: str | Mapping[str, Any], *, several: bool = False) -> Paytable | Catalog:
    """Return the paytable of TOML text, or of a dictionary of the same shape; with `several`, all its paytables.

    >>> pairs = {"bet": "Pairs", "deal": "player:2"}
    >>> pairs["paytable"] = [{"id": "P-1", "decks": 6, "awards": [{"name": "Pair", "when": "pair", "pays": "11 to 1"}]}]
    >>> loads(pairs)
    <Paytable P-1: Pairs P-1>
    """
    if not isinstance(bet, (str, Mapping)):
        raise InputError(f"{quote(bet)} is not a bet; give TOML text or a dictionary of the same shape")
    paytables, problems = parse_bet(bet if isinstance(bet, str) else _to_toml(bet), _ORIGIN)
    if problems:
        raise InputError(problems[0])
    marked = [mark_if_variant(paytable) for paytable in paytables]
    if several:
        return Catalog(marked)
    if len(marked) > 1:
        ids = ", ".join(paytable.id for paytable in marked)
        raise InputError(f"the bet has several paytables ({ids}); write loads(bet, several=True)['{marked[0].id}']")
    return marked[0]


def _to_toml(bet: Mapping[str, Any]) -> str:
    """Return the text of a bet file with the fields of a dictionary."""
    table = _plain(bet)
    try:
        return format_bet(msgspec.convert(table, BetFields))
    except msgspec.ValidationError as error:
        raise InputError(f"{_ORIGIN}: {explain_validation_error(str(error), table)}") from None


def _plain(value: Any) -> Any:
    """Return a value as TOML would parse it: lists, tables, and text for numbers that are not whole."""
    value = unwrap_numpy_scalar(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, (float, Decimal, Fraction)) else value
