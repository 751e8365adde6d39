"""Any key or list element deleted from a sheet is named, not only noticed by the fingerprint."""

import copy
import json

import pytest

from combinat.verifier import UnreadableError, verify
from combinat.verifier.check import compared
from combinat.verifier.derive import derive
from combinat.verifier.form import lacking
from reports.answers.studies import study_payload
from reports.sheet.par_sheet import data_fingerprint
from tests.sheets import FEW_CARDS, build_sheet, read_sheet
from tests.sheets import derive_sheet as derived_from
from tests.slow_cases import slow_case, slow_cases

SHEETS = [("TRI-03", 6), ("METERS", 6), ("BUSTS", 2), ("HM-2", FEW_CARDS), ("MATCH-THE-DEALER-4-19", 2)]
WORDS = ("notes", "sources", "rules_of_play", "assumptions", "changed")  # lists of unknown length
INPUTS = ("deal", "given", "pack", "decks", "removed", "designed_decks", "meters", "ordered_by_role")
OF_AWARDS = ("name", "rule", "pays_text", "example")


def form(value):
    """Return which keys occur at which depth, for any values."""
    if isinstance(value, dict):
        return frozenset((key, form(one)) for key, one in value.items())
    return frozenset(map(form, value)) if isinstance(value, list) else None


