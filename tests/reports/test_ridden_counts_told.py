"""Counts of bets whose winnings ride, as they are told: on which basis, at which table, and what is refused."""

import csv
import io
import json
from fractions import Fraction

import pytest

from combinat.bets.catalog import get_paytable
from combinat.study import build_study
from combinat.verifier import verify
from combinat.verifier.reading import UnreadableError
from reports.sheet.par_sheet import build_par_sheet
from tests.made_bets import bet_of, shoe_of
from tests.riding import MADE, QUICK, SMALL, small_shoe


@pytest.fixture
def asked(tmp_path):
    return asking(tmp_path, "doubled")


def asking(folder, name):
    """Write the bet into a file and say what is asked about it at a small shoe."""
    path = folder / "made.toml"
    path.write_text(MADE.replace("OPTION", "parlay"), encoding="utf-8")
    cards, rules, _ = SMALL[name]
    gone = " ".join(map(str, shoe_of(cards)[0].removed))
    table = ("--decks", "1", "--removed", gone, "--hands", rules.max_hands)
    return ("count", path, *table, "--tags", "K=-1 10=1", "--depths", "0,1")


def told(run, *arguments):
    code, out, err = run(*arguments, "-f", "json")
    assert (code, err) == (0, "")
    (found,) = json.loads(out)
    return found


def study_of(rules=SMALL["doubled"][1]):
    return build_study(bet_of(MADE.replace("OPTION", "parlay")), shoe_of(SMALL["doubled"][0])[0], rules=rules)


def test_the_basis_is_best_play_off_the_top_and_the_wager_alone_on_request(run, asked):
    one = study_of()
    best, alone = told(run, *asked), told(run, *asked, "--wager-alone")
    assert (best["basis"], alone["basis"]) == ("best play off the top", "wager alone")
    assert Fraction(best["house_edge"]) == one.house_edge.constant == -Fraction(best["always"]["edge"])
    assert Fraction(best["house_edge_without_option"]) == one.analysis.house_edge.constant
    assert Fraction(alone["house_edge"]) == one.analysis.house_edge.constant == -Fraction(alone["always"]["edge"])
    assert "house_edge_without_option" not in alone


def test_how_far_results_spread_is_told_between_bounds_where_hands_are_split(run, asked, tmp_path):
    always = told(run, *asked)["always"]
    assert always["standard_deviation"] == f"sqrt({study_of().option.results.distribution.variance.constant})"
    assert "standard_deviation_bounds" not in always
    split = asking(tmp_path, "split")
    always = told(run, *split)["always"]
    low, high = (Fraction(bound[5:-1]) for bound in always["standard_deviation_bounds"])
    assert always["standard_deviation"] is None
    assert 0 < low < high
    assert len(always["desirability_bounds"]) == 2
    _, page, _ = run(*split)
    for words in (
        "best play off the top",
        "House edge, no parlay",
        "desirability are intervals whose ends are exact bounds",
        "which is played for its own best value",
        "the dealer peeks",
    ):
        assert words in page


def test_the_rules_of_the_table_matter(run, asked):
    usual, worse = told(run, *asked), told(run, *asked, "--blackjack", "1:1")
    assert Fraction(worse["house_edge"]) > Fraction(usual["house_edge"])
    code, _, err = run("count", "TRI-03", "--decks", "6", "--blackjack", "1:1", "--depths", "9")
    assert (code, "rules of blackjack do not matter" in err) == (2, True)


@pytest.mark.parametrize(("option", "words"), [("--bound", "--bound is of"), ("--suits", "--suits counts")])
def test_what_is_only_known_of_the_wager_alone_is_refused(run, asked, option, words):
    asked = [one for one in asked if one not in ("--tags", "K=-1 10=1")]
    code, out, err = run(*asked, option)
    assert (code, out) == (2, "")
    assert err.strip() == f"combinat: MADE: {words} the wager alone; give --wager-alone too"


def test_cards_in_view_and_tags_by_suit_are_refused(run, asked):
    code, _, err = run(*asked, "--view", "player")
    assert (code, "--view goes with the wager alone" in err) == (2, True)
    by_suit = ["clubs=1" if one == "K=-1 10=1" else one for one in asked]
    code, _, err = run(*by_suit)
    assert (code, "goes by ranks; give tags by rank, or count the wager alone" in err) == (2, True)


def test_a_page_of_many_names_the_basis_of_each(run, asked):
    code, out, _ = run(*asked, "TRI-03", "--any-decks", "-j", "1", "-f", "markdown")
    assert code == 0
    rows = [line.split("|") for line in out.splitlines() if line.startswith(("| MADE", "| TRI-03"))]
    assert [row[3].strip() for row in rows] == ["best play off the top", "wager alone"]


def test_lines_for_spreadsheets_name_the_basis_of_each_figure(run, asked):
    rows = list(csv.DictReader(io.StringIO(run(*asked, "-j", "1", "-f", "csv")[1])))
    others = {row["Name"] for row in rows if row["Basis"] == "wager alone"}
    assert {row["Basis"] for row in rows} == {"best play off the top", "wager alone"}
    assert len(others) == 1
    assert next(iter(others)).startswith("House edge, no ")
    bounds = [row["Standard deviation (exact)"] for row in rows if row["Kind"] == "Trigger" and row["Average edge"]]
    assert all(one.startswith("sqrt(") for one in bounds)


@pytest.mark.slow
def test_the_section_of_a_sheet_stands_on_the_basis_of_its_headline():
    sheet = build_par_sheet(build_study(get_paytable("HM-2"), small_shoe(), rules=QUICK), rounds_per_hour=Fraction(60))
    payload = json.loads(json.dumps(sheet.payload))
    part = payload["watching"]
    assert part["basis"] == "best play off the top"
    assert part["removal"]["house_edge"] == payload["house_edge"]
    assert part["removal"]["mean_change"] == 0
    assert len(part["counts"]) == 2
    section = next(one for one in sheet.document.sections if one.key == "watching")
    assert section.text[0].startswith("How the edge of best play off the top moves")
    assert any("who counts decides only whether to bet" in note for note in section.notes)
    verdict = verify(payload)
    assert verdict.differences == []
    left_out = {row["what"]: row["why"] for row in verdict.coverage["not_checked"]}
    assert "not played again" in left_out["watching.removal.effects[].house_edge of a bet whose winnings ride"]
    part["removal"]["effects"][0]["house_edge"] = "1/7"
    assert any("mean_change" in one for one in verify(payload).differences)
    part["removal"]["effects"][0]["house_edge"] = "much"
    with pytest.raises(UnreadableError, match="'house_edge' is no number: 'much'"):
        verify(payload)
