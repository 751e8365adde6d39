"""An option is one field of a request: the command, its help and the Python function then have it."""

import inspect
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

import combinat
from combinat.requests.odds import Odds
from combinat.requests.request import Option, check_option_names, request_fields
from decks import InputError
from reports.cli.printing import Printing
from reports.cli.request_command import add_request_command

VERBS = {"list": "catalog", "parsheet": "par_sheet", "show": "meter", "break-even": "meter_break_even"}
VERBS |= {
    "explain": "meter_explain",
    "value": "blackjack_value",
    "edge": "blackjack_edge",
    "games": "blackjack_games",
    "title": "blackjack_title",
}
VERBS |= {
    "strategy": "blackjack_strategy",
    "games": "blackjack_games",
    "title": "blackjack_title",
    "sevens": "blackjack_sevens",
    "free-bets": "blackjack_free_bets",
}
MODULES = "analyze audit blackjack catalog check compare count design diff formula joint judge ledger meters new odds"
MODULES += " removal sensitivity sheets words"


class ToyOdds(Odds, frozen=True):
    """Odds with one more option."""

    toy: Annotated[str, Option("A toy.")] = "none"


def test_new_field_is_an_option_of_the_command():
    app = typer.Typer()
    given = []
    add_request_command(
        app,
        ToyOdds,
        Printing,
        lambda question, _, __: given.append(question.toy),
        name="odds",
        progress_label="hands",
        examples=["odds pair"],
    )
    result = CliRunner().invoke(app, ["pair", "--deal", "player:2", "--decks", "1", "--toy", "train"])
    assert (result.exit_code, given) == (0, ["train"])
    assert "--toy" in CliRunner().invoke(app, ["--help"]).output


def test_new_field_is_an_argument_of_the_function():
    assert ToyOdds("pair", toy="train").toy == "train"
    assert "toy" in inspect.signature(ToyOdds).parameters
    check_option_names(ToyOdds, ["toy"])
    with pytest.raises(InputError, match="toy"):
        check_option_names(Odds, ["toy"])


@pytest.mark.parametrize("name", MODULES.split())
def test_every_command_has_a_function(name):
    module = __import__(f"reports.cli.{name}", fromlist=["app"])
    for command in module.app.registered_commands:
        if command.name not in ("schema", "parsheets", None):  # None: `schema`, named by its function
            assert callable(getattr(combinat, VERBS.get(command.name, command.name)))


def test_every_option_is_described_once():
    for field in request_fields(Odds):
        assert field.option.description.endswith((".", '".')), field.name
