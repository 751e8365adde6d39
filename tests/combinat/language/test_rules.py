import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.odds import iter_rule_odds
from combinat.enumeration.experiment import parse_deal
from combinat.language.parser import parse_rule
from combinat.language.words import CALLS, FACTS, KINDS, NUMBERS, OPERATORS
from decks import InputError, Shoe, find_pack
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.reference_page import EXAMPLES, PAGE, split_pack
from tests.slow.dealer import chance_of_runs, probability_by_ranks
from tests.slow.rules import judge
from tests.slow_cases import slow_cases
from tests.strategies import PIECES

DEAL = parse_deal("player:2, up:1")


def hands(deal, apart, pack="standard"):
    """Every hand of one deck, by position."""
    deck = [card for card, count in find_pack(pack).composition for _ in range(count)]
    if not apart:
        yield from combinations(deck, deal.card_count)
        return
    (_, first), *others = deal.roles
    for cards in combinations(ALL_CARDS, first):
        yield from _dealt(cards, others)


def _dealt(cards, roles):
    if not roles:
        yield cards
        return
    (_, count), *others = roles
    for more in combinations([card for card in ALL_CARDS if card not in cards], count):
        yield from _dealt(cards + more, others)


@pytest.mark.parametrize(("word", "rule", "deal", "ways", "cycle"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_page_examples_have_the_printed_ways(word, rule, deal, ways, cycle):
    deal, pack = split_pack(deal)
    odds = next(iter_rule_odds(rule, parse_deal(deal), [Shoe(1, pack)]))
    assert (odds.ways, odds.cycle) == (ways, cycle)
    assert word.partition("(")[0] in rule or word.isdecimal()


@pytest.mark.parametrize(
    ("rule", "deal", "ways", "cycle"),
    [
        pytest.param(*example, id=word, marks=[pytest.mark.slow] if example[-1] > 2_000 else [])
        for word, *example in EXAMPLES
    ],
)
def test_page_examples_match_dealing_every_hand(rule, deal, ways, cycle):
    deal, pack = split_pack(deal)
    parsed = parse_deal(deal)
    fits = judge(parse_rule(rule, parsed).fact)
    roles_distinct = next(iter_rule_odds(rule, parsed, [Shoe(1, pack)])).roles_distinct
    judged = [fits(hand) for hand in hands(parsed, roles_distinct, pack)]
    assert (sum(judged), len(judged)) == (ways, cycle)


DRAWN_EXAMPLES = re.findall(r"^\| `(.+?)` \| `(.*dealer:...)` \| `?(.*?)`? \| (\d+/\d+) \|$", PAGE, re.MULTILINE)


@slow_cases("bust and suited-dealer:h17-up.has(10)-2939/299880")
@pytest.mark.parametrize(("rule", "deal", "given", "probability"), DRAWN_EXAMPLES)
def test_dealer_examples_have_the_printed_probability(rule, deal, given, probability):
    parsed = parse_deal(deal)
    assert next(iter_rule_odds(rule, parsed, [Shoe(1)], given or None)).probability == Fraction(probability)


@pytest.mark.slow  # small shoes are drawn card by card in `test_dealer.py`
@pytest.mark.parametrize(("rule", "deal", "given", "probability"), DRAWN_EXAMPLES)
def test_dealer_examples_match_drawing_card_by_card(rule, deal, given, probability):
    parsed = parse_deal(deal)
    hits = parsed.draw == "h17"
    alone = parse_deal(f"dealer:{parsed.draw}")
    if deal.startswith("player"):
        # A blackjack is 2 × 4 aces × 16 tens of 52 × 51 pairs; then those two cards are removed.
        dealer_busts = probability_by_ranks(parse_rule("bust", alone).fact, None, hits, gone=(14, 10))
        assert rule == "player.blackjack and dealer.bust"
        assert Fraction(probability) == Fraction(2 * 4 * 16, 52 * 51) * dealer_busts
        return
    suits = 1 if "suited" in rule else 2 if "same color" in rule else 4
    condition = parse_rule(given, alone).fact if given else None
    if "leading" in rule:
        assert chance_of_runs(parse_rule(rule, alone).fact, condition, hits) == Fraction(probability)
        return
    assert probability_by_ranks(parse_rule(rule, alone).fact, condition, hits, suits) == Fraction(probability)


def test_page_has_dealer_examples():
    assert len(DRAWN_EXAMPLES) >= 8


def test_page_has_an_example_for_every_word():
    words = {example[0].partition("(")[0] for example in EXAMPLES}
    assert {*FACTS, *NUMBERS, *CALLS, *KINDS, *OPERATORS} <= words


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("pair or suited and straight", "pair or (suited and straight)"),
        ("not pair and suited", "(not pair) and suited"),
        ("not not pair", "pair"),
        ("12 <= total <= 16", "12 <= total and total <= 16"),
        ("total in (19, 20)", "total == 19 or total == 20"),
        ("total not in (19, 20)", "not (total == 19 or total == 20)"),
        ("player.count(7, A) == 1", "player.count(7) + player.count(A) == 1"),
        ("player.high - player.low == 2", "player.high == player.low + 2"),
        ("trips", "three_of_a_kind"),
        ("same colour", "all(red) or all(black)"),
        ("A-K-Q", "has(A) and has(K) and has(Q)"),
        ("player.A-K", "player.has(A) and player.has(K)"),
        ("has(7♦)", "has(7d)"),
        ("up.rank == T", "up.has(10)"),
        ("player.count(up) == 1", "player.has(up) and player.count(up) < 2"),
        ("flush", "suited"),
    ],
)
def test_equivalent_rules_count_the_same(first, second):
    shoes = [Shoe(decks) for decks in (2, 3)]
    remaining = [entry.probability for entry in iter_rule_odds(first, DEAL, shoes)]
    assert remaining == [entry.probability for entry in iter_rule_odds(second, DEAL, shoes)]
    assert 0 < remaining[0] < 1


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            "suited and strait",
            r"unknown word 'strait' in the rule 'suited and strait' at column 12; did you mean 'straight'\?",
        ),
        ("", "the rule is empty"),
        ("   ", "the rule is empty"),
        ("suited and", "expected a word or a number .* at its end"),
        ("suited straight", "unexpected 'straight'"),
        ("(suited", r"expected '\)' to close the bracket"),
        ("suited)", r"unexpected '\)'"),
        ("player", "'player' needs a word"),
        ("dealer.suited", "'dealer' has 1"),
        ("bob.suited", "no role 'bob'"),
        ("palyer.suited", "did you mean 'player'"),
        ("player.__class__", "cannot read '__class__'"),
        ("suited.mro", "no role 'suited'"),
        ("__import__('os')", "cannot read '__import__'"),
        ("open('x')", "words need no quotes"),
        ("player.count", r"expected '\(' after 'count'"),
        ("player.count()", r"unknown kind of card '\)'"),
        ("count(hart) == 1", "did you mean 'hearts'"),
        ("count(player) == 1", "'player' has 2 cards"),
        ("count(up.rnak) == 1", "cannot match by 'rnak'.*did you mean 'rank'"),
        ("player.rank == 7", "'rank' needs one card, but 'player' has 2 in the rule .*; use high, low or count"),
        ("up.pair", "'pair' needs at least 2 cards, but 'up' has 1"),
        ("player.three of a kind", "at least 3 cards, but 'player' has 2"),
        ("blackjack", "needs 2 cards, but the deal has 3"),
        ("total", "expected a yes-or-no fact, found a number"),
        ("suited == 1", "expected a number, found a yes-or-no fact"),
        ("total and suited", "found a number"),
        ("total == 20.5", "expected a whole number"),
        ("total == 99999999999999999999", "at most 1000"),
        ("total = 20", "write 'total == 20'"),
        ("'suited'", "words need no quotes"),
        ("7d", r"the card '7d' .*write has\(7d\)"),
        ("red", r"write has\(red\), all\(red\) or count\(red\)"),
        ("A-K", "lists 2 ranks, but there are 3 cards"),
        ("high-low == 2", "put spaces around a minus sign"),
        ("count(1) == 2", "'1' is not a rank"),
        ("suited(3)", "'suited' takes no brackets"),
        ("Suited", "did you mean 'suited'"),
        ("suited; suited", "cannot read ';'"),
        ("lambda: 0", "cannot read ':'"),
        ("lambda", "unknown word 'lambda'"),
        ("total in 20", r"expected '\(' after 'in'"),
        (" + ".join(["total"] * 20) + " == 3", "more than 8 plus or minus signs"),
        ("(" * 30 + "suited" + ")" * 30, "nested more than 20 deep"),
        ("suited and " * 500 + "suited", "at most 1,000 characters"),
        ("suited and\0suited", "cannot read"),
    ],
)
def test_malformed_rules_are_refused(rule, message):
    with pytest.raises(InputError, match=message) as caught:
        parse_rule(rule, DEAL)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 600


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("", "cannot read the deal"),
        ("player", "cannot read the deal 'player'"),
        ("player:0", "no card"),
        ("player:8", "at most 7"),
        ("player:2, player:1", "twice"),
        ("suited:2", "a word of the rule language"),
        ("hard_total:2", "a word of the rule language"),
        ("dealer:1, up:1", "both 'dealer' and 'up'"),
        ("player:2; up:1", "cannot read the deal"),
        ("Player:2", "cannot read the deal"),
        ("player:999999999", "cannot read the deal"),
    ],
)
def test_malformed_deals_are_refused(deal, message):
    with pytest.raises(InputError, match=message):
        parse_deal(deal)


