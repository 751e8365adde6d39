"""The figures of a bet at a shoe, each an exact number under the name that JSON and the sheets give it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from combinat.analysis.analysis import Analysis
from combinat.api.arguments import as_text
from combinat.api.award import AwardResult, InMeters, Likelihood, NeedsMeterError, number
from combinat.api.show import html, summary
from combinat.bets.paytable import Paytable
from combinat.exact.distribution import Distribution
from combinat.exact.root import Root
from combinat.exact.span import Span
from combinat.figures import FIGURES, Value, headline, stated
from combinat.study import Basis, Study
from decks import InputError, Shoe, suggestion
from decks.errors import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from combinat.analysis.many import PayVariants


def attribute(key: str) -> str:
    """Name a figure as Python can: `return` is a word of the language and gets an underscore."""
    return f"{key}_" if key == "return" else key


class Result:
    """The exact figures of a bet at a shoe, and its awards by name; what takes long is worked out when asked for.

    Figures stand on the basis that the program shows first: with best play where winnings may ride, else of the wager
    alone. `bases` tells which, and `house_edge_without_option` is always the wager's own. Where hands of one split
    ride, the variance is known between bounds: a `Span` with `low` and `high`.
    """

    if TYPE_CHECKING:
        house_edge: Fraction
        return_: Fraction
        expected_value: Fraction
        hold: Fraction
        hold_at_least: Fraction
        hold_at_most: Fraction
        fixed_return: Fraction
        return_without_top_award: Fraction
        hit_frequency: Fraction
        plays_per_hit: Fraction | None
        push_rate: Fraction
        edge_per_resolved_bet: Fraction | None
        mean_win: Fraction | None
        variance: Fraction | Span
        standard_deviation: Root | Span
        skewness: Root | None
        excess_kurtosis: Fraction | None
        top_award_one_in: Fraction | None
        cycle: int

    def __init__(self, analysis: Analysis, work_out: partial[Study]) -> None:
        self.analysis = analysis
        self._work_out = work_out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self.analysis == other.analysis and self._work_out.args == other._work_out.args

    def __hash__(self) -> int:
        return hash((self.paytable.id, self.shoe))

    def __repr__(self) -> str:
        return f"<{summary(self.analysis)}>"

    def _repr_html_(self) -> str:
        return html(self.analysis, self.study_for)

    # What was asked

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def shoe(self) -> Shoe:
        """The shoe that cards come from."""
        return self.analysis.shoe

    @property
    def decks(self) -> int:
        """How many decks the shoe was made of."""
        return self.shoe.decks

    @property
    def meters(self) -> Mapping[str, Fraction]:
        """What the meters were said to show."""
        return self.analysis.meters

    @property
    def is_designed(self) -> bool:
        """Whether the paytable is meant for this deck count."""
        return self.analysis.is_designed

    # Awards

    @cached_property
    def awards(self) -> tuple[AwardResult, ...]:
        """The awards' figures, highest award first."""
        return tuple(AwardResult(line, self.analysis.open_meters) for line in self.analysis.lines)

    @property
    def losing(self) -> Likelihood:
        """The hands that no award takes."""
        return Likelihood("no award", self.analysis.ways.losing, self.analysis.ways.cycle)

    def __iter__(self) -> Iterator[AwardResult]:
        return iter(self.awards)

    def __len__(self) -> int:
        return len(self.awards)

    def __contains__(self, name: object) -> bool:
        return any(award.name.lower() == str(name).lower() for award in self.awards)

    def __getitem__(self, name: str | int) -> AwardResult:
        if isinstance(name, int):
            return self.awards[name]
        name = as_text(name, "the award")
        for award in self.awards:
            if award.name.lower() == name.strip().lower():
                return award
        names = [award.name for award in self.awards]
        hint = suggestion(name, names) or f"; its awards are {', '.join(names)}"
        raise NoAwardError(f"{self.paytable.id} has no award {quoted(name)}{hint}")

    # Figures

    @cached_property
    def study(self) -> Study:
        """Everything that the program knows of the bet, an option played as well as possible."""
        if self.paytable.bet.option and self.analysis.open_meters:
            option = f"what the {self.paytable.bet.option} brings"
            raise NeedsMeterError(option, self.analysis.open_meters, "house_edge_without_option")
        return self._work_out()

    @property
    def basis(self) -> Basis:
        """What the house edge stands on: `best play` where winnings may ride, else `wager alone` or the meters."""
        return Basis.BEST if self.paytable.bet.option else self._alone.basis

    @property
    def bases(self) -> dict[str, str]:
        """What each figure stands on."""
        return {attribute(key): str(next(stated(self.study_for(key), key)).basis) for key in FIGURES}

    @property
    def house_edge_without_option(self) -> Fraction:
        """What the house keeps of the wager alone, nothing riding."""
        edge: Fraction = number(self.analysis.house_edge, "house_edge_without_option", self.analysis.open_meters)
        return edge

    @property
    def return_without_option(self) -> Fraction:
        """What comes back for the wager alone, nothing riding."""
        return 1 - self.house_edge_without_option

    @property
    def variance_without_option(self) -> Fraction:
        """The variance of the wager alone, nothing riding."""
        variance: Fraction = number(self.analysis.variance, "variance_without_option", self.analysis.open_meters)
        return variance

    @property
    def standard_deviation_without_option(self) -> Root:
        """The standard deviation of the wager alone, nothing riding."""
        return Root(Fraction(self.variance_without_option))

    @property
    def in_meters(self) -> InMeters:
        """The same figures as formulas in the meters whose amounts were not given."""
        figures: dict[str, partial[Value]] = {attribute(key): partial(Result._value, self, key) for key in FIGURES}
        for name in ("house_edge", "return", "variance"):
            figures[f"{name}_without_option"] = partial(getattr, self.analysis, attribute(name))
        return InMeters(figures)

    @property
    def distribution(self) -> Distribution:
        """Each result of a wager of one, alone, with its probability."""
        return self.analysis.distribution

    def with_pays(self, pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64]) -> PayVariants:
        """The wager alone with many ladders of pays, a hundred thousand in less than a second.

        Each is a row of what every award pays to 1, in ladder order; the answer has `house_edges` and `variances`, an
        exact number for each row.

        >>> from combinat import analyze
        >>> variants = analyze("TRI-03", 6).with_pays([[100, 35, 33, 10, 4], [100, 35, 33, 10, 5]])
        >>> [f"{edge:.4%}" for edge in variants.house_edges]
        ['10.2548%', '4.4124%']
        """
        if self.paytable.wheels:
            raise InputError(f"{self.paytable.id} has a wheel; pays that it multiplies cannot be given as numbers")
        from combinat.analysis.many import PayVariants  # it loads numpy

        return PayVariants(self.analysis.ways, pays)

    @cached_property
    def _alone(self) -> Study:
        return Study(self.analysis)

    def study_for(self, key: str) -> Study:
        """Take the study that a figure needs: most do not ask what an option brings, which takes long."""
        return self.study if FIGURES[key].on.keys() & {Basis.BEST, Basis.LONG_RUN} else self._alone

    def _value(self, key: str) -> Value:
        return headline(self.study_for(key), key)

    def _figure(self, key: str) -> Any:
        value, name, analysis = self._value(key), attribute(key), self.analysis
        if value is None:
            self._explain_lack(key)
        return number(value, name, analysis.open_meters)

    def _explain_lack(self, key: str) -> None:
        """Say why there is no figure, if one would expect it."""
        name, meters = attribute(key), self._alone.meters
        if key == "hold":
            if meters is None:
                raise InputError(f"hold: nothing is known of how the meters of {self.paytable.id} are run")
            raise InputError(f"hold: {self.paytable.id} has no closed form of it; take hold_at_least and hold_at_most")
        if Basis.LONG_RUN not in FIGURES[key].on and not self.distribution.is_known:
            raise NeedsMeterError(name, self.analysis.open_meters, "variance")


class NoAwardError(InputError, KeyError):
    """A paytable has no award of that name."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


def _property(key: str) -> property:
    return property(lambda self: self._figure(key), doc=f"{FIGURES[key].label}.")


for _key in FIGURES:
    setattr(Result, attribute(_key), _property(_key))
