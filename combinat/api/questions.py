"""The questions: how a bet stands, how likely a rule is, what can come, the formulas, whether a sheet is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combinat.analysis.analysis import analyze as work_out
from combinat.api.arguments import (
    AnyBet,
    AnyCards,
    Meters,
    Pays,
    check_rule,
    given_shoe,
    load,
    meter_amounts,
    shoe_for,
    table_rules,
    without,
)
from combinat.api.award import Likelihood
from combinat.api.result import Result
from combinat.bets.paytable import Paytable
from combinat.exact.exact import Exact
from combinat.study import study
from decks import Card, InputError, Rank, Shoe
from decks.errors import quoted

if TYPE_CHECKING:
    from combinat.api.formulas import ClosedForm
    from combinat.blackjack.rules import BlackjackRules
    from combinat.verify import Verdict


def analyze(
    bet: AnyBet,
    decks: int | Shoe | None = None,
    *,
    shoe: Shoe | None = None,
    removed: AnyCards = (),
    up: str | int | Rank | Card | None = None,
    meters: Meters | None = None,
    pays: Pays | None = None,
    hits_soft_17: bool | None = None,
    rules: BlackjackRules | Mapping[str, object] | None = None,
    strategy: str = "best",
) -> Result:
    """Work out the exact figures of a bet: by its id, its file or a paytable, at a number of decks or a shoe.

    Cards that are gone are `removed`, `up` is an up card in view, `meters` says what the meters show, `pays` what some
    awards are to pay instead. `rules` is the blackjack that winnings can ride on, `hits_soft_17` how the dealer draws.

    >>> result = analyze("TRI-03", decks=6)
    >>> result.house_edge, result["Flush"].ways
    (Fraction(2127, 48205), 292896)
    >>> result
    <TRI-03, 6 decks: house edge 4.4124%, hit frequency 9.6761%>
    >>> analyze("TRI-03", decks=6, pays={"Flush": 4})
    <TRI-03+Flush-4, 6 decks: house edge 10.2548%, hit frequency 9.6761%>
    """
    is_other = strategy != "best"
    paytable = at_table(load(bet, pays), hits_soft_17, up, has_rules=rules is not None or is_other)
    if is_other:
        from combinat.blackjack.rules import check_strategy

        check_strategy(strategy)
    at, amounts = shoe_for(paytable, decks, shoe, removed), meter_amounts(meters, paytable)
    table = table_rules(rules, hits_soft_17) if paytable.bet.option else None
    return Result(work_out(paytable, at, amounts), partial(study, paytable, at, amounts, table, strategy))


def at_table(
    paytable: Paytable, hits_soft_17: bool | None, up: str | int | Rank | Card | None, *, has_rules: bool = False
) -> Paytable:
    """Give the paytable under the rules of the table, with the up card in view."""
    from combinat.bets.variants import at_soft_17, given_up

    if has_rules and not paytable.bet.option:
        raise InputError(f"the rules of blackjack do not matter to {paytable.id}: its winnings cannot ride on the hand")
    if hits_soft_17 is not None:
        check_rule("hits_soft_17", hits_soft_17, bool)
        paytable = at_soft_17(paytable, "h17" if hits_soft_17 else "s17")
    if up is None:
        return paytable
    return given_up(paytable, str(up.rank if isinstance(up, Card) else up))


class Odds(Likelihood):
    """How likely a rule is: its ways among all hands, or among those that fit what is given."""

    def __init__(self, name: str, ways: int, cycle: int, given: str | None, shoe: Shoe) -> None:
        super().__init__(name, ways, cycle)
        self.rule = name
        self.given = given
        self.shoe = shoe


def odds(
    rule: str,
    deal: str = "player:2, up:1",
    decks: int | Shoe | None = None,
    *,
    given: str | None = None,
    shoe: Shoe | None = None,
    removed: AnyCards = (),
    pack: str = "standard",
) -> Odds:
    """Tell how likely any rule is, for cards dealt as you say.

    >>> pair = odds("pair", "player:2", decks=1)
    >>> pair.probability, pair.ways
    (Fraction(1, 17), 78)
    """
    from combinat.analysis.odds import odds as count
    from combinat.enumeration.experiment import parse_deal

    for text, what in ((rule, "rule"), (deal, "deal"), ("" if given is None else given, "condition")):
        if not isinstance(text, str):
            raise InputError(f"no {what} {quoted(text)}; write it as a text, as in 'suited' and 'player:2, up:1'")
    at = given_shoe(decks, shoe)
    if at is None:
        if not isinstance(decks, int):
            raise InputError(f"no deck count {decks!r}; say how many decks, as in decks=6")
        at = Shoe(decks, pack)
    at = without(at, removed)
    (found,) = count(rule, parse_deal(deal), [at], given)
    return Odds(found.rule, found.ways, found.cycle, found.given, at)


class Outcome(Struct, frozen=True):
    """A class of outcomes: one hand of it, the ways of them all, and the award that takes them."""

    hand: dict[str, tuple[Card, ...]]
    """For each role its cards; roles that are not told apart are one, `all cards`."""
    ways: int
    probability: Fraction
    award: str | None
    """The award's name; none if the hand loses."""
    pays: str
    detail: str = ""
    """What else the class is known by, such as how the suits of a finished hand fall."""

    def __repr__(self) -> str:
        hand = "; ".join(f"{role}: {' '.join(map(str, cards))}" for role, cards in self.hand.items())
        return f"<{hand}: {self.ways:,} ways, {self.award or 'no award'}>"


