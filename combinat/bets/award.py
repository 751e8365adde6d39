"""The awards of a paytable, what several of them come to together, and which pays most."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from combinat.bets.pay import Pay, sum_pays
from combinat.exact.polynomial import Polynomial
from combinat.language.rules import And, Compare, Fact, Literal, Not, Or, Quantity, Rule


class Award(Struct, frozen=True):
    """One award: what it is called, which hands it is for, what it pays."""

    name: str
    rule: Rule
    pay: Pay
    said: str = ""
    """What it pays, in the file's own words."""
    per: Quantity | None = None
    """For each of what it is paid, where awards add up; its rule then asks for one of them at least."""
    made_of: tuple[int, ...] = ()
    """How often each award of the file is in it, where awards add up."""

    @property
    def pays_text(self) -> str:
        """What it pays, in words."""
        return f"{self.pay} each" if self.per else str(self.pay)

    def comes(self, count: int) -> tuple[str, Fact]:
        """Say that a hand fits it just so often, as a rule is written and as it is read.

        Nothing is said of a card that is not there, so that none at all is the opposite of at least one.
        """
        if not count:
            text = f"not {self.rule}" if self.per else f"not ({self.rule})"
            return text, Not(self.rule.fact)
        if self.per:
            return f"{self.per} == {count}", Compare("==", self.per.number, Literal(count))
        return (f"({self.rule})" if isinstance(self.rule.fact, Or) else str(self.rule)), self.rule.fact


def counting(per: Quantity) -> Rule:
    """Give the rule of the hands in which something is counted at least once."""
    return Rule(f"{per} >= 1", Compare(">=", per.number, Literal(1)), per.roles)


def fitting(awards: Sequence[Award], counts: Sequence[int]) -> Rule:
    """Give the rule of the hands that fit each of some awards just so often."""
    texts, facts = zip(*(award.comes(count) for award, count in zip(awards, counts, strict=True)), strict=True)
    roles = frozenset().union(*(award.rule.roles for award in awards))
    return Rule(" and ".join(texts), And(facts) if len(facts) > 1 else facts[0], roles)


def combine_awards(awards: Sequence[Award], counts: Sequence[int]) -> Award:
    """Give what comes of a hand that fits each of some awards so often: one award that pays their sum.

    >>> from combinat.bets.pay import parse_pay
    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity, parse_rule
    >>> deal = parse_deal("player:2, up:1")
    >>> sevens = parse_quantity("player.count(7)", deal)
    >>> each = Award("Seven", counting(sevens), parse_pay("3 to 1"), per=sevens)
    >>> both = combine_awards([each, Award("Red", parse_rule("all(red)", deal), parse_pay("1 to 1"))], (2, 1))
    >>> both.name, str(both.pay), str(both.rule)
    ('2 × Seven + Red', '7 to 1', 'player.count(7) == 2 and all(red)')
    """
    names = [
        f"{count} × {counted_award.name}" if count > 1 else counted_award.name
        for counted_award, count in zip(awards, counts, strict=True)
        if count
    ]
    return Award(
        " + ".join(names),
        fitting(awards, counts),
        sum_pays([(award.pay, count) for award, count in zip(awards, counts, strict=True)]),
        made_of=tuple(counts),
    )


def top_award_index(pays: Sequence[Polynomial]) -> int:
    """Find which pay is most, a meter of unknown value being worth more than any pay; the first of equals.

    >>> from combinat.bets.pay import parse_pay
    >>> top_award_index([parse_pay(text).gross for text in ("25 to 1", "40 to 1", "40 to 1")])
    1
    """
    return max(range(len(pays)), key=lambda index: (not pays[index].is_constant, pays[index].constant))
