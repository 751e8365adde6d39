"""The dealer's finished hands, compared with drawing card by card."""

from fractions import Fraction
from functools import lru_cache
from math import perm
from operator import itemgetter

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
from decks import STANDARD, Composition, InputError, Rank, Shoe, find_pack, parse_card, parse_cards
from decks.cards import parse_rank
from tests.profiles import tries
from tests.slow.dealer import RanOutError, drawn_probabilities, drawn_ranks, final_hand_probabilities
from tests.slow.rules import judge
from tests.slow_cases import slow_case, slow_cases
from tests.strategies import DRAWN_LADDERS, card_lists
from tests.views import parse_ranks, up_cards

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
        total = hard + 10 if hard <= 11 else hard  # a finished hand of at most hard 11 has an ace
        chances["bust" if total > 21 else f"total == {total}"] += chance
    return list(chances.values())


@slow_cases("1-h17-peek", "1-s17-peek", "6-h17-no peek", "1-s17-no peek", "6-h17-peek", "6-s17-peek")
@pytest.mark.parametrize("peek", [False, True], ids=["no peek", "peek"])
@pytest.mark.parametrize("soft", ["h17", "s17"])
@pytest.mark.parametrize("decks", [1, slow_case(2), 6, slow_case(8)])
def test_totals_by_up_card_match_drawing_card_by_card(decks, soft, peek):
    draw = experiment(f"dealer:{soft}", TOTALS, "not blackjack" if peek else None)
    tallies = draw.counter.tally_by_up_card()
    weighed = draw.counter.count_by_up_card(STANDARD.composition * decks)
    assert len(tallies) == 10
    for letter, tally in tallies.items():
        ways = tally.at(decks)
        reference = final_hand_probabilities(decks, dict(UP_CARDS)[letter[0]], soft == "h17", no_blackjack=peek)
        ours = [Fraction(count, ways.cycle) for count in ways.wins]
        assert sum(ours) == 1
        assert ours == by_total(reference)
        assert [Fraction(count, weighed[letter].cycle) for count in weighed[letter].wins] == ours


@slow_cases(
    "suited-1-4-6-h17",
    "same color-2-2-6-h17",
    "suited-1-4-6-s17",
    "same color-2-2-6-s17",
    "suited-1-4-1-s17",
    "same color-2-2-1-s17",
)
@pytest.mark.parametrize("soft", ["h17", "s17"])
@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize(("word", "suits", "sets"), [("suited", 1, 4), ("same color", 2, 2)])
def test_suited_busts_match_drawing_card_by_card(decks, soft, word, suits, sets):
    rules = [f"cards == {cards} and bust and {word}" for cards in range(3, 9)]
    for letter, tally in experiment(f"dealer:{soft}", rules).counter.tally_by_up_card().items():
        ways = tally.at(decks)
        reference = final_hand_probabilities(decks, dict(UP_CARDS)[letter[0]], soft == "h17", suits)
        for cards, count in zip(range(3, 9), ways.wins, strict=True):
            expected = sum(chance for (hard, size), chance in reference.items() if hard > 21 and size == cards)
            assert Fraction(count, ways.cycle) == sets * expected


def test_suits_are_not_independent_of_the_total():
    odds = next(iter_rule_odds("bust and suited", parse_deal("dealer:h17"), [Shoe(6)]))
    bust = {
        cards: next(iter_rule_odds(f"bust and cards == {cards}", parse_deal("dealer:h17"), [Shoe(6)]))
        for cards in range(3, 12)
    }
    assert odds.probability != sum(entry.probability / 4 ** (cards - 1) for cards, entry in bust.items())


@pytest.mark.parametrize("soft", ["h17", slow_case("s17")])
def test_outcomes_add_up_at_every_deck_count(soft):
    draw = experiment(f"dealer:{soft}", TOTALS)
    tally = draw.tally()
    for decks in range(1, 9):
        ways = tally.at(decks)
        assert ways.losing == 0
        assert sum(ways.wins) == ways.cycle == perm(52 * decks, draw.draw.length)
        assert tally.cycle_polynomial.at({"n": decks}) == ways.cycle
        assert [tally.polynomial(counts).at({"n": decks}) for counts in tally.wins] == list(ways.wins)
    assert sum(tally.limit(counts) for counts in tally.wins) == 1
    full = [
        sum(part.at(6).wins[index] for part in draw.counter.tally_by_up_card().values()) for index in range(len(TOTALS))
    ]
    assert full == list(tally.at(6).wins)


def test_finished_hands_have_all_orders_of_an_infinite_deck():
    # In an infinite deck every rank has probability 1/13 at every draw, so all hands add up to 1.
    table = dealer_hand_table(group_ranks(tuple(range(2, 15)), tens_alike=False), True)
    sizes = [table.lengths[hand] for hand in table.hand_of]
    assert sum(Fraction(orders, 13**size) for orders, size in zip(table.orders, sizes, strict=True)) == 1


