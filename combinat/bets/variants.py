"""The same paytable under another rule of the table, or once something is seen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import compress

from msgspec.structs import replace

from combinat.bets.meter_rules import HOUSE_JACKPOT, Level, MeterSystem
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


def as_house_jackpot(paytable: Paytable, prizes: Mapping[str, Fraction]) -> Paytable:
    """Give the paytable with a posted prize for each meter, as given or else its seed, and nothing contributed.

    What is published is about meters that grow, so it is left behind.
    """
    if not paytable.meters:
        raise InputError(f"{paytable.id} pays from no meter, so it cannot be run as a house jackpot")
    known = [one for one in paytable.systems if one.decks is not None]
    elsewhere = next((one for one in paytable.systems if one.decks is None), None)
    if elsewhere is None and (not known or set(paytable.meters) <= set(prizes)):
        elsewhere = MeterSystem((), paytable.meter_wager())
    systems = [*known, *([elsewhere] if elsewhere else [])]
    title = f"{paytable.title}, run as a house jackpot"
    posted = tuple(_posted(paytable, one, prizes) for one in systems)
    return replace(
        paytable,
        title=title,
        systems=posted,
        variant=(*paytable.variant, "house-jackpot"),
        published=(),
        other_reading=None,
    )


def _posted(paytable: Paytable, system: MeterSystem, prizes: Mapping[str, Fraction]) -> MeterSystem:
    """Post the prizes."""
    seeds = {level.name: level.seed for level in system.levels} | dict(prizes)
    for name in paytable.meters:
        if name not in seeds:
            given = "AMOUNT" if name == "meter" else f"{name}=AMOUNT"
            raise InputError(f"{paytable.id}: nobody says what prize is posted; give it with --meter {given}")
    levels = tuple(Level(name, seeds[name]) for name in paytable.meters)
    is_given = set(paytable.meters) <= set(prizes)
    return replace(
        system, levels=levels, kind=HOUSE_JACKPOT, all_pays_deducted=False, basis=None if is_given else system.basis
    )


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
