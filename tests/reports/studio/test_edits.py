"""Edits by the studio's form change only the intended value of the bet's text, and keep its comments."""

import copy
import tomllib

import pytest
import tomlkit

from combinat.bets.catalog import get_paytable
from decks import InputError
from reports.studio.edits import edit_text
from reports.studio.view import build_view
from tests.bet_text import VALID_BET

HEADED = """# awards as tables of their own
bet = "Headed"
deal = "player:2, up:1"

[[paytable]]
id = "H-1"
decks = [6, 8]
[[paytable.awards]]
name = "Flush" # a comment
when = "suited"
pays = "5 to 1"
[[paytable.awards]]
name = "Pair"
when = "pair"
pays = "1 to 1"

[[paytable]]
id = "H-2"
decks = 6
awards = [{ name = "Flush", when = "suited", pays = "4 to 1" }, { name = "Pair 😀", when = "pair", pays = "push" }]
"""
INLINE = """bet = "In line" # one
deal = "player:2, up:1"
hands = { "Flush" = "suited", Pair = "pair" }
paytable = [{ id = "I-1", decks = 6, awards = [{ hand = "Flush", pays = "5 to 1" }, { hand = "Pair", pays = "push" }] }]
"""
DOTTED = """bet = "Dotted"
deal = "player:2, up:1"
hands.Flush = "suited" # one
hands."A pair" = "pair"
[[paytable]]
id = "D-1"
decks = 6
awards = [
  # above
  { hand = "Flush", pays = "5 to 1" } # no comma yet
  , { hand = "A pair", pays = "push" },
]
"""
TEXTS = {
    "good": VALID_BET,
    "inline": INLINE,
    "dotted": DOTTED,
    "headed": HEADED,
    "catalog": get_paytable("TRI-03").bet.file,
    "meters": get_paytable("BLZ-ML03-UP").bet.file,
    "windows": VALID_BET.replace("\n", "\r\n"),
}
NEW_AWARD = {"name": "New", "when": "suited", "pays": "1 to 1"}


def edit(text, kind, path, value=None, parse=tomllib.loads):
    """Edit a text as the page asks the server to, and parse the result."""
    edits = [{"kind": kind, "path": list(path), "value": value}]
    return parse(edit_text({"toml": text, "edits": edits})["toml"])


def value_at(data, path):
    for step in path:
        data = data[step]
    return data


def award_paths(data):
    """Return the paths of the awards of the first and the last paytable."""
    last = len(data["paytable"]) - 1
    return [
        ("paytable", table_index, "awards", award_index)
        for table_index in sorted({0, last})
        for award_index in range(len(data["paytable"][table_index]["awards"]))
    ]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_award_edits_change_nothing_else(text):
    before = tomllib.loads(text)
    for path in award_paths(before):
        *list_path, index = path
        expected = copy.deepcopy(before)
        value_at(expected, path)["given"] = "pair"
        assert edit(text, "set", (*path, "given"), "pair") == expected

        expected = copy.deepcopy(before)
        value_at(expected, list_path).append(NEW_AWARD)
        assert edit(text, "append", list_path, NEW_AWARD) == expected

        expected = copy.deepcopy(before)
        awards = value_at(expected, list_path)
        if index + 1 < len(awards):
            awards[index : index + 2] = awards[index + 1], awards[index]
            assert edit(text, "swap", path) == expected
        if len(awards) > 1:
            expected = copy.deepcopy(before)
            del value_at(expected, list_path)[index]
            assert edit(text, "set", path) == expected


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_other_edits_change_nothing_else(text):
    before = tomllib.loads(text)
    hands = before.get("hands", {})
    assert edit(text, "set", ["given"], "pair") == before | {"given": "pair"}
    assert edit(text, "set", ["deal"]) == {key: field for key, field in before.items() if key != "deal"}
    assert edit(text, "set", ["hands", "New"], "pair") == before | {"hands": hands | {"New": "pair"}}
    assert edit(text, "set", ["wheels", "W"], {"1": 3, "2.5": 1}) == before | {"wheels": {"W": {"1": 3, "2.5": 1}}}
    for hand in hands:
        assert edit(text, "set", ["hands", hand]) == before | {"hands": {k: v for k, v in hands.items() if k != hand}}
    expected = copy.deepcopy(before)
    expected["paytable"][0]["settings"] = {"nines": "maker"}
    assert edit(text, "set", ["paytable", 0, "settings", "nines"], "maker") == expected
    expected = copy.deepcopy(before)
    system = {"levels": [{"name": "Mega", "seed": 1000, "rate": "10%"}]}
    expected["paytable"][0].setdefault("meters", []).append(system)
    assert edit(text, "append", ["paytable", 0, "meters"], system) == expected


