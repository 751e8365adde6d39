"""The published JSON Schema accepts real sheets and refuses altered ones."""

from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

from combinat.bets.catalog import get_paytable
from combinat.results.par_sheet import sheet_schema
from combinat.study import build_study
from decks import Shoe, parse_cards
from reports.cli.reference import sheet_page
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from tests.sheets import FEW_CARDS, WITH_FEW_RANKS, WITHOUT_SPLITS, find_paytable, read_sheet
from tests.slow_cases import slow_cases

SCHEMA = sheet_schema()

VALIDATOR = Draft202012Validator(SCHEMA)
# One paytable for each feature: ordered roles, an option, a drawing dealer, known and unknown meters, an example, a
# round with decisions, awards that add up, dice.
PAYTABLES = ["TRI-04", "METERS", "21+3-PT2", "TBJ-06-2024", "HM-2", "BUSTS", "BN9-EXAMPLE", "SUP-01", "FEW-TIE"]
PAYTABLES += ["MATCH-THE-DEALER-4-19", "NEXT-STEP", "BB-1"]
OPTIONAL = {"eligibility", "house_edge_without_option", "return_without_option", "expected_value_without_option"}
OPTIONAL |= {"variance_bounds", "variance_without_option"}
OPTIONAL |= {"standard_deviation_bounds", "standard_deviation_without_option"}
OPTIONAL |= {"house_edge_bounds", "return_bounds", "expected_value_bounds"}
OPTIONAL |= {"option", "settings", "play", "decisions", "all_matches", "wheels", "card_counting", "pace"}
OPTIONAL |= {"variant"}
BOUNDS = {key for key in OPTIONAL if key.endswith("_bounds")}
WITH_OPTIONAL_KEYS = {"DeckHeadlineAnswer", "MetersSection", "MeterLevelAnswer", "MeterTerms", "TaxAnswer"}


def load_payload(id):
    """Return a sheet's payload as read from its JSON file."""
    decks = find_paytable(id).decks
    if id == WITHOUT_SPLITS[0]:
        return read_sheet(*WITHOUT_SPLITS)
    return read_sheet(id, FEW_CARDS if id == "HM-2" else 6 if 6 in decks else decks[0])


def load_short_payload(id):
    """Return a payload with only two rows of each table."""
    return {key: value[:2] if isinstance(value, list) else value for key, value in load_payload(id).items()}


def schema_errors(sheet):
    return [f"{error.json_path}: {error.message[:200]}" for error in VALIDATOR.iter_errors(sheet)]


def test_schema_is_valid():
    assert schema_errors(load_short_payload("TRI-04")) == []
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["title"] == load_payload("TRI-04")["format"] == SCHEMA["$id"].replace("-", " ")
    assert "/" not in SCHEMA["$id"]
    assert ":" not in SCHEMA["$id"]


@slow_cases("MATCH-THE-DEALER-4-19", "NEXT-STEP", "21+3-PT2", "BN9-EXAMPLE", "SUP-01")
@pytest.mark.parametrize("id", PAYTABLES)
def test_sheet_fits_the_schema(id):
    assert schema_errors(load_payload(id)) == []


@pytest.mark.slow
def test_sheet_of_best_play_fits_the_schema():
    assert schema_errors(load_payload("L9" + WITH_FEW_RANKS)) == []


def test_sheet_of_a_depleted_shoe_fits_the_schema():
    shoe = Shoe(2, removed=parse_cards("7h 7d Ks"))
    identity = Identity("D-7", "2", "2026-11-16", "Ann", "Ben", "Washington")
    sheet = build_par_sheet(
        build_study(get_paytable("TBJ-06-2024"), shoe, {"meter": Fraction(1001, 2)}), identity, Fraction(25)
    )
    assert sheet.payload["meters"] == {"meter": "1001/2"}
    assert schema_errors(sheet.payload) == []


