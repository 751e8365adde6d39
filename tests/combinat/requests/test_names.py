"""Names of options and keys follow the glossary; a former name is answered with the present one."""

import pytest
from typer.main import get_command

import combinat
from combinat.analysis.exposure import parse_jurisdiction_tests
from combinat.bets.schema import OLD_KEYS
from combinat.results.par_sheet import sheet_schema
from combinat.verifier.sheet import FORMER_KEYS
from decks import InputError
from reports.cli.main import app
from tests.bet_text import VALID_BET
from tests.commands import iter_commands


@pytest.mark.parametrize("key", OLD_KEYS)
def test_former_key_of_a_bet_file_names_the_present_one(key):
    for text in (f"{key} = true\n{VALID_BET}", VALID_BET.replace("id = ", f"{key} = true\nid = ", 1)):
        with pytest.raises(InputError) as refused:
            combinat.loads(text)
        assert key in str(refused.value)
        assert OLD_KEYS[key] in str(refused.value)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: combinat.par_sheet("TRI-03", 6, house_jackpot=True), "posted_jackpot"),
        (lambda: combinat.par_sheet("TRI-03", 6, watching=True), "counting"),
        (lambda: combinat.analyze("HM-1", 2, hands=2), "max_hands"),
        (lambda: combinat.analyze("HM-1", 2, table={"hands": 2}), "max_hands"),
        (lambda: combinat.analyze("HM-1", 2, table={"blackjack": "6:5"}), "blackjack_pays"),
        (lambda: parse_jurisdiction_tests('[[test]]\nif_not = "x"', "tests.toml"), "consequence"),
    ],
)
def test_former_name_of_an_option_names_the_present_one(call, name):
    with pytest.raises(InputError, match=name):
        call()


def test_former_keys_are_no_keys_of_any_schema():
    schema = sheet_schema()
    keys = set(schema["properties"])
    keys = keys.union(*(part.get("properties", ()) for part in schema["$defs"].values()))
    assert not keys & set(FORMER_KEYS)
    assert set(FORMER_KEYS.values()) <= keys


def test_commands_with_many_options_take_a_file():
    for names, command in iter_commands(get_command(app)):
        options = [parameter.opts for parameter in command.params if parameter.param_type_name == "option"]
        if len(options) > 20 and names != ("design",):  # the bet of `design` may be a file with all targets
            assert ["--table"] in options, names
