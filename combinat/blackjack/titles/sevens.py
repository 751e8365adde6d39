"""Blazing 7's on the player's own cards: how often its awards come when a title is played.

An award for three 7s needs a third card: the first hit card, or the third card dealt after a split. Whether it comes
depends on how two 7s are played, on the dealer's blackjack, and on exchanges. The suits of three 7s do not depend on
anything else, so each award for three 7s keeps its share of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, perm
from operator import add
from typing import NamedTuple

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.paytable import Paytable
from combinat.blackjack.hands import EMPTY, Hand, with_card
from combinat.blackjack.titles.figures import EXCHANGED_SEVENS, SevensRow
from combinat.blackjack.titles.game import TitleGame
from combinat.blackjack.titles.play import DOUBLE, HIT, SPLIT, ZAP
from combinat.blackjack.titles.presets import Title
from combinat.blackjack.titles.rules import HoleCard, TitleRules
from combinat.blackjack.titles.solver import ShoeSolver
from combinat.enumeration.tally import AwardCounts
from combinat.meters.hold import meter_figures
from decks import InputError, Shoe

SEVEN = 6
"""Index of sevens in a hand."""
PAIR = with_card(EMPTY, SEVEN, 2)
THREE, TWO, ONE = "Three 7s", "First two cards 7", "Either of the first two cards 7"


class SevensProbabilities(NamedTuple):
    """Probabilities of three 7s with a third card, of two 7s otherwise, and of exactly one 7."""

    three: Fraction
    two: Fraction
    one: Fraction


def sevens_probabilities(game: TitleGame, exchanged_sevens: str = EXCHANGED_SEVENS[0]) -> SevensProbabilities:
    """Return how often sevens come; `exchanged_sevens` says which two cards count after an exchange.

    >>> from combinat.blackjack.titles.rules import TitleRules
    >>> probabilities = sevens_probabilities(TitleGame(Shoe(1), TitleRules(max_hands=1), "mimic"))
    >>> str(probabilities.one), str(probabilities.two + probabilities.three)
    ('32/221', '1/221')
    """
    rules = game.rules
    counts_new = exchanged_sevens == "new cards" and bool(game.zapped_solvers)
    two_cards = {hand: _two_card_probability(game.counts, hand) for hand in game.solver.hands}
    three_sevens = two_sevens = single_seven = Fraction(0)
    for hand, probability in two_cards.items():
        if not hand[SEVEN] and not (counts_new and rules.can_zap(hand)):
            continue
        for view in range(len(rules.views)):
            action = game.first_action(hand, view)
            if action is None:
                continue
            seen, natural = game.dealer_cards(hand, view)
            new = probability * (seen if rules.zap_before_peek else seen - natural)
            if not (counts_new and action == ZAP):
                new = Fraction(0)
            kept = probability * seen - new
            if hand == PAIR:
                drawn = Fraction(0)
                if action in (HIT, DOUBLE, SPLIT):
                    drawn = _third_seven(game, hand, EMPTY, view)
                three_sevens += drawn
                two_sevens += kept - drawn
            elif hand[SEVEN]:
                single_seven += kept
            if new:
                probabilities = _after_exchange(game, game.zapped_solvers[hand], hand, view)
                three_sevens, two_sevens, single_seven = map(
                    add, (three_sevens, two_sevens, single_seven), (probability * part for part in probabilities)
                )
    return SevensProbabilities(three_sevens, two_sevens, single_seven)


def _two_card_probability(counts: Hand, hand: Hand) -> Fraction:
    ways = Fraction(1)
    for count, copies in zip(counts, hand, strict=True):
        ways *= perm(count, copies)
    return ways * (1 if 2 in hand else 2) / perm(sum(counts), 2)


def _ends_round(game: TitleGame) -> bool:
    """Return whether a dealer's blackjack ends the round before a third card."""
    return game.rules.hole_card in (HoleCard.PEEK, HoleCard.EXPOSED)


