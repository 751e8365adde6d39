"""The settlement alone decides what an outcome pays: a custom one works everywhere."""

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
    """A settlement whose wins a wheel multiplies: by 1, and with probability 1/4 by 3."""

    @property
    def description(self):
        return "A wheel is spun for what is won."

    def means(self, meter_wager):
        return tuple(net * (Fraction(3, 2) if net.constant > 0 else 1) for net in super().means(meter_wager))

    def distribution(self, ways, meter_wager):
        parts = zip(super().means(meter_wager), (*ways.wins, ways.losing), strict=True)
        return Distribution.mixture(
            (
                Fraction(count, ways.cycle),
                Distribution(
                    (net * repeats if net.constant > 0 else net, probability) for repeats, probability in WHEEL
                ),
            )
            for net, count in parts
        )


@pytest.fixture
def spun(monkeypatch):
    """Return a catalog paytable with that settlement."""
    monkeypatch.setattr(Paytable, "settlement", property(lambda paytable: Spun(paytable.awards)))
    return get_paytable("TRI-03")


def by_hand(shoe):
    """Return the probability of every result, by award and wheel, from the counts of the ladder."""
    ways = get_paytable("TRI-03").ways(shoe)
    results = {-1: Fraction(ways.losing, ways.cycle)}
    for award, hands in zip(get_paytable("TRI-03").awards, ways.wins, strict=True):
        for count, probability in WHEEL:
            won = award.pay.amount * count
            results[won] = results.get(won, 0) + Fraction(hands, ways.cycle) * probability
    return results


def test_figures_follow_the_settlement(spun):
    analysis, results = analyze_wager(spun, Shoe(6)), by_hand(Shoe(6))
    mean = sum(won * probability for won, probability in results.items())
    assert dict(analysis.distribution.numeric_outcomes) == results
    assert analysis.house_edge == -mean
    assert analysis.variance == sum((won - mean) ** 2 * probability for won, probability in results.items())
    assert analysis.hit_frequency == 1 - results[-1]


def test_closed_form_edge_follows_the_settlement(spun):
    edge, limit = house_edge_formula(spun)
    for decks in (1, 6, 8):
        assert Fraction(str(edge.subs(DECKS_SYMBOL, decks))) == analyze_wager(spun, Shoe(decks)).house_edge.constant
    assert limit == edge.limit(DECKS_SYMBOL, "oo")


def test_sheet_describes_the_settlement(spun):
    rules = build_par_sheet(build_study(spun, Shoe(6))).document.sections[4]
    assert Spun(()).description in rules.text
    assert FirstMatching(()).description not in rules.text


@pytest.mark.parametrize("id", ["TRI-03", "BB-1", "BLZ-1-UP"])
def test_mean_of_the_distribution_matches_the_mean_pays(id):
    paytable = get_paytable(id)
    ways, settlement = paytable.ways(Shoe(6)), paytable.settlement
    probabilities = [Fraction(count, ways.cycle) for count in (*ways.wins, ways.losing)]
    means = settlement.means(Fraction(1))
    assert settlement.distribution(ways, Fraction(1)).mean == sum(
        (mean * probability for mean, probability in zip(means, probabilities, strict=True)), 0 * means[0]
    )
