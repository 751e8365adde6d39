"""What `design` prints and writes, and what it says of specs that it cannot take."""

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

ASKED = ["TRI-04", "--pays", "*=1..50", "--edge", "4.0%..4.5%", "--decks", "6,8", "--falling"]


def invoke(*arguments):
    return CliRunner().invoke(app, ["design", *arguments])


def test_all_are_counted_and_the_best_shown():
    told = invoke(*ASKED, "--best", "2", "--digits", "6")
    assert told.exit_code == 0
    assert "53 of 6,250,000 combinations do what is asked; the first 2" in told.stdout
    assert "34 to 1            21 to 1     20 to 1   1 to 1          4.3856%          4.1147%" in told.stdout


def test_json_is_exact_and_each_candidate_is_what_its_pays_come_to():
    (told,) = json.loads(invoke(*ASKED, "--best", "all", "-f", "json").stdout)
    assert (told["found"], told["combinations"], told["complete"]) == (53, 50**4, True)
    assert len(told["candidates"]) == 53
    first = told["candidates"][0]
    assert first["pays"] == {
        "Straight flush": "34 to 1",
        "Three of a kind": "21 to 1",
        "Straight": "20 to 1",
        "Flush": "1 to 1",
    }
    for one in told["candidates"]:
        assert all(Fraction(4, 100) <= Fraction(at["house_edge"]) <= Fraction(45, 1000) for at in one["figures"])


@pytest.mark.parametrize("format", ["csv", "markdown", "latex"])
def test_every_format_has_the_pays(format):
    told = invoke(*ASKED, "--best", "1", "-f", format)
    assert told.exit_code == 0
    assert "34 to 1" in told.stdout


def test_a_spec_may_stand_in_a_file_and_options_come_first(tmp_path):
    spec = tmp_path / "spec.toml"
    spec.write_text(
        'bet = "TRI-04"\ndecks = [6, 8]\nfalling = true\nbest = 1\n[edge]\n6 = "4.0%..4.5%"\n8 = "4.0%..4.5%"\n'
        '[pays]\n"Straight flush" = "1..50"\n"Three of a kind" = "1..50"\nStraight = "1..50"\nFlush = "1..50"\n',
        encoding="utf-8",
    )
    assert "53 of 6,250,000" in invoke(str(spec)).stdout
    every = json.loads(invoke(str(spec), "--best", "all", "-f", "json").stdout)[0]["candidates"]
    fewer = [one for one in every if max(Fraction(at["house_edge"]) for at in one["figures"]) <= Fraction(439, 10_000)]
    assert f"{len(fewer)} of 6,250,000" in invoke(str(spec), "--edge", "4.0%..4.39%").stdout
    assert invoke(str(spec), "--any-order").stdout.splitlines()[1].startswith("646 of")


@pytest.mark.parametrize("more", [[], ["--pick", "3", "--id", "MINE"]])
def test_the_one_that_is_picked_is_written_as_a_file_that_comes_to_the_same(tmp_path, more):
    file = tmp_path / "mine.toml"
    told = invoke(*ASKED, "-f", "json", "--best", "3", "--write", str(file), *more)
    chosen = json.loads(told.stdout)[0]["candidates"][2 if more else 0]
    (paytable,) = load_bet(file)
    assert not list(check_paytable(paytable))
    assert (paytable.id, paytable.decks) == ("MINE" if more else "MY-TRI-04", (6, 8))
    assert {award.name: str(award.pay) for award in paytable.awards} == chosen["pays"]
    edges = [str(analyze_wager(paytable, Shoe(decks)).house_edge.constant) for decks in (6, 8)]
    assert edges == [at["house_edge"] for at in chosen["figures"]]


