"""Every outcome of a bet on the dealer's finished hand, with one hand of each class laid out as it could be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import perm

from msgspec import Struct
from msgspec.structs import replace

from combinat.dealer import stands
from combinat.dealer_draw import Block, DealerDraw, SuitClass
from combinat.outcomes import Outcome, Roles, beyond_the_middle
from combinat.paytable import Award, Paytable
from combinat.whole import MiscountError
from decks import Card, Composition, Rank, Suit

Found = tuple[Award | None, int, Block, int]
"""The award of a class, its ways, its block and its row in the table of finished hands."""


def _classes(paytable: Paytable, trial: DealerDraw, composition: Composition) -> Iterator[Found]:
    verdicts, members = trial.judged
    many = len(trial.ladder.rules)
    length = min(trial.length, composition.size)
    weighed: dict[tuple[int, ...], list[int]] = {}
    for block in _hands_once(trial, composition):
        dealt = trial.dealt_ways(block, composition)
        if not dealt:
            continue
        parts = []
        for sign, scope in block.suits.terms:
            left = trial.left(block, scope, composition)
            if left not in weighed:
                weighed[left] = trial.weights(left, composition.size, length)
            parts.append((sign, weighed[left]))
        for part, award in enumerate([*paytable.awards, None]):
            for group in verdicts[block.situation][many + part]:
                for row in members[group]:
                    ways = sum(sign * weights[row] for sign, weights in parts) * block.times * dealt // trial.orders
                    if ways:
                        yield award, ways, block, row


def _hands_once(trial: DealerDraw, composition: Composition) -> Iterator[Block]:
    """List the blocks, those that are one hand in two orders, such as 9d 9h and 9h 9d, put together."""
    found: dict[tuple[object, ...], Block] = {}
    places = [trial.deal.groups[role] for role, _ in trial.deal.roles]
    for block in trial.blocks(composition):
        suits = block.situation.suits or (0,) * len(block.letters)
        hand = tuple(tuple(sorted((block.letters[at], suits[at]) for at in role)) for role in places)
        key = (hand, block.suits)
        known = found.get(key)
        found[key] = replace(known, times=known.times + block.times) if known else block
    return iter(found.values())


def drawn_outcomes(paytable: Paytable, trial: DealerDraw, composition: Composition) -> Iterator[Outcome]:
    """List every class of outcomes: the roles' cards, the finished hand, and how its suits fall if a rule asks."""
    for found in _classes(paytable, trial, composition):
        yield _outcome(trial, found, composition)


def drawn_examples(paytable: Paytable, trial: DealerDraw, composition: Composition) -> tuple[Outcome | None, ...]:
    """Give a hand of the most usual length for each award."""
    by_award: dict[str, dict[int, list[Found]]] = {award.name: {} for award in paytable.awards}
    lengths = trial.table.lengths
    for found in _classes(paytable, trial, composition):
        award, _, _, row = found
        if award is not None:
            by_award[award.name].setdefault(lengths[trial.table.hand_of[row]], []).append(found)
    return tuple(
        _outcome(
            trial,
            beyond_the_middle(max(by_length.values(), key=lambda hands: sum(ways for _, ways, _, _ in hands))),
            composition,
        )
        if by_length
        else None
        for by_length in by_award.values()
    )


class DrawnStep(Struct, frozen=True):
    """The finished hands of one length that an award takes."""

    award: Award | None
    cards: int
    hands: int
    """Different finished hands with their up card, and how their suits fall if a rule asks."""
    orders: int
    """In how many orders of ranks the dealer draws them."""
    ways: int
    """The ways to draw just these cards one after the other, from all the shoe's cards."""
    of: int
    """The ways to draw any so many cards one after the other."""


