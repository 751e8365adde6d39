"""Awards that add up: the ways of every sum, compared with hands dealt card by card and sums written by hand."""

import json
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import combinat
from combinat.analysis.analysis import analyze_wager, award_components
from combinat.analysis.closed_form import DECKS_SYMBOL, award_formulas, house_edge_formula
from combinat.bets.load import parse_bet
from combinat.bets.variants import condition_on_up_card
from combinat.finder.checks import check_paytable
from combinat.language.english import describe_rule
from combinat.study import build_study
from combinat.verifier import attempt, verify
from decks import Composition, Shoe
from decks.cards import ALL_CARDS
from reports.answers.ledger import ledger_lines
from reports.sheet.par_sheet import build_par_sheet
from tests.profiles import tries
from tests.slow_cases import slow_case

MATCH = (
    ("Suited match", 'per = "player.count(up)"', "11 to 1"),
    (
        "Match",
        'per = "player.count(up.rank) - player.count(up)"',
        "4 to 1",
    ),
)


def file_of(awards, deal="player:2, up:1", more="", adds_up='settlement = "all matches"', decks="1-8"):
    rows = "".join(f'  {{ name = "{name}", {arguments}, pays = "{pays}" }},\n' for name, arguments, pays in awards)
    return (
        f'bet = "Test"\ndeal = "{deal}"\n{adds_up}\n{more}\n[[paytable]]\nid = "T"\ndecks = "{decks}"\n'
        f"awards = [\n{rows}]\n"
    )


def bet(awards, **options):
    paytables, problems = parse_bet(file_of(awards, **options), "t.toml")
    assert problems == ()
    return paytables[0]


def problem(awards, **options):
    _, problems = parse_bet(file_of(awards, **options), "t.toml")
    assert len(problems) == 1
    assert "\n" not in problems[0]
    return problems[0]


def written_out(pays=(11, 4)):
    """Return Match the Dealer as a ladder with one award for each sum."""
    suited, other = pays
    return bet(
        [
            ("Two suited", 'when = "player.count(up) == 2"', f"{2 * suited} to 1"),
            ("One of each", 'when = "player.count(up) == 1 and player.count(up.rank) == 2"', f"{suited + other} to 1"),
            ("One suited", 'when = "player.has(up)"', f"{suited} to 1"),
            ("Two others", 'when = "player.count(up.rank) == 2"', f"{2 * other} to 1"),
            ("One other", 'when = "player.has(up.rank)"', f"{other} to 1"),
        ],
        adds_up="",
    )


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_match_the_dealer_equals_its_ladder_of_sums(decks):
    two_lines, ladder = analyze_wager(bet(MATCH), Shoe(decks)), analyze_wager(written_out(), Shoe(decks))
    assert two_lines.distribution == ladder.distribution
    assert [line.ways for line in two_lines.lines] == [line.ways for line in ladder.lines]
    assert two_lines.variance == ladder.variance


def test_sums_are_named_by_their_awards_highest_first():
    result = [(award.name, str(award.pay)) for award in bet(MATCH).awards]
    assert result == [
        ("2 × Suited match", "22 to 1"),
        ("Suited match + Match", "15 to 1"),
        ("Suited match", "11 to 1"),
        ("2 × Match", "8 to 1"),
        ("Match", "4 to 1"),
    ]


# The meaning of each rule in plain Python; a card is a rank from 2 to 14 and a suit.
PARTS = {
    'per = "player.count(up.rank)"': lambda player, up: sum(card[0] == up[0] for card in player),
    'per = "player.count(up)"': lambda player, up: sum(card == up for card in player),
    'per = "count(7)"': lambda player, up: sum(card[0] == 7 for card in (*player, up)),
    'per = "count(red) + player.count(7)"': lambda player, up: (
        sum(card[1] in "dh" for card in (*player, up)) + sum(card[0] == 7 for card in player)
    ),
    'per = "cards - player.cards"': lambda _player, _up: 1,
    'when = "suited or player.pair"': lambda player, up: (
        len({card[1] for card in (*player, up)}) == 1 or player[0][0] == player[1][0]
    ),
    'when = "player.pair"': lambda player, _up: player[0][0] == player[1][0],
    'when = "not up.has(8)"': lambda _player, up: up[0] != 8,
    'when = "same color"': lambda player, up: len({card[1] in "dh" for card in (*player, up)}) == 1,
}
NETS = {"1 to 1": 1, "2.5 to 1": Fraction(5, 2), "push": 0, "7 to 1": 7, "loses 2": -2, "loses": -1}
GROSSES = {"1 for 1": 1, "5 for 1": 5, "0.5 for 1": Fraction(1, 2)}


