"""Joint counts of a bet on dealt cards or the up card and a bet on the dealer's finished hand, in one round.

Each player's hand is removed from the shoe, and the dealer draws from the remaining cards. Given its rank and suit
class, every card is equally likely to be the up card, because the draw depends only on the remaining cards of each
rank. So the ways of a rank of the up card are divided among its cards in proportion to their copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import perm, prod

from combinat.enumeration.dealer.counting import RankClassCounts
from combinat.enumeration.dealer.enumerator import ASYMMETRIC_COMPOSITION, DealerDraw
from combinat.enumeration.dealer.evaluator import Scope
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.spots import build_award_array
from combinat.enumeration.symmetry import SuitPermutation, rule_stabilizer
from combinat.exact.numbers import exact_div
from decks import Composition, InputError
from decks.cards import ALL_CARDS

_MAX_DEALT_CARDS = 2
_DEALER = "dealer"

Pairs = dict[tuple[int, int], int]
"""For a rule about the dealt cards and one about the finished hand, the ways of outcomes that both win."""


def count_jointly_with_fixed(fixed: FixedEnumerator, draw: DealerDraw, composition: Composition) -> Pairs | None:
    """Count the outcomes of each pair of rules; `None` with too many dealt cards, or if the hole card is dealt.

    Each ladder must take every outcome by one of its rules, without a condition.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD, Shoe
    >>> def split_by(deal, rule):
    ...     rules = tuple(parse_rule(text, deal) for text in (rule, f"not ({rule})"))
    ...     return experiment(deal, STANDARD, Ladder(rules), roles_distinct=True)
    >>> up, drawn = parse_deal("up:1"), parse_deal("dealer:h17")
    >>> fixed, draw = split_by(up, "has(A)").enumerator, split_by(drawn, "blackjack").draw
    >>> pairs = count_jointly_with_fixed(fixed, draw, Shoe(1).composition)
    >>> pairs[0, 0] * 51 == 16 * (pairs[0, 0] + pairs[0, 1])  # of 51 cards sixteen make a blackjack with an ace
    True
    """
    holders = fixed.deal.holders
    player_positions = [position for position, (holder, _) in enumerate(holders) if holder != _DEALER]
    up_positions = [position for position, (holder, _) in enumerate(holders) if holder == _DEALER]
    if (
        draw.deal.roles
        or draw.leading_colors
        or len(player_positions) > _MAX_DEALT_CARDS
        or fixed.pack.jokers
        or any(holders[position][1] for position in up_positions)
    ):
        return None
    awards = build_award_array(fixed).transpose([*player_positions, *up_positions])
    hands = _count_hands(fixed, draw, composition, len(player_positions))
    shoes = [composition.remove(ALL_CARDS[card] for card in hand) for hand in hands]
    pairs: Counter[tuple[int, int]] = Counter()
    for (hand, multiplicity), ways_by_card in zip(hands.items(), _iter_ways_by_up_card(draw, shoes), strict=True):
        for card, ways in ways_by_card.items():
            award_index = int(awards[(*hand, card)] if up_positions else awards[hand])
            for rule_index, count in enumerate(ways):
                pairs[award_index, rule_index] += multiplicity * count
    return {pair: ways for pair, ways in pairs.items() if ways}


def _count_hands(
    fixed: FixedEnumerator, draw: DealerDraw, composition: Composition, card_count: int
) -> Counter[tuple[int, ...]]:
    """Return the players' ordered hands with their ways, one representative per orbit of suit permutations."""
    rule_symmetries = set(rule_stabilizer(draw.ladder.rules))
    symmetries: list[SuitPermutation] = [
        permutation for permutation in fixed.suit_permutations_at(composition) if permutation in rule_symmetries
    ]
    hands: Counter[tuple[int, ...]] = Counter()
    for hand in product(range(len(ALL_CARDS)), repeat=card_count):
        if ways := prod(perm(composition.counts[card], count) for card, count in Counter(hand).items()):
            hands[min(tuple(card // 4 * 4 + permutation[card % 4] for card in hand) for permutation in symmetries)] += (
                ways
            )
    return hands


def _iter_ways_by_up_card(draw: DealerDraw, shoes: Sequence[Composition]) -> Iterator[dict[int, list[int]]]:
    """Yield, for each shoe, the ways of every rule by the card index of the up card."""
    blocks = list(draw.blocks(ASYMMETRIC_COMPOSITION))
    scopes = list(dict.fromkeys(term.scope for block in blocks for term in block.suits.terms))
    class_counts = [RankClassCounts(draw, shoe) for shoe in shoes]
    following_ways = class_counts[0].following_ways(draw)
    states = list(
        dict.fromkeys(shoe_class_counts.in_scope(scope) for shoe_class_counts in class_counts for scope in scopes)
    )
    weights = dict(zip(states, draw.group_sums.ways_at_states(states, [following_ways] * len(states)), strict=True))
    for shoe, shoe_class_counts in zip(shoes, class_counts, strict=True):
        ways_by_card = {card: [0] * len(draw.ladder.rules) for card, count in enumerate(shoe.counts) if count}
        for block in blocks:
            partition = draw.group_partitions.partitions[draw.group_partitions.index_by_situation[block.situation]]
            for term in block.suits.terms:
                group_ways = weights[shoe_class_counts.in_scope(term.scope)]
                for rule_index, groups in enumerate(partition.wins):
                    for group in groups:
                        for card, ways in _split_by_card(group_ways[group], draw.up_of(group), term.scope, shoe):
                            ways_by_card[card][rule_index] += term.sign * block.multiplicity * ways
        if sum(map(sum, ways_by_card.values())) != perm(shoe.size, shoe_class_counts.length):
            raise InputError(
                f"a shoe of {shoe.size} cards can run out before the dealer's hand is finished; "
                "no probability can be given"
            )
        yield ways_by_card


def _split_by_card(ways: int, ranks: Sequence[int], scope: Scope, shoe: Composition) -> Iterator[tuple[int, int]]:
    """Divide the ways of hands whose up card has given ranks and suits among the cards that it can be."""
    cards = [(rank - 2) * 4 + suit for rank in ranks for suit in scope]
    total = sum(shoe.counts[card] for card in cards)
    if ways:
        yield from ((card, exact_div(ways * shoe.counts[card], total)) for card in cards if shoe.counts[card])