def test_distinguishing_ten_cards_changes_no_count():
    together = experiment("dealer:h17", TOTALS).tally().at(6)
    apart = experiment("dealer:h17", [*TOTALS, "up.rank == K"])
    assert len(apart.draw.table.rank_classes) == 13
    assert list(apart.tally().at(6).wins[:-1]) == list(together.wins)


@given(card_lists, st.sampled_from(DRAWN_LADDERS))
@tries(30, quick=2)
def test_counts_match_drawing_card_by_card(cards, ladder):
    deal, rules, condition = ladder
    draw = experiment(deal, rules, condition, OF_PILES)
    try:
        reference = drawn_probabilities(
            cards, draw.deal, draw.ladder.rules, draw.ladder.condition, draw.deal.draw == "h17"
        )
    except RanOutError:
        with pytest.raises(InputError, match="can run out before the dealer's hand is finished"):
            draw.count(Composition.of(cards))
        return
    ways = draw.count(Composition.of(cards))
    if reference is None:
        assert ways.cycle == 0
    else:
        assert [Fraction(count, ways.cycle) for count in (*ways.wins, ways.losing)] == reference


def only(*ranks):
    """Return a pack of these ranks only."""
    return find_pack("standard without " + " ".join(str(rank) for rank in Rank if str(rank) not in ranks))


@pytest.mark.parametrize(
    ("pack", "decks"),
    [
        (only("10", "J", "Q", "K"), 1),
        (only("10"), 1),
        (only("K"), 6),
        (only("Q", "K"), 2),
        (only("A"), 2),
        (only("A"), 6),
        (only("2"), 3),
        (only("7"), 1),
        (only("9"), 1),
        (only("A", "10"), 2),
        (only("A", "6"), 4),
        slow_case(find_pack("standard without A"), 1),
        slow_case(find_pack("standard without A"), 6),
        slow_case(find_pack("standard without 10 J Q K"), 1),
        slow_case(find_pack("spanish without A"), 2),
    ],
    ids=lambda value: value if isinstance(value, int) else " ".join(map(str, value.ranks)),
)
@pytest.mark.parametrize("soft", ["h17", "s17"])
def test_packs_of_odd_ranks_match_drawing_rank_by_rank(pack, decks, soft):
    rules = [*TOTALS[1:], "cards == 2", "total == 17"]
    draw = experiment(f"dealer:{soft}", rules, pack=pack)
    counts = tuple((int(rank), 4 * decks) for rank in pack.ranks)
    judges, size = [judge(rule.fact) for rule in draw.ladder.rules], pack.size * decks
    expected = {int(rank): [Fraction(0)] * (len(rules) + 1) for rank in pack.ranks}
    for ranks, ways in drawn_ranks(counts, soft == "h17").items():
        up, *others = [parse_card(f"{Rank(rank)}c") for rank in ranks]
        matched = [fits([up, others]) for fits in judges]
        expected[ranks[0]][matched.index(True) if True in matched else -1] += Fraction(ways, perm(size, len(ranks)))
    full = [sum(probabilities) for probabilities in zip(*expected.values(), strict=True)]
    assert sum(full) == 1

    def probabilities(ways):
        return [Fraction(count, ways.cycle) for count in (*ways.wins, ways.losing)]

    composition = pack.composition * decks
    assert probabilities(draw.tally().at(decks)) == probabilities(draw.count(composition)) == full
    ledger = list(draw.outcomes(composition))
    total = sum(outcome.ways for outcome in ledger)
    assert len(ledger) == draw.count_outcomes(composition)
    for index, probability in enumerate(full):
        award = index if index < len(rules) else None
        assert Fraction(sum(outcome.ways for outcome in ledger if outcome.award == award), total) == probability
    for ranks, ways in draw.counter.count_by_up_card(composition).items():
        by_up_card = [sum(column) for column in zip(*(expected[rank] for rank in ranks), strict=True)]
        assert probabilities(ways) == [probability / sum(by_up_card) for probability in by_up_card]
        assert probabilities(draw.counter.tally_by_up_card()[ranks].at(decks)) == probabilities(ways)


