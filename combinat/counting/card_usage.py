"""Card usage: how many cards of each class the outcomes of a bet use, all that card counting needs to know about a bet.

Removed cards and the next cards are exchangeable. So it is enough to know how many cards of each class an outcome uses
from the full shoe, in how many ordered ways, and what it pays. The module separates exposed cards from the others,
expands a representative outcome to all its hands by class, and measures results from the lowest one, so that all sums
are nonnegative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, lcm, perm, prod
from typing import NamedTuple, TypeVar

from more_itertools import multinomial
from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import (
    CardResolution,
    Experiment,
    experiment,
)
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Outcome
from combinat.enumeration.symmetry import IDENTITY
from combinat.exact.numbers import MiscountError
from combinat.language.deal import Deal
from decks import Card, Composition, InputError, Shoe, did_you_mean
from decks.errors import quote

T = TypeVar("T")
_OPEN_ROLE = "{}: the number of cards of {} is not known when the bet is made; expose other cards"


def exposed_positions(paytable: Paytable, view: Sequence[str]) -> list[frozenset[int]]:
    """Return the positions of each exposed role; a position of two roles belongs to the first."""
    deal = paytable.bet.deal
    roles = list(deal.exposable_positions)
    positions: list[frozenset[int]] = []
    for role in view:
        if role not in roles:
            hint = did_you_mean(role, roles) or f"; its roles are: {', '.join(roles) or 'none'}"
            raise InputError(f"{paytable.id} has no role {quote(role)} that could be exposed{hint}")
        if deal.size(deal.exposable_positions[role]) is None:
            raise InputError(_OPEN_ROLE.format(paytable.id, role))
        positions.append(frozenset(deal.exposable_positions[role]).difference(*positions))
    return positions


def split_visible(deal: Deal, outcome: Outcome, exposed: Sequence[frozenset[int]]) -> list[list[Card]]:
    """Split the cards of a hand by exposed role, the others last; cards beyond a role's positions go to its last one.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import STANDARD
    >>> bet = get_paytable("BUST-IT")
    >>> hand = next(bet.experiment.outcomes(STANDARD.composition))
    >>> [" ".join(map(str, cards)) for cards in (hand.cards, *split_visible(bet.bet.deal, hand, [frozenset({0})]))]
    ['6c 10c 6d', '6c', '10c 6d']
    """
    if not exposed:
        return [list(outcome.cards)]
    return group_by_role(
        exposed,
        [
            (positions[min(card_index, len(positions) - 1)], card)
            for role, cards in outcome.dealt
            for positions in [deal.positions_by_role[role]]
            for card_index, card in enumerate(cards)
        ],
    )


def group_by_role(exposed: Sequence[frozenset[int]], cards: Sequence[tuple[int, T]]) -> list[list[T]]:
    """Sort cards, each with its position, by exposed role, and last the others."""
    if not exposed:
        return [[card for _, card in cards]]
    groups: list[list[T]] = [[] for _ in range(len(exposed) + 1)]
    for position, card in cards:
        groups[next((role_index for role_index, positions in enumerate(exposed) if position in positions), -1)].append(
            card
        )
    return groups


ClassCounts = tuple[int, ...]
"""Number of cards used of each class."""
Kinds = tuple[int, ...]
"""Sorted kinds of some cards; the listing does not distinguish cards of one kind."""


class _KindSplit(NamedTuple):
    """A choice of classes for the cards of one kind."""

    counts_by_group: tuple[tuple[int, ...], ...]
    """For each group, the number of its cards in each class of the kind."""
    share: Fraction
    """Probability of this choice."""


class ClassExpansion:
    """Expands an outcome to the class counts of its hands, each with its share of the outcome."""

    def __init__(self, composition: Composition, classes: Sequence[Sequence[Card]], resolution: CardResolution) -> None:
        self._class_of = {card: index for index, cards in enumerate(classes) for card in cards}
        self._class_count = len(classes)
        cards_by_kind = [[card for card, _ in composition if card.rank in ranks] for ranks in resolution.ranks]
        classes_split_ranks = any(
            len({self._class_of[card] for card in _of_rank(composition, card)}) > 1 for card, _ in composition
        )
        if classes_split_ranks and resolution.suit_permutations is not None:
            self._suit_permutations = resolution.suit_permutations
            cards_by_kind = [[card] for card, _ in composition]
        else:
            self._suit_permutations = (IDENTITY,)
            if classes_split_ranks and resolution.uses_suits:
                raise InputError(
                    "the rules ask for suits of finished hands; tags by suit are for dealt cards, give ranks"
                )
        is_mixed = any(len({self._class_of[card] for card in cards}) > 1 for cards in cards_by_kind)
        if is_mixed and resolution.suit_permutations is None and resolution.uses_suits:
            raise InputError(
                "the rules ask for suits of finished hands; ranks that they do not tell apart need one tag"
            )
        self._is_mixed = is_mixed
        self._kind_of = {card: index for index, cards in enumerate(cards_by_kind) for card in cards}
        self._copies_by_class = [Counter({self._class_of[card]: 0 for card in cards}) for cards in cards_by_kind]
        for card, copies in composition:
            self._copies_by_class[self._kind_of[card]][self._class_of[card]] += copies

    def iter_kinds(self, groups: Sequence[Sequence[Card]]) -> Iterator[tuple[Kinds, ...]]:
        """Iterate over the kinds of each group of cards, under every suit permutation."""
        for permutation in self._suit_permutations:
            yield tuple(
                [tuple(sorted([self._kind_of[_permute_suit(card, permutation)] for card in cards])) for cards in groups]
            )

    def _count_classes(self, kinds_of_cards: Kinds) -> ClassCounts:
        counts = [0] * self._class_count
        for kind in kinds_of_cards:
            counts[next(iter(self._copies_by_class[kind]))] += 1
        return tuple(counts)

    def iter_class_counts(self, groups: Sequence[Kinds]) -> Iterator[tuple[tuple[ClassCounts, ...], Fraction]]:
        """Distribute cards of mixed kinds over the classes, with the share of the outcome."""
        if not self._is_mixed:  # every kind is of one class
            yield (
                tuple([self._count_classes(kinds_of_cards) for kinds_of_cards in groups]),
                Fraction(1, len(self._suit_permutations)),
            )
            return
        kinds = sorted({kind for kinds_of_cards in groups for kind in kinds_of_cards})
        splits_by_kind = [
            list(self._iter_splits(kind, [kinds_of_cards.count(kind) for kinds_of_cards in groups])) for kind in kinds
        ]
        for splits in product(*splits_by_kind):
            counts_by_group = [[0] * self._class_count for _ in groups]
            for kind, split in zip(kinds, splits, strict=True):
                for class_counts, group_split in zip(counts_by_group, split.counts_by_group, strict=True):
                    for class_index, card_count in zip(self._copies_by_class[kind], group_split, strict=True):
                        class_counts[class_index] += card_count
            share = prod((split.share for split in splits), start=Fraction(1, len(self._suit_permutations)))
            yield tuple(map(tuple, counts_by_group)), share

    def _iter_splits(self, kind: int, card_counts: Sequence[int]) -> Iterator[_KindSplit]:
        """Iterate over the ways to choose classes for the cards of a kind, of which each group has `card_counts`."""
        copies_by_class = self._copies_by_class[kind]
        total_ways = perm(sum(copies_by_class.values()), sum(card_counts))
        for counts_by_group in product(
            *(list(compositions(card_count, len(copies_by_class))) for card_count in card_counts)
        ):
            ways = prod(multinomial(*group_split) for group_split in counts_by_group)
            for copies, *class_counts in zip(copies_by_class.values(), *counts_by_group, strict=True):
                ways *= perm(copies, sum(class_counts))
            if ways:
                yield _KindSplit(counts_by_group, Fraction(ways, total_ways))


def _of_rank(composition: Composition, card: Card) -> list[Card]:
    return [candidate for candidate, _ in composition if candidate.rank == card.rank]


def _permute_suit(card: Card, permutation: tuple[int, ...]) -> Card:
    return (
        card if permutation is IDENTITY or card.is_joker else Card(card.rank, type(card.suit)(permutation[card.suit]))
    )


def compositions(total: int, size: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the compositions of `total` into `size` nonnegative parts, in order."""
    if size == 1:
        yield (total,)
        return
    for first_part in range(total + 1):
        for tail in compositions(total - first_part, size - 1):
            yield (first_part, *tail)


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

    bets: int
    gains: int
    squares: int


