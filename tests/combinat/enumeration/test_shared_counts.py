"""Shared counts: equal rules are counted once, and nothing more than needed."""

from itertools import islice

from msgspec.structs import replace

from combinat.bets import catalog as lookup
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from decks import Shoe


def test_catalog_files_are_cached():
    assert (
        sum(len(lookup.collection_files(collection)) for collection in lookup.list_collections())
        <= lookup._load_collection_file.cache_info().maxsize
    )


def test_paytables_with_other_pays_share_counts():
    original = replace(get_paytable("TRI-03"))  # catalog entries cached by other tests may have been evicted
    other = replace(original, awards=tuple(replace(award, pay=parse_pay("7 to 1")) for award in original.awards))
    assert other.experiment is original.experiment
    assert other.tally is original.tally


def test_different_rules_or_packs_share_no_counts():
    paytable = get_paytable("TRI-03")
    assert replace(paytable, awards=paytable.awards[:-1]).experiment is not paytable.experiment
    assert replace(paytable, bet=replace(paytable.bet, roles_distinct=True)).experiment is not paytable.experiment


def test_large_ledger_starts_at_once():
    experiment = get_paytable("BLZ-1-PC-PEEK").experiment
    first = list(islice(experiment.outcomes(Shoe(6).composition), 1000))
    assert [outcome.award for outcome in first] == sorted(outcome.award for outcome in first)
    assert len({outcome.roles for outcome in first}) == 1000