@pytest.mark.parametrize("deal", ["dealer:h17", "dealer:s17", "player:1, dealer:h17"])
@pytest.mark.parametrize("ranks", ["10", "10 K", "J Q K", "9", "9 K", slow_case("7"), slow_case("10 J Q K")])
def test_packs_of_odd_ranks_match_drawing_card_by_card(deal, ranks):
    pack = only(*ranks.split())
    rules = ["dealer.bust", "dealer.suited", "up.has(K)", "dealer.same color", "dealer.total == 18"]
    draw = experiment(deal, rules, pack=pack)
    expected = drawn_probabilities(
        [card for card, _ in pack.composition], draw.deal, draw.ladder.rules, None, draw.deal.draw == "h17"
    )
    for ways in (draw.tally().at(1), draw.count(pack.composition)):
        assert [Fraction(count, ways.cycle) for count in (*ways.wins, ways.losing)] == expected


@pytest.mark.parametrize("ladder", [*DRAWN_LADDERS[:3], *map(slow_case, DRAWN_LADDERS[3:])], ids=itemgetter(0))
@pytest.mark.parametrize("decks", [1, 6])
def test_tally_matches_counts_of_full_shoes(ladder, decks):
    draw = experiment(*ladder)
    assert draw.tally().at(decks) == draw.count(STANDARD.composition * decks)


def test_removing_an_unseen_card_at_random_changes_no_probability():
    draw = experiment("dealer:h17", ["bust and suited", "bust"], pack=FEW_RANKS)
    shoe = FEW_RANKS.composition.remove(parse_cards("As Ks 5d 5h"))
    full = draw.count(shoe)
    parts = [draw.count(shoe.remove([card])) for card, _ in list(shoe)]
    for index, takes in enumerate(full.wins):
        assert sum(Fraction(part.wins[index], part.cycle) for part in parts) / shoe.size == Fraction(takes, full.cycle)


@pytest.mark.slow
def test_rules_combine_player_and_dealer_cards():
    deal = parse_deal("player:2, dealer:h17")
    joint = next(iter_rule_odds("player.blackjack and dealer.bust and dealer.cards == 7", deal, [Shoe(6)]))
    alone = next(iter_rule_odds("bust and cards == 7", parse_deal("dealer:h17"), [Shoe(6)]))
    blackjack = next(iter_rule_odds("player.blackjack", deal, [Shoe(6)]))
    assert blackjack.probability == next(iter_rule_odds("blackjack", parse_deal("player:2"), [Shoe(6)])).probability
    assert (
        joint.probability != blackjack.probability * alone.probability
    )  # the player's cards are removed from the shoe
    assert abs(joint.probability / (blackjack.probability * alone.probability) - 1) < Fraction(1, 10)


@pytest.mark.parametrize(
    ("deal", "rule", "message"),
    [
        ("dealer:h17", "rainbow", "'rainbow' .* finished hand"),
        ("dealer:h17", "dealer.rank == 7", "'rank' .* finished hand"),
        ("dealer:h17", "has(hearts)", "the suits of single cards"),
        ("dealer:h17", "up.has(7d)", "the suits of single cards"),
        ("player:2, dealer:h17", "player.has(up)", "the suits of single cards"),
        ("player:2, dealer:h17", "player.count(up.suit) == 2", "the suits of single cards"),
        ("player:2, dealer:h17", "bust", "'bust' needs a role .*; write dealer.bust or player.bust"),
        ("player:2, dealer:h17", "A-K-Q", "needs a role"),
        ("player:2, dealer:h17", "has(7)", "needs a role"),
    ],
)
def test_unanswerable_dealer_rules_are_refused(deal, rule, message):
    with pytest.raises(InputError, match=message):
        parse_rule(rule, parse_deal(deal))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("dealer:h71", "did you mean 'h17'"),
        ("dealer:draw", "cannot read the deal"),
        ("player:h17", "only the dealer draws"),
        ("dealer:h17, player:2", "must be the last"),
        ("up:1, dealer:h17", "both 'dealer' and 'up'"),
        ("player:3, dealer:h17", "at most 2"),
    ],
)
def test_malformed_dealer_deals_are_refused(deal, message):
    with pytest.raises(InputError, match=message):
        parse_deal(deal)


BUST_PAYS = {1: 3, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 2}
SUITED_PAYS = {1: 50, 2: 25, 3: 15, 4: 10, 5: 5, 6: 3, 7: 15, 8: 10, 9: 20, 10: 20}


