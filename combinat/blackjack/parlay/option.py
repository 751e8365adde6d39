"""The parlay and press options: leave winnings on the blackjack hand instead of collecting them.

A parlay leaves the proceeds, win and wager, on the hand, where they double, split and pay like the main wager. A press
leaves the winnings only, which win even money also on a blackjack. The choice is made with the player's cards and the
up card exposed, after the dealer has checked for blackjack; if the dealer has one, the winnings are collected. Only a
wager that won gives the choice: after a push, a partial loss or a loss nothing can be left.

The stake follows the main hand, which is played for its own best value. Its expected gain is the stake times the hand's
value, linear in the stake. So the best choice is to leave everything if the value is positive, else nothing:

    gain = sum over matchups m and awards a of P(a, m, no dealer's blackjack) * stake(a) * max(value(m), 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.blackjack.certificate import format_certificate
from combinat.blackjack.charts import charts_payload
from combinat.blackjack.game import BlackjackGame, HandSolver
from combinat.blackjack.hands import NAMES, Hand, count_by_value, format_hand
from combinat.blackjack.infinite import InfiniteBlackjack
from combinat.blackjack.parlay.max_win import max_win
from combinat.blackjack.parlay.results import ResultBuilder, award_probabilities_by_matchup
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.enumeration.decision import LargestWin, Progress
from combinat.exact.distribution import BoundedDistribution
from decks import InputError, Shoe

if TYPE_CHECKING:
    from combinat.blackjack.parlay.by_composition import ParlayMatchup

PARLAY = "parlay"
BEST_IN_CLASS = (
    "Best play means the best strategy that looks at the hand's own cards and the up card only: hands after a split "
    "are played like the same cards that were not split."
)
TAKE, LEAVE = "take", "leave"
EVEN_MONEY = Fraction(1)
STAKE_NAMES = {PARLAY: "proceeds (win and wager)", "press": "winnings (not the wager)"}


class ParlayDecision(Struct, frozen=True):
    """A winning hand against an up card: the expected gain of a unit left on it, and the best choice."""

    hand: Hand
    up: int
    probability: Fraction
    """Probability of a winning hand of these values, this up card and no dealer's blackjack."""
    amount: Fraction
    """Expected stake that could be left in this matchup, in wagers: stake times probability."""
    value: Fraction
    """Expected gain of one unit left on the hand."""
    action: Action
    """First action on the hand."""

    @property
    def should_parlay(self) -> bool:
        """Whether leaving the money is better than collecting it."""
        return self.value > 0

    @property
    def gain(self) -> Fraction:
        """What the best choice in this matchup adds to the return of the bet."""
        return self.amount * self.value if self.should_parlay else Fraction(0)

    @property
    def known_cards(self) -> tuple[str, str]:
        """The player's hand and the up card, formatted."""
        return format_hand(self.hand), NAMES[self.up]

    @property
    def first_action(self) -> str:
        """The first action on the hand, formatted."""
        return str(self.action)

    @property
    def values(self) -> dict[str, Fraction]:
        """Expected gain of a unit collected, and of a unit left."""
        return {TAKE: Fraction(0), LEAVE: self.value}

    @property
    def best(self) -> str:
        """Whether to leave the money or to collect it."""
        return LEAVE if self.should_parlay else TAKE


