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

from combinat.enumeration.dealer.counting import DealerDraw, RankClassCounts
from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.enumerator import ALL_SUITS, OutcomeBlock, RankCounts, Remaining, Scope
from combinat.enumeration.dealer.finished_hands import TENS, dealer_stands
from combinat.enumeration.dealer.leading import iter_drawing_orders
from combinat.enumeration.experiment import Condition, ConditionTally, RankClassOutcome
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, Roles, StepColumn, pick_typical
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


def iter_outcome_classes(experiment: DealerDraw, composition: Composition) -> Iterator[OutcomeClass]:
    """Yield every class of outcomes that a composition can give."""
    verdicts, orders = experiment.verdicts, experiment.orders
    cells = RankClassCounts(experiment, composition)
    weights_of = _Weights(experiment, cells)
    for block in _iter_distinct_blocks(experiment, composition):
        dealt = cells.count_dealt_ways(block)
        if not dealt:
            continue
        terms = [(term.sign, weights_of[cells.left_for(experiment, block, term)]) for term in block.suits.terms]
        partition, multiplicity = verdicts.groups[verdicts.of[block.situation]], block.times * dealt
        for award, groups in (*enumerate(partition.wins), (None, partition.losing)):
            for group in groups:
                for row in verdicts.members[group]:
                    ways = 0
                    for sign, weights in terms:
                        ways += sign * weights[row]
                    if ways := ways * multiplicity // orders:
                        yield OutcomeClass(award, ways, block, row)


class _Weights:
    """Ways of every row of finished hands by the remaining cards, with a small cache."""

    def __init__(self, experiment: DealerDraw, cells: RankClassCounts) -> None:
        self._trial, self._after = experiment, cells.after(experiment)
        self._stored: dict[Remaining, list[int]] = {}

    def __getitem__(self, remaining: Remaining) -> list[int]:
        if remaining not in self._stored:
            if len(self._stored) >= _MAX_STORED_STATES:
                self._stored.clear()
            self._stored[remaining] = self._trial.weights(remaining, self._after)
        return self._stored[remaining]


def _iter_distinct_blocks(experiment: DealerDraw, composition: Composition) -> Iterator[OutcomeBlock]:
    """Yield the blocks, merging those that are one hand in two orders, such as 9d 9h and 9h 9d."""
    blocks: dict[tuple[object, ...], OutcomeBlock] = {}
    positions_by_role = [experiment.deal.groups[positions] for positions, _ in experiment.deal.roles]
    for block in experiment.blocks(composition):
        suits = block.situation.suits or (0,) * len(block.rank_classes)
        hand = tuple(
            tuple(sorted((block.rank_classes[position], suits[position]) for position in positions))
            for positions in positions_by_role
        )
        key = (hand, block.suits)
        previous = blocks.get(key)
        blocks[key] = replace(previous, times=previous.times + block.times) if previous else block
    return iter(blocks.values())


def outcomes(experiment: DealerDraw, composition: Composition) -> Iterator[Outcome]:
    """Yield every outcome: the roles' cards, the finished hand, and its suit class if a rule depends on suits."""
    layout: _Layout | None = None
    drawn_choices: _DrawnChoices = {}
    for outcome_class in iter_outcome_classes(experiment, composition):
        if layout is None or layout.block is not outcome_class.block:  # the classes of a block come one after the other
            layout = _Layout(experiment, outcome_class.block, composition, drawn_choices)
        yield layout.outcome(outcome_class)


def count_outcomes(experiment: DealerDraw, composition: Composition) -> int:
    """Count the outcomes that `outcomes` yields; blocks with the same remaining cards are counted once."""
    verdicts, cells = experiment.verdicts, RankClassCounts(experiment, composition)
    weights_of = _Weights(experiment, cells)
    counts: dict[tuple[object, ...], int] = {}
    total = 0
    for block in _iter_distinct_blocks(experiment, composition):
        if not cells.count_dealt_ways(block):
            continue
        verdict = verdicts.of[block.situation]
        terms = tuple((term.sign, cells.left_for(experiment, block, term)) for term in block.suits.terms)
        if (verdict, terms) not in counts:
            partition = verdicts.groups[verdict]
            groups = [group for bucket in (*partition.wins, partition.losing) for group in bucket]
            (_, widest), *excluded = [(sign, weights_of[remaining]) for sign, remaining in terms]
            rows = [row for group in groups for row in verdicts.members[group] if widest[row] or block.suits.run]
            counts[verdict, terms] = sum(
                1 for row in rows if widest[row] + sum([sign * weights[row] for sign, weights in excluded])
            )
        total += counts[verdict, terms]
    return total


