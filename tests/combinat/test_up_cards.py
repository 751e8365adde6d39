"""Bets seen from the dealer's up card, and conditions, against dealing physical cards one by one."""

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
from combinat.enumeration.dealer.counting import DealerDraw
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.tally import NoHandError
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from combinat.study import build_study
from combinat.verifier import verify
from decks import SPANISH, STANDARD, Composition, InputError, Pack, Rank, Shoe, find_pack, parse_cards
from decks.cards import ALL_CARDS
from reports.answers.studies import study_payload
from tests.profiles import tries
from tests.slow.dealer import RanOutError, drawn_hands, share
from tests.slow.rules import fits
from tests.strategies import SIGNS
from tests.strategies import rules as dealt_rules
from tests.views import ranks_of, up_cards

TENS = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}
DRAWS = ["dealer:h17", "dealer:s17", "player:1, dealer:h17", "player:1, dealer:s17"]
FIXED = ["player:2, up:1", "up:1, hole:1", "player:1, up:1, hole:1"]
ROUNDS = 25
HIGH_SPANISH = find_pack("spanish without 2 3 4 5 6 7")
FEW = find_pack("standard without 3 4 5 9 J Q")


def bet(deal, rules, condition=None, pack="standard", more=""):
    """Make a paytable of some rules, by way of a file."""
    awards = ", ".join(f'{{ name = "{at}", when = "{rule}", pays = "{at + 2} to 1" }}' for at, rule in enumerate(rules))
    given = f'given = "{condition}"\n' if condition else ""
    text = f'bet = "B"\ndeal = "{deal}"\npack = "{pack}"\n{given}{more}[[paytable]]\nid = "B"\ndecks = "1-8"\n'
    (paytable,), problems = parse_bet(f"{text}awards = [{awards}]\n", "b.toml")
    assert not problems
    return paytable


def shoe_of(pile, pack, decks=2):
    """Make a shoe of full decks less all but these cards."""
    gone = Counter(dict(pack.composition * decks)) - Counter(pile)
    return Shoe(decks, pack, tuple(gone.elements()))


@st.composite
def drawn_rules(draw, deal, depth=1):
    """Write any rule about the dealer's finished hand, the up card and the player's card."""
    players = ["player"] if deal.roles else []
    everybody = ("dealer", "up", *players)
    kinds = ["7", "8", "10", "J", "Q", "K", "A", "face", "tens", "up.rank", *(f"{one}.rank" for one in players)]
    listed = st.lists(st.sampled_from(kinds), min_size=1, max_size=2).map(", ".join)
    measures = ("total", "hard total", "points", "high", "low", "cards")
    numbers = [f"{one}.{word}" for one in everybody for word in measures]
    numbers += [f"{one}.rank" for one in everybody[1:]]
    numbers += [f"{one}.count({draw(listed)})" for one in everybody]
    sign, bound = draw(st.sampled_from(SIGNS)), draw(st.sampled_from(["1", "2", "8", "10", "Q", "20", "up.rank"]))
    facts = ["bust", "suited", "same color", "blackjack", "straight", "pair", "8-8-8", "10-J", "A-K"]
    leaf = st.sampled_from(
        [f"dealer.{fact}" for fact in facts]
        + ["up.bust", f"{draw(st.sampled_from(numbers))} {sign} {bound}"]
        + [f"{one}.{word}({draw(listed)})" for one in everybody for word in ("has", "all")]
        + [f"{one}.has({draw(st.sampled_from(['hearts', 'red', 'Kd']))})" for one in players]
    )
    if depth == 0:
        return draw(leaf)
    one, other = draw(drawn_rules(deal, depth - 1)), draw(drawn_rules(deal, depth - 1))
    return draw(st.sampled_from([one, f"not {one}", f"{one} and {other}", f"({one} or {other})"]))


