"""The second method deals ranks alone where no rule asks for suits; that counts what dealing card by card does."""

import pytest

from combinat.verify.bet import Bet
from combinat.verify.counting import Ways
from combinat.verify.fixed_deals import FixedDeals
from combinat.verify.patterns import patterns_of

DECKS = (0, 1, 2, 6)  # infinitely many first


def bet_of(deal, rules, removed=(), pack="standard", meter=""):
    awards = [{"rule": rule, "pays_text": meter or "1 to 1"} for rule in rules]
    shoe = {"pack": pack, "decks": 6, "removed": list(removed)}
    return Bet({"deal": deal, "awards": awards, "roles_told_apart": True, "given": None} | shoe)


def counted(bet):
    deals = FixedDeals(bet)
    return deals, [Ways({(0, bet.deal.cards): deals.ways(decks)}).together for decks in DECKS]


@pytest.mark.parametrize(
    ("deal", "rules"),
    [
        ("player:1, dealer:1", ["player.rank > dealer.rank", "player.rank == dealer.rank"]),
        ("player:2, up:1", ["three of a kind", "player.pair", "player.total > 18 and up.rank == 7"]),
        ("player:3", ["straight", "pair", "has(7)"]),
    ],
)
@pytest.mark.parametrize(("removed", "pack"), [((), "standard"), (("7s", "7s", "7h", "Ac"), "spanish")])
def test_ranks_alone_count_what_cards_count(deal, rules, removed, pack, monkeypatch):
    monkeypatch.setattr("combinat.verify.fixed_deals.MOST_LISTED", 0)  # no hand is kept to be dealt to several spots
    bet = bet_of(deal, rules, removed, pack)
    assert bet.seen.asks_for_ranks_only
    by_ranks, ways = counted(bet)
    monkeypatch.setattr(FixedDeals, "list_ranks", FixedDeals.list_cards)
    by_cards, expected = counted(bet)
    assert ways == expected
    assert sum(by_ranks.deals.values()) == sum(by_cards.deals.values()) == (4 * len(bet.shoe.ranks)) ** bet.deal.cards
    if not removed:
        assert patterns_of(by_ranks, len(rules)) == patterns_of(by_cards, len(rules))


@pytest.mark.parametrize("rule", ["suited", "player.has(7s)", "identical", "same color", "player.suit == up.suit"])
def test_where_a_rule_asks_for_suits_cards_are_dealt(rule, monkeypatch):
    monkeypatch.setattr("combinat.verify.fixed_deals.MOST_LISTED", 0)
    monkeypatch.delattr(FixedDeals, "list_ranks")
    assert FixedDeals(bet_of("player:1, up:1", ["player.has(7)", rule])).deals.total() == 52**2


def test_hands_that_take_a_meter_are_listed_card_by_card(monkeypatch):
    """How seats share a meter depends on the very cards."""
    monkeypatch.setattr("combinat.verify.fixed_deals.MOST_LISTED", 0)
    found = FixedDeals(bet_of("player:2", ["pair"], meter="100% of meter")).jackpots
    assert len(found) == 13 * 10
