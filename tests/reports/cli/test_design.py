"""The command `design`: its solutions in every format, the files it writes, and refused requests."""

import itertools
import json
from fractions import Fraction
from itertools import product

import pytest
from typer.testing import CliRunner

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.load import load_bet
from combinat.finder.checks import check_paytable
from decks import Shoe
from reports.cli import design as command
from reports.cli.main import app
from tests.slow_cases import slow_case

ARGUMENTS = ["TRI-04", "--pays", "*=1..50", "--edge", "4.0%..4.5%", "--decks", "6,8", "--falling"]


def invoke(*arguments):
    return CliRunner().invoke(app, ["design", *arguments])


def test_all_solutions_are_counted_and_the_best_shown():
    result = invoke(*ARGUMENTS, "--best", "2", "--digits", "6")
    assert result.exit_code == 0
    assert "53 of 6,250,000 combinations meet the requirements; the first 2" in result.stdout
    assert "34 to 1            21 to 1     20 to 1   1 to 1          4.3856%          4.1147%" in result.stdout


def test_json_candidates_match_their_pays_exactly():
    (payload,) = json.loads(invoke(*ARGUMENTS, "--best", "all", "-f", "json").stdout)
    assert (payload["found"], payload["combinations"], payload["complete"]) == (53, 50**4, True)
    assert len(payload["candidates"]) == 53
    first = payload["candidates"][0]
    assert first["pays"] == {
        "Straight flush": "34 to 1",
        "Three of a kind": "21 to 1",
        "Straight": "20 to 1",
        "Flush": "1 to 1",
    }
    for candidate in payload["candidates"]:
        assert all(
            Fraction(4, 100) <= Fraction(figures["house_edge"]) <= Fraction(45, 1000)
            for figures in candidate["figures"]
        )


@pytest.mark.parametrize("format", ["csv", "markdown", "latex"])
def test_every_format_has_the_pays(format):
    result = invoke(*ARGUMENTS, "--best", "1", "-f", format)
    assert result.exit_code == 0
    assert "34 to 1" in result.stdout


def test_options_override_the_spec_file(tmp_path):
    spec = tmp_path / "spec.toml"
    spec.write_text(
        'bet = "TRI-04"\ndecks = [6, 8]\nfalling = true\nbest = 1\n[edge]\n6 = "4.0%..4.5%"\n8 = "4.0%..4.5%"\n'
        '[pays]\n"Straight flush" = "1..50"\n"Three of a kind" = "1..50"\nStraight = "1..50"\nFlush = "1..50"\n',
        encoding="utf-8",
    )
    assert "53 of 6,250,000" in invoke(str(spec)).stdout
    candidates = json.loads(invoke(str(spec), "--best", "all", "-f", "json").stdout)[0]["candidates"]
    within_limit = [
        candidate
        for candidate in candidates
        if max(Fraction(figures["house_edge"]) for figures in candidate["figures"]) <= Fraction(439, 10_000)
    ]
    assert f"{len(within_limit)} of 6,250,000" in invoke(str(spec), "--edge", "4.0%..4.39%").stdout
    assert invoke(str(spec), "--any-order").stdout.splitlines()[1].startswith("646 of")


@pytest.mark.parametrize("more", [[], ["--pick", "3", "--id", "MINE"]])
def test_picked_solution_is_written_as_an_equal_bet(tmp_path, more):
    file = tmp_path / "mine.toml"
    result = invoke(*ARGUMENTS, "-f", "json", "--best", "3", "--write", str(file), *more)
    candidate = json.loads(result.stdout)[0]["candidates"][2 if more else 0]
    (paytable,) = load_bet(file)
    assert not list(check_paytable(paytable))
    assert (paytable.id, paytable.decks) == ("MINE" if more else "MY-TRI-04", (6, 8))
    assert {award.name: str(award.pay) for award in paytable.awards} == candidate["pays"]
    edges = [str(analyze_wager(paytable, Shoe(decks)).house_edge.constant) for decks in (6, 8)]
    assert edges == [figures["house_edge"] for figures in candidate["figures"]]


