"""A word about suits that the language does not have: fixed deals count it, a dealer's draw refuses it."""

from itertools import combinations

import pytest

from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from combinat.language.words import ANY_SIZE, FACTS, Word
from decks import InputError, Rank, find_pack
from tests.slow.deals import physical_cards

THREE_RANKS = find_pack("standard without 2 3 4 5 6 7 8 9 10 A")


@pytest.fixture(autouse=True)
def every_suit(monkeypatch):
    # A word without a space: the parser keeps the list of phrases.
    word = Word("allsuits", "every suit occurs", ANY_SIZE, suits=lambda suits: len(set(suits)) == 4)
    monkeypatch.setitem(FACTS, word.name, word)


@pytest.mark.parametrize("rule", ["dealer.allsuits", "dealer.bust and not dealer.allsuits"])
def test_unknown_suit_test_is_refused_for_a_dealers_draw(rule):
    with pytest.raises(InputError, match="allsuits"):
        parse_rule(rule, parse_deal("dealer:h17"))


@pytest.mark.parametrize("rule", ["dealer.suited", "dealer.same color", "dealer.straight flush"])
def test_one_suit_and_one_color_are_counted_in_a_dealers_draw(rule):
    assert parse_rule(rule, parse_deal("dealer:h17"))


@pytest.mark.parametrize(
    ("rule", "is_match"),
    [
        ("allsuits", lambda ranks: True),  # noqa: ARG005
        ("allsuits and count(K) == 2", lambda ranks: ranks.count(Rank.KING) == 2),
        ("allsuits and three of a kind", lambda ranks: sorted(map(ranks.count, ranks)) == [1, 1, 3, 3, 3]),
    ],
)
@pytest.mark.parametrize("deck_count", [1, 2])
def test_unknown_suit_test_is_counted_for_fixed_deals(rule, is_match, deck_count):
    deal = parse_deal("player:5")
    composition = THREE_RANKS.composition * deck_count
    ladder = Ladder((parse_rule(rule, deal),))
    matches = sum(
        len({card.suit for card in hand}) == 4 and is_match([card.rank for card in hand])
        for hand in combinations(physical_cards(composition), 5)
    )
    experiment = FixedExperiment(deal, THREE_RANKS, ladder, False)
    assert experiment.count(composition).wins == (matches,)
    assert experiment.tally().at(deck_count).wins == (matches,)
