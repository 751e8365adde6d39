"""Published tables of real bets, as sources print them.

The bets are in the collections of the catalog; a few ladders that nobody offers are files in tests/published.
tests/published/NAME.figures.toml holds what sources print about them, as text, so that the number of digits is kept:

    cycle, expected_value, house_edge, return ...    figures of the paytable at the table's deck count
    house_edges, expected_values, hit_frequencies    the same by deck count
    awards, loss                                     the rows: ways, probability, return, one_in
    probabilities, returns                           one column of the rows by the award's name
    up                                               the up card that all these figures are given
    by_up                                            further tables that differ in the up card and the figures
    scale                                            the ratio of the source's counts to ours, if it counts orders
    award_returns = "gross"                          the rows' returns include the wager
    wrong                                            misprints of the source, with the correct figure and the reason;
                                                     is_really: the figure that the printed one really is
"""

import tomllib
from pathlib import Path

import pytest

from combinat.bets.catalog import collection_files, iter_paytables
from combinat.bets.load import load_bet

FOLDER = Path(__file__).parent / "published"
FIGURE_FILES = sorted(FOLDER.glob("*.figures.toml"))
LADDER_FILES = sorted(set(FOLDER.glob("*.toml")) - set(FIGURE_FILES))
BET_FILES = [*LADDER_FILES, *collection_files("public")]
"""Ladders that are no bets, and the public collection: every deck count has a published figure."""
BY_DECKS = ("house_edges", "expected_values", "hit_frequencies")
COLUMNS = {"probabilities": "probability", "returns": "return"}
COMMON = {"paytable", "decks", "source", "address", "note", "scale", "award_returns", "meters"}
NOT_FIGURES = {*COMMON, "up", "by_up", "wrong"}
PAYTABLES = {path: {paytable.id: paytable for paytable in load_bet(path)} for path in BET_FILES}
WHOLLY_PUBLISHED = {id: paytable for paytables in PAYTABLES.values() for id, paytable in paytables.items()}
BY_ID = {paytable.id: paytable for paytable in iter_paytables()} | WHOLLY_PUBLISHED


def _read():
    for path in FIGURE_FILES:
        for number, table in enumerate(tomllib.loads(path.read_text("utf-8"))["table"], 1):
            name = f"{path.name.partition('.')[0]}-{number}"
            if table.keys() - COMMON - {"by_up"}:
                yield name, BY_ID[table["paytable"]], table
            common = {key: table[key] for key in table.keys() & COMMON}
            for row in table.get("by_up", []):
                yield f"{name}-{row['up']}", BY_ID[table["paytable"]], common | row


TABLES = list(_read())
MISPRINTS = [
    pytest.param(paytable, table, wrong, id=f"{name}-{wrong['figure']}")
    for name, paytable, table in TABLES
    for wrong in table.get("wrong", [])
]


def printed_figures(table):
    """Yield every printed figure with its name: 'house_edge', 'house_edges.8', 'awards.Flush.ways', 'loss.ways'."""
    for key, value in table.items():
        if key == "awards":
            yield from (
                (f"awards.{row['name']}.{column}", text)
                for row in value
                for column, text in row.items()
                if column != "name"
            )
        elif key not in NOT_FIGURES:
            parts = value.items() if isinstance(value, dict) else [("", value)]
            yield from ((f"{key}.{part}".rstrip("."), text) for part, text in parts)
