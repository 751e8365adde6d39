"""The Python API: common calls work, and errors are one line with a remedy."""

import ast
import json
import resource
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import numpy
import pytest

import combinat
from combinat import (
    Blackjack,
    Card,
    InputError,
    Shoe,
    analyze,
    catalog,
    compare,
    formula,
    ledger,
    load,
    loads,
    odds,
    sensitivity,
)
from combinat.bets.catalog import get_paytable
from combinat.figures import FIGURES
from combinat.study import build_study
from tests.parlay import TWO_HANDS, small_shoe
from tests.slow_cases import slow_case

MINE = """
bet = "Mine"
deal = "player:2"
[hands]
Pair = "pair"
[[paytable]]
id = "ONE"
decks = "6"
awards = [{ hand = "Pair", pays = "11 to 1" }]
"""

NO_SPLITS = {"max_hands": 1}  # these take long to compute


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return path


def test_public_names_exist():
    assert 12 <= len(combinat.__all__) <= 41
    assert all(getattr(combinat, name) for name in combinat.__all__)
    assert dir(combinat) == combinat.__all__


def test_public_names_are_documented():
    assert all(getattr(combinat, name).__doc__ for name in combinat.__all__)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'simulate'"):
        combinat.simulate  # noqa: B018


@pytest.mark.parametrize("bet", ["TRI-03", "tri-03", " Tri-03 ", get_paytable("TRI-03")])
def test_bet_is_an_id_or_a_paytable(bet):
    assert analyze(bet, decks=6).house_edge == Fraction(2127, 48205)


def test_bet_is_a_file_path(mine):
    assert analyze(mine).house_edge == analyze(str(mine), 6).house_edge == analyze(f"{mine}:one").house_edge


@pytest.mark.parametrize("given", [{"decks": 6}, {"decks": Shoe(6)}])
def test_decks_is_a_number_or_a_shoe(given):
    assert analyze("TRI-03", **given).house_edge == Fraction(2127, 48205)


@pytest.mark.parametrize("decks", [[6, 8], (6, 8), range(6, 9, 2), "6,8"])
def test_several_deck_counts_give_a_table(decks):
    table = analyze("TRI-03", decks)
    assert [result.decks for result in table] == [6, 8]
    assert table.at(8) == table[-1] == analyze("TRI-03", 8)
    assert [row["house_edge"] for row in table.to_dict()] == [str(result.house_edge) for result in table]
    assert "4.412405%" in table._repr_html_()


def test_several_bets_give_a_table():
    assert [result.paytable.id for result in analyze(["TRI-03", "TRI-04"], 6)] == ["TRI-03", "TRI-04"]


STAND_INS = {
    "pandas": SimpleNamespace(DataFrame=lambda rows: rows),
    "polars": SimpleNamespace(
        Object=object,
        Series=lambda name, values, **_: [(name, value) for value in values],
        DataFrame=lambda series: [dict(row) for row in zip(*series, strict=True)],
    ),
}
"""Modules in the place of libraries; a data frame is the list of its rows."""


@pytest.mark.parametrize("library", sorted(STAND_INS))
def test_table_becomes_a_data_frame(library, monkeypatch):
    table = analyze(["TRI-03", "BLZ-1-UP"], 6)
    monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    with pytest.raises(InputError, match=library):
        getattr(table, f"to_{library}")()
    monkeypatch.setitem(sys.modules, library, STAND_INS[library])
    rounded, exact = (getattr(table, f"to_{library}")(exact=exact) for exact in (False, True))
    assert [type(row["hit_frequency"]) for row in rounded] == [float, float]
    assert exact[0]["house_edge"] == Fraction(2127, 48205)
    assert "meter" in exact[1]["house_edge"]


def test_comparison_has_results_and_differences():
    comparison = compare(["TRI-03", "TRI-04"], [2, 6])
    edges = {id: analyze(id, 6).house_edge for id in ("TRI-03", "TRI-04")}
    assert comparison.result("TRI-04", 6).house_edge == edges["TRI-04"]
    assert comparison.differences()["TRI-04", 6] == edges["TRI-04"] - edges["TRI-03"]
    assert comparison.differences("standard_deviation")["TRI-04", 6] < 1
    assert [row["better_for_the_player_than"] != [] for row in comparison.to_dict()] == [True, True, False, False]
    assert "8.977205%" in comparison._repr_html_()


