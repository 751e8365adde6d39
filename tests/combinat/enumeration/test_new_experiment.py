"""A new experiment is one module: a toy experiment registered here is served by every command."""

import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import perm
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from combinat import words
from combinat.analysis.closed_form import award_formulas, case_formulas, house_edge_formula
from combinat.bets.load import parse_bet
from combinat.enumeration import experiment
from combinat.enumeration.experiment import parse_deal, register
from combinat.enumeration.tally import NoHandError
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from combinat.results.formula import FormulaAnswer
from combinat.results.par_sheet import sheet_schema
from combinat.study import build_study
from decks import Composition, InputError, Rank, Shoe, find_pack
from decks.cards import ALL_CARDS
from reports.answers.formulas import formula_document
from reports.render.formats import FORMATS, sheet_formats
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.derivation import derivation_section
from reports.sheet.sections.request import Request
from tests.combinat.enumeration import toy_experiment
from tests.slow_cases import slow_case

PACK = "standard without 3 4 5 8 J Q K"
"""A pack of few ranks, whose hands are listed quickly."""
FEW = find_pack(PACK)
FILE = f"""
bet = "First ace"
deal = "until ace"
pack = "{PACK}"

[hands]
"Ace at once" = "cards == 1"
"Ace after a pair" = "pair and has(A)"
"Five low cards" = "cards == 5 and high <= 9"

[[paytable]]
id = "ACE-1"
decks = "1-8"
awards = [
  {{ hand = "Ace at once", pays = "5 to 1" }},
  {{ hand = "Ace after a pair", pays = "10 to 1" }},
  {{ hand = "Five low cards", pays = "2 to 1" }},
]
"""