@st.composite
def packs(draw):
    """Choose a few ranks of either pack, some of them worth ten; a table of few ranks is made fast."""
    whole = draw(st.sampled_from([STANDARD, SPANISH]))
    tens = draw(st.sets(st.sampled_from([rank for rank in whole.ranks if rank in TENS]), min_size=1))
    low = draw(st.sets(st.sampled_from([Rank.THREE, Rank.SEVEN, Rank.EIGHT, Rank.NINE]), min_size=1, max_size=2))
    return Pack(whole.name, tuple(sorted({*tens, *low, Rank.ACE})))


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
    """Compare a bet given an up card with the chances that it has."""
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
def test_dealer_bet_given_each_up_card_is_that_of_dealing_card_by_card(bet_and_pile):
    paytable, pack, pile = bet_and_pile
    paytable = replace(paytable, bet=replace(paytable.bet, pack=pack))
    deal, shoe = paytable.bet.deal, shoe_of(pile, pack)
    try:
        hands = list(drawn_hands(pile, deal, deal.draw == "h17"))
    except RanOutError:
        with pytest.raises(InputError, match="can run out"):
            paytable.ways(shoe)
        return
    place, ladder = deal.positions("up")[0], paytable.ladder
    by_up = {rank: [(hand, chance) for hand, chance in hands if hand[place].rank == rank] for rank in pack.ranks}
    for rank, seen in by_up.items():
        check_given(paytable, shoe, rank, share(seen, ladder.rules, ladder.given))
    if share(hands, ladder.rules, ladder.given) is None:
        with pytest.raises(NoHandError):
            analyze_wager(paytable, shoe)
        return
    bust, suited = (parse_rule(f"dealer.{word}", deal) for word in ("bust", "suited"))
    for row in up_cards(paytable, shoe):
        seen = [one for rank in ranks_of(row) for one in by_up[Rank(rank)]]
        ways = row.analysis.ways
        found = [Fraction(takes, ways.cycle) for takes in (*ways.wins, ways.losing)]
        assert found == share(seen, ladder.rules, ladder.given)
        busts = [(hand, chance) for hand, chance in seen if fits(bust.fact, hand)]
        assert row.extras["bust"] == share(seen, [bust], ladder.given)[0]
        assert row.extras["suited_bust"] == row.extras["bust"] * (share(busts, [suited], ladder.given) or [0])[0]


@given(
    st.sampled_from(DRAWS).flatmap(
        lambda deal: st.tuples(st.just(deal), st.lists(drawn_rules(parse_deal(deal)), max_size=2, min_size=1))
    ),
    st.data(),
)
@tries(ROUNDS)
def test_full_decks_of_few_ranks_are_those_of_dealing_card_by_card(ladder, data):
    text, rules = ladder
    low = data.draw(st.sampled_from([Rank.EIGHT, Rank.NINE]))
    # Without aces no hand outlasts the few cards.
    pack = Pack("few", (low, *data.draw(st.sampled_from([(Rank.TEN,), (Rank.KING,), (Rank.TEN, Rank.QUEEN)]))))
    paytable = bet(text, rules)
    deal, cards = paytable.bet.deal, [card for card in ALL_CARDS if card.rank in pack.ranks]
    draw = DealerDraw(deal, pack, paytable.ladder, tens_apart=True)
    hands = list(drawn_hands(cards, deal, deal.draw == "h17"))
    ways = draw.tally().at(1)
    assert [Fraction(takes, ways.cycle) for takes in (*ways.wins, ways.losing)] == share(
        hands, paytable.ladder.rules, None
    )
    place = deal.positions("up")[0]
    for (rank,), tally in draw.tally_by_up_card().items():
        own = tally.at(1)
        seen = [(hand, chance) for hand, chance in hands if hand[place].rank == rank]
        assert [Fraction(takes, own.cycle) for takes in (*own.wins, own.losing)] == share(
            seen, paytable.ladder.rules, None
        )


