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
from typing import ParamSpec, TypeVar

import msgspec

from combinat.bets.assumptions import ORIGINS, Alternative, Assumption
from combinat.bets.award import Award, at_least_one_rule, combination_rule, combine_awards
from combinat.bets.meters import MeterLevel, MeterSystem, check_meter_names, check_paid_meters, parse_amount, parse_rate
from combinat.bets.pay import Pay, parse_pay
from combinat.bets.paytable import ELIGIBLE_HANDS, Bet, Paytable, Published, configure_deal, game_awards
from combinat.bets.schema import (
    ID_PATTERN,
    MAX_ID,
    MAX_NAME,
    MAX_SOURCE,
    AssumptionFields,
    AwardFields,
    MetersFields,
    PackFields,
    PaytableFields,
    check_name,
    read_fields,
    read_text,
)
from combinat.bets.toml_positions import TextOutline
from combinat.bets.wheel import Wheel, parse_wheel
from combinat.enumeration.decision import check_option
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.checks import possible_values
from combinat.language.deal import Deal, check_jokers, check_pack_for_deal
from combinat.language.parser import parse_quantity, parse_rule
from combinat.language.rules import Literal, NumberComparison, Quantity, Rule
from decks import InputError, Pack, customize_pack, did_you_mean, find_pack, parse_deck_counts
from decks.errors import quote, truncate_middle
from decks.shoe import check_deck_count

MAX_PAYTABLES = 500
MAX_AWARDS = 50
MAX_AWARD_COUNT = 30
"""Largest number of times that a hand may match an award."""
MAX_SUMS = 50
"""Largest number of different sums of awards."""
_CLAUSE_LENGTHS = (("clause", MAX_SOURCE), ("decks_clause", MAX_SOURCE))
"""The texts of a paytable that cite its source, with their maximum lengths."""

_SYNTAX_POSITION = re.compile(r" \(at (?:line \d+, column \d+|end of document)\)$")
_ARGUMENTS = ParamSpec("_ARGUMENTS")
_RESULT = TypeVar("_RESULT")