def test_picked_solution_keeps_meters_and_omits_unused_awards(tmp_path):
    file = tmp_path / "mine.toml"
    invoke("TRI-04", "--pays", "Flush=out, Straight=20..29", "--edge", "..30%", "-d", "6", "--write", str(file))
    assert [award.name for award in load_bet(file)[0].awards] == ["Straight flush", "Three of a kind", "Straight"]
    result = invoke(
        *("BLZ-1-UP", "--seed", "1000..3000 step 500", "--rate", "20%..26%", "--edge", "24%..25%"),
        *("-f", "json", "--write", str(file), "--overwrite"),
    )
    seed, rate = json.loads(result.stdout)[0]["candidates"][0]["meters"]
    level = load_bet(file)[0].system_for(6).levels[0]
    assert (level.seed, level.rate) == (Fraction(seed["seed"]), Fraction(rate["rate"]))


def test_existing_file_is_not_replaced(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("mine", encoding="utf-8")
    assert "mine.toml exists" in str(invoke(*ARGUMENTS, "--write", str(file)).exception)
    assert file.read_text(encoding="utf-8") == "mine"


def test_interrupted_search_prints_the_best_so_far(monkeypatch):
    from combinat.finder import finder, search

    def interrupt_search(*arguments):
        yield next(block for block in search.iter_candidates(*arguments) if len(block.rows))
        raise KeyboardInterrupt

    monkeypatch.setattr(finder, "iter_candidates", interrupt_search)
    result = invoke(*ARGUMENTS, "--best", "1")
    assert "! The search was interrupted" in result.stdout
    assert result.exit_code == command.INTERRUPTED


def test_all_edge_limits_hold_in_any_order(tmp_path):
    arguments = ["TRI-04", "--pays", "*=1..20", "-d", "6,8", "--best", "1"]
    expected = invoke(*arguments, "--edge", "6=4%..4.1%", "--edge", "8=3%..5%").stdout.splitlines()
    assert " of 160,000 combinations" in expected[1]
    for edges in (
        ["6=4%..4.1%", "3%..5%"],
        ["3%..5%", "6=4%..4.1%"],
        ["3%..", "6=..4.1%", "..5%", "6=4%.."],
        ["6=4%..4.1%", "6,8=3%..5%"],
    ):
        assert (
            invoke(*arguments, *(word for edge in edges for word in ("--edge", edge))).stdout.splitlines()[:6]
            == expected[:6]
        )
    spec = tmp_path / "spec.toml"
    spec.write_text('bet = "TRI-04"\n[edge]\n6 = ["4%..", "..4.1%"]\n"6,8" = "3%..5%"\n', encoding="utf-8")
    assert invoke(str(spec), *arguments[1:]).stdout.splitlines()[:6] == expected[:6]


@pytest.mark.parametrize(
    ("options", "pays", "low", "high"),
    [
        (["--pays", "7 cards=50..150 step 10"], [[200], range(50, 151, 10), [30], [6], [3], [1]], 4, 6),
        slow_case(["--pays", "*=1..5|out"], [[*range(1, 6), None]] * 6, 5, 10),
        (["--pays", "*=1..5|out", "--any-order"], [[*range(1, 6), None]] * 6, 5, 10),
        (["--pays", "*=5|out", "--any-order"], [[5, None]] * 6, 99, 100),
    ],
)
def test_dealer_bet_search_does_not_overflow(run, options, pays, low, high):
    """Compare with brute force: awards of this bet are exclusive, so the return is a sum of pay times ways."""
    ways = get_paytable("BUSTER-30").ways(Shoe(6))
    expected = 0
    for combination in product(*pays):
        offered_pays = [pay for pay in combination if pay is not None]
        returned = sum((pay + 1) * count for pay, count in zip(combination, ways.wins, strict=True) if pay is not None)
        is_ordered = "--any-order" in options or offered_pays == sorted(offered_pays, reverse=True)
        expected += (
            bool(offered_pays) and is_ordered and low * ways.cycle <= 100 * (ways.cycle - returned) <= high * ways.cycle
        )
    code, out, err = run("design", "BUSTER-30", *options, "--edge", f"{low}%..{high}%", "--decks", "6", "-f", "json")
    if expected:
        assert (code, err, json.loads(out)[0]["found"]) == (0, "", expected)
    else:
        assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("more", [[], ["--order", "roundest"], ["--hits", "5%.."]])
def test_search_without_an_edge_names_the_option(run, more):
    code, out, err = run("design", "TRI-04", "--pays", "*=1..5", *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--edge" in err


def test_other_limits_need_no_edge(run):
    command = ("design", "TRI-04", "--pays", "*=1..5", "-d", "6", "--hits", "5%..", "--order", "roundest", "-f", "json")
    code, out, err = run(*command)
    assert (code, err, json.loads(out)[0]["target"]) == (0, "", None)
    assert run(*command[:-2])[0] == 0


def test_negative_target_is_accepted(run):
    code, out, err = run("design", "TRI-04", "--pays", "*=1..20", "--edge=-1%..0%", "-d", "6", "--best", "1")
    assert (code, err) == (0, "")
    assert "0.5%" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["TRI-04", "--pays", "Flsh=1..5"], "TRI-04 has no award 'Flsh'; did you mean 'Flush'?"),
        (["TRI-04", "--pays", "Flush=9..5"], "Flush: the range '9..5' is empty"),
        (["TRI-04", "--pays", "Flush=1..5, flush=2"], "pays: 'flush' is given twice"),
        (["BLZ-ML03-UP", "--seed", "Mega=100", "--seed", "mega=200"], "the meter 'mega' is given twice"),
        (["TRI-04", "--pays", "Flush"], "cannot read the pays 'Flush'"),
        (["TRI-04", "--pays", "Flush=1..5", "--edge", "5%..4%"], "edge: the limits '5%..4%' are reversed"),
        (["TRI-04", "--pays", "Flush=1..5", "--edge", "4"], "edge: cannot read the limits '4'; write percentages"),
        (
            ["TRI-04", "--pays", "Flush=1..5", "--edge", "7=4%", "-d", "6"],
            "given for 7 decks, but the deck counts are 6",
        ),
        (["TRI-04", "--edge", "4%..5%"], "add for example --pays"),
        (["TRI-04", "--pays", "*=1..5", "--order", "best"], "'best' is not an order"),
        (["TRI-04", "--pays", "*=1..5", "--best", "none"], "best must be a number"),
        (
            ["TRI-04", "--pays", "*=1..5", "--edge", "9%..", "--write", "x.toml", "--pick", "99"],
            "--pick must be 1 to 10, got 99",
        ),
        (["TRI-04", "--pays", "*=1..5", "--seed", "100"], "seed: TRI-04 pays from no meter"),
        (["BLZ-ML03-UP", "--seed", "Mga=100"], "BLZ-ML03-UP has no meter 'Mga'; did you mean 'Mega'?"),
        (["21+3-PT2", "--pays", "*=1..5", "--edge", "9%.."], "the meter 'meter' has no seed and rate"),
    ],
)
def test_invalid_requests_are_refused_in_one_line(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    result = invoke(*arguments)
    assert said in str(result.exception)
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            [
                "TRI-04",
                "--pays",
                "Flush=out, Straight=out, Three of a kind=out, Straight flush=out",
                "-d",
                "6",
                "--target",
                "0%",
            ],
            "none of 0 combinations",
        ),
        (
            ["TRI-04", "--pays", "Flush=1..9", "-d", "6", "--edge", "10%..", "--edge", "6=..5%"],
            "exclude one another: the edge is at least 10% with 6 decks (possible: -9.98% to 36.76%); the edge "
            "is at most 5% with 6 decks",
        ),
        (
            ["TRI-04", "--pays", "Flush=11..19", "--edge", "..90%"],
            "no award pays more than one above it (unless any order is allowed)",
        ),
        (
            ["TRI-04", "--pays", "Flush=1..9", "-d", "6,8", "--edge", "6=10%..", "--edge", "8=..5%"],
            "exclude one another: the edge is at least 10% with 6 decks (possible: -9.98% to 36.76%); the edge "
            "is at most 5% with 8 decks",
        ),
        (
            ["TRI-04", "--pays", "Flush=1..5", "-d", "6", "--hits", "50%..", "--target", "5%"],
            ": the hit frequency",
        ),
    ],
)
def test_infeasible_search_exits_with_1_and_names_the_conflict(run, arguments, reason):
    code, out, err = run("design", *arguments)
    assert (code, err) == (1, "")
    assert reason in out.replace("\n", " ")


