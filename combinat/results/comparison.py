"""The answer to `compare`: paytables at the same deck counts, their differences, and which is better for the player.

"Better for the player" has three exact senses: on every hand, by house edge, and by first-order stochastic dominance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, defstruct
from msgspec.structs import asdict

from combinat.analysis.dominance import Dominance, compute_dominance
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import Figure, Group, Value, figures_in, headline_value
from combinat.results.analysis import AnalysisAnswer, analysis_fields, top_award_share
from combinat.results.answer import ANSWER_FORMAT, Answer
from combinat.results.answer import Value as ValueField
from combinat.results.flags import paytable_names
from combinat.study import Study

_FIGURES = figures_in(Group.COMPARISON)
COMPARED_FIGURES = tuple(figure.key for figure in _FIGURES)
"""Keys of the compared figures, in order."""
SHARE = "top_award_share"
"""The key of the top award's share of the return, which is shown with the compared figures."""


class Comparison:
    """Studies of several paytables with distinct names, at several numbers of decks."""

    def __init__(self, studies: Sequence[Study]) -> None:
        labels = paytable_names(study.paytable for study in studies)
        self.names = tuple(labels.values())
        self.decks = tuple(sorted({study.shoe.decks for study in studies}))
        self.study_by_key: Mapping[tuple[str, int], Study] = {
            (labels[study.paytable], study.shoe.decks): study for study in studies
        }
        """Studies by name of the paytable and number of decks."""
        self.studies = list(self.study_by_key.values())

    @property
    def first(self) -> str:
        """The paytable that the others are compared with."""
        return self.names[0]

    def of(self, name: str) -> list[Study]:
        """Return the studies of one paytable."""
        return [study for (label, _), study in self.study_by_key.items() if label == name]

    def value(self, name: str, decks: int, key: str) -> Value:
        """Return a figure of a paytable at a number of decks, or `None` if it is not compared there."""
        study = self.study_by_key.get((name, decks))
        return None if study is None else compared_value(study, key)

    def figures(self) -> list[str]:
        """Return the keys of the figures that apply to at least one paytable."""
        has_holds = any(study.paytable.meters and headline_value(study, "hold") is not None for study in self.studies)
        has_pushes = any(study.analysis.push_rate for study in self.studies)
        is_shown = {"hold": has_holds, "push_rate": has_pushes}
        return [key for key in COMPARED_FIGURES if is_shown.get(key, True)]

    def shared_decks(self, name: str, other_name: str) -> list[int]:
        """Return the numbers of decks at which both paytables are compared."""
        return [
            count
            for count in self.decks
            if (name, count) in self.study_by_key and (other_name, count) in self.study_by_key
        ]

    def dominance(self, name: str, other_name: str, decks: int) -> Dominance:
        """Return in which senses a paytable is better for the player than another at a number of decks."""
        study, other_study = self.study_by_key[name, decks], self.study_by_key[other_name, decks]
        return compute_dominance(study.analysis, other_study.analysis, (study.house_edge, other_study.house_edge))

    def better_than(self, name: str, decks: int) -> dict[str, Dominance]:
        """Return the paytables that a paytable is better than at a number of decks, and in which senses."""
        others = [other for other in self.names if other != name and (other, decks) in self.study_by_key]
        verdicts = {other: self.dominance(name, other, decks) for other in others}
        return {other: verdict for other, verdict in verdicts.items() if verdict.holds}

    def difference(self, study: Study, key: str) -> Value:
        """Return the difference of a figure from that of the first paytable at the same number of decks."""
        first_study = self.study_by_key.get((self.first, study.shoe.decks))
        return figure_difference(study, first_study, partial(compared_value, key=key))

    def answers(self) -> Iterator[ComparisonAnswer]:
        """Iterate over the answers for every paytable and number of decks."""
        for (name, decks), study in self.study_by_key.items():
            yield ComparisonAnswer(
                **analysis_fields(study),
                top_award_share=top_award_share(study.analysis),
                against_first=self._differences(study),
                better_for_the_player_than=[
                    BetterAnswer(paytable=other, **asdict(verdict))
                    for other, verdict in self.better_than(name, decks).items()
                ],
            )

    def _differences(self, study: Study) -> DifferenceAnswer | None:
        if (self.first, study.shoe.decks) not in self.study_by_key:
            return None
        values = {_difference_key(figure): self.difference(study, figure.key) for figure in _FIGURES}
        return DifferenceAnswer(paytable=self.first, **values)


