"""Poker hands of seven cards, in a new process, as a command would count them."""

from __future__ import annotations

from tests.bench.cards import asking
from tests.bench.timing import Row, Times, measure_in_turn, measure_python, time_row

SEVEN = tuple(
    f"best five.{hand}"
    for hand in (
        "royal flush",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
    )
)
MOST_MEGABYTES = 300


def rows() -> list[Row]:
    """Measure the best five of seven cards from one deck and with removed cards, and seven cards with a joker."""
    ask = asking("player:2, board:5", SEVEN)
    joker = (
        "from combinat.bets.catalog import get_paytable\n"
        "from decks import Shoe\n"
        "fortune = get_paytable('PKR-FORTUNE-1')\n"
        "fortune.ways(Shoe(1, fortune.bet.pack))"
    )
    works = {
        "full": f"{ask}trial.tally().at(1)",
        "gone": f"{ask}trial.count((STANDARD.composition * 6).remove(parse_cards('7h 7d Ks 2c As')))",
        "joker": joker,
    }
    memory: dict[str, float] = {}

    def measure(name: str) -> float:
        seconds, megabytes = measure_python(works[name])
        memory[name] = max(megabytes, memory.get(name, 0))
        return seconds

    times: dict[str, Times] = measure_in_turn({name: lambda name=name: measure(name) for name in works}, 3)  # type: ignore[misc]
    most = max(memory.values())
    return [
        time_row("the best five of seven cards, one deck, a process", times["full"], under=3),
        time_row("  with five cards of six decks removed", times["gone"], under=3),
        time_row("  eleven awards of seven cards with a joker, suits named", times["joker"], under=10),
        Row("  peak memory", f"{most:.0f} MB", goal=f"under {MOST_MEGABYTES} MB", met=most < MOST_MEGABYTES),
    ]
