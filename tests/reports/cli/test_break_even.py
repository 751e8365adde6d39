"""`meter break-even` gives one result for each deck count."""

import json
from pathlib import Path

import pytest

BET = "tests/data/meters.toml"


def test_several_deck_counts_give_one_answer_each(run):
    code, out, err = run("meter", "break-even", BET, "--decks", "6,8", "--any-decks", "--format", "json")
    assert (code, err) == (0, "")
    answers = json.loads(out)
    assert [answer["decks"] for answer in answers] == [6, 8]
    for answer in answers:
        alone = run("meter", "break-even", BET, "-d", str(answer["decks"]), "--any-decks", "--format", "json")[1]
        assert json.loads(alone) in (answer, [answer])


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "latex"])
def test_several_deck_counts_are_printed_in_order(run, format):
    shared = ("meter", "break-even", BET, "--any-decks", "--format", format)
    alone = [run(*shared, "--decks", decks)[1] for decks in ("6", "8")]
    assert run(*shared, "--decks", "6,8") == (0, "".join(alone), "")


def test_several_paytables_are_refused(run, tmp_path):
    text = Path(BET).read_text(encoding="utf-8")
    head, _, table = text.partition("[[paytable]]")
    path = tmp_path / "two.toml"
    path.write_text(f"{head}[[paytable]]{table}\n[[paytable]]{table.replace('METERS', 'OTHER')}", encoding="utf-8")
    code, out, err = run("meter", "break-even", path, "--decks", "6")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "one paytable" in err
