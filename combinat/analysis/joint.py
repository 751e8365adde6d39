"""Bets whose deals are laid over one another: the outcomes of a round sorted by what each bet makes of them.

Wagers on the same cards, analysed together: what they bring in one round, for given stakes.

The outcomes are sorted by what each bet makes of them. A bet that is only made under a condition leaves its wager
untouched where that does not hold; rounds in which none of the bets is made are left out.

Several spots that each make the same wagers in one round, dealt from one shoe and against one dealer.

Several spots that make one bet in one round: how their results go together, since they share a shoe and a dealer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from msgspec import Struct

from combinat.analysis.analysis import Analysis, analyze
from combinat.analysis.outlook import settled
from combinat.bets.paytable import Paytable
from combinat.enumeration.crosstab import CrossTab, cross
from combinat.enumeration.experiment import Experiment, GoesWith, Spots
from combinat.exact.distribution import Distribution, JointDistribution
from combinat.exact.surd import Surd
from combinat.language.deal import Deal
from combinat.language.rules import And, Fact, Not, remap_positions
from decks import InputError, Shoe

Row = tuple[int, ...]
"""What each bet makes of an outcome: the number of an award, after them all the loss, and last that it is not made."""


class Verdicts(Struct, frozen=True):
    """The rows that come in a round from a shoe, with their ways."""

    ways: Mapping[Row, int]
    crossing: CrossTab | None
    """The rows as the rules of one experiment, if all deals are laid over one another as one."""


def joint_outcomes(paytables: Sequence[Paytable], shoe: Shoe) -> Verdicts:
    """Sort the outcomes of a round by what bets on the same cards make of them."""
    check_games(paytables)
    found = _by_kinds(paytables, shoe)
    crossing = None if found else crossed(paytables)
    if crossing is not None:
        found = crossing.at(shoe)
    if found is None:
        deals = ", ".join(f"{one.id} is on '{one.bet.deal}'" for one in paytables)
        raise InputError(f"these bets cannot be laid over one another: {deals}")
    return Verdicts(_drop_unbet_rounds(found, paytables), crossing)


def _by_kinds(paytables: Sequence[Paytable], shoe: Shoe) -> Mapping[Row, int] | None:
    """Count bets of two kinds of deal in one round, if one kind can be counted with the other."""
    kinds = list(dict.fromkeys(one.bet.deal.kind for one in paytables))
    groups = [[place for place, one in enumerate(paytables) if one.bet.deal.kind == kind] for kind in kinds]
    if len(groups) != 2:
        return None
    one, other = (crossed([paytables[place] for place in group]) for group in groups)
    pairs = _paired(one.trial, other.trial, shoe) if one and other else None
    if one is None or other is None or pairs is None:
        return None
    ways: Counter[Row] = Counter()
    order = [*groups[0], *groups[1]]
    for (first, second), many in pairs.items():
        row = dict(zip(order, (*one.cells[first], *other.cells[second]), strict=True))
        ways[tuple(row[place] for place in range(len(paytables)))] += many
    return ways


def check_games(paytables: Sequence[Paytable]) -> None:
    """Refuse bets that are made at different games, or dealt from different packs."""
    first = paytables[0]
    for one in paytables[1:]:
        games = [set(each.bet.game.lower().split(" or ")) for each in (first, one)]
        if not games[0] & games[1]:
            raise InputError(
                f"{first.id} is bet at {first.bet.game}, {one.id} at {one.bet.game}; they are not on the same cards"
            )
        if one.bet.pack != first.bet.pack:
            raise InputError(
                f"{first.id} is dealt from {first.bet.pack.name} decks, {one.id} from {one.bet.pack.name} ones"
            )


def crossed(paytables: Sequence[Paytable]) -> CrossTab | None:
    """Cross what the bets ask, on one deal that has the cards of all; none if there is no such deal."""
    deals: list[Deal] = [one.bet.deal for one in paytables]
    found = next(filter(None, (deal.common(deals) for deal in dict.fromkeys(deals))), None)
    if found is None:
        return None
    questions = [_answers(one, places) for one, places in zip(paytables, found.places, strict=True)]
    return cross(found.deal, paytables[0].bet.pack, questions)


def _answers(paytable: Paytable, places: Mapping[int, int]) -> tuple[Fact, ...]:
    """What a bet can make of an outcome: each award, a loss, and that it is not made if it has a condition."""
    rules = [remap_positions(award.rule.fact, places) for award in paytable.awards]
    given = [remap_positions(paytable.bet.given.fact, places)] if paytable.bet.given else []
    above: list[Fact] = [*given]
    taken: list[Fact] = []
    for fact in rules:
        taken.append(And((*above, fact)) if above else fact)
        above.append(Not(fact))
    return (*taken, And(tuple(above)) if len(above) > 1 else above[0], *(Not(fact) for fact in given))


def _paired(one: Experiment, other: Experiment, shoe: Shoe) -> dict[tuple[int, int], int] | None:
    """Count two experiments in one round, if one of them can be counted with the other."""
    if isinstance(other, GoesWith) and (found := other.together_with(one, shoe.composition)):
        return found
    if isinstance(one, GoesWith) and (found := one.together_with(other, shoe.composition)):
        return {(first, second): many for (second, first), many in found.items()}
    return None


def _drop_unbet_rounds(ways: Mapping[Row, int], paytables: Sequence[Paytable]) -> dict[Row, int]:
    """Leave out the rounds in which no bet is made."""
    none = tuple(len(one.awards) + 1 for one in paytables)
    found = {row: many for row, many in ways.items() if row != none}
    if not found:
        raise InputError(f"no hand of {paytables[0].id} fits the condition under which it is made")
    return found


class Wager(Struct, frozen=True):
    """One bet of a round, with every meter at an amount, and what is staked on it."""

    analysis: Analysis
    stake: Fraction
    seeds_taken: bool = False
    """Whether a meter that was given no amount stands at its seed."""

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def results(self) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
        """For each award, for a loss and for a bet that is not made: the results of a wager of one, with their chances.

        An award has several results where a wheel decides.
        """
        analysis = self.analysis
        paid = [
            tuple(
                (pay.gross_for(analysis.meter_wager).at(analysis.meters).constant - 1, chance)
                for pay, chance in award.pay.outcomes
            )
            for award in self.paytable.awards
        ]
        return (*paid, ((Fraction(-1), Fraction(1)),), ((Fraction(0), Fraction(1)),))


class Joint(Struct, frozen=True, dict=True):
    """Several wagers of one round."""

    wagers: tuple[Wager, ...]
    shoe: Shoe
    verdicts: Verdicts

    def __repr__(self) -> str:
        ids = ", ".join(f"{one.paytable.id}={one.stake}" for one in self.wagers)
        return f"<Joint of {ids}, {self.shoe}>"

    @property
    def stakes(self) -> tuple[Fraction, ...]:
        """What is staked on each bet."""
        return tuple(one.stake for one in self.wagers)

    @property
    def staked(self) -> Fraction:
        """What is staked on all bets."""
        return sum(self.stakes, Fraction(0))

    @cached_property
    def results(self) -> JointDistribution:
        """The results that come together, each for a wager of one."""
        ways = self.verdicts.ways
        every, each = sum(ways.values()), [one.results for one in self.wagers]
        return JointDistribution(
            (tuple(result for result, _ in row), Fraction(many, every) * prod(chance for _, chance in row))
            for taken, many in ways.items()
            for row in product(*(results[verdict] for results, verdict in zip(each, taken, strict=True)))
        )

    @cached_property
    def total(self) -> Distribution:
        """What all wagers bring together."""
        return self.results.total(self.stakes)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps on average of all that is staked."""
        return -self.total.mean.constant / self.staked

    @property
    def deviation_if_independent(self) -> Surd:
        """The standard deviation that the total would have if the wagers had nothing to do with one another."""
        alone = (self.results.marginal(place).variance.constant for place in range(len(self.wagers)))
        return Surd(sum((stake**2 * one for stake, one in zip(self.stakes, alone, strict=True)), Fraction(0)))

    @property
    def all_win(self) -> Fraction:
        """The chance that every wager wins."""
        return self.results.chance(lambda results: all(one > 0 for one in results))

    @property
    def one_wins(self) -> Fraction:
        """The chance that at least one wager wins."""
        return self.results.chance(lambda results: any(one > 0 for one in results))

    @property
    def made(self) -> tuple[Fraction, ...]:
        """For each bet the part of these rounds in which it is made."""
        every = sum(self.verdicts.ways.values())
        return tuple(
            Fraction(sum(many for row, many in self.verdicts.ways.items() if row[place] != out), every)
            for place, out in enumerate(len(one.paytable.awards) + 1 for one in self.wagers)
        )

    def both_win(self, one: int, other: int) -> Fraction:
        """The chance that two of the wagers win."""
        return self.results.chance(lambda results: results[one] > 0 and results[other] > 0)

    def either_wins(self, one: int, other: int) -> Fraction:
        """The chance that at least one of two wagers wins."""
        return self.results.chance(lambda results: results[one] > 0 or results[other] > 0)


