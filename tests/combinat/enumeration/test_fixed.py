"""Fixed deals: random rules on random small shoes, compared with every ordered deal of physical cards."""

from hypothesis import given
from hypothesis import strategies as st

from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from decks import STANDARD, Pack, Rank
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.deals import count_ladder
from tests.strategies import ladders, pack_with, small_compositions


@given(ladders(), small_compositions)
@tries(40, quick=5)
def test_counts_match_dealing_card_by_card(ladder, composition):
    deal, parsed, apart = ladder
    ways = FixedExperiment(deal, pack_with(composition), Ladder(parsed), apart).count(composition)
    fits, takes, none = count_ladder(composition, deal, parsed, apart)
    assert (list(ways.matches), list(ways.wins), ways.losing) == (fits, takes, none)


@given(ladders(), st.sets(st.sampled_from(list(Rank)), min_size=1, max_size=2), st.integers(1, 2))
@tries(40, quick=4)
def test_tally_of_a_small_pack_matches_its_deals(ladder, ranks, decks):
    deal, parsed, apart = ladder
    decks = 1 if len(ranks) > 1 or deal.card_count > 3 else decks
    pack = Pack("small", tuple(sorted(ranks)))
    ways = FixedExperiment(deal, pack, Ladder(parsed), apart).tally().at(decks)
    fits, takes, none = count_ladder(pack.composition * decks, deal, parsed, apart)
    assert (list(ways.matches), list(ways.wins), ways.losing) == (fits, takes, none)


@given(ladders(), st.integers(1, 8))
@tries(40, quick=3)
def test_tally_matches_counts_of_full_shoes(ladder, decks):
    deal, parsed, apart = ladder
    experiment = FixedExperiment(deal, STANDARD, Ladder(parsed), apart)
    assert experiment.tally().at(decks) == experiment.count(STANDARD.composition * decks)


@given(ladders(), st.lists(st.sampled_from(ALL_CARDS), max_size=4, unique=True))
@tries(8, quick=2)
def test_removing_an_unseen_card_at_random_changes_no_probability(ladder, seen):
    # This identity needs no reference: averaged over the next removed card, every probability stays the same.
    deal, parsed, apart = ladder
    experiment = FixedExperiment(deal, STANDARD, Ladder(parsed), apart)
    shoe = STANDARD.composition.remove(seen)
    full = experiment.count(shoe)
    parts = [experiment.count(shoe.remove([card])) for card, _ in shoe]
    for index, takes in enumerate(full.wins):
        assert sum(part.wins[index] for part in parts) * full.cycle == takes * parts[0].cycle * shoe.size
