"""Identity of catalog paytables: anything that differs is a variant, however the difference was made."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable, iter_paytables, mark_if_variant, resolve_paytables
from combinat.bets.identity import find_differences
from combinat.bets.load import parse_bet
from combinat.bets.overrides import override_pays
from combinat.bets.paytable import apply_settings
from combinat.bets.variants import MeterOverrides, as_posted_jackpot, override_meters, with_soft_17
from tests.profiles import tries

TEXT = get_paytable("TRI-03").bet.file


def load_text(text: str, id: str = "TRI-03"):
    paytables, problems = parse_bet(text, "mine.toml")
    assert not problems
    return mark_if_variant(next(paytable for paytable in paytables if paytable.id == id))


def edit_tri_03(old: str, new: str) -> str:
    head, body = TEXT.split('id = "TRI-03"')
    assert old in body
    return f'{head}id = "TRI-03"{body.replace(old, new, 1)}'


def is_marked(paytable, original) -> bool:
    """Return whether title, file names, sources and published figures distinguish a paytable from the catalog's."""
    return (
        paytable.based_on is not None
        and paytable.title != original.title
        and (paytable.id, paytable.variant) != (original.id, ())
        and not set(paytable.bet.sources) & set(original.bet.sources)
        and all("Based on" in source for source in paytable.bet.sources)
        and not set(paytable.published) & set(original.published)
    )


def test_catalog_paytable_is_no_variant():
    for paytable in iter_paytables():
        assert mark_if_variant(paytable) is paytable
        copies, _ = parse_bet(paytable.bet.file + "\n# a comment\n", "copy.toml")
        copy = next(copy_ for copy_ in copies if copy_.id == paytable.id)
        assert mark_if_variant(copy) == copy


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ('"5 to 1"', '"6 to 1"', "pays"),
        ('"5 to 1"', '"5 for 1"', "pays"),
        ('decks = "2-8"', 'decks = "2-7"', "decks"),
        ('  { hand = "Flush", pays = "5 to 1" },\n', "", "awards"),
        ('{ hand = "Flush", pays', '{ name = "Flush", when = "suited and not pair", pays', "rules"),
        ('decks = "2-8"', 'decks = "2-8"\nrequires = "an ante"', "required wager"),
        ('decks = "2-8"', 'decks = "2-8"\ntitle = "Better TriLux"', "names"),
        ('decks = "2-8"', 'decks = "2-8"\nexample = true', "published figures"),
    ],
)
def test_changed_copy_with_a_catalog_id_is_a_variant(old, new, difference):
    variant = load_text(edit_tri_03(old, new))
    assert variant.based_on.id == "TRI-03"
    assert difference in variant.based_on.differences
    assert is_marked(variant, get_paytable("TRI-03"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('deal = "player:2, up:1"', 'deal = "player:3"'),
        ('deal = "player:2, up:1"', 'deal = "player:2, up:1"\npack = "spanish"'),
        ('deal = "player:2, up:1"', 'deal = "player:2, up:1"\ngiven = "not up.has(A)"'),
        ('deal = "player:2, up:1"', 'deal = "player:2, up:1"\noption = "parlay"'),
        ('deal = "player:2, up:1"', 'deal = "player:2, up:1"\ngame = "Poker"'),
        ('"Flush" = "flush"', '"Flush" = "flush and not pair"'),
    ],
)
def test_changed_bet_makes_every_paytable_of_its_file_a_variant(old, new):
    for id in ("TRI-01", "TRI-03"):
        assert is_marked(load_text(TEXT.replace(old, new, 1), id), get_paytable(id))


def test_unchanged_neighbor_is_no_variant():
    text = edit_tri_03('"5 to 1"', '"6 to 1"')
    assert load_text(text, "TRI-01").based_on is None
    assert load_text(text, "TRI-01").bet.sources == get_paytable("TRI-01").bet.sources


@pytest.mark.parametrize("text", [TEXT.replace('"9 to 1"', '"9:1"'), TEXT.replace("\n\n", "\n\n\n# mine\n")])
def test_formatting_makes_no_variant(text):
    assert load_text(text, "TRI-01").based_on is None


def test_id_ignores_case():
    assert is_marked(
        load_text(edit_tri_03('"5 to 1"', '"6 to 1"').replace("TRI-03", "tri-03"), "tri-03"), get_paytable("TRI-03")
    )


@pytest.mark.parametrize("title", ["", 'title = "TriLux Bonus TRI-03"\n'])
def test_changed_copy_with_a_new_id_loses_title_and_source(title):
    text = edit_tri_03('"5 to 1"', '"6 to 1"').replace('id = "TRI-03"\n', f'id = "MINE"\n{title}')
    variant = load_text(text, "MINE")
    assert variant.based_on.id == "TRI-03"
    assert is_marked(variant, get_paytable("TRI-03"))


def test_same_game_with_a_new_id_keeps_its_source():
    copy = load_text(TEXT.replace('"TRI-03"', '"MINE"'), "MINE")
    assert (copy.based_on, copy.bet.sources) == (None, get_paytable("TRI-03").bet.sources)


def test_unrelated_bet_is_no_variant():
    text = re.sub(r"source = \[.*?\]\n", "", edit_tri_03('"5 to 1"', '"6 to 1"'), flags=re.DOTALL)
    mine = load_text(text.replace('"TRI-03"', '"MINE"'), "MINE")
    assert (mine.based_on, mine.bet.sources, mine.variant) == (None, (), ())


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("TRI-03", lambda one: override_pays(one, "Flush=6")),
        ("BLZ-1-UP", lambda one: as_posted_jackpot(one, {"meter": 2000})),
        ("SOB-EXAMPLE", lambda one: override_meters(one, MeterOverrides({"seed": ["5,001"]}), ())),
        ("L9", lambda one: apply_settings(one, {"nines": "maker"})),
        ("BB-1", lambda one: with_soft_17(one, "s17" if "h17" in str(one.bet.deal) else "h17")),
        ("TRI-03", lambda one: replace(one, decks=(6,))),
    ],
)
def test_override_of_a_catalog_paytable_is_a_variant(id, change):
    original = get_paytable(id)
    variant = mark_if_variant(change(original))
    assert variant.based_on.id == id
    assert is_marked(variant, original)


def test_override_of_a_changed_copy_has_another_identity():
    changed = load_text(edit_tri_03('"100 to 1"', '"90 to 1"'))
    ours, theirs = override_pays(changed, "Flush=6"), override_pays(get_paytable("TRI-03"), "Flush=6")
    assert (ours.id, ours.variant) != (theirs.id, theirs.variant)
    assert ours.based_on.differences == ("pays",)


def test_file_named_on_the_command_line_is_identified(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(edit_tri_03('"5 to 1"', '"6 to 1"'))
    assert is_marked(resolve_paytables(f"{path}:TRI-03")[0], get_paytable("TRI-03"))


@tries(60)
@given(st.lists(st.integers(1, 200), min_size=5, max_size=5))
def test_other_pays_make_a_variant_with_a_unique_name(pays):
    number = iter(pays)
    head, body = TEXT.split('id = "TRI-03"')
    ladder, remaining = body.split("\n]\n", 1)
    ladder = re.sub(r'pays = "\d+ to 1"', lambda _: f'pays = "{next(number)} to 1"', ladder)
    variant = load_text(f'{head}id = "TRI-03"{ladder}\n]\n{remaining}')
    if pays == [100, 35, 33, 10, 5]:
        assert variant.based_on is None
    else:
        assert is_marked(variant, get_paytable("TRI-03"))
        assert find_differences(variant, get_paytable("TRI-03"))[0] == "pays"
