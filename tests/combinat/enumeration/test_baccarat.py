"""Baccarat: coups compared with every order of physical cards, words, closed forms, and errors."""

import re
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import perm
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import DECKS_SYMBOL, award_formulas, house_edge_formula
from combinat.bets.catalog import collection_files, get_paytable, iter_collection, iter_paytables
from combinat.bets.load import load_bet
from combinat.enumeration.baccarat import enumerator as coup_counts
from combinat.enumeration.baccarat.deal import banker_draws
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.table import masked_sum
from combinat.finder.checks import check_paytable
from combinat.language.checks import impossible_comparisons
from combinat.language.english import describe_rule
from combinat.language.hand import hand_from_roles
from combinat.language.parser import parse_rule
from combinat.language.words import WORDS
from combinat.verifier.baccarat import POSITIONS, BaccaratDeal
from combinat.verifier.deal import Bet
from combinat.verifier.deal import Shoe as VerifierShoe
from combinat.verifier.rules import Rule
from decks import SPANISH, STANDARD, Composition, InputError, Pack, Rank, Shoe, parse_cards
from decks.cards import ALL_CARDS
from decks.shoe import find_pack
from tests.profiles import tries
from tests.slow.baccarat import BANKER_STANDS, count_coups, play
from tests.slow.rules import cards_at_positions, fits
from tests.slow_cases import slow_case, slow_cases
from tests.strategies import coup_rules

DEAL = parse_deal("baccarat")
SMALL = Pack("small", (Rank.THREE, Rank.FIVE, Rank.EIGHT, Rank.TEN, Rank.KING, Rank.ACE))
TINY = Pack("tiny", (Rank.THREE, Rank.EIGHT, Rank.KING))
FEW = find_pack("standard without 2 4 5 6 9 10 J")  # two ten-cards, third cards drawn and not, every result
SEVENS = find_pack("standard without 2 4 5 6 9 10 J Q")  # also a seven that is drawn
FEWEST = find_pack("standard without 2 3 4 5 6 7 9 10 J")  # the same, and a straight
MOST = find_pack("standard without 2 5 10 J Q")  # the same, and hands of all points
RESULT = ("player wins", "banker wins", "tie")


def with_few_ranks(names, cases, of_all_ranks):
    """Return cases with a pack of few ranks; some also with all ranks, which are slow."""
    packs = [
        *(pytest.param(*case, FEW, id=f"{id}-few ranks") for id, case in cases.items()),
        *(slow_case(*cases[id], STANDARD, id=f"{id}-standard") for id in of_all_ranks),
    ]
    return pytest.mark.parametrize((*names, "pack"), packs)


small_shoes = st.lists(
    st.sampled_from([card for card in ALL_CARDS if card.rank in (2, 3, 4, 5, 6, 8, 13, 14)]), min_size=5, max_size=6
).map(lambda cards: Composition.of([*cards, cards[0]]))


def trial(*rules, condition=None, pack=STANDARD):
    parsed = tuple(parse_rule(rule, DEAL) for rule in rules)
    return experiment(DEAL, pack, Ladder(parsed, parse_rule(condition, DEAL) if condition else None), True)


def as_counted(ways):
    return list(ways.matches), list(ways.wins), ways.losing, ways.cycle


def test_banker_follows_the_drawing_table():
    for banker, third in product(range(8), range(10)):
        assert banker_draws(banker, third) is (str(third) not in BANKER_STANDS.get(banker, "")), (banker, third)
    assert [banker_draws(points, None) for points in range(8)] == [True] * 6 + [False] * 2


@given(st.lists(coup_rules(), min_size=1, max_size=3), small_shoes)
@tries(20, quick=1)
def test_counts_match_playing_every_coup(rules, composition):
    parsed = [parse_rule(rule, DEAL) for rule in rules]
    pack = Pack("small", tuple(sorted({card.rank for card, count in composition if count})))  # a smaller table
    assert as_counted(trial(*rules, pack=pack).count(composition)) == count_coups(composition, parsed)


