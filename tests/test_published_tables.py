"""Published tables of real bets: the enumeration must reproduce every printed digit."""

from fractions import Fraction
from functools import lru_cache
from operator import attrgetter

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import iter_collection
from combinat.bets.variants import condition_on_up_card
from combinat.exact.surd import Surd
from combinat.finder.checks import check_paytable
from decks import Shoe
from tests.published_tables import (
    BET_FILES,
    BY_DECKS,
    BY_ID,
    COLUMNS,
    MISPRINTS,
    PAYTABLES,
    TABLES,
    WHOLLY_PUBLISHED,
    printed_figures,
)
from tests.slow_cases import slow_cases


@lru_cache(maxsize=None)
def seen(paytable, up):
    return condition_on_up_card(paytable, up) if up else paytable


@lru_cache(maxsize=None)
def figures_of(paytable, up, decks, meters):
    return analyze_wager(seen(paytable, up), Shoe(decks, paytable.bet.pack), dict(meters))


def figure_decks(table, figure):
    key, _, decks = figure.partition(".")
    return int(decks) if key in BY_DECKS else table["decks"]


def exact_figure(paytable, table, figure):
    """Return our value of a named figure; an unknown name is a mistake in the file and fails."""
    key, _, remaining = figure.partition(".")
    decks = figure_decks(table, figure)
    scale = Fraction(table.get("scale", 1))

    def analysis(**meters):
        given = {name: Fraction(value) for name, value in (table.get("meters", {}) | meters).items()}
        return figures_of(paytable, table.get("up"), decks, tuple(given.items()))

    ours = analysis()
    match key:
        case "awards" | "loss":
            return _row_figure(ours, paytable, remaining, scale, table.get("award_returns", "net"))
        case "probabilities" | "returns":
            row = f"{remaining}.{COLUMNS[key]}"
            return _row_figure(ours, paytable, row, scale, table.get("award_returns", "net"))
        case "house_edge" | "house_edges":
            return ours.house_edge.constant
        case "expected_value" | "expected_values":
            return -ours.house_edge.constant
        case "return":
            return ours.return_.constant
        case "cycle":
            return ours.ways.cycle * scale
        case "hit_frequency" | "hit_frequencies":
            return ours.hit_frequency
        case "hit_one_in":
            return 1 / ours.hit_frequency
        case "paid_frequency":  # including pushes
            return 1 - ours.lose_probability
        case "standard_deviation":
            return ours.standard_deviation
    edge = analysis(meter=0).house_edge.constant
    less_per_unit = edge - analysis(meter=1).house_edge.constant
    return {"break_even": edge / less_per_unit, "edge_less_per_10000": less_per_unit * 10_000}[key]


def _row_figure(ours, paytable, row, scale, returns):
    award, _, column = row.rpartition(".")
    if award:
        (pay,) = (candidate.pay for candidate in paytable.awards if candidate.name == award)
        ways = sum(line.ways for line in ours.lines if line.award.name == award)  # `None` if the up card rules it out
        gross = pay.gross.at(ours.meters)
    else:
        ways, gross = ours.ways.losing, 0
    probability = Fraction(ways, ours.ways.cycle)
    match column:
        case "ways":
            return ways * scale
        case "probability":
            return probability
        case "one_in":
            return 1 / probability
        case "return":
            value = (gross if returns == "gross" else gross - 1) * probability
            return Fraction(getattr(value, "constant", value))
    raise KeyError(column)


def figure_meant(paytable, wrong):
    """Return the paytable and figure that a misprint really belongs to, if known."""
    other = wrong.get("is_really", {})
    return BY_ID[other.get("paytable", paytable.id)], other.get("figure", wrong["figure"])


def agrees(ours, text, *, exactly):
    """Return whether a value is within half a unit of the last printed place; a count must be equal."""
    digits, _, power = text.replace(",", "").replace(" ", "").removesuffix("%").partition("E")
    positions = len(digits.partition(".")[2]) - int(power or 0) + 2 * text.endswith("%")
    unit = Fraction(1, 10) ** positions
    printed = int(digits.replace(".", "")) * unit
    slack = 0 if exactly else unit / 2
    if isinstance(ours, Surd):  # squares, since the root is irrational
        return (printed - slack) ** 2 <= ours.square <= (printed + slack) ** 2
    return abs(ours - printed) <= slack


