"""Every outcome of a bet on the dealer's finished hand, with one hand of each class laid out as it could be drawn.

The classes of a dealer's draw by the ranks of their cards alone, the hole card told apart if it is in view.

A bet on the dealer's hand seen from each up card, since it is made with the up card in view.
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
from combinat.enumeration.dealer.enumerator import ALL_SUITS, Block, RankCounts, Remaining, Scope
from combinat.enumeration.dealer.finished_hands import TENS, stands
from combinat.enumeration.dealer.leading import iter_drawing_orders
from combinat.enumeration.experiment import Condition, ConditionTally, RankClassOutcome
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome, Roles, Step, StepColumn, pick_typical
from combinat.exact.numbers import MiscountError
from combinat.language.parser import parse_rule
from combinat.language.rules import Rule
from decks import Card, Composition, Pack, Rank, Shoe
from decks.cards import card_from_numbers

Choices = tuple[tuple[int, Card], ...]
"""Cards with their places in a shoe."""

_KEPT = 64
"""States of the shoe whose weights are kept while the ledger is written."""


class Found(Struct, frozen=True):
    """A class of outcomes: its award, its ways, its block and its row in the table of finished hands."""

    award: int | None
    ways: int
    block: Block
    row: int


def classes_of(trial: DealerDraw, composition: Composition) -> Iterator[Found]:
    """Find every class of outcomes that a shoe can give."""
    verdicts, orders = trial.verdicts, trial.orders
    cells = RankClassCounts(trial, composition)
    weights_of = _Weights(trial, cells)
    for block in _hands_once(trial, composition):
        dealt = cells.dealt_ways(block)
        if not dealt:
            continue
        terms = [(term.sign, weights_of[cells.left_for(trial, block, term)]) for term in block.suits.terms]
        parts, times = verdicts.groups[verdicts.of[block.situation]], block.times * dealt
        for award, groups in (*enumerate(parts.wins), (None, parts.losing)):
            for group in groups:
                for row in verdicts.members[group]:
                    ways = 0
                    for sign, weights in terms:
                        ways += sign * weights[row]
                    if ways := ways * times // orders:
                        yield Found(award, ways, block, row)


class _Weights:
    """The ways of every row of finished hands, by the cards that are left to the dealer; a few are stored."""

    def __init__(self, trial: DealerDraw, cells: RankClassCounts) -> None:
        self._trial, self._after = trial, cells.after(trial)
        self._stored: dict[Remaining, list[int]] = {}

    def __getitem__(self, left: Remaining) -> list[int]:
        if left not in self._stored:
            if len(self._stored) >= _KEPT:
                self._stored.clear()
            self._stored[left] = self._trial.weights(left, self._after)
        return self._stored[left]


def _hands_once(trial: DealerDraw, composition: Composition) -> Iterator[Block]:
    """List the blocks, those that are one hand in two orders, such as 9d 9h and 9h 9d, put together."""
    found: dict[tuple[object, ...], Block] = {}
    places = [trial.deal.groups[role] for role, _ in trial.deal.roles]
    for block in trial.blocks(composition):
        suits = block.situation.suits or (0,) * len(block.rank_classes)
        hand = tuple(tuple(sorted((block.rank_classes[at], suits[at]) for at in role)) for role in places)
        key = (hand, block.suits)
        known = found.get(key)
        found[key] = replace(known, times=known.times + block.times) if known else block
    return iter(found.values())


def outcomes(trial: DealerDraw, composition: Composition) -> Iterator[Outcome]:
    """List every class of outcomes: the roles' cards, the finished hand, and how its suits fall if a rule asks."""
    layout: _Layout | None = None
    drawn_choices: _DrawnChoices = {}
    for found in classes_of(trial, composition):
        if layout is None or layout.block is not found.block:  # the classes of a block come one after the other
            layout = _Layout(trial, found.block, composition, drawn_choices)
        yield layout.outcome(found)


def count_outcomes(trial: DealerDraw, composition: Composition) -> int:
    """Count the classes that `outcomes` lists; blocks that leave the same cards to the dealer are counted once."""
    verdicts, cells = trial.verdicts, RankClassCounts(trial, composition)
    weights_of = _Weights(trial, cells)
    counts: dict[tuple[object, ...], int] = {}
    total = 0
    for block in _hands_once(trial, composition):
        if not cells.dealt_ways(block):
            continue
        verdict = verdicts.of[block.situation]
        terms = tuple((term.sign, cells.left_for(trial, block, term)) for term in block.suits.terms)
        if (verdict, terms) not in counts:
            parts = verdicts.groups[verdict]
            groups = [group for part in (*parts.wins, parts.losing) for group in part]
            (_, widest), *without = [(sign, weights_of[left]) for sign, left in terms]
            rows = [row for group in groups for row in verdicts.members[group] if widest[row] or block.suits.run]
            counts[verdict, terms] = sum(
                1 for row in rows if widest[row] + sum([sign * weights[row] for sign, weights in without])
            )
        total += counts[verdict, terms]
    return total