def test_sensitivity_has_the_effect_and_the_range_of_each_pay():
    (effects,) = sensitivity("TRI-03", [6, 8], edge="3%..5%")
    flush = effects.rows[0].moves[-1]
    edge = analyze("TRI-03", 6).house_edge
    assert analyze("TRI-03", 6, pays={"Flush": 6}).house_edge == edge - flush.per_unit
    assert effects.range_at("flush", 6).integer_range == effects.range_at("Flush").integer_range == (5, 5)
    assert "5.842356%" in sensitivity("TRI-03", 6)._repr_html_()
    assert [item.paytable.id for item in sensitivity(["TRI-03", "TRI-04"], 6)[1:]] == ["TRI-04"]


def test_table_of_a_parlay_has_bounds():
    (row,) = analyze(["HM-2"], small_shoe(), max_hands=2).records()
    assert row["variance_low"] < row["variance_high"]
    assert row["house_edge"] < row["house_edge_without_option"]


def test_bet_is_a_text_or_a_dictionary():
    awards = [{"hand": "Pair", "pays": "11 to 1"}]
    fields = {"bet": "Mine", "deal": "player:2", "hands": {"Pair": "pair"}}
    table = {"id": "ONE", "decks": "6", "awards": awards}
    assert loads(MINE).awards == loads(fields | {"paytable": [table]}).awards
    two = fields | {"paytable": [table, table | {"id": "TWO", "awards": [{"hand": "Pair", "pays": "11.5 to 1"}]}]}
    assert loads(two, several=True).ids == ("ONE", "TWO")
    assert str(loads(two, several=True)["two"].awards[0].pay) == "11.5 to 1"


def test_removed_cards_have_several_spellings():
    found = {
        analyze("TRI-03", 6, removed=cards).house_edge
        for cards in ("7h 7d Ks", ["7h", "7d", "Ks"], [Card("7h"), Card("7d"), Card("Ks")])
    }
    found |= {analyze("TRI-03", Shoe(6, removed="7h 7d"), removed="Ks").house_edge}
    assert found == {Fraction(106784, 2434817)}


@pytest.mark.parametrize("up", ["8", 8, Card("8h"), Card("8h").rank])
def test_up_card_has_several_spellings(up):
    assert (
        analyze("BB-1", 6, up=up).house_edge == analyze("BB-1", 6, up="8").house_edge != analyze("BB-1", 6).house_edge
    )


@pytest.mark.parametrize("amount", [25000, 25000.0, "25,000", "$25000", Decimal(25000), Fraction(25000)])
def test_meter_amount_has_several_exact_types(amount):
    assert analyze("BLZ-1-UP", meters=amount).house_edge == Fraction(-7359, 125333)
    assert analyze("BLZ-1-UP", meters={"METER": amount}).house_edge == Fraction(-7359, 125333)


def test_float_is_accepted_if_its_digits_are_exact():
    assert analyze("BLZ-1-UP", meters=0.5).house_edge == analyze("BLZ-1-UP", meters="0.5").house_edge
    assert analyze("TRI-03", 6, pays={"Flush": 5.5}).house_edge == analyze("TRI-03", 6, pays="Flush=5.5").house_edge


def test_figures_are_exact_and_format_exactly():
    result = analyze("TRI-03", 6)
    assert isinstance(result.house_edge, Fraction)
    assert f"{result.standard_deviation:.6f}" == "3.901954"
    assert f"{result.house_edge:.6%}" == "4.412405%"
    assert f"{1 - result.house_edge:.4f}" == "0.9559"
    assert result.standard_deviation**2 == result.variance
    assert 3.9 < result.standard_deviation < Fraction(4)
    assert float(result.standard_deviation) == pytest.approx(3.90195415)


