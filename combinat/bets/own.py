"""A paytable as a file of one's own: taken out of the file that it stands in, with all that it needs and no more."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from combinat.bets.fields import AwardFields, BetFields, PaytableFields
from combinat.bets.identity import based_on_sources
from combinat.bets.load import ID, parse
from combinat.bets.paytable import Paytable
from combinat.bets.read_fields import read_fields
from combinat.bets.texts import MAX_NAME
from combinat.bets.write import bet_text
from decks import InputError
from decks.errors import quoted

_LONGEST_ID = 40
_USE = "Look it over with combinat check, and show it with combinat show, followed by the name of this file."


def fields_of(paytable: Paytable) -> BetFields:
    """Give the fields of a paytable's file, as far as they are about this paytable.

    What its source prints and another reading of its rules are about the paytable as it stands there, and stay behind.
    """
    fields = read_fields(paytable.bet.file, _refuse) if paytable.bet.file else None
    tables = [one for one in fields.paytable if one.id == paytable.id] if fields else []
    if fields is None or not tables:
        raise InputError(f"{quoted(paytable.id)} was read from no file, so that there is none to start from")
    table = replace(tables[0], published=[], other_reading=None, example=False)
    hands = {award.hand for award in table.awards or ()}
    wheels = {award.wheel for award in table.awards or ()}
    return replace(
        fields,
        paytable=[table],
        hands={name: rule for name, rule in fields.hands.items() if name in hands},
        wheels={name: stops for name, stops in fields.wheels.items() if name in wheels},
    )


def fits_as_id(id: str) -> bool:
    """Whether a text can be a paytable's id."""
    return ID.fullmatch(id) is not None


def _refuse(what: str) -> None:
    raise InputError(what)


def own_text(paytable: Paytable, id: str = "") -> str:
    """Write a paytable as a file of one's own, under an id and a title of its own.

    >>> from combinat.bets.lookup import find
    >>> [line for line in own_text(find("TRI-02")).splitlines() if line.startswith(("bet", "id", "decks"))]
    ['bet = "TriLux Bonus"', 'id = "MY-TRI-02"', 'decks = 2']
    """
    fields = fields_of(paytable)
    (table,) = fields.paytable
    called = id or f"MY-{paytable.id}"[:_LONGEST_ID]
    table = replace(table, id=called, title=f"My {paytable.title}"[:MAX_NAME])
    return written(replace(fields, paytable=[table]), paytable)


def written(fields: BetFields, made_from: Paytable) -> str:
    """Write the file of a bet that was made from another, and say so in it."""
    stated = [fields.source] if isinstance(fields.source, str) else fields.source
    sources = list(based_on_sources(made_from.id, stated))
    opening = (f"A bet of one's own, made from {made_from.id}, {made_from.title}.", _USE)
    return bet_text(replace(fields, source=sources), opening)


def own_awards_listed(table: PaytableFields, paytable: Paytable) -> Sequence[AwardFields]:
    """Give the awards of a paytable as a file lists them, also where they are those of the game itself."""
    if table.awards is not None:
        return table.awards
    return [AwardFields(name=one.name, when=str(one.rule), pays=one.said) for one in paytable.awards]


def read_own(text: str, name: str) -> Paytable:
    """Read the one paytable of a file that was written here, or say what is wrong with it first."""
    paytables, problems = parse(text, name)
    if problems:
        raise InputError(problems[0])
    return paytables[0]
