"""Dominance: whether one bet is better than another for the player, in three exact senses.

On every hand: on the same cards it pays at least as much for every deal, and more for some. By edge: its house edge is
lower. First-order stochastic dominance: for every amount, the probability of winning at least that amount is at least
as high, and higher for some amount. The first implies the others; a bet can be better by edge only.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.joint import analyze_joint
from combinat.bets.pay import Pay
from combinat.bets.paytable import Paytable
from combinat.exact.distribution import Distribution
from combinat.exact.polynomial import Polynomial
from decks import InputError


class Dominance(Struct, frozen=True):
    """Whether one bet is better than another for the player, in each sense; `None` where it is not known."""

    on_every_hand: bool | None
    by_edge: bool | None
    to_first_order: bool | None

    @property
    def holds(self) -> bool:
        """Whether the bet is better in at least one sense."""
        return any((self.on_every_hand, self.by_edge, self.to_first_order))


def compute_dominance(
    analysis: Analysis, rival: Analysis, edges: tuple[Polynomial, Polynomial] | None = None
) -> Dominance:
    """Return in which senses a bet is better than `rival` at the same number of decks.

    `edges` may be those with best play of an option; everything else is for the wager alone.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.bets.overrides import override_pays
    >>> from decks import Shoe
    >>> paytable = get_paytable("TRI-03")
    >>> compute_dominance(analyze_wager(override_pays(paytable, "Flush=6"), Shoe(6)), analyze_wager(paytable, Shoe(6)))
    Dominance(on_every_hand=True, by_edge=True, to_first_order=True)
    """
    edge, other_edge = edges or (analysis.house_edge, rival.house_edge)
    is_known = edge.is_constant and other_edge.is_constant
    # Meters of different bets are different, even if they have the same name.
    is_one_bet = analysis.paytable.bet.name == rival.paytable.bet.name
    return Dominance(
        on_every_hand=pays_more(analysis, rival),
        by_edge=_is_more(other_edge, edge) if is_known or is_one_bet else None,
        to_first_order=stochastically_dominates(analysis.distribution, rival.distribution),
    )


def pays_more(analysis: Analysis, rival: Analysis) -> bool | None:
    """Return whether a bet pays at least as much on every hand and more on some; `None` if it is not known."""
    if not _has_same_rules(analysis.paytable, rival.paytable):
        return _pays_more_on_cards(analysis, rival)
    comparisons = [
        _pay_is_more(line.award.pay, rival_line.award.pay, line.gross, rival_line.gross)
        for line, rival_line in zip(analysis.lines, rival.lines, strict=True)
        if line.is_possible
    ]
    return all(is_more is not None for is_more in comparisons) and any(comparisons)


def _has_same_rules(paytable: Paytable, rival: Paytable) -> bool:
    """Return whether two paytables differ at most in their pays."""
    bets = paytable.bet, rival.bet
    return paytable.ladder == rival.ladder and bets[0].deal == bets[1].deal and bets[0].pack == bets[1].pack


def _pays_more_on_cards(analysis: Analysis, rival: Analysis) -> bool | None:
    """Return the same for bets with different rules, by enumerating their joint results on the same cards."""
    analyses = (analysis, rival)
    has_unknowns = any(
        bet_analysis.open_meters or any(line.award.pay.prizes for line in bet_analysis.lines)
        for bet_analysis in analyses
    )
    if has_unknowns or analysis.paytable.bet.condition != rival.paytable.bet.condition or analysis.shoe != rival.shoe:
        return None
    try:
        amounts = {**analysis.meters, **rival.meters}
        joint = analyze_joint(
            [(bet_analysis.paytable, Fraction(1)) for bet_analysis in analyses], analysis.shoe, amounts
        )
    except InputError:  # they have no common deal
        return None
    results = [row for row, probability in joint.results if probability]
    return all(net >= rival_net for net, rival_net in results) and any(net > rival_net for net, rival_net in results)


def _pay_is_more(own_pay: Pay, rival_pay: Pay, own_gross: Polynomial, rival_gross: Polynomial) -> bool | None:
    """Return whether a pay is higher than another, `False` if equal; `None` if it is or can be lower."""
    if own_pay.prizes or rival_pay.prizes:
        if own_pay.outcomes == rival_pay.outcomes:
            return False
        own_lowest = min(pay.gross.constant for pay, _ in own_pay.outcomes)
        return True if own_lowest > max(pay.gross.constant for pay, _ in rival_pay.outcomes) else None
    if own_gross == rival_gross:
        return False
    return True if _is_more(own_gross, rival_gross) else None


def _is_more(amount: Polynomial, rival: Polynomial) -> bool | None:
    """Return whether an amount is higher for all meter values; `None` if that depends on them."""
    factors = (amount - rival).terms.values()
    if all(factor >= 0 for factor in factors):
        return bool(factors)
    return False if all(factor <= 0 for factor in factors) else None


def stochastically_dominates(distribution: Distribution, rival: Distribution) -> bool | None:
    """Return whether a distribution has first-order stochastic dominance over `rival`; `None` if not known.

    >>> half = Fraction(1, 2)
    >>> stochastically_dominates(Distribution([(2, half), (-1, half)]), Distribution([(1, half), (-1, half)]))
    True
    """
    if not (distribution.is_numeric and rival.is_numeric):
        return None
    probability_by_amount = [dict(candidate.numeric_outcomes) for candidate in (distribution, rival)]
    tails = [Fraction(0), Fraction(0)]
    tail_differences = []
    for amount in sorted({*probability_by_amount[0], *probability_by_amount[1]}, reverse=True):
        tails = [
            tail + probabilities.get(amount, 0)
            for tail, probabilities in zip(tails, probability_by_amount, strict=True)
        ]
        tail_differences.append(tails[0] - tails[1])
    return all(difference >= 0 for difference in tail_differences) and any(tail_differences)


def combine_dominances(dominances: Iterable[Dominance]) -> Dominance:
    """Return what holds in all of `dominances`; `None` where one is not known and none is false."""
    results = list(dominances)
    return Dominance(
        *(_all_hold([getattr(result, sense) for result in results]) for sense in Dominance.__struct_fields__)
    )


def _all_hold(answers: list[bool | None]) -> bool | None:
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True
