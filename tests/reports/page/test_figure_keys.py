"""Every figure has its key in the schema of a sheet and in the verifier."""

import json
from fractions import Fraction

import pytest

from combinat.analysis.exposure import parse_jurisdiction_tests
from combinat.bets.catalog import get_paytable
from combinat.figures import FIGURES
from combinat.results.par_sheet import sheet_schema
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet
from tests.sheets import find_paytable
from tests.slow_cases import slow_case

ALL_TESTS = parse_jurisdiction_tests(
    "".join(
        f'[[test]]\njurisdiction = "Ours"\nname = "{key}"\nfigure = "{key}"\nat_least = "0"\nsource = "us"\nyear = 1\n'
        for key in FIGURES
    ),
    "tests.toml",
)


def iter_properties(schema):
    """Iterate over the names of all properties in a schema, with the lists of values that it allows."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from (value for value in schema.get("enum", []) if isinstance(value, str))
        for part in schema.values():
            yield from iter_properties(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from iter_properties(part)


def test_every_figure_key_is_in_the_schema():
    schema = sheet_schema()
    assert [key for key in FIGURES if key not in set(iter_properties(schema))] == []
    assert schema["$defs"]["JurisdictionTestAnswer"]["properties"]["figure"]["enum"] == list(FIGURES)


@pytest.mark.parametrize("id", ["TRI-03", "METERS", "BUSTS", slow_case("FEW-9"), slow_case("BLZ-1-UP")])
def test_verifier_derives_every_figure_that_a_test_can_name(id):
    sheet = build_par_sheet(build_study(find_paytable(id), Shoe(6, find_paytable(id).bet.pack)), tests=ALL_TESTS)
    verdict = verify(json.loads(json.dumps(sheet.payload)))
    assert verdict.agrees
    assert [name for name in verdict.not_checked if "jurisdiction_tests" in name] == []


@pytest.mark.parametrize("key", ["spot_covariance", "largest_win", "to_as_for", "cycle"])
def test_altered_figure_is_found(key):
    payload = json.loads(
        json.dumps(build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), tests=ALL_TESTS).payload)
    )
    (row,) = [row for row in payload["jurisdiction_tests"] if row["figure"] == key]
    row["value"] = str(Fraction(row["value"]) + Fraction(1, 7))
    assert any("jurisdiction_tests" in line for line in verify(payload).differences)


def test_seven_spots_is_verified():
    payload = json.loads(json.dumps(build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6))).payload))
    (seven,) = [row for row in payload["spots"]["by_spots"] if row["spots"] == 7]
    assert payload["spots"]["seven_spots"] == seven["standard_deviation"]
    payload["spots"]["seven_spots"] = "sqrt(2)"
    assert any("seven_spots" in line for line in verify(payload).differences)
    del payload["spots"]["seven_spots"]
    assert any("seven_spots" in line for line in verify(payload).differences)