class CardUsage(Struct, frozen=True, dict=True):
    """The outcomes of a bet by the classes of the cards they use, with exposed cards separate."""

    shoe_size: int
    class_sizes: ClassCounts
    """Number of cards of the shoe in each class."""
    weights: Mapping[tuple[ClassCounts, ClassCounts], Weight]
    """Weights by (exposed cards, all cards of the outcome)."""
    lowest_result: Fraction
    """The lowest result of a unit wager, from which gains are measured."""
    unit: int
    """Gains are in units of 1 / `unit` of a wager."""
    omits_lowest: bool
    """Whether outcomes of the lowest result are omitted: without a condition they are the complement of the others.

    Otherwise bets are listed by exposed cards, less those for which the condition does not hold.
    """
    max_gain: int = 0
    """Upper bound of any outcome's gain or square, in these units; 0 to derive it from the weights."""
    upper_bounds: CardUsage | None = None
    """The usage with upper bounds of the squares, if `weights` has lower bounds; `None` if its squares are exact."""

    @cached_property
    def max_cards(self) -> int:
        """Maximum number of cards of an outcome."""
        return max((sum(cards) for _, cards in self.weights), default=0)

    @cached_property
    def exposed_count(self) -> int:
        """Number of exposed cards when the bet is made."""
        return max((sum(view) for view, _ in self.weights), default=0)

    @cached_property
    def squares_of_gain(self) -> Fraction | None:
        """The ratio of square to gain if it is constant, as for a bet with a single pay; else `None`.

        >>> def of(*weights):
        ...     table = {((0,), (number,)): weight for number, weight in enumerate(weights)}
        ...     return CardUsage(9, (9,), table, Fraction(-1), 1, True).squares_of_gain
        >>> of(Weight(1, 2, 6), Weight(1, 0, 0), Weight(1, 3, 9)), of(Weight(1, 2, 6), Weight(1, 3, 8))
        (Fraction(3, 1), None)
        >>> of(Weight(1, 2, 0), Weight(1, 3, 9)), of(Weight(1, 0, 1))
        (None, None)
        """
        gaining = [weight for weight in self.weights.values() if weight.gains or weight.squares]
        if not gaining or not gaining[0].gains:
            return None
        ratio = Fraction(gaining[0].squares, gaining[0].gains)
        is_constant = all(weight.squares * ratio.denominator == weight.gains * ratio.numerator for weight in gaining)
        return ratio if ratio and is_constant else None

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether the table is symmetric under permutation of classes; adjacent transpositions suffice."""
        return len(set(self.class_sizes)) == 1 and all(
            self.weights.get((_swap_classes(view, index), _swap_classes(usage, index))) == weight
            for index in range(len(self.class_sizes) - 1)
            for (view, usage), weight in self.weights.items()
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
    >>> usage = card_usage(get_paytable("BLZ-1-UP"), Shoe(1), [sevens, others], {"meter": Fraction(1000)})
    >>> usage.weights[(0, 0), (3, 0)].bets  # 4 · 3 · 2 ways to deal three sevens
    24
    """
    check_lists_cards(paytable)
    composition = shoe.composition
    results = award_results(paytable, shoe.decks, meters or {})
    lowest = min(result for pay in results for result, _ in pay)
    exposed = exposed_positions(paytable, view)
    means = [mean for pay in results for mean in gain_moments(pay, lowest, 1)]
    unit = lcm(*(mean.denominator for mean in means))
    gains = [gain_moments(pay, lowest, unit) for pay in results]
    is_whole = paytable.bet.condition is None and not view and not gains[-1][0]
    sizes = tuple(sum(composition[card] for card in cards) for cards in classes)
    lister = _UsageLister(paytable, composition, classes, exposed, by_role)
    table: dict[tuple[ClassCounts, ClassCounts], list[Fraction]] = {}
    for award_index, exposed_counts, usage, ordered_ways in lister.rows(paytable.ladder, not gains[-1][0]):
        gain, square = gains[-1 if award_index is None else award_index]
        if gain:
            sums = table.setdefault((exposed_counts, usage), [Fraction(0)] * 3)
            sums[0] += ordered_ways if is_whole else 0
            sums[1] += ordered_ways * gain
            sums[2] += ordered_ways * square
    if not is_whole:
        for exposed_counts, usage, ordered_ways in lister.iter_bets():
            table.setdefault((exposed_counts, usage), [Fraction(0)] * 3)[0] += ordered_ways
    scale = lcm(*(value.denominator for row in table.values() for value in row))
    if scale != 1:
        raise MiscountError(f"ordered ways are not integers; their common denominator is {scale}")
    weights = {key: Weight(*(value.numerator for value in row)) for key, row in table.items() if any(row)}
    largest = ceil(max(square for _, square in gains)) + 1
    return CardUsage(composition.size, sizes, weights, lowest, unit, is_whole, largest)


