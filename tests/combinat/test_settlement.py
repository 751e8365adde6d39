"""What an outcome pays is asked of the settlement alone: one of a test's own serves wherever it is asked."""

from fractions import Fraction

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import DECKS_SYMBOL, house_edge_formula
from combinat.bets.catalog import get_paytable
from combinat.bets.paytable import Paytable
from combinat.bets.settlement import FirstMatching
from combinat.exact.distribution import Distribution
from combinat.study import build_study
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet

WHEEL = ((1, Fraction(3, 4)), (3, Fraction(1, 4)))


class Spun(FirstMatching, frozen=True):
    """What is won is multiplied by a wheel: mostly by one, once in four times by three."""

    @property
    def description(self):
        return "A wheel is spun for what is won."

    def means(self, meter_wager):
        return tuple(net * (Fraction(3, 2) if net.constant > 0 else 1) for net in super().means(meter_wager))

    def distribution(self, ways, meter_wager):
        parts = zip(super().means(meter_wager), (*ways.wins, ways.losing), strict=True)
        return Distribution.mixture(
            (
                Fraction(many, ways.cycle),
                Distribution((net * times if net.constant > 0 else net, chance) for times, chance in WHEEL),
            )
            for net, many in parts
        )


@pytest.fixture
def spun(monkeypatch):
    """A paytable of the catalog whose wins a wheel multiplies."""
    monkeypatch.setattr(Paytable, "settlement", property(lambda paytable: Spun(paytable.awards)))
    return get_paytable("TRI-03")


def by_hand(shoe):
    """Every result with its chance, award by award and wheel by wheel, from the counts of the ladder."""
    ways = get_paytable("TRI-03").ways(shoe)
    results = {-1: Fraction(ways.losing, ways.cycle)}
    for award, hands in zip(get_paytable("TRI-03").awards, ways.wins, strict=True):
        for times, chance in WHEEL:
            won = award.pay.amount * times
            results[won] = results.get(won, 0) + Fraction(hands, ways.cycle) * chance
    return results


def test_figures_of_a_bet_are_those_of_its_settlement(spun):
    found, results = analyze_wager(spun, Shoe(6)), by_hand(Shoe(6))
    mean = sum(won * chance for won, chance in results.items())
    assert dict(found.distribution.known) == results
    assert found.house_edge == -mean
    assert found.variance == sum((won - mean) ** 2 * chance for won, chance in results.items())
    assert found.hit_frequency == 1 - results[-1]


def test_edge_in_closed_form_is_that_of_the_settlement(spun):
    edge, limit = house_edge_formula(spun)
    for decks in (1, 6, 8):
        assert Fraction(str(edge.subs(DECKS_SYMBOL, decks))) == analyze_wager(spun, Shoe(decks)).house_edge.constant
    assert limit == edge.limit(DECKS_SYMBOL, "oo")


def test_sheet_says_how_the_settlement_pays(spun):
    rules = build_par_sheet(build_study(spun, Shoe(6))).document.sections[2]
    assert Spun(()).description in rules.text
    assert FirstMatching(()).description not in rules.text


@pytest.mark.parametrize("id", ["TRI-03", "BB-1", "BLZ-1-UP"])
def test_mean_of_the_distribution_is_that_of_the_means(id):
    paytable = get_paytable(id)
    ways, settlement = paytable.ways(Shoe(6)), paytable.settlement
    chances = [Fraction(many, ways.cycle) for many in (*ways.wins, ways.losing)]
    means = settlement.means(Fraction(1))
    assert settlement.distribution(ways, Fraction(1)).mean == sum(
        (mean * chance for mean, chance in zip(means, chances, strict=True)), 0 * means[0]
    )
