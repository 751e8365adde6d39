"""Every ordered deal of physical cards."""

from itertools import permutations
from math import factorial, prod

from tests.slow.rules import judge


def physical_cards(composition) -> list:
    """Return the cards of a composition one by one."""
    return [card for card, count in composition for _ in range(count)]


def count_ladder(composition, deal, rules, apart: bool) -> tuple[list[int], list[int], int]:
    """Count the hands that match each rule, those it wins, and the losing ones."""
    ordered_fits, ordered_takes = [0] * len(rules), [0] * (len(rules) + 1)
    judges = [judge(rule.fact) for rule in rules]
    for hand in permutations(physical_cards(composition), deal.card_count):
        judged = [fits(hand) for fits in judges]
        for index, fitting in enumerate(judged):
            ordered_fits[index] += fitting
        ordered_takes[judged.index(True) if True in judged else -1] += 1
    sizes = [size for _, size in deal.roles] if apart else [deal.card_count]
    orders = prod(factorial(size) for size in sizes)
    assert all(count % orders == 0 for count in ordered_fits + ordered_takes)
    return (
        [count // orders for count in ordered_fits],
        [count // orders for count in ordered_takes[:-1]],
        ordered_takes[-1] // orders,
    )
