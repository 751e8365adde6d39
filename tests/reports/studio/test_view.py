"""What the page shows after every keystroke: figures of the text as it stands, or mistakes where they are."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from decks import Shoe
from reports.page.numerals import exact, format_percent
from reports.studio.answers import answer_request
from reports.studio.variants import compare_pins
from reports.studio.view import build_view
from tests.files import GOOD
from tests.profiles import tries


def edge_of(found):
    return next(one for one in found["figures"]["document"]["figures"] if one["key"] == "house_edge")


def test_figures_are_those_of_the_deck_count_that_is_looked_at():
    (paytable,), _ = parse_bet(GOOD, "bet.toml")
    for at in (2, 6, 8):
        found = build_view({"toml": GOOD, "decks": "1-8", "at": at})
        edge = analyze_wager(paytable, Shoe(at)).house_edge.constant
        assert edge_of(found) == {
            "key": "house_edge",
            "label": "House edge",
            "text": format_percent(edge, 6),
            "exact": exact(edge),
        }
        assert found["figures"]["at"] == at


def test_left_open_the_largest_shoe_of_the_design_is_looked_at():
    assert build_view({"toml": GOOD, "decks": "1-8"})["figures"]["at"] == 8
    assert [one["decks"] for one in build_view({"toml": GOOD})["figures"]["counts"]] == [6, 8]


def test_cards_that_are_gone_are_gone_from_every_figure():
    whole, less = (edge_of(build_view({"toml": GOOD, "decks": "1", "removed": gone})) for gone in ("", "7h 7d"))
    assert whole["exact"] != less["exact"]


def test_of_what_takes_long_the_deck_count_that_is_looked_at_comes_first(monkeypatch):
    parts, steps = [], []
    asked = {"toml": GOOD, "decks": "1-8", "at": 6}
    whole = build_view(asked, lambda *step: steps.append(step), parts.append)
    assert (parts, steps) == ([], [])  # it takes no time
    monkeypatch.setattr("reports.studio.view._PARTIAL_AFTER", -1)
    assert build_view(asked, lambda *step: steps.append(step), parts.append) == whole
    (part,) = parts
    assert edge_of(part) == edge_of(whole)
    assert part["figures"]["counts"] == whole["figures"]["counts"]
    assert (part["figures"]["is_whole"], whole["figures"]["is_whole"]) == (False, True)
    assert steps == [(done, 8) for done in range(1, 9)]


def test_settings_of_a_game_are_told_to_the_form():
    text = get_paytable("L9").bet.file.replace(
        'decks = "1-8"', "decks = 1"
    )  # it is played anew with every number of decks
    found = {one["key"]: one for one in build_view({"toml": text, "decks": "0"})["settings"]}
    assert (found["nines"]["choices"], found["nines"]["usual"]) == (["push", "maker"], "push")
    assert build_view({"toml": GOOD, "decks": "6"})["settings"] == []


def test_half_a_bet_has_no_figures():
    found = build_view({"toml": GOOD.replace("suited", "suitd"), "decks": "6"})
    assert found["figures"] is None
    (problem,) = found["problems"]
    assert problem["text"].startswith("hand 'Flush': no word 'suitd'")
    assert (problem["line"], problem["path"]) == (5, ["hands", "Flush"])


def test_a_question_that_cannot_be_answered_is_told_beside_the_text():
    found = build_view({"toml": GOOD, "decks": "0"})
    assert (found["figures"], found["problems"]) == (None, [])
    assert "0 decks" in found["question"]


def test_an_option_waits_for_its_panel():
    found = build_view({"toml": get_paytable("HM-1").bet.file, "paytable": "HM-1", "decks": "6"})
    assert (found["figures"]["option"], found["figures"]["basis"]) == ("parlay", "wager alone")


def test_a_pin_differs_by_what_was_changed():
    pinned = {"name": "before", "toml": GOOD, "paytable": None, "meters": []}
    changed = GOOD.replace("5 to 1", "6 to 1")
    found = compare_pins({"toml": changed, "decks": "6", "pins": [pinned, {**pinned, "name": "broken", "toml": "x"}]})
    edge = found["table"]["rows"][0]
    (paytable,), _ = parse_bet(GOOD, "bet.toml")
    flush = analyze_wager(paytable, Shoe(6)).lines[0].probability
    assert (edge[0]["text"], edge[3]["exact"]) == ("House edge", exact(flush))
    assert [one.partition(":")[0] for one in found["problems"]] == ["broken"]


def test_the_meters_panel_runs_them_as_typed():
    body = {"toml": get_paytable("BLZ-1-UP").bet.file, "paytable": "BLZ-1-UP", "decks": "6", "seed": ["meter=4000"]}
    (usual,) = msgspec.json.decode(answer_request("meters", {**body, "seed": []}).content)["documents"]
    (other,) = msgspec.json.decode(answer_request("meters", body).content)["documents"]
    assert usual["tables"][0]["rows"][-1] != other["tables"][0]["rows"][-1]


@tries(200, quick=15)
@given(st.data())
def test_no_text_that_somebody_types_is_too_much(data):
    """Every keystroke on the way to a bet is a text too: it has figures or mistakes, and these lie within it."""
    text = data.draw(st.sampled_from([GOOD, get_paytable("TRI-03").bet.file, get_paytable("BLZ-1-UP").bet.file]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.text("[]{}=,.\"'#\n -ab17(😀", max_size=4)) + text[end:]
    found = build_view({"toml": text, "decks": "6"})
    msgspec.json.encode(found)
    units = len(text.encode("utf-16-le")) // 2
    for one in (*found["problems"], *found["findings"]):
        assert one["text"]
        if one["line"] is not None:
            assert 1 <= one["line"] <= text.count("\n") + 1
            assert 0 <= one["from"] <= one["to"] <= units
    assert (found["figures"] is None) == bool(found["problems"] or "question" in found)


@pytest.mark.parametrize("kind", ["view", "pins", "meters", "long run", "wagers"])
def test_every_panel_gives_json_that_has_no_floats(kind):
    body = {"toml": GOOD, "decks": "6", "pins": [{"toml": GOOD}], "stake": "1", "others": [], "spots": 1}
    found = msgspec.json.decode(answer_request(kind, body).content)

    def floats(value):
        if isinstance(value, dict | list):
            return [one for each in (value.values() if isinstance(value, dict) else value) for one in floats(each)]
        return [value] if isinstance(value, float) else []

    assert floats(found) == []
