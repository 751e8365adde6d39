"""Outcomes: every hand of the shoe belongs to exactly one, with its award."""

import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, takewhile
from math import perm

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.award import Award
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.bets.paytable import Bet, Paytable
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.enumerator import FixedEnumerator, JokerCase
from combinat.exact.numbers import MiscountError
from combinat.language.parser import parse_rule
from decks import STANDARD, Card, Composition, Pack, Rank, Shoe, Suit, find_pack, parse_cards
from tests.profiles import tries
from tests.published_tables import BY_ID
from tests.slow.dealer import RanOutError, dealer_stands, drawn_probabilities
from tests.slow.deals import physical_cards
from tests.slow.rules import fits
from tests.slow_cases import slow_case, slow_cases
from tests.strategies import DEALS, DRAWN_LADDERS, card_lists, rules

SPANISH_MATCH = "MATCH-THE-DEALER-SPANISH"
FEW = Pack("few", tuple(Rank(rank) for rank in (2, 5, 9, 10, 13, 14)))
FEWER = Pack("fewer", tuple(Rank(rank) for rank in (2, 9, 10, 14)))


@lru_cache(maxsize=None)
def drawn_paytable(deal, texts, condition, pack):
    return paytable_of(parse_deal(deal), texts, condition, pack=pack)


def paytable_of(deal, texts, given=None, roles_distinct=None, pack=STANDARD):
    """Return a paytable with these rules."""
    awards = tuple(
        Award(f"award {index}", parse_rule(text, deal), parse_pay(f"{index + 1} to 1"))
        for index, text in enumerate(texts)
    )
    condition = parse_rule(given, deal) if given else None
    bet = Bet("Made up", deal, pack, roles_distinct=roles_distinct, condition=condition)
    return Paytable("MADE-UP", bet, "Made up", (1,), awards)


def outcomes(paytable, shoe):
    return paytable.experiment.outcomes(shoe.composition)


def test_rare_award_has_an_example():
    removed = [card for card, _ in Shoe(1).composition.remove(parse_cards("2h 6s Ad 2d 6d 9h Jh"))]
    shoe = Shoe(1, removed=removed)
    flush = examples(get_paytable("TRI-02"), shoe)[3]
    assert [str(card) for card in flush.roles[0][1]] in (["2d", "6d", "Ad"], ["2h", "9h", "Jh"])


def examples(paytable, shoe):
    return paytable.experiment.examples(shoe.composition)


def shoe_of(composition, pack=STANDARD):
    """Return ten decks of which only these cards remain."""
    removed = (pack.composition * 10).remove(physical_cards(composition))
    return Shoe(10, pack, tuple(physical_cards(removed)))


def hand_of(paytable, outcome):
    """Return the outcome's cards by position as rules see them; further cards of a drawing dealer are a list."""
    dealt = outcome.dealt
    if paytable.bet.deal.kind == "fixed":
        return [card for _, cards in dealt for card in cards]
    *roles, (name, drawn) = dealt
    assert name == "dealer"
    return [*(card for _, cards in roles for card in cards), drawn[0], list(drawn[1:])]


def judged(paytable, hand):
    """Return the index of the hand's award, judged word by word, and whether the bet exists."""
    given = paytable.bet.condition
    award = next((index for index, award in enumerate(paytable.awards) if fits(award.rule.fact, hand)), None)
    return award, given is None or fits(given.fact, hand)


def places(paytable):
    """Indexes of the awards in the ladder, then `None` for a loss."""
    return [*range(len(paytable.awards)), None]


def ways_by_award(found):
    ways = Counter()
    for outcome in found:
        ways[outcome.award] += outcome.ways
    return ways


def assert_adds_up(paytable, shoe, found):
    ways = paytable.ways(shoe)
    assert sum(outcome.ways for outcome in found) == ways.cycle
    by_award = ways_by_award(found)
    assert [by_award[award] for award in places(paytable)] == [*ways.wins, ways.losing]


