"""The exact math of casino side bets: what can happen and what it pays.

A bet's TOML file is loaded (`bets`) into a `Paytable`: a deal and a ladder of awards, whose rules (`language`) an
experiment evaluates (`enumeration`). One enumeration gives a `Tally` for all deck counts; an `Analysis` has the exact
figures that follow (`analysis`, `meters`), and `blackjack` solves the game around the bets. `verifier` recounts sheets
independently.

The names below are the public interface (`api`); they are imported on first access, so that importing the package is
fast. See docs/python.md for examples.
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
