"""Lucky 9: a round against the dealer, played by the strategy that the sheet states.

Cards count their points, tens and faces 0; a hand counts the last digit of its sum. The player sees the dealer's up
card, then stands, hits one card, or splits a pair (again while there are fewer than the allowed hands; each split
hand gets one card). The dealer draws a third card on 4 or less. The higher hand wins; a hand of 0, 1 or 2 loses (by
the setting "three" only if it has three cards). A Lucky 9 is a two-card 9 without a ten; by the setting "maker" it
beats a three-card 9, and a two-card 9 is never hit.

For each decision state (two cards and an up card) every action is evaluated exactly, over all cards that the
player and then the dealer can draw; the sheet's strategy must take the action of largest value in every state (the
Bellman equation of a game with one decision), and its figures are recomputed from that strategy. Split hands take no
further decisions. Second cards of split hands are merged into multisets; their order does not matter.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, perm, prod
from typing import Any, NamedTuple

from combinat.verifier.blackjack import hands_of_split
from combinat.verifier.deal import INFINITE, Bet, Counts, count_matches, parse_card, winner
from combinat.verifier.figures import parse_odds
from combinat.verifier.rules import COMPARISONS, WORTH
from combinat.verifier.sheet import CERTIFICATE, By, OneOf, Prose, SheetError, Unchecked, field, parse_number, show

CARDS = range(10)
NAMES = {0: "10", 1: "A", **{card: str(card) for card in range(2, 10)}}
LETTERS = {"stand": "S", "hit": "H", "split": "P", "resplit": "R"}
UPS = [1, *range(2, 10), 0]
SPLIT_HANDS = ("first", "second", "third", "fourth")
BY_WAGER = {"lucky 9": "best play", "lucky 9 tie": "best play of the main wager"}
BOTH = "best play of both wagers"
OTHER_DECKS = Unchecked(
    "best play at other deck counts takes long; the option --full checks it",
    lambda value: value is None or isinstance(value, str) or type(value) is int,
)
Spot = tuple[int, int, int]
Stock = tuple[int, ...]


class PointHand(NamedTuple):
    """A finished hand."""

    points: int
    cards: int
    has_ten: bool

    @property
    def is_lucky(self) -> bool:
        """Whether it is a Lucky 9."""
        return self.points == 9 and self.cards == 2 and not self.has_ten


def _hand_of(*cards: int) -> PointHand:
    """Return the hand of some cards."""
    return PointHand(sum(cards) % 10, len(cards), 0 in cards)


class RoundTerms(NamedTuple):
    """The settings of a table."""

    nines: str
    qualify: str
    lucky_pays: Fraction
    hands: int
    tie_pays: Fraction
    tie_stake: Fraction

    @property
    def cards(self) -> int:
        """The most cards of a round: three of the dealer's, and three or those of all split hands of the player's."""
        in_splits = 2 + self.hands + max(self.hands - 2, 0) if self.hands > 1 else 0
        return 3 + max(3, in_splits)

    def wins(self, hand: PointHand, dealer: PointHand, is_split: bool) -> int:
        """Return the units that a hand wins: 1, 0 or -1."""
        if hand.points <= 2 and (self.qualify == "any" or hand.cards == 3):
            return -1
        if self.nines == "maker" and hand.points == dealer.points == 9:
            if hand.is_lucky and not is_split and dealer.cards == 3:
                return 1
            return -1 if dealer.is_lucky and hand.cards == 3 else 0
        return (hand.points > dealer.points) - (hand.points < dealer.points)

    def actions(self, first: int, second: int) -> list[str]:
        """Return the actions with two cards."""
        is_kept = self.nines == "maker" and (first + second) % 10 == 9
        is_pair = first == second and self.hands > 1
        return ["stand"] + ["hit"] * (not is_kept) + ["split"] * is_pair + ["resplit"] * (is_pair and self.hands > 2)


def parse_terms(settings: dict[str, Any]) -> RoundTerms:
    """Return the settings of a sheet."""
    nines, qualify, hands = [field(settings, key, str) for key in ("nines", "qualify", "hands")]
    if nines not in ("push", "maker") or qualify not in ("any", "three") or hands not in ("1", "2", "3", "4"):
        raise SheetError(f"the settings {show(settings)} are not those of Lucky 9")
    odds = [parse_odds(field(settings, key, str))[0] for key in ("lucky_pays", "tie_pays")]
    return RoundTerms(nines, qualify, odds[0], int(hands), odds[1], parse_number(field(settings, "tie_stake", str)))


class Law(NamedTuple):
    """Ordered ways of a round: by units, Lucky 9 and the dealer's points; and of ties, by the dealer's points."""

    main: Counter[tuple[int, bool, int]]
    tied: Counter[int]

    def add(self, law: Law, weight: int) -> None:
        """Add the ways of another law."""
        for key, ways in law.main.items():
            self.main[key] += ways * weight
        for points, ways in law.tied.items():
            self.tied[points] += ways * weight


class RoundTable:
    """A shoe from which rounds are dealt."""

    def __init__(self, terms: RoundTerms, stock: Stock, *, infinite: bool) -> None:
        self.terms, self.stock, self.infinite = terms, stock, infinite
        self.size = sum(stock)
        self.ends = [[[self.end(up, hole, card) for card in CARDS] for hole in CARDS] for up in CARDS]
        self.kinds = sorted({end for rows in self.ends for row in rows for end in row})
        self.index = [[[self.kinds.index(end) for end in row] for row in rows] for rows in self.ends]
        self.units = {
            (first, second): [terms.wins(_hand_of(first, second), end, is_split=True) for end in self.kinds]
            for first in CARDS
            for second in CARDS
        }

    def end(self, up: int, hole: int, card: int) -> PointHand:
        """Return the dealer's hand if `card` would be the third card; how a hand was made matters to a 9 only."""
        hand = _hand_of(up, hole) if (up + hole) % 10 > 4 else _hand_of(up, hole, card)
        return hand if hand.points == 9 else PointHand(hand.points, 0, True)

    def pick(self, cards: int, draws: int) -> int:
        """Return the ordered ways to draw some of equal cards."""
        return cards**draws if self.infinite else perm(max(cards, 0), draws)

    def take(self, stock: Stock, *cards: int) -> Stock:
        """Return a stock without some cards."""
        remaining_stock = list(stock)
        for card in () if self.infinite else cards:
            remaining_stock[card] -= 1
        return tuple(remaining_stock)

    def behind(self, card_count: int) -> int:
        """Return the orders of the cards behind the first three and `card_count` more."""
        size = self.size if self.infinite else self.size - 3 - card_count
        return self.pick(size, self.terms.cards - 3 - card_count)

    @property
    def cycle(self) -> int:
        """The orders of as many cards as a round can take."""
        return self.pick(self.size, self.terms.cards)

    def times_dealt(self, first: int, second: int, up: int) -> int:
        """Return the orders in which two cards and an up card come."""
        ways, stock = 1 if first == second else 2, self.stock
        for card in (first, second, up):
            ways *= max(stock[card], 0)
            stock = self.take(stock, card)
        return ways

    def dealers(self, up: int, stock: Stock) -> list[int]:
        """Return the ordered ways of a hole card and the card after it, by the dealer's hand that they make."""
        ways = [0] * len(self.kinds)
        total = sum(stock) - (not self.infinite)
        for hole, copies in enumerate(stock):
            if copies <= 0:
                continue
            row = self.index[up][hole]
            if (up + hole) % 10 > 4:
                ways[row[0]] += copies * total
                continue
            for card, stock_count in enumerate(stock):
                remaining = stock_count - (hole == card and not self.infinite)
                if remaining > 0:
                    ways[row[card]] += copies * remaining
        return ways

    def law(self, action: str, first: int, second: int, up: int) -> Law:
        """Play two cards against an up card by an action."""
        law, stock = Law(Counter(), Counter()), self.take(self.stock, first, second, up)
        if action == "stand":
            self.settle(law, _hand_of(first, second), self.dealers(up, stock), self.behind(2))
        elif action == "hit":
            for card in CARDS:
                if stock[card] > 0:
                    ways = self.dealers(up, self.take(stock, card))
                    self.settle(law, _hand_of(first, second, card), ways, stock[card] * self.behind(3))
        else:
            max_hands = 2 if action == "split" else self.terms.hands
            self.split(law, first, up, stock, max_hands)
            self.tie_after_split(law, first, up, stock, max_hands)
        return law

    def settle(self, law: Law, hand: PointHand, ways: list[int], weight: int) -> None:
        """Settle one hand against every hand of the dealer's."""
        for end, end_ways in zip(self.kinds, ways, strict=True):
            if end_ways:
                law.main[self.terms.wins(hand, end, is_split=False), hand.is_lucky, end.points] += end_ways * weight
                if hand.points == end.points:
                    law.tied[end.points] += end_ways * weight

    def split(self, law: Law, card: int, up: int, stock: Stock, max_hands: int) -> None:
        """Settle all hands of a split together, for every multiset of their second cards."""
        other_cards = [other_card for other_card in CARDS if other_card != card]
        for (hands, pair_count), orders in split_orders(max_hands).items():
            like = hands - 2 + pair_count  # first cards of further hands, and second cards like the first
            weight = orders * self.pick(stock[card], like) * self.behind(2 * hands)
            if weight <= 0:
                continue
            next_stock = self.take(stock, *[card] * like)
            own_units = [pair_count * units for units in self.units[card, card]]
            for seconds in combinations_with_replacement(other_cards, hands - pair_count):
                counts = Counter(seconds)
                ways = factorial(len(seconds)) // prod(map(factorial, counts.values()))
                ways *= prod([self.pick(stock[second], copies) for second, copies in counts.items()])
                if not ways:
                    continue
                units = own_units
                for second in seconds:
                    units = [total + unit for total, unit in zip(units, self.units[card, second], strict=True)]
                dealers = self.dealers(up, self.take(next_stock, *seconds))
                for end, won, end_ways in zip(self.kinds, units, dealers, strict=True):
                    if end_ways:
                        law.main[won, False, end.points] += end_ways * ways * weight

    def tie_after_split(self, law: Law, card: int, up: int, stock: Stock, max_hands: int) -> None:
        """Count the ties of the first card's hand: cards like it are split away first, then its second card comes."""
        for splits in range(max_hands - 1):
            ways_before, remaining = self.pick(stock[card], splits), self.take(stock, *[card] * splits)
            for second in CARDS:
                is_split_again = second == card and splits < max_hands - 2
                if ways_before and remaining[second] > 0 and not is_split_again:
                    ways = self.dealers(up, self.take(remaining, second))
                    weight = ways_before * remaining[second] * self.behind(splits + 3)
                    for end, end_ways in zip(self.kinds, ways, strict=True):
                        if end.points == (card + second) % 10:
                            law.tied[end.points] += end_ways * weight