@pytest.mark.parametrize("id", ["TRI-03", slow_case("HM-2"), "BB-1"])
def test_every_figure_matches_the_study(id):
    result = analyze(id, get_paytable(id).decks[0], **NO_SPLITS if id == "HM-2" else {})
    whole = result.study
    for key, figure in FIGURES.items():
        name = "return_" if key == "return" else key
        value = next(iter(figure.on.values()))(whole) if whole.option else list(figure.on.values())[-1](whole)
        assert getattr(result, name) == value, key


def test_awards_are_indexed_by_name_and_position():
    result = analyze("TRI-03", 6)
    assert result["Flush"].ways == result["flush"].ways == result[-1].ways == list(result)[-1].ways == 292896
    assert sum(award.ways for award in result) + result.losing.ways == result.cycle
    assert sum(award.return_ for award in result) == result.return_
    assert len(result) == 5
    assert "mini royal" in result
    assert "royal" not in result
    assert str(result["Flush"].pays) == "5 to 1"


def test_unknown_award_suggests_the_nearest():
    with pytest.raises(KeyError) as caught:
        analyze("TRI-03", 6)["Flus"]
    assert str(caught.value) == "TRI-03 has no award 'Flus'; did you mean 'Flush'?"
    assert isinstance(caught.value, InputError)


def test_open_meter_error_names_argument_and_formula():
    result = analyze("BLZ-1-UP", 6)
    for name in ("house_edge", "return_", "mean_win", "variance", "standard_deviation", "skewness"):
        with pytest.raises(InputError, match=r"meters=\{'meter': amount\}.*in_meters\."):
            getattr(result, name)
    with pytest.raises(InputError, match="meters="):
        result[0].return_  # noqa: B018


def test_meter_formula_gives_the_figure():
    formula = analyze("BLZ-1-UP", 6).in_meters.house_edge
    assert formula.at({"meter": 25000}) == analyze("BLZ-1-UP", 6, meters=25000).house_edge
    assert formula.unknowns == ("meter",)


def test_long_run_hold_needs_no_meter():
    result = analyze("BLZ-1-UP", 6)
    assert f"{result.hold:.2%}" == "24.78%"  # as published
    assert result.hit_frequency == analyze("BLZ-1-UP", 6, meters=25000).hit_frequency


def test_best_play_and_wager_alone_are_both_given():
    result = analyze("HM-2", small_shoe(), max_hands=2)
    assert (
        result.house_edge_without_option
        == build_study(get_paytable("HM-2"), small_shoe(), rules=TWO_HANDS).analysis.house_edge.constant
    )
    assert result.house_edge == result.house_edge_without_option - result.study.option.gain
    assert result.study.option.gain > 0
    assert str(result.basis) == result.bases["house_edge"] == "best play"
    assert result.bases["variance"] == "best play"
    assert result.bases["skewness"] == "wager alone"
    bounds = result.variance_bounds
    assert result.variance_without_option < bounds.low < bounds.high
    assert result.standard_deviation_bounds.low.square == bounds.low
    with pytest.raises(InputError, match="variance_bounds"):
        _ = result.variance
    assert result.standard_deviation_without_option.square == result.variance_without_option
    assert f"house edge (wager alone) {100 * float(result.house_edge_without_option):.4f}%" in repr(result)


def test_option_is_computed_on_demand(monkeypatch):
    def never(*_):
        raise AssertionError("worked out")

    monkeypatch.setattr("combinat.requests.bets.build_study", never)
    result = analyze("HM-2")
    assert f"{result!r}{result.hit_frequency}{result.variance_without_option}{result.house_edge_without_option}"
    with pytest.raises(AssertionError, match="worked out"):
        result.house_edge  # noqa: B018


@pytest.mark.parametrize("bet", ["TRI-03", "BB-1", "BLZ-ML03-UP", "HM-1"])
def test_repr_is_short(bet):
    decks = get_paytable(bet).decks[-1]
    result = analyze(bet, decks)
    shown = [result, result.paytable, result.analysis, result.shoe, result[0], result.losing, catalog(), Card("As")]
    assert all(len(repr(one)) < 120 for one in [*shown, result.in_meters, result[0].in_meters])
    assert repr(result[0].in_meters) == "<formulas in the meters: gross, net, return_>"


