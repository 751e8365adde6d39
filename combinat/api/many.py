"""Many shoes in one question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from combinat.analysis.many import house_edges as at_shoes
from combinat.api.arguments import AnyBet, Meters, check_pack, load, meter_amounts
from combinat.bets.paytable import Paytable
from decks import Composition, InputError, Shoe
from decks.errors import quoted


def house_edges(
    bet: AnyBet, shoes: Iterable[Shoe | Composition], *, meters: Meters | None = None
) -> Iterator[Fraction]:
    """Give the exact house edge of a bet's wager alone at one shoe after the other, thousands of them in a second.

    A shoe is a `Shoe`, or a `Composition`: the count of every card, as a card counter sees it.

    >>> shoes = [Shoe(6, removed=cards) for cards in ("", "Kh Kd", "2c 2d 2h 2s")]
    >>> [f"{edge:.4%}" for edge in house_edges("TRI-03", shoes)]
    ['4.4124%', '4.2568%', '3.8662%']
    """
    paytable = load(bet)
    if not isinstance(shoes, Iterable):
        raise InputError(f"no shoes {quoted(shoes)}; give a list of them, as in [Shoe(6, removed='Kh')]")
    return at_shoes(paytable, _compositions(paytable, shoes), meter_amounts(meters, paytable))


def _compositions(paytable: Paytable, shoes: Iterable[Shoe | Composition]) -> Iterator[Composition]:
    for one in shoes:
        if isinstance(one, Composition):
            yield one
        elif not isinstance(one, Shoe):
            raise InputError(f"no shoe {quoted(one)}; give Shoes, as in [Shoe(6, removed='Kh')], or Compositions")
        else:
            check_pack(paytable.id, paytable.bet.pack, one)
            yield one.composition
