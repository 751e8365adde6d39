"""Rules in English: the catalog's literally, and no two meanings share a text."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import collection_files, iter_collection
from combinat.bets.export import describe_award
from combinat.bets.load import load_bet
from combinat.bets.variants import condition_on_up_card
from combinat.enumeration.experiment import parse_deal
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from combinat.language.rules import And, Not, Or, Rule
from combinat.language.words import CALLS, FACTS, KINDS, NUMBERS, OPERATORS
from decks import InputError
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.published_tables import BET_FILES
from tests.reference_page import EXAMPLES, split_pack
from tests.slow.rules import fits, judge
from tests.slow_cases import slow_case
from tests.strategies import DEALS, DRAWN_LADDERS, PIECES, rules

LONG_WINDED = {"fortune_pai_gow"}
"""Bets whose envy hands name the cards of a royal flush suit by suit."""
PUBLISHED = [
    *BET_FILES,
    *collection_files("baccarat"),
    *(one for one in collection_files("poker") if one.stem not in LONG_WINDED),
]


def words(rule, deal="player:2, up:1"):
    parsed = parse_deal(deal)
    return describe_rule(parse_rule(rule, parsed), parsed)


def rules_of(paytables):
    for paytable in paytables:
        deal, given = paytable.bet.deal, paytable.bet.condition
        for award in paytable.awards:
            yield str(deal), str(award.rule), describe_award(award, paytable)
        # Awards that add up have texts like rules.
        for rule in (*(stated_award.rule for stated_award in paytable.stated_awards), *([given] if given else [])):
            yield str(deal), str(rule), describe_rule(rule, deal)


THREE = "player:2, up:1"
FIXED = {
    (THREE, "A-K-Q and suited"): "ace, king and queen, all of one suit",
    (THREE, "straight flush"): "a straight flush",
    (THREE, "three of a kind"): "three of a kind",
    (THREE, "three of a kind and suited"): "three of a kind, all of one suit",
    (THREE, "straight"): "a straight",
    (THREE, "flush"): "a flush",
    (THREE, "pair"): "a pair",
    (THREE, "A-A-A and suited"): "three aces, all of one suit",
    (THREE, "A-A-A and all(hearts)"): "three aces, all hearts",
    (THREE, "(A-A-A or K-K-K) and suited"): "three aces or three kings, in each case all of one suit",
    (THREE, "(A-A-A or K-K-K) and all(hearts)"): "three aces or three kings, in each case all hearts",
    (THREE, "(A-A-A or K-K-K or Q-Q-Q) and suited"): (
        "three aces, three kings or three queens, in each case all of one suit"
    ),
    (THREE, "(A-A-A or K-K-K or Q-Q-Q) and all(hearts)"): (
        "three aces, three kings or three queens, in each case all hearts"
    ),
    (THREE, "points == 9"): "points of 9",
    (THREE, "points == 9 and suited"): "points of 9, all cards of one suit",
    ("player:2", "A-K and suited"): "ace and king, both of one suit",
    ("player:2", "straight flush"): "a straight flush",
    ("player:2", "straight"): "a straight",
    ("player:2", "pair"): "a pair",
    ("dealer:h17", "not blackjack"): "the dealer has no blackjack",
    ("dealer:h17", "8-8-8"): "the dealer's hand is three 8s",
    ("dealer:h17", "8-8-8 and suited"): "the dealer's hand is three 8s, all of one suit",
}
SEVENS = {
    "7-7-7 and all(diamonds)": "three 7s, all diamonds",
    "7-7-7 and suited": "three 7s, all of one suit",
    "7-7-7 and same color": "three 7s, all of one color",
    "7-7-7": "three 7s",
    "player.7-7": "the player's two cards are both 7s",
    "player.has(7)": "the player holds a 7",
}
UP = {str(rank): f"a {rank}" for rank in (2, 3, 4, 5, 6, 7, 9)} | {
    "8": "an 8",
    "tens": "a 10, jack, queen or king",
    "A": "an ace",
}
LUCKY_9 = {
    "lucky nine and units won == 1": "a lucky nine, and the number of units won is 1",
    "units won == 0 and units lost == 0": "the number of units won is 0, and the number of units lost is 0",
    **{f"units won == {units}": f"the number of units won is {units}" for units in (1, 2, 3, 4)},
    **{f"units lost == {units}": f"the number of units lost is {units}" for units in (2, 3, 4)},
}
SUITED_OR_BOOTED = {
    "A-2-3 and suited": "ace, 2 and 3, all of one suit",
    "player.suited": "the player's two cards are both of one suit",
    "player.suited and (player.A-2 or player.A-3 or player.2-3)": (
        "the player's two cards are ace and 2, or ace and 3, or 2 and 3, in each case both of one suit"
    ),
}
NO_BLACKJACK = " and not dealer.blackjack"
CATALOG = (
    FIXED
    | {(deal, rule): text for deal in (THREE, "player:2, next:1") for rule, text in SEVENS.items()}
    | {("dealer:h17", f"bust and up.has({up})"): f"the dealer busts with {text} up" for up, text in UP.items()}
    | {
        ("dealer:h17", f"bust and suited and up.has({up})"): f"the dealer busts, all cards of one suit, with {text} up"
        for up, text in UP.items()
    }
    | {("lucky 9", rule): text for rule, text in LUCKY_9.items()}
    | {("lucky 9 tie", "tie"): "a tie"}
    | {("player:2, next:1", rule): text for rule, text in SUITED_OR_BOOTED.items()}
    | {
        ("player:2, next:1, up:1, hole:1", rule): text
        for rule, text in {
            f"player.7-7 and next.has(7) and player.all(next.suit){NO_BLACKJACK}": (
                "the player's two cards are both 7s, both of the same suit as the next card, and the next card is a 7, "
                "and the dealer has no blackjack"
            ),
            f"player.7-7 and next.has(7) and player.all(next.color){NO_BLACKJACK}": (
                "the player's two cards are both 7s, both of the same color as the next card, and the next card is a "
                "7, and the dealer has no blackjack"
            ),
            f"player.7-7 and next.has(7){NO_BLACKJACK}": (
                "the player's two cards are both 7s, and the next card is a 7, and the dealer has no blackjack"
            ),
            f"player.all(7d) and next.has(7d){NO_BLACKJACK}": (
                "each of the player's two cards is a 7 of diamonds, and the next card is a 7 of diamonds, "
                "and the dealer has no blackjack"
            ),
            "player.7-7": SEVENS["player.7-7"],
            "player.has(7)": SEVENS["player.has(7)"],
        }.items()
    }
)


def test_catalog_rules_in_english():
    assert {(deal, rule): text for deal, rule, text in rules_of(iter_collection())} == CATALOG


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_published_rules_have_short_unique_texts(path):
    texts = {}
    for deal, rule, text in rules_of(load_bet(path)):
        assert text == text.strip()
        assert 0 < len(text) <= 230
        assert not re.search(r"[=<>_.]|\bNone\b|  ", text)
        assert texts.setdefault((deal, text), rule) == rule


@pytest.mark.parametrize(
    ("rule", "deal", "text"),
    [
        ("total in (19, 20, 21)", "player:2", "a total of 19, 20 or 21"),
        ("total not in (19, 20)", "player:2", "a total other than 19 or 20"),
        ("12 <= total <= 16 or total == 20", "player:2", "a total from 12 to 16, or a total of 20"),
        ("hard total > 13", "player:2", "a hard total of more than 13"),
        ("points != 9", "player:2", "points other than 9"),
        ("9 < points", "player:2", "points of more than 9"),
        ("blackjack and suited", "player:2", "a blackjack, both cards of one suit"),
        ("pair and flush", THREE, "a pair, all cards of one suit"),
        ("flush and not pair", THREE, "a flush, but no pair"),
        ("not suited", THREE, "not all cards of one suit"),
        ("not A-K-Q", THREE, "not (ace, king and queen)"),
        ("not 7-7-7", THREE, "not three 7s"),
        ("not player.7-7", THREE, "the player's two cards are not both 7s"),
        ("not all(red)", THREE, "not every card is red"),
        ("not has(7)", THREE, "no 7"),
        ("not player.has(7, A)", THREE, "the player holds no 7 or ace"),
        ("count(7) == 2", THREE, "exactly two 7s"),
        ("count(7) != 2", THREE, "not exactly two 7s"),
        ("player.count(7) == 1", THREE, "the player holds exactly one 7"),
        ("player.count(hearts, 7d) <= 1", "player:3, up:1", "the player holds at most one heart or 7 of diamonds"),
        ("pair and count(J, Q) >= 2", THREE, "a pair with at least two jacks or queens"),
        ("has(Ah) and has(5h)", "player:2", "at least one ace of hearts, and at least one 5 of hearts"),
        ("all(face)", "player:2", "every card is a jack, queen or king"),
        ("player.all(up.color)", THREE, "each of the player's two cards is of the same color as the dealer's up card"),
        (
            "player.count(up.rank, 7) == 1",
            THREE,
            "the player holds exactly one 7 or card of the same rank as the dealer's up card",
        ),
        (
            "first.rank == 7 and second.has(first)",
            "first:1, second:1",
            "the first card is a 7, and the second card is of the same rank and suit as the first card",
        ),
        ("up.rank >= J", THREE, "the dealer's up card is a jack or higher (aces high)"),
        ("3 <= up.rank <= J", THREE, "the dealer's up card is from 3 to jack (aces high)"),
        ("high == K", "player:2", "the highest rank is king (aces high)"),
        (
            "player.low < up.rank < player.high",
            THREE,
            "the rank of the dealer's up card is higher than the player's lowest rank and lower than the player's "
            "highest rank (aces high)",
        ),
        ("player.total > dealer.total", "player:2, dealer:2", "the player's total is more than the dealer's total"),
        ("count(7) + count(A) == 2", THREE, "the number of 7s plus the number of aces is 2"),
        (
            "1 - (total - points) < total",
            "player:2",
            "1 minus (the total minus the number of points) is less than the total",
        ),
        (
            "dealer.blackjack and two pair",
            "player:2, up:1, hole:1",
            "the dealer has a blackjack, and the four cards together make two pair",
        ),
        (
            "board.suited and player.pair",
            "player:2, board:3",
            "the three board cards are all of one suit, and the player has a pair",
        ),
        ("not bust", "dealer:s17", "the dealer does not bust"),
        ("cards == 5 and total == 21", "dealer:s17", "the dealer has a total of 21 with five cards"),
        ("dealer.all(tens)", "dealer:s17", "each of the dealer's cards is a 10, jack, queen or king"),
        ("up.has(A) and cards > 2", "dealer:s17", "the dealer has more than two cards, with an ace up"),
        ("up.has(2) and not bust", "dealer:h17", "the dealer's up card is a 2, and the dealer does not bust"),
        ("not not pair", THREE, "a pair"),
        ("not (pair or straight)", THREE, "not (a pair, or a straight)"),
        ("(pair or straight) and suited", THREE, "(a pair, or a straight), and all cards of one suit"),
        ("pair or straight and suited", THREE, "a pair, or (a straight, all of one suit)"),
        ("A-A-A or K-K-K and suited", THREE, "three aces, or (three kings, all of one suit)"),
        ("A-K-Q or K-Q-J", THREE, "ace, king and queen, or king, queen and jack"),
    ],
)
def test_rules_in_english(rule, deal, text):
    assert words(rule, deal) == text


def test_up_card_conditions_in_english():
    paytable = condition_on_up_card(next(paytable for paytable in iter_collection() if paytable.id == "BB-1"), "A")
    text = describe_rule(paytable.bet.condition, paytable.bet.deal)
    assert text == "the dealer has no blackjack, and the dealer's up card is an ace"


def test_every_word_has_an_english_text():
    message = {word.partition("(")[0]: words(rule, split_pack(deal)[0]) for word, rule, deal, *_ in EXAMPLES}
    assert {*FACTS, *NUMBERS, *CALLS, *KINDS, *OPERATORS} <= message.keys()
    assert all(message.values())


@given(st.data())
@tries(60, quick=8)
def test_random_rules_have_an_english_text(data):
    deal = parse_deal(data.draw(st.sampled_from(DEALS)))
    text = describe_rule(parse_rule(data.draw(rules(deal)), deal), deal)
    assert text == text.strip() != ""
    assert text.count("(") == text.count(")")
    assert not re.search(r"[=<>_{}]|\bNone\b|  ", text)


@given(st.lists(PIECES, max_size=20).map(" ".join), st.sampled_from([parse_deal(THREE), parse_deal("dealer:h17")]))
@tries(300, quick=20)
def test_parsed_rules_have_an_english_text(text, deal):
    try:
        rule = parse_rule(text, deal)
    except InputError:
        return
    assert describe_rule(rule, deal)


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        (deal, rule)
        for deal, rules, condition in DRAWN_LADDERS
        for rule in [*rules, *([condition] if condition else [])]
    ],
)
def test_random_dealer_rules_have_an_english_text(deal, rule):
    assert words(rule, deal)


SMALL_SHOE = [card for card in ALL_CARDS if card.rank in (7, 8, 9, 14) and str(card)[-1] in "dhs"]


def joined(facts):
    """Yield every way to join three facts, each negated or not, with or without brackets."""
    for a, b, c in product(*((fact, Not(fact)) for fact in facts)):
        for outer, inner in product((And, Or), repeat=2):
            for one in (outer((a, inner((b, c)))), outer((inner((a, b)), c)), outer((a, Not(inner((b, c)))))):
                yield one
                yield Not(one)
                yield Not(And((one, a)))


@pytest.mark.parametrize(
    ("deal", "atoms"),
    [
        (THREE, ["pair", "suited", "straight"]),
        slow_case(THREE, ["7-7-7", "8-8-8", "suited"]),
        slow_case(THREE, ["total == 21", "has(7)", "same color"]),
        slow_case(THREE, ["player.has(7)", "suited", "up.has(A)"]),
        slow_case(THREE, ["player.7-8", "player.suited", "total > 20"]),
        slow_case(THREE, ["count(red) == 2", "count(7, A) >= 2", "high == 9"]),
        ("first:1, second:1, third:1", ["first.has(7)", "second.rank > 7", "third.has(first.suit)"]),
    ],
)
def test_equal_texts_have_equal_meanings(deal, atoms):
    parsed = parse_deal(deal)
    facts = [parse_rule(atom, parsed).fact for atom in atoms]
    # Hands that agree in all three facts agree in any combination of them, so one of each kind is enough.
    judges = [judge(fact) for fact in facts]
    hands = {tuple(fits(hand) for fits in judges): hand for hand in product(SMALL_SHOE, repeat=3)}
    assert len(hands) >= 5
    meanings = {}
    for fact in joined(facts):
        text = describe_rule(Rule("", fact, frozenset()), parsed)
        meaning = list(map(judge(fact), hands.values()))
        assert meanings.setdefault(text, meaning) == meaning, text
    assert len(meanings) > 50


@given(st.data())
@tries(40)
def test_random_rules_with_one_text_have_one_meaning(data):
    deal = parse_deal("player:2, up:1")
    remaining, right = (parse_rule(data.draw(rules(deal, depth=1)), deal) for _ in range(2))
    joins = [
        And((remaining.fact, right.fact)),
        Or((remaining.fact, right.fact)),
        And((remaining.fact, Not(right.fact))),
        remaining.fact,
    ]
    joins += [Not(fact) for fact in joins]
    texts = [describe_rule(Rule("", fact, frozenset()), deal) for fact in joins]
    hands = data.draw(st.lists(st.lists(st.sampled_from(ALL_CARDS), min_size=3, max_size=3), min_size=5, max_size=5))
    for (first, text), (second, also) in product(zip(joins, texts, strict=True), repeat=2):
        if text == also:
            assert all(fits(first, hand) == fits(second, hand) for hand in hands), text
