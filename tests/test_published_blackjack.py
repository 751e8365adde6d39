"""Published values of blackjack hands, standing as data files with their source in tests/published_blackjack."""

import os
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.blackjack.exact import splits as blackjack_splits
from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import ACE, INDEXES, NAMES, TEN, hand_of, is_natural, parse_first_hand, total
from combinat.blackjack.rules import Action, BlackjackRules, parse_blackjack_pays
from decks import Shoe
from reports.page.numerals import format_fixed
from tests.blackjack_values import values_of

FOLDER = Path(__file__).parent / "published_blackjack"
EVERYTHING = os.environ.get("WHOLE_GAMES") == "all"  # some minutes; else the games that take seconds


def read(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"), parse_float=str)


def lines(table):
    return [line.split() for line in table.strip().split("\n") if line]


def printed(value, text):
    """Write our value as a published one is written."""
    return format_fixed(value, len(text.partition(".")[2])).replace("−", "-")


def rules_of(settings):
    pays = settings.get("blackjack_pays", "3:2")
    return BlackjackRules(**{**settings, "blackjack_pays": parse_blackjack_pays(pays)})


def named(decks, settings):
    return "-".join([str(decks), *(f"{name}={value}" for name, value in settings.items())])


def one_of_each_value():
    """Give a card of each value, ace first."""
    cards = [card for card, _ in Shoe(1).composition.remove([])]
    return [
        next(card for card in cards if min(card.rank if card.rank < 14 else 1, 10) == 1 + place) for place in INDEXES
    ]


PAGES = read("wizard_of_odds.toml")["pages"]
PUBLISHED = read("whole_games.toml")
RETURNS = [
    pytest.param(
        page,
        das,
        id=named(page["decks"], {"hits_soft_17": page["hits_soft_17"], "double_after_split": das}),
        marks=pytest.mark.slow,
    )
    for page in PAGES
    for das in (True, False)
    if EVERYTHING or (page["decks"], page["hits_soft_17"], das) == (1, False, False)
]
WHOLE_GAMES = [
    pytest.param(
        table,
        game,
        id=f"{table['strategy']}-{named(game['decks'], game.get('rules', {}))}",
    )
    for table in PUBLISHED["tables"]
    for game in table["games"]
    if EVERYTHING or game.get("quick")
]
SPLIT_ONCE = [game for game in PUBLISHED["split_once"] if EVERYTHING or game.get("quick")]


def edge_in_whole_numbers(game):
    """Give the edge of a game of which every action on every hand is worked out first."""
    game.solve()
    return house_edge(game)


class ChosenAnew(blackjack_splits.SplitHand):
    """A hand of a split that is played as well as it can be, the other card of the pair being known."""

    def follow(self, hand, choices):  # noqa: ARG002  # what the same cards would do if they were not of a split
        rules, first = self.play.rules, sum(hand) == 2
        worth = [self.stand(hand)]
        if total(hand) < 21 and not (first and self._place == ACE):
            worth.append(self._hit(hand))
            if first and rules.double_after_split and rules.may_double(hand):
                worth.append(self._double(hand))
        return [max(figures) for figures in zip(*worth, strict=True)]


@pytest.mark.slow  # single hands are held against the same pages below, and whole games against dealing them
@pytest.mark.parametrize(("table", "game"), WHOLE_GAMES)
def test_edge_of_a_whole_game(table, game):
    rules = rules_of(table["base"] | game.get("rules", {}))
    edge = 100 * house_edge(BlackjackGame(Shoe(game["decks"]), rules, table["strategy"]))
    assert printed(edge, game["ours"]) == game["ours"]
    assert (printed(edge, game["edge"]) == game["edge"]) != game.get("differs", False)


def test_edges_agree_to_every_printed_digit_unless_the_data_say_why_not():
    agreeing = set()
    for table in PUBLISHED["tables"]:
        for game in table["games"]:
            agrees = printed(Fraction(game["ours"]), game["edge"]) == game["edge"]
            assert agrees != game.get("differs", False), game
            assert agrees or "because" in table
            if agrees:
                agreeing.add((table["strategy"], named(game["decks"], table["base"] | game.get("rules", {}))))
    assert [sum(strategy == one for strategy, _ in agreeing) for one in ("best", "basic")] == [19, 40]


@pytest.mark.slow
@pytest.mark.parametrize("game", SPLIT_ONCE, ids=lambda game: game["edge"])
def test_edge_when_the_play_after_a_split_is_chosen_anew(game, monkeypatch):
    rules = rules_of(game["rules"])
    if EVERYTHING and "ours" in game:
        assert printed(100 * house_edge(BlackjackGame(Shoe(game["decks"]), rules)), game["ours"]) == game["ours"]
    monkeypatch.setattr(blackjack_splits, "SplitHand", ChosenAnew)
    shoes = [(1, Shoe(game["decks"]))]
    if game.get("one_card_gone"):
        gone = zip([1] * 9 + [4], one_of_each_value(), strict=True)
        shoes = [(Fraction(of_13, 13), Shoe(game["decks"], removed=(card,))) for of_13, card in gone]
    edge = 100 * sum(chance * edge_in_whole_numbers(BlackjackGame(shoe, rules)) for chance, shoe in shoes)
    assert printed(edge, game["anew"]) == game["anew"]
    assert printed(edge, game["edge"]) == game["edge"]


def test_what_a_pay_of_six_to_five_costs_agrees_to_every_printed_digit():
    natural = hand_of((ACE, TEN))
    for decks, cell in PUBLISHED["pay_of_six_to_five"]["edges"].items():
        game = BlackjackGame(Shoe(int(decks)))
        paid = sum(game.hand(natural, up).chance for up in INDEXES)
        assert printed(100 * (Fraction(3, 2) - Fraction(6, 5)) * paid, cell) == cell


@pytest.mark.parametrize("page", PAGES[:4], ids=lambda page: f"{page['decks']}-{page['hits_soft_17']}")
def test_single_hands_agree_to_the_last_printed_digit(page):
    game = BlackjackGame(Shoe(page["decks"]), BlackjackRules(hits_soft_17=page["hits_soft_17"]), ups=(ACE,))
    for hand, *cells in lines(page["cells_against_an_ace"]):
        values = game.hand(parse_first_hand(hand), ACE).values
        for action, cell in zip((Action.STAND, Action.HIT, Action.DOUBLE), cells, strict=True):
            assert abs(values[action] - Fraction(cell)) < Fraction(54, 10**8), (hand, action)


@pytest.mark.parametrize(("page", "das"), RETURNS)
def test_return_of_a_whole_game(page, das):
    rules = BlackjackRules(hits_soft_17=page["hits_soft_17"], double_after_split=das)
    known = page["ours_das" if das else "ours_no_das"]
    assert printed(-house_edge(BlackjackGame(Shoe(page["decks"]), rules)), known) == known


def test_returns_are_as_published_but_for_what_the_number_of_split_hands_tells():
    last_digit = Fraction(1, 10**6)
    for page in PAGES:
        for das in ("das", "no_das"):
            more = Fraction(page[f"return_{das}"]) - Fraction(page[f"ours_{das}"])
            assert -last_digit / 2 <= more <= Fraction(21, 10**6) / page["decks"] + last_digit / 2


def test_a_split_by_zero_memory_strategy_agrees_to_eleven_digits():
    published = read("zero_memory_split.toml")
    rules = BlackjackRules(hits_soft_17=published["hits_soft_17"])
    ours = values_of(tuple(published["shoe"]), rules, tuple(published["hand"]), published["up"])
    assert {action: printed(100 * value, published["values"][action]) for action, value in ours.items()} == (
        published["values"]
    )


def test_six_decks_agree_wherever_the_strategy_is_the_same():
    agreeing = 0
    game = BlackjackGame(Shoe(6), BlackjackRules(hits_soft_17=False))
    for name, *cells in lines(read("six_decks_s17.toml")["best"]):
        if name[0] == name[1] != "A" and not EVERYTHING:
            continue  # splits take long, and these are not compared to the last digit
        hand = parse_first_hand(" ".join(name))
        for up, cell in enumerate(cells):
            found = game.hand(hand, up)
            loses = 0 if is_natural(hand) else found.dealer_blackjack
            ours = 100 * ((1 - found.dealer_blackjack) * found.value - loses)
            agrees = printed(ours, cell) == cell
            agreeing += agrees
            if found.action in (Action.STAND, Action.DOUBLE) or name == "AA":
                assert agrees, (name, NAMES[up], cell)
            elif found.action is Action.HIT:
                assert agrees or ours > Fraction(cell), (name, NAMES[up], cell)
            else:
                assert abs(ours - Fraction(cell)) < Fraction(1, 5), (name, NAMES[up], cell)
    assert agreeing == (451 if EVERYTHING else 411)


def test_a_card_gone_unseen_changes_nothing_on_average_under_a_fixed_strategy():
    eights, ten = hand_of((7, 7)), 9
    rules = BlackjackRules()

    def joint(game):
        going_on = game.up_probability(eights, ten) * (1 - game.dealer_blackjack(eights, ten))
        return going_on * game.value(eights, ten)

    whole = BlackjackGame(Shoe(1), rules, "basic", ups=(ten,))
    averaged = Fraction(0)
    for place, card in enumerate(one_of_each_value()):
        left = whole.counts[place] - eights[place]
        averaged += Fraction(left, 50) * joint(BlackjackGame(Shoe(1, removed=(card,)), rules, "basic", ups=(ten,)))
    assert averaged == joint(whole)
