"""Bets given the dealer's up card, and conditions, compared with dealing physical cards one by one."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.odds import iter_rule_odds
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.bets.variants import condition_on_up_card
from combinat.enumeration.dealer.counting import DealerCounter
from combinat.enumeration.dealer.enumerator import DealerDraw
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.tally import NoHandError
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from decks import SPANISH, STANDARD, Composition, InputError, Pack, Rank, Shoe, find_pack, parse_cards
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.dealer import RanOutError, first_match_probabilities, iter_drawn_hands
from tests.slow.rules import fits
from tests.slow_cases import slow_case, slow_cases
from tests.strategies import SIGNS
from tests.strategies import rules as dealt_rules
from tests.views import parse_ranks, up_cards

TENS = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}
DRAWS = ["dealer:h17", "dealer:s17", "player:1, dealer:h17", "player:1, dealer:s17"]
FIXED = ["player:2, up:1", "up:1, hole:1", "player:1, up:1, hole:1"]
ROUNDS = 25
HIGH_SPANISH = find_pack("spanish without 2 3 4 5 6 7")
FEW = find_pack("standard without 3 4 5 9 J Q")


def bet(deal, rules, condition=None, pack="standard", more=""):
    """Return a paytable of some rules, loaded from a file's text."""
    awards = ", ".join(
        f'{{ name = "{index}", when = "{rule}", pays = "{index + 2} to 1" }}' for index, rule in enumerate(rules)
    )
    given = f'given = "{condition}"\n' if condition else ""
    text = f'bet = "B"\ndeal = "{deal}"\npack = "{pack}"\n{given}{more}[[paytable]]\nid = "B"\ndecks = "1-8"\n'
    (paytable,), problems = parse_bet(f"{text}awards = [{awards}]\n", "b.toml")
    assert not problems
    return paytable


def shoe_of(pile, pack, decks=2):
    """Return a shoe of full decks with only these cards remaining."""
    removed = Counter(dict(pack.composition * decks)) - Counter(pile)
    return Shoe(decks, pack, tuple(removed.elements()))


@st.composite
def drawn_rules(draw, deal, depth=1):
    """Draw a rule about the dealer's finished hand, the up card and the player's card."""
    players = ["player"] if deal.roles else []
    everybody = ("dealer", "up", *players)
    kinds = [
        "7",
        "8",
        "10",
        "J",
        "Q",
        "K",
        "A",
        "face",
        "tens",
        "up.rank",
        *(f"{left_rule}.rank" for left_rule in players),
    ]
    listed = st.lists(st.sampled_from(kinds), min_size=1, max_size=2).map(", ".join)
    measures = ("total", "hard total", "points", "high", "low", "cards")
    numbers = [f"{left_rule}.{word}" for left_rule in everybody for word in measures]
    numbers += [f"{left_rule}.rank" for left_rule in everybody[1:]]
    numbers += [f"{left_rule}.count({draw(listed)})" for left_rule in everybody]
    sign, bound = draw(st.sampled_from(SIGNS)), draw(st.sampled_from(["1", "2", "8", "10", "Q", "20", "up.rank"]))
    facts = ["bust", "suited", "same color", "blackjack", "straight", "pair", "8-8-8", "10-J", "A-K"]
    leaf = st.sampled_from(
        [f"dealer.{fact}" for fact in facts]
        + ["up.bust", f"{draw(st.sampled_from(numbers))} {sign} {bound}"]
        + [f"{left_rule}.{word}({draw(listed)})" for left_rule in everybody for word in ("has", "all")]
        + [f"{left_rule}.has({draw(st.sampled_from(['hearts', 'red', 'Kd']))})" for left_rule in players]
    )
    if depth == 0:
        return draw(leaf)
    left_rule, right_rule = draw(drawn_rules(deal, depth - 1)), draw(drawn_rules(deal, depth - 1))
    return draw(
        st.sampled_from(
            [left_rule, f"not {left_rule}", f"{left_rule} and {right_rule}", f"({left_rule} or {right_rule})"]
        )
    )


@st.composite
def packs(draw):
    """Draw a few ranks of either pack, some of them worth ten; their outcome table is small."""
    full = draw(st.sampled_from([STANDARD, SPANISH]))
    tens = draw(st.sets(st.sampled_from([rank for rank in full.ranks if rank in TENS]), min_size=1))
    low = draw(st.sets(st.sampled_from([Rank.THREE, Rank.SEVEN, Rank.EIGHT, Rank.NINE]), min_size=1, max_size=2))
    return Pack(full.name, tuple(sorted({*tens, *low, Rank.ACE})))


