"""Jurisdiction tests are data with source and year; a sheet shows each requirement and its result."""

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
from tests.sheets import build_sheet

TEST = '[[test]]\njurisdiction = "Ours"\nname = "hits"\nfigure = "{}"\nsource = "house rule"\nyear = 2026\n{}'


def find_section(sheet, key):
    return next((section for section in sheet.document.sections if section.key == key), None)


def test_every_built_in_test_has_figure_source_and_year():
    rows = tomllib.loads(JURISDICTIONS_FILE.read_text(encoding="utf-8"))["test"]
    assert len(rows) == len(jurisdiction_tests())
    for test in jurisdiction_tests():
        assert test.figure in FIGURES
        assert test.source
        assert 2000 < test.year < 2100
        assert test.bounds != (None, None)


def build_tested_sheet(tests, *, jurisdiction="", max_wager=None):
    study = build_study(get_paytable("TRI-03"), Shoe(6))
    rows = parse_jurisdiction_tests(tests, "mine.toml")
    return build_par_sheet(study, Identity(jurisdiction=jurisdiction), max_wager, rows)


def test_jackpot_odds_are_compared_with_the_maximum():
    sheet = build_sheet("METERS", 6)
    (row,) = [row for row in sheet.payload["jurisdiction_tests"] if row["figure"] == "jackpot_odds"]
    assert (row["jurisdiction"], row["value"], row["passes"]) == ("New Jersey", 51, True)  # the ace of spades


def test_tests_of_other_kinds_of_games_are_absent():
    slots = TEST.format("house_edge", 'at_most = "0.01"\napplies_to = "slot machines"')
    assert build_tested_sheet(slots).payload["jurisdiction_tests"] == []
    assert find_section(build_tested_sheet(slots), "jurisdictions") is None
    (row,) = build_tested_sheet(TEST.format("house_edge", 'at_most = "0.01"')).payload["jurisdiction_tests"]
    assert (row["applies_to"], row["passes"]) == ("table games", False)


def test_second_prize_is_money_at_the_stated_wager():
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), max_wager=Fraction(1000))
    (row,) = [row for row in sheet.payload["jurisdiction_tests"] if row["figure"] == "second_prize"]
    assert (row["value"], row["at_most"], row["passes"]) == (35_000, 25_000, False)
    assert "line of credit" in find_section(sheet, "jurisdictions").tables[0].rows[0][-1]
    assert "WAC 230-15-455" in find_section(sheet, "jurisdictions").tables[0].rows[0][2]


def test_test_of_money_is_absent_without_a_stated_wager():
    sheet = build_sheet("TRI-03", 6)
    assert not [row for row in sheet.payload["jurisdiction_tests"] if row["in_money"]]
    assert "not stated" in find_section(sheet, "exposure").figures[0].label


def test_jurisdiction_is_shown_alone():
    tests = TEST.format("hit_frequency", 'at_least = "0.09"')
    assert len(build_tested_sheet(tests, jurisdiction="ours").payload["jurisdiction_tests"]) == 1
    assert build_tested_sheet(tests, jurisdiction="Theirs").payload["jurisdiction_tests"] == []


def test_errors_of_a_custom_file_are_one_line(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TEST.format("hit_frequency", 'at_least = "0.09"'), encoding="utf-8")
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), tests=load_tests(path))
    (row,) = sheet.payload["jurisdiction_tests"]
    assert (row["test"], row["passes"]) == ("hits", True)
    assert verify(json.loads(json.dumps(sheet.payload))).differences == []
    path.write_text(TEST.format("hit_freqency", 'at_least = "0.09"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"test 1: .*'hit_freqency'; did you mean 'hit_frequency'"):
        load_tests(path)
    for fields, message in (('at_least = "nine"', "at_least"), ("", "at_most"), ("least = 1", "unknown field")):
        with pytest.raises(InputError, match=message):
            parse_jurisdiction_tests(TEST.format("hold", fields), "mine.toml")


@pytest.mark.parametrize(("key", "value"), [("value", "1/2"), ("passes", False), ("at_least", "99/100")])
def test_altered_test_is_named(key, value):
    tests = TEST.format("hit_frequency", 'at_least = "0.09"')
    sheet = json.loads(json.dumps(build_tested_sheet(tests).payload))
    sheet["jurisdiction_tests"][0][key] = value
    sheet["data_sha256"] = data_fingerprint(sheet)
    assert any(difference.startswith("jurisdiction_tests") for difference in verify(sheet).differences)


def test_revision_history_is_in_document_and_payload():
    history = tuple(map(parse_change, ("1, 2026-01-10: first issue", "2, 2026-11-16: straights pay 11 to 1")))
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), Identity(revision="2", history=history))
    (table,) = find_section(sheet, "terms").tables
    assert table.rows[1] == ("2", "2026-11-16", "straights pay 11 to 1")
    assert sheet.payload["identification"]["history"][0]["change"] == "first issue"
    assert find_section(build_sheet("TRI-03", 6), "terms").tables == ()
    for text in ("2: no date", "2, 2026-13-01: no such month", "2, 2026-11-16: two\nlines"):
        with pytest.raises(InputError):
            parse_change(text)


def test_failed_test_of_the_jurisdiction_is_flagged():
    tests = TEST.format("hit_frequency", 'at_least = "0.5"')
    flag = "Ours, hits: fails"
    assert flag in build_tested_sheet(tests, jurisdiction="Ours").document.flags
    assert flag not in build_tested_sheet(tests).document.flags  # without a jurisdiction no test is known to apply
