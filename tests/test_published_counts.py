"""Published counts and effects of removal, compared with ours."""

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

SIMULATED_LENGTHS = tuple(
    (cards, Fraction(frequency, 100_000))
    for cards, frequency in enumerate((14086, 35441, 30659, 13715, 4268, 1195, 370, 138, 128), 4)
)
"""Number of cards of rounds in which the dealer finishes every hand, as simulated; the last means 12 or more."""


def parse_figure(text):
    """Parse a printed figure; a percentage becomes a fraction."""
    value = Fraction(text.removesuffix("%"))
    return value / 100 if text.endswith("%") else value


def format_like(value, like):
    """Format our figure with as many digits as the printed one."""
    positions = len(like.removesuffix("%").partition(".")[2])
    if hasattr(value, "square"):
        return numerals.format_root(value, positions)
    return numerals.format_percent(value, positions) if like.endswith("%") else numerals.format_fixed(value, positions)


def compute_betting_value(published, lengths=None):
    argument = f"{FOLDER / published['file']}:{published['bet']}" if "file" in published else published["bet"]
    (paytable,), shoe = resolve_paytables(argument), Shoe(published["decks"])
    customs = dict(published["conventions"])
    conventions = replace(find_conventions(customs.pop("name")), **customs, **({"lengths": lengths} if lengths else {}))
    if published.get("suits"):
        count = count_suits(paytable, shoe, conventions, published["cut"])
    else:
        count = compute_count(
            paytable, shoe, parse_tags(published["tags"], shoe.composition), conventions, published["cut"]
        )
    if "house_edge" in published:
        assert (
            format_like(analyze_wager(paytable, shoe).house_edge.constant, published["house_edge"])
            == published["house_edge"]
        )
    return count.betting_value(published["trigger"])


def assert_matches_published(published):
    value = compute_betting_value(published)
    figures = {
        "frequency": value.frequency,
        "edge": value.edge,
        "per_100": value.per_hundred,
        "per_shoe": value.per_shoe,
        "desirability": value.desirability,
    }
    theirs, differing = published["theirs"], published.get("apart", [])
    assert {name: format_like(figures[name], text) for name, text in theirs.items()} == published["ours"]
    for name, text in theirs.items():
        ratio = parse_figure(published["ours"][name]) / parse_figure(text)
        assert (abs(ratio - 1) <= parse_figure(published["within"])) == (name not in differing), name
    assert published["because"]
    if "simulated" in published:
        assert_round_lengths_explain_it(published)


def assert_round_lengths_explain_it(published):
    """Check that the published figure is close to simulated rounds, whose varying lengths raise the frequency."""
    real = [parse_figure(published["simulated"][play]["frequency"]) for play in ("plays_if_needed", "plays_out")]
    assert parse_figure(published["exact_lengths"]["frequency"]) < max(real)
    assert min(abs(parse_figure(published["theirs"]["frequency"]) / frequency - 1) for frequency in real) < Fraction(
        1, 100
    )
    assert (
        format_like(
            compute_betting_value(published, SIMULATED_LENGTHS).frequency, published["exact_lengths"]["frequency"]
        )
        == published["exact_lengths"]["frequency"]
    )


def test_two_deck_count_matches_the_simulation():
    (published,) = (published for published in COUNTS if published["bet"] == "BUST-IT")
    assert_matches_published(published)


@pytest.mark.slow
@pytest.mark.parametrize("published", COUNTS, ids=lambda published: f"{published['bet']}, {published['decks']} decks")
def test_counts_match_the_simulations(published):
    assert_matches_published(published)


def test_effects_of_removal_match_every_digit():
    (paytable,), shoe = resolve_paytables(EFFECTS["bet"]), Shoe(EFFECTS["decks"])
    (effects,) = removals(build_study(paytable, shoe), lambda depleted: build_study(paytable, depleted))
    ours = {
        rank: format_like(-effects.effect_of(Card(f"{rank}h")).change.constant, text)
        for rank, text in EFFECTS["player"].items()
    }
    assert {rank: text.replace("−", "-") for rank, text in ours.items()} == EFFECTS["player"]


@pytest.mark.slow
def test_frequencies_are_close_to_the_simulation():
    """The frequencies are for six decks and a round every 5.4 cards, starting at the sixth card."""
    (paytable,), shoe = resolve_paytables("TRI-03"), Shoe(6)
    conventions = replace(find_conventions("blackjack"), round_cards=Fraction(27, 5), lengths=(), first=6, burned=0)
    for tags, trigger, simulated in (
        ("A=-2 2=-3 3=-2 7=1 8=1 9=1 10=1", 4, "13.29%"),
        ("A=4 2=-1 3=-1 7=-2 8=-1 9=1", 5, "9.92%"),
        ("A=2 2=-1 3=-1 4=-1 7=-1 8=-1 9=-1 10=1", 4, "9.20%"),
    ):
        frequency = (
            compute_count(paytable, shoe, parse_tags(tags, shoe.composition), conventions, 52)
            .betting_value(trigger)
            .frequency
        )
        assert abs(frequency / parse_figure(simulated) - 1) < Fraction(5, 1000)
