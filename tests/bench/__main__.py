"""Speed as ratios within one run: ours against references that do the same work on the same machine.

Each side is timed several times in turn and its fastest time counts, since other work on the machine only adds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from pathlib import Path

import icepool

from combinat.bets.load import load, parse
from combinat.enumeration.baccarat.coups import all_coups
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.fixed_deal import _rows_by_shape
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.rank_rows import rank_space
from combinat.enumeration.symmetry import suit_rows
from combinat.language.parser import parse_rule
from decks import STANDARD
from tests.bench import blackjack, sheets
from tests.slow.dealer import final_hands

HERE = Path(__file__).parent
TYPES = [(rank, suit) for rank in range(2, 15) for suit in range(4)]
DRAW = parse_deal("dealer:h17")
EXPECTED = [10_368, 26_312, 155_520, 292_896]


def ours() -> list[int]:
    """Load the bet's file and count it for all eight deck counts."""
    parse.cache_clear()  # a file that was read before would be known already
    tally = load(HERE / "three_card.toml")[0].tally
    counted = [list(tally.at(decks).wins) for decks in range(1, 9)]
    return counted[5]


def ours_four_cards_cold() -> None:
    """Load and count a four-card bet with nothing remembered from before."""
    rank_space.cache_clear()
    suit_rows.cache_clear()
    _rows_by_shape.cache_clear()
    parse.cache_clear()
    tally = load(HERE / "four_card.toml")[0].tally
    for decks in range(1, 9):
        tally.at(decks)


def baccarat() -> None:
    """Load a baccarat bet from its file and count it for one to eight decks."""
    parse.cache_clear()
    tally = load(HERE / "baccarat.toml")[0].tally
    for decks in range(1, 9):
        tally.at(decks)


def baccarat_cold() -> None:
    """Do the same with nothing remembered from before."""
    all_coups.cache_clear()
    suit_rows.cache_clear()
    baccarat()


def plain_loop() -> list[int]:
    """Go through the 24,804 multisets of card types with hand-written tests, for six decks."""
    counts = [0, 0, 0, 0, 0]
    for hand in combinations_with_replacement(TYPES, 3):
        (a, s), (b, t), (c, u) = hand
        suited = s == t == u
        straight = (b == a + 1 and c == b + 1) or (a == 2 and b == 3 and c == 14)
        award = 0 if straight and suited else 1 if a == b == c else 2 if straight else 3 if suited else 4
        if hand[0] != hand[1] != hand[2]:
            counts[award] += 216
        else:
            counts[award] += prod(comb(6, times) for times in Counter(hand).values())
    return counts[:4]


class ThreeCards(icepool.MultisetEvaluator):  # type: ignore[type-arg, misc]  # the library leaves its types open
    """The same classes for icepool, with a state as small as we could make it."""

    def next_state(self, state, _order, outcome, count):  # type: ignore[no-untyped-def]
        if not count:
            return state
        rank, suit = outcome
        if state is None:
            return rank, rank, suit, count == 1
        first, last, one_suit, runs = state
        follows = rank == last + 1 or (first == 2 and last == 3 and rank == 14)
        return first, rank, one_suit if suit == one_suit else None, runs and count == 1 and follows

    def final_outcome(self, state, _order, _outcomes, *_sizes):  # type: ignore[no-untyped-def]
        first, last, suit, runs = state
        return 0 if runs and suit is not None else 1 if first == last else 2 if runs else 3 if suit is not None else 4


def with_icepool() -> list[int]:
    """Deal three cards of six decks with icepool."""
    deck = icepool.Deck(dict.fromkeys(TYPES, 6))
    die = ThreeCards()(deck.deal(3))
    return [die.quantity("==", award) for award in range(4)]


def dealer_ours() -> dict[tuple[int, int], Fraction]:
    """Bust probabilities of all ten up cards for one to eight decks, from the table of finished hands."""
    tallies = DealerExperiment(DRAW, STANDARD, Ladder((parse_rule("bust", DRAW),))).tally_by_up_card()
    found = {}
    for (rank, *_), tally in tallies.items():
        for decks in range(1, 9):
            ways = tally.at(decks)
            found[decks, 1 if rank == 14 else rank] = Fraction(ways.wins[0], ways.cycle)
    return found


def dealer_twin() -> dict[tuple[int, int], Fraction]:
    """The same by recursion, card by card."""
    return {
        (decks, up): sum(chance for (hard, _), chance in final_hands(decks, up, True).items() if hard > 21)
        for decks in range(1, 9)
        for up in range(1, 11)
    }


def fastest(work: Callable[[], object], times: int) -> float:
    """Time the work and keep the fastest run."""
    runs = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        runs.append(time.perf_counter() - start)
    return min(runs)


def process(*command: str) -> Callable[[], object]:
    """Run a program to its end."""
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """Measure, print, and fail if a target is missed."""
    os.environ["COMBINAT_NO_CACHE"] = "1"  # nothing is kept from an earlier run
    assert ours() == plain_loop() == with_icepool() == EXPECTED
    script = str(Path(sysconfig.get_path("scripts")) / "combinat")
    typer, show = process(sys.executable, "-c", "import typer"), process(script, "show", "TRI-03", "--decks", "6")
    typer(), show()
    start_up = [(fastest(typer, 1), fastest(show, 1)) for _ in range(15)]
    rounds = [(fastest(ours, 30), fastest(plain_loop, 1), fastest(with_icepool, 1)) for _ in range(8)]
    mine, loop, pool = (min(times) for times in zip(*rounds, strict=True))
    four = fastest(ours_four_cards_cold, 3)
    coup_cold, coup = fastest(baccarat_cold, 3), fastest(baccarat, 10)
    assert dealer_ours() == dealer_twin()
    drawn, twin = fastest(dealer_ours, 5), fastest(dealer_twin, 1)
    show_ratio = min(b for _, b in start_up) / min(a for a, _ in start_up)
    rows = [
        ("load a bet and count it for 1-8 decks, warm", f"{mine * 1000:.2f} ms", "", True),
        ("  against a plain loop, one deck count", f"{loop / mine:.0f} times faster", "at least 10", loop / mine >= 10),
        ("  against icepool, one deck count", f"{pool / mine:.0f} times faster", "at least 20", pool / mine >= 20),
        ("load a baccarat bet and count it for 1-8 decks, warm", f"{coup * 1000:.0f} ms", "under 150 ms", coup < 0.15),
        ("  cold", f"{coup_cold * 1000:.0f} ms", "under 1500 ms", coup_cold < 1.5),
        ("load and count a four-card bet, cold", f"{four * 1000:.0f} ms", "under 1000 ms", four < 1),
        ("ten up cards of a dealer bet for 1-8 decks, warm", f"{drawn * 1000:.0f} ms", "under 100 ms", drawn < 0.1),
        ("  against the recursion card by card", f"{twin / drawn:.0f} times faster", "at least 20", twin / drawn >= 20),
        (
            "show TRI-03 --decks 6 over import typer",
            f"{show_ratio:.2f} times",
            "at most 1.8",
            show_ratio <= Fraction(9, 5),
        ),
        *sheets.rows(script),
        *blackjack.rows(script),
    ]
    for what, measured, target, met in rows:
        print(f"{what:<65}{measured:>30}  {target}{'' if met else '  MISSED'}")
    return 0 if all(met for *_, met in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
