"""Loading of bets and paytables from TOML files, with all problems of a file reported at once.

The fields of the file (`schema`) become a `Bet` with its pack, hands, wheels and condition, and then paytables with
awards and meter systems. Where awards add up, each reachable sum of awards becomes an award of its own, so that no hand
matches two of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import TypeVar

import msgspec

from combinat.bets.award import Award, at_least_one_rule, combination_rule, combine_awards
from combinat.bets.meters import MeterLevel, MeterSystem, check_meter_names, check_paid_meters, parse_amount, parse_rate
from combinat.bets.pay import Pay, parse_pay
from combinat.bets.paytable import Bet, Paytable, Published, configure_deal, game_awards
from combinat.bets.schema import (
    MAX_SOURCE,
    AwardFields,
    MetersFields,
    PackFields,
    PaytableFields,
    check_name,
    read_fields,
    read_text,
)
from combinat.bets.wheel import Wheel, parse_wheel
from combinat.enumeration.decision import check_option
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.checks import possible_values
from combinat.language.deal import Deal, check_jokers, check_pack_for_deal
from combinat.language.parser import parse_quantity, parse_rule
from combinat.language.rules import Compare, Literal, Quantity, Rule
from decks import InputError, Pack, customize_pack, did_you_mean, find_pack, parse_deck_counts
from decks.errors import quote, truncate_middle
from decks.shoe import check_deck_count

_RESULT = TypeVar("_RESULT")


class Problems:
    """The problems of one file, each with its location."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []

    def problem(self, where: Iterable[str], message: object) -> None:
        """Add a problem at the location `where`."""
        self.problems.append(str(InputError(": ".join([self.name, *where, str(message)]))))

    def try_read(self, where: Iterable[str], read: Callable[[], _RESULT]) -> _RESULT | None:
        """Return `read()`; on `InputError` add a problem at `where` and return `None`."""
        try:
            return read()
        except InputError as error:
            self.problem(where, error)
            return None

    def check_duplicates(self, names: list[str], label: str, where: Iterable[str] = ()) -> None:
        """Add a problem for each name that occurs more than once."""
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                self.problem(where, f"the {label} {quote(name)} is given {names.count(name)} times; each must differ")


def build_pack(spec: str | PackFields, deal: Deal | None) -> Pack:
    """Return a pack by its name, or a custom pack of removed ranks and jokers; refuse it if the deal cannot use it."""
    if isinstance(spec, str):
        pack = find_pack(spec)
    else:
        pack = customize_pack(find_pack(spec.base), map(str, spec.without), spec.jokers, spec.joker)
    if deal is not None:
        check_pack_for_deal(deal, pack)
    return pack


MAX_AWARD_COUNT = 30
"""Largest number of times that a hand may match an award."""
MAX_SUMS = 50
"""Largest number of different sums of awards."""


def check_summable_pays(stated: Sequence[Award]) -> None:
    """Refuse pays that cannot be added to one pay for one wager."""
    for award in stated:
        if award.pay.meter is not None:
            raise InputError(
                f"{quote(award.name)} pays from the meter {quote(award.pay.meter)}; awards that add up have fixed "
                "pays only"
            )
    if len({award.pay.is_for_one for award in stated}) > 1:
        raise InputError("some pays are 'for 1' and others are not; write all alike, so that they can be added")


def reachable_sums(stated: Sequence[Award], bet: Bet) -> tuple[Award, ...]:
    """Return every sum of `stated` awards that some hand can reach, the highest pay first.

    >>> from combinat.bets.award import at_least_one_rule
    >>> from combinat.bets.pay import parse_pay
    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity, parse_rule
    >>> deal = parse_deal("player:2")
    >>> per = parse_quantity("count(7)", deal)
    >>> seven = Award("Seven", at_least_one_rule(per), parse_pay("3 to 1"), per=per)
    >>> pair = Award("Pair", parse_rule("pair", deal), parse_pay("1 to 1"))
    >>> [f"{one.name}, {one.pay}" for one in reachable_sums([seven, pair], Bet("Sevens", deal))]
    ['2 × Seven + Pair, 7 to 1', 'Seven, 3 to 1', 'Pair, 1 to 1']
    """
    reached: list[tuple[int, ...]] = [()]
    for length, award in enumerate(stated, 1):
        candidates = [(*counts, count) for counts in reached for count in _possible_counts(award, bet)]
        reached = list(
            compress(
                candidates,
                _find_reachable(
                    [combination_rule(stated[:length], counts) for counts in candidates], bet, MAX_SUMS + 2
                ),
            )
        )
        if len(reached) > MAX_SUMS + 1:
            raise InputError(f"the awards add up in more than {MAX_SUMS} ways; state fewer, or each sum by itself")
    sums = [combine_awards(stated, counts) for counts in reached if any(counts)]
    if not sums:
        raise InputError("no hand fits any of the awards")
    return tuple(
        sorted(sums, key=lambda sum_award: (sum_award.pay.gross.constant, sum_award.component_counts), reverse=True)
    )


