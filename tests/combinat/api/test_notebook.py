"""The notebook of the documentation: twelve tasks, each in at most three lines, executed cell by cell."""

import ast
import json
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import analyze
from combinat.analysis.outlook import total_quantile
from combinat.exact.distribution import Distribution

NOTEBOOK = json.loads((Path(__file__).parents[3] / "docs" / "working_day.ipynb").read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
TITLES = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "markdown"][1:]


class Frame(list):
    """A stand-in for a data frame: a list of rows that columns can be chosen from."""

    def __getitem__(self, names):
        return [{name: row[name] for name in names} for row in self]


def execute(cells):
    """Execute cells in one namespace and return it with the value of the last expression of each cell."""
    namespace, values = {}, []
    for cell in cells:
        tree = ast.parse(cell)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), namespace)
        values.append(None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), namespace))
    return namespace, values


@pytest.fixture(scope="module")
def executed():
    with pytest.MonkeyPatch.context() as patch:
        mpl.use("svg")
        patch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Frame))
        yield execute(CELLS)


def test_there_are_twelve_tasks_of_three_lines():
    assert len(CELLS) == len(TITLES) == 12
    for cell in CELLS:
        lines = [line for line in cell.splitlines() if line and not line.startswith(("import ", "from "))]
        assert len(lines) <= 3, cell


@pytest.mark.slow  # fast: test_api.py
def test_notebook_answers(executed):
    namespace, values = executed
    by_title = dict(zip(TITLES, values, strict=True))
    assert by_title["## Analyze a bet"].house_edge == Fraction(2127, 48205)
    assert [row.decks for row in namespace["sweep"]] == list(range(2, 9))
    assert by_title["## Your own bet from a dictionary"].hit_frequency == Fraction(23, 311)
    assert by_title["## The odds of a rule"].ways == 10_368
    assert len(by_title["## Compare paytables"].differences()) == 4
    assert by_title["## A data frame"][4]["house_edge"] == float(Fraction(2127, 48205))
    assert (namespace["pdf"][:5], namespace["workbook"][:2]) == (b"%PDF-", b"PK")
    assert by_title["## A par sheet as bytes"].agrees
    assert by_title["## Find a paytable"].candidates
    assert namespace["effects"]["As"].change != 0
    assert by_title["## Card counting and effects of removal"].best.trigger == 4
    assert by_title["## Several wagers on the same cards"].house_edge > 0
    assert namespace["worst"] == -238
    assert len(namespace["session"]) == 1000


@pytest.mark.slow  # fast: test_questions.py
def test_notebook_results_are_shown_as_html(executed):
    for value in executed[1]:
        if type(value).__module__.startswith("combinat"):
            assert value._repr_html_().startswith("<")


def small_distributions():
    """Return distributions of a few whole results with probabilities in twelfths."""
    weights = st.lists(st.integers(1, 5), min_size=2, max_size=4)
    results = st.lists(st.integers(-3, 6), min_size=4, max_size=4, unique=True)

    def build(results, weights):
        total = sum(weights)
        return Distribution((result, Fraction(weight, total)) for result, weight in zip(results, weights, strict=False))

    return st.builds(build, results, weights)


@given(small_distributions(), st.integers(1, 12), st.fractions("0.01", "0.99"))
def test_quantile_of_plays_equals_that_of_the_summed_distribution(distribution, plays, probability):
    assert total_quantile(distribution, plays, probability) == distribution.plays(plays).quantile(probability)


def test_sample_draws_results_by_their_probabilities():
    distribution = analyze("TRI-03", 6).distribution
    session = distribution.sample(2000, seed=1)
    assert set(session) <= set(distribution)
    assert session == distribution.sample(2000, seed=1) != distribution.sample(2000, seed=2)
    losses = sum(result == -1 for result in session)
    assert abs(losses - 2000 * distribution[-1]) < 60  # of this seed
