"""The tables and keys of a bet's file, read and of the right kinds, before anybody asks what they mean."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from combinat.bets.fields import BetFields
from combinat.bets.texts import cleaned
from decks import InputError


def read_fields(text: str, note: Callable[[str], None]) -> BetFields | None:
    """Read the tables of a file, every text in them as one line of characters that can be seen.

    What cannot be seen is noted, each by itself, and nothing is given then; anything else that is wrong is raised.
    """
    from combinat.bets.toml_text import parse_toml

    table = parse_toml(text)
    unseen = list(cleaned(table))
    for path, what in unseen:
        from combinat.bets.complaints import plain  # nothing is wrong with most files

        note(plain(f"{what} - at `{path}`", table))
    if unseen:
        return None
    try:
        return msgspec.convert(table, BetFields)
    except msgspec.ValidationError as error:
        from combinat.bets.complaints import plain

        raise InputError(plain(str(error), table)) from None