def _possible_counts(award: Award, bet: Bet) -> tuple[int, ...]:
    """Return the numbers of times that a hand can match an award; a superset where the quantity itself is bounded."""
    if award.per is None:
        return (0, 1)
    per, lowest, highest = award.per, Literal(0), Literal(MAX_AWARD_COUNT)
    values = possible_values(per.number, bet.deal, bet.pack)
    candidates = [count for count in range(MAX_AWARD_COUNT + 1) if values is None or count in values]
    if values == frozenset(candidates):
        return tuple(candidates)
    too_low_rule, too_high_rule = _comparison_rule(per, "<", lowest), _comparison_rule(per, ">", highest)
    exactly = [Rule(*award.match_rule(count), per.roles) for count in candidates]
    is_too_low, is_too_high, *possible = _find_reachable([too_low_rule, too_high_rule, *exactly], bet)
    if is_too_low:
        raise InputError(f"{quote(award.name)}: {quote(per)} can be less than nothing, which cannot be paid for")
    if is_too_high:
        raise InputError(
            f"{quote(award.name)}: {quote(per)} can be more than {MAX_AWARD_COUNT}, the most that is counted"
        )
    return tuple(compress(candidates, possible))


def _comparison_rule(per: Quantity, sign: str, bound: Literal) -> Rule:
    return Rule(f"{per} {sign} {bound.value}", Compare(sign, per.number, bound), per.roles)


def _find_reachable(rules: Iterable[Rule], bet: Bet, enough: int | None = None) -> tuple[bool, ...]:
    """Return for each of some mutually exclusive rules whether a hand can match it; stop after `enough` matches."""
    ladder = Ladder(tuple(rules), bet.given)
    is_distinct = any(rule.roles for rule in ladder.all_rules)
    return experiment(bet.deal, bet.pack, ladder, is_distinct).reachable_rules(enough)


def build_meter_system(
    fields: MetersFields, paid: tuple[str, ...], deck_counts: Callable[[int | str | list[int]], tuple[int, ...]]
) -> MeterSystem:
    """Build the meter system of a paytable from its fields; `paid` are the meters that awards pay from."""
    levels = tuple(
        MeterLevel(
            name=level.name,
            seed=parse_amount(level.seed, "seed"),
            rate=parse_rate(level.rate, "rate"),
            reserve=parse_rate(level.reserve, "reserve"),
            cap=None if level.cap is None else parse_amount(level.cap, "cap"),
            rate_after_cap=parse_rate(level.rate_after_cap, "rate_after_cap"),
            deducted=level.deducted,
            seed_paid_by=level.seed_paid_by,
        )
        for level in fields.levels
    )
    system = MeterSystem(
        levels=levels,
        wager=parse_amount(fields.wager, "wager"),
        kind=fields.kind,
        all_pays_deducted=fields.all_pays_deducted,
        decks=None if fields.decks is None else deck_counts(fields.decks),
        basis=fields.basis,
    )
    system.check()
    check_paid_meters(system, paid)
    return system


MAX_AWARDS = 50


