"""Parse command-line arguments into paytables, shoes and studies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import mark_if_variant, resolve_paytables
from combinat.bets.overrides import pay_variants
from combinat.bets.pay import DEFAULT_METER
from combinat.bets.paytable import Paytable, applicable_settings, apply_settings
from combinat.bets.variants import apply_soft_17, condition_on_up_card, override_meters
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.exact.numbers import parse_number
from combinat.study import Study, build_study
from decks import InputError, Shoe, did_you_mean, parse_cards, parse_deck_counts
from decks.errors import quote
from reports.cli.table import SHARED, Table
from reports.cli.trial import PayOverrides

if TYPE_CHECKING:
    from combinat.blackjack.rules import BlackjackRules

MAX_DIGITS = 1000
FORMATS = ("table", "markdown", "csv", "json", "latex")
PAGE_FORMATS = (*FORMATS, "html", "xlsx")
"""Formats of answers that are complete pages with charts."""


def parse_format(text: str, formats: Sequence[str] = FORMATS) -> str:
    """Parse the name of an output format."""
    name = text.strip().lower()
    if name not in formats:
        raise InputError(
            f"no format {quote(text)}{did_you_mean(name, formats) or '; formats are ' + ', '.join(formats)}"
        )
    return name


def parse_digits(digits: int) -> int:
    """Check a number of decimals."""
    if not 0 <= digits <= MAX_DIGITS:
        raise InputError(f"cannot print {digits} decimals; give 0 to {MAX_DIGITS}")
    return digits


def parse_meters(texts: Sequence[str], paytables: Sequence[Paytable]) -> dict[str, Fraction]:
    """Parse meter amounts such as `Mega=50000`, or `25000` if there is only one meter.

    >>> from combinat.bets.catalog import get_paytable
    >>> parse_meters(["25,000"], [get_paytable("BLZ-1-UP")])
    {'meter': Fraction(25000, 1)}
    """
    names = list(dict.fromkeys(name for paytable in paytables for name in paytable.meters))
    ids = ", ".join(dict.fromkeys(paytable.id for paytable in paytables))
    meters: dict[str, Fraction] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        if not names:
            raise InputError(f"--meter {quote(text)}: {ids} pays from no meter")
        if not equals:
            if len(names) > 1:
                raise InputError(f"--meter {quote(text)}: say which meter, as in {names[0]}={text}")
            name = names[0]
        names_by_key = {meter_name.lower(): meter_name for meter_name in names}
        if name.strip().lower() not in names_by_key:
            hint = did_you_mean(name, names) or f"; its meters are {', '.join(names)}"
            raise InputError(f"--meter {quote(text)}: {ids} has no meter {quote(name)}{hint}")
        value = parse_number(number.strip().lstrip("$"))
        if value is None:
            raise InputError(
                f"--meter {quote(text)}: no amount {quote(number)}; write a number, as in {DEFAULT_METER}=25000"
            )
        meters[names_by_key[name.strip().lower()]] = value
    return meters


class StudyRequest(Struct, frozen=True):
    """A request as typed: bets, shoes, table rules and overrides."""

    arguments: Sequence[str]
    decks: str | None = None
    removed: str = ""
    meters: Sequence[str] = ()
    any_decks: bool = False
    up: str | None = None
    typed: Table = Table()
    """Rules of the table, blackjack or another game."""
    trial: PayOverrides = PayOverrides()
    """Overrides of pays and meters."""
    beside: bool = False
    """Whether a paytable with pay overrides is included beside its variants."""

    @property
    def soft_17(self) -> str:
        """The soft-17 rule in the notation of deals; empty if it was not given."""
        hits = self.typed.blackjack.hits_soft_17
        return "" if hits is None else "h17" if hits else "s17"

    @property
    def strategy(self) -> str:
        """The blackjack strategy."""
        return self.typed.blackjack.strategy

    def resolved(self, argument: str) -> tuple[Paytable, ...]:
        """Return the paytables of an argument: those of a file, or one of the catalog."""
        return resolve_paytables(argument)

    def named(self, warn: Callable[[str], None] | None = None) -> list[tuple[str, Paytable]]:
        """Return (argument, paytable) pairs, with overrides and table rules applied."""
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
            pairs = [
                (argument, override_meters(item, run, counts) if item.meters else item) for argument, item in pairs
            ]
        if self.soft_17:
            pairs = [(argument, apply_soft_17(item, self.soft_17)) for argument, item in pairs]
        setting_keys = {chosen.setting.key for _, paytable in pairs for chosen in paytable.bet.deal.settings}
        ids = ", ".join(paytable.id for _, paytable in pairs)
        if self.typed.without(setting_keys).typed_rules is not None and not any(item.bet.option for _, item in pairs):
            raise InputError(f"the rules of blackjack do not matter to {ids}: its winnings cannot ride on the hand")
        if not self.typed.settings:
            return [(argument, mark_if_variant(item)) for argument, item in pairs]
        if unknown := [key for key in self.typed.settings if key not in {*setting_keys, *SHARED}]:
            key = unknown[0]
            raise InputError(f"--{key.replace('_', '-')} does not matter to {ids}: its game has no such setting")
        chosen = [
            (argument, apply_settings(item, applicable_settings(item, self.typed.settings))) for argument, item in pairs
        ]
        return [(argument, mark_if_variant(item)) for argument, item in chosen]

    def seen(self, paytables: list[Paytable]) -> list[Paytable]:
        """Return the paytables conditioned on the up card, if there is one."""
        if self.up is None:
            return paytables
        return [condition_on_up_card(paytable, self.up) for paytable in paytables]

    def only(self) -> Paytable:
        """Return the only paytable, conditioned on the up card; raise `InputError` if there are several."""
        paytables = self.seen([paytable for _, paytable in self.named()])
        if len(paytables) > 1:
            argument, ids = self.arguments[0], ", ".join(item.id for item in paytables)
            if self.trial.pays and len({item.bet.name for item in paytables}) == 1 and len(self.trial.pays) > 1:
                raise InputError("several pays are tried, for a variant each; try one at a time here")
            raise InputError(f"{argument} has several paytables; write {argument}:ID with one of {ids}")
        return paytables[0]

    @property
    def counts(self) -> tuple[int, ...] | None:
        """The requested deck counts; `None` for those of each design."""
        return parse_deck_counts(self.decks) if self.decks is not None else None

    def outside(self, paytable: Paytable) -> str:
        """Describe requested deck counts outside a paytable's design; empty if there are none or all are allowed."""
        undesigned = (
            [] if self.any_decks else [str(count) for count in self.counts or () if not paytable.is_designed_for(count)]
        )
        if not undesigned:
            return ""
        design = f"{paytable.id} is designed for {paytable.decks_text}"
        return f"{design}, not {', '.join(undesigned)}; --any-decks shows it all the same"

    @property
    def table(self) -> BlackjackRules | None:
        """The blackjack rules around the bets; `None` for the default table."""
        blackjack = self.typed.blackjack
        return blackjack.typed_rules if blackjack.hits_soft_17 is None else blackjack.rules

    def cases(self, warn: Callable[[str], None]) -> list[tuple[Paytable, Shoe]]:
        """Return every paytable with every requested shoe; only paytables with a condition are counted.

        Deck counts outside a design, or at which no hand satisfies the condition, are skipped with a warning; if none
        remains, `InputError` is raised.
        """
        cards = parse_cards(self.removed)
        pairs: list[tuple[Paytable, Shoe]] = []
        refused: list[str] = []
        for paytable in self.seen([paytable for _, paytable in self.named(warn)]):
            if reason := self.outside(paytable):
                refused.append(reason)
            for count in paytable.select_deck_counts(self.counts, self.any_decks):
                shoe = Shoe(count, paytable.bet.pack, cards)
                try:
                    if paytable.bet.given is not None:
                        analyze_wager(paytable, shoe)
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
        """Return the studies of every paytable at every requested deck count.

        Deck counts outside a design, or at which no hand satisfies the condition, are skipped with a warning; if none
        remains, `InputError` is raised.
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
            for count in paytable.select_deck_counts(self.counts, self.any_decks):
                shoe = Shoe(count, paytable.bet.pack, cards)
                try:
                    results.append(build_study(paytable, shoe, meters, table, self.strategy, progress))
                except NoHandError as error:
                    impossible.append(str(error))
            refused += dict.fromkeys(impossible)  # what holds at any deck count is said once
        if not results:
            raise InputError("; ".join(refused))
        for message in refused:
            warn(message)
        return results
