"""Help texts group options, write defaults in one style and end with examples."""

import re
import shlex

import pytest
from typer.main import get_command

from reports.cli.main import app
from tests.commands import iter_commands

COMMANDS = [pytest.param(names, command, id=" ".join(names)) for names, command in iter_commands(get_command(app))]


@pytest.mark.parametrize(("names", "command"), COMMANDS)
def test_help_ends_with_examples_whose_options_exist(run, names, command):
    code, out, err = run(*names, "--help")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[-1].startswith("  combinat ")
    start = ["combinat", *names]
    words = [shlex.split(line) for line in lines if line.startswith("  combinat ")]
    examples = [example[len(start) :] for example in words if example[: len(start)] == start]
    assert examples
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for example in examples for word in example if word.startswith("--")} <= options


@pytest.mark.parametrize(("names", "command"), COMMANDS)
def test_defaults_have_one_style(run, names, command):
    assert "[default: (" not in " ".join(run(*names, "--help")[1].split())
    texts = [parameter.help for parameter in command.params if getattr(parameter, "help", None)]
    assert not [text for text in texts if re.search(r"left out|usually|default:", text, re.IGNORECASE)]


def test_first_sentences_fit_the_command_list(run):
    for group in ((), ("meter",), ("blackjack",)):
        _, out, _ = run(*group, "--help")
        assert not [line for line in out.splitlines() if line.endswith("...") and not line.startswith("Usage")]


def test_help_groups_options_by_subject(run):
    _, out, _ = run("analyze", "--help")
    titles = ["What to compute:", "Table conditions:", "Output:"]
    assert [line for line in out.splitlines() if line in titles] == titles
    subject, _, rest = out.partition("Table conditions:")
    table, _, output = rest.partition("Output:")
    assert "--pays" in subject
    assert "--surrender" in table
    assert "--format" in output


def test_former_name_of_a_command_is_hidden(run):
    _, out, _ = run("--help")
    assert "  show " not in out
    assert run("show", "TRI-03", "-d", "6") == run("analyze", "TRI-03", "-d", "6")