def test_notebook_tables_are_escaped(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text(MINE.replace("Pair =", '"<b>Pair" =').replace('hand = "Pair"', 'hand = "<b>Pair"'))
    page = analyze(path)._repr_html_()
    assert "&lt;b&gt;Pair" in page
    assert "<b>Pair" not in page
    assert catalog().search("trilux bonus")._repr_html_().count("<tr>") == 5  # four paytables and the header
    assert "11.254019%" in page  # 35/311: of 311 other cards 23 pair the first one, and each missing pair costs 12


def test_odds_of_a_rule():
    suited = odds("suited", "player:2", decks=1)
    assert (suited.probability, suited.ways, suited.cycle) == (Fraction(12, 51), 312, 1326)
    assert odds("player.has(7)", decks=6, given="suited").probability == Fraction(149, 1001)
    assert odds("pair", "player:2", Shoe(1, removed="7h 7d 7s")).ways == 12 * 6


def test_outcomes_of_a_ledger_add_up_to_the_cycle():
    found = list(ledger("TRI-03", decks=2))
    assert sum(one.ways for one in found) == analyze("TRI-03", 2).cycle
    assert sum(one.probability for one in found) == 1
    assert sum(one.ways for one in found if one.award == "Flush") == analyze("TRI-03", 2)["Flush"].ways


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_closed_form_matches_every_deck_count(decks):
    form = formula("TRI-03")
    assert form.at(decks) == analyze("TRI-03", decks, any_decks=True).house_edge
    assert form["flush"].ways.subs("n", decks) == analyze("TRI-03", decks, any_decks=True)["Flush"].ways


def test_closed_form_with_a_meter_is_marked():
    with pytest.raises(InputError, match="meters="):
        formula("BLZ-1-UP").at(6)


def test_catalog_is_searched(mine):
    assert catalog()["tri-03"] == load("TRI-03") == next(entry for entry in catalog() if entry.id == "TRI-03")
    assert "tri-03" in catalog()
    assert {entry.bet.name for entry in catalog().search("bonus trilux")} == {"TriLux Bonus"}
    assert catalog(mine).ids == ("ONE",)
    assert catalog()[:2].ids == catalog().ids[:2]


@cache
def a_sheet():
    return combinat.par_sheet("PAIR-SQUARE-25-10", decks=2, date="2026-11-16")


def test_par_sheet_is_verified_and_saved(tmp_path):
    sheet = a_sheet()
    assert combinat.verify(sheet).agrees
    written = sheet.save(tmp_path / "sheet.json")
    assert combinat.verify(written).agrees
    assert json.loads(written.read_text())["house_edge"] == str(analyze("PAIR-SQUARE-25-10", 2).house_edge)
    assert sheet.text("md").startswith("# ")
    assert (tmp_path / "sheet.json").read_text() == sheet.text("json")
    changed = sheet.payload | {"house_edge": "1/2"}
    found = combinat.verify(changed)
    assert not found.agrees
    assert repr(found) == f"<{len(found.differences)} of {found.checked} figures differ>"


def test_blackjack_takes_rules_by_name():
    game = Blackjack(6, hits_soft_17=False, blackjack_pays="6:5")
    assert game.rules.blackjack_pays == Fraction(6, 5)
    assert str(game.hand("8h 8c", up=6).best) == "split"
    blackjack = Blackjack(decks=1, hits_soft_17=False).hand("A K", up=6)
    assert repr(blackjack) == "<A-10 against 6: stand, value 1.50000000>"
    assert str(blackjack.best) == "stand"  # there is nothing else to do with it


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: analyze("TRI-3"), "did you mean 'TRI-03'?"),
        (lambda: analyze("TRI-03"), "write decks=8"),
        (lambda: analyze("TRI-03", decks=9), "any_decks=True"),
        (lambda: analyze("TRI-03", decks=[6, 8]).at(7), "6, 8"),
        (lambda: analyze("TRI-03", decks="six"), "'six'"),
        (lambda: analyze("TRI-03", decks=6.5), "'6.5'"),
        (lambda: analyze("TRI-03", decks=0), "got 0"),
        (lambda: analyze("TRI-03", Shoe(6, "spanish")), "dealt from standard decks"),
        (lambda: analyze("TRI-03", shoe=6), "no option 'shoe'"),
        (lambda: analyze("TRI-03", decks=True), "'True'"),
        (lambda: analyze("TRI-03", 6, strategy="basic"), "TRI-03"),
        (lambda: analyze("HM-1", 2, strategy="basics"), "did you mean 'basic'?"),
        (lambda: analyze("TRI-03", 6, removed=7), "cards '7'"),
        (lambda: analyze("TRI-03", 6, removed="7x"), "'7x' is not a card"),
        (lambda: analyze("TRI-03", 6, up="1"), "'1' is not a rank"),
        (lambda: analyze("TRI-03", 6, meters=5), "TRI-03 has no meter"),
        (lambda: analyze("TRI-03", 6, double="9-11"), "TRI-03"),
        (lambda: analyze("TRI-03", 6, hits_soft_17=True), "soft-17 rule does not affect"),
        (lambda: analyze("HM-1", 2, dubble="any"), "did you mean 'double'?"),
        (lambda: analyze("HM-1", 2, max_hands="many"), "'many'"),
        (lambda: analyze("HM-1", 2, surrender="no"), "'no'; write True or False"),
        (lambda: analyze("HM-1", 2, rules="h17"), "no option 'rules'"),
        (lambda: analyze("BB-1", 6, hits_soft_17="no"), "'no'; write True or False"),
        (lambda: analyze("TRI-03", 6, pays={"Flush": 5.1}), "write '5.1' or Decimal('5.1')"),
        (lambda: analyze("TRI-03", 6, pays=6), "'6'"),
        (lambda: analyze("BLZ-1-UP", 6, meters=0.1), "write '0.1' or Decimal('0.1')"),
        (lambda: analyze("BLZ-1-UP", 6, meters=float("inf")), "'inf' is not an amount"),
        (lambda: catalog(3), "'3' is not a file"),
        (lambda: catalog(collection=5), "unknown collection '5'"),
        (lambda: analyze("BLZ-1-UP", 6, meters={"metre": 1}), "did you mean 'meter'?"),
        (lambda: analyze("BLZ-1-UP", 6, meters={"meter": "much"}), "'much' is not an amount"),
        (lambda: analyze("BLZ-1-UP", 6, meters={"meter": -1}), "cannot be negative"),
        (lambda: analyze("missing.toml"), "missing.toml"),
        (lambda: compare("TRI-03", 6).result("TRI-04", 6), "TRI-03"),
        (lambda: compare("TRI-03", 6).result("TRI-03", 8), "6"),
        (lambda: compare("TRI-03", 6).differences("house_egde"), "did you mean 'house_edge'?"),
        (lambda: sensitivity("TRI-03", 6, edge="low"), "'low'"),
        (lambda: sensitivity("BLZ-1-UP", 6, up="7", edge="3%..5%"), "meter"),
        (lambda: formula("TRI-03", decks=6), "decks"),
        (lambda: formula(["TRI-03", "TRI-04"]), "2 bets"),
        (lambda: sensitivity("TRI-03", 6)[0].range_at("Flsh"), "did you mean 'Flush'?"),
        (lambda: sensitivity("TRI-03", 6)[0].range_at("Flush", 8), "8 decks"),
        (lambda: loads(3), "'3' is not a bet"),
        (lambda: loads("bet = 3"), "bet"),
        (lambda: loads({"bet": "Mine", "deal": "player:2", "paytables": []}), "did you mean 'paytable'?"),
        (lambda: analyze(3), "give an id such as 'TRI-03'"),
        (lambda: odds("suted", decks=6), "did you mean 'suited'?"),
        (lambda: odds(7, decks=6), "got '7'"),
        (lambda: ledger("TRI-3", 6), "did you mean 'TRI-03'?"),
        (lambda: combinat.house_edges("TRI-03", 6), "shoes must be a list"),
        (lambda: list(combinat.house_edges("TRI-03", [6])), "'6' is not a Shoe"),
        (lambda: combinat.verify(7), "'7' is not a par sheet"),
        (lambda: Blackjack(2, shoe=Shoe(6)), "contradict each other"),
        (lambda: Blackjack(), "Blackjack(decks=6)"),
        (lambda: Blackjack(6, dubble="any"), "did you mean 'double'?"),
        (lambda: combinat.verify("missing.json"), "missing.json"),
        (lambda: a_sheet().save("x.doc"), "sheet format 'doc'"),
        (lambda: a_sheet().text("pdf"), "not a text format"),
    ],
)
def test_error_is_one_line_with_a_remedy(mistake, message):
    with pytest.raises(InputError) as caught:
        mistake()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_import_loads_no_heavy_library():
    code = "import sys; before = set(sys.modules); import combinat, reports; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in ast.literal_eval(done.stdout) if name.split(".")[0] not in sys.stdlib_module_names]
    assert loaded == ["combinat", "combinat.version", "reports"]


