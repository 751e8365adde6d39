"""Bets and paytables: what is dealt, which awards there are, and what they pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from msgspec import Struct

from combinat.amounts import decimal_text, number_in
from combinat.deal import Deal
from combinat.experiment import experiment
from combinat.ladder import Ladder, TooLongError
from combinat.meter_system import MeterSystem
from combinat.polynomial import Polynomial
from combinat.rules import Rule, parts
from combinat.tally import Tally, Ways
from decks import STANDARD, InputError, Pack, Shoe, format_deck_counts
from decks.errors import quoted

if TYPE_CHECKING:
    from combinat.experiment import Experiment

MOST_PAID = 1_000_000
"""More than any paytable pays; larger numbers are taken for slips of the finger."""

_FORMS = "write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'"
DEFAULT_METER = "meter"
PARLAY, PRESS = "parlay", "press"
OPTIONS = (PARLAY, PRESS)
_ARGUMENTS = ParamSpec("_ARGUMENTS")
_RESULT = TypeVar("_RESULT")


class Pay(Struct, frozen=True):
    """What an award pays for a wager of one.

    >>> str(parse_pay("2.5 to 1")), parse_pay("2.5 to 1").gross
    ('2.5 to 1', <Polynomial 7/2>)
    >>> parse_pay("10% of Mega").gross
    <Polynomial 1/10*Mega>
    """

    amount: Fraction
    """The number as the paytable gives it; a meter's share as a part of one."""
    unit: str
    """`to 1`: the wager comes back too; `for 1`: it does not; otherwise `of` a meter, the wager not coming back."""
    meter: str | None = None

    def __str__(self) -> str:
        if self.meter is not None:
            return f"{decimal_text(self.amount * 100)}% of {self.meter}"
        if self.amount == 0:
            return "push" if self.unit == "to 1" else "loses"
        return f"{decimal_text(self.amount)} {self.unit}"

    @property
    def gross(self) -> Polynomial:
        """All that the player gets back for a wager of one, counting the wager if it comes back."""
        if self.meter is not None:
            return self.amount * Polynomial.unknown(self.meter)
        return Polynomial.of(self.amount + 1 if self.unit == "to 1" else self.amount)

    @property
    def net(self) -> Polynomial:
        """What the player wins for a wager of one, less the wager if it is kept."""
        return self.gross - 1


def parse_pay(text: str) -> Pay:
    """Read what an award pays.

    >>> parse_pay("3 to 2").gross
    <Polynomial 5/2>
    >>> parse_pay("nine")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: cannot read the pay 'nine'; write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'
    """
    words = " ".join(text.split())
    parts = words.lower().replace("-", " ").replace("%", " % ").split()
    amount = number_in(parts[0]) if parts else None
    if parts == ["push"]:
        return Pay(Fraction(0), "to 1")
    if parts in (["loses"], ["loss"]):
        return Pay(Fraction(0), "for 1")
    if amount is not None and not words.startswith("-"):
        match parts[1:]:
            case ["to" | "for" as unit, stake] if number_in(stake):
                return _odds(amount / Fraction(stake), unit, words)
            case ["%", *rest]:
                return _share(amount / 100, rest, words)
            case []:
                raise InputError(f"the pay {quoted(words)} lacks its unit; write '{words} to 1' or '{words} for 1'")
            case _:
                pass
    if words.startswith("-"):
        raise InputError(f"the pay {quoted(words)} is negative; an award pays something, what takes none just loses")
    raise InputError(f"cannot read the pay {quoted(words)}; {_FORMS}")


def _odds(amount: Fraction, unit: str, words: str) -> Pay:
    if amount > MOST_PAID:
        raise InputError(f"the pay {quoted(words)} is more than {MOST_PAID:,} to 1; is it a slip?")
    return Pay(amount, f"{unit} 1")


