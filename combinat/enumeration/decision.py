"""What a player may choose, with what is known at that time; the value of each action, and the best one.

There are two places for a choice. An option, such as a parlay or a press, comes after the bet: it changes what the bet
is worth, never what its awards count, so that the figures of the wager alone stand beside those of the best play. It is
worked out by a function that says how far it is. A choice within the round, such as to stand or to hit, decides which
awards come at all: there are no figures without it, and every count is that of a stated play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol

from msgspec import Struct

from combinat.exact.distribution import BoundedDistribution
from combinat.language.deal import Deal
from decks import InputError, did_you_mean
from decks.errors import quoted

Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""


class Decision(Protocol):
    """One situation in which there is something to choose."""

    @property
    def known(self) -> tuple[str, ...]:
        """What the player knows then, as one says it: the own hand, the up card."""

    @property
    def chance(self) -> Fraction:
        """How often it comes to this."""

    @property
    def values(self) -> dict[str, Fraction]:
        """What each action brings on average for one unit, by its name; to do nothing comes first."""

    @property
    def best(self) -> str:
        """The action to take."""


class RideDecision(Decision, Protocol):
    """A decision that comes after the bet, about what was won."""

    @property
    def amount(self) -> Fraction:
        """What it is about, in wagers, times how often it comes to this."""

    @property
    def played(self) -> str:
        """How the hand itself is played first."""

    @property
    def gain(self) -> Fraction:
        """What the best action adds to the return of the bet, over doing nothing."""


class Chart(Struct, frozen=True):
    """What to do, or what it is worth, by two things that the player knows: one down the page, one across."""

    caption: str
    down: str
    across: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str | Fraction, ...]], ...]
    """For each row its name, and for each column an action or a value."""

    @property
    def has_values(self) -> bool:
        """Whether it says what actions are worth."""
        return any(isinstance(cell, Fraction) for _, cells in self.rows for cell in cells)


class PlayFigure(Struct, frozen=True):
    """A figure of a way to play: its key in data, its label and its value."""

    key: str
    label: str
    value: Fraction


class Play(Protocol):
    """How a round is played in which there is something to decide, and what that comes to."""

    @property
    def basis(self) -> str:
        """What figures stand on that are played so: one of `combinat.study.Basis`."""

    @property
    def decisions(self) -> Sequence[Decision]:
        """Every situation in which there is something to choose, with the value of each action."""

    @property
    def figures(self) -> tuple[PlayFigure, ...]:
        """What else this play comes to, such as the cost of a simpler one."""

    @property
    def charts(self) -> tuple[Chart, ...]:
        """What to do, laid out for a reader."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said of it."""


class LargestWin(Struct, frozen=True):
    """The most that a wager of one can win with the best choices, and how that comes about."""

    net: Fraction
    award: int
    """The award of the wager, by its number."""
    known: tuple[str, ...] = ()
    """What the player knows when winnings are left to ride, as a decision says it; nothing if they are taken."""
    played: str = ""
    """How the hand is then played first."""


class Option(Protocol):
    """Everything that can be chosen after a bet, played as well as possible."""

    @property
    def kind(self) -> str:
        """What it is called."""

    @property
    def decisions(self) -> Sequence[RideDecision]:
        """Every situation in which there is something to choose."""

    @property
    def gain(self) -> Fraction:
        """What the best choices add to the return of the bet."""

    @property
    def results(self) -> BoundedDistribution:
        """What a wager of one brings with the best choices."""

    @property
    def largest(self) -> LargestWin:
        """The most that a wager of one can win with the best choices."""

    @property
    def used(self) -> Fraction:
        """How often the best choice is to do something."""

    @property
    def gain_per_unit(self) -> tuple[Fraction, ...]:
        """What the best choices add for each unit that could ride with an award, in ladder order."""

    def gain_with(self, award: int, gross: Fraction) -> Fraction:
        """What they add by way of an award, if it gave back so much for a wager of one."""

    @property
    def with_wager(self) -> bool:
        """Whether the wager rides with what it won."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said of it."""

    @property
    def data(self) -> dict[str, Any]:
        """What it is worked out from, as data carries it."""


class OptionKind(Struct, frozen=True):
    """A kind of option: the module whose `work_out` works it out, and the deals of bets that can have it."""

    module: str
    deals: tuple[str, ...]


_KINDS: dict[str, OptionKind] = {}


def register_option(kind: str, module: str, deals: tuple[str, ...]) -> None:
    """Add a kind of option; its module is loaded when a bet that has it is studied."""
    _KINDS[kind] = OptionKind(module, deals)


register_option("parlay", "combinat.blackjack.parlay.option", ("player:2", "player:2, up:1"))
register_option("press", "combinat.blackjack.parlay.option", ("player:2", "player:2, up:1"))


def option_kind(kind: str) -> OptionKind:
    """Find a kind of option by its name.

    >>> option_kind("parley")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: no option 'parley'; did you mean 'parlay'?
    """
    if kind not in _KINDS:
        hint = f"; it is {' or '.join(_KINDS)}"
        raise InputError(f"no option {quoted(kind)}{did_you_mean(kind, _KINDS) or hint}")
    return _KINDS[kind]


def check_option(kind: str, deal: Deal) -> None:
    """Refuse an option that a bet on these cards cannot have."""
    deals = option_kind(kind).deals
    if str(deal) not in deals:
        fitting = " or ".join(map(quoted, deals))
        raise InputError(f"a {kind} goes with the deal {fitting}, not {quoted(str(deal))}")
