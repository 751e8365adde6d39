"""What `joint` prints, and what it says of wagers that it cannot take."""

import json
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from reports.cli.main import app


def run(*arguments):
    return CliRunner().invoke(app, ["joint", *arguments])


def test_wagers_are_printed_with_their_total():
    told = run("TRI-01=10", "SUP-01=5", "--decks", "6")
    assert told.exit_code == 0
    assert "10 on TRI-01 and 5 on SUP-01" in told.stdout
    assert "1,440     0.00020745" in told.stdout


def test_json_has_every_row_of_results_exactly():
    (found,) = json.loads(run("TRI-01=10", "HM-1", "--decks", "6", "--spots", "2", "-f", "json").stdout)
    assert sum(Fraction(row["probability"]) for row in found["results"]) == 1
    mean = sum(Fraction(row["result"]) * Fraction(row["probability"]) for row in found["total"])
    assert Fraction(found["house_edge"]) == -mean / 11
    assert Fraction(found["spots"]["mean"]) == 2 * mean
    assert sum(Fraction(row["probability"]) for row in found["spots"]["total"]) == 1


@pytest.mark.parametrize("format", ["csv", "markdown", "latex"])
def test_every_format_has_the_deck_counts_asked_for(format):
    told = run("TRI-01", "TRI-03", "--decks", "6,8", "-f", format)
    assert told.exit_code == 0
    assert "8" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["TRI-01=ten"], "cannot read the wager 'TRI-01=ten'; write a paytable and its stake, as in TRI-01=10"),
        (["TRI-01=0", "--decks", "6"], "TRI-01: the stake must be more than nothing, not 0"),
        (["TRI-01", "HM-2"], "no deck count is left that all are designed for"),
        (["TRI-01", "--decks", "6", "--spots", "9"], "cannot play 9 spots; give 2 to 7"),
        (["BB-1", "--decks", "6", "--spots", "2"], "spots are not counted together where a bet is only made under a"),
        (["PKR-TRIPS-1", "--spots", "2"], "more cards of its own than two"),
        (["TRI-01", "PKR-TRIPS-1", "--any-decks", "--decks", "1"], "they are not on the same cards"),
        (["TRI-01", "--decks", "6", "--meter", "5"], "TRI-01 pays from no meter"),
    ],
)
def test_wagers_that_cannot_be_taken_are_refused_in_one_line(arguments, said):
    told = run(*arguments)
    assert said in str(told.exception)
    assert told.stdout == ""