def split_orders(max_hands: int) -> dict[tuple[int, int], int]:
    """Return the orders of second cards by the number of hands and how many of these cards are like the first.

    A card like the first makes a further hand while there are fewer than `max_hands`; then waiting hands take any card.
    """
    orders: Counter[tuple[int, int]] = Counter()
    for (hands, finished), order_count in hands_of_split(max_hands).items():
        for pair_count in range(hands - finished + 1):
            orders[hands, pair_count] += order_count * comb(hands - finished, pair_count)
    return dict(orders)


class RoundState(NamedTuple):
    """A decision state: its probability, and the means of both wagers and their joint value for each action."""

    spot: Spot
    chance: Fraction
    main: dict[str, Fraction]
    tie: dict[str, Fraction]
    values: dict[str, Fraction]

    @property
    def best(self) -> str:
        """The action with the largest value, the first of equals."""
        return max(self.values, key=lambda action: self.values[action])


class RoundPlay:
    """Best play from a shoe: every decision state, and the ways of rounds by the action taken."""

    def __init__(self, terms: RoundTerms, stock: Stock, *, infinite: bool) -> None:
        self.terms, self.states, self.laws = terms, list[RoundState](), dict[str, Law]()
        table = RoundTable(terms, stock, infinite=infinite)
        all_ways = table.behind(0)
        for first in CARDS:
            for second in CARDS[first:]:
                for up in CARDS:
                    weight = table.times_dealt(first, second, up)
                    if weight <= 0:
                        continue
                    laws = {action: table.law(action, first, second, up) for action in terms.actions(first, second)}
                    main, tie = {}, {}
                    for action, law in laws.items():
                        won = sum([units * ways for (units, _, _), ways in law.main.items()])
                        lucky = sum(
                            [ways for (units, is_lucky, _), ways in law.main.items() if is_lucky and units == 1]
                        )
                        tied = law.tied.total()
                        main[action] = (won + (terms.lucky_pays - 1) * lucky) / all_ways
                        tie[action] = (terms.tie_pays * tied - (all_ways - tied)) / all_ways
                    values = {action: main[action] + terms.tie_stake * tie[action] for action in laws}
                    state = RoundState((first, second, up), Fraction(weight * all_ways, table.cycle), main, tie, values)
                    self.states.append(state)
                    self.laws.setdefault(state.best, Law(Counter(), Counter())).add(laws[state.best], weight)

    def means(self, strategy: dict[Spot, str]) -> tuple[Fraction, Fraction]:
        """Return the means of the main wager and of the Tie under a strategy."""
        pairs = [(state, strategy[state.spot]) for state in self.states]
        return (
            sum([state.chance * state.main[action] for state, action in pairs], Fraction(0)),
            sum([state.chance * state.tie[action] for state, action in pairs], Fraction(0)),
        )

    @property
    def best(self) -> dict[Spot, str]:
        """The best action in each state."""
        return {state.spot: state.best for state in self.states}

    def by_total(self) -> dict[tuple[int, int], tuple[str, dict[Spot, str]]]:
        """Return the simple strategy: by total and up card, pairs being split where that is better."""
        plans: dict[tuple[int, int], tuple[str, dict[Spot, str]]] = {}
        for total in CARDS:
            for up in CARDS:
                states = [state for state in self.states if sum(state.spot[:2]) % 10 == total and state.spot[2] == up]
                best: tuple[Fraction, str, dict[Spot, str]] | None = None
                for action in ("stand", "hit"):
                    if states and all(action in state.values for state in states):
                        plan: dict[Spot, str] = {}
                        for state in states:
                            allowed = [name for name in (action, "split", "resplit") if name in state.values]
                            plan[state.spot] = max(allowed, key=lambda name: state.values[name])
                        worth = sum([state.chance * state.values[plan[state.spot]] for state in states], Fraction(0))
                        if best is None or worth > best[0]:
                            best = worth, action, plan
                if best is not None:
                    plans[total, up] = best[1], best[2]
        return plans


