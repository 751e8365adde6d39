"""Check a paytable for mistakes: awards that are never won, pays out of order, and published figures that differ."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.award import Award
from combinat.bets.catalog import find_in_catalog
from combinat.bets.pay import DEFAULT_METER
from combinat.bets.paytable import Paytable, Published
from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.tally import NoHandError
from combinat.exact.numbers import format_decimal, round_half_even
from combinat.language.checks import impossible_comparisons
from combinat.language.poker import FLUSH, ORDER, SIZES, STRAIGHT, STRAIGHT_FLUSH
from combinat.language.rules import And, Predicate, Rule, walk
from combinat.meters.hold import compute_hold
from decks import InputError, Shoe, format_deck_counts

NOT_A_CHECK = "not a check: the rate and seeds were chosen to give it"


def figure_label(printed: Published) -> str:
    """Return the name of a published figure in words."""
    return printed.figure.replace("_", " ")


def is_check(analysis: Analysis, printed: Published) -> bool:
    """Return whether a published figure is evidence: not if the terms of the meters were chosen to give it."""
    system = analysis.paytable.system_for(analysis.shoe.decks)
    return not (printed.figure == "hold" and system is not None and system.basis is not None)


def published_figure(analysis: Analysis, printed: Published) -> Fraction | None:
    """Return our value of a published figure; `None` if it depends on the meters."""
    if printed.figure == "hit_frequency":
        return analysis.hit_frequency
    if printed.figure == "hold":
        return compute_hold(analysis)
    if not analysis.return_.is_constant or analysis.meters:
        return None
    return analysis.return_.constant if printed.figure == "return" else analysis.house_edge.constant


def format_as_printed(value: Fraction, printed: Published) -> str:
    """Format a value as the source does, with as many decimals.

    >>> format_as_printed(Fraction(-1, 300), Published("hold", "0.50%", 6))
    '−0.33%'
    """
    last = count_decimals(printed)
    units = round_half_even(value * 100 * 10**last)
    digits = str(abs(units)).rjust(last + 1, "0")
    number = f"{digits[:-last]}.{digits[-last:]}" if last else digits
    return f"{'−' if units < 0 else ''}{number}%"


def count_decimals(printed: Published) -> int:
    """Return the number of printed decimals of a percentage."""
    return len(printed.text.rstrip("%").partition(".")[2])


def matches_published(analysis: Analysis, printed: Published) -> bool | None:
    """Return whether a published figure equals ours to every printed digit; `None` if it depends on meters."""
    ours = published_figure(analysis, printed)
    if ours is None:
        return None
    last: int = 10 ** count_decimals(printed)
    return round_half_even(ours * 100 * last) == Fraction(printed.text.rstrip("%")) * last


MAX_USUAL_EDGE = Fraction(50, 100)
"""The house edge above which `check_paytable` warns; no bet of the catalog is above it."""
COMMON_METERS = (DEFAULT_METER, "jackpot", "grand", "mega", "major", "minor", "mini")
CARDS_OF_A_HAND = 5
"""Number of cards of the largest poker hand."""


class Finding(Struct, frozen=True):
    """A result of a check; an error makes no sense, a warning may be intended."""

    paytable: str
    is_error: bool
    text: str


def check_paytable(paytable: Paytable) -> Iterator[Finding]:
    """Yield everything that a designer should know before publishing a paytable."""
    fewest = paytable.tally.fewest_decks
    if fewest is None:
        yield _error(paytable, str(NoHandError(paytable.bet.given)))
        return
    possible = tuple(decks for decks in paytable.decks if decks >= fewest)
    for decks in paytable.decks:
        if decks not in possible:
            yield _error(paytable, str(NoHandError(paytable.bet.given, Shoe(decks, paytable.bet.pack), paytable.tally)))
    findings = [
        *_find_unwinnable(paytable, possible),
        *_find_unused_parts(paytable),
        *_lower_pay_first(paytable),
        *_player_edge(paytable, possible),
        *_misspelt_meters(paytable),
        *_never_holds(paytable),
        *_find_spelling_slips(paytable),
        *_hands_of_all_cards(paytable),
        *_check_published(paytable),
        *_other_reading(paytable),
    ]
    yield from findings
    if not any(finding.is_error for finding in findings):  # an error may be all that is wrong with the edge
        yield from _house_edge(paytable, possible)


def _find_unwinnable(paytable: Paytable, possible: tuple[int, ...]) -> Iterator[Finding]:
    tally = paytable.tally
    for award, matches, wins in zip(paytable.awards, tally.matches, tally.wins, strict=True):
        if tally.first_decks(matches) is None:
            why = "".join(f"; {reason}" for reason in _impossible(paytable, award))
            yield _error(paytable, f"{award.name}: no hand fits '{award.rule}' at any deck count{why}")
        elif (first := tally.first_decks(wins)) is None:
            names = ", ".join(_overlapping_higher(paytable, award))
            yield _error(paytable, f"{award.name}: never won, every hand that fits it is taken by {names}")
        else:
            impossible = [decks for decks in possible if decks < first]
            if impossible:
                counts = format_deck_counts(impossible)
                yield _warning(
                    paytable,
                    f"{award.name}: impossible with {counts} deck{'' if counts == '1' else 's'}; "
                    f"it needs at least {first}",
                )


def _find_unused_parts(paytable: Paytable) -> Iterator[Finding]:
    """Find awards that add up with others but are part of no sum."""
    for index, award in enumerate(paytable.parts):
        if not any(total.component_counts[index] for total in paytable.awards):
            why = "".join(f"; {reason}" for reason in _impossible(paytable, award))
            yield _error(paytable, f"{award.name}: no hand fits '{award.per or award.rule}' at any deck count{why}")


def _overlap(paytable: Paytable, first: Award, second: Award) -> bool:
    """Return whether some hand matches both awards."""
    rule = Rule("both", And((first.rule.fact, second.rule.fact)), first.rule.roles | second.rule.roles)
    ladder = Ladder((rule,), paytable.bet.given)
    joint = experiment(paytable.bet.deal, paytable.bet.pack, ladder, paytable.roles_distinct)
    return joint.reachable_rules()[0]


def _overlapping_higher(paytable: Paytable, award: Award) -> list[str]:
    """Return the names of the higher awards that take hands of an award."""
    higher = paytable.awards[: paytable.awards.index(award)]
    return [candidate.name for candidate in higher if _overlap(paytable, candidate, award)]


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
    """Warn of a player edge, once for all deck counts."""
    analyses = (analyze_wager(paytable, Shoe(decks, paytable.bet.pack)) for decks in possible)
    if favorable := [analysis.shoe.decks for analysis in analyses if analysis.favors_player]:
        yield _warning(paytable, f"favors the player with {_decks(favorable)}")


def _house_edge(paytable: Paytable, possible: tuple[int, ...]) -> Iterator[Finding]:
    """Warn of a house edge above `MAX_USUAL_EDGE`, once for all deck counts; not where it depends on a meter.

    Bets with an option are skipped: an option may return what the wager alone loses.
    """
    analyses = [analyze_wager(paytable, Shoe(decks, paytable.bet.pack)) for decks in possible]
    edges = {
        analysis.shoe.decks: analysis.house_edge.constant for analysis in analyses if analysis.house_edge.is_constant
    }
    high = {decks: edge for decks, edge in edges.items() if edge > MAX_USUAL_EDGE}
    if high and paytable.bet.option is None:
        edge = format_decimal(Fraction(round_half_even(max(high.values()) * 1000), 10))
        up_to = "up to " if len(high) > 1 else ""
        limit = format_decimal(MAX_USUAL_EDGE * 100)
        yield _warning(
            paytable,
            f"the house edge is {up_to}{edge}% with {_decks(list(high))}, more than {limit}%; check pays and rules",
        )


def _decks(counts: list[int]) -> str:
    text = format_deck_counts(counts)
    return f"{text} deck{'' if text == '1' else 's'}"


def _misspelt_meters(paytable: Paytable) -> Iterator[Finding]:
    """Warn of a meter that one award names and whose name is a slip away from another's.

    Where the file says how its meters are run, a name that is not among them is refused when the file is read.
    """
    if paytable.systems:
        return
    awards = [(award.pay.meter, award.name) for award in paytable.settlement.stated if award.pay.meter is not None]
    names = [meter for meter, _ in awards]
    accused: set[str] = set()
    for meter, award in reversed(awards):  # of two that are named once, the later one
        candidates = [
            name for name in (*names, *COMMON_METERS) if name.lower() != meter.lower() and name not in accused
        ]
        close = next((name for name in candidates if is_misspelling(meter.lower(), name.lower())), None)
        is_common = meter.lower() in COMMON_METERS
        if names.count(meter) == 1 and close is not None and not is_common:
            accused.add(meter)
            yield _warning(
                paytable,
                f"{award}: no other award pays from the meter '{meter}'; did you mean '{close}'? "
                "If not, declare the meters under [[paytable.meters]]",
            )


def is_misspelling(word: str, correct: str) -> bool:
    """Return whether two words of four letters or more differ by one letter added, lost, changed or swapped.

    Words that differ in a digit only are names such as level1 and level2.

    >>> pairs = ("metre", "meter"), ("mega", "mgea"), ("minor", "mini"), ("level1", "level2")
    >>> tuple(is_misspelling(*pair) for pair in pairs)
    (True, True, False, False)
    """
    if min(len(word), len(correct)) < 4 or word == correct:
        return False
    start = next(
        (index for index, (a, b) in enumerate(zip(word, correct, strict=False)) if a != b), min(len(word), len(correct))
    )
    tail, correct_tail = word[start:], correct[start:]
    if (tail[:1] + correct_tail[:1]).isdigit():
        return False
    swapped = tail[1:2] + tail[:1] + tail[2:]
    return (
        tail[1:] == correct_tail[1:] or tail[1:] == correct_tail or tail == correct_tail[1:] or swapped == correct_tail
    )


def _impossible(paytable: Paytable, award: Award) -> Iterator[str]:
    return impossible_comparisons(award.rule, paytable.bet.deal, paytable.bet.pack)


def _never_holds(paytable: Paytable) -> Iterator[Finding]:
    """Find comparisons that make no difference to an award that can be won."""
    for award, matches in zip(paytable.awards, paytable.tally.matches, strict=True):
        if paytable.tally.first_decks(matches) is not None:
            for why in _impossible(paytable, award):
                yield _warning(paytable, f"{award.name}: in '{award.rule}', {why}")


def _find_spelling_slips(paytable: Paytable) -> Iterator[Finding]:
    """Find texts that may not mean what was intended."""
    for award in paytable.settlement.stated:
        if award.pay.amount == 0 and any(character.isdigit() for character in award.said):
            yield _warning(paytable, f"{award.name}: '{award.said}' is the same as {award.pay}; write \"{award.pay}\"")
    for message in paytable.unused:
        yield _warning(paytable, message)


def _hands_of_all_cards(paytable: Paytable) -> Iterator[Finding]:
    """Warn of a straight or flush that asks for more cards than a poker hand has."""
    for award in paytable.settlement.stated:
        for node in dict.fromkeys(walk(award.rule.fact)):
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


def _check_published(paytable: Paytable) -> Iterator[Finding]:
    for printed in paytable.published:
        analysis = analyze_wager(paytable, Shoe(printed.decks, paytable.bet.pack))
        if matches_published(analysis, printed) is False:
            ours = published_figure(analysis, printed)
            assert ours is not None  # it was compared
            yield _error(
                paytable,
                f"published {figure_label(printed)} {printed.text} with {analysis.shoe}: "
                f"it is {format_as_printed(ours, printed)}",
            )


def _other_reading(paytable: Paytable) -> Iterator[Finding]:
    """Find references to another reading that a sheet cannot show beside this one."""
    if paytable.other_reading is None:
        return
    try:
        reading = find_in_catalog(paytable.other_reading)
    except InputError as error:
        yield _error(paytable, f"other_reading: {error}")
        return
    if len(reading.awards) != len(paytable.awards) or reading.bet.pack != paytable.bet.pack:
        yield _error(paytable, f"other_reading: {reading.id} is no other reading: its awards or its pack differ")


def _error(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, True, text)


def _warning(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, False, text)