def cpu_time(module):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.slow  # fast: test_architecture.py::test_heavy_libraries_load_only_where_needed
def test_import_is_faster_than_typer():
    ours, typer = (min(cpu_time(module) for _ in range(3)) for module in ("combinat", "typer"))
    assert ours < 1.3 * typer


def test_module_runs_as_the_program():
    done = subprocess.run([sys.executable, "-m", "combinat", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"combinat {combinat.__version__}\n"


def test_numpy_numbers_are_accepted():
    found = analyze("21+3-PT1", 6, meters=numpy.float64(1000)).house_edge
    assert found == analyze("21+3-PT1", 6, meters=1000).house_edge
    assert load("TRI-01", pays={"Flush": numpy.int64(8)}) == load("TRI-01", pays={"Flush": 8})
    with pytest.raises(InputError, match=r"the float 0\.1000000014.* is not exact"):
        load("TRI-01", pays={"Flush": numpy.float32(0.1)})


@pytest.mark.parametrize(
    ("meters", "message"),
    [
        (True, "'True' is not an amount"),
        (Decimal("NaN"), "'NaN' is not an amount"),
        (Decimal("Infinity"), "'Infinity' is not an amount"),
        (1e23, "write '100000000000000000000000'"),
    ],
)
def test_invalid_amounts_are_refused(meters, message):
    with pytest.raises(InputError, match=message):
        analyze("21+3-PT1", 6, meters=meters)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_wager": -1}, "got '-1'"),
        ({"document": None}, "the document must be a text, got 'None'"),
        ({"date": 0}, "date '0'"),
        ({"history": None}, "got 'None'"),
        ({"history": "2, 2026-11-16: once"}, "history must be a list"),
        ({"tests": 0}, "got '0'"),
        ({"paper": None}, "the paper must be a text"),
    ],
    ids=str,
)
def test_invalid_sheet_options_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        combinat.par_sheet("PAIR-SQUARE-25-10", decks=2, **given)