def examples(trial: DealerDraw, composition: Composition) -> tuple[Outcome | None, ...]:
    """Give a hand of the most usual length for each award."""
    lengths, hand_of = trial.table.lengths, trial.table.hand_of
    ways: dict[tuple[int, int], int] = {}
    hands: Counter[tuple[int, int]] = Counter()
    for found in classes_of(trial, composition):
        if found.award is not None:
            key = (found.award, lengths[hand_of[found.row]])
            ways[key] = ways.get(key, 0) + found.ways
            hands[key] += 1
    usual: dict[int, int] = {}
    for award, length in ways:
        if award not in usual or ways[award, length] > ways[award, usual[award]]:
            usual[award] = length
    # All hands are too many to keep, so they are gone through once more for the ones that are wanted.
    wanted = {(award, length): pick_typical(range(hands[award, length])) for award, length in usual.items()}
    picked: dict[int, Outcome] = {}
    for found in classes_of(trial, composition) if wanted else ():
        if found.award is not None and (place := wanted.get((found.award, lengths[hand_of[found.row]]))) is not None:
            if place == 0:
                picked[found.award] = _Layout(trial, found.block, composition).outcome(found)
            wanted[found.award, lengths[hand_of[found.row]]] = place - 1
    return tuple(picked.get(award) for award in range(len(trial.ladder.rules)))


def derivation(trial: DealerDraw, shoe: Shoe, given: str) -> Derivation:
    """Derive the count of every award, and of hands that win nothing, by the number of cards drawn."""
    composition = shoe.composition
    totals: dict[tuple[int | None, int], list[int]] = {}
    listed: set[tuple[object, ...]] = set()
    for found in classes_of(trial, composition):
        drawn = trial.deal.cards_dealt + trial.table.lengths[trial.table.hand_of[found.row]]
        total = totals.setdefault((found.award, drawn), [0, 0, 0])
        total[2] += found.ways
        # With cards gone, hands of hearts and of spades are weighed by themselves, and yet are one hand of a suit.
        block = found.block
        hand = (found.award, found.row, block.rank_classes, block.situation.suits, block.suits.sample)
        if hand not in listed:
            listed.add(hand)
            total[0] += 1
            total[1] += trial.table.orders[found.row]
    length, size = min(trial.length, composition.size), composition.size
    counted: list[tuple[int | None, tuple[int, ...], Fraction]] = []
    for award in (*range(len(trial.ladder.rules)), None):
        for cards in range(trial.length + 1):
            if (award, cards) in totals:
                hands, orders, weight = totals[award, cards]
                ways = weight * trial.orders // perm(size - cards, length - cards)
                counted.append((award, (cards, hands, orders, ways), Fraction(ways, perm(size, cards))))
    by_award: dict[int | None, list[Fraction]] = {}
    for award, _, chance in counted:
        by_award.setdefault(award, []).append(chance)
    inside = sum((chance for _, _, chance in counted), Fraction(0))
    condition = f" Of all draws {inside} fit the condition ({given}); probabilities are given that." if given else ""
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
        steps=tuple(Step(award, (*values, chance / inside)) for award, values, chance in counted),
        totals=tuple(
            Step(award, ("", "", "", "", sum(chances, Fraction(0)) / inside))
            for award, chances in by_award.items()
            if len(chances) > 1
        ),
        all_hands=("", "", "", "", 1),
        note="The command 'combinat formula' gives the chance of a bust for each up card as a closed form in n.",
    )


_DrawnChoices = dict[tuple[int, Scope], tuple[Choices, ...]]
"""For a row of finished hands and the suits it is drawn from: the cards that each position can have."""