def _third_seven(game: TitleGame, hand: Hand, exchanged: Hand, view: int) -> Fraction:
    """Return the joint probability of two 7s, the view, a third card and that it is a 7, after exchanged cards."""
    rest = tuple(count - copies for count, copies in zip(game.counts, exchanged, strict=True))
    three_sevens = Fraction(perm(rest[SEVEN], 3), perm(sum(rest), 3))
    removed = tuple(map(add, exchanged, with_card(hand, SEVEN)))
    seen, natural = game.dealer_cards(removed, view)
    return three_sevens * (seen - natural if _ends_round(game) else seen)


def _after_exchange(game: TitleGame, solver: ShoeSolver, exchanged: Hand, view: int) -> tuple[Fraction, ...]:
    """Return the joint probabilities with the view of three, two and one 7 after an exchange."""
    before_peek = game.rules.zap_before_peek
    three_sevens = two_sevens = single_seven = Fraction(0)
    for hand in solver.hands:
        if not hand[SEVEN]:
            continue
        seen, natural = game.dealer_cards(tuple(map(add, exchanged, hand)), view)
        probability = _two_card_probability(solver.counts, hand) * (seen if before_peek else seen - natural)
        if hand != PAIR:
            single_seven += probability
            continue
        drawn = Fraction(0)
        if seen and solver.choose_first(hand, view) in (HIT, DOUBLE, SPLIT):
            drawn = _third_seven(game, hand, exchanged, view)
        three_sevens += drawn
        two_sevens += probability - drawn
    return three_sevens, two_sevens, single_seven


def analyze_sevens(paytable: Paytable, shoe: Shoe, probabilities: SevensProbabilities) -> Analysis:
    """Return the figures of a bet on the player's own 7s that come with these probabilities."""
    always = analyze_wager(paytable, shoe)
    names = [line.award.name for line in always.lines]
    if [name for name in names if not name.startswith(THREE)] != [TWO, ONE]:
        raise InputError(f"{paytable.id} is not a bet on the player's own 7s; write for example BLZ-1-PC")
    shares = {line.award.name: line.probability for line in always.lines if line.award.name.startswith(THREE)}
    whole = sum(shares.values(), Fraction(0))
    of_name = {TWO: probabilities.two, ONE: probabilities.one}
    exact = [of_name[name] if name in of_name else probabilities.three * shares[name] / whole for name in names]
    cycle = lcm(*(probability.denominator for probability in exact))
    ways = tuple(int(probability * cycle) for probability in exact)
    return Analysis(paytable, shoe, AwardCounts(cycle, ways, ways, cycle - sum(ways)), always.meters)


def compare_titles(
    paytable: Paytable, titles: Sequence[Title], decks: int | None = None, exchanged_sevens: str = EXCHANGED_SEVENS[0]
) -> tuple[SevensRow, ...]:
    """Return the figures of a bet on the player's own 7s for each title; equal games are solved once."""
    solved: dict[tuple[TitleRules, Shoe], SevensProbabilities] = {}
    rows = []
    for title in titles:
        key = (title.rules, title.shoe(decks))
        if key not in solved:
            solved[key] = sevens_probabilities(TitleGame(key[1], title.rules), exchanged_sevens)
        rows.append(_sevens_row(paytable, title, key[1], solved[key]))
    return tuple(rows)


def _sevens_row(paytable: Paytable, title: Title, shoe: Shoe, probabilities: SevensProbabilities) -> SevensRow:
    meters = meter_figures(analyze_sevens(paytable, shoe, probabilities))
    if meters is None:
        raise InputError(f"{paytable.id} has no terms of its meters, so its hold is unknown")
    break_even = ((level.level.name, meters.break_even(level.level.name, meters.at_seed)) for level in meters.levels)
    return SevensRow(title, shoe, meters.hold, sum(probabilities, Fraction(0)), *probabilities, tuple(break_even))
