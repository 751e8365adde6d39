"""The dealer's finished hands against drawing them card by card."""

from fractions import Fraction
from functools import lru_cache
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import case_formulas
from combinat.analysis.odds import iter_rule_odds
from combinat.analysis.sensitivity import best_selections
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.bets.variants import condition_on_up_card, with_soft_17
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.dealer.finished_hands import dealer_hand_table, group_ranks
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.exact.polynomial import Polynomial
from combinat.language.parser import parse_rule
from decks import STANDARD, Composition, InputError, Shoe, find_pack, parse_cards
from decks.cards import parse_rank
from tests.profiles import tries
from tests.slow.dealer import RanOutError, count_drawn, final_hands
from tests.strategies import DRAWN_LADDERS, piles
from tests.views import ranks_of, up_cards

TOTALS = ["total == 17", "total == 18", "total == 19", "total == 20", "total == 21", "bust"]
UP_CARDS = [(14, 1), *((rank, rank) for rank in range(2, 11))]


FEW_RANKS = find_pack("standard without 3 4 6 7 9 J Q")
OF_PILES = find_pack("standard without 3 4 6 7 8 J Q")


def experiment(deal, rules, condition=None, pack=STANDARD):
    return _experiment(deal, tuple(rules), condition, pack)


@lru_cache(maxsize=None)
def _experiment(deal, rules, condition, pack):
    parsed = parse_deal(deal)
    ladder = Ladder(
        tuple(parse_rule(rule, parsed) for rule in rules), parse_rule(condition, parsed) if condition else None
    )
    return DealerExperiment(parsed, pack, ladder)


def by_total(found):
    chances = dict.fromkeys(TOTALS, Fraction(0))
    for (hard, _), chance in found.items():
        total = hard + 10 if hard <= 11 else hard  # a finished hand of at most 11 hard has an ace
        chances["bust" if total > 21 else f"total == {total}"] += chance
    return list(chances.values())


@pytest.mark.parametrize("peek", [False, True], ids=["no peek", "peek"])
@pytest.mark.parametrize("soft", ["h17", "s17"])
@pytest.mark.parametrize(
    "decks", [1, pytest.param(2, marks=pytest.mark.slow), 6, pytest.param(8, marks=pytest.mark.slow)]
)
def test_totals_of_every_up_card_are_those_of_drawing_card_by_card(decks, soft, peek):
    draw = experiment(f"dealer:{soft}", TOTALS, "not blackjack" if peek else None)
    tallies = draw.tally_by_up_card()
    weighed = draw.weigh_by_up_card(STANDARD.composition * decks)
    assert len(tallies) == 10
    for letter, tally in tallies.items():
        ways = tally.at(decks)
        twin = final_hands(decks, dict(UP_CARDS)[letter[0]], soft == "h17", no_blackjack=peek)
        ours = [Fraction(count, ways.cycle) for count in ways.wins]
        assert sum(ours) == 1
        assert ours == by_total(twin)
        assert [Fraction(count, weighed[letter].cycle) for count in weighed[letter].wins] == ours


@pytest.mark.parametrize("soft", ["h17", "s17"])
@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize(("word", "suits", "sets"), [("suited", 1, 4), ("same color", 2, 2)])
def test_suits_are_counted_exactly(decks, soft, word, suits, sets):
    rules = [f"cards == {cards} and bust and {word}" for cards in range(3, 9)]
    for letter, tally in experiment(f"dealer:{soft}", rules).tally_by_up_card().items():
        ways = tally.at(decks)
        twin = final_hands(decks, dict(UP_CARDS)[letter[0]], soft == "h17", suits)
        for cards, count in zip(range(3, 9), ways.wins, strict=True):
            expected = sum(chance for (hard, size), chance in twin.items() if hard > 21 and size == cards)
            assert Fraction(count, ways.cycle) == sets * expected


def test_independence_would_give_another_number():
    one = next(iter_rule_odds("bust and suited", parse_deal("dealer:h17"), [Shoe(6)]))
    bust = {
        cards: next(iter_rule_odds(f"bust and cards == {cards}", parse_deal("dealer:h17"), [Shoe(6)]))
        for cards in range(3, 12)
    }
    assert one.probability != sum(entry.probability / 4 ** (cards - 1) for cards, entry in bust.items())


