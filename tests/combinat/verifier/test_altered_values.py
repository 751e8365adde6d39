"""Every number of a sheet is altered in turn, with a new fingerprint: it is named, or listed as not checked."""

import copy
import json
import re
from fractions import Fraction

import pytest

from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.load import parse_bet
from combinat.blackjack.rules import BlackjackRules
from combinat.study import build_study
from combinat.verifier import UnreadableError, verify
from combinat.verifier.check import compared, derived_of
from combinat.verifier.compare import INPUTS, TOP, Verdict
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet, data_fingerprint
from tests.parlay import TWO_HANDS as QUICK_TABLE
from tests.parlay import small_shoe
from tests.sheets import FEW_CARDS, WITH_FEW_RANKS, derive_sheet, find_paytable, read_sheet
from tests.slow_cases import slow_case, slow_cases

QUICK = [("TRI-04", 2), ("BLZ-1-UP", 6), ("TBJ-06-2024", 6)]


def fields_of(paytable):
    """What decides which fields a sheet has; its other inputs only change their values."""
    bet, levels = paytable.bet, [len(system.levels) for system in paytable.systems]
    units = {(award.pay.unit, award.pay.meter is None) for award in paytable.awards}
    told = bool(paytable.published), bool(paytable.requires), bool(paytable.other_interpretation), paytable.is_example
    return str(bet.deal), bet.condition is None, bet.option, tuple(levels), frozenset(units), told


FROM_FEW_RANKS = ("TRILXDLX-01", "L9-")
"""Sheets whose best play takes long; House Money keeps all ranks, since other tests use it too."""


def case_of(paytable, decks):
    """Return a sheet as `made` takes it, without splits: the fields are the same and best play is fast."""
    id = paytable.id + (WITH_FEW_RANKS if paytable.id.startswith(FROM_FEW_RANKS) else "")
    return (id, paytable.decks[0], (("hands", "1"),)) if paytable.bet.deal.settings else (id, decks, ())


EVERY = [
    case_of(one, one.decks[at % len(one.decks)])
    for at, one in enumerate({fields_of(paytable): paytable for paytable in iter_collection()}.values())
]
"""One paytable of each kind at one deck count: the fields are the same at all."""
NUMBER = re.compile(r"-?(sqrt\()?[\d,]+(\.\d+)?(/\d+)?\)?%?")


WITHOUT_SPLITS = BlackjackRules(max_hands=1)
"""Nine deck counts with best play are solved twice each; split values are checked with fewer."""
OFTEN_HIT = """
bet = "Pairs"
deal = "player:2"
[[paytable]]
id = "PAIRS"
title = "Pairs"
decks = 2
awards = [
  { name = "Pair", when = "pair", pays = "100% of meter" },
  { name = "Suited", when = "suited", pays = "50% of meter" },
  { name = "A seven", when = "has(7)", pays = "2 for 1" },
]
[[paytable.meters]]
basis = "Made up: hit so often that what many plays bring is soon followed."
levels = [{ name = "meter", seed = 6, rate = "10%" }]
"""


@pytest.fixture(scope="module")
def often_hit():
    (paytable,), problems = parse_bet(OFTEN_HIT, "pairs.toml")
    assert problems == ()
    payload = json.loads(json.dumps(build_par_sheet(build_study(paytable, Shoe(2))).payload))
    assert verify(payload).differences == []
    return payload


@pytest.fixture(scope="module")
def rides_quickly():
    """A sheet with a parlay from a shoe so small that best play is solved quickly."""
    return read_sheet("HM-2", FEW_CARDS)


def sheet(id, decks, settings=()):
    return read_sheet(id, decks, *settings)


def leaves(value, path=()):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
    else:
        for key, part in inner:
            yield from leaves(part, (*path, key))


def is_number(value):
    is_text = isinstance(value, str) and (NUMBER.fullmatch(value) or "*" in value)
    return (isinstance(value, int) and not isinstance(value, bool)) or bool(is_text)


