"""The plain verifier's packs with jokers, compared with closed forms."""

from math import comb

from combinat.verifier.deal import Bet, FixedDeal, Shoe
from combinat.verifier.pack import count_rows
from combinat.verifier.rules import Rule


def test_joker_has_no_suit():
    """Two cards of a suit and the joker are a flush with two cards of that suit."""
    shoe = Shoe((2, 5, 9, 13, 14), "cdhs", 1, True, 1)
    texts = [f"best three.flush and count({kind}) == 2" for kind in ("hearts", "red", "clubs")]
    bet = Bet({"player": 3}, shoe, [Rule(text, ("player",)) for text in texts], None, False)
    counts = FixedDeal(bet, 1, len(texts), frozenset(), count_rows(bet)).counts(1, len(texts))
    assert counts.matching == [comb(5, 2), 2 * comb(5, 2), comb(5, 2)]
    assert counts.cycle == comb(21, 3)
