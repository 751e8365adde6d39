"""Requests as typed or posted: which paytables, at which shoes and tables, with which overrides.

The command line and the studio both build a `StudyRequest` from text; it resolves the paytables and computes their
studies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import mark_if_variant, resolve_paytables
from combinat.bets.overrides import pay_variants
from combinat.bets.pay import DEFAULT_METER
from combinat.bets.paytable import Paytable, applicable_settings, apply_settings
from combinat.bets.variants import MeterOverrides, apply_soft_17, condition_on_up_card, override_meters
from combinat.blackjack.rules import BlackjackRules, parse_blackjack_pays
from combinat.enumeration.decision import Progress
from combinat.enumeration.tally import NoHandError
from combinat.exact.numbers import parse_number
from combinat.study import Study, build_study
from decks import InputError, Shoe, did_you_mean, parse_cards, parse_deck_counts
from decks.errors import quote

Warn = Callable[[str], None]
ResultT = TypeVar("ResultT")

DEFAULT_MAX_HANDS = 4
SHARED_SETTINGS = {"hands"}
"""Settings that blackjack and other games have under one name; the option goes to the game that has it."""
ONE_VARIANT = "several pays make a variant each; give the pays of one variant here"


class BlackjackOptions(Struct, frozen=True):
    """Options of the blackjack table; the defaults are the default table.

    >>> BlackjackOptions(hits_soft_17=False, blackjack="6:5").rules.blackjack_pays
    Fraction(6, 5)
    """

    hits_soft_17: bool | None = None
    double_after_split: bool = True
    double: str = "any"
    hands: int | None = None
    """Maximum number of hands after splits; `None` for `DEFAULT_MAX_HANDS`."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    blackjack: str = "3:2"
    surrender: bool = False
    strategy: str = "best"

    @property
    def has_only_soft_17(self) -> bool:
        """Whether every option but the soft-17 rule, which other bets have too, has its default."""
        return self == BlackjackOptions(hits_soft_17=self.hits_soft_17)

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        return BlackjackRules(
            hits_soft_17=self.hits_soft_17 is not False,
            double=self.double.strip().lower(),
            double_after_split=self.double_after_split,
            max_hands=DEFAULT_MAX_HANDS if self.hands is None else self.hands,
            resplit_aces=self.resplit_aces,
            hit_split_aces=self.hit_split_aces,
            blackjack_pays=parse_blackjack_pays(self.blackjack),
            surrender=self.surrender,
        )


class TableOptions(Struct, frozen=True):
    """Options of the table: the blackjack game around a bet, and the settings of the bet's own game."""

    blackjack: BlackjackOptions = BlackjackOptions()
    settings: dict[str, str] = {}
    """Settings of other games by key."""

    def blackjack_without(self, setting_keys: set[str]) -> BlackjackOptions:
        """Return the blackjack options without those that are settings of another game."""
        return replace(self.blackjack, **dict.fromkeys(setting_keys & SHARED_SETTINGS & set(self.settings)))


class PaytableOverrides(Struct, frozen=True):
    """Pays and meter terms given instead of those in the file."""

    pays: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    wager: str | None = None

    @property
    def meter_overrides(self) -> MeterOverrides | None:
        """The overrides of meter terms; `None` if there are none."""
        if not (self.seeds or self.rates or self.wager):
            return None
        values = {"seed": self.seeds, "rate": self.rates}
        return MeterOverrides({field: texts for field, texts in values.items() if texts}, self.wager)


def parse_meters(texts: Sequence[str], paytables: Sequence[Paytable]) -> dict[str, Fraction]:
    """Parse meter amounts such as `Mega=50000`, or `25000` if there is only one meter.

    >>> from combinat.bets.catalog import get_paytable
    >>> parse_meters(["25,000"], [get_paytable("BLZ-1-UP")])
    {'meter': Fraction(25000, 1)}
    """
    names = list(dict.fromkeys(name for paytable in paytables for name in paytable.meters))
    names_by_key = {name.lower(): name for name in names}
    ids = ", ".join(dict.fromkeys(paytable.id for paytable in paytables))
    meters: dict[str, Fraction] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        if not names:
            raise InputError(f"--meter {quote(text)}: {ids} has no meter")
        if not equals:
            if len(names) > 1:
                raise InputError(f"--meter {quote(text)}: name the meter, as in {names[0]}={text}")
            name = names[0]
        if name.strip().lower() not in names_by_key:
            hint = did_you_mean(name, names) or f"; its meters are {', '.join(names)}"
            raise InputError(f"--meter {quote(text)}: {ids} has no meter {quote(name)}{hint}")
        value = parse_number(number.strip().lstrip("$"))
        if value is None:
            raise InputError(
                f"--meter {quote(text)}: {quote(number)} is not an amount; write for example {DEFAULT_METER}=25000"
            )
        meters[names_by_key[name.strip().lower()]] = value
    return meters


