"""Published tables of real bets: every digit that a source prints must be the one that the enumeration gives.

Each bet of tests/published is a designer's file. Beside it, in NAME.figures.toml, stands what sources print about it,
as text, so that the number of digits is kept:

    cycle, expected_value, house_edge, return ...    figures of the paytable at the table's deck count
    house_edges, expected_values                     the same by deck count
    awards, loss                                     the rows: ways, probability, return, one_in
    scale                                            the source's count of a hand over ours, if it counts orders
    award_returns = "gross"                          the rows' returns count the wager
    wrong                                            figures misprinted by the source, with what is right and why
"""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.analysis import analyze
from combinat.checks import check
from combinat.loading import load
from combinat.roots import Root
from decks import Shoe

FOLDER = Path(__file__).parent / "published"
FIGURE_FILES = sorted(FOLDER.glob("*.figures.toml"))
BET_FILES = sorted(set(FOLDER.glob("*.toml")) - set(FIGURE_FILES))
BY_DECKS = ("house_edges", "expected_values")
NOT_FIGURES = {"paytable", "decks", "source", "address", "note", "scale", "award_returns", "meters", "wrong"}


def _read():
    for path in FIGURE_FILES:
        paytables = {paytable.id: paytable for paytable in load(path.with_name(path.name.replace(".figures", "")))}
        for number, table in enumerate(tomllib.loads(path.read_text("utf-8"))["table"], 1):
            yield f"{path.name.partition('.')[0]}-{number}", paytables[table["paytable"]], table


TABLES = list(_read())
MISPRINTS = [
    pytest.param(paytable, table, wrong, id=f"{name}-{wrong['figure']}")
    for name, paytable, table in TABLES
    for wrong in table.get("wrong", [])
]


def printed_figures(table):
    """Every printed figure by its name: 'house_edge', 'house_edges.8', 'awards.Flush.ways', 'loss.ways'."""
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
        return analyze(paytable, Shoe(decks, paytable.bet.pack), given)

    ours = analysis()
    match key:
        case "awards" | "loss":
            return _row_figure(ours, rest, scale, table.get("award_returns", "net"))
        case "house_edge" | "house_edges":
            return ours.house_edge.constant
        case "expected_value" | "expected_values":
            return -ours.house_edge.constant
        case "return":
            return ours.return_.constant
        case "cycle":
            return ours.ways.cycle * scale
        case "hit_frequency":
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


def _row_figure(ours, row, scale, returns):
    award, _, column = row.rpartition(".")
    if award:
        (line,) = (line for line in ours.lines if line.award.name == award)
        ways, gross = line.ways, line.gross
    else:
        ways, gross = ours.ways.none, 0
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


def agrees(ours, text, *, exactly):
    """Whether a value lies within half a unit of the last printed place; a count must be the very number."""
    digits, _, power = text.replace(",", "").replace(" ", "").removesuffix("%").partition("E")
    places = len(digits.partition(".")[2]) - int(power or 0) + 2 * text.endswith("%")
    unit = Fraction(1, 10) ** places
    printed = int(digits.replace(".", "")) * unit
    slack = 0 if exactly else unit / 2
    if isinstance(ours, Root):  # squares, since the root itself is no fraction
        return (printed - slack) ** 2 <= ours.square <= (printed + slack) ** 2
    return abs(ours - printed) <= slack


def figure_agrees(paytable, table, figure, text):
    exactly = figure == "cycle" or figure.endswith(".ways")
    return agrees(exact_figure(paytable, table, figure), text, exactly=exactly)


@pytest.mark.parametrize(("paytable", "table"), [pytest.param(*rest, id=name) for name, *rest in TABLES])
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


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("3.24%", Fraction(3235, 100_000), True),
        ("3.24%", Fraction(323499, 10_000_000), False),
        ("-0.5", Fraction(-55, 100), True),
        ("1.7E-4", Fraction(176, 1_000_000), False),
        ("1.41", Root(Fraction(2)), True),
        ("1.42", Root(Fraction(2)), False),
    ],
)
def test_agreement_means_half_a_unit_of_the_last_printed_place(text, value, expected):
    assert agrees(value, text, exactly=False) is expected


def test_every_bet_and_deck_count_has_a_figure_from_a_named_source():
    assert len({paytable.bet.name for _, paytable, _ in TABLES}) >= 10
    assert [path.name.replace(".figures", "") for path in FIGURE_FILES] == [path.name for path in BET_FILES]
    for name, _, table in TABLES:
        assert table["source"], name
        assert table["address"].startswith("http"), name
    with_figures = {}
    for _, paytable, table in TABLES:
        figures = [*dict(printed_figures(table)), *(wrong["figure"] for wrong in table.get("wrong", []))]
        with_figures.setdefault(paytable.id, set()).update(figure_decks(table, figure) for figure in figures)
    assert with_figures == {paytable.id: set(paytable.decks) for path in BET_FILES for paytable in load(path)}


@pytest.mark.parametrize("path", BET_FILES, ids=lambda path: path.stem)
def test_the_files_of_published_bets_make_sense(path):
    errors = [finding.text for paytable in load(path) for finding in check(paytable) if finding.is_error]
    assert errors == []
