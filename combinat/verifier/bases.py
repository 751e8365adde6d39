"""What each figure stands on: the wager by itself, meters of given amounts, the best play of an option, the long run.

An option is a choice of the player's, and the mean of a bet that has one is that of the best choices, and so is its
variance since sheets are of format 3. All other figures are of the wager, settled and over; if amounts of meters are
given they hold at these amounts. The hold alone is what is kept in the long run; where a choice and no meter makes it,
it is that of the best choices.
"""

from __future__ import annotations

from typing import Any

WAGER, BEST, LONG_RUN = "wager alone", "best play", "long run"
BOOKS, POSTED = "accounting basis", "at the posted prize"
ROUNDS = {"lucky 9": BEST, "lucky 9 tie": "best play of the main wager"}
"""What wagers stand on that are decided by how a round is played, unless it is played for both."""
BEST_OF_BOTH = "best play of both wagers"
AT_METERS, AT_SEEDS = "at the given meters", "meters at their seeds"
MEANS = ("house_edge", "return", "expected_value")
SPREAD = ("variance", "standard_deviation")
OF_THE_WAGER = (
    *("fixed_return", "hit_frequency", "push_rate", "mean_win", "variance", "standard_deviation", "skewness"),
    *("excess_kurtosis", "plays_per_hit", "edge_per_resolved_bet", "return_without_top_award"),
)


def has_option(sheet: dict[str, Any]) -> bool:
    """Whether the player has something to choose."""
    return sheet.get("option") is not None


def spreads_on_best(sheet: dict[str, Any]) -> bool:
    """Whether the variance is that of the best choices too, as on sheets since format 3 and answers of that time."""
    is_said = not {f"{key}_{more}" for key in SPREAD for more in ("without_option", "bounds")}.isdisjoint(sheet)
    return has_option(sheet) and (sheet.get("format") == "combinat par sheet 3" or is_said)


def basis_of(sheet: dict[str, Any]) -> str:
    """Tell what the mean stands on."""
    return BEST if has_option(sheet) else basis_of_the_wager(sheet)


def basis_of_the_wager(sheet: dict[str, Any]) -> str:
    """Tell what the figures of the wager stand on: on itself, or on the amounts of meters that are given."""
    if sheet.get("meters"):
        return AT_METERS
    if (wager := str(sheet.get("deal"))) not in ROUNDS:
        return WAGER
    settings = sheet.get("settings")
    stake = settings.get("tie_stake", "0") if isinstance(settings, dict) else "0"
    return ROUNDS[wager] if stake == "0" else BEST_OF_BOTH


def basis_of_many_plays(sheet: dict[str, Any]) -> str:
    """Tell what to expect of many plays stands on: where a meter was given no amount, its seed was taken."""
    taken = sheet.get("settled_meters")
    is_open = isinstance(taken, dict) and set(taken) != set(sheet.get("meters") or ())
    return AT_SEEDS if is_open else basis_of_the_wager(sheet)


def bases_of(sheet: dict[str, Any]) -> dict[str, str]:
    """Tell for each figure what it stands on."""
    bases = dict.fromkeys(MEANS, basis_of(sheet)) | dict.fromkeys(OF_THE_WAGER, basis_of_the_wager(sheet))
    if has_option(sheet):
        bases |= {f"{key}_without_option": basis_of_the_wager(sheet) for key in MEANS}
    if spreads_on_best(sheet):
        bases |= dict.fromkeys(SPREAD, BEST)
        bases |= {f"{key}_without_option": basis_of_the_wager(sheet) for key in SPREAD}
    return bases | {"hold": basis_of_the_hold(sheet)}


def basis_of_the_hold(sheet: dict[str, Any]) -> str:
    """Tell what the hold stands on: where each play is like every other, on the house's books."""
    if has_option(sheet) and not pays_from_meters(sheet):
        return BEST
    results = sheet.get("results")
    first = results[0].get("basis") if isinstance(results, list) and results and isinstance(results[0], dict) else None
    if (
        "results" not in sheet
        and sheet.get("format") != "combinat par sheet 2"
        and isinstance(sheet.get("bases"), dict)
    ):
        first = sheet["bases"].get("hold")  # the answer to a question does not say how its meters are run
    return first if pays_from_meters(sheet) and first in (BOOKS, POSTED) else LONG_RUN


def pays_from_meters(sheet: dict[str, Any]) -> bool:
    """Whether an award is paid from a meter."""
    awards = sheet.get("awards")
    units = [award.get("unit") for award in awards if isinstance(award, dict)] if isinstance(awards, list) else []
    return any(str(unit).startswith("of ") for unit in units)
