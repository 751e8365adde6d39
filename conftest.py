"""Disable the user's cache in all tests, and collect doctests quickly."""

import os

import pytest
from _pytest.doctest import DoctestModule

os.environ["COMBINAT_NO_CACHE"] = "1"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Collect doctests only from files that contain one: importing and scanning the others takes long."""
    collectors = yield
    has_examples = file_path.suffix != ".py" or b">>> " in file_path.read_bytes()
    return [collector for collector in collectors if has_examples or not isinstance(collector, DoctestModule)]
