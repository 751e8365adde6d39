"""Poker hands among more cards, custom packs and jokers, compared with trying every choice of cards."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.odds import iter_rule_odds
from combinat.bets.catalog import iter_collection, list_collections
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.progress import progress_to
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from combinat.language.poker import CATEGORIES_BY_SIZE, any_word, best_word, has_hand, is_best, is_defined_for
from combinat.verifier.poker import Jokers
from combinat.verifier.rules import Row, Rule
from decks import JOKER, STANDARD, Composition, InputError, Shoe, find_pack
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.poker import ORDER as SLOW_ORDER
from tests.slow.poker import best_is
from tests.slow.poker import some_are as slow_some_are
from tests.slow_cases import slow_case, slow_cases

WORDS = {size: [*names, *(["royal flush"] if size <= 5 else [])] for size, names in CATEGORIES_BY_SIZE.items()}
REFERENCE = {"best": best_is, "any": slow_some_are}
SEVEN = parse_deal("player:2, board:5")
FREQUENCIES = {
    "royal flush": 4_324,
    "straight flush": 37_260,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
}


def ladder_of(deal, rules):
    return Ladder(tuple(parse_rule(rule, deal) for rule in rules))


def counted_singly(cards, dealt, judges):
    """Count the hands that match each rule by dealing physical cards unordered."""
    result = [0] * len(judges)
    for hand in combinations(cards, dealt):
        for index, judge in enumerate(judges):
            result[index] += judge(hand)
    return tuple(result)


def physical(composition):
    return [card for card, count in composition for _ in range(count)]


@pytest.mark.slow  # fast: test_published_tables.py::test_figures_match_every_printed_digit
def test_seven_card_hands_have_the_known_counts():
    deal = SEVEN
    trial = FixedExperiment(deal, STANDARD, ladder_of(deal, [f"best five.{name}" for name in FREQUENCIES]), False)
    ways = trial.tally().at(1)
    assert ways.wins == tuple(FREQUENCIES.values())
    assert (ways.losing, ways.cycle) == (23_294_460, 133_784_560)
    assert trial.count(STANDARD.composition) == ways
    assert trial.tally().at(3) == trial.count(STANDARD.composition * 3)


def test_five_cards_of_two_decks_match_hand_calculation():
    deal = parse_deal("player:5")
    rules = ["five of a kind", "four of a kind", "full house", "royal flush", "best five.five of a kind"]
    ways = FixedExperiment(deal, STANDARD, ladder_of(deal, rules), False).tally().at(2).matches
    assert ways == (
        13 * comb(8, 5),
        13 * comb(8, 4) * 96,
        13 * comb(8, 3) * 12 * comb(8, 2),
        4 * 2**5,
        13 * comb(8, 5),
    )


close = [card for card in ALL_CARDS if card.rank in (2, 3, 4, 5, 13, 14) and str(card)[-1] in "chs"]


@st.composite
def best_questions(draw):
    dealt = draw(st.integers(4, 7))
    size = draw(st.integers(3, dealt))
    words = draw(st.lists(st.sampled_from(WORDS[size]), min_size=1, max_size=3, unique=True))
    pile = draw(st.lists(st.sampled_from(close), min_size=dealt, max_size=dealt + 1))
    jokers = draw(st.sampled_from([0, 0, 1, 1, 2]))
    return dealt, size, words, Composition.of([*pile, pile[0], *[JOKER] * jokers])


@given(best_questions(), st.booleans(), st.sampled_from(["best", "any"]))
@tries(40, quick=4)
def test_best_cards_match_trying_every_choice(question, only_aces, prefix):
    dealt, size, words, composition = question
    pack = find_pack(
        f"standard without 8 9 10 with 2 jokers{' for an ace, a straight or a flush' if only_aces else ''}"
    )
    deal = parse_deal(f"player:{dealt}")
    rules = [f"{prefix} {size}.{word}" for word in words]
    ways = FixedExperiment(deal, pack, ladder_of(deal, rules), False).count(composition)
    holds = REFERENCE[prefix]
    judges = [lambda hand, word=word: holds(hand, word, size, worth_trying(hand), only_aces) for word in words]
    assert ways.matches == counted_singly(physical(composition), dealt, judges)
    assert ways.cycle == comb(composition.size, dealt)


def worth_trying(hand):
    """Return the cards that two jokers may stand for beside these ranks; others cannot improve the hand."""
    suits = {str(card)[-1] for card in hand if card != JOKER} or {"s"}
    return tuple(card for card in ALL_CARDS if card.rank not in (8, 9, 10) and str(card)[-1] in suits)


@pytest.mark.parametrize("pack", ["standard without 2 3 4 5 6 7 8 9", slow_case("standard without clubs with 1 joker")])
def test_tally_of_a_custom_pack_matches_counts(pack):
    made, deal = find_pack(pack), parse_deal("player:6")
    rules = [f"best five.{name}" for name in FREQUENCIES] + [
        "has(joker)" if made.jokers else "count(A) == 1",
        "top pair == Q",
    ]
    trial = FixedExperiment(deal, made, ladder_of(deal, rules), False)
    for decks in (1, 2, 3):
        assert trial.tally().at(decks) == trial.count(made.composition * decks)


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["best", "any"])
@pytest.mark.parametrize("only_aces", [False, True])
def test_seven_cards_with_a_joker_match_every_deal(only_aces, prefix):
    # Consecutive ranks in two suits, the last and a king in one, the ace in four: 6,435 hands with a joker.
    suits = {2: "hs", 3: "hs", 4: "hs", 5: "hs", 6: "h", 13: "h", 14: "cdhs"}
    cards = [card for card in ALL_CARDS if str(card)[-1] in suits.get(card.rank, "")]
    assert len(cards) == 14
    composition = Composition.of([*cards, JOKER])
    pack = find_pack(f"standard with 1 joker{' for an ace, a straight or a flush' if only_aces else ''}")
    words = WORDS[5]
    trial = FixedExperiment(SEVEN, pack, ladder_of(SEVEN, [f"{prefix} five.{word}" for word in words]), False)
    every = [card for card in ALL_CARDS if str(card)[-1] in "hs"]
    judges = [lambda hand, word=word: REFERENCE[prefix](hand, word, 5, every, only_aces) for word in words]
    assert trial.count(composition).matches == counted_singly(physical(composition), 7, judges)


@given(st.integers(3, 7), st.integers(0, 2), st.booleans(), st.data())
@tries(150)
def test_judged_hand_matches_trying_every_choice(size, jokers, only_aces, data):
    natural = data.draw(st.lists(st.sampled_from(close), min_size=max(size - jokers, 1), max_size=7 - jokers))
    hand = (*natural, *[JOKER] * jokers)
    name = f"standard with 2 jokers{' for an ace, a straight or a flush' if only_aces else ''}"
    pack = find_pack(name)
    joker = Jokers(0, tuple(range(2, 15)), only_aces)
    positions = {"": range(len(hand))}
    ranks = Row([0 if card == JOKER else int(card.rank) for card in hand], positions)
    suits = Row(["" if card == JOKER else str(card)[-1] for card in hand], positions)

    def verifier_says(text):
        return Rule(text, [], jokers=joker).test(ranks, suits)

    for word in WORDS[size]:
        meant = best_is(hand, word, size, worth_trying(hand), only_aces)
        assert is_best(hand, best_word(word, size), pack) == meant, word
        assert verifier_says(f"best {size}.{word}") == meant, word
        some = slow_some_are(hand, word, size, worth_trying(hand), only_aces)
        assert has_hand(hand, any_word(word, size), pack) == some, word
        assert verifier_says(f"any {size}.{word}") == some, word


def test_any_five_of_five_is_the_plain_word():
    deal, words = parse_deal("player:5"), [word for word in WORDS[5] if word != "five of a kind"]
    rules = [rule for word in words for rule in (word, f"any five.{word}")]
    matches = FixedExperiment(deal, STANDARD, ladder_of(deal, rules), False).tally().at(2).matches
    assert matches[::2] == matches[1::2]
    assert all(matches)


# A seven-card hand of one deck that contains a five-card hand either is some five of it or ranks higher.
CONTAINING = {
    "four of a kind": lambda times: times[0] >= 4,
    "full house": lambda times: times[0] >= 3 and times[1] >= 2,
    "three of a kind": lambda times: times[0] >= 3,
    "two pair": lambda times: times[1] >= 2,
    "pair": lambda times: times[0] >= 2,
}


@pytest.mark.parametrize("step", [5, slow_case(1)])
def test_any_five_names_the_same_highest_hand(step):
    cards = [card for card in ALL_CARDS if card.rank in (2, 3, 4, 5)]
    differ = set()
    for hand in islice(combinations(cards, 7), 0, None, step):  # of 11,440 hands
        count = sorted((sum(card.rank == rank for card in hand) for rank in (2, 3, 4, 5)), reverse=True)
        exact = [name for name in CONTAINING if has_hand(hand, any_word(name, 5))]
        containing = [name for name, holds in CONTAINING.items() if holds(count)]
        assert exact[0] == containing[0], hand
        differ |= {(tuple(count), name) for name in containing if name not in exact}
    assert differ == {  # without two other ranks no two further cards differ
        ((4, 3, 0, 0), "three of a kind"),
        ((4, 3, 0, 0), "two pair"),
        *(((*count, 0), "pair") for count in ((4, 3, 0), (4, 2, 1), (3, 3, 1), (3, 2, 2))),
    }


@pytest.mark.parametrize("decks", [1, 2])
def test_straight_and_three_of_a_kind_can_coexist(decks):
    deal = parse_deal("player:6")
    pack = find_pack("standard without 2 3 4 5 6 J Q K A")
    rules = ["any five.three of a kind", "any four.straight", "any four.straight and any five.three of a kind"]
    trial = FixedExperiment(deal, pack, ladder_of(deal, rules), False)
    judges = [
        lambda hand: slow_some_are(hand, "three of a kind", 5),
        lambda hand: slow_some_are(hand, "straight", 4),
        lambda hand: slow_some_are(hand, "three of a kind", 5) and slow_some_are(hand, "straight", 4),
    ]
    singly = (
        counted_singly(physical(pack.composition * decks), 6, judges)
        if decks == 1
        else trial.count(pack.composition * decks).matches
    )
    assert trial.tally().at(decks).matches == singly
    assert singly[2] > 0


def test_hand_order_matches_the_reference():
    assert {size: list(names) for size, names in CATEGORIES_BY_SIZE.items()} == SLOW_ORDER


def test_poker_words_need_enough_cards():
    assert not is_defined_for("full house", 4)
    assert is_defined_for("royal flush", 3)
    assert not is_defined_for("royal flush", 7)


def test_pai_gow_joker_is_a_bug():
    bug = find_pack("standard with 1 joker for an ace, a straight or a flush")
    wild = find_pack("standard with 1 joker")
    deal = parse_deal("player:5")
    five = FixedExperiment(deal, bug, ladder_of(deal, ["best five.five of a kind"]), False).tally().at(1)
    any_five = FixedExperiment(deal, wild, ladder_of(deal, ["best five.five of a kind"]), False).tally().at(1)
    assert (five.wins, any_five.wins) == ((1,), (13,))  # four aces and the joker; four of any rank and the joker


@pytest.mark.parametrize(
    ("rule", "deal", "pack", "message"),
    [
        ("best five.flush", "player:3", "standard", "'best five' needs 5 cards, but the deal has 3"),
        ("player.best five.flush", "player:4, up:1", "standard", "'best five' needs 5 cards, but 'player' has 4"),
        ("best four.full house", "player:5", "standard", "'full house' is not a hand of 4 cards"),
        ("best five.fullhouse", "player:5", "standard", "did you mean 'full house'"),
        ("best.flush", "player:5", "standard", "write for example best five.full house"),
        ("best five", "player:5", "standard", "write for example best five.full house"),
        ("any five.flush", "player:3", "standard", "'any five' needs 5 cards, but the deal has 3"),
        ("any four.full house", "player:5", "standard", "'full house' is not a hand of 4 cards"),
        ("any five.fullhouse", "player:5", "standard", "did you mean 'full house'"),
        ("any.flush", "player:5", "standard", "write for example any five.full house"),
        ("any nine.flush", "player:5", "standard", "write for example any five.full house"),
        ("dealer.any five.flush", "dealer:h17", "standard", "'any five' needs a fixed number of cards in 'dealer'"),
        ("dealer.best five.flush", "dealer:h17", "standard", "'best five' needs a fixed number of cards in 'dealer'"),
        ("has(joker)", "player:5", "standard", "needs a pack with a joker"),
        ("pair", "player:5", "standard without 2 3 4 5 6 7 8 9 10 J Q K A", "the pack has no cards"),
        ("pair", "player:5", "standard without clubs hearts spades diamonds", "the pack has no cards"),
        ("pair", "player:5", "standard with 5 jokers", "got 5"),
        ("pair", "player:5", "standard with 1 joker for tea", "a joker cannot stand for 'tea'"),
        ("pair", "player:5", "standard without 1", "cannot remove '1'"),
        ("bust", "dealer:h17", "standard with 1 joker", "without jokers"),
        ("pair", "player:7", "standard without 2 3 4 5 6 7 8 9 10 J Q K", "has 7 cards; the pack has 4"),
        ("pair", "player:8", "standard", "at most 7 can be counted"),
    ],
)
def test_invalid_packs_and_rules_are_refused(rule, deal, pack, message):
    with pytest.raises(InputError) as error:
        list(iter_rule_odds(rule, parse_deal(deal), [Shoe(1, pack)]))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_jokers_alone_make_the_highest_hand():
    deal = parse_deal("player:3")
    wild, bug = (
        find_pack("standard with 3 jokers"),
        find_pack("standard with 3 jokers for an ace, a straight or a flush"),
    )
    for pack in (wild, bug):
        rules = [f"best three.{word}" for word in WORDS[3]]
        ways = FixedExperiment(deal, pack, ladder_of(deal, rules), False).count(Composition([0] * 52, 3))
        assert dict(zip(WORDS[3], ways.matches, strict=True)) == {
            "straight flush": 1,
            "royal flush": 1,
            "straight": 1,
            "flush": 1,
            "three of a kind": 0,
            "pair": 0,
        }


def test_rules_with_jokers_have_known_ways():
    deal, pack = parse_deal("player:2"), find_pack("standard with 1 joker")
    (result,) = iter_rule_odds("has(joker)", deal, [Shoe(1, pack)])
    assert (result.ways, result.cycle) == (52, comb(53, 2))
    rules = {"pair": 78, "count(joker) == 1 and has(A)": 4, "cards == 2": comb(53, 2), "all(red)": comb(26, 2)}
    rules["high >= 2"] = comb(52, 2)  # a joker has no rank, and a hand with one has no highest card
    for rule, ways in rules.items():
        (result,) = iter_rule_odds(rule, deal, [Shoe(1, pack)])
        assert result.ways == ways, rule


COLLECTION = list(iter_collection("poker"))


def test_poker_collection_has_unique_ids_and_sources():
    assert {paytable.id for paytable in COLLECTION}.isdisjoint(paytable.id for paytable in iter_collection())
    assert all(paytable.id.startswith("PKR-") and paytable.bet.sources for paytable in COLLECTION)
    assert len({paytable.bet.name for paytable in COLLECTION}) == 8


@slow_cases("paytable2")
@pytest.mark.parametrize("paytable", [one for one in COLLECTION if one.bet.name in ("Prime", "Aces Up", "Queens Up")])
def test_poker_bets_match_hand_calculation(paytable):
    ways = paytable.ways(Shoe(1)).wins
    if paytable.bet.name == "Prime":  # three red of 26, then three red of 23 or any three that are not all red
        of_six = 2 * comb(26, 6) * comb(6, 3)
        assert ways == (of_six, 2 * comb(26, 3) * comb(49, 3) - of_six)
        return
    # A pair and three other ranks without four cards of one suit or in a row: list these ranks.
    lowest = 14 if paytable.bet.name == "Aces Up" else 12
    result = 0
    for rank in range(lowest, 15):
        for others in combinations([index for index in range(2, 15) if index != rank], 3):
            ranks = {rank, *others, *([1] if 14 in (rank, *others) else [])}
            if any(set(range(low, low + 4)) <= ranks for low in range(1, 12)):
                continue
            result += (
                comb(4, 2) * 4**3 - 4 * 3
            )  # four of one suit: three others match one card of the pair, the other is free
    assert ways[-1] == result


# All 154,143,080 hands of 53 cards were dealt by a plain C program, which took 37 s.
FORTUNE_WAYS = (32, 72, 196, 1_128, 26_020, 184_644, 307_472, 4_188_528, 6_172_088, 7_672_500, 11_034_204)


@pytest.mark.slow
def test_fortune_has_the_known_counts():
    edges = {}
    for paytable in (candidate for candidate in COLLECTION if candidate.bet.name == "Fortune"):
        shoe = Shoe(1, paytable.bet.pack)
        assert paytable.ways(shoe).wins == FORTUNE_WAYS
        edges[paytable.id] = analyze_wager(paytable, shoe).house_edge.constant
    # The source prints a house edge for the second paytable only; the first pays 3,000 more for the highest award.
    assert round(edges["PKR-FORTUNE-2"] * 100, 1) == Fraction(78, 10)
    assert edges["PKR-FORTUNE-2"] - edges["PKR-FORTUNE-1"] == 3_000 * Fraction(FORTUNE_WAYS[0], comb(53, 7))


@pytest.mark.slow
def test_fortune_differs_from_best_five_by_straights():
    deal, (pack, *_) = (
        parse_deal("player:7"),
        [paytable.bet.pack for paytable in COLLECTION if paytable.bet.name == "Fortune"],
    )
    above = ["any five.straight flush", "any five.four of a kind", "any five.full house", "any five.flush"]
    rules = [*above, "any five.three of a kind and any five.straight"]
    both = FixedExperiment(deal, pack, ladder_of(deal, rules), False).tally().at(1).wins[-1]
    assert both == 7_672_500 - 7_470_676 == 11_236_028 - 11_034_204  # those of the best five are published
    natural = FixedExperiment(deal, STANDARD, ladder_of(deal, rules), False).tally().at(1).wins[-1]
    assert natural == 10 * 5 * (4 * 4**4 - 4 * 3)  # a straight, the rank that occurs three times, suits without flushes


OF_THE_BEST = [
    one
    for name in list_collections()
    for one in iter_collection(name)
    if any("best " in str(a.rule) for a in one.awards)
]


@slow_cases("Trips")
@pytest.mark.parametrize("bet", sorted({candidate.bet.name for candidate in OF_THE_BEST}))
def test_best_card_bets_rank_hands_like_poker(bet):
    """A paytable in an order other than poker's would pay other hands for `any` than for `best`."""
    paytable = next(candidate for candidate in OF_THE_BEST if candidate.bet.name == bet)
    rules = [str(award.rule) for award in paytable.awards]
    ways = [
        FixedExperiment(deal := paytable.bet.deal, STANDARD, ladder_of(deal, texts), False).tally().at(1).wins
        for texts in (rules, [rule.replace("best ", "any ") for rule in rules])
    ]
    assert ways[0] == ways[1]


