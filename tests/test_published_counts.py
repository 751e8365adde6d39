"""Published counts and effects of removal as data, ours beside theirs."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import resolve_paytables
from combinat.counting.conventions import find_conventions
from combinat.counting.counts import compute_count, count_suits
from combinat.counting.removal import removals
from combinat.counting.tags import parse_tags
from combinat.study import build_study
from decks import Card, Shoe
from reports.page import numerals

FOLDER = Path(__file__).parent / "published_counts"
COUNTS = tomllib.loads((FOLDER / "jacobson.toml").read_text(encoding="utf-8"))["count"]
EFFECTS = tomllib.loads((FOLDER / "bust_it_effects.toml").read_text(encoding="utf-8"))

LONGER = tuple(
    (cards, Fraction(many, 100_000))
    for cards, many in enumerate((14086, 35441, 30659, 13715, 4268, 1195, 370, 138, 128), 4)
)
"""How many cards rounds take if the dealer plays every hand to its end, as simulated; the last means 12 or more."""


def number(text):
    """Read a printed figure, a percentage as its part of one."""
    value = Fraction(text.removesuffix("%"))
    return value / 100 if text.endswith("%") else value


def printed(value, like):
    """Write our figure with as many digits as theirs has."""
    places = len(like.removesuffix("%").partition(".")[2])
    if hasattr(value, "square"):
        return numerals.format_root(value, places)
    return numerals.format_percent(value, places) if like.endswith("%") else numerals.format_fixed(value, places)


def worth_of(one, lengths=None):
    found = f"{FOLDER / one['file']}:{one['bet']}" if "file" in one else one["bet"]
    (paytable,), shoe = resolve_paytables(found), Shoe(one["decks"])
    customs = dict(one["conventions"])
    conventions = replace(find_conventions(customs.pop("name")), **customs, **({"lengths": lengths} if lengths else {}))
    if one.get("suits"):
        watched = count_suits(paytable, shoe, conventions, one["cut"])
    else:
        watched = compute_count(paytable, shoe, parse_tags(one["tags"], shoe.composition), conventions, one["cut"])
    if "house_edge" in one:
        assert printed(analyze_wager(paytable, shoe).house_edge.constant, one["house_edge"]) == one["house_edge"]
    return watched.worth(one["trigger"])


def assert_as_printed(one):
    worth = worth_of(one)
    found = {
        "frequency": worth.frequency,
        "edge": worth.edge,
        "per_100": worth.per_hundred,
        "per_shoe": worth.per_shoe,
        "desirability": worth.desirability,
    }
    theirs, apart = one["theirs"], one.get("apart", [])
    assert {name: printed(found[name], text) for name, text in theirs.items()} == one["ours"]
    for name, text in theirs.items():
        ratio = number(one["ours"][name]) / number(text)
        assert (abs(ratio - 1) <= number(one["within"])) == (name not in apart), name
    assert one["because"]
    if "simulated" in one:
        assert_rounds_that_depend_on_the_cards_explain_it(one)


def assert_rounds_that_depend_on_the_cards_explain_it(one):
    """The printed figure lies near real rounds, and ours below it by what they reach more often."""
    real = [number(one["simulated"][play]["frequency"]) for play in ("plays_if_needed", "plays_out")]
    assert number(one["exact_lengths"]["frequency"]) < max(real)
    assert min(abs(number(one["theirs"]["frequency"]) / each - 1) for each in real) < Fraction(1, 100)
    assert (
        printed(worth_of(one, LONGER).frequency, one["exact_lengths"]["frequency"]) == one["exact_lengths"]["frequency"]
    )


def test_a_count_of_two_decks_is_worth_what_a_hundred_million_shoes_say():
    (one,) = (one for one in COUNTS if one["bet"] == "BUST-IT")
    assert_as_printed(one)


@pytest.mark.slow
@pytest.mark.parametrize("one", COUNTS, ids=lambda one: f"{one['bet']}, {one['decks']} decks")
def test_counts_are_worth_what_a_hundred_million_shoes_say(one):
    assert_as_printed(one)


def test_published_effects_of_removal_are_reproduced_to_every_digit():
    (paytable,), shoe = resolve_paytables(EFFECTS["bet"]), Shoe(EFFECTS["decks"])
    (found,) = removals(build_study(paytable, shoe), lambda other: build_study(paytable, other))
    ours = {
        rank: printed(-found.of(Card(f"{rank}h")).change.constant, text) for rank, text in EFFECTS["player"].items()
    }
    assert {rank: text.replace("−", "-") for rank, text in ours.items()} == EFFECTS["player"]


@pytest.mark.slow
def test_frequencies_of_rounds_every_so_many_cards_come_near_the_simulated_ones():
    """The trial that the frequencies alone make: six decks, a round every 5.4 cards from the sixth on."""
    (paytable,), shoe = resolve_paytables("TRI-03"), Shoe(6)
    every = replace(find_conventions("blackjack"), round_cards=Fraction(27, 5), lengths=(), first=6, burned=0)
    for tags, trigger, simulated in (
        ("A=-2 2=-3 3=-2 7=1 8=1 9=1 10=1", 4, "13.29%"),
        ("A=4 2=-1 3=-1 7=-2 8=-1 9=1", 5, "9.92%"),
        ("A=2 2=-1 3=-1 4=-1 7=-1 8=-1 9=-1 10=1", 4, "9.20%"),
    ):
        often = compute_count(paytable, shoe, parse_tags(tags, shoe.composition), every, 52).worth(trigger).frequency
        assert abs(often / number(simulated) - 1) < Fraction(5, 1000)
