"""Published values of blackjack hands, standing as data files with their source in tests/published_blackjack."""

import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from combinat.blackjack_game import Blackjack
from combinat.blackjack_hands import ACE, NAMES, hand_of, is_blackjack, parse_first_hand
from combinat.blackjack_rules import Action, BlackjackRules
from decks import Shoe
from reports.numerals import decimal
from tests.combinat.test_blackjack_twins import values_of

FOLDER = Path(__file__).parent / "published_blackjack"


def read(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"), parse_float=str)


def lines(table):
    return [line.split() for line in table.strip().split("\n") if line]


def printed(value, text):
    """Write our value as a published one is written."""
    return decimal(value, len(text.partition(".")[2])).replace("−", "-")


@cache
def whole_game(decks, rules):
    return Blackjack(Shoe(decks), rules)


PAGES = read("wizard_of_odds.toml")["pages"]
WHOLE_GAMES = [
    pytest.param(
        page, das, id=f"{page['decks']}-{'h17' if page['hits_soft_17'] else 's17'}-{'das' if das else 'nodas'}"
    )
    for page in PAGES
    for das in (True, False)
    if (page["decks"], page["hits_soft_17"], das) in {(1, False, True), (1, True, False), (5, False, False)}
]


@pytest.mark.parametrize("page", PAGES[:4], ids=lambda page: f"{page['decks']}-{page['hits_soft_17']}")
def test_single_hands_agree_to_the_last_printed_digit(page):
    game = Blackjack(Shoe(page["decks"]), BlackjackRules(hits_soft_17=page["hits_soft_17"]), ups=(ACE,))
    for hand, *cells in lines(page["cells_against_an_ace"]):
        values = game.hand(parse_first_hand(hand), ACE).values
        for action, cell in zip((Action.STAND, Action.HIT, Action.DOUBLE), cells, strict=True):
            assert abs(values[action] - Fraction(cell)) < Fraction(54, 10**8), (hand, action)


@pytest.mark.parametrize(("page", "das"), WHOLE_GAMES)
def test_whole_game_is_as_published_but_for_what_the_number_of_split_hands_tells(page, das):
    rules = BlackjackRules(hits_soft_17=page["hits_soft_17"], double_after_split=das)
    ours = -whole_game(page["decks"], rules).edge()
    known = page["ours_das" if das else "ours_no_das"]
    assert printed(ours, known) == known
    theirs = Fraction(page["return_das" if das else "return_no_das"])
    last_digit = Fraction(1, 10**6)
    assert -last_digit / 2 <= theirs - ours <= Fraction(21, 10**6) / page["decks"] + last_digit / 2


def test_a_split_by_zero_memory_strategy_agrees_to_eleven_digits():
    published = read("zero_memory_split.toml")
    rules = BlackjackRules(hits_soft_17=published["hits_soft_17"])
    ours = values_of(tuple(published["shoe"]), rules, tuple(published["hand"]), published["up"])
    assert {action: printed(100 * value, published["values"][action]) for action, value in ours.items()} == (
        published["values"]
    )


def test_six_decks_agree_wherever_the_strategy_is_the_same():
    agreeing = 0
    game = whole_game(6, BlackjackRules(hits_soft_17=False))
    for name, *cells in lines(read("six_decks_s17.toml")["best"]):
        hand = parse_first_hand(" ".join(name))
        for up, cell in enumerate(cells):
            found = game.hand(hand, up)
            loses = 0 if is_blackjack(hand) else found.dealer_blackjack
            ours = 100 * ((1 - found.dealer_blackjack) * found.value - loses)
            agrees = printed(ours, cell) == cell
            agreeing += agrees
            if found.action in (Action.STAND, Action.DOUBLE) or name == "AA":
                assert agrees, (name, NAMES[up], cell)
            elif found.action is Action.HIT:
                assert agrees or ours > Fraction(cell), (name, NAMES[up], cell)
            else:
                assert abs(ours - Fraction(cell)) < Fraction(1, 5), (name, NAMES[up], cell)
    assert agreeing == 451


def test_basic_strategy_is_a_little_worse_than_best_play():
    rules = BlackjackRules(hits_soft_17=False)
    lost = Blackjack(Shoe(1), rules, "basic").edge() - whole_game(1, rules).edge()
    assert 0 < lost < Fraction(4, 10_000)


def test_a_card_gone_unseen_changes_nothing_on_average_under_a_fixed_strategy():
    eights, ten = hand_of((7, 7)), 9
    rules = BlackjackRules()

    def joint(game):
        going_on = game.chance_of_up(eights, ten) * (1 - game.dealer_blackjack(eights, ten))
        return going_on * game.value(eights, ten)

    whole = Blackjack(Shoe(1), rules, "basic", ups=(ten,))
    seen = whole.shoe.composition.remove([])
    averaged = Fraction(0)
    for place in range(10):
        left = whole.counts[place] - eights[place]
        card = next(card for card, _ in seen if min(card.rank if card.rank < 14 else 1, 10) == place + 1)
        averaged += Fraction(left, 50) * joint(Blackjack(Shoe(1, removed=(card,)), rules, "basic", ups=(ten,)))
    assert averaged == joint(whole)
