"""What can be wrong with a paytable that reads well: awards that are never won, orders that cheat the player."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from combinat.analysis.analysis import analyze
from combinat.bets.award import Award
from combinat.bets.lookup import in_catalog
from combinat.bets.paytable import Paytable
from combinat.design.published import agrees, as_printed, label, published_figure
from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import NoHandError
from combinat.language.impossible import impossible_comparisons
from combinat.language.poker import FLUSH, ORDER, SIZES, STRAIGHT, STRAIGHT_FLUSH
from combinat.language.tree import And, Predicate, Rule, parts
from decks import InputError, Shoe, format_deck_counts

CARDS_OF_A_HAND = 5
"""Cards of the largest hand that poker ranks."""


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
    yield from _never_added(paytable)
    yield from _lower_pay_first(paytable)
    yield from _player_edge(paytable, possible)
    yield from _never_holds(paytable)
    yield from _slips(paytable)
    yield from _hands_of_all_cards(paytable)
    yield from _published(paytable)
    yield from _other_reading(paytable)


def _never_won(paytable: Paytable, possible: tuple[int, ...]) -> Iterator[Finding]:
    tally = paytable.tally
    for award, matches, wins in zip(paytable.awards, tally.matches, tally.wins, strict=True):
        if tally.first_decks(matches) is None:
            why = "".join(f"; {reason}" for reason in _impossible(paytable, award))
            yield _error(paytable, f"{award.name}: no hand fits '{award.rule}' at any deck count{why}")
        elif (first := tally.first_decks(wins)) is None:
            above = ", ".join(_above(paytable, award))
            yield _error(paytable, f"{award.name}: never won, every hand that fits it is taken by {above}")
        else:
            impossible = [decks for decks in possible if decks < first]
            if impossible:
                counts = format_deck_counts(impossible)
                yield _warning(
                    paytable,
                    f"{award.name}: impossible with {counts} deck{'' if counts == '1' else 's'}; "
                    f"it needs at least {first}",
                )


def _never_added(paytable: Paytable) -> Iterator[Finding]:
    """Tell of awards that add up with others but come in no sum."""
    for place, award in enumerate(paytable.parts):
        if not any(one.made_of[place] for one in paytable.awards):
            why = "".join(f"; {reason}" for reason in _impossible(paytable, award))
            yield _error(paytable, f"{award.name}: no hand fits '{award.per or award.rule}' at any deck count{why}")


def _overlap(paytable: Paytable, one: Award, other: Award) -> bool:
    """Whether some hand fits both awards."""
    rule = Rule("both", And((one.rule.fact, other.rule.fact)), one.rule.roles | other.rule.roles)
    ladder = Ladder((rule,), paytable.bet.given)
    both = experiment(paytable.bet.deal, paytable.bet.pack, ladder, paytable.roles_distinct)
    return both.winnable()[0]


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


def _impossible(paytable: Paytable, award: Award) -> Iterator[str]:
    return impossible_comparisons(award.rule, paytable.bet.deal, paytable.bet.pack)


def _never_holds(paytable: Paytable) -> Iterator[Finding]:
    """Tell of comparisons that make no difference to an award that can be won all the same."""
    for award, matches in zip(paytable.awards, paytable.tally.matches, strict=True):
        if paytable.tally.first_decks(matches) is not None:
            for why in _impossible(paytable, award):
                yield _warning(paytable, f"{award.name}: in '{award.rule}', {why}")


def _slips(paytable: Paytable) -> Iterator[Finding]:
    """Tell of what is written otherwise than it is meant, perhaps."""
    for award in paytable.settlement.stated:
        if award.pay.amount == 0 and any(character.isdigit() for character in award.said):
            yield _warning(paytable, f"{award.name}: '{award.said}' is the same as {award.pay}; write \"{award.pay}\"")
    for what in paytable.unused:
        yield _warning(paytable, what)


def _hands_of_all_cards(paytable: Paytable) -> Iterator[Finding]:
    """Warn of a straight or flush that asks for more cards than a poker hand has."""
    for award in paytable.settlement.stated:
        for node in dict.fromkeys(parts(award.rule.fact)):
            if not isinstance(node, Predicate) or node.word.best or node.word.any_size:
                continue
            cards, hand = len(node.places), node.word.name
            if hand in (STRAIGHT, FLUSH, STRAIGHT_FLUSH) and CARDS_OF_A_HAND < cards <= max(ORDER):
                size = next(number for number, value in SIZES.items() if value == cards)
                yield _warning(
                    paytable,
                    f"{award.name}: '{hand}' in '{award.rule}' asks for all {cards} cards; for five of them write "
                    f"'best five.{hand}' or 'any five.{hand}', for all of them 'any {size}.{hand}'",
                )


def _published(paytable: Paytable) -> Iterator[Finding]:
    for printed in paytable.published:
        analysis = analyze(paytable, Shoe(printed.decks, paytable.bet.pack))
        if agrees(analysis, printed) is False:
            ours = published_figure(analysis, printed)
            assert ours is not None  # it was compared
            yield _error(
                paytable,
                f"published {label(printed)} {printed.text} with {analysis.shoe}: it is {as_printed(ours, printed)}",
            )


def _other_reading(paytable: Paytable) -> Iterator[Finding]:
    """Tell of another reading that a sheet could not show beside this one."""
    if paytable.other_reading is None:
        return
    try:
        other = in_catalog(paytable.other_reading)
    except InputError as error:
        yield _error(paytable, f"other_reading: {error}")
        return
    if len(other.awards) != len(paytable.awards) or other.bet.pack != paytable.bet.pack:
        yield _error(paytable, f"other_reading: {other.id} is no other reading: its awards or its pack differ")


def _error(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, True, text)


def _warning(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, False, text)
