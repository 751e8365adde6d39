"""A new kind of bet is one new module: a toy of an experiment, registered here, serves every command."""

import json
import subprocess
import sys
from fractions import Fraction
from itertools import permutations
from math import perm

import pytest

from combinat.analysis.closed_form import formulas, house_edge_formula
from combinat.bets.load import parse
from combinat.enumeration import experiment
from combinat.enumeration.experiment import parse_deal, register
from combinat.study import study
from decks import Composition, Rank, Shoe
from decks.cards import ALL_CARDS
from reports.publish.sheets import EXTENSIONS

FILE = """
bet = "First ace"
deal = "until ace"

[hands]
"Ace at once" = "cards == 1"
"Ace after a pair" = "pair and has(A)"
"Five low cards" = "cards == 5 and high <= 9"

[[paytable]]
id = "ACE-1"
decks = "1-8"
awards = [
  { hand = "Ace at once", pays = "5 to 1" },
  { hand = "Ace after a pair", pays = "10 to 1" },
  { hand = "Five low cards", pays = "2 to 1" },
]
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(experiment, "_KINDS", dict(experiment._KINDS))
    register("until ace", r"^\s*until ace\s*$", "tests.combinat.toy_experiment")


@pytest.fixture
def paytable():
    (found,), problems = parse(FILE, "ace.toml")
    assert problems == ()
    return found


def dealt_one_by_one(composition):
    """Deal every order of the first five physical cards, and judge what is drawn by the words of the awards."""
    counts = {"Ace at once": 0, "Ace after a pair": 0, "Five low cards": 0, None: 0}
    for order in permutations([card for card, copies in composition for _ in range(copies)], 5):
        ranks = [card.rank for card in order]
        hand = ranks[: ranks.index(Rank.ACE) + 1] if Rank.ACE in ranks else ranks
        before = [rank for rank in hand if rank != Rank.ACE]
        if len(hand) == 1:
            counts["Ace at once"] += 1
        elif Rank.ACE in hand and len(set(before)) == len(before) - 1:
            counts["Ace after a pair"] += 1
        elif len(hand) == 5 and max(hand) <= 9:
            counts["Five low cards"] += 1
        else:
            counts[None] += 1
    return counts


def test_toy_counts_what_dealing_card_by_card_counts(paytable):
    small = Composition.of(card for card in ALL_CARDS if card.rank in (2, 9, 10, 14) and card.suit < 3)
    ways = paytable.experiment.weigh(small)
    counted = dealt_one_by_one(small)
    assert ways.cycle == perm(12, 5)
    assert [*ways.wins, ways.losing] == list(counted.values())


@pytest.mark.parametrize("decks", [1, 6])
def test_toy_weighs_full_decks_as_its_tally_does(paytable, decks):
    shoe = Shoe(decks)
    assert paytable.experiment.weigh(shoe.composition) == paytable.tally.at(decks)


def test_toy_has_closed_forms_that_give_its_counts(paytable):
    found = study(paytable, Shoe(6)).analysis
    ways = {one.name: one.ways for one in formulas(paytable)}
    assert int(ways["Ace at once"].subs("n", 6)) == found.lines[0].ways
    edge, _ = house_edge_formula(paytable)
    assert Fraction(str(edge.subs("n", 6))) == found.house_edge.constant
    assert found.lines[0].probability == Fraction(1, 13)


def test_toy_refuses_words_that_its_cards_do_not_tell():
    _, problems = parse(FILE.replace("cards == 1", "suited"), "ace.toml")
    assert "'suited' asks for suits, which are not looked at" in problems[0]
    assert parse_deal(" until ace").kind == "until ace"


def run(arguments, folder):
    """Run the program in a process of its own, in which the toy is registered as any other experiment is."""
    program = (
        "import sys\n"
        "from combinat.enumeration.experiment import register\n"
        "register('until ace', 'until ace', 'tests.combinat.toy_experiment')\n"
        "from reports.cli.main import main\n"
        f"sys.argv = {['combinat', *arguments]!r}\n"
        "main()\n"
    )
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=False)


@pytest.fixture
def folder(tmp_path, request):
    (tmp_path / "ace.toml").write_text(FILE)
    (tmp_path / "tests").symlink_to(request.config.rootpath / "tests", target_is_directory=True)
    return tmp_path


def test_every_command_serves_the_toy_without_another_line(folder):
    shown = run(["show", "ace.toml", "--decks", "6"], folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "the cards drawn until the first ace, five at most" in shown.stdout
    assert "Ace at once" in shown.stdout
    odds = run(["odds", "cards == 1", "--deal", "until ace", "--decks", "1,8"], folder)
    assert (odds.returncode, odds.stdout.count("1/13")) == (0, 2)
    formula = run(["formula", "ace.toml"], folder)
    assert (formula.returncode, "House edge" in formula.stdout) == (0, True)
    checked = run(["check", "ace.toml"], folder)
    assert (checked.returncode, checked.stderr) == (0, "")
    ledger = run(["ledger", "ace.toml", "--decks", "6"], folder)
    assert ledger.returncode == 0
    heading, *rows = ledger.stdout.splitlines()
    assert heading == "drawn,ways,probability,award,pays"
    assert sum(int(row.split(",")[1]) for row in rows) == perm(312, 5)


def test_sheets_of_the_toy_are_written_in_every_format(folder):
    done = run(["parsheet", "ace.toml", "--decks", "6", "--format", "all", "--output", "out"], folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.suffix[1:] for path in (folder / "out").iterdir()} == set(EXTENSIONS.values())
    sheet = json.loads((folder / "out" / "ACE-1_6-decks.json").read_text())
    assert sheet["awards"][0]["probability"] == "1/13"
    assert any("no second method" in check["result"] for check in sheet["checks"])
    verified = run(["verify", "out/ACE-1_6-decks.json"], folder)
    assert "not checked: no second method for the deal 'until ace'" in verified.stdout + verified.stderr


def test_a_file_is_loaded_and_enumerated_once_however_often_it_is_named(tmp_path, monkeypatch):
    from combinat.bets.lookup import resolve
    from combinat.enumeration.fixed.fixed_deal import FixedDeal

    (tmp_path / "pair.toml").write_text(
        'bet = "Pair"\ndeal = "player:2"\n[[paytable]]\nid = "P"\ndecks = "1-8"\n'
        'awards = [{ name = "Pair", when = "pair", pays = "11 to 1" }]\n'
    )
    enumerated = []
    tally = FixedDeal.tally
    monkeypatch.setattr(FixedDeal, "tally", lambda trial: enumerated.append(trial) or tally(trial))
    found = [study(resolve(str(tmp_path / "pair.toml"))[0], Shoe(decks)) for decks in range(1, 9)]
    assert len({id(one.paytable) for one in found}) == 1
    assert len(enumerated) == 1
