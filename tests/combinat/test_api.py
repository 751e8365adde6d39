"""What a Python program types first works, and what it types wrong is told in one line."""

import ast
import json
import resource
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy
import pytest

import combinat
import reports
from combinat import Blackjack, Card, InputError, Shoe, analyze, catalog, closed_form, load, odds, outcomes
from combinat.bets.catalog import get_paytable
from combinat.figures import FIGURES
from combinat.study import build_study
from tests.riding import QUICK, small_shoe

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

NO_SPLITS = {"max_hands": 1}  # which take long to work out


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return path


def test_there_are_twelve_to_fifteen_names_and_all_are_there():
    assert 12 <= len(combinat.__all__) <= 15
    assert all(getattr(combinat, name) for name in combinat.__all__)
    assert dir(combinat) == combinat.__all__


def test_every_name_is_documented():
    assert all(getattr(combinat, name).__doc__ for name in combinat.__all__)


def test_name_that_there_is_not_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'simulate'"):
        combinat.simulate  # noqa: B018


@pytest.mark.parametrize("bet", ["TRI-03", "tri-03", " Tri-03 ", get_paytable("TRI-03")])
def test_bet_is_an_id_in_any_case_or_a_paytable(bet):
    assert analyze(bet, decks=6).house_edge == Fraction(2127, 48205)


def test_bet_is_a_file_by_its_path_or_its_name(mine):
    assert analyze(mine).house_edge == analyze(str(mine), 6).house_edge == analyze(f"{mine}:one").house_edge


@pytest.mark.parametrize("given", [{"decks": 6}, {"shoe": Shoe(6)}, {"decks": 6, "shoe": Shoe(6)}])
def test_decks_are_a_number_or_a_shoe(given):
    assert analyze("TRI-03", **given).house_edge == Fraction(2127, 48205)
    assert analyze("TRI-03", Shoe(6)).house_edge == analyze("TRI-03", 6).house_edge


def test_cards_gone_are_written_in_any_way():
    found = {
        analyze("TRI-03", 6, removed=cards).house_edge
        for cards in ("7h 7d Ks", ["7h", "7d", "Ks"], [Card("7h"), Card("7d"), Card("Ks")])
    }
    found |= {analyze("TRI-03", shoe=Shoe(6, removed="7h 7d"), removed="Ks").house_edge}
    assert found == {Fraction(106784, 2434817)}


@pytest.mark.parametrize("up", ["8", 8, Card("8h"), Card("8h").rank])
def test_up_card_is_written_in_any_way(up):
    assert (
        analyze("BB-1", 6, up=up).house_edge == analyze("BB-1", 6, up="8").house_edge != analyze("BB-1", 6).house_edge
    )


@pytest.mark.parametrize("amount", [25000, 25000.0, "25,000", "$25000", Decimal(25000), Fraction(25000)])
def test_meter_is_an_amount_in_any_exact_way(amount):
    assert analyze("BLZ-1-UP", meters=amount).house_edge == Fraction(-7359, 125333)
    assert analyze("BLZ-1-UP", meters={"METER": amount}).house_edge == Fraction(-7359, 125333)


def test_a_float_is_taken_if_it_is_just_what_it_shows():
    assert analyze("BLZ-1-UP", meters=0.5).house_edge == analyze("BLZ-1-UP", meters="0.5").house_edge
    assert analyze("TRI-03", 6, pays={"Flush": 5.5}).house_edge == analyze("TRI-03", 6, pays="Flush=5.5").house_edge


def test_figures_are_fractions_and_roots_that_format_exactly():
    result = analyze("TRI-03", 6)
    assert isinstance(result.house_edge, Fraction)
    assert f"{result.standard_deviation:.6f}" == "3.901954"
    assert f"{result.house_edge:.6%}" == "4.412405%"
    assert f"{1 - result.house_edge:.4f}" == "0.9559"
    assert result.standard_deviation**2 == result.variance
    assert 3.9 < result.standard_deviation < Fraction(4)
    assert float(result.standard_deviation) == pytest.approx(3.90195415)