def joint(
    stakes: Sequence[tuple[Paytable, Fraction]], shoe: Shoe, meters: Mapping[str, Fraction] | None = None
) -> Joint:
    """Work out what wagers on the same cards bring together; what meters show goes by their names.

    >>> from combinat.bets.catalog import find
    >>> both = joint([(find("TRI-01"), Fraction(10)), (find("TRI-02"), Fraction(5))], Shoe(6))
    >>> both.all_win == both.results.marginal(0).chance(lambda result: result.constant > 0)  # all that wins on one wins
    True
    """
    for paytable, stake in stakes:
        if stake <= 0:
            raise InputError(f"{paytable.id}: the stake must be more than nothing, not {stake}")
    check_games([paytable for paytable, _ in stakes])
    wagers = tuple(_wager(paytable, stake, shoe, meters or {}) for paytable, stake in stakes)
    return Joint(wagers, shoe, joint_outcomes([one.paytable for one in wagers], shoe))


def _wager(paytable: Paytable, stake: Fraction, shoe: Shoe, meters: Mapping[str, Fraction]) -> Wager:
    own = {name: value for name, value in meters.items() if name in paytable.meters}
    analysis = analyze(paytable, shoe, own)
    found = settled(analysis)
    if found is None:
        names = " ".join(f"--meter {'' if name == 'meter' else name + '='}AMOUNT" for name in analysis.open_meters)
        raise InputError(f"{paytable.id} pays from a meter of which no seed is known; say what it shows with {names}")
    return Wager(found, stake, found is not analysis)


