"""The published JSON Schema against real sheets, and against sheets that somebody has spoiled."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from combinat.bets.catalog import get_paytable
from combinat.study import build_study
from decks import Shoe, parse_cards
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from tests.sheets import FEW, OF_FEW_RANKS, WITHOUT_SPLITS, paytable_of, read

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "reports" / "publish" / "par_sheet.schema.json").read_text(encoding="utf-8")
)

VALIDATOR = Draft202012Validator(SCHEMA)
# Roles alike and told apart, an option, a dealer who draws, meters known and unknown, an example, a bet on a bet, a
# round with decisions, awards that add up, dice.
PAYTABLES = ["TRI-04", "METERS", "21+3-PT2", "TBJ-06-2024", "HM-2", "BUSTS", "BN9-EXAMPLE", "SUP-01", "FEW-TIE"]
PAYTABLES += ["MATCH-THE-DEALER-4-19", "NEXT-STEP"]
OPTIONAL = {"house_edge_without_option", "return_without_option", "expected_value_without_option"}
OPTIONAL |= {"variance_bounds", "variance_without_option"}
OPTIONAL |= {"standard_deviation_bounds", "standard_deviation_without_option"}
OPTIONAL |= {"option", "blackjack_rules", "settings", "play", "decisions", "adds_up", "wheels", "watching", "pace"}
OPTIONAL |= {"variant"}


def payload(id):
    """The sheet's data as a reader gets it from a file."""
    decks = paytable_of(id).decks
    if id == WITHOUT_SPLITS[0]:
        return read(*WITHOUT_SPLITS)
    return read(id, FEW if id == "HM-2" else 6 if 6 in decks else decks[0])


def short(id):
    """The same with two rows of each table, which are as all others."""
    return {key: value[:2] if isinstance(value, list) else value for key, value in payload(id).items()}


def errors(sheet):
    return [f"{error.json_path}: {error.message[:200]}" for error in VALIDATOR.iter_errors(sheet)]