def piles(pack):
    cards = [card for card in ALL_CARDS if card.rank in pack.ranks for _ in range(2)]
    return st.permutations(cards).map(lambda order: order[:7])


@st.composite
def drawn_bets(draw):
    deal = draw(st.sampled_from(DRAWS))
    rules = draw(st.lists(drawn_rules(parse_deal(deal)), min_size=1, max_size=3))
    condition = draw(st.none() | drawn_rules(parse_deal(deal)))
    pack = draw(packs())
    return bet(deal, rules, condition), pack, draw(piles(pack))


def check_given(paytable, shoe, rank, expected):
    """Compare a bet given an up card with the expected probabilities."""
    if expected is None:
        with pytest.raises(NoHandError, match="no hand"):
            analyze_wager(condition_on_up_card(paytable, str(rank)), shoe)
        return
    seen = condition_on_up_card(paytable, str(rank))
    ways = seen.ways(shoe)
    chances = {award.name: Fraction(takes, ways.cycle) for award, takes in zip(seen.awards, ways.wins, strict=True)}
    assert [chances.get(award.name, 0) for award in paytable.awards] == expected[:-1]
    assert Fraction(ways.losing, ways.cycle) == expected[-1]


@given(drawn_bets())
@tries(ROUNDS)
def test_dealer_bet_by_up_card_matches_drawing(bet_and_pile):
    paytable, pack, pile = bet_and_pile
    paytable = replace(paytable, bet=replace(paytable.bet, pack=pack))
    deal, shoe = paytable.bet.deal, shoe_of(pile, pack)
    try:
        hands = list(iter_drawn_hands(pile, deal, deal.draw == "h17"))
    except RanOutError:
        with pytest.raises(InputError, match="can run out"):
            paytable.ways(shoe)
        return
    index, ladder = deal.positions("up")[0], paytable.ladder
    by_up = {rank: [(hand, chance) for hand, chance in hands if hand[index].rank == rank] for rank in pack.ranks}
    for rank, seen in by_up.items():
        check_given(paytable, shoe, rank, first_match_probabilities(seen, ladder.rules, ladder.condition))
    if first_match_probabilities(hands, ladder.rules, ladder.condition) is None:
        with pytest.raises(NoHandError):
            analyze_wager(paytable, shoe)
        return
    bust, suited = (parse_rule(f"dealer.{word}", deal) for word in ("bust", "suited"))
    for row in up_cards(paytable, shoe):
        seen = [one for rank in parse_ranks(row) for one in by_up[Rank(rank)]]
        ways = row.analysis.ways
        result = [Fraction(takes, ways.cycle) for takes in (*ways.wins, ways.losing)]
        assert result == first_match_probabilities(seen, ladder.rules, ladder.condition)
        busts = [(hand, chance) for hand, chance in seen if fits(bust.fact, hand)]
        assert row.extras["bust"] == first_match_probabilities(seen, [bust], ladder.condition)[0]
        assert (
            row.extras["suited_bust"]
            == row.extras["bust"] * (first_match_probabilities(busts, [suited], ladder.condition) or [0])[0]
        )


@given(
    st.sampled_from(DRAWS).flatmap(
        lambda deal: st.tuples(st.just(deal), st.lists(drawn_rules(parse_deal(deal)), max_size=2, min_size=1))
    ),
    st.data(),
)
@tries(ROUNDS)
def test_full_decks_of_few_ranks_match_drawing(ladder, data):
    text, rules = ladder
    low = data.draw(st.sampled_from([Rank.EIGHT, Rank.NINE]))
    # Without aces no hand needs more cards than there are.
    pack = Pack("few", (low, *data.draw(st.sampled_from([(Rank.TEN,), (Rank.KING,), (Rank.TEN, Rank.QUEEN)]))))
    paytable = bet(text, rules)
    deal, cards = paytable.bet.deal, [card for card in ALL_CARDS if card.rank in pack.ranks]
    counter = DealerCounter(DealerDraw(deal, pack, paytable.ladder, separates_tens=True))
    hands = list(iter_drawn_hands(cards, deal, deal.draw == "h17"))
    ways = counter.full_deck_tally.at(1)
    assert [Fraction(takes, ways.cycle) for takes in (*ways.wins, ways.losing)] == first_match_probabilities(
        hands, paytable.ladder.rules, None
    )
    index = deal.positions("up")[0]
    for (rank,), tally in counter.tally_by_up_card().items():
        own = tally.at(1)
        seen = [(hand, chance) for hand, chance in hands if hand[index].rank == rank]
        assert [Fraction(takes, own.cycle) for takes in (*own.wins, own.losing)] == first_match_probabilities(
            seen, paytable.ladder.rules, None
        )