def figure_agrees(paytable, table, figure, text):
    exactly = figure == "cycle" or figure.endswith(".ways") or text == "0"
    return agrees(exact_figure(paytable, table, figure), text, exactly=exactly)


@slow_cases(
    "trips-2",
    "trips-1",
    "bust_bonus-1-10",
    "fortune_pai_gow-1",
    "fortune_pai_gow-3",
    "fortune_pai_gow-4",
    "trips-3",
    "buster_blackjack_player-1",
    "red_flex_s17-1",
)
@pytest.mark.parametrize(("paytable", "table"), [pytest.param(*remaining, id=name) for name, *remaining in TABLES])
def test_figures_match_every_printed_digit(paytable, table):
    figures = dict(printed_figures(table))
    assert figures or table["wrong"]
    assert [
        (figure, text, str(exact_figure(paytable, table, figure)))
        for figure, text in figures.items()
        if not figure_agrees(paytable, table, figure, text)
    ] == []


@slow_cases("fortune_pai_gow-2-awards.Royal flush.ways")
@pytest.mark.parametrize(("paytable", "table", "wrong"), MISPRINTS)
def test_misprint_differs_and_its_correction_matches(paytable, table, wrong):
    assert wrong["why"]
    assert not figure_agrees(paytable, table, wrong["figure"], wrong["printed"])
    assert figure_agrees(paytable, table, wrong["figure"], wrong["correct"])
    if "is_really" in wrong:
        meant, figure = figure_meant(paytable, wrong)
        assert figure_agrees(meant, table, figure, wrong["printed"])


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("3.24%", Fraction(3235, 100_000), True),
        ("3.24%", Fraction(323499, 10_000_000), False),
        ("-0.5", Fraction(-55, 100), True),
        ("1.7E-4", Fraction(176, 1_000_000), False),
        ("1.41", Surd(Fraction(2)), True),
        ("1.42", Surd(Fraction(2)), False),
    ],
)
def test_agreement_is_half_a_unit_of_the_last_place(text, value, expected):
    assert agrees(value, text, exactly=False) is expected


def test_every_bet_and_deck_count_has_a_sourced_figure():
    assert len({paytable.bet.name for _, paytable, _ in TABLES}) >= 10
    for name, _, table in TABLES:
        assert table["source"], name
        assert table["address"].startswith("http"), name
    with_figures = {}
    for _, paytable, table in TABLES:
        wrongs = table.get("wrong", [])
        figures = [*dict(printed_figures(table)), *(wrong["figure"] for wrong in wrongs)]
        meant = [figure_meant(paytable, wrong) for wrong in wrongs]
        for about, figure in [*((paytable, figure) for figure in figures), *meant]:
            with_figures.setdefault(about.id, set()).add(figure_decks(table, figure))
    counts_by_id = {id: counts for id, counts in with_figures.items() if id in WHOLLY_PUBLISHED}
    without_figures = {"PUSH-22-UK"}  # its source prints the pays only
    assert counts_by_id == {
        id: set(paytable.decks) for id, paytable in WHOLLY_PUBLISHED.items() if id not in without_figures
    }
    of_baccarat = {paytable.id for paytable in iter_collection("baccarat")}
    assert of_baccarat - with_figures.keys() == {"BAC-SUPER-6"}


@slow_cases("fortune_pai_gow", "seven_cards", "bust_bonus", "buster_blackjack_player")
@pytest.mark.parametrize("path", BET_FILES, ids=attrgetter("stem"))
def test_published_bet_files_pass_the_check(path):
    errors = [
        finding.text
        for paytable in PAYTABLES[path].values()
        for finding in check_paytable(paytable)
        if finding.is_error
    ]
    assert errors == []
