"""How cards come: what every experiment offers, and the registry that finds the one a deal is written for.

A new way for cards to come is a package of its own with a `read_deal`, which reads how a file writes it, and an
`experiment`, which makes what is described here; if there is something to decide in the round it has a `play` too,
which says how it is decided. It is registered with the pattern that its deals are known by, and with the module that
declares its settings if it has any; nobody else asks what kind a deal is.

What an experiment may offer besides: to say which cards its outcomes take.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Protocol, runtime_checkable

from msgspec import Struct

from combinat.enumeration.decision import Play
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.symmetry import SuitPermutation
from combinat.enumeration.tally import AwardCounts, Tally
from combinat.language.deal import Deal, Setting
from decks import Card, Composition, InputError, Pack, Shoe
from decks.errors import quoted


class Condition(Struct, frozen=True):
    """One case of a view: what is seen, and the counts given that."""

    name: str
    ways: AwardCounts
    extras: dict[str, Fraction]
    """What else is likely then, by the keys that the view names."""


class ConditionTally(Struct, frozen=True):
    """One case of a view for every number of decks: the counts of what else is likely then."""

    name: str
    tally: Tally


class View(Protocol):
    """Something that is seen when the bet is made, such as the up card, with the bet given each case of it."""

    @property
    def key(self) -> str:
        """What data calls the cases, such as `up_cards`."""

    @property
    def case_key(self) -> str:
        """What data calls one case, such as `up`."""

    @property
    def case_title(self) -> str:
        """What a column of the cases is headed."""

    @property
    def title(self) -> str:
        """How a sheet heads the section about it."""

    @property
    def text(self) -> str:
        """What a sheet says of it."""

    @property
    def extras(self) -> tuple[tuple[str, str], ...]:
        """The keys and labels of what else is likely in each case."""

    def conditions(self, shoe: Shoe) -> tuple[Condition, ...]:
        """The bet given each case that is possible."""

    def extra_tallies(self) -> tuple[ConditionTally, ...]:
        """For each case the counts of the extras, which its rules match in their order."""


class Experiment(Protocol):
    """A way for cards to come, judged by a ladder of rules."""

    @property
    def deal(self) -> Deal:
        """How the cards come, as far as rules are concerned."""

    @property
    def ladder(self) -> Ladder:
        """The rules that outcomes are judged by."""

    @property
    def counts_hands(self) -> bool:
        """Whether the ways are hands that a reader can count; otherwise orders of cards, whose numbers tell nothing."""

    @property
    def detail_title(self) -> str:
        """How a ledger heads what else its classes are known by; nothing if there is nothing else."""

    def winnable(self, enough: int | None = None) -> tuple[bool, ...]:
        """Tell of each rule whether it takes any outcome, from whatever number of decks.

        With `enough` it may stop as soon as that many are found; of the others nothing is then known.
        """

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""

    def weigh(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes from any shoe, card by card as it stands."""

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """List every class of outcomes that a shoe can give, the ways adding up to the cycle."""

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Give a hand for each rule of the ladder that shows what it is for; none if no hand is taken by it."""

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts from first principles; `None` if there is no more to say than the ledger does."""

    def views(self) -> tuple[View, ...]:
        """What can be seen when the bet is made."""

    def cycle_in_words(self, shoe: Shoe, ways: AwardCounts, condition: str) -> str:
        """Say what an outcome is and how many there are, under a condition said in English, if there is one."""

    def assumptions(self) -> tuple[str, ...]:
        """Say what is taken for granted about how the cards come."""


@runtime_checkable
class CountsOutcomes(Protocol):
    """What an experiment may offer besides: the number of its classes of outcomes, before they are listed."""

    def count_outcomes(self, composition: Composition) -> int:
        """Count the classes that `outcomes` lists, much sooner than it lists them."""


@runtime_checkable
class SharedRound(Protocol):
    """What an experiment may offer besides: several seats that play the bet in one round."""

    def winning_together(
        self, composition: Composition, awards: Collection[int], seats: int
    ) -> tuple[Fraction, ...] | None:
        """Give the chances that one seat, two seats, and so on all win one of these awards; none if out of reach."""


@runtime_checkable
class Spots(Protocol):
    """What an experiment may offer besides: the awards of several spots that play the bet in one round."""

    def spots_together(
        self, composition: Composition, spots: int, *, by_class: bool = False
    ) -> dict[tuple[int, ...], int] | None:
        """Count how the spots take each row of rules, the number of rules standing for none; none if out of reach.

        With `by_class`, more is within reach: cards that no rule distinguishes are merged. Sheets do without, since the
        verifier does.
        """

    def can_count_spots(self, composition: Composition, spots: int) -> bool:
        """Say without counting whether so many spots are within reach."""

    def spots_for(self, cards: int) -> int | None:
        """Say how many spots so many cards are enough for; none if spots have no cards of their own."""


@runtime_checkable
class GoesWith(Protocol):
    """What an experiment may offer besides: to be counted in one round with another experiment."""

    def together_with(self, other: Experiment, composition: Composition) -> dict[tuple[int, int], int] | None:
        """Count the outcomes that a rule of the other and one of its own take, every outcome taking one of each.

        It is `None` where the cards of both cannot be laid over one another, or are out of reach.
        """


