"""Wheels and dice that multiply a pay, compared with every spin of every deal."""

import json
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import combinat
from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import DECKS_SYMBOL, house_edge_formula
from combinat.analysis.exposure import largest_win
from combinat.bets.load import parse_bet
from combinat.bets.wheel import parse_wheel
from combinat.finder.checks import check_paytable
from combinat.study import build_study
from combinat.verifier import verify
from decks import Composition, Shoe
from decks.cards import ALL_CARDS
from reports.page.numerals import format_fixed
from reports.render.workbook.model import Calculation
from reports.sheet.par_sheet import build_par_sheet
from tests.profiles import tries
from tests.sheets import find_paytable


def bet(wheels, awards, deal="player:2", more=""):
    rows = "".join(f'  {{ name = "{name}", {remaining} }},\n' for name, remaining in awards)
    join = "".join(f"{name} = {wheel}\n" for name, wheel in wheels.items())
    text = (
        f'bet = "T"\ndeal = "{deal}"\n{more}\n[wheels]\n{join}\n[[paytable]]\nid = "T"\ndecks = "1-8"\n'
        f"awards = [\n{rows}]\n"
    )
    return parse_bet(text, "t.toml")


def sound(*args, **options):
    (paytable,), problems = bet(*args, **options)
    assert problems == ()
    return paytable


WHEEL = '{ "1" = 5, "2.5" = 2, "0" = 1, "100" = 1 }'
STOPS = {Fraction(1): 5, Fraction(5, 2): 2, Fraction(0): 1, Fraction(100): 1}
PAIR = ("Pair", 'when = "pair", pays = "4 to 1", wheel = "W"')
RED = ("Red", 'when = "all(red)", pays = "2 for 1", wheel = "D"')
SUITED = ("Suited", 'when = "suited", pays = "1 to 1"')


def turned_one_by_one(cards, adds_up):
    """Deal every two cards in order, spin the wheel and roll the die; red cards roll the die."""
    results = Counter()
    for first, second in permutations(cards, 2):
        pair, red, suited = (
            first.rank == second.rank,
            first.suit.is_red and second.suit.is_red,
            first.suit == second.suit,
        )
        for (repeats, weight), die in product(STOPS.items(), range(1, 7)):
            won = []
            if pair:
                won.append(4 * repeats)
            if red:
                won.append(2 * die - 1 if not adds_up else 2 * die)
            if suited:
                won.append(Fraction(1))
            net = (sum(won) if adds_up else won[0]) if won else -1
            results[Fraction(net)] += weight
    return {result: Fraction(count, results.total()) for result, count in results.items()}


@tries(60)
@given(
    st.lists(
        st.sampled_from([card for card in ALL_CARDS if card.rank in (7, 8, 11) and card.suit.letter in "dhs"]),
        min_size=2,
        max_size=10,
    ),
    st.booleans(),
)
def test_results_match_every_spin_of_every_deal(cards, adds_up):
    red = RED if not adds_up else ("Red", RED[1].replace("for", "to"))
    more = 'settlement = "all matches"' if adds_up else ""
    paytable = sound({"W": WHEEL, "D": '"1d6"'}, [PAIR, red, SUITED], more=more)
    ways = paytable.experiment.count(Composition.of(cards))
    assert dict(paytable.settlement.distribution(ways, Fraction(1)).numeric_outcomes) == turned_one_by_one(
        cards, adds_up
    )


def test_dice_multiply_by_their_sum():
    assert parse_wheel("Dice", "2d6").stops == tuple((Fraction(total), 6 - abs(total - 7)) for total in range(2, 13))
    assert dict(parse_wheel("Dice", "4d6").stops)[Fraction(21)] == 20
    assert parse_wheel("Dice", "4d6").mean == 14


def test_closed_form_edge_uses_the_mean_pay():
    edge, _ = house_edge_formula(sound({"W": WHEEL}, [PAIR]))
    for decks in (1, 6, 8):
        analysis = analyze_wager(sound({"W": WHEEL}, [PAIR]), Shoe(decks))
        assert Fraction(str(edge.subs(DECKS_SYMBOL, decks))) == analysis.house_edge.constant
        assert analysis.lines[0].gross == 1 + 4 * Fraction(110, 9)