@pytest.mark.parametrize(
    ("rules", "ranks"),
    [
        slow_case(RESULT, (Rank.FOUR, Rank.KING)),
        (("player_first.identical", "player_first.pair", "banker_third.has(red)"), (Rank.THREE, Rank.FIVE)),
        slow_case(("player.suited and banker.suited", "margin >= 4", "player_third.rank > 5"), (Rank.TWO, Rank.SIX)),
    ],
)
def test_tally_of_a_small_pack_matches_its_coups(rules, ranks):
    pack = Pack("small", ranks)
    parsed = [parse_rule(rule, DEAL) for rule in rules]
    assert as_counted(trial(*rules, pack=pack).tally().at(1)) == count_coups(pack.composition, parsed)


def test_condition_excludes_coups():
    shoe = Composition.of(parse_cards("2h 3d 5c 8s Kh Ad 6c"))
    parsed = [parse_rule(rule, DEAL) for rule in RESULT]
    condition = parse_rule("player_third.cards == 1", DEAL)
    assert as_counted(trial(*RESULT, condition="player_third.cards == 1").count(shoe)) == count_coups(
        shoe, parsed, condition
    )


@pytest.mark.parametrize(
    "rules",
    [
        RESULT,
        ("player_first.identical or banker_first.identical", "player_first.pair or banker_first.pair"),
        slow_case(("player.has(K, 10)", "count(red) == 2", "banker.points == 6 and banker wins")),
        slow_case(("banker.same color and player_third.has(hearts)", "player.straight")),
    ],
)
def test_tally_matches_counts_of_full_shoes(rules):
    coup = trial(*rules, pack=SMALL)
    for decks in (1, 2, 8):
        assert coup.tally().at(decks) == coup.count(SMALL.composition * decks)


@pytest.mark.parametrize("pack", [STANDARD, SPANISH], ids=["standard", "spanish"])
def test_counts_of_whole_packs_match_the_tally(pack):
    coup = trial(*RESULT, pack=pack)
    assert coup.tally().at(8) == coup.count(pack.composition * 8)


def test_cycle_is_every_order_of_six_cards():
    ways = trial(*RESULT).tally().at(8)
    assert ways.cycle == perm(416, 6) == 4_998_398_275_503_360
    assert ways.wins == (2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216)


def test_first_card_rules_match_finished_coups():
    shoe = Shoe(2, SMALL, (parse_cards("Kh 8d"))).composition
    for rule in ("player_first.pair", "banker_first.natural and not player_first.suited"):
        first, finished = (trial(text, pack=SMALL) for text in (rule, f"({rule}) and (player wins or not player wins)"))
        assert first.count(shoe) == finished.count(shoe)
        assert first.tally().at(6).wins == finished.tally().at(6).wins


def test_closed_forms_match_one_to_eight_decks():
    coup = trial(*RESULT)
    tally = coup.tally()
    for decks in range(1, 9):
        ways = tally.at(decks)
        for counts, expected in zip((*tally.wins, tally.losing), (*ways.wins, ways.losing), strict=True):
            assert tally.polynomial(counts).at({"n": Fraction(decks)}).constant == expected
        assert tally.cycle_polynomial.at({"n": Fraction(decks)}).constant == ways.cycle


def test_limit_is_the_ratio_of_leading_terms():
    tally = trial(*RESULT).tally()
    million = {"n": Fraction(10**9)}
    for counts in tally.wins:
        nearly = tally.polynomial(counts).at(million).constant / tally.cycle_polynomial.at(million).constant
        assert abs(nearly - tally.limit(counts)) < Fraction(1, 10**9)
    assert sum(map(tally.limit, tally.wins)) == 1


@pytest.mark.parametrize("pack", [TINY, slow_case(SMALL)], ids=lambda pack: pack.name)
def test_outcomes_add_up_to_every_count(pack):
    shoe = Shoe(2, pack, parse_cards("3h 3d Kc"))
    for rules in (RESULT, ("player_first.identical", "player_first.pair"), ("player.suited",)):
        coup = trial(*rules, pack=pack)
        ways = coup.count(shoe.composition)
        totals = dict.fromkeys([*range(len(rules)), None], 0)
        outcomes = list(coup.outcomes(shoe.composition))
        for outcome in outcomes:
            totals[outcome.award] += outcome.ways
        assert coup.count_outcomes(shoe.composition) == len(outcomes)
        assert tuple(totals.values()) == (*ways.wins, ways.losing)


