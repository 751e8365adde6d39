"""What most requests share: bets, deck counts and cards out of the shoe, other pays and meters, and the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from msgspec.structs import fields as struct_fields
from msgspec.structs import force_setattr, replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import mark_if_variant, resolve_paytables
from combinat.bets.load import load_bet
from combinat.bets.overrides import pay_variants
from combinat.bets.paytable import Paytable, applicable_settings, apply_settings
from combinat.bets.schema import parse_toml, read_text
from combinat.bets.variants import MeterOverrides, apply_soft_17, condition_on_up_card, override_meters
from combinat.blackjack.rules import BlackjackRules, check_strategy, parse_blackjack_pays
from combinat.enumeration.progress import report_progress
from combinat.enumeration.tally import NoHandError
from combinat.requests.arguments import (
    Amount,
    BetLike,
    CardsLike,
    Meters,
    Pays,
    check_rule,
    check_shoe_pack,
    exact_amount,
    load,
    unwrap_numpy_scalar,
)
from combinat.requests.request import Group, Notify, Option, Request, hint_for_option, request_fields
from combinat.study import Study, build_study
from decks import Card, InputError, Rank, Shoe, did_you_mean, parse_deck_counts
from decks.cards import as_cards
from decks.errors import quote

R = TypeVar("R")
A = TypeVar("A")
DeckCounts = int | str | Sequence[int] | Shoe | None
"""One deck count, several as a list or as text such as `1,2,4-8`, a shoe, or `None` for those of the design."""
UpCard = str | int | Rank | Card | None
DEFAULT_MAX_HANDS = 4
"""The default number of hands that splits may make."""


class BetRequest(Request[R, A], Generic[R, A], frozen=True):
    """A request about bets at shoes."""

    bet: Annotated[
        BetLike | Sequence[BetLike],
        Option(
            "A catalog id such as TRI-03, a TOML file of your own, or file.toml:ID for one paytable of a file.",
            names="paytable",
            is_argument=True,
            is_repeated=True,
        ),
    ]
    decks: Annotated[
        DeckCounts,
        Option(
            "Deck counts, such as 6 or 1,2,4-8.",
            ("--decks", "-d"),
            group=Group.TABLE,
            default="those of the design",
        ),
    ] = None

    @property
    def bets(self) -> Sequence[BetLike]:
        """The bets as a list."""
        if isinstance(self.bet, (str, PathLike, Paytable)) or not isinstance(self.bet, Iterable):
            return (self.bet,)
        return tuple(self.bet)

    @property
    def deck_counts(self) -> tuple[int, ...] | None:
        """The requested deck counts; `None` for those of each design."""
        return parse_decks(self.decks)


def parse_decks(decks: DeckCounts) -> tuple[int, ...] | None:
    """Return deck counts written as a number, a list, a text or a shoe; `None` if `decks` is `None`.

    >>> parse_decks("1,2,4-6"), parse_decks([6, 8]), parse_decks(6)
    ((1, 2, 4, 5, 6), (6, 8), (6,))
    """
    if decks is None:
        return None
    if isinstance(decks, Shoe):
        return (decks.decks,)
    if isinstance(decks, str):
        return parse_deck_counts(decks)
    counts = decks if isinstance(decks, Iterable) else (decks,)
    return parse_deck_counts(",".join(map(str, counts)))


class ShoeRequest(BetRequest[R, A], Generic[R, A], frozen=True, kw_only=True):
    """A request about bets at shoes from which cards may be removed, with other pays and a soft-17 rule."""

    removed: Annotated[CardsLike, Option('Cards already out of the shoe, such as "7h 7d Ks".', group=Group.TABLE)] = ""
    any_decks: Annotated[
        bool, Option("Allow deck counts that the paytable is not designed for.", group=Group.TABLE)
    ] = False
    hits_soft_17: Annotated[
        bool | None,
        Option("Whether the dealer hits soft 17 or stands.", ("--h17/--s17",), group=Group.TABLE, default="the bet's"),
    ] = None
    pays: Annotated[
        Pays | Sequence[str] | None,
        Option(
            'Other pays for some awards, such as "Flush=6, Straight=9 to 1"; the answer is marked as a variant. '
            "Repeat it for several variants.",
            is_repeated=True,
        ),
    ] = None
    meters: Annotated[
        Meters | Sequence[str] | None,
        Option(
            "The value of a meter, such as 25000 or Mega=50000, for the wager of the paytable. "
            "Repeat it for several meters.",
            ("--meter",),
            unit="money",
            is_repeated=True,
        ),
    ] = None

    table: Annotated[
        str | PathLike[str] | Mapping[str, Any] | None,
        Option("A TOML file with table conditions by their names in Python, such as max_hands = 3.", group=Group.TABLE),
    ] = None

    def __post_init__(self) -> None:
        if self.table is not None:
            for name, value in load_table(self.table, type(self)).items():
                if getattr(self, name) == self.default_of(name):
                    force_setattr(self, name, value)

    @classmethod
    def default_of(cls, name: str) -> Any:
        """Return the default of an option."""
        return next(field.default for field in request_fields(cls) if field.name == name)

    @property
    def keeps_originals(self) -> bool:
        """Whether a paytable with other pays is answered beside its variants."""
        return False

    @property
    def removed_cards(self) -> tuple[Card, ...]:
        """The cards out of the shoe."""
        return (*(self.decks.removed if isinstance(self.decks, Shoe) else ()), *as_cards(self.removed))

    @property
    def pay_overrides(self) -> tuple[Pays, ...]:
        """Other pays, an entry for each variant."""
        if self.pays is None:
            return ()
        if isinstance(self.pays, (str, Mapping)) or not isinstance(self.pays, Iterable):
            return (_exact_pays(self.pays),)
        return tuple(map(_exact_pays, self.pays))

    def shoe(self, paytable: Paytable, count: int) -> Shoe:
        """Return the shoe of a deck count for a paytable."""
        if isinstance(self.decks, Shoe):
            check_shoe_pack(paytable.id, paytable.bet.pack, self.decks)
        return Shoe(count, paytable.bet.pack, self.removed_cards)

    def paytables(self, notify: Notify) -> list[Paytable]:
        """Return the requested paytables with all overrides applied, not yet given the up card."""
        return [paytable for _, paytable in self.named_paytables(notify)]

    def named_paytables(self, notify: Notify) -> list[tuple[BetLike, Paytable]]:
        """Return pairs of a bet as requested and each of its paytables, with all overrides applied."""
        pairs = [(bet, paytable) for bet in self.bets for paytable in resolve_bet(bet)]
        bets, paytables = [bet for bet, _ in pairs], [paytable for _, paytable in pairs]
        if self.pay_overrides:
            variants, notes = pay_variants(paytables, self.pay_overrides, with_original=self.keeps_originals)
            bets = [bet for bet, group in zip(bets, variants, strict=True) for _ in group]
            paytables = [variant for group in variants for variant in group]
            for note in notes:
                notify(note)
        paytables = self.apply_meter_terms(paytables)
        if self.hits_soft_17 is not None:
            check_rule("hits_soft_17", self.hits_soft_17, bool)
            paytables = [apply_soft_17(paytable, "h17" if self.hits_soft_17 else "s17") for paytable in paytables]
        return list(zip(bets, map(mark_if_variant, self.apply_table(paytables)), strict=True))

    def apply_meter_terms(self, paytables: list[Paytable]) -> list[Paytable]:
        """Return the paytables with other meter terms; requests with such options override this."""
        return paytables

    def apply_table(self, paytables: list[Paytable]) -> list[Paytable]:
        """Return the paytables under the settings of the table; requests with such options override this."""
        return paytables

    def given_up_card(self, paytables: list[Paytable]) -> list[Paytable]:
        """Return the paytables given the up card, which makes no variant; requests with an up card override this."""
        return paytables

    def single_paytable(self, notify: Notify) -> Paytable:
        """Return the only paytable, given the up card; raise `InputError` if there are several."""
        paytables = self.paytables(notify)
        if len(paytables) > 1:
            ids = ", ".join(paytable.id for paytable in paytables)
            if len(self.pay_overrides) > 1:
                raise InputError("several pays make several variants; give one at a time here")
            raise InputError(f"{self.bets[0]} has several paytables; write {self.bets[0]}:ID with one of {ids}")
        return self.given_up_card(paytables)[0]

    def undesigned_counts(self, paytable: Paytable) -> str:
        """Describe requested deck counts outside a paytable's design; empty if there are none or all are allowed."""
        counts = () if self.any_decks else self.deck_counts or ()
        undesigned = [str(count) for count in counts if not paytable.is_designed_for(count)]
        if not undesigned:
            return ""
        return (
            f"{paytable.id} is designed for {paytable.decks_text}, not {', '.join(undesigned)}; "
            "--any-decks (any_decks=True) allows it"
        )

    def iter_cases(self, notify: Notify) -> Iterator[tuple[Paytable, Shoe, dict[str, Fraction]]]:
        """Iterate over every paytable with every requested shoe and its meter values.

        Deck counts outside a design, or at which no hand satisfies the condition of the bet, are skipped with a
        message; if none remains, `InputError` is raised.
        """
        paytables = self.paytables(notify)
        values = read_meters(self.meters, paytables)  # before the up card rules out awards that pay from a meter
        skipped: list[str] = []
        is_empty = True
        for paytable in self.given_up_card(paytables):
            if reason := self.undesigned_counts(paytable):
                skipped.append(reason)
            meters = {name: value for name, value in values.items() if name in paytable.meters}
            for count in paytable.select_deck_counts(self.deck_counts, self.any_decks):
                shoe = self.shoe(paytable, count)
                try:
                    if paytable.bet.condition is not None:
                        analyze_wager(paytable, shoe)
                except NoHandError as error:
                    skipped.append(str(error))
                    continue
                is_empty = False
                yield paytable, shoe, meters
        messages = list(dict.fromkeys(skipped))  # a condition that fails at every deck count is reported once
        if is_empty:
            raise InputError("; ".join(messages))
        for message in messages:
            notify(message)


