"""The verifier on Lucky 9: it agrees, and it finds altered figures."""

import json
from functools import lru_cache

import pytest

from combinat.bets.paytable import apply_settings
from combinat.study import build_study
from combinat.verifier import verify
from combinat.verifier.check import compared, derived_of
from decks import Shoe, parse_cards
from reports.answers.studies import study_payload
from tests.sheets import WITH_FEW_RANKS, build_sheet, find_paytable
from tests.slow_cases import slow_case


@lru_cache(maxsize=None)
def text(id, removed="", *settings, decks=1):
    paytable = apply_settings(find_paytable(id), {"hands": "2"} | dict(settings))
    return json.dumps(study_payload(build_study(paytable, Shoe(decks, paytable.bet.pack, parse_cards(removed)))))


def answer(id, removed="", *settings):
    return json.loads(text(id, removed, *settings))


LONG = [slow_case(id) for id in ("L9", "L9-TIE")]
"""The game from a whole pack, with four times as many hands and up cards as from few ranks."""


@pytest.mark.parametrize("id", ["FEW-9", "FEW-TIE", *LONG])
@pytest.mark.parametrize(
    "settings",
    [
        (),
        (("nines", "maker"), ("qualify", "three"), ("hands", "1")),
        slow_case((("lucky_pays", "1"), ("tie_pays", "8 to 1"), ("tie_stake", "0.5"))),
    ],
)
def test_verifier_agrees(id, settings):
    verdict = verify(answer(id, "", *settings))
    assert verdict.differences == []
    assert verdict.not_reached is None
    assert verdict.checked > (500 if id.startswith("FEW") else 2500)


@pytest.mark.slow
def test_verifier_agrees_with_resplits_of_six_decks():
    verdict = verify(json.loads(text("L9", "", ("hands", "4"), decks=6)))
    assert verdict.differences == []
    assert verdict.checked > 2500


@pytest.mark.parametrize(("id", "removed"), [("FEW-9", "5s 5h 5d 5c Ks 3d"), slow_case("L9", "7s 7h 7d 7c Ks 2d")])
def test_verifier_agrees_with_removed_cards(id, removed):
    verdict = verify(answer(id, removed))
    assert verdict.differences == []
    assert verdict.checked > (400 if id.startswith("FEW") else 2500)


def changed(sheet, *path, to):
    part = sheet
    for key in path[:-1]:
        part = part[key]
    assert part[path[-1]] != to
    part[path[-1]] = to
    return verify(sheet).differences


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("house_edge",), "1/70"),
        slow_case(("awards", 0, "ways"), 5),
        slow_case(("awards", 4, "pays"), -3),
        (("decisions", 100, "values", "hit"), "1/3"),
        slow_case(("decisions", 100, "best"), "split"),
        slow_case(("decisions", 7, "probability"), "1/3"),
        (("play", "figures", "simple_cost"), "1/9"),
        (("play", "charts", 0, "rows", 3, "cells", 2), "S"),
        slow_case(("play", "charts", 1, "rows", 5, "cells", 4), "S"),
        slow_case(("play", "charts", 2, "rows", 4, "cells", 9), "S"),
        (("play", "basis"), "best play of both wagers"),
        slow_case(("settings", "qualify"), "three"),
        slow_case(("settings", "lucky_pays"), "2 to 1"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else str(value),
)
def test_altered_figure_is_found(path, to):
    assert changed(answer("FEW-9"), *path, to=to)


def test_invalid_settings_are_reported():
    from combinat.verifier import UnreadableError

    sheet = answer("FEW-9")
    sheet["settings"]["hands"] = "7"
    with pytest.raises(UnreadableError, match="no rules of Lucky 9"):
        verify(sheet)
    sheet = answer("FEW-9")
    sheet["awards"][0]["rule"] = "tie and units won == 2"
    assert "asked for together" in str(verify(sheet).not_reached)
    sheet["awards"][0]["rule"] = "__import__('os')"
    with pytest.raises(UnreadableError, match="cannot read the rule"):
        verify(sheet)


def test_missing_parts_are_named():
    sheet = answer("FEW-9")
    del sheet["decisions"], sheet["play"]["figures"]
    differences = verify(sheet).differences
    assert {"decisions: missing", "play.figures: missing"} <= set(differences)


@pytest.mark.slow
@pytest.mark.parametrize(("id", "settings"), [("L9", ()), ("L9-MAKER", (("hands", "1"),)), ("L9-TIE", ())])
def test_verifier_agrees_at_every_deck_count(id, settings):
    sheet = json.loads(json.dumps(build_sheet(id + WITH_FEW_RANKS, 6, *settings).payload))
    derived = derived_of(sheet)
    verdict = compared(sheet, derived)
    assert verdict.differences == []
    assert "deck_sensitivity" not in verdict.not_checked
    sheet["deck_sensitivity"][2]["house_edge"] = "1/70"
    assert any("deck_sensitivity[2]" in difference for difference in compared(sheet, derived).differences)
    sheet["awards"][0]["example"] = sheet["awards"][-1]["example"]
    found = " ".join(verify(sheet, is_finished=False).differences)  # only at its own deck count
    assert id == "L9-TIE" or "awards[0]" in found