def another(value):
    """Return another number of the same form."""
    if isinstance(value, int):
        return value + 1
    place = max(index for index, sign in enumerate(value) if sign.isdigit())
    return f"{value[:place]}{(int(value[place]) + 1) % 10}{value[place + 1 :]}"


def with_another(payload, path, value):
    """Return the payload with another value; only the path to it is copied."""
    changed = place = copy.copy(payload)
    for key in path[:-1]:
        place[key] = copy.copy(place[key])
        place = place[key]
    place[path[-1]] = value
    return changed


def altered(payload, path, value):
    changed = with_another(payload, path, value)
    return changed | {"data_sha256": data_fingerprint(changed)}


def is_named(payload, derived, path, value):
    """Return whether a number is named by comparing its row, as every row is."""
    row, expected = payload, derived.figures
    for key in path[:-1]:
        known = (
            key in expected if isinstance(expected, dict) else isinstance(expected, list) and len(expected) == len(row)
        )
        if not known:
            return False
        row, expected = row[key], expected[key]
    verdict = Verdict()
    verdict.compare(with_another(row, path[-1:], value), expected, TOP.under(path[0]))
    return bool(verdict.differences)


def name_of(path):
    """Return the field as lists of unchecked fields name it."""
    return re.sub(r"\.\[\]", "[]", ".".join("[]" if isinstance(key, int) else key for key in path))


def is_input(path):
    """Return whether a number is an input of all others."""
    return any(key in INPUTS for key in path) or path[0] in ("meters", "identification")


def is_listed(verdict, path):
    name = name_of(path)
    listed = [row["key"] for row in verdict.coverage["not_checked"]]
    return any(name == one or name.startswith((f"{one}.", f"{one}[", f"{one} ")) for one in listed)


def unnoticed(payload, step=1, derived=None):
    """Return the numbers that can be altered without being named or listed; inputs need the whole check."""
    derived = derived or derived_of(payload)
    assert compared(payload, derived).differences == []
    numbers = [(path, value) for path, value in leaves(payload) if is_number(value) and path != ("data_sha256",)]
    for path, value in numbers[::step]:
        if not is_input(path) and not is_named(payload, derived, path, another(value)):
            changed = altered(payload, path, another(value))
            figures = {**derived.figures, "data_sha256": changed["data_sha256"]}
            verdict = compared(changed, derived._replace(figures=figures))
            if not any(difference.startswith(path[0]) for difference in verdict.differences) and not is_listed(
                verdict, path
            ):
                yield path


@slow_cases("BLZ-1-UP-6")
@pytest.mark.parametrize(("id", "decks"), QUICK)
def test_every_altered_number_is_named_or_not_checked(id, decks):
    assert list(unnoticed(sheet(id, decks), 11, derive_sheet(id, decks))) == []  # a sample; the next test takes all


@pytest.mark.slow
@pytest.mark.parametrize(("id", "decks", "settings"), EVERY)
def test_every_altered_number_of_catalog_sheets_is_named(id, decks, settings):
    assert list(unnoticed(sheet(id, decks, settings))) == []


@slow_cases("BLZ-1-UP-6")
@pytest.mark.parametrize(("id", "decks"), QUICK)
def test_only_texts_and_inputs_are_unchecked(id, decks):
    why = {row["key"]: row["reason"] for row in sheet(id, decks)["verification"]["not_checked"]}
    words = {
        "identification",
        "input_files",
        "paytable",
        "title",
        "bet",
        "awards[].rule_in_words",
        "requires",
        "example",
        "notes",
    }
    inputs = {"the inputs: deal, shoe, rules, pays, terms of the meters, and requirements of tests"}
    assert set(why) <= words | inputs | {"sources", "meter.basis"}
    assert all(why.values())
    assert "not checked by the verifier" not in why.values()


