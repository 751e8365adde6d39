"""From what was typed on the command line to studies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.analysis.analysis import analyze
from combinat.bets.catalog import identified, resolve
from combinat.bets.overrides import pay_variants
from combinat.bets.pay import DEFAULT_METER
from combinat.bets.paytable import Paytable, apply_settings, own_settings
from combinat.bets.variants import at_soft_17, condition_on_up_card, run_by
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.exact.numbers import parse_number
from combinat.study import Study, study
from decks import InputError, Shoe, did_you_mean, parse_cards, parse_deck_counts
from decks.errors import quoted
from reports.cli.table import SHARED, Table
from reports.cli.trial import PayOverrides

if TYPE_CHECKING:
    from combinat.blackjack.rules import BlackjackRules

MAX_DIGITS = 1000
FORMATS = ("table", "markdown", "csv", "json", "latex")
PAGE_FORMATS = (*FORMATS, "html", "xlsx")
"""Those of answers that are pages of their own, with pictures."""


def parse_format(text: str, formats: Sequence[str] = FORMATS) -> str:
    """Check the name of an output format."""
    name = text.strip().lower()
    if name not in formats:
        raise InputError(
            f"no format {quoted(text)}{did_you_mean(name, formats) or '; formats are ' + ', '.join(formats)}"
        )
    return name


def parse_digits(digits: int) -> int:
    """Check the number of decimals asked for."""
    if not 0 <= digits <= MAX_DIGITS:
        raise InputError(f"cannot print {digits} decimals; give 0 to {MAX_DIGITS}")
    return digits


def parse_meters(texts: Sequence[str], paytables: Sequence[Paytable]) -> dict[str, Fraction]:
    """Read meter values such as `25000` or `Mega=50000`, the first form where there is but one meter.

    >>> from combinat.bets.catalog import find
    >>> parse_meters(["25,000"], [find("BLZ-1-UP")])
    {'meter': Fraction(25000, 1)}
    """
    names = list(dict.fromkeys(name for paytable in paytables for name in paytable.meters))
    ids = ", ".join(dict.fromkeys(paytable.id for paytable in paytables))
    meters: dict[str, Fraction] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        if not names:
            raise InputError(f"--meter {quoted(text)}: {ids} pays from no meter")
        if not equals:
            if len(names) > 1:
                raise InputError(f"--meter {quoted(text)}: say which meter, as in {names[0]}={text}")
            name = names[0]
        names_by_key = {meter_name.lower(): meter_name for meter_name in names}
        if name.strip().lower() not in names_by_key:
            hint = did_you_mean(name, names) or f"; its meters are {', '.join(names)}"
            raise InputError(f"--meter {quoted(text)}: {ids} has no meter {quoted(name)}{hint}")
        value = parse_number(number.strip().lstrip("$"))
        if value is None:
            raise InputError(
                f"--meter {quoted(text)}: no amount {quoted(number)}; write a number, as in {DEFAULT_METER}=25000"
            )
        meters[names_by_key[name.strip().lower()]] = value
    return meters


class Question(Struct, frozen=True):
    """Which bets are asked about, at which shoes and at which table, as it was typed."""

    arguments: Sequence[str]
    decks: str | None = None
    removed: str = ""
    meters: Sequence[str] = ()
    any_decks: bool = False
    up: str | None = None
    typed: Table = Table()
    """What was said about the table, blackjack or another game."""
    trial: PayOverrides = PayOverrides()
    """Which other pays and meters are tried."""
    beside: bool = False
    """Whether a paytable of which other pays are tried stands beside its variants."""

    @property
    def soft_17(self) -> str:
        """The rule of soft 17 as deals write it; nothing if nothing was said about it."""
        hits = self.typed.blackjack.hits_soft_17
        return "" if hits is None else "h17" if hits else "s17"

    @property
    def strategy(self) -> str:
        """How hands of blackjack are played."""
        return self.typed.blackjack.strategy

    def resolved(self, argument: str) -> tuple[Paytable, ...]:
        """The paytables that an argument means: here those of a file or of the catalog."""
        return resolve(argument)

    def named(self, warn: Callable[[str], None] | None = None) -> list[tuple[str, Paytable]]:
        """The paytables that are named, as tried and under the rules of the table, each with the argument for it."""
        pairs = [(argument, paytable) for argument in self.arguments for paytable in self.resolved(argument)]
        if self.trial.pays:
            variants, words = pay_variants([item for _, item in pairs], self.trial.pays, beside=self.beside)
            pairs = [(argument, item) for (argument, _), group in zip(pairs, variants, strict=True) for item in group]
            for word in words if warn else ():
                warn(word)  # type: ignore[misc]  # there is one
        if run := self.trial.run:
            if not any(item.meters for _, item in pairs):
                raise InputError(f"{', '.join(item.id for _, item in pairs)}: no award pays from a meter")
            counts = self.counts or ()
            pairs = [(argument, run_by(item, run, counts) if item.meters else item) for argument, item in pairs]
        if self.soft_17:
            pairs = [(argument, at_soft_17(item, self.soft_17)) for argument, item in pairs]
        setting_keys = {chosen.setting.key for _, paytable in pairs for chosen in paytable.bet.deal.settings}
        ids = ", ".join(paytable.id for _, paytable in pairs)
        if self.typed.without(setting_keys).typed_rules is not None and not any(item.bet.option for _, item in pairs):
            raise InputError(f"the rules of blackjack do not matter to {ids}: its winnings cannot ride on the hand")
        if not self.typed.settings:
            return [(argument, identified(item)) for argument, item in pairs]
        if unknown := [key for key in self.typed.settings if key not in {*setting_keys, *SHARED}]:
            key = unknown[0]
            raise InputError(f"--{key.replace('_', '-')} does not matter to {ids}: its game has no such setting")
        chosen = [(argument, apply_settings(item, own_settings(item, self.typed.settings))) for argument, item in pairs]
        return [(argument, identified(item)) for argument, item in chosen]

    def seen(self, paytables: list[Paytable]) -> list[Paytable]:
        """The paytables once the up card is seen, if one is."""
        if self.up is None:
            return paytables
        return [condition_on_up_card(paytable, self.up) for paytable in paytables]

    def only(self) -> Paytable:
        """The one paytable that is named, once the up card is seen."""
        paytables = self.seen([paytable for _, paytable in self.named()])
        if len(paytables) > 1:
            argument, ids = self.arguments[0], ", ".join(item.id for item in paytables)
            if self.trial.pays and len({item.bet.name for item in paytables}) == 1 and len(self.trial.pays) > 1:
                raise InputError("several pays are tried, for a variant each; try one at a time here")
            raise InputError(f"{argument} has several paytables; write {argument}:ID with one of {ids}")
        return paytables[0]

    @property
    def counts(self) -> tuple[int, ...] | None:
        """The deck counts asked for; those of each design if none are."""
        return parse_deck_counts(self.decks) if self.decks is not None else None

    def outside(self, paytable: Paytable) -> str:
        """Say which of the deck counts asked for a paytable is not designed for; nothing if all are to be shown."""
        undesigned = (
            [] if self.any_decks else [str(count) for count in self.counts or () if not paytable.is_designed_for(count)]
        )
        if not undesigned:
            return ""
        design = f"{paytable.id} is designed for {paytable.decks_text}"
        return f"{design}, not {', '.join(undesigned)}; --any-decks shows it all the same"

    @property
    def table(self) -> BlackjackRules | None:
        """The blackjack around the bets; the usual table if nothing was said about it."""
        blackjack = self.typed.blackjack
        return blackjack.typed_rules if blackjack.hits_soft_17 is None else blackjack.rules

    def cases(self, warn: Callable[[str], None]) -> list[tuple[Paytable, Shoe]]:
        """Return every paytable that is named with every shoe asked for; only a condition is checked by counting.

        Deck counts that a paytable is not designed for, or at which no hand fits its condition, are left out with a
        warning; if none is left, that is an error.
        """
        cards = parse_cards(self.removed)
        pairs: list[tuple[Paytable, Shoe]] = []
        refused: list[str] = []
        for paytable in self.seen([paytable for _, paytable in self.named(warn)]):
            if reason := self.outside(paytable):
                refused.append(reason)
            for count in paytable.counts_for(self.counts, self.any_decks):
                shoe = Shoe(count, paytable.bet.pack, cards)
                try:
                    if paytable.bet.given is not None:
                        analyze(paytable, shoe)
                    pairs.append((paytable, shoe))
                except NoHandError as error:
                    refused.append(str(error))
        refused = list(dict.fromkeys(refused))  # what holds at any deck count is said once
        if not pairs:
            raise InputError("; ".join(refused))
        for message in refused:
            warn(message)
        return pairs

    def studies(self, warn: Callable[[str], None], progress: Progress | None = None) -> list[Study]:
        """Work out every paytable that is named at every deck count asked for.

        Deck counts that a paytable is not designed for, or at which no hand fits its condition, are left out with a
        warning; if none is left, that is an error.
        """
        paytables = [paytable for _, paytable in self.named(warn)]
        cards = parse_cards(self.removed)
        values = parse_meters(self.meters, paytables)
        results: list[Study] = []
        refused: list[str] = []
        for paytable in self.seen(paytables):
            if reason := self.outside(paytable):
                refused.append(reason)
            meters = {name: value for name, value in values.items() if name in paytable.meters}
            table = self.table if paytable.bet.option else None
            impossible: list[str] = []
            for count in paytable.counts_for(self.counts, self.any_decks):
                shoe = Shoe(count, paytable.bet.pack, cards)
                try:
                    results.append(study(paytable, shoe, meters, table, self.strategy, progress))
                except NoHandError as error:
                    impossible.append(str(error))
            refused += dict.fromkeys(impossible)  # what holds at any deck count is said once
        if not results:
            raise InputError("; ".join(refused))
        for message in refused:
            warn(message)
        return results
