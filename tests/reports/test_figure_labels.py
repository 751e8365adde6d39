"""A figure has one label, which stands in the registry and nowhere else."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from combinat.analysis.outlook import Z, volatility_index
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.figures import FIGURES, figure_values
from combinat.study import Basis, build_study
from decks import Shoe
from reports.answers.compare import comparison_document
from reports.answers.show import overview_document
from reports.page.figures import STYLES, page_figures
from reports.render.workbook.model import Calculation
from tests.riding import QUICK, small_shoe

REPORTS = Path(__file__).parents[2] / "reports"
ROOMS = ("answers", "publish", "sheet", "tables")


def typed(path):
    """The texts that a file spells out."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("room", ROOMS)
def test_no_label_of_a_figure_is_typed_again(room):
    labels = {figure.label for figure in FIGURES.values()}
    files = (REPORTS / room).rglob("*.py")
    again = [(path.name, text) for path in files for text in typed(path) if text.partition(", ")[0] in labels]
    assert again == []


def other_option(one, kind):
    """The same study, as if its option were of another kind."""
    return replace(one, option=replace(one.option, kind=kind))


def test_edge_without_an_option_is_called_by_its_kind_or_where_there_are_several_the_wagers():
    plain, parlay = (
        build_study(get_paytable("TRI-03"), Shoe(6)),
        build_study(get_paytable("HM-2"), small_shoe(), rules=QUICK),
    )
    press = other_option(parlay, "press")
    for studies, label in [
        ([plain, plain], None),
        ([plain, parlay], "House edge, no parlay"),
        ([parlay, press], "House edge, wager alone"),
    ]:
        (table,) = overview_document(studies).tables
        edges = [column.title for column in table.columns if column.title.startswith("House edge")]
        assert edges == ["House edge", *([label] if label else [])]
    rows = [row[0] for row in comparison_document([parlay]).tables[0].rows]
    assert rows[:2] == ["House edge", "House edge, no parlay"]


def test_volatility_index_is_registered_at_every_confidence():
    at_levels = [f"volatility_index_{level * 100}" for level in Z]
    assert [key for key in FIGURES if key.startswith("volatility_index")] == at_levels
    one = build_study(get_paytable("TRI-03"), Shoe(6))
    live = {figure.key: figure for figure in Calculation(one).figures}
    for level, key in zip(Z, at_levels, strict=True):
        (figure,) = page_figures(one, key)
        assert figure.value == volatility_index(one.analysis.standard_deviation, level) == live[key].value
        assert (figure.label, live[key].label) == (f"Volatility index, {level * 100}%",) * 2


def test_every_figure_has_a_style():
    assert set(STYLES) == set(FIGURES)


def test_what_a_settled_study_states_stands_on_the_seeds_only_if_they_were_taken():
    paytable = get_paytable("BLZ-ML03-UP")
    is_open = build_study(paytable, Shoe(6))
    given = build_study(paytable, Shoe(6), {name: Fraction(5000) for name in paytable.meters})
    partly = build_study(paytable, Shoe(6), {paytable.meters[0]: Fraction(5000)})
    plain = build_study(get_paytable("TRI-03"), Shoe(6))
    for one, basis in [(is_open, Basis.SEEDS), (partly, Basis.SEEDS), (given, Basis.METERS), (plain, Basis.WAGER)]:
        (said,) = figure_values(one.settled, "standard_deviation")
        assert said.basis is one.valued_basis is one.settled.valued_basis is basis
    assert next(figure_values(is_open, "standard_deviation")).basis is Basis.WAGER


def test_where_no_seed_is_known_nothing_stands_on_the_seeds():
    unknown = next(
        one
        for one in (build_study(paytable, Shoe(paytable.decks[0])) for paytable in iter_collection() if paytable.meters)
        if one.settled is None
    )
    assert unknown.valued_basis is Basis.WAGER


def test_hold_with_an_option_is_that_of_the_best_play():
    played = build_study(get_paytable("HM-2"), small_shoe(), rules=QUICK)
    (hold,) = figure_values(played, "hold")
    edge, _ = figure_values(played, "house_edge")
    assert (hold.value, hold.basis) == (edge.value.constant, Basis.BEST)
    assert next(figure_values(build_study(get_paytable("TRI-03"), Shoe(6)), "hold")).basis is Basis.LONG_RUN
