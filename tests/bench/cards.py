"""Counting one bet: for all deck counts at once, five dealt cards, and a coup of baccarat."""

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
from tests.bench.timing import Row, interleaved, of_python, own, timed

HERE = Path(__file__).parent
FIVE = ("straight flush", "four of a kind", "flush", "straight", "three of a kind", "two pair", "pair")


def asking(deal: str, rules: tuple[str, ...]) -> str:
    """Write a program that makes the experiment of some rules, as a command would."""
    return (
        "from combinat.enumeration.experiment import experiment, parse_deal\n"
        "from combinat.enumeration.ladder import Ladder\n"
        "from combinat.language.parser import parse_rule\n"
        "from decks import STANDARD, parse_cards\n"
        f"deal = parse_deal({deal!r})\n"
        f"rules = tuple(parse_rule(text, deal) for text in {rules!r})\n"
        "trial = experiment(deal, STANDARD, Ladder(rules), any(rule.roles for rule in rules))\n"
    )


def forget(everything: bool = False) -> None:
    """Let go of bets and counts that were made; of what all bets share too, if everything is to go."""
    parse_bet.cache_clear()
    registry._build_cached.cache_clear()
    for name, module in list(sys.modules.items()) if everything else ():
        if name.startswith("combinat.enumeration"):
            for known in vars(module).values():
                if hasattr(known, "cache_clear"):
                    known.cache_clear()


def counted(name: str) -> list[int]:
    """Load a bet's file and count it for one to eight decks; give the ways of the awards at six."""
    tally = load_bet(HERE / name)[0].tally
    return [list(tally.at(decks).wins) for decks in range(1, 9)][5]


def three_card_bet() -> Paytable:
    """Load the bet's file, with nothing remembered of it."""
    parse_bet.cache_clear()
    return load_bet(HERE / "three_card.toml")[0]


def ours() -> list[int]:
    """Load the three-card bet and count it, as if for the first time."""
    forget()
    return counted("three_card.toml")


def _cold(name: str) -> None:
    forget(everything=True)
    counted(name)


def one_bet(c: InC | None) -> list[Row]:
    """One bet for eight deck counts, against one deck count of the others."""
    assert ours() == plain_loop() == with_icepool() == SIX_DECKS
    works: dict[str, Callable[[], float]] = {
        "ours": lambda: own(lambda: [ours() for _ in range(20)]) / 20,
        "loop": lambda: own(plain_loop),
        "icepool": lambda: own(with_icepool),
        "four": lambda: own(lambda: _cold("four_card.toml")),
    }
    if c:
        six = [[6] * 52]
        assert c.three_cards(six) == [SIX_DECKS]
        works["c"] = lambda: own(lambda: [c.three_cards(six) for _ in range(50)]) / 50
    taken = interleaved(works, 9)
    mine = taken["ours"]
    rows = [
        timed("load a three-card bet and count it for 1-8 decks", mine),
        timed("  icepool, one deck count", taken["icepool"], ours=mine),
        timed("  a plain loop over card types, one deck count", taken["loop"], ours=mine),
    ]
    if c:
        rows.append(timed("  C over card types, one deck count, nothing loaded", taken["c"], ours=mine))
    return [*rows, timed("load a four-card bet and count it for 1-8 decks, cold", taken["four"], under=1)]


def five_cards(c: InC | None) -> list[Row]:
    """Five cards in a process of its own, as a command would ask."""
    ask = asking("player:5", FIVE)
    gone = f"{ask}trial.count((STANDARD.composition * 6).remove(parse_cards('7h 7d Ks 2c As')))"
    works = {"full": lambda: of_python(f"{ask}trial.tally().at(6)")[0], "gone": lambda: of_python(gone)[0]}
    if c:
        deal = parse_deal("player:5")
        rules = Ladder(tuple(parse_rule(text, deal) for text in FIVE))
        assert c.five_cards([6] * 52)[:-1] == list(experiment(deal, STANDARD, rules, False).tally().at(6).wins)
        works["c"] = lambda: own(lambda: c.five_cards([6] * 52))
    taken = interleaved(works, 5)
    rows = [
        timed("five dealt cards, seven awards, a process", taken["full"], under=0.8),
        timed("  with five cards gone", taken["gone"], under=0.6),
    ]
    if c:
        rows.append(timed("  C over 3,819,816 card types, the loop alone", taken["c"], ours=taken["full"]))
    return rows


def baccarat() -> list[Row]:
    """A baccarat bet from its file, with the coups known from before and without them."""

    def warm() -> None:
        forget()
        counted("baccarat.toml")

    warm()
    taken = interleaved({"cold": lambda: own(lambda: _cold("baccarat.toml")), "warm": lambda: own(warm)}, 7)
    return [
        timed("load a baccarat bet and count it for 1-8 decks, warm", taken["warm"], under=0.15),
        timed("  cold", taken["cold"], under=1.5),
    ]