def test_fortune_is_the_only_bet_on_any_cards():
    on_any = {
        paytable.bet.name
        for name in list_collections()
        for paytable in iter_collection(name)
        if any("any " in str(a.rule) for a in paytable.awards)
    }
    assert on_any == {"Fortune"}
    assert {paytable.bet.name for paytable in OF_THE_BEST} == {"6-Card Bonus", "Trips", "Aces Up", "Queens Up"}


def four_to_a_straight_flush(suit):
    """Return the rule for four cards of a straight flush of five, naming the cards."""
    line = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    windows = [", ".join(f"{rank}{suit}" for rank in line[start : start + 5]) for start in range(10)]
    return " or ".join(f"count({cards}) >= 4" for cards in windows)


def has_four_to_a_straight_flush(hand, suit):
    ranks = {int(card.rank) for card in hand if str(card)[-1] == suit}
    ranks |= {1} & {rank - 13 for rank in ranks}
    return any(len(ranks & set(range(low, low + 5))) >= 4 for low in range(1, 11))


@pytest.mark.parametrize("dealt", [slow_case(5), 7])
def test_four_to_a_straight_flush_matches_every_hand(dealt):
    deal = parse_deal(f"player:{dealt}")
    rules = ["four of a kind", *map(four_to_a_straight_flush, "cdhs")]
    trial = FixedExperiment(deal, STANDARD, ladder_of(deal, rules), False)
    cards = [
        card for card in ALL_CARDS if (str(card)[-1] in "cs" and card.rank in (2, 3, 5, 14)) or card.rank in (4, 13)
    ]
    judges = [
        lambda hand: max(Counter(card.rank for card in hand).values()) == 4,
        *(lambda hand, suit=suit: has_four_to_a_straight_flush(hand, suit) for suit in "cdhs"),
    ]
    composition = Composition.of(cards if dealt == 5 else cards[:11])
    assert trial.count(composition).matches == counted_singly(physical(composition), dealt, judges)


