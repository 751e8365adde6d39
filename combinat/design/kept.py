"""A ladder from which awards are left out: the hands that they took fall to the awards below, or lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze
from combinat.bets.paytable import Paytable
from combinat.design.spec import Spec
from combinat.enumeration.crossing import cross
from combinat.language.tree import Not
from decks import InputError, Shoe

MOST_LEFT_OUT = 12
"""Awards that may be left out: each doubles the ladders that are looked at."""
FEW_LADDERS = 16
"""So many ladders are counted one by one; of more, the hands are sorted once by all the awards that they fit."""

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
    for decks in spec.decks:
        analyze(paytable, Shoe(decks, paytable.bet.pack))  # what has no probability is refused
    choices = [
        (True,) if choice is None or not choice.may_be_out else (True, False) if choice.values else (False,)
        for choice in spec.pays
    ]
    if sum(len(one) > 1 for one in choices) > MOST_LEFT_OUT:
        raise InputError(f"more than {MOST_LEFT_OUT} awards may be left out; let fewer be")
    ladders = [one for one in product(*choices) if any(one)]
    fitting = None
    if paytable.parts:
        fitting = _counted(paytable, [one.made_of for one in paytable.awards], spec.decks)
    elif len(ladders) > FEW_LADDERS:
        fitting = _fitting(paytable, spec.decks)
    for is_kept in ladders:
        if fitting is None:
            found = _counted(*_shortened(paytable, is_kept), spec.decks, is_kept)
        else:
            ways = tuple(_without(one, is_kept, bool(paytable.parts)) for one in fitting.ways)
            found = Kept(is_kept, ways, fitting.cycles)
        if any(many and any(taken) for ways in found.ways for taken, many in ways.items()):  # else nothing can be won
            yield found


def _shortened(paytable: Paytable, is_kept: tuple[bool, ...]) -> tuple[Paytable, list[Times]]:
    """Leave awards out of a ladder; for each that is kept, what an outcome takes which takes it."""
    places = [place for place, kept in enumerate(is_kept) if kept]
    taken = [tuple(int(place == at) for at in range(len(is_kept))) for place in places]
    if all(is_kept):
        return paytable, taken
    return replace(paytable, awards=tuple(paytable.awards[place] for place in places)), taken


def _counted(
    paytable: Paytable, taken: Sequence[Times], decks: tuple[int, ...], is_kept: tuple[bool, ...] = ()
) -> Kept:
    """Count a ladder whose awards stand for what outcomes take."""
    found = [paytable.ways(Shoe(count, paytable.bet.pack)) for count in decks]
    none = (0,) * len(taken[0])
    ways = tuple(dict(zip(taken, one.wins, strict=True)) | {none: one.losing} for one in found)
    return Kept(is_kept, ways, tuple(one.cycle for one in found))


def _fitting(paytable: Paytable, decks: tuple[int, ...]) -> Kept:
    """Sort the outcomes by all the awards that they fit."""
    bet = paytable.bet
    questions = [(award.rule.fact, Not(award.rule.fact)) for award in paytable.awards]
    crossing = cross(bet.deal, bet.pack, questions, bet.given, roles_distinct=paytable.roles_distinct)
    counted = [crossing.at(Shoe(count, bet.pack)) for count in decks]
    ways = tuple({tuple(1 - one for one in cell): many for cell, many in counts.items()} for counts in counted)
    return Kept((), ways, tuple(sum(one.values()) for one in ways))


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
