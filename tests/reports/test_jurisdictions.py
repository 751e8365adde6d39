"""Tests of jurisdictions are data with source and year; a sheet says what they ask, and whether it passes."""

import json
import tomllib
from fractions import Fraction

import pytest

from combinat.analysis.exposure import JURISDICTIONS_FILE, jurisdiction_tests, parse_jurisdiction_tests
from combinat.bets.catalog import get_paytable
from combinat.figures import FIGURES
from combinat.study import build_study
from combinat.verifier import verify
from decks import InputError, Shoe
from reports.sheet.identity import Identity, parse_change
from reports.sheet.par_sheet import build_par_sheet, data_fingerprint
from reports.sheet.sections.jurisdictions import load_tests
from tests.made_bets import bet
from tests.sheets import made

TEST = '[[test]]\njurisdiction = "Ours"\nname = "hits"\nfigure = "{}"\nsource = "house rule"\nyear = 2026\n{}'


def section(sheet, key):
    return next((one for one in sheet.document.sections if one.key == key), None)


def test_every_test_that_comes_with_the_program_names_a_figure_a_source_and_a_year():
    rows = tomllib.loads(JURISDICTIONS_FILE.read_text(encoding="utf-8"))["test"]
    assert len(rows) == len(jurisdiction_tests())
    for test in jurisdiction_tests():
        assert test.figure in FIGURES
        assert test.source
        assert 2000 < test.year < 2100
        assert test.bounds != (None, None)


def test_a_return_is_held_against_the_least_that_is_asked_for():
    sheet = made("METERS", 6)
    rows = {(row["jurisdiction"], row["figure"]): row for row in sheet.payload["jurisdiction_tests"]}
    nevada, new_jersey = rows["Nevada", "long_run_return"], rows["New Jersey", "long_run_return"]
    assert Fraction(nevada["value"]) == 1 - Fraction(sheet.payload["hold"])
    assert (nevada["at_least"], nevada["passes"]) == ("3/4", True)
    assert (new_jersey["at_least"], new_jersey["passes"]) == ("83/100", False)
    assert rows["New Jersey", "jackpot_odds"]["value"] == 51  # the ace of spades
    results = [row[-1] for row in section(sheet, "jurisdictions").tables[0].rows]
    assert results.count("fails") == 2


def test_the_second_prize_is_in_money_for_the_largest_wager():
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), max_wager=Fraction(1000))
    (row,) = [one for one in sheet.payload["jurisdiction_tests"] if one["figure"] == "second_prize"]
    assert (row["value"], row["at_most"], row["passes"]) == (35_000, 25_000, False)
    assert "line of credit" in section(sheet, "jurisdictions").tables[0].rows[0][-1]


def test_a_jurisdiction_that_has_tests_is_shown_alone():
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), Identity(jurisdiction="nevada"))
    assert {row["jurisdiction"] for row in sheet.payload["jurisdiction_tests"]} == {"Nevada"}


def test_a_file_of_ones_own_is_read_and_its_faults_are_told_on_one_line(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TEST.format("hit_frequency", 'at_least = "0.09"'), encoding="utf-8")
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), tests=load_tests(path))
    (row,) = sheet.payload["jurisdiction_tests"]
    assert (row["test"], row["passes"]) == ("hits", True)
    assert verify(json.loads(json.dumps(sheet.payload))).differences == []
    path.write_text(TEST.format("hit_freqency", 'at_least = "0.09"'), encoding="utf-8")
    with pytest.raises(InputError, match="test 1: no figure 'hit_freqency'; did you mean 'hit_frequency'"):
        load_tests(path)
    for rest, message in (('at_least = "nine"', "are numbers"), ("", "asks nothing"), ("least = 1", "unknown field")):
        with pytest.raises(InputError, match=message):
            parse_jurisdiction_tests(TEST.format("hold", rest), "mine.toml")


@pytest.mark.parametrize(("key", "value"), [("value", "1/2"), ("passes", False), ("at_least", "99/100")])
def test_an_altered_test_is_named(key, value):
    sheet = json.loads(json.dumps(made("TRI-03", 6).payload))
    place = [row["jurisdiction"] for row in sheet["jurisdiction_tests"]].index("Nevada")
    sheet["jurisdiction_tests"][place][key] = value
    sheet["data_sha256"] = data_fingerprint(sheet)
    assert any(one.startswith("jurisdiction_tests") for one in verify(sheet).differences)


def test_the_revision_history_stands_on_the_sheet_and_in_its_data():
    history = tuple(map(parse_change, ("1, 2026-01-10: first issue", "2, 2026-11-16: straights pay 11 to 1")))
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), Identity(revision="2", history=history))
    (table,) = section(sheet, "identification").tables
    assert table.rows[1] == ("2", "2026-11-16", "straights pay 11 to 1")
    assert sheet.payload["identification"]["history"][0]["change"] == "first issue"
    assert section(made("TRI-03", 6), "identification").tables == ()
    for text in ("2: no date", "2, 2026-13-01: no such month", "2, 2026-11-16: two\nlines"):
        with pytest.raises(InputError):
            parse_change(text)


def test_a_failed_test_of_the_sheets_own_jurisdiction_stands_on_page_one():
    one = build_study(bet("player:2", ["pair"], pays=[5]), Shoe(6))  # of which a third is returned
    flag = "New Jersey, theoretical return: fails"
    assert flag in build_par_sheet(one, Identity(jurisdiction="New Jersey")).document.flags
    assert flag not in build_par_sheet(one, Identity(jurisdiction="Nevada")).document.flags
    assert flag not in build_par_sheet(one).document.flags  # submitted nowhere, it is held against what may not apply