@pytest.mark.slow
def test_four_to_a_straight_flush_of_seven_cards():
    deal = parse_deal("player:7")
    rules = ["four of a kind", *map(four_to_a_straight_flush, "cdhs")]
    ways = FixedExperiment(deal, STANDARD, ladder_of(deal, rules), False).tally().at(1)
    result = 0  # four or more matching clubs, and the rest of other suits
    for index in range(4, 8):
        clubs = [card for card in ALL_CARDS if str(card)[-1] == "c"]
        result += sum(has_four_to_a_straight_flush(hand, "c") for hand in combinations(clubs, index)) * comb(
            39, 7 - index
        )
    assert ways.matches[1:] == (result,) * 4


def test_rules_about_the_best_cards_in_english():
    deal = parse_deal("player:3, dealer:3")
    message = {
        "best five.full house": "the best five cards make a full house",
        "not best five.two pair": "the best five cards make no two pair",
        "player.best three.straight flush": "the player's best three cards make a straight flush",
        "has(joker)": "at least one joker",
        "any five.full house": "some five of the cards make a full house",
        "not any five.two pair": "no five of the cards make two pair",
        "player.any three.straight flush": "some three of the player's three cards make a straight flush",
    }
    for rule, english in message.items():
        assert describe_rule(parse_rule(rule, deal), deal) == english


