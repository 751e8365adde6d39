"""Random rules and cards."""

from functools import lru_cache

from hypothesis import strategies as st

from combinat.enumeration.experiment import parse_deal
from combinat.language.parser import parse_rule
from combinat.language.words import RESERVED
from decks import Composition, Pack
from decks.cards import ALL_CARDS

DEALS = [
    "player:2",
    "player:3",
    "player:2, up:1",
    "first:1, second:1, third:1",
    "player:2, up:1, hole:1",
    "player:1, dealer:2",
]
FACTS = ("suited", "same color", "rainbow", "straight", "straight flush", "pair", "same rank", "identical")
NUMBERS = ("high", "low", "total", "hard total", "points")
LEADING = ("leading reds", "leading blacks")
KINDS = ("7", "A", "8d", "Qh", "hearts", "clubs", "red", "black", "face", "tens")
HANDS_OF_THREE = ("straight flush", "royal flush", "three of a kind", "straight", "flush", "pair")
SIGNS = ("==", "!=", "<", "<=", ">", ">=")


one_of = lru_cache(maxsize=None)(st.sampled_from)
"""Return a strategy for one of some values; equal ones are cached."""


@st.composite
def rules(draw, deal, depth=2) -> str:
    groups = tuple(deal.positions_by_role)
    several = tuple([name for name, places in deal.positions_by_role.items() if len(places) > 1])
    single = tuple([name for name, places in deal.positions_by_role.items() if len(places) == 1])
    pairs = tuple([name for name in several if len(deal.positions_by_role[name]) == 2])
    kinds = (*KINDS, *single, *(f"{one}.{what}" for one in single for what in ("rank", "suit", "color")))
    facts = (*FACTS, "three of a kind") if deal.card_count >= 3 else FACTS

    def said(words) -> str:
        group = draw(one_of(("", *groups)))
        return (f"{group}." if group else "") + draw(one_of(words))

    def counted() -> str:
        return f"{said(('count',))}({', '.join(draw(st.lists(one_of(kinds), min_size=1, max_size=2)))})"

    def number() -> str:
        choices = [lambda: said(NUMBERS), counted, lambda: str(draw(st.integers(0, 21)))]
        choices += [lambda: f"{draw(one_of(single))}.rank"] if single else []
        return chosen(choices)

    def chosen(choices) -> str:
        """Return a strategy for one of several values, built only when chosen."""
        return choices[draw(one_of(range(len(choices))))]()

    def leaf() -> str:
        choices = [
            lambda: draw(one_of(facts)),
            lambda: f"{number()} {draw(one_of(SIGNS))} {number()}",
            lambda: f"{number()} {draw(one_of('+-'))} {number()} == {number()}",
            lambda: f"{number()} in ({draw(st.integers(0, 21))}, {draw(st.integers(0, 21))})",
            lambda: f"{said(('has', 'all'))}({draw(one_of(KINDS))})",
        ]
        if several:
            choices.append(lambda: f"{draw(one_of(several))}.{draw(one_of(FACTS[:4]))}")
        if deal.card_count >= 3:
            choices.append(lambda: f"{draw(one_of(('best', 'any')))} three.{draw(one_of(HANDS_OF_THREE))}")
        if pairs:
            choices += [lambda word=word: f"{draw(one_of(pairs))}.{word}" for word in ("blackjack", "A-K", "7-7")]
        return chosen(choices)

    if depth and draw(st.booleans()):
        left, right = draw(rules(deal, depth - 1)), draw(rules(deal, depth - 1))
        return draw(st.sampled_from([f"({left}) and ({right})", f"({left}) or ({right})", f"not ({left})"]))
    return leaf()


