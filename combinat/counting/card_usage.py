"""Card usage: how many cards of each class the outcomes of a bet use, all that card counting needs to know of a bet.

Removed cards and the next cards are exchangeable. So it is enough to know how many cards of each class an outcome uses
from the full shoe, in how many ordered ways, and what it pays. The module separates exposed cards from the others,
expands a representative outcome to all its hands by class, and measures pays from the lowest result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, lcm, perm, prod
from typing import TypeVar

from more_itertools import multinomial
from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import (
    CardResolution,
    CountsByRank,
    Experiment,
    ListsCards,
    ListsRankClasses,
    experiment,
)
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Outcome
from combinat.exact.numbers import MiscountError
from combinat.language.deal import Deal
from decks import Card, Composition, InputError, Shoe, did_you_mean
from decks.errors import quote

T = TypeVar("T")
_OPEN = "{}: how many cards of {} there are is not known when one bets; see fewer"


def exposed_positions(paytable: Paytable, view: Sequence[str]) -> list[frozenset[int]]:
    """Return the positions of each exposed role; a position of two roles belongs to the first."""
    deal = paytable.bet.deal
    roles = list(deal.in_view)
    positions: list[frozenset[int]] = []
    for role in view:
        if role not in roles:
            hint = did_you_mean(role, roles) or f"; its cards are those of {', '.join(roles) or 'nobody by name'}"
            raise InputError(f"{paytable.id} has no {quote(role)} that could be in view{hint}")
        if deal.size(deal.in_view[role]) is None:
            raise InputError(_OPEN.format(paytable.id, role))
        positions.append(frozenset(deal.in_view[role]).difference(*positions))
    return positions


def split_visible(deal: Deal, outcome: Outcome, shown: Sequence[frozenset[int]]) -> list[list[Card]]:
    """Split the cards of a hand by exposed role, the others last; cards beyond a role's positions go to its last one.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import STANDARD
    >>> bet = get_paytable("BUST-IT")
    >>> hand = next(bet.experiment.outcomes(STANDARD.composition))
    >>> [" ".join(map(str, cards)) for cards in (hand.cards, *split_visible(bet.bet.deal, hand, [frozenset({0})]))]
    ['6c 10c 6d', '6c', '10c 6d']
    """
    if not shown:
        return [list(outcome.cards)]
    return group_by_role(
        shown,
        [
            (positions[min(number, len(positions) - 1)], card)
            for role, cards in outcome.dealt
            for positions in [deal.groups[role]]
            for number, card in enumerate(cards)
        ],
    )


def group_by_role(shown: Sequence[frozenset[int]], cards: Sequence[tuple[int, T]]) -> list[list[T]]:
    """Sort cards, each with its position, by exposed role, and last the others."""
    if not shown:
        return [[card for _, card in cards]]
    groups: list[list[T]] = [[] for _ in range(len(shown) + 1)]
    for position, card in cards:
        groups[next((number for number, positions in enumerate(shown) if position in positions), -1)].append(card)
    return groups


ClassCounts = tuple[int, ...]
"""Number of cards used of each class."""
Kinds = tuple[int, ...]
"""Sorted kinds of some cards; the listing does not distinguish cards of one kind."""
_AS_THEY_ARE = (0, 1, 2, 3)


class ClassExpansion:
    """Expands an outcome to the class counts of its hands, each with its share of the outcome."""

    def __init__(self, composition: Composition, classes: Sequence[Sequence[Card]], listing: CardResolution) -> None:
        self._class_of = {card: number for number, cards in enumerate(classes) for card in cards}
        self._classes = len(classes)
        kinds = [[card for card, _ in composition if card.rank in ranks] for ranks in listing.ranks]
        by_suit = any(
            len({self._class_of[card] for card in _of_rank(composition, card)}) > 1 for card, _ in composition
        )
        if by_suit and listing.suit_permutations is not None:
            self._renamings = listing.suit_permutations
            kinds = [[card] for card, _ in composition]
        else:
            self._renamings = (_AS_THEY_ARE,)
            if by_suit and listing.asks_suits:
                raise InputError(
                    "the rules ask for suits of finished hands; tags by suit are for dealt cards, give ranks"
                )
        mixed = any(len({self._class_of[card] for card in cards}) > 1 for cards in kinds)
        if mixed and listing.suit_permutations is None and listing.asks_suits:
            raise InputError(
                "the rules ask for suits of finished hands; ranks that they do not tell apart need one tag"
            )
        self._is_mixed = mixed
        self._kind_of = {card: number for number, cards in enumerate(kinds) for card in cards}
        self._within = [Counter({self._class_of[card]: 0 for card in cards}) for cards in kinds]
        for card, copies in composition:
            self._within[self._kind_of[card]][self._class_of[card]] += copies

    def kinds(self, groups: Sequence[Sequence[Card]]) -> Iterator[tuple[Kinds, ...]]:
        """Iterate over the kinds of each group of cards, under every suit permutation."""
        for renaming in self._renamings:
            yield tuple(
                [tuple(sorted([self._kind_of[_permute_suit(card, renaming)] for card in cards])) for cards in groups]
            )

    def _of_classes(self, kinds: Kinds) -> ClassCounts:
        counts = [0] * self._classes
        for kind in kinds:
            counts[next(iter(self._within[kind]))] += 1
        return tuple(counts)

    def parted(self, groups: Sequence[Kinds]) -> Iterator[tuple[tuple[ClassCounts, ...], Fraction]]:
        """Distribute cards of mixed kinds over the classes, with the share of the outcome."""
        if not self._is_mixed:  # every kind is of one class
            yield tuple([self._of_classes(kinds) for kinds in groups]), Fraction(1, len(self._renamings))
            return
        choices = []
        for kind in sorted({kind for kinds in groups for kind in kinds}):
            within, counts = self._within[kind], [kinds.count(kind) for kinds in groups]
            total_ways, options = perm(sum(within.values()), sum(counts)), []
            for ways_of_parts in product(*(list(compositions(composition, len(within))) for composition in counts)):
                ways = prod(multinomial(*composition) for composition in ways_of_parts)
                ways *= prod(
                    perm(copies, sum(row)) for copies, *row in zip(within.values(), *ways_of_parts, strict=True)
                )
                if ways:
                    options.append((tuple(within), ways_of_parts, Fraction(ways, total_ways)))
            choices.append(options)
        for chosen in product(*choices):
            rows = [[0] * self._classes for _ in groups]
            for classes, ways_of_parts, _ in chosen:
                for row, composition in zip(rows, ways_of_parts, strict=True):
                    for number, cards in zip(classes, composition, strict=True):
                        row[number] += cards
            share = prod((option_share for *_, option_share in chosen), start=Fraction(1, len(self._renamings)))
            yield tuple(map(tuple, rows)), share


def _of_rank(composition: Composition, card: Card) -> list[Card]:
    return [candidate for candidate, _ in composition if candidate.rank == card.rank]


def _permute_suit(card: Card, renaming: tuple[int, ...]) -> Card:
    return card if renaming is _AS_THEY_ARE or card.is_joker else Card(card.rank, type(card.suit)(renaming[card.suit]))


def compositions(total: int, size: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the compositions of `total` into `size` nonnegative parts, in order."""
    if size == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for tail in compositions(total - first, size - 1):
            yield (first, *tail)


