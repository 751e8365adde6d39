"""Paytables that are compared: who they are, at which numbers of decks, and how far their figures lie apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.figures import FIGURES, Value, headline
from combinat.study import Study
from reports.page.figures import STYLES
from reports.page.model import Style
from reports.tables.headings import names

SHOWN = ("house_edge", "hold", "hit_frequency", "push_rate", "standard_deviation", "volatility_index_90")
"""The figures that are compared, in their order."""
SHARE = "top_award_share"
_SHARE_LABEL = "Top award's share of the return"


class Comparison:
    """Studies of several paytables, told apart by name, at several numbers of decks."""

    def __init__(self, studies: Sequence[Study]) -> None:
        called = names(one.paytable for one in studies)
        self.names = tuple(called.values())
        self.decks = tuple(sorted({one.shoe.decks for one in studies}))
        self.at: Mapping[tuple[str, int], Study] = {(called[one.paytable], one.shoe.decks): one for one in studies}
        self.studies = list(self.at.values())

    @property
    def first(self) -> str:
        """The paytable that the others are held against."""
        return self.names[0]

    def of(self, name: str) -> list[Study]:
        """The studies of one paytable."""
        return [one for (called, _), one in self.at.items() if called == name]

    def value(self, name: str, decks: int, key: str) -> Value:
        """A figure of a paytable at a number of decks; none where it is not compared there."""
        study = self.at.get((name, decks))
        return None if study is None else value_of(study, key)

    def figures(self) -> list[str]:
        """The figures that some of the paytables have and that tell something."""
        has_holds = any(one.paytable.meters and headline(one, "hold") is not None for one in self.studies)
        has_pushes = any(one.analysis.push_rate for one in self.studies)
        told = {"hold": has_holds, "push_rate": has_pushes}
        return [key for key in SHOWN if told.get(key, True)]


def value_of(study: Study, key: str) -> Value:
    """Give a figure of a study on the headline's basis, or what part of the return its top award is."""
    if key != SHARE:
        return headline(study, key)
    returned = study.analysis.return_
    top = study.analysis.top.return_
    known = returned.is_constant and top.is_constant and returned.constant
    return top.constant / returned.constant if known else None


def difference(value: Value, first: Value) -> Value:
    """Give how far a figure lies from the first paytable's: by how much, or of a root how many times as large.

    >>> difference(Fraction(1, 20), Fraction(1, 25)), difference(Root(Fraction(8)), Root(Fraction(2)))
    (Fraction(1, 100), sqrt(4))
    """
    if isinstance(value, Root) and isinstance(first, Root):
        return Root(value.square / first.square) if first.square and not (value.negative or first.negative) else None
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(first, (int, Fraction, Polynomial)):
        return value - first
    return None


def apart(study: Study | None, first: Study | None, value: Callable[[Study], Value]) -> Value:
    """Give how far a figure lies from the first paytable's; none where one has none.

    Meters of different bets are different ones, whatever they are called, so that formulas in them are not subtracted.
    """
    if study is None or first is None:
        return None
    values = value(study), value(first)
    has_unknowns = any(isinstance(one, Polynomial) and not one.is_constant for one in values)
    if has_unknowns and study.paytable.bet.name != first.paytable.bet.name:
        return None
    return difference(*values)


def label_of(key: str) -> str:
    """Name what is compared."""
    return _SHARE_LABEL if key == SHARE else FIGURES[key].label


def style_of(key: str) -> Style:
    """Say how it is written."""
    return Style.PERCENT if key == SHARE else STYLES[key].style


def decks_text(count: int) -> str:
    """Write a number of decks."""
    return f"{count} deck{'s' if count > 1 else ''}"