def test_hit_frequency_counts_only_winning_prizes():
    analysis = analyze_wager(sound({"W": WHEEL}, [PAIR]), Shoe(1))
    assert analysis.hit_frequency == Fraction(1, 17) * Fraction(8, 9)
    assert analysis.push_rate == Fraction(1, 17) * Fraction(1, 9)


def test_largest_win_is_the_highest_prize():
    line = largest_win(analyze_wager(sound({"W": WHEEL}, [("Seven", 'when = "7-7", pays = "50 to 1"'), PAIR]), Shoe(6)))
    assert (line.award.name, line.highest) == ("Pair", 401)


def test_judge_names_the_multiplier_and_its_mean():
    judged = combinat.judge(sound({"W": WHEEL}, [PAIR]), "7h 7d", decks=6)
    assert (judged.pays_text, judged.net) == ("4 to 1 × W", Fraction(440, 9))


def test_workbook_has_a_row_for_each_prize():
    calculation = Calculation(build_study(sound({"W": WHEEL}, [PAIR, SUITED]), Shoe(6)))
    rows = calculation.outcomes
    assert [row.name for row in rows][:2] == ["Pair, 400 to 1", "Pair, 10 to 1"]
    assert sum(row.ways for row in rows) == rows[0].cycle == 9 * 48516
    mean = sum(row.probability * row.net for row in rows)
    assert mean == -calculation.analysis.house_edge.constant
    squares = sum(row.probability * row.net**2 for row in rows)
    assert squares - mean**2 == calculation.analysis.variance.constant


# Next Step Blackjack, pay table 1, six decks, as the Wizard of Odds prints it: the win, the combinations of
# cards and rolls of four dice (the dealer's two cards unordered), their probability and return.
PRINTED = [
    ("Ace and king of hearts + Dealer blackjack", 1003, "1,573,200", "0.000001", "0.000524"),
    ("Ace and king of hearts", 1000, "32,911,200", "0.000011", "0.010929"),
    ("Suited blackjack + Dealer blackjack", 103, "23,598,000", "0.000008", "0.000807"),
    ("Suited blackjack", 100, "493,668,000", "0.000164", "0.016393"),
    ("Blackjack + Dealer blackjack", 53, "75,513,600", "0.000025", "0.001329"),
    ("Blackjack", 50, "1,579,737,600", "0.000525", "0.026229"),
    ("+ Dealer blackjack", 43, "176,198,400", "0.000059", "0.002516"),
    ("+ Dealer blackjack", 33, "281,917,440", "0.000094", "0.003089"),
    ("+ Dealer blackjack", 23, "402,739,200", "0.000134", "0.003076"),
    ("+ Dealer blackjack", 18, "523,560,960", "0.000174", "0.003129"),
    ("+ Dealer blackjack", 13, "5,039,274,240", "0.001673", "0.021754"),
    ("", 40, "3,686,054,400", "0.001224", "0.048960"),
    ("", 30, "5,897,687,040", "0.001958", "0.058752"),
    ("", 20, "8,425,267,200", "0.002798", "0.055954"),
    ("", 15, "10,952,847,360", None, None),
]


@pytest.mark.parametrize(("award", "won", "ways", "probability", "return_"), PRINTED)
def test_next_step_blackjack_matches_its_source_by_throw(award, won, ways, probability, return_):
    analysis = analyze_wager(find_paytable("NEXT-STEP"), Shoe(6))
    chance = sum(
        (
            line.probability * share
            for line in analysis.lines
            for pay, share in line.award.pay.outcomes
            if line.has_wheel and pay.net == won and line.award.name.endswith(award)
            if "Dealer" in award or "Dealer" not in line.award.name
        ),
        Fraction(0),
    )
    # The source counts the dealer's two cards unordered, and every roll of the dice.
    assert chance * analysis.ways.cycle * 1296 / 2 == int(ways.replace(",", ""))
    assert probability is None or format_fixed(chance, 6) == probability
    assert return_ is None or format_fixed(chance * won, 6) == return_


