"""The interface of experiments, and the registry that finds the experiment of a deal.

An experiment is a package with a `read_deal`, which parses the text of its deals, and an `experiment`, which builds
the object described here; if its rounds have decisions, a function `play` returns the strategy. It is registered with
the pattern of its deals and with the module of its settings, if it has any; no other code switches on the kind of a
deal. Optional capabilities, such as listing outcomes by their cards, are protocols of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Protocol, runtime_checkable

from msgspec import Struct

from combinat.enumeration.decision import RoundStrategy
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.symmetry import SuitPermutation
from combinat.enumeration.tally import AwardCounts, Tally
from combinat.language.deal import Deal, Setting
from decks import Card, Composition, InputError, Pack, Shoe
from decks.errors import quote


class Condition(Struct, frozen=True):
    """One case of a view: what is exposed, and the counts under that condition."""

    name: str
    ways: AwardCounts
    extras: dict[str, Fraction]
    """Further probabilities in this case, by the keys of the view."""


class ConditionTally(Struct, frozen=True):
    """One case of a view for every number of decks: the counts of its extras."""

    name: str
    tally: Tally


class ExposedView(Protocol):
    """Information exposed before the bet, such as the up card, with the bet under each case of it."""

    @property
    def key(self) -> str:
        """The key of the cases in data, such as `up_cards`."""

    @property
    def case_key(self) -> str:
        """The key of one case in data, such as `up`."""

    @property
    def case_title(self) -> str:
        """The title of the column of cases."""

    @property
    def title(self) -> str:
        """The title of the section on a sheet."""

    @property
    def text(self) -> str:
        """The text of the section on a sheet."""

    @property
    def extras(self) -> tuple[tuple[str, str], ...]:
        """The keys and labels of further probabilities in each case."""

    def conditions(self, shoe: Shoe) -> tuple[Condition, ...]:
        """Return the bet under each possible case."""

    def extra_tallies(self) -> tuple[ConditionTally, ...]:
        """Return the counts of the extras for each case, as rules in the order of `extras`."""


class Experiment(Protocol):
    """A random experiment with cards whose outcomes are sorted by a ladder of rules."""

    @property
    def deal(self) -> Deal:
        """The deal that rules refer to."""

    @property
    def ladder(self) -> Ladder:
        """The ladder of rules."""

    @property
    def counts_hands(self) -> bool:
        """Whether ways are hands that a reader can count; otherwise they are orders of cards."""

    @property
    def detail_title(self) -> str:
        """The title of the `detail` column of outcomes; empty if there is none."""

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:
        """Return for each rule whether it takes any outcome, for any number of decks.

        With `enough` it may stop as soon as that many are found; for the others the answer is then unknown.
        """

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes for any composition."""

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Iterate over all outcomes of a composition; their ways add up to the cycle."""

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return a typical hand for each rule of the ladder; `None` for a rule that takes no hand."""

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts from first principles; `None` if the ledger already shows all there is."""

    def views(self) -> tuple[ExposedView, ...]:
        """Return what can be exposed before the bet."""

    def cycle_in_words(self, shoe: Shoe, ways: AwardCounts, condition: str) -> str:
        """Describe the outcomes and their number, under a condition in English if it is not empty."""

    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions about the deal, as sentences."""


@runtime_checkable
class CountsOutcomes(Protocol):
    """Optional capability: count the outcomes without listing them."""

    def count_outcomes(self, composition: Composition) -> int:
        """Count what `outcomes` lists, much faster than listing it."""


@runtime_checkable
class SharedRound(Protocol):
    """Optional capability: several spots that play the bet in one round."""

    def joint_win_probabilities(
        self, composition: Composition, awards: Collection[int], seats: int
    ) -> tuple[Fraction, ...] | None:
        """Return the probabilities that 1, 2, ... spots all win one of `awards`; `None` if that is too expensive."""