@pytest.mark.parametrize("id", ["TRI-03", "HM-2", "BB-1"])
def test_every_figure_is_what_the_study_says(id):
    result = analyze(id, get_paytable(id).decks[0], rules=NO_SPLITS if id == "HM-2" else None)
    whole = result.study
    for key, figure in FIGURES.items():
        name = "return_" if key == "return" else key
        value = next(iter(figure.on.values()))(whole) if whole.option else list(figure.on.values())[-1](whole)
        assert getattr(result, name) == value, key


def test_awards_are_found_by_name_place_and_turn():
    result = analyze("TRI-03", 6)
    assert result["Flush"].ways == result["flush"].ways == result[-1].ways == list(result)[-1].ways == 292896
    assert sum(award.ways for award in result) + result.losing.ways == result.cycle
    assert sum(award.return_ for award in result) == result.return_
    assert len(result) == 5
    assert "mini royal" in result
    assert "royal" not in result
    assert str(result["Flush"].pays) == "5 to 1"


def test_award_that_there_is_not_is_told_with_the_nearest():
    with pytest.raises(KeyError) as caught:
        analyze("TRI-03", 6)["Flus"]
    assert str(caught.value) == "TRI-03 has no award 'Flus'; did you mean 'Flush'?"
    assert isinstance(caught.value, InputError)


def test_figure_that_needs_a_meter_names_the_argument_and_the_formula():
    result = analyze("BLZ-1-UP", 6)
    for name in ("house_edge", "return_", "mean_win", "variance", "standard_deviation", "skewness"):
        with pytest.raises(InputError, match=r"meters=\{'meter': amount\}.*in_meters\."):
            getattr(result, name)
    with pytest.raises(InputError, match="meters="):
        result[0].return_  # noqa: B018


def test_formula_in_the_meter_gives_the_figure():
    formula = analyze("BLZ-1-UP", 6).in_meters.house_edge
    assert formula.at({"meter": 25000}) == analyze("BLZ-1-UP", 6, meters=25000).house_edge
    assert formula.unknowns == ("meter",)


def test_long_run_hold_needs_no_meter():
    result = analyze("BLZ-1-UP", 6)
    assert f"{result.hold:.2%}" == "24.78%"  # as published
    assert result.hit_frequency == analyze("BLZ-1-UP", 6, meters=25000).hit_frequency


def test_best_play_is_named_and_the_wager_alone_beside_it():
    result = analyze("HM-2", shoe=small_shoe(), rules={"max_hands": 2})
    assert (
        result.house_edge_without_option
        == build_study(get_paytable("HM-2"), small_shoe(), rules=QUICK).analysis.house_edge.constant
    )
    assert result.house_edge == result.house_edge_without_option - result.study.option.gain
    assert result.study.option.gain > 0
    assert str(result.basis) == result.bases["house_edge"] == "best play"
    assert result.bases["variance"] == "best play"
    assert result.bases["skewness"] == "wager alone"
    assert result.variance.low < result.variance.high
    assert result.variance_without_option < result.variance.low
    assert result.standard_deviation_without_option.square == result.variance_without_option
    assert f"house edge (no parlay) {100 * float(result.house_edge_without_option):.4f}%" in repr(result)


def test_what_an_option_brings_is_worked_out_only_when_asked_for(monkeypatch):
    def never(*_):
        raise AssertionError("worked out")

    monkeypatch.setattr("combinat.api.queries.build_study", never)
    result = analyze("HM-2")
    assert f"{result!r}{result.hit_frequency}{result.variance_without_option}{result.house_edge_without_option}"
    with pytest.raises(AssertionError, match="worked out"):
        result.house_edge  # noqa: B018


@pytest.mark.parametrize("bet", ["TRI-03", "BB-1", "BLZ-ML03-UP", "HM-1"])
def test_what_is_printed_is_short(bet):
    decks = get_paytable(bet).decks[-1]
    result = analyze(bet, decks)
    shown = [result, result.paytable, result.analysis, result.shoe, result[0], result.losing, catalog(), Card("As")]
    assert all(len(repr(one)) < 120 for one in [*shown, result.in_meters, result[0].in_meters])
    assert repr(result[0].in_meters) == "<formulas in the meters: gross, net, return_>"


