"""Blackjack for a parlay or a press: winnings that may be left on the player's hand.

Cards count 1 (aces) to 10. The dealer has looked and has no blackjack; everything is computed as "value times the
probability of no dealer blackjack", so that no draw needs a condition. With left(v) cards of value v among N cards:

    standing    S(h) = Σ over the dealer's hands of P(dealer) · (win 1, tie 0, loss -1)
    hitting     H(h) = Σ_v left(v)/N · V(h+v), a bust losing the bet,   V(h) = max(S(h), H(h))
    doubling    D(h) = 2 Σ_v left(v)/N · S(h+v)

The Bellman equation V = max is evaluated for every unsplit state (a hand and an up card). Hands after a split are not
optimized: they follow the strategy of the same cards unsplit, which looks at the hand's own cards and the up card only,
and are evaluated exactly. So "best play" means best in this class of strategies. Each split hand is evaluated alone:
beside it lie first cards of further hands (like the pair) and second cards of finished hands (unlike it). The joint
distribution of split hands is not computed: the variance has exact bounds, from the means by the dealer's total below,
and from Cauchy's inequality (Σx)² ≤ k·Σx² above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import perm
from typing import Any, NamedTuple

from combinat.verifier.deal import INFINITE, Card, FixedDeal, winner
from combinat.verifier.figures import Awards, Results, central_moment, pay_rows, wrong_unit
from combinat.verifier.outlook import Side, result_row, spread_bounds
from combinat.verifier.rules import WORTH
from combinat.verifier.sheet import (
    CERTIFICATE,
    Amount,
    By,
    NotCountedError,
    OneOf,
    Root,
    SheetError,
    Unchecked,
    field,
    parse_number,
)

VALUES = range(1, 11)
NAMES = ("A", *map(str, range(2, 11)))
ENDS = (0, 17, 18, 19, 20, 21)
"""Where the dealer can end; 0 for a bust."""
RIDES = {"parlay": "proceeds (win and wager)", "press": "winnings (not the wager)"}
LEAST_DOUBLED = {"any": 0, "9-11": 9, "10-11": 10}
OTHER_DECKS = Unchecked("best play at other deck counts takes long; the option --full checks it")
NO_CERTIFICATE = Unchecked(
    "no certificate was read; the verifier solved every state itself",
    lambda value: isinstance(value, dict) and set(value) == {"sha256", "states"},
)
BEST = "best play"
Hand = tuple[int, ...]  # how many cards of each value, aces first


class Rules(NamedTuple):
    """The rules of the table."""

    hits_soft_17: bool
    blackjack_pays: Fraction
    least_doubled: int
    max_hands: int
    surrender: bool
    double_after_split: bool
    resplit_aces: bool
    hit_split_aces: bool

    def split_hands(self, value: int) -> int:
        """Return how many hands a pair may become."""
        return min(self.max_hands, 2) if value == 1 and not self.resplit_aces else self.max_hands


def parse_rules(table: dict[str, Any]) -> Rules:
    """Return the rules that a sheet states."""
    double, hands = field(table, "double", str), field(table, "max_hands", int)
    if double not in LEAST_DOUBLED or not 1 <= hands <= 10:
        raise SheetError("the rules of the table cannot be read")
    names = ("surrender", "double_after_split", "resplit_aces", "hit_split_aces")
    flags = [field(table, key, bool) for key in names]
    pays = parse_number(table.get("blackjack_pays"))
    return Rules(field(table, "hits_soft_17", bool), pays, LEAST_DOUBLED[double], hands, *flags)


def hard_total(hand: Hand) -> int:
    """Return the total with every ace as 1."""
    return sum([value * held for value, held in zip(VALUES, hand, strict=True)])


def best_total(hand: Hand) -> int:
    """Return the total with one ace as 11 if that does not bust."""
    hard = hard_total(hand)
    return hard + 10 if hand[0] and hard <= 11 else hard


def with_card(hand: Hand, value: int, times: int = 1) -> Hand:
    """Return a hand with more cards of a value."""
    return (*hand[: value - 1], hand[value - 1] + times, *hand[value:])


EMPTY: Hand = (0,) * 10


class DealerHand(NamedTuple):
    """A finished hand of the dealer's, without the up card."""

    end: int
    cards: tuple[tuple[int, int], ...]
    """Values with their numbers of cards."""
    orders: int
    length: int


