"""Cost against size: what a question costs with more awards, cards, decks, shoes or paytables, as measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, islice
from pathlib import Path

from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.batch import iter_house_edges
from combinat.bets.pay import Pay
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from decks import STANDARD, InputError, Shoe
from tests.bench.cards import forget, three_card_bet
from tests.bench.shoes import some_shoes
from tests.bench.timing import Row, interleaved, own, told

Measured = list[tuple[int, float]]
"""Sizes with the least seconds of some runs."""

RUNS = 3
LONG = 1_000_000
"""From this size on one run must do."""


def awards() -> Measured:
    """A ladder of so many sets of three ranks, counted and read off for eight deck counts."""
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
    """So many cards in one hand, as far as a deal goes, nothing remembered; a straight, a flush and a pair win."""

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
    """So many decks, read off one tally."""
    tally = three_card_bet().tally
    return _each((1, 2, 4, 8, 20, 50, 100, 300, 1000), lambda many: lambda: tally.at(many))


def shoes() -> Measured:
    """The exact edge of a three-card bet at so many shoes, what is made once for all of them included."""
    some = some_shoes(10_000)

    def ask(many: int) -> None:
        bet = three_card_bet()
        for start in range(0, many, len(some)):
            for _ in iter_house_edges(bet, some[: many - start]):
                pass

    return _each((1, 10, 100, 1000, 10_000, 100_000, 1_000_000), lambda many: lambda: ask(many))


def paytables() -> Measured:
    """The edge and variance of so many paytables of one bet, which differ in what they pay."""
    bet = three_card_bet()

    def ask(many: int) -> None:
        for number in range(many):
            paying = [replace(award, pay=Pay(award.pay.amount + number, "to 1")) for award in bet.awards]
            analysis = analyze_wager(replace(bet, awards=tuple(paying)), Shoe(6))
            assert analysis.house_edge.is_constant
            assert analysis.variance.is_constant

    return _each((1, 10, 100, 1000), lambda many: lambda: ask(many))


def _each(sizes: tuple[int, ...], work: Callable[[int], Callable[[], object]], everything: bool = False) -> Measured:
    """Measure some sizes in turn, with nothing counted before."""

    def seconds(size: int) -> float:
        forget(everything)
        return own(work(size))

    short = [size for size in sizes if size < LONG]
    taken = interleaved({str(size): lambda size=size: seconds(size) for size in short}, RUNS)  # type: ignore[misc]
    return [(size, taken[str(size)].least if size in short else seconds(size)) for size in sizes]


QUESTIONS: dict[str, Callable[[], Measured]] = {
    "awards": awards,
    "cards in a hand": cards,
    "decks": decks,
    "shoes": shoes,
    "paytables": paytables,
}


def rows(plot: Path | None = None) -> list[Row]:
    """Measure what every question costs, a line for each size, and draw it if a plot is wanted."""
    found = {name: measure() for name, measure in QUESTIONS.items()}
    if plot:
        draw(found, plot)
    return [Row(f"{name}: {size:,}", told(time)) for name, sizes in found.items() for size, time in sizes]


def draw(found: dict[str, Measured], path: Path) -> None:
    """Draw cost against size, both in powers of ten, one line for each question."""
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
