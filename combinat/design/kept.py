"""A ladder from which awards are left out: the hands that they took fall to the awards below, or lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from combinat.analysis.analysis import analyze
from combinat.bets.paytable import Paytable
from combinat.design.spec import Spec
from combinat.enumeration.crossing import cross
from combinat.language.tree import Not
from decks import InputError, Shoe

MOST_LEFT_OUT = 12
"""Awards that may be left out: each doubles the ladders that are looked at."""

Times = tuple[int, ...]
"""How often an outcome takes each stated award; an outcome that takes none loses."""


class Kept(Struct, frozen=True):
    """The outcomes by what they take if some awards are left out, for each of the deck counts."""

    is_kept: tuple[bool, ...]
    ways: tuple[Mapping[Times, int], ...]
    cycles: tuple[int, ...]


def kept_ladders(spec: Spec) -> Iterator[Kept]:
    """List the ladders that remain if awards are left out that may be, all of them kept first."""
    paytable = spec.paytable
    cycles = tuple(analyze(paytable, Shoe(decks, paytable.bet.pack)).ways.cycle for decks in spec.decks)
    choices = [
        (True,) if choice is None or not choice.may_be_out else (True, False) if choice.values else (False,)
        for choice in spec.pays
    ]
    if sum(len(one) > 1 for one in choices) > MOST_LEFT_OUT:
        raise InputError(f"more than {MOST_LEFT_OUT} awards may be left out; let fewer be")
    is_whole = all(one == (True,) for one in choices)
    fitting = _taken(paytable, spec.decks) if is_whole or paytable.parts else _fitting(paytable, spec.decks)
    for is_kept in product(*choices):
        found = Kept(is_kept, tuple(_without(one, is_kept, bool(paytable.parts)) for one in fitting), cycles)
        if any(any(taken) for ways in found.ways for taken in ways):  # else there is nothing to be won
            yield found


def _taken(paytable: Paytable, decks: tuple[int, ...]) -> list[Mapping[Times, int]]:
    """What the outcomes take with the whole ladder, for each deck count."""
    stated = len(paytable.settlement.stated)
    taken = [
        one.made_of or tuple(int(place == at) for at in range(stated)) for place, one in enumerate(paytable.awards)
    ]
    found: list[Mapping[Times, int]] = []
    for count in decks:
        ways = paytable.ways(Shoe(count, paytable.bet.pack))
        found.append(dict(zip(taken, ways.wins, strict=True)) | {(0,) * stated: ways.losing})
    return found


def _fitting(paytable: Paytable, decks: tuple[int, ...]) -> list[Mapping[Times, int]]:
    """Which of all awards the outcomes fit, for each deck count."""
    bet = paytable.bet
    questions = [(award.rule.fact, Not(award.rule.fact)) for award in paytable.awards]
    crossing = cross(bet.deal, bet.pack, questions, bet.given, roles_distinct=paytable.roles_distinct)
    counted = [crossing.at(Shoe(count, bet.pack)) for count in decks]
    return [{tuple(1 - one for one in cell): ways for cell, ways in counts.items()} for counts in counted]


def _without(fitting: Mapping[Times, int], is_kept: tuple[bool, ...], adds_up: bool) -> Mapping[Times, int]:
    """Let each outcome take what is kept: all of it where awards add up, else the first that it fits."""
    every = [tuple(int(place == at) for at in range(len(is_kept))) for place, kept in enumerate(is_kept) if kept]
    found: Counter[Times] = Counter({} if adds_up else dict.fromkeys(every, 0))
    for fits, ways in fitting.items():
        left = [times if kept else 0 for times, kept in zip(fits, is_kept, strict=True)]
        first = next((place for place, times in enumerate(left) if times), None)
        taken = left if adds_up else [int(place == first) for place in range(len(left))]
        found[tuple(taken)] += ways
    return found