@pytest.mark.parametrize("soft", ["h17", "s17"])
def test_all_outcomes_add_up_for_every_deck_count(soft):
    draw = experiment(f"dealer:{soft}", TOTALS)
    tally = draw.tally()
    for decks in range(1, 9):
        ways = tally.at(decks)
        assert ways.losing == 0
        assert sum(ways.wins) == ways.cycle == perm(52 * decks, draw.length)
        assert tally.cycle_polynomial.at({"n": decks}) == ways.cycle
        assert [tally.polynomial(counts).at({"n": decks}) for counts in tally.wins] == list(ways.wins)
    assert sum(tally.limit(counts) for counts in tally.wins) == 1
    whole = [sum(part.at(6).wins[place] for part in draw.tally_by_up_card().values()) for place in range(len(TOTALS))]
    assert whole == list(tally.at(6).wins)


def test_orders_of_all_finished_hands_are_those_of_an_endless_shoe():
    # In an endless shoe every rank comes with chance 1/13 at every draw, so the chances of all hands add up to one.
    table = dealer_hand_table(group_ranks(tuple(range(2, 15)), tens_alike=False), True)
    sizes = [table.lengths[hand] for hand in table.hand_of]
    assert sum(Fraction(orders, 13**size) for orders, size in zip(table.orders, sizes, strict=True)) == 1


def test_tens_apart_or_together_give_the_same():
    together = experiment("dealer:h17", TOTALS).tally().at(6)
    apart = experiment("dealer:h17", [*TOTALS, "up.rank == K"])
    assert len(apart.table.rank_classes) == 13
    assert list(apart.tally().at(6).wins[:-1]) == list(together.wins)


@given(piles, st.sampled_from(DRAWN_LADDERS))
@tries(30, quick=2)
def test_any_small_shoe_is_weighed_as_if_drawn_card_by_card(cards, ladder):
    deal, rules, condition = ladder
    draw = experiment(deal, rules, condition, OF_PILES)
    try:
        twin = count_drawn(cards, draw.deal, draw.ladder.rules, draw.ladder.given, draw.deal.draw == "h17")
    except RanOutError:
        with pytest.raises(InputError, match="can run out before the dealer's hand is finished"):
            draw.count(Composition.of(cards))
        return
    ways = draw.count(Composition.of(cards))
    if twin is None:
        assert ways.cycle == 0
    else:
        assert [Fraction(count, ways.cycle) for count in (*ways.wins, ways.losing)] == twin


LONG = {"player:1, dealer:s17", "player:2, dealer:h17"}  # suits of the player and the dealer, or many cards together


@pytest.mark.parametrize(
    "ladder",
    [
        pytest.param(ladder, id=ladder[0], marks=[pytest.mark.slow] if ladder[0] in LONG else [])
        for ladder in DRAWN_LADDERS
    ],
)
@pytest.mark.parametrize("decks", [1, 6])
def test_polynomials_and_weights_agree_on_full_shoes(ladder, decks):
    draw = experiment(*ladder)
    assert draw.tally().at(decks) == draw.count(STANDARD.composition * decks)


def test_removing_an_unseen_card_at_random_changes_no_probability():
    draw = experiment("dealer:h17", ["bust and suited", "bust"], pack=FEW_RANKS)
    shoe = FEW_RANKS.composition.remove(parse_cards("As Ks 5d 5h"))
    whole = draw.count(shoe)
    parts = [draw.count(shoe.remove([card])) for card, _ in list(shoe)]
    for place, takes in enumerate(whole.wins):
        assert sum(Fraction(part.wins[place], part.cycle) for part in parts) / shoe.size == Fraction(takes, whole.cycle)