INPUT_PATHS = [
    *[("decks",), ("designed_decks", 0), ("meter_wager",), ("awards", 2, "pays_text")],
    *[("meter", "levels", 0, "seed"), ("meter", "levels", 0, "rate"), ("meter", "levels", 0, "reserve")],
    *[
        ("meter", "levels", 0, "rate_after_cap"),
        ("meter", "wager"),
        ("exposure", "max_wager"),
        ("published", 0, "text"),
    ],
]


def of_the_meter(path):
    """Return whether a number is a pay or a meter term, so that the outlook is computed again."""
    return path[0] in ("meter", "meter_wager") or path[-1] == "pays_text"


def noticed(payload, path):
    place = payload
    for key in path:
        place = place[key]
    try:
        return bool(verify(altered(payload, path, another(place))).differences)
    except UnreadableError as error:
        return "pay" in str(error)  # "200 for 2" is not a pay


@slow_cases("decks", "designed_decks[]")
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] if of_the_meter(path) else []) for path in INPUT_PATHS],
    ids=name_of,
)
def test_altered_input_is_noticed(path):
    assert noticed(sheet("METERS", 6), path)


@pytest.mark.parametrize("path", [path for path in INPUT_PATHS if of_the_meter(path)], ids=name_of)
def test_altered_meter_input_is_noticed(often_hit, path):
    assert noticed(often_hit, path)


@pytest.mark.parametrize("step", [slow_case(1, id="every"), pytest.param(7, id="some")])
def test_every_altered_number_of_an_option_is_named(rides_quickly, step):
    known = derive_sheet("HM-2", FEW_CARDS)
    assert list(unnoticed(rides_quickly, step, known)) == []
    assert len(rides_quickly["results"]) == 2
    exposure = rides_quickly["exposure"]
    assert exposure["basis"] == "best play"
    assert Fraction(exposure["largest_win"]) > Fraction(exposure["largest_win_without_option"])
    for key, value in exposure["largest_by"].items():
        assert is_named(rides_quickly, known, ("exposure", "largest_by", key), f"{value} or another")


@pytest.mark.slow
def test_every_altered_number_of_a_chart_sheet_is_named():
    payload = build_par_sheet(
        build_study(get_paytable("HM-2"), small_shoe(), strategy="basic", rules=QUICK_TABLE)
    ).payload
    assert payload["option"]["strategy"] == "basic"
    assert list(unnoticed(json.loads(json.dumps(payload)))) == []


@pytest.mark.slow
def test_every_altered_number_of_a_best_play_sheet_is_named():
    """All nine rows of the deck table have a headline, and each altered number in them is named."""
    paytable = find_paytable("HM-2" + WITH_FEW_RANKS)
    studied = build_study(paytable, Shoe(1, paytable.bet.pack), rules=WITHOUT_SPLITS, other_decks=True)
    payload = json.loads(json.dumps(build_par_sheet(studied).payload))
    assert all(row["headline"] is not None for row in payload["deck_sensitivity"])
    assert len(payload["deck_sensitivity"]) == 9
    assert list(unnoticed(payload)) == []


CHANGES = [
    (("volatility_index", 0, "z"), "1.644853"),
    (("awards", 0, "name"), "Three sevens"),
    (("designed_decks",), [6, 8]),
    (("meter", "levels", 0, "deducted"), False),
    (("meter", "levels", 0, "cap"), 5000),
    (("meter", "all_pays_deducted"), True),
    (("meter", "basis"), None),
    (("published", 0, "is_check"), True),
    (("flags",), []),
    (("results",), []),
    (("outlook",), []),
    (("rounds",), []),
    (("meter",), None),
    (("verification", "not_checked"), []),
    (("checks", 3, "result"), "DIFFERS"),
]


@pytest.mark.parametrize(
    ("path", "value"),
    [one for one in CHANGES if not of_the_meter(one[0])],
    ids=lambda value: name_of(value) if isinstance(value, tuple) else "",
)
def test_change_with_a_valid_fingerprint_is_noticed(path, value):
    assert verify(altered(sheet("METERS", 6), path, value)).differences


