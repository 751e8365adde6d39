"""Answers to the questions of the Python API: JSON as the generated schema says, pickling, and HTML."""

import pickle
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

import combinat
from combinat.results.answer import answer_schema
from combinat.results.catalog import CatalogEntry
from combinat.results.table import AnswerTable
from decks import InputError, Shoe

ANSWERS = {
    "odds": lambda: combinat.odds("suited", "player:2", 6, given="pair"),
    "odds of an impossible rule": lambda: combinat.odds("pair and not pair", "player:2", 6),
    "joint": lambda: combinat.joint(["TRI-01=10", "TRI-03"], 6, spots=2),
    "joint at many spots": lambda: combinat.joint("TRI-03", 2, spots=5),
    "joint with a meter": lambda: combinat.joint(["BLZ-1-UP", "TRI-03"], 6, stakes=[2, "1.50"], meters=25000),
    "removal": lambda: combinat.removal("TRI-03", 2, removed="As"),
    "removal with an open meter": lambda: combinat.removal("BLZ-1-UP", 6),
    "removal of a parlay": lambda: combinat.removal("HM-2", 1, max_hands=1, strategy="basic"),
    "removal from a game with settings": lambda: combinat.removal("L9", 6),
    "judge": lambda: combinat.judge("TRI-03", "As Ks 9s"),
    "judge with an open meter": lambda: combinat.judge("BLZ-1-UP", "7h 7h 7h"),
    "check": lambda: combinat.check(["TRI-03", "TRI-04"]),
    "check with findings": lambda: combinat.check("tests/data/loses_two.toml"),
}
TABLES = {
    "words": lambda: combinat.words(),
    "words of a deal": lambda: combinat.words("baccarat"),
    "removal": lambda: combinat.removal("TRI-03", [2, 6]),
    "joint": lambda: combinat.joint(["TRI-01", "TRI-03"], [4, 6]),
    "odds": lambda: combinat.odds("suited", decks=[2, 6]),
}


def check(answer, data):
    """Check an answer: its JSON against the schema of its class, and that it survives pickling."""
    validator = Draft202012Validator(answer_schema([type(answer)]))
    validator.validate([data])
    assert data["format"] == "combinat answer 3"
    assert not validator.is_valid([{}])
    assert pickle.loads(pickle.dumps(answer)) == answer


@pytest.mark.parametrize("name", ANSWERS)
def test_json_of_an_answer_follows_its_schema(name):
    answer = ANSWERS[name]()
    check(answer, answer.to_dict())
    assert answer._repr_html_().startswith("<table>")
    assert len(repr(answer)) < 200


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_a_row_for_each_answer(name):
    table = TABLES[name]()
    assert isinstance(table, AnswerTable)
    assert len(table) > 1
    for answer, data in zip(table, table.to_dict(), strict=True):
        check(answer, data)
    assert pickle.loads(pickle.dumps(table)) == table == table[:]
    assert table[:1] != table
    assert "<table>" in table._repr_html_()


def test_odds_at_deck_counts_and_shoes():
    table = combinat.odds("pair", "player:2")
    assert [row.decks for row in table] == [1, 2, 4, 5, 6, 7, 8]
    assert table.at(6) == combinat.odds("pair", "player:2", 6)
    assert combinat.odds("pair", "player:2", Shoe(1, removed="7h 7d 7s")).ways == 12 * 6
    assert f"{table.at(1).probability:.2%}" == "5.88%"
    assert table.at(1).to_dict()["probability"] == "1/17"
    assert combinat.odds("player.has(7)", decks=6, given="suited").probability == Fraction(149, 1001)
    with pytest.raises(InputError, match="no row for 3 decks"):
        table.at(3)


def test_joint_of_wagers():
    both = combinat.joint(["TRI-01=10", "TRI-03=5"], decks=6, spots=2)
    assert both == combinat.joint(["TRI-01", combinat.load("TRI-03")], 6, stakes=[10, 5], spots=2)
    assert both.staked == 15
    assert sum(row.probability for row in both.results) == sum(row.probability for row in both.total) == 1
    assert both.spots.mean == 2 * both.mean == -2 * both.house_edge * both.staked
    assert f"{both.standard_deviation:.3f}" == f"{float(both.standard_deviation):.3f}"
    edges = [combinat.analyze(id, 6).house_edge for id in ("TRI-01", "TRI-03")]
    assert [wager.house_edge for wager in both.wagers] == edges
    assert both.house_edge == (10 * edges[0] + 5 * edges[1]) / 15
    assert repr(both) == "<10 on TRI-01 and 5 on TRI-03, 6 decks: house edge 3.6299% of the total stake>"
    with pytest.raises(InputError, match=r"decks=\[4, 5, 6, 7, 8\] for a table"):
        combinat.joint("TRI-01")
    with pytest.raises(InputError, match="2 bets and 1 stakes"):
        combinat.joint(["TRI-01", "TRI-03"], 6, stakes=[1])