def dealt_one_by_one(cards, asked, pays):
    """Deal physical cards in every order, test each award, and add up the pays."""
    results = Counter()
    adds_nets = any(pay in NETS for pay in pays)
    hands = [(int(card.rank), card.suit.letter) for card in cards]
    for first, second, up in permutations(hands, 3):
        count = [int(PARTS[name]((first, second), up)) for name in asked]
        if not any(count):
            results[Fraction(-1)] += 1
        elif adds_nets:
            results[sum((time * Fraction(NETS[pay]) for time, pay in zip(count, pays, strict=True)), Fraction(0))] += 1
        else:
            gross = sum((time * Fraction(GROSSES[pay]) for time, pay in zip(count, pays, strict=True)), Fraction(0))
            results[gross - 1] += 1
    return results


@tries(100)
@given(
    st.lists(st.sampled_from(sorted(PARTS)), min_size=1, max_size=3, unique=True),
    st.sampled_from([NETS, GROSSES]),
    st.lists(
        st.sampled_from([card for card in ALL_CARDS if card.rank in (7, 8, 11) and card.suit.letter in "dhs"]),
        min_size=4,
        max_size=9,
    ),
    st.data(),
)
def test_sums_match_hands_dealt_card_by_card(asked, kind, cards, data):
    pays = [data.draw(st.sampled_from(sorted(kind))) for _ in asked]
    paytable = bet([(f"A{index}", rule, pay) for index, (rule, pay) in enumerate(zip(asked, pays, strict=True))])
    expected = dealt_one_by_one(cards, asked, pays)
    ways = paytable.experiment.count(Composition.of(cards))
    numeric_outcomes = dict(paytable.settlement.distribution(ways, Fraction(1)).numeric_outcomes)
    assert numeric_outcomes == {result: Fraction(count, expected.total()) for result, count in expected.items()}


def test_each_award_is_counted_as_in_every_deal():
    suited, other = award_components(analyze_wager(bet(MATCH), Shoe(6)))
    assert suited.mean_count == Fraction(2 * 5, 311)  # either card is one of five that match the up card
    assert other.mean_count == Fraction(2 * 18, 311)
    analysis = analyze_wager(bet(MATCH), Shoe(6))
    assert analysis.return_ == suited.mean_pay + other.mean_pay + analysis.hit_frequency


def test_closed_forms_give_the_ways_of_every_sum():
    paytable = bet(MATCH)
    formulas = award_formulas(paytable)
    edge, _ = house_edge_formula(paytable)
    for decks in range(1, 9):
        analysis = analyze_wager(paytable, Shoe(decks))
        assert [int(formula.ways.subs(DECKS_SYMBOL, decks)) for formula in formulas[:-2]] == [
            line.ways for line in analysis.lines
        ]
        assert Fraction(str(edge.subs(DECKS_SYMBOL, decks))) == analysis.house_edge.constant


@pytest.mark.parametrize(
    ("deal", "awards", "hand", "name", "pays"),
    [
        ("player:2, up:1", MATCH, "As Ah As", "Suited match + Match", "15 to 1"),
        ("player:2, up:1", MATCH, "As As As", "2 × Suited match", "22 to 1"),
        ("player:2, up:1", MATCH, "2s 3s As", None, "loses"),
        ("player:2", [("Seven", 'per = "count(7)"', "3 for 1"), ("Pair", 'when = "pair"', "2 for 1")], "7s 7h",
         "2 × Seven + Pair", "8 for 1"),
        ("player:2", [("Seven", 'per = "count(7)"', "3 to 1"), ("Red", 'when = "all(red)"', "loses 5")], "7d 8h",
         "Seven + Red", "loses 2"),
    ],
)  # fmt: skip
def test_hand_is_judged_by_every_award(deal, awards, hand, name, pays):
    judged = combinat.judge(bet(awards, deal=deal), hand, decks=6)
    assert (judged.award, judged.pays_text) == (name, pays)


