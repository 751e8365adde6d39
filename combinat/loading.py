"""Reading bets from TOML files, checking everything that a slip of the hand can get wrong."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from combinat.deal import Deal, parse_deal
from combinat.fields import AwardFields, BetFields, Fields, LevelFields, MetersFields, PaytableFields, PublishedFields
from combinat.grammar import parse_rule
from combinat.meter_system import Level, MeterSystem, check_paid_meters, parse_amount, parse_rate
from combinat.paytable import OPTIONS, Award, Bet, Paytable, Published, parse_pay
from combinat.rules import Rule
from combinat.texts import MAX_SOURCE, check_name, cleaned
from decks import InputError, pack_named, parse_deck_counts, suggestion
from decks.errors import quoted
from decks.shoe import check_deck_count

MAX_BYTES = 256 * 1024
MAX_AWARDS = 50
MAX_PAYTABLES = 500
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,39}")
_RESULT = TypeVar("_RESULT")


def load(path: str | Path) -> tuple[Paytable, ...]:
    """Read all paytables of a bet's file, or say what is wrong with it first."""
    paytables, problems = inspect(path)
    if problems:
        raise InputError(problems[0])
    return paytables


def inspect(path: str | Path) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Read what can be read of a bet's file, with every problem found on the way."""
    try:
        text = read_text(Path(path))
    except InputError as error:
        return (), (f"{path}: {error}",)
    return parse(text, str(path))


def parse(text: str, name: str) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Read the text of a bet's file; the name is for messages."""
    reader = _Reader(name)
    paytables = reader.read(text)
    return paytables, tuple(reader.problems)


