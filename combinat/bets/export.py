"""Writing of bet files: the fields of a bet as commented TOML, templates for new bets, and extracts of paytables.

A file written here parses back to the same fields. Keys at their defaults are omitted, and each key has a comment that
explains it to a designer. An extract holds one paytable and only the hands and wheels that it uses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from combinat.bets.award import Award
from combinat.bets.identity import based_on_sources, find_differences
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import (
    ID_PATTERN,
    MAX_ID,
    MAX_NAME,
    AwardFields,
    BetFields,
    Fields,
    MetersFields,
    PackFields,
    PaytableFields,
    read_fields,
)
from combinat.enumeration.experiment import parse_deal
from combinat.language.deal import Deal
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from decks import InputError
from decks.errors import quote

_REPETITIONS = {1: "", 2: " twice"}


def describe_award(award: Award, paytable: Paytable) -> str:
    """Return an English description of the hands of an award; for a sum of awards, its components and their counts.

    >>> from combinat.bets.catalog import get_paytable
    >>> paytable = get_paytable("TRI-03")
    >>> describe_award(paytable.awards[-1], paytable)
    'a flush'
    """
    if not award.component_counts:
        return describe_rule(award.rule, paytable.bet.deal)
    phrases = [
        f"{component.name}{_REPETITIONS.get(count, f' {count} times')}"
        for component, count in zip(paytable.stated_awards, award.component_counts, strict=True)
        if count
    ]
    return f"{' and '.join(phrases)}, and no other award"


_KEY_COMMENTS = {
    "game": "The table game at which the bet is offered.",
    "deal": "The roles with their numbers of cards; rules refer to these roles.",
    "pack": "The pack: standard, spanish, or a custom pack.",
    "ordered_by_role": "Whether it matters who holds which cards; by default the rules decide.",
    "given": "The condition under which the bet exists.",
    "settings": "Rules of the game that the table chooses.",
    "option": "What the player may do with winnings: parlay or press.",
    "made": "When the wager is made and when it is settled, for the sheet.",
    "source": "The sources of the rules and the paytable.",
    "notes": "Notes for readers, such as how an unclear rule is read; a paytable can have notes too.",
    "eligible_hands": "Which hands may make the wager: any, or those in play (neither busted nor a blackjack).",
    "rules_of_play": "Rules of play, as numbered on the sheet.",
    "assumptions": "What no source states: its origin, and its effect on the edge or the alternative to compute it.",
    "settlement": "first match: only the highest award that a hand matches is paid; all matches: pays are added.",
    "title": "The title of the paytable.",
    "decks": 'Deck counts that the paytable is designed for: 6, [6, 8] or "2, 4-8".',
    "requires": "Another wager that must be made too.",
    "wager": "The fixed wager, in money; seeds and caps are for this wager.",
}
_MAX_COMMENT = 100
_LEADING_KEYS = (
    "bet",
    "game",
    "deal",
    "pack",
    "ordered_by_role",
    "given",
    "settings",
    "option",
    "made",
    "settled",
    "source",
)
_TRAILING_KEYS = ("maker", "eligible_hands", "requirements", "rules_of_play", "assumptions", "notes", "settlement")
_FIRST_MATCH_COMMENT = "Awards, highest first: the first award that a hand matches is paid; hands that match none lose."
_ALL_MATCHES_COMMENT = "Awards: every award that a hand matches is paid; hands that match none lose."
_PAYS_COMMENT = (
    'Pays: "9 to 1" (plus the wager), "even money", "9 for 1" (including the wager), "push", "100% of meter".'
)
_GAME_AWARDS_COMMENT = "The game defines the awards; write awards = [...] here for other pays."


def format_bet(fields: BetFields, opening: Sequence[str] = ()) -> str:
    """Return the text of a bet file with these fields; keys at their defaults are omitted."""
    deal = parse_deal(fields.deal)
    lines = [*(f"# {line}" for line in opening), *([""] if opening else [])]
    for key in (*_LEADING_KEYS, *_TRAILING_KEYS):
        lines += _format_key(fields, key)
    if fields.hands:
        lines += ["", "# Each hand has a name and the rule that its cards must match.", "[hands]"]
        lines += [
            f"{_format_value(name)} = {_format_value(rule)}{_english_comment(rule, deal)}"
            for name, rule in fields.hands.items()
        ]
    if fields.wheels:
        lines += ["", "# Wheels that multiply pays: multipliers with their weights, or dice.", "[wheels]"]
        lines += [f"{_format_value(name)} = {_format_value(stops)}" for name, stops in fields.wheels.items()]
    for table in fields.paytable:
        lines += [
            "",
            "[[paytable]]",
            *_format_paytable(table, deal, pays_all_matches=fields.settlement == "all matches"),
        ]
    return "\n".join(lines) + "\n"


def _format_paytable(table: PaytableFields, deal: Deal, *, pays_all_matches: bool) -> Iterator[str]:
    for key in (
        "id",
        "title",
        "decks",
        "settings",
        "requires",
        "example",
        "clause",
        "decks_clause",
        "published",
        "other_interpretation",
        "assumptions",
        "notes",
    ):
        yield from (line for line in _format_key(table, key) if not line.startswith(f"# {_KEY_COMMENTS['notes']}"))
    if table.awards is None:
        yield f"# {_GAME_AWARDS_COMMENT}"
    else:
        yield f"# {_ALL_MATCHES_COMMENT if pays_all_matches else _FIRST_MATCH_COMMENT}"
        yield f"# {_PAYS_COMMENT}"
        yield "awards = ["
        yield from (f"  {_format_value(_award_values(award))},{_rule_comment(award, deal)}" for award in table.awards)
        yield "]"
    for system in table.meters:
        yield from _format_meters(system)


def _award_values(award: AwardFields) -> dict[str, Any]:
    """Return the non-default keys of an award in reading order: the hands first, then the pay."""
    values = _non_default_values(award)
    return {key: values[key] for key in ("hand", "name", "when", "per", "pays", "wheel") if key in values}


def _format_meters(system: MetersFields) -> Iterator[str]:
    yield ""
    yield "# The terms of the meters: seeds and contribution rates."
    yield "[[paytable.meters]]"
    for key in ("decks", "wager", "kind", "all_pays_deducted", "basis"):
        yield from _format_key(system, key)
    yield "levels = ["
    yield from (f"  {_format_value(_non_default_values(level))}," for level in system.levels)
    yield "]"


def _format_key(table: Fields, key: str) -> Iterator[str]:
    """Yield the lines of one key of a table, with its comment; no lines if it has its default value."""
    values = _non_default_values(table)
    if key in values:
        if key in _KEY_COMMENTS:
            yield f"# {_KEY_COMMENTS[key]}"
        value = values[key]
        if isinstance(value, list) and value and not isinstance(value[0], int):
            yield f"{key} = ["
            yield from (f"  {_format_value(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {_format_value(value)}"


def _non_default_values(table: Fields) -> dict[str, Any]:
    """Return the keys of a table that do not have their default values."""
    values = {}
    for field in _struct_fields(type(table)):
        value = getattr(table, field.name)
        default = (
            field.default_factory() if field.default is msgspec.NODEFAULT and not field.required else field.default
        )
        if value is not None and (field.required or value != default):
            values[field.encode_name] = value
    return values


@lru_cache(maxsize=16)
def _struct_fields(kind: type[Fields]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a table type; cached because the inspection is slow."""
    return msgspec.structs.fields(kind)