def _exact_pays(pays: Pays) -> Pays:
    """Return pays with floats converted exactly; refuse what is neither text nor a mapping."""
    if isinstance(pays, str):
        return pays
    if not isinstance(pays, Mapping):
        raise InputError(f"cannot read the pays {quote(pays)}; write {{'Flush': '6 to 1'}} or 'Flush=6'")
    plain = {name: unwrap_numpy_scalar(pay) for name, pay in pays.items()}
    return {
        name: exact_amount(pay, f"the pay of {quote(name)}") if isinstance(pay, float) else pay
        for name, pay in plain.items()
    }


def resolve_bet(bet: BetLike) -> tuple[Paytable, ...]:
    """Return the paytables of a catalog id, a file or a paytable."""
    if isinstance(bet, str):
        return resolve_paytables(bet)
    if isinstance(bet, PathLike):
        return tuple(map(mark_if_variant, load_bet(fspath(bet))))
    return (load(bet),)


def read_meters(meters: Meters | Sequence[str] | None, paytables: Sequence[Paytable]) -> dict[str, Fraction]:
    """Return meter values by name, from a mapping, one amount, or texts such as `Mega=50000`.

    >>> from combinat.bets.catalog import get_paytable
    >>> read_meters(["25,000"], [get_paytable("BLZ-1-UP")]), read_meters({"meter": 500}, [get_paytable("BLZ-1-UP")])
    ({'meter': Fraction(25000, 1)}, {'meter': Fraction(500, 1)})
    """
    meters = unwrap_numpy_scalar(meters)
    if meters is None or meters == [] or meters == ():
        return {}
    names = list(dict.fromkeys(name for paytable in paytables for name in paytable.meters))
    ids = ", ".join(dict.fromkeys(paytable.id for paytable in paytables))
    if not names:
        raise InputError(f"{ids} has no meter, so it cannot have the meter value {quote(_first_value(meters))}")
    if isinstance(meters, Mapping):
        pairs = [(str(name), value) for name, value in meters.items()]
    else:
        texts = meters if isinstance(meters, Sequence) and not isinstance(meters, str) else (meters,)
        pairs = [_meter_pair(text, names) for text in texts]
    names_by_key = {name.lower(): name for name in names}
    amounts = {}
    for name, value in pairs:
        if name.strip().lower() not in names_by_key:
            hint = did_you_mean(name, names) or f"; its meters are {', '.join(names)}"
            raise InputError(f"{ids} has no meter {quote(name)}{hint}")
        amounts[names_by_key[name.strip().lower()]] = exact_amount(value, f"the meter {quote(name)}")
    return amounts