def award_results(
    paytable: Paytable, decks: int, meters: Mapping[str, Fraction]
) -> list[tuple[tuple[Fraction, Fraction], ...]]:
    """Return the results of a unit wager with their probabilities, for each award and last for a loss."""
    paytable.check_meters(meters)
    wager, results = paytable.meter_wager(decks), []
    for award in paytable.awards:
        nets = [((pay.gross_for(wager) - 1).at(meters), probability) for pay, probability in award.pay.outcomes]
        if unknown := sorted({name for net, _ in nets for name in net.unknowns}):
            raise InputError(f"{paytable.id} pays from meters; say what {' and '.join(unknown)} shows with --meter")
        results.append(tuple((net.constant, probability) for net, probability in nets))
    return [*results, ((Fraction(-1), Fraction(1)),)]


def gain_moments(pay: Sequence[tuple[Fraction, Fraction]], lowest: Fraction, unit: int) -> tuple[Fraction, Fraction]:
    """Return the mean gain above the lowest result and its second moment, in units of 1 / `unit`."""
    gains = [((result - lowest) * unit, probability) for result, probability in pay]
    return sum((gain * probability for gain, probability in gains), Fraction(0)), sum(
        (gain**2 * probability for gain, probability in gains), Fraction(0)
    )


_Row = tuple[int | None, ClassCounts, ClassCounts, Fraction]
"""An award, exposed cards, all cards used, and the number of ordered ways."""


