from fractions import Fraction

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import as_sympy, award_formulas, house_edge_formula
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.load import parse_bet
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.finder.checks import check_paytable
from decks import InputError, Shoe, parse_cards
from tests.catalog import paytables
from tests.slow_cases import slow_case, slow_cases

EVERY_SHEET = [
    # `make test` takes one deck count of each paytable, by turns the smallest and the largest;
    # rounds with decisions are fastest with the smallest.
    pytest.param(
        paytable,
        decks,
        marks=[] if decks == paytable.decks[0 if paytable.bet.deal.settings else -(place % 2)] else [pytest.mark.slow],
    )
    for place, paytable in enumerate(iter_collection())
    for decks in (paytable.decks if not paytable.bet.deal.settings else (paytable.decks[0], paytable.decks[-1]))
]


def bet(awards, deal="player:2, up:1", decks="6"):
    lines = "\n".join(f'  {{ name = "{name}", when = "{when}", pays = "{pays}" }},' for name, when, pays in awards)
    text = f'bet = "B"\ndeal = "{deal}"\n[[paytable]]\nid = "B"\ndecks = "{decks}"\nawards = [\n{lines}\n]\n'
    (paytable,), problems = parse_bet(text, "b.toml")
    assert not problems
    return paytable


@slow_cases(
    "L9-1",
    "L9-MAKER-1",
    "BLZ-2-PC-PEEK-6",
    "BLZ-ML03-PC-PEEK-6",
    "L9-TIE-1",
    "BLZ-ML03-PC-PEEK-8",
    "BLZ-1-PC-PEEK-6",
    "BLZ-ML04-PC-PEEK-6",
)
@pytest.mark.parametrize(("paytable", "decks"), EVERY_SHEET, ids=lambda value: getattr(value, "id", value))
def test_figures_match_the_written_out_distribution(paytable, decks):
    meters = {name: Fraction(10_000 + index) for index, name in enumerate(paytable.meters)}
    analysis = analyze_wager(paytable, Shoe(decks), meters)
    results = [(line.gross.constant - 1, line.ways) for line in analysis.lines] + [(Fraction(-1), analysis.ways.losing)]
    cycle = sum(ways for _, ways in results)
    assert cycle == analysis.ways.cycle

    def mean(function):
        return sum(function(net) * ways for net, ways in results) / cycle

    average = mean(lambda net: net)
    second, third, fourth = (mean(lambda net, power=power: (net - average) ** power) for power in (2, 3, 4))
    assert analysis.house_edge == -average
    assert analysis.return_ == 1 + average == sum((line.return_ for line in analysis.lines), Polynomial.of(0))
    assert analysis.variance == second
    assert analysis.standard_deviation == Surd(second)
    assert analysis.skewness.square == third**2 / second**3
    assert analysis.skewness.negative == (third < 0)
    assert analysis.excess_kurtosis == fourth / second**2 - 3
    assert analysis.hit_frequency == mean(lambda net: Fraction(net > 0))
    assert analysis.push_rate == mean(lambda net: Fraction(net == 0))
    assert analysis.mean_win * analysis.hit_frequency == mean(lambda net: max(net, Fraction(0)))


@slow_cases("L9-MAKER-1", "L9-1", "L9-TIE-1")
@pytest.mark.parametrize(("paytable", "decks"), EVERY_SHEET, ids=lambda value: getattr(value, "id", value))
def test_open_meter_formulas_give_the_figures_of_amounts(paytable, decks):
    values = {name: Fraction(777 * (index + 1)) for index, name in enumerate(paytable.meters)}
    open_, closed = analyze_wager(paytable, Shoe(decks)), analyze_wager(paytable, Shoe(decks), values)
    assert open_.return_.at(values) == closed.return_
    assert open_.variance.at(values) == closed.variance
    assert open_.fixed_return == closed.fixed_return == open_.return_.constant
    assert open_.return_.is_constant == (not paytable.meters)


def test_push_returns_the_wager_and_is_not_a_hit():
    analysis = analyze_wager(
        bet([("Pair", "pair", "push"), ("Flush", "suited", "0.5 for 1"), ("Red", "all(red)", "1 to 1")]), Shoe(6)
    )
    pair, flush, red = analysis.lines
    assert analysis.push_rate == pair.probability
    assert analysis.hit_frequency == red.probability
    assert analysis.return_ == pair.probability + flush.probability / 2 + 2 * red.probability


def test_bet_that_never_wins_has_no_mean_win():
    analysis = analyze_wager(bet([("Never", "identical", "5 to 1")], decks="1"), Shoe(1))
    assert analysis.mean_win is None
    assert analysis.variance == 0
    assert analysis.skewness is None
    assert analysis.excess_kurtosis is None
    assert (analysis.lines[0].one_in, analysis.lines[0].true_odds) == (None, None)
    assert analysis.paytable.first_decks == (3,)


