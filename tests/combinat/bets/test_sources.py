"""The source documents clause by clause, and the effects of assumptions."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from combinat.alternatives import assumption_effects
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.sources import STATUSES, clauses_of, load_documents
from combinat.study import build_study
from decks import Shoe


def test_clauses_have_a_status_a_place_and_known_bets():
    bets = {paytable.bet.name for paytable in iter_collection()}
    clauses = [clause for document in load_documents() for clause in document.clause]
    assert {clause.status for clause in clauses} == set(STATUSES)
    assert all(clause.text and clause.where and clause.bets for clause in clauses)
    assert {bet for clause in clauses for bet in clause.bets} == bets
    assert Counter(clause.status for clause in clauses) == {"modelled": 203, "stated": 157, "procedural": 157}


RULES = {
    "TriLux Deluxe": {"rule": "1 2 3 4 5 5a 5b 6"},
    "Lucky 9": {
        "Lucky 9, rule": "1 2 3 4 4a 4b 4c 5 5a 5b 6 6a 6b 6c",
        "21+3 Progressive, rule": "1 2 3",
        "Suited or Booted, rule": "1 2 3 3a 4",
    },
    "WSGC 2024": {
        "TriLux Blackjack rules": "1 1a 2 3 4 5 6 7 7a 7b",
        "Bust Bonanza": "1 2 3 4 5 6",
        "TriLux Blackjack Jackpot": "1 2 3 4 5 6 7 8 9a 9b 9c 9d 9e 9f 9g 10",
        "Blazing 7's, player's cards": "1 2 3 4 5 6 7 8 8a 9 10 10a 11 11a 11b 12 13a 13b 13c 13d 13e 13f 13g 13h",
        "Blazing 7's, dealer's up card": "1 2 3 4 5 6 7 8 8a 9 9a 9b 10 11a 11b 11c 11d 11e 11f 11g 11h",
    },
    "WSGC rules": {
        "TriLux Blackjack rules": "1 1a 2 3 4 5 6 7 7a 7b",
        "Blazing 7's, player's cards": "1 2 3 4 5 6 7 8 8a 9 10 10a 11 11a 11b 12 13a 13b 13c 13d 13e 13f 13g 13h",
        "Blazing 7's, dealer's up card": "1 2 3 4 5 6 7 8 8a 9 9a 9b 10 11a 11b 11c 11d 11e 11f 11g 11h",
    },
    "WSGC 2020": {
        "House Money": "1 2 3 4 4a 4b 5 6",
        "Blazing 7's, player's cards": "1 2 3 4 5 6 7 8 8a 9 10 10a 11 11a 11b 12 13a 13b 13c 13d 13e 13f 13g 13h",
        "Blazing 7's, dealer's up card": "1 2 3 4 5 6 7 8 8a 9 9a 9b 10 11a 11b 11c 11d 11e 11f 11g 11h",
        "TriLux Blackjack Progressive": "1 2 3 4 5 6 7 8 9a 9b 9c 9d 9e 9f 9g 10",
    },
}
"""The numbered rules of each chapter of each document, read off the documents."""


@pytest.mark.parametrize("label", RULES)
def test_every_numbered_rule_has_a_row(label):
    (document,) = [document for document in load_documents() if document.label == label]
    for chapter, numbers in RULES[label].items():
        pattern = re.compile(re.escape(chapter) + r" (\d+[a-h]?)(?!\d)")
        rows = [match[1] for clause in document.clause if (match := pattern.match(clause.section))]
        assert list(dict.fromkeys(rows)) == numbers.split(), chapter


def test_every_clause_is_on_a_sheet_of_its_paytables_only():
    shown = {clause for paytable in iter_collection() for _, clause in clauses_of(paytable)}
    assert {clause for document in load_documents() for clause in document.clause} == shown
    sections = {clause.section for _, clause in clauses_of(get_paytable("TRI-03"))}
    assert [section for section in sections if "TRI-01" in section or "TRI-02" in section] == []


def test_every_paytable_of_the_sources_has_a_clause_matrix():
    for paytable in iter_collection():
        assert clauses_of(paytable), paytable.id
        assert paytable.clause, paytable.id
        assert paytable.bet.rules_of_play, paytable.id
        assert paytable.assumptions, paytable.id


def test_lucky_9_without_the_makers_pay():
    effects = assumption_effects(build_study(get_paytable("L9"), Shoe(6)))
    (edge,) = [effect.edge for effect in effects if effect.assumption.origin == "maker" and effect.edge is not None]
    assert round(edge, 5) == Fraction("0.03476")