def test_notebook_shows_tables_with_every_text_escaped(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text(MINE.replace("Pair =", '"<b>Pair" =').replace('hand = "Pair"', 'hand = "<b>Pair"'))
    page = analyze(path)._repr_html_()
    assert "&lt;b&gt;Pair" in page
    assert "<b>Pair" not in page
    assert catalog().search("trilux bonus")._repr_html_().count("<tr>") == 5  # four paytables and the heads
    assert "11.254019%" in page  # 35 of 311: twelve times the 23 cards of 311 that pair the first are missing so much


def test_odds_of_a_rule():
    suited = odds("suited", "player:2", decks=1)
    assert (suited.probability, suited.ways, suited.cycle) == (Fraction(12, 51), 312, 1326)
    assert odds("player.has(7)", decks=6, given="suited").probability == Fraction(149, 1001)
    assert odds("pair", "player:2", shoe=Shoe(1, removed="7h 7d 7s")).ways == 12 * 6


def test_outcomes_add_up_to_the_cycle():
    found = list(outcomes("TRI-03", decks=2))
    assert sum(one.ways for one in found) == analyze("TRI-03", 2).cycle
    assert sum(one.probability for one in found) == 1
    assert sum(one.ways for one in found if one.award == "Flush") == analyze("TRI-03", 2)["Flush"].ways


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_closed_form_is_the_figure_at_every_deck_count(decks):
    form = closed_form("TRI-03")
    assert form.at(decks) == analyze("TRI-03", decks).house_edge
    assert form["flush"].ways.subs("n", decks) == analyze("TRI-03", decks)["Flush"].ways


def test_closed_form_with_a_meter_says_so():
    with pytest.raises(InputError, match="meters="):
        closed_form("BLZ-1-UP").at(6)


def test_catalog_is_looked_through(mine):
    assert catalog()["tri-03"] == load("TRI-03") == next(one for one in catalog() if one.id == "TRI-03")
    assert "tri-03" in catalog()
    assert {one.bet.name for one in catalog().search("bonus trilux")} == {"TriLux Bonus"}
    assert catalog(mine).ids == ("ONE",)
    assert catalog()[:2].ids == catalog().ids[:2]


@cache
def a_sheet():
    return reports.par_sheet("PAIR-SQUARE-25-10", decks=2, date="2026-11-16")


def test_par_sheet_is_made_verified_and_saved(tmp_path):
    sheet = a_sheet()
    assert combinat.verify_sheet(sheet).agrees
    written = sheet.save(tmp_path / "sheet.json")
    assert combinat.verify_sheet(written).agrees
    assert json.loads(written.read_text())["house_edge"] == str(analyze("PAIR-SQUARE-25-10", 2).house_edge)
    assert sheet.text("md").startswith("# ")
    assert (tmp_path / "sheet.json").read_text() == sheet.text("json")
    changed = sheet.payload | {"house_edge": "1/2"}
    found = combinat.verify_sheet(changed)
    assert not found.agrees
    assert repr(found) == f"<{len(found.differences)} of {found.checked} figures differ>"


def test_blackjack_takes_rules_by_name():
    game = Blackjack(6, hits_soft_17=False, blackjack_pays="6:5")
    assert game.rules.blackjack_pays == Fraction(6, 5)
    assert str(game.hand("8h 8c", up=6).best) == "split"
    blackjack = Blackjack(decks=1, hits_soft_17=False).hand("A K", up=6)
    assert repr(blackjack) == "<A-10 against 6: stand, worth 1.50000000>"
    assert str(blackjack.best) == "stand"  # there is nothing else to do with it


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: analyze("TRI-3"), "did you mean 'TRI-03'?"),
        (lambda: analyze("TRI-03"), "designed for 2-8 decks; say which, as in decks=8"),
        (lambda: analyze("TRI-03", decks=[6, 8]), "one deck count at a time"),
        (lambda: analyze("TRI-03", decks="six"), "no deck count 'six'"),
        (lambda: analyze("TRI-03", decks=6.5), "no deck count '6.5'"),
        (lambda: analyze("TRI-03", decks=0), "no shoe has 0 decks"),
        (lambda: analyze("TRI-03", 6, shoe=Shoe(8)), "contradict each other"),
        (lambda: analyze("TRI-03", shoe=Shoe(6, "spanish")), "dealt from standard decks"),
        (lambda: analyze("TRI-03", shoe=6), "no shoe '6'; write decks=6"),
        (lambda: analyze("TRI-03", decks=True), "no deck count 'True'"),
        (lambda: analyze("TRI-03", 6, strategy="basic"), "its winnings cannot ride"),
        (lambda: analyze("HM-1", 2, strategy="basics"), "did you mean 'basic'?"),
        (lambda: analyze("TRI-03", 6, removed=7), "no cards '7'"),
        (lambda: analyze("TRI-03", 6, removed="7x"), "no card '7x'"),
        (lambda: analyze("TRI-03", 6, up="1"), "no rank '1'"),
        (lambda: analyze("TRI-03", 6, meters=5), "TRI-03 pays from no meter"),
        (lambda: analyze("TRI-03", 6, rules={"double": "any"}), "its winnings cannot ride"),
        (lambda: analyze("TRI-03", 6, hits_soft_17=True), "soft 17 does not matter"),
        (lambda: analyze("HM-1", 2, rules={"dubble": "any"}), "did you mean 'double'?"),
        (lambda: analyze("HM-1", 2, rules={"max_hands": "many"}), "no 'many'; write a whole number"),
        (lambda: analyze("HM-1", 2, rules={"surrender": "no"}), "no 'no'; write True or False"),
        (lambda: analyze("HM-1", 2, rules="h17"), "no rules of blackjack 'h17'"),
        (lambda: analyze("BB-1", 6, hits_soft_17="no"), "no 'no'; write True or False"),
        (lambda: analyze("TRI-03", 6, pays={"Flush": 5.1}), "write '5.1' or Decimal('5.1')"),
        (lambda: analyze("TRI-03", 6, pays=6), "no pays '6'"),
        (lambda: analyze("BLZ-1-UP", 6, meters=0.1), "write '0.1' or Decimal('0.1')"),
        (lambda: analyze("BLZ-1-UP", 6, meters=float("inf")), "no amount 'inf'"),
        (lambda: catalog(3), "no file '3'"),
        (lambda: catalog(shelf=5), "no shelf '5'"),
        (lambda: analyze("BLZ-1-UP", 6, meters={"metre": 1}), "did you mean 'meter'?"),
        (lambda: analyze("BLZ-1-UP", 6, meters={"meter": "much"}), "no amount 'much'"),
        (lambda: analyze("BLZ-1-UP", 6, meters={"meter": -1}), "cannot be negative"),
        (lambda: analyze("missing.toml"), "missing.toml"),
        (lambda: analyze(3), "give an id such as 'TRI-03'"),
        (lambda: odds("suited"), "say how many decks"),
        (lambda: odds("suted", decks=6), "did you mean 'suited'?"),
        (lambda: odds(7, decks=6), "no rule '7'"),
        (lambda: odds("suited", decks=2, shoe=Shoe(6)), "contradict each other"),
        (lambda: outcomes("TRI-3", 6), "did you mean 'TRI-03'?"),
        (lambda: combinat.house_edges("TRI-03", 6), "give a list of them"),
        (lambda: list(combinat.house_edges("TRI-03", [6])), "no shoe '6'"),
        (lambda: combinat.verify_sheet(7), "no par sheet '7'"),
        (lambda: Blackjack(2, shoe=Shoe(6)), "contradict each other"),
        (lambda: Blackjack(), "as in Blackjack(decks=6)"),
        (lambda: Blackjack(6, dubble="any"), "did you mean 'double'?"),
        (lambda: combinat.verify_sheet("missing.json"), "missing.json"),
        (lambda: a_sheet().save("x.doc"), "no sheet format 'doc'"),
        (lambda: a_sheet().text("pdf"), "is no text"),
    ],
)
def test_mistake_is_told_in_one_line_with_what_to_do(mistake, said):
    with pytest.raises(InputError) as caught:
        mistake()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_to_import_the_package_loads_nothing_heavy():
    code = "import sys; before = set(sys.modules); import combinat, reports; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in ast.literal_eval(done.stdout) if name.split(".")[0] not in sys.stdlib_module_names]
    assert loaded == ["combinat", "reports"]


