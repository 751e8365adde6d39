"""Joint analysis of several wagers on the same cards, and of several spots in one round.

The outcomes of a round are cross-tabulated by the result of each bet (`CrossTab`), on one deal that contains the cards
of all bets. A bet with a condition keeps its wager where the condition fails; rounds without any bet are excluded.

Spots share a shoe and a dealer, so their results are correlated. Any two have the same covariance: m spots have m times
the variance of one plus m(m-1) times the covariance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.outlook import with_meter_amounts
from combinat.bets.paytable import Paytable
from combinat.enumeration.crosstab import CrossTab, build_crosstab
from combinat.enumeration.experiment import Experiment
from combinat.exact.distribution import Distribution, JointDistribution
from combinat.exact.surd import Surd
from combinat.language.deal import Deal
from combinat.language.rules import And, Fact, Not, remap_positions
from decks import InputError, Shoe

Row = tuple[int, ...]
"""The result of each bet: the index of an award, then one number for a loss and one for a bet that is not made."""


class JointOutcomes(Struct, frozen=True):
    """The joint results of a round, with their ways."""

    ways: Mapping[Row, int]
    crosstab: CrossTab | None
    """The rows as rules of one experiment, if all bets have a common deal."""


def joint_outcomes(paytables: Sequence[Paytable], shoe: Shoe) -> JointOutcomes:
    """Count the joint results of bets on the same cards."""
    check_games(paytables)
    ways = _count_two_deals(paytables, shoe)
    crosstab = None if ways else cross_tabulate(paytables)
    if crosstab is not None:
        ways = crosstab.at(shoe)
    if ways is None:
        if len({paytable.bet.deal for paytable in paytables}) == 1:
            raise InputError(f"joint wagers are not counted for the deal '{paytables[0].bet.deal}'")
        deals = ", ".join(f"{paytable.id} is on '{paytable.bet.deal}'" for paytable in paytables)
        raise InputError(f"these bets have no common deal: {deals}")
    return JointOutcomes(_drop_unbet_rounds(ways, paytables), crosstab)


def _count_two_deals(paytables: Sequence[Paytable], shoe: Shoe) -> Mapping[Row, int] | None:
    """Count the joint results of bets on two kinds of deal; `None` if the kinds cannot be combined."""
    kinds = list(dict.fromkeys(paytable.bet.deal.kind for paytable in paytables))
    groups = [[index for index, paytable in enumerate(paytables) if paytable.bet.deal.kind == kind] for kind in kinds]
    if len(groups) != 2:
        return None
    first_crosstab, second_crosstab = (cross_tabulate([paytables[index] for index in group]) for group in groups)
    pairs = (
        _count_pairs(first_crosstab.experiment, second_crosstab.experiment, shoe)
        if first_crosstab and second_crosstab
        else None
    )
    if first_crosstab is None or second_crosstab is None or pairs is None:
        return None
    ways_by_row: Counter[Row] = Counter()
    order = [*groups[0], *groups[1]]
    for (first_cell, second_cell), count in pairs.items():
        row = dict(zip(order, (*first_crosstab.cells[first_cell], *second_crosstab.cells[second_cell]), strict=True))
        ways_by_row[tuple(row[index] for index in range(len(paytables)))] += count
    return ways_by_row


def check_games(paytables: Sequence[Paytable]) -> None:
    """Refuse bets of different games or different packs."""
    first_paytable = paytables[0]
    for other_paytable in paytables[1:]:
        games = [set(paytable.bet.game.lower().split(" or ")) for paytable in (first_paytable, other_paytable)]
        if not games[0] & games[1]:
            raise InputError(
                f"{first_paytable.id} is a bet at {first_paytable.bet.game}, {other_paytable.id} at "
                f"{other_paytable.bet.game}; they do not share cards"
            )
        if other_paytable.bet.pack != first_paytable.bet.pack:
            raise InputError(
                f"{first_paytable.id} is dealt from {first_paytable.bet.pack.name} decks, {other_paytable.id} from "
                f"{other_paytable.bet.pack.name} ones"
            )


def cross_tabulate(paytables: Sequence[Paytable]) -> CrossTab | None:
    """Cross-tabulate the results of bets on one deal with the cards of all; `None` if there is no such deal."""
    deals: list[Deal] = [paytable.bet.deal for paytable in paytables]
    merged_deal = next(filter(None, (deal.merge_deals(deals) for deal in dict.fromkeys(deals))), None)
    if merged_deal is None:
        return None
    outcome_facts = [
        _outcome_facts(paytable, positions)
        for paytable, positions in zip(paytables, merged_deal.position_maps, strict=True)
    ]
    distinct_facts = list(dict.fromkeys(outcome_facts))  # bets with the same rules always have the same result
    if len(distinct_facts) == 1:  # shorter: the ladder itself takes the first award that matches
        ladder_facts = _outcome_facts(paytables[0], merged_deal.position_maps[0], excludes_higher=False)
        crosstab = build_crosstab(merged_deal.deal, paytables[0].bet.pack, [ladder_facts])
    else:
        crosstab = build_crosstab(merged_deal.deal, paytables[0].bet.pack, distinct_facts)
    indexes = [distinct_facts.index(facts) for facts in outcome_facts]
    return replace(crosstab, cells=tuple(tuple(cell[index] for index in indexes) for cell in crosstab.cells))


def _outcome_facts(
    paytable: Paytable, positions: Mapping[int, int], *, excludes_higher: bool = True
) -> tuple[Fact, ...]:
    """Return the facts for each result of a bet: each award, a loss and, with a condition, no bet.

    The fact of an award excludes the awards above it, unless `excludes_higher` is false.
    """
    rules = [remap_positions(award.rule.fact, positions) for award in paytable.awards]
    conditions = [remap_positions(paytable.bet.condition.fact, positions)] if paytable.bet.condition else []
    preceding: list[Fact] = [*conditions]
    outcomes: list[Fact] = []
    for fact in rules:
        required = preceding if excludes_higher else conditions
        outcomes.append(And((*required, fact)) if required else fact)
        preceding.append(Not(fact))
    return (
        *outcomes,
        And(tuple(preceding)) if len(preceding) > 1 else preceding[0],
        *(Not(fact) for fact in conditions),
    )


def _count_pairs(
    first_experiment: Experiment, second_experiment: Experiment, shoe: Shoe
) -> dict[tuple[int, int], int] | None:
    """Count pairs of outcomes of two experiments in one round; `None` if they cannot be combined."""
    if counts := second_experiment.count_jointly_with(first_experiment, shoe.composition):
        return counts
    if counts := first_experiment.count_jointly_with(second_experiment, shoe.composition):
        return {(first_cell, second_cell): ways for (second_cell, first_cell), ways in counts.items()}
    return None


def _drop_unbet_rounds(ways_by_row: Mapping[Row, int], paytables: Sequence[Paytable]) -> dict[Row, int]:
    """Remove the rounds in which no bet is made."""
    unbet = tuple(len(paytable.awards) + 1 for paytable in paytables)
    bet_ways = {row: count for row, count in ways_by_row.items() if row != unbet}
    if not bet_ways:
        raise InputError(f"no hand of {paytables[0].id} fits the condition under which it is made")
    return bet_ways


class JointWager(Struct, frozen=True):
    """One bet of a round, with all meter values known, and its stake."""

    analysis: Analysis
    stake: Fraction
    uses_seeds: bool = False
    """Whether a meter without a given amount is at its seed."""

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def results(self) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
        """For each award, a loss and no bet: the net results of a wager of 1 with their probabilities.

        An award has several results with a wheel.
        """
        analysis = self.analysis
        award_results = [
            tuple(
                (pay.gross_for(analysis.meter_wager).at(analysis.meters).constant - 1, probability)
                for pay, probability in award.pay.outcomes
            )
            for award in self.paytable.awards
        ]
        return (*award_results, ((Fraction(-1), Fraction(1)),), ((Fraction(0), Fraction(1)),))


class JointAnalysis(Struct, frozen=True, dict=True):
    """Several wagers of one round, analyzed together."""

    wagers: tuple[JointWager, ...]
    shoe: Shoe
    outcomes: JointOutcomes

    def __repr__(self) -> str:
        ids = ", ".join(f"{wager.paytable.id}={wager.stake}" for wager in self.wagers)
        return f"<Joint of {ids}, {self.shoe}>"

    @property
    def stakes(self) -> tuple[Fraction, ...]:
        """The stake of each wager."""
        return tuple(wager.stake for wager in self.wagers)

    @property
    def total_stake(self) -> Fraction:
        """The total stake."""
        return sum(self.stakes, Fraction(0))

    @cached_property
    def results(self) -> JointDistribution:
        """The joint distribution of the net results, each for a wager of 1."""
        ways = self.outcomes.ways
        cycle, wager_results = sum(ways.values()), [wager.results for wager in self.wagers]
        return JointDistribution(
            (tuple(result for result, _ in row), Fraction(count, cycle) * prod(probability for _, probability in row))
            for verdict_row, count in ways.items()
            for row in product(*(results[verdict] for results, verdict in zip(wager_results, verdict_row, strict=True)))
        )

    @cached_property
    def total(self) -> Distribution:
        """The distribution of the total net result."""
        return self.results.total(self.stakes)

    @property
    def house_edge(self) -> Fraction:
        """The mean profit of the house as a fraction of the total stake."""
        return -self.total.mean.constant / self.total_stake

    @property
    def deviation_if_independent(self) -> Surd:
        """The standard deviation that the total would have if the wagers were independent."""
        variances = (self.results.marginal(index).variance.constant for index in range(len(self.wagers)))
        return Surd(
            sum((stake**2 * variance for stake, variance in zip(self.stakes, variances, strict=True)), Fraction(0))
        )

    @property
    def all_win(self) -> Fraction:
        """The probability that all wagers win."""
        return self.results.probability(lambda results: all(result > 0 for result in results))

    @property
    def any_wins(self) -> Fraction:
        """The probability that at least one wager wins."""
        return self.results.probability(lambda results: any(result > 0 for result in results))

    @property
    def bet_probabilities(self) -> tuple[Fraction, ...]:
        """For each bet the fraction of the rounds in which it is made."""
        cycle = sum(self.outcomes.ways.values())
        return tuple(
            Fraction(sum(count for row, count in self.outcomes.ways.items() if row[index] != unbet), cycle)
            for index, unbet in enumerate(len(wager.paytable.awards) + 1 for wager in self.wagers)
        )

    def both_win(self, first_index: int, second_index: int) -> Fraction:
        """Return the probability that the wagers with indexes `first_index` and `second_index` both win."""
        return self.results.probability(lambda results: results[first_index] > 0 and results[second_index] > 0)

    def either_wins(self, first_index: int, second_index: int) -> Fraction:
        """Return the probability that at least one of the wagers with indexes `first_index` and `second_index` wins."""
        return self.results.probability(lambda results: results[first_index] > 0 or results[second_index] > 0)


def analyze_joint(
    stakes: Sequence[tuple[Paytable, Fraction]], shoe: Shoe, meters: Mapping[str, Fraction] | None = None
) -> JointAnalysis:
    """Analyze wagers on the same cards together; `meters` has meter values by name.

    >>> from combinat.bets.catalog import get_paytable
    >>> joint = analyze_joint([(get_paytable("TRI-01"), Fraction(10)), (get_paytable("TRI-02"), Fraction(5))], Shoe(6))
    >>> tri_01 = joint.results.marginal(0)  # whenever TRI-01 wins, both wagers win
    >>> joint.all_win == tri_01.probability(lambda result: result.constant > 0)
    True
    """
    for paytable, stake in stakes:
        if stake <= 0:
            raise InputError(f"{paytable.id}: the stake must be above 0, got {stake}")
    paytables = [paytable for paytable, _ in stakes]
    check_games(paytables)
    distinct_wagers: dict[int, JointWager] = {}
    for index in sorted({paytables.index(paytable) for paytable in paytables}):
        distinct_wagers[index] = _build_wager(*stakes[index], shoe, meters or {})
    wagers = tuple(replace(distinct_wagers[paytables.index(paytable)], stake=stake) for paytable, stake in stakes)
    return JointAnalysis(wagers, shoe, joint_outcomes([wager.paytable for wager in wagers], shoe))


def _build_wager(paytable: Paytable, stake: Fraction, shoe: Shoe, meters: Mapping[str, Fraction]) -> JointWager:
    own_meters = {name: value for name, value in meters.items() if name in paytable.meters}
    analysis = analyze_wager(paytable, shoe, own_meters)
    analysis_at_amounts = with_meter_amounts(analysis)
    if analysis_at_amounts is None:
        names = " ".join(f"--meter {'' if name == 'meter' else name + '='}AMOUNT" for name in analysis.open_meters)
        raise InputError(f"{paytable.id} pays from a meter whose seed is unknown; give its amount: {names}")
    return JointWager(analysis_at_amounts, stake, analysis_at_amounts is not analysis)


MAX_JOINT_SPOTS = 7
"""Largest number of spots of a table."""


class JointSpots(Struct, frozen=True, dict=True):
    """The same wagers made at several spots."""

    joint: JointAnalysis
    spots: int
    pairs: JointDistribution
    """The joint distribution of the total net results of two spots."""
    rows: JointDistribution | None
    """The joint distribution of all spots; `None` if it is too expensive."""

    @property
    def total_stake(self) -> Fraction:
        """The total stake of all spots."""
        return self.joint.total_stake * self.spots

    @property
    def mean(self) -> Fraction:
        """The mean total net result of all spots."""
        return self.joint.total.mean.constant * self.spots

    @cached_property
    def covariance(self) -> Fraction:
        """The covariance of the results of two spots."""
        return self.pairs.covariance(0, 1)

    @property
    def correlation(self) -> Surd | None:
        """The correlation of the results of two spots."""
        return self.pairs.correlation(0, 1)

    @property
    def variance(self) -> Fraction:
        """The variance of the total of all spots; any two spots have the same covariance."""
        spot_variance = self.joint.total.variance.constant
        return self.spots * spot_variance + self.spots * (self.spots - 1) * self.covariance

    @property
    def standard_deviation(self) -> Surd:
        """The root of the variance."""
        return Surd(self.variance)

    @property
    def total(self) -> Distribution | None:
        """The distribution of the total net result of all spots; `None` if it is too expensive."""
        return self.rows.total((1,) * self.spots) if self.rows else None


_TOO_EXPENSIVE = (
    "several spots of {} are too expensive to count: each spot has more than two cards of too many kinds, "
    "or depends on a hand that is drawn later"
)


def check_spots(paytables: Sequence[Paytable], shoe: Shoe, spots: int) -> None:
    """Refuse several spots of a bet if counting them together is too expensive; called before any counting."""
    for paytable in paytables if spots > 1 else ():
        bet_experiment = paytable.experiment
        if paytable.bet.condition is None and not bet_experiment.can_count_spots(shoe.composition, 2):
            raise InputError(_TOO_EXPENSIVE.format(paytable.id))


def analyze_spots(joint: JointAnalysis, spots: int) -> JointSpots:
    """Analyze the wagers of one spot at several spots.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> spots = analyze_spots(analyze_joint([(get_paytable("HM-1"), Fraction(1))], Shoe(6)), 2)
    >>> spots.total.mean.constant == spots.mean, spots.total.variance.constant == spots.variance
    (True, True)
    """
    if not 2 <= spots <= MAX_JOINT_SPOTS:
        raise InputError(f"spots must be 2 to {MAX_JOINT_SPOTS}, got {spots}; leave it out for one spot")
    if any(wager.paytable.bet.condition for wager in joint.wagers):
        raise InputError(
            f"several spots are not counted for a bet that is made under a condition, as {_ids(joint)} "
            f"{'is' if len(joint.wagers) == 1 else 'are'}"
        )
    _check_cards(joint, spots)
    pairs = _spot_results(joint, 2)
    if pairs is None:
        raise InputError(_TOO_EXPENSIVE.format(_ids(joint)))
    return JointSpots(joint, spots, pairs, pairs if spots == 2 else _spot_results(joint, spots))


def _check_cards(joint: JointAnalysis, spots: int) -> None:
    """Refuse more spots than the shoe has cards for."""
    crossing = joint.outcomes.crosstab
    max_spots = crossing.experiment.max_spots(joint.shoe.size) if crossing else None
    if max_spots is not None and max_spots < spots:
        raise InputError(
            f"{joint.shoe} has {joint.shoe.size} cards, enough for {max_spots} spots of {_ids(joint)}, not for {spots}"
        )


def _ids(joint: JointAnalysis) -> str:
    return " and ".join(wager.paytable.id for wager in joint.wagers)


def _spot_results(joint: JointAnalysis, spots: int) -> JointDistribution | None:
    """Return the joint distribution of the results of `spots`; `None` if it is too expensive."""
    crossing = joint.outcomes.crosstab
    if crossing is None:
        return None
    ways_by_cells = crossing.experiment.count_spots_jointly(joint.shoe.composition, spots, by_class=True)
    if ways_by_cells is None:
        return None
    cycle = sum(ways_by_cells.values())
    results = [_cell_results(joint, cell) for cell in crossing.cells]
    return JointDistribution(
        (tuple(result for result, _ in row), Fraction(ways, cycle) * prod(probability for _, probability in row))
        for cells, ways in ways_by_cells.items()
        for row in product(*(results[cell].items() for cell in cells))
    )


def _cell_results(joint: JointAnalysis, cell: tuple[int, ...]) -> Mapping[Fraction, Fraction]:
    """Return the possible total net results of one spot for a cell, with the probabilities of wheels."""
    probabilities: dict[Fraction, Fraction] = {}
    wager_results = [wager.results[verdict] for wager, verdict in zip(joint.wagers, cell, strict=True)]
    for row in product(*wager_results):
        total_result = sum((result * stake for (result, _), stake in zip(row, joint.stakes, strict=True)), Fraction(0))
        probabilities[total_result] = probabilities.get(total_result, Fraction(0)) + prod(
            (probability for _, probability in row), start=Fraction(1)
        )
    return probabilities


MAX_SPOTS = 7
"""Largest number of spots of a table."""


class SpotRisk(Struct, frozen=True):
    """Variance and covariance of spots that make the same bet in one round, each with a wager of 1."""

    variance: Fraction
    """The variance of one spot."""
    covariance: Fraction
    """The covariance of any two spots."""
    max_spots: int = MAX_SPOTS
    """The largest number of spots that the shoe has enough cards for."""

    @property
    def correlation(self) -> Fraction | None:
        """The covariance divided by the variance; 1 if all spots have the same result."""
        return self.covariance / self.variance if self.variance else None

    def variance_of(self, spots: int) -> Fraction:
        """Return the variance of the total of `spots` spots.

        >>> SpotRisk(Fraction(4), Fraction(1)).variance_of(3)
        Fraction(18, 1)
        """
        return spots * self.variance + spots * (spots - 1) * self.covariance

    def standard_deviation_of(self, spots: int) -> Surd:
        """Return the standard deviation of the total of `spots` spots."""
        return Surd(self.variance_of(spots))


def spot_risk(analysis: Analysis) -> SpotRisk | None:
    """Return the risk of several spots; `None` if it is too expensive or a meter's value is unknown."""
    covariance, bet_experiment = spot_covariance(analysis), analysis.paytable.experiment
    if covariance is None:
        return None
    max_spots = bet_experiment.max_spots(analysis.shoe.size)
    return SpotRisk(
        analysis.variance.constant, covariance, MAX_SPOTS if max_spots is None else min(max_spots, MAX_SPOTS)
    )


