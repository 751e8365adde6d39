"""Bets and paytables: what is dealt, which awards there are, and what they pay.

Games that a table configures: settings of the deal, and the awards that the game itself has under them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

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
from decks.errors import quoted

_ARGUMENTS = ParamSpec("_ARGUMENTS")
_RESULT = TypeVar("_RESULT")


class Published(Struct, frozen=True):
    """A figure that a source prints for some deck count, as it prints it."""

    figure: str
    text: str
    decks: int


class BasedOn(Struct, frozen=True):
    """The paytable that a variant was made from, and in what the two differ."""

    id: str
    differences: tuple[str, ...] = ()


class Bet(Struct, frozen=True):
    """What all paytables of a bet share: its name and how its cards are dealt."""

    name: str
    deal: Deal
    pack: Pack = STANDARD
    roles_distinct: bool | None = None
    """Whether a hand is another if cards change roles; left open, the rules decide."""
    given: Rule | None = None
    """What must hold for the bet to be made at all; probabilities are given that."""
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    origin: str = ""
    """What the file is called, for messages."""
    file: str = ""
    """The text of the file that the bet was read from, of which a sheet gives the fingerprint."""
    game: str = "Blackjack"
    """The table game that the bet is made at."""
    made: str = "before any card is dealt"
    settled: str = "when the cards that it looks at are known"
    option: str | None = None
    """What winnings may do next: `parlay` or `press`, see `combinat.blackjack.parlay.option`."""


def _with_paytable_context(
    count: Callable[Concatenate[Paytable, _ARGUMENTS], _RESULT],
) -> Callable[Concatenate[Paytable, _ARGUMENTS], _RESULT]:
    """Let rules that are too long be refused with the names of the file and of the award whose rule is longest."""

    @wraps(count)
    def wrapper(paytable: Paytable, /, *args: _ARGUMENTS.args, **options: _ARGUMENTS.kwargs) -> _RESULT:
        try:
            return count(paytable, *args, **options)
        except RuleTooComplexError as error:
            longest = max(paytable.awards, key=lambda award: sum(1 for _ in walk(award.rule.fact)))
            where = [paytable.bet.origin, f"paytable {quoted(paytable.id)}", f"award {quoted(longest.name)}"]
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
    requires: str | None = None
    is_example: bool = False
    other_reading: str | None = None
    """The id of the same paytable under another reading of its rules, shown beside it."""
    up: Rank | None = None
    """The dealer's up card if it is in view, so that this is but a part of the bet."""
    systems: tuple[MeterSystem, ...] = ()
    """How its meters are run, if that is known; several if it depends on the deck count."""
    parts: tuple[Award, ...] = ()
    """The awards as the file states them, where they add up; `awards` are then the sums that hands come to."""
    wheels: tuple[Wheel, ...] = ()
    """The wheels and dice that multiply pays of its awards."""
    variant: tuple[str, ...] = ()
    """Under which rules of the table it stands that its file does not say, each as a file's name can carry it."""
    based_on: BasedOn | None = None
    """What it is a variant of, if it is one; see `combinat.bets.identity`."""
    unused: tuple[str, ...] = ()
    """What of the file no award of any paytable uses, told once, with the first paytable."""

    def __repr__(self) -> str:
        return f"<Paytable {self.id}: {self.title}>"

    @property
    def top(self) -> Award:
        """The award that pays most."""
        return self.awards[top_award_index([award.pay.gross for award in self.awards])]

    @property
    def meters(self) -> tuple[str, ...]:
        """The meters that awards pay from, in ladder order."""
        return tuple(dict.fromkeys(award.pay.meter for award in self.awards if award.pay.meter is not None))

    @property
    def roles_distinct(self) -> bool:
        """Whether roles are told apart when hands are counted."""
        if self.bet.roles_distinct is not None:
            return self.bet.roles_distinct
        return any(rule.roles for rule in self.ladder.all_rules)

    @property
    def ladder(self) -> Ladder:
        """The awards' rules in order, with the bet's condition."""
        return self.settlement.ladder(self.bet.given)

    @property
    def settlement(self) -> Settlement:
        """What an outcome pays."""
        return AllMatching(self.awards, self.parts) if self.parts else FirstMatching(self.awards)

    @cached_property
    def experiment(self) -> Experiment:
        """The deal with the ladder's rules."""
        return experiment(self.bet.deal, self.bet.pack, self.ladder, self.roles_distinct)

    @cached_property
    @_with_paytable_context
    def tally(self) -> Tally:
        """The one enumeration behind every deck count."""
        return self.experiment.tally()

    @cached_property
    def first_decks(self) -> tuple[int | None, ...]:
        """The fewest decks from which each award can be won, `None` if it never can."""
        return tuple(map(self.tally.first_decks, self.tally.wins))

    @_with_paytable_context
    def ways(self, shoe: Shoe) -> AwardCounts:
        """Count the awards' hands for a shoe."""
        return self.tally.at(shoe.decks) if shoe.is_full else self.experiment.weigh(shoe.composition)

    def is_designed_for(self, decks: int) -> bool:
        """Whether the paytable's maker offers it at this deck count."""
        return decks in self.decks

    def counts_for(self, counts: Sequence[int] | None, any_decks: bool = False) -> tuple[int, ...]:
        """The deck counts that are wanted: those of the design, or those of them asked for."""
        return (
            self.decks
            if counts is None
            else tuple(count for count in counts if any_decks or self.is_designed_for(count))
        )

    def system_for(self, decks: int) -> MeterSystem | None:
        """How the meters are run with a number of decks, if that is known."""
        return next((system for system in self.systems if system.decks is None or decks in system.decks), None)

    def meter_wager(self, decks: int | None = None) -> Fraction:
        """The wager that amounts of the meters are for: as stated for so many decks, else for all others, else one.

        Without a number of decks it is the one wager that is stated wherever one is.
        """
        system = None if decks is None else self.system_for(decks)
        wagers = {meter_system.wager for meter_system in ([system] if system else self.systems)}
        return wagers.pop() if len(wagers) == 1 else Fraction(1)

    def check_meters(self, meters: Mapping[str, Fraction]) -> None:
        """Refuse values for meters that no award pays from."""
        for name, value in meters.items():
            if name not in self.meters:
                hint = f"its meters are {', '.join(self.meters)}" if self.meters else "it pays from no meter"
                raise InputError(f"{self.id} has no meter {quoted(name)}; {hint}")
            if value < 0:
                raise InputError(f"the meter {quoted(name)} cannot be negative: {value}")

    @property
    def decks_text(self) -> str:
        """The designed deck counts as one writes them."""
        counts = format_deck_counts(self.decks)
        return f"{counts} deck{'' if counts == '1' else 's'}"


