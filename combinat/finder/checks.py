"""Check a paytable for mistakes: awards that are never won, pays out of order, and published figures that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

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
from combinat.finder.spec import format_decks
from combinat.language.checks import impossible_comparisons
from combinat.language.poker import CATEGORIES_BY_SIZE, FLUSH, HAND_SIZES, STRAIGHT, STRAIGHT_FLUSH
from combinat.language.rules import And, Not, Predicate, Rule, walk
from combinat.meters.hold import compute_hold
from decks import InputError, Shoe

NOT_A_CHECK = "not a check: the rate and seeds were chosen to give it"


def published_label(published: Published) -> str:
    """Return the name of a published figure in words."""
    return published.figure.replace("_", " ")


def is_check(analysis: Analysis, published: Published) -> bool:
    """Return whether a published figure is evidence: not if the terms of the meters were chosen to give it."""
    system = analysis.paytable.system_for(analysis.shoe.decks)
    return not (published.figure == "hold" and system is not None and system.basis is not None)


def published_figure(analysis: Analysis, published: Published) -> Fraction | None:
    """Return our value of a published figure; `None` if it depends on the meters."""
    if published.figure == "hit_frequency":
        return analysis.hit_frequency
    if published.figure == "hold":
        return compute_hold(analysis)
    if not analysis.return_.is_constant or analysis.meters:
        return None
    return analysis.return_.constant if published.figure == "return" else analysis.house_edge.constant


def format_as_printed(value: Fraction, published: Published) -> str:
    """Format a value as the source does, with as many decimals.

    >>> format_as_printed(Fraction(-1, 300), Published("hold", "0.50%", 6))
    '−0.33%'
    """
    decimals = count_decimals(published)
    units = round_half_even(value * 100 * 10**decimals)
    digits = str(abs(units)).rjust(decimals + 1, "0")
    number_text = f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
    return f"{'−' if units < 0 else ''}{number_text}%"


def count_decimals(published: Published) -> int:
    """Return the number of printed decimals of a percentage."""
    return len(published.text.rstrip("%").partition(".")[2])


def matches_published(analysis: Analysis, published: Published) -> bool | None:
    """Return whether a published figure equals ours to every printed digit; `None` if it depends on meters."""
    ours = published_figure(analysis, published)
    if ours is None:
        return None
    scale: int = 10 ** count_decimals(published)
    return round_half_even(ours * 100 * scale) == Fraction(published.text.rstrip("%")) * scale


MAX_USUAL_EDGE = Fraction(50, 100)
"""The house edge above which `check_paytable` warns; no bet of the catalog is above it."""
COMMON_METERS = (DEFAULT_METER, "jackpot", "grand", "mega", "major", "minor", "mini")
CARDS_OF_A_HAND = 5
"""Number of cards of the largest poker hand."""


class Finding(Struct, frozen=True):
    """A result of a check: an error is certainly a mistake, a warning may be intended."""

    paytable: str
    is_error: bool
    text: str

    @property
    def level(self) -> str:
        """The level of the finding: `error` or `warning`."""
        return "error" if self.is_error else "warning"


class DeckFigures(Struct, frozen=True):
    """The figures of a paytable at one deck count, for a glance: those of the wager alone."""

    paytable: str
    decks: int
    house_edge: Fraction | None
    """`None` if it depends on a meter."""
    hit_frequency: Fraction
    has_option: bool = False
    """Whether the player may leave winnings on the next hand, which changes the edge."""


class CheckResult(Struct, frozen=True):
    """The findings of a check, figures at a glance, and the problems of files that cannot be read."""

    problems: tuple[str, ...]
    findings: tuple[Finding, ...]
    figures: tuple[DeckFigures, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether a bet is wrong, not only unusual."""
        return any(finding.is_error for finding in self.findings)


