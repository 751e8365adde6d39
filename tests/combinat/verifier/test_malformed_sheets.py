"""No content of a file ends `combinat verify` in a traceback or a warning, and each file gets its verdict."""

import copy
import json
import random
import re
import subprocess
import sys
import warnings

import pytest

from combinat.verifier import attempt, verify
from reports.sheet.par_sheet import data_fingerprint
from tests.sheets import read_sheet
from tests.slow_cases import slow_case

SHEETS = [("TRI-03", 6), ("ADDS-UP", 6), ("BUSTS", 2), ("METERS", 6), ("CAPPED", 6)]
BAD_RULES = [
    *("0-7-7", "A-1", "11-12-13", "total-total-total", "player.A-1", "has(A-1)", "7-7-x", "dealer-dealer"),
    *("5()", "(1, 2)()", "5", "-5", "1 + 2", "(1, 2)", "()", "pair()", "total(7)", "count(count)", "count()()"),
    *("(pair)(pair)", "has(7)(8)", "player()", "5.pair", "pair.pair", "player.player", "count(7)-count(8)"),
    *("not " * 240 + "pair", "-" * 900 + "1 < 2", "(" * 300 + "pair" + ")" * 300, "1 < " * 200 + "2"),
    *("pair) or (suited", "pair if pair else suited", "lambda: 1", "pair is True", "7 in 7", "total in total"),
    *("0 in (0)", "00 == 0", "9999 < 10000", "total == 99999", "has(1)", "has(0)", "count(-1) > 0", "\n", "é == 1"),
    *("total < suit", "high == hearts", "suit", "high - suit > 1", "dealer == player", "player", "best_five", "joker"),
]
SLOW_RULES = [rule for index, rule in enumerate(BAD_RULES) if index % 4]
BAD_DEALS = [
    *("player:4, up:4", "player:7, up:7", "a:2, b:2, c:2, d:2", "player:2, next:2, up:2, hole:2, third:2"),
    *("player:1, player:2", "pair:1, player:2", "total:2", "in:2", "not:1, player:1", "count:2", "red:1"),
    *("player:8", "player:10", "player:0", "player:-1", "player:1,up:1", ":1", "player:", "PLAYER:2", "player:²"),
    *("dealer:h18", "dealer:h17, dealer:h17", "player:2, dealer:h17", "baccarat, baccarat", "lucky 9 ", "", " "),
]


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def resealed(payload):
    """Return the payload with a matching fingerprint."""
    return payload | {"data_sha256": data_fingerprint(payload)}


def with_rule(payload, rule):
    awards = [payload["awards"][0] | {"rule": rule}, *payload["awards"][1:]]
    return resealed(payload | {"awards": awards})


def with_part(payload, key, rule):
    """Return a sheet of summed awards whose first award has another rule or number."""
    parts = payload["all_matches"]["awards"]
    adds_up = payload["all_matches"] | {"awards": [parts[0] | {key: rule}, *parts[1:]]}
    return resealed(payload | {"all_matches": adds_up})


def assert_not_accepted(payload):
    """Check that a sheet is refused on one line, or differs, or is not fully checked."""
    verdict, problem = attempt(lambda: payload, is_full=False)
    assert "\n" not in problem
    assert len(problem) < 600
    assert problem or not verdict.agrees


def assert_verdict(payload):
    """Check that a sheet gets a verdict or is refused on one line."""
    verdict, problem = attempt(lambda: payload, is_full=False)
    assert "\n" not in problem
    assert problem or verdict.summary


@pytest.mark.parametrize("rule", BAD_RULES, ids=lambda rule: rule[:24])
def test_malformed_rule_is_not_accepted(rule):
    assert_not_accepted(with_rule(read_sheet("LOSES-2", 6), rule))
    assert_not_accepted(resealed(read_sheet("LOSES-2", 6) | {"given": rule}))


@pytest.mark.parametrize("key", ["rule", slow_case("per")])
@pytest.mark.parametrize("rule", [*BAD_RULES[::4], *map(slow_case, SLOW_RULES)], ids=lambda rule: rule[:24])
def test_malformed_rule_of_summed_awards_is_not_accepted(rule, key):
    assert_not_accepted(with_part(read_sheet("ADDS-UP", 6), key, rule.replace("dealer", "up")))


