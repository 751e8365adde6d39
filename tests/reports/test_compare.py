"""Paytables side by side: the grid is what `show` says, differences are exact, and every format carries them."""

import csv
import io
import json
import zipfile
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from combinat import analyze
from combinat.bets.catalog import get_paytable
from combinat.exact.surd import Surd
from combinat.study import build_study
from decks import Shoe
from reports.answers.compare import comparison_document, difference_or_ratio
from reports.render.charts import draw_chart

THREE = ["compare", "TRI-03", "TRI-04", "21+3-V3", "--decks", "6,8"]


@pytest.fixture(scope="module")
def document():
    return comparison_document(
        [build_study(get_paytable(id), Shoe(decks)) for id in ("TRI-03", "TRI-04") for decks in (2, 6)]
    )


def table(document, caption):
    return next(one for one in document.tables if one.caption.startswith(caption))


def test_the_grid_has_an_edge_for_each_number_of_decks_and_the_difference_from_the_first(document):
    one, two, apart = table(document, "House edge").rows
    edges = {id: [analyze(id, decks=decks).house_edge for decks in (2, 6)] for id in ("TRI-03", "TRI-04")}
    assert [cell.constant for cell in one[1:]] == edges["TRI-03"]
    assert [cell.constant for cell in two[1:]] == edges["TRI-04"]
    assert apart[0] == "TRI-04 less TRI-03"
    assert [cell.constant for cell in apart[1:]] == [b - a for a, b in zip(*edges.values(), strict=True)]


def test_deviations_are_held_against_the_first_as_multiples(document):
    one, two, apart = table(document, "Standard deviation").rows
    assert apart[0] == "TRI-04 ÷ TRI-03"
    assert [cell.square for cell in apart[1:]] == [b.square / a.square for a, b in zip(one[1:], two[1:], strict=True)]


def test_awards_stand_side_by_side_once(document):
    rows = {row[0]: row[1:] for row in table(document, "Awards, with 6 decks").rows}
    assert rows["Straight flush: pays"] == ("35 to 1", "30 to 1")
    assert rows["Mini royal: pays"] == ("100 to 1", None)
    assert len([one for one in document.tables if one.caption.startswith("Awards")]) == 1


def test_which_is_better_is_said_of_every_number_of_decks(document):
    assert table(document, "Which is better").rows == (("TRI-03", "TRI-04", "yes", "yes", "yes", "2, 6"),)


def test_pictures_show_the_edges_and_of_what_returns_are_made(document):
    edges, split = document.charts
    assert [one.name for one in edges.series] == ["TRI-03", "TRI-04"]
    assert edges.series[0].values[1] == analyze("TRI-03", decks=6).house_edge
    assert sum(one.values[0] or 0 for one in split.series) == analyze("TRI-03", decks=6).return_
    for chart in document.charts:
        drawn = ElementTree.fromstring(draw_chart(chart))
        words = " ".join(drawn.itertext())
        assert "4.41%" in words or "95.59%" in words


def test_a_paytable_that_is_not_offered_leaves_a_place_empty_and_says_so(run):
    code, out, err = run(*THREE)
    assert code == 0
    assert "21+3-V3 is designed for 6 decks, not 8" in err
    assert "* An empty place: the paytable is not designed for that number of decks" in out
    assert "An empty place" not in run(*THREE, "--any-decks")[1]


def test_json_has_differences_and_what_is_better_for_each_study(run):
    studies = json.loads(run(*THREE, "-f", "json")[1])
    by = {(one["paytable"], one["decks"]): one for one in studies}
    first, other = by["TRI-03", 6], by["TRI-04", 6]
    apart = Fraction(other["house_edge"]) - Fraction(first["house_edge"])
    assert Fraction(other["against_first"]["house_edge"]) == apart
    assert first["against_first"]["house_edge"] == 0
    assert first["better_for_the_player_than"] == [
        {"paytable": "TRI-04", "on_every_hand": True, "by_edge": True, "to_first_order": True}
    ]
    assert len({tuple(one) for one in studies}) == 1


def test_csv_has_differences_as_lines_of_their_own(run):
    rows = list(csv.DictReader(io.StringIO(run(*THREE, "-f", "csv")[1])))
    (apart,) = [
        row
        for row in rows
        if (row["Paytable"], row["Decks"], row["Key"]) == ("TRI-04", "6", "house_edge") and "Difference" in row["Kind"]
    ]
    assert Fraction(apart["Value (exact)"]) == analyze("TRI-04", 6).house_edge - analyze("TRI-03", 6).house_edge
    assert any(row["Kind"] == "Better for the player than" for row in rows)


def test_html_has_the_pictures_and_the_workbook_native_ones(run, tmp_path):
    page = run(*THREE, "-f", "html")[1]
    assert page.count("<svg") == 2
    path = tmp_path / "compared.xlsx"
    assert run(*THREE, "-f", "xlsx", "-o", str(path))[:2] == (0, f"{path}\n")
    with zipfile.ZipFile(path) as archive:
        assert len([name for name in archive.namelist() if name.startswith("xl/charts/chart")]) == 2
        assert "TRI-04 less TRI-03" in archive.read("xl/sharedStrings.xml").decode()
    again = tmp_path / "again.xlsx"
    run(*THREE, "-f", "xlsx", "-o", str(again))
    assert again.read_bytes() == path.read_bytes()


def test_plot_draws_both_pictures_into_one_file(run, tmp_path):
    path = tmp_path / "compared.svg"
    assert run(*THREE, "--plot", str(path))[0] == 0
    assert len(ElementTree.fromstring(path.read_bytes())) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--plot", "a.png"], "name a file that ends in .svg"),
        (["-f", "pdf"], "no format 'pdf'"),
        (["-o", "none/such/place"], "there is no such folder"),
        (["--pays", "Zebra=1"], "no award 'Zebra'"),
    ],
)
def test_what_cannot_be_compared_is_one_line(run, arguments, said):
    code, out, err = run("compare", "TRI-03", "TRI-04", "--decks", "6", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_bets_of_different_kinds_and_variants_stand_side_by_side(run):
    code, out, _ = run("compare", "TRI-03", "BAC-TIE", "BLZ-1-UP", "--decks", "6", "--pays", "Flush=4")
    assert code == 0
    assert "TRI-03+Flush-4" in out
    assert "Hold in the long run" in out
    assert ["TRI-03", "TRI-03+Flush-4", "yes", "yes", "yes", "6"] in [line.split() for line in out.splitlines()]


def test_figures_on_different_bases_or_between_bounds_have_no_difference():
    assert difference_or_ratio(None, Fraction(1)) is None
    assert difference_or_ratio(Surd(Fraction(2)), Surd(Fraction(0))) is None


def test_a_paytable_that_is_named_twice_is_compared_once(run):
    assert [one["decks"] for one in json.loads(run("compare", "TRI-03", "tri-03", "-d", "6,8", "-f", "json")[1])] == [
        6,
        8,
    ]


def test_meters_of_different_bets_are_not_held_against_one_another(run):
    asked = ["compare", "21+3-PT1", "TBJ-06-2024", "-d", "6"]
    apart = json.loads(run(*asked, "-f", "json")[1])[1]["against_first"]
    assert (apart["house_edge"], apart["hit_frequency"]) == (None, 0)
    given = json.loads(run(*asked, "--meter", "5000", "-f", "json")[1])[1]["against_first"]
    assert given["house_edge"] is not None
