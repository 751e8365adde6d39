import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decks import Card, InputError, Rank, Suit, parse_card, parse_cards
from decks.cards import ALL_CARDS, JOKER, parse_rank


@pytest.mark.parametrize("card", ALL_CARDS, ids=str)
def test_parsing_inverts_formatting(card):
    assert parse_card(str(card)) == card
    assert parse_card(f"{card.rank}{card.suit.symbol}") == card
    assert parse_card(str(card).upper()) == parse_card(str(card).lower()) == card


def test_cards_have_unique_indexes():
    assert [card.card_index for card in ALL_CARDS] == list(range(52))


def test_ten_is_10_or_t_and_prints_as_10():
    assert parse_card("Th") == parse_card("10♥") == parse_card(" 10h ") == Card(Rank.TEN, Suit.HEARTS)
    assert str(parse_card("TH")) == "10h"


@pytest.mark.parametrize("text", ["", "A", "s", "1s", "11s", "Ax", "As7", "A s", "0h", "♠A", "10", "Ahh"])
def test_malformed_card_is_refused_with_an_example(text):
    with pytest.raises(InputError, match="is not a card"):
        parse_card(text)


def test_cards_are_separated_by_spaces_or_commas():
    assert [str(card) for card in parse_cards("7h,7♦  Ks")] == ["7h", "7d", "Ks"]
    assert parse_cards("") == ()


def test_malformed_rank_is_named():
    with pytest.raises(InputError, match="'1' is not a rank"):
        parse_rank("1")


@given(st.text(max_size=6))
@example("JOKER")
def test_any_text_is_a_card_or_refused(text):
    try:
        assert str(parse_card(text)) in {str(card) for card in (*ALL_CARDS, JOKER)}
    except InputError as error:
        assert "\n" not in str(error)
