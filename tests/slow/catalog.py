"""The awards of the catalog written in Python, without the rule language.

Each function gets the player's cards and the up card as (rank, suit) and returns the award's index, or `None`.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

TYPES = [(rank, suit) for rank in range(2, 15) for suit in "cdhs"]


def _poker(cards):
    ranks = sorted(rank for rank, _ in cards)
    flush = len({suit for _, suit in cards}) == 1
    straight = ranks in [[2, 3, 14]] + [[low, low + 1, low + 2] for low in range(2, 13)]
    trips = ranks[0] == ranks[2]
    pair = len(set(ranks)) == 2
    return ranks, flush, straight, trips, pair


def _first(*tests):
    return next((index for index, test in enumerate(tests) if test), None)


def trilux_deluxe(player, up):
    _, flush, straight, trips, _ = _poker([*player, up])
    return _first(flush and straight, trips, straight, flush)


def tri_01(player, up):
    _, flush, straight, trips, _ = _poker([*player, up])
    return _first(trips, flush and straight, straight, flush)


def tri_02(player, up):
    _, flush, straight, trips, pair = _poker([*player, up])
    return _first(trips, flush and straight, straight, flush, pair)


def tri_03(player, up):
    ranks, flush, straight, trips, _ = _poker([*player, up])
    return _first(flush and ranks == [12, 13, 14], flush and straight, trips, straight, flush)


def super_3(player, up):
    _, flush, straight, trips, _ = _poker([*player, up])
    return _first(trips and flush, straight and flush, trips)


def jackpot(player, up):
    ranks, flush, straight, trips, _ = _poker([*player, up])
    return _first(trips and flush and ranks[0] == 14, trips and flush, straight and flush, trips, straight, flush)


@lru_cache(maxsize=None)  # paytables that differ only in pays are counted once
def progressive(top_ranks, flush_pays=True):
    def award(player, up):
        ranks, flush, straight, trips, _ = _poker([*player, up])
        top = trips and flush and ranks[0] in top_ranks
        declared = top and up[1] == "h"
        return _first(
            declared, top, trips and flush, straight and flush, trips, straight, *([flush] if flush_pays else [])
        )

    return award


@lru_cache(maxsize=None)
def blazing(*three_sevens):
    """Three 7s are tested in the given order; then two and one of the player's own."""

    def award(player, up):
        suits = {suit for _, suit in [*player, up]}
        color = {suit in "dh" for suit in suits}
        tests = {
            "diamonds": suits == {"d"},
            "suited": len(suits) == 1,
            "color": len(color) == 1,
            "any": True,
        }
        own = [rank for rank, _ in player].count(7)
        three = own == 2 and up[0] == 7
        return _first(*(three and tests[name] for name in three_sevens), own == 2, own == 1)

    return award


def house_money(player, _up):
    (a, s), (b, t) = sorted(player)
    suited = s == t
    straight = b == a + 1 or (a, b) == (2, 14)
    return _first((a, b) == (13, 14) and suited, straight and suited, a == b, straight)


def bonus_9(player, up):
    points = sum({14: 1}.get(rank, rank if rank < 10 else 0) for rank, _ in [*player, up]) % 10
    return _first(points == 9 and len({suit for _, suit in [*player, up]}) == 1, points == 9)


def suited_or_booted(player, third):
    wheel = {2, 3, 14}
    own = {rank for rank, _ in player}
    suited = player[0][1] == player[1][1]
    started = suited and len(own) == 2 and own <= wheel
    return _first(started and own | {third[0]} == wheel and third[1] == player[0][1], started, suited)


def red_flex(dealer):
    """The award of the dealer's finished hand, whose cards are in the order dealt."""
    colors = "".join("r" if suit in "dh" else "b" for _, suit in dealer)
    reds = len(colors) - len(colors.lstrip("r"))
    return _first(reds >= 7, *(reds == many for many in (6, 5, 4, 3, 2)))


BLAZING = {"1": blazing("suited", "color", "any")}
BLAZING |= dict.fromkeys(("2", "ML03", "ML04"), blazing("diamonds", "suited", "color", "any"))
LADDERS = {
    "TRILXDLX-01": trilux_deluxe,
    "TRI-01": tri_01,
    "TRI-02": tri_02,
    "TRI-03": tri_03,
    "TRI-04": trilux_deluxe,
    "SUP-01": super_3,
    "TBJ-06-2024": jackpot,
    "TBJ-06-2020": jackpot,
    **{f"BLZ-{id}-UP": ladder for id, ladder in BLAZING.items()},
    **{f"BLZ-{id}-PC": ladder for id, ladder in BLAZING.items()},
    "HM-1": house_money,
    "HM-2": house_money,
    "BN9-EXAMPLE": bonus_9,
    "SOB-EXAMPLE": suited_or_booted,
    **{f"21+3-PT{n}": progressive(frozenset({14, 13})) for n in (1, 4, 7)},
    **{f"21+3-PT{n}": progressive(frozenset({14, 13, 12})) for n in (2, 5, 8)},
    **{f"21+3-PT{n}": progressive(frozenset({14})) for n in (3, 6, 9)},
    "21+3-PT10": progressive(frozenset({14, 13}), flush_pays=False),
    "21+3-PT11": progressive(frozenset({14}), flush_pays=False),
}
DRAWN = dict.fromkeys(("RED-FLEX", "RED-FLEX-2", "RED-FLEX-S17"), red_flex)
"""Awards of the dealer's finished hand in the order dealt."""


@lru_cache(maxsize=None)
def enumerate_shoes(ladder, awards: int, with_up_card: bool, shoes=range(1, 9)) -> dict[int, list[int]]:
    """Count, for each number of decks, the ordered hands of every award (last: losing hands), by card type.

    A hand is the player's two cards in either order and then the up card, each drawn from the remaining shoe.
    """
    # The ways of a hand depend only on which of its cards are equal.
    alike = Counter()
    for player in combinations_with_replacement(TYPES, 2):
        for up in TYPES if with_up_card else [None]:
            place = ladder(player, up)
            alike[awards if place is None else place, player[0] == player[1], player.count(up)] += 1
    counts = {decks: [0] * (awards + 1) for decks in shoes}
    for (place, same, like_up), hands in alike.items():
        for decks in shoes:
            ways = comb(decks, 2) if same else decks * decks
            counts[decks][place] += hands * ways * (decks - like_up if with_up_card else 1)
    return counts
