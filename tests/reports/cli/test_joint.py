"""The command `joint`: its results in every format, and refused wagers."""

import json
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from reports.cli.main import app


def invoke(*arguments):
    return CliRunner().invoke(app, ["joint", *arguments])


def test_wagers_are_printed_with_their_total():
    result = invoke("TRI-01=10", "SUP-01=5", "--decks", "6")
    assert result.exit_code == 0
    assert "10 on TRI-01 and 5 on SUP-01" in result.stdout
    assert "1,440     0.00020745" in result.stdout


def test_json_has_every_result_exactly():
    (payload,) = json.loads(invoke("TRI-01=10", "HM-1", "--decks", "6", "--spots", "2", "-f", "json").stdout)
    assert sum(Fraction(row["probability"]) for row in payload["results"]) == 1
    mean = sum(Fraction(row["result"]) * Fraction(row["probability"]) for row in payload["total"])
    assert Fraction(payload["house_edge"]) == -mean / 11
    assert Fraction(payload["spots"]["mean"]) == 2 * mean
    assert sum(Fraction(row["probability"]) for row in payload["spots"]["total"]) == 1


@pytest.mark.parametrize("format", ["csv", "markdown", "latex"])
def test_every_format_has_the_requested_deck_counts(format):
    result = invoke("TRI-01", "TRI-03", "--decks", "6,8", "-f", format)
    assert result.exit_code == 0
    assert "8" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["TRI-01=ten"], "'TRI-01=ten'"),
        (["TRI-01=0", "--decks", "6"], "TRI-01: the stake must be above 0, got 0"),
        (["TRI-01", "HM-2"], "no designed deck count in common"),
        (["TRI-01", "--decks", "6", "--spots", "9"], "2 to 7, got 9"),
        (["BB-1", "--decks", "6", "--spots", "2"], "made under a condition"),
        (["PKR-TRIPS-1", "--spots", "2"], "too expensive to count"),
        (["TRI-01", "PKR-TRIPS-1", "--any-decks", "--decks", "1"], "do not share cards"),
        (["TRI-01", "--decks", "6", "--meter", "5"], "TRI-01 has no meter"),
    ],
)
def test_invalid_wagers_are_refused_in_one_line(arguments, said):
    result = invoke(*arguments)
    assert said in str(result.exception)
    assert result.stdout == ""
