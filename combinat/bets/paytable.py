"""Bets and paytables: what is dealt, which awards there are, and what they pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, TypeVar

from msgspec import Struct

from combinat.bets.award import Award, top_place
from combinat.bets.meter_rules import MeterSystem
from combinat.bets.settlement import AddedAwards, FirstAward, Settlement
from combinat.bets.wheel import Wheel
from combinat.enumeration.experiment import Experiment, experiment
from combinat.enumeration.ladder import Ladder, TooLongError
from combinat.enumeration.tally import Tally, Ways
from combinat.language.deal import Deal
from combinat.language.tree import Rule, parts
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
    """What winnings may do next: `parlay` or `press`, see `combinat.blackjack.parlay`."""


def _saying_whose(
    count: Callable[Concatenate[Paytable, _ARGUMENTS], _RESULT],
) -> Callable[Concatenate[Paytable, _ARGUMENTS], _RESULT]:
    """Let rules that are too long be refused with the names of the file and of the award whose rule is longest."""

    @wraps(count)
    def counted(paytable: Paytable, /, *args: _ARGUMENTS.args, **options: _ARGUMENTS.kwargs) -> _RESULT:
        try:
            return count(paytable, *args, **options)
        except TooLongError as error:
            longest = max(paytable.awards, key=lambda award: sum(1 for _ in parts(award.rule.fact)))
            where = [paytable.bet.origin, f"paytable {quoted(paytable.id)}", f"award {quoted(longest.name)}"]
            raise InputError(": ".join(filter(None, [*where, str(error)]))) from None

    return counted


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
        return self.awards[top_place([award.pay.gross for award in self.awards])]

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
        return AddedAwards(self.awards, self.parts) if self.parts else FirstAward(self.awards)

    @cached_property
    def experiment(self) -> Experiment:
        """The deal with the ladder's rules."""
        return experiment(self.bet.deal, self.bet.pack, self.ladder, self.roles_distinct)

    @cached_property
    @_saying_whose
    def tally(self) -> Tally:
        """The one enumeration behind every deck count."""
        return self.experiment.tally()

    @cached_property
    def first_decks(self) -> tuple[int | None, ...]:
        """The fewest decks from which each award can be won, `None` if it never can."""
        return tuple(map(self.tally.first_decks, self.tally.wins))

    @_saying_whose
    def ways(self, shoe: Shoe) -> Ways:
        """Count the awards' hands for a shoe."""
        return self.tally.at(shoe.decks) if shoe.is_full else self.experiment.weigh(shoe.composition)

    def is_designed_for(self, decks: int) -> bool:
        """Whether the paytable's maker offers it at this deck count."""
        return decks in self.decks

    def counts_for(self, counts: Sequence[int] | None, any_decks: bool = False) -> tuple[int, ...]:
        """The deck counts that are wanted: those of the design, or those of them asked for."""
        return self.decks if counts is None else tuple(one for one in counts if any_decks or self.is_designed_for(one))

    def system_for(self, decks: int) -> MeterSystem | None:
        """How the meters are run with a number of decks, if that is known."""
        return next((one for one in self.systems if one.decks is None or decks in one.decks), None)

    def meter_wager(self, decks: int | None = None) -> Fraction:
        """The wager that amounts of the meters are for: as stated for so many decks, else for all others, else one.

        Without a number of decks it is the one wager that is stated wherever one is.
        """
        system = None if decks is None else self.system_for(decks)
        stated = {one.wager for one in ([system] if system else self.systems)}
        return stated.pop() if len(stated) == 1 else Fraction(1)

    def check_meters(self, meters: Mapping[str, Fraction]) -> None:
        """Refuse values for meters that no award pays from."""
        for name, value in meters.items():
            if name not in self.meters:
                have = f"its meters are {', '.join(self.meters)}" if self.meters else "it pays from no meter"
                raise InputError(f"{self.id} has no meter {quoted(name)}; {have}")
            if value < 0:
                raise InputError(f"the meter {quoted(name)} cannot be negative: {value}")

    @property
    def decks_text(self) -> str:
        """The designed deck counts as one writes them."""
        counts = format_deck_counts(self.decks)
        return f"{counts} deck{'' if counts == '1' else 's'}"