@slow_cases("player:1, dealer:s17-spanish")
@pytest.mark.parametrize(
    "pack",
    [slow_case(STANDARD), slow_case(SPANISH), HIGH_SPANISH],
    ids=lambda pack: pack.name,
)
@pytest.mark.parametrize("deal", ["dealer:h17", "player:1, dealer:s17"])
def test_every_up_card_of_a_pack_matches_drawing(pack, deal):
    # All cards but these are removed: kings of one suit only and no queens, so that ten-cards differ.
    pile = parse_cards("Kc Kc Jc 10d 9c 8h Ac" if pack is STANDARD else "Kc Kc Jc Jd 9c 8h Ac")
    paytable = bet(deal, ["dealer.bust and dealer.suited", "dealer.bust", "dealer.same color"], pack=pack.name)
    shoe, hands = shoe_of(pile, pack), list(iter_drawn_hands(pile, parse_deal(deal), deal.endswith("h17")))
    index = paytable.bet.deal.positions("up")[0]
    for rank in pack.ranks:
        seen = [(hand, chance) for hand, chance in hands if hand[index].rank == rank]
        check_given(paytable, shoe, rank, first_match_probabilities(seen, paytable.ladder.rules, None))


@given(st.data())
@tries(ROUNDS, quick=2)
def test_fixed_deal_by_up_card_matches_every_deal(data):
    deal = parse_deal(data.draw(st.sampled_from(FIXED)))
    pack = data.draw(st.sampled_from([STANDARD, SPANISH]))
    rules = data.draw(st.lists(dealt_rules(deal), min_size=1, max_size=3))
    condition = data.draw(st.none() | dealt_rules(deal))
    paytable = bet(str(deal), rules, condition, pack.name)
    pile = data.draw(piles(pack))
    hands = [(list(hand), Fraction(1)) for hand in permutations(pile, deal.card_count)]
    index, ladder, shoe = deal.positions("up")[0], paytable.ladder, shoe_of(pile, pack)
    for rank in pack.ranks:
        seen = [(hand, chance) for hand, chance in hands if hand[index].rank == rank]
        check_given(paytable, shoe, rank, first_match_probabilities(seen, ladder.rules, ladder.condition))


def test_up_card_distinguishes_combined_roles():
    paytable = bet("player:2, up:1", ["suited", "pair"], more="ordered_by_role = false\n")
    ways = condition_on_up_card(paytable, "K").ways(Shoe(1))
    (reference,) = iter_rule_odds("suited", parse_deal("player:2, up:1"), [Shoe(1)], given="up.has(K)")
    assert Fraction(ways.wins[0], ways.cycle) == reference.probability


@slow_cases("BB-2-6-J", "BB-2-6-Q", "BB-1-2-J", "BB-1-2-Q", "BB-2-6-10", "BB-2-6-K")
@pytest.mark.parametrize("rank", ["10", "J", "Q", "K"])
@pytest.mark.parametrize(("id", "decks"), [("BB-1", 2), ("BB-2", 6)])
def test_ten_cards_are_identical_in_full_decks(id, decks, rank):
    pack, full = find_pack("standard without 3 4 5 9"), get_paytable(id)
    paytable, shoe = replace(full, bet=replace(full.bet, pack=pack)), Shoe(decks, pack)
    (row,) = (up_card for up_card in up_cards(paytable, shoe) if parse_ranks(up_card) == [10, 11, 12, 13])
    assert analyze_wager(condition_on_up_card(paytable, rank), shoe).house_edge == row.analysis.house_edge


@pytest.mark.parametrize(("rank", "edge"), [("K", "8.259"), ("10", "11.637")])
def test_king_differs_from_ten_after_removals(rank, edge):
    result = analyze_wager(
        condition_on_up_card(get_paytable("BB-1"), rank), Shoe(1, removed=parse_cards("Ks Kh Kd"))
    ).house_edge.constant
    assert round(100 * result, 3) == Fraction(edge)