class Weight(Struct, frozen=True):
    """Sums over ordered ways to use some cards: bets made, gain above the lowest result, and its square."""

    made: int
    gained: int
    squared: int


class CardUsage(Struct, frozen=True, dict=True):
    """The outcomes of a bet by the classes of the cards they use, exposed cards apart."""

    size: int
    sizes: ClassCounts
    """Number of cards of the shoe in each class."""
    table: Mapping[tuple[ClassCounts, ClassCounts], Weight]
    """Weights by (exposed cards, all cards of the outcome)."""
    lowest: Fraction
    """The lowest result of a unit wager, from which gains are measured."""
    unit: int
    """Gains are in units of 1 / `unit` of a wager."""
    is_whole: bool
    """Whether outcomes of the lowest result are omitted, since without a condition they are the complement.

    Otherwise the bets made are listed by exposed cards, less those where the condition does not hold.
    """
    largest: int = 0
    """Upper bound of any outcome's gain or square, in these units; 0 to derive it from the weights."""
    most: CardUsage | None = None
    """The same with upper bounds of the squares, where these are lower bounds; `None` if they are exact."""

    @cached_property
    def longest(self) -> int:
        """Maximum number of cards of an outcome."""
        return max((sum(cards) for _, cards in self.table), default=0)

    @cached_property
    def in_view(self) -> int:
        """Number of exposed cards when the bet is made."""
        return max((sum(view) for view, _ in self.table), default=0)

    @cached_property
    def squares_of_gain(self) -> Fraction | None:
        """The ratio of square to gain if it is constant, as for a bet with a single pay; else `None`.

        >>> def of(*weights):
        ...     table = {((0,), (number,)): one for number, one in enumerate(weights)}
        ...     return CardUsage(9, (9,), table, Fraction(-1), 1, True).squares_of_gain
        >>> of(Weight(1, 2, 6), Weight(1, 0, 0), Weight(1, 3, 9)), of(Weight(1, 2, 6), Weight(1, 3, 8))
        (Fraction(3, 1), None)
        >>> of(Weight(1, 2, 0), Weight(1, 3, 9)), of(Weight(1, 0, 1))
        (None, None)
        """
        gaining = [weight for weight in self.table.values() if weight.gained or weight.squared]
        if not gaining or not gaining[0].gained:
            return None
        ratio = Fraction(gaining[0].squared, gaining[0].gained)
        is_so = all(weight.squared * ratio.denominator == weight.gained * ratio.numerator for weight in gaining)
        return ratio if ratio and is_so else None

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether the table is symmetric under permutation of classes; adjacent transpositions suffice."""
        return len(set(self.sizes)) == 1 and all(
            self.table.get((_swap_classes(view, index), _swap_classes(cards, index))) == weight
            for index in range(len(self.sizes) - 1)
            for (view, cards), weight in self.table.items()
        )


def _swap_classes(counts: ClassCounts, index: int) -> ClassCounts:
    return (*counts[:index], counts[index + 1], counts[index], *counts[index + 2 :])


def card_usage(
    paytable: Paytable,
    shoe: Shoe,
    classes: Sequence[Sequence[Card]],
    meters: Mapping[str, Fraction] | None = None,
    view: Sequence[str] = (),
    by_role: bool = False,
) -> CardUsage:
    """Compute the card usage of a bet's outcomes for classes that partition the cards of the shoe.

    Exposed cards are counted together, as a sum of tags needs, or separately by role with `by_role`. Decisions in a
    round are the best ones for this shoe.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> from decks.cards import ALL_CARDS
    >>> sevens = [card for card in ALL_CARDS if str(card).startswith("7")]
    >>> others = [card for card in ALL_CARDS if card not in sevens]
    >>> found = card_usage(get_paytable("BLZ-1-UP"), Shoe(1), [sevens, others], {"meter": Fraction(1000)})
    >>> found.table[(0, 0), (3, 0)].made  # 4 · 3 · 2 ways to deal three sevens
    24
    """
    check_lists_cards(paytable)
    composition = shoe.composition
    results = award_results(paytable, shoe.decks, meters or {})
    lowest = min(result for pay in results for result, _ in pay)
    shown = exposed_positions(paytable, view)
    means = [mean for pay in results for mean in gain_moments(pay, lowest, 1)]
    unit = lcm(*(mean.denominator for mean in means))
    gains = [gain_moments(pay, lowest, unit) for pay in results]
    is_whole = paytable.bet.given is None and not view and not gains[-1][0]
    sizes = tuple(sum(composition[card] for card in cards) for cards in classes)
    listed = _UsageLister(paytable, composition, classes, shown, by_role)
    table: dict[tuple[ClassCounts, ClassCounts], list[Fraction]] = {}
    for award, visible, usage, ordered in listed.rows(paytable.ladder, not gains[-1][0]):
        gain, square = gains[-1 if award is None else award]
        if gain:
            sums = table.setdefault((visible, usage), [Fraction(0)] * 3)
            sums[0] += ordered if is_whole else 0
            sums[1] += ordered * gain
            sums[2] += ordered * square
    if not is_whole:
        for visible, usage, ordered in listed.made():
            table.setdefault((visible, usage), [Fraction(0)] * 3)[0] += ordered
    scale = lcm(*(value.denominator for row in table.values() for value in row))
    if scale != 1:
        raise MiscountError(f"ordered ways are no whole numbers, but parts of {scale}")
    weights = {key: Weight(*(value.numerator for value in row)) for key, row in table.items() if any(row)}
    largest = ceil(max(square for _, square in gains)) + 1
    return CardUsage(composition.size, sizes, weights, lowest, unit, is_whole, largest)


def _ranks_of(classes: Sequence[Sequence[Card]]) -> list[list[int]] | None:
    """Return the ranks of each class if no rank is in two classes, else `None`; 0 stands for jokers."""
    ranks_by_class = [sorted({int(card.rank) for card in cards}) for cards in classes]
    all_ranks = [rank for ranks in ranks_by_class for rank in ranks]
    return ranks_by_class if len(set(all_ranks)) == len(all_ranks) else None


class _UsageLister:
    """Lists the outcomes of a bet by the classes of their cards, exposed cards apart."""

    def __init__(
        self,
        paytable: Paytable,
        composition: Composition,
        classes: Sequence[Sequence[Card]],
        shown: Sequence[frozenset[int]],
        by_role: bool,
    ) -> None:
        self._paytable, self._bet, self._composition, self._classes = paytable, paytable.bet, composition, classes
        self._given = paytable.ladder.given
        self._distinct = paytable.roles_distinct or bool(shown)
        self._shown = shown
        self._apart = by_role
        self._by_rank = None if shown else _ranks_of(classes)

    def rows(self, ladder: Ladder, only_awards: bool = False) -> Iterator[_Row]:
        """Iterate over the outcomes by award of a ladder; with `only_awards` without losing outcomes."""
        source = self._trial(ladder)
        if self._by_rank is not None and isinstance(source, CountsByRank):
            for award, usage, ways in source.count_by_rank(self._composition, self._by_rank):
                if award is not None or not only_awards:
                    yield award, (0,) * len(usage), usage, Fraction(ways)
            return
        listing = source.listing(self._composition) if isinstance(source, ListsCards) else CardResolution(())
        if listing.reason_not_listed:
            raise InputError(
                f"{self._paytable.id}: {listing.reason_not_listed}; give tags by rank alone, with no cards in view"
            )
        spread = ClassExpansion(self._composition, self._classes, listing)
        ways_by_kinds: Counter[tuple[int | None, tuple[Kinds, ...]]] = Counter()
        for award, kinds, ways in self._hands(source, spread, only_awards):
            ways_by_kinds[award, kinds] += ways
        total_ways = (
            self._trial(Ladder(ladder.rules)).count(self._composition).cycle
        )  # those that a condition leaves out too
        for (award, kinds), ways in ways_by_kinds.items():
            for takes, share in spread.parted(kinds):
                usage = _sum(takes)
                yield (
                    award,
                    self._in_view(takes[:-1]),
                    usage,
                    Fraction(ways, total_ways) * share * perm(self._composition.size, sum(usage)),
                )

    def made(self) -> Iterator[tuple[ClassCounts, ClassCounts, Fraction]]:
        """Iterate over the ways in which the bet is made: all exposed cards, less those without its condition."""
        sizes = [sum(self._composition[card] for card in cards) for cards in self._classes]
        for takes in product(*(list(compositions(len(positions), len(sizes))) for positions in self._shown)):
            usage = _sum(takes) if takes else (0,) * len(sizes)
            ways = prod(map(perm, sizes, usage)) * prod(multinomial(*take) for take in takes)
            if ways:
                yield self._in_view(takes), usage, Fraction(ways)
        if self._given is not None:
            for award, visible, usage, ordered in self.rows(Ladder((self._given,))):
                if award is None:
                    yield visible, usage, -ordered

    def _trial(self, ladder: Ladder) -> Experiment:
        """Return the experiment that sorts outcomes by a ladder: the bet's own if possible, which caches results."""
        if ladder == self._paytable.ladder and self._distinct == self._paytable.roles_distinct:
            return self._paytable.experiment
        return experiment(self._bet.deal, self._bet.pack, ladder, self._distinct)

    def _in_view(self, takes: Sequence[ClassCounts]) -> ClassCounts:
        if not takes:
            return (0,) * len(self._classes)
        return tuple([count for take in takes for count in take]) if self._apart else _sum(takes)

    def _hands(
        self, source: Experiment, spread: ClassExpansion, only_awards: bool
    ) -> Iterator[tuple[int | None, tuple[Kinds, ...], int]]:
        """Iterate over (award, kinds by exposed role and last unexposed, ways) of the outcomes."""
        if not isinstance(source, ListsRankClasses):
            for outcome in source.outcomes(self._composition):
                if outcome.award is None and only_awards:
                    return  # these come last
                for kinds_by_role in spread.kinds(split_visible(source.deal, outcome, self._shown)):
                    yield outcome.award, kinds_by_role, outcome.ways
            return
        for outcome_kinds in source.kinds(self._composition, frozenset().union(*self._shown)):
            if outcome_kinds.award is not None or not only_awards:
                cards = [(position, kind) for position, kinds in outcome_kinds.at.items() for kind in kinds]
                yield (
                    outcome_kinds.award,
                    tuple([tuple(sorted(group)) for group in group_by_role(self._shown, cards)]),
                    outcome_kinds.ways,
                )


def check_lists_cards(paytable: Paytable) -> None:
    """Raise `InputError` if the outcomes of a bet are not listed by their cards."""
    if not isinstance(paytable.experiment, ListsCards):
        raise InputError(
            f"{paytable.id}: its outcomes are not listed by their cards; no count is worked out, only the effect of "
            "removal"
        )


def count_all_outcomes(paytable: Paytable, composition: Composition) -> int:
    """Count all outcomes, including those that a condition excludes."""
    bet, rules = paytable.bet, paytable.ladder.rules
    return experiment(bet.deal, bet.pack, Ladder(rules), paytable.roles_distinct).count(composition).cycle


def _sum(takes: Sequence[ClassCounts]) -> ClassCounts:
    return tuple(map(sum, zip(*takes, strict=True)))
