"""Awards that add up: every sum that a hand can come to is an award of its own, and no hand fits two of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from combinat.bets.award import Award, fitting, together
from combinat.bets.paytable import Bet
from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.language.tree import Compare, Literal, Quantity, Rule
from combinat.language.values import possible_values
from decks import InputError
from decks.errors import quoted

MOST_TIMES = 30
"""How often an award may be paid at most."""
MOST_SUMS = 50
"""In how many ways awards may add up."""


def check_pays(stated: Sequence[Award]) -> None:
    """Refuse pays that do not add up to one pay for one wager."""
    for award in stated:
        if award.pay.meter is not None:
            raise InputError(
                f"{quoted(award.name)} pays from the meter {quoted(award.pay.meter)}; awards that add up have fixed "
                "pays only"
            )
    if len({award.pay.is_for_one for award in stated}) > 1:
        raise InputError("some pays are 'for 1' and others are not; write all alike, so that they can be added")


def sums(stated: Sequence[Award], bet: Bet) -> tuple[Award, ...]:
    """Give every sum of the awards that some hand comes to, the highest pay first.

    >>> from combinat.bets.award import counting
    >>> from combinat.bets.pay import parse_pay
    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity, parse_rule
    >>> deal = parse_deal("player:2")
    >>> per = parse_quantity("count(7)", deal)
    >>> seven = Award("Seven", counting(per), parse_pay("3 to 1"), per=per)
    >>> pair = Award("Pair", parse_rule("pair", deal), parse_pay("1 to 1"))
    >>> [f"{one.name}, {one.pay}" for one in sums([seven, pair], Bet("Sevens", deal))]  # a pair has no single 7
    ['2 × Seven + Pair, 7 to 1', 'Seven, 3 to 1', 'Pair, 1 to 1']
    """
    found: list[tuple[int, ...]] = [()]
    for place, award in enumerate(stated, 1):
        tried = [(*times, many) for times in found for many in _times(award, bet)]
        found = list(compress(tried, _can_be([fitting(stated[:place], times) for times in tried], bet, MOST_SUMS + 2)))
        if len(found) > MOST_SUMS + 1:
            raise InputError(f"the awards add up in more than {MOST_SUMS} ways; state fewer, or each sum by itself")
    made = [together(stated, times) for times in found if any(times)]
    if not made:
        raise InputError("no hand fits any of the awards")
    return tuple(sorted(made, key=lambda one: (one.pay.gross.constant, one.made_of), reverse=True))


def _times(award: Award, bet: Bet) -> tuple[int, ...]:
    """Tell how often a hand can fit an award, and perhaps more than that where the words themselves set bounds."""
    if award.per is None:
        return (0, 1)
    per, least, most = award.per, Literal(0), Literal(MOST_TIMES)
    values = possible_values(per.number, bet.deal, bet.pack)
    tried = [many for many in range(MOST_TIMES + 1) if values is None or many in values]
    if values == frozenset(tried):
        return tuple(tried)
    below, above = _rule(per, "<", least), _rule(per, ">", most)
    exactly = [Rule(*award.comes(many), per.roles) for many in tried]
    less, more, *possible = _can_be([below, above, *exactly], bet)
    if less:
        raise InputError(f"{quoted(award.name)}: {quoted(per)} can be less than nothing, which cannot be paid for")
    if more:
        raise InputError(f"{quoted(award.name)}: {quoted(per)} can be more than {MOST_TIMES}, the most that is counted")
    return tuple(compress(tried, possible))


def _rule(per: Quantity, sign: str, than: Literal) -> Rule:
    return Rule(f"{per} {sign} {than.value}", Compare(sign, per.number, than), per.roles)


def _can_be(rules: Iterable[Rule], bet: Bet, enough: int | None = None) -> tuple[bool, ...]:
    """Tell of rules that exclude one another whether some hand that can be bet on fits each, or `enough` of them."""
    ladder = Ladder(tuple(rules), bet.given)
    is_distinct = any(rule.roles for rule in ladder.all_rules)
    return experiment(bet.deal, bet.pack, ladder, is_distinct).winnable(enough)
