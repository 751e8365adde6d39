"""Bets on dealt cards and the dealer's up card beside bets on the dealer's finished hand, in one round.

Each hand of the players' is taken from the shoe, and the dealer draws from what is left. A finished hand of some suits
is as likely with one up card as with another of the same rank and of these suits, for what follows depends on the cards
left of each rank alone. So what is weighed for a rank of the up card is shared out among the very cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import perm, prod

from combinat.enumeration.dealer.counting import DealerDraw, RankClassCounts
from combinat.enumeration.dealer.enumerator import EVERY_SUIT_DIFFERS, Scope
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.spots import award_table
from combinat.enumeration.symmetry import SuitPermutation, renamings_keeping_rules
from combinat.exact.numbers import exact_div
from decks import Composition, InputError
from decks.cards import ALL_CARDS

_MOST_DEALT = 2
_DEALER = "dealer"

Pairs = dict[tuple[int, int], int]
"""For a rule about the dealt cards and one about the finished hand, the ways of outcomes that both take."""


def joint_counts_with_fixed(fixed: FixedEnumerator, draw: DealerDraw, composition: Composition) -> Pairs | None:
    """Count the outcomes of each pair of rules; `None` where dealt cards are too many, or more than the up card is his.

    Every outcome must be taken by one of the rules of either ladder, and no condition may leave any out.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD, Shoe
    >>> def sorted_by(deal, rule):
    ...     rules = tuple(parse_rule(text, deal) for text in (rule, f"not ({rule})"))
    ...     return experiment(deal, STANDARD, Ladder(rules), roles_distinct=True)
    >>> up, drawn = parse_deal("up:1"), parse_deal("dealer:h17")
    >>> found = joint_counts_with_fixed(sorted_by(up, "has(A)"), sorted_by(drawn, "blackjack"), Shoe(1).composition)
    >>> found[0, 0] * 51 == 16 * (found[0, 0] + found[0, 1])  # of 51 cards sixteen make a blackjack with an ace
    True
    """
    held = fixed.deal.cards_held
    own = [place for place, (holder, _) in enumerate(held) if holder != _DEALER]
    ups = [place for place, (holder, _) in enumerate(held) if holder == _DEALER]
    if (
        draw.deal.roles
        or draw.leading_colors
        or len(own) > _MOST_DEALT
        or fixed.pack.jokers
        or any(held[place][1] for place in ups)
    ):
        return None
    table = award_table(fixed).transpose([*own, *ups])
    hands = _hands(fixed, draw, composition, len(own))
    shoes = [composition.remove(ALL_CARDS[card] for card in hand) for hand in hands]
    found: Counter[tuple[int, int]] = Counter()
    for (hand, times), by_card in zip(hands.items(), _by_up_card(draw, shoes), strict=True):
        for card, ways in by_card.items():
            taken = int(table[(*hand, card)] if ups else table[hand])
            for rule, many in enumerate(ways):
                found[taken, rule] += times * many
    return {pair: ways for pair, ways in found.items() if ways}


def _hands(fixed: FixedEnumerator, draw: DealerDraw, composition: Composition, cards: int) -> Counter[tuple[int, ...]]:
    """The players' cards in order, those that differ by a renaming that nobody notices as one, with their ways."""
    alike = set(renamings_keeping_rules(draw.ladder.rules))
    renamings: list[SuitPermutation] = [one for one in fixed.renamings_at(composition) if one in alike]
    found: Counter[tuple[int, ...]] = Counter()
    for hand in product(range(len(ALL_CARDS)), repeat=cards):
        if ways := prod(perm(composition.counts[card], many) for card, many in Counter(hand).items()):
            found[min(tuple(card // 4 * 4 + one[card % 4] for card in hand) for one in renamings)] += ways
    return found


def _by_up_card(draw: DealerDraw, shoes: Sequence[Composition]) -> Iterator[dict[int, list[int]]]:
    """For each shoe the ways of every rule with each card up, by the place of the card in a shoe."""
    blocks = list(draw.blocks(EVERY_SUIT_DIFFERS))
    scopes = list(dict.fromkeys(term.scope for block in blocks for term in block.suits.terms))
    cells = [RankClassCounts(draw, shoe) for shoe in shoes]
    after = cells[0].after(draw)
    states = list(dict.fromkeys(one.of(scope) for one in cells for scope in scopes))
    weights = dict(zip(states, draw.group_sums.at(states, [after] * len(states)), strict=True))
    for shoe, one in zip(shoes, cells, strict=True):
        found = {place: [0] * len(draw.ladder.rules) for place, count in enumerate(shoe.counts) if count}
        for block in blocks:
            parts = draw.verdicts.groups[draw.verdicts.of[block.situation]]
            for term in block.suits.terms:
                weighed = weights[one.of(term.scope)]
                for rule, groups in enumerate(parts.wins):
                    for group in groups:
                        for place, ways in _split_by_card(weighed[group], draw.up_of(group), term.scope, shoe):
                            found[place][rule] += term.sign * block.times * ways
        if sum(map(sum, found.values())) != perm(shoe.size, one.length):
            raise InputError(
                f"a shoe of {shoe.size} cards can run out before the dealer's hand is finished; "
                "no probability can be given"
            )
        yield found


def _split_by_card(ways: int, ranks: Sequence[int], scope: Scope, shoe: Composition) -> Iterator[tuple[int, int]]:
    """Share the ways of hands with an up card of some ranks and suits out among the cards that it can be."""
    places = [(rank - 2) * 4 + suit for rank in ranks for suit in scope]
    every = sum(shoe.counts[place] for place in places)
    if ways:
        yield from ((place, exact_div(ways * shoe.counts[place], every)) for place in places if shoe.counts[place])
