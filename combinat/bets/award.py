"""Awards of a paytable: a name, a rule and a pay; sums of awards; and the top award."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from combinat.bets.pay import Pay, sum_pays
from combinat.exact.polynomial import Polynomial
from combinat.language.rules import And, Fact, Literal, Not, NumberComparison, Or, Quantity, Rule


class Award(Struct, frozen=True):
    """An award: its name, the rule that a hand must match, and its pay."""

    name: str
    rule: Rule
    pay: Pay
    stated_pay: str = ""
    """The pay as the file writes it."""
    per: Quantity | None = None
    """The quantity that the award is paid for each of, where awards add up; its rule then requires at least one."""
    component_counts: tuple[int, ...] = ()
    """For a sum of awards: how often each award of the file is in it."""

    @property
    def pays_text(self) -> str:
        """The pay as text."""
        return f"{self.pay} each" if self.per else str(self.pay)

    def match_rule(self, count: int) -> tuple[str, Fact]:
        """Return the rule that a hand matches this award exactly `count` times, as text and as a parsed fact.

        For `count` 0 this is the negation of the award's rule, because a quantity of absent cards has no value.
        """
        if not count:
            text = f"not {self.rule}" if self.per else f"not ({self.rule})"
            return text, Not(self.rule.fact)
        if self.per:
            return f"{self.per} == {count}", NumberComparison("==", self.per.number, Literal(count))
        return (f"({self.rule})" if isinstance(self.rule.fact, Or) else str(self.rule)), self.rule.fact


def at_least_one_rule(quantity: Quantity) -> Rule:
    """Return the rule that `quantity` is at least 1."""
    return Rule(f"{quantity} >= 1", NumberComparison(">=", quantity.number, Literal(1)), quantity.roles)


def combination_rule(awards: Sequence[Award], counts: Sequence[int]) -> Rule:
    """Return the rule of the hands that match each of `awards` exactly as often as `counts` says."""
    texts, facts = zip(*(award.match_rule(count) for award, count in zip(awards, counts, strict=True)), strict=True)
    roles = frozenset().union(*(award.rule.roles for award in awards))
    return Rule(" and ".join(texts), And(facts) if len(facts) > 1 else facts[0], roles)


def combine_awards(awards: Sequence[Award], counts: Sequence[int]) -> Award:
    """Return the award that pays the sum of `awards`, each as often as `counts` says.

    >>> from combinat.bets.pay import parse_pay
    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity, parse_rule
    >>> deal = parse_deal("player:2, up:1")
    >>> sevens = parse_quantity("player.count(7)", deal)
    >>> each = Award("Seven", at_least_one_rule(sevens), parse_pay("3 to 1"), per=sevens)
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
        combination_rule(awards, counts),
        sum_pays([(award.pay, count) for award, count in zip(awards, counts, strict=True)]),
        component_counts=tuple(counts),
    )


def top_award_index(pays: Sequence[Polynomial]) -> int:
    """Return the index of the highest of `pays`, the first of equals; a meter of unknown value exceeds any fixed pay.

    >>> from combinat.bets.pay import parse_pay
    >>> top_award_index([parse_pay(text).gross for text in ("25 to 1", "40 to 1", "40 to 1")])
    1
    """
    return max(range(len(pays)), key=lambda index: (not pays[index].is_constant, pays[index].constant))
