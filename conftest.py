"""Every test works things out anew: none reads or fills the cache of the person who runs it."""

import os

import pytest
from _pytest.doctest import DoctestModule

os.environ["COMBINAT_NO_CACHE"] = "1"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Look for examples only where there are some: to look through what a module defines takes long."""
    found = yield
    has_examples = file_path.suffix != ".py" or b">>> " in file_path.read_bytes()
    return [one for one in found if has_examples or not isinstance(one, DoctestModule)]
