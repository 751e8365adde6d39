"""Every deal of physical cards, one by one and in order."""

from itertools import permutations
from math import factorial, prod

from tests.slow.rules import judge


def physical_cards(composition) -> list:
    """Lay the cards of a composition out one by one."""
    return [card for card, count in composition for _ in range(count)]


def count_ladder(composition, deal, rules, apart: bool) -> tuple[list[int], list[int], int]:
    """Count the hands that fit each rule, those whose first rule it is, and those that fit none."""
    ordered_fits, ordered_takes = [0] * len(rules), [0] * (len(rules) + 1)
    judges = [judge(rule.fact) for rule in rules]
    for hand in permutations(physical_cards(composition), deal.card_count):
        judged = [fits(hand) for fits in judges]
        for place, fitting in enumerate(judged):
            ordered_fits[place] += fitting
        ordered_takes[judged.index(True) if True in judged else -1] += 1
    sizes = [size for _, size in deal.roles] if apart else [deal.card_count]
    orders = prod(factorial(size) for size in sizes)
    assert all(count % orders == 0 for count in ordered_fits + ordered_takes)
    return (
        [count // orders for count in ordered_fits],
        [count // orders for count in ordered_takes[:-1]],
        ordered_takes[-1] // orders,
    )