def meters_of(paytable: Paytable, amounts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the amounts of the meters that a paytable has."""
    return {name: amount for name, amount in amounts.items() if name in paytable.meters}


class StudyRequest(Struct, frozen=True):
    """A request as text: paytables, shoes, table rules and overrides."""

    arguments: Sequence[str]
    """Catalog ids, files, or `file.toml:ID`."""
    decks: str | None = None
    removed: str = ""
    meters: Sequence[str] = ()
    any_decks: bool = False
    """Whether deck counts outside the design are allowed."""
    up: str | None = None
    table: TableOptions = TableOptions()
    overrides: PaytableOverrides = PaytableOverrides()
    include_originals: bool = False
    """Whether a paytable with pay overrides is included along with its variants."""

    @property
    def soft_17(self) -> str:
        """The soft-17 rule in the notation of deals; empty if it was not given."""
        hits = self.table.blackjack.hits_soft_17
        return "" if hits is None else "h17" if hits else "s17"

    @property
    def strategy(self) -> str:
        """The blackjack strategy."""
        return self.table.blackjack.strategy

    @property
    def blackjack_rules(self) -> BlackjackRules | None:
        """The rules of the blackjack table; `None` for the default table."""
        options = self.table.blackjack
        return None if options == BlackjackOptions() else options.rules

    @property
    def deck_counts(self) -> tuple[int, ...] | None:
        """The requested deck counts; `None` for those of each design."""
        return parse_deck_counts(self.decks) if self.decks is not None else None

    def load_paytables(self, argument: str) -> tuple[Paytable, ...]:
        """Return the paytables of an argument: those of a file, or one of the catalog."""
        return resolve_paytables(argument)

    def resolve(self, warn: Warn | None = None) -> list[tuple[str, Paytable]]:
        """Return (argument, paytable) pairs, with overrides and table rules applied."""
        pairs = [(argument, paytable) for argument in self.arguments for paytable in self.load_paytables(argument)]
        if self.overrides.pays:
            variant_groups, messages = pay_variants(
                [paytable for _, paytable in pairs], self.overrides.pays, with_original=self.include_originals
            )
            pairs = [
                (argument, variant)
                for (argument, _), variants in zip(pairs, variant_groups, strict=True)
                for variant in variants
            ]
            if warn is not None:
                for message in messages:
                    warn(message)
        if meter_overrides := self.overrides.meter_overrides:
            if not any(paytable.meters for _, paytable in pairs):
                raise InputError(f"{', '.join(paytable.id for _, paytable in pairs)}: no award pays from a meter")
            counts = self.deck_counts or ()
            pairs = [
                (argument, override_meters(paytable, meter_overrides, counts) if paytable.meters else paytable)
                for argument, paytable in pairs
            ]
        if self.soft_17:
            pairs = [(argument, apply_soft_17(paytable, self.soft_17)) for argument, paytable in pairs]
        settings = self.table.settings
        self._check_table([paytable for _, paytable in pairs])
        if settings:
            pairs = [
                (argument, apply_settings(paytable, applicable_settings(paytable, settings)))
                for argument, paytable in pairs
            ]
        return [(argument, mark_if_variant(paytable)) for argument, paytable in pairs]

    def _check_table(self, paytables: Sequence[Paytable]) -> None:
        """Raise `InputError` for table options that no paytable depends on."""
        setting_keys = {choice.setting.key for paytable in paytables for choice in paytable.bet.deal.settings}
        ids = ", ".join(paytable.id for paytable in paytables)
        has_blackjack_options = not self.table.blackjack_without(setting_keys).has_only_soft_17
        if has_blackjack_options and not any(paytable.bet.option for paytable in paytables):
            raise InputError(f"blackjack rules do not affect {ids}: its winnings cannot be parlayed")
        for key in self.table.settings:
            if key not in setting_keys and key not in SHARED_SETTINGS:
                raise InputError(f"--{key.replace('_', '-')} does not affect {ids}: its game has no such setting")

    def resolve_one(self) -> Paytable:
        """Return the only paytable, conditioned on the up card; raise `InputError` if there are several."""
        paytables = self._condition_on_up_card([paytable for _, paytable in self.resolve()])
        if len(paytables) > 1:
            if len(self.overrides.pays) > 1 and len({paytable.bet.name for paytable in paytables}) == 1:
                raise InputError(ONE_VARIANT)
            argument, ids = self.arguments[0], ", ".join(paytable.id for paytable in paytables)
            raise InputError(f"{argument} has several paytables; write {argument}:ID with one of {ids}")
        return paytables[0]

    def _condition_on_up_card(self, paytables: Sequence[Paytable]) -> list[Paytable]:
        if self.up is None:
            return list(paytables)
        return [condition_on_up_card(paytable, self.up) for paytable in paytables]

    def refused_decks(self, paytable: Paytable) -> str:
        """Describe the requested deck counts that the paytable is not designed for; empty if there are none.

        >>> from combinat.bets.catalog import get_paytable
        >>> StudyRequest(["TRI-03"], decks="6,9").refused_decks(get_paytable("TRI-03"))
        'TRI-03 is designed for 2-8 decks, not 9; --any-decks allows other deck counts'
        """
        counts = () if self.any_decks else self.deck_counts or ()
        refused = [str(count) for count in counts if not paytable.is_designed_for(count)]
        if not refused:
            return ""
        return (
            f"{paytable.id} is designed for {paytable.decks_text}, not {', '.join(refused)}; "
            "--any-decks allows other deck counts"
        )

    def at_each_shoe(
        self, paytables: Sequence[Paytable], compute: Callable[[Paytable, Shoe], ResultT], warn: Warn
    ) -> list[ResultT]:
        """Return `compute(paytable, shoe)` for every paytable at every requested shoe.

        Deck counts outside a design, or at which no hand satisfies the condition, are skipped with a warning; if none
        remains, `InputError` is raised.
        """
        removed = parse_cards(self.removed)
        results: list[ResultT] = []
        messages: dict[str, None] = {}  # most hold at several deck counts
        for paytable in paytables:
            if message := self.refused_decks(paytable):
                messages[message] = None
            for count in paytable.select_deck_counts(self.deck_counts, self.any_decks):
                try:
                    results.append(compute(paytable, Shoe(count, paytable.bet.pack, removed)))
                except NoHandError as error:
                    messages[str(error)] = None
        if not results:
            raise InputError("; ".join(messages))
        for message in messages:
            warn(message)
        return results

    def shoes(self, warn: Warn) -> list[tuple[Paytable, Shoe]]:
        """Return every paytable with every requested shoe; only paytables with a condition are counted."""

        def check(paytable: Paytable, shoe: Shoe) -> tuple[Paytable, Shoe]:
            if paytable.bet.condition is not None:
                analyze_wager(paytable, shoe)  # raises if no hand satisfies the condition
            return paytable, shoe

        paytables = [paytable for _, paytable in self.resolve(warn)]
        return self.at_each_shoe(self._condition_on_up_card(paytables), check, warn)

    def build_studies(self, warn: Warn, progress: Progress | None = None) -> list[Study]:
        """Return the studies of every paytable at every requested shoe."""
        paytables = [paytable for _, paytable in self.resolve(warn)]
        amounts = parse_meters(self.meters, paytables)

        def study(paytable: Paytable, shoe: Shoe) -> Study:
            rules = self.blackjack_rules if paytable.bet.option else None
            return build_study(paytable, shoe, meters_of(paytable, amounts), rules, self.strategy, progress)

        return self.at_each_shoe(self._condition_on_up_card(paytables), study, warn)