class ParlayResult(Struct, frozen=True):
    """The solved option, under the rules of the table."""

    kind: str
    rules: BlackjackRules
    strategy: str
    decisions: tuple[ParlayDecision, ...]
    gain_per_unit: tuple[Fraction, ...]
    """For each award, what the best choices add to the return per unit that could be left if it won."""
    results: BoundedDistribution
    """Result of a unit wager with the best choices."""
    largest_win: LargestWin
    """The maximum win."""

    @property
    def gain(self) -> Fraction:
        """What the best choices add to the return of the bet."""
        return sum((decision.gain for decision in self.decisions), Fraction(0))

    @property
    def use_probability(self) -> Fraction:
        """Probability that winnings are left."""
        return sum((decision.probability for decision in self.decisions if decision.should_parlay), Fraction(0))

    def gain_with(self, award_index: int, gross: Fraction) -> Fraction:
        """Return what the best choices with this award add to the return if its gross were `gross`."""
        return self.gain_per_unit[award_index] * parlay_stake(self.kind, gross)

    @property
    def max_bets(self) -> Fraction:
        """Maximum number of stakes won or lost: all hands of a split, doubled, or the pay of a blackjack."""
        return max(Fraction(2 * self.rules.max_hands), self.rules.blackjack_pays)

    def expand_by_cards(self, analysis: Analysis) -> Sequence[ParlayMatchup]:
        """Expand stakes and gains by the cards of the round, with the choices of this result for every shoe."""
        from combinat.blackjack.parlay.by_composition import expand_parlay  # imports numpy, which others do not need

        actions = {
            (decision.hand, decision.up): decision.action for decision in self.decisions if decision.should_parlay
        }
        amounts = [parlay_stake(self.kind, line.gross.constant) for line in analysis.lines]
        pays = self.rules.blackjack_pays if self.kind == PARLAY else EVEN_MONEY
        return expand_parlay(BlackjackGame(analysis.shoe, self.rules, self.strategy), actions, analysis, amounts, pays)

    @property
    def includes_wager(self) -> bool:
        """Whether the wager rides together with its winnings."""
        return self.kind == PARLAY

    @property
    def stake_in_words(self) -> str:
        """What may be left on the hand, in words."""
        return STAKE_NAMES[self.kind]

    @property
    def data(self) -> dict[str, Any]:
        """What may be left, and the rules of the table, as JSON data."""
        table = {field: getattr(self.rules, field) for field in self.rules.__struct_fields__}
        pays = self.rules.blackjack_pays
        return {
            "parlayed": self.stake_in_words,
            "rules": str(self.rules),
            "table": table | {"blackjack_pays": int(pays) if pays.denominator == 1 else str(pays)},
            "strategy": self.strategy,
            "charts": charts_payload(self.rules) if self.strategy == "basic" else [],
        }

    def certificate(self, paytable_id: str, shoe: Shoe) -> bytes:
        """Return the file with the best action and the value of every unsplit hand; empty for play by a chart."""
        return format_certificate(paytable_id, shoe, self.rules) if self.strategy == "best" else b""

    @property
    def notes(self) -> tuple[str, ...]:
        """Rules of the option, and why leaving a part is never better."""
        hand = "played for its own best value" if self.strategy == "best" else "played by the printed chart"
        blackjack = "" if self.kind == PARLAY else " It wins even money also on a blackjack."
        return (
            f"The {self.stake_in_words} may be left on the blackjack hand after the dealer has checked and has no "
            f"blackjack; there they double and split with the main wager, which is {hand}.{blackjack} Only a wager "
            "that wins gives the choice; after a push or a loss there is none.",
            f"Blackjack: {self.rules}; the dealer peeks. Tens and faces are one value, so 10-10 stands for any two of "
            "them.",
            "The expected win of what is left is its amount times the expected value of the hand, linear in the "
            "amount: best play leaves all where the value is positive and nothing elsewhere; a part is never better.",
            *([BEST_IN_CLASS] if self.strategy == "best" else []),
        )


def parlay_stake(kind: str, gross: Fraction) -> Fraction:
    """Return the stake that may be left for a unit wager with this gross; 0 unless the wager won.

    >>> [str(parlay_stake("parlay", Fraction(gross, 2))) for gross in (0, 1, 2, 5)]  # loss, half lost, push, 3 to 2
    ['0', '0', '0', '5/2']
    >>> [str(parlay_stake("press", Fraction(gross, 2))) for gross in (0, 1, 2, 5)]
    ['0', '0', '0', '3/2']
    """
    if gross <= 1:
        return Fraction(0)
    return gross if kind == PARLAY else gross - 1


@lru_cache(maxsize=16)  # enough for all deck counts of a bet
def _cached_game(shoe: Shoe, rules: BlackjackRules, strategy: str, infinite: bool) -> HandSolver | InfiniteBlackjack:
    if infinite:
        return InfiniteBlackjack(count_by_value(shoe), rules, strategy)
    return HandSolver(BlackjackGame(shoe, rules, strategy))


class _ShoeByCounts:
    """A cache key: shoes are equal if they have the same number of decks and the same counts by value."""

    def __init__(self, shoe: Shoe) -> None:
        self.shoe = shoe
        self._key = count_by_value(shoe), shoe.decks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ShoeByCounts) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=16)
def _game_with_counts(shoe: _ShoeByCounts, rules: BlackjackRules, strategy: str) -> HandSolver:
    """Return the game for a shoe, shared by shoes with the same counts."""
    return HandSolver(BlackjackGame(shoe.shoe, rules, strategy))


def parlay_gain(
    analysis: Analysis,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
    progress: Progress | None = None,
) -> Fraction:
    """Return what the best choices add to the return of the bet; faster than `solve_parlay`."""
    rules = rules or BlackjackRules()
    stakes = _stakes_by_award(analysis)
    game = _game_with_counts(_ShoeByCounts(analysis.shoe), rules, strategy)
    pays = None if analysis.paytable.bet.option == PARLAY else EVEN_MONEY
    amounts = {
        matchup: sum(
            (probability * stakes[award_index] for award_index, probability in probability_by_award.items()),
            Fraction(0),
        )
        for matchup, probability_by_award in award_probabilities_by_matchup(analysis.paytable, analysis.shoe).items()
        if game.dealer_blackjack(*matchup) < 1
    }
    requested = {matchup: amount for matchup, amount in amounts.items() if amount}
    game.solve(dict.fromkeys(requested, False), progress)
    gains = (
        amount * (1 - game.dealer_blackjack(*matchup)) * max(game.value(*matchup, pays), Fraction(0))
        for matchup, amount in requested.items()
    )
    return sum(gains, Fraction(0))