class _Layout:
    """Lays out one hand of each class of a block: cards that the shoe has, in an order in which they can be drawn."""

    def __init__(
        self, trial: DealerDraw, block: Block, composition: Composition, drawn_choices: _DrawnChoices | None = None
    ) -> None:
        self.block = block
        self._trial, self._counts, self._detail = trial, composition.counts, str(block.suits)
        self._drawn_choices = {} if drawn_choices is None else drawn_choices
        classes, suits = trial.table.rank_classes, block.situation.suits
        self._choices = [
            _choices(classes[number], place, frozenset({suits[place]}) if suits else ALL_SUITS)
            for place, number in enumerate(block.rank_classes)
        ]
        self._taken: dict[int, int] = {}
        self._dealt = _first_cards(self._choices, self._counts, self._taken)
        self._is_dealt = len(self._dealt) == len(self._choices)
        self._roles = self._roles_of(self._dealt) if self._is_dealt else ()

    def outcome(self, found: Found) -> Outcome:
        """Make a class of one of its hands."""
        choices = self._choices_of(found.row)
        roles, drawn = self._roles, _first_cards(choices, self._counts, self._taken.copy())
        if not self._is_dealt or len(drawn) < len(choices) or not self._falls_so(drawn):
            dealt = len(self._choices)
            cards: list[Card] = []
            for drawn_choices in self._all_choices_of(found.row):
                hand = [*self._choices, *drawn_choices]
                cards = _tried(hand, self._counts, lambda cards: self._falls_so(cards[dealt:]))
                if cards:
                    break
            if not cards:
                raise MiscountError(f"a class with ways has no hand: {self.block}")
            roles, drawn = self._roles_of(cards), cards[dealt:]
        laid_out: Roles = (*roles, ("dealer", tuple(drawn)))
        return Outcome(laid_out, found.ways, found.award, laid_out, self._detail)

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
        """Give the cards that each position of a finished hand can have, in an order in which it can be drawn."""
        if self.block.suits.run is not None:
            return next(self._all_choices_of(row))
        scope = self.block.suits.scope
        if (row, scope) not in self._drawn_choices:
            table, deal = self._trial.table, self._trial.deal
            hand = table.hands[table.hand_of[row]]
            order = _drawing_order(table.first_ranks, table.ups[row], hand, deal.hits_soft_17)
            self._drawn_choices[row, scope] = tuple(
                _choices(table.rank_classes[number], place, scope)
                for place, number in enumerate(order, len(self._choices))
            )
        return self._drawn_choices[row, scope]

    def _falls_so(self, drawn: list[Card]) -> bool:
        """Whether the suits of drawn cards, all of them of the block's scope, fall as the block says."""
        suits = self.block.suits
        return len(suits.terms) == 1 or suits.has(tuple([card.suit for card in drawn]))

    def _roles_of(self, cards: list[Card]) -> Roles:
        names = [(role, self._trial.deal.groups[role]) for role, _ in self._trial.deal.roles]
        return tuple((role, tuple(cards[place] for place in places)) for role, places in names)


def _first_cards(choices: Sequence[Choices], counts: Sequence[int], taken: dict[int, int]) -> list[Card]:
    """Take the first card that is left at each position, which nearly always will do, until there is none.

    `taken` is how often each card was taken before; it is brought up to date.
    """
    cards: list[Card] = []
    for choice in choices:
        for at, card in choice:
            before = taken.get(at, 0)
            if before < counts[at]:
                taken[at] = before + 1
                cards.append(card)
                break
        else:
            break
    return cards


def _tried(choices: Sequence[Choices], there: Sequence[int], will_do: Callable[[list[Card]], bool]) -> list[Card]:
    """Try the cards of every place until the whole hand will do; nothing if none does."""
    taken = [0] * len(there)
    cards: list[Card] = []

    def lay(place: int) -> bool:
        if place == len(choices):
            return will_do(cards)
        for at, card in choices[place]:
            if taken[at] < there[at]:
                taken[at] += 1
                cards.append(card)
                if lay(place + 1):
                    return True
                taken[at] -= 1
                cards.pop()
        return False

    lay(0)
    return cards


@lru_cache(maxsize=4096)
def _choices(ranks: RankCounts, place: int, scope: Scope) -> Choices:
    """The cards of some ranks and suits in the order in which they are tried at a place, with their places in a shoe.

    Another place begins with another suit and rank, so that hands look as if they had been dealt.
    """
    suits = [suit for step in range(4) if (suit := (place + step) % 4) in scope]
    turned = [ranks[(place + turn) % len(ranks)] for turn in range(len(ranks))]
    cards = [card_from_numbers(rank, suit) for suit in suits for rank in turned]
    return tuple((card.place, card) for card in cards)


@lru_cache(maxsize=65536)
def _drawing_order(ranks: tuple[int, ...], up: int, hand: tuple[int, ...], hits_soft_17: bool) -> tuple[int, ...]:
    """Put the cards of a finished hand into an order in which the dealer draws them, the up card first."""
    left = list(hand)
    left[up] -= 1
    order = [up]

    def go_on() -> bool:
        if not any(left):
            return True
        held = [ranks[number] for number in order]
        hard = sum(1 if rank == Rank.ACE else min(rank, 10) for rank in held)
        if len(order) > 1 and stands(hard, Rank.ACE in held, hits_soft_17):
            return False
        for number, count in enumerate(left):
            if count:
                left[number] -= 1
                order.append(number)
                if go_on():
                    return True
                left[number] += 1
                order.pop()
        return False

    if not go_on():
        raise MiscountError(f"the drawing rule does not end with {hand}")
    return tuple(order)