# Rules about a round


class RoundOutcome(NamedTuple):
    """A round as rules see it."""

    units: int
    lucky: bool
    tie: bool
    dealer: int


def round_rule(text: str) -> Callable[[RoundOutcome], Any]:
    """Compile a rule about a round: units won, units lost, lucky nine, tie, dealer.points, numbers, comparisons."""
    names: dict[str, Callable[[RoundOutcome], Any]] = {
        "units_won": lambda outcome: max(outcome.units, 0),
        "units_lost": lambda outcome: max(-outcome.units, 0),
        "lucky_nine": lambda outcome: outcome.lucky,
        "tie": lambda outcome: outcome.tie,
        "dealer_points": lambda outcome: outcome.dealer,
    }
    source = text.replace("dealer.points", "dealer_points")
    source = re.sub(r"\b(units won|units lost|lucky nine)\b", lambda match: match[0].replace(" ", "_"), source)

    def compile_node(node: ast.expr) -> Callable[[RoundOutcome], Any]:
        if isinstance(node, ast.BoolOp):
            operands, join = (
                [compile_node(operand) for operand in node.values],
                all if isinstance(node.op, ast.And) else any,
            )
            return lambda outcome: join([operand(outcome) for operand in operands])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = compile_node(node.operand)
            return lambda outcome: not inner(outcome)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left_value, sign = compile_node(node.left), node.ops[0]
            if isinstance(sign, ast.In) and isinstance(node.comparators[0], (ast.Tuple, ast.Constant)):
                options = [compile_node(option) for option in getattr(node.comparators[0], "elts", node.comparators)]
                return lambda outcome: left_value(outcome) in [option(outcome) for option in options]
            if type(sign) in COMPARISONS:
                compare, right = COMPARISONS[type(sign)], compile_node(node.comparators[0])
                return lambda outcome: compare(left_value(outcome), right(outcome))
        if isinstance(node, ast.Constant) and type(node.value) is int:
            value = node.value
            return lambda _outcome: value
        if isinstance(node, ast.Name) and node.id in names:
            return names[node.id]
        raise SheetError(f"the rule '{show(text)}' cannot be read")

    try:
        return compile_node(ast.parse(source, "rule", "eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SheetError(f"the rule '{show(text)}' cannot be read") from None


class RoundDeal:
    """All rounds of Lucky 9, played by the best strategy."""

    method, merged_note = CERTIFICATE, "second cards of split hands are merged into multisets"

    def __init__(self, expected: Any) -> None:
        sheet = expected.sheet
        self.terms = parse_terms(field(sheet, "settings", dict))
        self.shoe = expected.shoe
        self.bet = Bet({}, expected.shoe, [], None, roles_apart=False)
        self.rules = [round_rule(field(row, "rule", str)) for row in expected.stated]
        if sheet.get("given") is not None:
            raise SheetError("a round of Lucky 9 has no condition")
        texts = " ".join([str(row["rule"]) for row in expected.stated])
        self.asks_for_tie = re.search(r"\btie\b", texts) is not None
        self.play = RoundPlay(self.terms, self.stock(self.shoe.decks), infinite=False)
        self.plays: dict[int, RoundPlay] = {self.shoe.decks: self.play}

    def stock(self, decks: int) -> Stock:
        """Return the number of cards by points."""
        ranks = Counter([WORTH[rank] % 10 for rank in self.shoe.ranks])
        return tuple([ranks[points] * len(self.shoe.suits) * (decks or 1) for points in CARDS])

    def outcomes(self, law: Law) -> list[tuple[tuple[bool, ...], int]]:
        """Return the rules that rounds match, with their ways."""
        ways_by_outcome: Counter[RoundOutcome] = Counter()
        for (units, lucky, dealer), ways in law.main.items():
            ways_by_outcome[
                RoundOutcome(0, False, False, dealer)
                if self.asks_for_tie
                else RoundOutcome(units, lucky, False, dealer)
            ] += ways
        for dealer, ways in law.tied.items() if self.asks_for_tie else ():
            ways_by_outcome[RoundOutcome(0, False, True, dealer)] += ways
            ways_by_outcome[RoundOutcome(0, False, False, dealer)] -= ways
        return [
            (tuple([bool(rule(outcome)) for rule in self.rules]), ways) for outcome, ways in ways_by_outcome.items()
        ]

    def counts(self, decks: int, awards: int) -> Counts:
        """Return the counts for a number of decks."""
        if decks not in self.plays:
            self.plays[decks] = RoundPlay(self.terms, self.stock(decks), infinite=decks == INFINITE)
        laws = self.plays[decks].laws.values()
        return count_matches([row for law in laws for row in self.outcomes(law)], awards)

    def derivation(self, awards: int) -> list[list[dict[str, Any]]]:
        """Return for each award, and at last for no award, how often each action brings it."""
        counts_by_action = {action: count_matches(self.outcomes(law), awards) for action, law in self.play.laws.items()}
        cycle = sum([award_counts.cycle for award_counts in counts_by_action.values()])
        spots = Counter([state.best for state in self.play.states])
        rows = []
        for award_index in range(awards + 1):
            steps = []
            for action, award_counts in counts_by_action.items():
                ways = award_counts.winning[award_index] if award_index < awards else award_counts.losing
                if ways:
                    steps.append({"action": action, "situations": spots[action], "probability": Fraction(ways, cycle)})
            rows.append(steps)
        return rows

    def example_award(self, example: Any, awards: int) -> int | None:
        """Return the award of an example round; `None` if it cannot be dealt or is not best play."""
        if not isinstance(example, dict) or not set(example) <= {"player", "up", "hole", "draw", "hit", *SPLIT_HANDS}:
            return None
        sizes = {"player": 2, "up": 1, "hole": 1, "draw": 1, "hit": 1, **dict.fromkeys(SPLIT_HANDS, 2)}
        if any(len(part) != sizes[role] for role, part in example.items()):
            return None
        cards = [parse_card(card) for role_cards in example.values() for card in role_cards]
        if any(copies > self.shoe.decks or card not in self.shoe.types for card, copies in Counter(cards).items()):
            return None
        points = {
            role: [WORTH[parse_card(card)[0]] % 10 for card in role_cards] for role, role_cards in example.items()
        }
        dealer = points.get("up", []) + points.get("hole", [])
        if len(dealer) != 2 or (sum(dealer) % 10 < 5) != ("draw" in points):
            return None
        end = _hand_of(*dealer, *points.get("draw", []))
        split = [points[role] for role in SPLIT_HANDS if role in points]
        hands = split or [points.get("player", []) + points.get("hit", [])]
        first = sorted([hand[0] for hand in split[:2]] if split else points.get("player", []))
        if len(first) != 2:
            return None
        action = self.play.best.get((first[0], first[1], dealer[0]), "")
        is_played = {"stand": "hit" not in points and not split, "hit": "hit" in points and not split}
        if not is_played.get(action, bool(split)):
            return None
        units = sum([self.terms.wins(_hand_of(*hand), end, is_split=bool(split)) for hand in hands])
        lucky = not split and _hand_of(*hands[0]).is_lucky
        is_tie = sum(hands[0]) % 10 == end.points
        outcome = (
            RoundOutcome(0, False, is_tie, end.points)
            if self.asks_for_tie
            else RoundOutcome(units, lucky, False, end.points)
        )
        return winner(tuple([bool(rule(outcome)) for rule in self.rules]), awards)


# The sheet


def round_tree(expected: Any) -> dict[str, Any]:
    """Return what a sheet of a wager on a round should say."""
    pays = expected.pays()
    if any(not pay.is_fixed for pay in pays):
        raise SheetError("a round of Lucky 9 pays from no meter")
    deal = RoundDeal(expected)
    expected.deal = deal
    expected.count_method = deal.method
    basis = BY_WAGER[expected.kind] if not deal.terms.tie_stake else BOTH
    expected.round_basis = basis
    tree: dict[str, Any] = expected.sections(pays, deal.counts(expected.decks, len(pays)), basis)
    tree["exposure"]["basis"] = basis
    tree["decisions"] = By(decisions(deal.play), CERTIFICATE)
    tree["play"] = By(play_part(expected.sheet, deal, basis), CERTIFICATE)
    return tree


def decisions(play: RoundPlay) -> list[dict[str, Any]]:
    """Return every decision state with the value of each action."""
    return [
        {
            "hand": f"{NAMES[state.spot[0]]}-{NAMES[state.spot[1]]}",
            "up": NAMES[state.spot[2]],
            "probability": state.chance,
            "best": state.best,
            "values": state.values,
        }
        for state in play.states
    ]


def play_part(sheet: dict[str, Any], deal: RoundDeal, basis: str) -> dict[str, Any]:
    """Return the section on play: edges of the best and the simple strategy, and the charts."""
    play, terms = deal.play, deal.terms
    by_total = play.by_total()
    simple = {spot: action for _, plan in by_total.values() for spot, action in plan.items()}
    best, plain = play.means(play.best), play.means(simple)

    def joint(means: tuple[Fraction, Fraction]) -> Fraction:
        return means[0] + terms.tie_stake * means[1]

    figures = {
        "main_edge": -best[0],
        "tie_edge": -best[1],
        "simple_main_edge": -plain[0],
        "simple_tie_edge": -plain[1],
        "simple_cost": joint(best) - joint(plain),
    }
    if terms.tie_stake:
        alone_play = RoundPlay(terms._replace(tie_stake=Fraction(0)), deal.stock(deal.shoe.decks), infinite=False)
        alone = alone_play.means(alone_play.best)
        figures |= {
            "alone_main_edge": -alone[0],
            "alone_tie_edge": -alone[1],
            "tie_play_gain": joint(best) - joint(alone),
            "both_edge": -joint(best) / (1 + terms.tie_stake),
        }
    charts = [chart(play, by_total, simple, row) for row in field(field(sheet, "play", dict), "charts", list)]
    return {"basis": basis, "figures": figures, "charts": charts}


def chart(play: RoundPlay, by_total: Any, simple: dict[Spot, str], stated: Any) -> dict[str, Any]:
    """Return a chart by hand, by total or by pair; rows that are played alike may share a line."""
    rows = field(stated, "rows", list)
    names = [field(row, "name", str).split(", ") for row in rows]
    listed = [name for line in names for name in line]
    pairs = [f"{NAMES[card]}-{NAMES[card]}" for card in CARDS]
    if set(listed) <= set(map(str, CARDS)):
        cells = {
            str(total): [LETTERS[by_total[total, up][0]] if (total, up) in by_total else "" for up in UPS]
            for total in CARDS
        }
    elif set(listed) <= set(pairs) and len(listed) <= len(pairs):
        cells = {}
        for card in CARDS:
            actions = [simple.get((card, card, up), "") for up in UPS]
            cells[pairs[card]] = [LETTERS[action] if "split" in action else "–" if action else "" for action in actions]
    else:
        best = play.best
        cells = {
            f"{NAMES[first]}-{NAMES[second]}": [LETTERS.get(best.get((first, second, up), ""), "") for up in UPS]
            for first, second, _ in best
        }
    shown_cells = {name: row for name, row in cells.items() if any(row)}
    is_complete = sorted(listed) == sorted(shown_cells)
    lines = []
    for line in names:
        is_alike = is_complete and all(shown_cells[name] == shown_cells[line[0]] for name in line)
        name = OneOf("hands that are played alike, each hand once", always if is_alike else never)
        lines.append({"name": name, "cells": shown_cells.get(line[0], [])})
    return {"caption": Prose(), "columns": [NAMES[up] for up in UPS], "rows": lines}


def always(_value: Any) -> bool:
    """Accept any value."""
    return True


def never(_value: Any) -> bool:
    """Accept no value."""
    return False
