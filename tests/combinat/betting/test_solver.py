"""Best play of games with betting rounds, against dealing every card, and published figures."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.betting.load import catalog_games, find_game, parse_game
from combinat.betting.solver import BEST_PLAY, BETS_MOST, Solution
from combinat.betting.states import Tables
from tests.combinat.betting.reference import expected_net
from tests.profiles import tries

PUBLISHED = {
    "THREE-CARD-POKER": ("0.0337", 4),
    "LET-IT-RIDE": ("0.0351", 4),
    "MISSISSIPPI-STUD": ("0.0491", 4),
}
"""Published edges in units of the ante (3.37%, 3.51%, 4.91%), and their decimals."""

SHAPES = {
    "three cards, dealer hidden": ("three cards", "J-A", {"player": 3, "dealer": 3}, [[]]),
    "three cards, dealer card seen": ("three cards", "J-A", {"player": 3, "dealer": 3, "dealer_up": 1}, [[]]),
    "common card": ("three cards", "J-A", {"player": 2, "dealer": 2, "common": {"a": 1}}, [[], ["a"]]),
    "common card after the bets": ("three cards", "J-A", {"player": 2, "dealer": 2, "common": {"a": 1}}, [[]]),
    "two common cards": (
        "three cards",
        "J-A",
        {"player": 1, "dealer": 1, "common": {"a": 1, "b": 1}},
        [[], ["a"], ["b"]],
    ),
    "no dealer": ("three cards", "J-A", {"player": 1, "common": {"a": 1, "b": 1}}, [[], ["a"]]),
    "one seen late": ("three cards", "J-A", {"player": 1, "common": {"a": 1, "b": 1}}, [["a"]]),
}


def toml(value):
    """Write a value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {toml(item)}' for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{value}"'


pays = st.sampled_from(["1 to 1", "2 to 1", "3 to 2", "push", "loses", "10 to 1"])


@st.composite
def games(draw, shape):
    """DrawTerm a game of one of the shapes: random pays, stakes, actions and qualifying hand."""
    hands, ranks, cards, rounds = SHAPES[shape]
    has_dealer = "dealer" in cards
    schedule = st.one_of(
        pays,
        st.tuples(pays, pays).map(lambda pair: [{"hand": "pair", "pays": pair[0]}, {"pays": pair[1]}]),
    )
    bet = st.fixed_dictionaries({"win": schedule}, optional={"tie": pays, "lose": schedule, "not_qualified": schedule})
    lines = [f'game = "g"\nid = "G"\nhands = "{hands}"\nranks = "{ranks}"\ncards = {toml(cards)}']
    qualifies = draw(st.sampled_from([None, "king high", "pair"])) if has_dealer else None
    if qualifies:
        lines.append(f'qualifies = "{qualifies}"')
    for number, sees in enumerate(rounds):
        stakes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=2, unique=True))
        ends = draw(st.booleans())
        actions = [{"name": f"bet {stake}", "bet": {"raise": stake}, "ends": ends and stake > 0} for stake in stakes]
        if len(actions) == 1 or draw(st.booleans()):
            actions.append({"name": "fold", "folds": True})
        lines.append(f'[[round]]\nname = "round {number}"\nsees = {toml(sees)}\nactions = {toml(actions)}')
    for name, stake in (("ante", 1), ("raise", 0)):
        fields = draw(bet)
        if not qualifies:
            fields.pop("not_qualified", None)
        body = "\n".join(f"{key} = {toml(value)}" for key, value in fields.items())
        lines.append(f'[[bet]]\nname = "{name}"\nstake = {stake}\n{body}')
    return parse_game("\n".join(lines))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@given(data=st.data())
@tries(6)
def test_best_play_matches_dealing_every_card(shape, data):
    game = data.draw(games(shape))
    assert Solution(game).expected_net == expected_net(game)


@pytest.mark.parametrize("id", PUBLISHED)
def test_edge_matches_the_published_figure(id):
    figure, decimals = PUBLISHED[id]
    assert round(Solution(find_game(id)).edge, decimals) == Fraction(figure)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["UTH", "CASINO-HOLDEM"])
def test_two_own_cards_count_like_any_number(id, monkeypatch):
    """Short packs: the matrix of pairs and the general inclusion-exclusion give the same values."""
    text = (
        catalog_games()[id]
        .read_text(encoding="utf-8")
        .replace('hands = "five cards"', 'hands = "five cards"\nranks = "9-A"')
        .replace("pair of fours", "pair of tens")
    )
    game = parse_game(text)
    expected = Solution(game)

    def single_tables(tables, start, stop):
        for number in range(start, stop):
            yield from tables._single_table(number)

    monkeypatch.setattr(Tables, "batches", single_tables)
    assert Solution(game).edge == expected.edge


@pytest.mark.parametrize(
    "id",
    [
        "THREE-CARD-POKER",
        pytest.param("LET-IT-RIDE", marks=pytest.mark.slow),
        pytest.param("MISSISSIPPI-STUD", marks=pytest.mark.slow),
    ],
)
def test_counts_of_endings_give_the_edge_of_backward_induction(id):
    game = find_game(id)
    solution = Solution(game)
    joint = solution.joint_counts
    assert sum(joint.values()) == solution.tables.cycle()
    net = sum(
        ways * game.net(ending, outcome, game.thresholds[hand]) for (ending, hand, outcome), ways in joint.items()
    )
    assert -Fraction(net, sum(joint.values())) == solution.edge
    wager = sum(ways * ending.wager for (ending, _, _), ways in joint.items())
    assert Fraction(wager, sum(joint.values())) == solution.wager_of_plays[BEST_PLAY]
    assert solution.net_of_plays[BETS_MOST] == -solution.edge
    assert solution.wager_of_plays[BETS_MOST] >= solution.wager_of_plays[BEST_PLAY]


@pytest.mark.parametrize("id", ["LET-IT-RIDE", pytest.param("MISSISSIPPI-STUD", marks=pytest.mark.slow)])
def test_backward_induction_gives_the_edge_of_the_deals_played(id):
    solution = Solution(find_game(id))
    (values,) = solution.action_values[0].values()
    total = int(values.max(axis=0).sum())
    assert -Fraction(total, solution.tables.cycle() * solution.payoffs.unit) == solution.edge
