"""Published values of blackjack hands, compared with data files in tests/published_blackjack."""

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
from tests.blackjack_values import action_values
from tests.slow_cases import slow_case, slow_cases

FOLDER = Path(__file__).parent / "published_blackjack"
ALL_GAMES = os.environ.get("WHOLE_GAMES") == "all"  # all take minutes; by default only games that take seconds


def read(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"), parse_float=str)


def split_rows(table):
    return [line.split() for line in table.strip().split("\n") if line]


def format_like(value, text):
    """Format our value like the published one."""
    return format_fixed(value, len(text.partition(".")[2])).replace("−", "-")


def rules_of(settings):
    pays = settings.get("blackjack_pays", "3:2")
    return BlackjackRules(**{**settings, "blackjack_pays": parse_blackjack_pays(pays)})


def game_id(decks, settings):
    return "-".join([str(decks), *(f"{name}={value}" for name, value in settings.items())])


def cards_by_value():
    """Return a card of each value, ace first."""
    cards = [card for card, _ in Shoe(1).composition.remove([])]
    return [
        next(card for card in cards if min(card.rank if card.rank < 14 else 1, 10) == 1 + index) for index in INDEXES
    ]


PAGES = read("wizard_of_odds.toml")["pages"]
PUBLISHED = read("whole_games.toml")
RETURNS = [
    slow_case(
        page,
        das,
        id=game_id(page["decks"], {"hits_soft_17": page["hits_soft_17"], "double_after_split": das}),
    )
    for page in PAGES
    for das in (True, False)
    if ALL_GAMES or (page["decks"], page["hits_soft_17"], das) == (1, False, False)
]
WHOLE_GAMES = [
    pytest.param(
        table,
        game,
        id=f"{table['strategy']}-{game_id(game['decks'], game.get('rules', {}))}",
    )
    for table in PUBLISHED["tables"]
    for game in table["games"]
    if ALL_GAMES or game.get("quick")
]
SPLIT_ONCE = [game for game in PUBLISHED["split_once"] if ALL_GAMES or game.get("quick")]


def solve_house_edge(game):
    """Return the edge of a game after computing every action of every hand."""
    game.solve()
    return house_edge(game)


class ReoptimizedSplitHand(blackjack_splits.SplitHand):
    """A split hand played optimally, with the other card of the pair known."""

    def follow(self, hand, choices):  # noqa: ARG002  # the choices of the same cards without a split
        rules, first = self.play.rules, sum(hand) == 2
        figures_by_action = [self.stand(hand)]
        if total(hand) < 21 and not (first and self._pair_index == ACE):
            figures_by_action.append(self._hit(hand))
            if first and rules.double_after_split and rules.may_double(hand):
                figures_by_action.append(self._double(hand))
        return [max(figures) for figures in zip(*figures_by_action, strict=True)]


@pytest.mark.slow  # fast: test_single_hands_match_every_printed_digit
@pytest.mark.parametrize(("table", "game"), WHOLE_GAMES)
def test_edge_of_one_game_matches(table, game):
    rules = rules_of(table["base"] | game.get("rules", {}))
    edge = 100 * house_edge(BlackjackGame(Shoe(game["decks"]), rules, table["strategy"]))
    assert format_like(edge, game["ours"]) == game["ours"]
    assert (format_like(edge, game["edge"]) == game["edge"]) != game.get("differs", False)


def test_edges_match_every_printed_digit():
    agreeing = set()
    for table in PUBLISHED["tables"]:
        for game in table["games"]:
            agrees = format_like(Fraction(game["ours"]), game["edge"]) == game["edge"]
            assert agrees != game.get("differs", False), game
            assert agrees or "because" in table
            if agrees:
                agreeing.add((table["strategy"], game_id(game["decks"], table["base"] | game.get("rules", {}))))
    assert [sum(strategy == name for strategy, _ in agreeing) for name in ("best", "basic")] == [19, 40]


@pytest.mark.slow
@pytest.mark.parametrize("game", SPLIT_ONCE, ids=lambda game: game["edge"])
def test_edge_with_reoptimized_splits_matches(game, monkeypatch):
    rules = rules_of(game["rules"])
    if ALL_GAMES and "ours" in game:
        assert format_like(100 * house_edge(BlackjackGame(Shoe(game["decks"]), rules)), game["ours"]) == game["ours"]
    monkeypatch.setattr(blackjack_splits, "SplitHand", ReoptimizedSplitHand)
    shoes = [(1, Shoe(game["decks"]))]
    if game.get("one_card_gone"):
        removed = zip([1] * 9 + [4], cards_by_value(), strict=True)
        shoes = [(Fraction(of_13, 13), Shoe(game["decks"], removed=(card,))) for of_13, card in removed]
    edge = 100 * sum(probability * solve_house_edge(BlackjackGame(shoe, rules)) for probability, shoe in shoes)
    assert format_like(edge, game["anew"]) == game["anew"]
    assert format_like(edge, game["edge"]) == game["edge"]


def test_cost_of_6_to_5_matches():
    natural = hand_of((ACE, TEN))
    for decks, cell in PUBLISHED["pay_of_six_to_five"]["edges"].items():
        game = BlackjackGame(Shoe(int(decks)))
        paid = sum(game.hand(natural, up).probability for up in INDEXES)
        assert format_like(100 * (Fraction(3, 2) - Fraction(6, 5)) * paid, cell) == cell


@slow_cases("5-True", "2-True", "1-True")
@pytest.mark.parametrize("page", PAGES[:4], ids=lambda page: f"{page['decks']}-{page['hits_soft_17']}")
def test_single_hands_match_every_printed_digit(page):
    game = BlackjackGame(Shoe(page["decks"]), BlackjackRules(hits_soft_17=page["hits_soft_17"]), ups=(ACE,))
    for hand, *cells in split_rows(page["cells_against_an_ace"]):
        values = game.hand(parse_first_hand(hand), ACE).values
        for action, cell in zip((Action.STAND, Action.HIT, Action.DOUBLE), cells, strict=True):
            assert abs(values[action] - Fraction(cell)) < Fraction(54, 10**8), (hand, action)


@pytest.mark.parametrize(("page", "das"), RETURNS)
def test_return_of_one_game_matches(page, das):
    rules = BlackjackRules(hits_soft_17=page["hits_soft_17"], double_after_split=das)
    known = page["ours_das" if das else "ours_no_das"]
    assert format_like(-house_edge(BlackjackGame(Shoe(page["decks"]), rules)), known) == known


def test_returns_match_except_for_resplits():
    last_digit = Fraction(1, 10**6)
    for page in PAGES:
        for das in ("das", "no_das"):
            more = Fraction(page[f"return_{das}"]) - Fraction(page[f"ours_{das}"])
            assert -last_digit / 2 <= more <= Fraction(21, 10**6) / page["decks"] + last_digit / 2


def test_zero_memory_split_matches_eleven_digits():
    published = read("zero_memory_split.toml")
    rules = BlackjackRules(hits_soft_17=published["hits_soft_17"])
    ours = action_values(tuple(published["shoe"]), rules, tuple(published["hand"]), published["up"])
    assert {action: format_like(100 * value, published["values"][action]) for action, value in ours.items()} == (
        published["values"]
    )


@pytest.mark.slow  # fast: test_single_hands_match_every_printed_digit
def test_six_decks_match_where_the_strategy_is_the_same():
    agreeing = 0
    game = BlackjackGame(Shoe(6), BlackjackRules(hits_soft_17=False))
    for name, *cells in split_rows(read("six_decks_s17.toml")["best"]):
        if name[0] == name[1] != "A" and not ALL_GAMES:
            continue  # splits are slow, and not compared to the last digit
        hand = parse_first_hand(" ".join(name))
        for up, cell in enumerate(cells):
            result = game.hand(hand, up)
            loses = 0 if is_natural(hand) else result.dealer_blackjack
            ours = 100 * ((1 - result.dealer_blackjack) * result.value - loses)
            agrees = format_like(ours, cell) == cell
            agreeing += agrees
            if result.action in (Action.STAND, Action.DOUBLE) or name == "AA":
                assert agrees, (name, NAMES[up], cell)
            elif result.action is Action.HIT:
                assert agrees or ours > Fraction(cell), (name, NAMES[up], cell)
            else:
                assert abs(ours - Fraction(cell)) < Fraction(1, 5), (name, NAMES[up], cell)
    assert agreeing == (451 if ALL_GAMES else 411)


@pytest.mark.slow  # fast: blackjack/test_game.py::test_edge_of_a_small_shoe_matches_dealing_every_card
def test_unseen_removal_keeps_the_mean_of_a_fixed_strategy():
    eights, ten = hand_of((7, 7)), 9
    rules = BlackjackRules()

    def joint(game):
        probability = game.up_probability(eights, ten) * (1 - game.dealer_blackjack(eights, ten))
        return probability * game.value(eights, ten)

    full_game = BlackjackGame(Shoe(1), rules, "basic", ups=(ten,))
    averaged = Fraction(0)
    for index, card in enumerate(cards_by_value()):
        remaining = full_game.counts[index] - eights[index]
        averaged += Fraction(remaining, 50) * joint(BlackjackGame(Shoe(1, removed=(card,)), rules, "basic", ups=(ten,)))
    assert averaged == joint(full_game)
