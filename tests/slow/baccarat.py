"""Baccarat coup by coup: every order of six physical cards of a small shoe, played by the table's rules."""

from itertools import permutations

from tests.slow.deals import physical_cards
from tests.slow.rules import judge

BANKER_STANDS = {3: "8", 4: "0189", 5: "012389", 6: "01234589", 7: "0123456789"}
"""The drawing table: for the banker's points, the player's third cards against which the banker stands."""


def _worth(card) -> int:
    text = str(card)[:-1]
    return 1 if text == "A" else int(text) if text in "23456789" else 0


def play(cards) -> list:
    """Deal a coup from the top (player, banker, player, banker, then third cards); return its cards by position."""
    shoe = iter(cards)
    player, banker = [], []
    for _ in range(2):
        player.append(next(shoe))
        banker.append(next(shoe))
    points = [sum(map(_worth, hand)) % 10 for hand in (player, banker)]
    thirds = [[], []]
    if points[0] not in (8, 9) and points[1] not in (8, 9):
        if points[0] in (6, 7):
            draws = points[1] not in (6, 7)
        else:
            thirds[0] = [next(shoe)]
            draws = str(_worth(thirds[0][0])) not in BANKER_STANDS.get(points[1], "")
        if draws:
            thirds[1] = [next(shoe)]
    return [*player, thirds[0], *banker, thirds[1]]


def count_coups(composition, rules, given=None) -> tuple[list[int], list[int], int, int]:
    """Count the orders that match each rule, those it wins, the losing ones, and all of them."""
    matches, wins, every = [0] * len(rules), [0] * (len(rules) + 1), 0
    judges, is_given = [judge(rule.fact) for rule in rules], given and judge(given.fact)
    for cards in permutations(physical_cards(composition), 6):
        coup = play(cards)
        if is_given and not is_given(coup):
            continue
        judged = [fits(coup) for fits in judges]
        for index, fitting in enumerate(judged):
            matches[index] += fitting
        wins[judged.index(True) if True in judged else -1] += 1
        every += 1
    return matches, wins[:-1], wins[-1], every