def objects(schema):
    """Every description of an object with known keys, wherever it stands."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def test_schema_is_a_schema():
    assert errors(short("TRI-04")) == []
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["title"] == payload("TRI-04")["format"] == SCHEMA["$id"].replace("-", " ")
    assert "/" not in SCHEMA["$id"]
    assert ":" not in SCHEMA["$id"]


@pytest.mark.parametrize("id", PAYTABLES)
def test_sheet_is_as_the_schema_says(id):
    assert errors(payload(id)) == []


@pytest.mark.slow
def test_sheet_of_the_whole_game_is_as_the_schema_says():
    assert errors(payload("L9" + OF_FEW_RANKS)) == []


def test_sheet_of_a_shoe_that_lacks_cards_with_given_meters_and_names_is_as_the_schema_says():
    shoe = Shoe(2, removed=parse_cards("7h 7d Ks"))
    identity = Identity("D-7", "2", "2026-11-16", "Ann", "Ben", "Washington")
    sheet = build_par_sheet(
        build_study(get_paytable("TBJ-06-2024"), shoe, {"meter": Fraction(1001, 2)}), identity, Fraction(25)
    )
    assert sheet.payload["meters"] == {"meter": "1001/2"}
    assert errors(sheet.payload) == []


def test_every_key_is_described_and_no_other_is_allowed():
    found = list(objects(SCHEMA))
    assert len(found) >= 15
    for one in found:
        for key, value in one["properties"].items():
            assert len(value["description"]) > 5, key
        free = one is SCHEMA["properties"]["option"] or "first_action" in one["properties"]
        # A sheet may have what is seen in a deal of somebody's own, which is as strictly described as up cards are.
        assert one["additionalProperties"] == ({"$ref": "#/$defs/view"} if one is SCHEMA else free)
        assert free or set(one["properties"]) - set(one["required"]) == (OPTIONAL if one is SCHEMA else set())


def test_every_key_of_the_option_is_described():
    option = payload("HM-2")["option"]
    described = SCHEMA["properties"]["option"]["properties"]
    assert set(option) == set(described)
    assert set(option["decisions"][0]) == set(described["decisions"]["items"]["properties"])


def test_no_key_of_the_schema_is_dead():
    used = set().union(*(payload(id) for id in PAYTABLES))
    # Variants, and sheets with counting or a pace, are held against the schema where they are tested.
    assert set(SCHEMA["properties"]) - used <= {"blackjack_rules", "watching", "pace", "variant"}


def test_sheet_without_a_key_is_refused():
    sheet = short("TRI-04")
    needed = set(SCHEMA["properties"]) - OPTIONAL
    left = {key: value for key, value in sheet.items() if key not in needed}
    assert sorted(errors(left)) == sorted(f"$: '{key}' is a required property" for key in needed)
    assert errors({key: value for key, value in sheet.items() if key != "cycle"}) == [
        "$: 'cycle' is a required property"
    ]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["house_edge"], 0.25),
        (["house_edge"], "0.25"),
        (["house_edge"], "1/-3"),
        (["house_edge"], "__import__('os')"),
        (["house_edge"], None),
        (["cycle"], 22100.5),
        (["cycle"], "22100"),
        (["cycle"], True),
        (["standard_deviation"], "3.14"),
        (["standard_deviation"], "sqrt(-1/2)"),
        (["data_sha256"], "00"),
        (["data_sha256"], "G" * 64),
        (["data_sha256"], "A" * 64),
        (["identification", "input_sha256"], "0" * 63),
        (["identification", "date"], "16.11.2026"),
        (["format"], "combinat par sheet 1"),
        (["format"], "combinat par sheet 4"),
        (["basis"], "somehow"),
        (["bases", "hold"], "somehow"),
        (["bases", "comment"], "wager alone"),
        (["deck_sensitivity", 0, "basis"], None),
        (["awards"], []),
        (["awards", 0, "ways"], -1),
        (["awards", 0, "probability"], "-1/3"),
        (["awards", 0, "probability"], 2),
        (["awards", 0, "unit"], "per 1"),
        (["awards", 0, "example"], {"player": ["7x"]}),
        (["awards", 0, "comment"], "new"),
        (["loses", "comment"], "new"),
        (["checks", 0, "result"], "fine"),
        (["deck_sensitivity", 0, "decks"], "many"),
        (["expectation", 0, "least_hold"], "0.1"),
        (["comment"], "new"),
        (["comment"], []),
        (["comment"], [{"name": "new"}]),
        (["deal"], ""),
        (["deal"], "x" * 2001),
        (["derivation", 0, "steps", 0, "comment"], "new"),
        (["derivation", 0, "steps", 0, "ways"], "many"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_spoiled_sheet_is_refused(path, value):
    sheet = short("TRI-04")  # which is as the schema says
    *outer, last = path
    place = sheet
    for step in outer:
        place = place[step]
    place[last] = value
    assert not VALIDATOR.is_valid(sheet)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("exact", [0, -3, 10**30, "1/3", "-10/7"], ["3", "1/0", "0/3", "+1/3", "1/3 ", "1.5", "", "1/3/4"]),
        ("probability", [0, 1, "1/3"], [2, -1, "-1/3", "1"]),
        (
            "exact_in_meters",
            ["Mega", "-1/3*Mega + 5/7", "2*Mega**2*Major - Minor", "3/155155*meter + 10022/22165"],
            ["5", "Mega +", "Mega + + 1", "2Mega", "Mega*2", "Mega^2", "(Mega)", "-", "Mega - -1"],
        ),
        ("root", ["sqrt(2)", "-sqrt(1/2)", "sqrt(0)"], ["sqrt(-2)", "sqrt()", "sqrt(1/0)", "2", "sqrt(01)"]),
        ("card", ["7h", "10s", "Ac"], ["1h", "Th", "7", "h7", "11h"]),
    ],
)
def test_texts_of_exact_values_are_told_from_others(kind, good, bad):
    one = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})
    assert [value for value in good if not one.is_valid(value)] == []
    assert [value for value in [*bad, 0.5, None] if one.is_valid(value)] == []
