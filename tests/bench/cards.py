"""Counting one bet: all deck counts at once, five dealt cards, and baccarat."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from combinat.bets.load import load_bet, parse_bet
from combinat.bets.paytable import Paytable
from combinat.enumeration import experiment as registry
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from decks import STANDARD
from tests.bench.references import SIX_DECKS, InC, plain_loop, with_icepool
from tests.bench.timing import Row, cpu_seconds, measure_in_turn, measure_python, time_row

HERE = Path(__file__).parent
FIVE = ("straight flush", "four of a kind", "flush", "straight", "three of a kind", "two pair", "pair")


def asking(deal: str, rules: tuple[str, ...]) -> str:
    """Return a program that builds the experiment of some rules, as a command would."""
    return (
        "from combinat.enumeration.experiment import experiment, parse_deal\n"
        "from combinat.enumeration.ladder import Ladder\n"
        "from combinat.language.parser import parse_rule\n"
        "from decks import STANDARD, parse_cards\n"
        f"deal = parse_deal({deal!r})\n"
        f"rules = tuple(parse_rule(text, deal) for text in {rules!r})\n"
        "trial = experiment(deal, STANDARD, Ladder(rules), any(rule.roles for rule in rules))\n"
    )


def clear_caches(everything: bool = False) -> None:
    """Clear cached bets and counts; with `everything`, also what all bets share."""
    parse_bet.cache_clear()
    registry._build_cached.cache_clear()
    for name, module in list(sys.modules.items()) if everything else ():
        if name.startswith("combinat.enumeration"):
            for known in vars(module).values():
                if hasattr(known, "cache_clear"):
                    known.cache_clear()


def count_bet(name: str) -> list[int]:
    """Load a bet's file and count it for one to eight decks; return the ways of the awards at six."""
    tally = load_bet(HERE / name)[0].tally
    return [list(tally.at(decks).wins) for decks in range(1, 9)][5]


def three_card_bet() -> Paytable:
    """Load the bet's file without cached results."""
    parse_bet.cache_clear()
    return load_bet(HERE / "three_card.toml")[0]


def ours() -> list[int]:
    """Load and count the three-card bet without cached results."""
    clear_caches()
    return count_bet("three_card.toml")


def _cold(name: str) -> None:
    clear_caches(everything=True)
    count_bet(name)


def one_bet(c: InC | None) -> list[Row]:
    """Measure one bet for eight deck counts beside one deck count of the others."""
    assert ours() == plain_loop() == with_icepool() == SIX_DECKS
    works: dict[str, Callable[[], float]] = {
        "ours": lambda: cpu_seconds(lambda: [ours() for _ in range(20)]) / 20,
        "loop": lambda: cpu_seconds(plain_loop),
        "icepool": lambda: cpu_seconds(with_icepool),
        "four": lambda: cpu_seconds(lambda: _cold("four_card.toml")),
    }
    if c:
        six = [[6] * 52]
        assert c.three_cards(six) == [SIX_DECKS]
        works["c"] = lambda: cpu_seconds(lambda: [c.three_cards(six) for _ in range(50)]) / 50
    times = measure_in_turn(works, 9)
    mine = times["ours"]
    rows = [
        time_row("load a three-card bet and count it for 1-8 decks", mine),
        time_row("  icepool, one deck count", times["icepool"], ours=mine),
        time_row("  a plain loop over card types, one deck count", times["loop"], ours=mine),
    ]
    if c:
        rows.append(time_row("  C over card types, one deck count, nothing loaded", times["c"], ours=mine))
    return [*rows, time_row("load a four-card bet and count it for 1-8 decks, cold", times["four"], under=1)]


def five_cards(c: InC | None) -> list[Row]:
    """Measure five cards in a new process, as a command would."""
    ask = asking("player:5", FIVE)
    gone = f"{ask}trial.count((STANDARD.composition * 6).remove(parse_cards('7h 7d Ks 2c As')))"
    works = {"full": lambda: measure_python(f"{ask}trial.tally().at(6)")[0], "gone": lambda: measure_python(gone)[0]}
    if c:
        deal = parse_deal("player:5")
        rules = Ladder(tuple(parse_rule(text, deal) for text in FIVE))
        assert c.five_cards([6] * 52)[:-1] == list(experiment(deal, STANDARD, rules, False).tally().at(6).wins)
        works["c"] = lambda: cpu_seconds(lambda: c.five_cards([6] * 52))
    times = measure_in_turn(works, 5)
    rows = [
        time_row("five dealt cards, seven awards, a process", times["full"], under=0.8),
        time_row("  with five cards removed", times["gone"], under=0.6),
    ]
    if c:
        rows.append(time_row("  C over 3,819,816 card types, the loop alone", times["c"], ours=times["full"]))
    return rows


def baccarat() -> list[Row]:
    """Measure a baccarat bet from its file, with and without cached coups."""

    def warm() -> None:
        clear_caches()
        count_bet("baccarat.toml")

    warm()
    times = measure_in_turn(
        {"cold": lambda: cpu_seconds(lambda: _cold("baccarat.toml")), "warm": lambda: cpu_seconds(warm)}, 7
    )
    return [
        time_row("load a baccarat bet and count it for 1-8 decks, warm", times["warm"], under=0.15),
        time_row("  cold", times["cold"], under=1.5),
    ]
