"""Table rules as a sentence, invalid rules, and the strategy charts."""

from fractions import Fraction

import pytest

from combinat.blackjack.charts import COLUMNS, load_charts
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import ACE, FIRST_HANDS, hand_of, is_natural
from combinat.blackjack.rules import Action, BlackjackRules, parse_blackjack_pays
from decks import SPANISH, InputError, Shoe


def test_rules_format_as_one_sentence():
    message = str(BlackjackRules(hits_soft_17=False, double="10-11", max_hands=1, surrender=True))
    assert message == (
        "dealer stands on soft 17, blackjack pays 3 to 2, double hard 10 and 11, no splits, late surrender"
    )
    assert "split aces as often as others with any number of cards each" in str(
        BlackjackRules(resplit_aces=True, hit_split_aces=True)
    )


@pytest.mark.parametrize("text", ["3", "3:0", "3:2:1", "-3:2", "x"])
def test_invalid_blackjack_pay_is_refused(text):
    with pytest.raises(InputError, match=text):
        parse_blackjack_pays(text)


def test_charts_cover_every_hand():
    for chart in load_charts().charts:
        for rows in (chart.hard, chart.soft, chart.pairs, chart.pairs_no_das):
            assert all(len(row.split()) == len(COLUMNS) for row in rows.values())
        for hand in FIRST_HANDS:
            for up in COLUMNS:
                for das in (True, False):
                    assert chart.preferences(hand, up, das)[-1] in (Action.HIT, Action.STAND)


def test_blackjack_pay_affects_only_blackjacks():
    even = BlackjackGame(Shoe(2), BlackjackRules(blackjack_pays=Fraction(1)), ups=(5,))
    usual = BlackjackGame(Shoe(2), ups=(5,))
    for hand in (hand_of((4, 5)), hand_of((ACE, 9)), hand_of((8, 8))):
        assert even.value(hand, 5) == usual.value(hand, 5, Fraction(1))
        assert is_natural(hand) == (even.value(hand, 5) != usual.value(hand, 5))


def test_more_freedom_is_never_worse_for_best_play():
    hand, up = hand_of((7, 7)), 9
    values = [
        BlackjackGame(Shoe(1), BlackjackRules(**rules), ups=(up,)).value(hand, up)
        for rules in ({"max_hands": 1}, {"max_hands": 2, "double_after_split": False}, {}, {"surrender": True})
    ]
    assert values == sorted(values)


def test_spanish_pack_is_supported():
    hand = BlackjackGame(Shoe(6, SPANISH), ups=(ACE,)).hand(hand_of((9, 9)), ACE)
    assert hand.dealer_blackjack == Fraction(72 - 2, 288 - 3)
    assert hand.action is Action.STAND
