"""The example hands of a sheet: each must be a hand that can be dealt and wins its award."""

from __future__ import annotations

from collections import Counter
from typing import Any

from combinat.verifier.bet import Bet
from combinat.verifier.cards import WORTH, Cards, card_of
from combinat.verifier.compare import Described
from combinat.verifier.counting import first_of
from combinat.verifier.coup_words import coup_of
from combinat.verifier.coups import first_cards_tell, is_played
from combinat.verifier.reading import said

OF_THE_AWARD = Described("a hand that takes the award")


def example_of(bet: Bet, example: Any, award: int, is_possible: bool) -> Any:
    """Give what a sheet should say as the example of an award: its own, if it is a right one."""
    if not is_possible:
        return None
    return example if isinstance(example, dict) and wins(bet, example, award) else OF_THE_AWARD


def wins(bet: Bet, example: dict[str, Any], award: int) -> bool:
    """Whether an example hand can come from the shoe, is dealt as it should be, and wins the award."""
    if bet.deal.is_coup:
        return wins_coup(bet, example, award)
    roles = (*bet.deal.sizes, *(("up", "hole", "dealer") if bet.deal.draws else ()))
    hand = tuple([bet.shoe.card_of(card) for role in roles if role in example for card in said(example, role, list)])
    if not set(example) <= set(roles) or not is_dealt(bet, example, hand):
        return False
    is_there = all(times <= bet.shoe.left(card) for card, times in Counter(hand).items())
    matches = bet.judge(hand) if is_there else None
    return matches is not None and first_of(matches) == award


def wins_coup(bet: Bet, example: dict[str, Any], award: int) -> bool:
    """Whether an example coup can come from the shoe, has its third cards, and wins; or its first cards, if they do."""
    hands = [tuple(map(card_of, said(example, role, list))) for role in example]
    is_there = all(times <= bet.shoe.left(card) for card, times in Counter(sum(hands, ())).items())
    is_finished = list(example) == ["player", "banker"] and is_played(*hands)
    if not is_there or not (is_finished or list(map(len, hands)) == [2, 2]):
        return False
    if not is_finished and (list(example) != ["player_first", "banker_first"] or not first_cards_tell(bet)):
        return False
    matches = bet.judge(coup_of(*hands))
    return matches is not None and first_of(matches) == award


def is_dealt(bet: Bet, example: dict[str, Any], hand: Cards) -> bool:
    """Whether each role has its cards, or the dealer drew until a total was reached and no further."""
    if not bet.deal.draws:
        return {role: len(cards) for role, cards in example.items()} == bet.deal.sizes
    if any(len(example.get(role, ())) != size for role, size in bet.deal.sizes.items()):
        return False
    ranks = [rank for rank, _ in hand[bet.deal.cards :]]
    lengths = range(1, len(ranks) + 1)
    stops = [at for at in lengths if bet.deal.stands(tuple(ranks[:at]), sum([WORTH[one] for one in ranks[:at]]))]
    return stops == [len(ranks)]
