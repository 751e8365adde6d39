"""The interface of experiments, and the registry that finds the experiment of a deal.

An experiment is a package with two functions: `read_deal` parses the text of its deals, and `experiment` builds an
`Experiment`. It is registered with the pattern of its deals and with the module of its settings, if it has any. No
other code switches on the kind of a deal.
"""
# ruff: noqa: ARG002  # a default ignores its arguments

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Protocol

from msgspec import Struct

from combinat.enumeration.decision import RoundStrategy
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, FinishedHand, Outcome
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


class CardResolution(Struct, frozen=True):
    """How precisely listed outcomes identify cards; all hands of an outcome use as many cards of each class."""

    ranks: tuple[tuple[int, ...], ...]
    """The rank classes: ranks in one class are not distinguished by any outcome."""
    suit_permutations: tuple[SuitPermutation, ...] | None = None
    """The suit permutations that map one hand of an outcome to all others; `None` if not every suit is known."""
    uses_suits: bool = True
    """Whether outcomes may depend on suits at all."""
    reason_not_listed: str = ""
    """Why outcomes are only summed up by ranks and not listed by their cards; empty if they are listed."""


class RankClassOutcome(Struct, frozen=True):
    """An outcome by rank classes: its award, its ways, and the classes of the cards at each position."""

    award: int | None
    ways: int
    classes_by_position: dict[int, tuple[int, ...]]


class Experiment(ABC):
    """A random experiment with cards whose outcomes are sorted by a ladder of rules.

    An experiment counts its outcomes (`tally`, `count`), lists them (`outcomes`) and describes them. The other methods
    have defaults: some derive their answer from these three, the others return `None` for "not supported".
    """

    def __init__(self, deal: Deal, pack: Pack, ladder: Ladder) -> None:
        self.deal = deal
        self.pack = pack
        self.ladder = ladder

    # Counts

    @abstractmethod
    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""

    @abstractmethod
    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes for any composition."""

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Iterate over the counts of many compositions; override it if counting them together is faster."""
        return map(self.count, compositions)

    def count_without_each(
        self,
        composition: Composition,
        groups: Sequence[Sequence[Card]],
    ) -> Sequence[AwardCounts] | None:
        """Return the counts without one card of each group, whose cards no rule distinguishes.

        It is `None` where that is not faster than counting each composition.
        """
        return None

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:
        """Return for each rule whether it takes any outcome, for any number of decks.

        With `enough` it may stop as soon as that many are found; for the others the answer is then unknown.
        """
        tally = self.tally()
        return tuple(tally.first_decks(wins) is not None for wins in tally.wins)

    # Outcomes

    @abstractmethod
    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Iterate over all outcomes of a composition, losing ones last; their ways add up to the cycle."""

    def count_outcomes(self, composition: Composition) -> int | None:
        """Count what `outcomes` lists without listing it; `None` if that is not supported."""
        return None

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return a typical hand for each rule of the ladder; `None` for a rule that takes no hand."""
        example_by_award: dict[int | None, Outcome] = {}
        for outcome in self.outcomes(composition):
            example_by_award.setdefault(outcome.award, outcome)
        return tuple(example_by_award.get(award_index) for award_index in range(len(self.ladder.rules)))

    def card_resolution(self, composition: Composition) -> CardResolution | None:
        """Return how precisely `outcomes` identify cards; `None` if card counts cannot be evaluated from them."""
        return None

    def iter_rank_classes(
        self,
        composition: Composition,
        separate_positions: Collection[int] = (),
    ) -> Iterator[RankClassOutcome] | None:
        """Iterate over all outcomes by rank classes, in any order, several perhaps with equal classes.

        `separate_positions` are distinguished from the others even where no rule does so. It is `None` where that is
        not faster than `outcomes`.
        """
        return None

    def count_by_rank(
        self,
        composition: Composition,
        classes: Sequence[Sequence[int]],
    ) -> Iterator[tuple[int | None, tuple[int, ...], int]] | None:
        """Iterate over (award, cards used of each rank class, ordered ways); the award is `None` for losing hands.

        It is `None` where outcomes are not summed up by ranks.
        """
        return None

    # Several spots and several bets in one round

    def count_spots_jointly(
        self,
        composition: Composition,
        spot_count: int,
        *,
        by_class: bool = False,
    ) -> dict[tuple[int, ...], int] | None:
        """Count the ways of each row of rules that the spots take; `None` if it is too expensive or not supported.

        The number of rules stands for a losing hand. With `by_class`, cards that no rule distinguishes are merged,
        which makes more cases feasible. Sheets do not use it, since the verifier does not either.
        """
        return None

    def can_count_spots(self, composition: Composition, spot_count: int) -> bool:
        """Return whether `count_spots_jointly` is feasible, without counting."""
        return False

    def max_spots(self, card_count: int) -> int | None:
        """Return how many spots `card_count` cards suffice for; `None` if spots have no cards of their own."""
        return None

    def joint_win_probabilities(
        self,
        composition: Composition,
        award_indexes: Collection[int],
        spot_count: int,
    ) -> tuple[Fraction, ...] | None:
        """Return the probabilities that 1, 2, ... `spot_count` spots all win one of `award_indexes`.

        It is `None` where that is too expensive or not supported.
        """
        return None

    def count_jointly_with(
        self,
        other: Experiment,
        composition: Composition,
    ) -> dict[tuple[int, int], int] | None:
        """Count the outcomes of each pair of a rule of the other experiment and a rule of this one, in one round.

        It is `None` where the cards of both cannot be merged into one deal, or where that is too expensive.
        """
        return None

    # Decisions within the round

    @property
    def has_decisions(self) -> bool:
        """Whether the player decides within the round, so that every count assumes a strategy."""
        return False

    def solve_strategy(self, shoe: Shoe) -> RoundStrategy | None:
        """Return the best strategy for a shoe; `None` if the round has no decisions."""
        return None

    def fix_strategy(self, composition: Composition) -> Experiment:
        """Return the experiment under the best strategy for this composition, whatever it is later dealt from."""
        return self

    # Descriptions

    @abstractmethod
    def cycle_in_words(self, shoe: Shoe, award_counts: AwardCounts, condition: str) -> str:
        """Describe the outcomes and their number, under a condition in English if it is not empty."""

    @property
    def counts_hands(self) -> bool:
        """Whether ways are hands that a reader can count; otherwise they are orders of cards."""
        return False

    @property
    def detail_title(self) -> str:
        """The title of the `detail` column of outcomes; empty if there is none."""
        return ""

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts from first principles; `None` if the ledger already shows all there is."""
        return None

    def views(self) -> tuple[ExposedView, ...]:
        """Return what can be exposed before the bet."""
        return ()

    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions about the deal, as sentences."""
        return ()

    @property
    def hits_soft_17(self) -> bool | None:
        """Whether the dealer hits a soft 17; `None` if no dealer draws by such a rule."""
        return None

    def finished_hands(self, composition: Composition) -> Iterator[FinishedHand]:
        """Yield every finished hand of the dealer that the bet's condition allows; none if no dealer draws."""
        return iter(())


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

    >>> declared_settings()["lucky_pays"].default
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
