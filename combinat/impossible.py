"""Comparisons that can never hold, whatever is dealt: an ace written as 1, more sevens than cards, a total too high."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from combinat.deal import Deal
from combinat.rules import Compare, Count, Literal, Measure, Number, Places, Rule, Sum, parts
from combinat.wording import in_words
from decks import Pack

_BY_RANK = ("rank", "high", "low")
_LONGEST_DRAW = 22
"""More cards than a finished hand can have, as so many aces are bust."""
_HOLDS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def impossible_comparisons(rule: Rule, deal: Deal, pack: Pack) -> Iterator[str]:
    """Say of each comparison in a rule that never holds why it does not.

    >>> from combinat.deal import parse_deal
    >>> from combinat.grammar import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2, up:1")
    >>> list(impossible_comparisons(parse_rule("up.rank == 1 or suited", deal), deal, STANDARD))
    ["this never holds: the rank of the dealer's up card is 1 (ranks are 2 to 14; write A for an ace)"]
    """
    for node in dict.fromkeys(parts(rule.fact)):
        if isinstance(node, Compare):
            left, right = (_values(side, deal, pack) for side in (node.left, node.right))
            if not any(_HOLDS[node.sign](one, other) for one in left for other in right):
                said = in_words(Rule("", node, rule.roles), deal).removesuffix(" (aces high)")
                yield f"this never holds: {said} ({_why(node, deal, pack)})"


def _why(compare: Compare, deal: Deal, pack: Pack) -> str:
    words = {node.word for node in parts(compare) if isinstance(node, Measure)}
    written = {node.value for node in parts(compare) if isinstance(node, Literal)}
    if words & {*_BY_RANK}:
        ranks = sorted(map(int, pack.ranks))
        gaps = [str(rank) for rank in range(ranks[0], ranks[-1]) if rank not in ranks]
        without = f" without {', '.join(gaps)}" if gaps else ""
        hint = "; write A for an ace" if 1 in written else ""
        return f"ranks are {ranks[0]} to {ranks[-1]}{without}{hint}"
    sides = [_values(side, deal, pack) for side in (compare.left, compare.right) if not isinstance(side, Literal)]
    return " and ".join(f"it is {min(values)} to {max(values)}" for values in sides) or "these numbers are written so"


def _values(number: Number, deal: Deal, pack: Pack) -> frozenset[int]:
    """Give the values that a number can have, and perhaps some more."""
    match number:
        case Literal(value):
            return frozenset({value})
        case Count(places):
            return frozenset(range(_most_cards(places, deal) + 1))
        case Measure(word) if word in _BY_RANK:
            return frozenset(map(int, pack.ranks))
        case Measure(word, places):
            return frozenset(_measures(word, places, deal))
        case Sum(left, right, sign):
            return frozenset(
                one + sign * other for one in _values(left, deal, pack) for other in _values(right, deal, pack)
            )


def _most_cards(places: Places, deal: Deal) -> int:
    return _LONGEST_DRAW if places == deal.drawn else len(places)


def _measures(word: str, places: Places, deal: Deal) -> range:
    cards = len(places)
    if word == "points":
        return range(10)
    if places == deal.drawn:  # from a soft 17 with its ace as one, to a ten on 16
        return range(2, _LONGEST_DRAW + 1) if word == "cards" else range(17 if word == "total" else 7, 27)
    match word:
        case "cards":
            return range(cards, cards + 1)
        case "hard total":
            return range(cards, 10 * cards + 1)
        case _:
            most = 11 if cards == 1 else max(21, 10 * cards)
            return range(2 * cards, most + 1)