@pytest.mark.parametrize(
    "pack",
    [pytest.param(STANDARD, marks=pytest.mark.slow), pytest.param(SPANISH, marks=pytest.mark.slow), HIGH_SPANISH],
    ids=lambda pack: pack.name,
)
@pytest.mark.parametrize("deal", ["dealer:h17", "player:1, dealer:s17"])
def test_every_up_card_of_a_whole_pack_is_that_of_dealing_card_by_card(pack, deal):
    # All cards but these are gone, kings of one suit only and no queens, so that no ten-card is like another.
    pile = parse_cards("Kc Kc Jc 10d 9c 8h Ac" if pack is STANDARD else "Kc Kc Jc Jd 9c 8h Ac")
    paytable = bet(deal, ["dealer.bust and dealer.suited", "dealer.bust", "dealer.same color"], pack=pack.name)
    shoe, hands = shoe_of(pile, pack), list(drawn_hands(pile, parse_deal(deal), deal.endswith("h17")))
    place = paytable.bet.deal.positions("up")[0]
    for rank in pack.ranks:
        seen = [(hand, chance) for hand, chance in hands if hand[place].rank == rank]
        check_given(paytable, shoe, rank, share(seen, paytable.ladder.rules, None))


@given(st.data())
@tries(ROUNDS, quick=2)
def test_fixed_deal_given_each_up_card_is_that_of_every_ordered_deal(data):
    deal = parse_deal(data.draw(st.sampled_from(FIXED)))
    pack = data.draw(st.sampled_from([STANDARD, SPANISH]))
    rules = data.draw(st.lists(dealt_rules(deal), min_size=1, max_size=3))
    condition = data.draw(st.none() | dealt_rules(deal))
    paytable = bet(str(deal), rules, condition, pack.name)
    pile = data.draw(piles(pack))
    hands = [(list(hand), Fraction(1)) for hand in permutations(pile, deal.card_count)]
    place, ladder, shoe = deal.positions("up")[0], paytable.ladder, shoe_of(pile, pack)
    for rank in pack.ranks:
        seen = [(hand, chance) for hand, chance in hands if hand[place].rank == rank]
        check_given(paytable, shoe, rank, share(seen, ladder.rules, ladder.given))


def test_roles_that_a_file_takes_together_are_told_apart_once_the_up_card_is_seen():
    paytable = bet("player:2, up:1", ["suited", "pair"], more="tell_roles_apart = false\n")
    seen = condition_on_up_card(paytable, "K").ways(Shoe(1))
    (twin,) = iter_rule_odds("suited", parse_deal("player:2, up:1"), [Shoe(1)], given="up.has(K)")
    assert Fraction(seen.wins[0], seen.cycle) == twin.probability


@pytest.mark.parametrize(
    ("pack", "removed"),
    [
        ("spanish without 2 3 4 9", "7c 7c"),
        ("spanish without 2 3 4 9", "Kc Kc Kd"),
        pytest.param("spanish without 2 3 4 9", "", marks=pytest.mark.slow),
        pytest.param("standard", "Kc Kc Kd Js", marks=pytest.mark.slow),
        pytest.param("spanish", "Kc Kc Kd", marks=pytest.mark.slow),
    ],
)
def test_second_method_knows_one_ten_card_from_another(pack, removed):
    paytable = bet("dealer:h17", ["bust and suited", "cards > 4"], "not blackjack", pack)
    shoe = Shoe(2, paytable.bet.pack, parse_cards(removed))
    for asked in (paytable, condition_on_up_card(paytable, "K")):
        assert verify(study_payload(build_study(asked, shoe))).differences == []
    names = [one.name for one in up_cards(paytable, shoe)]
    assert ("K" in names) is ("K" in removed)


@pytest.mark.parametrize("rank", ["10", "J", "Q", "K"])
@pytest.mark.parametrize(("id", "decks"), [("BB-1", 2), ("BB-2", 6)])
def test_every_ten_card_up_is_alike_while_none_is_gone(id, decks, rank):
    pack, whole = find_pack("standard without 3 4 5 9"), get_paytable(id)
    paytable, shoe = replace(whole, bet=replace(whole.bet, pack=pack)), Shoe(decks, pack)
    (row,) = (one for one in up_cards(paytable, shoe) if ranks_of(one) == [10, 11, 12, 13])
    assert analyze_wager(condition_on_up_card(paytable, rank), shoe).house_edge == row.analysis.house_edge