def places(value, path=()):
    """Yield every key and element at every depth; of similar rows only the first, a middle one and the last."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield (*path, key)
            yield from places(one, (*path, key))
    elif isinstance(value, list) and path[-1] not in WORDS:
        first = {form(one): place for place, one in reversed(list(enumerate(value)))}
        for place in sorted({*first.values(), len(value) // 2, len(value) - 1}) if value else ():
            yield (*path, place)
            yield from places(value[place], (*path, place))


def is_derived_from(path):
    """Return whether figures are derived from a part, so that they must be derived again without it."""
    if path[0] == "all_matches" and len(path) > 1:
        return path[-2] == "times"  # how often awards occur in a sum
    return path[0] in INPUTS or (path[0] == "awards" and (len(path) == 2 or path[2:3] in [(key,) for key in OF_AWARDS]))


def to_be_named(path, sheet):
    """Return what the reader must be told: the missing key, or the list of the missing element."""
    if path[0] == "awards" and len(path) == 2:
        return sheet["awards"][path[1]]["name"]
    if path[0] == "designed_decks":
        return "designed"
    if path[0] == "removed" and len(path) == 2:
        return "cards"  # a card not removed is one more in the shoe
    return "example" if "example" in path[1:] else path[-1] if isinstance(path[-1], str) else path[-2]


def without(sheet, path):
    """Return the sheet without one part."""
    inner = changed = copy.copy(sheet)
    for key in path[:-1]:
        inner[key] = copy.copy(inner[key])
        inner = inner[key]
    del inner[path[-1]]
    return changed


def told(sheet, derived):
    """Return the verdict on a sheet by its form and figures, with everything derived before."""
    figures = {key: value for key, value in derived.figures.items() if key != "data_sha256"}
    return compared(sheet, derived._replace(figures=figures)).differences


def unnoticed_in(sheet, derived, paths):
    """Return the parts whose deletion is not named, with the message given instead."""
    unnoticed = []
    for path in paths:
        if is_derived_from(path) and path[:2] in [("awards", place) for place in range(1, len(sheet["awards"]))]:
            continue  # the first award stands for the others, since deriving takes long
        changed = without(sheet, path)
        try:
            found = told(changed, derive(changed) if is_derived_from(path) else derived)
        except UnreadableError as error:
            found = [str(error)]
        if not any(to_be_named(path, sheet) in one for one in found):
            unnoticed.append((path, found[:3]))
    return unnoticed


@pytest.mark.slow
@pytest.mark.parametrize(("id", "decks"), SHEETS)
def test_any_missing_key_is_named(id, decks):
    sheet = read_sheet(id, decks)
    derived = derive(sheet)
    assert compared(sheet, derived).differences == []
    assert unnoticed_in(sheet, derived, places(sheet)) == []


def names(path):
    """Return the keys on the path to a part, without list indexes."""
    return tuple(part for part in path if isinstance(part, str))


@pytest.mark.slow
def test_missing_keys_of_a_full_deck_sheet_are_named():
    known = {names(path) for path in places(read_sheet("HM-2", FEW_CARDS)) if path[-1] != "derivation"}
    sheet = read_sheet("HM-2", 1)
    paths = [path for path in places(sheet) if names(path) not in known]
    assert {path[0] for path in paths} == {"derivation"}
    assert unnoticed_in(sheet, derive(sheet), paths) == []


def own_paths(id, decks):
    """Yield the parts where a sheet is the first to have a key, or that are in its first rows."""
    sheets = [read_sheet(*one) for one in SHEETS[: SHEETS.index((id, decks)) + 1]]
    first = [
        {path for path in places(one) if all(part == 0 for part in path if isinstance(part, int))} for one in sheets
    ]
    return sheets[-1], [path for path in first[-1].difference(*first[:-1]) if not is_derived_from(path)]


@slow_cases("MATCH-THE-DEALER-4-19-2", "TRI-03-6")
@pytest.mark.parametrize(("id", "decks"), SHEETS)
def test_missing_keys_of_first_rows_are_named(id, decks):
    sheet, paths = own_paths(id, decks)
    assert paths
    assert unnoticed_in(sheet, derived_from(id, decks), paths) == []


def test_all_keys_are_covered():
    assert len(own_paths(*SHEETS[0])[1]) > 50


@pytest.mark.parametrize(
    ("id", "decks", "paths"),
    [
        slow_case(
            "TRI-03", 6, [("format",), ("exposure", "tax", 3), ("awards", 1, "example", "up"), ("losing_hands", "ways")]
        ),
        ("METERS", 6, [("meter", "levels", 1), ("settled_meters", "Major"), ("identification",)]),
    ],
)
def test_missing_keys_are_named_in_a_full_check(id, decks, paths):
    sheet = read_sheet(id, decks)
    assert verify(sheet).differences == []
    for path in paths:
        changed = without(sheet, path)
        changed["data_sha256"] = data_fingerprint(changed)
        assert any(
            to_be_named(path, sheet) in difference for difference in verify(changed).differences
        )  # consequences are named too
    del sheet["data_sha256"]
    assert verify(sheet).differences == ["data_sha256: missing"]


NEEDED = ("deal", "pack", "decks", "removed", "meters", "ordered_by_role", "awards", "designed_decks")
TABLES = ("published", "outlook", "deck_sensitivity", "exposure", "derivation", "paytable", "verification")


@pytest.mark.parametrize("key", [*NEEDED, *TABLES])
def test_deleted_section_is_a_difference(key):
    sheet = read_sheet("TRI-03", 6)
    changed = without(sheet, (key,))
    verdict = verify(changed | {"data_sha256": data_fingerprint(changed)})
    assert not verdict.agrees
    assert f"{key}: missing" in verdict.differences
    assert (verdict.not_reached is not None) == (key in NEEDED)
    if key in TABLES:  # the rest is still checked
        follows = ("jurisdiction_tests",) if key == "exposure" else ()  # it states the wager of the amounts
        assert [difference for difference in verdict.differences if not difference.startswith((key, *follows))] == []
        assert verdict.checked > 200


@pytest.mark.parametrize("path", [("awards", 0, "name"), ("exposure", "max_wager"), ("deck_sensitivity", 0, "decks")])
def test_deleted_leaf_is_a_difference(path):
    changed = without(read_sheet("TRI-03", 6), path)
    assert any(
        path[-1] in difference and difference.endswith(": missing") for difference in verify(changed).differences
    )


def test_missing_keys_of_an_answer_are_named():
    answer = json.loads(json.dumps(study_payload(build_sheet("HM-2", FEW_CARDS).study)))
    assert lacking(answer) == []
    for key in answer:
        assert f"{key}: missing" in lacking(without(answer, (key,)))
