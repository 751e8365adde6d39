"""Reading the awards of a paytable: a shared hand, a rule of their own or a number, and what they pay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from combinat.bets.adding import check_pays
from combinat.bets.award import Award, counting
from combinat.bets.configured import own_awards
from combinat.bets.fields import AwardFields, PaytableFields
from combinat.bets.pay import Pay, parse_pay
from combinat.bets.paytable import Bet
from combinat.bets.problems import Problems
from combinat.bets.texts import check_name
from combinat.bets.wheel import Wheel
from combinat.language.deal import Deal
from combinat.language.dealt_from import check_jokers
from combinat.language.parser import parse_quantity, parse_rule
from combinat.language.tree import Quantity, Rule
from decks import InputError, suggestion
from decks.errors import quoted

MAX_AWARDS = 50


class AwardReader(Problems):
    """Reads awards, noting what is wrong with them."""

    adds_up = False
    """Whether the file says that awards add up."""
    wheels: Mapping[str, Wheel | None] = {}
    """The wheels of the file by their names; none where one could not be read."""

    def awards(
        self, table: PaytableFields, deal: Deal, rules: dict[str, Rule | None], where: tuple[str, ...]
    ) -> list[Award | None] | None:
        """Read the awards of a paytable; if it has none, those of the game itself are meant."""
        if table.awards is None:
            if not deal.awards:
                self.problem(where, "the key 'awards' is missing; add awards = [...]")
                return None
            return list(own_awards(deal))
        if not 1 <= len(table.awards) <= MAX_AWARDS:
            self.problem(where, f"it has {len(table.awards)} awards; it may have 1 to {MAX_AWARDS}")
            return None
        numbered = enumerate(table.awards, 1)
        return [self.award(award, (*where, f"award {number}"), deal, rules) for number, award in numbered]

    def award(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> Award | None:
        """Read one award."""
        pay = self.attempt(where, lambda: self.pay(award))
        if sum(one is not None for one in (award.hand, award.when, award.per)) != 1:
            self.problem(
                where,
                "give either 'hand', the name of one of the file's hands, or 'name' and 'when', its own rule, or "
                "'name' and 'per', a number for each of which it is paid",
            )
            return None
        rule, per = self.asked(award, where, deal, rules)
        name = award.name or award.hand
        if rule is not None and name is None:
            self.problem(where, 'it has a rule but no name; add name = "..."')
        if pay is None or rule is None or name is None or not self.attempt(where, lambda: check_name(name, "name")):
            return None
        return Award(name, rule, pay, str(award.pays), per)

    def pay(self, award: AwardFields) -> Pay | None:
        """Read what an award pays, multiplied by a wheel if there is one."""
        pay = _pay(award.pays)
        if award.wheel is None:
            return pay
        if award.wheel not in self.wheels:
            hint = suggestion(award.wheel, self.wheels) or "; list it under [wheels]"
            raise InputError(f"no wheel {quoted(award.wheel)}{hint}")
        wheel = self.wheels[award.wheel]
        return wheel.spun(pay) if wheel else None

    def asked(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> tuple[Rule | None, Quantity | None]:
        """Read which hands an award is for, and for each of what it is paid if it counts something."""
        if award.hand is not None:
            if award.hand not in rules:
                hint = suggestion(award.hand, rules) or "; list it under [hands], or give 'name' and 'when'"
                self.problem(where, f"no hand {quoted(award.hand)}{hint}")
            return rules.get(award.hand), None
        if award.per is None:
            when = award.when or ""
            return self.attempt(where, lambda: parse_rule(when, deal)), None
        if not self.adds_up:
            self.problem(where, "'per' pays for each, so awards must add up; write awards_add_up = true above them")
            return None, None
        text = award.per
        per = self.attempt(where, lambda: parse_quantity(text, deal))
        return (counting(per), per) if per else (None, None)

    def check_awards(self, awards: Iterable[Award | None], bet: Bet, where: tuple[str, ...]) -> None:
        """Note awards that do not go together, or not with the rest of the file."""
        found = [award for award in awards if award is not None]
        self.duplicates([award.name for award in found], "award name", where)
        if self.adds_up:
            self.attempt((*where, "awards"), lambda: check_pays(found))
        if any(award.pay.prizes for award in found):
            self.attempt((*where, "awards"), lambda: check_wheels(found, bet))
        for award in found:
            self.attempt(
                (*where, f"award {quoted(award.name)}"),
                lambda award=award: check_jokers([award.rule], bet.pack),  # type: ignore[misc]  # bound now
            )
            if bet.roles_distinct is False and award.rule.roles:
                role = min(award.rule.roles)
                self.problem(
                    (*where, f"award {quoted(award.name)}"),
                    f"its rule names '{role}' but the file says tell_roles_apart = false; leave that out",
                )


def _pay(pays: object) -> Pay:
    if isinstance(pays, bool) or not isinstance(pays, (str, int)):
        raise InputError('the pay must be text, as in pays = "9 to 1"')
    return parse_pay(str(pays))


def check_wheels(awards: Iterable[Award], bet: Bet) -> None:
    """Refuse wheels where winnings ride, or where others pay from meters."""
    if bet.option is not None:
        raise InputError(f"a wheel multiplies a pay, which then cannot ride: leave out the wheel or the {bet.option}")
    if meters := [award.pay.meter for award in awards if award.pay.meter is not None]:
        raise InputError(
            f"a wheel multiplies a pay, and another comes from the meter {quoted(meters[0])}; use one kind"
        )
