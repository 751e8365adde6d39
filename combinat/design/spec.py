"""What is asked of a paytable: which pays are open, and what must hold at which deck counts."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.bets.award import Award
from combinat.bets.pay import MOST_PAID, Pay
from combinat.bets.paytable import Paytable
from combinat.design.choice import Choice
from combinat.exact.limits import Limits
from decks import InputError, suggestion
from decks.errors import quoted

CLOSEST, ROUNDEST, LOWEST, HIGHEST = "closest", "roundest", "lowest volatility", "highest volatility"
ORDERS = (CLOSEST, ROUNDEST, LOWEST, HIGHEST)
EVERY = "*"
"""The name that stands for every award whose pay is fixed."""


class Spec(Struct, frozen=True):
    """What a paytable may pay and must do."""

    paytable: Paytable
    decks: tuple[int, ...]
    pays: tuple[Choice | None, ...]
    """For each award of the paytable what it may pay, as the paytable writes it; none where it stays as it is."""
    edges: tuple[Limits, ...]
    """For each deck count between what the edge must lie; with meters that grow, the hold in the long run."""
    hit_frequency: Limits = Limits()
    standard_deviation: Limits = Limits()
    top_share: Limits = Limits()
    """What part of the return the award that pays most may have."""
    top_at_least: Fraction | None = None
    """What the award that pays most must pay at least, as it is written; of a meter, its seed."""
    falling: bool = False
    """Whether each award must pay less than the one above it."""
    order: str = CLOSEST
    target: Fraction | None = None
    """The edge that is wanted; left open, the middle of the limits of the first deck count."""
    seeds: tuple[tuple[str, Choice], ...] = ()
    rates: tuple[tuple[str, Choice], ...] = ()
    amounts: tuple[tuple[str, Fraction], ...] = ()
    """What meters are taken to show; then the edge is that of a play which finds them so."""

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise InputError(f"no order {quoted(self.order)}{_hint(self.order, ORDERS)}")
        if not any(self.pays) and not self.seeds and not self.rates:
            raise InputError(
                f"nothing is left open: say what awards of {self.paytable.id} may pay, as in --pays "
                f'"{self.stated[0].name}=1..50", or "*=1..50" for all of them'
            )
        if self.has_meters and (self.order in (LOWEST, HIGHEST) or self._asks_for_spread):
            raise InputError(
                f"{self.paytable.id} pays from meters that grow: no limits for its standard deviation or for the share "
                "of its top award, nor an order by volatility, unless --meter says what they show"
            )
        for award, choice in zip(self.stated, self.pays, strict=True):
            if choice is not None:
                _check_open(award, choice, self.paytable)

    @property
    def stated(self) -> tuple[Award, ...]:
        """The awards as the paytable states them."""
        return self.paytable.settlement.stated

    @property
    def has_meters(self) -> bool:
        """Whether an award pays from a meter that is not said to stand anywhere."""
        return bool(set(self.paytable.meters) - {name for name, _ in self.amounts})

    @property
    def _asks_for_spread(self) -> bool:
        return self.standard_deviation != Limits() or self.top_share != Limits()

    @property
    def wanted(self) -> Fraction:
        """The edge that is wanted."""
        middle = next((limits.middle for limits in self.edges if limits.middle is not None), None)
        return self.target if self.target is not None else middle or Fraction(0)


def _check_open(award: Award, choice: Choice, paytable: Paytable) -> None:
    """Refuse to leave open what is not a plain pay, and pays that no paytable has."""
    if choice.values and choice.values[-1] > MOST_PAID:
        raise InputError(f"{quoted(award.name)} may pay {choice}; more than {MOST_PAID:,} is taken for a slip")
    if award.pay.meter is not None:
        raise InputError(
            f"{quoted(award.name)} pays from the meter {quoted(award.pay.meter)}; leave its seed or rate open instead"
        )
    if award.pay.prizes:
        raise InputError(f"{quoted(award.name)} is multiplied by a wheel; its pay cannot be left open")
    if paytable.parts and any(one.pay.prizes for one in paytable.parts):
        raise InputError(f"the awards of {paytable.id} add up and have wheels; their pays cannot be left open")


def open_pays(paytable: Paytable, said: dict[str, Choice]) -> tuple[Choice | None, ...]:
    """Give each award what is said of it by its name, in capitals or not; `*` is said of all others with plain pays."""
    stated = paytable.settlement.stated
    known = {award.name.lower(): place for place, award in enumerate(stated)}
    found: list[Choice | None] = [None] * len(stated)
    if (every := said.get(EVERY)) is not None:
        found = [every if award.pay.meter is None and not award.pay.prizes else None for award in stated]
    for name, choice in said.items():
        if name == EVERY:
            continue
        place = known.get(" ".join(name.split()).lower())
        if place is None:
            names = [award.name for award in stated]
            hint = suggestion(name, names) or f"; its awards are {', '.join(names)}"
            raise InputError(f"{paytable.id} has no award {quoted(name)}{hint}")
        found[place] = choice
    return tuple(found)


def with_amount(pay: Pay, amount: Fraction) -> Pay:
    """Give a pay of another amount in the same words: `to 1` where the wager came back, else `for 1`."""
    return Pay(amount, "for 1" if pay.is_for_one else "to 1")


def _hint(word: str, words: tuple[str, ...]) -> str:
    return suggestion(word, words) or f"; orders are {', '.join(words)}"