class AwardReader(Problems):
    """Builds the awards of paytables and collects their problems."""

    adds_up = False
    """Whether all matching awards of a hand are paid."""
    wheels: Mapping[str, Wheel | None] = {}
    """The wheels of the file by name; `None` for a wheel with problems."""

    def awards(
        self, table: PaytableFields, deal: Deal, rules: dict[str, Rule | None], where: tuple[str, ...]
    ) -> list[Award | None] | None:
        """Return the awards of a paytable; if it lists none, the game's own awards."""
        if table.awards is None:
            if not deal.awards:
                self.problem(where, "the key 'awards' is missing; add awards = [...]")
                return None
            return list(game_awards(deal))
        if not 1 <= len(table.awards) <= MAX_AWARDS:
            self.problem(where, f"it has {len(table.awards)} awards; it may have 1 to {MAX_AWARDS}")
            return None
        numbered = enumerate(table.awards, 1)
        return [self.award(award, (*where, f"award {number}"), deal, rules) for number, award in numbered]

    def award(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> Award | None:
        """Return one award, or `None` if it has problems."""
        pay = self.try_read(where, lambda: self.pay(award))
        if sum(key is not None for key in (award.hand, award.when, award.per)) != 1:
            self.problem(
                where,
                "give either 'hand', the name of one of the file's hands, or 'name' and 'when', its own rule, or "
                "'name' and 'per', a number for each of which it is paid",
            )
            return None
        rule, per = self.asked(award, where, deal, rules)
        name = award.name or award.hand
        if rule is not None and name is None:
            self.problem(where, 'it has a rule but no name; add name = "..."')
        if pay is None or rule is None or name is None or not self.try_read(where, lambda: check_name(name, "name")):
            return None
        return Award(name, rule, pay, str(award.pays), per)

    def pay(self, award: AwardFields) -> Pay | None:
        """Return the pay of an award, multiplied by its wheel if it has one."""
        pay = _parse_pay_field(award.pays)
        if award.wheel is None:
            return pay
        if award.wheel not in self.wheels:
            hint = did_you_mean(award.wheel, self.wheels) or "; list it under [wheels]"
            raise InputError(f"no wheel {quote(award.wheel)}{hint}")
        wheel = self.wheels[award.wheel]
        return wheel.multiply(pay) if wheel else None

    def asked(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> tuple[Rule | None, Quantity | None]:
        """Return the rule of an award, and the quantity that it is paid for each of, if it has one."""
        if award.hand is not None:
            if award.hand not in rules:
                hint = did_you_mean(award.hand, rules) or "; list it under [hands], or give 'name' and 'when'"
                self.problem(where, f"no hand {quote(award.hand)}{hint}")
            return rules.get(award.hand), None
        if award.per is None:
            when = award.when or ""
            return self.try_read(where, lambda: parse_rule(when, deal)), None
        if not self.adds_up:
            self.problem(where, "'per' pays for each, so awards must add up; write awards_add_up = true above them")
            return None, None
        text = award.per
        per = self.try_read(where, lambda: parse_quantity(text, deal))
        return (at_least_one_rule(per), per) if per else (None, None)

    def check_awards(self, awards: Iterable[Award | None], bet: Bet, where: tuple[str, ...]) -> None:
        """Add problems of awards that contradict one another or the rest of the file."""
        readable = [award for award in awards if award is not None]
        self.check_duplicates([award.name for award in readable], "award name", where)
        if self.adds_up:
            self.try_read((*where, "awards"), lambda: check_summable_pays(readable))
        if any(award.pay.prizes for award in readable):
            self.try_read((*where, "awards"), lambda: check_wheels(readable, bet))
        for award in readable:
            self.try_read(
                (*where, f"award {quote(award.name)}"),
                lambda award=award: check_jokers([award.rule], bet.pack),  # type: ignore[misc]  # bound now
            )
            if bet.roles_distinct is False and award.rule.roles:
                role = min(award.rule.roles)
                self.problem(
                    (*where, f"award {quote(award.name)}"),
                    f"its rule names '{role}' but the file says tell_roles_apart = false; leave that out",
                )


def _parse_pay_field(pays: object) -> Pay:
    if isinstance(pays, bool) or not isinstance(pays, (str, int)):
        raise InputError('the pay must be text, as in pays = "9 to 1"')
    return parse_pay(str(pays))


def check_wheels(awards: Iterable[Award], bet: Bet) -> None:
    """Refuse wheels on bets with a parlay or press option, or beside awards that pay from meters."""
    if bet.option is not None:
        raise InputError(f"a wheel multiplies a pay, which then cannot ride: leave out the wheel or the {bet.option}")
    if meters := [award.pay.meter for award in awards if award.pay.meter is not None]:
        raise InputError(f"a wheel multiplies a pay, and another comes from the meter {quote(meters[0])}; use one kind")


MAX_PAYTABLES = 500
ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,39}")


def load_bet(path: str | Path, name: str | None = None) -> tuple[Paytable, ...]:
    """Load all paytables of a bet file; raise `InputError` with its first problem, which cites `name` or the path."""
    paytables, problems = inspect_bet(path, name)
    if problems:
        raise InputError(problems[0])
    return paytables


def inspect_bet(path: str | Path, name: str | None = None) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Return the valid paytables of a bet file and all its problems."""
    label = name or truncate_middle(path)
    try:
        text = read_text(Path(path))
    except InputError as error:
        return (), (f"{label}: {error}",)
    return parse_bet(text, label)


@lru_cache(maxsize=16)
def parse_bet(text: str, name: str) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Parse the text of a bet file and return its valid paytables and all its problems, which cite `name`.

    The result is cached, so that a bet is enumerated once, however often its file is loaded.
    """
    reader = _BetReader(name)
    paytables = reader.read(text)
    return paytables, tuple(reader.problems)


class _BetReader(AwardReader):
    """Builds the paytables of one file and collects its problems."""

    def read(self, text: str) -> tuple[Paytable, ...]:
        fields = self.try_read((), lambda: read_fields(text, lambda message: self.problem((), message)))
        if fields is None:
            return ()
        if not 1 <= len(fields.paytable) <= MAX_PAYTABLES:
            self.problem((), f"the file has {len(fields.paytable)} paytables; it may have 1 to {MAX_PAYTABLES}")
            return ()
        texts = [(key, getattr(fields, key)) for key in ("bet", "game", "made", "settled")]
        for key, value in (*texts, *((f"hand {quote(hand)}", hand) for hand in fields.hands)):
            self.try_read((), lambda key=key, value=value: check_name(value, key))  # type: ignore[misc]  # bound now
        deal = self.try_read(("deal",), lambda: parse_deal(fields.deal))
        if deal is not None:
            plain = deal
            deal = self.try_read(("settings",), lambda: configure_deal(plain, fields.settings))
        pack = self.try_read(("pack",), lambda: build_pack(fields.pack, deal))
        if deal is None or pack is None:
            return ()
        rules: dict[str, Rule | None] = {
            hand: self.try_read((f"hand {quote(hand)}",), lambda when=when: parse_rule(when, deal))  # type: ignore[misc]
            for hand, when in fields.hands.items()
        }
        condition_rule = None
        if fields.given is not None:
            condition = fields.given
            condition_rule = self.try_read(("given",), lambda: parse_rule(condition, deal))
            if condition_rule is not None:
                self.try_read(("given",), lambda: check_jokers([condition_rule], pack))
        if condition_rule is not None and condition_rule.roles and fields.tell_roles_apart is False:
            role = min(condition_rule.roles)
            self.problem(("given",), f"it names '{role}' but the file says tell_roles_apart = false; leave that out")
            return ()
        sources = (fields.source,) if isinstance(fields.source, str) else tuple(fields.source)
        for source in sources:
            self.try_read((), lambda source=source: check_name(source, "source", MAX_SOURCE))  # type: ignore[misc]
        if (option := fields.option) is not None:
            self.try_read(("option",), lambda: check_option(option, deal))
        self.adds_up = fields.awards_add_up
        self.wheels = {
            name: self.try_read((f"wheel {quote(name)}",), lambda name=name, spec=spec: parse_wheel(name, spec))  # type: ignore[misc]
            for name, spec in fields.wheels.items()
        }
        bet = Bet(
            name=fields.bet,
            deal=deal,
            pack=pack,
            roles_distinct=fields.tell_roles_apart,
            given=condition_rule,
            sources=sources,
            notes=tuple(fields.notes),
            origin=self.name,
            file=text,
            game=fields.game,
            made=fields.made,
            settled=fields.settled,
            option=fields.option,
        )
        paytables = [self.paytable(table, bet, rules) for table in fields.paytable]
        self.check_duplicates([table.id for table in fields.paytable], "id")
        used = {award.hand for table in fields.paytable for award in table.awards or ()}
        turned = {award.wheel for table in fields.paytable for award in table.awards or ()}
        unused = (
            *(f"hand '{hand}': no award of the file is for it" for hand in fields.hands if hand not in used),
            *(f"wheel '{name}': no award of the file has it" for name in fields.wheels if name not in turned),
        )
        if unused and paytables[0] is not None:
            paytables[0] = msgspec.structs.replace(paytables[0], unused=unused)
        return tuple(table for table in paytables if table is not None)

    def paytable(self, table: PaytableFields, bet: Bet, rules: dict[str, Rule | None]) -> Paytable | None:
        where = (f"paytable {quote(table.id)}",)
        problem_count = len(self.problems)
        if not ID_PATTERN.fullmatch(table.id):
            self.problem(where, "an id has 1 to 40 letters, digits and + . _ - and starts with a letter or digit")
        for key in ("title", "requires"):
            if (value := getattr(table, key)) is not None:
                self.try_read(where, lambda key=key, value=value: check_name(value, key))  # type: ignore[misc]
        if table.other_reading is not None and not ID_PATTERN.fullmatch(table.other_reading):
            self.problem(where, f"other_reading {quote(table.other_reading)} is no id; write that of another paytable")
        decks = self.try_read((*where, "decks"), lambda: _parse_deck_counts(table.decks))
        if table.settings:
            deal = self.try_read((*where, "settings"), lambda: configure_deal(bet.deal, table.settings))
            if deal is None:
                return None
            bet = msgspec.structs.replace(bet, deal=deal)
        awards = self.awards(table, bet.deal, rules, where)
        if awards is None:
            return None
        self.check_awards(awards, bet, where)
        published = [
            Published(figure, text, printed.decks)
            for printed in table.published
            for figure, text in (
                ("hold", printed.hold),
                ("hit_frequency", printed.hit_frequency),
                ("house_edge", printed.house_edge),
                ("return", printed.return_),
            )
            if text is not None
        ]
        for printed in table.published:
            self.try_read((*where, "published"), lambda printed=printed: check_deck_count(printed.decks))  # type: ignore[misc]
        for figure in published:
            if not re.fullmatch(r"[0-9]{1,3}\.?[0-9]{0,12}%", figure.text):
                self.problem((*where, "published"), f"{figure.figure} {quote(figure.text)} is not a percentage")
        paid = tuple(
            dict.fromkeys(award.pay.meter for award in awards if award is not None and award.pay.meter is not None)
        )
        self.try_read((*where, "awards"), lambda: check_meter_names(paid))
        systems = [self.meters(meters, paid, where) for meters in table.meters]
        running = [count for system in systems if system is not None for count in system.decks or decks or ()]
        for count in sorted({count for count in running if running.count(count) > 1}):
            self.problem((*where, "meters"), f"they are given twice for {count} decks; say decks = ... in each")
        if len(self.problems) > problem_count or decks is None:
            return None
        readable = tuple(award for award in awards if award is not None)
        settled_awards = (
            self.try_read((*where, "awards"), lambda: reachable_sums(readable, bet)) if self.adds_up else readable
        )
        if settled_awards is None:
            return None
        self.check_duplicates([award.name for award in settled_awards], "award name", where)
        return Paytable(
            id=table.id,
            bet=bet,
            title=table.title or f"{bet.name} {table.id}",
            decks=decks,
            awards=settled_awards,
            parts=readable if self.adds_up else (),
            wheels=self.wheels_of(table),
            published=tuple(published),
            notes=tuple(table.notes),
            requires=table.requires,
            is_example=table.example,
            other_reading=table.other_reading,
            systems=tuple(system for system in systems if system is not None),
        )

    def wheels_of(self, table: PaytableFields) -> tuple[Wheel, ...]:
        """Return the wheels that the awards of a paytable use."""
        named = {award.wheel for award in table.awards or ()}
        return tuple(wheel for name, wheel in self.wheels.items() if name in named and wheel is not None)

    def meters(self, fields: MetersFields, paid: tuple[str, ...], where: tuple[str, ...]) -> MeterSystem | None:

        return self.try_read((*where, "meters"), lambda: build_meter_system(fields, paid, _parse_deck_counts))


def _parse_deck_counts(decks: int | str | list[int]) -> tuple[int, ...]:
    if isinstance(decks, list):
        if not decks:
            raise InputError("the list is empty; name the deck counts, as in [6, 8]")
        return parse_deck_counts(",".join(map(str, decks)))
    return parse_deck_counts(str(decks))
