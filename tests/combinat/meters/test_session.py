"""Hits at a pace of play, compared with binomial sums, on the sheet and in the verifier."""

from copy import deepcopy
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from combinat.bets.catalog import get_paytable
from combinat.meters.session import Pace, hit_quantiles
from combinat.results.par_sheet import sheet_schema
from combinat.study import build_study
from combinat.verifier import verify
from decks import InputError, Shoe
from reports.sheet.par_sheet import build_par_sheet, data_fingerprint
from tests.profiles import tries
from tests.sheets import find_paytable

PACE = Pace(Fraction(20), Fraction(2))
CHANCES = st.fractions(Fraction(1, 400), Fraction(1), max_denominator=400)


def fewest(probability, plays, part):
    sofar = Fraction(0)
    for hits in range(plays + 1):
        sofar += comb(plays, hits) * probability**hits * (1 - probability) ** (plays - hits)
        if sofar >= part:
            return hits
    raise ValueError("chances sum to one")


@given(CHANCES, st.integers(1, 80))
@tries(40)
def test_range_of_hits_matches_binomial_terms(chance, plays):
    expected = fewest(chance, plays, Fraction(5, 100)), fewest(chance, plays, Fraction(95, 100))
    assert hit_quantiles(chance, plays) == expected


@pytest.fixture(scope="module")
def sheet():
    return build_par_sheet(build_study(find_paytable("METERS"), Shoe(6)), pace=PACE)


def test_sheet_lists_meters_in_paytable_order(sheet):
    part = sheet.payload["pace"]
    assert (part["plays_per_day"], part["days"]) == (20, 2)
    levels = {level["name"]: Fraction(level["reset_probability"]) for level in sheet.payload["meter"]["levels"]}
    assert [row["meter"] for row in part["hits"]] == list(levels)
    for row in part["hits"]:
        probability = levels[row["meter"]]
        assert Fraction(row["days_between_hits"]) * 20 * probability == 1
        assert Fraction(row["hits_per_year"]) == 365 * 20 * probability
        assert row["least_per_year"] <= Fraction(row["hits_per_year"]) <= row["most_per_year"]
        assert Fraction(0) <= Fraction(row["no_hit"]) + Fraction(row["two_or_more"]) < 1
    section = next(section for section in sheet.document.sections if section.key == "special")
    table = next(table for table in section.tables if table.caption == "At 20 plays a day")
    assert [row[0] for row in table.rows] == list(levels)
    assert "No hit in 2 days" in [column.title for column in table.columns]
    assert not any("--plays-per-day" in note for note in section.notes)


def test_sheet_with_a_pace_matches_the_schema(sheet):
    assert [error.message for error in Draft202012Validator(sheet_schema()).iter_errors(sheet.payload)] == []


def test_verifier_recomputes_the_pace(sheet):
    assert verify(sheet.payload).differences == []
    for key, value in (("most_per_year", 10**6), ("no_hit", "0.5"), ("days_between_hits", 1)):
        altered = deepcopy(sheet.payload)
        altered["pace"]["hits"][0][key] = value
        altered["data_sha256"] = data_fingerprint(altered)
        assert any(key in difference for difference in verify(altered).differences)


def test_meter_without_terms_has_a_pace():
    sheet = build_par_sheet(build_study(get_paytable("21+3-PT2"), Shoe(6)), pace=PACE)
    assert sheet.payload["meter"] is None
    (row,) = sheet.payload["pace"]["hits"]
    probability = sum(
        Fraction(award["probability"]) for award in sheet.payload["awards"][:2]
    )  # each takes the whole meter
    assert Fraction(row["days_between_hits"]) * 20 * probability == 1
    assert verify(sheet.payload).differences == []


def test_bet_without_a_meter_has_no_pace():
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(1)), pace=PACE)
    assert "pace" not in sheet.payload


@pytest.mark.parametrize(
    ("plays", "days", "words"),
    [("2000000", "30", "1,000,000"), ("1/100", "30", "at least one play"), ("10", "100000", "36,500")],
)
def test_invalid_pace_is_refused(plays, days, words):
    with pytest.raises(InputError, match=words):
        Pace(Fraction(plays), Fraction(days))
