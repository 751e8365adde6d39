"""A game of blackjack: the value of every first hand against every up card, and the house edge.

`BlackjackGame` solves a game with the exact engine. `HandSolver` solves selected matchups: best strategy from full
decks with the fast engine; every other game, and games in which two actions are too close for floating point, with
the exact engine. Both read and write the disk cache.

House edge = P(dealer's blackjack, not the player's) - sum over matchups m of P(m, no dealer's blackjack) * value(m).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Any

from msgspec import Struct

from combinat.blackjack import cache as game_cache
from combinat.blackjack.cache import ActionValues, CachedChoice, Matchup
from combinat.blackjack.charts import ChartStrategy
from combinat.blackjack.exact.play import BestStrategy, HandPlay, Strategy, check_enough_cards
from combinat.blackjack.exact.second_moment import SecondMoments
from combinat.blackjack.exact.splits import split_figures
from combinat.blackjack.exact.stand import Figures
from combinat.blackjack.hands import (
    ACE,
    BLACKJACK_PARTNER,
    FIRST_HANDS,
    INDEXES,
    NAMES,
    TEN,
    Hand,
    count_by_value,
    format_hand,
    is_natural,
    pair_index,
    with_card,
)
from combinat.blackjack.parlay.max_win import max_split_bets
from combinat.blackjack.parlay.results import Results, constant_result, hand_results
from combinat.blackjack.rules import Action, BlackjackRules, check_strategy
from combinat.enumeration.decision import Progress
from combinat.exact.interval import Interval
from combinat.exact.surd import Exact
from decks import InputError, Shoe


class HandValue(Struct, frozen=True):
    """A first hand against an up card, given that the dealer has no blackjack."""

    hand: Hand
    up: int
    probability: Fraction
    """Probability of this hand, this up card and no dealer's blackjack."""
    dealer_blackjack: Fraction
    """Conditional probability of a dealer's blackjack, given the hand and the up card."""
    values: dict[Action, Fraction]
    """Expected profit of a unit bet for each first action, then following the strategy; empty for a blackjack."""
    action: Action
    value: Fraction
    """Expected profit of a unit bet with the chosen action, or with a blackjack."""

    def __repr__(self) -> str:
        return f"<{format_hand(self.hand)} against {NAMES[self.up]}: {self.action}, value {Exact(self.value):.8f}>"

    @property
    def best(self) -> Action:
        """The action of highest value; for a blackjack, the only action."""
        if not self.values:
            return self.action
        return max((action for action in Action if action in self.values), key=self.values.__getitem__)

    @property
    def value_before_peek(self) -> Fraction:
        """The value of the hand including rounds in which the dealer has blackjack."""
        loss_to_blackjack = Fraction(0) if is_natural(self.hand) else self.dealer_blackjack
        return (1 - self.dealer_blackjack) * self.value - loss_to_blackjack


