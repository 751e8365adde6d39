"""The exact math of casino side bets: what can happen and what it pays.

A bet's TOML file is loaded (`bets`) into a `Paytable`: a deal and a ladder of awards, whose rules (`language`) an
experiment judges (`enumeration`). One enumeration gives a `Tally` for every deck count; an `Analysis` reads the exact
figures off it (`analysis`, `meters`), and `blackjack` plays the game around the bets. `verify` is the second method.

The names below are what a program needs (`api`); they are loaded when they are first asked for, so that to import the
package costs nothing. docs/python.md shows them at work.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from combinat.api.arguments import load
    from combinat.api.catalog import catalog
    from combinat.api.queries import Blackjack, analyze, closed_form, house_edges, judge, odds, outcomes, verify_sheet
    from combinat.bets.paytable import Paytable
    from decks import Card, InputError, Shoe

    __version__: str

_HOMES = {
    "combinat.api.arguments": ("load",),
    "combinat.api.catalog": ("catalog",),
    "combinat.api.queries": (
        "Blackjack",
        "analyze",
        "closed_form",
        "house_edges",
        "judge",
        "odds",
        "outcomes",
        "verify_sheet",
    ),
    "combinat.bets.paytable": ("Paytable",),
    "decks": ("Card", "InputError", "Shoe"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Blackjack",
    "Card",
    "InputError",
    "Paytable",
    "Shoe",
    "__version__",
    "analyze",
    "catalog",
    "closed_form",
    "house_edges",
    "judge",
    "load",
    "odds",
    "outcomes",
    "verify_sheet",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version("combinat")
    if name not in _HOME:
        raise AttributeError(f"module 'combinat' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
