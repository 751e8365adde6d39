"""Every number of a sheet altered in turn, its fingerprint recomputed: it is named, or listed as not checked."""

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
from tests.riding import QUICK as QUICK_TABLE
from tests.riding import small_shoe
from tests.sheets import FEW, OF_FEW_RANKS, derived, paytable_of, read

QUICK = [("TRI-04", 2), ("BLZ-1-UP", 6), ("TBJ-06-2024", 6)]


def fields_of(paytable):
    """What the fields of a paytable's sheet go by; its other numbers only fill them."""
    bet, levels = paytable.bet, [len(system.levels) for system in paytable.systems]
    units = {(award.pay.unit, award.pay.meter is None) for award in paytable.awards}
    told = bool(paytable.published), bool(paytable.requires), bool(paytable.other_reading), paytable.is_example
    return str(bet.deal), bet.given is None, bet.option, tuple(levels), frozenset(units), told


FROM_FEW_RANKS = ("TRILXDLX-01", "L9-")
"""Where best play is worked out for long; that of House Money is from all ranks, which other tests read too."""


def case_of(paytable, decks):
    """A sheet as `made` takes it; best play takes long with splits, and the fields are the same without."""
    id = paytable.id + (OF_FEW_RANKS if paytable.id.startswith(FROM_FEW_RANKS) else "")
    return (id, paytable.decks[0], (("hands", "1"),)) if paytable.bet.deal.settings else (id, decks, ())


EVERY = [
    case_of(one, one.decks[at % len(one.decks)])
    for at, one in enumerate({fields_of(one): one for one in iter_collection()}.values())
]
"""A paytable of each kind, with one of its numbers of decks, for its fields are the same with all."""
NUMBER = re.compile(r"-?(sqrt\()?[\d,]+(\.\d+)?(/\d+)?\)?%?")


WITHOUT_SPLITS = BlackjackRules(max_hands=1)
"""Of nine best plays each is found twice: what a split is worth is looked at with fewer."""
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
    """A sheet whose winnings can ride, from a shoe so small that best play is soon found for it again."""
    return read("HM-2", FEW)


def sheet(id, decks, settings=()):
    return read(id, decks, *settings)


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
    """Another number of the same form."""
    if isinstance(value, int):
        return value + 1
    place = max(at for at, sign in enumerate(value) if sign.isdigit())
    return f"{value[:place]}{(int(value[place]) + 1) % 10}{value[place + 1 :]}"


def with_another(payload, path, value):
    """The payload with another value; only what is on the way to it is copied."""
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
    """Whether a number is named as soon as the row that it stands in is compared, as every row is."""
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
    """The field that a list of unchecked ones would name."""
    return re.sub(r"\.\[\]", "[]", ".".join("[]" if isinstance(key, int) else key for key in path))


def is_input(path):
    """Whether a number is one of those that all others are worked out from."""
    return any(key in INPUTS for key in path) or path[0] in ("meters", "identification")


def is_listed(verdict, path):
    name = name_of(path)
    listed = [row["what"] for row in verdict.coverage["not_checked"]]
    return any(name == one or name.startswith((f"{one}.", f"{one}[", f"{one} ")) for one in listed)


def unnoticed(payload, step=1, derived=None):
    """The numbers that can be altered without being named or listed; inputs are left to the whole check."""
    derived = derived or derived_of(payload)
    assert compared(payload, derived).differences == []
    numbers = [(path, value) for path, value in leaves(payload) if is_number(value) and path != ("data_sha256",)]
    for path, value in numbers[::step]:
        if not is_input(path) and not is_named(payload, derived, path, another(value)):
            changed = altered(payload, path, another(value))
            figures = {**derived.figures, "data_sha256": changed["data_sha256"]}
            verdict = compared(changed, derived._replace(figures=figures))
            if not any(one.startswith(path[0]) for one in verdict.differences) and not is_listed(verdict, path):
                yield path


@pytest.mark.parametrize(("id", "decks"), QUICK)
def test_every_number_altered_in_turn_is_named_or_its_field_is_listed_as_not_checked(id, decks):
    assert list(unnoticed(sheet(id, decks), 11, derived(id, decks))) == []  # some of them; the next takes every one


@pytest.mark.slow
@pytest.mark.parametrize(("id", "decks", "settings"), EVERY)
def test_every_number_of_every_sheet_of_the_catalog_is_named_or_listed(id, decks, settings):
    assert list(unnoticed(sheet(id, decks, settings))) == []


@pytest.mark.parametrize(("id", "decks"), QUICK)
def test_nothing_but_words_and_what_everything_follows_from_is_unchecked(id, decks):
    why = {row["what"]: row["why"] for row in sheet(id, decks)["verification"]["not_checked"]}
    words = {"identification", "paytable", "title", "bet", "awards[].rule_in_words", "requires", "example", "notes"}
    inputs = {"what the sheet says of the bet: deal, shoe, rules, pays, how meters are run; and what tests ask"}
    assert set(why) <= words | inputs | {"sources", "meter.basis"}
    assert all(why.values())
    assert "not reached by the second method" not in why.values()


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
    """Whether a number says what is paid or how a meter is run, so that all that many plays bring is followed anew."""
    return path[0] in ("meter", "meter_wager") or path[-1] == "pays_text"