def examples(experiment: DealerDraw, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return an example for each award, with the most likely number of cards."""
    lengths, hand_of = experiment.table.lengths, experiment.table.hand_of
    ways: dict[tuple[int, int], int] = {}
    hands: Counter[tuple[int, int]] = Counter()
    for outcome_class in iter_outcome_classes(experiment, composition):
        if outcome_class.award is not None:
            key = (outcome_class.award, lengths[hand_of[outcome_class.row]])
            ways[key] = ways.get(key, 0) + outcome_class.ways
            hands[key] += 1
    typical: dict[int, int] = {}
    for award, length in ways:
        if award not in typical or ways[award, length] > ways[award, typical[award]]:
            typical[award] = length
    # All hands are too many to keep, so they are gone through once more for the ones that are wanted.
    skips = {(award, length): pick_typical(range(hands[award, length])) for award, length in typical.items()}
    picked: dict[int, Outcome] = {}
    for outcome_class in iter_outcome_classes(experiment, composition) if skips else ():
        if (
            outcome_class.award is not None
            and (skip := skips.get((outcome_class.award, lengths[hand_of[outcome_class.row]]))) is not None
        ):
            if skip == 0:
                picked[outcome_class.award] = _Layout(experiment, outcome_class.block, composition).outcome(
                    outcome_class
                )
            skips[outcome_class.award, lengths[hand_of[outcome_class.row]]] = skip - 1
    return tuple(picked.get(award) for award in range(len(experiment.ladder.rules)))


def derivation(experiment: DealerDraw, shoe: Shoe, condition_text: str) -> Derivation:
    """Derive the count of every award, and of losing hands, by the number of cards drawn."""
    composition = shoe.composition
    totals: dict[tuple[int | None, int], list[int]] = {}
    listed: set[tuple[object, ...]] = set()
    for outcome_class in iter_outcome_classes(experiment, composition):
        cards_used = experiment.deal.card_count + experiment.table.lengths[experiment.table.hand_of[outcome_class.row]]
        total = totals.setdefault((outcome_class.award, cards_used), [0, 0, 0])
        total[2] += outcome_class.ways
        # With cards gone, hands of hearts and of spades are weighed by themselves, and yet are one hand of a suit.
        block = outcome_class.block
        hand = (outcome_class.award, outcome_class.row, block.rank_classes, block.situation.suits, block.suits.sample)
        if hand not in listed:
            listed.add(hand)
            total[0] += 1
            total[1] += experiment.table.orders[outcome_class.row]
    length, size = min(experiment.length, composition.size), composition.size
    counted: list[tuple[int | None, tuple[int, ...], Fraction]] = []
    for award in (*range(len(experiment.ladder.rules)), None):
        for cards in range(experiment.length + 1):
            if (award, cards) in totals:
                hands, orders, weight = totals[award, cards]
                ways = weight * experiment.orders // perm(size - cards, length - cards)
                counted.append((award, (cards, hands, orders, ways), Fraction(ways, perm(size, cards))))
    by_award: dict[int | None, list[Fraction]] = {}
    for award, _, probability in counted:
        by_award.setdefault(award, []).append(probability)
    condition_probability = sum((probability for _, _, probability in counted), Fraction(0))
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
            DerivationStep(award, (*values, probability / condition_probability))
            for award, values, probability in counted
        ),
        totals=tuple(
            DerivationStep(award, ("", "", "", "", sum(probabilities, Fraction(0)) / condition_probability))
            for award, probabilities in by_award.items()
            if len(probabilities) > 1
        ),
        all_hands=("", "", "", "", 1),
        note="The command 'combinat formula' gives the chance of a bust for each up card as a closed form in n.",
    )


_DrawnChoices = dict[tuple[int, Scope], tuple[Choices, ...]]
"""For a row of finished hands and its suits: the cards that each position can have."""


class _Layout:
    """Builds an example of each class of a block: cards that the shoe has, in an order in which they can be drawn."""

    def __init__(
        self,
        experiment: DealerDraw,
        block: OutcomeBlock,
        composition: Composition,
        drawn_choices: _DrawnChoices | None = None,
    ) -> None:
        self.block = block
        self._trial, self._counts, self._detail = experiment, composition.counts, str(block.suits)
        self._drawn_choices = {} if drawn_choices is None else drawn_choices
        classes, suits = experiment.table.rank_classes, block.situation.suits
        self._choices = [
            _choices(classes[number], position, frozenset({suits[position]}) if suits else ALL_SUITS)
            for position, number in enumerate(block.rank_classes)
        ]
        self._taken: dict[int, int] = {}
        self._dealt = _pick_first_cards(self._choices, self._counts, self._taken)
        self._is_dealt = len(self._dealt) == len(self._choices)
        self._roles = self._roles_of(self._dealt) if self._is_dealt else ()

    def outcome(self, outcome_class: OutcomeClass) -> Outcome:
        """Return the outcome of a class, represented by one of its hands."""
        choices = self._choices_of(outcome_class.row)
        roles, dealer_cards = self._roles, _pick_first_cards(choices, self._counts, self._taken.copy())
        if not self._is_dealt or len(dealer_cards) < len(choices) or not self._falls_so(dealer_cards):
            dealt = len(self._choices)
            cards: list[Card] = []
            for drawn_choices in self._all_choices_of(outcome_class.row):
                hand = [*self._choices, *drawn_choices]
                cards = _find_cards(hand, self._counts, lambda cards: self._falls_so(cards[dealt:]))
                if cards:
                    break
            if not cards:
                raise MiscountError(f"a class with ways has no hand: {self.block}")
            roles, dealer_cards = self._roles_of(cards), cards[dealt:]
        laid_out: Roles = (*roles, ("dealer", tuple(dealer_cards)))
        return Outcome(laid_out, outcome_class.ways, outcome_class.award, laid_out, self._detail)

    def _all_choices_of(self, row: int) -> Iterator[tuple[Choices, ...]]:
        """List the cards that each position can have; leading cards of a color may need another drawing order."""
        if self.block.suits.run is None:
            yield self._choices_of(row)
            return
        table, deal = self._trial.table, self._trial.deal
        hand = table.hands[table.hand_of[row]]
        for order in iter_drawing_orders(table.first_ranks, table.ups[row], hand, deal.hits_soft_17):
            yield tuple(
                _choices(table.rank_classes[number], len(self._choices) + index, self.block.suits.scope_at(index))
                for index, number in enumerate(order)
            )

    def _choices_of(self, row: int) -> tuple[Choices, ...]:
        """Return the cards that each position of a finished hand can have, in an order in which it can be drawn."""
        if self.block.suits.run is not None:
            return next(self._all_choices_of(row))
        scope = self.block.suits.scope
        if (row, scope) not in self._drawn_choices:
            table, deal = self._trial.table, self._trial.deal
            hand = table.hands[table.hand_of[row]]
            order = _drawing_order(table.first_ranks, table.ups[row], hand, deal.hits_soft_17)
            self._drawn_choices[row, scope] = tuple(
                _choices(table.rank_classes[number], position, scope)
                for position, number in enumerate(order, len(self._choices))
            )
        return self._drawn_choices[row, scope]

    def _falls_so(self, cards: list[Card]) -> bool:
        """Return whether the suits of `cards`, all in the block's scope, match the block's suit class."""
        suits = self.block.suits
        return len(suits.terms) == 1 or suits.has(tuple([card.suit for card in cards]))

    def _roles_of(self, cards: list[Card]) -> Roles:
        names = [(role, self._trial.deal.groups[role]) for role, _ in self._trial.deal.roles]
        return tuple((role, tuple(cards[position] for position in positions)) for role, positions in names)


def _pick_first_cards(choices: Sequence[Choices], counts: Sequence[int], used: dict[int, int]) -> list[Card]:
    """Pick the first available card at each position, which nearly always works; stop where none is available.

    `used` is how often each card is already in use; it is updated.
    """
    cards: list[Card] = []
    for choice in choices:
        for index, card in choice:
            used_copies = used.get(index, 0)
            if used_copies < counts[index]:
                used[index] = used_copies + 1
                cards.append(card)
                break
        else:
            break
    return cards


def _find_cards(choices: Sequence[Choices], counts: Sequence[int], accept: Callable[[list[Card]], bool]) -> list[Card]:
    """Search the cards of every position (backtracking) for a hand that `accept` allows; empty if there is none."""
    used = [0] * len(counts)
    cards: list[Card] = []

    def lay(position: int) -> bool:
        if position == len(choices):
            return accept(cards)
        for index, card in choices[position]:
            if used[index] < counts[index]:
                used[index] += 1
                cards.append(card)
                if lay(position + 1):
                    return True
                used[index] -= 1
                cards.pop()
        return False

    lay(0)
    return cards


@lru_cache(maxsize=4096)
def _choices(ranks: RankCounts, position: int, scope: Scope) -> Choices:
    """Return the cards of given ranks and suits in the order in which a position tries them, with their card indices.

    Each position begins with another suit and rank, so that hands look as if they had been dealt.
    """
    suits = [suit for step in range(4) if (suit := (position + step) % 4) in scope]
    rotated = [ranks[(position + offset) % len(ranks)] for offset in range(len(ranks))]
    cards = [card_from_numbers(rank, suit) for suit in suits for rank in rotated]
    return tuple((card.place, card) for card in cards)


@lru_cache(maxsize=65536)
def _drawing_order(ranks: tuple[int, ...], up: int, hand: tuple[int, ...], hits_soft_17: bool) -> tuple[int, ...]:
    """Order the cards of a finished hand as the dealer can draw them, the up card first."""
    remaining = list(hand)
    remaining[up] -= 1
    order = [up]

    def extend() -> bool:
        if not any(remaining):
            return True
        drawn_ranks = [ranks[number] for number in order]
        hard = sum(1 if rank == Rank.ACE else min(rank, 10) for rank in drawn_ranks)
        if len(order) > 1 and dealer_stands(hard, Rank.ACE in drawn_ranks, hits_soft_17):
            return False
        for number, count in enumerate(remaining):
            if count:
                remaining[number] -= 1
                order.append(number)
                if extend():
                    return True
                remaining[number] += 1
                order.pop()
        return False

    if not extend():
        raise MiscountError(f"the drawing rule does not end with {hand}")
    return tuple(order)


_CardLayouts = list[tuple[int, dict[int, tuple[int, ...]]]]
"""The cards of a row by position, with the number of such orders."""


def iter_rank_classes(experiment: DealerDraw, composition: Composition, tells_hole: bool) -> Iterator[RankClassOutcome]:
    """Yield every outcome by the rank classes of its cards, without building examples.

    The order in which a finished hand was drawn is independent of suits and of the cards dealt before. So each hole
    card has the share of the ways that its orders have of all orders.
    """
    layouts: dict[int, _CardLayouts] = {}
    for outcome_class in iter_outcome_classes(experiment, composition):
        if outcome_class.row not in layouts:
            layouts[outcome_class.row] = (_layouts_by_hole if tells_hole else _layout_without_hole)(
                experiment, outcome_class.row
            )
        dealt = {position: (number,) for position, number in enumerate(outcome_class.block.rank_classes)}
        all_orders = experiment.table.orders[outcome_class.row]
        for orders, cards_by_position in layouts[outcome_class.row]:
            ways, remainder = divmod(outcome_class.ways * orders, all_orders)
            if remainder:
                raise MiscountError(f"{outcome_class.ways} ways do not fall into {all_orders} orders")
            yield RankClassOutcome(outcome_class.award, ways, dealt | cards_by_position if dealt else cards_by_position)


def _layout_without_hole(experiment: DealerDraw, row: int) -> _CardLayouts:
    table, first = experiment.table, experiment.deal.card_count
    return [
        (table.orders[row], {first: (table.ups[row],), first + 1: _remaining_classes(experiment, row, table.ups[row])})
    ]


def _layouts_by_hole(experiment: DealerDraw, row: int) -> _CardLayouts:
    table, first = experiment.table, experiment.deal.card_count
    up = table.ups[row]
    return [
        (
            orders,
            {first: (up,), experiment.deal.hole: (hole,), first + 1: _remaining_classes(experiment, row, up, hole)},
        )
        for hole, orders in table.holes[row]
    ]


def _remaining_classes(experiment: DealerDraw, row: int, *removed: int) -> tuple[int, ...]:
    """Return the rank classes of a row's cards without `removed`."""
    remaining = list(experiment.table.hands[experiment.table.hand_of[row]])
    for number in removed:
        remaining[number] -= 1
    return tuple(number for number, count in enumerate(remaining) for _ in range(count))


_EXTRA_RULES = ("dealer.bust", "dealer.bust and dealer.suited")


def format_ranks(ranks: RankCounts) -> str:
    """Format the ranks of an up card.

    >>> format_ranks((10, 11, 12, 13)), format_ranks((14,))
    ('10, J, Q, K', 'A')
    """
    return ", ".join(str(Rank(rank)) for rank in ranks)


@lru_cache(maxsize=16)
def _bust_draw(deal: DealerDrawDeal, pack: Pack, condition: Rule | None, tens_apart: bool) -> DealerDraw:
    """Return the dealer's busts and suited busts, under the bet's own condition."""
    if condition is None or condition.roles.isdisjoint(role for role, _ in deal.roles):
        # Cards that nobody asks about are like cards that stay in the shoe, so they need not be dealt.
        deal = replace(deal, roles=())
        condition = condition and parse_rule(condition.text, deal)
    rules = tuple(parse_rule(text, deal) for text in _EXTRA_RULES)
    return DealerDraw(deal, pack, Ladder(rules, condition), tens_apart)


class UpCards(Struct, frozen=True):
    """The bet for each up card, with the probability that the dealer busts."""

    draw: DealerDraw
    key: str = "up_cards"
    case_key: str = "up"
    case_title: str = "Up card"
    title: str = "By the dealer's up card"
    text: str = "The bet is made with the up card in view, so its edge is another for each."
    extras: tuple[tuple[str, str], ...] = (("bust", "Bust"), ("suited_bust", "Suited bust"))

    def _of_busts(self, tens_apart: bool) -> DealerDraw:
        return _bust_draw(self.draw.deal, self.draw.pack, self.draw.ladder.given, tens_apart)

    def conditions(self, shoe: Shoe) -> tuple[Condition, ...]:
        """Return the bet's counts for each possible up card."""
        draw = self.draw
        if any(card.rank in TENS for card in shoe.removed):
            # One card worth ten is then not like another: the suits that go with it are other ones.
            draw = replace(draw, tens_apart=True)
        busts = self._of_busts(tens_apart=not any(len(ranks) > 1 for ranks in draw.table.rank_classes))
        if shoe.is_full:
            ways = {ranks: tally.at(shoe.decks) for ranks, tally in draw.tally_by_up_card().items()}
            busting = {ranks: tally.at(shoe.decks) for ranks, tally in busts.tally_by_up_card().items()}
        else:
            ways = draw.weigh_by_up_card(shoe.composition)
            busting = busts.weigh_by_up_card(shoe.composition)
        conditions = []
        for ranks, counts in ways.items():
            if counts.cycle:  # else no such card is left, or the condition rules it out
                probabilities = [Fraction(hands, busting[ranks].cycle) for hands in busting[ranks].matches]
                extras = {key: probability for (key, _), probability in zip(self.extras, probabilities, strict=True)}
                conditions.append(Condition(format_ranks(ranks), counts, extras))
        return tuple(conditions)

    def extra_tallies(self) -> tuple[ConditionTally, ...]:
        """Return the tallies of busts for each up card that the condition allows."""
        tallies = self._of_busts(tens_apart=False).tally_by_up_card()
        return tuple(
            ConditionTally(format_ranks(ranks), tally)
            for ranks, tally in tallies.items()
            if tally.fewest_decks is not None
        )
