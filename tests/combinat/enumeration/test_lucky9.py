"""Lucky 9: rules, settings, best strategy and its figures."""

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
from tests.sheets import find_paytable
from tests.slow import lucky9 as reference
from tests.slow_cases import slow_case

DECK = (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)
SEVEN = Fraction(7)
QUICK = {"hands": "2"}
MOST_HANDS = pytest.mark.parametrize("hands", ["1", slow_case("2")])
"""Settings for figures at every deck count, where resplits are slow."""


FEW = (8, 4, 0, 4, 4, 4, 0, 0, 0, 4)
"""Cards of a pack of few ranks, with a quarter of the hands and up cards."""


@lru_cache(maxsize=None)
def quick(id="FEW-9", **more):
    return apply_settings(find_paytable(id), QUICK | more)


def shoe(removed=""):
    return Shoe(1, quick().bet.pack, parse_cards(removed))


def aim(tie_stake=0, **rules):
    return Objective(LuckyNineRules(**rules), SEVEN, Fraction(tie_stake))


# Rules of the game


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
def test_two_nines_follow_the_version(nines, own, dealer, drew, result):
    assert LuckyNineRules(nines=nines).result(own, dealer, drew=drew) == result


@pytest.mark.parametrize(("points", "dealer", "drew"), list(product((0, 1, 2), (0, 1, 2, 9), (False, True))))
def test_two_points_or_fewer_do_not_qualify(points, dealer, drew):
    assert LuckyNineRules().result(points, dealer, drew=drew) == -1
    compared = (points > dealer) - (points < dealer)
    assert LuckyNineRules(qualify="three").result(points, dealer, drew=drew) == (-1 if drew else compared)


def test_rules_limit_hits_and_splits():
    assert LuckyNineRound(LuckyNineRules(nines="maker"), DECK).actions(LuckyNineMatchup(4, 5, 0)) == ("stand",)
    assert LuckyNineRound(LuckyNineRules(), DECK).actions(LuckyNineMatchup(4, 5, 0)) == ("stand", "hit")
    assert LuckyNineRound(LuckyNineRules(hands=1), DECK).actions(LuckyNineMatchup(7, 7, 0)) == ("stand", "hit")
    assert LuckyNineRound(LuckyNineRules(hands=2), DECK).actions(LuckyNineMatchup(7, 7, 0)) == ("stand", "hit", "split")


# Invariants of every count


@pytest.mark.parametrize(
    "rules", [LuckyNineRules(), LuckyNineRules(nines="maker", qualify="three", hands=3), LuckyNineRules(hands=1)]
)
def test_ways_of_every_action_sum_to_all_orders(rules):
    table = LuckyNineRound(rules, DECK)
    assert sum(table.ways(cell) for cell in MATCHUPS) == 52 * 51 * 50
    for cell in MATCHUPS[::37]:
        assert {sum(distribution.values()) for distribution in table.ways_by_action(cell).values()} == {
            table.following_orders
        }


def test_probabilities_sum_to_one_and_match_the_decisions():
    study = build_study(quick(), shoe())
    assert sum(chance for _, chance in study.analysis.distribution) == 1
    assert sum(decision.probability for decision in study.round_strategy.decisions) == 1
    value = sum(decision.probability * decision.values[decision.best] for decision in study.round_strategy.decisions)
    assert study.house_edge == -value
    assert study.round_strategy.figures[0].value == -value


