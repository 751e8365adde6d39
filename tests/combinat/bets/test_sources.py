"""The source documents clause by clause, and the effects of assumptions."""

from collections import Counter
from fractions import Fraction

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
    assert Counter(clause.status for clause in clauses) == {"modelled": 200, "stated": 156, "procedural": 153}


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
