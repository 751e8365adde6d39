"""Counts of one bet or of many: what was asked about them, and each worked out by whoever does the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.advantage.bound import Bound, exact_bound
from combinat.advantage.conventions import CONVENTIONS, Conventions, Round, convention
from combinat.advantage.counts import Count, count, count_suits
from combinat.advantage.in_view import told_apart
from combinat.advantage.played import Played, played
from combinat.advantage.sight import most_in_view
from combinat.advantage.tags import best_tags, betting_correlation, parse_tags
from combinat.advantage.uses import check_listed
from combinat.analysis.analysis import analyze
from combinat.bets.paytable import Paytable
from combinat.blackjack.rules import BlackjackRules
from combinat.study import Study, study
from decks import InputError, Shoe
from reports.answers.count_records import Recorded
from reports.answers.counts import Answer
from reports.answers.counts_payload import counts_payload


class CountAsked(Struct, frozen=True):
    """What is asked about counts, whatever the bet."""

    cut: int | None = None
    tags: str | None = None
    best: int = 1
    unbalanced: bool = False
    trigger: Fraction | None = None
    conventions: str | None = None
    customs: dict[str, Any] = {}
    """What is not as the conventions have it, by its name there."""
    depths: tuple[int, ...] | None = None
    suits: bool = False
    bound: bool = False
    table: tuple[Fraction, Fraction] | None = None
    """The largest wager and the rounds of an hour."""
    view: tuple[str, ...] = ()
    wager_alone: bool = False
    """Whether winnings are taken where they could ride."""


class CountedBet(Struct, frozen=True):
    """A bet at a shoe, in a form that can be sent."""

    bet: Callable[[], Paytable]
    shoe: Shoe
    meters: dict[str, Fraction]
    name: str
    rules: BlackjackRules | None = None
    """Those of the table, if winnings may ride."""
    strategy: str = "best"

    def study(self, asked: CountAsked) -> Study:
        """Work the bet out; what rides only if it is asked about."""
        if asked.wager_alone:
            return Study(analyze(self.bet(), self.shoe, self.meters))
        return study(self.bet(), self.shoe, self.meters, self.rules, self.strategy)


class Told(Struct, frozen=True):
    """What came of a count: its exact figures for JSON, and what is still to be sampled; or why there is none."""

    name: str
    payload: dict[str, Any] = {}
    recorded: Recorded | None = None
    """What CSV tells beside it."""
    rounds: tuple[Round, ...] = ()
    """The rounds over which the bound is to be sampled, if it is asked for and is not exact."""
    refusal: str = ""
    failure: str = ""


class Counting(Struct, frozen=True):
    """Works counts out as they are asked for."""

    asked: CountAsked

    def __call__(self, bet: CountedBet) -> Told:
        """Work out the count of one of many bets; one of which there is none does not stop the others."""
        try:
            answer, rounds = counted(self.asked, bet.study(self.asked))
        except InputError as error:
            return Told(bet.name, refusal=str(error))
        return Told(bet.name, counts_payload(answer), Recorded.of(answer), rounds)


def counted(asked: CountAsked, one: Study) -> tuple[Answer, tuple[Round, ...]]:
    """Work out what is asked of a count, and give the rounds over which its bound is still to be sampled."""
    paytable, shoe, meters = one.paytable, one.shoe, one.analysis.meters
    if one.analysis.open_meters:
        raise InputError(f"{paytable.id} pays from meters; say what they show with --meter")
    check_listed(paytable)
    way = played(Study(one.analysis) if asked.wager_alone else one)
    _check_played(asked, way)
    usual = paytable.bet.game.lower()
    named = asked.conventions if asked.conventions is not None else usual if usual in CONVENTIONS else "blackjack"
    customs: Conventions = replace(convention(named), **asked.customs)
    cut = asked.cut if asked.cut is not None else way.usual_cut(customs)
    lies, view = (cut if asked.depths is None else None), list(asked.view)
    depths = asked.depths
    if asked.suits:
        if asked.tags is not None or view:
            raise InputError("--suits is a count of its own; it goes with neither --tags nor --view")
        correlation, watched = None, count_suits(paytable, shoe, customs, lies, depths, meters)
    else:
        marks = (
            best_tags(way.removal, asked.best, not asked.unbalanced)
            if asked.tags is None
            else parse_tags(asked.tags, shoe.composition)
        )
        watched = count(paytable, shoe, marks, customs, lies, depths, meters, view, way.ride)
        correlation = betting_correlation(marks, way.removal)  # last, since what is refused is so soon
    information: list[tuple[str, Fraction | None]] = []
    if view:
        blind = count(paytable, shoe, marks, customs, lies, depths, meters)
        information += _seeing(view, blind.most_by_count(), lambda some: most_in_view(watched, marks, some, meters))
    hides = "burned" in asked.customs and customs.burned > customs.burned_seen
    if hides and depths is None and not asked.suits:
        seen = replace(customs, burned_seen=customs.burned)
        gain = _best(count(paytable, shoe, marks, seen, lies, None, meters, view, way.ride)) - _best(watched)
        information.append(("seeing the burned cards", gain))
    bound = _bound(asked, watched, meters)
    answer = Answer(watched, lies, correlation, way, asked.trigger, tuple(information), bound, asked.table)
    return answer, watched.rounds if asked.bound and bound is None else ()


def _check_played(asked: CountAsked, way: Played) -> None:
    """Refuse what is only worked out of the wager alone, where winnings ride."""
    if way.ride is None:
        return
    for is_asked, what in (
        (asked.suits, "--suits counts"),
        (asked.bound, "--bound is of"),
        (bool(asked.view), "--view goes with"),
    ):
        if is_asked:
            raise InputError(f"{way.study.paytable.id}: {what} the wager alone; give --wager-alone too")


def _bound(asked: CountAsked, watched: Count, meters: Any) -> Bound | None:
    """Work out what no count can beat, if that is asked and can be done exactly."""
    if not asked.bound:
        return None
    found = exact_bound(watched.paytable, watched.shoe, watched.rounds, meters, asked.view)
    if found is None and asked.view:
        told_apart(watched.paytable, watched.shoe.composition, asked.view)  # refused here if it cannot be sampled
    return found


def _seeing(
    view: Sequence[str], blind: Fraction, won: Callable[[Sequence[str]], Fraction | None]
) -> Iterator[tuple[str, Fraction | None]]:
    """Tell what it is worth to see some roles, and of several what it is worth to see the last one too."""
    *others, last = view
    in_view = won(view)
    yield f"seeing {' and '.join(view)}", None if in_view is None else 100 * (in_view - blind)
    if others:
        without = None if in_view is None else won(others)
        worth = None if in_view is None or without is None else 100 * (in_view - without)
        yield f"seeing {last} besides {' and '.join(others)}", worth


def _best(watched: Count) -> Fraction:
    """What the best trigger wins in 100 rounds."""
    return watched.best.per_hundred if watched.best else Fraction(0)