def read_text(path: Path) -> str:
    """Read a small text file, with a clear word about anything else."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError("this is a directory; name a TOML file in it")
        if not stat.S_ISREG(status.st_mode):
            raise InputError("this is not an ordinary file; name a TOML file")
        if status.st_size > MAX_BYTES:
            raise InputError(f"the file has {status.st_size:,} bytes; a bet's file has at most {MAX_BYTES:,}")
        data = path.read_bytes()
    except InputError:
        raise
    except FileNotFoundError:
        near = suggestion(path.name, _neighbours(path))
        raise InputError(f"there is no such file{near}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"the file cannot be read: {reason}") from None
    try:
        if b"\0" in data:
            raise UnicodeDecodeError("utf-8", data, data.index(b"\0"), data.index(b"\0") + 1, "a zero byte")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not text: byte {error.start + 1} is not UTF-8") from None


def _neighbours(path: Path) -> list[str]:
    try:
        return [other.name for other in path.parent.iterdir() if other.suffix == ".toml"]
    except OSError:
        return []


class _Reader:
    """Turns the text of one file into paytables, collecting problems with where they are."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []

    def problem(self, where: Iterable[str], what: object) -> None:
        self.problems.append(str(InputError(": ".join([self.name, *where, str(what)]))))

    def attempt(self, where: Iterable[str], read: Callable[[], _RESULT]) -> _RESULT | None:
        """Read something; if it is wrong, note where and go on without it."""
        try:
            return read()
        except InputError as error:
            self.problem(where, error)
            return None

    def read(self, text: str) -> tuple[Paytable, ...]:
        fields = self.attempt((), lambda: self.fields(text))
        if fields is None:
            return ()
        if not 1 <= len(fields.paytable) <= MAX_PAYTABLES:
            self.problem((), f"the file has {len(fields.paytable)} paytables; it may have 1 to {MAX_PAYTABLES}")
            return ()
        said = [(key, getattr(fields, key)) for key in ("bet", "game", "made", "settled")]
        for key, value in (*said, *((f"hand {quoted(hand)}", hand) for hand in fields.hands)):
            self.attempt((), lambda key=key, value=value: check_name(value, key))  # type: ignore[misc]  # bound now
        deal = self.attempt(("deal",), lambda: parse_deal(fields.deal))
        pack = self.attempt(("pack",), lambda: pack_named(fields.pack))
        if deal is None or pack is None:
            return ()
        rules: dict[str, Rule | None] = {
            hand: self.attempt((f"hand {quoted(hand)}",), lambda when=when: parse_rule(when, deal))  # type: ignore[misc]
            for hand, when in fields.hands.items()
        }
        given = None
        if fields.given is not None:
            condition = fields.given
            given = self.attempt(("given",), lambda: parse_rule(condition, deal))
        if given is not None and given.roles and fields.tell_roles_apart is False:
            role = min(given.roles)
            self.problem(("given",), f"it names '{role}' but the file says tell_roles_apart = false; leave that out")
            return ()
        sources = (fields.source,) if isinstance(fields.source, str) else tuple(fields.source)
        for source in sources:
            self.attempt((), lambda source=source: check_name(source, "source", MAX_SOURCE))  # type: ignore[misc]
        bet = Bet(
            name=fields.bet,
            deal=deal,
            pack=pack,
            apart=fields.tell_roles_apart,
            given=given,
            sources=sources,
            notes=tuple(fields.notes),
            origin=self.name,
            file=text,
            game=fields.game,
            made=fields.made,
            settled=fields.settled,
            option=self.attempt(("option",), lambda: _option(fields.option, deal)),
        )
        paytables = [self.paytable(table, bet, rules) for table in fields.paytable]
        self.duplicates([table.id for table in fields.paytable], "id")
        used = {award.hand for table in fields.paytable for award in table.awards}
        unused = tuple(hand for hand in fields.hands if hand not in used)
        if unused and paytables[0] is not None:
            paytables[0] = msgspec.structs.replace(paytables[0], unused_hands=unused)
        return tuple(table for table in paytables if table is not None)

    def fields(self, text: str) -> BetFields | None:
        """Read the tables of the file, every text in them as one line of signs that can be seen."""
        import tomllib

        try:
            table = tomllib.loads(text, parse_float=str)  # no float, not even in passing
        except RecursionError:
            raise InputError("this is not valid TOML: it is nested too deeply") from None
        except ValueError as error:
            raise InputError(f"this is not valid TOML: {error}") from None
        unseen = list(cleaned(table))
        for path, what in unseen:
            self.problem((), _plain(f"{what} - at `{path}`", table))
        if unseen:
            return None
        try:
            return msgspec.convert(table, BetFields)
        except msgspec.ValidationError as error:
            raise InputError(_plain(str(error), table)) from None

    def duplicates(self, names: list[str], what: str, where: Iterable[str] = ()) -> None:
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                self.problem(where, f"the {what} {quoted(name)} is given {names.count(name)} times; each must differ")

    def paytable(self, table: PaytableFields, bet: Bet, rules: dict[str, Rule | None]) -> Paytable | None:
        where = (f"paytable {quoted(table.id)}",)
        before = len(self.problems)
        if not _ID.fullmatch(table.id):
            self.problem(where, "an id has 1 to 40 letters, digits and + . _ - and starts with a letter or digit")
        for key in ("title", "requires"):
            if (value := getattr(table, key)) is not None:
                self.attempt(where, lambda key=key, value=value: check_name(value, key))  # type: ignore[misc]
        if table.other_reading is not None and not _ID.fullmatch(table.other_reading):
            self.problem(where, f"other_reading {quoted(table.other_reading)} is no id; write that of another paytable")
        decks = self.attempt((*where, "decks"), lambda: _deck_counts(table.decks))
        if not 1 <= len(table.awards) <= MAX_AWARDS:
            self.problem(where, f"it has {len(table.awards)} awards; it may have 1 to {MAX_AWARDS}")
            return None
        awards = [
            self.award(award, (*where, f"award {number}"), bet.deal, rules)
            for number, award in enumerate(table.awards, 1)
        ]
        self.duplicates([award.name for award in awards if award is not None], "award name", where)
        for award in awards:
            if bet.apart is False and award is not None and award.rule.roles:
                role = min(award.rule.roles)
                self.problem(
                    (*where, f"award {quoted(award.name)}"),
                    f"its rule names '{role}' but the file says tell_roles_apart = false; leave that out",
                )
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
            self.attempt((*where, "published"), lambda printed=printed: check_deck_count(printed.decks))  # type: ignore[misc]
        for figure in published:
            if not re.fullmatch(r"[0-9]{1,3}\.?[0-9]{0,12}%", figure.text):
                self.problem((*where, "published"), f"{figure.figure} {quoted(figure.text)} is not a percentage")
        paid = tuple(dict.fromkeys(one.pay.meter for one in awards if one is not None and one.pay.meter is not None))
        systems = [self.attempt((*where, "meters"), lambda one=one: _system(one, paid)) for one in table.meters]  # type: ignore[misc]
        running = [count for one in systems if one is not None for count in one.decks or decks or ()]
        for count in sorted({count for count in running if running.count(count) > 1}):
            self.problem((*where, "meters"), f"they are given twice for {count} decks; say decks = ... in each")
        if len(self.problems) > before or decks is None:
            return None
        return Paytable(
            id=table.id,
            bet=bet,
            title=table.title or f"{bet.name} {table.id}",
            decks=decks,
            awards=tuple(award for award in awards if award is not None),
            published=tuple(published),
            notes=tuple(table.notes),
            requires=table.requires,
            is_example=table.example,
            other_reading=table.other_reading,
            systems=tuple(system for system in systems if system is not None),
        )

    def award(
        self, award: AwardFields, where: tuple[str, ...], deal: Deal, rules: dict[str, Rule | None]
    ) -> Award | None:
        pay = self.attempt(where, lambda: _pay(award.pays))
        if (award.hand is None) == (award.when is None):
            self.problem(
                where, "give either 'hand', the name of one of the file's hands, or 'name' and 'when', its own rule"
            )
            return None
        if award.hand is not None:
            if award.hand not in rules:
                hint = suggestion(award.hand, rules) or "; list it under [hands], or give 'name' and 'when'"
                self.problem(where, f"no hand {quoted(award.hand)}{hint}")
                return None
            rule = rules[award.hand]
        else:
            when = award.when or ""
            rule = self.attempt(where, lambda: parse_rule(when, deal))
        name = award.name or award.hand
        if name is None:
            self.problem(where, 'it has a rule but no name; add name = "..."')
            return None
        checked = self.attempt(where, lambda: check_name(name, "name"))
        if pay is None or rule is None or checked is None:
            return None
        return Award(name, rule, pay, str(award.pays))