def _ranks_of(classes: Sequence[Sequence[Card]]) -> list[list[int]] | None:
    """Return the ranks of each class if no rank is in two classes, else `None`; 0 stands for jokers."""
    ranks_by_class = [sorted({int(card.rank) for card in cards}) for cards in classes]
    all_ranks = [rank for ranks in ranks_by_class for rank in ranks]
    return ranks_by_class if len(set(all_ranks)) == len(all_ranks) else None


class _UsageLister:
    """Lists the outcomes of a bet by the classes of their cards, with exposed cards separate."""

    def __init__(
        self,
        paytable: Paytable,
        composition: Composition,
        classes: Sequence[Sequence[Card]],
        exposed: Sequence[frozenset[int]],
        by_role: bool,
    ) -> None:
        self._paytable, self._bet, self._composition, self._class_list = paytable, paytable.bet, composition, classes
        self._condition = paytable.ladder.condition
        self._roles_distinct = paytable.roles_distinct or bool(exposed)
        self._exposed = exposed
        self._by_role = by_role
        self._ranks_by_class = None if exposed else _ranks_of(classes)

    def rows(self, ladder: Ladder, only_awards: bool = False) -> Iterator[_Row]:
        """Iterate over the outcomes by award of a ladder; with `only_awards` without losing outcomes."""
        source = self._experiment_for(ladder)
        if self._ranks_by_class is not None and (
            rows_by_rank := source.count_by_rank(self._composition, self._ranks_by_class)
        ):
            for award_index, usage, ways in rows_by_rank:
                if award_index is not None or not only_awards:
                    yield award_index, (0,) * len(usage), usage, Fraction(ways)
            return
        resolution = source.card_resolution(self._composition) or CardResolution(())
        if resolution.reason_not_listed:
            raise InputError(
                f"{self._paytable.id}: {resolution.reason_not_listed}; give tags by rank alone, with no cards in view"
            )
        expansion = ClassExpansion(self._composition, self._class_list, resolution)
        ways_by_kinds: Counter[tuple[int | None, tuple[Kinds, ...]]] = Counter()
        for award_index, kinds_of_cards, ways in self._hands(source, expansion, only_awards):
            ways_by_kinds[award_index, kinds_of_cards] += ways
        total_ways = (
            self._experiment_for(Ladder(ladder.rules)).count(self._composition).cycle
        )  # including outcomes that the condition excludes
        for (award_index, kinds_of_cards), ways in ways_by_kinds.items():
            for counts_by_role, share in expansion.iter_class_counts(kinds_of_cards):
                usage = _sum(counts_by_role)
                yield (
                    award_index,
                    self._merge_exposed(counts_by_role[:-1]),
                    usage,
                    Fraction(ways, total_ways) * share * perm(self._composition.size, sum(usage)),
                )

    def iter_bets(self) -> Iterator[tuple[ClassCounts, ClassCounts, Fraction]]:
        """Iterate over the ways in which the bet is made: all exposed cards, less those without its condition."""
        sizes = [sum(self._composition[card] for card in cards) for cards in self._class_list]
        for counts_by_role in product(*(list(compositions(len(positions), len(sizes))) for positions in self._exposed)):
            usage = _sum(counts_by_role) if counts_by_role else (0,) * len(sizes)
            ways = prod(map(perm, sizes, usage)) * prod(multinomial(*role_counts) for role_counts in counts_by_role)
            if ways:
                yield self._merge_exposed(counts_by_role), usage, Fraction(ways)
        if self._condition is not None:
            for award_index, visible, usage, ordered_ways in self.rows(Ladder((self._condition,))):
                if award_index is None:
                    yield visible, usage, -ordered_ways

    def _experiment_for(self, ladder: Ladder) -> Experiment:
        """Return the experiment that sorts outcomes by a ladder: the bet's own if possible, which caches results."""
        if ladder == self._paytable.ladder and self._roles_distinct == self._paytable.roles_distinct:
            return self._paytable.experiment
        return experiment(self._bet.deal, self._bet.pack, ladder, self._roles_distinct)

    def _merge_exposed(self, counts_by_role: Sequence[ClassCounts]) -> ClassCounts:
        if not counts_by_role:
            return (0,) * len(self._class_list)
        return (
            tuple([count for role_counts in counts_by_role for count in role_counts])
            if self._by_role
            else _sum(counts_by_role)
        )

    def _hands(
        self, source: Experiment, expansion: ClassExpansion, only_awards: bool
    ) -> Iterator[tuple[int | None, tuple[Kinds, ...], int]]:
        """Iterate over (award, kinds by exposed role and last unexposed, ways) of the outcomes."""
        outcomes_by_kinds = source.iter_rank_classes(self._composition, frozenset().union(*self._exposed))
        if outcomes_by_kinds is None:
            for outcome in source.outcomes(self._composition):
                if outcome.award is None and only_awards:
                    return  # losing outcomes come last
                for kinds_by_role in expansion.iter_kinds(split_visible(source.deal, outcome, self._exposed)):
                    yield outcome.award, kinds_by_role, outcome.ways
            return
        for outcome_kinds in outcomes_by_kinds:
            if outcome_kinds.award is not None or not only_awards:
                cards = [
                    (position, kind)
                    for position, kinds_of_cards in outcome_kinds.classes_by_position.items()
                    for kind in kinds_of_cards
                ]
                yield (
                    outcome_kinds.award,
                    tuple([tuple(sorted(group)) for group in group_by_role(self._exposed, cards)]),
                    outcome_kinds.ways,
                )


def check_lists_cards(paytable: Paytable) -> None:
    """Raise `InputError` if the outcomes of a bet are not listed by their cards."""
    if paytable.experiment.card_resolution(paytable.bet.pack.composition) is None:
        raise InputError(
            f"{paytable.id}: its outcomes are not listed by their cards; no count is worked out, only the effect of "
            "removal"
        )


def count_all_outcomes(paytable: Paytable, composition: Composition) -> int:
    """Count all outcomes, including those that a condition excludes."""
    bet, rules = paytable.bet, paytable.ladder.rules
    return experiment(bet.deal, bet.pack, Ladder(rules), paytable.roles_distinct).count(composition).cycle


def _sum(counts_by_role: Sequence[ClassCounts]) -> ClassCounts:
    return tuple(map(sum, zip(*counts_by_role, strict=True)))
