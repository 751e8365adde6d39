"""`count` of several bets gives the results of each bet alone, and names bets without a count."""

import csv
import io
import json
import os
import signal
from contextlib import contextmanager

import pytest

from combinat.requests import count as counting
from tests.slow_cases import slow_case

SHARED = ("--depths", "40,90", "--tags", "2=1 Q=-1", "--any-decks", "--decks", "2")
COUNT_TWO = ("count", "TRI-02", "TRI-04", *SHARED)


def count_json(run, *arguments):
    code, out, err = run(*arguments, "-f", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("jobs", ["1", slow_case("2")])
def test_bet_among_several_equals_the_bet_alone(run, jobs):
    sampled = ("--bound", "--samples", "6", "--chunk", "5", "--seed", "3")
    results = count_json(run, *COUNT_TWO, *sampled, "-j", jobs)
    assert results == [count_json(run, "count", id, *SHARED, *sampled, "-j", "1")[0] for id in ("TRI-02", "TRI-04")]
    assert [result["perfect_play"]["chunk"] for result in results] == [5, 5]


def test_page_of_several_has_a_row_for_each(run):
    code, out, _ = run(*COUNT_TWO, "-j", "1", "--bound", "--samples", "4", "-f", "markdown")
    assert code == 0
    lines = [[cell.strip() for cell in line.split("|")[1:3]] for line in out.splitlines() if line.startswith("| TRI")]
    assert lines == [["TRI-02", "2"], ["TRI-04", "2"]]
    assert "Won by perfect play" in out


@pytest.mark.usefixtures("forked")
def test_csv_of_several_equals_json_and_single_csv(run):
    sampled = ("--bound", "--samples", "50", "--wager", "25")
    payloads = count_json(run, *COUNT_TWO, *sampled, "-j", "1")
    rows = list(csv.DictReader(io.StringIO(run(*COUNT_TWO, *sampled, "-j", "2", "-f", "csv")[1])))
    for id, payload in zip(("TRI-02", "TRI-04"), payloads, strict=True):
        alone = run("count", id, *SHARED, *sampled, "-j", "1", "-f", "csv")[1]
        own_rows = [row for row in rows if row["Paytable"] == id]
        assert own_rows == list(csv.DictReader(io.StringIO(alone)))
        entries_by_kind = {
            "Every round": [payload["always"]],
            "Trigger": payload["triggers"],
            "Best trigger": [payload["best"]] if payload["best"] else [],
            "Depth": payload["by_depth"],
            "Cut card": [entry["best"] or {} for entry in payload["by_cut"]],
        }
        columns = {"Bets": "frequency", "Average edge": "edge", "Won per shoe": "won_per_shoe"}
        columns |= {"Standard deviation": "standard_deviation", "Desirability": "desirability"}
        for kind, expected in entries_by_kind.items():
            rows_of_kind = [row for row in own_rows if row["Kind"] == kind]
            assert len(rows_of_kind) == len(expected), kind
            for row, entry in zip(rows_of_kind, expected, strict=True):
                assert row["Trigger"] == str("" if entry.get("trigger") is None else entry["trigger"])
                for title, key in columns.items():
                    assert row[f"{title} (exact)"] == str("" if entry.get(key) is None else entry[key]), (kind, title)
        figures = {row["Name"]: row["Value (exact)"] for row in own_rows if row["Kind"] == "Figure"}
        assert figures["House edge off the top"] == payload["house_edge"]
        assert figures["Betting correlation"] == payload["betting_correlation"]
        assert figures["Shoes sampled"] == "50"
        bound = payload["perfect_play"]["won_per_100_rounds"]
        assert figures["Won per 100 rounds by perfect play, sampled"] == str(bound)


@pytest.mark.usefixtures("forked")
def test_pay_overrides_equal_a_changed_file(run, tmp_path):
    path = str(tmp_path / "mine.toml")
    assert run("new", "--from", "TRI-02", "--pays", "Straight=7", "--output", path)[0] == 0
    (from_file,) = count_json(run, "count", path, *SHARED, "-j", "1")
    variants = count_json(run, "count", "TRI-02", "--pays", "Straight=7", "--pays", "Straight=6", *SHARED, "-j", "2")
    assert [result["paytable"] for result in variants] == ["TRI-02+Straight-7", "TRI-02+Straight-6"]
    assert {**variants[0], "paytable": "", "bet": ""} == {**from_file, "paytable": "", "bet": ""}
    assert variants[0] != variants[1]


def test_bet_without_a_count_is_named_and_others_are_counted(run):
    code, out, err = run("count", "BLZ-1-UP", "TRI-04", *SHARED, "-j", "1", "-f", "json")
    assert code == 0
    assert [result["paytable"] for result in json.loads(out)] == ["TRI-04"]
    assert err.count("\n") == 1
    assert err.startswith("combinat: BLZ-1-UP with 2 decks: ")


def test_no_count_at_all_is_an_error(run):
    code, out, err = run("count", "TRI-02", "TRI-04", "--tags", "2=x", "--decks", "2", "--any-decks", "-j", "1")
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "combinat count TRI-03"),
        (("--all", "--collection", "main"), "omit --collection"),
        (("--collection", "min"), "did you mean 'main'"),
        (("TRI-02", "--until", "0.1"), "--until '0.1': write a percentage"),
        (("TRI-02", "--until", "0%"), "--until '0%'"),
        (("TRI-02", "--chunk", "0"), "got 0"),
        (("TRI-02", "--jobs", "-2"), "got -2"),
    ],
)
def test_invalid_options_are_refused_in_one_line(run, arguments, message):
    code, out, err = run("count", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_collection_means_all_its_paytables(run, monkeypatch):
    names = []
    monkeypatch.setattr(
        counting.Counting,
        "__call__",
        lambda _, bet: names.append(bet.name) or counting.CountReport(bet.name, refusal="no"),
    )
    assert run("count", "--collection", "baccarat", "-d", "8", "-j", "1")[0] == 2
    assert len(names) > 5
    assert all(name.endswith("with 8 decks") for name in names)


@pytest.mark.usefixtures("forked")
@pytest.mark.slow  # fast: parallel/test_pool.py::test_deadly_step_is_named_after_two_tries
def test_deadly_bet_is_named_and_others_are_counted(run, monkeypatch):
    count_bet = counting.Counting.__call__

    def kill_worker(self, bet):
        if bet.name.startswith("TRI-02"):
            os.kill(os.getpid(), signal.SIGKILL)
        return count_bet(self, bet)

    monkeypatch.setattr(counting.Counting, "__call__", kill_worker)
    code, out, err = run(*COUNT_TWO, "-j", "2", "-f", "json")
    assert code == 1
    assert [result["paytable"] for result in json.loads(out)] == ["TRI-04"]
    assert err.count("\n") == 1
    assert err.startswith("combinat: TRI-02 with 2 decks: ")
    assert "SIGKILL" in err


def test_interrupted_command_resumes(run, tmp_path, monkeypatch):
    fresh = count_json(run, *COUNT_TWO, "-j", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("COMBINAT_NO_CACHE")
    count_bet, counted = counting.Counting.__call__, []

    def interrupt_second(self, bet):
        if counted:
            raise KeyboardInterrupt
        counted.append(bet.name)
        return count_bet(self, bet)

    monkeypatch.setattr(counting.Counting, "__call__", interrupt_second)
    assert run(*COUNT_TWO, "-j", "1")[0] == 130
    monkeypatch.setattr(
        counting.Counting, "__call__", lambda self, bet: counted.append(bet.name) or count_bet(self, bet)
    )
    assert count_json(run, *COUNT_TWO, "-j", "1") == fresh
    assert counted == ["TRI-02 with 2 decks", "TRI-04 with 2 decks"]


def test_progress_of_one_count_is_not_labeled_as_sampled_shoes(run, monkeypatch):
    labels = []

    @contextmanager
    def record(label):
        labels.append(label)
        yield None

    monkeypatch.setattr("reports.cli.request_command.progress_if_slow", record)
    count_json(run, "count", "TRI-02", *SHARED, "-j", "1")
    assert labels[-1] == "steps"


def test_table_of_triggers_is_centered_on_the_best_one(run):
    _, out, _ = run(
        "count", "TRI-03", "--decks", "6", "--depths", "260", "--tags", "A=2 2=2 3=-1 4=-1 5=-1 6=-1 Q=-2 K=1"
    )
    rows = [line for line in out.splitlines() if "%" in line]
    best = next(index for index, line in enumerate(rows) if "(best)" in line)
    assert 0 < best < len(rows) - 1