def _stakes_by_award(analysis: Analysis) -> list[Fraction]:
    """Return the stake for each award, in wagers; raise an error without the option or with an open meter."""
    kind = analysis.paytable.bet.option
    if kind is None:
        raise ValueError(f"{analysis.paytable.id} has no parlay or press option")
    if analysis.open_meters:
        values = " ".join(f"--meter {name}=AMOUNT" for name in analysis.open_meters)
        raise InputError(f"{analysis.paytable.id}: the stake of a parlay depends on the meter; add {values}")
    return [parlay_stake(kind, line.gross.constant) for line in analysis.lines]


def solve_parlay(
    analysis: Analysis,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
    progress: Progress | None = None,
    *,
    infinite: bool = False,
) -> ParlayResult:
    """Solve the option: the value of every winning hand against every up card, and the best choice.

    With `infinite` cards are drawn with replacement, with the probabilities of the shoe.
    """
    rules = rules or BlackjackRules()
    stakes = _stakes_by_award(analysis)
    kind = str(analysis.paytable.bet.option)
    game = _cached_game(analysis.shoe, rules, strategy, infinite)
    nets = [line.net.constant for line in analysis.lines]
    pays = None if kind == PARLAY else EVEN_MONEY
    decisions: list[ParlayDecision] = []
    gain_per_unit = [Fraction(0)] * len(stakes)
    builder = ResultBuilder()
    # The largest win is at least the highest pay, collected.
    possible_awards = [award_index for award_index, line in enumerate(analysis.lines) if line.is_possible]
    top_award = max(possible_awards, key=lambda award_index: nets[award_index], default=0)
    largest = LargestWin(nets[top_award], top_award)
    awards_by_matchup = award_probabilities_by_matchup(analysis.paytable, analysis.shoe, infinite=infinite)
    if isinstance(game, HandSolver):
        possible_matchups = {
            matchup: probability_by_award
            for matchup, probability_by_award in awards_by_matchup.items()
            if game.dealer_blackjack(*matchup) < 1
        }
        game.solve(
            {
                matchup: any(map(stakes.__getitem__, probability_by_award))
                for matchup, probability_by_award in possible_matchups.items()
            },
            progress,
        )
    for (hand, up), probability_by_award in awards_by_matchup.items():
        no_blackjack = 1 - game.dealer_blackjack(hand, up)
        builder.add_collected(
            (nets[award_index], probability * (1 - no_blackjack))
            for award_index, probability in probability_by_award.items()
        )
        if not no_blackjack:
            continue
        value = game.value(hand, up, pays)
        for (
            award_index,
            probability,
        ) in probability_by_award.items():  # also awards without a stake: another pay would give them one
            gain_per_unit[award_index] += probability * no_blackjack * max(value, Fraction(0))
        winning_awards = {
            award_index: probability * no_blackjack
            for award_index, probability in probability_by_award.items()
            if stakes[award_index]
        }
        parlayed = winning_awards if value > 0 else {}
        builder.add_collected(
            (nets[award_index], probability * no_blackjack)
            for award_index, probability in probability_by_award.items()
            if award_index not in parlayed
        )
        if not winning_awards:
            continue
        if parlayed:
            results = game.results(hand, up, pays)
            builder.add_parlayed(
                (nets[award_index], stakes[award_index], results, probability)
                for award_index, probability in parlayed.items()
            )
        decision = ParlayDecision(
            hand=hand,
            up=up,
            probability=sum(winning_awards.values(), Fraction(0)),
            amount=sum(
                (probability * stakes[award_index] for award_index, probability in winning_awards.items()), Fraction(0)
            ),
            value=value,
            action=game.action(hand, up),
        )
        decisions.append(decision)
        max_unit_win = max_win(game, hand, up, pays) if parlayed else Fraction(0)
        for award_index in sorted(parlayed):
            net_win = nets[award_index] + stakes[award_index] * max_unit_win
            if net_win > largest.net:
                largest = LargestWin(net_win, award_index, decision.known_cards, decision.first_action)
    builder.add_collected([(Fraction(-1), analysis.lose_probability)])
    return ParlayResult(kind, rules, strategy, tuple(decisions), tuple(gain_per_unit), builder.results, largest)