def spot_covariance(analysis: Analysis) -> Fraction | None:
    """Return the covariance of the results of two spots, each with a wager of 1; `None` if it is too expensive.

    The variance of m spots is then m times that of one plus m(m-1) times the covariance. Wheels of different spots are
    independent.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.exact.surd import Exact
    >>> from decks import Shoe
    >>> analysis = analyze_wager(get_paytable("TRI-03"), Shoe(6))
    >>> covariance, variance = spot_covariance(analysis), analysis.variance.constant
    >>> f"{Exact(covariance):.6f} and {Exact(variance):.6f}"  # spots share the up card, and use up each other's cards
    '-0.013227 and 15.225246'
    """
    bet_experiment = analysis.paytable.experiment
    pays = [mean.at(analysis.meters) for mean in analysis.paytable.settlement.means(analysis.meter_wager)]
    if not all(pay.is_constant for pay in pays):
        return None
    ways_by_pair = bet_experiment.count_spots_jointly(analysis.shoe.composition, 2)
    if not ways_by_pair:  # too expensive, or too few cards for two spots
        return None
    mean = analysis.distribution.mean.constant
    deviations = [pay.constant - mean for pay in pays]
    product_sum = sum(
        (ways * deviations[first] * deviations[second] for (first, second), ways in ways_by_pair.items()), Fraction(0)
    )
    return product_sum / sum(ways_by_pair.values())
