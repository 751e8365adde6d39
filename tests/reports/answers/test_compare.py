"""`compare` shows the edges of `show`, exact differences from the first paytable, and plots, in every format."""

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
from combinat.results.comparison import Comparison, difference_or_ratio
from combinat.study import build_study
from decks import Shoe
from reports.answers.compare import comparison_document
from reports.render.charts import draw_chart

COMPARE_THREE = ["compare", "TRI-03", "TRI-04", "21+3-V3", "--decks", "6,8"]


@pytest.fixture(scope="module")
def document():
    return comparison_document(
        Comparison([build_study(get_paytable(id), Shoe(decks)) for id in ("TRI-03", "TRI-04") for decks in (2, 6)])
    )


def find_table(document, caption):
    return next(candidate for candidate in document.tables if candidate.caption.startswith(caption))


def test_grid_has_edges_and_differences_by_deck_count(document):
    first_row, second_row, differences = find_table(document, "House edge").rows
    edges = {id: [analyze(id, decks=decks).house_edge for decks in (2, 6)] for id in ("TRI-03", "TRI-04")}
    assert [cell.constant for cell in first_row[1:]] == edges["TRI-03"]
    assert [cell.constant for cell in second_row[1:]] == edges["TRI-04"]
    assert differences[0] == "TRI-04 less TRI-03"
    assert [cell.constant for cell in differences[1:]] == [
        other_edge - edge for edge, other_edge in zip(*edges.values(), strict=True)
    ]


def test_standard_deviations_are_multiples_of_the_first(document):
    first_row, second_row, ratios = find_table(document, "Standard deviation").rows
    assert ratios[0] == "TRI-04 ÷ TRI-03"
    assert [cell.square for cell in ratios[1:]] == [
        other_deviation.square / deviation.square
        for deviation, other_deviation in zip(first_row[1:], second_row[1:], strict=True)
    ]


def test_awards_are_side_by_side_once(document):
    rows = {row[0]: row[1:] for row in find_table(document, "Awards, with 6 decks").rows}
    assert rows["Straight flush: pays"] == ("35 to 1", "30 to 1")
    assert rows["Mini royal: pays"] == ("100 to 1", None)
    assert len([table for table in document.tables if table.caption.startswith("Awards")]) == 1


def test_better_paytable_is_named_for_every_deck_count(document):
    assert find_table(document, "Which is better").rows == (("TRI-03", "TRI-04", "yes", "yes", "yes", "2, 6"),)


def test_plots_show_edges_and_return_shares(document):
    edges, split = document.charts
    assert [series.name for series in edges.series] == ["TRI-03", "TRI-04"]
    assert edges.series[0].values[1] == analyze("TRI-03", decks=6).house_edge
    assert sum(series.values[0] or 0 for series in split.series) == analyze("TRI-03", decks=6).return_
    for chart in document.charts:
        drawn = ElementTree.fromstring(draw_chart(chart))
        words = " ".join(drawn.itertext())
        assert "4.41%" in words or "95.59%" in words


def test_missing_deck_count_leaves_an_empty_cell(run):
    code, out, err = run(*COMPARE_THREE)
    assert code == 0
    assert "21+3-V3 is designed for 6 decks, not 8" in err
    assert "* An empty cell: " in out
    assert "An empty place" not in run(*COMPARE_THREE, "--any-decks")[1]


def test_json_has_differences_and_better_paytable(run):
    studies = json.loads(run(*COMPARE_THREE, "-f", "json")[1])
    study_by_key = {(study["paytable"], study["decks"]): study for study in studies}
    first, other = study_by_key["TRI-03", 6], study_by_key["TRI-04", 6]
    difference = Fraction(other["house_edge"]) - Fraction(first["house_edge"])
    assert Fraction(other["against_first"]["house_edge"]) == difference
    assert first["against_first"]["house_edge"] == 0
    assert first["better_for_the_player_than"] == [
        {"paytable": "TRI-04", "on_every_hand": True, "by_edge": True, "to_first_order": True}
    ]
    assert len({tuple(study) for study in studies}) == 1


def test_csv_has_difference_rows(run):
    rows = list(csv.DictReader(io.StringIO(run(*COMPARE_THREE, "-f", "csv")[1])))
    (difference,) = [
        row
        for row in rows
        if (row["Paytable"], row["Decks"], row["Key"]) == ("TRI-04", "6", "house_edge") and "Difference" in row["Kind"]
    ]
    assert Fraction(difference["Value (exact)"]) == analyze("TRI-04", 6).house_edge - analyze("TRI-03", 6).house_edge
    assert any(row["Kind"] == "Better for the player than" for row in rows)


def test_html_and_workbook_have_plots(run, tmp_path):
    page = run(*COMPARE_THREE, "-f", "html")[1]
    assert page.count("<svg") == 2
    path = tmp_path / "compared.xlsx"
    assert run(*COMPARE_THREE, "-f", "xlsx", "-o", str(path))[:2] == (0, f"{path}\n")
    with zipfile.ZipFile(path) as archive:
        assert len([name for name in archive.namelist() if name.startswith("xl/charts/chart")]) == 2
        assert "TRI-04 less TRI-03" in archive.read("xl/sharedStrings.xml").decode()
    again = tmp_path / "again.xlsx"
    run(*COMPARE_THREE, "-f", "xlsx", "-o", str(again))
    assert again.read_bytes() == path.read_bytes()


def test_plot_writes_both_plots_into_one_file(run, tmp_path):
    path = tmp_path / "compared.svg"
    assert run(*COMPARE_THREE, "--plot", str(path))[0] == 0
    assert len(ElementTree.fromstring(path.read_bytes())) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--plot", "a.png"], "a file with the extension .svg, got 'a.png'"),
        (["-f", "pdf"], "'pdf' is not a format"),
        (["-o", "none/such/place"], "does not exist"),
        (["--pays", "Zebra=1"], "no award 'Zebra'"),
    ],
)
def test_invalid_options_are_refused_in_one_line(run, arguments, said):
    code, out, err = run("compare", "TRI-03", "TRI-04", "--decks", "6", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_different_bets_and_variants_are_compared(run):
    code, out, _ = run("compare", "TRI-03", "BAC-TIE", "BLZ-1-UP", "--decks", "6", "--pays", "Flush=4")
    assert code == 0
    assert "TRI-03+Flush-4" in out
    assert "Hold in the long run" in out
    assert ["TRI-03", "TRI-03+Flush-4", "yes", "yes", "yes", "6"] in [line.split() for line in out.splitlines()]


def test_different_bases_and_bounds_have_no_difference():
    assert difference_or_ratio(None, Fraction(1)) is None
    assert difference_or_ratio(Surd(Fraction(2)), Surd(Fraction(0))) is None


def test_repeated_paytable_is_compared_once(run):
    assert [
        study["decks"] for study in json.loads(run("compare", "TRI-03", "tri-03", "-d", "6,8", "-f", "json")[1])
    ] == [
        6,
        8,
    ]


def test_meters_of_different_bets_are_not_compared(run):
    command = ["compare", "21+3-PT1", "TBJ-06-2024", "-d", "6"]
    differences = json.loads(run(*command, "-f", "json")[1])[1]["against_first"]
    assert (differences["house_edge"], differences["hit_frequency"]) == (None, 0)
    differences_at_amount = json.loads(run(*command, "--meter", "5000", "-f", "json")[1])[1]["against_first"]
    assert differences_at_amount["house_edge"] is not None
