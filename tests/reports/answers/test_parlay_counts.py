"""`count` of parlay bets: the basis of each figure, the table rules, and refused options."""

import csv
import io
import json
from fractions import Fraction

import pytest

from combinat.bets.catalog import get_paytable
from combinat.study import build_study
from combinat.verifier import verify
from reports.sheet.par_sheet import build_par_sheet
from tests.parlay import PARLAY_BET, SMALL_SHOES, TWO_HANDS, small_shoe
from tests.small_bets import build_shoe, parse_paytable


@pytest.fixture
def count_command(tmp_path):
    return build_command(tmp_path, "doubled")


def build_command(folder, name):
    """Write the bet into a file and return a `count` command for a small shoe."""
    path = folder / "made.toml"
    path.write_text(PARLAY_BET.replace("OPTION", "parlay"), encoding="utf-8")
    cards, rules, _ = SMALL_SHOES[name]
    removed = " ".join(map(str, build_shoe(cards)[0].removed))
    table = ("--decks", "1", "--removed", removed, "--hands", rules.max_hands)
    return ("count", path, *table, "--tags", "K=-1 10=1", "--depths", "0,1")


def run_json(run, *arguments):
    code, out, err = run(*arguments, "-f", "json")
    assert (code, err) == (0, "")
    (result,) = json.loads(out)
    return result


def build_parlay_study(rules=SMALL_SHOES["doubled"][1]):
    return build_study(
        parse_paytable(PARLAY_BET.replace("OPTION", "parlay")), build_shoe(SMALL_SHOES["doubled"][0])[0], rules=rules
    )


def test_default_basis_is_the_fixed_strategy(run, count_command):
    study = build_parlay_study()
    best_play, alone = run_json(run, *count_command), run_json(run, *count_command, "--wager-alone")
    assert (best_play["basis"], alone["basis"]) == ("best play off the top", "wager alone")
    assert Fraction(best_play["house_edge"]) == study.house_edge.constant == -Fraction(best_play["always"]["edge"])
    assert Fraction(best_play["house_edge_without_option"]) == study.analysis.house_edge.constant
    assert Fraction(alone["house_edge"]) == study.analysis.house_edge.constant == -Fraction(alone["always"]["edge"])
    assert "house_edge_without_option" not in alone


def test_standard_deviation_has_bounds_with_splits(run, count_command, tmp_path):
    always = run_json(run, *count_command)["always"]
    assert always["standard_deviation"] == f"sqrt({build_parlay_study().option.results.distribution.variance.constant})"
    assert "standard_deviation_bounds" not in always
    split = build_command(tmp_path, "split")
    always = run_json(run, *split)["always"]
    low, high = (Fraction(bound[5:-1]) for bound in always["standard_deviation_bounds"])
    assert always["standard_deviation"] is None
    assert 0 < low < high
    assert len(always["desirability_bounds"]) == 2
    _, page, _ = run(*split)
    for text in (
        "best play off the top",
        "House edge, wager alone",
        "desirability are given as exact bounds",
        "which is played for its own best value",
        "the dealer peeks",
    ):
        assert text in page


def test_table_rules_change_the_result(run, count_command):
    default, worse = run_json(run, *count_command), run_json(run, *count_command, "--blackjack", "1:1")
    assert Fraction(worse["house_edge"]) > Fraction(default["house_edge"])
    code, _, err = run("count", "TRI-03", "--decks", "6", "--blackjack", "1:1", "--depths", "9")
    assert (code, "TRI-03" in err) == (2, True)


@pytest.mark.parametrize("option", ["--bound", "--suits"])
def test_figures_of_the_wager_alone_are_refused(run, count_command, option):
    count_command = [argument for argument in count_command if argument not in ("--tags", "K=-1 10=1")]
    code, out, err = run(*count_command, option)
    assert (code, out) == (2, "")
    assert err.startswith(f"combinat: MADE: {option} ")
    assert "--wager-alone" in err


def test_exposed_cards_and_suit_tags_are_refused(run, count_command):
    code, _, err = run(*count_command, "--view", "player")
    assert (code, "MADE: --view" in err) == (2, True)
    by_suit = ["clubs=1" if argument == "K=-1 10=1" else argument for argument in count_command]
    code, _, err = run(*by_suit)
    assert (code, "give tags by rank" in err) == (2, True)


def test_page_of_several_names_each_basis(run, count_command):
    code, out, _ = run(*count_command, "TRI-03", "--any-decks", "-j", "1", "-f", "markdown")
    assert code == 0
    rows = [line.split("|") for line in out.splitlines() if line.startswith(("| MADE", "| TRI-03"))]
    assert [row[3].strip() for row in rows] == ["best play off the top", "wager alone"]


def test_csv_names_the_basis_of_each_figure(run, count_command):
    rows = list(csv.DictReader(io.StringIO(run(*count_command, "-j", "1", "-f", "csv")[1])))
    names = {row["Name"] for row in rows if row["Basis"] == "wager alone"}
    assert {row["Basis"] for row in rows} == {"best play off the top", "wager alone"}
    assert names == {"House edge, wager alone"}
    bounds = [row["Standard deviation (exact)"] for row in rows if row["Kind"] == "Trigger" and row["Average edge"]]
    assert all(bound.startswith("sqrt(") for bound in bounds)


@pytest.mark.slow
def test_sheet_section_uses_the_headline_basis():
    sheet = build_par_sheet(
        build_study(get_paytable("HM-2"), small_shoe(), rules=TWO_HANDS), rounds_per_hour=Fraction(60)
    )
    payload = json.loads(json.dumps(sheet.payload))
    counting = payload["card_counting"]
    assert counting["basis"] == "best play off the top"
    assert counting["removal"]["house_edge"] == payload["house_edge"]
    assert counting["removal"]["mean_change"] == 0
    assert len(counting["counts"]) == 2
    section = next(section for section in sheet.document.sections if section.key == "card_counting")
    assert section.text[0].startswith("How the edge of best play off the top moves")
    assert any("who counts decides only whether to bet" in note for note in section.notes)
    assert "shoe with removed cards" in verify(payload).not_counted
