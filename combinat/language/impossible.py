"""Comparisons that can never hold, whatever is dealt: an ace written as 1, more sevens than cards, a total too high."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from combinat.language.deal import Deal
from combinat.language.english import in_words
from combinat.language.tree import Compare, Literal, Measure, Rule, parts
from combinat.language.values import possible_values
from decks import Pack

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

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2, up:1")
    >>> list(impossible_comparisons(parse_rule("up.rank == 1 or suited", deal), deal, STANDARD))
    ["this never holds: the rank of the dealer's up card is 1 (ranks are 2 to 14; write A for an ace)"]
    """
    for node in dict.fromkeys(parts(rule.fact)):
        if isinstance(node, Compare):
            left, right = (possible_values(side, deal, pack) for side in (node.left, node.right))
            if left is None or right is None:
                continue
            if not any(_HOLDS[node.sign](one, other) for one in left for other in right):
                said = in_words(Rule("", node, rule.roles), deal).removesuffix(" (aces high)")
                yield f"this never holds: {said} ({_why(node, deal, pack)})"


def _why(compare: Compare, deal: Deal, pack: Pack) -> str:
    by_rank = any(node.word.is_rank for node in parts(compare) if isinstance(node, Measure))
    written = {node.value for node in parts(compare) if isinstance(node, Literal)}
    if by_rank:
        ranks = sorted(map(int, pack.ranks))
        gaps = [str(rank) for rank in range(ranks[0], ranks[-1]) if rank not in ranks]
        without = f" without {', '.join(gaps)}" if gaps else ""
        hint = "; write A for an ace" if 1 in written else ""
        return f"ranks are {ranks[0]} to {ranks[-1]}{without}{hint}"
    sides = [
        possible_values(side, deal, pack) for side in (compare.left, compare.right) if not isinstance(side, Literal)
    ]
    return (
        " and ".join(f"it is {min(values)} to {max(values)}" for values in sides if values)
        or "these numbers are written so"
    )