@st.composite
def coup_rules(draw, depth=2) -> str:
    """Draw rules about a baccarat coup, its hands, their first two cards and their third cards."""
    hands, firsts, thirds = ("player", "banker"), ("player_first", "banker_first"), ("player_third", "banker_third")
    kinds = (*KINDS, *thirds, *(f"{one}.{what}" for one in thirds for what in ("rank", "suit", "color")))

    def of(*groups) -> str:
        """Draw roles that a rule refers to, or all cards."""
        return draw(one_of(("", *(f"{one}." for one in groups))))

    def chosen(choices) -> str:
        return choices[draw(one_of(range(len(choices))))]()

    def counted() -> str:
        return (
            f"{of(*hands, *firsts, *thirds)}count({', '.join(draw(st.lists(one_of(kinds), min_size=1, max_size=2)))})"
        )

    def number() -> str:
        return chosen(
            [
                counted,
                lambda: f"{of(*hands, *firsts, *thirds)}{draw(one_of((*NUMBERS, 'cards')))}",
                lambda: "margin",
                lambda: f"{draw(one_of(thirds))}.rank",
                lambda: str(draw(st.integers(0, 14))),
            ]
        )

    def leaf() -> str:
        of_coups = ("player wins", "banker wins", "tie", "player.natural", "banker_first.natural")
        of_ranks = ("player_first.A-K", "player.8-8", "banker.5-5-5", "banker_third.cards == 0")
        return chosen(
            [
                lambda: draw(one_of(of_coups)),
                lambda: f"{of(*hands, *firsts)}{draw(one_of(FACTS))}",
                lambda: f"{number()} {draw(one_of(SIGNS))} {number()}",
                lambda: f"{number()} {draw(one_of('+-'))} {number()} == {number()}",
                lambda: f"{of(*hands, *thirds)}{draw(one_of(('has', 'all')))}({draw(one_of(KINDS))})",
                lambda: draw(one_of(of_ranks)),
            ]
        )

    if depth and draw(st.booleans()):
        left, right = draw(coup_rules(depth - 1)), draw(coup_rules(depth - 1))
        return draw(st.sampled_from([f"({left}) and ({right})", f"({left}) or ({right})", f"not ({left})"]))
    return leaf()


@st.composite
def drawn_rules(draw, depth=2) -> str:
    """Rules about the dealer's finished hand with its leading cards of a color."""
    numbers = (*LEADING, *LEADING, "cards", "total", "hard total", "count(tens)", "up.rank")

    def leaf() -> str:
        number, sign, other = (draw(one_of(choices)) for choices in (numbers, SIGNS, (*numbers, *"12345")))
        compared = f"{number} {sign} {other}"
        return draw(one_of((compared, compared, f"{number} in (1, 2, 17)", "suited", "same color", "bust")))

    if depth and draw(st.booleans()):
        left, right = draw(drawn_rules(depth - 1)), draw(drawn_rules(depth - 1))
        return draw(st.sampled_from([f"({left}) and ({right})", f"({left}) or ({right})", f"not ({left})"]))
    return leaf()


card_lists = st.lists(
    st.sampled_from([card for card in ALL_CARDS if card.rank in (2, 5, 9, 10, 13, 14)]), min_size=5, max_size=7
)
DRAWN_LADDERS = [
    ("dealer:h17", ["bust and suited", "bust and same color", "bust", "total == 21"], None),
    ("dealer:s17", ["8-8-8", "up.has(A) and cards > 2", "dealer.has(K) and pair", "dealer.all(tens)"], "not blackjack"),
    ("dealer:h17", ["straight", "high == K", "count(5, 9) == 1", "points == 7 or cards - 2 == 1"], "up.rank >= 5"),
    (
        "player:1, dealer:h17",
        ["player.has(A) and dealer.bust", "player.rank < up.rank", "player.count(up.rank) == 1"],
        None,
    ),
    (
        "player:1, dealer:s17",
        ["player.has(hearts) and dealer.suited", "dealer.same color", "dealer.count(player.rank) == 1 and up.has(9)"],
        None,
    ),
    (
        "player:2, dealer:h17",
        ["player.blackjack and dealer.bust", "player.suited and dealer.suited", "player.count(tens) == 1"],
        "not dealer.blackjack",
    ),
    ("dealer:h17", ["leading reds >= 3", "bust and leading reds == 2", "leading blacks > 1 and suited"], None),
    (
        "dealer:s17",
        ["leading reds == cards", "leading reds > 1 and pair", "total - leading reds == 17"],
        "up.rank < 10",
    ),
]
PIECES = st.sampled_from(
    [
        *sorted(RESERVED),
        "player",
        "up",
        "dealer",
        ".",
        "(",
        ")",
        ",",
        "==",
        "<",
        "+",
        "-",
        "7",
        "A",
        "7d",
        "A-K",
        "A-K-Q",
        "21",
    ]
)


@st.composite
def ladders(draw):
    deal = parse_deal(draw(st.sampled_from(DEALS)))
    texts = draw(st.lists(rules(deal), min_size=1, max_size=3))
    parsed = tuple(parse_rule(text, deal) for text in texts)
    must_tell = any(rule.roles for rule in parsed)
    return deal, parsed, must_tell or draw(st.booleans())


def pack_with(*compositions):
    """Return a pack of the ranks that the shoes have, which has fewer hands."""
    return Pack("few", tuple(sorted({card.rank for composition in compositions for card, _ in composition})))


small_compositions = st.lists(st.sampled_from(ALL_CARDS), min_size=4, max_size=7).map(
    lambda cards: Composition.of([*cards, cards[0]])
)