@runtime_checkable
class WeighsMany(Protocol):
    """What an experiment may offer beside all else: to weigh many shoes together, sooner than one by one."""

    def weigh_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Count the ladder's outcomes from one shoe after the other."""


@runtime_checkable
class WeighsWithoutEach(Protocol):
    """What an experiment may offer besides: to weigh a shoe without one card, for many cards at once."""

    def weigh_without_each(
        self, composition: Composition, alike: Sequence[Sequence[Card]]
    ) -> Sequence[AwardCounts] | None:
        """Count the ladder's outcomes without one card of each of some groups, whose cards are alike.

        It is `None` where that is no sooner done than shoe by shoe.
        """


def weigh_many(experiment: Experiment, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
    """Count an experiment's outcomes from one shoe after the other."""
    return (
        experiment.weigh_many(compositions)
        if isinstance(experiment, WeighsMany)
        else map(experiment.weigh, compositions)
    )


class _Kind(Struct, frozen=True):
    pattern: re.Pattern[str]
    module: str
    deals: str
    settings: str
    examples: tuple[str, ...] = ()


_KINDS: dict[str, _Kind] = {}


@lru_cache(maxsize=32)
def _made(deal: Deal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> Experiment:
    made: Experiment = import_module(_KINDS[deal.kind].module).experiment(deal, pack, ladder, roles_distinct)
    return made


def register(
    name: str, pattern: str, module: str, deals: str = "", settings: str = "", examples: tuple[str, ...] = ()
) -> None:
    """Add an experiment: the pattern by which its deals are known, and the module that is loaded when one is met.

    What was registered last is asked first. The `read_deal` may stand in a module of deals, so that files are read
    without what counts their bets. A module of settings has them as `SETTINGS`; it is loaded whenever the options of a
    command are listed, so it should load little itself. Examples are deals as a file writes them, by which a reader is
    told which words go with such deals.
    """
    _made.cache_clear()
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
    """Give the settings of all experiments by their keys.

    >>> declared_settings()["lucky_pays"].usual
    '3 to 2'
    """
    modules = [import_module(kind.settings) for kind in _KINDS.values() if kind.settings]
    return {setting.key: setting for module in modules for setting in module.SETTINGS}


def example_deals() -> dict[str, tuple[Deal, ...]]:
    """Give deals of each experiment by its name, to show what goes with it."""
    return {name: tuple(map(parse_deal, kind.examples)) for name, kind in _KINDS.items() if kind.examples}


def parse_deal(text: str) -> Deal:
    """Read how the cards of a bet are dealt.

    >>> str(parse_deal("player:2,up:1")), parse_deal("dealer:h17").kind
    ('player:2, up:1', 'dealer')
    """
    for kind in reversed(_KINDS.values()):
        if kind.pattern.search(text):
            deal: Deal = import_module(kind.deals).read_deal(text)
            return deal
    raise InputError(f"cannot read the deal {quoted(text)}")


def experiment(deal: Deal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> Experiment:
    """Give the experiment that deals like this and judges by the ladder; the same one to all that ask alike.

    Paytables that differ only in what they pay are so enumerated once.
    """
    return _made(deal, pack, ladder, roles_distinct)


def play(experiment: Experiment, shoe: Shoe) -> Play | None:
    """Tell how a round from a shoe is played, if there is something to decide in it."""
    work_out = getattr(import_module(_KINDS[experiment.deal.kind].module), "play", None)
    result: Play | None = work_out(experiment, shoe) if work_out else None
    return result


class CardResolution(Struct, frozen=True):
    """How far the classes of a list of outcomes tell cards apart; all hands of a class take as many of each kind."""

    ranks: tuple[tuple[int, ...], ...]
    """The ranks in classes that no class of outcomes tells apart."""
    renamings: tuple[SuitPermutation, ...] | None = None
    """The renamings of suits that carry one hand of a class into all others; none if not every suit is known."""
    asks_suits: bool = True
    """Whether a class may depend on suits at all."""
    unlisted: str = ""
    """Why the classes are not listed by their cards, but only summed up by ranks; nothing if they are listed."""


@runtime_checkable
class ListsCards(Protocol):
    """An experiment whose classes of outcomes are known by the cards that they take."""

    def listing(self, composition: Composition) -> CardResolution:
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


def with_play_kept(experiment: Experiment, composition: Composition) -> Experiment:
    """Play an experiment as is best from a shoe, if anything is decided in it."""
    return experiment.with_play_kept(composition) if isinstance(experiment, KeepsPlay) else experiment


class RankClassOutcome(Struct, frozen=True):
    """A class of outcomes: its award, its ways, and for each place the classes of ranks of the cards there."""

    award: int | None
    ways: int
    at: dict[int, tuple[int, ...]]


@runtime_checkable
class ListsKinds(Protocol):
    """An experiment that lists its classes by the ranks that its listing tells apart, sooner than hand by hand."""

    def kinds(self, composition: Composition, apart: Collection[int] = ()) -> Iterator[RankClassOutcome]:
        """List every class of outcomes, in any order; several may have the same kinds.

        Cards at the places named are told from those at others, also where no rule does so.
        """