def test_outcomes_ignore_the_order_of_first_cards():
    shoe = Shoe(2, TINY, parse_cards("3h 3d Kc"))
    coup = trial("player_first.suited", "player_first.pair and banker_first.suited", pack=TINY)
    seen = [
        tuple((*sorted(cards[:2]), *cards[2:]) for _, cards in outcome.roles)
        for outcome in coup.outcomes(shoe.composition)
    ]
    assert len(set(seen)) == len(seen) == coup.count_outcomes(shoe.composition)
    assert any(len({card.suit for card in hand[:2]}) == 2 and hand[0].rank == hand[1].rank for hand, _ in seen)


def test_large_ledger_starts_at_once():
    coup, shoe = trial("player.suited and banker_first.pair"), Shoe(8)
    symmetries = coup.enumerator.suit_permutations_at(shoe.composition)
    classes = sum(partition.coups.size for partition in coup.enumerator.iter_partitions(symmetries))
    assert classes > 2_000_000
    begun = list(islice(coup.outcomes(shoe.composition), 500))
    assert len(begun) == 500
    assert all(outcome.award == 0 for outcome in begun)


@pytest.mark.parametrize(
    ("rule", "english"),
    [
        ("player wins", "the player wins"),
        ("not tie", "the hands do not tie"),
        ("banker wins and margin == 9", "the banker wins, and the margin is 9"),
        ("cards in (5, 6)", "five or six cards"),
        ("player_first.pair", "the player's first two cards together make a pair"),
        ("player_third.has(8)", "the player's third card is an 8"),
        ("not player_third.rank == 8", "not (the player's third card is an 8)"),
        ("banker_third.count(red) == 0", "not (the banker's third card is red)"),
    ],
)
def test_coup_rules_in_english(rule, english):
    assert describe_rule(parse_rule(rule, DEAL), DEAL) == english


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ("player.wins", "write 'player wins'"),
        ("player.margin == 4", "'margin' applies to the coup"),
        ("player_third.suited", "'suited' does not apply to the player's third card"),
        ("player.rank == 7", "use high, low or count"),
        ("natural", "write player.natural or banker.natural"),
        ("player_third.K-K", "2 ranks are named for the player's third card"),
        ("dealer.points == 4", "no role 'dealer'"),
    ],
)
def test_invalid_coup_rules_are_refused(rule, error):
    with pytest.raises(InputError, match=error.replace("(", r"\(").replace(".", r"\.")):
        parse_rule(rule, DEAL)


def test_missing_third_card_satisfies_no_rule():
    coup = trial(
        "player_third.cards == 0",
        "player_third.rank == 7 or player_third.rank != 7",
        "player_third.all(red) or player_third.all(black)",
        "player_third.points >= 0",
        pack=FEW,
    )
    stood, *drew = coup.tally().at(8).matches
    assert drew == [perm(8 * FEW.size, 6) - stood] * 3


def test_impossible_comparisons_are_reported():
    result = [
        list(impossible_comparisons(parse_rule(rule, DEAL), DEAL, STANDARD))
        for rule in ("player.points == 10", "margin > 9", "cards == 3", "player_third.cards == 2", "player.cards == 3")
    ]
    assert [len(texts) for texts in result] == [1, 1, 1, 1, 0]


def test_total_means_points():
    assert trial("banker.total == 6").tally().at(8) == trial("banker.points == 6").tally().at(8)


def test_shoe_that_can_run_out_is_refused():
    with pytest.raises(InputError, match="needs 6 cards; the shoe has 5"):
        trial("tie").count(Composition.of(parse_cards("2h 3h 4h 5h 6h")))


def test_examples_win_their_award():
    rules = (
        "player wins and margin == 9",
        "tie and player.cards == 3 and banker.cards == 2",
        "player_third.has(8) and banker_first.total == 3",
        "player.suited and banker.natural",
    )
    for outcome, rule in zip(trial(*rules).examples(STANDARD.composition), rules, strict=True):
        (_, player), (_, banker) = outcome.dealt
        coup = play([player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]])
        assert cards_at_positions(range(6), coup) == [*player, *banker], rule
        assert fits(parse_rule(rule, DEAL).fact, coup), rule


