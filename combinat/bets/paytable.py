"""Bets and paytables: the deal, the ladder of awards, the deck counts, and the settings of configurable games.

A `Paytable` knows its experiment and its tally: the enumeration that gives the ways of each award for every deck count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.assumptions import Assumption
from combinat.bets.award import Award, top_award_index
from combinat.bets.meters import MeterSystem
from combinat.bets.pay import parse_pay
from combinat.bets.settlement import AllMatching, FirstMatching, Settlement
from combinat.bets.wheel import Wheel
from combinat.enumeration.experiment import Experiment, experiment
from combinat.enumeration.ladder import Ladder, RuleTooComplexError
from combinat.enumeration.tally import AwardCounts, Tally
from combinat.language.deal import Deal
from combinat.language.parser import parse_rule
from combinat.language.rules import Rule, walk
from decks import STANDARD, InputError, Pack, Rank, Shoe, format_deck_counts
from decks.errors import quote

_ARGUMENTS = ParamSpec("_ARGUMENTS")
_RESULT = TypeVar("_RESULT")


ELIGIBLE_HANDS = ("any", "in play")
"""Which hands may make a wager on the dealer's hand; hands in play are neither busted nor a blackjack."""


class Published(Struct, frozen=True):
    """A figure for one deck count, as printed by a source."""

    figure: str
    text: str
    decks: int


class BasedOn(Struct, frozen=True):
    """The original of a variant, and the topics in which they differ."""

    id: str
    differences: tuple[str, ...] = ()


class Bet(Struct, frozen=True):
    """The common part of all paytables of a bet: name, deal, pack and condition."""

    name: str
    deal: Deal
    pack: Pack = STANDARD
    roles_distinct: bool | None = None
    """Whether hands are ordered by role; `None` if the rules decide."""
    condition: Rule | None = None
    """The condition under which the bet exists; probabilities are conditional on it."""
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    origin: str = ""
    """The name of the file, for messages."""
    file: str = ""
    """The text of the file that the bet was loaded from; a sheet prints its fingerprint."""
    game: str = "Blackjack"
    """The table game that the bet is made at."""
    made: str = "before any card is dealt"
    settled: str = "when its cards are known"
    eligible_hands: str = "any"
    """Which hands may make the wager: `any`, or those `in play`, neither busted nor a blackjack."""
    maker: str | None = None
    """Who makes the bet, if the file says so."""
    requirements: str | None = None
    """What a player must wager or hold to make the wager."""
    rules_of_play: tuple[str, ...] = ()
    """When the wager is made, what it requires, and how it is settled, as numbered on the sheet."""
    option: str | None = None
    """What the player may do with winnings: `parlay` or `press`, see `combinat.blackjack.parlay.option`."""


def _with_paytable_context(
    count: Callable[Concatenate[Paytable, _ARGUMENTS], _RESULT],
) -> Callable[Concatenate[Paytable, _ARGUMENTS], _RESULT]:
    """Add the file and the award with the longest rule to the error for rules that are too complex."""

    @wraps(count)
    def wrapper(paytable: Paytable, /, *args: _ARGUMENTS.args, **options: _ARGUMENTS.kwargs) -> _RESULT:
        try:
            return count(paytable, *args, **options)
        except RuleTooComplexError as error:
            longest_award = max(paytable.awards, key=lambda award: sum(1 for _ in walk(award.rule.fact)))
            where = [paytable.bet.origin, f"paytable {quote(paytable.id)}", f"award {quote(longest_award.name)}"]
            raise InputError(": ".join(filter(None, [*where, str(error)]))) from None

    return wrapper