@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=80))
@tries(200, quick=20)
def test_any_text_is_a_rule_or_refused(text):
    try:
        rule = parse_rule(text, DEAL)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        odds = next(iter_rule_odds(text, DEAL, [Shoe(2)]))
        assert 0 <= odds.ways <= odds.cycle
        assert rule.roles <= {"player", "up", "dealer"}


def test_condition_keeps_only_matching_hands():
    odds = next(iter_rule_odds("player.has(7)", DEAL, [Shoe(6)], given="suited"))
    both = next(iter_rule_odds("player.has(7) and suited", DEAL, [Shoe(6)]))
    alone = next(iter_rule_odds("suited", DEAL, [Shoe(6)]))
    assert odds.probability == both.probability / alone.probability


def test_impossible_condition_is_refused():
    with pytest.raises(InputError, match="no hand of 1 deck fits the condition"):
        list(iter_rule_odds("suited", DEAL, [Shoe(1)], given="identical"))


def test_shoe_too_small_for_the_deal_is_refused():
    pack = find_pack("standard without 2 3 4 5 6 7 8 10 J Q K")
    with pytest.raises(InputError, match=r"^1 deck .* has too few cards for the longest hand that is counted$"):
        list(iter_rule_odds("bust", parse_deal("dealer:s17"), [Shoe(1, pack)]))
    assert len(list(iter_rule_odds("bust", parse_deal("dealer:s17"), [Shoe(2, pack)]))) == 1