MAX_JOINT_SPOTS = 7
"""Spots of a table."""


class JointSpots(Struct, frozen=True, dict=True):
    """The wagers of one spot, made at several."""

    joint: Joint
    spots: int
    pairs: JointDistribution
    """What two of the spots bring, each all that is staked there."""
    rows: JointDistribution | None
    """What all the spots bring; none where they are too many to be dealt hand by hand."""

    @property
    def staked(self) -> Fraction:
        """What is staked at all spots."""
        return self.joint.staked * self.spots

    @property
    def mean(self) -> Fraction:
        """What all the spots bring on average."""
        return self.joint.total.mean.constant * self.spots

    @cached_property
    def covariance(self) -> Fraction:
        """The covariance of what two spots bring."""
        return self.pairs.covariance(0, 1)

    @property
    def correlation(self) -> Surd | None:
        """The correlation of what two spots bring."""
        return self.pairs.correlation(0, 1)

    @property
    def variance(self) -> Fraction:
        """The variance of what all spots bring: any two of them have the same covariance."""
        alone = self.joint.total.variance.constant
        return self.spots * alone + self.spots * (self.spots - 1) * self.covariance

    @property
    def standard_deviation(self) -> Surd:
        """The root of the variance."""
        return Surd(self.variance)

    @property
    def total(self) -> Distribution | None:
        """What all the spots bring together, with every chance."""
        return self.rows.total((1,) * self.spots) if self.rows else None


_TOO_EXPENSIVE = (
    "several spots of {} are not counted together: each would be dealt more cards of its own than "
    "two, of too many kinds, or see a hand that is drawn after them"
)


def check_spots(paytables: Sequence[Paytable], shoe: Shoe, spots: int) -> None:
    """Refuse several spots of a bet that cannot be counted together, before anything else is counted."""
    for paytable in paytables if spots > 1 else ():
        trial = paytable.experiment
        if paytable.bet.given is None and isinstance(trial, Spots) and not trial.can_count_spots(shoe.composition, 2):
            raise InputError(_TOO_EXPENSIVE.format(paytable.id))


def at_spots(joint: Joint, spots: int) -> JointSpots:
    """Make the wagers of one spot at several.

    >>> from combinat.analysis.joint import joint as joined
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> found = at_spots(joined([(find("HM-1"), Fraction(1))], Shoe(6)), 2)
    >>> found.total.mean.constant == found.mean, found.total.variance.constant == found.variance
    (True, True)
    """
    if not 2 <= spots <= MAX_JOINT_SPOTS:
        raise InputError(f"cannot play {spots} spots; give 2 to {MAX_JOINT_SPOTS}, or leave it out for one")
    if any(one.paytable.bet.given for one in joint.wagers):
        raise InputError(
            f"spots are not counted together where a bet is only made under a condition, as {_ids(joint)} "
            f"{'is' if len(joint.wagers) == 1 else 'are'}"
        )
    _check_cards(joint, spots)
    pairs = _rows(joint, 2)
    if pairs is None:
        raise InputError(_TOO_EXPENSIVE.format(_ids(joint)))
    return JointSpots(joint, spots, pairs, pairs if spots == 2 else _rows(joint, spots))