BACCARAT = list(iter_collection("baccarat"))


@pytest.mark.parametrize("path", collection_files("baccarat"), ids=lambda path: path.stem)
def test_baccarat_collection_passes_the_check(path):
    assert [finding.text for paytable in load_bet(path) for finding in check_paytable(paytable)] == []


def test_baccarat_collection_has_unique_ids_and_sources():
    ids = [paytable.id for paytable in iter_paytables()]
    assert len(ids) == len(set(ids))
    assert len(BACCARAT) > 40
    assert all(paytable.bet.sources and paytable.decks == (6, 8) for paytable in BACCARAT)
    assert get_paytable("bac-dragon-7") in BACCARAT


POINTS = ("not banker_third.points > 3 and player_third.points == 7", "total == 3 and margin in (1, 2)")
RANKS = (
    "player_third.rank == 7 and not banker_third.points > 3",
    "player.count(banker_third.rank) == 2 or not player_third.rank < 9 and banker.cards == 3",
    "player_third.all(face) or total == 3 and margin in (1, 2)",
)


@pytest.mark.parametrize(
    "id",
    [
        slow_case("BAC-TIE"),
        slow_case("BAC-DRAGON-BONUS-P"),
        slow_case("BAC-LUCKY-6"),
        "BAC-PLAYER-PAIR",
        "BAC-3-GIVING-8",
    ],
)
def test_catalog_closed_forms_match_one_to_eight_decks(id):
    paytable = get_paytable(id)
    *awards, _, _ = award_formulas(paytable)
    edge, _ = house_edge_formula(paytable)
    for decks in range(1, 9):
        analysis = analyze_wager(paytable, Shoe(decks))
        assert [int(award.ways.subs(DECKS_SYMBOL, decks)) for award in awards] == [line.ways for line in analysis.lines]
        assert Fraction(str(edge.subs(DECKS_SYMBOL, decks))) == analysis.house_edge.constant


PAGE = (Path(__file__).parents[3] / "docs" / "baccarat.md").read_text(encoding="utf-8")
WORDS_SHOWN = re.findall(r"^\| `([\w ]+)` \| .* \| `(.+)` \| ([\d,]+) \|$", PAGE, re.MULTILINE)


POINTS_TELL = [
    rule for _, rule, _ in WORDS_SHOWN if "_" not in rule
]  # one card is dealt for all cards of the same value


@lru_cache(maxsize=None)
def played_out(pack, *rules):
    """Play every coup of eight decks with the verifier once, and count the coups that match each rule."""
    shoe = VerifierShoe(tuple(map(int, pack.ranks)), "cdhs", 0, False, 8)
    roles = [role for role in POSITIONS if role]
    bet = Bet({}, shoe, [Rule(rule, roles) for rule in rules], None, roles_apart=True)
    counts = BaccaratDeal(bet, 1_000).counts(8, len(rules))
    return dict(zip(rules, counts.matching, strict=True))


shown_words = pytest.mark.parametrize(
    ("word", "rule", "ways"), [pytest.param(*shown, id=shown[0]) for shown in WORDS_SHOWN]
)


@shown_words
def test_words_of_the_page_have_the_printed_ways(word, rule, ways):
    assert word in rule or word == "points"
    assert trial(rule).tally().at(8).wins == (int(ways.replace(",", "")),)


@pytest.mark.parametrize(
    ("word", "rule", "ways", "pack"),
    [
        *(pytest.param(*shown, FEW, id=f"{shown[0]}-few ranks") for shown in WORDS_SHOWN),
        # Rules that distinguish all ranks of third cards need every coup; few ranks show as much.
        *(
            slow_case(*shown, STANDARD, id=f"{shown[0]}-standard")
            for shown in WORDS_SHOWN
            if shown[1] in POINTS_TELL or "_third" not in shown[1]
        ),
    ],
)
def test_words_of_the_page_match_the_verifier(word, rule, ways, pack):
    assert word in rule or word == "points"
    (counted,) = trial(rule, pack=pack).tally().at(8).wins
    assert played_out(pack, *(POINTS_TELL if rule in POINTS_TELL else [rule]))[rule] == counted
    assert pack != STANDARD or counted == int(ways.replace(",", ""))