def test_removal_of_a_card():
    full, without = (combinat.analyze("TRI-03", 6, removed=cards).house_edge for cards in ("", "As"))
    answer = combinat.removal("TRI-03", 6)
    assert (answer.house_edge, answer["As"].house_edge, answer["As"].change) == (full, without, without - full)
    assert (answer.mean_change, answer.strategy_recomputed) == (0, False)
    assert answer.to_dict()["effects"][0]["copies"] == answer.effects[0].copies
    with pytest.raises(InputError, match="no joker"):
        answer["joker"]


def test_a_hand_is_judged_by_the_order_of_the_deal_or_by_role():
    flush = combinat.judge("TRI-03", "As Ks 9s")
    by_role = {"player": "As Ks", "up": "9s"}
    assert flush == combinat.judge("TRI-03", by_role) == combinat.judge("TRI-03", **by_role)
    assert flush == combinat.judge("TRI-03", hand=["As", "Ks", "9s"], decks=6)
    assert repr(flush) == "<As Ks 9s: Flush, pays 5 to 1>"
    assert flush.awards[0].why == "not (ace, king and queen) (As Ks 9s)"
    assert [(ruling.matches, ruling.paid) for ruling in flush.awards] == [(False, False)] * 4 + [(True, True)]
    with pytest.raises(InputError, match="no option 'up'"):
        combinat.judge("TRI-03", "As Ks 9s", up="9s")
    with pytest.raises(InputError, match="one shoe"):
        combinat.judge("TRI-03", "As Ks 9s", decks=[2, 6])


def test_ledger_lists_outcomes_up_to_a_limit():
    ledger = combinat.ledger("TRI-03", 6)
    assert sum(outcome.ways for outcome in ledger) == ledger.cycle == combinat.analyze("TRI-03", 6).cycle
    assert pickle.loads(pickle.dumps(ledger)) == ledger != combinat.ledger("TRI-03", 6, limit=2)
    first, second = combinat.ledger("TRI-03", 6, limit=2)
    for outcome in (first, second):
        check(outcome, outcome.to_dict())
    assert (first.award, first.pays_text) == ("Mini royal", "100 to 1")
    assert combinat.ledger("TRI-03", 6, limit=2).to_dict() == [first.to_dict(), second.to_dict()]
    assert "864" in ledger._repr_html_()
    assert combinat.ledger("BLZ-1-PC-PEEK", 6, up=7) != combinat.ledger("BLZ-1-PC-PEEK", 6)
    with pytest.raises(InputError, match="limit must be 1 or more, got 0"):
        combinat.ledger("TRI-03", 6, limit=0)
    with pytest.raises(InputError, match="one paytable and one number of decks"):
        combinat.ledger("TRI-03")


def test_catalog_entries_name_their_collection(tmp_path):
    ties = combinat.catalog(words="tie", collection="baccarat")
    validator = Draft202012Validator(answer_schema([CatalogEntry]))
    validator.validate(ties.to_dict())
    assert {entry["collection"] for entry in ties.to_dict()} == {"baccarat"}
    assert len(combinat.catalog()) > len(combinat.catalog(collection="main"))
    path = tmp_path / "mine.toml"
    path.write_text(combinat.load("TRI-03").bet.file.replace("TRI-0", "MINE-0"))
    (entry,) = combinat.catalog(path, words=["mine-03"]).to_dict()
    assert (entry["paytable"], entry["collection"]) == ("MINE-03", None)
    with pytest.raises(InputError, match="did you mean"):
        combinat.catalog(words="trilix")


def test_check_of_a_file_that_cannot_be_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("bet = 1\n")
    found = combinat.check(path)
    assert not found.ok
    assert "mine.toml" in found.problems[0]
    assert repr(combinat.check("TRI-03")) == "<ok>"
