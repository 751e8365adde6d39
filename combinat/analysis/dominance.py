"""Which of two bets is the better one for the player, in three senses that are each exact.

On every hand: made on the same cards, the one pays at least as much whatever is dealt, and on some hand more. By its
edge: the house keeps less of it. To the first order: whatever amount a wager of one is to win, the one is at least as
likely to win it, and likelier for some amount. The first implies the others; a bet can be better by its edge alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.joint import joint
from combinat.bets.pay import Pay
from combinat.exact.distribution import Distribution
from combinat.exact.polynomial import Polynomial
from decks import InputError


class Dominance(Struct, frozen=True):
    """Whether one bet is better than another for the player; nothing where that cannot be said."""

    on_every_hand: bool | None
    by_edge: bool | None
    to_first_order: bool | None

    @property
    def holds(self) -> bool:
        """Whether it is better in any sense."""
        return any((self.on_every_hand, self.by_edge, self.to_first_order))


def dominance(one: Analysis, other: Analysis, edges: tuple[Polynomial, Polynomial] | None = None) -> Dominance:
    """Tell in which senses one bet is better than another, at the same number of decks.

    The edges may be those with an option's best choices; all else is of the wager alone.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from combinat.bets.overrides import override_pays
    >>> from decks import Shoe
    >>> paytable = find("TRI-03")
    >>> dominance(analyze(override_pays(paytable, "Flush=6"), Shoe(6)), analyze(paytable, Shoe(6)))
    Dominance(on_every_hand=True, by_edge=True, to_first_order=True)
    """
    kept, given = edges or (one.house_edge, other.house_edge)
    is_known = kept.is_constant and given.is_constant
    # Meters of different bets are different ones, whatever they are called.
    is_one_bet = one.paytable.bet.name == other.paytable.bet.name
    return Dominance(
        on_every_hand=pays_more(one, other),
        by_edge=_is_more(given, kept) if is_known or is_one_bet else None,
        to_first_order=stochastically_dominates(one.distribution, other.distribution),
    )


def pays_more(one: Analysis, other: Analysis) -> bool | None:
    """Whether one bet pays at least as much on every hand and more on some; nothing if that cannot be told."""
    if one.paytable.experiment != other.paytable.experiment:
        return _pays_more_on_cards(one, other)
    verdicts = [
        _pay_is_more(mine.award.pay, theirs.award.pay, mine.gross, theirs.gross)
        for mine, theirs in zip(one.lines, other.lines, strict=True)
        if mine.is_possible
    ]
    return all(verdict is not None for verdict in verdicts) and any(verdicts)


def _pays_more_on_cards(one: Analysis, other: Analysis) -> bool | None:
    """Whether it does where both judge other hands: they are laid over the same cards and paid together."""
    both = (one, other)
    has_unknowns = any(each.open_meters or any(line.award.pay.prizes for line in each.lines) for each in both)
    if has_unknowns or one.paytable.bet.given != other.paytable.bet.given or one.shoe != other.shoe:
        return None
    try:
        amounts = {**one.meters, **other.meters}
        found = joint([(each.paytable, Fraction(1)) for each in both], one.shoe, amounts)
    except InputError:  # their cards cannot be laid over one another
        return None
    results = [row for row, chance in found.results if chance]
    return all(mine >= theirs for mine, theirs in results) and any(mine > theirs for mine, theirs in results)


def _pay_is_more(mine: Pay, theirs: Pay, my_gross: Polynomial, their_gross: Polynomial) -> bool | None:
    """Whether a pay is more than another; nothing if it can be less, or if a wheel may make it so."""
    if mine.prizes or theirs.prizes:
        if mine.outcomes == theirs.outcomes:
            return False
        my_least = min(pay.gross.constant for pay, _ in mine.outcomes)
        return True if my_least > max(pay.gross.constant for pay, _ in theirs.outcomes) else None
    if my_gross == their_gross:
        return False
    return True if _is_more(my_gross, their_gross) else None


def _is_more(one: Polynomial, other: Polynomial) -> bool | None:
    """Whether one amount is more than another whatever meters show; nothing if that depends on them."""
    factors = (one - other).terms.values()
    if all(factor >= 0 for factor in factors):
        return bool(factors)
    return False if all(factor <= 0 for factor in factors) else None


def stochastically_dominates(one: Distribution, other: Distribution) -> bool | None:
    """Whether one result is as likely as another, or likelier, to reach any amount, and likelier to reach some.

    >>> half = Fraction(1, 2)
    >>> stochastically_dominates(Distribution([(2, half), (-1, half)]), Distribution([(1, half), (-1, half)]))
    True
    """
    if not (one.is_known and other.is_known):
        return None
    chances = [dict(each.known) for each in (one, other)]
    reached = [Fraction(0), Fraction(0)]
    likelier = []
    for amount in sorted({*chances[0], *chances[1]}, reverse=True):
        reached = [before + more.get(amount, 0) for before, more in zip(reached, chances, strict=True)]
        likelier.append(reached[0] - reached[1])
    return all(more >= 0 for more in likelier) and any(likelier)


def combine(found: Iterable[Dominance]) -> Dominance:
    """Tell what holds at every one of some deck counts; nothing where one of them cannot say."""
    every = list(found)
    return Dominance(*(_all([getattr(one, sense) for one in every]) for sense in Dominance.__struct_fields__))


def _all(verdicts: list[bool | None]) -> bool | None:
    if any(verdict is False for verdict in verdicts):
        return False
    return None if any(verdict is None for verdict in verdicts) else True