_COMPLAINT = r"(?P<what>.*?)(?: - at `\$?(?P<path>[^`]*)`)?"
_STEP = r"\.?(paytable|awards|published|notes|decks|source|meters|levels)\[(\d+)\]|\.?([a-z_]+)|\[\.\.\.\]"


def _plain(complaint: str, table: dict[str, Any]) -> str:
    """Say in the file's own terms what the checker found: which paytable, which award, which key."""
    match = re.fullmatch(_COMPLAINT, complaint, re.DOTALL)
    assert match is not None  # the pattern fits any text
    what, path = match["what"], match["path"] or ""
    where: list[str] = []
    structure: type[Fields] = BetFields
    for listed, number, key in re.findall(_STEP, path):
        if listed == "paytable":
            structure = PaytableFields
            where.append(_named_paytable(table, int(number)))
        elif listed == "awards":
            structure = AwardFields
            where.append(f"award {int(number) + 1}")
        elif listed == "meters":
            structure = MetersFields
            where.append("meters")
        elif listed == "levels":
            structure = LevelFields
            where.append(f"level {int(number) + 1}")
        elif listed == "published":
            structure = PublishedFields
            where.append("published")
        elif listed or key:
            where.append(listed or key)
    prefix = "".join(f"{step}: " for step in where)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        keys = [field.encode_name for field in msgspec.structs.fields(structure)]
        hint = suggestion(unknown[1], keys) or f"; keys here are {', '.join(keys)}"
        return f"{prefix}no key {quoted(unknown[1])}{hint}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what, re.DOTALL):
        examples = {"paytable": "a [[paytable]] table", "pays": 'pays = "9 to 1"', "awards": "awards = [...]"}
        return f"{prefix}the key '{missing[1]}' is missing; add {examples.get(missing[1], missing[1] + ' = ...')}"
    words = {
        "str": "text in quotes",
        "int": "a whole number",
        "object": "a table",
        "array": "a list",
        "bool": "true or false",
    }
    return prefix + re.sub(r"`([a-z |]+)`", lambda m: " or ".join(words.get(w, w) for w in m[1].split(" | ")), what)


def _named_paytable(table: dict[str, Any], number: int) -> str:
    """Name a paytable by its id if it has one, else by its place."""
    try:
        name = table["paytable"][number]["id"]
    except (KeyError, TypeError, IndexError):
        name = None
    return f"paytable {quoted(name)}" if isinstance(name, str) else f"paytable {number + 1}"


def _option(option: str | None, deal: Deal) -> str | None:
    """Check that the winnings can ride: on the player's first two cards, with no others than the up card counting."""
    if option is None:
        return None
    if option not in OPTIONS:
        raise InputError(f"no option {quoted(option)}{suggestion(option, OPTIONS) or '; it is parlay or press'}")
    if deal.draw or dict(deal.roles) not in ({"player": 2}, {"player": 2, "up": 1}):
        raise InputError(f"winnings can ride with the deal 'player:2' or 'player:2, up:1', not {quoted(str(deal))}")
    return option


def _deck_counts(decks: int | str | list[int]) -> tuple[int, ...]:
    if isinstance(decks, list):
        if not decks:
            raise InputError("the list is empty; name the deck counts, as in [6, 8]")
        return parse_deck_counts(",".join(map(str, decks)))
    return parse_deck_counts(str(decks))


def _system(fields: MetersFields, paid: tuple[str, ...]) -> MeterSystem:
    levels = tuple(
        Level(
            name=one.name,
            seed=parse_amount(one.seed, "seed"),
            rate=parse_rate(one.rate, "rate"),
            reserve=parse_rate(one.reserve, "reserve"),
            cap=None if one.cap is None else parse_amount(one.cap, "cap"),
            rate_after_cap=parse_rate(one.rate_after_cap, "rate_after_cap"),
            deducted=one.deducted,
            seed_paid_by=one.seed_paid_by,
        )
        for one in fields.levels
    )
    system = MeterSystem(
        levels=levels,
        wager=parse_amount(fields.wager, "wager"),
        kind=fields.kind,
        all_pays_deducted=fields.all_pays_deducted,
        decks=None if fields.decks is None else _deck_counts(fields.decks),
        basis=fields.basis,
    )
    system.check()
    check_paid_meters(system, paid)
    return system


def _pay(pays: object) -> Any:
    if isinstance(pays, bool) or not isinstance(pays, (str, int)):
        raise InputError('the pay must be text, as in pays = "9 to 1"')
    return parse_pay(str(pays))
