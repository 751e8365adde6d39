"""Every command has a Python function of the same name with the same options."""

import inspect

import pytest
from typer.main import get_command

import combinat
from combinat.enumeration.experiment import declared_settings
from combinat.requests.request import Group, Request, request_fields
from reports.cli.main import app
from tests.commands import iter_commands

WITHOUT_FUNCTION = {"parsheets", "schema", "cache", "studio", "help"}
"""Commands about files, the program itself or its server."""
FUNCTION_NAMES = {"list": "catalog", "parsheet": "par_sheet", "meter show": "meter"}
"""Functions with another name: `list` is a type of Python, and names are written by Python's rules."""
COMMANDS = {" ".join(names): command for names, command in iter_commands(get_command(app))}
ANSWERED = sorted(set(COMMANDS) - WITHOUT_FUNCTION)


def function_name(command):
    return FUNCTION_NAMES.get(command, command.replace(" ", "_").replace("-", "_"))


def iter_requests(kind=Request):
    for request in kind.__subclasses__():
        yield request
        yield from iter_requests(request)


@pytest.mark.parametrize("command", ANSWERED)
def test_command_has_a_function(command):
    function = getattr(combinat, function_name(command))
    assert callable(function)
    assert (inspect.getdoc(function) or "").strip()


@pytest.mark.parametrize("command", ANSWERED)
def test_options_of_a_command_are_fields_of_its_request(command):
    getattr(combinat, function_name(command))  # loads the request
    requests = {request.__name__.lower(): request for request in iter_requests()}
    name = {"list": "catalog", "meter show": "metershow"}.get(command, command.replace(" ", "").replace("-", ""))
    fields = {field.name for field in request_fields(requests[name])}
    options = {
        parameter.name
        for parameter in COMMANDS[command].params
        if getattr(parameter, "rich_help_panel", None) != str(Group.OUTPUT)
    }
    assert options - fields <= {*declared_settings(), "no_cache", "file"}  # `new` writes to the file


def test_wrong_call_names_the_arguments():
    with pytest.raises(TypeError, match=r"bet=\.\.\., decks="):
        combinat.compare("TRI-03", "TRI-04", decks=6)
    with pytest.raises(TypeError, match=r"origin=\.\.\."):
        combinat.new("TRI-03")