@runtime_checkable
class Spots(Protocol):
    """Optional capability: the joint awards of several spots in one round."""

    def spots_together(
        self, composition: Composition, spots: int, *, by_class: bool = False
    ) -> dict[tuple[int, ...], int] | None:
        """Count the ways of each row of rules that the spots take; `None` if that is too expensive.

        The number of rules stands for a losing hand. With `by_class`, cards that no rule distinguishes are merged,
        which makes more cases feasible. Sheets do not use it, since the verifier does not either.
        """

    def can_count_spots(self, composition: Composition, spots: int) -> bool:
        """Return whether the joint awards of `spots` spots are feasible, without counting them."""

    def spots_for(self, cards: int) -> int | None:
        """Return the number of spots for which `cards` cards suffice; `None` if spots have no cards of their own."""


@runtime_checkable
class SupportsJointCount(Protocol):
    """Optional capability: count the outcomes of one round jointly with another experiment."""

    def together_with(self, other: Experiment, composition: Composition) -> dict[tuple[int, int], int] | None:
        """Count the outcomes of each pair of a rule of the other experiment and a rule of this one.

        It is `None` where the cards of both cannot be merged into one deal, or where that is too expensive.
        """


@runtime_checkable
class SupportsBatchCount(Protocol):
    """Optional capability: count many compositions together, faster than one by one."""

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Iterate over the counts of the compositions."""


@runtime_checkable
class SupportsCountWithoutEach(Protocol):
    """Optional capability: count a composition less one card, for many cards at once."""

    def count_without_each(
        self, composition: Composition, alike: Sequence[Sequence[Card]]
    ) -> Sequence[AwardCounts] | None:
        """Return the counts without one card of each group in `alike`, whose cards no rule distinguishes.

        It is `None` where that is not faster than counting each composition.
        """


def count_many(experiment: Experiment, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
    """Iterate over the counts of an experiment for many compositions."""
    return (
        experiment.count_many(compositions)
        if isinstance(experiment, SupportsBatchCount)
        else map(experiment.count, compositions)
    )


class _Kind(Struct, frozen=True):
    pattern: re.Pattern[str]
    module: str
    deals: str
    settings: str
    examples: tuple[str, ...] = ()


_KINDS: dict[str, _Kind] = {}


@lru_cache(maxsize=32)
def _build_cached(deal: Deal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> Experiment:
    made: Experiment = import_module(_KINDS[deal.kind].module).experiment(deal, pack, ladder, roles_distinct)
    return made


def register(
    name: str, pattern: str, module: str, deals: str = "", settings: str = "", examples: tuple[str, ...] = ()
) -> None:
    """Register an experiment: the pattern of its deals, and the module to import when one occurs.

    The experiment registered last is tried first. `deals` is the module of `read_deal`, if it differs, so that files
    can be parsed without importing the enumeration. `settings` is a module with a `SETTINGS` constant; it is imported
    whenever command options are listed, so it should import little. `examples` are deals as text, used to document the
    words of such deals.
    """
    _build_cached.cache_clear()
    _KINDS.pop(name, None)
    _KINDS[name] = _Kind(re.compile(pattern, re.IGNORECASE), module, deals or module, settings, examples)


register(
    "fixed",
    r"",
    "combinat.enumeration.fixed.experiment",
    deals="combinat.enumeration.fixed.deal",
    examples=("player:2, up:1", "player:5"),
)
register(
    "dealer",
    r":\s*[hs]17\s*(,|$)",
    "combinat.enumeration.dealer.experiment",
    deals="combinat.enumeration.dealer.deal",
    examples=("dealer:h17", "player:2, dealer:h17"),
)
register(
    "baccarat",
    r"^\s*baccarat\s*$",
    "combinat.enumeration.baccarat.experiment",
    deals="combinat.enumeration.baccarat.deal",
    examples=("baccarat",),
)
register(
    "lucky 9",
    r"^\s*lucky\s+9(\s|$)",
    "combinat.enumeration.lucky9.experiment",
    deals="combinat.enumeration.lucky9.deal",
    settings="combinat.enumeration.lucky9.rules",
    examples=("lucky 9",),
)


def declared_settings() -> dict[str, Setting]:
    """Return the settings of all experiments by key.

    >>> declared_settings()["lucky_pays"].usual
    '3 to 2'
    """
    modules = [import_module(kind.settings) for kind in _KINDS.values() if kind.settings]
    return {setting.key: setting for module in modules for setting in module.SETTINGS}


def example_deals() -> dict[str, tuple[Deal, ...]]:
    """Return example deals of each experiment by its name."""
    return {name: tuple(map(parse_deal, kind.examples)) for name, kind in _KINDS.items() if kind.examples}


def parse_deal(text: str) -> Deal:
    """Parse a deal such as `player:2, up:1`.

    >>> str(parse_deal("player:2,up:1")), parse_deal("dealer:h17").kind
    ('player:2, up:1', 'dealer')
    """
    for kind in reversed(_KINDS.values()):
        if kind.pattern.search(text):
            deal: Deal = import_module(kind.deals).read_deal(text)
            return deal
    raise InputError(f"cannot read the deal {quote(text)}")


def experiment(deal: Deal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> Experiment:
    """Return the experiment of a deal and a ladder, cached.

    Paytables that differ only in their pays are enumerated once.
    """
    return _build_cached(deal, pack, ladder, roles_distinct)


def solve_play(experiment: Experiment, shoe: Shoe) -> RoundStrategy | None:
    """Return the strategy of a round from a shoe; `None` if the round has no decisions."""
    solve = getattr(import_module(_KINDS[experiment.deal.kind].module), "play", None)
    result: RoundStrategy | None = solve(experiment, shoe) if solve else None
    return result


class CardResolution(Struct, frozen=True):
    """How precisely listed outcomes identify cards; all hands of an outcome use as many cards of each class."""

    ranks: tuple[tuple[int, ...], ...]
    """The rank classes: ranks in one class are not distinguished by any outcome."""
    suit_permutations: tuple[SuitPermutation, ...] | None = None
    """The suit permutations that map one hand of an outcome to all others; `None` if not every suit is known."""
    asks_suits: bool = True
    """Whether outcomes may depend on suits at all."""
    reason_not_listed: str = ""
    """Why outcomes are only summed up by ranks and not listed by their cards; empty if they are listed."""


@runtime_checkable
class ListsCards(Protocol):
    """Optional capability: outcomes are identified by the cards they use."""

    def listing(self, composition: Composition) -> CardResolution:
        """Return how precisely outcomes identify cards."""


@runtime_checkable
class CountsByRank(Protocol):
    """Optional capability: sum outcomes by the number of cards of each rank class."""

    def count_by_rank(
        self, composition: Composition, classes: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]]:
        """Iterate over (award, cards used of each class, ordered ways); the award is `None` for losing hands."""


@runtime_checkable
class SupportsFixedStrategy(Protocol):
    """Optional capability: use the strategy of one composition with every other composition (a fixed strategy)."""

    def with_fixed_strategy(self, composition: Composition) -> Experiment:
        """Return the experiment under the best strategy for this composition, whatever it is later dealt from."""


def use_fixed_strategy(experiment: Experiment, composition: Composition) -> Experiment:
    """Return the experiment under the fixed strategy of a composition; unchanged if it has no decisions."""
    return experiment.with_fixed_strategy(composition) if isinstance(experiment, SupportsFixedStrategy) else experiment


class RankClassOutcome(Struct, frozen=True):
    """An outcome by rank classes: its award, its ways, and the classes of the cards at each position."""

    award: int | None
    ways: int
    at: dict[int, tuple[int, ...]]


@runtime_checkable
class ListsRankClasses(Protocol):
    """Optional capability: list outcomes by rank classes, faster than hand by hand."""

    def kinds(self, composition: Composition, apart: Collection[int] = ()) -> Iterator[RankClassOutcome]:
        """Iterate over all outcomes by rank classes in any order; several may have equal classes.

        Positions in `apart` are distinguished from the others even where no rule does so.
        """
