"""The exact math of casino side bets: what can happen and what it pays.

A bet's TOML file is loaded (`bets`) into a `Paytable`: a deal and a ladder of awards, whose rules (`language`) an
experiment evaluates (`enumeration`). One enumeration gives a `Tally` for all deck counts; an `Analysis` has the exact
figures that follow (`analysis`, `meters`), and `blackjack` solves the game around the bets. `verifier` recounts sheets
independently.

The names below are the public interface (`api`); they are imported on first access, so that importing the package is
fast. See docs/python.md for examples.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from combinat.version import VERSION

if TYPE_CHECKING:
    from combinat.api.catalog import catalog
    from combinat.api.count import count
    from combinat.api.documents import (
        blackjack_edge,
        blackjack_free_bets,
        blackjack_games,
        blackjack_sevens,
        blackjack_strategy,
        blackjack_title,
        blackjack_value,
        check,
        design,
        diff,
        meter,
        meter_break_even,
        meter_explain,
        new,
        rebuild,
        sign,
        solve,
        submit,
        verify,
        words,
    )
    from combinat.api.functions import analyze, compare, formula, sensitivity
    from combinat.api.loads import loads
    from combinat.api.par_sheet import par_sheet
    from combinat.api.queries import Blackjack, house_edges
    from combinat.api.questions import joint, judge, ledger, odds, removal
    from combinat.bets.paytable import Paytable
    from combinat.requests.arguments import load
    from decks import Card, InputError, Shoe

__version__ = VERSION

_HOMES = {
    "combinat.requests.arguments": ("load",),
    "combinat.api.catalog": ("catalog",),
    "combinat.api.count": ("count",),
    "combinat.api.documents": (
        "blackjack_edge",
        "blackjack_free_bets",
        "blackjack_games",
        "blackjack_sevens",
        "blackjack_strategy",
        "blackjack_title",
        "blackjack_value",
        "check",
        "design",
        "diff",
        "meter",
        "meter_break_even",
        "meter_explain",
        "new",
        "rebuild",
        "sign",
        "solve",
        "submit",
        "verify",
        "words",
    ),
    "combinat.api.functions": ("analyze", "compare", "formula", "sensitivity"),
    "combinat.api.loads": ("loads",),
    "combinat.api.par_sheet": ("par_sheet",),
    "combinat.api.queries": (
        "Blackjack",
        "house_edges",
    ),
    "combinat.api.questions": ("joint", "judge", "ledger", "odds", "removal"),
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
    "blackjack_edge",
    "blackjack_free_bets",
    "blackjack_games",
    "blackjack_sevens",
    "blackjack_strategy",
    "blackjack_title",
    "blackjack_value",
    "catalog",
    "check",
    "compare",
    "count",
    "design",
    "diff",
    "formula",
    "house_edges",
    "joint",
    "judge",
    "ledger",
    "load",
    "loads",
    "meter",
    "meter_break_even",
    "meter_explain",
    "new",
    "odds",
    "par_sheet",
    "rebuild",
    "removal",
    "sensitivity",
    "sign",
    "solve",
    "submit",
    "verify",
    "words",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'combinat' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
