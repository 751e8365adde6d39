"""A bet of the catalog as a file of one's own, and a template to begin with: both read, check and come out alike."""

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable, iter_paytables
from combinat.bets.export import build_template, export_toml, parse_single_paytable
from combinat.bets.load import parse_bet
from combinat.finder.checks import check_paytable
from decks import InputError, Shoe

ALL = list(iter_paytables())
OF_EACH_BET = {one.bet.name: one for one in reversed(ALL)}.values()
"""The first paytable of each bet, which are enough for every day."""
OF_PAYTABLE = ("decks", "awards", "parts", "wheels", "systems", "requires", "notes")
OF_BET = ("name", "deal", "pack", "roles_distinct", "given", "notes", "game", "made", "settled", "option")
DEALS = [
    "player:1",
    "player:2",
    "player:2, up:1",
    "player:2, next:1",
    "player:2, up:1, hole:1",
    "dealer:h17",
    "baccarat",
]
LONG_DEALS = ["player:5", "player:3, dealer:3", "player:2, board:5", "dealer:s17", "player:1, dealer:h17", "lucky 9"]


@pytest.mark.parametrize(
    "paytable",
    [pytest.param(one, id=one.id, marks=[] if one in OF_EACH_BET else [pytest.mark.slow]) for one in ALL],
)
def test_a_copy_says_all_that_figures_come_from(paytable):
    own = parse_single_paytable(export_toml(paytable), "mine.toml")
    assert own.id == f"MY-{paytable.id}"
    assert [field for field in OF_PAYTABLE if getattr(own, field) != getattr(paytable, field)] == []
    assert [field for field in OF_BET if getattr(own.bet, field) != getattr(paytable.bet, field)] == []
    assert own.published == ()
    assert own.experiment == paytable.experiment  # so it is counted alike


@pytest.mark.parametrize(
    "id", ["TRI-03", "BLZ-ML03-UP", "HM-1", "MATCH-THE-DEALER-4-12", "PKR-3-CARD-1", "CASH-QUEENS"]
)
def test_a_copy_has_the_figures_of_the_bet_and_no_errors(id):
    paytable = get_paytable(id)
    own = parse_single_paytable(export_toml(paytable), "mine.toml")
    for decks in paytable.decks:
        one, two = (analyze_wager(each, Shoe(decks, each.bet.pack)) for each in (paytable, own))
        assert (one.house_edge, one.distribution) == (two.house_edge, two.distribution)
    assert [finding for finding in check_paytable(own) if finding.is_error] == []


@pytest.mark.slow
@pytest.mark.parametrize("paytable", ALL, ids=lambda one: one.id)
def test_check_accepts_every_copy(paytable):
    own = parse_single_paytable(export_toml(paytable), "mine.toml")
    assert [finding.text for finding in check_paytable(own) if finding.is_error] == []


def test_a_copy_of_a_copy_is_a_copy():
    once = parse_single_paytable(export_toml(get_paytable("BLZ-ML03-UP"), "MINE"), "mine.toml")
    twice = parse_single_paytable(export_toml(once, "MINE"), "mine.toml")
    assert (twice.awards, twice.systems, twice.id) == (once.awards, once.systems, "MINE")


def test_texts_that_mean_something_to_toml_are_written_as_they_are():
    text = (
        'bet = "Say \\"7\\" \\\\ = # é"\ndeal = "player:1"\nnotes = ["\\"quoted\\" # [no] table"]\n[hands]\n'
        '"A \\"hand\\" = 1" = "has(7)"\n[[paytable]]\nid = "Q"\ndecks = 6\n'
        'awards = [{ hand = "A \\"hand\\" = 1", name = "\\\\", pays = "9:1" }]\n'
    )
    (paytable,), problems = parse_bet(text, "mine.toml")
    assert problems == ()
    own = parse_single_paytable(export_toml(paytable), "mine.toml")
    assert (own.bet.name, own.bet.notes, own.awards) == (paytable.bet.name, paytable.bet.notes, paytable.awards)


@pytest.mark.parametrize("deal", [*DEALS, *(pytest.param(deal, marks=pytest.mark.slow) for deal in LONG_DEALS)])
def test_a_template_checks_and_leaves_the_house_something(deal):
    paytable = parse_single_paytable(build_template(deal), "mine.toml")
    assert list(check_paytable(paytable)) == []
    for decks in paytable.decks:
        assert 0 < analyze_wager(paytable, Shoe(decks)).house_edge.constant < 1


@pytest.mark.parametrize("deal", LONG_DEALS)
def test_every_template_reads(deal):
    assert parse_single_paytable(build_template(deal), "mine.toml").awards


def test_what_was_read_from_no_file_cannot_be_copied():
    from msgspec.structs import replace

    paytable = get_paytable("TRI-02")
    bare = replace(paytable, bet=replace(paytable.bet, file=""))
    with pytest.raises(InputError, match="'TRI-02' was read from no file"):
        export_toml(bare)


def test_usual_values_are_left_out():
    text = export_toml(get_paytable("TRI-02"))
    assert "pack" not in text
    assert "[wheels]" not in text
