"""Outcomes of a bet on the dealer's finished hand: the ledger, examples, the derivation, and the view by up card.

Each outcome is shown by one hand of its class, in an order in which the dealer can draw it. Outcomes can also be
listed by rank classes alone, with the hole card distinguished if it is exposed. Since the wager is made with the up
card exposed, its figures are also given for each up card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import perm

from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.dealer.counting import DealerCounter, RankClassCounts
from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.enumerator import DealerDraw, OutcomeBlock, RankClass, Remaining
from combinat.enumeration.dealer.evaluator import ALL_SUITS, Scope
from combinat.enumeration.dealer.finished_hands import dealer_stands
from combinat.enumeration.dealer.leading import iter_drawing_orders
from combinat.enumeration.experiment import Condition, ConditionTally, RankClassOutcome
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, Roles, StepColumn, pick_typical
from combinat.enumeration.symmetry import TENS
from combinat.exact.numbers import MiscountError
from combinat.language.parser import parse_rule
from combinat.language.rules import Rule
from decks import Card, Composition, Pack, Rank, Shoe
from decks.cards import card_from_numbers

Choices = tuple[tuple[int, Card], ...]
"""Cards with their indices in a composition."""

_MAX_STORED_STATES = 64
"""Maximum number of states of the shoe whose ways are cached while the ledger is written."""


class OutcomeClass(Struct, frozen=True):
    """A class of outcomes: its award, its ways, its block and its row in the table of finished hands."""

    award: int | None
    ways: int
    block: OutcomeBlock
    row: int


def iter_outcome_classes(draw: DealerDraw, composition: Composition) -> Iterator[OutcomeClass]:
    """Yield every class of outcomes that a composition can give."""
    group_partitions, orders = draw.group_partitions, draw.orders
    class_counts = RankClassCounts(draw, composition)
    weights_of = _Weights(draw, class_counts)
    for block in _iter_distinct_blocks(draw, composition):
        dealt = class_counts.count_dealt_ways(block)
        if not dealt:
            continue
        terms = [(term.sign, weights_of[class_counts.remaining_for(draw, block, term)]) for term in block.suits.terms]
        partition, multiplicity = (
            group_partitions.partitions[group_partitions.index_by_situation[block.situation]],
            block.multiplicity * dealt,
        )
        for award_index, groups in (*enumerate(partition.wins), (None, partition.losing)):
            for group in groups:
                for row in group_partitions.rows_by_group[group]:
                    ways = 0
                    for sign, weights in terms:
                        ways += sign * weights[row]
                    if ways := ways * multiplicity // orders:
                        yield OutcomeClass(award_index, ways, block, row)


class _Weights:
    """Ways of every row of finished hands by the remaining cards, with a small cache."""

    def __init__(self, draw: DealerDraw, class_counts: RankClassCounts) -> None:
        self._draw, self._following_ways = draw, class_counts.following_ways(draw)
        self._stored: dict[Remaining, list[int]] = {}

    def __getitem__(self, remaining: Remaining) -> list[int]:
        if remaining not in self._stored:
            if len(self._stored) >= _MAX_STORED_STATES:
                self._stored.clear()
            self._stored[remaining] = self._draw.weights(remaining, self._following_ways)
        return self._stored[remaining]


def _iter_distinct_blocks(draw: DealerDraw, composition: Composition) -> Iterator[OutcomeBlock]:
    """Yield the blocks, merging those that are one hand in two orders, such as 9d 9h and 9h 9d."""
    blocks: dict[tuple[object, ...], OutcomeBlock] = {}
    positions_by_role = [draw.deal.positions_by_role[role] for role, _ in draw.deal.roles]
    for block in draw.blocks(composition):
        suits = block.situation.suits or (0,) * len(block.rank_classes)
        hand = tuple(
            tuple(sorted((block.rank_classes[position], suits[position]) for position in positions))
            for positions in positions_by_role
        )
        key = (hand, block.suits)
        previous = blocks.get(key)
        blocks[key] = replace(previous, multiplicity=previous.multiplicity + block.multiplicity) if previous else block
    return iter(blocks.values())


def iter_draw_outcomes(draw: DealerDraw, composition: Composition) -> Iterator[Outcome]:
    """Yield every outcome: the roles' cards, the finished hand, and its suit class if a rule depends on suits."""
    layout: _Layout | None = None
    drawn_choices: _DrawnChoices = {}
    for outcome_class in iter_outcome_classes(draw, composition):
        if layout is None or layout.block is not outcome_class.block:  # the classes of a block are consecutive
            layout = _Layout(draw, outcome_class.block, composition, drawn_choices)
        yield layout.outcome(outcome_class)