def compared_value(study: Study, key: str) -> Value:
    """Return a figure of a study on the headline's basis, or the top award's share of the return."""
    return top_award_share(study.analysis) if key == SHARE else headline_value(study, key)


def difference_or_ratio(value: Value, first_value: Value) -> Value:
    """Return the difference from the first paytable's figure, or the ratio if both are roots.

    >>> difference_or_ratio(Fraction(1, 20), Fraction(1, 25)), difference_or_ratio(Surd(Fraction(8)), Surd(Fraction(2)))
    (Fraction(1, 100), sqrt(4))
    """
    if isinstance(value, Surd) and isinstance(first_value, Surd):
        return (
            Surd(value.square / first_value.square)
            if first_value.square and not (value.negative or first_value.negative)
            else None
        )
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(first_value, (int, Fraction, Polynomial)):
        return value - first_value
    return None


def figure_difference(study: Study | None, first_study: Study | None, value: Callable[[Study], Value]) -> Value:
    """Return the difference from the first paytable's figure, or `None` if either has none.

    Meters of different bets are different variables even if their names are equal: their formulas are not subtracted.
    """
    if study is None or first_study is None:
        return None
    values = value(study), value(first_study)
    has_unknowns = any(isinstance(operand, Polynomial) and not operand.is_constant for operand in values)
    if has_unknowns and study.paytable.bet.name != first_study.paytable.bet.name:
        return None
    return difference_or_ratio(*values)


def _difference_key(figure: Figure) -> str:
    """Return the key of a compared figure in JSON; roots are compared by their ratio."""
    return f"{figure.key}_ratio" if figure.is_root else figure.key


def _difference_fields() -> Iterator[tuple[str, Any]]:
    for figure in _FIGURES:
        change = "ratio to" if figure.is_root else "difference from"
        description = Meta(description=f"{figure.label}: {change} the first paytable.")
        yield _difference_key(figure), Annotated[ValueField | None, description]


class _FirstPaytable(Answer, frozen=True, kw_only=True):
    paytable: Annotated[str, Meta(description="The first paytable, with which the others are compared.")]


if TYPE_CHECKING:
    _Differences = _FirstPaytable
else:
    _Differences = defstruct(
        "_Differences", _difference_fields(), bases=(_FirstPaytable,), module=__name__, frozen=True, kw_only=True
    )


class DifferenceAnswer(_Differences, frozen=True, kw_only=True):
    """The differences of a paytable from the first one."""


class BetterAnswer(Answer, frozen=True, kw_only=True):
    """A paytable that is worse for the player, and in which senses; null where that is not known."""

    paytable: str
    on_every_hand: Annotated[bool | None, Meta(description="Never pays less on the same cards, and sometimes more.")]
    by_edge: Annotated[bool | None, Meta(description="Has a lower house edge.")]
    to_first_order: Annotated[bool | None, Meta(description="Dominates by first order; wager alone.")]


class ComparisonAnswer(AnalysisAnswer, frozen=True, kw_only=True):
    """The awards and figures of a bet at a shoe, compared with the first bet."""

    format: str = ANSWER_FORMAT
    top_award_share: Annotated[Fraction | None, Meta(description="The top award's share of the return.")]
    against_first: DifferenceAnswer | None
    better_for_the_player_than: list[BetterAnswer]