@pytest.mark.parametrize(
    ("path", "value"),
    [one for one in CHANGES if of_the_meter(one[0])],
    ids=lambda value: name_of(value) if isinstance(value, tuple) else "",
)
def test_meter_change_with_a_valid_fingerprint_is_noticed(often_hit, path, value):
    assert verify(altered(often_hit, path, value)).differences


def test_sheet_and_verifier_list_the_same_unchecked_fields():
    payload = sheet("TRI-04", 2)
    verdict = verify(payload)
    assert verdict.coverage == payload["verification"]
    assert sum(row["figures"] for row in verdict.coverage["checked"]) <= verdict.checked
    printed = "\n".join(verdict.listed)
    for row in payload["verification"]["checked"]:
        assert f"checked: {row['part']}, {row['figures']}, by {row['by']}" in printed
    for row in payload["verification"]["not_checked"]:
        assert f"not checked: {row['key']}: {row['reason']}" in printed


def test_fitted_hold_is_no_check():
    payload = sheet("METERS", 6)
    (hold,) = [row for row in payload["published"] if row["figure"] == "hold"]
    assert (hold["agrees"], hold["is_check"]) == (True, False)
    results = {row["check"]: row["result"] for row in payload["checks"]}
    assert results["Published hold of 24.73%"] == "not a check: the rate and seeds were chosen to give it"
    assert results["Published hit frequency of 42.31%"] == "agrees"
    assert any("inferred" in flag for flag in payload["flags"])
    assert Fraction(payload["hold"]) == Fraction(payload["results"][0]["house_edge"])


@pytest.fixture(scope="module")
def house_money():
    """The sheet of one deck without best play at other deck counts, which takes long."""
    return sheet("HM-2", 1)


@pytest.mark.slow
def test_consistent_change_with_a_deleted_section_is_caught(house_money):
    """An edge of 4.21% becomes -20.3% everywhere, one section is deleted, the fingerprint is recomputed."""
    said, instead = Fraction(house_money["house_edge"]), Fraction(-203, 1000)
    changed = copy.deepcopy(house_money)
    changed |= {"house_edge": str(instead), "return": str(1 - instead), "expected_value": str(-instead)}
    changed |= {"hold": str(instead), "favors_player": True}
    changed["results"][0]["house_edge"] = str(instead)
    changed["option"]["gain"] = str(Fraction(changed["option"]["gain"]) + said - instead)
    del changed["derivation"]
    verdict = verify(changed | {"data_sha256": data_fingerprint(changed)})
    named = {difference.split(":")[0] for difference in verdict.differences}
    assert {"house_edge", "return", "expected_value", "hold", "option.gain", "derivation"} <= named


@pytest.mark.slow
def test_decisions_of_split_hands_are_checked(house_money):
    """The gain per unit of a split pair, altered with everything that follows from it."""
    rows = house_money["option"]["decisions"]
    place, row = next((index, row) for index, row in enumerate(rows) if row["first_action"] == "split")
    changed = copy.deepcopy(house_money)
    changed["option"]["decisions"][place]["value"] = another(row["value"])
    verdict = verify(changed | {"data_sha256": data_fingerprint(changed)})
    assert any(f"{row['hand']} against {row['up']}: value" in difference for difference in verdict.differences)
    changed = altered(house_money, ("option", "decisions", place, "first_action"), "hit")
    assert any("first_action" in difference for difference in verify(changed).differences)


@pytest.mark.slow
def test_no_altered_number_of_an_option_is_missed(house_money):
    assert list(unnoticed(house_money, 7)) == []
    why = {row["key"] for row in house_money["verification"]["not_checked"]}
    assert not [one for one in why if one.startswith(("option.decisions", "deck_sensitivity", "results", "variance"))]
