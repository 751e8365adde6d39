"""Whatever is taken from a sheet, a key at any depth or an element of a list, is missed by name, not by fingerprint."""

import copy
import json

import pytest

from combinat.verifier import UnreadableError, verify
from combinat.verifier.check import compared
from combinat.verifier.derive import derive
from combinat.verifier.form import lacking
from reports.answers.studies import study_payload
from reports.sheet.par_sheet import data_fingerprint
from tests.sheets import FEW, made, read
from tests.sheets import derived as derived_from

SHEETS = [("TRI-03", 6), ("METERS", 6), ("BUSTS", 2), ("HM-2", FEW), ("MATCH-THE-DEALER-4-19", 2)]
WORDS = ("notes", "sources")  # nobody can say how many of them there should be
INPUTS = ("deal", "given", "pack", "decks", "removed", "designed_decks", "meters", "roles_told_apart")
OF_AWARDS = ("name", "rule", "pays_text", "example")


def form(value):
    """Which keys there are at which depth, whatever their values."""
    if isinstance(value, dict):
        return frozenset((key, form(one)) for key, one in value.items())
    return frozenset(map(form, value)) if isinstance(value, list) else None


def places(value, path=()):
    """Every key and every element, at every depth; of rows of one form the first, and of all the last and a middle."""
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
    """Whether figures are derived from it, so that they have to be derived again without it."""
    if path[0] == "adds_up" and len(path) > 1:
        return path[-2] == "times"  # how often awards are in a sum
    return path[0] in INPUTS or (path[0] == "awards" and (len(path) == 2 or path[2:3] in [(key,) for key in OF_AWARDS]))


def to_be_named(path, sheet):
    """What a reader must be told: the key that is gone, or of what an element is."""
    if path[0] == "awards" and len(path) == 2:
        return sheet["awards"][path[1]]["name"]
    if path[0] == "designed_decks":
        return "designed"
    if path[0] == "removed" and len(path) == 2:
        return "cards"  # a card that is not gone is one more in the shoe
    return "example" if "example" in path[1:] else path[-1] if isinstance(path[-1], str) else path[-2]


def without(sheet, path):
    """The sheet without a part of it."""
    inner = changed = copy.copy(sheet)
    for key in path[:-1]:
        inner[key] = copy.copy(inner[key])
        inner = inner[key]
    del inner[path[-1]]
    return changed


def told(sheet, derived):
    """What is said of a sheet, for which everything was derived before, by its form and figures alone."""
    figures = {key: value for key, value in derived.figures.items() if key != "data_sha256"}
    return compared(sheet, derived._replace(figures=figures)).differences


def unnoticed_in(sheet, derived, paths):
    """The parts that nobody misses when they are taken from a sheet, with what is said instead."""
    unnoticed = []
    for path in paths:
        if is_derived_from(path) and path[:2] in [("awards", place) for place in range(1, len(sheet["awards"]))]:
            continue  # what goes for the first award goes for the others, and deriving takes its time
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
def test_whatever_is_taken_from_a_sheet_is_missed_by_name(id, decks):
    sheet = read(id, decks)
    derived = derive(sheet)
    assert compared(sheet, derived).differences == []
    assert unnoticed_in(sheet, derived, places(sheet)) == []


def names(path):
    """The keys on the way to a part, without the numbers of elements."""
    return tuple(part for part in path if isinstance(part, str))


@pytest.mark.slow
def test_what_the_sheet_of_a_whole_deck_has_besides_is_missed_by_name():
    known = {names(path) for path in places(read("HM-2", FEW)) if path[-1] != "derivation"}
    sheet = read("HM-2", 1)
    paths = [path for path in places(sheet) if names(path) not in known]
    assert {path[0] for path in paths} == {"derivation"}
    assert unnoticed_in(sheet, derive(sheet), paths) == []


def own_paths(id, decks):
    """Where a sheet has a key first of all sheets, or in its first rows; what all have is taken from the first."""
    sheets = [read(*one) for one in SHEETS[: SHEETS.index((id, decks)) + 1]]
    first = [
        {path for path in places(one) if all(part == 0 for part in path if isinstance(part, int))} for one in sheets
    ]
    return sheets[-1], [path for path in first[-1].difference(*first[:-1]) if not is_derived_from(path)]


@pytest.mark.parametrize(("id", "decks"), SHEETS)
def test_a_key_of_a_sheet_or_of_its_first_rows_is_missed_by_name(id, decks):
    sheet, paths = own_paths(id, decks)
    assert paths
    assert unnoticed_in(sheet, derived_from(id, decks), paths) == []


def test_keys_of_the_first_sheet_are_all_taken():
    assert len(own_paths(*SHEETS[0])[1]) > 50


@pytest.mark.parametrize(
    ("id", "decks", "paths"),
    [
        ("TRI-03", 6, [("format",), ("exposure", "tax", 3), ("awards", 1, "example", "up"), ("loses", "ways")]),
        ("METERS", 6, [("meter", "levels", 1), ("settled_meters", "Major"), ("identification",)]),
    ],
)
def test_what_is_taken_is_missed_when_everything_is_derived_anew(id, decks, paths):
    sheet = read(id, decks)
    assert verify(sheet).differences == []
    for path in paths:
        changed = without(sheet, path)
        changed["data_sha256"] = data_fingerprint(changed)
        assert any(to_be_named(path, sheet) in one for one in verify(changed).differences)  # what follows is named too
    del sheet["data_sha256"]
    assert verify(sheet).differences == ["data_sha256: missing"]


NEEDED = ("deal", "pack", "decks", "removed", "meters", "roles_told_apart", "awards", "designed_decks")
TABLES = ("published", "expectation", "deck_sensitivity", "exposure", "derivation", "paytable", "verification")


@pytest.mark.parametrize("key", [*NEEDED, *TABLES])
def test_a_section_that_is_deleted_is_a_named_difference_and_not_an_unreadable_file(key):
    sheet = read("TRI-03", 6)
    changed = without(sheet, (key,))
    verdict = verify(changed | {"data_sha256": data_fingerprint(changed)})
    assert not verdict.agrees
    assert f"{key}: missing" in verdict.differences
    assert (verdict.not_reached is not None) == (key in NEEDED)
    if key in TABLES:  # the rest is looked at all the same
        follows = ("jurisdiction_tests",) if key == "exposure" else ()  # which says the wager that amounts are for
        assert [one for one in verdict.differences if not one.startswith((key, *follows))] == []
        assert verdict.checked > 200


@pytest.mark.parametrize("path", [("awards", 0, "name"), ("exposure", "max_wager"), ("deck_sensitivity", 0, "decks")])
def test_a_leaf_that_is_deleted_is_a_named_difference(path):
    changed = without(read("TRI-03", 6), path)
    assert any(path[-1] in one and one.endswith(": missing") for one in verify(changed).differences)


def test_every_key_of_an_answer_is_missed_by_name():
    answer = json.loads(json.dumps(study_payload(made("HM-2", FEW).study)))
    assert lacking(answer) == []
    for key in answer:
        assert f"{key}: missing" in lacking(without(answer, (key,)))