def test_ruling_gives_the_multiplicity_of_an_award():
    assert combinat.judge(bet(MATCH), "As As As", decks=6).awards[0].why == "paid 2 times"


def test_ledger_matches_the_sums():
    paytable = bet(MATCH, more='pack = "standard without 3 4 5 6 8 9 10 J"')
    analysis = analyze_wager(paytable, Shoe(2, paytable.bet.pack))
    ways = Counter()
    for line in "".join(ledger_lines(analysis)).splitlines()[1:]:
        _, _, count, _, award, _ = line.split(",")
        ways[award] += int(count)
    result = {line.award.name: line.ways for line in analysis.lines if line.ways}
    assert ways == result | {"no award": analysis.ways.losing}


def test_up_card_leaves_the_possible_sums():
    awards = [("Match", 'per = "player.count(up.rank)"', "4 to 1"), ("Ace up", 'when = "up.has(A)"', "1 to 1")]
    paytable = bet(awards)
    assert [award.name for award in condition_on_up_card(paytable, "K").awards] == ["2 × Match", "Match"]
    seen = [analyze_wager(condition_on_up_card(paytable, rank), Shoe(6)).house_edge for rank in "23456789TJQKA"]
    assert sum(seen, 0 * seen[0]) * Fraction(1, 13) == analyze_wager(paytable, Shoe(6)).house_edge


@pytest.mark.parametrize(
    ("deal", "awards"),
    [
        ("dealer:h17", [("Card", 'per = "cards - up.cards"', "1 to 1"), ("Bust", 'when = "bust"', "2 to 1")]),
        slow_case("baccarat", [("Tie", 'when = "tie"', "8 to 1"), ("Eight", 'per = "count(8)"', "1 to 1")]),
        slow_case(
            "baccarat", [("Third", 'per = "player_third.points"', "1 to 1"), ("Tie", 'when = "tie"', "8 to 1")],
        ),
    ],
)  # fmt: skip
def test_awards_add_up_in_every_experiment(deal, awards):
    """The mean of a sum is the sum of the means of the awards."""
    paytable = bet(awards, deal=deal)
    analysis = analyze_wager(paytable, Shoe(6))
    for index, award_component in enumerate(award_components(analysis)):
        alone = analyze_wager(bet([awards[index]], deal=deal), Shoe(6))
        assert award_component.mean_count == award_components(alone)[0].mean_count
    assert (
        analysis.return_
        == sum(award_component.mean_pay for award_component in award_components(analysis)) + analysis.hit_frequency
    )


# Verifier


@pytest.fixture(scope="module")
def sheet():
    awards = [("Seven", 'per = "count(7)"', "3 to 1"), ("Pair", 'when = "pair"', "2 to 1")]
    return json.loads(json.dumps(build_par_sheet(build_study(bet(awards, deal="player:2"), Shoe(6))).payload))


def test_verifier_agrees_with_sums(sheet):
    assert verify(sheet).agrees
    assert "all_matches.sums" not in verify(sheet).not_checked


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda one: one["all_matches"]["awards"][1].update(mean_times="1/2"), "mean_times"),
        (lambda one: one["all_matches"]["awards"][0].update(pays_text="12 to 1"), "house_edge"),
        (lambda one: one["all_matches"]["awards"][0].update(per="count(8)"), "example"),
        (lambda one: one["all_matches"].update(losing_ways=1), "losing_ways"),
        (lambda one: one["all_matches"]["sums"][0].update(times=[1, 1]), "ways"),
        slow_case(lambda one: (one["awards"].pop(2), one["all_matches"]["sums"].pop(2)), "inclusive_count"),
        (lambda one: one["awards"][0].update(pays="23"), "pays"),
    ],
)
def test_verifier_names_altered_sums(sheet, spoil, named):
    changed = deepcopy(sheet)
    spoil(changed)
    verdict, problem = attempt(lambda: changed, is_full=False)
    assert problem or any(named in difference for difference in verdict.differences)


# Errors