def test_infeasible_search_has_the_nearest_miss_in_json(run):
    arguments = ["TRI-04", "--pays", "Flush=1..9", "-d", "6", "--edge", "8%..9%", "--top-pay", "30..40", "-f", "json"]
    code, out, _ = run("design", *arguments)
    (answer,) = json.loads(out)
    assert (code, answer["found"], answer["candidates"], answer["current"]["pays"]["Flush"]) == (1, 0, [], "5 to 1")
    assert all("edge" in requirement for requirement in answer["conflict"])
    (change,) = answer["nearest"][0]["change"]
    assert (change["kind"], change["is_minimum"], change["given"]) == ("edge", True, "2/25")
    arguments[6:7] = [f"{change['suggestion']}..9%"]
    code, out, _ = run("design", *arguments)
    assert (code, json.loads(out)[0]["candidates"][0]["pays"]) == (0, answer["nearest"][0]["candidate"]["pays"])


def test_solutions_differ_from_one_another(run):
    command = ["design", "TRI-04", "--pays", "*=1..30", "-d", "6", "--edge", "4%..4.5%", "--best", "6", "-f", "json"]
    pays = {}
    for options in ((), ("--min-difference", "30%")):
        _, out, _ = run(*command, *options)
        candidates = json.loads(out)[0]["candidates"]
        pays[options] = [[int(pay.split()[0]) for pay in one["pays"].values()] for one in candidates]

    def is_near(one, other):
        return all(abs(a - b) < 0.3 * max(a, b) for a, b in zip(one, other, strict=True))

    plain, different = pays.values()
    assert any(is_near(one, other) for one, other in itertools.combinations(plain, 2))
    assert not any(is_near(one, other) for one, other in itertools.combinations(different, 2))
    assert (plain[0], len(different)) == (different[0], 6)


