"""Player decisions: what is known at a decision, the expected value of each action, and the best one.

There are two kinds. An option after the bet, such as a parlay or a press, changes the value of the bet but not the
counts of its awards, so figures of the wager alone stand beside those of best play. A decision within the round, such
as to stand or to hit, changes which awards occur: every count then assumes a stated strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol

from msgspec import Struct

from combinat.exact.distribution import BoundedDistribution
from combinat.language.deal import Deal
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote

Progress = Callable[[int, int], None]
"""A callback with the number of steps done and their total."""


class Decision(Protocol):
    """A decision state."""

    @property
    def known_cards(self) -> tuple[str, ...]:
        """What the player knows, in words: the hand, the up card."""

    @property
    def probability(self) -> Fraction:
        """The probability of this state."""

    @property
    def values(self) -> dict[str, Fraction]:
        """The expected value of each action per unit, by name; the passive action is first."""

    @property
    def best(self) -> str:
        """The name of the best action."""


class OptionDecision(Decision, Protocol):
    """A decision after the bet, about its winnings."""

    @property
    def amount(self) -> Fraction:
        """The amount at stake, in wagers, times the probability of this state."""

    @property
    def first_action(self) -> str:
        """The action on the hand before the option is taken."""

    @property
    def gain(self) -> Fraction:
        """What the best action adds to the expected return of the bet."""


class DecisionChart(Struct, frozen=True):
    """A table of actions or values by two things that the player knows, one for the rows and one for the columns."""

    caption: str
    row_title: str
    column_titles: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str | Fraction, ...]], ...]
    """For each row its name, and an action or a value for each column."""

    @property
    def has_values(self) -> bool:
        """Whether the cells are expected values."""
        return any(isinstance(cell, Fraction) for _, cells in self.rows for cell in cells)


class PlayFigure(Struct, frozen=True):
    """A figure of a strategy: its key in data, its label and its value."""

    key: str
    label: str
    value: Fraction


class RoundStrategy(Protocol):
    """The strategy of a round with decisions, and its figures."""

    @property
    def basis(self) -> str:
        """The basis of figures under this strategy: one of `combinat.analysis.basis.Basis`."""

    @property
    def decisions(self) -> Sequence[Decision]:
        """All decision states, with the value of each action."""

    @property
    def figures(self) -> tuple[PlayFigure, ...]:
        """Further figures of the strategy, such as the cost of a simpler one."""

    @property
    def charts(self) -> tuple[DecisionChart, ...]:
        """The strategy as charts."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks about the strategy."""


class LargestWin(Struct, frozen=True):
    """The largest net win of a wager of one under best play, and how it occurs."""

    net: Fraction
    award: int
    """The index of the award."""
    known_cards: tuple[str, ...] = ()
    """What the player knows when winnings are left on the next hand, as in a decision; empty if they are collected."""
    first_action: str = ""
    """How the next hand is played first."""


class PlayerOption(Protocol):
    """An option after a bet, such as a parlay, under best play."""

    @property
    def kind(self) -> str:
        """The name of the option."""

    @property
    def decisions(self) -> Sequence[OptionDecision]:
        """All decision states."""

    @property
    def gain(self) -> Fraction:
        """What the best choices add to the expected return of the bet."""

    @property
    def results(self) -> BoundedDistribution:
        """The distribution of the net result of a wager of one under best play."""

    @property
    def largest_win(self) -> LargestWin:
        """The largest win of a wager of one under best play."""

    @property
    def use_probability(self) -> Fraction:
        """The probability that the best choice is to use the option."""

    @property
    def gain_per_unit(self) -> tuple[Fraction, ...]:
        """What the best choices add per unit that could ride, for each award in ladder order."""

    def gain_with(self, award_index: int, gross: Fraction) -> Fraction:
        """Return what the best choices add through an award that returns `gross` for a wager of one."""

    @property
    def includes_wager(self) -> bool:
        """Whether the wager rides with its winnings."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks about the option."""

    @property
    def data(self) -> dict[str, Any]:
        """The inputs of the computation, for data exports."""

    def certificate(self, paytable_id: str, shoe: Shoe) -> bytes:
        """Return the file with the strategy and the value of every decision state; empty if play is not the best."""


OPTIONS = ("parlay", "press")
"""The options that a bet can have."""
_OPTION_DEALS = ("player:2", "player:2, up:1")
"""The deals of bets with an option: the winnings are left on the hand that begins with these cards."""


def check_option(option: str, deal: Deal) -> None:
    """Raise `InputError` if the option is unknown or a bet on these cards cannot have it.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> check_option("parley", parse_deal("player:2"))
    Traceback (most recent call last):
        ...
    decks.errors.InputError: no option 'parley'; did you mean 'parlay'?
    """
    if option not in OPTIONS:
        hint = did_you_mean(option, OPTIONS) or f"; it is {' or '.join(OPTIONS)}"
        raise InputError(f"no option {quote(option)}{hint}")
    if str(deal) not in _OPTION_DEALS:
        fitting = " or ".join(map(quote, _OPTION_DEALS))
        raise InputError(f"a {option} goes with the deal {fitting}, not {quote(str(deal))}")