def test_split_hands_are_correlated():
    distribution = LuckyNineRound(LuckyNineRules(hands=2), DECK).ways_by_action(LuckyNineMatchup(6, 6, 5), ("split",))[
        "split"
    ]
    ways = sum(distribution.values())
    mean = Fraction(sum(key.units * count for key, count in distribution.items()), ways)
    variance = Fraction(sum(key.units**2 * count for key, count in distribution.items()), ways) - mean**2
    # Each hand alone: the same card, one more card, the same dealer.
    alone = LuckyNineRound(LuckyNineRules(hands=2), DECK)
    single = {1: 0, 0: 0, -1: 0}
    for end in alone.dealer_hands(LuckyNineMatchup(6, 6, 5)):
        for card, cards in enumerate(end.remaining):
            result = alone.rules.standing[(10 if (6 + card) % 10 == 9 else (6 + card) % 10)][end.score]
            single[result] += end.ways * cards * alone.orders_after(end.drawn + 1)
    assert sum(single.values()) == ways
    single_mean = Fraction(single[1] - single[-1], ways)
    assert mean == 2 * single_mean
    assert variance > 2 * (Fraction(single[1] + single[-1], ways) - single_mean**2)


def test_removed_cards_change_the_strategy():
    paytable = quick()
    kings, tens = (analyze_wager(paytable, shoe(text)) for text in ("Ks Kh", "10s Kd"))
    assert kings.house_edge == tens.house_edge != analyze_wager(paytable, shoe()).house_edge
    decisions = build_study(paytable, shoe("As Ah Ad Ac")).round_strategy.decisions
    assert decisions[0].known_cards == ("10-10", "10")
    assert all("A" not in decision.known_cards[1] for decision in decisions)