@pytest.mark.parametrize(("rank", "edge"), [("K", "8.259"), ("10", "11.637")])
def test_king_up_is_no_ten_up_once_three_kings_are_gone(rank, edge):
    found = analyze_wager(
        condition_on_up_card(get_paytable("BB-1"), rank), Shoe(1, removed=parse_cards("Ks Kh Kd"))
    ).house_edge.constant
    assert round(100 * found, 3) == Fraction(edge)


def test_up_card_that_is_not_there_is_refused():
    with pytest.raises(NoHandError, match=r"^BB-1: no hand of 1 deck less Ks Kh Kd Kc fits the condition"):
        analyze_wager(condition_on_up_card(get_paytable("BB-1"), "K"), Shoe(1, removed=parse_cards("Ks Kh Kd Kc")))
    with pytest.raises(InputError, match="dealt from Spanish decks, which have no 10"):
        condition_on_up_card(bet("dealer:h17", ["bust"], pack="spanish"), "10")
    with pytest.raises(InputError, match="has no up card to be given: its deal, 'player:2, up:2', names no single one"):
        condition_on_up_card(bet("player:2, up:2", ["pair"]), "7")
    with pytest.raises(InputError, match="has no up card"):
        condition_on_up_card(get_paytable("HM-1"), "7")


def test_what_is_about_the_whole_bet_is_left_behind_when_the_up_card_is_seen():
    for id in ("BLZ-1-UP", "BLZ-ML03-UP", "TRI-03"):
        seen = condition_on_up_card(get_paytable(id), "7")
        assert (seen.published, seen.systems, seen.other_reading) == ((), (), None)
        assert seen.up == Rank.SEVEN


# What a rule may say of the up card


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
def test_rule_about_the_up_card_itself_means_what_it_says(rule, twin):
    deal = parse_deal("dealer:h17")
    shoes = [Shoe(1, FEW), Shoe(6, FEW), Shoe(1, FEW, parse_cards("8s Kd Kh"))]
    ours, theirs = (list(iter_rule_odds(text, deal, shoes)) for text in (rule, twin))
    assert [one.probability for one in ours] == [one.probability for one in theirs]
    assert describe_rule(parse_rule(rule, deal), deal)


# Counting no more than is asked


def test_up_card_table_of_full_decks_needs_no_enumeration_of_its_own(monkeypatch):
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
    # Busts look at the dealer's cards only, so the player's card need not be dealt again.
    assert passes.count((1, False)) == 1


@pytest.mark.parametrize(
    "condition", ["up.has(6)", pytest.param("player.has(A) and not dealer.blackjack", marks=pytest.mark.slow)]
)
def test_busts_by_up_card_are_those_under_the_condition_of_the_bet(condition):
    paytable = bet("player:1, dealer:h17", ["dealer.total == 20"], condition, FEW.name)
    for shoe in (Shoe(2, FEW), Shoe(2, FEW, parse_cards("6s 7d"))):
        for row in up_cards(paytable, shoe)[:1]:
            (twin,) = iter_rule_odds(
                "dealer.bust", paytable.bet.deal, [shoe], given=f"up.has({row.name}) and {condition}"
            )
            assert row.extras["bust"] == twin.probability


@pytest.mark.parametrize("deal", ["player:2, up:1", "dealer:h17"])
def test_odds_of_shoes_with_cards_gone_count_no_full_decks(monkeypatch, deal):
    shoes = [Shoe(decks, removed=parse_cards("7s")) for decks in (1, 6)]
    expected = [one.probability for one in iter_rule_odds("pair", parse_deal(deal), [*shoes, Shoe(2)])]
    for experiment in (FixedEnumerator, DealerDraw):
        monkeypatch.setattr(experiment, "tally", lambda _self: pytest.fail("full decks were counted"))
    assert [one.probability for one in iter_rule_odds("pair", parse_deal(deal), shoes)] == expected[:2]


def test_shoe_is_made_of_the_pile():
    pile = parse_cards("Kc Kc 9d")
    assert shoe_of(pile, STANDARD).composition == Composition.of(pile)