def _share(share: Fraction, rest: list[str], words: str) -> Pay:
    """Make the pay of a part of a meter: `of Mega`, `of the meter`, `Mega meter`, or nothing more."""
    if not 0 < share <= 1:
        raise InputError(f"the pay {quoted(words)} is not between 0% and 100% of a meter")
    named = [word for word in rest if word not in ("of", "the", DEFAULT_METER)]
    if len(named) > 1 or not all(name.isascii() and name.isidentifier() and len(name) <= 20 for name in named):
        raise InputError(f"cannot read the meter's name in the pay {quoted(words)}; {_FORMS}")
    if not named:
        return Pay(share, "of", DEFAULT_METER)
    written = words.replace("%", " % ").split()
    return Pay(share, "of", next(word for word in written if word.lower() == named[0]))


class Award(Struct, frozen=True):
    """One step of the ladder: what it is called, which hands it is for, what it pays."""

    name: str
    rule: Rule
    pay: Pay
    said: str = ""
    """What it pays, in the file's own words."""


def top_place(pays: Sequence[Polynomial]) -> int:
    """Find which pay is most, a meter of unknown value being worth more than any pay; the first of equals.

    >>> top_place([parse_pay(text).gross for text in ("25 to 1", "40 to 1", "40 to 1")])
    1
    """
    return max(range(len(pays)), key=lambda place: (not pays[place].is_constant, pays[place].constant))


class Published(Struct, frozen=True):
    """A figure that a source prints for some deck count, as it prints it."""

    figure: str
    text: str
    decks: int


class Bet(Struct, frozen=True):
    """What all paytables of a bet share: its name and how its cards are dealt."""

    name: str
    deal: Deal
    pack: Pack = STANDARD
    apart: bool | None = None
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
    """What winnings may do next: `parlay` or `press`, see `combinat.riding`."""


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
    systems: tuple[MeterSystem, ...] = ()
    """How its meters are run, if that is known; several if it depends on the deck count."""
    unused_hands: tuple[str, ...] = ()
    """Hands of the file that no award of any paytable is for, told once, with the first paytable."""

    @property
    def top(self) -> Award:
        """The award that pays most."""
        return self.awards[top_place([award.pay.gross for award in self.awards])]

    @property
    def meters(self) -> tuple[str, ...]:
        """The meters that awards pay from, in ladder order."""
        return tuple(dict.fromkeys(award.pay.meter for award in self.awards if award.pay.meter is not None))

    @property
    def apart(self) -> bool:
        """Whether roles are told apart when hands are counted."""
        if self.bet.apart is not None:
            return self.bet.apart
        return any(rule.roles for rule in self.ladder.all_rules)

    @property
    def ladder(self) -> Ladder:
        """The awards' rules in order, with the bet's condition."""
        return Ladder(tuple(award.rule for award in self.awards), self.bet.given)

    @cached_property
    def experiment(self) -> Experiment:
        """The deal with the ladder's rules."""
        return experiment(self.bet.deal, self.bet.pack, self.ladder, self.apart)

    @cached_property
    @_saying_whose
    def tally(self) -> Tally:
        """The one enumeration behind every deck count."""
        return self.experiment.tally()

    @cached_property
    def first_decks(self) -> tuple[int | None, ...]:
        """The fewest decks from which each award can be won, `None` if it never can."""
        return tuple(map(self.tally.first_decks, self.tally.takes))

    @_saying_whose
    def ways(self, shoe: Shoe) -> Ways:
        """Count the awards' hands for a shoe."""
        return self.tally.at(shoe.decks) if shoe.is_full else self.experiment.weigh(shoe.composition)

    def is_designed_for(self, decks: int) -> bool:
        """Whether the paytable's maker offers it at this deck count."""
        return decks in self.decks

    def system_for(self, decks: int) -> MeterSystem | None:
        """How the meters are run with a number of decks, if that is known."""
        return next((one for one in self.systems if one.decks is None or decks in one.decks), None)

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
