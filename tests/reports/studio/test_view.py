"""The studio's view of a text: figures of a valid bet, or problems with their positions."""

import re
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from decks import InputError, Shoe
from reports.page.numerals import exact, format_percent
from reports.studio.answers import answer_request
from reports.studio.panels import selected_paytable
from reports.studio.project import open_project, save_project
from reports.studio.rack_card import build_card, rack_card
from reports.studio.rule_builder import rule_panel, words_panel
from reports.studio.variants import compare_variants
from reports.studio.view import build_view
from tests.bet_text import VALID_BET
from tests.profiles import tries


def edge_figure(view):
    """Return the cell of the house edge at the selected deck count."""
    figures = view["figures"]
    index = [count["decks"] for count in figures["counts"]].index(figures["at"])
    (row,) = (row for row in figures["decks"] if row["key"] == "house_edge")
    return row["cells"][index]


def test_figures_are_of_the_selected_deck_count():
    (paytable,), _ = parse_bet(VALID_BET, "bet.toml")
    for at in (2, 6, 8):
        view = build_view({"toml": VALID_BET, "decks": "1-8", "at": at})
        edge = analyze_wager(paytable, Shoe(at)).house_edge.constant
        cell = edge_figure(view)
        assert (cell["text"], cell["exact"]) == (format_percent(edge, 2), exact(edge))
        assert abs(Fraction(cell["at"]) - edge) < Fraction(1, 10**11)
        assert view["figures"]["at"] == at


def test_largest_designed_shoe_is_the_default():
    assert build_view({"toml": VALID_BET, "decks": "1-8"})["figures"]["at"] == 8
    assert [count["decks"] for count in build_view({"toml": VALID_BET})["figures"]["counts"]] == [6, 8]


def test_removed_cards_affect_every_figure():
    full, depleted = (
        edge_figure(build_view({"toml": VALID_BET, "decks": "1", "removed": removed})) for removed in ("", "7h 7d")
    )
    assert full["exact"] != depleted["exact"]


def test_selected_deck_count_is_computed_first(monkeypatch):
    partial_views, steps = [], []
    request = {"toml": VALID_BET, "decks": "1-8", "at": 6}
    view = build_view(request, lambda *step: steps.append(step), partial_views.append)
    assert (partial_views, steps) == ([], [])  # fast views are sent at once
    monkeypatch.setattr("reports.studio.view._PARTIAL_AFTER_MS", -1)
    assert build_view(request, lambda *step: steps.append(step), partial_views.append) == view
    (partial_view,) = partial_views
    assert edge_figure(partial_view) == edge_figure(view)
    assert partial_view["figures"]["counts"] == view["figures"]["counts"]
    assert (partial_view["figures"]["is_whole"], view["figures"]["is_whole"]) == (False, True)
    assert steps == [(done, 8) for done in range(1, 9)]


def test_form_gets_the_game_settings():
    text = get_paytable("L9").bet.file.replace('decks = "1-8"', "decks = 1")  # each deck count solves the game again
    settings = {setting["key"]: setting for setting in build_view({"toml": text, "decks": "0"})["settings"]}
    assert (settings["nines"]["choices"], settings["nines"]["default"]) == (["push", "maker"], "push")
    assert build_view({"toml": VALID_BET, "decks": "6"})["settings"] == []


def test_incomplete_bet_has_no_figures():
    view = build_view({"toml": VALID_BET.replace("suited", "suitd"), "decks": "6"})
    assert view["figures"] is None
    (problem,) = view["problems"]
    assert problem["text"].startswith("hand 'Flush': unknown word 'suitd'")
    assert (problem["line"], problem["path"]) == (5, ["hands", "Flush"])


def test_panel_errors_are_separate_from_text_errors():
    view = build_view({"toml": VALID_BET, "decks": "0"})
    assert (view["figures"], view["problems"]) == (None, [])
    assert "got 0" in view["question"]


def test_option_is_computed_only_for_its_panel():
    view = build_view({"toml": get_paytable("HM-1").bet.file, "paytable": "HM-1", "decks": "6"})
    assert view["figures"]["option"] == "parlay"