def dealer_hands(up: int, hits_soft_17: bool) -> list[DealerHand]:
    """Draw every hand behind an up card but a blackjack."""
    finished: list[DealerHand] = []
    hands: Counter[Hand] = Counter({with_card(EMPTY, up): 1})
    while hands:
        longer: Counter[Hand] = Counter()
        for hand, orders in hands.items():
            best, is_soft = best_total(hand), best_total(hand) != hard_total(hand)
            if sum(hand) < 2 or best < 17 or (best == 17 and is_soft and hits_soft_17):
                for value in VALUES:
                    longer[with_card(hand, value)] += orders
            elif sum(hand) > 2 or best != 21:
                drawn = with_card(hand, up, -1)
                cards = tuple([(value, drawn[value - 1]) for value in VALUES if drawn[value - 1]])
                finished.append(DealerHand(best if best <= 21 else 0, cards, orders, sum(drawn)))
        hands = longer
    return finished


class ActionValue(NamedTuple):
    """The result of a bet of 1 on two cards: the mean gain, and bounds of the mean square (equal unless split)."""

    action: str
    gain: Fraction
    least_square: Fraction
    most_square: Fraction


class ActionTable:
    """All hands against one up card, from a shoe with some cards of each value (or an infinite one)."""

    def __init__(self, counts: Hand, rules: Rules, up: int, *, infinite: bool = False) -> None:
        self.rules, self.up, self.infinite = rules, up, infinite
        self.left = counts if infinite else with_card(counts, up, -1)
        self.size = sum(self.left)
        self.dealers = dealer_hands(up, rules.hits_soft_17)
        self.longest = max(hand.length for hand in self.dealers)
        self.stands: dict[Hand, tuple[Fraction, Fraction]] = {}
        self.plays: dict[Hand, tuple[str, Fraction, Fraction]] = {}

    def pick(self, cards: int, times: int) -> int:
        """Return the ordered ways to draw some of equal cards."""
        return cards**times if self.infinite else perm(max(cards, 0), times)

    def remaining(self, hand: Hand) -> list[int]:
        """Return the cards of each value that a hand leaves."""
        return [left if self.infinite else left - held for left, held in zip(self.left, hand, strict=True)]

    def no_blackjack(self, hand: Hand) -> Fraction:
        """Return the probability that the hole card makes no blackjack."""
        if self.up not in (1, 10):
            return Fraction(1)
        partner = 10 if self.up == 1 else 1
        cards = self.size - (0 if self.infinite else sum(hand))
        return 1 - Fraction(self.remaining(hand)[partner - 1], cards)

    def dealer_ends(self, hand: Hand, behind: Callable[[int, int], int], value: int = 0) -> list[int]:
        """Return the ordered ways of the dealer's hands by their end.

        `behind` has the ways of everything else, given the dealer's number of cards of `value` and of all cards; these
        cards of `value` are then counted by it too.
        """
        ways = [[self.pick(left, times) for times in range(14)] for left in self.remaining(hand)]
        rest: dict[tuple[int, int], int] = {}
        totals = dict.fromkeys(ENDS, 0)
        for end, cards, orders, length in self.dealers:
            number, of_value = orders, 0
            for card, times in cards:
                if card == value:
                    of_value = times
                else:
                    number *= ways[card - 1][times]
            if number:
                key = (of_value, length)
                if key not in rest:
                    rest[key] = behind(of_value, length)
                totals[end] += number * rest[key]
        return [totals[end] for end in ENDS]

    # Unsplit hands: (mean gain, mean square), each times the probability of no dealer blackjack

    def stand(self, hand: Hand) -> tuple[Fraction, Fraction]:
        """Return the result of standing."""
        if hand not in self.stands:
            own, cards = best_total(hand), self.size - (0 if self.infinite else sum(hand))
            if own > 21:
                lost = self.no_blackjack(hand)
                return -lost, lost

            def behind(_of_value: int, length: int) -> int:
                left = cards if self.infinite else cards - length
                return self.pick(left, self.longest - length)

            ends = self.dealer_ends(hand, behind)
            every = self.pick(cards, self.longest)
            won = sum([ways for end, ways in zip(ENDS, ends, strict=True) if own > end])
            lost_ways = sum([ways for end, ways in zip(ENDS, ends, strict=True) if own < end])
            self.stands[hand] = Fraction(won - lost_ways, every), Fraction(won + lost_ways, every)
        return self.stands[hand]

    def next_card(self, hand: Hand, then: Callable[[Hand], tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
        """Return the mean over the next card."""
        gain = square = Fraction(0)
        cards = self.size - (0 if self.infinite else sum(hand))
        for value, left in zip(VALUES, self.remaining(hand), strict=True):
            if left > 0:
                own_gain, own_square = then(with_card(hand, value))
                gain += left * own_gain
                square += left * own_square
        return gain / cards, square / cards

    def play(self, hand: Hand) -> tuple[Fraction, Fraction]:
        """Return the result of three cards or more: the Bellman equation V = max(stand, hit)."""
        if best_total(hand) > 21:
            return self.stand(hand)
        if hand not in self.plays:
            stood = self.stand(hand)
            action, (gain, square) = "stand", stood
            if best_total(hand) < 21:
                hit = self.next_card(hand, self.play)
                if hit[0] > stood[0]:
                    action, (gain, square) = "hit", hit
            self.plays[hand] = action, gain, square
        return self.plays[hand][1:]

    def may_double(self, hand: Hand) -> bool:
        """Return whether two cards may be doubled."""
        least = self.rules.least_doubled
        return not least or (not hand[0] and least <= hard_total(hand) <= 11)

    def actions(self, hand: Hand) -> dict[str, tuple[Fraction, Fraction]]:
        """Return the result of each action on two cards but a split, that to take among equals first."""
        results = {"stand": self.stand(hand), "hit": self.next_card(hand, self.play)}
        if self.may_double(hand):
            gain, square = self.next_card(hand, self.stand)
            results["double"] = 2 * gain, 4 * square
        return results

    def best(self, hand: Hand) -> ActionValue:
        """Return the best action on two cards and its result, given no dealer blackjack."""
        alive = self.no_blackjack(hand)
        outcomes = [
            ActionValue(action, gain / alive, square / alive, square / alive)
            for action, (gain, square) in self.actions(hand).items()
        ]
        if 2 in hand and self.rules.split_hands(hand.index(2) + 1) > 1:
            outcomes.append(Split(self, hand.index(2) + 1).outcome())
        if self.rules.surrender:
            outcomes.append(ActionValue("surrender", Fraction(-1, 2), Fraction(1, 4), Fraction(1, 4)))
        return max(outcomes, key=lambda outcome: outcome.gain)


class Split:
    """A pair that is split, evaluated hand by hand."""

    def __init__(self, table: ActionTable, value: int) -> None:
        self.table, self.value = table, value
        self.first = with_card(EMPTY, value)
        self.orders = hands_of_split(table.rules.split_hands(value))
        self.cards = table.size - (0 if table.infinite else 2)  # the pair is gone
        self.further = max(hands - 2 + finished for hands, finished in self.orders)
        self.final: Counter[tuple[Hand, bool, int]] = Counter()
        """How often a hand is stood on, by whether its second card is like its first, and by its bets."""
        self.begun: Counter[tuple[Hand, bool, int]] = Counter()
        """The hands of two cards, in the same way: all bets that are made."""
        self.follow()

    def follow(self) -> None:
        """Play every hand by the strategy of the same cards unsplit, to its end."""
        table, rules, is_aces = self.table, self.table.rules, self.value == 1
        for left, hand in self.next_hands(self.first):
            is_like = hand[self.value - 1] == 2
            action = "stand"
            if not (is_aces and not rules.hit_split_aces) and best_total(hand) < 21:
                results = table.actions(hand)
                if is_aces or not rules.double_after_split:
                    results.pop("double", None)
                action = max(results, key=lambda name: results[name][0])
            self.begun[hand, is_like, 2 if action == "double" else 1] += left
            if action == "stand":
                self.final[hand, is_like, 1] += left
            elif action == "double":
                for more, longer in self.next_hands(hand):
                    self.final[longer, is_like, 2] += left * more
            else:
                hands = Counter({hand: left})
                while hands:
                    after: Counter[Hand] = Counter()
                    for own, times in hands.items():
                        for more, longer in self.next_hands(own):
                            table.play(longer)
                            is_hit = table.plays[longer][0] == "hit"
                            if is_hit:
                                after[longer] += times * more
                            else:
                                self.final[longer, is_like, 1] += times * more
                    hands = after

    def next_hands(self, hand: Hand) -> list[tuple[int, Hand]]:
        """Return the hands that one more card makes without a bust, with the cards that make each."""
        left = self.table.remaining(with_card(hand, self.value))  # the other card of the pair is gone too
        limit = 21 - hard_total(hand)
        return [(left[value - 1], with_card(hand, value)) for value in VALUES if value <= limit and left[value - 1] > 0]

    def dealer_ends(self, hand: Hand, is_like: bool, power: int) -> list[int]:
        """Return the ways of the dealer's ends beside a hand, for every hand of every split that can be this one.

        They count once for each such hand, or (`power` 1) times the number of hands of its split.
        """
        table, held = self.table, sum(hand)
        gone = with_card(hand, self.value)  # with the other card of the pair
        left = table.remaining(gone)[self.value - 1]
        others = sum(table.remaining(gone)) - left

        def behind(of_value: int, length: int) -> int:
            ways = 0
            for (likes, unlike), times in beside(self.orders, is_like, power).items():
                free = others if table.infinite else others - (length - of_value)
                used = held - 1 + length + likes + unlike
                rest = self.longest - used
                if free < unlike and not table.infinite:
                    continue
                number = table.pick(left, of_value + likes) * table.pick(free, unlike)
                cards = self.cards if table.infinite else self.cards - used
                ways += times * number * table.pick(cards, rest)
            return ways

        return table.dealer_ends(gone, behind, self.value)

    @property
    def longest(self) -> int:
        """The most cards that a hand, the dealer and the other hands take after the pair."""
        longest = 20 + self.table.longest + self.further
        return longest if self.table.infinite else min(longest, self.cards)

    def outcome(self) -> ActionValue:
        """Return the mean gain of all hands, and bounds of the mean square of their sum."""
        gains, most = [0] * len(ENDS), 0
        for (hand, is_like, bets), times in self.begun.items():
            ends = self.dealer_ends(hand, is_like, 0)
            gains = [gain - times * bets * ways for gain, ways in zip(gains, ends, strict=True)]
            most += times * bets**2 * sum(self.dealer_ends(hand, is_like, 1))
        for (hand, is_like, bets), times in self.final.items():
            own = best_total(hand)
            back = [(own > end) + (own >= end) for end in ENDS]
            ends = self.dealer_ends(hand, is_like, 0)
            gains = [gain + times * bets * more * ways for gain, more, ways in zip(gains, back, ends, strict=True)]
            if own in ENDS:  # nothing is won or lost in a tie
                most -= times * bets**2 * self.dealer_ends(hand, is_like, 1)[ENDS.index(own)]
        pair = with_card(self.first, self.value)

        def behind(_of_value: int, length: int) -> int:
            cards = self.cards if self.table.infinite else self.cards - length
            return self.table.pick(cards, self.longest - length)

        every = self.table.dealer_ends(pair, behind)
        total = sum(every)
        least = sum([Fraction(gain**2, ways) for gain, ways in zip(gains, every, strict=True) if ways], Fraction(0))
        return ActionValue("split", Fraction(sum(gains), total), least / total, Fraction(most, total))


def hands_of_split(most: int) -> dict[tuple[int, int], int]:
    """Return the orders in which second cards come, by the hands made and those finished before there were `most`.

    A second card like the first makes a further hand until there may be no more; then each waiting hand takes any card.
    """
    ends: Counter[tuple[int, int]] = Counter()

    def deal(hands: int, finished: int) -> None:
        if hands == most or finished == hands:
            ends[hands, finished] += 1
        else:
            deal(hands + 1, finished)
            deal(hands, finished + 1)

    deal(2, 0)
    return dict(ends)


def beside(orders: dict[tuple[int, int], int], is_like: bool, power: int) -> dict[tuple[int, int], int]:
    """Return what can lie beside one hand: first cards of further hands, and unlike second cards of finished hands."""
    found: Counter[tuple[int, int]] = Counter()
    for (hands, finished), times in orders.items():
        for others, which in ((finished, hands - finished), (finished - 1, finished)):
            if which and (others == finished or not is_like):
                found[hands - 2, others] += times * which * hands**power
    return dict(found)


# Matchups: which hands and up cards come with which award


class Matchup(NamedTuple):
    """A hand and an up card, with the probabilities that they come with each award and without a dealer blackjack."""

    hand: Hand
    up: int
    chances: dict[int, Fraction]


def hand_name(hand: Hand) -> str:
    """Return the name of a hand: aces first, then from ten down."""
    return "-".join([NAMES[value - 1] for value in (1, *range(10, 1, -1)) for _ in range(hand[value - 1])])


def matchups(deal: FixedDeal, decks: int, awards: int) -> dict[tuple[str, str], Matchup]:
    """Deal the player's cards and the up card from a number of decks, card by card."""
    shoe, copies = deal.bet.shoe, decks or 1
    gone = int(decks != INFINITE)
    size = copies * shoe.pack_size
    counts = value_counts(deal, decks)
    unseen = size - 3 * gone
    has_up = "up" in deal.bet.sizes
    ways_by: Counter[tuple[Hand, int, int]] = Counter()
    every = 0
    for first, second in combinations_with_replacement(shoe.types, 2):
        pair_ways = (1 if first == second else 2) * copies * (copies - gone * (first == second))
        if not pair_ways:
            continue
        worths = [WORTH[first[0]], WORTH[second[0]]]
        hand = tuple([worths.count(value) for value in VALUES])
        for up in shoe.types:
            ways = pair_ways * (copies - gone * ((up == first) + (up == second)))
            if ways <= 0:
                continue
            cards: tuple[Card, ...] = (first, second, up) if has_up else (first, second)
            matches = deal.test(cards)
            if matches is None:
                continue
            every += ways * unseen
            award = winner(matches, awards)
            if award < awards:
                value = WORTH[up[0]]
                partner = {1: 10, 10: 1}.get(value, 0)
                blackjacks = counts[partner - 1] - gone * hand[partner - 1] if partner else 0
                ways_by[hand, value, award] += ways * (unseen - blackjacks)
    found: dict[tuple[str, str], Matchup] = {}
    for (hand, value, award), ways in ways_by.items():
        if ways:
            matchup = found.setdefault((hand_name(hand), NAMES[value - 1]), Matchup(hand, value, {}))
            matchup.chances[award] = Fraction(ways, every)
    return found


def value_counts(deal: FixedDeal, decks: int) -> Hand:
    """Return the cards of each value in the shoe."""
    types = Counter([WORTH[rank] for rank, _ in deal.bet.shoe.types])
    return tuple([types[value] * (decks or 1) for value in VALUES])


# The option


class WinningsOption:
    """A parlay or a press at a number of decks."""

    def __init__(
        self, deal: FixedDeal, kind: str, rules: Rules, decks: int, awards: int, notify: Callable[[int, int], None]
    ) -> None:
        self.kind, self.rules, self.decks, self.notify = kind, rules, decks, notify
        self.counts = value_counts(deal, decks)
        self.met = matchups(deal, decks, awards)
        self.tables: dict[int, ActionTable] = {}
        self.outcomes: dict[tuple[str, str], ActionValue] = {}

    @property
    def runs_out(self) -> bool:
        """Whether all cards could be used up in one round."""
        hands = min(self.rules.max_hands, max(self.counts))
        return self.decks != INFINITE and hard_total(self.counts) <= 30 * hands + 16

    def outcome(self, name: tuple[str, str]) -> ActionValue:
        """Return the best play of a matchup for a unit left on the hand."""
        if name not in self.outcomes:
            matchup = self.met[name]
            if matchup.hand[0] == matchup.hand[-1] == 1:
                gain = self.rules.blackjack_pays if self.kind == "parlay" else Fraction(1)
                self.outcomes[name] = ActionValue("blackjack", gain, gain**2, gain**2)
            else:
                self.outcomes[name] = self.table(matchup.up).best(matchup.hand)
                self.notify(len(self.outcomes), len(self.met))
        return self.outcomes[name]

    def table(self, up: int) -> ActionTable:
        """Return the hands against an up card."""
        if up not in self.tables:
            self.tables[up] = ActionTable(self.counts, self.rules, up, infinite=self.decks == INFINITE)
        return self.tables[up]

    def on_hand(self, gross: Fraction) -> Fraction:
        """Return what may be left on the hand: all that comes back, or only the win; 0 if nothing was won."""
        return Fraction(0) if gross <= 1 else gross if self.kind == "parlay" else gross - 1

    def gain(self, award: int, gross: Fraction) -> Fraction:
        """Return what an award gains by best choices if it returned `gross`."""
        return sum(
            [
                matchup.chances[award] * self.on_hand(gross) * max(self.outcome(name).gain, Fraction(0))
                for name, matchup in self.met.items()
                if award in matchup.chances
            ],
            Fraction(0),
        )

    def side(self, awards: Awards, meters: dict[str, Fraction]) -> Side:
        """Return the result of a wager with best choices; of split hands the mean square has bounds."""
        gross = [pay.gross.number for pay in awards.pays]
        taken = list(awards.chances)
        known: Results = [(Fraction(0), awards.losing)]
        loose: list[tuple[Fraction, Fraction, Fraction, Fraction, Fraction]] = []
        for name, matchup in self.met.items():
            asked = [award for award in matchup.chances if self.on_hand(gross[award])]
            outcome = self.outcome(name) if asked else None
            if outcome is None or outcome.gain <= 0:
                continue
            for award in asked:
                back, chance, stake = gross[award], matchup.chances[award], self.on_hand(gross[award])
                taken[award] -= chance
                if outcome.action == "split":
                    most = 2 * self.rules.split_hands(matchup.hand.index(2) + 1)
                    squares = [
                        back**2 + 2 * back * stake * outcome.gain + stake**2 * square
                        for square in (outcome.least_square, outcome.most_square)
                    ]
                    reach = abs(back - 1) + stake * most
                    loose.append((back + stake * outcome.gain, squares[0], squares[1], reach, chance))
                else:
                    known += [(back + stake * profit, chance * part) for profit, part in profits(outcome)]
        known += list(zip(gross, taken, strict=True))
        mean = sum([back * chance for back, chance in known], Fraction(0)) + sum([row[0] * row[4] for row in loose])
        if not loose:
            return Side(BEST, meters, 1 - mean, known, central_moment(known, 2))
        square = sum([back**2 * chance for back, chance in known], Fraction(0)) - mean**2
        least = square + sum([row[1] * row[4] for row in loose])
        most_square = square + sum([row[2] * row[4] for row in loose])
        third = abs(sum([(back - mean) ** 3 * chance for back, chance in known], Fraction(0)))
        for own, _, upper, reach, chance in loose:
            third += (upper - 2 * mean * own + mean**2) * (abs(mean - 1) + reach) * chance
        skewness = third**2 / least**3 if least else None
        return Side(BEST, meters, 1 - mean, None, most_square, least_variance=least, squared_skewness=skewness)

    def largest(self, awards: Awards, names: list[tuple[str, str]]) -> dict[str, Any]:
        """Return the largest win of a wager of 1, and how it comes about, the first of equals."""
        gross = [pay.gross.number for pay in awards.pays]
        won, how = Fraction(-1), dict.fromkeys(("award", "hand", "up", "action"))
        for pay, back, chance in zip(awards.pays, gross, awards.chances, strict=True):
            if chance and back - 1 > won:
                won, how = back - 1, {"award": pay.award, "hand": None, "up": None, "action": None}
        for name in names:
            matchup, outcome = self.met[name], self.outcome(name)
            if outcome.gain <= 0:
                continue
            most = self.most_gained(matchup, outcome)
            for award in sorted(matchup.chances):
                stake = self.on_hand(gross[award])
                if stake and gross[award] - 1 + stake * most > won:
                    won = gross[award] - 1 + stake * most
                    action = "stand" if outcome.action == "blackjack" else outcome.action
                    how = {"award": awards.pays[award].award, "hand": name[0], "up": name[1], "action": action}
        return {"won": won, "how": how}

    def most_gained(self, matchup: Matchup, outcome: ActionValue) -> Fraction:
        """Return the most that a bet of 1 gains: of a split all second cards that can be dealt are tried."""
        if outcome.action != "split":
            return max([gain for gain, chance in profits(outcome) if chance])
        value, table = matchup.hand.index(2) + 1, self.tables[matchup.up]
        bets = {}
        for (hand, _, number), _times in Split(table, value).begun.items():
            second = with_card(hand, value, -1).index(1) + 1
            bets[second] = number
        most, found, left = self.rules.split_hands(value), 0, table.left
        for hands in range(2, min(most, left[value - 1]) + 1):
            seconds = [second for second in bets if second != value or hands == most]
            for row in combinations_with_replacement(seconds, hands):
                if all(row.count(second) <= left[second - 1] - hands * (second == value) for second in set(row)):
                    found = max(found, sum([bets[second] for second in row]))
        return Fraction(found)


def profits(outcome: ActionValue) -> Results:
    """Return the gains of a bet of 1 on a hand that is not split, with their probabilities."""
    bets = {"stand": 1, "hit": 1, "double": 2}.get(outcome.action)
    if bets is None:
        return [(outcome.gain, Fraction(1))]
    decided, ahead = outcome.least_square / bets**2, outcome.gain / bets
    won, lost = (decided + ahead) / 2, (decided - ahead) / 2
    return [(Fraction(bets), won), (Fraction(0), 1 - won - lost), (Fraction(-bets), lost)]


# The sheet


def rules_text(rules: Rules) -> str:
    """Return the rules of a table as a sentence."""
    pays = rules.blackjack_pays
    doubles = {0: "any two cards", 9: "hard 9 to 11", 10: "hard 10 and 11"}[rules.least_doubled]
    after = "" if rules.max_hands < 2 else " and after a split" if rules.double_after_split else ", not after a split"
    splits = "no splits"
    if rules.max_hands > 1:
        often = "as often as others" if rules.resplit_aces and rules.max_hands > 2 else "once"
        each = "any number of cards" if rules.hit_split_aces else "one card"
        splits = f"split to {rules.max_hands} hands, split aces {often} with {each} each"
    soft = "hits" if rules.hits_soft_17 else "stands on"
    odds = f"{pays.numerator} to {pays.denominator}"
    surrender = "late" if rules.surrender else "no"
    return f"dealer {soft} soft 17, blackjack pays {odds}, double {doubles}{after}, {splits}, {surrender} surrender"


def option_sections(
    expected: Any, tree: dict[str, Any], awards: Awards, sides: list[Side], stake: Fraction
) -> list[Side]:
    """Put the option into the sheet's tree; return the sides of a play, best play first."""
    part = field(expected.sheet, "option", dict)
    kind, strategy = field(part, "kind", str), field(part, "strategy", str)
    stated_kind = expected.source.bet.get("option")
    if kind not in RIDES or strategy not in ("best", "basic") or awards.meters:
        raise SheetError("the option of the sheet cannot be read")
    if expected.sizes not in ({"player": 2}, {"player": 2, "up": 1}):
        raise SheetError("an option needs a bet on the player's two cards, with or without the up card")
    rules = parse_rules(field(part, "table", dict))
    if strategy == "basic":
        raise NotCountedError("hands are played by a printed chart, which this verifier does not follow")
    option = WinningsOption(expected.deal, kind, rules, expected.decks, len(awards.pays), expected.notify)
    if option.runs_out:
        raise NotCountedError("the shoe can run out before the hands of blackjack are finished")
    gross = [pay.gross.number for pay in awards.pays]
    rows = field(part, "decisions", list)
    names = [(str(row.get("hand")), str(row.get("up"))) for row in rows if isinstance(row, dict)]
    asked = [
        name for name, matchup in option.met.items() if any(option.on_hand(gross[award]) for award in matchup.chances)
    ]
    if sorted(names) != sorted(asked):
        raise SheetError("'option.decisions' must have every winning hand and every up card once")
    decisions, gain, used = [], Fraction(0), Fraction(0)
    for name in names:
        matchup, outcome = option.met[name], option.outcome(name)
        chance = sum([own for award, own in matchup.chances.items() if option.on_hand(gross[award])], Fraction(0))
        amount = sum([own * option.on_hand(gross[award]) for award, own in matchup.chances.items()], Fraction(0))
        gained = amount * max(outcome.gain, Fraction(0))
        gain += gained
        used += chance if outcome.gain > 0 else 0
        decisions.append(
            {
                "hand": name[0],
                "up": name[1],
                "probability": chance,
                "amount": amount,
                "value": outcome.gain,
                "choice": "leave" if outcome.gain > 0 else "take",
                "gain": gained,
                "first_action": "stand" if outcome.action == "blackjack" else outcome.action,
            }
        )
    other_decks = field(part, "other_decks", bool)
    tree["option"] = By(
        {
            "kind": expected.source.unless("option", stated_kind, kind),
            "parlayed": RIDES[kind],
            "table": {key: part["table"][key] for key in TABLE_KEYS if key in part["table"]},
            "rules": OneOf(f"'{rules_text(rules)}'", lambda value: value == rules_text(rules)),
            "strategy": strategy,
            "gain": gain,
            "used": used,
            "decisions": decisions,
            "other_decks": other_decks,
            "certificate": NO_CERTIFICATE,
            "charts": [],
        },
        CERTIFICATE,
    )
    best = option.side(awards, expected.meters)
    edge = tree["house_edge"].number - gain
    for key in ("house_edge", "return", "expected_value", "variance", "standard_deviation"):
        tree[f"{key}_without_option"] = tree[key]
    tree["house_edge"], tree["return"], tree["expected_value"] = [Amount.of(value) for value in (edge, 1 - edge, -edge)]
    tree["hold"], tree["favors_player"], tree["basis"] = Amount.of(edge), edge < 0, BEST
    if best.is_exact:
        tree["variance"], tree["standard_deviation"] = best.variance, Root(best.variance or Fraction(0))
    else:
        tree["variance"] = tree["standard_deviation"] = None
        tree |= spread_bounds(best)
    changes = {
        (at, units): option.gain(at, gross[at] + units) - option.gain(at, gross[at])
        for at in range(len(gross))
        for units in (1, -1)
    }
    pay_changes = pay_rows(awards, BEST, lambda at, units: changes[at, units])
    tree["pay_sensitivity"] = pay_changes
    tree["wrong_unit"] = wrong_unit(awards, pay_changes, BEST, adds_up=False)
    largest = option.largest(awards, names)
    exposure = tree["exposure"]
    tree["exposure"] = {
        **exposure,
        "basis": BEST,
        "largest_win": largest["won"] * stake,
        "largest_payment": (largest["won"] + 1) * stake,
        "largest_by": largest["how"],
        "largest_win_without_option": exposure["largest_win"],
        "largest_payment_without_option": exposure["largest_payment"],
    }
    deck_rows = tree["deck_sensitivity"].part
    for row in deck_rows if other_decks else ():
        row["headline"] = headline(expected, awards, row, option, kind, rules)
    expected.option = option
    return [best, *sides]


TABLE_KEYS = (
    *("hits_soft_17", "double", "double_after_split", "max_hands", "resplit_aces", "hit_split_aces"),
    *("blackjack_pays", "surrender"),
)


def headline(expected: Any, awards: Awards, row: dict[str, Any], own: WinningsOption, kind: str, rules: Rules) -> Any:
    """Return the result of best play at another number of decks; only if all deck counts are asked for."""
    decks = INFINITE if row["decks"] == "infinite" else row["decks"]
    option = own
    if decks != expected.decks:
        if not expected.is_full:
            return OTHER_DECKS
        option = WinningsOption(expected.deal, kind, rules, decks, len(awards.pays), expected.notify)
        awards = Awards.of(awards.pays, expected.deal.counts(decks, len(awards.pays)))
    if option.runs_out:
        return None
    side = option.side(awards, {})
    result = result_row(side)
    if decks == INFINITE and not side.is_exact:
        spread: Any = Unchecked("with infinite decks the hands of a split are independent; only the mean is recomputed")
        return {"basis": BEST, "hold": side.edge, "standard_deviation": spread, "standard_deviation_bounds": spread}
    return {
        "basis": BEST,
        "hold": side.edge,
        "standard_deviation": result["standard_deviation"],
        "standard_deviation_bounds": result["standard_deviation_bounds"],
    }
