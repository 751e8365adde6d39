"""Variants of a game with other pays: parse a grid of pays, and search it for a target edge with best play recomputed.

The player's expected value is convex in the pays: it is the maximum over strategies of linear functions. The pay
effects of a solved game are the slopes of one of them, so they bound the edge of every variant from above: a variant
whose bound misses the target is not solved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from combinat.betting.game import Bet, BettingGame, PayLine
from combinat.betting.report import GameReport
from decks import InputError, did_you_mean
from decks.errors import quote

MAX_VARIANTS = 500


class PayGrid(Struct, frozen=True):
    """Pays to try for one line of a bet, on a win."""

    bet: str
    hand: str
    odds: tuple[Fraction, ...]


class PayVariant(Struct, frozen=True):
    """Pays of a variant and its edge by best play."""

    pays: tuple[str, ...]
    edge: Fraction
    mean_wager: Fraction


class SolvedGame(Struct, frozen=True):
    """A solved game, the games that it is compared with, and its variants with other pays."""

    report: GameReport
    compared: tuple[GameReport, ...] = ()
    variants: tuple[PayVariant, ...] | None = None


def parse_grid(text: str, game: BettingGame) -> PayGrid:
    """Parse the pays of one line, such as `blind/flush=1,3/2,2` or `blind/flush=1..3`."""
    name, _, values = text.partition("=")
    bet_name, _, hand = (part.strip() for part in name.partition("/"))
    names = [bet.name for bet in game.bets]
    if not values or not hand:
        raise InputError(f"pays must be written like 'blind/flush=1..3', got {quote(text)}")
    if bet_name not in names:
        raise InputError(f"no bet {quote(bet_name)}{did_you_mean(bet_name, names)}; the bets are {', '.join(names)}")
    hands = [line.hand for line in game.bets[names.index(bet_name)].pays[True, "win"]]
    if hand.lower() not in hands:
        raise InputError(
            f"bet {quote(bet_name)} has no line {quote(hand)}{did_you_mean(hand, hands)}; its lines are "
            f"{', '.join(hands)}"
        )
    return PayGrid(bet_name, hand.lower(), tuple(_parse_values(values, text)))


def _parse_values(values: str, text: str) -> list[Fraction]:
    """Return numbers such as `1,3/2,2`, or the whole numbers of a range such as `1..3`."""
    low, is_range, high = values.partition("..")
    try:
        if is_range:
            return [Fraction(number) for number in range(int(low), int(high) + 1)]
        return [Fraction(value.strip()) for value in values.split(",")]
    except (ValueError, ZeroDivisionError):
        raise InputError(f"pays must be numbers such as 1..3 or 1,3/2,2, got {quote(text)}") from None


def change_pay(game: BettingGame, bet_name: str, hand: str, odds: Fraction) -> BettingGame:
    """Return the game with another pay of a line on a win; where the line pays otherwise too, it changes by as much."""

    def change(bet: Bet) -> Bet:
        if bet.name != bet_name:
            return bet
        current = next(line.odds for line in bet.pays[True, "win"] if line.hand == hand)
        pays = {
            outcome: tuple(
                PayLine(line.hand, line.threshold, line.odds + odds - current) if line.hand == hand else line
                for line in lines
            )
            for outcome, lines in bet.pays.items()
            if outcome[1] == "win" or hand != "all other hands"
        }
        return replace(bet, pays={**bet.pays, **pays})

    return replace(game, bets=tuple(map(change, game.bets)))


def search_variants(
    game: BettingGame,
    report: GameReport,
    grids: Sequence[PayGrid],
    lowest_edge: Fraction | None,
    highest_edge: Fraction | None,
    solve: Callable[[BettingGame], GameReport],
) -> list[PayVariant]:
    """Return the variants of a grid of pays whose edge by best play is within the limits, lowest edge first."""
    choices = list(product(*(grid.odds for grid in grids)))
    if len(choices) > MAX_VARIANTS:
        raise InputError(f"{len(choices):,} variants; at most {MAX_VARIANTS} can be solved, so give fewer pays")
    variants = []
    for odds in choices:
        if lowest_edge is not None and _highest_edge(game, report, grids, odds) < lowest_edge:
            continue
        variant = game
        for grid, value in zip(grids, odds, strict=True):
            variant = change_pay(variant, grid.bet, grid.hand, value)
        solved = solve(variant)
        is_within = (lowest_edge is None or solved.edge >= lowest_edge) and (
            highest_edge is None or solved.edge <= highest_edge
        )
        if is_within:
            names = tuple(f"{grid.bet}/{grid.hand} {value}" for grid, value in zip(grids, odds, strict=True))
            variants.append(PayVariant(names, solved.edge, solved.mean_wager))
    return sorted(variants, key=lambda item: (item.edge, item.pays))


def _highest_edge(
    game: BettingGame, report: GameReport, grids: Sequence[PayGrid], odds: Sequence[Fraction]
) -> Fraction:
    """Return an upper bound of a variant's edge: that of the play which is best for the original pays."""
    edge = report.edge
    for grid, value in zip(grids, odds, strict=True):
        bet = next(bet for bet in game.bets if bet.name == grid.bet)
        current = next(line.odds for line in bet.pays[True, "win"] if line.hand == grid.hand)
        for effect in report.pay_effects:
            is_changed = effect.outcome == "win" or grid.hand != "all other hands"
            if effect.bet == grid.bet and effect.hand == grid.hand and is_changed:
                edge -= effect.weight * (value - current)
    return edge
