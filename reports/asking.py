"""From what was typed on the command line to analyses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from combinat.amounts import number_in
from combinat.analysis import Analysis, analyze
from combinat.finding import resolve
from combinat.paytable import DEFAULT_METER, Paytable
from combinat.tally import NoHandError
from decks import InputError, Shoe, parse_cards, parse_deck_counts, suggestion
from decks.errors import quoted

if TYPE_CHECKING:
    from combinat.blackjack_rules import BlackjackRules

MAX_DIGITS = 1000
FORMATS = ("table", "markdown", "csv", "json", "latex")


def parse_format(text: str) -> str:
    """Check the name of an output format."""
    name = text.strip().lower()
    if name not in FORMATS:
        raise InputError(
            f"no format {quoted(text)}{suggestion(name, FORMATS) or '; formats are ' + ', '.join(FORMATS)}"
        )
    return name


def parse_digits(digits: int) -> int:
    """Check the number of decimals asked for."""
    if not 0 <= digits <= MAX_DIGITS:
        raise InputError(f"cannot print {digits} decimals; give 0 to {MAX_DIGITS}")
    return digits


def parse_meters(texts: Sequence[str], paytables: Sequence[Paytable]) -> dict[str, Fraction]:
    """Read meter values such as `25000` or `Mega=50000`, the first form where there is but one meter.

    >>> from combinat.finding import find
    >>> parse_meters(["25,000"], [find("BLZ-1-UP")])
    {'meter': Fraction(25000, 1)}
    """
    names = list(dict.fromkeys(name for paytable in paytables for name in paytable.meters))
    ids = ", ".join(dict.fromkeys(paytable.id for paytable in paytables))
    meters: dict[str, Fraction] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        if not names:
            raise InputError(f"--meter {quoted(text)}: {ids} pays from no meter")
        if not equals:
            if len(names) > 1:
                raise InputError(f"--meter {quoted(text)}: say which meter, as in {names[0]}={text}")
            name = names[0]
        known = {one.lower(): one for one in names}
        if name.strip().lower() not in known:
            hint = suggestion(name, names) or f"; its meters are {', '.join(names)}"
            raise InputError(f"--meter {quoted(text)}: {ids} has no meter {quoted(name)}{hint}")
        value = number_in(number.strip().lstrip("$"))
        if value is None:
            raise InputError(
                f"--meter {quoted(text)}: no amount {quoted(number)}; write a number, as in {DEFAULT_METER}=25000"
            )
        meters[known[name.strip().lower()]] = value
    return meters


def analyses_for(
    arguments: Sequence[str],
    decks: str | None,
    removed: str,
    meters: Sequence[str],
    any_decks: bool,
    warn: Callable[[str], None],
    up: str | None = None,
    draw: str | None = None,
    rules: BlackjackRules | None = None,
    strategy: str = "best",
) -> list[Analysis]:
    """Analyze every paytable that the arguments name at every deck count asked for.

    Deck counts that a paytable is not designed for, or at which no hand fits its condition, are left out with a
    warning; if none is left, that is an error.
    """
    paytables = [paytable for argument in arguments for paytable in resolve(argument)]
    if draw is not None:
        from combinat.up_cards import with_soft_17

        paytables = [one if one.bet.option else with_soft_17(one, draw) for one in paytables]
    if rules is not None and not any(paytable.bet.option for paytable in paytables):
        ids = ", ".join(paytable.id for paytable in paytables)
        raise InputError(f"the rules of blackjack do not matter to {ids}: its winnings cannot ride on the hand")
    counts = parse_deck_counts(decks) if decks is not None else None
    cards = parse_cards(removed)
    values = parse_meters(meters, paytables)
    if up is not None:
        from combinat.up_cards import given_up

        paytables = [given_up(paytable, up) for paytable in paytables]
    if rules is None and draw is not None and any(paytable.bet.option for paytable in paytables):
        from combinat.blackjack_rules import BlackjackRules

        rules = BlackjackRules(hits_soft_17=draw == "h17")
    analyses: list[Analysis] = []
    refused: list[str] = []
    for paytable in paytables:
        wanted = counts or paytable.decks
        outside = [] if any_decks else [count for count in wanted if not paytable.is_designed_for(count)]
        if outside:
            refused.append(
                f"{paytable.id} is designed for {paytable.decks_text}, not {', '.join(map(str, outside))}; "
                "--any-decks shows it all the same"
            )
        own = {name: value for name, value in values.items() if name in paytable.meters}
        impossible: list[str] = []
        for count in wanted:
            if count not in outside:
                try:
                    analyses.append(analyze(paytable, Shoe(count, paytable.bet.pack, cards), own, rules, strategy))
                except NoHandError as error:
                    impossible.append(str(error))
        refused += dict.fromkeys(impossible)  # what holds at any deck count is said once
    if not analyses:
        raise InputError("; ".join(refused))
    for message in refused:
        warn(message)
    return analyses
