"""Cases that run in the whole suite only: each is a case of a test, and the test has others for the quick suite."""

from pathlib import Path

import pytest

from tests.conftest import COLLECTED
from tests.long_cases import long_cases, long_tests, names_of_long_cases

TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def collected(request):
    """Every test there is, with whether it is a long one; of a part of them nothing can be said."""
    found = request.config.stash[COLLECTED]
    modules = {name.partition("::")[0] for name in found}
    every = {path.relative_to(TESTS.parent).as_posix() for path in TESTS.rglob("test_*.py")}
    if not every <= modules:
        pytest.skip("not all tests were collected")
    return found


def test_every_long_case_is_a_case_of_a_test(collected):
    assert names_of_long_cases() - collected.keys() == set()


def test_every_test_with_long_cases_has_quick_ones_and_every_long_test_a_quick_sibling(collected):
    quick = {name.partition("[")[0] for name, is_long in collected.items() if not is_long}
    assert {*long_cases(), *long_tests().values()} - quick == set()


def test_no_case_is_named_twice():
    assert [test for test, cases in long_cases().items() if len(set(cases)) < len(cases)] == []