def test_progress_of_a_count_grows_to_its_total():
    seen = []
    deal = parse_deal("player:5")
    pack = find_pack("standard without 2 3 4 5 6 7 8 with 1 joker")
    with progress_to(lambda done, total: seen.append((done, total))):
        FixedExperiment(deal, pack, ladder_of(deal, ["any five.flush"]), False).tally()
    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
    assert seen[-1][0] == seen[-1][1]


def test_winnable_stops_at_enough_rules():
    deal = parse_deal("player:3")
    trial = FixedExperiment(deal, STANDARD, ladder_of(deal, ["flush", "straight", "pair", "three of a kind"]), False)
    assert trial.reachable_rules() == (True,) * 4
    assert sum(trial.reachable_rules(1)) >= 1


def test_rule_parts_are_evaluated_once_per_suit_pattern():
    deal = parse_deal("player:4")
    rules = ["count(Ah, Kh) == 1 or count(hearts) == 3", "count(Ac) == 1 and count(clubs, spades) == 2", "suited"]
    trial = FixedExperiment(deal, STANDARD, ladder_of(deal, rules), False)
    cards = [card for card in ALL_CARDS if card.rank in (2, 13, 14)]
    held = [
        lambda hand, wanted=wanted: sum(str(card) in wanted or str(card)[-1] in wanted for card in hand)
        for wanted in (("Ah", "Kh"), ("h",), ("Ac",), ("c", "s"))
    ]
    judges = [
        lambda hand: held[0](hand) == 1 or held[1](hand) == 3,
        lambda hand: held[2](hand) == 1 and held[3](hand) == 2,
        lambda hand: len({str(card)[-1] for card in hand}) == 1,
    ]
    assert trial.count(Composition.of(cards)).matches == counted_singly(cards, 4, judges)
    memos = trial.enumerator.jokerless_case._memos
    assert {len(memo) for memo in memos.values()} <= set(range(1, 2**8 + 1))
    assert len(memos) == 2