def test_every_key_is_described():
    schemas = [SCHEMA, *(part for part in SCHEMA["$defs"].values() if "properties" in part)]
    assert len(schemas) >= 15
    for schema in schemas:
        for key, value in schema["properties"].items():
            assert len(value["description"]) > 5, key
        if schema is SCHEMA:  # a sheet may have tables by other exposed cards
            assert schema["additionalProperties"]["type"] == "array"
            assert set(schema["properties"]) - set(schema["required"]) == OPTIONAL
        else:
            assert schema["additionalProperties"] is False
            optional = set(schema["properties"]) - set(schema["required"])
            assert not optional or schema["title"] in WITH_OPTIONAL_KEYS, optional


def test_every_key_of_the_option_is_described():
    option = load_payload("HM-2")["option"]
    assert set(option) == set(SCHEMA["$defs"]["SheetOptionAnswer"]["properties"])
    assert set(option["decisions"][0]) == set(SCHEMA["$defs"]["OptionDecisionAnswer"]["properties"])


@pytest.mark.slow  # fast: test_sheet_fits_the_schema
def test_every_schema_key_is_used():
    used = set().union(*(load_payload(id) for id in PAYTABLES))
    # Variants, and sheets with counting or a pace, are validated in their own tests.
    assert set(SCHEMA["properties"]) - used <= {"card_counting", "pace", "variant"} | BOUNDS


def test_missing_key_is_refused():
    sheet = load_short_payload("TRI-04")
    needed = set(SCHEMA["properties"]) - OPTIONAL
    optional_part = {key: value for key, value in sheet.items() if key not in needed}
    assert sorted(schema_errors(optional_part)) == sorted(f"$: '{key}' is a required property" for key in needed)
    assert schema_errors({key: value for key, value in sheet.items() if key != "cycle"}) == [
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
        (["losing_hands", "comment"], "new"),
        (["checks", 0, "result"], "fine"),
        (["deck_sensitivity", 0, "decks"], "many"),
        (["outlook", 0, "least_hold"], "0.1"),
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
def test_invalid_value_is_refused(path, value):
    sheet = load_short_payload("TRI-04")
    *outer, last = path
    container = sheet
    for step in outer:
        container = container[step]
    container[last] = value
    assert not VALIDATOR.is_valid(sheet)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("exact", [0, -3, 10**30, "1/3", "-10/7"], ["3", "1/0", "0/3", "+1/3", "1/3 ", "1.5", "", "1/3/4"]),
        ("probability", [0, 1, "1/3"], [2, -1, "-1/3", "1"]),
        (
            "formula_in_meters",
            ["Mega", "-1/3*Mega + 5/7", "2*Mega**2*Major - Minor", "3/155155*meter + 10022/22165"],
            ["5", "Mega +", "Mega + + 1", "2Mega", "Mega*2", "Mega^2", "(Mega)", "-", "Mega - -1"],
        ),
        ("root", ["sqrt(2)", "-sqrt(1/2)", "sqrt(0)"], ["sqrt(-2)", "sqrt()", "sqrt(1/0)", "2", "sqrt(01)"]),
        ("value", [0, "1/3", "sqrt(2)", "Mega"], ["3", "sqrt(-2)", "2Mega"]),
    ],
)
def test_exact_values_match_the_pattern(kind, good, bad):
    validator = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})
    assert [value for value in good if not validator.is_valid(value)] == []
    assert [value for value in [*bad, 0.5, None] if validator.is_valid(value)] == []


def test_cards_match_the_pattern():
    validator = Draft202012Validator(SCHEMA["properties"]["removed"])
    assert validator.is_valid(["7h", "10s", "Ac", "joker"])
    assert [card for card in ("1h", "Th", "7", "h7", "11h", 0.5, None) if validator.is_valid([card])] == []


def test_reference_of_the_format_names_every_key_and_type():
    page = sheet_page()
    assert all(f"| `{key}` |" in page for key in load_payload("METERS"))
    types = {name for name, definition in SCHEMA["$defs"].items() if "properties" in definition}
    assert all(f"### {name}\n" in page for name in types)
    assert "| exact | " in page
