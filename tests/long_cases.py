"""Which cases of tests, and which tests, are long ones beside quick ones of the same: `long_cases.toml` names them."""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def listed():
    """Give what is said of each test, as pytest names it: its long cases, or the quick test that stands for it."""
    found = tomllib.loads((HERE / "long_cases.toml").read_text(encoding="utf-8"))
    return {f"{HERE.name}/{module}::{test}": said for module, tests in found.items() for test, said in tests.items()}


def long_cases():
    """Give the tests that have long cases, each with the names of those cases."""
    return {test: said for test, said in listed().items() if isinstance(said, list)}


def long_tests():
    """Give the tests that are long as a whole, each with the quick one that can fail for the same fault."""
    return {test: f"{HERE.name}/{said}" for test, said in listed().items() if isinstance(said, str)}


def names_of_long_cases():
    """Give every long case and every long test as pytest names it."""
    return {f"{test}[{case}]" for test, cases in long_cases().items() for case in cases} | set(long_tests())
