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
    falling: bool | None = None
    """Whether each award must pay less than the one above it (true), or pays may come in any order (false).

    `None`, the default: no award pays more than one above it, except where the paytable itself has it so.
    """
    order: str = CLOSEST
    target: Fraction | None = None
    """The edge that is wanted; left open, the middle of the limits of the first deck count that has any."""
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
        if self.wanted is None and (self.order == CLOSEST or not self._has_limits):
            raise InputError("no edge to aim at; add for example --edge 4%..5% or --target 4.5%")

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
    def _has_limits(self) -> bool:
        """Whether something other than the edge is asked for."""
        return self._asks_for_spread or self.hit_frequency != Limits() or self.top_at_least is not None

    @property
    def wanted(self) -> Fraction | None:
        """The edge that is wanted; `None` if neither a target nor limits of the edge are given."""
        middle = next((limits.middle for limits in self.edges if limits.middle is not None), None)
        return self.target if self.target is not None else middle

    @property
    def descending_pairs(self) -> frozenset[tuple[int, int]]:
        """Places of two awards, the first above the second, of which the second must not pay more by default.

        These are all with fixed pays that the paytable itself has in this order, so that it keeps its own rule.
        """
        nets = [(place, award.pay.net.constant) for place, award in enumerate(self.stated) if is_plain(award)]
        return frozenset(
            (upper, lower)
            for number, (upper, pay) in enumerate(nets)
            for lower, other in nets[number + 1 :]
            if pay >= other
        )

    def nets(self, place: int) -> tuple[Fraction, ...]:
        """Return what an award with a fixed pay may win for a wager of one, from the lowest up."""
        award, choice = self.stated[place], self.pays[place]
        if choice is None:
            return (award.pay.net.constant,)
        return tuple(value - award.pay.is_for_one for value in choice.values)


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


def is_plain(award: Award) -> bool:
    """Whether an award has a fixed pay: neither a meter nor a wheel decides what it is."""
    return award.pay.meter is None and not award.pay.prizes


def open_pays(paytable: Paytable, said: dict[str, Choice]) -> tuple[Choice | None, ...]:
    """Give each award what is said of it by its name, in capitals or not; `*` is said of all others with plain pays.

    Under `*` a push stays a push and a loss stays a loss; only their names open them.
    """
    stated = paytable.settlement.stated
    known = {award.name.lower(): place for place, award in enumerate(stated)}
    found: list[Choice | None] = [None] * len(stated)
    if (every := said.get(EVERY)) is not None:
        found = [every if is_plain(award) and _wins(award.pay) else None for award in stated]
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


def _wins(pay: Pay) -> bool:
    """Whether a fixed pay is more than the wager: neither a push nor a loss, in whole or in part.

    >>> from combinat.bets.pay import parse_pay
    >>> [_wins(parse_pay(pay)) for pay in ("2 to 1", "2 for 1", "push", "1 for 1", "0.5 for 1", "loses", "loses 2")]
    [True, True, False, False, False, False, False]
    """
    return pay.net.constant > 0


def with_amount(pay: Pay, amount: Fraction) -> Pay:
    """Give a pay of another amount in the same words: `to 1` where the wager came back, else `for 1`."""
    return Pay(amount, "for 1" if pay.is_for_one else "to 1")


def _hint(word: str, words: tuple[str, ...]) -> str:
    return suggestion(word, words) or f"; orders are {', '.join(words)}"