def _first_value(meters: Meters | Sequence[str]) -> object:
    """Return the first of some meter values, for an error."""
    return next(iter(meters), "") if isinstance(meters, Sequence) and not isinstance(meters, str) else meters


def _meter_pair(value: Any, names: Sequence[str]) -> tuple[str, Any]:
    """Return the name and the amount of a meter value such as `Mega=50000`; a bare amount is for the only meter."""
    name, equals, number = str(value).rpartition("=") if isinstance(value, str) else ("", "", value)
    if equals:
        return name, number
    if len(names) > 1:
        raise InputError(f"the meter value {quote(value)} needs the name of its meter, as in {names[0]}={value}")
    return names[0], number


class RulesRequest(ShoeRequest[R, A], Generic[R, A], frozen=True, kw_only=True):
    """A request about bets at a table with rules of blackjack, or with settings of another game."""

    double_after_split: Annotated[
        bool, Option("Whether hands of a split may be doubled.", ("--das/--no-das",), group=Group.TABLE)
    ] = True
    double: Annotated[str, Option("Starting hands that may be doubled: any, 9-11 or 10-11.", group=Group.TABLE)] = "any"
    max_hands: Annotated[
        int | None,
        Option("Hands that splits may make; 1 for no splits.", ("--hands",), group=Group.TABLE, default="4"),
    ] = None
    resplit_aces: Annotated[bool, Option("Split aces may be split again.", group=Group.TABLE)] = False
    hit_split_aces: Annotated[bool, Option("Split aces may draw more than one card.", group=Group.TABLE)] = False
    blackjack_pays: Annotated[
        str | Fraction, Option("What a blackjack pays: 3:2, 6:5 or 1:1.", ("--blackjack",), group=Group.TABLE)
    ] = "3:2"
    surrender: Annotated[bool, Option("Late surrender of half the bet.", group=Group.TABLE)] = False
    strategy: Annotated[
        str,
        Option("best: composition-dependent; basic: a chart of totals.", group=Group.TABLE),
    ] = "best"
    settings: Annotated[
        Mapping[str, str], Option("Settings of a game that has some, such as Lucky 9, by key.", group=Group.TABLE)
    ] = {}

    @property
    def blackjack_rules(self) -> BlackjackRules | None:
        """The rules of blackjack around the bets; `None` if none was given, for the default table."""
        pays = unwrap_numpy_scalar(self.blackjack_pays)
        values: dict[str, Any] = {
            "hits_soft_17": self.hits_soft_17 is not False,
            "double": self.double,
            "double_after_split": self.double_after_split,
            "max_hands": DEFAULT_MAX_HANDS if self.max_hands is None else unwrap_numpy_scalar(self.max_hands),
            "resplit_aces": self.resplit_aces,
            "hit_split_aces": self.hit_split_aces,
            "blackjack_pays": parse_blackjack_pays(pays) if isinstance(pays, str) else exact_amount(pays, "blackjack"),
            "surrender": self.surrender,
        }
        for field in struct_fields(BlackjackRules):
            check_rule(field.name, values[field.name], field.type)
        rules = BlackjackRules(**values | {"double": self.double.strip().lower()})
        return None if self.hits_soft_17 is None and rules == BlackjackRules() else rules

    def apply_table(self, paytables: list[Paytable]) -> list[Paytable]:
        self._check_rules_matter(paytables)
        settings = self.game_settings(paytables)
        if settings:
            paytables = [apply_settings(item, applicable_settings(item, settings)) for item in paytables]
        return paytables

    def game_settings(self, paytables: Sequence[Paytable]) -> dict[str, str]:
        """Return the settings of games, including those that share an option with blackjack."""
        keys = {choice.setting.key for paytable in paytables for choice in paytable.bet.deal.settings}
        settings = {key: str(value) for key, value in self.settings.items()}
        if "hands" in keys and self.max_hands is not None:
            settings["hands"] = str(self.max_hands)
        if unknown := [key for key in settings if key not in keys]:
            ids = ", ".join(paytable.id for paytable in paytables)
            option = f"--{unknown[0].replace('_', '-')}"
            raise InputError(f"{option} does not affect {ids}: its game has no such setting")
        return settings

    def _check_rules_matter(self, paytables: Sequence[Paytable]) -> None:
        """Refuse rules of blackjack for bets whose winnings cannot be parlayed."""
        if any(paytable.bet.option for paytable in paytables):
            return
        has_hands = any(choice.setting.key == "hands" for item in paytables for choice in item.bet.deal.settings)
        without = replace(self, hits_soft_17=None, max_hands=None if has_hands else self.max_hands, table=None)
        if without.blackjack_rules is not None or self.strategy != "best":
            ids = ", ".join(paytable.id for paytable in paytables)
            raise InputError(f"blackjack rules do not affect {ids}: its winnings cannot be parlayed")

    def iter_study_builders(self, notify: Notify) -> Iterator[partial[Study]]:
        """Iterate over functions that build the study of each paytable at each requested deck count."""
        check_strategy(self.strategy)
        for paytable, shoe, meters in self.iter_cases(notify):
            rules = self.blackjack_rules if paytable.bet.option else None
            yield partial(build_study, paytable, shoe, meters, rules, self.strategy, report_progress)

    def studies(self, notify: Notify) -> list[Study]:
        """Return the studies of every paytable at every requested deck count."""
        return [build() for build in self.iter_study_builders(notify)]


