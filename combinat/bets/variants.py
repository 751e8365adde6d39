"""The same paytable under another rule of the table, or once something is seen."""

from __future__ import annotations

from itertools import compress

from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.enumeration.roles import DRAWS
from combinat.language.parser import parse_rule
from combinat.language.tree import Or
from decks import InputError
from decks.cards import parse_rank


def at_soft_17(paytable: Paytable, rule: str) -> Paytable:
    """Give the paytable at a table of this rule; where winnings ride on a hand, it is a rule of that hand's play."""
    return paytable if paytable.bet.option else with_soft_17(paytable, rule)


def with_soft_17(paytable: Paytable, rule: str) -> Paytable:
    """Give the paytable with the dealer hitting soft 17 (`h17`) or standing on it (`s17`).

    What is published is about the rule that the file says, so with another it is left behind.
    """
    deal = paytable.bet.deal
    other = deal.variant(rule)
    if other is None:
        raise InputError(f"soft 17 does not matter to {paytable.id}: it does not look at a dealer's blackjack hand")
    if other == deal:
        return paytable
    bet = replace(paytable.bet, deal=other)
    title = f"{paytable.title}, if the dealer {DRAWS[rule]}"
    return replace(paytable, bet=bet, title=title, variant=(*paytable.variant, rule), published=())


def given_up(paytable: Paytable, text: str) -> Paytable:
    """Give the paytable as it stands once the up card is seen, with the awards that are then possible.

    What is published, another reading and how the meters run are about the whole bet, so they are left behind.
    """
    rank = parse_rank(text)
    bet = paytable.bet
    if len(bet.deal.groups.get("up", ())) != 1:
        raise InputError(f"{paytable.id} has no up card to be given: its deal, '{bet.deal}', names no single one")
    if rank not in bet.pack.ranks:
        raise InputError(f"{paytable.id} is dealt from {bet.pack.name.capitalize()} decks, which have no {rank}")
    condition = f"up.has({rank})"
    if bet.given is not None:
        before = f"({bet.given})" if isinstance(bet.given.fact, Or) else str(bet.given)
        condition = f"{before} and {condition}"
    given = parse_rule(condition, bet.deal)  # it tells the up card from the others
    narrowed = replace(
        paytable,
        bet=replace(bet, given=given, roles_distinct=None),
        title=f"{paytable.title}, given {rank} up",
        up=rank,
        published=(),
        other_reading=None,
        systems=(),
    )
    possible = tuple(compress(narrowed.awards, narrowed.experiment.winnable()))
    return replace(narrowed, awards=possible or narrowed.awards)
