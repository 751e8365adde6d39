"""Records as data frames of pandas and polars, which are imported only here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Exact, Surd
from decks import InputError


def build_records(rows: Iterable[Mapping[str, Any]], *, exact: bool) -> list[dict[str, Any]]:
    """Return rows with the same keys; numbers are floats unless `exact`, and formulas in meters are texts.

    An interval has two keys, for its lower and its upper end.

    >>> build_records([{"edge": Fraction(1, 4)}, {"spread": Interval(Fraction(1), Fraction(2))}], exact=False)
    [{'edge': 0.25, 'spread_low': None, 'spread_high': None}, {'edge': None, 'spread_low': 1.0, 'spread_high': 2.0}]
    """
    plain_rows = [dict(_plain_items(row, exact)) for row in rows]
    names = dict.fromkeys(name for row in plain_rows for name in row)
    return [{name: row.get(name) for name in names} for row in plain_rows]


def _plain_items(row: Mapping[str, Any], exact: bool) -> Iterable[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, Interval):
            yield f"{name}_low", _plain_value(value.low, exact)
            yield f"{name}_high", _plain_value(value.high, exact)
        else:
            yield name, _plain_value(value, exact)


def _plain_value(value: Any, exact: bool) -> Any:
    if isinstance(value, Polynomial):
        if not value.is_constant:
            return str(value)
        value = value.constant
    if isinstance(value, (Fraction, Surd)) and not exact:
        return float(value)
    return Exact(value) if isinstance(value, Fraction) else value


def to_frame(library: str, records: Sequence[Mapping[str, Any]], *, exact: bool) -> Any:
    """Return records as a data frame of a library; raise `InputError` if it is not installed."""
    try:
        module = import_module(library)
    except ImportError:
        raise InputError(f"{library} is not installed; install it with: pip install {library}") from None
    rows = build_records(records, exact=exact)
    if library != "polars":
        return module.DataFrame(rows)
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    return module.DataFrame(
        [module.Series(name, values, **_polars_type(module, values)) for name, values in columns.items()]
    )


def _polars_type(polars: Any, values: Sequence[Any]) -> dict[str, Any]:
    """Return the options of a series: exact values are objects, since polars would convert them to floats."""
    is_exact = any(isinstance(value, (Fraction, Surd)) for value in values)
    return {"dtype": polars.Object} if is_exact else {"strict": False}