def _format_value(value: object) -> str:
    """Format a value as TOML; for printable text, TOML and JSON strings are the same."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            return (
                f"{{ {', '.join(f'{_format_toml_key(key)} = {_format_value(item)}' for key, item in value.items())} }}"
            )
        case PackFields() | AwardFields() | Fields():
            return _format_value(_non_default_values(value))
        case list():
            return f"[{', '.join(map(_format_value, value))}]"
        case _:
            return str(value)


def _format_toml_key(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else _format_value(key)


def _rule_comment(award: AwardFields, deal: Deal) -> str:
    return _english_comment(award.when, deal) if award.when is not None else ""


def _english_comment(rule: str, deal: Deal) -> str:
    """Return an English comment for a rule; empty if it is long or the same as the rule."""
    description = describe_rule(parse_rule(rule, deal), deal)
    is_plain = description.lower().removeprefix("a ") == rule.lower()
    return "" if is_plain or len(description) > _MAX_COMMENT else f"  # {description}"


DEFAULT_DEAL = "player:2, up:1"
_TEMPLATE_COMMENT = (
    "A new bet: change its names, rules and pays, and check it with combinat check FILE.toml.",
    "combinat show FILE.toml shows its figures; combinat words lists the words that rules can use.",
)


def build_template(deal: str = DEFAULT_DEAL, id: str = "") -> str:
    """Return the text of a new bet file for `deal`, with a few awards to start from.

    >>> [line for line in build_template("baccarat").splitlines() if "by 9" in line][1]
    '  { hand = "Player wins by 9", pays = "25 to 1" },'
    """
    parsed_deal = parse_deal(deal)
    template_awards = parsed_deal.template_awards
    uses_game_awards = template_awards == parsed_deal.awards  # the game's own awards are implied
    table = PaytableFields(
        id=id or "MINE-1",
        title="My bet, paytable 1",
        decks=parsed_deal.default_decks,
        awards=None if uses_game_awards else [AwardFields(hand=name, pays=pays) for name, _, pays in template_awards],
    )
    fields = BetFields(
        bet="My bet",
        deal=str(parsed_deal),
        hands={} if uses_game_awards else {name: rule for name, rule, _ in template_awards},
        paytable=[table],
    )
    return format_bet(fields, _TEMPLATE_COMMENT)


_USAGE_COMMENT = "Check this file with combinat check FILE.toml, and show its figures with combinat show FILE.toml."


def extract_fields(paytable: Paytable) -> BetFields:
    """Return the fields of a paytable's file, reduced to this paytable.

    Published figures, citations, rules of play and the other reading are the original's, so they are dropped.
    """
    fields = read_fields(paytable.bet.file, _raise_problem) if paytable.bet.file else None
    tables = [candidate for candidate in fields.paytable if candidate.id == paytable.id] if fields else []
    if fields is None or not tables:
        raise InputError(f"{quote(paytable.id)} was not loaded from a file, so there is no file to copy")
    table = replace(tables[0], published=[], other_interpretation=None, example=False, clause=None, decks_clause=None)
    hands = {award.hand for award in table.awards or ()}
    wheels = {award.wheel for award in table.awards or ()}
    return replace(
        fields,
        paytable=[table],
        rules_of_play=[],
        hands={name: rule for name, rule in fields.hands.items() if name in hands},
        wheels={name: stops for name, stops in fields.wheels.items() if name in wheels},
    )


def is_valid_id(id: str) -> bool:
    """Return whether a text is a valid paytable id."""
    return ID_PATTERN.fullmatch(id) is not None


def _raise_problem(message: str) -> None:
    raise InputError(message)


def export_toml(paytable: Paytable, id: str = "") -> str:
    """Return the text of a bet file with a copy of a paytable, under a new id and title.

    >>> from combinat.bets.catalog import get_paytable
    >>> [line for line in export_toml(get_paytable("TRI-02")).splitlines() if line.startswith(("bet", "id", "decks"))]
    ['bet = "TriLux Bonus"', 'id = "MY-TRI-02"', 'decks = 2']
    """
    fields = extract_fields(paytable)
    (table,) = fields.paytable
    new_id = id or f"MY-{paytable.id}"[:MAX_ID]
    table = replace(table, id=new_id, title=f"My {paytable.title}"[:MAX_NAME])
    return format_derived_bet(replace(fields, paytable=[table]), paytable)


def format_derived_bet(fields: BetFields, original: Paytable) -> str:
    """Return the text of a bet file that was derived from `original`; its opening comment and its sources cite it."""
    source_list = [fields.source] if isinstance(fields.source, str) else fields.source
    sources = list(based_on_sources(original.id, source_list))
    opening = (f"A new bet, made from {original.id}, {original.title}.", _USAGE_COMMENT)
    return format_bet(replace(fields, source=sources), opening)


def list_award_fields(table: PaytableFields, paytable: Paytable) -> Sequence[AwardFields]:
    """Return the awards of a paytable as fields of a file, also where they are the game's own and not listed."""
    if table.awards is not None:
        return table.awards
    return [AwardFields(name=award.name, when=str(award.rule), pays=award.stated_pay) for award in paytable.awards]


def parse_single_paytable(text: str, name: str) -> Paytable:
    """Parse a generated file with a single paytable; raise `InputError` with its first problem."""
    paytables, problems = parse_bet(text, name)
    if problems:
        raise InputError(problems[0])
    return paytables[0]


def find_changes(paytable: Paytable) -> tuple[str, ...]:
    """Return the topics in which a paytable differs from the file that it was loaded from, such as its pays.

    >>> from combinat.bets.catalog import get_paytable
    >>> find_changes(get_paytable("TRI-03"))
    ()
    """
    loaded, _ = parse_bet(paytable.bet.file, paytable.bet.origin)
    original = next((table for table in loaded if table.id == paytable.id), None)
    return ("everything",) if original is None else find_differences(paytable, original)