class Problems:
    """The problems of one file, each with its location."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []

    def problem(self, where: Iterable[str], message: object) -> None:
        """Add a problem at the location `where`."""
        self.problems.append(str(InputError(": ".join([self.name, *where, str(message)]))))

    def try_read(
        self,
        where: Iterable[str],
        read: Callable[_ARGUMENTS, _RESULT],
        *args: _ARGUMENTS.args,
        **options: _ARGUMENTS.kwargs,
    ) -> _RESULT | None:
        """Call `read` with the arguments; on `InputError` add a problem at `where` and return `None`."""
        try:
            return read(*args, **options)
        except InputError as error:
            self.problem(where, error)
            return None

    def check_duplicates(self, names: list[str], label: str, where: Iterable[str] = ()) -> None:
        """Add a problem for each name that occurs more than once."""
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                self.problem(where, f"the {label} {quote(name)} is used {names.count(name)} times; it must be unique")


def build_pack(spec: str | PackFields, deal: Deal | None) -> Pack:
    """Return a pack by its name, or a custom pack of removed ranks and jokers; refuse it if the deal cannot use it."""
    if isinstance(spec, str):
        pack = find_pack(spec)
    else:
        pack = customize_pack(find_pack(spec.base), map(str, spec.without), spec.jokers, spec.joker)
    if deal is not None:
        check_pack_for_deal(deal, pack)
    return pack


def check_summable_pays(stated_awards: Sequence[Award]) -> None:
    """Refuse pays that cannot be added to one pay for one wager."""
    for award in stated_awards:
        if award.pay.meter is not None:
            raise InputError(
                f"{quote(award.name)} pays from the meter {quote(award.pay.meter)}; awards that add up must have "
                "fixed pays"
            )
    if len({award.pay.is_for_one for award in stated_awards}) > 1:
        raise InputError("some pays are 'for 1' and others are not; awards that add up need pays of one kind")


def reachable_sums(stated_awards: Sequence[Award], bet: Bet) -> tuple[Award, ...]:
    """Return every sum of `stated_awards` awards that some hand can reach, the highest pay first.

    >>> from combinat.bets.award import at_least_one_rule
    >>> from combinat.bets.pay import parse_pay
    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity, parse_rule
    >>> deal = parse_deal("player:2")
    >>> per = parse_quantity("count(7)", deal)
    >>> seven = Award("Seven", at_least_one_rule(per), parse_pay("3 to 1"), per=per)
    >>> pair = Award("Pair", parse_rule("pair", deal), parse_pay("1 to 1"))
    >>> [f"{award.name}, {award.pay}" for award in reachable_sums([seven, pair], Bet("Sevens", deal))]
    ['2 × Seven + Pair, 7 to 1', 'Seven, 3 to 1', 'Pair, 1 to 1']
    """
    reachable_counts: list[tuple[int, ...]] = [()]
    for length, award in enumerate(stated_awards, 1):
        candidates = [(*counts, count) for counts in reachable_counts for count in _possible_counts(award, bet)]
        reachable_counts = list(
            compress(
                candidates,
                _find_reachable(
                    [combination_rule(stated_awards[:length], counts) for counts in candidates], bet, MAX_SUMS + 2
                ),
            )
        )
        if len(reachable_counts) > MAX_SUMS + 1:
            raise InputError(
                f"the awards have more than {MAX_SUMS} different sums; use fewer awards, or one award for each sum"
            )
    sums = [combine_awards(stated_awards, counts) for counts in reachable_counts if any(counts)]
    if not sums:
        raise InputError("no hand matches any of the awards")
    return tuple(
        sorted(sums, key=lambda sum_award: (sum_award.pay.gross.constant, sum_award.component_counts), reverse=True)
    )


def _possible_counts(award: Award, bet: Bet) -> tuple[int, ...]:
    """Return the numbers of times that a hand can match an award; a superset where the quantity itself is bounded."""
    if award.per is None:
        return (0, 1)
    quantity, lowest, highest = award.per, Literal(0), Literal(MAX_AWARD_COUNT)
    values = possible_values(quantity.number, bet.deal, bet.pack)
    candidates = [count for count in range(MAX_AWARD_COUNT + 1) if values is None or count in values]
    if values == frozenset(candidates):
        return tuple(candidates)
    too_low_rule, too_high_rule = _comparison_rule(quantity, "<", lowest), _comparison_rule(quantity, ">", highest)
    exact_rules = [Rule(*award.match_rule(count), quantity.roles) for count in candidates]
    is_too_low, is_too_high, *is_possible = _find_reachable([too_low_rule, too_high_rule, *exact_rules], bet)
    if is_too_low:
        raise InputError(f"{quote(award.name)}: {quote(quantity)} can be negative; write a number that is at least 0")
    if is_too_high:
        raise InputError(f"{quote(award.name)}: {quote(quantity)} must be at most {MAX_AWARD_COUNT}, but can be more")
    return tuple(compress(candidates, is_possible))


def _comparison_rule(quantity: Quantity, sign: str, bound: Literal) -> Rule:
    return Rule(f"{quantity} {sign} {bound.value}", NumberComparison(sign, quantity.number, bound), quantity.roles)


def _find_reachable(rules: Iterable[Rule], bet: Bet, max_matches: int | None = None) -> tuple[bool, ...]:
    """Return for each of some mutually exclusive rules whether a hand can match it; stop after `max_matches`."""
    ladder = Ladder(tuple(rules), bet.condition)
    is_distinct = any(rule.roles for rule in ladder.all_rules)
    return experiment(bet.deal, bet.pack, ladder, is_distinct).reachable_rules(max_matches)


def _parse_deck_counts(decks: int | str | list[int]) -> tuple[int, ...]:
    if isinstance(decks, list):
        if not decks:
            raise InputError("the list is empty; write deck counts, such as [6, 8]")
        return parse_deck_counts(",".join(map(str, decks)))
    return parse_deck_counts(str(decks))


def build_meter_system(fields: MetersFields, paid_meters: tuple[str, ...]) -> MeterSystem:
    """Build the meter system of a paytable from its fields; `paid_meters` are the meters that awards pay from."""
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
        decks=None if fields.decks is None else _parse_deck_counts(fields.decks),
        basis=fields.basis,
    )
    system.check()
    check_paid_meters(system, paid_meters)
    return system


def _parse_pay_field(pays: object) -> Pay:
    if isinstance(pays, bool) or not isinstance(pays, (str, int)):
        raise InputError('the pay must be text in quotes, for example pays = "9 to 1"')
    return parse_pay(str(pays))


def check_wheels(awards: Iterable[Award], bet: Bet) -> None:
    """Refuse wheels on bets with a parlay or press option, or beside awards that pay from meters."""
    if bet.option is not None:
        raise InputError(f"a bet with a {bet.option} cannot have wheels; remove the wheel or the option")
    if meters := [award.pay.meter for award in awards if award.pay.meter is not None]:
        raise InputError(f"a paytable cannot have wheels and meters; remove the wheel or the meter {quote(meters[0])}")


def load_bet(path: str | Path, name: str | None = None) -> tuple[Paytable, ...]:
    """Load all paytables of a bet file; raise `InputError` with its first problem, which cites `name` or the path."""
    paytables, problems = inspect_bet(path, name)
    if problems:
        raise InputError(problems[0])
    return paytables


def inspect_bet(path: str | Path, name: str | None = None) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Return the valid paytables of a bet file and all its problems, each with its line."""
    label = name or truncate_middle(path)
    try:
        text = read_text(Path(path))
    except InputError as error:
        return (), (f"{label}: {error}",)
    return inspect_text(text, label)