def drawn_derivations(paytable: Paytable, trial: DealerDraw, composition: Composition) -> tuple[DrawnStep, ...]:
    """Derive the count of every award, and of hands that win nothing, by the number of cards drawn."""
    # Awards are told apart by their names, which are found faster than the awards themselves.
    totals: dict[tuple[str | None, int], list[int]] = {}
    for award, weight, _, row in _classes(paytable, trial, composition):
        drawn = trial.deal.cards + trial.table.lengths[trial.table.hand_of[row]]
        total = totals.setdefault((award.name if award else None, drawn), [0, 0, 0])
        total[0] += 1
        total[1] += trial.table.orders[row]
        total[2] += weight
    length, size = min(trial.length, composition.size), composition.size
    steps = []
    for award in (*paytable.awards, None):
        for cards in range(trial.length + 1):
            key = (award.name if award else None, cards)
            if key in totals:
                hands, orders, weight = totals[key]
                ways = weight * trial.orders // perm(size - cards, length - cards)
                steps.append(DrawnStep(award, cards, hands, orders, ways, perm(size, cards)))
    return tuple(steps)


def _outcome(trial: DealerDraw, found: Found, composition: Composition) -> Outcome:
    award, ways, block, row = found
    hand = trial.table.hands[trial.table.hand_of[row]]
    roles = _laid_out(trial, block, trial.table.ups[row], hand, composition)
    return Outcome(roles, ways, award, _in_words(block.suits))


def _in_words(suits: SuitClass) -> str:
    """Say how the suits of the finished hand fall."""
    widest = len(suits.terms[0][1])
    if widest == 4:
        return "both colors" if len(suits.terms) > 1 else "any suits"
    return "one suit" if widest == 1 else "one color, not one suit"


def _falls_so(suits: tuple[int, ...], kind: SuitClass) -> bool:
    """Whether the suits of a finished hand fall as the class says."""
    (_, widest), *without = kind.terms
    return set(suits) <= widest and not any(set(suits) <= scope for _, scope in without)


def _laid_out(trial: DealerDraw, block: Block, up: int, hand: tuple[int, ...], composition: Composition) -> Roles:
    """Lay out one hand of a class: cards that the shoe has, the dealer's in an order in which they can be drawn."""
    hits_soft_17 = trial.deal.draw == "h17"
    drawn = _drawing_order(tuple(letter[0] for letter in trial.table.letters), up, hand, hits_soft_17)
    letters = (*block.letters, *drawn)
    dealt = len(block.letters)
    taken: Counter[Card] = Counter()
    cards: list[Card] = []

    def choices(place: int) -> Iterator[Card]:
        known = block.situation.suits
        for step in range(4):
            suit = known[place] if place < dealt and known else (place + step) % 4
            for turn in range(len(trial.table.letters[letters[place]])):
                ranks = trial.table.letters[letters[place]]
                yield Card(Rank(ranks[(place + turn) % len(ranks)]), Suit(suit))

    def lay(place: int) -> bool:
        if place == len(letters):
            return _falls_so(tuple(card.suit for card in cards[dealt:]), block.suits)
        for card in choices(place):
            if taken[card] < composition[card] and (place < dealt or card.suit in block.suits.terms[0][1]):
                taken[card] += 1
                cards.append(card)
                if lay(place + 1):
                    return True
                taken[card] -= 1
                cards.pop()
        return False

    if not lay(0):
        raise MiscountError(f"a class with ways has no hand: {letters}")
    names = [(role, trial.deal.groups[role]) for role, _ in trial.deal.roles]
    roles = tuple((name, tuple(cards[place] for place in places)) for name, places in names)
    return (*roles, ("dealer", tuple(cards[dealt:])))


@lru_cache(maxsize=65536)
def _drawing_order(ranks: tuple[int, ...], up: int, hand: tuple[int, ...], hits_soft_17: bool) -> tuple[int, ...]:
    """Put the letters of a finished hand into an order in which the dealer draws them, the up card first."""
    left = list(hand)
    left[up] -= 1
    order = [up]

    def go_on() -> bool:
        if not any(left):
            return True
        held = [ranks[letter] for letter in order]
        hard = sum(1 if rank == Rank.ACE else min(rank, 10) for rank in held)
        if len(order) > 1 and stands(hard, Rank.ACE in held, hits_soft_17):
            return False
        for letter, count in enumerate(left):
            if count:
                left[letter] -= 1
                order.append(letter)
                if go_on():
                    return True
                left[letter] += 1
                order.pop()
        return False

    if not go_on():
        raise MiscountError(f"the dealer never ends with {hand}")
    return tuple(order)
