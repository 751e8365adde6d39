"""Edits by the studio's form, run in a browser, change only the intended value of the bet's text."""

import copy
import tomllib

import pytest
import tomlkit

from combinat.bets.catalog import get_paytable
from reports.studio.view import build_view
from tests.bet_text import VALID_BET

pytestmark = pytest.mark.slow
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
STORE_OUTLINE = "([text, outline]) => { (window.kept ??= new Map()).set(text, outline); }"
APPLY_EDIT = """async ([name, text, path, more]) => {
  const edits = await import("/edits.js"), outline = window.kept.get(text);
  const at = (path) => edits.indexOutline(outline).get(edits.pathKey(path));
  switch (name) {
    case "replace": { const place = at(path);
      return edits.replaceRange(text, outline, place.from, place.to, more).text; }
    case "without item": return edits.removeItem(text, at(path));
    case "with item": return edits.addItemAfter(text, at(path), "{ name = \\"New\\", pays = \\"1 to 1\\" }",
      { name: "\\"New\\"", pays: "\\"1 to 1\\"" });
    case "swap": return edits.swapItems(text, at(path), at([...path.slice(0, -1), path.at(-1) + 1]));
    case "with key": return edits.addKey(text, outline, path, "given", "\\"pair\\"");
    case "without key": return edits.removeKey(text, at(path));
    case "with hand": return edits.addEntry(text, outline, "hands", "New", "\\"pair\\"");
  }
}"""


def outline_of(text):
    """Return the outline of a text: the position of every value, as the page receives it."""
    return build_view({"toml": text, "decks": "6"})["outline"]


@pytest.fixture(scope="module")
def edit(blank_page):
    """Return a function that edits a text as the page does and parses the result."""
    stored = set()

    def edit(name, text, path=(), new_value="", parse=tomllib.loads):
        if text not in stored:  # the outline is much longer than the text
            blank_page.evaluate(STORE_OUTLINE, [text, outline_of(text)])
            stored.add(text)
        return parse(blank_page.evaluate(APPLY_EDIT, [name, text, list(path), new_value]))

    return edit


def value_at(data, path):
    for step in path:
        data = data[step]
    return data


def award_paths(data):
    return [
        ("paytable", table_index, "awards", award_index)
        for table_index, table in enumerate(data["paytable"])
        for award_index in range(len(table["awards"]))
    ]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_award_edits_change_nothing_else(edit, text):
    before = tomllib.loads(text)
    for path in award_paths(before):
        expected = copy.deepcopy(before)
        value_at(expected, path)["pays"] = "7 to 1"
        assert edit("replace", text, (*path, "pays"), '"7 to 1"') == expected

        expected = copy.deepcopy(before)
        value_at(expected, path[:-1]).insert(path[-1] + 1, {"name": "New", "pays": "1 to 1"})
        assert edit("with item", text, path) == expected

        awards = value_at(before, path[:-1])
        if len(awards) > 1:
            expected = copy.deepcopy(before)
            del value_at(expected, path[:-1])[path[-1]]
            assert edit("without item", text, path) == expected
        if path[-1] + 1 < len(awards) and text != HEADED:
            expected = copy.deepcopy(before)
            expected_awards = value_at(expected, path[:-1])
            expected_awards[path[-1]], expected_awards[path[-1] + 1] = (
                expected_awards[path[-1] + 1],
                expected_awards[path[-1]],
            )
            assert edit("swap", text, path) == expected


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_new_values_give_the_text_of_tomlkit(edit, text):
    for path in award_paths(tomllib.loads(text)):
        document = tomlkit.parse(text)
        value_at(document, path)["pays"] = "7 to 1"
        assert edit("replace", text, (*path, "pays"), '"7 to 1"', parse=str) == tomlkit.dumps(document)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_key_and_hand_edits_change_nothing_else(edit, text):
    before = tomllib.loads(text)
    assert edit("with key", text) == before | {"given": "pair"}
    assert edit("without key", text, ("deal",)) == {key: field for key, field in before.items() if key != "deal"}
    assert edit("with hand", text) == before | {"hands": before.get("hands", {}) | {"New": "pair"}}
    first = ("paytable", 0, "awards", 0)
    if text != HEADED:
        expected = copy.deepcopy(before)
        value_at(expected, first)["given"] = "pair"
        assert edit("with key", text, first) == expected
    for hand in before.get("hands", {}):
        expected = copy.deepcopy(before)
        del expected["hands"][hand]
        assert edit("without key", text, ("hands", hand)) == expected


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


def test_comments_move_with_their_award(edit):
    awards = ("paytable", 0, "awards")
    assert award_lines(COMMENTED) == ["# about A", "A, # A too", "B, # B", "# about C", "C # C too"]
    swapped = edit("swap", COMMENTED, (*awards, 0), parse=award_lines)
    assert swapped == ["B, # B", "# about A", "A, # A too", "# about C", "C # C too"]
    assert edit("swap", COMMENTED, (*awards, 1), parse=award_lines) == [
        *("# about A", "A, # A too", "# about C", "C, # C too", "B # B")
    ]
    added = edit("with item", COMMENTED, (*awards, 1), parse=str)
    assert '# B\n  { name = "New", pays = "1 to 1" },\n  # about C' in added
    added = edit("with item", COMMENTED, (*awards, 2), parse=str)
    assert 'pays = "1 to 1" }, # C too\n  { name = "New", pays = "1 to 1" }\n] # the end' in added
    assert edit("without item", COMMENTED, (*awards, 1), parse=award_lines) == [
        *("# about A", "A, # A too", "# about C", "C # C too")
    ]