def test_missing_up_card_is_refused():
    with pytest.raises(NoHandError, match=r"^BB-1: no hand of 1 deck less Ks Kh Kd Kc fits the condition"):
        analyze_wager(condition_on_up_card(get_paytable("BB-1"), "K"), Shoe(1, removed=parse_cards("Ks Kh Kd Kc")))
    with pytest.raises(InputError, match="'spanish', which has no 10"):
        condition_on_up_card(bet("dealer:h17", ["bust"], pack="spanish"), "10")
    with pytest.raises(InputError, match="has no single up card; its deal is 'player:2, up:2'"):
        condition_on_up_card(bet("player:2, up:2", ["pair"]), "7")
    with pytest.raises(InputError, match="has no single up card"):
        condition_on_up_card(get_paytable("HM-1"), "7")


def test_up_card_drops_published_figures_and_meters():
    for id in ("BLZ-1-UP", "BLZ-ML03-UP", "TRI-03"):
        seen = condition_on_up_card(get_paytable(id), "7")
        assert (seen.published, seen.systems, seen.other_interpretation) == ((), (), None)
        assert seen.up == Rank.SEVEN


# Rules about the up card


@pytest.mark.parametrize(
    ("rule", "twin"),
    [
        ("up.bust", "cards < 2"),
        ("not up.bust", "cards > 1"),
        ("up.has(up.rank)", "cards > 1"),
        ("up.count(up.rank, 7) == 1", "cards > 1"),
        ("dealer.has(up.rank)", "cards > 1"),
        ("dealer.all(up.rank)", "same rank"),
        ("dealer.count(up.rank) >= 2 and up.has(8)", "up.has(8) and count(8) >= 2"),
        ("dealer.count(up.rank, A) == 1 and up.has(K)", "up.has(K) and count(K, A) == 1"),
        ("dealer.count(up.rank) == 3 and cards == 3", "cards == 3 and same rank"),
    ],
)
def test_rules_about_the_up_card_hold(rule, twin):
    deal = parse_deal("dealer:h17")
    shoes = [Shoe(1, FEW), Shoe(6, FEW), Shoe(1, FEW, parse_cards("8s Kd Kh"))]
    ours, theirs = (list(iter_rule_odds(text, deal, shoes)) for text in (rule, twin))
    assert [case.probability for case in ours] == [case.probability for case in theirs]
    assert describe_rule(parse_rule(rule, deal), deal)


# No unnecessary counts


def test_up_card_table_reuses_the_tally(monkeypatch):
    paytable = bet("player:1, dealer:h17", ["player.has(A) and dealer.bust", "dealer.bust"], pack=FEW.name)
    passes = []
    blocks = DealerDraw.blocks
    monkeypatch.setattr(
        DealerDraw,
        "blocks",
        lambda self, *shoe: passes.append((self.deal.card_count, bool(shoe))) or blocks(self, *shoe),
    )
    paytable.ways(Shoe(6, FEW))
    assert passes.count((1, False)) == 1
    assert len(up_cards(paytable, Shoe(6, FEW))) == 6
    # Busts depend on the dealer's cards only, so the player's card need not be dealt.
    assert passes.count((1, False)) == 1


@pytest.mark.parametrize("condition", ["up.has(6)", slow_case("player.has(A) and not dealer.blackjack")])
def test_busts_by_up_card_respect_the_condition(condition):
    paytable = bet("player:1, dealer:h17", ["dealer.total == 20"], condition, FEW.name)
    for shoe in (Shoe(2, FEW), Shoe(2, FEW, parse_cards("6s 7d"))):
        for row in up_cards(paytable, shoe)[:1]:
            (reference,) = iter_rule_odds(
                "dealer.bust", paytable.bet.deal, [shoe], given=f"up.has({row.name}) and {condition}"
            )
            assert row.extras["bust"] == reference.probability


@pytest.mark.parametrize("deal", ["player:2, up:1", "dealer:h17"])
def test_odds_with_removed_cards_skip_full_decks(monkeypatch, deal):
    shoes = [Shoe(decks, removed=parse_cards("7s")) for decks in (1, 6)]
    expected = [odds.probability for odds in iter_rule_odds("pair", parse_deal(deal), [*shoes, Shoe(2)])]
    for experiment in (FixedExperiment, DealerExperiment):
        monkeypatch.setattr(experiment, "tally", lambda _self: pytest.fail("full decks were counted"))
    assert [odds.probability for odds in iter_rule_odds("pair", parse_deal(deal), shoes)] == expected[:2]


def test_shoe_has_the_given_composition():
    pile = parse_cards("Kc Kc 9d")
    assert shoe_of(pile, STANDARD).composition == Composition.of(pile)