SEEN = f"""
bet = "Low cards first"
deal = "until ace first card seen"
pack = "{PACK}"

[[paytable]]
id = "LOW-1"
decks = "1-8"
awards = [
  {{ name = "Three low cards", when = "low cards == 3 and has(A)", pays = "20 to 1" }},
  {{ name = "Ace at once", when = "cards == 1", pays = "5 to 1" }},
  {{ name = "Most of them low", when = "low cards >= 3", pays = "1 to 1" }},
]
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setattr(experiment, "_KINDS", dict(experiment._KINDS))
    register("until ace", r"^\s*until ace( first card seen)?\s*$", "tests.combinat.enumeration.toy_experiment")


@lru_cache(maxsize=None)
def read(text, name):
    (result,), problems = parse_bet(text, name)
    assert problems == ()
    return result


@pytest.fixture
def paytable():
    return read(FILE, "ace.toml")


def dealt_one_by_one(composition):
    """Deal every order of five physical cards and judge the drawn ones by the words of the awards."""
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


def test_counts_match_dealing_card_by_card(paytable):
    small = Composition.of(card for card in ALL_CARDS if card.rank in (2, 7, 9, 10, 14) and card.suit < 2)
    ways = paytable.experiment.count(small)
    counted = dealt_one_by_one(small)
    assert ways.cycle == perm(10, 5)
    assert [*ways.wins, ways.losing] == list(counted.values())


@pytest.mark.parametrize("decks", [1, 6])
def test_tally_matches_counts_of_full_decks(paytable, decks):
    shoe = Shoe(decks, FEW)
    assert paytable.experiment.count(shoe.composition) == paytable.tally.at(decks)


def test_closed_forms_match_the_counts(paytable):
    result = build_study(paytable, Shoe(6, FEW)).analysis
    ways = {formula.name: formula.ways for formula in award_formulas(paytable)}
    assert int(ways["Ace at once"].subs("n", 6)) == result.lines[0].ways
    edge, _ = house_edge_formula(paytable)
    assert Fraction(str(edge.subs("n", 6))) == result.house_edge.constant
    assert result.lines[0].probability == Fraction(1, 6)


def test_words_about_unknown_cards_are_refused():
    _, problems = parse_bet(FILE.replace("cards == 1", "suited"), "ace.toml")
    assert "'suited' asks for suits, which are not looked at" in problems[0]
    assert parse_deal(" until ace").kind == "until ace"


@pytest.fixture
def seen():
    return read(SEEN, "low.toml")


def judged_by_first_card(cards):
    """Deal every order of five physical cards; count by first card, award and whether an ace came."""
    counts = Counter()
    for order in permutations(cards, 5):
        ranks = [card.rank for card in order]
        hand = ranks[: ranks.index(Rank.ACE) + 1] if Rank.ACE in ranks else ranks
        low, ended = len([rank for rank in hand if 2 <= rank <= 6]), Rank.ACE in hand
        award = 0 if low == 3 and ended else 1 if len(hand) == 1 else 2 if low >= 3 else None
        counts[str(ranks[0]), award, ended, len(hand)] += 1
    return counts


KEPT = [card for card in ALL_CARDS if card.rank in (2, 6, 7, 14) and card.suit < 2]
SMALL = Shoe(1, FEW, tuple(card for card in ALL_CARDS if card.rank in FEW.ranks and card not in KEPT))


def test_word_view_and_derivation_match_dealing_card_by_card(seen):
    counted = judged_by_first_card(KEPT)
    study = build_study(seen, SMALL)

    def dealt(first=None, award="any", ended=None, cards=None):
        arguments = (first, award, ended, cards)
        free = (None, "any", None, None)
        return sum(
            n for key, n in counted.items() if all(a in (b, c) for a, b, c in zip(arguments, free, key, strict=True))
        )

    ways = study.analysis.ways
    assert [*ways.wins, ways.losing] == [dealt(award=award) for award in (0, 1, 2, None)]
    ((view, cases),) = study.views
    assert [case.name for case in cases] == ["2", "6", "7", "A"]
    for case, condition in zip(cases, view.conditions(SMALL), strict=True):
        first = case.name
        assert condition.ways.cycle == dealt(first)
        assert condition.ways.wins == tuple(dealt(first, award) for award in (0, 1, 2))
        assert case.probability == Fraction(dealt(first), perm(8, 5))
        assert case.extras == {"ace": Fraction(dealt(first, ended=True), dealt(first))}
    steps = {(step.award, step.values[0]): step.values[-1] for step in study.derivation.steps if step.values[-1]}
    assert steps == {
        (award, cards): count
        for award in (0, 1, 2, None)
        for cards in range(1, 6)
        if (count := dealt(award=award, cards=cards))
    }


def test_closed_forms_of_the_view_match_its_probabilities(seen):
    (view,) = seen.experiment.views()
    result = {formula.name: formula for formula in case_formulas(seen, view)}
    for decks in (1, 6):
        conditions = view.conditions(Shoe(decks, FEW))
        assert len(result) == len(conditions) == 6
        for condition in conditions:
            assert Fraction(str(result[condition.name].probabilities[0].subs("n", decks))) == condition.extras["ace"]


def formulas_shown(paytable):
    shown = formula_document(paytable), FormulaAnswer.of(paytable).to_dict()
    return "House edge" in [figure.label for figure in shown[0].figures], "house_edge" in shown[1]


@pytest.mark.slow  # fast: test_closed_forms_match_the_counts
def test_awards_have_closed_forms_without_those_of_the_view(seen, monkeypatch):
    assert formulas_shown(seen) == (False, False)
    with monkeypatch.context() as patch:
        patch.setattr(toy_experiment.FirstCard, "extra_tallies", lambda _: ())
        assert formulas_shown(seen) == (True, True)
    monkeypatch.setattr(toy_experiment.FirstCard, "extras", ())
    assert formulas_shown(seen) == (True, True)


def test_view_closed_forms_need_one_possible_case():
    def given(condition):
        (result,), problems = parse_bet(
            SEEN.replace("[[paytable]]", f'given = "{condition}"\n[[paytable]]'), "low.toml"
        )
        return result if problems == () else pytest.fail(str(problems))

    some = given("low cards == 5")
    assert [formula.name for formula in case_formulas(some, some.experiment.views()[0])] == ["2", "6"]
    none = given("low cards == 3 and cards == 2")
    with pytest.raises(NoHandError):
        formula_document(none)


def test_word_belongs_to_its_experiment():
    deal = parse_deal("until ace")
    assert describe_rule(parse_rule("low cards >= 3", deal), deal) == "the number of low cards is at least 3"
    entry = {"word": "low cards", "kind": "number", "meaning": "how many of the cards are 2 to 6"}
    assert entry in [{key: word[key] for key in entry} for word in words("until ace").to_dict()]
    for other in (None, "player:2"):
        assert "low cards" not in [entry["word"] for entry in words(other).to_dict()]
    with pytest.raises(InputError, match="low"):
        parse_rule("low cards >= 3", parse_deal("player:2"))


def in_a_process(arguments, folder):
    """Run the program in a process in which the toy experiment is registered."""
    program = (
        "import sys\n"
        "from combinat.enumeration.experiment import register\n"
        "register('until ace', 'until ace', 'tests.combinat.enumeration.toy_experiment')\n"
        "from reports.cli.main import main\n"
        f"sys.argv = {['combinat', *arguments]!r}\n"
        "main()\n"
    )
    here = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=False, env=here
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "ace.toml").write_text(FILE)
    (tmp_path / "low.toml").write_text(SEEN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_program_can_register_the_experiment(folder):
    shown = in_a_process(["show", "ace.toml", "--decks", "6"], folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "the cards drawn until the first ace, five at most" in shown.stdout
    assert "Ace at once" in shown.stdout


@pytest.mark.usefixtures("folder")
def test_every_command_serves_the_experiment(run):
    assert run("show", "ace.toml", "--decks", "6")[::2] == (0, "")
    code, out, _ = run("odds", "cards == 1", "--deal", "until ace", "--decks", "1,8", "--pack", PACK)
    assert (code, out.count("1/6")) == (0, 2)
    code, out, _ = run("compare", "ace.toml", "low.toml", "TRI-03", "--decks", "6")
    assert (code, "ACE-1 and LOW-1 and TRI-03" in out) == (0, True)
    code, out, _ = run("formula", "ace.toml")
    assert (code, "House edge" in out) == (0, True)
    assert run("check", "ace.toml")[::2] == (0, "")
    code, out, _ = run("ledger", "ace.toml", "--decks", "6")
    assert code == 0
    heading, *rows = out.splitlines()
    assert heading == "drawn,ways,probability,award,pays"
    assert sum(int(row.split(",")[1]) for row in rows) == perm(6 * 24, 5)


def test_sheets_are_written_in_every_format(run, folder):
    code, _, err = run("parsheet", "ace.toml", "--decks", "6", "--format", "all", "--output", "out")
    assert (code, err) == (0, "")
    assert {path.suffix[1:] for path in (folder / "out").iterdir()} == {
        FORMATS[name].extension for name in sheet_formats()
    }
    sheet = json.loads((folder / "out" / "ACE-1-6D.json").read_text())
    assert sheet["awards"][0]["probability"] == "1/6"
    assert any("no verifier" in check["result"] for check in sheet["checks"])
    _, out, err = run("verify", "out/ACE-1-6D.json")
    assert "no verifier for the deal 'until ace'" in out + err


@pytest.mark.slow  # fast: test_every_command_serves_the_experiment
def test_every_command_serves_word_view_and_derivation(run, folder):
    assert "low cards" in run("words", "--deal", "until ace")[1]
    code, out, err = run("show", "low.toml", "--decks", "6")
    assert (code, err) == (0, "")
    assert "Given the first card" in out
    assert "Ace in time" in out
    formula = run("formula", "low.toml", "--format", "json")[1]
    assert [case["first"] for case in json.loads(formula)[0]["first_cards"]][-1] == "A"
    code, _, err = run("parsheet", "low.toml", "--decks", "6", "--format", "md,xlsx", "--output", "out")
    assert (code, err) == (0, "")
    assert {path.name for path in (folder / "out").iterdir()} == {"LOW-1-6D.md", "LOW-1-6D.xlsx", "checker.html"}
    text = (folder / "out" / "LOW-1-6D.md").read_text()
    assert ". By the first card" in text
    assert "Ways by the number of cards" in text
    assert "the number of low cards is at least 3" in text


@pytest.mark.parametrize("few", [True, slow_case(False)], ids=["two sheets", "four sheets"])
def test_sheets_match_the_schema(paytable, seen, few):
    validator = Draft202012Validator(sheet_schema())
    for bet in (paytable, seen):
        for shoe in [SMALL] if few else [Shoe(6, FEW), SMALL]:
            sheet = json.loads(json.dumps(build_par_sheet(build_study(bet, shoe), Identity(), Fraction(25)).payload))
            assert [error.message[:200] for error in validator.iter_errors(sheet)] == []
            ways = [sum(step["ways"] for step in award["steps"]) for award in sheet["derivation"]]
            assert ways == [award["ways"] for award in sheet["derivation"]]
    assert len(sheet["first_cards"]) == 4
    sheet["first_cards"][0]["ace"] = -1
    sheet["first_cards"][1]["return"] = None
    sheet["derivation"][0]["steps"][0]["ways"] = 0.5
    assert len(list(validator.iter_errors(sheet))) == 3


def test_derivation_parts_are_optional(seen, monkeypatch):
    full = toy_experiment.FirstAce.derivation

    def derived():
        return derivation_section(Request(build_study(seen, Shoe(6, FEW))))

    assert derived().tables[0].rows[-1] == ("all hands", "", "", perm(6 * 24, 5))
    bare = {"all_hands": (), "note": ""}
    monkeypatch.setattr(toy_experiment.FirstAce, "derivation", lambda one, shoe: replace(full(one, shoe), **bare))
    section = derived()
    assert section.tables[0].rows[-1][0] == "no award, in all"
    assert section.notes == ()
    monkeypatch.setattr(toy_experiment.FirstAce, "derivation", lambda *_: None)
    section = derived()
    assert section.tables == ()
    assert "not a number of full decks" not in section.text[0]


def test_file_is_loaded_and_enumerated_once(tmp_path, monkeypatch):
    from combinat.bets.catalog import resolve_paytables
    from combinat.enumeration.fixed.experiment import FixedExperiment

    (tmp_path / "pair.toml").write_text(
        'bet = "Pair"\ndeal = "player:2"\n[[paytable]]\nid = "P"\ndecks = "1-8"\n'
        'awards = [{ name = "Pair", when = "pair", pays = "11 to 1" }]\n'
    )
    enumerated = []
    tally = FixedExperiment.tally
    monkeypatch.setattr(FixedExperiment, "tally", lambda trial: enumerated.append(trial) or tally(trial))
    result = [build_study(resolve_paytables(str(tmp_path / "pair.toml"))[0], Shoe(decks)) for decks in range(1, 9)]
    assert len({id(study.paytable) for study in result}) == 1
    assert len(enumerated) == 1
