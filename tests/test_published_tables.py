"""Published tables of real bets: every digit that a source prints must be the one that the enumeration gives.

Each bet of tests/published is a designer's file. Beside it, in NAME.figures.toml, stands what sources print about it,
as text, so that the number of digits is kept:

    cycle, expected_value, house_edge, return ...    figures of the paytable at the table's deck count
    house_edges, expected_values, hit_frequencies    the same by deck count
    awards, loss                                     the rows: ways, probability, return, one_in
    probabilities, returns                           one column of the rows by the award's name
    up                                               the up card that all these figures are given
    by_up                                            further tables, alike but for the up card and the figures
    scale                                            the source's count of a hand over ours, if it counts orders
    award_returns = "gross"                          the rows' returns count the wager
    wrong                                            figures misprinted by the source, with what is right and why;
                                                     is_really: what the printed figure is the right one of
"""

import tomllib
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import pytest

from combinat.analysis.analysis import analyze
from combinat.bets.load import load
from combinat.bets.variants import given_up
from combinat.design.checks import check
from combinat.exact.root import Root
from decks import Shoe

FOLDER = Path(__file__).parent / "published"
FIGURE_FILES = sorted(FOLDER.glob("*.figures.toml"))
BET_FILES = sorted(set(FOLDER.glob("*.toml")) - set(FIGURE_FILES))
BY_DECKS = ("house_edges", "expected_values", "hit_frequencies")
COLUMNS = {"probabilities": "probability", "returns": "return"}
COMMON = {"paytable", "decks", "source", "address", "note", "scale", "award_returns", "meters"}
NOT_FIGURES = {*COMMON, "up", "by_up", "wrong"}
PAYTABLES = {path: {paytable.id: paytable for paytable in load(path)} for path in BET_FILES}
BY_ID = {id: paytable for paytables in PAYTABLES.values() for id, paytable in paytables.items()}


def _read():
    for path in FIGURE_FILES:
        paytables = PAYTABLES[path.with_name(path.name.replace(".figures", ""))]
        for number, table in enumerate(tomllib.loads(path.read_text("utf-8"))["table"], 1):
            name = f"{path.name.partition('.')[0]}-{number}"
            if table.keys() - COMMON - {"by_up"}:
                yield name, paytables[table["paytable"]], table
            common = {key: table[key] for key in table.keys() & COMMON}
            for row in table.get("by_up", []):
                yield f"{name}-{row['up']}", paytables[table["paytable"]], common | row


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


@lru_cache(maxsize=None)
def seen(paytable, up):
    return given_up(paytable, up) if up else paytable


@lru_cache(maxsize=None)
def figures_of(paytable, up, decks, meters):
    return analyze(seen(paytable, up), Shoe(decks, paytable.bet.pack), dict(meters))


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
    if isinstance(ours, Root):  # squares, since the root itself is no fraction
        return (printed - slack) ** 2 <= ours.square <= (printed + slack) ** 2
    return abs(ours - printed) <= slack


def figure_agrees(paytable, table, figure, text):
    exactly = figure == "cycle" or figure.endswith(".ways") or text == "0"
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
        wrongs = table.get("wrong", [])
        figures = [*dict(printed_figures(table)), *(wrong["figure"] for wrong in wrongs)]
        meant = [figure_meant(paytable, wrong) for wrong in wrongs]
        for about, figure in [*((paytable, figure) for figure in figures), *meant]:
            with_figures.setdefault(about.id, set()).add(figure_decks(table, figure))
    assert with_figures == {id: set(paytable.decks) for id, paytable in BY_ID.items()}


@pytest.mark.parametrize("path", BET_FILES, ids=lambda path: path.stem)
def test_the_files_of_published_bets_make_sense(path):
    errors = [finding.text for paytable in PAYTABLES[path].values() for finding in check(paytable) if finding.is_error]
    assert errors == []
