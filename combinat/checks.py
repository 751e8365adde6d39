"""What can be wrong with a paytable that reads well: awards that are never won, orders that cheat the player."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from combinat.analysis import analyze
from combinat.experiment import experiment
from combinat.ladder import Ladder
from combinat.paytable import Award, Paytable
from combinat.rules import And, Rule
from combinat.tally import NoHandError
from decks import Shoe, format_deck_counts


class Finding(Struct, frozen=True):
    """One thing that a check found; an error makes no sense, a warning may be meant."""

    paytable: str
    is_error: bool
    text: str


def check(paytable: Paytable) -> Iterator[Finding]:
    """Look for everything that a designer would want to know before showing a paytable to anybody."""
    fewest = paytable.tally.fewest_decks
    if fewest is None:
        yield _error(paytable, str(NoHandError(paytable.bet.given)))
        return
    possible = tuple(decks for decks in paytable.decks if decks >= fewest)
    for decks in paytable.decks:
        if decks not in possible:
            yield _error(paytable, str(NoHandError(paytable.bet.given, Shoe(decks, paytable.bet.pack), paytable.tally)))
    yield from _never_won(paytable, possible)
    yield from _lower_pay_first(paytable)
    yield from _player_edge(paytable, possible)


def _never_won(paytable: Paytable, possible: tuple[int, ...]) -> Iterator[Finding]:
    tally = paytable.tally
    for award, fits, takes in zip(paytable.awards, tally.fits, tally.takes, strict=True):
        if not any(fits.values()):
            yield _error(paytable, f"{award.name}: no hand fits '{award.rule}' at any deck count")
        elif not any(takes.values()):
            above = ", ".join(_above(paytable, award))
            yield _error(paytable, f"{award.name}: never won, every hand that fits it is taken by {above}")
        else:
            first = tally.first_decks(takes)
            assert first is not None  # something takes it
            impossible = [decks for decks in possible if decks < first]
            if impossible:
                counts = format_deck_counts(impossible)
                yield _warning(
                    paytable,
                    f"{award.name}: impossible with {counts} deck{'' if counts == '1' else 's'}; "
                    f"it needs at least {first}",
                )


def _overlap(paytable: Paytable, one: Award, other: Award) -> bool:
    """Whether some hand fits both awards."""
    rule = Rule("both", And((one.rule.fact, other.rule.fact)), one.rule.roles | other.rule.roles)
    both = experiment(paytable.bet.deal, paytable.bet.pack, Ladder((rule,), paytable.bet.given), paytable.apart)
    return any(both.tally().fits[0].values())


def _above(paytable: Paytable, award: Award) -> list[str]:
    """Name the awards above one that take hands of it."""
    higher = paytable.awards[: paytable.awards.index(award)]
    return [one.name for one in higher if _overlap(paytable, one, award)]


def _lower_pay_first(paytable: Paytable) -> Iterator[Finding]:
    for higher, lower in combinations(paytable.awards, 2):
        if higher.pay.meter is not None or lower.pay.meter is not None:
            continue
        if higher.pay.gross.constant < lower.pay.gross.constant and _overlap(paytable, higher, lower):
            yield _warning(
                paytable,
                f"{higher.name} stands above {lower.name} but pays less; hands that fit both get {higher.pay}, "
                f"not {lower.pay}",
            )


def _player_edge(paytable: Paytable, possible: tuple[int, ...]) -> Iterator[Finding]:
    for decks in possible:
        if analyze(paytable, Shoe(decks, paytable.bet.pack)).favors_player:
            yield _warning(paytable, f"favors the player with {decks} deck{'s' if decks > 1 else ''}")


def _error(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, True, text)


def _warning(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, False, text)
