"""Games that a table configures: settings of the deal, and the awards that the game itself has under them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from combinat.bets.award import Award
from combinat.bets.pay import parse_pay
from combinat.bets.paytable import Paytable
from combinat.language.deal import Deal
from combinat.language.parser import parse_rule


def with_settings(deal: Deal, given: Mapping[str, str | int]) -> Deal:
    """Give the deal under other rules of the game."""
    return deal.with_settings({key: str(said) for key, said in given.items()}) if given else deal


def own_awards(deal: Deal) -> tuple[Award, ...]:
    """Give the awards that a game has of its own."""
    return tuple(Award(name, parse_rule(rule, deal), parse_pay(pays), pays) for name, rule, pays in deal.awards)


def configured(paytable: Paytable, given: Mapping[str, str]) -> Paytable:
    """Give the paytable under other rules of its game, with the awards that the game then has, if they are its own.

    What is published is about the rules as they stand in the file, so it is left behind.

    >>> from combinat.bets.lookup import find
    >>> maker = configured(find("L9"), {"nines": "maker"})
    >>> maker.title, maker.variant
    ('Lucky 9, nines maker', ('nines-maker',))
    """
    before = paytable.bet.deal
    deal = with_settings(before, given)
    if deal == before:
        return paytable
    is_own = paytable.awards == own_awards(before)
    changed = [chosen for chosen in deal.settings if chosen not in before.settings]
    said = ", ".join(f"{chosen.setting.key.replace('_', ' ')} {chosen.said}" for chosen in changed)
    return replace(
        paytable,
        bet=replace(paytable.bet, deal=deal),
        title=f"{paytable.title}, {said}",
        variant=(*paytable.variant, *(f"{chosen.setting.option[2:]}-{_dashed(chosen.said)}" for chosen in changed)),
        awards=own_awards(deal) if is_own else paytable.awards,
        published=(),
    )


def _dashed(said: str) -> str:
    """Write a choice as a file's name can carry it.

    >>> _dashed("3 to 2"), _dashed("1/3")
    ('3-to-2', '1-3')
    """
    return "-".join(said.replace("/", " ").split())


def own_settings(paytable: Paytable, given: Mapping[str, str]) -> dict[str, str]:
    """Pick the settings that a paytable's game has."""
    keys = {chosen.setting.key for chosen in paytable.bet.deal.settings}
    return {key: said for key, said in given.items() if key in keys}
