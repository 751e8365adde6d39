"""Cost against size: more awards, cards, decks, shoes or paytables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, islice
from pathlib import Path

from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.batch import iter_house_edges
from combinat.bets.pay import fixed_pay
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from decks import STANDARD, InputError, Shoe
from tests.bench.cards import clear_caches, three_card_bet
from tests.bench.shoes import random_shoes
from tests.bench.timing import Row, cpu_seconds, format_time, measure_in_turn

Measured = list[tuple[int, float]]
"""Sizes with the minimum seconds of some runs."""

RUNS = 3
LONG = 1_000_000
"""Larger sizes are run once."""


def awards() -> Measured:
    """Count a ladder of this many sets of three ranks, evaluated at eight deck counts."""
    deal = parse_deal("player:3")
    ranks = [*map(str, range(2, 11)), *"JQKA"]

    def count(many: int) -> None:
        texts = ("-".join(three) for three in islice(combinations_with_replacement(ranks, 3), many))
        rules = Ladder(tuple(parse_rule(text, deal) for text in texts))
        tally = experiment(deal, STANDARD, rules, False).tally()
        for decks in range(1, 9):
            tally.at(decks)

    return _each((5, 10, 20, 50, 100, 200), lambda many: lambda: count(many))


def cards() -> Measured:
    """Count hands of this many cards without cached results; a straight, a flush and a pair win."""

    def count(many: int) -> None:
        deal = parse_deal(f"player:{many}")
        rules = Ladder(tuple(parse_rule(text, deal) for text in ("straight", "suited", "pair")))
        experiment(deal, STANDARD, rules, False).tally().at(6)

    return _each(tuple(_dealt()), lambda many: lambda: count(many), everything=True)


def _dealt() -> Iterator[int]:
    for many in range(2, 8):
        try:
            parse_deal(f"player:{many}")
        except InputError:
            return
        yield many


def decks() -> Measured:
    """Evaluate one tally at this many decks."""
    tally = three_card_bet().tally
    return _each((1, 2, 4, 8, 20, 50, 100, 300, 1000), lambda many: lambda: tally.at(many))


def shoes() -> Measured:
    """Compute the exact edge of a three-card bet at this many shoes, including setup."""
    some = random_shoes(10_000)

    def ask(many: int) -> None:
        bet = three_card_bet()
        for start in range(0, many, len(some)):
            for _ in iter_house_edges(bet, some[: many - start]):
                pass

    return _each((1, 10, 100, 1000, 10_000, 100_000, 1_000_000), lambda many: lambda: ask(many))


def paytables() -> Measured:
    """Compute edge and variance of this many paytables of one bet, which differ in pays."""
    bet = three_card_bet()

    def ask(many: int) -> None:
        for number in range(many):
            paying = [replace(award, pay=fixed_pay(award.pay.amount + number, "to 1")) for award in bet.awards]
            analysis = analyze_wager(replace(bet, awards=tuple(paying)), Shoe(6))
            assert analysis.house_edge.is_constant
            assert analysis.variance.is_constant

    return _each((1, 10, 100, 1000), lambda many: lambda: ask(many))


def _each(sizes: tuple[int, ...], work: Callable[[int], Callable[[], object]], everything: bool = False) -> Measured:
    """Measure some sizes in turn, without cached results."""

    def seconds(size: int) -> float:
        clear_caches(everything)
        return cpu_seconds(work(size))

    short = [size for size in sizes if size < LONG]
    times = measure_in_turn({str(size): lambda size=size: seconds(size) for size in short}, RUNS)  # type: ignore[misc]
    return [(size, times[str(size)].least if size in short else seconds(size)) for size in sizes]


QUESTIONS: dict[str, Callable[[], Measured]] = {
    "awards": awards,
    "cards in a hand": cards,
    "decks": decks,
    "shoes": shoes,
    "paytables": paytables,
}


def rows(plot: Path | None = None) -> list[Row]:
    """Measure the cost of every question and size, and draw a plot if a file is named."""
    found = {name: measure() for name, measure in QUESTIONS.items()}
    if plot:
        draw(found, plot)
    return [Row(f"{name}: {size:,}", format_time(time)) for name, sizes in found.items() for size, time in sizes]


def draw(found: dict[str, Measured], path: Path) -> None:
    """Draw cost against size on logarithmic axes, one line for each question."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with plt.rc_context({"svg.hashsalt": "combinat", "svg.fonttype": "none"}):
        figure, axes = plt.subplots(figsize=(7.5, 4.5))
        for name, measured in found.items():
            axes.plot(*zip(*measured, strict=True), marker="o", markersize=3.5, linewidth=1.2, label=name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("how many")
        axes.set_ylabel("seconds of processor time")
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.legend(frameon=False)
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)