class Paytable(Struct, frozen=True, dict=True):
    """A ladder of awards for a bet, highest first, with the deck counts it is designed for."""

    id: str
    bet: Bet
    title: str
    decks: tuple[int, ...]
    awards: tuple[Award, ...]
    published: tuple[Published, ...] = ()
    notes: tuple[str, ...] = ()
    clause: str | None = None
    """The section of the source that states the paytable."""
    decks_clause: str | None = None
    """The words or the section of the source that limit the deck counts."""
    assumptions: tuple[Assumption, ...] = ()
    requires: str | None = None
    is_example: bool = False
    other_interpretation: str | None = None
    """The id of the same paytable under an alternative reading of its rules, shown beside it."""
    up: Rank | None = None
    """The exposed up card that the bet is conditioned on, if any."""
    systems: tuple[MeterSystem, ...] = ()
    """The meter systems, if known; several if they depend on the deck count."""
    stated_awards: tuple[Award, ...] = ()
    """The awards as stated in the file, where they add up; `awards` are then the reachable sums."""
    wheels: tuple[Wheel, ...] = ()
    """The wheels and dice that multiply pays of the awards."""
    variant: tuple[str, ...] = ()
    """The table rules that differ from the file, in a form for file names."""
    based_on: BasedOn | None = None
    """The original, if this is a variant; see `combinat.bets.identity`."""
    unused: tuple[str, ...] = ()
    """Warnings about hands and wheels of the file that no award uses; only on the first paytable."""

    def __repr__(self) -> str:
        return f"<Paytable {self.id}: {self.title}>"

    @property
    def top(self) -> Award:
        """The award with the highest pay."""
        return self.awards[top_award_index([award.pay.gross for award in self.awards])]

    @property
    def meters(self) -> tuple[str, ...]:
        """The meters that awards pay from, in ladder order."""
        return tuple(dict.fromkeys(award.pay.meter for award in self.awards if award.pay.meter is not None))

    @property
    def roles_distinct(self) -> bool:
        """Whether hands are counted as ordered by role."""
        if self.bet.roles_distinct is not None:
            return self.bet.roles_distinct
        return any(rule.roles for rule in self.ladder.all_rules)

    @property
    def ladder(self) -> Ladder:
        """The rules of the awards in priority order, with the bet's condition."""
        return self.settlement.ladder(self.bet.condition)

    @property
    def settlement(self) -> Settlement:
        """How outcomes are settled: first match or all matches."""
        return AllMatching(self.awards, self.stated_awards) if self.stated_awards else FirstMatching(self.awards)

    @cached_property
    def experiment(self) -> Experiment:
        """The random process of the deal with the ladder's rules."""
        return experiment(self.bet.deal, self.bet.pack, self.ladder, self.roles_distinct)

    @cached_property
    @_with_paytable_context
    def tally(self) -> Tally:
        """The ways of each award as polynomials in the number of decks."""
        return self.experiment.tally()

    @cached_property
    def first_decks(self) -> tuple[int | None, ...]:
        """The smallest deck count at which each award is possible, `None` if it never is."""
        return tuple(map(self.tally.first_decks, self.tally.wins))

    @_with_paytable_context
    def ways(self, shoe: Shoe) -> AwardCounts:
        """Count the hands of each award for a shoe."""
        return self.tally.at(shoe.decks) if shoe.is_full else self.experiment.count(shoe.composition)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The assumptions that go beyond the source, each with its label, then the notes of the bet and its own."""
        assumptions = (assumption for assumption in self.assumptions if assumption.label)
        return (
            *(f"{assumption.label}: {assumption.text}" for assumption in assumptions),
            *self.bet.notes,
            *self.notes,
        )

    def is_designed_for(self, decks: int) -> bool:
        """Return whether the paytable is designed for this deck count."""
        return decks in self.decks

    def select_deck_counts(self, counts: Sequence[int] | None, any_decks: bool = False) -> tuple[int, ...]:
        """Return the designed deck counts, or those of `counts` that are designed (all of them with `any_decks`)."""
        return (
            self.decks
            if counts is None
            else tuple(count for count in counts if any_decks or self.is_designed_for(count))
        )

    def system_for(self, decks: int) -> MeterSystem | None:
        """Return the meter system for a deck count, `None` if it is not known."""
        return next((system for system in self.systems if system.decks is None or decks in system.decks), None)

    def meter_wager(self, decks: int | None = None) -> Fraction:
        """Return the wager that meter amounts refer to: that of the meter system for `decks`.

        Without `decks`, or without a system for it, it is the common wager of all systems if there is one, otherwise 1.
        """
        system = None if decks is None else self.system_for(decks)
        wagers = {meter_system.wager for meter_system in ([system] if system else self.systems)}
        return wagers.pop() if len(wagers) == 1 else Fraction(1)

    def check_meters(self, meters: Mapping[str, Fraction]) -> None:
        """Refuse negative values, and values for meters that no award pays from."""
        for name, value in meters.items():
            if name not in self.meters:
                hint = f"its meters are {', '.join(self.meters)}" if self.meters else "it has no meters"
                raise InputError(f"{self.id} has no meter {quote(name)}; {hint}")
            if value < 0:
                raise InputError(f"the meter {quote(name)} cannot be negative, got {value}")

    @property
    def decks_text(self) -> str:
        """The designed deck counts as text."""
        counts = format_deck_counts(self.decks)
        return f"{counts} deck{'' if counts == '1' else 's'}"


def configure_deal(deal: Deal, settings: Mapping[str, str | int]) -> Deal:
    """Return the deal with other settings of its game."""
    return deal.with_settings({key: str(value) for key, value in settings.items()}) if settings else deal


def game_awards(deal: Deal) -> tuple[Award, ...]:
    """Return the awards that the game of a deal defines itself."""
    return tuple(Award(name, parse_rule(rule, deal), parse_pay(pays), pays) for name, rule, pays in deal.awards)


def apply_settings(paytable: Paytable, settings: Mapping[str, str]) -> Paytable:
    """Return the paytable with other settings of its game, and the game's awards under them if it uses those.

    Published figures apply only to the settings of the file, so they are dropped.

    >>> from combinat.bets.catalog import get_paytable
    >>> maker = apply_settings(get_paytable("L9"), {"nines": "maker"})
    >>> maker.title, maker.variant
    ('Lucky 9, nines maker', ('nines-maker',))
    """
    old_deal = paytable.bet.deal
    deal = configure_deal(old_deal, settings)
    if deal == old_deal:
        return paytable
    has_game_awards = paytable.awards == game_awards(old_deal)
    changed_settings = [choice for choice in deal.settings if choice not in old_deal.settings]
    changes = ", ".join(f"{choice.setting.key.replace('_', ' ')} {choice.text}" for choice in changed_settings)
    return replace(
        paytable,
        bet=replace(paytable.bet, deal=deal),
        title=f"{paytable.title}, {changes}",
        variant=(
            *paytable.variant,
            *(f"{choice.setting.option[2:]}-{_format_for_file_name(choice.text)}" for choice in changed_settings),
        ),
        awards=game_awards(deal) if has_game_awards else paytable.awards,
        published=(),
    )


def _format_for_file_name(choice: str) -> str:
    """Format a choice for a file name.

    >>> _format_for_file_name("3 to 2"), _format_for_file_name("1/3")
    ('3-to-2', '1-3')
    """
    return "-".join(choice.replace("/", " ").split())


def applicable_settings(paytable: Paytable, settings: Mapping[str, str]) -> dict[str, str]:
    """Return those of `settings` that the game of a paytable has."""
    keys = {choice.setting.key for choice in paytable.bet.deal.settings}
    return {key: value for key, value in settings.items() if key in keys}


def settings_in_force(paytable: Paytable) -> dict[str, str]:
    """Return the settings of the game by key; empty if the game has none."""
    return {choice.setting.key: choice.text for choice in paytable.bet.deal.settings}
