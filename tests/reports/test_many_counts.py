"""Counts of many bets: each as it is by itself, those of which there is none named, and none lost."""

import csv
import io
import json
import os
import signal
from contextlib import contextmanager

import pytest

from reports.answers import count as counting

SHARED = ("--depths", "40,90", "--tags", "2=1 Q=-1", "--any-decks", "--decks", "2")
TWO = ("count", "TRI-02", "TRI-04", *SHARED)


def told(run, *arguments):
    code, out, err = run(*arguments, "-f", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_each_of_many_is_told_as_by_itself(run, jobs):
    sampled = ("--bound", "--samples", "6", "--chunk", "5", "--seed", "3")
    many = told(run, *TWO, *sampled, "-j", jobs)
    assert many == [told(run, "count", id, *SHARED, *sampled, "-j", "1")[0] for id in ("TRI-02", "TRI-04")]
    assert [one["perfect_play"]["chunk"] for one in many] == [5, 5]


def test_page_of_many_has_a_line_for_each(run):
    code, out, _ = run(*TWO, "-j", "1", "--bound", "--samples", "4", "-f", "markdown")
    assert code == 0
    lines = [[cell.strip() for cell in line.split("|")[1:3]] for line in out.splitlines() if line.startswith("| TRI")]
    assert lines == [["TRI-02", "2"], ["TRI-04", "2"]]
    assert "Won by perfect play" in out


@pytest.mark.usefixtures("forked")
def test_csv_has_of_each_what_json_has_and_of_one_what_it_has_of_many(run):
    sampled = ("--bound", "--samples", "50", "--wager", "25")
    payloads = told(run, *TWO, *sampled, "-j", "1")
    rows = list(csv.DictReader(io.StringIO(run(*TWO, *sampled, "-j", "2", "-f", "csv")[1])))
    for id, payload in zip(("TRI-02", "TRI-04"), payloads, strict=True):
        alone = run("count", id, *SHARED, *sampled, "-j", "1", "-f", "csv")[1]
        own = [row for row in rows if row["Paytable"] == id]
        assert own == list(csv.DictReader(io.StringIO(alone)))
        worths = {
            "Every round": [payload["always"]],
            "Trigger": payload["triggers"],
            "Best trigger": [payload["best"]] if payload["best"] else [],
            "Depth": payload["by_depth"],
            "Cut card": [one["best"] or {} for one in payload["by_cut"]],
        }
        columns = {"Bets": "frequency", "Average edge": "edge", "Won per shoe": "won_per_shoe"}
        columns |= {"Standard deviation": "standard_deviation", "Desirability": "desirability"}
        for kind, expected in worths.items():
            said = [row for row in own if row["Kind"] == kind]
            assert len(said) == len(expected), kind
            for row, one in zip(said, expected, strict=True):
                assert row["Trigger"] == str("" if one.get("trigger") is None else one["trigger"])
                for title, key in columns.items():
                    assert row[f"{title} (exact)"] == str("" if one.get(key) is None else one[key]), (kind, title)
        figures = {row["Name"]: row["Value (exact)"] for row in own if row["Kind"] == "Figure"}
        assert figures["House edge off the top"] == payload["house_edge"]
        assert figures["Betting correlation"] == payload["betting_correlation"]
        assert figures["Shoes sampled"] == "50"
        bound = payload["perfect_play"]["won_per_100_rounds"]
        assert figures["Won per 100 rounds by perfect play, sampled"] == str(bound)


@pytest.mark.usefixtures("forked")
def test_other_pays_are_counted_as_a_file_that_has_them(run, tmp_path):
    path = str(tmp_path / "mine.toml")
    assert run("new", "--from", "TRI-02", "--pays", "Straight=7", "--output", path)[0] == 0
    (mine,) = told(run, "count", path, *SHARED, "-j", "1")
    variants = told(run, "count", "TRI-02", "--pays", "Straight=7", "--pays", "Straight=6", *SHARED, "-j", "2")
    assert [one["paytable"] for one in variants] == ["TRI-02+Straight-7", "TRI-02+Straight-6"]
    assert {**variants[0], "paytable": "", "bet": ""} == {**mine, "paytable": "", "bet": ""}
    assert variants[0] != variants[1]


def test_bet_without_a_count_is_named_and_the_others_are_told(run):
    code, out, err = run("count", "BLZ-1-UP", "TRI-04", *SHARED, "-j", "1", "-f", "json")
    assert code == 0
    assert [one["paytable"] for one in json.loads(out)] == ["TRI-04"]
    assert err.count("\n") == 1
    assert err.startswith("combinat: BLZ-1-UP with 2 decks: ")


def test_if_there_is_no_count_at_all_that_is_an_error(run):
    code, out, err = run("count", "TRI-02", "TRI-04", "--tags", "2=x", "--decks", "2", "--any-decks", "-j", "1")
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no paytable is named"),
        (("--all", "--shelf", "main"), "--all is every shelf"),
        (("--shelf", "min"), "did you mean 'main'"),
        (("TRI-02", "--until", "0.1"), "write a percentage, as in 0.1%"),
        (("TRI-02", "--until", "0%"), "no part of what is won"),
        (("TRI-02", "--chunk", "0"), "no chunks of 0 shoes"),
        (("TRI-02", "--jobs", "-2"), "cannot work with -2 processes"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(run, arguments, message):
    code, out, err = run("count", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_shelf_stands_for_all_its_paytables(run, monkeypatch):
    seen = []
    monkeypatch.setattr(
        counting.Counting,
        "__call__",
        lambda _, bet: seen.append(bet.name) or counting.CountReport(bet.name, refusal="no"),
    )
    assert run("count", "--shelf", "baccarat", "-d", "8", "-j", "1")[0] == 2
    assert len(seen) > 5
    assert all(name.endswith("with 8 decks") for name in seen)


@pytest.mark.usefixtures("forked")
def test_bet_that_kills_its_worker_is_named_and_the_others_are_told(run, monkeypatch):
    work_out = counting.Counting.__call__

    def deadly(self, bet):
        if bet.name.startswith("TRI-02"):
            os.kill(os.getpid(), signal.SIGKILL)
        return work_out(self, bet)

    monkeypatch.setattr(counting.Counting, "__call__", deadly)
    code, out, err = run(*TWO, "-j", "2", "-f", "json")
    assert code == 1
    assert [one["paytable"] for one in json.loads(out)] == ["TRI-04"]
    assert err == "combinat: TRI-02 with 2 decks: the process ended: killed by SIGKILL, twice\n"


def test_the_same_command_goes_on_where_it_was_stopped(run, tmp_path, monkeypatch):
    fresh = told(run, *TWO, "-j", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("COMBINAT_NO_CACHE")
    work_out, done = counting.Counting.__call__, []

    def interrupted(self, bet):
        if done:
            raise KeyboardInterrupt
        done.append(bet.name)
        return work_out(self, bet)

    monkeypatch.setattr(counting.Counting, "__call__", interrupted)
    assert run(*TWO, "-j", "1")[0] == 130
    monkeypatch.setattr(counting.Counting, "__call__", lambda self, bet: done.append(bet.name) or work_out(self, bet))
    assert told(run, *TWO, "-j", "1") == fresh
    assert done == ["TRI-02 with 2 decks", "TRI-04 with 2 decks"]


def test_progress_of_one_count_is_not_labeled_as_sampled_shoes(run, monkeypatch):
    labels = []

    @contextmanager
    def record(label):
        labels.append(label)
        yield None

    monkeypatch.setattr("reports.cli.count.progress_if_slow", record)
    told(run, "count", "TRI-02", *SHARED, "-j", "1")
    assert labels[-1] == "steps"