def test_nice_pays_are_of_the_list(run):
    command = ["design", "TRI-04", "-d", "6", "--edge", "3%..20%", "--best", "all", "-f", "json"]
    _, out, _ = run(*command, "--pays", "*=2..60 nice", "--nice", "1,2,3,7,14,21,49,98")
    found = {pay.split()[0] for one in json.loads(out)[0]["candidates"] for pay in one["pays"].values()}
    assert found
    assert found <= {"2", "3", "7", "14", "21", "49"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('bet = "TRI-04"\nedgee = "4%"', "a spec has no key 'edgee'; did you mean 'edge'?"),
        ("edge = '4%'", "names no bet"),
        ('bet = "TRI-04"\npays = ["Flush=1..5"]', 'pays must be a text such as "Flush=1..50"'),
        ('bet = "TRI-04"\n[pays]\nFlush = "1..2"\nflush = "3"', "pays: 'flush' is given twice"),
        ("bet = ", "this is not valid TOML"),
        ('bet = "TRI-04"\nfalling = "yes"\n[pays]\nFlush = "1..2"', "got 'yes'"),
    ],
)
def test_unreadable_spec_is_refused_in_one_line(tmp_path, text, said):
    spec = tmp_path / "spec.toml"
    spec.write_text(text, encoding="utf-8")
    assert said in str(invoke(str(spec)).exception)
