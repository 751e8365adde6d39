"""Dealer bets: every up card, and combined with the player's cards and suits."""

from __future__ import annotations

from fractions import Fraction

from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from decks import STANDARD
from tests.bench.cards import asking
from tests.bench.timing import Row, Times, cpu_seconds, measure_in_turn, measure_python, time_row
from tests.slow.dealer import final_hand_probabilities

DRAW = parse_deal("dealer:h17")
_SUITS = ("dealer.bust and dealer.suited", "player.suited and dealer.bust", "player.total == 20")
_DECKS = (1, 2, 4, 6, 8)


def up_cards() -> dict[tuple[int, int], Fraction]:
    """Compute the bust probabilities of all ten up cards for one to eight decks, from the table of finished hands."""
    tallies = DealerExperiment(DRAW, STANDARD, Ladder((parse_rule("bust", DRAW),))).counter.tally_by_up_card()
    found = {}
    for (rank, *_), tally in tallies.items():
        for decks in range(1, 9):
            ways = tally.at(decks)
            found[decks, 1 if rank == 14 else rank] = Fraction(ways.wins[0], ways.cycle)
    return found


def recursion() -> dict[tuple[int, int], Fraction]:
    """Compute the same card by card."""
    return {
        (decks, up): sum(chance for (hard, _), chance in final_hand_probabilities(decks, up, True).items() if hard > 21)
        for decks in range(1, 9)
        for up in range(1, 11)
    }


def rows() -> list[Row]:
    """Measure both."""
    assert up_cards() == recursion()
    times = measure_in_turn({"ours": lambda: cpu_seconds(up_cards), "recursion": lambda: cpu_seconds(recursion)}, 7)
    asked = asking("player:2, dealer:h17", _SUITS)
    programs = {
        "full": f"{asked}[trial.tally().at(n) for n in {_DECKS}]",
        "gone": f"{asked}gone = parse_cards('7h 7d Ks 2c As 9s')\n"
        f"[trial.count((STANDARD.composition * n).remove(gone)) for n in {_DECKS}]",
    }
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for _ in range(5):
        for name, code in programs.items():
            runs[name].append(measure_python(code))
    full, gone = (Times(tuple(seconds for seconds, _ in runs[name])) for name in programs)
    memory = max(megabytes for some in runs.values() for _, megabytes in some)
    return [
        time_row("ten up cards of a dealer bet for 1-8 decks", times["ours"], under=0.02),
        time_row("  the recursion, card by card", times["recursion"], ours=times["ours"]),
        time_row("player:2, dealer:h17 with suits, five deck counts, a process", full, under=1),
        time_row("  with six cards removed", gone, under=5),
        Row("  peak memory", f"{memory:.0f} MB", goal="under 150 MB", met=memory < 150),
    ]