def count_draw_outcomes(draw: DealerDraw, composition: Composition) -> int:
    """Count the outcomes that `iter_draw_outcomes` yields; blocks with the same remaining cards are counted once."""
    group_partitions, class_counts = draw.group_partitions, RankClassCounts(draw, composition)
    weights_of = _Weights(draw, class_counts)
    counts: dict[tuple[object, ...], int] = {}
    total = 0
    for block in _iter_distinct_blocks(draw, composition):
        if not class_counts.count_dealt_ways(block):
            continue
        partition_index = group_partitions.index_by_situation[block.situation]
        terms = tuple((term.sign, class_counts.remaining_for(draw, block, term)) for term in block.suits.terms)
        if (partition_index, terms) not in counts:
            partition = group_partitions.partitions[partition_index]
            groups = [group for bucket in (*partition.wins, partition.losing) for group in bucket]
            (_, widest), *excluded = [(sign, weights_of[remaining]) for sign, remaining in terms]
            rows = [
                row
                for group in groups
                for row in group_partitions.rows_by_group[group]
                if widest[row] or block.suits.run
            ]
            counts[partition_index, terms] = sum(
                1 for row in rows if widest[row] + sum([sign * weights[row] for sign, weights in excluded])
            )
        total += counts[partition_index, terms]
    return total


