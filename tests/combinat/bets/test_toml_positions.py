"""Positions in a bet's text: every value is located, and every message is located at its word."""

import tomllib
from pathlib import Path

import pytest

from combinat.bets.catalog import CATALOG_FOLDER, get_paytable
from combinat.bets.load import parse_bet
from combinat.bets.toml_positions import TextOutline, find_positions, to_utf16
from tests.slow_cases import slow_case

FILES = sorted([*CATALOG_FOLDER.rglob("*.toml"), *(Path(__file__).parents[2] / "published").glob("*.toml")])


def iter_values(data, path=()):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from iter_values(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from iter_values(value, (*path, index))
    else:
        yield path, data


def check_positions(text):
    text_by_path = {position.path: text[position.start : position.end] for position in find_positions(text)}
    for position in find_positions(text):
        if position.key != (0, 0):
            assert list(tomllib.loads(f"{text[slice(*position.key)]} = 1")) == [position.path[-1]]
    for path, value in iter_values(tomllib.loads(text)):
        assert tomllib.loads(f"key = {text_by_path[path]}")["key"] == value


@pytest.mark.parametrize("step", [slow_case(1, id="every"), pytest.param(5, id="some")])
def test_values_of_bet_files_are_located(step):
    for path in FILES[::step]:
        check_positions(path.read_text(encoding="utf-8"))


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
def test_values_are_located_in_any_notation(text):
    check_positions(text)


def test_positions_count_utf16_units():
    text = 'a = "😀"\nb = 1'
    (position,) = [candidate for candidate in to_utf16(text, find_positions(text)) if candidate.path == ("b",)]
    units = text.encode("utf-16-le")
    assert units[2 * position.start : 2 * position.end].decode("utf-16-le") == "1"


TEXT = get_paytable("TRI-03").bet.file


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('"straight flush"', '"strait flush"', "strait"),
        ('"35 to 1"', '"35 too 1"', "35 too 1"),
        ('deal = "player:2, up:1"', 'deal = "player:x"', "player:x"),
        ('hand = "Flush"', 'hand = "Flussh"', "Flussh"),
        ('decks = "4-8"', 'decks = "4-x"', "4-x"),
        ("bet = ", "bett = ", "bett"),
        ('pays = "100 to 1"', 'pay = "100 to 1"', "pay"),
        ("[hands]", "[hands", ""),
        ('id = "TRI-02"', 'id = "TRI-01"', "TRI-01"),
        ("decks = 2\n", "decks = true\n", "true"),
        ('"pair"\n', '"pair and"\n', "pair and"),
        ('"flush"\n', '"suited and has(Q"\n', None),
        ('id = "TRI-04"', "id = 4", "4"),
        ('hand = "Pair", pays', 'name = "Pair", pays', None),
    ],
)
def test_message_is_located_at_its_word(old, new, word):
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    problems = parse_bet(text, "bet.toml")[1]
    mark = TextOutline.of(text).mark(problems[0])
    assert mark.line == TEXT[: TEXT.index(old)].count("\n") + 1
    if word is not None:
        assert text[mark.start : mark.end] == word


def test_end_of_an_incomplete_text_is_marked():
    text = 'bet = "x"\n\nhands = ["a"'
    mark = TextOutline.of(text).mark(parse_bet(text, "bet.toml")[1][0])
    assert mark.line == 3


def test_finding_is_located_at_its_award():
    text = TEXT.replace('hand = "Flush", pays = "5 to 1"', 'hand = "Flush", pays = "0 to 1"', 1)
    outline = TextOutline.of(text)
    mark = outline.mark_of_finding("TRI-03", "Flush: '0 to 1' is the same as push")
    assert mark.path == ("paytable", 2, "awards", 4)
    assert text[mark.start : mark.end] == "0 to 1"
    assert outline.mark_of_finding("TRI-03", "favors the player with 2 decks").path == ("paytable", 2)


def test_finding_is_located_at_its_hand_or_wheel():
    text = get_paytable("NEXT-STEP").bet.file.replace("[wheels]\n", '[wheels]\nIdle = "2d6"\n')
    mark = TextOutline.of(text).mark_of_finding("NEXT-STEP", "wheel 'Idle': no award uses it")
    assert (mark.path, text.splitlines()[mark.line - 1]) == (("wheels", "Idle"), 'Idle = "2d6"')
    mark = TextOutline.of(TEXT).mark_of_finding("TRI-03", "hand 'Pair': no award uses it")
    assert mark.path == ("hands", "Pair")
