"""Reading bets from TOML files, checking everything that a slip of the hand can get wrong."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec

from combinat.bets.adding import sums
from combinat.bets.configured import with_settings
from combinat.bets.fields import MetersFields, PaytableFields
from combinat.bets.load_awards import AwardReader
from combinat.bets.meter_rules import MeterSystem, check_names
from combinat.bets.own_pack import read_pack
from combinat.bets.paytable import Bet, Paytable, Published
from combinat.bets.read_fields import read_fields
from combinat.bets.reading import read_text
from combinat.bets.texts import MAX_SOURCE, check_name
from combinat.bets.wheel import Wheel, wheel
from combinat.enumeration.decision import check_option
from combinat.enumeration.experiment import parse_deal
from combinat.language.dealt_from import check_jokers
from combinat.language.parser import parse_rule
from combinat.language.tree import Rule
from decks import InputError, parse_deck_counts
from decks.errors import quoted, shortened
from decks.shoe import check_deck_count

MAX_PAYTABLES = 500
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,39}")


def load(path: str | Path, name: str | None = None) -> tuple[Paytable, ...]:
    """Read all paytables of a bet's file, or say what is wrong with it first; the file is called by its path or so."""
    paytables, problems = inspect(path, name)
    if problems:
        raise InputError(problems[0])
    return paytables


def inspect(path: str | Path, name: str | None = None) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Read what can be read of a bet's file, with every problem found on the way."""
    called = name or shortened(path)
    try:
        text = read_text(Path(path))
    except InputError as error:
        return (), (f"{called}: {error}",)
    return parse(text, called)


@lru_cache(maxsize=16)
def parse(text: str, name: str) -> tuple[tuple[Paytable, ...], tuple[str, ...]]:
    """Read the text of a bet's file; the name is for messages.

    The same text gives the same paytables, so that a bet is enumerated once, however often its file is named.
    """
    reader = _Reader(name)
    paytables = reader.read(text)
    return paytables, tuple(reader.problems)


class _Reader(AwardReader):
    """Turns the text of one file into paytables, collecting problems with where they are."""

    def read(self, text: str) -> tuple[Paytable, ...]:
        fields = self.attempt((), lambda: read_fields(text, lambda what: self.problem((), what)))
        if fields is None:
            return ()
        if not 1 <= len(fields.paytable) <= MAX_PAYTABLES:
            self.problem((), f"the file has {len(fields.paytable)} paytables; it may have 1 to {MAX_PAYTABLES}")
            return ()
        said = [(key, getattr(fields, key)) for key in ("bet", "game", "made", "settled")]
        for key, value in (*said, *((f"hand {quoted(hand)}", hand) for hand in fields.hands)):
            self.attempt((), lambda key=key, value=value: check_name(value, key))  # type: ignore[misc]  # bound now
        deal = self.attempt(("deal",), lambda: parse_deal(fields.deal))
        if deal is not None:
            plain = deal
            deal = self.attempt(("settings",), lambda: with_settings(plain, fields.settings))
        pack = self.attempt(("pack",), lambda: read_pack(fields.pack, deal))
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
            if given is not None:
                self.attempt(("given",), lambda: check_jokers([given], pack))
        if given is not None and given.roles and fields.tell_roles_apart is False:
            role = min(given.roles)
            self.problem(("given",), f"it names '{role}' but the file says tell_roles_apart = false; leave that out")
            return ()
        sources = (fields.source,) if isinstance(fields.source, str) else tuple(fields.source)
        for source in sources:
            self.attempt((), lambda source=source: check_name(source, "source", MAX_SOURCE))  # type: ignore[misc]
        if (option := fields.option) is not None:
            self.attempt(("option",), lambda: check_option(option, deal))
        self.adds_up = fields.awards_add_up
        self.wheels = {
            name: self.attempt((f"wheel {quoted(name)}",), lambda name=name, said=said: wheel(name, said))  # type: ignore[misc]
            for name, said in fields.wheels.items()
        }
        bet = Bet(
            name=fields.bet,
            deal=deal,
            pack=pack,
            roles_distinct=fields.tell_roles_apart,
            given=given,
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
        self.duplicates([table.id for table in fields.paytable], "id")
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
        where = (f"paytable {quoted(table.id)}",)
        before = len(self.problems)
        if not ID.fullmatch(table.id):
            self.problem(where, "an id has 1 to 40 letters, digits and + . _ - and starts with a letter or digit")
        for key in ("title", "requires"):
            if (value := getattr(table, key)) is not None:
                self.attempt(where, lambda key=key, value=value: check_name(value, key))  # type: ignore[misc]
        if table.other_reading is not None and not ID.fullmatch(table.other_reading):
            self.problem(where, f"other_reading {quoted(table.other_reading)} is no id; write that of another paytable")
        decks = self.attempt((*where, "decks"), lambda: _deck_counts(table.decks))
        if table.settings:
            deal = self.attempt((*where, "settings"), lambda: with_settings(bet.deal, table.settings))
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
            self.attempt((*where, "published"), lambda printed=printed: check_deck_count(printed.decks))  # type: ignore[misc]
        for figure in published:
            if not re.fullmatch(r"[0-9]{1,3}\.?[0-9]{0,12}%", figure.text):
                self.problem((*where, "published"), f"{figure.figure} {quoted(figure.text)} is not a percentage")
        paid = tuple(dict.fromkeys(one.pay.meter for one in awards if one is not None and one.pay.meter is not None))
        self.attempt((*where, "awards"), lambda: check_names(paid))
        systems = [self.meters(one, paid, where) for one in table.meters]
        running = [count for one in systems if one is not None for count in one.decks or decks or ()]
        for count in sorted({count for count in running if running.count(count) > 1}):
            self.problem((*where, "meters"), f"they are given twice for {count} decks; say decks = ... in each")
        if len(self.problems) > before or decks is None:
            return None
        parts = tuple(award for award in awards if award is not None)
        settled = self.attempt((*where, "awards"), lambda: sums(parts, bet)) if self.adds_up else parts
        if settled is None:
            return None
        self.duplicates([award.name for award in settled], "award name", where)
        return Paytable(
            id=table.id,
            bet=bet,
            title=table.title or f"{bet.name} {table.id}",
            decks=decks,
            awards=settled,
            parts=parts if self.adds_up else (),
            wheels=self.wheels_of(table),
            published=tuple(published),
            notes=tuple(table.notes),
            requires=table.requires,
            is_example=table.example,
            other_reading=table.other_reading,
            systems=tuple(system for system in systems if system is not None),
        )

    def wheels_of(self, table: PaytableFields) -> tuple[Wheel, ...]:
        """Give the wheels that awards of a paytable name."""
        named = {award.wheel for award in table.awards or ()}
        return tuple(one for name, one in self.wheels.items() if name in named and one is not None)

    def meters(self, fields: MetersFields, paid: tuple[str, ...], where: tuple[str, ...]) -> MeterSystem | None:
        from combinat.bets.load_meters import meter_system  # few files have meters

        return self.attempt((*where, "meters"), lambda: meter_system(fields, paid, _deck_counts))


def _deck_counts(decks: int | str | list[int]) -> tuple[int, ...]:
    if isinstance(decks, list):
        if not decks:
            raise InputError("the list is empty; name the deck counts, as in [6, 8]")
        return parse_deck_counts(",".join(map(str, decks)))
    return parse_deck_counts(str(decks))