def test_page_lists_every_baccarat_word():
    own = {*DEAL.vocabulary.facts, *DEAL.vocabulary.numbers} - {*WORDS.facts, *WORDS.numbers}
    assert own <= {word for word, _, _ in WORDS_SHOWN}


@pytest.mark.parametrize(
    ("cards", "rule", "holds"),
    [
        ({"player": "2h 3d 8c", "banker": "Kh 3c"}, "player_third.has(8) and banker_first.total == 3", True),
        ({"player": "2h 3d 8c", "banker": "Kh 3c"}, "player.count(banker_third.rank) > 0", False),
        ({"player": "9h Kd", "banker": "2h 3c"}, "player wins and margin == 4 and player.natural", True),
        ({"player": "9h Kd", "banker": "2h 3c"}, "player_third.rank != 7 or banker_third.points + 1 < 9", False),
        ({"player": "9h Kd", "banker": "2h 3c"}, "not player_third.rank == 7 and banker_third.cards == 0", True),
        ({"player": "6h Kd", "banker": "2h 4c"}, "tie", True),
    ],
)
def test_dealt_coup_is_judged(cards, rule, holds):
    laid = hand_from_roles(DEAL, {role: parse_cards(hand) for role, hand in cards.items()})
    assert laid.satisfies(parse_rule(rule, DEAL).fact) is holds
    assert list(laid.reasons(parse_rule(rule, DEAL).fact)) or holds


@pytest.mark.parametrize(
    ("player", "banker", "wrong"),
    [
        ("9h Kd 2c", "2h 3c", "the player draws no third card with 9 points"),
        ("2h 3d", "Kh 3c", "the player draws a third card with 5"),
        ("6h Kd 2c", "Kh 3c 2d", "the player draws no third card with 6 points"),
        ("2h 3d 8c", "Kh 3c 2d", "the banker draws no third card with 3 points"),
        ("2h 3d 9c", "Kh 3c", "the banker draws a third card with 3"),
        ("2h 3d 9c 4c", "Kh 3c 2d", "got 4"),
        ("2h", "Kh 3c 2d", "player needs at least two cards, got 1"),
    ],
)
def test_impossible_coup_is_refused(player, banker, wrong):
    with pytest.raises(InputError, match=wrong):
        hand_from_roles(DEAL, {"player": parse_cards(player), "banker": parse_cards(banker)})


SUIT_RULES = [
    "suited",
    "count(hearts) == 2",
    "count(hearts) >= 1 and banker.count(spades) == 0",
    "count(player_third.suit) == 3",
    "player.count(banker_third) == 1",
    "count(red) > 3 and player wins",
]


@slow_cases(
    *(f"player_first.suited-{rule}" for rule in SUIT_RULES[1:]),
    "None-player.count(banker_third) == 1",
    "None-count(player_third.suit) == 3",
)
@pytest.mark.parametrize("rule", SUIT_RULES)
@pytest.mark.parametrize("condition", [None, "player_first.suited"])
def test_array_and_bit_sliced_suit_sums_agree(monkeypatch, rule, condition):
    shoe = Shoe(2, TINY, parse_cards("3c 8d 8d Ks Kh"))
    coup = trial(rule, "count(hearts) > 3", condition=condition, pack=TINY)
    fast = coup.count(shoe.composition)
    monkeypatch.setattr(coup_counts, "MAX_INT64", 0)  # as if the shoe were too large for 64 bits
    assert coup.count(shoe.composition) == fast
    assert sum(fast.wins) + fast.losing == fast.cycle
    assert sum(fast.wins) > 0


def test_unmatched_suits_lose():
    shoe = Shoe(2, TINY, parse_cards("3c 8d"))
    enumerator = trial("suited", pack=TINY).enumerator
    losing = sum(
        judged.size
        * coup_counts.count_following_ways(len(judged.coups.positions), shoe.composition)
        * masked_sum(judged.rows.losing, enumerator.weights(judged, shoe.composition))
        for judged in enumerator.iter_partitions(enumerator.suit_permutations_at(shoe.composition))
    )
    assert enumerator.count(shoe.composition).losing == losing