class BlackjackGame:
    """A game of blackjack: a shoe, rules and a strategy. Values are computed on demand.

    With fewer up cards in `ups` it is faster.

    >>> from combinat.blackjack.hands import parse_first_hand
    >>> game = BlackjackGame(Shoe(1), BlackjackRules(hits_soft_17=False), ups=(ACE,))
    >>> eleven = game.hand(parse_first_hand("6 5"), ACE)
    >>> str(eleven.action), eleven.dealer_blackjack  # sixteen tens among the other 49 cards
    ('double', Fraction(16, 49))
    """

    def __init__(
        self,
        shoe: Shoe,
        rules: BlackjackRules | None = None,
        strategy: str = "best",
        ups: Sequence[int] = INDEXES,
    ) -> None:
        check_strategy(strategy)
        self.shoe = shoe
        self.rules = rules or BlackjackRules()
        self.strategy = strategy
        self.counts = count_by_value(shoe)
        check_enough_cards(self.counts, self.rules)
        self.ups = tuple(ups)
        self._figures_by_hand: dict[Hand, tuple[dict[Action, Figures], list[Action]]] = {}

    @cached_property
    def play(self) -> HandPlay:
        """The exact engine for a hand from this shoe."""
        strategy = BestStrategy() if self.strategy == "best" else ChartStrategy(self.shoe.decks, self.rules, self.ups)
        return HandPlay(self.counts, self.rules, self.ups, strategy)

    def figures(self, hand: Hand) -> tuple[dict[Action, Figures], list[Action]]:
        """Return the joint figures of every action on a first hand for each up card, and the chosen actions."""
        if hand not in self._figures_by_hand:
            self._figures_by_hand[hand] = self._figures_against(hand, range(len(self.ups)))
        return self._figures_by_hand[hand]

    def _figures_against(self, hand: Hand, fields: Sequence[int]) -> tuple[dict[Action, Figures], list[Action]]:
        """Return the joint figures of every action on a first hand, and the chosen actions.

        Only the figures for the up cards at `fields` are needed. Splits are the most expensive, so they are computed
        for these up cards only. At other indexes the figures of a split and the chosen actions are meaningless.
        """
        self.play.prepare(hand)
        figures_by_action = self.play.unsplit(hand)
        pair = pair_index(hand)
        if pair is not None and self.rules.max_split_hands(pair) > 1:
            figures_by_action[Action.SPLIT] = split_figures(self.play, pair, fields)
        return figures_by_action, self.play.strategy.choose(hand, figures_by_action)

    @cached_property
    def _choices(self) -> dict[Matchup, ActionValues]:
        """Solved matchups, initially those in the cache."""
        return game_cache.read_choices(self.key)

    @cached_property
    def _second_moments(self) -> dict[Matchup, Interval[Fraction]]:
        """Bounds of second moments, initially those in the cache."""
        return game_cache.read_second_moments(self.key)

    @property
    def key(self) -> dict[str, Any]:
        """Cache key: everything that the choices of the game depend on."""
        return game_cache.key(self.counts, self.rules, self.strategy, self.shoe.decks)

    @property
    def is_solved(self) -> bool:
        """Whether every matchup of the game is solved."""
        return all(matchup in self._choices for matchup in self._decisions())

    def _decisions(self) -> list[Matchup]:
        """List the matchups with a decision, which excludes a player's blackjack."""
        return [matchup for matchup in self.matchups() if not is_natural(matchup[0])]

    def solve(self, progress: Progress | None = None, matchups: Iterable[Matchup] | None = None) -> None:
        """Solve every matchup of the game, or only `matchups`, and store the result in the cache.

        `matchups` must not contain a blackjack.
        """
        requested = self._decisions() if matchups is None else list(matchups)
        missing: dict[Hand, list[int]] = {}
        for hand, up in requested:
            if (hand, up) not in self._choices:
                missing.setdefault(hand, []).append(self.ups.index(up))
        if not missing:
            return
        self.play.prepare()
        for done, (hand, fields) in enumerate(missing.items()):
            if progress is not None:
                progress(done, len(missing))
            figures = self.figures(hand) if hand in self._figures_by_hand else self._figures_against(hand, fields)
            for field in fields:
                self._choices[hand, self.ups[field]] = self._choice_at(hand, figures, field)
        if progress is not None:
            progress(len(missing), len(missing))
        if set(self.ups) == set(INDEXES):
            game_cache.write_choices(self.key, self._choices)

    def solve_second_moments(self, matchups: Iterable[Matchup]) -> None:
        """Compute bounds of the second moments of `matchups` and store them in the cache."""
        missing_ups_by_hand: dict[Hand, list[int]] = {}
        for hand, up in matchups:
            if not is_natural(hand) and (hand, up) not in self._second_moments:
                missing_ups_by_hand.setdefault(hand, []).append(up)
        if not missing_ups_by_hand:
            return
        self.play.prepare()
        moments = SecondMoments(self.play)
        for hand, ups in missing_ups_by_hand.items():
            fields = [self.ups.index(up) for up in ups]
            figures_by_action, choices = (
                self.figures(hand) if hand in self._figures_by_hand else self._figures_against(hand, fields)
            )
            bounds = moments.bounds(hand, choices, figures_by_action.get(Action.SPLIT), fields)
            self._second_moments |= {(hand, up): bound for up, bound in zip(ups, bounds, strict=True)}
        if set(self.ups) == set(INDEXES):
            game_cache.write_second_moments(self.key, self._second_moments)

    def free_memory(self) -> None:
        """Free the exact engine's tables; solved matchups stay."""
        self.__dict__.pop("play", None)
        self._figures_by_hand.clear()

    def matchups(self) -> Iterator[Matchup]:
        """Iterate over matchups that can occur without a certain dealer's blackjack."""
        for hand in self.first_hands():
            for up in self.ups:
                if self.counts[up] > hand[up] and self.dealer_blackjack(hand, up) < 1:
                    yield hand, up

    def _choice(self, hand: Hand, up: int) -> ActionValues:
        """Return the value of each action and the chosen action."""
        choice = self._choices.get((hand, up))
        if choice is None:
            choice = self._choices[hand, up] = self._choice_at(hand, self.figures(hand), self.ups.index(up))
        return choice

    def _choice_at(self, hand: Hand, figures: tuple[dict[Action, Figures], list[Action]], field: int) -> ActionValues:
        figures_by_action, choices = figures
        weight = self.play.standing.no_blackjack(hand)[field]
        values = {
            action: Fraction(figures_by_action[action][field] - weight, weight)
            for action in Action
            if action in figures_by_action
        }
        return ActionValues(values, choices[field])

    def first_hands(self) -> Iterator[Hand]:
        """Iterate over the first hands that the shoe can deal."""
        return (hand for hand in FIRST_HANDS if self.hand_probability(hand))

    def hand_probability(self, hand: Hand) -> Fraction:
        """Return the probability of a first hand.

        >>> BlackjackGame(Shoe(1)).hand_probability((2, 0, 0, 0, 0, 0, 0, 0, 0, 0))  # six pairs of aces of 1,326 hands
        Fraction(1, 221)
        """
        ways = prod(comb(count, copies) for count, copies in zip(self.counts, hand, strict=True))
        return Fraction(ways, comb(sum(self.counts), 2))

    def up_probability(self, hand: Hand, up: int) -> Fraction:
        """Return the probability of an up card given a first hand, whether or not the dealer has blackjack."""
        return Fraction(self.counts[up] - hand[up], sum(self.counts) - 2)

    def dealer_blackjack(self, hand: Hand, up: int) -> Fraction:
        """Return the probability of a dealer's blackjack, given a first hand and the up card."""
        if up not in BLACKJACK_PARTNER:
            return Fraction(0)
        partner = BLACKJACK_PARTNER[up]
        return Fraction(self.counts[partner] - hand[partner], sum(self.counts) - 3)

    def matchup_probability(self, hand: Hand, up: int) -> Fraction:
        """Return the probability of a matchup without a dealer's blackjack."""
        return self.hand_probability(hand) * self.up_probability(hand, up) * (1 - self.dealer_blackjack(hand, up))

    def hand(self, hand: Hand, up: int) -> HandValue:
        """Return the value of a first hand against an up card, given that the dealer has no blackjack."""
        for index, needed_count in enumerate(with_card(hand, up)):
            if needed_count > self.counts[index]:
                raise InputError(
                    f"{self.shoe} cannot deal {format_hand(hand)} against {NAMES[up]}: it has {self.counts[index]} of "
                    f"{NAMES[index]}"
                )
        blackjack_probability = self.dealer_blackjack(hand, up)
        if blackjack_probability == 1:
            raise InputError(
                f"with {self.shoe} the dealer always has blackjack against {format_hand(hand)} when showing {NAMES[up]}"
            )
        values: dict[Action, Fraction] = {}
        action = Action.STAND
        value = self.rules.blackjack_pays
        if not is_natural(hand):
            values, action = self._choice(hand, up)
            value = values[action]
        return HandValue(hand, up, self.matchup_probability(hand, up), blackjack_probability, values, action, value)

    def value(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Fraction:
        """Return the expected profit of a unit bet on a first hand; a blackjack pays `blackjack_pays` if given."""
        if blackjack_pays is not None and is_natural(hand):
            return blackjack_pays
        return self.hand(hand, up).value

    def action(self, hand: Hand, up: int) -> Action:
        """Return the first action on a hand; a blackjack stands."""
        return self.hand(hand, up).action

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Results:
        """Return the distribution of the profit of a unit bet on a first hand, or its moments for a split."""
        if is_natural(hand):
            return constant_result(self.value(hand, up, blackjack_pays))
        self.solve_second_moments([(hand, up)])
        hand_value, pair = self.hand(hand, up), pair_index(hand)
        max_hands = self.rules.max_split_hands(pair) if pair is not None else 1
        return hand_results(hand_value.action, hand_value.value, self._second_moments[hand, up], max_hands)

    def max_bets(self, hand: Hand, up: int) -> int:
        """Return the maximum number of bets on all hands of a split."""
        return max_split_bets(self, hand.index(2), up)

    def doubles(self, hand: Hand, up: int) -> bool:
        """Return whether two cards without an ace are doubled after a split, if they are not split again."""
        values = self.hand(hand, up).values
        distinct_values = sorted(set(values.values()))  # a strategy compares integers, so values are replaced by ranks
        remaining: list[Action] = [action for action in values if action not in (Action.SURRENDER, Action.SPLIT)]
        figures_by_action = {action: [distinct_values.index(values[action])] for action in remaining}
        strategy: Strategy = (
            BestStrategy() if self.strategy == "best" else ChartStrategy(self.shoe.decks, self.rules, (up,))
        )
        return strategy.choose(hand, figures_by_action) == [Action.DOUBLE]

    def values(self, blackjack_pays: Fraction | None = None) -> dict[tuple[Hand, int], Fraction]:
        """Return the expected profit of every matchup, as `value` does.

        Solving is slow; another call with another pay is fast.
        """
        return {
            (hand_value.hand, hand_value.up): self.value(hand_value.hand, hand_value.up, blackjack_pays)
            for hand_value in self.hands()
        }

    def hands(self) -> Iterator[HandValue]:
        """Iterate over the values of all matchups, after solving the game."""
        self.solve()
        return (self.hand(hand, up) for hand, up in self.matchups())

    def dealer_blackjack_loss(self) -> Fraction:
        """Return the probability that the dealer has blackjack and the player does not."""
        shoe_size = sum(self.counts)
        loss_probability = Fraction(0)
        for hand in self.first_hands():
            if not is_natural(hand):
                pairs = (self.counts[ACE] - hand[ACE]) * (self.counts[TEN] - hand[TEN])
                loss_probability += self.hand_probability(hand) * Fraction(pairs, comb(shoe_size - 2, 2))
        return loss_probability


FULL_DECK = 52


class HandSolver:
    """Solver for selected matchups of a game, with the fast engine where it applies."""

    def __init__(self, game: BlackjackGame) -> None:
        self._game = game

    @cached_property
    def _fast_choices(self) -> dict[Matchup, CachedChoice]:
        """Matchups solved by the fast engine, initially those in the cache."""
        return game_cache.read_fast_choices(self._game.key)

    @cached_property
    def _second_moments(self) -> dict[Matchup, Interval[Fraction]]:
        """Bounds of second moments, initially those in the cache."""
        return game_cache.read_second_moments(self._game.key)

    def solve(self, needs_second_moments: Mapping[Matchup, bool], progress: Progress | None = None) -> None:
        """Solve the given matchups, and the second moments of those marked `True` with a positive value."""
        requested = {
            matchup: needs_second_moment
            for matchup, needs_second_moment in needs_second_moments.items()
            if not is_natural(matchup[0])
        }
        if not can_use_fast_engine(self._game) or not self._solve_fast(requested, progress):
            self._game.solve(progress, requested)
            self._game.solve_second_moments(
                matchup
                for matchup, needs_second_moment in requested.items()
                if needs_second_moment and self._game.value(*matchup) > 0
            )
            self._game.free_memory()

    def _solve_fast(self, requested: Mapping[Matchup, bool], progress: Progress | None) -> bool:
        """Solve matchups with the fast engine; return whether every choice is clear."""
        missing_matchups = [matchup for matchup in requested if not self._is_cached(matchup, requested[matchup])]
        if not missing_matchups:
            return True
        from combinat.blackjack.fast import engine, strategy  # imports numpy, which cached games do not need

        choices, second_moments = dict(self._fast_choices), dict(self._second_moments)
        try:
            table = engine.FullDecks(self._game.counts, self._game.rules)
            for done, matchup in enumerate(missing_matchups):
                if progress is not None:
                    progress(done, len(missing_matchups))
                action, value = table.choice(*matchup)
                bets = table.max_bets(*matchup) if action is Action.SPLIT else 0
                choices[matchup] = CachedChoice(action, value, bets)
                if requested[matchup] and value > 0:
                    second_moments[matchup] = table.second_moment_bounds(*matchup, action)
        except strategy.CloseCallError:
            return False
        if progress is not None:
            progress(len(missing_matchups), len(missing_matchups))
        self._fast_choices.update(choices)
        self._second_moments.update(second_moments)
        game_cache.write_fast_choices(self._game.key, choices)
        game_cache.write_second_moments(self._game.key, second_moments)
        return True

    def _is_cached(self, matchup: Matchup, needs_second_moment: bool) -> bool:
        choice = self._fast_choices.get(matchup)
        return choice is not None and (not needs_second_moment or choice.value <= 0 or matchup in self._second_moments)

    def dealer_blackjack(self, hand: Hand, up: int) -> Fraction:
        """Return the probability of a dealer's blackjack, given a first hand and the up card."""
        return self._game.dealer_blackjack(hand, up)

    def value(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Fraction:
        """Return the expected profit of a unit bet on a first hand; a blackjack pays `blackjack_pays` if given."""
        choice = self._fast_choices.get((hand, up))
        return self._game.value(hand, up, blackjack_pays) if choice is None else choice.value

    def action(self, hand: Hand, up: int) -> Action:
        """Return the first action on a hand; a blackjack stands."""
        choice = self._fast_choices.get((hand, up))
        return self._game.action(hand, up) if choice is None else choice.action

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Results:
        """Return the distribution of the profit of a unit bet on a first hand, or its moments for a split."""
        choice, pair = self._fast_choices.get((hand, up)), pair_index(hand)
        if choice is None:
            return self._game.results(hand, up, blackjack_pays)
        max_hands = self._game.rules.max_split_hands(pair) if pair is not None else 1
        return hand_results(choice.action, choice.value, self._second_moments[hand, up], max_hands)

    def max_bets(self, hand: Hand, up: int) -> int:
        """Return the maximum number of bets on all hands of a split."""
        choice = self._fast_choices.get((hand, up))
        return self._game.max_bets(hand, up) if choice is None else choice.bets


def can_use_fast_engine(game: BlackjackGame) -> bool:
    """Return whether the fast engine applies: best strategy, and equally many cards of all values except tens.

    >>> from decks import Shoe, parse_card
    >>> [can_use_fast_engine(BlackjackGame(shoe)) for shoe in (Shoe(6), Shoe(6, removed=(parse_card("7h"),)))]
    [True, False]
    """
    is_full = len(set(game.counts[:TEN])) == 1 and sum(game.counts) >= FULL_DECK
    return is_full and game.strategy == "best" and set(game.ups) == set(INDEXES)


def house_edge(game: BlackjackGame, progress: Progress | None = None) -> Fraction:
    """Return the house edge per first bet, including rounds lost to a dealer's blackjack.

    Insurance is not taken. The game must have all ten up cards.
    """
    if set(game.ups) != set(INDEXES):
        raise ValueError("the house edge needs all ten up cards")
    matchups = list(game.matchups())
    hands: BlackjackGame | HandSolver = game
    if not game.is_solved:  # the edge only needs the chosen actions, which the fast engine can solve
        hands = HandSolver(game)
        hands.solve(dict.fromkeys(matchups, False), progress)
    mean_profit = sum((game.matchup_probability(*matchup) * hands.value(*matchup) for matchup in matchups), Fraction(0))
    return game.dealer_blackjack_loss() - mean_profit