_Parted = list[tuple[int, dict[int, tuple[int, ...]]]]
"""The cards of a row by their places, with the orders in which they lie so."""


def kinds(trial: DealerDraw, composition: Composition, tells_hole: bool) -> Iterator[RankClassOutcome]:
    """List every class of outcomes by the rank classes of its cards, without laying any hand out.

    In which of its orders a finished hand was drawn has nothing to do with suits, nor with the cards dealt before: of
    the ways of a class, each hole card has the part that its orders have of all.
    """
    parted: dict[int, _Parted] = {}
    for found in classes_of(trial, composition):
        if found.row not in parted:
            parted[found.row] = (_by_hole if tells_hole else _as_it_is)(trial, found.row)
        dealt = {place: (number,) for place, number in enumerate(found.block.rank_classes)}
        every = trial.table.orders[found.row]
        for orders, at in parted[found.row]:
            ways, over = divmod(found.ways * orders, every)
            if over:
                raise MiscountError(f"{found.ways} ways do not fall into {every} orders")
            yield RankClassOutcome(found.award, ways, dealt | at if dealt else at)


def _as_it_is(trial: DealerDraw, row: int) -> _Parted:
    table, first = trial.table, trial.deal.cards_dealt
    return [(table.orders[row], {first: (table.ups[row],), first + 1: _left(trial, row, table.ups[row])})]


def _by_hole(trial: DealerDraw, row: int) -> _Parted:
    table, first = trial.table, trial.deal.cards_dealt
    up = table.ups[row]
    return [
        (orders, {first: (up,), trial.deal.hole: (hole,), first + 1: _left(trial, row, up, hole)})
        for hole, orders in table.holes[row]
    ]


def _left(trial: DealerDraw, row: int, *shown: int) -> tuple[int, ...]:
    """The rank classes of a row's cards without those that lie elsewhere."""
    left = list(trial.table.hands[trial.table.hand_of[row]])
    for number in shown:
        left[number] -= 1
    return tuple(number for number, count in enumerate(left) for _ in range(count))


_EXTRA_RULES = ("dealer.bust", "dealer.bust and dealer.suited")


def name_of(ranks: RankCounts) -> str:
    """Name the ranks of an up card as one says them.

    >>> name_of((10, 11, 12, 13)), name_of((14,))
    ('10, J, Q, K', 'A')
    """
    return ", ".join(str(Rank(rank)) for rank in ranks)


@lru_cache(maxsize=16)
def _busts(deal: DealerDrawDeal, pack: Pack, given: Rule | None, tens_apart: bool) -> DealerDraw:
    """The dealer's busts and suited busts, under the bet's own condition."""
    if given is None or given.roles.isdisjoint(role for role, _ in deal.roles):
        # Cards that nobody asks about are like cards that stay in the shoe, so they need not be dealt.
        deal = replace(deal, roles=())
        given = given and parse_rule(given.text, deal)
    rules = tuple(parse_rule(text, deal) for text in _EXTRA_RULES)
    return DealerDraw(deal, pack, Ladder(rules, given), tens_apart)


class UpCards(Struct, frozen=True):
    """The bet given each up card, with how often the dealer busts then."""

    draw: DealerDraw
    key: str = "up_cards"
    case_key: str = "up"
    case_title: str = "Up card"
    title: str = "By the dealer's up card"
    text: str = "The bet is made with the up card in view, so its edge is another for each."
    extras: tuple[tuple[str, str], ...] = (("bust", "Bust"), ("suited_bust", "Suited bust"))

    def _of_busts(self, tens_apart: bool) -> DealerDraw:
        return _busts(self.draw.deal, self.draw.pack, self.draw.ladder.given, tens_apart)

    def conditions(self, shoe: Shoe) -> tuple[Condition, ...]:
        """The bet given each up card that is possible."""
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
        found = []
        for ranks, own in ways.items():
            if own.cycle:  # else no such card is left, or the condition rules it out
                chances = [Fraction(hands, busting[ranks].cycle) for hands in busting[ranks].matches]
                extras = {key: chance for (key, _), chance in zip(self.extras, chances, strict=True)}
                found.append(Condition(name_of(ranks), own, extras))
        return tuple(found)

    def extra_tallies(self) -> tuple[ConditionTally, ...]:
        """The busts with each up card that the condition leaves."""
        tallies = self._of_busts(tens_apart=False).tally_by_up_card()
        return tuple(
            ConditionTally(name_of(ranks), tally) for ranks, tally in tallies.items() if tally.fewest_decks is not None
        )
