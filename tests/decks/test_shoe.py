import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks import InputError, Shoe, find_pack, format_deck_counts, parse_cards, parse_deck_counts


@pytest.mark.parametrize(
    "text", ["0", "-1", "2.5", "six", "1000000", "", "6,", "8-4", "1-2-3", "6 decks", "٦", "1e1", "101"]
)
def test_invalid_deck_counts_are_refused(text):
    with pytest.raises(InputError):
        parse_deck_counts(text)


@given(st.sets(st.integers(1, 100), min_size=1))
def test_parsing_deck_counts_inverts_formatting(counts):
    assert set(parse_deck_counts(format_deck_counts(counts))) == counts


def test_deck_counts_keep_order_without_duplicates():
    assert parse_deck_counts("8, 6-7, 6") == (8, 6, 7)


def test_shoe_formats_readably():
    assert str(Shoe(1)) == "1 deck"
    assert str(Shoe(6, find_pack("spanish"))) == "6 Spanish decks"
    assert str(Shoe(2, removed=parse_cards("A♠"))) == "2 decks less As"


def test_shoe_without_decks_is_refused():
    with pytest.raises(InputError, match="got 0"):
        Shoe(0)


def test_unknown_pack_gets_a_suggestion():
    with pytest.raises(InputError, match="did you mean 'spanish'"):
        find_pack("spanisch")


def test_shoe_is_immutable_and_hashable():
    shoe = Shoe(6, removed="7h 7d")
    same = Shoe(6, "standard", list(parse_cards("7h 7d")))
    assert (shoe, hash(shoe)) == (same, hash(same))
    assert shoe != Shoe(6)
    assert shoe != (6, shoe.pack, shoe.removed)
    assert pickle.loads(pickle.dumps(shoe)) == shoe
    for change in (lambda: setattr(shoe, "decks", 8), lambda: delattr(shoe, "pack")):
        with pytest.raises(AttributeError, match="immutable"):
            change()
