"""Lucky 9: rules of the game, its settings, the best play and what follows from it."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import award_formulas
from combinat.bets.load import parse_bet
from combinat.bets.paytable import apply_settings, game_awards
from combinat.enumeration.experiment import declared_settings
from combinat.enumeration.lucky9.deal import read_deal
from combinat.enumeration.lucky9.round import MATCHUPS, LuckyNineMatchup, LuckyNineRound
from combinat.enumeration.lucky9.rules import DRAWN, LUCKY, NATURAL, LuckyNineRules
from combinat.enumeration.lucky9.strategy import Objective, count_under_strategy, simple_strategy, solve_round
from combinat.finder.checks import check_paytable
from combinat.study import build_study
from decks import InputError, Shoe, parse_cards
from tests.sheets import paytable_of

DECK = (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)
SEVEN = Fraction(7)
QUICK = {"hands": "2"}
MOST_HANDS = pytest.mark.parametrize("hands", ["1", pytest.param("2", marks=pytest.mark.slow)])
"""What follows for every number of decks: pairs that are split take long there."""


FEW = (8, 4, 0, 4, 4, 4, 0, 0, 0, 4)
"""The cards of the pack of few ranks, of which there are a quarter of the hands and up cards."""


@lru_cache(maxsize=None)
def quick(id="FEW-9", **more):
    return apply_settings(paytable_of(id), QUICK | more)


def shoe(removed=""):
    return Shoe(1, quick().bet.pack, parse_cards(removed))


def aim(tie_stake=0, **rules):
    return Objective(LuckyNineRules(**rules), SEVEN, Fraction(tie_stake))


# The rules of the game


@pytest.mark.parametrize(
    ("nines", "own", "dealer", "drew", "result"),
    [
        ("push", LUCKY, DRAWN, False, 0),
        ("push", DRAWN, LUCKY, True, 0),
        ("maker", LUCKY, DRAWN, False, 1),
        ("maker", LUCKY, NATURAL, False, 0),
        ("maker", LUCKY, LUCKY, False, 0),
        ("maker", NATURAL, LUCKY, False, 0),
        ("maker", NATURAL, DRAWN, False, 0),
        ("maker", DRAWN, LUCKY, True, -1),
        ("maker", DRAWN, NATURAL, True, 0),
        ("maker", DRAWN, DRAWN, True, 0),
    ],
)
def test_two_nines_are_reconciled_as_the_version_says(nines, own, dealer, drew, result):
    assert LuckyNineRules(nines=nines).result(own, dealer, drew=drew) == result


@pytest.mark.parametrize(("points", "dealer", "drew"), list(product((0, 1, 2), (0, 1, 2, 9), (False, True))))
def test_hand_of_two_points_or_fewer_does_not_qualify(points, dealer, drew):
    assert LuckyNineRules().result(points, dealer, drew=drew) == -1
    compared = (points > dealer) - (points < dealer)
    assert LuckyNineRules(qualify="three").result(points, dealer, drew=drew) == (-1 if drew else compared)


def test_two_card_nine_is_not_hit_in_the_makers_version_and_no_pair_is_split_at_a_table_without_splits():
    assert LuckyNineRound(LuckyNineRules(nines="maker"), DECK).actions(LuckyNineMatchup(4, 5, 0)) == ("stand",)
    assert LuckyNineRound(LuckyNineRules(), DECK).actions(LuckyNineMatchup(4, 5, 0)) == ("stand", "hit")
    assert LuckyNineRound(LuckyNineRules(hands=1), DECK).actions(LuckyNineMatchup(7, 7, 0)) == ("stand", "hit")
    assert LuckyNineRound(LuckyNineRules(hands=2), DECK).actions(LuckyNineMatchup(7, 7, 0)) == ("stand", "hit", "split")


# What every count must obey


@pytest.mark.parametrize(
    "rules", [LuckyNineRules(), LuckyNineRules(nines="maker", qualify="three", hands=3), LuckyNineRules(hands=1)]
)
def test_ways_of_every_action_add_up_to_all_orders_of_the_cards_after(rules):
    table = LuckyNineRound(rules, DECK)
    assert sum(table.ways(cell) for cell in MATCHUPS) == 52 * 51 * 50
    for cell in MATCHUPS[::37]:
        assert {sum(law.values()) for law in table.laws(cell).values()} == {table.after}


def test_probabilities_sum_to_one_and_the_mean_is_that_of_the_decisions():
    one = build_study(quick(), shoe())
    assert sum(chance for _, chance in one.analysis.distribution) == 1
    assert sum(decision.chance for decision in one.play.decisions) == 1
    value = sum(decision.chance * decision.values[decision.best] for decision in one.play.decisions)
    assert one.house_edge == -value
    assert one.play.figures[0].value == -value


def test_split_hands_vary_together_since_they_share_the_dealers_hand():
    law = LuckyNineRound(LuckyNineRules(hands=2), DECK).laws(LuckyNineMatchup(6, 6, 5), ("split",))["split"]
    ways = sum(law.values())
    mean = Fraction(sum(key.units * many for key, many in law.items()), ways)
    variance = Fraction(sum(key.units**2 * many for key, many in law.items()), ways) - mean**2
    # Each hand by itself: the same card, one more card, the same dealer.
    alone = LuckyNineRound(LuckyNineRules(hands=2), DECK)
    single = {1: 0, 0: 0, -1: 0}
    for end in alone.ends(LuckyNineMatchup(6, 6, 5)):
        for card, cards in enumerate(end.left):
            result = alone.rules.standing[(10 if (6 + card) % 10 == 9 else (6 + card) % 10)][end.score]
            single[result] += end.ways * cards * alone.orders_after(end.drawn + 1)
    assert sum(single.values()) == ways
    one = Fraction(single[1] - single[-1], ways)
    assert mean == 2 * one
    assert variance > 2 * (Fraction(single[1] + single[-1], ways) - one**2)


def test_cards_gone_change_the_play_and_are_counted_by_what_they_are_worth():
    paytable = quick()
    kings, tens = (analyze_wager(paytable, shoe(text)) for text in ("Ks Kh", "10s Kd"))
    assert kings.house_edge == tens.house_edge != analyze_wager(paytable, shoe()).house_edge
    decisions = build_study(paytable, shoe("As Ah Ad Ac")).play.decisions
    assert decisions[0].known == ("10-10", "10")
    assert all("A" not in one.known[1] for one in decisions)


def test_shoe_that_a_round_can_use_up_is_refused():
    every = " ".join(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")
    with pytest.raises(InputError, match="a round can take 7 cards; the shoe has 6"):
        analyze_wager(quick("L9"), Shoe(1, removed=parse_cards(every)[:46]))


# Best play


def test_plain_hands_are_played_as_anybody_would():
    best = solve_round(aim(hands=2), DECK).policy
    assert {best[cell] for cell in MATCHUPS if cell.total >= 6 and not cell.is_pair} == {"stand"}
    assert {best[cell] for cell in MATCHUPS if cell.total <= 3 and not cell.is_pair} == {"hit"}


def test_no_policy_that_looks_at_hand_and_up_card_does_better():
    best = solve_round(aim(hands=2), FEW)
    value = best.mean().main
    for number, one in enumerate(best.situations[::6]):
        for action in one.values:
            other = best.policy | {one.cell: action}
            assert best.mean(other).main <= value, (number, action)


def test_play_for_both_wagers_costs_the_main_wager_and_helps_the_tie():
    alone, both = solve_round(aim(hands=1), FEW).mean(), solve_round(aim(1, hands=1), FEW).mean()
    assert both.main < alone.main
    assert both.tie > alone.tie
    assert both.main + both.tie > alone.main + alone.tie


def test_tie_pays_also_where_the_player_does_not_qualify():
    law = LuckyNineRound(LuckyNineRules(), DECK).laws(LuckyNineMatchup(0, 1, 5), ("stand",))["stand"]
    tied = {key.units for key, ways in law.items() if ways and key.is_tie}
    assert tied == {-1}


@pytest.mark.parametrize("rules", [{"hands": 2}, {"hands": 2, "qualify": "three", "nines": "maker"}])
def test_simple_strategy_costs_what_its_policy_gives_away_and_is_the_best_of_its_kind(rules):
    best = solve_round(aim(**rules), FEW)
    simple = simple_strategy(best)
    value = best.mean(simple.policy).main
    assert value <= best.mean().main
    for (total, up), action in simple.by_total.items():
        other = "hit" if action == "stand" else "stand"
        changed = {
            one.cell: other
            for one in best.situations
            if (one.cell.total, one.cell.up) == (total, up)
            and simple.policy[one.cell] == action
            and other in one.values
        }
        assert best.mean(simple.policy | changed).main <= value


# Other shoes


@MOST_HANDS
def test_formula_gives_the_ways_of_its_play_with_any_number_of_decks(hands):
    paytable = quick(hands=hands)
    tally = paytable.tally
    policy = tally._infinite.policy
    for decks in (1, 20):  # twenty is beyond the counts that the formula comes from
        law = count_under_strategy(tally.objective.rules, tuple(cards * decks for cards in FEW), policy)
        for wins in tally.wins:
            assert tally.polynomial(wins).at({"n": decks}).constant == sum(law.get(key, 0) for key in wins)
        assert tally.cycle_polynomial.at({"n": decks}).constant == sum(law.values())
    assert "infinite decks" in tally.note


@MOST_HANDS
def test_infinite_decks_are_what_many_decks_tend_to(hands):
    tally = quick(hands=hands).tally
    limit = [tally.limit(wins) for wins in tally.wins]
    many = tally.at(3000)
    assert all(
        abs(chance - Fraction(ways, many.cycle)) < Fraction(1, 10_000)
        for chance, ways in zip(limit, many.wins, strict=True)
    )
    assert hands == "1" or award_formulas(quick("FEW-TIE", hands=hands))[0].name == "Tie"


# Settings


def test_settings_are_declared_documented_and_read():
    settings = declared_settings()
    assert list(settings) == ["nines", "qualify", "lucky_pays", "hands", "tie_pays", "tie_stake"]
    for setting in settings.values():
        assert setting.help.count(".") >= 2
        assert setting.value(setting.usual) is not None


@pytest.mark.parametrize(
    ("key", "said", "what"),
    [
        ("nines", "pushes", "nines cannot be 'pushes'; did you mean 'push'"),
        ("hands", "5", "hands cannot be '5'; it is 1, for no splits, to 4"),
        ("lucky_pays", "3:2", "lucky_pays cannot be '3:2'; write what is paid to one"),
        ("tie_stake", "-1", "tie_stake cannot be '-1'; write how many times"),
        ("tie_stake", "1/0", "tie_stake cannot be '1/0'; write how many times"),
        ("tie_stake", "1000001", "such as 0.5 or 1/3, 1,000,000 at most"),
        ("nine", "push", "has no setting 'nine'; did you mean 'nines'"),
    ],
)
def test_setting_that_makes_no_sense_is_refused_by_name(key, said, what):
    text = f'bet = "B"\ndeal = "lucky 9"\nsettings = {{ {key} = "{said}" }}\n[[paytable]]\nid = "B"\ndecks = 6\n'
    _, (problem,) = parse_bet(text, "b.toml")
    assert what in problem


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("tie_stake", "0.5"),
        ("tie_stake", "1000"),
        ("tie_stake", "1/3"),
        ("tie_stake", "0.1234567890123"),
        ("lucky_pays", "1.2"),
        ("lucky_pays", "1 to 3"),
        ("tie_pays", "7.123456789012345"),
    ],
)
def test_setting_as_a_sheet_writes_it_can_be_given_again(key, said):
    once = read_deal("lucky 9").with_settings({key: said})
    written = next(chosen.said for chosen in once.settings if chosen.setting.key == key)
    assert once.with_settings({key: written}) == once
    assert getattr(once, key) > 0


def test_paytable_states_settings_of_its_own_over_those_of_the_file():
    text = (
        'bet = "B"\ndeal = "lucky 9"\nsettings = { hands = 2, nines = "maker" }\n'
        '[[paytable]]\nid = "ONE"\ndecks = 6\n[[paytable]]\nid = "TWO"\ndecks = 6\nsettings = { nines = "push" }\n'
    )
    (one, two), problems = parse_bet(text, "b.toml")
    assert not problems
    said = [{chosen.setting.key: chosen.said for chosen in each.bet.deal.settings} for each in (one, two)]
    assert [(each["nines"], each["hands"]) for each in said] == [("maker", "2"), ("push", "2")]


def test_deal_without_settings_and_paytable_without_awards_are_refused_elsewhere():
    text = 'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = 6\n'
    assert parse_bet(text, "b.toml")[1] == ("b.toml: paytable 'B': the key 'awards' is missing; add awards = [...]",)
    text = (
        'bet = "B"\ndeal = "player:2"\nsettings = { nines = "push" }\n[[paytable]]\nid = "B"\ndecks = 6\nawards = []\n'
    )
    assert "the deal 'player:2' has no setting 'nines'; it has none" in parse_bet(text, "b.toml")[1][0]


def test_own_awards_follow_the_settings_and_those_of_a_file_stay():
    assert [award.name for award in quick(lucky_pays="2").awards] == [
        award.name for award in game_awards(quick().bet.deal)
    ]
    assert str(quick(lucky_pays="2").awards[1].pay) == "2 to 1"
    text = (
        f'bet = "B"\ndeal = "lucky 9 tie"\npack = "{quick("FEW-TIE").bet.pack.name}"\n'
        '[[paytable]]\nid = "B"\ndecks = 6\n'
        'awards = [{ name = "Nine", when = "tie and dealer.points == 9", pays = "30 to 1" },'
        ' { name = "Tie", when = "tie", pays = "5 to 1" }]\n'
    )
    (graded,), problems = parse_bet(text, "b.toml")
    assert not problems
    changed = apply_settings(graded, {"hands": "2", "qualify": "three"})
    assert changed.awards == graded.awards
    one_deck = Shoe(1, changed.bet.pack)
    ways = analyze_wager(changed, one_deck).ways
    assert ways.wins[0] + ways.wins[1] == analyze_wager(quick("FEW-TIE", qualify="three"), one_deck).ways.wins[0]
    assert 0 < ways.wins[0] < ways.wins[1]


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        ("player.suited", "nobody called 'player' is dealt cards"),
        ("has(7)", "single cards are not looked at"),
        ("points == 9", "at column 1; write dealer.points"),
        ("dealer.tie", "'tie' is said of the round"),
    ],
)
def test_rule_about_what_a_round_does_not_tell_is_refused(rule, what):
    text = (
        f'bet = "B"\ndeal = "lucky 9"\n[[paytable]]\nid = "B"\ndecks = 6\n'
        f'awards = [{{ name = "A", when = "{rule}", pays = "1 to 1" }}]\n'
    )
    (problem,) = parse_bet(text, "b.toml")[1]
    assert what in problem


@MOST_HANDS
def test_checks_find_nothing_wrong_with_the_game(hands):
    game = quick("L9", hands=hands)
    some = replace(game, decks=(8,)) if hands == "1" else game  # it is played anew with every number of decks
    assert [finding.text for finding in check_paytable(some)] == []


# Sheets' parts


@pytest.mark.parametrize("id", ["FEW-9", "FEW-TIE"])
def test_example_of_each_award_is_a_round_that_takes_it(id):
    paytable = quick(id)
    composition = Shoe(1, paytable.bet.pack).composition
    found = paytable.experiment.examples(composition)
    assert [one.award for one in found] == list(range(len(paytable.awards)))
    for one in found:
        cards = [card for _, cards in one.dealt for card in cards]
        composition.remove(cards)  # all of them are there


def test_ledger_adds_up_to_the_cycle_and_derivation_to_the_awards():
    paytable, one_deck = quick(), shoe()
    ways = analyze_wager(paytable, one_deck).ways
    totals = dict.fromkeys([None, *range(len(paytable.awards))], 0)
    for outcome in paytable.experiment.outcomes(one_deck.composition):
        totals[outcome.award] += outcome.ways
    assert [totals.pop(None), *totals.values()] == [ways.losing, *ways.wins]
    derivation = paytable.experiment.derivation(one_deck)
    for award, wins in enumerate(ways.wins):
        assert sum(step.values[-1] for step in derivation.steps if step.award == award) == Fraction(wins, ways.cycle)
