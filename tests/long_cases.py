"""Which cases of tests are long ones although other cases of the same tests are quick: `long_cases.toml` names them."""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def long_cases():
    """Give the tests that have long cases, as pytest names them, each with the names of those cases."""
    listed = tomllib.loads((HERE / "long_cases.toml").read_text(encoding="utf-8"))
    return {f"{HERE.name}/{module}::{test}": cases for module, tests in listed.items() for test, cases in tests.items()}


def names_of_long_cases():
    """Give every long case as pytest names it."""
    return {f"{test}[{case}]" for test, cases in long_cases().items() for case in cases}
