"""An experiment that the program does not know: draw until the first ace, five cards at most.

Suits do not matter. A hand is a multiset of ranks; the ace, if there is one, is drawn last. The first card may be
exposed when the bet is made. A word of its own counts low cards.
"""
# ruff: noqa: ARG001, ARG002  # interface methods ignore some arguments

from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, perm, prod

from msgspec import Struct

from combinat.enumeration.experiment import Condition, ConditionTally, Experiment
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, StepColumn
from combinat.enumeration.table import iter_bits, masks_by_value
from combinat.enumeration.tally import Draw, Tally, new_partition, partition_from_row
from combinat.language.deal import CardsDescription, Deal
from combinat.language.rules import CardCount, Predicate, SameAs
from combinat.language.words import ANY_SIZE, WORDS, Word
from decks import Card, Rank, Suit

MOST = 5
ACE = int(Rank.ACE)
LOW_CARDS = Word(
    "low cards",
    "how many of the cards are 2 to 6",
    ANY_SIZE,
    ranks=lambda hand: sum(rank <= 6 for rank in hand),
    quantity="number of low cards",
)


@lru_cache(maxsize=None)
def ranks_in(composition):
    """Return the number of cards of each rank."""
    counts = Counter()
    for card, copies in composition:
        counts[card.rank] += copies
    return counts


class UntilAce(Deal, frozen=True):
    """The drawn cards, all in one role."""

    first_seen: bool = False
    kind = "until ace"

    def __str__(self):
        return self.kind + " first card seen" * self.first_seen

    @property
    def vocabulary(self):
        return WORDS.plus(numbers=(LOW_CARDS,))

    @property
    def positions_by_role(self):
        return {"drawn": (0,)}

    @property
    def all_positions(self):
        return (0,)

    def size(self, places):
        return None

    def max_cards(self, places):
        return MOST

    def possible_values(self, word, places):
        return None

    def describe_cards(self, places):
        return CardsDescription("the cards drawn", None, hand="the hand", needs_name=False)

    def describe(self, roles_distinct):
        return "the cards drawn until the first ace, five at most"

    def check_node(self, node):
        match node:
            case Predicate(word) if word.suits:
                return f"'{word.name}' asks for suits, which are not looked at; ranks can be asked"
            case CardCount(_, kinds) if any(isinstance(kind, SameAs) or kind.suits for kind in kinds):
                return "suits are not looked at; ranks can be asked"
        return ""


def read_deal(text):
    return UntilAce("seen" in text)


def experiment(deal, pack, ladder, roles_distinct):
    return FirstAce(deal, pack, ladder)


class FirstAce(Experiment):
    """Draw until the first ace: hands are listed by rank, and each is evaluated."""

    @cached_property
    def hands(self):
        others = [int(rank) for rank in self.pack.ranks if rank != ACE]
        ended = [(*hand, ACE) for length in range(MOST) for hand in combinations_with_replacement(others, length)]
        return ended + list(combinations_with_replacement(others, MOST))

    @cached_property
    def parts(self):
        return self.ladder.judge(Listed(self.hands))(None)

    def orders(self, hand):
        before = hand[:-1] if hand[-1] == ACE else hand
        return factorial(len(before)) // prod(map(factorial, Counter(before).values()))

    def tally(self):
        counts = new_partition(len(self.ladder.rules), Counter)
        for into, rows in zip(counts.all_values, self.parts.all_values, strict=True):
            for row in iter_bits(rows):
                hand = self.hands[row]
                shape = tuple(sorted(Draw(4, 0, count) for count in Counter(hand).values()))
                into[shape] += self.orders(hand)
        return self.ladder.tally(counts, self.pack.size, MOST, 1)

    def weight(self, hand, composition):
        counts = ranks_in(composition)
        drawn = prod(perm(counts[rank], count) for rank, count in Counter(hand).items())
        return self.orders(hand) * drawn * perm(composition.size - len(hand), MOST - len(hand))

    def count(self, composition):
        totals = [
            sum(self.weight(self.hands[row], composition) for row in iter_bits(rows)) for rows in self.parts.all_values
        ]
        return self.ladder.ways(partition_from_row(totals), perm(composition.size, MOST), 1)

    def outcomes(self, composition):
        for award, rows in (*enumerate(self.parts.wins), (None, self.parts.losing)):
            for row in iter_bits(rows):
                hand = self.hands[row]
                if ways := self.weight(hand, composition):
                    remaining = Counter(dict(composition))
                    cards = []
                    for rank in hand:
                        cards.append(next(c for suit in Suit if remaining[c := Card(Rank(rank), suit)]))
                        remaining[cards[-1]] -= 1
                    roles = (("drawn", tuple(cards)),)
                    yield Outcome(roles, ways, award, roles)

    def derivation(self, shoe):
        steps, totals = [], []
        for award, rows in (*enumerate(self.parts.wins), (None, self.parts.losing)):
            by_length = {}
            for row in iter_bits(rows):
                by_length.setdefault(len(self.hands[row]), []).append(self.hands[row])
            own = [
                DerivationStep(award, (length, len(hands), sum(self.weight(hand, shoe.composition) for hand in hands)))
                for length, hands in sorted(by_length.items())
            ]
            steps += own
            if len(own) != 1:
                totals.append(DerivationStep(award, ("", "", sum(step.values[-1] for step in own))))
        return Derivation(
            text="Hands are listed by their ranks; each is counted in all orders in which it can be drawn.",
            caption="Ways by the number of cards",
            columns=(
                StepColumn("drawn", "Cards drawn", "count"),
                StepColumn("hands", "Hands of ranks", "count"),
                StepColumn("ways", "Ways", "count"),
            ),
            steps=tuple(steps),
            totals=tuple(totals),
            all_hands=("", "", sum(step.values[-1] for step in steps)),
            note="Cards after the ace may lie in any order.",
        )

    def views(self):
        return (FirstCard(self),) if self.deal.first_seen else ()

    def cycle_in_words(self, shoe, ways, given):
        return f"An outcome is an order of the first {MOST} cards."

    def assumptions(self):
        return ("Cards are drawn until an ace comes, and no more than five.",)