@pytest.mark.parametrize(
    ("phrase", "rule"),
    [
        ("pair of kings", "count(K) == 2"),
        ("player.pair of 7s", "player.count(7) == 2"),
        ("pair of queens or better", "count(Q) == 2 or count(K) == 2 or count(A) == 2"),
        ("suited pair", "suited and pair"),
        ("player.perfect pair", "player.pair and player.suited"),
        ("total between 5 and 9", "5 <= total <= 9"),
        ("total in 5-9", "5 <= total <= 9"),
        ("player.total 20", "player.total == 20"),
        ("total > 20 and < 25", "total > 20 and total < 25"),
        ("two faces", "count(face) == 2"),
        ("at least 2 aces", "count(A) >= 2"),
        ("no aces", "not has(A)"),
        ("7 7 7", "7-7-7"),
        ("777", "7-7-7"),
        ("ace high", "high == A"),
        ("up is ace", "up.has(A)"),
        ("has king", "has(K)"),
        ("same suit", "suited"),
        ("3 of a kind", "three of a kind"),
        ("flush of hearts", "all(hearts)"),
    ],
)
def test_everyday_phrase_is_answered_with_a_valid_rule(phrase, rule):
    deal = parse_deal("player:2, up:1")
    with pytest.raises(InputError) as caught:
        parse_rule(phrase, deal)
    assert str(caught.value).endswith(f"; write '{rule}'")
    parse_rule(rule, deal)


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("total => 20", "write >="),
        ("total =< 20", "write <="),
        ("total ≥ 20", "write >="),
        ("faces", r"write has\(face\)"),
        ("player pair", "write player.pair"),
        ("pair)", "no bracket to close"),
        ("suited or", "a fact after 'or'"),
    ],
)
def test_hint_names_what_to_write(rule, hint):
    with pytest.raises(InputError, match=hint):
        parse_rule(rule, parse_deal("player:2, up:1"))
