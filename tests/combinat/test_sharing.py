"""What is shared: the same rules are counted once, and only what is asked for."""

from itertools import islice

import pytest
from msgspec.structs import replace

from combinat.analysis.odds import iter_rule_odds
from combinat.bets import catalog as lookup
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.experiment import FixedExperiment
from decks import Shoe, parse_cards


def test_every_file_of_the_catalog_is_kept_once_it_is_read():
    assert (
        sum(len(lookup.collection_files(shelf)) for shelf in lookup.list_collections())
        <= lookup._load_collection_file.cache_info().maxsize
    )


def test_paytables_that_differ_only_in_pays_are_counted_once():
    one = replace(get_paytable("TRI-03"))  # what others asked of the catalog may have been let go since
    other = replace(one, awards=tuple(replace(award, pay=parse_pay("7 to 1")) for award in one.awards))
    assert other.experiment is one.experiment
    assert other.tally is one.tally


def test_rules_or_packs_that_differ_are_not_shared():
    one = get_paytable("TRI-03")
    assert replace(one, awards=one.awards[:-1]).experiment is not one.experiment
    assert replace(one, bet=replace(one.bet, roles_distinct=True)).experiment is not one.experiment


@pytest.mark.parametrize("deal", ["player:2, up:1", "dealer:h17"])
def test_odds_of_shoes_that_all_lack_cards_count_no_full_decks(deal, monkeypatch):
    for kind in (FixedExperiment, DealerExperiment, FixedEnumerator):
        monkeypatch.setattr(kind, "tally", None, raising=False)
    shoes = [Shoe(decks, removed=parse_cards("7h 7d")) for decks in (2, 6)]
    assert len(list(iter_rule_odds("has(7)", parse_deal(deal), shoes))) == 2


def test_a_ledger_of_millions_of_classes_begins_at_once():
    trial = get_paytable("BLZ-1-PC-PEEK").experiment
    first = list(islice(trial.outcomes(Shoe(6).composition), 1000))
    assert [one.award for one in first] == sorted(one.award for one in first)
    assert len({one.roles for one in first}) == 1000
