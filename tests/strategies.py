"""Rules and cards at random, for tests of several rooms."""

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
FACTS = ["suited", "same color", "rainbow", "straight", "straight flush", "pair", "same rank", "identical"]
NUMBERS = ["high", "low", "total", "hard total", "points"]
KINDS = ["7", "A", "8d", "Qh", "hearts", "clubs", "red", "black", "face", "tens"]
SIGNS = ["==", "!=", "<", "<=", ">", ">="]


@st.composite
def rules(draw, deal, depth=2) -> str:
    groups = deal.groups
    several = [name for name, places in groups.items() if len(places) > 1]
    single = [name for name, places in groups.items() if len(places) == 1]
    total = deal.cards_dealt

    def said(words, of):
        group = draw(st.sampled_from(["", *of]))
        return (f"{group}." if group else "") + draw(st.sampled_from(words))

    def number() -> str:
        kinds = [*KINDS, *single, *(f"{one}.{what}" for one in single for what in ("rank", "suit", "color"))]
        counted = (
            f"{said(['count'], groups)}({', '.join(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=2)))})"
        )
        choices = [said(NUMBERS, groups), counted, str(draw(st.integers(0, 21)))]
        choices += [f"{draw(st.sampled_from(single))}.rank"] if single else []
        return draw(st.sampled_from(choices))

    def leaf() -> str:
        choices = [
            said([*FACTS, *(["three of a kind"] if total >= 3 else [])], []),
            f"{number()} {draw(st.sampled_from(SIGNS))} {number()}",
            f"{number()} {draw(st.sampled_from('+-'))} {number()} == {number()}",
            f"{number()} in ({draw(st.integers(0, 21))}, {draw(st.integers(0, 21))})",
            f"{said(['has', 'all'], groups)}({draw(st.sampled_from(KINDS))})",
        ]
        if several:
            choices.append(f"{draw(st.sampled_from(several))}.{draw(st.sampled_from(FACTS[:4]))}")
            pairs = [name for name in several if len(groups[name]) == 2]
            choices += [f"{draw(st.sampled_from(pairs))}.{word}" for word in ("blackjack", "A-K", "7-7") if pairs]
        return draw(st.sampled_from(choices))

    if depth and draw(st.booleans()):
        left, right = draw(rules(deal, depth - 1)), draw(rules(deal, depth - 1))
        return draw(st.sampled_from([f"({left}) and ({right})", f"({left}) or ({right})", f"not ({left})"]))
    return leaf()


@st.composite
def coup_rules(draw, depth=2) -> str:
    """Rules about a coup of baccarat, its hands, their first two cards and their third cards."""
    hands, firsts, thirds = ["player", "banker"], ["player_first", "banker_first"], ["player_third", "banker_third"]

    def one_of(choices) -> str:
        return draw(st.sampled_from(choices))

    def number() -> str:
        group = one_of(["", *(f"{one}." for one in (*hands, *firsts, *thirds))])
        kinds = [*KINDS, *thirds, *(f"{one}.{what}" for one in thirds for what in ("rank", "suit", "color"))]
        counted = f"{group}count({', '.join(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=2)))})"
        plain = [
            f"{group}{one_of([*NUMBERS, 'cards'])}",
            "margin",
            f"{one_of(thirds)}.rank",
            str(draw(st.integers(0, 14))),
        ]
        return one_of([counted, *plain])

    def leaf() -> str:
        group = one_of(["", *(f"{one}." for one in (*hands, *firsts))])
        return one_of(
            [
                one_of(["player wins", "banker wins", "tie", "player.natural", "banker_first.natural"]),
                f"{group}{one_of(FACTS)}",
                f"{number()} {one_of(SIGNS)} {number()}",
                f"{number()} {one_of('+-')} {number()} == {number()}",
                f"{one_of(['', *(f'{one}.' for one in (*hands, *thirds))])}{one_of(['has', 'all'])}({one_of(KINDS)})",
                one_of(["player_first.A-K", "player.8-8", "banker.5-5-5", "banker_third.cards == 0"]),
            ]
        )

    if depth and draw(st.booleans()):
        left, right = draw(coup_rules(depth - 1)), draw(coup_rules(depth - 1))
        return one_of([f"({left}) and ({right})", f"({left}) or ({right})", f"not ({left})"])
    return leaf()


piles = st.lists(
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
    """A pack of the ranks that shoes have, of which there are fewer hands than of all."""
    return Pack("few", tuple(sorted({card.rank for composition in compositions for card, _ in composition})))


small_piles = st.lists(st.sampled_from(ALL_CARDS), min_size=4, max_size=7).map(
    lambda cards: Composition.of([*cards, cards[0]])
)