def noticed(payload, path):
    place = payload
    for key in path:
        place = place[key]
    try:
        return bool(verify(altered(payload, path, another(place))).differences)
    except UnreadableError as error:
        return "pay" in str(error)  # "200 for 2" is no pay


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] if of_the_meter(path) else []) for path in INPUT_PATHS],
    ids=name_of,
)
def test_an_altered_input_is_noticed_by_the_whole_check(path):
    assert noticed(sheet("METERS", 6), path)


@pytest.mark.parametrize("path", [path for path in INPUT_PATHS if of_the_meter(path)], ids=name_of)
def test_an_altered_input_of_a_meter_is_noticed_by_the_whole_check(often_hit, path):
    assert noticed(often_hit, path)


@pytest.mark.parametrize("step", [pytest.param(1, id="every", marks=pytest.mark.slow), pytest.param(7, id="some")])
def test_every_number_of_a_sheet_with_an_option_is_named(rides_quickly, step):
    known = derived("HM-2", FEW)
    assert list(unnoticed(rides_quickly, step, known)) == []
    assert len(rides_quickly["results"]) == 2
    exposure = rides_quickly["exposure"]
    assert exposure["basis"] == "best play"
    assert Fraction(exposure["largest_win"]) > Fraction(exposure["largest_win_without_option"])
    for key, value in exposure["largest_by"].items():
        assert is_named(rides_quickly, known, ("exposure", "largest_by", key), f"{value} or another")


@pytest.mark.slow
def test_every_number_of_a_sheet_that_goes_by_a_chart_is_named():
    payload = build_par_sheet(
        build_study(get_paytable("HM-2"), small_shoe(), strategy="basic", rules=QUICK_TABLE)
    ).payload
    assert payload["option"]["strategy"] == "basic"
    assert list(unnoticed(json.loads(json.dumps(payload)))) == []


@pytest.mark.slow
def test_every_number_of_a_sheet_with_best_play_at_every_number_of_decks_is_named():
    """All nine rows of the deck table have a headline, and each number in them is named if it is altered."""
    paytable = paytable_of("HM-2" + OF_FEW_RANKS)
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
    (("expectation",), []),
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
def test_what_is_changed_or_deleted_is_noticed_although_the_fingerprint_fits(path, value):
    assert verify(altered(sheet("METERS", 6), path, value)).differences


@pytest.mark.parametrize(
    ("path", "value"),
    [one for one in CHANGES if of_the_meter(one[0])],
    ids=lambda value: name_of(value) if isinstance(value, tuple) else "",
)
def test_what_is_changed_of_a_meter_is_noticed_although_the_fingerprint_fits(often_hit, path, value):
    assert verify(altered(often_hit, path, value)).differences


def test_the_sheet_and_the_second_method_print_the_same_list():
    payload = sheet("TRI-04", 2)
    verdict = verify(payload)
    assert verdict.coverage == payload["verification"]
    assert sum(row["figures"] for row in verdict.coverage["checked"]) <= verdict.checked
    printed = "\n".join(verdict.listed)
    for row in payload["verification"]["checked"]:
        assert f"checked: {row['part']}, {row['figures']}, by {row['by']}" in printed
    for row in payload["verification"]["not_checked"]:
        assert f"not checked: {row['what']}: {row['why']}" in printed


def test_a_hold_that_terms_were_fitted_to_is_no_check():
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
    """The sheet of one deck, best play at all others left out, which takes long."""
    return sheet("HM-2", 1)


@pytest.mark.slow
def test_an_edge_changed_with_all_that_follows_from_it_and_a_section_deleted_is_caught(house_money):
    """Edge 4.21% made -20.3% wherever it stands, one section away, the fingerprint recomputed."""
    said, instead = Fraction(house_money["house_edge"]), Fraction(-203, 1000)
    changed = copy.deepcopy(house_money)
    changed |= {"house_edge": str(instead), "return": str(1 - instead), "expected_value": str(-instead)}
    changed |= {"hold": str(instead), "favors_player": True}
    changed["results"][0]["house_edge"] = str(instead)
    changed["option"]["gain"] = str(Fraction(changed["option"]["gain"]) + said - instead)
    del changed["derivation"]
    verdict = verify(changed | {"data_sha256": data_fingerprint(changed)})
    named = {one.split(":")[0] for one in verdict.differences}
    assert {"house_edge", "return", "expected_value", "hold", "option.gain", "derivation"} <= named


@pytest.mark.slow
def test_a_decision_of_a_split_hand_is_looked_at(house_money):
    """What a unit gains on a pair that is split, altered with all that follows from it."""
    rows = house_money["option"]["decisions"]
    place, row = next((at, row) for at, row in enumerate(rows) if row["first_action"] == "split")
    changed = copy.deepcopy(house_money)
    changed["option"]["decisions"][place]["value"] = another(row["value"])
    verdict = verify(changed | {"data_sha256": data_fingerprint(changed)})
    assert any(f"{row['hand']} against {row['up']}: value" in one for one in verdict.differences)
    changed = altered(house_money, ("option", "decisions", place, "first_action"), "hit")
    assert any("first_action" in one for one in verify(changed).differences)


@pytest.mark.slow
def test_no_number_of_a_sheet_with_an_option_goes_unnoticed(house_money):
    assert list(unnoticed(house_money, 7)) == []
    why = {row["what"] for row in house_money["verification"]["not_checked"]}
    assert not [one for one in why if one.startswith(("option.decisions", "deck_sensitivity", "results", "variance"))]