def draw_examples(draw: DealerDraw, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return an example for each award, with the most likely number of cards."""

    def award_and_length(outcome_class: OutcomeClass) -> tuple[int | None, int]:
        return outcome_class.award, draw.table.lengths[draw.table.hand_of[outcome_class.row]]

    ways_by_length: Counter[tuple[int | None, int]] = Counter()
    hands: Counter[tuple[int | None, int]] = Counter()
    for outcome_class in iter_outcome_classes(draw, composition):
        ways_by_length[award_and_length(outcome_class)] += outcome_class.ways
        hands[award_and_length(outcome_class)] += 1
    typical_lengths: dict[int, int] = {}
    for award_index, length in ways_by_length:
        if award_index is not None and (
            award_index not in typical_lengths
            or ways_by_length[award_index, length] > ways_by_length[award_index, typical_lengths[award_index]]
        ):
            typical_lengths[award_index] = length
    # There are too many hands to store, so they are enumerated a second time for the chosen ones.
    skips = {
        (award_index, length): pick_typical(range(hands[award_index, length]))
        for award_index, length in typical_lengths.items()
    }
    picked: dict[int | None, Outcome] = {}
    for outcome_class in iter_outcome_classes(draw, composition) if skips else ():
        key = award_index, _ = award_and_length(outcome_class)
        if award_index is not None and key in skips:
            if skips[award_index, key[1]] == 0:
                picked[award_index] = _Layout(draw, outcome_class.block, composition).outcome(outcome_class)
            skips[award_index, key[1]] -= 1
    return tuple(picked.get(award_index) for award_index in range(len(draw.ladder.rules)))


class _LengthTotals(Struct, frozen=True):
    """The finished hands of an award with one number of cards."""

    award: int | None
    card_count: int
    hands: int
    orders: int
    ways: int
    """Ways to draw this number of cards."""
    probability: Fraction


def _totals_by_length(draw: DealerDraw, composition: Composition) -> list[_LengthTotals]:
    """Sum the hands of every award, and of losing hands, by the number of cards drawn."""
    totals: dict[tuple[int | None, int], list[int]] = {}
    seen_hands: set[tuple[object, ...]] = set()
    for outcome_class in iter_outcome_classes(draw, composition):
        block, row = outcome_class.block, outcome_class.row
        card_count = draw.deal.card_count + draw.table.lengths[draw.table.hand_of[row]]
        total = totals.setdefault((outcome_class.award, card_count), [0, 0, 0])
        total[2] += outcome_class.ways
        # If cards are removed, hands of hearts and of spades are separate classes, but one hand in one suit.
        hand = (outcome_class.award, row, block.rank_classes, block.situation.suits, block.suits.sample)
        if hand not in seen_hands:
            seen_hands.add(hand)
            total[0] += 1
            total[1] += draw.table.orders[row]
    length, size = min(draw.length, composition.size), composition.size
    results = []
    for award_index in (*range(len(draw.ladder.rules)), None):
        for card_count in range(draw.length + 1):
            if (award_index, card_count) in totals:
                hands, orders, ordered_ways = totals[award_index, card_count]
                ways = ordered_ways * draw.orders // perm(size - card_count, length - card_count)
                probability = Fraction(ways, perm(size, card_count))
                results.append(_LengthTotals(award_index, card_count, hands, orders, ways, probability))
    return results


def derive_draw_counts(draw: DealerDraw, shoe: Shoe, condition_text: str) -> Derivation:
    """Derive the count of every award, and of losing hands, by the number of cards drawn."""
    size = shoe.composition.size
    rows = _totals_by_length(draw, shoe.composition)
    rows_by_award: dict[int | None, list[_LengthTotals]] = {}
    for row in rows:
        rows_by_award.setdefault(row.award, []).append(row)
    condition_probability = sum((row.probability for row in rows), Fraction(0))
    condition = (
        f" Of all draws {condition_probability} fit the condition ({condition_text}); probabilities are given that."
        if condition_text
        else ""
    )
    return Derivation(
        text="The dealer's drawing rule ends with a finished hand; whether another card is drawn depends on the cards "
        "alone. So the finished hands are listed once, each with the number of orders in which it can be drawn. With c "
        "cards of a kind in a deck, n decks give cn(cn−1)… ways to draw so many of that kind one after the other: four "
        "of each rank, sixteen that are worth ten, one of each rank and suit. The product over the kinds, times the "
        f"orders, is the ways of a finished hand among {size}·{size - 1}·{size - 2}… ways to draw as many cards."
        f"{condition}",
        caption="Ways by the number of cards drawn",
        columns=(
            StepColumn("cards", "Cards", "count"),
            StepColumn("hands", "Finished hands", "count"),
            StepColumn("orders", "Orders", "count"),
            StepColumn("ways", "Ways to draw them", "count"),
            StepColumn("probability", "Probability", "significant"),
        ),
        steps=tuple(
            DerivationStep(
                row.award,
                (row.card_count, row.hands, row.orders, row.ways, row.probability / condition_probability),
            )
            for row in rows
        ),
        totals=tuple(
            DerivationStep(
                award_index,
                ("", "", "", "", sum((row.probability for row in award_rows), Fraction(0)) / condition_probability),
            )
            for award_index, award_rows in rows_by_award.items()
            if len(award_rows) > 1
        ),
        all_hands=("", "", "", "", 1),
        note="The command 'combinat formula' gives the probability of a bust for each up card as a closed form in n.",
    )


_DrawnChoices = dict[tuple[int, Scope], tuple[Choices, ...]]
"""For a row of finished hands and its suits: the cards that each position can have."""


class _Layout:
    """Builds an example of each class of a block: cards that the shoe has, in an order in which they can be drawn."""

    def __init__(
        self,
        draw: DealerDraw,
        block: OutcomeBlock,
        composition: Composition,
        drawn_choices: _DrawnChoices | None = None,
    ) -> None:
        self.block = block
        self._draw, self._counts, self._detail = draw, composition.counts, str(block.suits)
        self._drawn_choices = {} if drawn_choices is None else drawn_choices
        classes, suits = draw.table.rank_classes, block.situation.suits
        self._choices = [
            _choices(classes[class_index], position, frozenset({suits[position]}) if suits else ALL_SUITS)
            for position, class_index in enumerate(block.rank_classes)
        ]
        self._used: dict[int, int] = {}
        self._dealt = _pick_first_cards(self._choices, self._counts, self._used)
        self._is_dealt = len(self._dealt) == len(self._choices)
        self._roles = self._roles_of(self._dealt) if self._is_dealt else ()

    def outcome(self, outcome_class: OutcomeClass) -> Outcome:
        """Return the outcome of a class, represented by one of its hands."""
        choices = self._choices_of(outcome_class.row)
        roles, dealer_cards = self._roles, _pick_first_cards(choices, self._counts, self._used.copy())
        if not self._is_dealt or len(dealer_cards) < len(choices) or not self._has_suit_class(dealer_cards):
            dealt = len(self._choices)
            cards: list[Card] = []
            for drawn_choices in self._all_choices_of(outcome_class.row):
                hand = [*self._choices, *drawn_choices]
                cards = _find_cards(hand, self._counts, lambda cards: self._has_suit_class(cards[dealt:]))
                if cards:
                    break
            if not cards:
                raise MiscountError(f"a class with ways has no hand: {self.block}")
            roles, dealer_cards = self._roles_of(cards), cards[dealt:]
        all_roles: Roles = (*roles, ("dealer", tuple(dealer_cards)))
        return Outcome(all_roles, outcome_class.ways, outcome_class.award, all_roles, self._detail)

    def _all_choices_of(self, row: int) -> Iterator[tuple[Choices, ...]]:
        """Yield the cards that each position can have; a run of one color may need another drawing order."""
        if self.block.suits.run is None:
            yield self._choices_of(row)
            return
        table, deal = self._draw.table, self._draw.deal
        hand = table.hands[table.hand_of[row]]
        for order in iter_drawing_orders(table.first_ranks, table.ups[row], hand, deal.hits_soft_17):
            yield tuple(
                _choices(table.rank_classes[class_index], len(self._choices) + index, self.block.suits.scope_at(index))
                for index, class_index in enumerate(order)
            )

    def _choices_of(self, row: int) -> tuple[Choices, ...]:
        """Return the cards that each position of a finished hand can have, in an order in which it can be drawn."""
        if self.block.suits.run is not None:
            return next(self._all_choices_of(row))
        scope = self.block.suits.scope
        if (row, scope) not in self._drawn_choices:
            table, deal = self._draw.table, self._draw.deal
            hand = table.hands[table.hand_of[row]]
            order = _drawing_order(table.first_ranks, table.ups[row], hand, deal.hits_soft_17)
            self._drawn_choices[row, scope] = tuple(
                _choices(table.rank_classes[class_index], position, scope)
                for position, class_index in enumerate(order, len(self._choices))
            )
        return self._drawn_choices[row, scope]

    def _has_suit_class(self, cards: list[Card]) -> bool:
        """Return whether the suits of `cards`, all in the block's scope, match the block's suit class."""
        suits = self.block.suits
        return len(suits.terms) == 1 or suits.has(tuple([card.suit for card in cards]))

    def _roles_of(self, cards: list[Card]) -> Roles:
        names = [(role, self._draw.deal.positions_by_role[role]) for role, _ in self._draw.deal.roles]
        return tuple((role, tuple(cards[position] for position in positions)) for role, positions in names)


def _pick_first_cards(choices: Sequence[Choices], counts: Sequence[int], used_by_index: dict[int, int]) -> list[Card]:
    """Pick the first available card at each position, which nearly always works; stop where none is available.

    `used_by_index` is how often each card is already in use; it is updated.
    """
    cards: list[Card] = []
    for choice in choices:
        for index, card in choice:
            used_copies = used_by_index.get(index, 0)
            if used_copies < counts[index]:
                used_by_index[index] = used_copies + 1
                cards.append(card)
                break
        else:
            break
    return cards


def _find_cards(choices: Sequence[Choices], counts: Sequence[int], accept: Callable[[list[Card]], bool]) -> list[Card]:
    """Search the cards of every position (backtracking) for a hand that `accept` allows; empty if there is none."""
    used_counts = [0] * len(counts)
    cards: list[Card] = []

    def extend(position: int) -> bool:
        if position == len(choices):
            return accept(cards)
        for index, card in choices[position]:
            if used_counts[index] < counts[index]:
                used_counts[index] += 1
                cards.append(card)
                if extend(position + 1):
                    return True
                used_counts[index] -= 1
                cards.pop()
        return False

    extend(0)
    return cards


@lru_cache(maxsize=4096)
def _choices(ranks: RankClass, position: int, scope: Scope) -> Choices:
    """Return the cards of given ranks and suits in the order in which a position tries them, with their card indices.

    Each position begins with another suit and rank, so that hands look as if they had been dealt.
    """
    suits = [suit for step in range(4) if (suit := (position + step) % 4) in scope]
    rotated = [ranks[(position + offset) % len(ranks)] for offset in range(len(ranks))]
    cards = [card_from_numbers(rank, suit) for suit in suits for rank in rotated]
    return tuple((card.card_index, card) for card in cards)


@lru_cache(maxsize=65536)
def _drawing_order(ranks: tuple[int, ...], up: int, hand: tuple[int, ...], hits_soft_17: bool) -> tuple[int, ...]:
    """Order the cards of a finished hand as the dealer can draw them, the up card first."""
    remaining = list(hand)
    remaining[up] -= 1
    order = [up]

    def extend() -> bool:
        if not any(remaining):
            return True
        drawn_ranks = [ranks[class_index] for class_index in order]
        hard = sum(1 if rank == Rank.ACE else min(rank, 10) for rank in drawn_ranks)
        if len(order) > 1 and dealer_stands(hard, Rank.ACE in drawn_ranks, hits_soft_17):
            return False
        for class_index, count in enumerate(remaining):
            if count:
                remaining[class_index] -= 1
                order.append(class_index)
                if extend():
                    return True
                remaining[class_index] += 1
                order.pop()
        return False

    if not extend():
        raise MiscountError(f"the drawing rule does not end with {hand}")
    return tuple(order)


_CardLayouts = list[tuple[int, dict[int, tuple[int, ...]]]]
"""The cards of a row by position, with the number of such orders."""


def iter_rank_classes(draw: DealerDraw, composition: Composition, by_hole: bool) -> Iterator[RankClassOutcome]:
    """Yield every outcome by the rank classes of its cards, without building examples.

    The order in which a finished hand was drawn is independent of suits and of the cards dealt before. So each hole
    card has the share of the ways that its orders have of all orders.
    """
    layouts: dict[int, _CardLayouts] = {}
    for outcome_class in iter_outcome_classes(draw, composition):
        if outcome_class.row not in layouts:
            layouts[outcome_class.row] = (_layouts_by_hole if by_hole else _layout_without_hole)(
                draw, outcome_class.row
            )
        dealt = {position: (class_index,) for position, class_index in enumerate(outcome_class.block.rank_classes)}
        all_orders = draw.table.orders[outcome_class.row]
        for orders, cards_by_position in layouts[outcome_class.row]:
            ways, remainder = divmod(outcome_class.ways * orders, all_orders)
            if remainder:
                raise MiscountError(f"{outcome_class.ways} ways do not fall into {all_orders} orders")
            yield RankClassOutcome(outcome_class.award, ways, dealt | cards_by_position if dealt else cards_by_position)


def _layout_without_hole(draw: DealerDraw, row: int) -> _CardLayouts:
    table, up_position = draw.table, draw.deal.card_count
    return [
        (
            table.orders[row],
            {up_position: (table.ups[row],), up_position + 1: _remaining_classes(draw, row, table.ups[row])},
        )
    ]


def _layouts_by_hole(draw: DealerDraw, row: int) -> _CardLayouts:
    table, up_position = draw.table, draw.deal.card_count
    up = table.ups[row]
    return [
        (
            orders,
            {up_position: (up,), draw.deal.hole: (hole,), up_position + 1: _remaining_classes(draw, row, up, hole)},
        )
        for hole, orders in table.holes[row]
    ]


def _remaining_classes(draw: DealerDraw, row: int, *removed: int) -> tuple[int, ...]:
    """Return the rank classes of a row's cards without `removed`."""
    remaining = list(draw.table.hands[draw.table.hand_of[row]])
    for class_index in removed:
        remaining[class_index] -= 1
    return tuple(class_index for class_index, count in enumerate(remaining) for _ in range(count))


_EXTRA_RULES = ("dealer.bust", "dealer.bust and dealer.suited")


def format_ranks(ranks: RankClass) -> str:
    """Format the ranks of an up card.

    >>> format_ranks((10, 11, 12, 13)), format_ranks((14,))
    ('10, J, Q, K', 'A')
    """
    return ", ".join(str(Rank(rank)) for rank in ranks)


@lru_cache(maxsize=16)
def _bust_counter(deal: DealerDrawDeal, pack: Pack, condition: Rule | None, separates_tens: bool) -> DealerCounter:
    """Return the dealer's busts and suited busts, under the bet's own condition."""
    if condition is None or condition.roles.isdisjoint(role for role, _ in deal.roles):
        # Dealt cards that no rule refers to do not change probabilities, so they need not be dealt.
        deal = replace(deal, roles=())
        condition = condition and parse_rule(condition.text, deal)
    rules = tuple(parse_rule(text, deal) for text in _EXTRA_RULES)
    return DealerCounter(DealerDraw(deal, pack, Ladder(rules, condition), separates_tens))


class UpCards(Struct, frozen=True):
    """The bet for each up card, with the probability that the dealer busts."""

    counter: DealerCounter
    key: str = "up_cards"
    case_key: str = "up"
    case_title: str = "Up card"
    title: str = "By the dealer's up card"
    text: str = "The wager is made with the up card in view, so the edge depends on the up card."
    extras: tuple[tuple[str, str], ...] = (("bust", "Bust"), ("suited_bust", "Suited bust"))

    def _busts(self, separates_tens: bool) -> DealerCounter:
        draw = self.counter.draw
        return _bust_counter(draw.deal, draw.pack, draw.ladder.condition, separates_tens)

    def conditions(self, shoe: Shoe) -> tuple[Condition, ...]:
        """Return the bet's counts for each possible up card."""
        counter = self.counter
        if any(card.rank in TENS for card in shoe.removed):
            # Cards worth ten are then not interchangeable: the suits that remain differ between their ranks.
            counter = DealerCounter(replace(counter.draw, separates_tens=True))
        bust_counter = self._busts(separates_tens=not any(len(ranks) > 1 for ranks in counter.draw.table.rank_classes))
        if shoe.is_full:
            counts_by_up_card = {ranks: tally.at(shoe.decks) for ranks, tally in counter.tally_by_up_card().items()}
            busts_by_up_card = {ranks: tally.at(shoe.decks) for ranks, tally in bust_counter.tally_by_up_card().items()}
        else:
            counts_by_up_card = counter.count_by_up_card(shoe.composition)
            busts_by_up_card = bust_counter.count_by_up_card(shoe.composition)
        conditions = []
        for ranks, counts in counts_by_up_card.items():
            if counts.cycle:  # else no such card is left, or the condition rules it out
                probabilities = [
                    Fraction(hands, busts_by_up_card[ranks].cycle) for hands in busts_by_up_card[ranks].matches
                ]
                extras = {key: probability for (key, _), probability in zip(self.extras, probabilities, strict=True)}
                conditions.append(Condition(format_ranks(ranks), counts, extras))
        return tuple(conditions)

    def extra_tallies(self) -> tuple[ConditionTally, ...]:
        """Return the tallies of busts for each up card that the condition allows."""
        tallies = self._busts(separates_tens=False).tally_by_up_card()
        return tuple(
            ConditionTally(format_ranks(ranks), tally)
            for ranks, tally in tallies.items()
            if tally.fewest_decks is not None
        )
