"""Which cards the outcomes of a bet take, by classes of cards: all that a watcher's figures need to know of a bet.

Cards that are gone and cards that come next are exchangeable. So it is enough to know how many cards of each class an
outcome takes from the full shoe, in how many ordered ways, and what is paid then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, perm

from msgspec import Struct

from combinat.advantage.spread import Kinds, Spread
from combinat.advantage.spread import Taken as Taken
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import Experiment, experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.listing import Listing, ListsCards, ListsKinds, TakesByRank
from combinat.enumeration.outcomes import Outcome
from combinat.exact.whole import MiscountError
from combinat.language.deal import Deal
from decks import Card, Composition, InputError, suggestion
from decks.errors import quoted

_OPEN = "{}: how many cards of {} there are is not known when one bets; see fewer"
_Row = tuple[int | None, Taken, Taken, Fraction]
"""An award, what is in view, all that is taken, and in how many ordered ways."""


class Weight(Struct, frozen=True):
    """Ordered ways to take some cards: how many, times what they bring above the lowest result, and its square."""

    made: int
    gained: int
    squared: int


class Uses(Struct, frozen=True, dict=True):
    """The outcomes of a bet at a shoe by the classes of the cards they take; those in view are named apart."""

    size: int
    sizes: Taken
    """How many cards of the shoe are in each class."""
    table: Mapping[tuple[Taken, Taken], Weight]
    """For the cards in view when the bet is made and for all cards of the outcome, the ordered ways."""
    lowest: Fraction
    """The lowest result of a wager of one, which results are reckoned from."""
    unit: int
    """What is gained is counted in parts of one: so many make a wager."""
    is_whole: bool
    """Whether outcomes of the lowest result are left out, since without a condition they are all the others."""

    @cached_property
    def longest(self) -> int:
        """The most cards that an outcome takes."""
        return max((sum(taken) for _, taken in self.table), default=0)

    @cached_property
    def in_view(self) -> int:
        """How many cards are in view when the bet is made."""
        return max((sum(view) for view, _ in self.table), default=0)


def uses(
    paytable: Paytable,
    composition: Composition,
    classes: Sequence[Sequence[Card]],
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
) -> Uses:
    """List what a bet's outcomes take of some classes of cards, which together are all cards of the shoe.

    >>> from combinat.bets.lookup import find
    >>> from decks import STANDARD
    >>> from decks.cards import ALL_CARDS
    >>> sevens = [card for card in ALL_CARDS if str(card).startswith("7")]
    >>> others = [card for card in ALL_CARDS if card not in sevens]
    >>> found = uses(find("BLZ-1-UP"), STANDARD.composition, [sevens, others], {"meter": Fraction(1000)})
    >>> found.table[(0, 0), (3, 0)].made  # 4 · 3 · 2 ways to deal three sevens
    24
    """
    check_listed(paytable)
    results = _results(paytable, meters or {})
    lowest = min(result for pay in results for result, _ in pay)
    trial = _told_apart(paytable, view)
    is_whole = paytable.bet.given is None and not view and results[-1][0][0] == lowest
    means = [mean for pay in results for mean in _gain(pay, lowest, 1)]
    unit = lcm(*(mean.denominator for mean in means))
    gains = [_gain(pay, lowest, unit) for pay in results]
    by_rank = None if view else _ranks_of(composition, classes)
    if by_rank is not None and isinstance(trial, TakesByRank):
        rows = _by_rank(trial, composition, by_rank)
    else:
        rows = _by_outcome(paytable, trial, composition, classes, view, is_whole)
    table: dict[tuple[Taken, Taken], list[Fraction]] = {}
    for award, shown, taken, ordered in rows:
        if award is None and is_whole:
            continue
        gain, square = gains[-1 if award is None else award]
        known = table.setdefault((shown, taken), [Fraction(0)] * 3)
        known[0] += ordered
        known[1] += ordered * gain
        known[2] += ordered * square
    if view and len({sum(shown) for shown, _ in table}) > 1:
        raise InputError(_OPEN.format(paytable.id, " and ".join(view)))
    if view and table and not any(sum(shown) for shown, _ in table):
        raise InputError(f"{paytable.id}: no rule looks at the cards of {' and '.join(view)}; there is nothing to see")
    scale = lcm(*(value.denominator for row in table.values() for value in row))
    if scale != 1:
        raise MiscountError(f"ordered ways are no whole numbers, but parts of {scale}")
    weights = {key: Weight(*(value.numerator for value in row)) for key, row in table.items()}
    sizes = tuple(sum(composition[card] for card in cards) for cards in classes)
    return Uses(composition.size, sizes, weights, lowest, unit, is_whole)


def _ranks_of(composition: Composition, classes: Sequence[Sequence[Card]]) -> list[list[int]] | None:
    """The ranks of each class, if cards of one rank are in one class and all of them have a rank."""
    if composition.jokers:
        return None
    found = [sorted({int(card.rank) for card in cards}) for cards in classes]
    every = [rank for ranks in found for rank in ranks]
    return found if len(set(every)) == len(every) else None


def _by_rank(trial: TakesByRank, composition: Composition, classes: Sequence[Sequence[int]]) -> Iterator[_Row]:
    for award, taken, ways in trial.taken_by_rank(composition, classes):
        yield award, (0,) * len(classes), taken, Fraction(ways)


def _by_outcome(
    paytable: Paytable,
    trial: Experiment,
    composition: Composition,
    classes: Sequence[Sequence[Card]],
    view: Sequence[str],
    is_whole: bool,
) -> Iterator[_Row]:
    """Look at every class of outcomes; those of the same kinds of cards are spread over the classes of cards once."""
    listing = trial.listing(composition) if isinstance(trial, ListsCards) else Listing(())
    spread, every = Spread(composition, classes, listing), _every(paytable, bool(view), composition)
    found: Counter[tuple[int | None, Kinds, Kinds]] = Counter()
    for award, here, there, ways in _hands(trial, composition, spread, view, is_whole):
        found[award, here, there] += ways
    for (award, here, there), ways in found.items():
        for shown, hidden, share in spread.parted(here, there):
            taken = tuple(map(sum, zip(shown, hidden, strict=True)))
            yield award, shown, taken, Fraction(ways, every) * share * perm(composition.size, sum(taken))


def _hands(
    trial: Experiment, composition: Composition, spread: Spread, view: Sequence[str], is_whole: bool
) -> Iterator[tuple[int | None, Kinds, Kinds, int]]:
    """Give the award of each class of outcomes, its kinds in view and out of view, and its ways."""
    if not isinstance(trial, ListsKinds):
        for outcome in trial.outcomes(composition):
            if outcome.award is None and is_whole:
                return  # these come last
            seen, unseen = _parted(trial.deal, outcome, view) if view else ([], list(outcome.cards))
            for here, there in spread.kinds(seen, unseen):
                yield outcome.award, here, there, outcome.ways
        return
    shown = {place for role in view for place in trial.deal.in_view[role]}
    for one in trial.kinds(composition, shown):
        if one.award is not None or not is_whole:
            here = tuple(sorted([kind for place in shown for kind in one.at.get(place, ())]))
            there = tuple(sorted([kind for place, kinds in one.at.items() if place not in shown for kind in kinds]))
            yield one.award, here, there, one.ways


def check_listed(paytable: Paytable) -> None:
    """Refuse a bet whose outcomes are not listed by their cards."""
    if not isinstance(paytable.experiment, ListsCards):
        raise InputError(
            f"{paytable.id}: what is done in its rounds depends on the cards, so that outcomes are not listed by them; "
            "no count is worked out, only the effect of removal"
        )


def _results(paytable: Paytable, meters: Mapping[str, Fraction]) -> list[tuple[tuple[Fraction, Fraction], ...]]:
    """For each award, and last for none, the results of a wager of one with their chances."""
    paytable.check_meters(meters)
    found = []
    for award in paytable.awards:
        nets = [((pay.gross_for(paytable.meter_wager()) - 1).at(meters), chance) for pay, chance in award.pay.outcomes]
        if unknown := sorted({name for net, _ in nets for name in net.unknowns}):
            raise InputError(f"{paytable.id} pays from meters; say what {' and '.join(unknown)} shows with --meter")
        found.append(tuple((net.constant, chance) for net, chance in nets))
    return [*found, ((Fraction(-1), Fraction(1)),)]


def _gain(pay: Sequence[tuple[Fraction, Fraction]], lowest: Fraction, unit: int) -> tuple[Fraction, Fraction]:
    """The mean of what is gained above the lowest result, and of its square, in parts of one."""
    gains = [((result - lowest) * unit, chance) for result, chance in pay]
    return sum((gain * chance for gain, chance in gains), Fraction(0)), sum(
        (gain**2 * chance for gain, chance in gains), Fraction(0)
    )


def _told_apart(paytable: Paytable, view: Sequence[str]) -> Experiment:
    """The experiment of a bet, with its roles told apart if some of them are in view."""
    if not view:
        return paytable.experiment
    deal = paytable.bet.deal
    known = list(deal.in_view)
    for role in view:
        if role not in known:
            hint = suggestion(role, known) or f"; its cards are those of {', '.join(known) or 'nobody by name'}"
            raise InputError(f"{paytable.id} has no {quoted(role)} that could be in view{hint}")
        if deal.size(deal.in_view[role]) is None:
            raise InputError(_OPEN.format(paytable.id, role))
    return experiment(deal, paytable.bet.pack, paytable.ladder, True)


def _parted(deal: Deal, outcome: Outcome, view: Sequence[str]) -> tuple[list[Card], list[Card]]:
    """Part the cards of a hand into those in view and the others: at the last of a role's places all further ones lie.

    >>> from combinat.bets.lookup import find
    >>> from decks import STANDARD
    >>> bet = find("BUST-IT")
    >>> hand = next(bet.experiment.outcomes(STANDARD.composition))
    >>> [" ".join(map(str, cards)) for cards in (hand.cards, *_parted(bet.bet.deal, hand, ["up"]))]
    ['6c 10c 6d', '6c', '10c 6d']
    """
    shown = {place for role in view for place in deal.groups[role]}
    seen: list[Card] = []
    unseen: list[Card] = []
    for role, cards in outcome.dealt:
        places = deal.groups[role]
        for number, card in enumerate(cards):
            (seen if places[min(number, len(places) - 1)] in shown else unseen).append(card)
    return seen, unseen


def _every(paytable: Paytable, has_view: bool, composition: Composition) -> int:
    """Count all outcomes, those too that a condition leaves out."""
    bet, rules = paytable.bet, paytable.ladder.rules
    whole = experiment(bet.deal, bet.pack, Ladder(rules, None), paytable.roles_distinct or has_view)
    return whole.weigh(composition).cycle