def test_bet_with_meters_shows_its_hold():
    view = build_view({"toml": get_paytable("BLZ-ML03-UP").bet.file, "paytable": "BLZ-ML03-UP", "decks": "1-8"})
    rows = {row["key"]: row["cells"] for row in view["figures"]["decks"]}
    assert "house_edge" not in rows
    designed = [count["designed"] for count in view["figures"]["counts"]]
    assert all("at" in cell for cell, is_designed in zip(rows["hold"], designed, strict=True) if is_designed)
    assert all("exact" in cell for cell, is_designed in zip(rows["hold"], designed, strict=True) if is_designed)


def test_project_keeps_every_text():
    texts = [VALID_BET, 'bet = "a \\" b"\n# \\u0041 """ \t é 😀\n', ""]
    variants = [{"name": f"v{index}", "note": "n", "toml": text, "paytable": None} for index, text in enumerate(texts)]
    body = {
        "name": "A/B: c",
        "notes": "x\ny",
        "toml": texts[1],
        "target": "4%..5%",
        "locks": ["F"],
        "removed": "7h",
        "meters": {"Mega": "5000", "Mini": " "},
        "variants": [*variants[:2], variants[2] | {"meters": {"Mega": "1"}}],
    }
    saved = save_project(body)
    opened = open_project({"text": saved["text"]})
    assert "/" not in saved["file"]
    assert (opened["toml"], [variant["toml"] for variant in opened["variants"]]) == (texts[1], texts)
    assert (opened["name"], opened["notes"], opened["target"], opened["locks"]) == ("A/B: c", "x\ny", "4%..5%", ["F"])
    assert (opened["removed"], opened["meters"]) == ("7h", {"Mega": "5000"})
    assert [variant["meters"] for variant in opened["variants"]] == [{}, {}, {"Mega": "1"}]
    bet = open_project({"text": VALID_BET})
    assert (bet["toml"], bet["variants"]) == (VALID_BET, [])
    odd = saved["text"].replace('[meters]\nMega = "5000"\n', "").replace("bet =", 'meters = "x"\nbet =', 1)
    assert open_project({"text": odd})["meters"] == {}
    with pytest.raises(InputError, match="neither a project"):
        open_project({"text": "x = 1"})


def test_money_follows_from_the_edge():
    body = {"toml": VALID_BET, "decks": "6", "rounds": "60", "spots": "4", "wager": "5", "hours": "10", "lease": "730"}
    win, hits, *_ = msgspec.json.decode(answer_request("money", body).content)["tables"]
    (paytable,), _ = parse_bet(VALID_BET, "bet.toml")
    analysis = analyze_wager(paytable, Shoe(6))
    hour, day, month = win["rows"]
    assert hour[3]["exact"] == exact(1200 * analysis.house_edge.constant)
    assert (day[6]["text"], month[6]["text"]) == ("24.00", "730.00")
    assert hits["rows"][0][3]["exact"] == exact(1 / (analysis.lines[0].probability * 2400))


def test_rule_builder_explains_rules_and_hands():
    body = {"toml": VALID_BET, "decks": "6"}
    words = {word["word"]: word for word in words_panel(body)["words"]}
    assert words["suited"]["probability"]
    assert words["suited"]["example"]
    answer = rule_panel({**body, "rule": "suited", "hand": "As Ks Qs"})
    assert answer["english"]
    assert answer["probability"] == words["suited"]["probability"]
    assert "Flush" in answer["verdict"]["text"]
    assert "suitd" in rule_panel({**body, "rule": "suitd"})["problem"]
    assert rule_panel({**body, "rule": "all(face)"})["probability"] == words["all(face)"]["probability"]


def test_rack_card_of_a_changed_catalog_bet_is_marked():
    text = get_paytable("TRI-03").bet.file
    name, content, _ = rack_card({"toml": text, "paytable": "TRI-03", "format": "svg"})
    assert name == "TRI-03 rack card.svg"
    assert content.startswith(b"<svg")
    changed = {"toml": text.replace("33 to 1", "30 to 1"), "paytable": "TRI-03"}
    name, _, _ = rack_card({**changed, "format": "svg"})
    assert re.fullmatch(r"TRI-03\+variant-[0-9a-f]{8} rack card\.svg", name)
    assert "TRI-03" in build_card(selected_paytable(changed))["notes"][-1]
    assert build_view({**changed, "decks": "6"})["title"] != get_paytable("TRI-03").title