# Verifier


@pytest.fixture(scope="module")
def sheet():
    paytable = sound({"W": WHEEL, "D": '"2d6"'}, [PAIR, ("Red", 'when = "all(red)", pays = "1 for 1", wheel = "D"')])
    return json.loads(json.dumps(build_par_sheet(build_study(paytable, Shoe(6))).payload))


def test_verifier_recounts_wheels(sheet):
    verdict = verify(sheet)
    assert verdict.agrees, verdict.differences[:3]
    assert not [note for note in verdict.not_checked if note.startswith("wheels")]


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda difference: difference["wheels"]["wheels"][0]["stops"][3].update(weight=2), "house_edge"),
        (lambda difference: difference["wheels"]["wheels"][0]["stops"][0].update(times="1"), "hit_frequency"),
        (lambda difference: difference["wheels"]["wheels"][0]["stops"][0].update(probability="1/8"), "probability"),
        (lambda difference: difference["wheels"]["prizes"][1].update(pays_to_1="1/8"), "pays_to_1"),
        (lambda difference: difference["wheels"]["prizes"].pop(), "prizes"),
        (lambda difference: difference.update(variance="1"), "variance"),
        (lambda difference: difference["exposure"].update(largest_win=1), "largest_win"),
        (lambda difference: difference["wheels"].pop("prizes"), "prizes: missing"),
    ],
)
def test_verifier_names_altered_wheels(sheet, spoil, named):
    changed = deepcopy(sheet)
    spoil(changed)
    assert any(named in difference for difference in verify(changed).differences)


# Errors


@pytest.mark.parametrize(
    ("wheels", "awards", "more", "said"),
    [
        ({"W": "{}"}, [PAIR], "", "wheel 'W': the wheel has no stops; write"),
        ({"W": '{ "2" = -1 }'}, [PAIR], "", "wheel 'W': the weight of '2' must be 1 to 1,000,000,000,000, got -1"),
        ({"W": '{ "2" = 0 }'}, [PAIR], "", "wheel 'W': the weight of '2' must be 1 to 1,000,000,000,000, got 0"),
        ({"W": '{ "2" = 1.5 }'}, [PAIR], "", "whole number"),
        ({"W": '{ "-2" = 1 }'}, [PAIR], "", "wheel 'W': a multiplier must be 0 to 1,000,000, got '-2'"),
        ({"W": '{ "two" = 1 }'}, [PAIR], "", "wheel 'W': a multiplier must be 0 to 1,000,000, got 'two'"),
        ({"W": '{ "2" = 1, "2.0" = 1 }'}, [PAIR], "", "is given twice"),
        ({"W": '"2d"'}, [PAIR], "", "wheel 'W': cannot read the wheel '2d'; write"),
        ({"W": '"99d6"'}, [PAIR], "", "cannot read the wheel '99d6'"),
        ({"Wheel": WHEEL}, [PAIR], "", "award 1: unknown wheel 'W'"),
        ({'"a × b"': WHEEL}, [SUITED], "", "cannot contain ×"),
        ({"W": WHEEL}, [("M", 'when = "pair", pays = "10% of Mega", wheel = "W"')], "", "cannot be multiplied"),
        ({"W": WHEEL}, [("M", 'when = "pair", pays = "push", wheel = "W"')], "", "the pay 'push' cannot be multiplied"),
        ({"W": WHEEL}, [("M", 'when = "pair", pays = "loses 2", wheel = "W"')], "", "cannot be multiplied"),
        ({"W": WHEEL}, [PAIR, ("M", 'when = "suited", pays = "1% of Mega"')], "", "the meter 'Mega'"),
        ({"W": WHEEL}, [PAIR], 'option = "parlay"', "a bet with a parlay cannot have wheels"),
    ],
)
def test_malformed_wheels_are_refused(wheels, awards, more, said):
    _, problems = bet(wheels, awards, more=more)
    assert len(problems) == 1
    assert said in problems[0]
    assert "\n" not in problems[0]