def test_blazing_7s_hit_frequencies_match_the_source():
    six, eight = (analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(decks)).hit_frequency for decks in (6, 8))
    assert Fraction("0.14815") <= six < Fraction("0.14825")
    assert Fraction("0.14805") <= eight < Fraction("0.14815")


def test_tri_02_favors_the_player_with_four_or_more_decks():
    favored = [decks for decks in range(1, 9) if analyze_wager(get_paytable("TRI-02"), Shoe(decks)).favors_player]
    assert favored == [4, 5, 6, 7, 8]


def test_two_decks_have_no_suited_three_of_a_kind():
    analysis = analyze_wager(get_paytable("SUP-01"), Shoe(2))
    line = analysis.lines[0]
    assert (line.ways, line.is_possible, analysis.paytable.first_decks[0]) == (0, False, 3)


def test_removed_cards_are_not_dealt():
    shoe = Shoe(6, removed=parse_cards("7c 7c 7c 7c 7c 7c 7d 7d 7d 7d 7d 7d"))
    seen, full = analyze_wager(get_paytable("BLZ-1-UP"), shoe), analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6))
    assert seen.hit_frequency < full.hit_frequency
    assert seen.lines[0].ways == 2 * 15 * 4
    assert seen.ways.cycle == 300 * 299 // 2 * 298


def test_unknown_meter_is_refused():
    with pytest.raises(InputError, match="no meter 'Mega'; its meters are meter"):
        analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6), {"Mega": Fraction(1)})
    with pytest.raises(InputError, match="has no meters"):
        analyze_wager(get_paytable("TRI-03"), Shoe(6), {"meter": Fraction(1)})
    with pytest.raises(InputError, match="cannot be negative"):
        analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6), {"meter": Fraction(-1)})


@pytest.mark.parametrize("id", ["TRI-03", slow_case("BLZ-2-UP"), "HM-1", "SUP-01"])
def test_closed_forms_match_counts_at_every_deck_count(id):
    paytable = get_paytable(id)
    formulas = award_formulas(paytable)
    edge, limit = house_edge_formula(paytable)
    for decks in range(1, 9):
        ways = paytable.tally.at(decks)
        assert [formula.ways.subs("n", decks) for formula in formulas] == [*ways.wins, ways.losing, ways.cycle]
        assert [formula.probability.subs("n", decks) for formula in formulas] == [
            as_sympy(Polynomial.of(Fraction(count, ways.cycle))) for count in (*ways.wins, ways.losing, ways.cycle)
        ]
        ours = analyze_wager(paytable, Shoe(decks)).house_edge
        assert (edge.subs("n", decks) - as_sympy(ours)).expand() == 0
    assert (edge.limit("n", "oo") - limit).expand() == 0 if not paytable.meters else True


def findings(*awards, **options):
    return [finding.text for finding in check_paytable(bet(awards, **options))]


def test_check_accepts_a_sound_ladder():
    assert findings(("Straight flush", "straight flush", "30 to 1"), ("Flush", "suited", "9 to 1")) == []


def test_check_reports_an_award_covered_by_higher_ones():
    (text,) = findings(("Flush", "suited", "5 to 1"), ("Straight flush", "straight flush", "5 to 1"))
    assert text.startswith("Straight flush: never won")
    assert text.endswith("by Flush")


def test_check_names_only_the_awards_that_are_paid_instead():
    awards = (("Flush", "suited", "5 to 1"), ("Pair", "pair", "3 to 1"), ("Suited pair", "suited and pair", "2 to 1"))
    text = next(text for text in findings(*awards) if "never won" in text)
    assert text.endswith("is paid by Flush")


def test_check_reports_an_unreachable_rule():
    (text,) = findings(("Odd", "count(7) == 2 and all(A)", "5 to 1"))
    assert text == "Odd: no hand fits 'count(7) == 2 and all(A)' at any deck count"


def test_check_warns_of_an_award_the_designed_decks_cannot_deal():
    (text,) = findings(("Same", "identical", "900 to 1"), ("Flush", "suited", "9 to 1"), decks="1-6")
    assert text == "Same: impossible with 1, 2 decks; it needs at least 3"


def test_check_warns_of_pays_out_of_order():
    texts = findings(("Flush", "suited", "2 to 1"), ("Straight", "straight", "12 to 1"))
    assert texts == ["Flush stands above Straight but pays less; hands that fit both get 2 to 1, not 12 to 1"]


def test_check_warns_of_a_player_edge():
    assert findings(("Red", "up.all(red)", "2 to 1")) == ["favors the player with 6 decks"]


@slow_cases("BB-1")
@pytest.mark.parametrize(
    "paytable", paytables(slow=("L9", "L9-MAKER", "L9-TIE"))
)  # tests of Lucky 9 check it with fewer hands
def test_catalog_passes_its_own_check(paytable):
    assert list(check_paytable(paytable)) == []