def _check_cards(joint: Joint, spots: int) -> None:
    """Refuse more spots than the shoe has cards for."""
    crossing = joint.verdicts.crossing
    most = crossing.trial.spots_for(joint.shoe.size) if crossing and isinstance(crossing.trial, Spots) else None
    if most is not None and most < spots:
        raise InputError(
            f"{joint.shoe} has {joint.shoe.size} cards, not enough for {spots} spots of {_ids(joint)}; they are enough "
            f"for {most}"
        )


def _ids(joint: Joint) -> str:
    return " and ".join(one.paytable.id for one in joint.wagers)


def _rows(joint: Joint, spots: int) -> JointDistribution | None:
    """Count what some spots bring together, or nothing if they are too many."""
    crossing = joint.verdicts.crossing
    if crossing is None or not isinstance(crossing.trial, Spots):
        return None
    together = crossing.trial.spots_together(joint.shoe.composition, spots, by_class=True)
    if together is None:
        return None
    every = sum(together.values())
    results = [_results(joint, cell) for cell in crossing.cells]
    return JointDistribution(
        (tuple(result for result, _ in row), Fraction(ways, every) * prod(chance for _, chance in row))
        for cells, ways in together.items()
        for row in product(*(results[cell].items() for cell in cells))
    )


def _results(joint: Joint, cell: tuple[int, ...]) -> Mapping[Fraction, Fraction]:
    """What one spot wins with an outcome that its bets judge so, with the chances of wheels."""
    found: dict[Fraction, Fraction] = {}
    each = [one.results[verdict] for one, verdict in zip(joint.wagers, cell, strict=True)]
    for row in product(*each):
        won = sum((result * stake for (result, _), stake in zip(row, joint.stakes, strict=True)), Fraction(0))
        found[won] = found.get(won, Fraction(0)) + prod((chance for _, chance in row), start=Fraction(1))
    return found


MOST_SPOTS = 7
"""Spots of a table."""


class SpotRisk(Struct, frozen=True):
    """How the results of spots that make one bet in one round go together, each with a wager of one."""

    variance: Fraction
    """Of one spot."""
    covariance: Fraction
    """Of any two."""
    most: int = MOST_SPOTS
    """How many spots of a table the cards are enough for."""

    @property
    def correlation(self) -> Fraction | None:
        """The covariance as a part of the variance; one if all spots have the same result."""
        return self.covariance / self.variance if self.variance else None

    def variance_of(self, spots: int) -> Fraction:
        """Give the variance of so many spots together.

        >>> SpotRisk(Fraction(4), Fraction(1)).variance_of(3)
        Fraction(18, 1)
        """
        return spots * self.variance + spots * (spots - 1) * self.covariance

    def standard_deviation_of(self, spots: int) -> Surd:
        """Give the root of that."""
        return Surd(self.variance_of(spots))


def spot_risk(analysis: Analysis) -> SpotRisk | None:
    """Give how two spots of a round go together; nothing if that is out of reach or a meter's amount is not known."""
    covariance, trial = spot_covariance(analysis), analysis.paytable.experiment
    if covariance is None or not isinstance(trial, Spots):
        return None
    dealt = trial.spots_for(analysis.shoe.size)
    return SpotRisk(analysis.variance.constant, covariance, MOST_SPOTS if dealt is None else min(dealt, MOST_SPOTS))


def spot_covariance(analysis: Analysis) -> Fraction | None:
    """Give the covariance of the results of two spots of a round, each with a wager of one; none if it is out of reach.

    The variance of m spots together is then m times that of one, and m(m-1) times the covariance more. Each spot's
    wheel turns by itself, if there is one.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from combinat.exact.surd import Exact
    >>> from decks import Shoe
    >>> found = analyze(find("TRI-03"), Shoe(6))
    >>> covariance, variance = spot_covariance(found), found.variance.constant
    >>> f"{Exact(covariance):.6f} beside {Exact(variance):.6f}"  # they share the up card, and take each other's cards
    '-0.013227 beside 15.225246'
    """
    trial = analysis.paytable.experiment
    pays = [mean.at(analysis.meters) for mean in analysis.paytable.settlement.means(analysis.meter_wager)]
    if not isinstance(trial, Spots) or not all(pay.is_constant for pay in pays):
        return None
    together = trial.spots_together(analysis.shoe.composition, 2)
    if not together:  # out of reach, or the shoe has too few cards for two
        return None
    mean = analysis.distribution.mean.constant
    apart = [pay.constant - mean for pay in pays]
    both = sum((ways * apart[one] * apart[other] for (one, other), ways in together.items()), Fraction(0))
    return both / sum(together.values())
