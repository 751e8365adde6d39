"""What the studio's form does to a bet's text, run in a browser: the value that is meant changes and nothing else."""

import copy
import tomllib

import pytest

from combinat.bets.catalog import get_paytable
from reports.studio.view import build_view
from tests.files import GOOD

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
    "good": GOOD,
    "inline": INLINE,
    "dotted": DOTTED,
    "headed": HEADED,
    "catalog": get_paytable("TRI-03").bet.file,
    "meters": get_paytable("BLZ-ML03-UP").bet.file,
    "windows": GOOD.replace("\n", "\r\n"),
}
KEEP = "([text, outline]) => { (window.kept ??= new Map()).set(text, outline); }"
DO = """async ([name, text, path, more]) => {
  const edits = await import("/edits.js"), outline = window.kept.get(text);
  const at = (path) => edits.by_path(outline).get(edits.key(path));
  switch (name) {
    case "replace": { const place = at(path);
      return edits.replaced(text, outline, place.from, place.to, more).text; }
    case "without item": return edits.without_item(text, at(path));
    case "with item": return edits.with_item(text, at(path), "{ name = \\"New\\", pays = \\"1 to 1\\" }",
      { name: "\\"New\\"", pays: "\\"1 to 1\\"" });
    case "swap": return edits.swapped(text, at(path), at([...path.slice(0, -1), path.at(-1) + 1]));
    case "with key": return edits.with_key(text, outline, path, "given", "\\"pair\\"");
    case "without key": return edits.without_key(text, at(path));
    case "with hand": return edits.with_entry(text, outline, "hands", "New", "\\"pair\\"");
  }
}"""


def outline_of(text):
    """Where everything stands in a text, as the page is told."""
    return build_view({"toml": text, "decks": "6"})["outline"]


@pytest.fixture(scope="module")
def edit(blank_page):
    """Do something to a text as the page does, and give what the text says then."""
    kept = set()

    def edit(name, text, path=(), more="", reads=tomllib.loads):
        if text not in kept:  # where everything stands is much longer than the text
            blank_page.evaluate(KEEP, [text, outline_of(text)])
            kept.add(text)
        return reads(blank_page.evaluate(DO, [name, text, list(path), more]))

    return edit


def value(data, path):
    for step in path:
        data = data[step]
    return data


def awards_of(data):
    return [
        ("paytable", place, "awards", number)
        for place, table in enumerate(data["paytable"])
        for number in range(len(table["awards"]))
    ]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_award_is_changed_added_moved_and_removed_and_nothing_else(edit, text):
    before = tomllib.loads(text)
    for path in awards_of(before):
        expected = copy.deepcopy(before)
        value(expected, path)["pays"] = "7 to 1"
        assert edit("replace", text, (*path, "pays"), '"7 to 1"') == expected

        expected = copy.deepcopy(before)
        value(expected, path[:-1]).insert(path[-1] + 1, {"name": "New", "pays": "1 to 1"})
        assert edit("with item", text, path) == expected

        many = value(before, path[:-1])
        if len(many) > 1:
            expected = copy.deepcopy(before)
            del value(expected, path[:-1])[path[-1]]
            assert edit("without item", text, path) == expected
        if path[-1] + 1 < len(many) and text != HEADED:
            expected = copy.deepcopy(before)
            there = value(expected, path[:-1])
            there[path[-1]], there[path[-1] + 1] = there[path[-1] + 1], there[path[-1]]
            assert edit("swap", text, path) == expected


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_key_and_a_hand_are_added_and_removed_and_nothing_else(edit, text):
    before = tomllib.loads(text)
    assert edit("with key", text) == before | {"given": "pair"}
    assert edit("without key", text, ("deal",)) == {key: said for key, said in before.items() if key != "deal"}
    assert edit("with hand", text) == before | {"hands": before.get("hands", {}) | {"New": "pair"}}
    first = ("paytable", 0, "awards", 0)
    if text != HEADED:
        expected = copy.deepcopy(before)
        value(expected, first)["given"] = "pair"
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


def rows(text):
    """Give the lines of the awards, names for the items."""
    inside = text.partition("[ # all of them\n")[2].partition("] # the end")[0]
    return [
        line.strip().replace('{ name = "', "").split('", when')[0] + line.partition("}")[2]
        for line in inside.splitlines()
    ]


def test_what_is_said_about_an_award_goes_where_it_goes(edit):
    awards = ("paytable", 0, "awards")
    assert rows(COMMENTED) == ["# about A", "A, # A too", "B, # B", "# about C", "C # C too"]
    swapped = edit("swap", COMMENTED, (*awards, 0), reads=rows)
    assert swapped == ["B, # B", "# about A", "A, # A too", "# about C", "C # C too"]
    assert edit("swap", COMMENTED, (*awards, 1), reads=rows) == [
        *("# about A", "A, # A too", "# about C", "C, # C too", "B # B")
    ]
    added = edit("with item", COMMENTED, (*awards, 1), reads=str)
    assert '# B\n  { name = "New", pays = "1 to 1" },\n  # about C' in added
    added = edit("with item", COMMENTED, (*awards, 2), reads=str)
    assert 'pays = "1 to 1" }, # C too\n  { name = "New", pays = "1 to 1" }\n] # the end' in added
    assert edit("without item", COMMENTED, (*awards, 1), reads=rows) == [
        *("# about A", "A, # A too", "# about C", "C # C too")
    ]