def test_shoe_that_can_run_out_is_refused():
    join = " ".join(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")
    with pytest.raises(InputError, match="a round can take 7 cards; the shoe has 6"):
        analyze_wager(quick("L9"), Shoe(1, removed=parse_cards(join)[:46]))


# Best strategy


def test_obvious_hands_are_played_correctly():
    best = solve_round(aim(hands=2), DECK).strategy
    assert {best[cell] for cell in MATCHUPS if cell.total >= 6 and not cell.is_pair} == {"stand"}
    assert {best[cell] for cell in MATCHUPS if cell.total <= 3 and not cell.is_pair} == {"hit"}


def test_no_other_strategy_is_better():
    best = solve_round(aim(hands=2), FEW)
    value = best.mean().main
    for number, decision in enumerate(best.decisions[::6]):
        for action in decision.values:
            other = best.strategy | {decision.matchup: action}
            assert best.mean(other).main <= value, (number, action)


def test_joint_strategy_trades_the_main_wager_for_the_tie():
    alone, both = solve_round(aim(hands=1), FEW).mean(), solve_round(aim(1, hands=1), FEW).mean()
    assert both.main < alone.main
    assert both.tie > alone.tie
    assert both.main + both.tie > alone.main + alone.tie


def test_tie_pays_without_qualifying():
    distribution = LuckyNineRound(LuckyNineRules(), DECK).ways_by_action(LuckyNineMatchup(0, 1, 5), ("stand",))["stand"]
    tied = {key.units for key, ways in distribution.items() if ways and key.is_tie}
    assert tied == {-1}


@pytest.mark.parametrize("rules", [{"hands": 2}, slow_case({"hands": 2, "qualify": "three", "nines": "maker"})])
def test_simple_strategy_has_the_lowest_cost(rules):
    best = solve_round(aim(**rules), FEW)
    simple = simple_strategy(best)
    value = best.mean(simple.strategy).main
    assert value <= best.mean().main
    for (total, up), action in simple.by_total.items():
        other = "hit" if action == "stand" else "stand"
        changed = {
            decision.matchup: other
            for decision in best.decisions
            if (decision.matchup.total, decision.matchup.up) == (total, up)
            and simple.strategy[decision.matchup] == action
            and other in decision.values
        }
        assert best.mean(simple.strategy | changed).main <= value


# Other shoes


@MOST_HANDS
def test_formula_matches_its_strategy_at_every_deck_count(hands):
    paytable = quick(hands=hands)
    tally = paytable.tally
    policy = tally._infinite.strategy
    for decks in (1, 20):  # twenty is beyond the counts that the formula comes from
        distribution = count_under_strategy(tally.objective.rules, tuple(cards * decks for cards in FEW), policy)
        for wins in tally.wins:
            assert tally.polynomial(wins).at({"n": decks}).constant == sum(distribution.get(key, 0) for key in wins)
        assert tally.cycle_polynomial.at({"n": decks}).constant == sum(distribution.values())
    assert "infinite decks" in tally.note


@MOST_HANDS
def test_many_decks_approach_the_infinite_deck(hands):
    tally = quick(hands=hands).tally
    limit = [tally.limit(wins) for wins in tally.wins]
    count = tally.at(3000)
    assert all(
        abs(chance - Fraction(ways, count.cycle)) < Fraction(1, 10_000)
        for chance, ways in zip(limit, count.wins, strict=True)
    )
    assert hands == "1" or award_formulas(quick("FEW-TIE", hands=hands))[0].name == "Tie"


# Settings


def test_settings_are_declared_documented_and_parsed():
    settings = declared_settings()
    assert list(settings) == ["nines", "qualify", "lucky_pays", "hands", "tie_pays", "tie_stake"]
    for setting in settings.values():
        assert setting.help.endswith(".")
        assert setting.parse_value(setting.default) is not None


@pytest.mark.parametrize(
    ("key", "said", "what"),
    [
        ("nines", "pushes", "nines cannot be 'pushes'; did you mean 'push'"),
        ("hands", "5", "hands cannot be '5'"),
        ("lucky_pays", "3:2", "lucky_pays cannot be '3:2'"),
        ("tie_stake", "-1", "tie_stake cannot be '-1'"),
        ("tie_stake", "1/0", "tie_stake cannot be '1/0'"),
        ("tie_stake", "1000001", "at most 1,000,000"),
        ("nine", "push", "has no setting 'nine'; did you mean 'nines'"),
    ],
)
def test_invalid_setting_is_refused_by_name(key, said, what):
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
def test_printed_setting_can_be_parsed(key, said):
    once = read_deal("lucky 9").with_settings({key: said})
    written = next(chosen.text for chosen in once.settings if chosen.setting.key == key)
    assert once.with_settings({key: written}) == once
    assert getattr(once, key) > 0


def test_paytable_settings_override_those_of_the_file():
    text = (
        'bet = "B"\ndeal = "lucky 9"\nsettings = { hands = 2, nines = "maker" }\n'
        '[[paytable]]\nid = "ONE"\ndecks = 6\n[[paytable]]\nid = "TWO"\ndecks = 6\nsettings = { nines = "push" }\n'
    )
    (first, second), problems = parse_bet(text, "b.toml")
    assert not problems
    message = [{chosen.setting.key: chosen.text for chosen in each.bet.deal.settings} for each in (first, second)]
    assert [(each["nines"], each["hands"]) for each in message] == [("maker", "2"), ("push", "2")]


def test_settings_and_missing_awards_are_refused_in_other_deals():
    text = 'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = 6\n'
    assert parse_bet(text, "b.toml")[1] == ("b.toml: paytable 'B': the key 'awards' is missing; add awards = [...]",)
    text = (
        'bet = "B"\ndeal = "player:2"\nsettings = { nines = "push" }\n[[paytable]]\nid = "B"\ndecks = 6\nawards = []\n'
    )
    assert "the deal 'player:2' has no setting 'nines'; it has none" in parse_bet(text, "b.toml")[1][0]


def test_default_awards_follow_the_settings():
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
        ("player.suited", "no role 'player'"),
        ("has(7)", "cannot refer to single cards"),
        ("points == 9", "at column 1; write dealer.points"),
        ("dealer.tie", "'tie' applies to the round"),
    ],
)
def test_rule_about_unknown_cards_is_refused(rule, what):
    text = (
        f'bet = "B"\ndeal = "lucky 9"\n[[paytable]]\nid = "B"\ndecks = 6\n'
        f'awards = [{{ name = "A", when = "{rule}", pays = "1 to 1" }}]\n'
    )
    (problem,) = parse_bet(text, "b.toml")[1]
    assert what in problem