def test_edits_follow_one_another():
    awards = ["paytable", 0, "awards"]
    edits = [
        {"kind": "set", "path": [*awards, 1, "pays"], "value": "9 to 1"},
        {"kind": "swap", "path": [*awards, 0]},
        {"kind": "set", "path": [*awards, 1]},
    ]
    (award,) = tomllib.loads(edit_text({"toml": INLINE, "edits": edits})["toml"])["paytable"][0]["awards"]
    assert award == {"hand": "Pair", "pays": "9 to 1"}


def test_lines_end_as_before():
    added = edit(TEXTS["windows"], "append", ["paytable", 0, "awards"], NEW_AWARD, parse=str)
    assert added.count("\n") == added.count("\r\n") == TEXTS["windows"].count("\n") + 1


@pytest.mark.parametrize(
    ("kind", "path"), [("set", ["paytable", 3, "id"]), ("swap", ["paytable", 0, "awards", 1]), ("append", ["deal"])]
)
def test_edit_of_a_missing_value_is_refused(kind, path):
    with pytest.raises(InputError, match=str(path[-1] if path[-1] != 1 else 2)):
        edit(VALID_BET, kind, path, None if kind != "append" else "x")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_values_written_by_the_page_give_the_text_of_tomlkit(text):
    """The page replaces a value that is there by itself, within the range of the outline."""
    text = text.replace("\r\n", "\n")
    outline = build_view({"toml": text, "decks": "6"})["outline"]
    utf16 = text.encode("utf-16-le")
    range_by_path = {tuple(item["path"]): (2 * item["from"], 2 * item["to"]) for item in outline}
    for path in award_paths(tomllib.loads(text)):
        document = tomlkit.parse(text)
        value_at(document, path)["pays"] = "7 to 1"
        start, end = range_by_path[*path, "pays"]
        replaced = utf16[:start] + '"7 to 1"'.encode("utf-16-le") + utf16[end:]
        assert replaced.decode("utf-16-le") == tomlkit.dumps(document)


COMMENTED = """bet = "Commented"
deal = "player:2, up:1"
[[paytable]]
id = "C-1"
decks = 6
awards = [ # all of them
  # about A
  { name = "A", when = "straight", pays = "9 to 1" }, # A too
  { name = "B", when = "suited", pays = "5 to 1" }, # B
  # about C
  { name = "C", when = "pair", pays = "1 to 1" } # C too
] # the end
"""


def award_lines(text):
    """Return the lines of the awards, each award shortened to its name."""
    inside = text.partition("[ # all of them\n")[2].partition("] # the end")[0]
    return [
        line.strip().replace('{ name = "', "").split('", when')[0] + line.partition("}")[2]
        for line in inside.splitlines()
    ]


def test_comments_stay_with_their_award():
    awards = ("paytable", 0, "awards")
    assert award_lines(COMMENTED) == ["# about A", "A, # A too", "B, # B", "# about C", "C # C too"]
    swapped = edit(COMMENTED, "swap", (*awards, 0), parse=award_lines)
    assert swapped == ["B, # B", "# about A", "A, # A too", "# about C", "C # C too"]
    assert edit(COMMENTED, "swap", (*awards, 1), parse=award_lines) == [
        *("# about A", "A, # A too", "# about C", "C, # C too", "B # B")
    ]
    added = edit(COMMENTED, "append", awards, {"name": "New", "pays": "1 to 1"}, parse=str)
    assert 'pays = "1 to 1" }, # C too\n  { name = "New", pays = "1 to 1" }\n] # the end' in added
    assert edit(COMMENTED, "set", (*awards, 1), parse=award_lines) == [
        *("# about A", "A, # A too", "# about C", "C # C too")
    ]