@pytest.mark.parametrize(
    ("id", "decks", "suited_eights"), [("BB-1", 2, 25), slow_case("BB-1", 6, 25), slow_case("BB-2", 6, 75)]
)
def test_bust_bonanza_matches_its_table_by_up_card(id, decks, suited_eights):
    result = up_cards(get_paytable(id), Shoe(decks))
    assert len(result) == 10
    for row in result:
        up = dict(UP_CARDS)[parse_ranks(row)[0]]
        drawn = [final_hand_probabilities(decks, up, True, suits, no_blackjack=True) for suits in (4, 1)]
        bust, suited = (sum(chance for (hard, _), chance in hands.items() if hard > 21) for hands in drawn)
        suited *= 4
        assert row.extras == {"bust": bust, "suited_bust": suited}
        returned = (bust - suited) * (BUST_PAYS[up] + 1) + suited * (SUITED_PAYS[up] + 1)
        if up == 8:
            # Two more 8s of the 4n-1 left, or of the n-1 of the up card's suit; the other awards lose them.
            pairs = (52 * decks - 1) * (52 * decks - 2)
            eights = Fraction((4 * decks - 1) * (4 * decks - 2), pairs)
            alike = Fraction((decks - 1) * (decks - 2), pairs)
            returned += (eights - alike) * (26 - 3) + alike * (suited_eights + 1 - 11)
        assert row.analysis.return_ == returned
    assert sum(row.probability for row in result) == 1
    analysis = analyze_wager(get_paytable(id), Shoe(decks))
    assert analysis.return_ == sum((row.probability * row.analysis.return_ for row in result), Polynomial.of(0))
    selections = best_selections(result)
    assert selections[-1].distribution == analysis.distribution
    lost = sum(row.probability * row.analysis.house_edge.constant for row in selections[1].cases)
    assert selections[1].house_edge == lost / selections[1].share
    assert [row.house_edge for row in selections] == sorted(row.house_edge for row in selections)


@pytest.mark.parametrize("text", [slow_case("2"), slow_case("8"), slow_case("10"), slow_case("K"), "A"])
def test_up_card_condition_matches_the_count_by_up_card(text):
    pack, full = find_pack("standard without 3 4 6 7 J Q"), get_paytable("BB-2")
    paytable = replace(full, bet=replace(full.bet, pack=pack))
    shoe = Shoe(6, pack, parse_cards("8h 8h As 10d"))
    (block,) = (up_card for up_card in up_cards(paytable, shoe) if int(parse_rank(text)) in parse_ranks(up_card))
    analysis = analyze_wager(condition_on_up_card(paytable, text), shoe)
    assert analysis.house_edge == block.analysis.house_edge
    possible = [line.award.name for line in block.analysis.lines if line.is_possible]
    assert [line.award.name for line in analysis.lines] == possible


def test_soft_17_rule_matters():
    stands = with_soft_17(get_paytable("BB-1"), "s17")
    assert with_soft_17(stands, "h17").bet == get_paytable("BB-1").bet
    assert with_soft_17(get_paytable("BB-1"), "h17") == get_paytable("BB-1")  # that is its setting already
    assert up_cards(stands, Shoe(6))[4].extras["bust"] < up_cards(get_paytable("BB-1"), Shoe(6))[4].extras["bust"]
    with pytest.raises(InputError, match="soft-17 rule does not affect"):
        with_soft_17(get_paytable("TRI-03"), "s17")


@pytest.mark.slow  # fast: test_new_experiment.py::test_closed_forms_of_the_view_match_its_probabilities
def test_closed_forms_of_busts_match_counts_and_limit():
    paytable = get_paytable("BB-1")
    (view,) = paytable.experiment.views()
    cases = zip(case_formulas(paytable, view), up_cards(paytable, Shoe(3)), strict=True)
    for index, (formula, case) in enumerate(cases):
        assert formula.name == case.name
        bust, suited_bust = formula.probabilities
        assert Fraction(str(bust.subs("n", 3))) == case.extras["bust"]
        assert Fraction(str(suited_bust.subs("n", 3))) == case.extras["suited_bust"]
        if index == 0:  # the algebra is slow
            assert (bust.limit("n", "oo"), suited_bust.limit("n", "oo")) == formula.limits


def test_limit_matches_independent_draws():
    tallies = experiment("dealer:s17", ["bust"]).counter.tally_by_up_card()
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


def test_ten_cards_differ_after_removals():
    pack = find_pack("standard without 3 4 5 7 9")
    text = (
        f'bet = "Kings"\ndeal = "dealer:h17"\npack = "{pack.name}"\n[[paytable]]\nid = "K"\ndecks = 1\n'
        'awards = [{ name = "King up bust", when = "bust and up.has(K)", pays = "5 to 1" }]\n'
    )
    (paytable,), problems = parse_bet(text, "kings.toml")
    assert not problems
    shoe = Shoe(1, pack, parse_cards("Kc Kd 10s"))
    result = {up_card.name: up_card for up_card in up_cards(paytable, shoe)}
    for name in ("10", "J", "Q", "K"):
        for figure, rule in (("bust", "bust"), ("suited_bust", "bust and suited")):
            (reference,) = iter_rule_odds(rule, parse_deal("dealer:h17"), [shoe], given=f"up.has({name})")
            assert result[name].extras[figure] == reference.probability
    assert result["K"].extras["suited_bust"] != result["J"].extras["suited_bust"]