@MOST_HANDS
def test_game_passes_the_check(hands):
    game = quick("L9", hands=hands)
    some = replace(game, decks=(8,)) if hands == "1" else game  # each deck count has its own strategy
    assert [finding.text for finding in check_paytable(some)] == []


# Parts of the sheet


@pytest.mark.parametrize("id", ["FEW-9", "FEW-TIE"])
def test_examples_get_their_awards(id):
    paytable = quick(id)
    composition = Shoe(1, paytable.bet.pack).composition
    examples = paytable.experiment.examples(composition)
    assert [example.award for example in examples] == list(range(len(paytable.awards)))
    for example in examples:
        cards = [card for _, cards in example.dealt for card in cards]
        composition.remove(cards)  # all outcomes are listed


def test_ledger_and_derivation_add_up():
    paytable, one_deck = quick(), shoe()
    ways = analyze_wager(paytable, one_deck).ways
    totals = dict.fromkeys([None, *range(len(paytable.awards))], 0)
    for outcome in paytable.experiment.outcomes(one_deck.composition):
        totals[outcome.award] += outcome.ways
    assert [totals.pop(None), *totals.values()] == [ways.losing, *ways.wins]
    derivation = paytable.experiment.derivation(one_deck)
    for award, wins in enumerate(ways.wins):
        assert sum(step.values[-1] for step in derivation.steps if step.award == award) == Fraction(wins, ways.cycle)


# Packs of other ranks


def deal_every_card(stock, rules):
    """Return the house edge of best play, dealing card by card."""
    won = Fraction(0)
    for first, first_chance, after_first in reference.draws(stock):
        for second, second_chance, after_second in reference.draws(after_first):
            for up, up_chance, rest in reference.draws(after_second):
                values = [
                    sum(
                        chance * (Fraction(3, 2) if is_lucky and units == 1 else units)
                        for (units, _, _, is_lucky), chance in reference.outcomes(
                            [first, second], up, rest, action, rules.nines, rules.qualify, rules.hands
                        ).items()
                    )
                    for action in reference.actions([first, second], rules.nines, rules.hands)
                ]
                won += first_chance * second_chance * up_chance * max(values)
    return -won


@pytest.mark.parametrize(
    ("left_out", "decks", "stock"),
    [
        ("2 3 4 5 6 7 8 9 A", 1, (16, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        ("2 3 4 5 6 7 8 10 J Q K A", 3, (0, 0, 0, 0, 0, 0, 0, 0, 0, 12)),
        ("2 3 6 7 8 9 10 J Q K A", 2, (0, 0, 0, 0, 8, 8, 0, 0, 0, 0)),
        ("3 4 5 6 7 8 9 10 J Q", 1, (4, 4, 4, 0, 0, 0, 0, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("rules", [LuckyNineRules(hands=2), LuckyNineRules(nines="maker", qualify="three", hands=1)])
def test_packs_without_some_ranks_match_dealing_every_card(left_out, decks, stock, rules):
    settings = f'{{ nines = "{rules.nines}", qualify = "{rules.qualify}", hands = "{rules.hands}" }}'
    text = f'bet = "B"\ndeal = "lucky 9"\npack = "standard without {left_out}"\n'
    (paytable,), problems = parse_bet(
        f'{text}[[paytable]]\nid = "X"\ndecks = "{decks}"\nsettings = {settings}\n', "x.toml"
    )
    assert not problems
    assert build_study(paytable, Shoe(decks, paytable.bet.pack)).house_edge == deal_every_card(stock, rules)


@pytest.mark.parametrize("pack", ["standard with 1 joker", "standard without clubs"])
def test_jokers_and_missing_suits_are_refused(pack):
    text = f'bet = "B"\ndeal = "lucky 9"\npack = "{pack}"\n[[paytable]]\nid = "X"\ndecks = "6"\n'
    paytables, (problem,) = parse_bet(text, "x.toml")
    assert not paytables
    assert "joker" in problem
