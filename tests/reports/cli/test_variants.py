"""Pay and meter overrides on the command line, and the command `new`."""

import hashlib
import json
from pathlib import Path

import pytest

SHOW = ["show", "TRI-03", "--decks", "6"]

METERS = Path(__file__).parents[2] / "data" / "meters.toml"


def json_edge(run, *arguments):
    return json.loads(run(*arguments, "-f", "json")[1])[0]["house_edge"]


def test_show_marks_pay_overrides(run):
    code, out, err = run(*SHOW, "--pays", "Flush=6, Straight=9")
    assert (code, err) == (0, "")
    assert out.startswith("TRI-03+Flush-6+Straight-9: TriLux Bonus TRI-03, Flush 6 to 1, Straight 9 to 1\n")
    assert "* A variant of TRI-03: Flush 6 to 1 instead of 5 to 1, Straight 9 to 1 instead of 10 to 1." in out


def test_variant_equals_a_changed_file(run, tmp_path):
    path = tmp_path / "mine.toml"
    assert run("new", "--from", "TRI-03", "--output", str(path))[0] == 0
    path.write_text(path.read_text().replace('"5 to 1"', '"6:1"'))
    assert json_edge(run, "show", str(path), "--decks", "6") == json_edge(run, *SHOW, "--pays", "flush=6")


def test_compare_includes_variants(run):
    _, out, _ = run("compare", "TRI-03", "--decks", "6", "--pays", "Flush=6", "--pays", "Flush=4")
    assert "TRI-03 " in out
    assert "TRI-03+Flush-6" in out
    assert "TRI-03+Flush-4" in out


def test_variant_sheet_has_its_name_and_file_fingerprint(run, tmp_path):
    pays = ["--pays", "Flush=6"]
    code, out, _ = run("parsheet", "TRI-02", "TRI-03", *pays, "--decks", "2", "--format", "json", "-o", str(tmp_path))
    assert code == 0
    assert [line.rpartition("/")[2] for line in out.splitlines()] == [
        "TRI-02+Flush-6-2D.json",
        "TRI-03+Flush-6-2D.json",
    ]
    sheet = json.loads((tmp_path / "TRI-03+Flush-6-2D.json").read_text())
    written = run("new", "--from", "TRI-03", *pays)[1]
    assert sheet["identification"]["input_sha256"] == hashlib.sha256(written.encode()).hexdigest()
    assert all(check["result"] == "agrees" for check in sheet["checks"] if "The verifier" in check["check"])


def test_joint_takes_pay_overrides(run):
    result = json.loads(run("joint", "TRI-03=10", "SUP-01=5", "-d", "6", "--pays", "Flush=6", "-f", "json")[1])[0]
    assert [wager["paytable"] for wager in result["wagers"]] == ["TRI-03+Flush-6", "SUP-01"]
    assert result["wagers"][0]["house_edge"] == json_edge(run, *SHOW, "--pays", "Flush=6")


def test_meter_overrides_apply_where_they_matter(run, tmp_path):
    arguments = [METERS, "--decks", "6", "--seed", "Mega=6", "--rate", "Mega=5%"]
    result = json.loads(run("show", *arguments, "-f", "json")[1])[0]
    assert result["title"].endswith("seed Mega=6, rate Mega=5%")
    (meter,) = json.loads(run("meter", "show", *arguments, "-f", "json")[1])
    assert result["hold"] == meter["hold"]
    assert result["hold"] != json.loads(run("show", METERS, "--decks", "6", "-f", "json")[1])[0]["hold"]
    assert run("parsheet", *arguments, "--format", "csv", "-o", str(tmp_path))[0] == 0
    expected = {"METERS-6D-seed-Mega-6-rate-Mega-5.csv", "checker.html"}
    assert {path.name for path in tmp_path.iterdir()} == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*SHOW, "--pays", "Strait=9"], "did you mean 'Straight'?"),
        ([*SHOW, "--seed", "5"], "TRI-03: no award pays from a meter"),
        (["show", "BLZ-1-UP", "--seed", "Mega=5"], "BLZ-1-UP has no meter 'Mega'"),
        (["show", "SUPER-4", "--rate", "5%"], "give --seed too"),
        (["formula", "TRI-03", "--pays", "Flush=6", "--pays", "Flush=7"], "several pays"),
        (["new", "--from", "TRI-33"], "unknown paytable 'TRI-33'; did you mean"),
        (["new", "--from", "TRI-03", "--deal", "baccarat"], "--deal is only for a template"),
        (["new", "--pays", "Flush=6"], "--from TRI-03"),
        (["new", "--deal", "bacarat"], "cannot read the deal"),
        (["new", "--id", "two words"], "got 'two words'"),
        (["new", "--from", "TRI-03", "--pays", "A=1", "--pays", "B=1"], "--pays can be given only once"),
    ],
)
def test_invalid_overrides_are_one_line(run, arguments, said):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_new_writes_a_template_that_check_accepts(run, tmp_path):
    path = tmp_path / "mine.toml"
    assert run("new", "--deal", "dealer:h17", "--id", "BUSTS", "-o", str(path))[:2] == (0, f"{path}\n")
    code, out, _ = run("check", str(path))
    assert (code, out.splitlines()[-1]) == (0, "ok")
    assert run("new")[1].startswith("# A new bet")


def test_new_replaces_only_regular_files_on_request(run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("precious")
    code, _, err = run("new", "-o", str(path))
    assert (code, path.read_text()) == (2, "precious")
    assert f"{path} exists" in err
    assert "--overwrite" in err
    assert run("new", "-o", str(path), "--overwrite")[0] == 0
    assert path.read_text() != "precious"
    for target in (tmp_path, tmp_path / "none" / "mine.toml"):
        assert run("new", "-o", str(target), "--overwrite")[0] == 2
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / "nothing")
    assert run("new", "-o", str(link))[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.toml", "mine.toml"]
