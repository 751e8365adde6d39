"""The dealer's draw as an experiment, registered for deals such as `dealer:h17`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from math import perm, prod

from combinat.enumeration.dealer.counting import DealerCounter, RankClassCounts, iter_finished_hands
from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.enumerator import ASYMMETRIC_COMPOSITION, DealerDraw
from combinat.enumeration.dealer.evaluator import Scope
from combinat.enumeration.dealer.leading import leading_colors
from combinat.enumeration.dealer.ledger import (
    UpCards,
    count_draw_outcomes,
    derive_draw_counts,
    draw_examples,
    iter_draw_outcomes,
    iter_rank_classes,
)
from combinat.enumeration.experiment import CardResolution, Experiment, ExposedView, RankClassOutcome
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.fixed.spots import build_award_array
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, FinishedHand, Outcome
from combinat.enumeration.symmetry import SuitPermutation, rule_stabilizer, suit_positions
from combinat.enumeration.tally import AwardCounts, Tally
from combinat.exact.numbers import exact_div
from combinat.language.deal import DRAWING_RULES
from combinat.language.english import describe_rule
from decks import Composition, InputError, Pack, Shoe
from decks.cards import ALL_CARDS

_MAX_DEALT_CARDS = 2
_DEALER = "dealer"

Pairs = dict[tuple[int, int], int]
"""For a rule about the dealt cards and one about the finished hand, the ways of outcomes that both win."""


def count_jointly_with_fixed(fixed: FixedEnumerator, draw: DealerDraw, composition: Composition) -> Pairs | None:
    """Count the outcomes of each pair of rules; `None` with too many dealt cards, or if the hole card is dealt.

    Each ladder must take every outcome by one of its rules, without a condition.

    >>> from combinat.enumeration.experiment import experiment, parse_deal
    >>> from combinat.enumeration.ladder import Ladder
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD, Shoe
    >>> def split_by(deal, rule):
    ...     rules = tuple(parse_rule(text, deal) for text in (rule, f"not ({rule})"))
    ...     return experiment(deal, STANDARD, Ladder(rules), roles_distinct=True)
    >>> up, drawn = parse_deal("up:1"), parse_deal("dealer:h17")
    >>> fixed, draw = split_by(up, "has(A)").enumerator, split_by(drawn, "blackjack").draw
    >>> pairs = count_jointly_with_fixed(fixed, draw, Shoe(1).composition)
    >>> pairs[0, 0] * 51 == 16 * (pairs[0, 0] + pairs[0, 1])  # of 51 cards sixteen make a blackjack with an ace
    True
    """
    holders = fixed.deal.holders
    player_positions = [position for position, (holder, _) in enumerate(holders) if holder != _DEALER]
    up_positions = [position for position, (holder, _) in enumerate(holders) if holder == _DEALER]
    if (
        draw.deal.roles
        or draw.leading_colors
        or len(player_positions) > _MAX_DEALT_CARDS
        or fixed.pack.jokers
        or any(holders[position][1] for position in up_positions)
    ):
        return None
    awards = build_award_array(fixed).transpose([*player_positions, *up_positions])
    hands = _count_hands(fixed, draw, composition, len(player_positions))
    shoes = [composition.remove(ALL_CARDS[card] for card in hand) for hand in hands]
    pairs: Counter[tuple[int, int]] = Counter()
    for (hand, multiplicity), ways_by_card in zip(hands.items(), _iter_ways_by_up_card(draw, shoes), strict=True):
        for card, ways in ways_by_card.items():
            award_index = int(awards[(*hand, card)] if up_positions else awards[hand])
            for rule_index, count in enumerate(ways):
                pairs[award_index, rule_index] += multiplicity * count
    return {pair: ways for pair, ways in pairs.items() if ways}


def _count_hands(
    fixed: FixedEnumerator, draw: DealerDraw, composition: Composition, card_count: int
) -> Counter[tuple[int, ...]]:
    """Return the players' ordered hands with their ways, one representative per orbit of suit permutations."""
    rule_symmetries = set(rule_stabilizer(draw.ladder.rules))
    symmetries: list[SuitPermutation] = [
        permutation for permutation in fixed.suit_permutations_at(composition) if permutation in rule_symmetries
    ]
    hands: Counter[tuple[int, ...]] = Counter()
    for hand in product(range(len(ALL_CARDS)), repeat=card_count):
        if ways := prod(perm(composition.counts[card], count) for card, count in Counter(hand).items()):
            hands[min(tuple(card // 4 * 4 + permutation[card % 4] for card in hand) for permutation in symmetries)] += (
                ways
            )
    return hands


def _iter_ways_by_up_card(draw: DealerDraw, shoes: Sequence[Composition]) -> Iterator[dict[int, list[int]]]:
    """Yield, for each shoe, the ways of every rule by the card index of the up card."""
    blocks = list(draw.blocks(ASYMMETRIC_COMPOSITION))
    scopes = list(dict.fromkeys(term.scope for block in blocks for term in block.suits.terms))
    class_counts = [RankClassCounts(draw, shoe) for shoe in shoes]
    following_ways = class_counts[0].following_ways(draw)
    states = list(
        dict.fromkeys(shoe_class_counts.in_scope(scope) for shoe_class_counts in class_counts for scope in scopes)
    )
    weights = dict(zip(states, draw.group_sums.ways_at_states(states, [following_ways] * len(states)), strict=True))
    for shoe, shoe_class_counts in zip(shoes, class_counts, strict=True):
        ways_by_card = {card: [0] * len(draw.ladder.rules) for card, count in enumerate(shoe.counts) if count}
        for block in blocks:
            partition = draw.group_partitions.partitions[draw.group_partitions.index_by_situation[block.situation]]
            for term in block.suits.terms:
                group_ways = weights[shoe_class_counts.in_scope(term.scope)]
                for rule_index, groups in enumerate(partition.wins):
                    for group in groups:
                        for card, ways in _split_by_card(group_ways[group], draw.up_of(group), term.scope, shoe):
                            ways_by_card[card][rule_index] += term.sign * block.multiplicity * ways
        if sum(map(sum, ways_by_card.values())) != perm(shoe.size, shoe_class_counts.length):
            raise InputError(
                f"a shoe of {shoe.size} cards can run out before the dealer's hand is finished; "
                "no probability can be given"
            )
        yield ways_by_card


def _split_by_card(ways: int, ranks: Sequence[int], scope: Scope, shoe: Composition) -> Iterator[tuple[int, int]]:
    """Divide the ways of hands whose up card has given ranks and suits among the cards that it can be."""
    cards = [(rank - 2) * 4 + suit for rank in ranks for suit in scope]
    total = sum(shoe.counts[card] for card in cards)
    if ways:
        yield from ((card, exact_div(ways * shoe.counts[card], total)) for card in cards if shoe.counts[card])


class DealerExperiment(Experiment):
    """The dealer's draw, counted by a `DealerCounter`."""

    deal: DealerDrawDeal

    def __init__(self, deal: DealerDrawDeal, pack: Pack, ladder: Ladder) -> None:
        super().__init__(deal, pack, ladder)
        self.draw = DealerDraw(deal, pack, ladder)
        self.counter = DealerCounter(self.draw)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self.counter.full_deck_tally

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes for a composition."""
        return next(self.count_many([composition]))

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Yield the ladder's counts for each composition in turn, computed in batches."""
        return self.counter.count_many(compositions)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether it can win, for some number of decks."""
        return self.draw.reachable_rules()

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Yield every outcome that a composition can give."""
        return iter_draw_outcomes(self.draw, composition)

    def count_outcomes(self, composition: Composition) -> int:
        """Count the outcomes that a composition can give."""
        return count_draw_outcomes(self.draw, composition)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return an example for each award."""
        return draw_examples(self.draw, composition)

    def card_resolution(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """Return which cards outcomes distinguish: rank classes, with ranks worth ten merged where no rule differs."""
        asks_suits = bool(suit_positions(self.ladder.all_rules) or self.draw.leading_colors)
        return CardResolution(self.draw.table.rank_classes, uses_suits=asks_suits)

    def iter_rank_classes(
        self, composition: Composition, separate_positions: Collection[int] = ()
    ) -> Iterator[RankClassOutcome]:
        """Yield every outcome by its rank classes, and by its hole card if that is in `separate_positions`."""
        return iter_rank_classes(self.draw, composition, self.deal.hole in separate_positions)

    def count_spots_jointly(
        self,
        composition: Composition,
        spot_count: int,
        *,
        by_class: bool = False,  # noqa: ARG002  # one hand needs no classes
    ) -> dict[tuple[int, ...], int] | None:
        """Count the joint awards of several spots, which all depend on one hand; `None` if roles have cards."""
        if self.deal.roles:
            return None
        award_counts = self.count(composition)
        return {
            (rule_index,) * spot_count: count
            for rule_index, count in enumerate((*award_counts.wins, award_counts.losing))
            if count
        }

    def can_count_spots(self, composition: Composition, spot_count: int) -> bool:  # noqa: ARG002  # any number of them
        """Return whether all spots depend on the dealer's hand alone."""
        return not self.deal.roles

    def count_jointly_with(self, other: Experiment, composition: Composition) -> dict[tuple[int, int], int] | None:
        """Count the joint outcomes of rules about dealt cards and rules about the finished hand."""
        if not isinstance(other, FixedExperiment):
            return None
        return count_jointly_with_fixed(other.enumerator, self.draw, composition)

    @property
    def detail_title(self) -> str:
        """Title of the detail of an outcome: the suit class of the finished hand."""
        return "suits"

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts by the number of cards drawn."""
        condition = self.ladder.condition
        return derive_draw_counts(self.draw, shoe, describe_rule(condition, self.deal) if condition else "")

    def views(self) -> tuple[ExposedView, ...]:
        """Return the view by up card, which is exposed when the wager is made."""
        return (UpCards(self.counter),)

    def cycle_in_words(self, shoe: Shoe, award_counts: AwardCounts, condition: str) -> str:  # noqa: ARG002
        """Describe what an outcome is; the text is the same for every shoe."""
        only = f" Only those count where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the first {self.draw.length} cards, the most that can be needed; all orders "
            f"are equally likely.{only} Their number has {len(str(award_counts.cycle))} digits, so the table gives "
            "exact probabilities; the ways stand in the JSON sheet and in the ledger."
        )

    @property
    def hits_soft_17(self) -> bool:
        """Whether the dealer hits a soft 17."""
        return self.deal.hits_soft_17

    def finished_hands(self, composition: Composition) -> Iterator[FinishedHand]:
        """Yield every finished hand that the bet's condition allows, by ranks, with the ways of each award."""
        return iter_finished_hands(self.draw, composition)

    def assumptions(self) -> tuple[str, ...]:
        """Describe how the dealer draws."""
        return (f"The dealer {DRAWING_RULES[self.deal.draw]} and draws by that rule alone, whatever the players do.",)


def experiment(deal: DealerDrawDeal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> DealerExperiment:  # noqa: ARG001
    """Return the experiment of a dealer's draw; its roles are always distinguished."""
    if deal.roles and leading_colors(ladder.all_rules):
        raise InputError(
            f"leading red or black cards can only be counted with no other cards dealt, as in dealer:{deal.draw}; "
            f"the deal is {deal}"
        )
    return DealerExperiment(deal, pack, ladder)