def cpu_time(module):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_to_import_the_package_takes_less_than_to_import_typer():
    ours, typer = (min(cpu_time(module) for _ in range(3)) for module in ("combinat", "typer"))
    assert ours < 1.3 * typer


def test_module_runs_as_the_program():
    done = subprocess.run([sys.executable, "-m", "combinat", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"combinat {combinat.__version__}\n"


def test_numbers_of_numpy_are_taken_as_pythons_own():
    found = analyze("21+3-PT1", 6, meters=numpy.float64(1000)).house_edge
    assert found == analyze("21+3-PT1", 6, meters=1000).house_edge
    assert load("TRI-01", pays={"Flush": numpy.int64(8)}) == load("TRI-01", pays={"Flush": 8})
    with pytest.raises(InputError, match=r"the float 0\.1000000014.* is not exactly that"):
        load("TRI-01", pays={"Flush": numpy.float32(0.1)})


@pytest.mark.parametrize(
    ("meters", "said"),
    [
        (True, "no amount 'True'"),
        (Decimal("NaN"), "no amount 'NaN'"),
        (Decimal("Infinity"), "no amount 'Infinity'"),
        (1e23, "write '100000000000000000000000'"),
    ],
)
def test_what_is_no_amount_is_refused(meters, said):
    with pytest.raises(InputError, match=said):
        analyze("21+3-PT1", 6, meters=meters)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"max_wager": -1}, "the maximum wager: no amount '-1'"),
        ({"document": None}, "the document: no text 'None'"),
        ({"date": 0}, "cannot read the date '0'"),
        ({"history": None}, "the history: no list 'None'"),
        ({"history": "2, 2026-11-16: once"}, "write a list of lines"),
        ({"tests": 0}, "the tests: no file '0'"),
        ({"paper": None}, "the paper: no text 'None'"),
    ],
    ids=str,
)
def test_what_no_sheet_can_be_made_with_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        reports.par_sheet("PAIR-SQUARE-25-10", decks=2, **given)