CATALOG = [
    ("TRI-01", 6, "", 2_093),  # three cards of 52, up to a permutation of suits
    ("TRI-02", 2, "", 2_080),  # 13 fewer: no card occurs three times
    ("SUP-01", 4, "", 2_093),
    ("TBJ-06-2024", 6, "", 2_093),
    ("BN9-EXAMPLE", 1, "", 1_755),
    ("21+3-PT10", 3, "", 6_097),  # hearts matter
    ("BLZ-1-UP", 6, "", 11_323),
    ("HM-1", 2, "", 182),  # 91 pairs of ranks, suited or not
    ("HM-2", 1, "", 169),
    ("TRI-03", 6, "7h 7d Ks As As 2c", None),
    ("TRILXDLX-01", 1, "Ah Ad", None),
]


@slow_cases(
    "TRI-03-6-7h 7d Ks As As 2c-None",
    "BLZ-1-UP-6--11323",
    "21+3-PT10-3--6097",
    "TRILXDLX-01-1-Ah Ad-None",
    "TRI-02-2--2080",
    "TBJ-06-2024-6--2093",
)
@pytest.mark.parametrize(("id", "decks", "removed", "classes"), CATALOG)
def test_ways_of_outcomes_match_the_analysis(id, decks, removed, classes):
    paytable = get_paytable(id)
    shoe = Shoe(decks, paytable.bet.pack, parse_cards(removed))
    result = list(outcomes(paytable, shoe))
    assert_adds_up(paytable, shoe, result)
    assert len({outcome.roles for outcome in result}) == len(result)
    assert classes is None or len(result) == classes
    assert paytable.experiment.count_outcomes(shoe.composition) == len(result)
    for outcome in result[:: max(len(result) // 500, 1)]:
        assert outcome.ways > 0
        assert judged(paytable, hand_of(paytable, outcome)) == (outcome.award, True)
        assert shoe.composition.ways(outcome.cards)


@pytest.mark.parametrize("removed", ["", slow_case("Ah Ah 9s")])
def test_spanish_pack_has_no_tens(removed):
    paytable = BY_ID[SPANISH_MATCH]
    shoe = Shoe(6, paytable.bet.pack, parse_cards(removed))
    result = list(outcomes(paytable, shoe))
    assert_adds_up(paytable, shoe, result)
    assert not any(card.rank == 10 for outcome in result for card in outcome.cards)
    for outcome in result[::97]:
        assert judged(paytable, hand_of(paytable, outcome))[0] == outcome.award


def renamed(cards, renaming):
    return tuple(sorted(Card(card.rank, Suit(renaming[card.suit])) for card in cards))


@st.composite
def small_bets(draw):
    """Draw a paytable with random rules and a few cards of a pack of few ranks."""
    deal = parse_deal(draw(st.sampled_from(DEALS)))
    texts = draw(st.lists(rules(deal, 1), min_size=1, max_size=3))
    condition = draw(st.one_of(st.none(), rules(deal, 0)))
    answer = any(parse_rule(text, deal).roles for text in [*texts, *([condition] if condition else [])])
    ranks = draw(st.lists(st.sampled_from(list(Rank)), min_size=1, max_size=4, unique=True))
    pack = Pack("small", tuple(sorted(ranks)))
    cards = draw(st.lists(st.sampled_from([card for card, _ in pack.composition]), min_size=4, max_size=6))
    paytable = paytable_of(deal, texts, condition, answer or draw(st.booleans()), pack)
    return paytable, Composition.of([*cards, cards[0]])


@given(small_bets())
@tries(12)
def test_outcomes_cover_every_hand_once(bet):
    paytable, composition = bet
    deal, shoe = paytable.bet.deal, shoe_of(composition, paytable.bet.pack)
    renamings = paytable.experiment.enumerator.suit_permutations_at(composition)
    names = [role for role, _ in deal.roles] if paytable.roles_distinct or len(deal.roles) == 1 else ["all cards"]
    sizes = [size for _, size in deal.roles] if len(names) == len(deal.roles) else [deal.card_count]

    def class_of(cards):
        """Return the representative of all hands that the rules do not distinguish from this one."""
        split, start = [], 0
        for size in sizes:
            split.append(cards[start : start + size])
            start += size
        return min(tuple(renamed(part, renaming) for part in split) for renaming in renamings)

    ordered, awards = Counter(), {}
    for hand in permutations(physical_cards(composition), deal.card_count):
        award, can_be_bet = judged(paytable, list(hand))
        if can_be_bet:
            key = class_of(hand)
            ordered[key] += 1
            assert awards.setdefault(key, award) == award  # no outcome is divided between awards
    orders = deal.orders(roles_distinct=len(names) == len(deal.roles))
    result = list(outcomes(paytable, shoe))
    assert all([role for role, _ in outcome.roles] == names for outcome in result)
    listed = {class_of(outcome.cards): (outcome.ways, outcome.award) for outcome in result}
    assert len(listed) == len(result)
    assert listed == {key: (count // orders, awards[key]) for key, count in ordered.items()}


def list_plainly(paytable, composition):
    """List the outcomes of a small shoe hand by hand: smallest hand, ways and award, in order."""
    deal = paytable.bet.deal
    sizes = [size for _, size in deal.roles] if paytable.roles_distinct else [deal.card_count]
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    smallest, ordered, awards = {}, Counter(), {}
    for hand in permutations(physical_cards(composition), deal.card_count):
        award, can_be_bet = judged(paytable, list(hand))
        if not can_be_bet:
            continue
        orbit = set()
        for renaming in paytable.experiment.enumerator.suit_permutations_at(composition):
            roles = [renamed(hand[start : start + size], renaming) for start, size in zip(starts, sizes, strict=True)]
            cards = [card for role in roles for card in role]
            orbit.add((tuple(card.rank for card in cards), tuple(card.suit for card in cards)))
        key = min(orbit)
        smallest[key] = tuple(Card(rank, suit) for rank, suit in zip(*key, strict=True))
        ordered[key] += 1
        awards[key] = award
    orders = deal.orders(roles_distinct=len(sizes) == len(deal.roles))
    last = len(paytable.awards)
    in_order = sorted(smallest, key=lambda key: (last if awards[key] is None else awards[key], key))
    return [(smallest[key], ordered[key] // orders, awards[key]) for key in in_order]


@given(small_bets())
@tries(12)
def test_outcomes_match_a_plain_enumeration(bet):
    paytable, composition = bet
    result = list(paytable.experiment.outcomes(composition))
    assert [(outcome.cards, outcome.ways, outcome.award) for outcome in result] == list_plainly(paytable, composition)
    assert paytable.experiment.count_outcomes(composition) == len(result)


@pytest.mark.parametrize("deal", ["player:2, up:1, hole:1", "player:1, dealer:1, player_war:1, dealer_war:1"])
@pytest.mark.parametrize("removed", [slow_case(""), slow_case("2c 2h"), "2c 2d 2h 2s 9c"])
def test_four_card_outcomes_match_a_plain_enumeration(deal, removed):
    pack = Pack("small", (Rank(2), Rank(9), Rank(13)))
    texts = ("player.all(Ks)", "suited and player.has(K)", "pair and same color")
    paytable = paytable_of(parse_deal(deal), texts, "not all(9)", pack=pack)
    composition = pack.composition.remove(parse_cards(removed))
    result = list(paytable.experiment.outcomes(composition))
    assert [(outcome.cards, outcome.ways, outcome.award) for outcome in result] == list_plainly(paytable, composition)
    assert paytable.experiment.count_outcomes(composition) == len(result)


def test_outcome_with_two_awards_is_an_error(monkeypatch):
    paytable = paytable_of(parse_deal("player:2"), ("pair",))
    judge = JokerCase.judge

    def judge_by_order(portion, suits):
        parts = judge(portion, suits)
        return replace(parts, wins=(0,)) if suits[0] > suits[1] else parts

    monkeypatch.setattr(JokerCase, "judge", judge_by_order)
    monkeypatch.setattr(FixedEnumerator, "suit_permutations_at", lambda *_: ((0, 1, 2, 3),))
    with pytest.raises(MiscountError):
        list(paytable.experiment.outcomes(Shoe(1).composition))


@given(small_bets())
@tries(12)
def test_example_gets_its_award_from_the_shoe(bet):
    paytable, composition = bet
    shoe = shoe_of(composition, paytable.bet.pack)
    ways = paytable.experiment.count(composition)  # also if no hand meets the condition
    for award, (example, takes) in enumerate(zip(examples(paytable, shoe), ways.wins, strict=True)):
        assert (example is None) == (takes == 0)
        if example is not None:
            assert example.award == award
            assert judged(paytable, hand_of(paytable, example)) == (award, True)
            assert composition.ordered_ways(example.cards)


@pytest.mark.parametrize(
    ("id", "decks"),
    [("TRI-01", 4), ("TRI-03", 2), ("SUP-01", 1), ("21+3-PT1", 1), ("BLZ-1-UP", 6), slow_case("BB-2", 6)],
)
def test_catalog_examples_get_their_awards(id, decks):
    paytable = get_paytable(id)
    shoe = Shoe(decks)
    lines = analyze_wager(paytable, shoe).lines
    for index, (line, example) in enumerate(zip(lines, examples(paytable, shoe), strict=True)):
        assert (example is not None) == line.is_possible
        if example is not None:
            assert judged(paytable, hand_of(paytable, example)) == (index, True)
            assert shoe.composition.ordered_ways(example.cards)


# Dealer bets


def falls_as_said(cards, text):
    suits = {card.suit for card in cards}
    red = {suit.is_red for suit in suits}
    if run := re.fullmatch(r"(.+), (\d+) leading (red|black)", text):
        text, length, color = run.groups()
        if len(list(takewhile(lambda card: card.suit.is_red == (color == "red"), cards))) != int(length):
            return False
    return {
        "any suits": True,
        "one suit": len(suits) == 1,
        "one color, not one suit": len(suits) > 1 and len(red) == 1,
        "both colors": len(red) == 2,
    }[text]


def is_drawn_by_the_rule(cards, hits_soft_17):
    values = [1 if card.rank == 14 else min(int(card.rank), 10) for card in cards]
    return dealer_stands(values, hits_soft_17) and not any(
        dealer_stands(values[:index], hits_soft_17) for index in range(2, len(values))
    )


def assert_is_drawn(paytable, shoe, outcome):
    deal = paytable.bet.deal
    hand = hand_of(paytable, outcome)
    dealer = [hand[-2], *hand[-1]]
    assert is_drawn_by_the_rule(dealer, deal.draw == "h17")
    assert falls_as_said(dealer, outcome.detail)
    assert judged(paytable, hand) == (outcome.award, True)
    assert shoe.composition.ordered_ways(outcome.cards)


def test_finished_hands_add_up_and_follow_the_drawing_rule():
    pack, full = find_pack("standard without 3 4 6 J"), get_paytable("BB-1")
    paytable = replace(full, bet=replace(full.bet, pack=pack))
    shoe = Shoe(1, pack, parse_cards("7c 7d 7h 7s"))
    result = list(outcomes(paytable, shoe))
    assert_adds_up(paytable, shoe, result)
    assert {outcome.detail for outcome in result} == {"one suit", "one color, not one suit", "both colors"}
    for outcome in result[::17]:
        assert_is_drawn(paytable, shoe, outcome)


@given(card_lists, st.sampled_from(DRAWN_LADDERS))
@tries(20)
def test_finished_hands_match_drawing_card_by_card(cards, ladder):
    deal, texts, condition = parse_deal(ladder[0]), ladder[1], ladder[2]
    paytable = drawn_paytable(ladder[0], tuple(texts), condition, FEW)
    shoe = shoe_of(Composition.of(cards), FEW)
    parsed = [award.rule for award in paytable.awards]
    try:
        reference = drawn_probabilities(cards, deal, parsed, paytable.bet.condition, deal.draw == "h17")
    except RanOutError:
        reference = None
    assume(reference is not None)
    result = list(outcomes(paytable, shoe))
    assert_adds_up(paytable, shoe, result)
    assert paytable.experiment.count_outcomes(shoe.composition) == len(result)
    cycle, by_award = sum(outcome.ways for outcome in result), ways_by_award(result)
    assert [Fraction(by_award[award], cycle) for award in places(paytable)] == reference
    for outcome in result:
        assert_is_drawn(paytable, shoe, outcome)
    for award, example in zip(range(len(texts)), examples(paytable, shoe), strict=True):
        assert (example is not None) == (by_award[award] > 0)
        if example is not None:
            assert example.award == award
            assert_is_drawn(paytable, shoe, example)


@pytest.mark.parametrize("cards", ["2c 2h 9d 10s 10h 10d", "2c 2h 9d 9h 10s 10h 10d"])
def test_player_and_finished_hands_are_listed_once(cards):
    # Suits of both hands matter and no two suits are equal, so an ordered deal may have an odd number of ways.
    deal, texts = "player:2, dealer:s17", ("player.suited and dealer.suited", "dealer.same color")
    paytable, shoe = drawn_paytable(deal, texts, None, FEWER), shoe_of(Composition.of(parse_cards(cards)), FEWER)
    reference = drawn_probabilities(
        parse_cards(cards), paytable.bet.deal, [award.rule for award in paytable.awards], None, False
    )
    result = list(outcomes(paytable, shoe))
    assert_adds_up(paytable, shoe, result)
    cycle, by_award = sum(outcome.ways for outcome in result), ways_by_award(result)
    assert [Fraction(by_award[award], cycle) for award in places(paytable)] == reference
    assert paytable.experiment.count_outcomes(shoe.composition) == len(result)
    classes = Counter()
    for outcome in result:
        player, dealer = (cards for _, cards in outcome.roles)
        drawn = tuple(sorted(card.rank for card in dealer[1:]))
        classes[tuple(sorted(player)), dealer[0].rank, drawn, outcome.detail] += 1
    repeated = {key for key, count in classes.items() if count > 1 and key[3] == "both colors"}
    assert repeated == set()


@pytest.mark.parametrize(("id", "decks", "removed"), [("BB-1", 2, ""), slow_case("BB-2", 6, "8h 8h As")])
def test_steps_by_cards_drawn_match_the_awards(id, decks, removed):
    paytable, shoe = get_paytable(id), Shoe(decks, removed=parse_cards(removed))
    derivation = paytable.experiment.derivation(shoe)
    assert [column.key for column in derivation.columns] == ["cards", "hands", "orders", "ways", "probability"]
    ways = paytable.ways(shoe)
    inside, probabilities = Fraction(0), Counter()
    for step in derivation.steps:
        cards, hands, orders, ways_to_draw, probability = step.values
        assert 0 < hands <= orders
        inside += Fraction(ways_to_draw, perm(shoe.size, cards))
        probabilities[step.award] += probability
    for step in derivation.steps:
        cards, _, _, ways_to_draw, probability = step.values
        assert probability == Fraction(ways_to_draw, perm(shoe.size, cards)) / inside
    assert sum(probabilities.values()) == 1 == derivation.all_hands[-1]
    assert [probabilities[award] for award in places(paytable)] == [
        Fraction(count, ways.cycle) for count in (*ways.wins, ways.losing)
    ]
    # The bet exists unless the dealer has blackjack: an ace and a ten in either order.
    aces = sum(count for card, count in shoe.composition if card.rank == 14)
    tens = sum(count for card, count in shoe.composition if 10 <= card.rank <= 13)
    assert inside == 1 - Fraction(2 * aces * tens, perm(shoe.size, 2))