def with_settings(deal: Deal, settings: Mapping[str, str | int]) -> Deal:
    """Give the deal under other rules of the game."""
    return deal.with_settings({key: str(value) for key, value in settings.items()}) if settings else deal


def own_awards(deal: Deal) -> tuple[Award, ...]:
    """Give the awards that a game has of its own."""
    return tuple(Award(name, parse_rule(rule, deal), parse_pay(pays), pays) for name, rule, pays in deal.awards)


def apply_settings(paytable: Paytable, settings: Mapping[str, str]) -> Paytable:
    """Give the paytable under other rules of its game, with the awards that the game then has, if they are its own.

    What is published is about the rules as they stand in the file, so it is left behind.

    >>> from combinat.bets.catalog import find
    >>> maker = apply_settings(find("L9"), {"nines": "maker"})
    >>> maker.title, maker.variant
    ('Lucky 9, nines maker', ('nines-maker',))
    """
    old_deal = paytable.bet.deal
    deal = with_settings(old_deal, settings)
    if deal == old_deal:
        return paytable
    has_game_awards = paytable.awards == own_awards(old_deal)
    changed = [choice for choice in deal.settings if choice not in old_deal.settings]
    changes = ", ".join(f"{choice.setting.key.replace('_', ' ')} {choice.said}" for choice in changed)
    return replace(
        paytable,
        bet=replace(paytable.bet, deal=deal),
        title=f"{paytable.title}, {changes}",
        variant=(*paytable.variant, *(f"{choice.setting.option[2:]}-{_dashed(choice.said)}" for choice in changed)),
        awards=own_awards(deal) if has_game_awards else paytable.awards,
        published=(),
    )


def _dashed(choice: str) -> str:
    """Write a choice as a file's name can carry it.

    >>> _dashed("3 to 2"), _dashed("1/3")
    ('3-to-2', '1-3')
    """
    return "-".join(choice.replace("/", " ").split())


def own_settings(paytable: Paytable, settings: Mapping[str, str]) -> dict[str, str]:
    """Pick the settings that a paytable's game has."""
    keys = {choice.setting.key for choice in paytable.bet.deal.settings}
    return {key: value for key, value in settings.items() if key in keys}