@pytest.mark.slow
def test_player_and_dealer_hands_are_looked_at_together():
    deal = parse_deal("player:2, dealer:h17")
    joint = next(iter_rule_odds("player.blackjack and dealer.bust and dealer.cards == 7", deal, [Shoe(6)]))
    alone = next(iter_rule_odds("bust and cards == 7", parse_deal("dealer:h17"), [Shoe(6)]))
    blackjack = next(iter_rule_odds("player.blackjack", deal, [Shoe(6)]))
    assert blackjack.probability == next(iter_rule_odds("blackjack", parse_deal("player:2"), [Shoe(6)])).probability
    assert joint.probability != blackjack.probability * alone.probability  # the player's cards are gone from the shoe
    assert abs(joint.probability / (blackjack.probability * alone.probability) - 1) < Fraction(1, 10)


@pytest.mark.parametrize(
    ("deal", "rule", "message"),
    [
        ("dealer:h17", "rainbow", "'rainbow' cannot be said of the dealer's finished hand"),
        ("dealer:h17", "dealer.rank == 7", "'rank' cannot be said of"),
        ("dealer:h17", "has(hearts)", "the suits of single cards"),
        ("dealer:h17", "up.has(7d)", "the suits of single cards"),
        ("player:2, dealer:h17", "player.has(up)", "the suits of single cards"),
        ("player:2, dealer:h17", "player.count(up.suit) == 2", "the suits of single cards"),
        ("player:2, dealer:h17", "bust", "'bust' must say whose cards it means .*; write dealer.bust or player.bust"),
        ("player:2, dealer:h17", "A-K-Q", "must say whose cards"),
        ("player:2, dealer:h17", "has(7)", "must say whose cards"),
    ],
)
def test_question_that_a_finished_hand_cannot_answer_is_refused(deal, rule, message):
    with pytest.raises(InputError, match=message):
        parse_rule(rule, parse_deal(deal))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("dealer:h71", "did you mean 'h17'"),
        ("dealer:draw", "cannot read the deal"),
        ("player:h17", "only the dealer draws"),
        ("dealer:h17, player:2", "goes on after the dealer's draw"),
        ("up:1, dealer:h17", "both 'dealer' and 'up'"),
        ("player:3, dealer:h17", "at most 2"),
    ],
)
def test_draw_that_cannot_be_read_says_why(deal, message):
    with pytest.raises(InputError, match=message):
        parse_deal(deal)


BUST_PAYS = {1: 3, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 2}
SUITED_PAYS = {1: 50, 2: 25, 3: 15, 4: 10, 5: 5, 6: 3, 7: 15, 8: 10, 9: 20, 10: 20}


@pytest.mark.parametrize(("id", "decks", "suited_eights"), [("BB-1", 2, 25), ("BB-1", 6, 25), ("BB-2", 6, 75)])
def test_bust_bonanza_returns_what_its_table_says_for_every_up_card(id, decks, suited_eights):
    found = up_cards(get_paytable(id), Shoe(decks))
    assert len(found) == 10
    for one in found:
        up = dict(UP_CARDS)[ranks_of(one)[0]]
        drawn = [final_hands(decks, up, True, suits, no_blackjack=True) for suits in (4, 1)]
        bust, suited = (sum(chance for (hard, _), chance in hands.items() if hard > 21) for hands in drawn)
        suited *= 4
        assert one.extras == {"bust": bust, "suited_bust": suited}
        back = (bust - suited) * (BUST_PAYS[up] + 1) + suited * (SUITED_PAYS[up] + 1)
        if up == 8:
            # Two more 8s of the 4n-1 left, or of the n-1 of the up card's suit; they leave the other awards.
            pairs = (52 * decks - 1) * (52 * decks - 2)
            eights = Fraction((4 * decks - 1) * (4 * decks - 2), pairs)
            alike = Fraction((decks - 1) * (decks - 2), pairs)
            back += (eights - alike) * (26 - 3) + alike * (suited_eights + 1 - 11)
        assert one.analysis.return_ == back
    assert sum(one.probability for one in found) == 1
    whole = analyze_wager(get_paytable(id), Shoe(decks))
    assert whole.return_ == sum((one.probability * one.analysis.return_ for one in found), Polynomial.of(0))
    selections = best_selections(found)
    assert selections[-1].distribution == whole.distribution
    lost = sum(one.probability * one.analysis.house_edge.constant for one in selections[1].cases)
    assert selections[1].house_edge == lost / selections[1].share
    assert [one.house_edge for one in selections] == sorted(one.house_edge for one in selections)


