"""Answers match the JSON Schema that is generated from their Structs."""

import pytest
from jsonschema import Draft202012Validator

from combinat import analyze, compare, formula, sensitivity
from combinat.figures import ANSWER_GROUPS, figures_in
from combinat.results.analysis import AnalysisAnswer
from combinat.results.answer import answer_schema
from combinat.results.comparison import ComparisonAnswer
from combinat.results.formula import FormulaAnswer
from combinat.results.sensitivity import SensitivityAnswer
from tests.parlay import small_shoe
from tests.sheets import WITH_FEW_RANKS, find_paytable

ANALYSES = {
    "fixed": lambda: analyze("TRI-03", [2, 6]),
    "variant": lambda: analyze(["TRI-03"], 6, pays={"Flush": 6}, removed="7h"),
    "dealer with up card": lambda: analyze(["BB-1"], 6),
    "given an up card": lambda: analyze(["BB-1"], 6, up="8"),
    "meters": lambda: analyze(["BLZ-1-UP", "SOB-EXAMPLE"], 6),
    "given meters": lambda: analyze(["BLZ-1-UP"], 6, meters=25000),
    "parlay": lambda: analyze(["HM-2"], small_shoe(), max_hands=2),
    "parlay by a chart": lambda: analyze(["HM-2"], small_shoe(), max_hands=2, strategy="basic"),
    "baccarat": lambda: analyze(["BAC-LUCKY-6"], 8),
    "Lucky 9": lambda: analyze([find_paytable("L9" + WITH_FEW_RANKS)], 1, any_decks=True),
    "added awards": lambda: analyze([find_paytable("MATCH-THE-DEALER-4-19")], 2),
    "wheel": lambda: analyze([find_paytable("NEXT-STEP")], 1, any_decks=True),
}


def errors(answers, *structs):
    """Return the differences of answers from the schema of their Structs, which must name every key."""
    schema = answer_schema(structs)
    Draft202012Validator.check_schema(schema)
    for definition in schema["$defs"].values():
        definition["additionalProperties"] = False
    return [f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(schema).iter_errors(answers)]


@pytest.mark.parametrize("build", ANALYSES.values(), ids=ANALYSES)
def test_analysis_matches_its_schema(build):
    assert errors(build().to_dict(), AnalysisAnswer) == []


@pytest.mark.parametrize(
    ("bets", "options"),
    [
        (["TRI-03", "TRI-04"], {"decks": [2, 6]}),
        ("TRI-03", {"decks": 6, "pays": "Flush=6"}),
        (["TRI-03", "BLZ-1-UP", "BB-1"], {"decks": [2, 6]}),
        ("HM-2", {"decks": small_shoe(), "max_hands": 2}),
    ],
)
def test_comparison_matches_its_schema(bets, options):
    assert errors(compare(bets, **options).to_dict(), ComparisonAnswer) == []


@pytest.mark.parametrize(
    ("bets", "options"),
    [
        (["TRI-03", "BB-1"], {"decks": [2, 6], "edge": "3%..5%"}),
        ("BLZ-1-UP", {"decks": 6}),
        ("SOB-EXAMPLE", {"decks": 6, "seed": ["5000"], "rate": ["8%"]}),
        ("HM-2", {"decks": small_shoe(), "max_hands": 2}),
    ],
)
def test_sensitivity_matches_its_schema(bets, options):
    assert errors(sensitivity(bets, **options).to_dict(), SensitivityAnswer) == []


@pytest.mark.parametrize("bet", ["TRI-03", "BB-1", "BLZ-1-UP"])
def test_formula_matches_its_schema(bet):
    assert errors([formula(bet).to_dict()], FormulaAnswer) == []


def test_schema_describes_every_figure():
    properties = answer_schema([AnalysisAnswer])["$defs"]["AnalysisAnswer"]["properties"]
    for figure in figures_in(*ANSWER_GROUPS):
        assert properties[figure.key]["description"] == figure.meaning
