"""Where things stand in a bet's text: every value where it is written, every message at the word that it is about."""

import tomllib
from pathlib import Path

import pytest

from combinat.bets.catalog import CATALOG_FOLDER, get_paytable
from combinat.bets.load import parse_bet
from reports.studio.toml_positions import TextOutline, find_positions, to_utf16

FILES = sorted([*CATALOG_FOLDER.rglob("*.toml"), *(Path(__file__).parents[2] / "published").glob("*.toml")])


def leaves(data, path=()):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from leaves(value, (*path, number))
    else:
        yield path, data


def check_places(text):
    found = {one.path: text[one.start : one.end] for one in find_positions(text)}
    for one in find_positions(text):
        if one.key != (0, 0):
            assert list(tomllib.loads(f"{text[slice(*one.key)]} = 1")) == [one.path[-1]]
    for path, value in leaves(tomllib.loads(text)):
        assert tomllib.loads(f"key = {found[path]}")["key"] == value


@pytest.mark.parametrize("step", [pytest.param(1, id="every", marks=pytest.mark.slow), pytest.param(5, id="some")])
def test_every_value_of_every_known_file_is_found_where_it_is_written(step):
    for path in FILES[::step]:
        check_places(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        'a.b."c d" = 1 # not this = 2\n[x.y]\nz = """\nlines "of" text\\"""" \n',
        "[[t]]\nn = 1\n[[t.u]]\nm = '''it's'''\n[[t.u]]\nm = 2\n[[t]]\nn = -1_000\n[t.v]\nw = [[1, 2], [3]]\n",
        'a = { b = [ { c = "]}" }, { c = "#" }, ], d = {} } # end\ne = [] \nf = [ # one\n 1, # two\n 2 ]\n',
        "'quoted key' = 2026-11-17T00:00:00Z\nboth = true\r\nlast = 'x'",
        '"\\u00e9" = "😀"\nafter = 1',
    ],
)
def test_every_value_is_found_however_it_is_written(text):
    check_places(text)


def test_places_are_counted_as_a_browser_does():
    text = 'a = "😀"\nb = 1'
    (one,) = [place for place in to_utf16(text, find_positions(text)) if place.path == ("b",)]
    units = text.encode("utf-16-le")
    assert units[2 * one.start : 2 * one.end].decode("utf-16-le") == "1"


TEXT = get_paytable("TRI-03").bet.file


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ('"straight flush"', '"strait flush"', 14, "strait"),
        ('"35 to 1"', '"35 too 1"', 46, "35 too 1"),
        ('deal = "player:2, up:1"', 'deal = "player:x"', 2, "player:x"),
        ('hand = "Flush"', 'hand = "Flussh"', 27, "Flussh"),
        ('decks = "4-8"', 'decks = "4-x"', 22, "4-x"),
        ("bet = ", "bett = ", 1, "bett"),
        ('pays = "100 to 1"', 'pay = "100 to 1"', 45, "pay"),
        ("[hands]", "[hands", 12, ""),
        ('id = "TRI-02"', 'id = "TRI-01"', 31, "TRI-01"),
        ("decks = 2\n", "decks = true\n", 32, "true"),
        ('"pair"\n', '"pair and"\n', 18, "pair and"),
        ('"flush"\n', '"suited and has(Q"\n', 17, None),
        ('id = "TRI-04"', "id = 4", 53, "4"),
        ('hand = "Pair", pays', 'name = "Pair", pays', 38, None),
    ],
)
def test_a_message_is_put_at_the_word_that_it_is_about(old, new, line, word):
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    problems = parse_bet(text, "bet.toml")[1]
    mark = TextOutline.of(text).mark(problems[0])
    assert mark.line == line
    if word is not None:
        assert text[mark.start : mark.end] == word


def test_the_end_of_a_text_that_stops_short_is_marked():
    text = 'bet = "x"\n\nhands = ["a"'
    mark = TextOutline.of(text).mark(parse_bet(text, "bet.toml")[1][0])
    assert mark.line == 3


def test_a_finding_is_put_at_its_award():
    text = TEXT.replace('hand = "Flush", pays = "5 to 1"', 'hand = "Flush", pays = "0 to 1"', 1)
    outline = TextOutline.of(text)
    mark = outline.mark_of_finding("TRI-03", "Flush: '0 to 1' is the same as push")
    assert mark.path == ("paytable", 2, "awards", 4)
    assert text[mark.start : mark.end] == "0 to 1"
    assert outline.mark_of_finding("TRI-03", "favors the player with 2 decks").path == ("paytable", 2)


def test_a_finding_about_a_hand_or_a_wheel_is_put_there():
    text = get_paytable("NEXT-STEP").bet.file.replace("[wheels]\n", '[wheels]\nIdle = "2d6"\n')
    mark = TextOutline.of(text).mark_of_finding("NEXT-STEP", "wheel 'Idle': no award of the file has it")
    assert (mark.path, text.splitlines()[mark.line - 1]) == (("wheels", "Idle"), 'Idle = "2d6"')
    mark = TextOutline.of(TEXT).mark_of_finding("TRI-03", "hand 'Pair': no award of the file is for it")
    assert mark.path == ("hands", "Pair")