@pytest.mark.parametrize("text", ["2", "8", "10", "K", "A"])
def test_seeing_the_up_card_is_the_same_as_reading_its_block(text):
    pack, whole = find_pack("standard without 3 4 6 7 J Q"), get_paytable("BB-2")
    paytable = replace(whole, bet=replace(whole.bet, pack=pack))
    shoe = Shoe(6, pack, parse_cards("8h 8h As 10d"))
    (block,) = (one for one in up_cards(paytable, shoe) if int(parse_rank(text)) in ranks_of(one))
    seen = analyze_wager(condition_on_up_card(paytable, text), shoe)
    assert seen.house_edge == block.analysis.house_edge
    possible = [line.award.name for line in block.analysis.lines if line.is_possible]
    assert [line.award.name for line in seen.lines] == possible


def test_soft_17_can_be_changed_and_must_matter():
    stands = with_soft_17(get_paytable("BB-1"), "s17")
    assert with_soft_17(stands, "h17").bet == get_paytable("BB-1").bet
    assert with_soft_17(get_paytable("BB-1"), "h17") == get_paytable("BB-1")  # which it is already
    assert up_cards(stands, Shoe(6))[4].extras["bust"] < up_cards(get_paytable("BB-1"), Shoe(6))[4].extras["bust"]
    with pytest.raises(InputError, match="soft 17 does not matter"):
        with_soft_17(get_paytable("TRI-03"), "s17")


def test_closed_forms_of_a_bust_give_every_deck_count_and_the_limit():
    paytable = get_paytable("BB-1")
    (view,) = paytable.experiment.views()
    cases = zip(case_formulas(paytable, view), up_cards(paytable, Shoe(3)), strict=True)
    for place, (formula, one) in enumerate(cases):
        assert formula.name == one.name
        bust, suited_bust = formula.chances
        assert Fraction(str(bust.subs("n", 3))) == one.extras["bust"]
        assert Fraction(str(suited_bust.subs("n", 3))) == one.extras["suited_bust"]
        if place == 0:  # the algebra takes long
            assert (bust.limit("n", "oo"), suited_bust.limit("n", "oo")) == formula.limits


def test_limit_for_many_decks_is_that_of_independent_draws():
    tallies = experiment("dealer:s17", ["bust"]).tally_by_up_card()
    # With endless decks the chance depends on the total alone; this recursion on totals is all there is to it.
    chance = {value: Fraction(4 if value == 10 else 1, 13) for value in range(1, 11)}

    @lru_cache(maxsize=None)
    def bust(hard, ace, cards):
        soft = ace and hard <= 11
        total = hard + 10 if soft else hard
        if cards > 1 and total >= 17:
            return Fraction(total > 21)
        return sum(part * bust(hard + value, ace or value == 1, cards + 1) for value, part in chance.items())

    for letter, tally in tallies.items():
        value = dict(UP_CARDS)[letter[0]]
        assert tally.limit(tally.wins[0]) == bust(value, value == 1, 1)


def test_suited_busts_with_one_ten_card_up_are_not_those_with_another_once_cards_are_gone():
    pack = find_pack("standard without 3 4 5 7 9")
    text = (
        f'bet = "Kings"\ndeal = "dealer:h17"\npack = "{pack.name}"\n[[paytable]]\nid = "K"\ndecks = 1\n'
        'awards = [{ name = "King up bust", when = "bust and up.has(K)", pays = "5 to 1" }]\n'
    )
    (paytable,), problems = parse_bet(text, "kings.toml")
    assert not problems
    shoe = Shoe(1, pack, parse_cards("Kc Kd 10s"))
    found = {one.name: one for one in up_cards(paytable, shoe)}
    for name in ("10", "J", "Q", "K"):
        for figure, rule in (("bust", "bust"), ("suited_bust", "bust and suited")):
            (twin,) = iter_rule_odds(rule, parse_deal("dealer:h17"), [shoe], given=f"up.has({name})")
            assert found[name].extras[figure] == twin.probability
    assert found["K"].extras["suited_bust"] != found["J"].extras["suited_bust"]