def deck_figures(paytable: Paytable) -> Iterator[DeckFigures]:
    """Yield the figures of a paytable at each deck count that it is designed for and that has enough cards.

    >>> [figures.house_edge for figures in deck_figures(find_in_catalog("TRI-03")) if figures.decks == 6]
    [Fraction(2127, 48205)]
    """
    for decks in _possible_decks(paytable):
        analysis = analyze_wager(paytable, Shoe(decks, paytable.bet.pack))
        edge = analysis.house_edge
        yield DeckFigures(
            paytable.id,
            decks,
            edge.constant if edge.is_constant else None,
            analysis.hit_frequency,
            paytable.bet.option is not None,
        )


def _possible_decks(paytable: Paytable) -> tuple[int, ...]:
    fewest_decks = paytable.tally.fewest_decks
    return () if fewest_decks is None else tuple(decks for decks in paytable.decks if decks >= fewest_decks)


def merge_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with the same text as one finding that names all paytables.

    >>> merge_findings([Finding("A-1", False, "unused"), Finding("A-2", False, "unused")])
    (Finding(paytable='A-1, A-2', is_error=False, text='unused'),)
    """
    ids_by_cause: dict[tuple[bool, str], list[str]] = {}
    for finding in findings:
        ids_by_cause.setdefault((finding.is_error, finding.text), []).append(finding.paytable)
    return tuple(
        Finding(", ".join(dict.fromkeys(ids)), is_error, text) for (is_error, text), ids in ids_by_cause.items()
    )


def check_paytable(paytable: Paytable) -> Iterator[Finding]:
    """Yield everything that a designer should know before publishing a paytable."""
    fewest_decks = paytable.tally.fewest_decks
    if fewest_decks is None:
        yield _error(paytable, str(NoHandError(paytable.bet.condition)))
        return
    possible_decks = _possible_decks(paytable)
    if impossible_decks := [decks for decks in paytable.decks if decks not in possible_decks]:
        largest = Shoe(max(impossible_decks), paytable.bet.pack)
        yield _error(paytable, str(NoHandError(paytable.bet.condition, largest, paytable.tally)))
    findings = [
        *_find_unwinnable(paytable, possible_decks),
        *_find_unused_parts(paytable),
        *_lower_pay_first(paytable),
        *_player_edge(paytable, possible_decks),
        *_find_misspelled_meters(paytable),
        *_never_holds(paytable),
        *_find_spelling_slips(paytable),
        *_hands_of_all_cards(paytable),
        *_check_published(paytable),
        *_other_interpretation(paytable),
    ]
    yield from findings
    if not any(finding.is_error for finding in findings):  # an error may be the reason for an unusual edge
        yield from _house_edge(paytable, possible_decks)


def _find_unwinnable(paytable: Paytable, possible_decks: tuple[int, ...]) -> Iterator[Finding]:
    tally = paytable.tally
    for award, matches, wins in zip(paytable.awards, tally.matches, tally.wins, strict=True):
        if tally.first_decks(matches) is None:
            why = "".join(f"; {reason}" for reason in _impossible(paytable, award))
            yield _error(paytable, f"{award.name}: no hand fits '{award.rule}' at any deck count{why}")
        elif (first_decks := tally.first_decks(wins)) is None:
            names = ", ".join(_overlapping_higher(paytable, award))
            yield _error(paytable, f"{award.name}: never won, every hand that fits it is paid by {names}")
        else:
            impossible = [decks for decks in possible_decks if decks < first_decks]
            if impossible:
                yield _warning(
                    paytable,
                    f"{award.name}: impossible with {format_decks(impossible)}; it needs at least {first_decks}",
                )


def _find_unused_parts(paytable: Paytable) -> Iterator[Finding]:
    """Find awards that add up with others but are part of no sum."""
    for index, award in enumerate(paytable.stated_awards):
        if not any(total.component_counts[index] for total in paytable.awards):
            why = "".join(f"; {reason}" for reason in _impossible(paytable, award))
            yield _error(paytable, f"{award.name}: no hand fits '{award.per or award.rule}' at any deck count{why}")


def _overlap(paytable: Paytable, first_award: Award, second_award: Award, excluded: Sequence[Award] = ()) -> bool:
    """Return whether some hand matches both awards and none of the `excluded` ones."""
    facts = (first_award.rule.fact, second_award.rule.fact, *(Not(award.rule.fact) for award in excluded))
    roles = frozenset().union(*(award.rule.roles for award in (first_award, second_award, *excluded)))
    rule = Rule("both", And(facts), roles)
    ladder = Ladder((rule,), paytable.bet.condition)
    joint = experiment(paytable.bet.deal, paytable.bet.pack, ladder, paytable.roles_distinct)
    return joint.reachable_rules()[0]


def _overlapping_higher(paytable: Paytable, award: Award) -> list[str]:
    """Return the names of the higher awards that are paid to hands of an award."""
    higher = paytable.awards[: paytable.awards.index(award)]
    return [
        candidate.name for index, candidate in enumerate(higher) if _overlap(paytable, candidate, award, higher[:index])
    ]


def _lower_pay_first(paytable: Paytable) -> Iterator[Finding]:
    """Warn of an award that takes hands of better paid awards below it, once for each award."""
    fixed = [award for award in paytable.awards if award.pay.meter is None]
    for index, upper in enumerate(fixed):
        better = [award for award in fixed[index + 1 :] if upper.pay.gross.constant < award.pay.gross.constant]
        if overlapping := [award for award in better if _overlap(paytable, upper, award)]:
            names = ", ".join(award.name for award in overlapping)
            pays = " or ".join(dict.fromkeys(str(award.pay) for award in overlapping))
            yield _warning(
                paytable,
                f"{upper.name} stands above {names} but pays less; hands that fit both get {upper.pay}, not {pays}",
            )


def _player_edge(paytable: Paytable, possible_decks: tuple[int, ...]) -> Iterator[Finding]:
    """Warn of a player edge, once for all deck counts."""
    analyses = (analyze_wager(paytable, Shoe(decks, paytable.bet.pack)) for decks in possible_decks)
    if favorable := [analysis.shoe.decks for analysis in analyses if analysis.favors_player]:
        yield _warning(paytable, f"favors the player with {format_decks(favorable)}")


def _house_edge(paytable: Paytable, possible_decks: tuple[int, ...]) -> Iterator[Finding]:
    """Warn of a house edge above `MAX_USUAL_EDGE`, once for all deck counts; not where it depends on a meter.

    Bets with an option are skipped: an option may return what the wager alone loses.
    """
    analyses = [analyze_wager(paytable, Shoe(decks, paytable.bet.pack)) for decks in possible_decks]
    edges = {
        analysis.shoe.decks: analysis.house_edge.constant for analysis in analyses if analysis.house_edge.is_constant
    }
    high_edges = {decks: edge for decks, edge in edges.items() if edge > MAX_USUAL_EDGE}
    if high_edges and paytable.bet.option is None:
        edge = format_decimal(Fraction(round_half_even(max(high_edges.values()) * 1000), 10))
        up_to = "up to " if len(high_edges) > 1 else ""
        limit = format_decimal(MAX_USUAL_EDGE * 100)
        yield _warning(
            paytable,
            f"the house edge is {up_to}{edge}% with {format_decks(high_edges)}, more than {limit}%; check pays and "
            "rules",
        )


def _find_misspelled_meters(paytable: Paytable) -> Iterator[Finding]:
    """Warn of a meter name that only one award has and that differs from another name by one letter.

    If the file declares its meters, the loader rejects other names.
    """
    if paytable.systems:
        return
    awards = [
        (award.pay.meter, award.name) for award in paytable.settlement.stated_awards if award.pay.meter is not None
    ]
    names = [meter for meter, _ in awards]
    reported: set[str] = set()
    for meter, award in reversed(awards):  # if both names occur once, report the later one
        candidates = [
            name for name in (*names, *COMMON_METERS) if name.lower() != meter.lower() and name not in reported
        ]
        similar_name = next((name for name in candidates if is_misspelling(meter.lower(), name.lower())), None)
        is_common = meter.lower() in COMMON_METERS
        if names.count(meter) == 1 and similar_name is not None and not is_common:
            reported.add(meter)
            yield _warning(
                paytable,
                f"{award}: no other award pays from the meter '{meter}'; did you mean '{similar_name}'? "
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
            for reason in _impossible(paytable, award):
                yield _warning(paytable, f"{award.name}: in '{award.rule}', {reason}")


def _find_spelling_slips(paytable: Paytable) -> Iterator[Finding]:
    """Find texts that may not mean what was intended."""
    for award in paytable.settlement.stated_awards:
        if award.pay.amount == 0 and any(character.isdigit() for character in award.stated_pay):
            yield _warning(
                paytable, f"{award.name}: '{award.stated_pay}' is the same as {award.pay}; write \"{award.pay}\""
            )
    for message in paytable.unused:
        yield _warning(paytable, message)


def _hands_of_all_cards(paytable: Paytable) -> Iterator[Finding]:
    """Warn of straights and flushes that ask for more cards than a poker hand has, once for each number of cards."""
    awards_by_size: dict[int, dict[str, Predicate]] = {}
    for award in paytable.settlement.stated_awards:
        for node in dict.fromkeys(walk(award.rule.fact)):
            if isinstance(node, Predicate) and _asks_for_too_many_cards(node):
                awards_by_size.setdefault(len(node.positions), {})[award.name] = node
    for card_count, nodes in awards_by_size.items():
        size = next(size_name for size_name, value in HAND_SIZES.items() if value == card_count)
        hand_name = next(iter(nodes.values())).word.name
        hand_names = ", ".join(f"'{name}'" for name in dict.fromkeys(node.word.name for node in nodes.values()))
        yield _warning(
            paytable,
            f"{', '.join(nodes)}: {hand_names} {'asks' if len(nodes) == 1 else 'ask'} for all {card_count} cards; for "
            f"five of them write 'best five.{hand_name}' or 'any five.{hand_name}', for all of them "
            f"'any {size}.{hand_name}'",
        )


def _asks_for_too_many_cards(node: Predicate) -> bool:
    if node.word.best_size or node.word.any_size or node.word.name not in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):
        return False
    return CARDS_OF_A_HAND < len(node.positions) <= max(CATEGORIES_BY_SIZE)


def _check_published(paytable: Paytable) -> Iterator[Finding]:
    for published in paytable.published:
        analysis = analyze_wager(paytable, Shoe(published.decks, paytable.bet.pack))
        if matches_published(analysis, published) is False:
            ours = published_figure(analysis, published)
            assert ours is not None  # it was compared
            yield _error(
                paytable,
                f"published {published_label(published)} {published.text} with {analysis.shoe}: "
                f"it is {format_as_printed(ours, published)}",
            )


def _other_interpretation(paytable: Paytable) -> Iterator[Finding]:
    """Find a reference to another reading that a sheet cannot compare with this one."""
    if paytable.other_interpretation is None:
        return
    try:
        other_paytable = find_in_catalog(paytable.other_interpretation)
    except InputError as error:
        yield _error(paytable, f"other_interpretation: {error}")
        return
    if len(other_paytable.awards) != len(paytable.awards) or other_paytable.bet.pack != paytable.bet.pack:
        yield _error(
            paytable, f"other_interpretation: {other_paytable.id} is no other reading: its awards or its pack differ"
        )


def _error(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, True, text)


def _warning(paytable: Paytable, text: str) -> Finding:
    return Finding(paytable.id, False, text)