@pytest.mark.parametrize(
    ("awards", "options", "message"),
    [
        ([("M", 'per = "player.count(7)"', "10% of Mega")], {}, "'M' pays from the meter 'Mega'; awards that add up"),
        ([("M", 'per = "count(7)"', "4 to 1"), ("S", 'when = "suited"', "5 for 1")], {}, "some pays are 'for 1' and"),
        ([("M", 'per = "count(7)"', "4 to 1")], {"adds_up": ""}, 'award 1: "per" needs awards that add up'),
        ([("M", 'per = "suited"', "4 to 1")], {}, "expected a number, found a yes-or-no fact"),
        ([("M", 'per = ""', "4 to 1")], {}, "the number is empty"),
        ([("M", 'per = "count(7) - 1"', "4 to 1")], {}, "'count(7) - 1' can be negative"),
        ([("M", 'per = "total + total"', "4 to 1")], {}, "must be at most 30"),
        ([("M", 'per = "count(7)", when = "suited"', "4 to 1")], {}, "write one of these: 'hand'"),
        ([("M", 'when = "player.total > 30"', "4 to 1")], {}, "no hand matches any of the awards"),
        ([(f"R{rank}", f'when = "has({rank})"', "1 to 1") for rank in range(2, 10)], {}, "more than 50 different sums"),
        ([("M", 'per = "count(7)"', "4 to 1")], {"adds_up": "settlement = 'both'"}, "'both'"),
    ],
)
def test_unsupported_sums_are_refused(awards, options, message):
    assert message in problem(awards, **options)


def test_check_reports_an_award_in_no_sum():
    paytable = bet([*MATCH, ("Never", 'when = "player.total > 21"', "9 to 1")])
    errors = [finding.text for finding in check_paytable(paytable) if finding.is_error]
    assert len(errors) == 1
    assert errors[0].startswith("Never: no hand fits 'player.total > 21' at any deck count")


def test_every_sum_is_enumerated_once():
    analysis = analyze_wager(bet(MATCH), Shoe(3))
    sums = {line.award.component_counts for line in analysis.lines}
    assert sums == {count for count in product(range(3), repeat=2) if 0 < sum(count) <= 2}
    assert all(line.matches == line.ways for line in analysis.lines)


# Envy: another spot's hand


ENVY = [
    ("Own pair", 'when = "player.pair"', "5 to 1"),
    ("Neighbor's pair", 'when = "neighbor.pair"', "2 to 1"),
    ("Neighbor's ace", 'per = "neighbor.count(A)"', "1 to 1"),
]


@tries(40)
@given(
    st.lists(
        st.sampled_from([card for card in ALL_CARDS if card.rank in (7, 14) or card.suit.letter == "s"]),
        min_size=4,
        max_size=6,
    )
)
def test_envy_pays_for_another_hand_of_the_shoe(cards):
    paytable = bet(ENVY, deal="player:2, neighbor:2")
    results = Counter()
    for first, two, three, four in permutations([int(card.rank) for card in cards], 4):
        own, pair, aces = first == two, three == four, [three, four].count(14)
        results[Fraction(5 * own + 2 * pair + aces) if own or pair or aces else Fraction(-1)] += 1
    ways = paytable.experiment.count(Composition.of(cards))
    numeric_outcomes = dict(paytable.settlement.distribution(ways, Fraction(1)).numeric_outcomes)
    assert numeric_outcomes == {result: Fraction(count, results.total()) for result, count in results.items()}


def test_envy_has_the_probability_of_the_own_hand():
    paytable = bet(ENVY, deal="player:2, neighbor:2")
    own, pair, ace = award_components(analyze_wager(paytable, Shoe(6)))
    assert own.probability == pair.probability == Fraction(23, 311)
    assert ace.mean_count == Fraction(2, 13)
    assert describe_rule(paytable.stated_awards[1].rule, paytable.bet.deal) == "the neighbor has a pair"


def test_verifier_agrees_with_envy():
    awards = [("Own ace", 'when = "player.has(A)"', "5 to 1"), ENVY[1]]
    paytable = bet(awards, deal="player:1, neighbor:2", more='pack = "standard without 3 4 5 6 8 9 10 J"')
    assert verify(build_par_sheet(build_study(paytable, Shoe(1, paytable.bet.pack))).payload).agrees
