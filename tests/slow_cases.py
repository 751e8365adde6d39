"""Mark single cases of a test as slow: `make test` skips them, `make test-all` runs them."""

import pytest


def slow_case(*values, id=None):
    """Return a case for `pytest.mark.parametrize` that is marked slow."""
    return pytest.param(*values, id=id, marks=pytest.mark.slow)


def slow_cases(*ids):
    """Mark the cases of a test that have these ids as slow, where cases are computed or a product of parameters."""
    return pytest.mark.slow_cases(*ids)