def test_variant_differs_by_the_change():
    kept = {"name": "before", "toml": VALID_BET, "paytable": None, "meters": []}
    changed = VALID_BET.replace("5 to 1", "6 to 1")
    comparison = compare_variants(
        {
            "toml": changed,
            "decks": "6",
            "target": "90%..",
            "variants": [kept, {**kept, "name": "broken", "toml": "x"}],
        }
    )
    edge = comparison["rows"][0]
    (paytable,), _ = parse_bet(VALID_BET, "bet.toml")
    flush = analyze_wager(paytable, Shoe(6)).lines[0].probability
    variant = edge["cells"][1]
    assert (edge["label"], variant["sense"]) == ("House edge", ["player", "farther"])
    assert variant["difference"].startswith(format_percent(-flush, 3))
    assert [problem.partition(":")[0] for problem in comparison["problems"]] == ["broken"]


def test_meter_panel_applies_its_terms():
    body = {"toml": get_paytable("BLZ-1-UP").bet.file, "paytable": "BLZ-1-UP", "decks": "6", "seed": ["meter=4000"]}
    (default,) = msgspec.json.decode(answer_request("meters", {**body, "seed": []}).content)["documents"]
    (overridden,) = msgspec.json.decode(answer_request("meters", body).content)["documents"]
    assert default["tables"][0]["rows"][-1] != overridden["tables"][0]["rows"][-1]


@tries(200, quick=15)
@given(st.data())
def test_any_edited_text_is_handled(data):
    """Any edited text has figures or problems, and the problems have positions within the text."""
    text = data.draw(st.sampled_from([VALID_BET, get_paytable("TRI-03").bet.file, get_paytable("BLZ-1-UP").bet.file]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.text("[]{}=,.\"'#\n -ab17(😀", max_size=4)) + text[end:]
    view = build_view({"toml": text, "decks": "6"})
    msgspec.json.encode(view)
    units = len(text.encode("utf-16-le")) // 2
    for mark in (*view["problems"], *view["findings"]):
        assert mark["text"]
        if mark["line"] is not None:
            assert 1 <= mark["line"] <= text.count("\n") + 1
            assert 0 <= mark["from"] <= mark["to"] <= units
    assert (view["figures"] is None) == bool(view["problems"] or "question" in view)


@pytest.mark.parametrize(
    "kind", ["view", "variants", "meters", "outlook", "wagers", "figures", "money", "market", "rule"]
)
def test_panels_return_no_floats(kind):
    body = {"toml": VALID_BET, "decks": "6", "variants": [{"toml": VALID_BET}], "stake": "1", "others": [], "spots": 1}
    if kind == "money":
        body |= {"rounds": "60", "wager": "5", "hours": "16", "lease": "900"}
    if kind == "rule":
        body |= {"rule": "suited", "hand": "As Ks"}
    payload = msgspec.json.decode(answer_request(kind, body).content)

    def floats(value):
        if isinstance(value, dict | list):
            return [
                number for item in (value.values() if isinstance(value, dict) else value) for number in floats(item)
            ]
        return [value] if isinstance(value, float) else []

    assert floats(payload) == []


def test_variants_with_meters_are_compared_by_the_hold():
    text = get_paytable("BLZ-1-UP").bet.file
    variant = {"name": "A", "toml": text.replace('"25 for 1"', '"20 for 1"'), "paytable": "BLZ-1-UP"}
    body = {"toml": text, "paytable": "BLZ-1-UP", "decks": "6", "target": "20%..25%", "variants": [variant]}
    first_row = compare_variants(body)["rows"][0]
    assert first_row["label"] == "Hold in the long run"
    assert first_row["cells"][1]["sense"] == ["player", "closer"]
