"""Several spots in one round, compared with every deal of small shoes, and the covariance of their results."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.joint import analyze_joint, analyze_spots, spot_covariance
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from combinat.study import build_study
from decks import STANDARD, Composition, InputError, Shoe, find_pack, parse_cards
from reports.sheet.par_sheet import build_par_sheet
from tests.profiles import tries
from tests.slow.rules import judge
from tests.slow_cases import slow_case
from tests.strategies import rules

F = Fraction
FEW = find_pack("standard without 2 3 4 5 6 8")
"""With few ranks all awards still exist: straights start at 9."""


def dealt(pile, own, shared, ladder, spots):
    """Deal the spots and the dealer in every order; count how often each combination of rules is matched."""
    counter, judges = Counter(), [judge(rule.fact) for rule in ladder]
    for row in permutations(pile, own * spots + shared):
        dealer = row[own * spots :]
        hands = [(*row[own * spot : own * (spot + 1)], *dealer) for spot in range(spots)]
        judged = [[fits(hand) for fits in judges] for hand in hands]
        counter[tuple(matches.index(True) if True in matches else len(ladder) for matches in judged)] += 1
    return dict(counter)


@tries(20, 3)
@given(st.data(), st.sampled_from([("player:2, up:1", 2), ("player:1, up:1", 1), ("player:2", 2)]))
def test_two_spots_match_every_deal_of_a_small_shoe(data, deal_of):
    deal, own = parse_deal(deal_of[0]), deal_of[1]
    ladder = tuple(parse_rule(data.draw(rules(deal)), deal) for _ in range(2))
    cards = data.draw(st.lists(st.sampled_from(parse_cards("2c 2d 3c 4c 4h Kh Ks As")), min_size=6, max_size=6))
    trial = experiment(deal, STANDARD, Ladder(ladder), roles_distinct=True)
    shared = deal.card_count - own
    assert trial.count_spots_jointly(Composition.of(cards), 2) == dealt(cards, own, shared, ladder, 2)


@pytest.mark.parametrize(("text", "own"), [slow_case("player:2, up:1", 2), ("player:1, up:1", 1)])
def test_three_spots_match_every_deal_of_a_small_shoe(text, own):
    deal = parse_deal(text)
    ladder = tuple(parse_rule(rule, deal) for rule in ("suited and pair", "player.has(K)", "high == up.rank"))
    pile = parse_cards("Kh Kh Kd 2h 2c As 3h" if own == 2 else "Kh Kh Kd 2h 2c")
    trial = experiment(deal, STANDARD, Ladder(ladder), roles_distinct=True)
    assert trial.count_spots_jointly(Composition.of(pile), 3) == dealt(pile, own, 1, ladder, 3)


def test_margin_of_two_spots_is_one_spot():
    paytable, shoe = get_paytable("TRI-04"), Shoe(1, removed="7h Ks")
    one_spot, two_spots = (paytable.experiment.count_spots_jointly(shoe.composition, spots) for spots in (1, 2))
    wins, remaining = paytable.ways(shoe).wins, shoe.size - 3
    assert [ways for _, ways in sorted(one_spot.items())][:-1] == [
        6 * count for count in wins if count
    ]  # in all orders
    for (award,), ways in one_spot.items():
        for spot in (0, 1):
            assert sum(count for row, count in two_spots.items() if row[spot] == award) == ways * remaining * (
                remaining - 1
            )


@pytest.mark.slow
@pytest.mark.parametrize("shoe", [Shoe(1), Shoe(6, FEW, removed="7h 7d Ks")], ids=str)
def test_margin_of_three_spots_is_two_spots(shoe):
    two, three = (get_paytable("TRI-04").experiment.count_spots_jointly(shoe.composition, spots) for spots in (2, 3))
    remaining = shoe.size - 5
    for chosen in ((0, 1), (0, 2), (1, 2)):
        pairs = Counter()
        for row, count in three.items():
            pairs[row[chosen[0]], row[chosen[1]]] += count
        assert dict(pairs) == {row: count * remaining * (remaining - 1) for row, count in two.items()}


def test_dealer_bets_give_all_spots_the_same_award():
    deal = parse_deal("up:1")
    trial = experiment(deal, STANDARD, Ladder((parse_rule("has(7)", deal),)), roles_distinct=True)
    assert trial.count_spots_jointly(Shoe(2).composition, 3) == {(0, 0, 0): 8, (1, 1, 1): 96}
    drawn = parse_deal("dealer:h17")
    ladder = Ladder((parse_rule("bust", drawn),))
    assert all(
        len(set(row)) == 1
        for row in experiment(drawn, STANDARD, ladder, True).count_spots_jointly(Shoe(2).composition, 3)
    )


def test_covariance_matches_every_deal_of_a_small_shoe():
    text = 'bet = "Pairs"\ndeal = "player:2, up:1"\n[[paytable]]\nid = "P"\ndecks = 1\nawards = [\n{ name = "Pair", '
    paytable = parse_bet(text + 'when = "pair", pays = "3 to 2" }]', "p.toml")[0][0]
    removed = [card for card, _ in Shoe(1).composition.remove(parse_cards("2c 2d 3c 3d Kh Ks As Ah"))]
    shoe = Shoe(1, removed=removed)
    analysis = analyze_wager(paytable, shoe)
    pile = [card for card, _ in shoe.composition]
    ladder = [award.rule for award in paytable.awards]
    rows = dealt(pile, 2, 1, ladder, 2)
    total, pays = sum(rows.values()), (F(3, 2), F(-1))
    means = [sum(pays[row[spot]] * count for row, count in rows.items()) / total for spot in (0, 1)]
    both = sum(pays[first] * pays[other] * count for (first, other), count in rows.items()) / total
    assert spot_covariance(analysis) == both - means[0] * means[1] != 0


FEW_CARDS = """
bet = "Few"
deal = "player:1, up:1"
pack = { without = ["diamonds", "hearts", "spades", 4, 5, 6, 7, 8, 9, "J", "Q", "K", "A"] }
[[paytable]]
id = "FEW"
decks = 1
awards = [{ name = "Two", when = "player.has(2)", pays = "1 to 1" }]
"""


@pytest.mark.parametrize(("decks", "spots"), [(1, 2), (2, 5), (3, 7)])
def test_sheet_lists_spots_the_shoe_allows(decks, spots):
    (paytable,), _ = parse_bet(FEW_CARDS, "few.toml")
    shoe = Shoe(decks, paytable.bet.pack)
    assert shoe.size == 3 * decks
    made = build_par_sheet(build_study(paytable, shoe))
    sheet, notes = made.payload, [note for section in made.document.sections for note in section.notes]
    answer = {spot_row["spots"]: F(spot_row["variance"]) for spot_row in sheet["spots"]["by_spots"]}
    assert list(answer) == list(range(2, spots + 1))
    assert min(answer.values()) >= 0
    if spots < 7:
        count = "two of them" if spots == 2 else f"up to {spots} of them"
        assert any(f"share a shoe and the dealer's cards, and there are cards for {count};" in note for note in notes)
    assert {check["result"] for check in sheet["checks"]} == {"agrees"}
    joined = analyze_joint([(paytable, F(1))], shoe)
    assert analyze_spots(joined, spots).variance == answer[spots]
    if spots < 7:
        with pytest.raises(InputError, match=f"enough for {spots} spots of FEW, not for {spots + 1}"):
            analyze_spots(joined, spots + 1)


def test_small_shoe_has_no_spots_section():
    (paytable,), _ = parse_bet(FEW_CARDS.replace("4, 5", "3, 4, 5"), "few.toml")
    sheet = build_par_sheet(build_study(paytable, Shoe(1, paytable.bet.pack))).payload
    assert sheet["spots"] is None
    assert {check["result"] for check in sheet["checks"]} == {"agrees"}


def test_covariance_beyond_the_limit_is_none():
    assert spot_covariance(analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6))) is None  # its meter has no amount
    assert (
        spot_covariance(analyze_wager(get_paytable("BLZ-1-PC"), Shoe(6), {"meter": F(20_000)})) is None
    )  # three player cards


def test_small_shoe_has_no_covariance():
    pack = '{ without = ["diamonds", "hearts", "spades", 3, 4, 5, 6, 8, "J", "Q", "K", "A"] }'
    awards = '[{ name = "Two", when = "player.has(2)", pays = "2 to 1" }]'
    bet = f'bet = "Few"\ndeal = "player:3"\npack = {pack}\n[[paytable]]\nid = "FEW"\ndecks = 1\nawards = {awards}'
    (paytable,), _ = parse_bet(bet, "few.toml")
    assert spot_covariance(analyze_wager(paytable, Shoe(1, paytable.bet.pack))) is None
