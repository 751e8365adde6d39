"""What an experiment may offer besides: to say which cards its outcomes take."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from combinat.enumeration.experiment import Experiment
from combinat.enumeration.symmetry import Renaming
from decks import Composition


class Listing(Struct, frozen=True):
    """How far the classes of a list of outcomes tell cards apart; all hands of a class take as many of each kind."""

    ranks: tuple[tuple[int, ...], ...]
    """The ranks in classes that no class of outcomes tells apart."""
    renamings: tuple[Renaming, ...] | None = None
    """The renamings of suits that carry one hand of a class into all others; none if not every suit is known."""
    asks_suits: bool = True
    """Whether a class may depend on suits at all."""
    unlisted: str = ""
    """Why the classes are not listed by their cards, but only summed up by ranks; nothing if they are listed."""


@runtime_checkable
class ListsCards(Protocol):
    """An experiment whose classes of outcomes are known by the cards that they take."""

    def listing(self, composition: Composition) -> Listing:
        """Say how far the classes tell cards apart."""


@runtime_checkable
class TakesByRank(Protocol):
    """An experiment that sums its outcomes up by how many cards of each class of ranks they take."""

    def taken_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Give each award, and none for losing, with what is taken of each class, in how many ordered ways."""


@runtime_checkable
class KeepsPlay(Protocol):
    """An experiment in whose rounds something is decided, and which can be played by a plan made for another shoe."""

    def with_play_kept(self, composition: Composition) -> Experiment:
        """The same experiment, played as is best from this shoe whatever shoe it comes from."""


def with_play_kept(trial: Experiment, composition: Composition) -> Experiment:
    """Play an experiment as is best from a shoe, if anything is decided in it."""
    return trial.with_play_kept(composition) if isinstance(trial, KeepsPlay) else trial


class KindsAt(Struct, frozen=True):
    """A class of outcomes: its award, its ways, and for each place the classes of ranks of the cards there."""

    award: int | None
    ways: int
    at: dict[int, tuple[int, ...]]


@runtime_checkable
class ListsKinds(Protocol):
    """An experiment that lists its classes by the ranks that its listing tells apart, sooner than hand by hand."""

    def kinds(self, composition: Composition, apart: Collection[int] = ()) -> Iterator[KindsAt]:
        """List every class of outcomes, in any order; several may have the same kinds.

        Cards at the places named are told from those at others, also where no rule does so.
        """