def test_awards_left_out_and_meters_are_written_too(tmp_path):
    file = tmp_path / "mine.toml"
    invoke("TRI-04", "--pays", "Flush=out, Straight=20..29", "--edge", "..30%", "-d", "6", "--write", str(file))
    assert [award.name for award in load_bet(file)[0].awards] == ["Straight flush", "Three of a kind", "Straight"]
    told = invoke(
        *("BLZ-1-UP", "--seed", "1000..3000 step 500", "--rate", "20%..26%", "--edge", "24%..25%"),
        *("-f", "json", "--write", str(file), "--overwrite"),
    )
    seed, rate = json.loads(told.stdout)[0]["candidates"][0]["meters"]
    level = load_bet(file)[0].system_for(6).levels[0]
    assert (level.seed, level.rate) == (Fraction(seed["seed"]), Fraction(rate["rate"]))


def test_a_file_that_is_there_is_not_replaced(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("mine", encoding="utf-8")
    assert "is there already" in str(invoke(*ASKED, "--write", str(file)).exception)
    assert file.read_text(encoding="utf-8") == "mine"


def test_an_interrupted_search_prints_the_best_so_far(monkeypatch):
    from combinat.finder import finder, search

    def interrupted(*arguments):
        yield next(block for block in search.iter_candidates(*arguments) if len(block.rows))
        raise KeyboardInterrupt

    monkeypatch.setattr(finder, "iter_candidates", interrupted)
    told = invoke(*ASKED, "--best", "1")
    assert "! The search was interrupted" in told.stdout
    assert told.exit_code == command.INTERRUPTED


def test_all_limits_of_an_edge_hold_in_whatever_order_and_in_however_many_parts_they_are_said(tmp_path):
    asked = ["TRI-04", "--pays", "*=1..20", "-d", "6,8", "--best", "1"]
    once = invoke(*asked, "--edge", "6=4%..4.1%", "--edge", "8=3%..5%").stdout.splitlines()
    assert " of 160,000 combinations" in once[1]
    for edges in (
        ["6=4%..4.1%", "3%..5%"],
        ["3%..5%", "6=4%..4.1%"],
        ["3%..", "6=..4.1%", "..5%", "6=4%.."],
        ["6=4%..4.1%", "6,8=3%..5%"],
    ):
        assert (
            invoke(*asked, *(word for edge in edges for word in ("--edge", edge))).stdout.splitlines()[:6] == once[:6]
        )
    spec = tmp_path / "spec.toml"
    spec.write_text('bet = "TRI-04"\n[edge]\n6 = ["4%..", "..4.1%"]\n"6,8" = "3%..5%"\n', encoding="utf-8")
    assert invoke(str(spec), *asked[1:]).stdout.splitlines()[:6] == once[:6]


@pytest.mark.parametrize(
    ("options", "pays", "low", "high"),
    [
        (["--pays", "7 cards=50..150 step 10"], [[200], range(50, 151, 10), [30], [6], [3], [1]], 4, 6),
        (["--pays", "*=1..5|out"], [[*range(1, 6), None]] * 6, 5, 10),
        (["--pays", "*=1..5|out", "--any-order"], [[*range(1, 6), None]] * 6, 5, 10),
        (["--pays", "*=5|out", "--any-order"], [[5, None]] * 6, 99, 100),
    ],
)
def test_dealer_bets_are_searched_without_overflow(run, options, pays, low, high):
    """The awards of this bet exclude one another, so that every combination is a sum of products."""
    ways = get_paytable("BUSTER-30").ways(Shoe(6))
    expected = 0
    for combination in product(*pays):
        kept = [pay for pay in combination if pay is not None]
        returned = sum((pay + 1) * count for pay, count in zip(combination, ways.wins, strict=True) if pay is not None)
        is_ordered = "--any-order" in options or kept == sorted(kept, reverse=True)
        expected += bool(kept) and is_ordered and low * ways.cycle <= 100 * (ways.cycle - returned) <= high * ways.cycle
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


def test_other_limits_do_without_an_edge(run):
    asked = ("design", "TRI-04", "--pays", "*=1..5", "-d", "6", "--hits", "5%..", "--order", "roundest", "-f", "json")
    code, out, err = run(*asked)
    assert (code, err, json.loads(out)[0]["target"]) == (0, "", None)
    assert run(*asked[:-2])[0] == 0


def test_negative_target_is_written(run):
    code, out, err = run("design", "TRI-04", "--pays", "*=1..20", "--edge=-1%..0%", "-d", "6", "--best", "1")
    assert (code, err) == (0, "")
    assert "0.5%" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["TRI-04", "--pays", "Flsh=1..5"], "TRI-04 has no award 'Flsh'; did you mean 'Flush'?"),
        (["TRI-04", "--pays", "Flush=9..5"], "Flush: the range '9..5' is empty"),
        (["TRI-04", "--pays", "Flush=1..5, flush=2"], "pays: 'flush' is given twice"),
        (["BLZ-ML03-UP", "--seed", "Mega=100", "--seed", "mega=200"], "'mega=200': 'mega' is given twice"),
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
            "none of 0 combinations does what is asked; no award is left that could be won",
        ),
        (
            ["TRI-04", "--pays", "Flush=1..9", "-d", "6", "--edge", "10%..", "--edge", "6=..5%"],
            "these exclude one another: the edge is at least 10% with 6 decks (it can be −9.98% to 36.76%); the edge "
            "is at most 5% with 6 decks",
        ),
        (
            ["TRI-04", "--pays", "Flush=11..19", "--edge", "..90%"],
            "none meets this by itself: no award pays more than one above it (--any-order allows it)",
        ),
        (["TRI-04", "--pays", "Flush"], "cannot read the pays 'Flush'"),
        (["TRI-04", "--pays", "Flush=1..5", "--edge", "5%..4%"], "edge: the limits '5%..4%' are empty"),
        (["TRI-04", "--pays", "Flush=1..5", "--edge", "4"], "edge: cannot read the limits '4'; write percentages"),
        (
            ["TRI-04", "--pays", "Flush=1..5", "--edge", "7=4%", "-d", "6"],
            "given for 7 decks, but the deck counts are 6",
        ),
        (["TRI-04", "--edge", "4%..5%"], "nothing is left open"),
        (["TRI-04", "--pays", "*=1..5", "--order", "best"], "no order 'best'"),
        (["TRI-04", "--pays", "*=1..5", "--best", "none"], "best is a number of paytables to show, or all"),
        (
            ["TRI-04", "--pays", "*=1..5", "--edge", "9%..", "--write", "x.toml", "--pick", "99"],
            "--pick 99: there are 10 to pick from",
        ),
        (["TRI-04", "--pays", "*=1..5", "--seed", "100"], "seed: TRI-04 pays from no meter"),
        (["BLZ-ML03-UP", "--seed", "Mga=100"], "BLZ-ML03-UP has no meter 'Mga'; did you mean 'Mega'?"),
        (["21+3-PT2", "--pays", "*=1..5", "--edge", "9%.."], "nobody says how the meter 'meter' is run"),
        (
            ["TRI-04", "--pays", "Flush=1..9", "-d", "6,8", "--edge", "6=10%..", "--edge", "8=..5%"],
            "these exclude one another: the edge is at least 10% with 6 decks (it can be −9.98% to 36.76%); the edge "
            "is at most 5% with 8 decks",
        ),
        (
            ["TRI-04", "--pays", "Flush=1..5", "-d", "6", "--hits", "50%..", "--target", "5%"],
            "none meets this by itself: the hit frequency",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    told = invoke(*arguments)
    assert said in str(told.exception)
    assert told.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('bet = "TRI-04"\nedgee = "4%"', "a spec has no key 'edgee'; did you mean 'edge'?"),
        ("edge = '4%'", "say which bet is meant"),
        ('bet = "TRI-04"\npays = ["Flush=1..5"]', 'pays are a text, as in "Flush=1..50", or a table by award'),
        ('bet = "TRI-04"\n[pays]\nFlush = "1..2"\nflush = "3"', "pays: 'flush' is given twice"),
        ("bet = ", "this is not valid TOML"),
        ('bet = "TRI-04"\nfalling = "yes"\n[pays]\nFlush = "1..2"', "falling is true or false"),
    ],
)
def test_a_spec_that_cannot_be_read_is_refused_in_one_line(tmp_path, text, said):
    spec = tmp_path / "spec.toml"
    spec.write_text(text, encoding="utf-8")
    assert said in str(invoke(str(spec)).exception)
