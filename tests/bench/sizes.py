"""Cost against size: what a question costs with more awards, cards, decks, shoes or paytables, as measured.

`python -m tests.bench.sizes docs/performance.svg` draws what it measures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, islice
from pathlib import Path

from msgspec.structs import replace

from combinat.analysis.analysis import analyze
from combinat.analysis.many import house_edges
from combinat.bets.pay import Pay
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.fixed.fixed_deal import _rows_by_shape
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.rank_rows import rank_space
from combinat.enumeration.symmetry import suit_rows
from combinat.language.parser import parse_rule
from decks import STANDARD, InputError, Shoe
from tests.bench.engine import shoes, three_card_bet
from tests.bench.timing import Row, interleaved, own, told

Measured = list[tuple[int, float]]
"""Sizes with the least seconds of some runs."""

MOST_SHOES = 100_000
"""A million take half a minute; `--all` measures them too."""
RUNS = 3


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

    return _each((5, 10, 20, 50, 100, 200), lambda many: lambda: _anew(lambda: count(many)))


def cards() -> Measured:
    """So many cards in one hand, as far as a deal goes, nothing remembered; a straight, a flush and a pair win."""
    return _each(tuple(_dealt()), lambda many: lambda: _anew(lambda: _hand(many)))


def _dealt() -> Iterator[int]:
    for many in range(2, 8):
        try:
            parse_deal(f"player:{many}")
        except InputError:
            return
        yield many


def _hand(many: int) -> None:
    for known in (rank_space, suit_rows, _rows_by_shape):
        known.cache_clear()
    deal = parse_deal(f"player:{many}")
    rules = Ladder(tuple(parse_rule(text, deal) for text in ("straight", "suited", "pair")))
    experiment(deal, STANDARD, rules, False).tally().at(6)


def decks() -> Measured:
    """So many decks, read off one tally."""
    tally = three_card_bet().tally
    return _each((1, 2, 4, 8, 20, 50, 100, 300, 1000), lambda many: lambda: tally.at(many))


def many_shoes(most: int = MOST_SHOES) -> Measured:
    """The exact edge of a three-card bet at so many shoes, what is made once for all of them included."""
    sizes = [size for size in (1, 10, 100, 1000, 10_000, 100_000, 1_000_000) if size <= most]
    some = shoes(min(most, 10_000))

    def ask(many: int) -> None:
        for start in range(0, many, len(some)):
            for _ in house_edges(three_card_bet(), some[: many - start]):
                pass

    return _each(tuple(sizes), lambda many: lambda: _anew(lambda: ask(many)))


def paytables() -> Measured:
    """The edge and variance of so many paytables of one bet, which differ in what they pay."""
    bet = three_card_bet()

    def ask(many: int) -> None:
        for number in range(many):
            paying = [replace(award, pay=Pay(award.pay.amount + number, "to 1")) for award in bet.awards]
            analysis = analyze(replace(bet, awards=tuple(paying)), Shoe(6))
            assert analysis.house_edge.is_constant
            assert analysis.variance.is_constant

    return _each((1, 10, 100, 1000), lambda many: lambda: _anew(lambda: ask(many)))


def _anew(work: Callable[[], object]) -> None:
    """Do some work with no count remembered."""
    from combinat.enumeration.experiment import _made

    _made.cache_clear()
    work()


def _each(sizes: tuple[int, ...], work: Callable[[int], Callable[[], object]]) -> Measured:
    taken = interleaved({str(size): lambda size=size: own(work(size)) for size in sizes}, RUNS)  # type: ignore[misc]
    return [(size, taken[str(size)].least) for size in sizes]


QUESTIONS: dict[str, Callable[[], Measured]] = {
    "awards": awards,
    "cards in a hand": cards,
    "decks": decks,
    "shoes": many_shoes,
    "paytables": paytables,
}


def rows() -> tuple[list[Row], dict[str, Measured]]:
    """Measure every question: a row for each, and the figures themselves."""
    found = {name: measure() for name, measure in QUESTIONS.items()}
    return [
        Row(f"{name}: {', '.join(f'{size:,}' for size, _ in measured)}", ", ".join(told(time) for _, time in measured))
        for name, measured in found.items()
    ], found


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


if __name__ == "__main__":
    if "--all" in sys.argv:
        QUESTIONS["shoes"] = lambda: many_shoes(1_000_000)
    printed, figures = rows()
    for row in printed:
        print(f"{row.what:<60} {row.measured}")
    for target in sys.argv[1:]:
        if target != "--all":
            draw(figures, Path(target))