class FirstCard(Struct, frozen=True):
    """A view: the first card, with the probability of an ace."""

    trial: FirstAce
    key: str = "first_cards"
    case_key: str = "first"
    case_title: str = "First card"
    title: str = "By the first card"
    text: str = "The bet is made with the first card in view."
    extras: tuple = (("ace", "Ace in time"),)

    def with_first(self, first, hand):
        """Return the fraction of a hand's orders that start with a rank."""
        before = hand[:-1] if len(hand) > 1 and hand[-1] == ACE else hand
        return Fraction(before.count(first), len(before))

    def conditions(self, shoe):
        trial, results = self.trial, []
        weights = [trial.weight(hand, shoe.composition) for hand in trial.hands]
        for rank in trial.pack.ranks:
            shares = [
                int(weight * self.with_first(rank, hand)) if rank in hand else 0
                for weight, hand in zip(weights, trial.hands, strict=True)
            ]
            totals = trial.parts.map_values(lambda rows, shares=shares: sum(shares[row] for row in iter_bits(rows)))
            ways = trial.ladder.ways(totals, sum(shares), 1)
            if ways.cycle:
                out = set(iter_bits(trial.parts.excluded))
                ended = sum(
                    share
                    for row, (share, hand) in enumerate(zip(shares, trial.hands, strict=True))
                    if hand[-1] == ACE and row not in out
                )
                results.append(Condition(str(rank), ways, {"ace": Fraction(ended, ways.cycle)}))
        return tuple(results)

    def extra_tallies(self):
        trial, results = self.trial, []
        out = set(iter_bits(trial.parts.excluded))
        for rank in trial.pack.ranks:
            ended, others = Counter(), Counter()
            for row, hand in enumerate(trial.hands):
                if row not in out and (share := self.with_first(rank, hand)):
                    shape = tuple(sorted(Draw(4, 0, count) for count in Counter(hand).values()))
                    (ended if hand[-1] == ACE else others)[shape] += int(trial.orders(hand) * share)
            results.append(
                ConditionTally(
                    str(rank), Tally(trial.pack.size, MOST, 1, (ended,), (ended,), others, {}, is_complete=False)
                )
            )
        return tuple(results)


class Listed:
    """Evaluate words on listed hands, in a single block."""

    def __init__(self, hands):
        self.hands = hands
        self.everything = (1 << len(hands)) - 1

    def _numbers(self, function):
        return masks_by_value(bytes(int(function(hand)) for hand in self.hands))

    def predicate(self, predicate):
        word = predicate.word
        lowest, highest = word.sizes
        return self._numbers(lambda hand: lowest <= len(hand) <= highest and word.value(hand)).get(1, 0)

    def ranks(self, ranks):
        return self._numbers(lambda hand: tuple(sorted(hand)) == ranks.ranks).get(1, 0)

    def number(self, measure):
        return self._numbers(measure.word.value)

    def count(self, count):
        required = {rank for kind in count.kinds for rank in kind.ranks}
        return self._numbers(lambda hand: sum(rank in required for rank in hand))
