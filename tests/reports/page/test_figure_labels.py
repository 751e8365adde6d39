"""Labels of figures are defined in the registry and nowhere else."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.analysis.outlook import Z, volatility_index
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.figures import FIGURES, figure_values
from combinat.results.comparison import Comparison
from combinat.study import Basis, build_study
from decks import Shoe
from reports.answers.compare import comparison_document
from reports.answers.show import overview_document
from reports.page.figures import STYLES, page_figures
from reports.render.workbook.model import Calculation
from tests.parlay import TWO_HANDS, small_shoe

REPORTS = Path(__file__).parents[3] / "reports"
PACKAGES = ("answers", "publish", "sheet", "tables")


def string_literals(path):
    """Return all string literals of a file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("package", PACKAGES)
def test_figure_labels_are_defined_once(package):
    labels = {figure.label for figure in FIGURES.values()}
    files = (REPORTS / package).rglob("*.py")
    repeated = [
        (path.name, text) for path in files for text in string_literals(path) if text.partition(", ")[0] in labels
    ]
    assert repeated == []


def test_edge_label_depends_on_basis():
    plain, parlay = (
        build_study(get_paytable("TRI-03"), Shoe(6)),
        build_study(get_paytable("HM-2"), small_shoe(), rules=TWO_HANDS),
    )
    for studies, label in [
        ([plain, plain], None),
        ([plain, parlay], "House edge, wager alone"),
    ]:
        (table,) = overview_document(studies).tables
        edges = [column.title for column in table.columns if column.title.startswith("House edge")]
        assert edges == ["House edge", *([label] if label else [])]
    rows = [row[0] for row in comparison_document(Comparison([parlay])).tables[0].rows]
    assert rows[:2] == ["House edge", "House edge, wager alone"]


def test_volatility_index_is_registered_at_every_confidence():
    keys = [f"volatility_index_{level * 100}" for level in Z]
    assert [key for key in FIGURES if key.startswith("volatility_index")] == keys
    study = build_study(get_paytable("TRI-03"), Shoe(6))
    figure_by_key = {figure.key: figure for figure in Calculation(study).figures}
    for level, key in zip(Z, keys, strict=True):
        (figure,) = page_figures(study, key)
        assert figure.value == volatility_index(study.analysis.standard_deviation, level) == figure_by_key[key].value
        assert (figure.label, figure_by_key[key].label) == (f"Volatility index, {level * 100}%",) * 2


def test_every_figure_has_a_style():
    assert set(STYLES) == set(FIGURES)


def test_seeds_basis_is_stated_only_if_used():
    paytable = get_paytable("BLZ-ML03-UP")
    without_amounts = build_study(paytable, Shoe(6))
    with_amounts = build_study(paytable, Shoe(6), {name: Fraction(5000) for name in paytable.meters})
    with_one_amount = build_study(paytable, Shoe(6), {paytable.meters[0]: Fraction(5000)})
    plain = build_study(get_paytable("TRI-03"), Shoe(6))
    for study, basis in [
        (without_amounts, Basis.SEEDS),
        (with_one_amount, Basis.SEEDS),
        (with_amounts, Basis.METERS),
        (plain, Basis.WAGER),
    ]:
        (figure,) = figure_values(study.at_seeds, "standard_deviation")
        assert figure.basis is study.valued_basis is study.at_seeds.valued_basis is basis
    assert next(figure_values(without_amounts, "standard_deviation")).basis is Basis.WAGER


def test_unknown_seeds_are_not_a_basis():
    unknown_seeds = next(
        study
        for study in (
            build_study(paytable, Shoe(paytable.decks[0])) for paytable in iter_collection() if paytable.meters
        )
        if study.at_seeds is None
    )
    assert unknown_seeds.valued_basis is Basis.WAGER


def test_hold_with_an_option_uses_best_play():
    study = build_study(get_paytable("HM-2"), small_shoe(), rules=TWO_HANDS)
    (hold,) = figure_values(study, "hold")
    edge, _ = figure_values(study, "house_edge")
    assert (hold.value, hold.basis) == (edge.value.constant, Basis.BEST)
    assert next(figure_values(build_study(get_paytable("TRI-03"), Shoe(6)), "hold")).basis is Basis.LONG_RUN
