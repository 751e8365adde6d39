"""Bets whose deals are laid over one another: the outcomes of a round sorted by what each bet makes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.enumeration.crossing import Crossing, cross
from combinat.enumeration.experiment import Experiment, GoesWith
from combinat.language.deal import Deal
from combinat.language.moved import moved
from combinat.language.tree import And, Fact, Not
from decks import InputError, Shoe

Row = tuple[int, ...]
"""What each bet makes of an outcome: the number of an award, after them all the loss, and last that it is not made."""


class Verdicts(Struct, frozen=True):
    """The rows that come in a round from a shoe, with their ways."""

    ways: Mapping[Row, int]
    crossing: Crossing | None
    """The rows as the rules of one experiment, if all deals are laid over one another as one."""


def laid_over(paytables: Sequence[Paytable], shoe: Shoe) -> Verdicts:
    """Sort the outcomes of a round by what bets on the same cards make of them."""
    check_games(paytables)
    found = _by_kinds(paytables, shoe)
    crossing = None if found else crossed(paytables)
    if crossing is not None:
        found = crossing.at(shoe)
    if found is None:
        deals = ", ".join(f"{one.id} is on '{one.bet.deal}'" for one in paytables)
        raise InputError(f"these bets cannot be laid over one another: {deals}")
    return Verdicts(_where_one_is_made(found, paytables), crossing)


def _by_kinds(paytables: Sequence[Paytable], shoe: Shoe) -> Mapping[Row, int] | None:
    """Count bets of two kinds of deal in one round, if one kind can be counted with the other."""
    kinds = list(dict.fromkeys(one.bet.deal.kind for one in paytables))
    groups = [[place for place, one in enumerate(paytables) if one.bet.deal.kind == kind] for kind in kinds]
    if len(groups) != 2:
        return None
    one, other = (crossed([paytables[place] for place in group]) for group in groups)
    pairs = _paired(one.trial, other.trial, shoe) if one and other else None
    if one is None or other is None or pairs is None:
        return None
    ways: Counter[Row] = Counter()
    order = [*groups[0], *groups[1]]
    for (first, second), many in pairs.items():
        row = dict(zip(order, (*one.cells[first], *other.cells[second]), strict=True))
        ways[tuple(row[place] for place in range(len(paytables)))] += many
    return ways


def check_games(paytables: Sequence[Paytable]) -> None:
    """Refuse bets that are made at different games, or dealt from different packs."""
    first = paytables[0]
    for one in paytables[1:]:
        games = [set(each.bet.game.lower().split(" or ")) for each in (first, one)]
        if not games[0] & games[1]:
            raise InputError(
                f"{first.id} is bet at {first.bet.game}, {one.id} at {one.bet.game}; they are not on the same cards"
            )
        if one.bet.pack != first.bet.pack:
            raise InputError(
                f"{first.id} is dealt from {first.bet.pack.name} decks, {one.id} from {one.bet.pack.name} ones"
            )


def crossed(paytables: Sequence[Paytable]) -> Crossing | None:
    """Cross what the bets ask, on one deal that has the cards of all; none if there is no such deal."""
    deals: list[Deal] = [one.bet.deal for one in paytables]
    found = next(filter(None, (deal.common(deals) for deal in dict.fromkeys(deals))), None)
    if found is None:
        return None
    questions = [_answers(one, places) for one, places in zip(paytables, found.places, strict=True)]
    return cross(found.deal, paytables[0].bet.pack, questions)


def _answers(paytable: Paytable, places: Mapping[int, int]) -> tuple[Fact, ...]:
    """What a bet can make of an outcome: each award, a loss, and that it is not made if it has a condition."""
    rules = [moved(award.rule.fact, places) for award in paytable.awards]
    given = [moved(paytable.bet.given.fact, places)] if paytable.bet.given else []
    above: list[Fact] = [*given]
    taken: list[Fact] = []
    for fact in rules:
        taken.append(And((*above, fact)) if above else fact)
        above.append(Not(fact))
    return (*taken, And(tuple(above)) if len(above) > 1 else above[0], *(Not(fact) for fact in given))


def _paired(one: Experiment, other: Experiment, shoe: Shoe) -> dict[tuple[int, int], int] | None:
    """Count two experiments in one round, if one of them can be counted with the other."""
    if isinstance(other, GoesWith) and (found := other.together_with(one, shoe.composition)):
        return found
    if isinstance(one, GoesWith) and (found := one.together_with(other, shoe.composition)):
        return {(first, second): many for (second, first), many in found.items()}
    return None


def _where_one_is_made(ways: Mapping[Row, int], paytables: Sequence[Paytable]) -> dict[Row, int]:
    """Leave out the rounds in which no bet is made."""
    none = tuple(len(one.awards) + 1 for one in paytables)
    found = {row: many for row, many in ways.items() if row != none}
    if not found:
        raise InputError(f"no hand of {paytables[0].id} fits the condition under which it is made")
    return found
