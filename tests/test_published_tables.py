"""Published tables of real bets: every digit that a source prints must be the one that the enumeration gives."""

from fractions import Fraction
from functools import lru_cache

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

LONG = {"buster_blackjack_player-1", "buster_blackjack_player", "bust_bonus"}
"""Two cards of the player with the dealer's finished hand, and dealer's hands by their suits."""


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
    """Our own value of a named figure; a name that is not known is a slip in the file and fails here."""
    key, _, rest = figure.partition(".")
    decks = figure_decks(table, figure)
    scale = Fraction(table.get("scale", 1))

    def analysis(**meters):
        given = {name: Fraction(value) for name, value in (table.get("meters", {}) | meters).items()}
        return figures_of(paytable, table.get("up"), decks, tuple(given.items()))

    ours = analysis()
    match key:
        case "awards" | "loss":
            return _row_figure(ours, paytable, rest, scale, table.get("award_returns", "net"))
        case "probabilities" | "returns":
            row = f"{rest}.{COLUMNS[key]}"
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
        case "paid_frequency":  # pushes too
            return 1 - ours.lose_probability
        case "standard_deviation":
            return ours.standard_deviation
    edge = analysis(meter=0).house_edge.constant
    less_per_unit = edge - analysis(meter=1).house_edge.constant
    return {"break_even": edge / less_per_unit, "edge_less_per_10000": less_per_unit * 10_000}[key]


def _row_figure(ours, paytable, row, scale, returns):
    award, _, column = row.rpartition(".")
    if award:
        (pay,) = (one.pay for one in paytable.awards if one.name == award)
        ways = sum(line.ways for line in ours.lines if line.award.name == award)  # none if the up card rules it out
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
    """The paytable and figure that a misprinted one really belongs to, as far as that is known."""
    other = wrong.get("is_really", {})
    return BY_ID[other.get("paytable", paytable.id)], other.get("figure", wrong["figure"])


def agrees(ours, text, *, exactly):
    """Whether a value lies within half a unit of the last printed place; a count must be the very number."""
    digits, _, power = text.replace(",", "").replace(" ", "").removesuffix("%").partition("E")
    places = len(digits.partition(".")[2]) - int(power or 0) + 2 * text.endswith("%")
    unit = Fraction(1, 10) ** places
    printed = int(digits.replace(".", "")) * unit
    slack = 0 if exactly else unit / 2
    if isinstance(ours, Surd):  # squares, since the root itself is no fraction
        return (printed - slack) ** 2 <= ours.square <= (printed + slack) ** 2
    return abs(ours - printed) <= slack


def figure_agrees(paytable, table, figure, text):
    exactly = figure == "cycle" or figure.endswith(".ways") or text == "0"
    return agrees(exact_figure(paytable, table, figure), text, exactly=exactly)


@pytest.mark.parametrize(
    ("paytable", "table"),
    [pytest.param(*rest, id=name, marks=[pytest.mark.slow] if name in LONG else []) for name, *rest in TABLES],
)
def test_every_printed_digit_is_reproduced(paytable, table):
    figures = dict(printed_figures(table))
    assert figures or table["wrong"]
    assert [
        (figure, text, str(exact_figure(paytable, table, figure)))
        for figure, text in figures.items()
        if not figure_agrees(paytable, table, figure, text)
    ] == []


@pytest.mark.parametrize(("paytable", "table", "wrong"), MISPRINTS)
def test_a_misprint_disagrees_and_its_correction_agrees(paytable, table, wrong):
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
def test_agreement_means_half_a_unit_of_the_last_printed_place(text, value, expected):
    assert agrees(value, text, exactly=False) is expected


def test_every_bet_and_deck_count_has_a_figure_from_a_named_source():
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
    found = {id: counts for id, counts in with_figures.items() if id in WHOLLY_PUBLISHED}
    assert found == {id: set(paytable.decks) for id, paytable in WHOLLY_PUBLISHED.items()}
    of_baccarat = {paytable.id for paytable in iter_collection("baccarat")}
    assert of_baccarat - with_figures.keys() == {"BAC-SUPER-6"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in LONG else []) for path in BET_FILES],
)
def test_the_files_of_published_bets_make_sense(path):
    errors = [
        finding.text
        for paytable in PAYTABLES[path].values()
        for finding in check_paytable(paytable)
        if finding.is_error
    ]
    assert errors == []