def inspect_text(text: str, name: str) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Return the valid paytables of the text of a bet file and all its problems, each with its line."""
    paytables, problems = parse_bet(text, name)
    if not problems:
        return paytables, ()
    outline = TextOutline.of(text)
    return paytables, tuple(_with_line(problem, name, outline) for problem in problems)


def _with_line(problem: str, label: str, outline: TextOutline) -> str:
    """Return a problem `label: description` as `label: line 7: description`."""
    mark = outline.mark(problem)
    if mark is None:
        return problem
    description = problem.removeprefix(f"{label}: ")
    return f"{label}: line {mark.line}: {_SYNTAX_POSITION.sub('', description)}"


@lru_cache(maxsize=16)
def parse_bet(text: str, name: str) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Parse the text of a bet file and return its valid paytables and all its problems, which cite `name`.

    The result is cached, so that a bet is enumerated once, however often its file is loaded.
    """
    reader = _BetReader(name)
    paytables = reader.read(text)
    return paytables, tuple(reader.problems)


class _BetReader(Problems):
    """Builds the paytables of one file and collects its problems."""

    pays_all_matches = False
    """Whether all matching awards of a hand are paid."""
    assumptions: tuple[Assumption, ...] = ()
    """The assumptions that all paytables share."""
    wheels: Mapping[str, Wheel | None] = {}
    """The wheels of the file by name; `None` for a wheel with problems."""

    def read(self, text: str) -> tuple[Paytable, ...]:
        fields = self.try_read((), read_fields, text, lambda message: self.problem((), message))
        if fields is None:
            return ()
        if not 1 <= len(fields.paytable) <= MAX_PAYTABLES:
            self.problem((), f"a file must have 1 to {MAX_PAYTABLES} paytables, got {len(fields.paytable)}")
            return ()
        texts = [(key, getattr(fields, key)) for key in ("bet", "game", "made", "settled")]
        for key, value in (*texts, *((f"hand {quote(hand)}", hand) for hand in fields.hands)):
            self.try_read((), check_name, value, key)
        deal = self.try_read(("deal",), parse_deal, fields.deal)
        if deal is not None:
            deal = self.try_read(("settings",), configure_deal, deal, fields.settings)
        pack = self.try_read(("pack",), build_pack, fields.pack, deal)
        if deal is None or pack is None:
            return ()
        rules: dict[str, Rule | None] = {
            hand: self.try_read((f"hand {quote(hand)}",), parse_rule, when, deal) for hand, when in fields.hands.items()
        }
        condition_rule = None
        if fields.given is not None:
            condition_rule = self.try_read(("given",), parse_rule, fields.given, deal)
            if condition_rule is not None:
                self.try_read(("given",), check_jokers, [condition_rule], pack)
        if condition_rule is not None and condition_rule.roles and fields.ordered_by_role is False:
            role = min(condition_rule.roles)
            self.problem(
                ("given",), f"it names the role '{role}', but the file says ordered_by_role = false; remove that line"
            )
            return ()
        sources = (fields.source,) if isinstance(fields.source, str) else tuple(fields.source)
        for source in sources:
            self.try_read((), check_name, source, "source", MAX_SOURCE)
        if fields.option is not None:
            self.try_read(("option",), check_option, fields.option, deal)
        self.pays_all_matches = fields.settlement == "all matches"
        self.wheels = {
            name: self.try_read((f"wheel {quote(name)}",), parse_wheel, name, spec)
            for name, spec in fields.wheels.items()
        }
        bet = Bet(
            name=fields.bet,
            deal=deal,
            pack=pack,
            roles_distinct=fields.ordered_by_role,
            condition=condition_rule,
            sources=sources,
            notes=tuple(fields.notes),
            origin=self.name,
            file=text,
            game=fields.game,
            made=fields.made,
            settled=fields.settled,
            eligible_hands=fields.eligible_hands,
            maker=fields.maker,
            requirements=fields.requirements,
            rules_of_play=tuple(fields.rules_of_play),
            option=fields.option,
        )
        if fields.eligible_hands not in ELIGIBLE_HANDS:
            self.problem(
                ("eligible_hands",), f"must be {' or '.join(ELIGIBLE_HANDS)}, got {quote(fields.eligible_hands)}"
            )
        if fields.eligible_hands != ELIGIBLE_HANDS[0] and set(deal.positions_by_role) != {"up", "dealer"}:
            self.problem(
                ("eligible_hands",), "only a bet on the dealer's hand alone can limit the hands that may make it"
            )
        self.assumptions = tuple(
            self.assumption(assumption, deal, (f"assumption {number}",))
            for number, assumption in enumerate(fields.assumptions, 1)
        )
        paytables = [self.paytable(table, bet, rules) for table in fields.paytable]
        self.check_duplicates([table.id for table in fields.paytable], "id")
        used_hands = {award.hand for table in fields.paytable for award in table.awards or ()}
        used_wheels = {award.wheel for table in fields.paytable for award in table.awards or ()}
        unused = (
            *(f"hand '{hand}': no award uses it" for hand in fields.hands if hand not in used_hands),
            *(f"wheel '{name}': no award uses it" for name in fields.wheels if name not in used_wheels),
        )
        if unused and paytables[0] is not None:
            paytables[0] = msgspec.structs.replace(paytables[0], unused=unused)
        return tuple(table for table in paytables if table is not None)

    def paytable(self, table: PaytableFields, bet: Bet, rules: dict[str, Rule | None]) -> Paytable | None:
        where = (f"paytable {quote(table.id)}",)
        problem_count = len(self.problems)
        if not ID_PATTERN.fullmatch(table.id):
            self.problem(
                where, f"an id must be 1 to {MAX_ID} letters, digits and + . _ - and start with a letter or digit"
            )
        for key, max_length in (("title", MAX_NAME), ("requires", MAX_NAME), *_CLAUSE_LENGTHS):
            if (value := getattr(table, key)) is not None:
                self.try_read(where, check_name, value, key, max_length)
        if table.other_interpretation is not None and not ID_PATTERN.fullmatch(table.other_interpretation):
            self.problem(
                where,
                f"other_interpretation must be the id of another paytable, got {quote(table.other_interpretation)}",
            )
        decks = self.try_read((*where, "decks"), _parse_deck_counts, table.decks)
        if table.settings:
            deal = self.try_read((*where, "settings"), configure_deal, bet.deal, table.settings)
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
            self.try_read((*where, "published"), check_deck_count, printed.decks)
        for figure in published:
            if not re.fullmatch(r"[0-9]{1,3}\.?[0-9]{0,12}%", figure.text):
                self.problem(
                    (*where, "published"),
                    f"{figure.figure} must be a percentage such as 4.41%, got {quote(figure.text)}",
                )
        paid_meters = tuple(
            dict.fromkeys(award.pay.meter for award in awards if award is not None and award.pay.meter is not None)
        )
        self.try_read((*where, "awards"), check_meter_names, paid_meters)
        if self.check_meters_of_awards(table, awards, where):
            return None
        systems = [
            self.try_read((*where, "meters"), build_meter_system, meters, paid_meters) for meters in table.meters
        ]
        system_decks = [count for system in systems if system is not None for count in system.decks or decks or ()]
        for count in sorted({count for count in system_decks if system_decks.count(count) > 1}):
            self.problem((*where, "meters"), f"there are two systems for {count} decks; write decks = ... in each")
        stated_awards = tuple(award for award in awards if award is not None)
        if len(self.problems) > problem_count or decks is None or len(stated_awards) < len(awards):
            return None  # the rule of a missing award was reported with its hand
        settled_awards = (
            self.try_read((*where, "awards"), reachable_sums, stated_awards, bet)
            if self.pays_all_matches
            else stated_awards
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
            stated_awards=stated_awards if self.pays_all_matches else (),
            wheels=self.used_wheels(table),
            published=tuple(published),
            notes=tuple(table.notes),
            clause=table.clause,
            decks_clause=table.decks_clause,
            assumptions=self.paytable_assumptions(table, bet.deal, settled_awards, where),
            requires=table.requires,
            is_example=table.example,
            other_interpretation=table.other_interpretation,
            systems=tuple(system for system in systems if system is not None),
        )

    def paytable_assumptions(
        self, table: PaytableFields, deal: Deal, awards: Sequence[Award], where: tuple[str, ...]
    ) -> tuple[Assumption, ...]:
        """Return the assumptions that concern a paytable: those of the bet, then its own."""
        names = frozenset(award.name for award in awards)
        own = [
            self.assumption(assumption, deal, (*where, f"assumption {number}"))
            for number, assumption in enumerate(table.assumptions, 1)
        ]
        return tuple(assumption for assumption in (*self.assumptions, *own) if assumption.concerns(names))

    def assumption(self, fields: AssumptionFields, deal: Deal, where: tuple[str, ...]) -> Assumption:
        """Return an assumption; add problems of its origin, its effect and the rules of its alternative."""
        if fields.origin not in ORIGINS:
            self.problem(where, f"origin must be one of {', '.join(ORIGINS)}, got {quote(fields.origin)}")
        if bool(fields.effect) == (fields.alternative is not None):
            self.problem(where, 'write either effect = "none" (or why it is not known) or alternative = {...}')
        if fields.alternative is None:
            return Assumption(fields.text, fields.origin, fields.effect)
        changes = fields.alternative
        for rule in changes.rules.values():
            self.try_read((*where, "alternative"), parse_rule, rule, deal)
        if changes.given:
            self.try_read((*where, "alternative"), parse_rule, changes.given, deal)
        for pay in changes.pays.values():
            self.try_read((*where, "alternative"), parse_pay, pay)
        alternative = Alternative(
            text=changes.text,
            rules=tuple(changes.rules.items()),
            pays=tuple(changes.pays.items()),
            settings=tuple(changes.settings.items()),
            paytable=changes.paytable,
            soft_17=changes.soft_17,
            given=changes.given,
            table=tuple(changes.table.items()),
        )
        return Assumption(fields.text, fields.origin, alternative=alternative)

    def check_meters_of_awards(
        self, table: PaytableFields, awards: Sequence[Award | None], where: tuple[str, ...]
    ) -> bool:
        """Add a problem for each award that pays from a meter with a misspelt name; return whether there is one."""
        declared = list(dict.fromkeys(level.name for meters in table.meters for level in meters.levels))
        misspelt = [
            (number, award.pay.meter, hint)
            for number, award in enumerate(awards, 1)
            if award is not None and award.pay.meter is not None and declared and award.pay.meter not in declared
            if (hint := did_you_mean(award.pay.meter, declared))
        ]
        for number, meter, hint in misspelt:
            self.problem((*where, f"award {number}"), f"unknown meter {quote(meter)}{hint}")
        return bool(misspelt)

    def used_wheels(self, table: PaytableFields) -> tuple[Wheel, ...]:
        """Return the wheels that the awards of a paytable use."""
        used_names = {award.wheel for award in table.awards or ()}
        return tuple(wheel for name, wheel in self.wheels.items() if name in used_names and wheel is not None)

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
            self.problem(where, f"a paytable must have 1 to {MAX_AWARDS} awards, got {len(table.awards)}")
            return None
        return [
            self.award(award, (*where, f"award {award_number}"), deal, rules)
            for award_number, award in enumerate(table.awards, 1)
        ]

    def award(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> Award | None:
        """Return one award, or `None` if it has problems."""
        pay = self.try_read(where, self.pay, award)
        if sum(key is not None for key in (award.hand, award.when, award.per)) != 1:
            self.problem(
                where,
                "write one of these: 'hand', a name under [hands]; 'name' and 'when', a rule; or 'name' and 'per', "
                "the number of times that the award is paid",
            )
            return None
        rule, quantity = self.rule_and_quantity(award, where, deal, rules)
        name = award.name or award.hand
        if rule is not None and name is None:
            self.problem(where, 'the award has a rule but no name; add name = "..."')
        if pay is None or rule is None or name is None or not self.try_read(where, check_name, name, "name"):
            return None
        return Award(name, rule, pay, str(award.pays), quantity)

    def pay(self, award: AwardFields) -> Pay | None:
        """Return the pay of an award, multiplied by its wheel if it has one."""
        pay = _parse_pay_field(award.pays)
        if award.wheel is None:
            return pay
        if award.wheel not in self.wheels:
            hint = did_you_mean(award.wheel, self.wheels) or "; define it under [wheels]"
            raise InputError(f"unknown wheel {quote(award.wheel)}{hint}")
        wheel = self.wheels[award.wheel]
        return wheel.multiply(pay) if wheel else None

    def rule_and_quantity(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> tuple[Rule | None, Quantity | None]:
        """Return the rule of an award, and the quantity that it is paid for each of, if it has one."""
        if award.hand is not None:
            if award.hand not in rules:
                hint = did_you_mean(award.hand, rules) or "; define it under [hands], or write 'name' and 'when'"
                similar = [name for name in rules if award.hand.lower() in name.lower()]
                if len(similar) == 1:
                    hint = f"; did you mean {quote(similar[0])}?"
                self.problem(where, f"unknown hand {quote(award.hand)}{hint}")
            return rules.get(award.hand), None
        if award.per is None:
            return self.try_read(where, parse_rule, award.when or "", deal), None
        if not self.pays_all_matches:
            self.problem(where, '"per" needs awards that add up; write settlement = "all matches" above [hands]')
            return None, None
        quantity = self.try_read(where, parse_quantity, award.per, deal)
        return (at_least_one_rule(quantity), quantity) if quantity else (None, None)

    def check_awards(self, awards: Iterable[Award | None], bet: Bet, where: tuple[str, ...]) -> None:
        """Add problems of awards that contradict one another or the rest of the file."""
        readable = [award for award in awards if award is not None]
        self.check_duplicates([award.name for award in readable], "award name", where)
        if self.pays_all_matches:
            self.try_read((*where, "awards"), check_summable_pays, readable)
        if any(award.pay.prizes for award in readable):
            self.try_read((*where, "awards"), check_wheels, readable, bet)
        for award in readable:
            self.try_read(
                (*where, f"award {quote(award.name)}"),
                check_jokers,
                [award.rule],
                bet.pack,
            )
            if bet.roles_distinct is False and award.rule.roles:
                role = min(award.rule.roles)
                self.problem(
                    (*where, f"award {quote(award.name)}"),
                    f"its rule names the role '{role}', but the file says ordered_by_role = false; remove that line",
                )
