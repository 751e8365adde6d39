"""What can happen and what it pays.

A bet's TOML file is loaded (`bets`) into a `Paytable`: a deal and a ladder of awards, whose rules (`language`) an
experiment judges (`enumeration`). One enumeration gives a `Tally` for every deck count; an `Analysis` reads the exact
figures off it (`analysis`, `meters`), and `blackjack` plays the game around the bets. `verify` is the second method.

The names below are loaded when they are first asked for, so that to import the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from combinat.analysis.analysis import Analysis, Line, analyze
    from combinat.bets.award import Award
    from combinat.bets.load import inspect, load
    from combinat.bets.lookup import catalog, find, resolve
    from combinat.bets.pay import Pay, parse_pay
    from combinat.bets.paytable import Bet, Paytable
    from combinat.enumeration.experiment import experiment, parse_deal, register
    from combinat.enumeration.tally import Tally, Ways
    from combinat.exact.distribution import Distribution
    from combinat.language.deal import Deal
    from combinat.language.parser import parse_rule
    from combinat.study import Basis, Study

_HOMES = {
    "combinat.study": ("Basis", "Study"),
    "combinat.exact.distribution": ("Distribution",),
    "combinat.analysis.analysis": ("Analysis", "Line", "analyze"),
    "combinat.bets.load": ("inspect", "load"),
    "combinat.bets.lookup": ("catalog", "find", "resolve"),
    "combinat.bets.award": ("Award",),
    "combinat.bets.pay": ("Pay", "parse_pay"),
    "combinat.bets.paytable": ("Bet", "Paytable"),
    "combinat.enumeration.experiment": ("experiment", "parse_deal", "register"),
    "combinat.enumeration.tally": ("Tally", "Ways"),
    "combinat.language.deal": ("Deal",),
    "combinat.language.parser": ("parse_rule",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Analysis",
    "Award",
    "Basis",
    "Bet",
    "Deal",
    "Distribution",
    "Line",
    "Pay",
    "Paytable",
    "Study",
    "Tally",
    "Ways",
    "analyze",
    "catalog",
    "experiment",
    "find",
    "inspect",
    "load",
    "parse_deal",
    "parse_pay",
    "parse_rule",
    "register",
    "resolve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'combinat' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
