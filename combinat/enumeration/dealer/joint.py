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

from combinat.enumeration.dealer.counting import DealerDraw, RankClassCounts
from combinat.enumeration.dealer.enumerator import ASYMMETRIC_COMPOSITION, Scope
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

    Every outcome must be taken by one of the rules of either ladder, and no condition may leave any out.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD, Shoe
    >>> def sorted_by(deal, rule):
    ...     rules = tuple(parse_rule(text, deal) for text in (rule, f"not ({rule})"))
    ...     return experiment(deal, STANDARD, Ladder(rules), roles_distinct=True)
    >>> up, drawn = parse_deal("up:1"), parse_deal("dealer:h17")
    >>> found = count_jointly_with_fixed(sorted_by(up, "has(A)"), sorted_by(drawn, "blackjack"), Shoe(1).composition)
    >>> found[0, 0] * 51 == 16 * (found[0, 0] + found[0, 1])  # of 51 cards sixteen make a blackjack with an ace
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
    table = build_award_array(fixed).transpose([*player_positions, *up_positions])
    hands = _count_hands(fixed, draw, composition, len(player_positions))
    shoes = [composition.remove(ALL_CARDS[card] for card in hand) for hand in hands]
    pairs: Counter[tuple[int, int]] = Counter()
    for (hand, multiplicity), by_card in zip(hands.items(), _iter_ways_by_up_card(draw, shoes), strict=True):
        for card, ways in by_card.items():
            award = int(table[(*hand, card)] if up_positions else table[hand])
            for rule, count in enumerate(ways):
                pairs[award, rule] += multiplicity * count
    return {pair: ways for pair, ways in pairs.items() if ways}


def _count_hands(
    fixed: FixedEnumerator, draw: DealerDraw, composition: Composition, cards: int
) -> Counter[tuple[int, ...]]:
    """Return the players' ordered hands with their ways, one representative per orbit of suit permutations."""
    rule_symmetries = set(rule_stabilizer(draw.ladder.rules))
    symmetries: list[SuitPermutation] = [
        permutation for permutation in fixed.suit_permutations_at(composition) if permutation in rule_symmetries
    ]
    hands: Counter[tuple[int, ...]] = Counter()
    for hand in product(range(len(ALL_CARDS)), repeat=cards):
        if ways := prod(perm(composition.counts[card], count) for card, count in Counter(hand).items()):
            hands[min(tuple(card // 4 * 4 + permutation[card % 4] for card in hand) for permutation in symmetries)] += (
                ways
            )
    return hands


def _iter_ways_by_up_card(draw: DealerDraw, shoes: Sequence[Composition]) -> Iterator[dict[int, list[int]]]:
    """Yield, for each shoe, the ways of every rule by the card index of the up card."""
    blocks = list(draw.blocks(ASYMMETRIC_COMPOSITION))
    scopes = list(dict.fromkeys(term.scope for block in blocks for term in block.suits.terms))
    cells = [RankClassCounts(draw, shoe) for shoe in shoes]
    following_ways = cells[0].after(draw)
    states = list(dict.fromkeys(counts.of(scope) for counts in cells for scope in scopes))
    weights = dict(zip(states, draw.group_sums.at(states, [following_ways] * len(states)), strict=True))
    for shoe, counts in zip(shoes, cells, strict=True):
        ways_by_card = {card: [0] * len(draw.ladder.rules) for card, count in enumerate(shoe.counts) if count}
        for block in blocks:
            partition = draw.verdicts.groups[draw.verdicts.of[block.situation]]
            for term in block.suits.terms:
                group_ways = weights[counts.of(term.scope)]
                for rule, groups in enumerate(partition.wins):
                    for group in groups:
                        for card, ways in _split_by_card(group_ways[group], draw.up_of(group), term.scope, shoe):
                            ways_by_card[card][rule] += term.sign * block.times * ways
        if sum(map(sum, ways_by_card.values())) != perm(shoe.size, counts.length):
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
