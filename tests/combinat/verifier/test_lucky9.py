"""The verifier on Lucky 9: it agrees, and it finds altered figures."""

import pytest

from combinat.verifier import SheetError, verify
from tests.sheets import read_sheet
from tests.slow_cases import slow_case


@pytest.mark.slow
@pytest.mark.parametrize("id", ["FEW-9", "FEW-TIE"])
@pytest.mark.parametrize(
    "settings",
    [
        (),
        (("nines", "maker"), ("qualify", "three"), ("hands", "1")),
        (("lucky_pays", "1"), ("tie_pays", "8 to 1"), ("tie_stake", "0.5")),
    ],
)
def test_verifier_agrees(id, settings):
    verdict = verify(read_sheet(id, 1, ("hands", "2"), *settings))
    assert verdict.differences == []
    assert verdict.agrees
    assert verdict.total > 500


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("house_edge",), "1/70"),
        slow_case(("awards", 0, "ways"), 5),
        slow_case(("decisions", 100, "values", "hit"), "1/3"),
        slow_case(("decisions", 100, "best"), "split"),
        slow_case(("play", "figures", "simple_cost"), "1/9"),
        slow_case(("play", "charts", 0, "rows", 3, "cells", 2), "S"),
        slow_case(("play", "basis"), "best play of both wagers"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else str(value),
)
def test_altered_figure_is_found(path, to):
    sheet = read_sheet("FEW-9", 1, ("hands", "1"))
    part = sheet
    for key in path[:-1]:
        part = part[key]
    assert part[path[-1]] != to
    part[path[-1]] = to
    assert any(difference.startswith(path[0]) for difference in verify(sheet).differences)


def test_invalid_settings_are_reported():
    sheet = read_sheet("FEW-9", 1, ("hands", "1"))
    sheet["settings"]["hands"] = "7"
    with pytest.raises(SheetError, match="not those of Lucky 9"):
        verify(sheet)


def test_missing_parts_are_named():
    sheet = read_sheet("FEW-9", 1, ("hands", "1"))
    del sheet["decisions"], sheet["play"]["figures"]
    assert {"decisions: missing", "play.figures: missing"} <= set(verify(sheet).differences)
