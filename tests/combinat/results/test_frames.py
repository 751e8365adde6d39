"""Answers as data frames; the real libraries are used where they are installed."""

import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest

from combinat import analyze, odds
from decks import InputError


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match="pip install polars"):
        odds("pair", "player:2", [1, 6]).to_polars()


def test_exact_values_are_objects_in_polars(monkeypatch):
    def series(name, values, **options):
        return name, values, options.get("dtype")

    stub = SimpleNamespace(Object="object", Series=series, DataFrame=list)
    monkeypatch.setitem(sys.modules, "polars", stub)
    columns = {name: (values, dtype) for name, values, dtype in odds("pair", "player:2", [1, 6]).to_polars(exact=True)}
    assert columns["probability"] == ([Fraction(1, 17), Fraction(23, 311)], "object")
    assert columns["decks"] == ([1, 6], None)
    assert "format" not in columns


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("exact", [False, True])
def test_real_library_keeps_the_values(library, exact):
    pytest.importorskip(library)
    frame = getattr(analyze("TRI-03", [6, 8]), f"to_{library}")(exact=exact)
    edge = frame["house_edge"][0]
    assert edge == (Fraction(2127, 48205) if exact else 2127 / 48205)
    assert type(edge) is not float or not exact
    assert list(frame["decks"]) == [6, 8]