def test_a_sheet_is_given_in_a_format_that_there_is(tmp_path):
    sheet = reports.par_sheet("PAIR-SQUARE-25-10", decks=2, revision=2)
    assert sheet.payload["identification"]["revision"] == "2"
    for asked, said in [
        (lambda: sheet.content("docx"), "no sheet format 'docx'"),
        (lambda: sheet.content("csv,json"), "a file has one format"),
        (lambda: sheet.text(None), "the format: no text 'None'"),
        (lambda: sheet.save(None), "no file 'None'"),
        (lambda: sheet.save(tmp_path / f"{'x' * 5000}.csv"), "cannot write"),
    ]:
        with pytest.raises(InputError, match=said):
            asked()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: analyze("TRI-03", 6)[1.5], "the award: no text '1.5'"),
        (lambda: analyze("TRI-03", 6).with_pays(None), "pays must be numbers in rows of 5"),
        (lambda: analyze("TRI-03", 6).with_pays([1, 2]), "pays must be numbers in rows of 5"),
        (lambda: combinat.odds("pair", "player:2", decks=1, given=0), "no condition '0'"),
        (lambda: combinat.judge("TRI-03", range(3)), "no card '0'"),
        (lambda: combinat.Blackjack(6).hand(None, up=6), "the hand: no text 'None'"),
    ],
)
def test_what_is_no_question_is_refused_in_one_line(asked, said):
    with pytest.raises(InputError, match=said):
        asked()