@pytest.mark.parametrize("deal", BAD_DEALS)
def test_malformed_or_large_deal_is_not_accepted(deal):
    payload = read_sheet("TRI-03", 6) | {"deal": deal}
    assert_not_accepted(resealed(payload))
    assert_not_accepted(with_rule(payload, "pair"))


def test_deal_of_eight_cards_is_not_checked():
    payload = read_sheet("TRI-03", 6) | {"deal": "player:4, up:4"}
    assert "8 cards" in verify(resealed(payload)).not_counted


def test_bad_files_do_not_hide_the_verdicts_on_others(run, tmp_path):
    good = read_sheet("TRI-03", 6)
    contents = {
        "rules.json": with_rule(good, "0-7-7"),
        "first.json": good,
        "call.json": with_rule(good, "5()"),
        "deal.json": resealed(good | {"deal": "player:1, player:2"}),
        "null.json": None,
        "eight.json": resealed(good | {"deal": "player:4, up:4"}),
        "nan.json": good | {"house_edge": float("nan")},
        "second.json": good,
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(json.dumps(content))
    code, out, err = run("verify", *[tmp_path / name for name in contents], tmp_path / "missing.json")
    assert code == 2
    for name in ("rules.json", "call.json", "deal.json"):
        (line,) = [line for line in err.splitlines() if name in line]
        assert "cannot be read" in line
    for name in ("null.json", "nan.json", "missing.json"):
        assert len([line for line in err.splitlines() if name in line]) == 1
    for name in ("first.json", "second.json"):
        (line,) = [line for line in out.splitlines() if name in line]
        assert line.endswith("all agree")
    (line,) = [line for line in out.splitlines() if "eight.json" in line]
    assert not line.endswith("all agree")
    code, out, _ = run("verify", *[tmp_path / name for name in contents], "--format", "json")
    assert (code, [row["ok"] for row in json.loads(out)]) == (
        2,
        [name in ("first.json", "second.json") for name in contents],
    )


@pytest.mark.parametrize("module", ["combinat.verifier", "reports.cli.main"])
def test_defect_of_the_verifier_does_not_hide_other_verdicts(module, run, tmp_path, monkeypatch, capsys):
    from combinat.verifier.report import main

    def fail(sheet, **options):
        if sheet["paytable"] == "TRI-03":
            raise KeyError(8)
        return verify(sheet, **options)

    monkeypatch.setattr("combinat.verifier.report.verify", fail)
    for id, decks in SHEETS[:2]:
        (tmp_path / f"{id}.json").write_text(json.dumps(read_sheet(id, decks)))
    paths = [str(path) for path in sorted(tmp_path.iterdir(), reverse=True)]
    if module == "combinat.verifier":
        code, (out, err) = main(paths), capsys.readouterr()
    else:
        code, out, err = run("verify", *paths)
    assert (code, err.count("\n"), "not a valid sheet: KeyError" in err) == (2, 1, True)
    assert "all agree" in out


@pytest.mark.slow
def test_command_prints_no_warnings(tmp_path):
    (tmp_path / "call.json").write_text(json.dumps(with_rule(read_sheet("TRI-03", 6), "5()")))
    command = [sys.executable, "-W", "always", "-m", "combinat.verifier", str(tmp_path / "call.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


# Random content, reproducible

TOKENS = [
    *("player", "dealer", "pair", "suited", "total", "hard total", "straight", "trips", "has(", "count(", "all("),
    *(")", "(", ",", ".", "-", "+", "==", "!=", "<", ">=", "and", "or", "not", "in", "0", "1", "7", "11", "007", "A"),
    *(
        "K",
        "T",
        "7h",
        "10c",
        "red",
        "face",
        "joker",
        "hearts",
        "best five",
        "identical",
        "rank",
        "suit",
        "high",
        "bust",
    ),
    *("0-7-7", "A-1", "7-7-7", "A-K-Q", "5()", "_", "__class__", "ranks_7", "card_7h", "is", "if", "else", "lambda"),
    *("*", "/", "[", "]", "'", '"', ":", "\\", "♠", "True", "None", "tie", "banker", "1_0", "0x1", "1e5", "1.5"),
]
ROLES = ["player", "up", "hole", "dealer", "next", "a", "from", "in", "pair", "total"]
VALUES = [
    *(None, True, False, 0, -1, 1, 2, 10**30, 10**400, 1.5, float("nan"), float("inf"), "", "x", "1/0", "0", "-1"),
    *("9" * 4400, "9" * 50 + "/7", [], {}, [[]], [None], {"a": 1}, {"name": None}, [{}], "5 to 1", "100% of meter"),
    *("loses 5", "push", "\ud800", "infinite", "sqrt(2)", "sqrt(", json.loads("[" * 300 + "]" * 300)),
]
NEW_KEYS = [
    "x",
    "name",
    "per",
    "rule",
    "flags",
    "meters",
    "all_matches",
    "wheels",
    "option",
    "given",
    "card_counting",
    "pace",
]


def random_rule(rng):
    return "".join([rng.choice(TOKENS) + rng.choice(["", " ", " "]) for _ in range(rng.randint(1, 7))])


def random_deal(rng):
    """Return a deal, often one that is not allowed; six and seven cards would be counted for minutes."""
    numbers = [rng.choice("1112378") for _ in range(rng.randint(1, 4))]
    if sum(map(int, numbers)) in (6, 7):
        return random_deal(rng)
    return ", ".join([f"{rng.choice(ROLES)}:{number}" for number in numbers])


def nodes(value, path=()):
    """Yield the path of every part of a sheet."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*path, key)
        yield from nodes(part, (*path, key))


def mutated(payload, rng):
    """Return the payload with one to three parts changed, deleted, duplicated or added."""
    changed = copy.deepcopy(payload)
    for _ in range(rng.choice([1, 1, 2, 3])):
        paths = list(nodes(changed))
        path = rng.choice([path for path in paths if len(path) <= rng.choice([2, 9])])
        part = changed
        for key in path[:-1]:
            part = part[key]
        action = rng.choice(["delete", "double", "add", "change", "change", "change"])
        if action == "delete":
            del part[path[-1]]
        elif action == "double" and isinstance(part, list):
            part.append(copy.deepcopy(part[path[-1]]))
        elif action == "add" and isinstance(part, dict):
            part[rng.choice(NEW_KEYS)] = rng.choice(VALUES)
        else:
            part[path[-1]] = rng.choice(VALUES)
    return changed


RUNS = [(0, 6), slow_case(10, 60), slow_case(11, 60)]
"""Seed and number of random sheets."""


@pytest.mark.parametrize(("seed", "count"), RUNS)
def test_random_rule_gets_a_verdict(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        rule = random_rule(rng)
        assert_verdict(with_rule(read_sheet("LOSES-2", 6), rule))
        assert_verdict(with_part(read_sheet("ADDS-UP", 6), rng.choice(["rule", "per"]), rule.replace("dealer", "up")))


@pytest.mark.parametrize(("seed", "count"), RUNS)
def test_random_deal_gets_a_verdict(seed, count):
    rng = random.Random(seed)
    for _ in range(count // 12 + 1):
        rule = rng.choice(["pair", "dealer.has(7)", "total > 20 and suited"])
        payload = with_rule(read_sheet("LOSES-2", 6) | {"deal": random_deal(rng)}, rule)
        assert_verdict(payload | {"deck_sensitivity": [], "derivation": []})


@pytest.mark.parametrize(("seed", "count"), RUNS[:1])  # some sheets of the other seeds take minutes
def test_mutated_sheet_gets_a_verdict(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        assert_verdict(mutated(read_sheet(*rng.choice(SHEETS)), rng))


def test_mutated_files_all_get_their_verdicts(run, tmp_path):
    rng = random.Random(1)
    files = [tmp_path / f"{number}.json" for number in range(12)]
    for number, file in enumerate(files):
        payload = read_sheet("TRI-03", 6)
        file.write_text(json.dumps(mutated(payload, rng) if number % 3 else payload))
    code, out, err = run("verify", *files)
    assert code in (1, 2)
    lines = [line for line in (out + err).splitlines() if not line.startswith("  ")]
    assert sorted([re.search(r"\d+\.json", line)[0] for line in lines]) == sorted([file.name for file in files])
    assert len([line for line in lines if line.endswith("all agree")]) >= 4