def outcomes(
    bet: AnyBet, decks: int | Shoe | None = None, *, shoe: Shoe | None = None, removed: AnyCards = ()
) -> Iterator[Outcome]:
    """List every class of outcomes of a bet; the ways add up to the cycle.

    >>> first = next(outcomes("TRI-03", decks=6))
    >>> first, first.probability
    (<all cards: Qc Kc Ac: 864 ways, Mini royal>, Fraction(108, 626665))
    """
    paytable = load(bet)
    return _outcomes(paytable, shoe_for(paytable, decks, shoe, removed))


def _outcomes(paytable: Paytable, at: Shoe) -> Iterator[Outcome]:
    cycle = work_out(paytable, at).ways.cycle
    for one in paytable.experiment.outcomes(at.composition):
        award = None if one.award is None else paytable.awards[one.award]
        name, pays = (award.name, str(award.pay)) if award else (None, "loses")
        yield Outcome(dict(one.roles), one.ways, Exact(one.ways, cycle), name, pays, one.detail)


def closed_form(bet: AnyBet) -> ClosedForm:
    """Give a bet's counts, chances and edge as formulas in the number of decks, n, which sympy can work with.

    >>> form = closed_form("TRI-03")
    >>> form["Mini royal"].ways, form.at(6)
    (4*n**3, Fraction(2127, 48205))
    """
    from combinat.api.formulas import ClosedForm  # it loads sympy

    return ClosedForm(load(bet))


def verify_sheet(sheet: str | PathLike[str] | Mapping[str, Any] | Any) -> Verdict:
    """Count the bet of a par sheet again, by the second method: a JSON file, what it holds, or a sheet as it was made.

    The verdict `agrees` or lists its `differences`.
    """
    from combinat.verify import UnreadableError, read, verify

    try:
        if isinstance(sheet, (str, PathLike)):
            return verify(read(Path(sheet)))
        if not isinstance(sheet, Mapping) and not hasattr(sheet, "payload"):
            raise InputError(
                f"no par sheet {quoted(sheet)}; give a JSON file, what it holds, or a sheet as it was made"
            )
        return verify(dict(sheet if isinstance(sheet, Mapping) else sheet.payload))
    except UnreadableError as error:
        raise InputError(f"{sheet if isinstance(sheet, (str, PathLike)) else 'the sheet'}: {error}") from None