class TableRequest(RulesRequest[R, A], Generic[R, A], frozen=True, kw_only=True):
    """A request about bets at a table, with other terms of its meters and given an up card."""

    seed: Annotated[
        Sequence[str] | Mapping[str, Amount],
        Option(
            "Another starting value of a meter: 2000, or Mega=2000 for one of several.", unit="money", is_repeated=True
        ),
    ] = ()
    rate: Annotated[
        Sequence[str] | Mapping[str, str],
        Option(
            "Another contribution rate of a meter: 24%, or Mega=24%.", unit="percent of each wager", is_repeated=True
        ),
    ] = ()
    wager: Annotated[
        Amount | None, Option("Another fixed wager of the meters.", unit="money", default="the paytable's, or 1")
    ] = None
    up: Annotated[
        UpCard, Option("The dealer's up card, such as 8, K or A; all figures are given that card.", group=Group.TABLE)
    ] = None

    @property
    def other_meter_terms(self) -> MeterOverrides | None:
        """Other terms of the meters; `None` if none are given."""
        if not (self.seed or self.rate or self.wager is not None):
            return None
        values = {"seed": _meter_texts(self.seed), "rate": _meter_texts(self.rate)}
        given = {name: texts for name, texts in values.items() if texts}
        return MeterOverrides(given, None if self.wager is None else str(self.wager))

    def apply_meter_terms(self, paytables: list[Paytable]) -> list[Paytable]:
        overrides = self.other_meter_terms
        if overrides is None:
            return paytables
        if not any(paytable.meters for paytable in paytables):
            ids = ", ".join(paytable.id for paytable in paytables)
            raise InputError(f"{ids}: no award pays from a meter, so there are no meter terms to change")
        counts = self.deck_counts or ()
        return [override_meters(paytable, overrides, counts) if paytable.meters else paytable for paytable in paytables]

    def given_up_card(self, paytables: list[Paytable]) -> list[Paytable]:
        if self.up is None:
            return paytables
        up = str(self.up.rank if isinstance(self.up, Card) else self.up)
        return [condition_on_up_card(paytable, up) for paytable in paytables]


def _meter_texts(values: Sequence[str] | Mapping[str, Any]) -> list[str]:
    """Return values of meters as texts such as `Mega=2000`."""
    return [f"{name}={value}" for name, value in values.items()] if isinstance(values, Mapping) else list(values)


def load_table(table: str | PathLike[str] | Mapping[str, Any], request: type[Request[Any, Any]]) -> dict[str, Any]:
    """Return table conditions by the names of a request's options, from a TOML file or a mapping."""
    if isinstance(table, Mapping):
        values, source = dict(table), "the table"
    else:
        source = fspath(table)
        try:
            values = parse_toml(read_text(Path(source)))
        except OSError as error:
            raise InputError(f"cannot read the table {source}: {error.strerror}") from None
        except InputError as error:
            raise InputError(f"the table {source}: {error}") from None
    names = [
        field.name for field in request_fields(request) if field.option.group is Group.TABLE and field.name != "table"
    ]
    for name in values:
        if name not in names:
            hint = hint_for_option(request, name) or f"; write some of {', '.join(names)}"
            raise InputError(f"{source} has no table condition {quote(name)}{hint}")
    return values
