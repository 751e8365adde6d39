"""Copies of catalog bets as files, and templates: both load, pass the check and give the same figures."""

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable, iter_paytables
from combinat.bets.export import build_template, export_toml, parse_single_paytable
from combinat.bets.load import parse_bet
from combinat.finder.checks import check_paytable
from decks import InputError, Shoe
from tests.slow_cases import slow_case

ALL = list(iter_paytables())
OF_EACH_BET = {paytable.bet.name: paytable for paytable in reversed(ALL)}.values()
"""The first paytable of each bet: enough for `make test`."""
OF_PAYTABLE = ("decks", "awards", "stated_awards", "wheels", "systems", "requires", "notes")
OF_BET = ("name", "deal", "pack", "roles_distinct", "condition", "notes", "game", "made", "settled", "option")
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
    [
        pytest.param(paytable, id=paytable.id, marks=[] if paytable in OF_EACH_BET else [pytest.mark.slow])
        for paytable in ALL
    ],
)
def test_copy_has_every_input_of_the_figures(paytable):
    single_paytable = parse_single_paytable(export_toml(paytable), "mine.toml")
    assert single_paytable.id == f"MY-{paytable.id}"
    assert [field for field in OF_PAYTABLE if getattr(single_paytable, field) != getattr(paytable, field)] == []
    assert [field for field in OF_BET if getattr(single_paytable.bet, field) != getattr(paytable.bet, field)] == []
    assert single_paytable.published == ()
    assert (single_paytable.ladder, single_paytable.roles_distinct) == (
        paytable.ladder,
        paytable.roles_distinct,
    )  # so the counts are equal


@pytest.mark.parametrize(
    "id", ["TRI-03", "BLZ-ML03-UP", "HM-1", "MATCH-THE-DEALER-4-12", "PKR-3-CARD-1", "CASH-QUEENS"]
)
def test_copy_has_the_same_figures(id):
    paytable = get_paytable(id)
    single_paytable = parse_single_paytable(export_toml(paytable), "mine.toml")
    for decks in paytable.decks:
        original, copy = (analyze_wager(each, Shoe(decks, each.bet.pack)) for each in (paytable, single_paytable))
        assert (original.house_edge, original.distribution) == (copy.house_edge, copy.distribution)
    assert [finding for finding in check_paytable(single_paytable) if finding.is_error] == []


@pytest.mark.slow
@pytest.mark.parametrize("paytable", ALL, ids=lambda one: one.id)
def test_check_accepts_every_copy(paytable):
    single_paytable = parse_single_paytable(export_toml(paytable), "mine.toml")
    assert [finding.text for finding in check_paytable(single_paytable) if finding.is_error] == []


def test_copy_of_a_copy_is_the_same():
    once = parse_single_paytable(export_toml(get_paytable("BLZ-ML03-UP"), "MINE"), "mine.toml")
    twice = parse_single_paytable(export_toml(once, "MINE"), "mine.toml")
    assert (twice.awards, twice.systems, twice.id) == (once.awards, once.systems, "MINE")


def test_toml_special_characters_are_escaped():
    text = (
        'bet = "Say \\"7\\" \\\\ = # é"\ndeal = "player:1"\nnotes = ["\\"quoted\\" # [no] table"]\n[hands]\n'
        '"A \\"hand\\" = 1" = "has(7)"\n[[paytable]]\nid = "Q"\ndecks = 6\n'
        'awards = [{ hand = "A \\"hand\\" = 1", name = "\\\\", pays = "9:1" }]\n'
    )
    (paytable,), problems = parse_bet(text, "mine.toml")
    assert problems == ()
    single_paytable = parse_single_paytable(export_toml(paytable), "mine.toml")
    assert (single_paytable.bet.name, single_paytable.bet.notes, single_paytable.awards) == (
        paytable.bet.name,
        paytable.bet.notes,
        paytable.awards,
    )


@pytest.mark.parametrize("deal", [*DEALS, *(slow_case(deal) for deal in LONG_DEALS)])
def test_template_passes_the_check_with_a_house_edge(deal):
    paytable = parse_single_paytable(build_template(deal), "mine.toml")
    assert list(check_paytable(paytable)) == []
    for decks in paytable.decks:
        assert 0 < analyze_wager(paytable, Shoe(decks)).house_edge.constant < 1


@pytest.mark.parametrize("deal", LONG_DEALS)
def test_every_template_loads(deal):
    assert parse_single_paytable(build_template(deal), "mine.toml").awards


def test_paytable_without_a_file_cannot_be_copied():
    from msgspec.structs import replace

    paytable = get_paytable("TRI-02")
    bare = replace(paytable, bet=replace(paytable.bet, file=""))
    with pytest.raises(InputError, match="'TRI-02' was not loaded"):
        export_toml(bare)


def test_default_values_are_omitted():
    text = export_toml(get_paytable("TRI-02"))
    assert "pack" not in text
    assert "[wheels]" not in text