def test_wheel_pays_have_no_batch_form():
    with pytest.raises(combinat.InputError, match="has a wheel"):
        combinat.analyze(sound({"W": WHEEL}, [PAIR]), 6).with_pays([[4]])


def test_diff_reports_a_changed_weight(tmp_path, run):
    text = (
        'bet = "B"\ndeal = "player:2"\n[wheels]\nW = { "1" = 3, "5" = %d }\n[[paytable]]\nid = "B"\ndecks = 6\n'
        'awards = [{ name = "Pair", when = "pair", pays = "4 to 1", wheel = "W" }]\n'
    )
    for weight in (1, 2):
        (tmp_path / f"{weight}.toml").write_text(text % weight, encoding="utf-8")
    code, out, _ = run("diff", tmp_path / "1.toml", tmp_path / "2.toml")
    assert code == 1
    assert "wheel W, stops" in out


def test_unused_wheel_is_reported():
    paytable = sound({"W": WHEEL, "Other": '"2d6"'}, [PAIR])
    assert "wheel 'Other': no award uses it" in [finding.text for finding in check_paytable(paytable)]


# Bonus Spin Blackjack, the version for $5, as the Wizard of Odds prints it
# (https://wizardofodds.com/games/bonus-spin-blackjack/): wins of a blackjack and envy pays, with their weights.
BONUS_SPIN = [
    (40, 0, 16750), (50, 0, 9000), (60, 0, 4744), (70, 0, 3000), (75, 0, 2200), (40, 15, 3400), (200, 50, 675),
    (250, 0, 100), (750, 0, 50), (500, 100, 75), (5000, 0, 5), (24000, 0, 1),
]  # fmt: skip
PRINTED_STOPS = {40: ("0.418750", "16.750000"), 50: ("0.225000", "11.250000"), 60: ("0.118600", "7.116000")}


def bonus_spin():
    """The bet with one neighbor: an ace pays $10, a blackjack spins the wheel, a neighbor's blackjack pays envy."""
    own, envy = Counter(), Counter()
    for win, bonus, weight in BONUS_SPIN:
        own[win] += weight
        envy[bonus] += weight
    wheels = {
        name: "{ " + ", ".join(f'"{win}" = {weight}' for win, weight in stops.items()) + " }"
        for name, stops in (("Win", own), ("Envy", envy))
    }
    awards = [
        ("Blackjack", 'when = "player.blackjack", pays = "0.2 for 1", wheel = "Win"'),
        ("Ace", 'when = "player.has(A) and not player.blackjack", pays = "2 for 1"'),
        ("Envy", 'when = "neighbor.blackjack", pays = "0.2 for 1", wheel = "Envy"'),
    ]
    return sound(wheels, awards, deal="player:2, neighbor:2", more='settlement = "all matches"')


def test_bonus_spin_wheel_has_its_mean_prize():
    """The source prints an expected win of $55.99, but its own rows add up to $54.99."""
    assert sum(weight for *_, weight in BONUS_SPIN) == 40000
    for win, (probability, part) in PRINTED_STOPS.items():
        chance = Fraction(next(weight for one, bonus, weight in BONUS_SPIN if (one, bonus) == (win, 0)), 40000)
        assert (format_fixed(chance, 6), format_fixed(win * chance, 6)) == (probability, part)
    assert format_fixed(bonus_spin().wheels[0].mean, 2) == "54.99"


def test_bonus_spin_adds_wheel_ace_and_envy():
    analysis = analyze_wager(bonus_spin(), Shoe(6))
    blackjack = Fraction(2 * 24 * 96, 312 * 311)
    ace = Fraction(2 * 24 * 288 + 24 * 23, 312 * 311) - blackjack
    win, envy = (wheel.mean for wheel in bonus_spin().wheels)
    assert analysis.return_ == blackjack * win / 5 + 2 * ace + blackjack * envy / 5
    assert max(result for result, _ in analysis.distribution.numeric_outcomes) == 24000 / Fraction(5) + 20 - 1
