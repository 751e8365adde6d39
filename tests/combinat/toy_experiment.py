"""A way for cards to come that the program does not know: draw until the first ace, five cards at most.

Suits are not looked at. A hand is a multiset of ranks; the ace, if there is one, came last. The first card may be seen
when the bet is made. A word of its own counts low cards.
"""
# ruff: noqa: ARG001, ARG002  # it offers what every experiment offers, and looks at little of what it is asked with

from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, perm, prod

from msgspec import Struct

from combinat.enumeration.experiment import Condition, ConditionTally
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, StepColumn
from combinat.enumeration.table import iter_bits, masks_by_value
from combinat.enumeration.tally import Draw, Tally, new_partition, partition_from_row
from combinat.language.deal import Cards, Deal
from combinat.language.rules import CardCount, Predicate, SameAs
from combinat.language.words import ANY_SIZE, WORDS, Word
from decks import Card, Pack, Rank, Suit

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
    """Count the cards of each rank."""
    counts = Counter()
    for card, copies in composition:
        counts[card.rank] += copies
    return counts


class UntilAce(Deal, frozen=True):
    """The cards that are drawn, all of them one group."""

    first_seen: bool = False
    kind = "until ace"

    def __str__(self):
        return self.kind + " first card seen" * self.first_seen

    @property
    def vocabulary(self):
        return WORDS.plus(numbers=(LOW_CARDS,))

    @property
    def groups(self):
        return {"drawn": (0,)}

    @property
    def all_positions(self):
        return (0,)

    def size(self, places):
        return None

    def max_cards(self, places):
        return MOST

    def values(self, word, places):
        return None

    def cards(self, places):
        return Cards("the cards drawn", None, hand="the hand", needs_name=False)

    def description(self, roles_distinct):
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


class FirstAce(Struct, frozen=True, dict=True):
    """The experiment: it lists its hands, and judges each by itself."""

    deal: UntilAce
    pack: Pack
    ladder: Ladder
    counts_hands = False
    detail_title = ""

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

    def reachable_rules(self, enough=None):
        return tuple(map(bool, self.parts.wins))

    def tally(self):
        counts = new_partition(len(self.ladder.rules), Counter)
        for into, rows in zip(counts.every, self.parts.every, strict=True):
            for row in iter_bits(rows):
                hand = self.hands[row]
                shape = tuple(sorted(Draw(4, 0, times) for times in Counter(hand).values()))
                into[shape] += self.orders(hand)
        return self.ladder.tally(counts, self.pack.size, MOST, 1)

    def weight(self, hand, composition):
        counts = ranks_in(composition)
        drawn = prod(perm(counts[rank], times) for rank, times in Counter(hand).items())
        return self.orders(hand) * drawn * perm(composition.size - len(hand), MOST - len(hand))

    def count(self, composition):
        totals = [
            sum(self.weight(self.hands[row], composition) for row in iter_bits(rows)) for rows in self.parts.every
        ]
        return self.ladder.ways(partition_from_row(totals), perm(composition.size, MOST), 1)

    def outcomes(self, composition):
        for award, rows in (*enumerate(self.parts.wins), (None, self.parts.losing)):
            for row in iter_bits(rows):
                hand = self.hands[row]
                if ways := self.weight(hand, composition):
                    left = Counter(dict(composition))
                    cards = []
                    for rank in hand:
                        cards.append(next(c for suit in Suit if left[c := Card(Rank(rank), suit)]))
                        left[cards[-1]] -= 1
                    roles = (("drawn", tuple(cards)),)
                    yield Outcome(roles, ways, award, roles)

    def examples(self, composition):
        first = {}
        for outcome in self.outcomes(composition):
            first.setdefault(outcome.award, outcome)
        return tuple(first.get(award) for award in range(len(self.ladder.rules)))

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
    """What is seen: the first card, with the chance that an ace comes in time."""

    trial: FirstAce
    key: str = "first_cards"
    case_key: str = "first"
    case_title: str = "First card"
    title: str = "By the first card"
    text: str = "The bet is made with the first card in view."
    extras: tuple = (("ace", "Ace in time"),)

    def with_first(self, first, hand):
        """Tell which part of the orders of a hand begin with a rank."""
        before = hand[:-1] if len(hand) > 1 and hand[-1] == ACE else hand
        return Fraction(before.count(first), len(before))

    def conditions(self, shoe):
        trial, found = self.trial, []
        weights = [trial.weight(hand, shoe.composition) for hand in trial.hands]
        for rank in trial.pack.ranks:
            shares = [
                int(weight * self.with_first(rank, hand)) if rank in hand else 0
                for weight, hand in zip(weights, trial.hands, strict=True)
            ]
            totals = trial.parts.each(lambda rows, shares=shares: sum(shares[row] for row in iter_bits(rows)))
            ways = trial.ladder.ways(totals, sum(shares), 1)
            if ways.cycle:
                out = set(iter_bits(trial.parts.excluded))
                ended = sum(
                    share
                    for row, (share, hand) in enumerate(zip(shares, trial.hands, strict=True))
                    if hand[-1] == ACE and row not in out
                )
                found.append(Condition(str(rank), ways, {"ace": Fraction(ended, ways.cycle)}))
        return tuple(found)

    def extra_tallies(self):
        trial, found = self.trial, []
        out = set(iter_bits(trial.parts.excluded))
        for rank in trial.pack.ranks:
            ended, others = Counter(), Counter()
            for row, hand in enumerate(trial.hands):
                if row not in out and (share := self.with_first(rank, hand)):
                    shape = tuple(sorted(Draw(4, 0, times) for times in Counter(hand).values()))
                    (ended if hand[-1] == ACE else others)[shape] += int(trial.orders(hand) * share)
            found.append(
                ConditionTally(str(rank), Tally(trial.pack.size, MOST, 1, (ended,), (ended,), others, {}, whole=False))
            )
        return tuple(found)


class Listed:
    """Judges words on listed hands; there is but one situation."""

    def __init__(self, hands):
        self.hands = hands
        self.everything = (1 << len(hands)) - 1

    def _numbers(self, function):
        return masks_by_value(bytes(int(function(hand)) for hand in self.hands))

    def predicate(self, predicate):
        word = predicate.word
        least, most = word.sizes
        return self._numbers(lambda hand: least <= len(hand) <= most and word.value(hand)).get(1, 0)

    def ranks(self, ranks):
        return self._numbers(lambda hand: tuple(sorted(hand)) == ranks.ranks).get(1, 0)

    def measure(self, measure):
        return self._numbers(measure.word.value)

    def count(self, count):
        wanted = {rank for kind in count.kinds for rank in kind.ranks}
        return self._numbers(lambda hand: sum(rank in wanted for rank in hand))
