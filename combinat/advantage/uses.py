"""Which cards the outcomes of a bet take, by classes of cards: all that a watcher's figures need to know of a bet.

Cards that are gone and cards that come next are exchangeable. So it is enough to know how many cards of each class an
outcome takes from the full shoe, in how many ordered ways, and what is paid then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, perm, prod

from more_itertools import multinomial
from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import Experiment, experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.listing import Listing, ListsCards, TakesByRank
from combinat.exact.whole import MiscountError
from decks import Card, Composition, InputError, suggestion
from decks.errors import quoted

Taken = tuple[int, ...]
"""How many cards of each class are taken."""
_Row = tuple[int | None, Taken, Taken, Fraction]
"""An award, what is in view, all that is taken, and in how many ordered ways."""
_Kinds = tuple[int, ...]
_AS_THEY_ARE = (0, 1, 2, 3)


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
        rows = _by_outcome(trial, composition, classes, view, is_whole, _every(paytable, bool(view), composition))
    table: dict[tuple[Taken, Taken], list[Fraction]] = {}
    for award, shown, taken, ordered in rows:
        if award is None and is_whole:
            continue
        gain, square = gains[-1 if award is None else award]
        known = table.setdefault((shown, taken), [Fraction(0)] * 3)
        known[0] += ordered
        known[1] += ordered * gain
        known[2] += ordered * square
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
    trial: Experiment,
    composition: Composition,
    classes: Sequence[Sequence[Card]],
    view: Sequence[str],
    is_whole: bool,
    every: int,
) -> Iterator[_Row]:
    """Look at every class of outcomes; those of the same kinds of cards are spread over the classes of cards once."""
    listing = trial.listing(composition) if isinstance(trial, ListsCards) else Listing(())
    spread = _Spread(composition, classes, listing)
    found: Counter[tuple[int | None, _Kinds, _Kinds]] = Counter()
    for outcome in trial.outcomes(composition):
        if outcome.award is None and is_whole:
            if listing.losing_last:
                break
            continue
        seen = [card for role, cards in outcome.dealt for card in cards if role in view] if view else []
        unseen = (
            [card for role, cards in outcome.dealt for card in cards if role not in view] if view else outcome.cards
        )
        for here, there in spread.kinds(seen, unseen):
            found[outcome.award, here, there] += outcome.ways
    for (award, here, there), ways in found.items():
        for shown, hidden, share in spread.parted(here, there):
            taken = tuple(map(sum, zip(shown, hidden, strict=True)))
            yield award, shown, taken, Fraction(ways, every) * share * perm(composition.size, sum(taken))


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
    known = list(deal.groups)
    for role in view:
        if role not in known:
            hint = suggestion(role, known) or f"; its cards are those of {', '.join(known) or 'nobody by name'}"
            raise InputError(f"{paytable.id} has no {quoted(role)} that could be in view{hint}")
    return experiment(deal, paytable.bet.pack, paytable.ladder, True)


def _every(paytable: Paytable, has_view: bool, composition: Composition) -> int:
    """Count all outcomes, those too that a condition leaves out."""
    bet, rules = paytable.bet, paytable.ladder.rules
    whole = experiment(bet.deal, bet.pack, Ladder(rules, None), paytable.roles_distinct or has_view)
    return whole.weigh(composition).cycle


class _Spread:
    """From one hand of a class of outcomes to what all its hands take of some classes of cards, with their shares."""

    def __init__(self, composition: Composition, classes: Sequence[Sequence[Card]], listing: Listing) -> None:
        self._class_of = {card: number for number, cards in enumerate(classes) for card in cards}
        self._classes = len(classes)
        kinds = [[card for card, _ in composition if card.rank in ranks] for ranks in listing.ranks]
        by_suit = any(
            len({self._class_of[card] for card in _of_rank(composition, card)}) > 1 for card, _ in composition
        )
        if by_suit and listing.renamings is not None:
            self._renamings = listing.renamings
            kinds = [[card] for card, _ in composition]
        else:
            self._renamings = (_AS_THEY_ARE,)
            if by_suit and listing.asks_suits:
                raise InputError(
                    "the rules ask for suits of finished hands; tags by suit are for dealt cards, give ranks"
                )
        mixed = any(len({self._class_of[card] for card in cards}) > 1 for cards in kinds)
        if mixed and listing.renamings is None and listing.asks_suits:
            raise InputError(
                "the rules ask for suits of finished hands; ranks that they do not tell apart need one tag"
            )
        self._kind_of = {card: number for number, cards in enumerate(kinds) for card in cards}
        self._within = [Counter({self._class_of[card]: 0 for card in cards}) for cards in kinds]
        for card, copies in composition:
            self._within[self._kind_of[card]][self._class_of[card]] += copies

    def kinds(self, seen: Sequence[Card], unseen: Sequence[Card]) -> Iterator[tuple[_Kinds, _Kinds]]:
        """Give the kinds of the cards in view and out of view, with the suits of the hand renamed in every way."""
        for renaming in self._renamings:
            here, there = (
                tuple(sorted([self._kind_of[_renamed(card, renaming)] for card in cards])) for cards in (seen, unseen)
            )
            yield here, there

    def parted(self, seen: _Kinds, unseen: _Kinds) -> Iterator[tuple[Taken, Taken, Fraction]]:
        """Part cards of mixed kinds among the classes, each way as likely as cards of the kind fall so.

        With what is taken in view and out of view comes how large a share of the class of outcomes that is.
        """
        kinds = sorted({*seen, *unseen})
        choices = []
        for kind in kinds:
            within = self._within[kind]
            here, there = seen.count(kind), unseen.count(kind)
            every = perm(sum(within.values()), here + there)
            found = []
            for shown in _compositions(here, len(within)):
                for hidden in _compositions(there, len(within)):
                    ways = multinomial(*shown) * multinomial(*hidden)
                    ways *= prod(
                        perm(many, one + other) for many, one, other in zip(within.values(), shown, hidden, strict=True)
                    )
                    if ways:
                        found.append((tuple(within), shown, hidden, Fraction(ways, every)))
            choices.append(found)
        for chosen in product(*choices):
            in_view, out_of_view = [0] * self._classes, [0] * self._classes
            for classes, one, other, _ in chosen:
                for number, more, less in zip(classes, one, other, strict=True):
                    in_view[number] += more
                    out_of_view[number] += less
            share = prod((part for *_, part in chosen), start=Fraction(1, len(self._renamings)))
            yield tuple(in_view), tuple(out_of_view), share


def _of_rank(composition: Composition, card: Card) -> list[Card]:
    return [other for other, _ in composition if other.rank == card.rank]


def _renamed(card: Card, renaming: tuple[int, ...]) -> Card:
    return card if renaming is _AS_THEY_ARE or card.is_joker else Card(card.rank, type(card.suit)(renaming[card.suit]))


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Give the ways to part a number into so many, in order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)
