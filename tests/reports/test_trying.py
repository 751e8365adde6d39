"""Trying pays and meters on the command line, and beginning a file of one's own."""

import hashlib
import json
from pathlib import Path

import pytest

TABLE = ["show", "TRI-03", "--decks", "6"]

METERS = Path(__file__).parents[1] / "data" / "meters.toml"


def edge(run, *arguments):
    return json.loads(run(*arguments, "-f", "json")[1])[0]["house_edge"]


def test_show_tries_pays_and_says_so(run):
    code, out, err = run(*TABLE, "--pays", "Flush=6, Straight=9")
    assert (code, err) == (0, "")
    assert out.startswith("TRI-03+Flush-6+Straight-9: TriLux Bonus TRI-03, Flush 6 to 1, Straight 9 to 1\n")
    assert "* A variant of TRI-03: Flush 6 to 1 instead of 5 to 1, Straight 9 to 1 instead of 10 to 1." in out


def test_a_variant_has_the_figures_of_a_file_with_its_pays(run, tmp_path):
    path = tmp_path / "mine.toml"
    assert run("new", "--from", "TRI-03", "--output", str(path))[0] == 0
    path.write_text(path.read_text().replace('"5 to 1"', '"6:1"'))
    assert edge(run, "show", str(path), "--decks", "6") == edge(run, *TABLE, "--pays", "flush=6")


def test_compare_shows_a_paytable_beside_its_variants(run):
    _, out, _ = run("compare", "TRI-03", "--decks", "6", "--pays", "Flush=6", "--pays", "Flush=4")
    assert "TRI-03 " in out
    assert "TRI-03+Flush-6" in out
    assert "TRI-03+Flush-4" in out


def test_a_sheet_of_a_variant_has_its_name_and_the_fingerprint_of_the_file_that_new_writes(run, tmp_path):
    pays = ["--pays", "Flush=6"]
    code, out, _ = run("parsheet", "TRI-02", "TRI-03", *pays, "--decks", "2", "--format", "json", "-o", str(tmp_path))
    assert code == 0
    assert [line.rpartition("/")[2] for line in out.splitlines()] == [
        "TRI-02+Flush-6_2-decks.json",
        "TRI-03+Flush-6_2-decks.json",
    ]
    sheet = json.loads((tmp_path / "TRI-03+Flush-6_2-decks.json").read_text())
    written = run("new", "--from", "TRI-03", *pays)[1]
    assert sheet["identification"]["input_sha256"] == hashlib.sha256(written.encode()).hexdigest()
    assert all(check["result"] == "agrees" for check in sheet["checks"] if "second method" in check["check"])


def test_wagers_together_take_pays_too(run):
    told = json.loads(run("joint", "TRI-03=10", "SUP-01=5", "-d", "6", "--pays", "Flush=6", "-f", "json")[1])[0]
    assert [one["paytable"] for one in told["wagers"]] == ["TRI-03+Flush-6", "SUP-01"]
    assert told["wagers"][0]["house_edge"] == edge(run, *TABLE, "--pays", "Flush=6")


def test_meters_are_run_otherwise_where_they_matter(run, tmp_path):
    asked = [METERS, "--decks", "6", "--seed", "Mega=6", "--rate", "Mega=5%"]
    shown = json.loads(run("show", *asked, "-f", "json")[1])[0]
    assert shown["title"].endswith("seed Mega=6, rate Mega=5%")
    (meter,) = json.loads(run("meter", "show", *asked, "-f", "json")[1])
    assert shown["hold"] == meter["hold"]
    assert shown["hold"] != json.loads(run("show", METERS, "--decks", "6", "-f", "json")[1])[0]["hold"]
    assert run("parsheet", *asked, "--format", "csv", "-o", str(tmp_path))[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["METERS_6-decks_seed-Mega-6_rate-Mega-5.csv"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*TABLE, "--pays", "Strait=9"], "did you mean 'Straight'?"),
        ([*TABLE, "--seed", "5"], "TRI-03: no award pays from a meter"),
        (["show", "BLZ-1-UP", "--seed", "Mega=5"], "BLZ-1-UP has no meter 'Mega'"),
        (["show", "SUPER-4", "--rate", "5%"], "give --seed too"),
        (["formula", "TRI-03", "--pays", "Flush=6", "--pays", "Flush=7"], "try one at a time"),
        (["new", "--from", "TRI-33"], "no paytable 'TRI-33'; did you mean"),
        (["new", "--from", "TRI-03", "--deal", "baccarat"], "--deal is for a template"),
        (["new", "--pays", "Flush=6"], "name it with --from"),
        (["new", "--deal", "bacarat"], "cannot read the deal"),
        (["new", "--id", "two words"], "'two words' is no id"),
        (["new", "--from", "TRI-03", "--pays", "A=1", "--pays", "B=1"], "put all pays into one"),
    ],
)
def test_what_cannot_be_tried_is_one_line(run, arguments, said):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_new_writes_a_template_that_check_accepts(run, tmp_path):
    path = tmp_path / "mine.toml"
    assert run("new", "--deal", "dealer:h17", "--id", "BUSTS", "-o", str(path))[:2] == (0, f"{path}\n")
    assert run("check", str(path))[:2] == (0, "ok\n")
    assert run("new")[1].startswith("# A bet of one's own")


def test_new_replaces_no_file_unless_asked_and_nothing_else_ever(run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("precious")
    code, _, err = run("new", "-o", str(path))
    assert (code, path.read_text()) == (2, "precious")
    assert "is there already; write to another file, or give --overwrite" in err
    assert run("new", "-o", str(path), "--overwrite")[0] == 0
    assert path.read_text() != "precious"
    for elsewhere in (tmp_path, tmp_path / "none" / "mine.toml"):
        assert run("new", "-o", str(elsewhere), "--overwrite")[0] == 2
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / "nothing")
    assert run("new", "-o", str(link))[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.toml", "mine.toml"]
