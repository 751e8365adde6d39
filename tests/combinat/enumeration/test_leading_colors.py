"""Leading red or black cards of the dealer's finished hand, compared with hands dealt card by card."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import judge
from combinat.analysis.odds import iter_rule_odds
from combinat.bets.catalog import get_paytable, iter_paytables
from combinat.enumeration.experiment import experiment as make_experiment
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.symmetry import rule_stabilizer
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from decks import STANDARD, Composition, InputError, Shoe, find_pack, parse_cards
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.catalog import DRAWN
from tests.slow.dealer import RanOutError, dealer_stands, drawn_probabilities
from tests.slow_cases import slow_case
from tests.strategies import card_lists, drawn_rules, pack_with

FEW_RANKS = find_pack("standard without 3 4 6 7 9 J Q")
SOME_RANKS = find_pack("standard without 2 4 8 J K")
LADDER = ["leading reds >= 4", "leading reds == 3", "bust and leading reds == 2", "leading blacks >= 2 and cards <= 3"]
SUITS = ["suited and leading reds >= 2", "same color and leading blacks > 1", "leading reds == cards - 1"]


def experiment(deal, rules, pack=STANDARD, given=None):
    parsed = parse_deal(deal)
    condition = given and parse_rule(given, parsed)
    ladder = Ladder(tuple(parse_rule(rule, parsed) for rule in rules), condition)
    return make_experiment(parsed, pack, ladder, roles_distinct=True)


def iter_hands(counts, hits_soft_17):
    """Deal every sequence of cards until the dealer stands; yield it with its probability."""
    remaining = Counter(counts)

    def draw(hand, probability):
        values = [1 if card.rank == 14 else min(int(card.rank), 10) for card in hand]
        if len(hand) > 1 and dealer_stands(values, hits_soft_17):
            yield tuple(hand), probability
            return
        total = sum(remaining.values())
        if not total:
            raise RanOutError
        for card, count in list(remaining.items()):
            if count:
                remaining[card] -= 1
                yield from draw([*hand, card], probability * Fraction(count, total))
                remaining[card] += 1

    yield from draw([], Fraction(1))


def count_run(hand, red):
    length = 0
    while length < len(hand) and hand[length].suit.is_red == red:
        length += 1
    return length


def is_bust(hand):
    return sum(1 if card.rank == 14 else min(int(card.rank), 10) for card in hand) > 21


def ladder_award(hand):
    reds, blacks = count_run(hand, True), count_run(hand, False)
    tests = [reds >= 4, reds == 3, is_bust(hand) and reds == 2, blacks >= 2 and len(hand) <= 3]
    return tests.index(True) if True in tests else None


def suits_award(hand):
    reds, blacks = count_run(hand, True), count_run(hand, False)
    is_suited, one_color = len({card.suit for card in hand}) == 1, len({card.suit.is_red for card in hand}) == 1
    tests = [is_suited and reds >= 2, one_color and blacks > 1, reds == len(hand) - 1]
    return tests.index(True) if True in tests else None


def random_counts(seed):
    """Return a few cards of `SOME_RANKS`, some of them twice."""
    chosen = random.Random(seed)
    cards = [card for card in ALL_CARDS if card.rank in chosen.sample([3, 5, 6, 7, 9, 10, 12, 14], 4)]
    return Counter({card: chosen.choice([0, 1, 1, 2]) for card in cards})


def expected_shares(counts, hits_soft_17, award_of, is_given=lambda _hand: True):
    shares, inside = Counter(), Fraction(0)
    for hand, probability in iter_hands(counts, hits_soft_17):
        if is_given(hand):
            inside += probability
            shares[award_of(hand)] += probability
    return {award: share / inside for award, share in shares.items()}


def counted_shares(counted):
    every = {**dict(enumerate(counted.wins)), None: counted.losing}
    return {award: Fraction(ways, counted.cycle) for award, ways in every.items() if ways}


@pytest.mark.parametrize(("rules", "award_of"), [(LADDER, ladder_award), (SUITS, suits_award)], ids=["runs", "suits"])
@pytest.mark.parametrize("draw", ["h17", "s17"])
@pytest.mark.parametrize("seed", [1, *(slow_case(seed) for seed in (2, 3, 4, 5, 6))])
def test_counts_match_dealing_card_by_card(seed, draw, rules, award_of):
    counts = random_counts(seed)
    composition = Composition.of(counts.elements())
    counter = experiment(f"dealer:{draw}", rules, pack=SOME_RANKS)
    try:
        expected = expected_shares(counts, draw == "h17", award_of)
    except RanOutError:
        with pytest.raises(InputError, match="can run out"):
            counter.count(composition)
        return
    assert counted_shares(counter.count(composition)) == expected
    ways = Counter()
    for outcome in counter.outcomes(composition):
        ways[outcome.award] += outcome.ways
        ((_, hand),) = outcome.roles
        assert award_of(hand) == outcome.award
        assert not Counter(hand) - counts
    assert {award: Fraction(count, ways.total()) for award, count in ways.items()} == expected
    assert counter.count_outcomes(composition) == sum(1 for _ in counter.outcomes(composition))


@pytest.mark.parametrize("draw", [slow_case("h17"), "s17"])
def test_condition_and_up_cards_match_dealing_card_by_card(draw):
    counts = Counter({card: 1 for card in ALL_CARDS if card.rank in (6, 9, 10, 14)})
    composition = Composition.of(counts.elements())
    counter = experiment(f"dealer:{draw}", LADDER, pack=SOME_RANKS, given="leading reds >= 1")
    expected = expected_shares(counts, draw == "h17", ladder_award, lambda hand: hand[0].suit.is_red)
    assert counted_shares(counter.count(composition)) == expected
    for ranks, counted in counter.counter.count_by_up_card(composition).items():
        if counted.cycle:
            expected = expected_shares(
                counts,
                draw == "h17",
                ladder_award,
                lambda hand, ranks=ranks: hand[0].suit.is_red and hand[0].rank in ranks,
            )
            assert counted_shares(counted) == expected


@pytest.mark.parametrize("rules", [LADDER, SUITS], ids=["runs", "suits"])
@pytest.mark.parametrize("draw", ["h17", "s17"])
def test_tally_matches_counts_of_full_decks(draw, rules):
    counter = experiment(f"dealer:{draw}", rules, FEW_RANKS)
    pack = FEW_RANKS
    for decks in (1, 2, 6):
        assert counter.tally().at(decks) == counter.count(pack.composition * decks)


LOW_REDS = Counter(parse_cards("Ah Ah Ah 2d 2d 2d 3h 3h 10s 10s 10s 10s"))
"""Cards of which seven or more reds can come first."""


@pytest.mark.parametrize("id", DRAWN)
@pytest.mark.parametrize("counts", [LOW_REDS, random_counts(1)], ids=["low reds", "any cards"])
def test_red_flex_pays_like_cards_dealt_one_by_one(id, counts):
    paytable = get_paytable(id)

    def award_of(hand):
        return DRAWN[id]([(int(card.rank), str(card)[-1]) for card in hand])

    expected = expected_shares(counts, paytable.bet.deal.draw == "h17", award_of)
    assert counted_shares(paytable.experiment.count(Composition.of(counts.elements()))) == expected
    if counts == LOW_REDS:
        assert set(expected) == {None, *range(len(paytable.awards))}


def test_every_red_flex_of_the_catalog_has_a_reference():
    leading = [
        paytable.id for paytable in iter_paytables() if any("leading" in str(award.rule) for award in paytable.awards)
    ]
    assert set(leading) == set(DRAWN)


@given(card_lists, st.sampled_from(["h17", "s17"]), st.lists(drawn_rules(), min_size=1, max_size=3))
@tries(100)
def test_any_rule_counts_like_cards_dealt_one_by_one(cards, draw, rules):
    composition = Composition.of(cards)
    counter = experiment(f"dealer:{draw}", rules, pack_with(composition))
    try:
        expected = drawn_probabilities(cards, counter.deal, counter.ladder.rules, None, draw == "h17")
    except RanOutError:
        with pytest.raises(InputError, match="can run out"):
            counter.count(composition)
        return
    counted = counter.count(composition)
    assert [Fraction(ways, counted.cycle) for ways in (*counted.wins, counted.losing)] == expected


@pytest.mark.parametrize(
    ("rules", "probabilities"),
    [
        (["leading reds == 1"], [Fraction(1, 5), Fraction(4, 5)]),
        (["leading blacks == 4", "leading blacks == 0"], [Fraction(1, 5), Fraction(1, 5), Fraction(3, 5)]),
        (["leading reds == leading blacks"], [0, 1]),
    ],
)
def test_pack_without_short_finished_hands_is_counted(rules, probabilities):
    """With twos and aces only, the dealer needs more than two cards."""
    composition = Composition.of(parse_cards("2c 2c 2c 2c Ad"))
    counted = experiment("dealer:h17", rules, pack_with(composition)).count(composition)
    assert [Fraction(ways, counted.cycle) for ways in (*counted.wins, counted.losing)] == probabilities


def test_effect_of_removal_follows_the_color_of_the_card():
    counter = experiment("dealer:h17", ["leading reds >= 2"])
    shoe = Shoe(1).composition
    red, black = (counter.count(shoe.remove([card])) for card in (ALL_CARDS[1], ALL_CARDS[0]))
    assert red.wins[0] < black.wins[0]
    assert Fraction(red.wins[0], red.cycle) == Fraction(25 * 24, 51 * 50)


def test_two_leading_reds_are_two_red_cards():
    (result,) = iter_rule_odds("leading reds >= 2", parse_deal("dealer:s17"), [Shoe(1)])
    assert result.probability == Fraction(26 * 25, 52 * 51)


def test_run_longer_than_the_hand_is_unreachable():
    assert experiment("dealer:h17", ["leading reds > cards", "leading reds == 5 and cards == 3"]).reachable_rules() == (
        False,
        False,
    )


@pytest.mark.parametrize(
    ("deal", "rule"),
    [
        ("player:2, dealer:h17", "dealer.leading reds >= 2"),
        ("dealer:h17", "up.leading reds == 1"),
        ("player:3", "leading reds == 3"),
    ],
)
def test_leading_cards_of_other_deals_are_refused(deal, rule):
    with pytest.raises(InputError, match="leading"):
        parse_rule(rule, parse_deal(deal))


def test_english_names_the_leading_color():
    deal = parse_deal("dealer:h17")
    assert "leading red cards" in describe_rule(parse_rule("leading reds >= 2", deal), deal)


@pytest.mark.parametrize(
    ("hand", "award"),
    [("2d 3h 4d 5h Ac 6h", "4 reds"), ("10h 7d", "2 reds"), ("10s 7d", None), ("2d 3h 4d 5h Ah 2d", "6 reds")],
)
def test_judge_counts_leading_reds_in_the_order_dealt(hand, award):
    assert judge("RED-FLEX", hand).award == award


def test_red_and_black_cards_are_distinguished_by_leading_reds():
    rule = parse_rule("leading reds >= 2", parse_deal("dealer:h17"))
    assert len(rule_stabilizer([rule])) == 4
