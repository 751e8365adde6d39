"""What a ladder says of every hand of a fixed deal, as one table by the cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.rank_rows import Bits
from decks.cards import ALL_CARDS

_IDENTITY = ((0, 1, 2, 3),)


def verdicts(trial: FixedDeal) -> NDArray[np.int64]:
    """For all cards of a deal, by their places in a shoe, the number of the rule that takes them, the last for none.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2")
    >>> table = verdicts(experiment(deal, STANDARD, Ladder((parse_rule("pair", deal),)), True))
    >>> int(table[0, 1]), int(table[0, 4]), int((table == 0).sum())  # 2c 2d, 2c 3c, and all pairs
    (0, 1, 208)
    """
    cards = trial.deal.cards_dealt
    (ordered,) = trial.portions(tuple((place,) for place in trial.deal.everybody), 0)  # every order is looked at
    size, ranks = ordered.space.size, ordered.space.ranks
    table = np.full((len(ALL_CARDS),) * cards, len(trial.ladder.rules), dtype=np.int64)
    for suits, _, sets in trial.judged(_IDENTITY, ordered):
        block = np.full(size, len(trial.ladder.rules), dtype=np.int64)
        for number, rows in enumerate(sets.wins):
            block[_bits(rows, size)] = number
        places = [[(rank - 2) * 4 + suit for rank in ranks] for suit in suits]
        table[np.ix_(*places)] = block.reshape((len(ranks),) * cards)
    return table


def _bits(rows: Bits, size: int) -> NDArray[np.bool_]:
    raw = np.frombuffer(rows.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little")[:size].astype(bool)