def test_unknown_sheet_format_is_refused(tmp_path):
    sheet = combinat.par_sheet("PAIR-SQUARE-25-10", decks=2, revision=2)
    assert sheet.payload["identification"]["revision"] == "2"
    for asked, said in [
        (lambda: sheet.content("docx"), "sheet format 'docx'"),
        (lambda: sheet.content("csv,json"), "got 'csv,json'"),
        (lambda: sheet.text(None), "the format must be a text"),
        (lambda: sheet.save(None), "'None'"),
        (lambda: sheet.save(tmp_path / f"{'x' * 5000}.csv"), "cannot write"),
    ]:
        with pytest.raises(InputError, match=said):
            asked()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (lambda: analyze("TRI-03", 6)[1.5], "got '1.5'"),
        (lambda: analyze("TRI-03", 6).with_pays(None), "pays must be numbers in rows of 5"),
        (lambda: analyze("TRI-03", 6).with_pays([1, 2]), "pays must be numbers in rows of 5"),
        (lambda: combinat.odds("pair", "player:2", decks=1, given=0), "got '0'"),
        (lambda: combinat.judge("TRI-03", range(3)), "'0' is not a card"),
        (lambda: combinat.Blackjack(6).hand(None, up=6), "the hand must be a text"),
    ],
)
def test_invalid_queries_are_refused(asked, message):
    with pytest.raises(InputError, match=message):
        asked()
