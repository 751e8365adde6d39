"""Static checks of rules: possible values of numbers, comparisons that never hold, and the roles of words.

The checks find mistakes such as an ace written as 1, more sevens than cards, or a total that is too high.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from combinat.language.deal import Deal
from combinat.language.english import describe_rule
from combinat.language.poker import best_word
from combinat.language.rules import (
    COMPARISONS,
    CardCount,
    Literal,
    Node,
    Number,
    NumberComparison,
    NumberWord,
    Predicate,
    Ranks,
    Rule,
    SameAs,
    Sum,
    walk,
)
from combinat.language.words import JOKERS, Kind, Positions, Word
from decks import Pack


def possible_values(number: Number, deal: Deal, pack: Pack) -> frozenset[int] | None:
    """Return a superset of the values of a number; `None` if they are unknown.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2, up:1")
    >>> sorted(possible_values(parse_quantity("player.count(7) + 1", deal).number, deal, STANDARD))
    [1, 2, 3]
    """
    match number:
        case Literal(value):
            return frozenset({value})
        case CardCount(positions):
            return frozenset(range(deal.max_cards(positions) + 1))
        case NumberWord(word) if word.is_rank and not word.bounds:
            return frozenset(map(int, pack.ranks))
        case NumberWord(word, positions):
            values = deal.possible_values(word, positions)
            return None if values is None else frozenset(values)
        case Sum(left, right, sign):
            left_values, right_values = possible_values(left, deal, pack), possible_values(right, deal, pack)
            if left_values is None or right_values is None:
                return None
            return frozenset(
                left_value + sign * right_value for left_value in left_values for right_value in right_values
            )


def impossible_comparisons(rule: Rule, deal: Deal, pack: Pack) -> Iterator[str]:
    """Iterate over warnings about comparisons in a rule that never hold.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2, up:1")
    >>> list(impossible_comparisons(parse_rule("up.rank == 1 or suited", deal), deal, STANDARD))
    ["this never holds: the rank of the dealer's up card is 1 (ranks are 2 to 14; write A for an ace)"]
    """
    for node in dict.fromkeys(walk(rule.fact)):
        if isinstance(node, NumberComparison):
            left_values, right_values = (possible_values(side, deal, pack) for side in (node.left, node.right))
            if left_values is None or right_values is None:
                continue
            if not any(
                COMPARISONS[node.sign](left_value, right_value)
                for left_value in left_values
                for right_value in right_values
            ):
                sentence = describe_rule(Rule("", node, rule.roles), deal).removesuffix(" (aces high)")
                yield f"this never holds: {sentence} ({_explain_impossible(node, deal, pack)})"


def _explain_impossible(compare: NumberComparison, deal: Deal, pack: Pack) -> str:
    has_ranks = any(node.word.is_rank for node in walk(compare) if isinstance(node, NumberWord))
    literals = {node.value for node in walk(compare) if isinstance(node, Literal)}
    if has_ranks:
        ranks = sorted(map(int, pack.ranks))
        gaps = [str(rank) for rank in range(ranks[0], ranks[-1]) if rank not in ranks]
        without = f" without {', '.join(gaps)}" if gaps else ""
        hint = "; write A for an ace" if 1 in literals else ""
        return f"ranks are {ranks[0]} to {ranks[-1]}{without}{hint}"
    value_sets = [
        possible_values(side, deal, pack) for side in (compare.left, compare.right) if not isinstance(side, Literal)
    ]
    return (
        " and ".join(f"it is {min(values)} to {max(values)}" for values in value_sets if values)
        or "both numbers are fixed"
    )


WITHOUT_ROLE = "by itself"
"""The label for a word without a role: it applies to all cards, or to the deal as a unit."""
_ANY_RANK = 7


def _groups_accepting(deal: Deal, make_node: Callable[[Positions], Node | None]) -> tuple[str, ...]:
    """Return the names of the groups of cards for which `make_node` returns a valid node, all cards first."""
    groups = {**({WITHOUT_ROLE: deal.all_positions} if deal.all_positions else {}), **deal.positions_by_role}
    nodes = {name: make_node(positions) for name, positions in groups.items()}
    return tuple(name for name, node in nodes.items() if node is not None and not deal.check_node(node))


def groups_for_word(word: Word, deal: Deal) -> tuple[str, ...]:
    """Return the names of the groups of cards that a word can describe.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.words import FACTS
    >>> groups_for_word(FACTS["pair"], parse_deal("player:2, up:1"))
    ('by itself', 'player')
    """
    is_fact = word.name in deal.vocabulary.facts

    def make_node(positions: Positions) -> Node | None:
        size, (min_size, max_size) = deal.size(positions), word.sizes
        if (size is not None and not min_size <= size <= max_size) or (
            word.is_about_deal and positions != deal.all_positions
        ):
            return None
        return Predicate(word, positions) if is_fact else NumberWord(word, positions)

    return _groups_accepting(deal, make_node)


def groups_for_best(size: int, deal: Deal) -> tuple[str, ...]:
    """Return the groups for which a rule can ask about the best hand of `size` cards."""
    if not deal.ranks_hands:
        return ()
    word = best_word("flush", size)
    return _groups_accepting(
        deal, lambda positions: Predicate(word, positions) if (deal.size(positions) or 0) >= size else None
    )


def groups_for_count(kind: Kind, deal: Deal) -> tuple[str, ...]:
    """Return the groups in which cards of a kind can be counted; jokers only in deals that rank poker hands."""
    if kind == JOKERS and not deal.ranks_hands:
        return ()
    return _groups_accepting(deal, lambda positions: CardCount(positions, (kind,)))


def groups_for_rank_list(deal: Deal, count: int) -> tuple[str, ...]:
    """Return the groups of cards for which a list of `count` ranks can be written, as A-K-Q for three.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> groups_for_rank_list(parse_deal("player:2, up:1"), 3), groups_for_rank_list(parse_deal("player:2, up:1"), 2)
    (('by itself',), ('player',))
    """

    def make_node(positions: Positions) -> Node | None:
        return Ranks(positions, (_ANY_RANK,) * count) if deal.size(positions) in (count, None) else None

    return _groups_accepting(deal, make_node)


def list_lengths(deal: Deal) -> tuple[int, ...]:
    """Return the lengths, two to seven, that a list of ranks for a group of cards can have."""
    groups = [*deal.positions_by_role.values(), *([deal.all_positions] if deal.all_positions else [])]
    lengths = {deal.size(positions) or min(deal.max_cards(positions), 3) for positions in groups}
    lengths |= {deal.max_cards(positions) for positions in groups if deal.size(positions) is None}
    return tuple(sorted(length for length in lengths if 2 <= length <= 7))


def groups_for_match(role: str, aspect: str, deal: Deal) -> tuple[str, ...]:
    """Return the groups whose cards can be compared with the single card of a role."""
    position = deal.positions_by_role[role][0]
    return _groups_accepting(
        deal, lambda positions: CardCount(positions, (SameAs(position, aspect),)) if positions != (position,) else None
    )


def single_roles(deal: Deal) -> tuple[str, ...]:
    """Return the roles with exactly one card, with which other cards can be compared."""
    role_by_positions: dict[Positions, str] = {}
    for role, positions in deal.positions_by_role.items():
        if len(positions) == 1 and deal.max_cards(positions) == 1:
            role_by_positions.setdefault(positions, role)  # a card may have two names
    return tuple(role_by_positions.values())
