"""What `sensitivity` answers: what one unit of each pay moves, and how far each pay can go within limits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.sensitivity import PayMove, PayRange, pay_moves, within_all
from combinat.bets.pay import MOST_PAID
from combinat.bets.paytable import Paytable
from combinat.exact.interval import Interval
from combinat.figures import FIGURES, figure_values
from combinat.study import Study
from decks import InputError, format_deck_counts
from reports.answers.compare import decks_text
from reports.answers.studies import given_text
from reports.page import numerals
from reports.page.model import Cell, Column, Document, Style, Table
from reports.page.numerals import exact
from reports.tables.headings import conditions, flags, heading, meter_units, names

_AWARD, _PAYS = Column("Award"), Column("Pays", Style.COUNT)
_LEAST, _MOST = Column("Least pay", Style.DECIMAL), Column("Most pay", Style.DECIMAL)
_WHOLE = Column("Whole pays", Style.COUNT)
_NONE, _ANY = "none", "any"


class Kept(Struct, frozen=True):
    """What the house keeps in a study, on the basis that its headline stands on, and what each pay moves of it."""

    study: Study
    key: str
    label: str
    edge: Fraction | None
    moves: tuple[PayMove, ...]

    @property
    def decks(self) -> int:
        """The number of decks."""
        return self.study.shoe.decks


def kept(study: Study) -> Kept:
    """Tell what the house keeps: the edge, or where that depends on meters the hold in the long run, if it is known."""
    first = next(figure_values(study, "house_edge"))
    rides = study.option.gain_per_unit if study.option is not None else ()
    if study.house_edge.is_constant:
        edge = study.house_edge.constant
        return Kept(study, "house_edge", first.label, edge, pay_moves(study.analysis, edge, rides))
    meters = study.meters
    known = meters is not None and meters.has_closed_form and not meters.system.all_pays_deducted
    hold = study.hold if known else None
    key = "hold" if hold is not None else "house_edge"
    return Kept(study, key, FIGURES[key].label, hold, pay_moves(study.analysis, hold, rides))


def sensitivity_document(studies: Sequence[Study], limits: Interval | None) -> Document:
    """Show for each paytable what its pays move at each number of decks, and how far they go at all of them."""
    called = names(one.paytable for one in studies)
    tables = []
    for paytable, name in called.items():
        rows = [kept(one) for one in studies if one.paytable == paytable]
        before = f"{name}, " if len(called) > 1 else ""
        tables.append(_moves_table(rows, before))
        tables += [_ranges_table(one, limits, before) for one in rows]
        if len(rows) > 1:
            tables.append(_together_table(rows, limits, before))
    flagged = [f"{called[one.paytable]}: {flag}" for one in studies for flag in flags(one)]
    return Document(
        title="\n".join(map(heading, called)),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=_notes(studies),
    )


def limits_or_even(limits: Interval | None) -> Interval:
    """Give the limits, or if there are none, that the house is to lose nothing."""
    return Interval(Fraction(0), None) if limits is None else limits


def limits_text(limits: Interval | None) -> str:
    """Say between what the edge is to lie.

    >>> limits_text(Interval(Fraction(3, 100), Fraction(1, 20))), limits_text(None)
    ('from 3% to 5%', 'of nothing or more')
    """
    if limits is None:
        return "of nothing or more"
    low, high = (None if end is None else numerals.rate(end, 6) for end in (limits.low, limits.high))
    if low is None:
        return f"of {high} or less"
    return f"of {low} or more" if high is None else f"of {low}" if low == high else f"from {low} to {high}"


def _moves_table(rows: Sequence[Kept], before: str) -> Table:
    """Show what one unit more moves, awards down and numbers of decks across."""
    columns = (_AWARD, _PAYS, *(Column(decks_text(one.decks), Style.PERCENT) for one in rows))
    cells: list[tuple[Cell, ...]] = [
        (move.award, str(move.pay), *(-one.moves[place].per_unit for one in rows))
        for place, move in enumerate(rows[0].moves)
    ]
    now: tuple[Cell, ...] = (f"{rows[0].label} now", None, *(one.edge for one in rows))
    caption = _captioned(before, "one unit more on an award moves what the house keeps by")
    return Table(columns, (*cells, now), caption, totals=1, keys=2)


def _captioned(before: str, text: str) -> str:
    """Put a paytable's name before a caption, or begin it with a capital."""
    return before + text if before else text[0].upper() + text[1:]


def _ranges_table(one: Kept, limits: Interval | None, before: str) -> Table:
    """Show how far each pay can go at one number of decks, all others as they are."""
    rows = tuple((move.award, str(move.pay), *_cells(move.within(limits_or_even(limits)))) for move in one.moves)
    within = f"{one.label.lower()} {limits_text(limits)} with {decks_text(one.decks)}"
    caption = _captioned(before, f"pays for a {within}, one at a time")
    return Table((_AWARD, _PAYS, _LEAST, _MOST, _WHOLE), rows, caption, keys=2)


def _together_table(rows: Sequence[Kept], limits: Interval | None, before: str) -> Table:
    """Show how far each pay can go at all numbers of decks together."""
    cells = tuple(
        (move.award, str(move.pay), *_cells(_everywhere(rows, place, limits)))
        for place, move in enumerate(rows[0].moves)
    )
    counts = format_deck_counts([one.decks for one in rows])
    within = f"{rows[0].label.lower()} {limits_text(limits)} with {counts} decks alike"
    caption = _captioned(before, f"pays for a {within}, one at a time")
    return Table((_AWARD, _PAYS, _LEAST, _MOST, _WHOLE), cells, caption, keys=2)


def _everywhere(rows: Sequence[Kept], place: int, limits: Interval | None) -> PayRange | None:
    return within_all(one.moves[place].within(limits_or_even(limits)) for one in rows)


def _cells(found: PayRange | None) -> tuple[Cell, ...]:
    if found is None:
        return (None, None, None)
    if found.is_empty:
        return (_NONE, _NONE, _NONE)
    whole = found.whole
    most: Cell = _ANY if found.most == MOST_PAID else found.most
    if whole is None:
        return (found.least, most, _NONE)
    if found.most == MOST_PAID:
        return (found.least, most, f"{whole[0]:,} or more")
    return (found.least, most, f"{whole[0]:,}" if whole[0] == whole[1] else f"{whole[0]:,} to {whole[1]:,}")


def _notes(studies: Sequence[Study]) -> tuple[str, ...]:
    notes = [
        "One unit is one wager. What the house keeps is a straight line in each pay, the others staying as they are: "
        "two units do twice as much. Pays are in the unit that the award is paid in now."
    ]
    if any(one.option is not None for one in studies):
        notes.append(
            "Where winnings can ride, each unit rides too, by the choices as they are now; pays are those that win."
        )
    if any(one.play is not None for one in studies):
        notes.append("Hands are played as they are now, whatever the pays.")
    if metered := [one for one in studies if one.paytable.meters]:
        is_seen = all(one.paytable.up is not None for one in metered)  # how meters run is not about a single up card
        says = "--meter says what a meter shows" if is_seen else "--seed, --rate and --meter say what a meter does"
        notes.append(f"Awards from a meter are left out; {says}.")
    return (*notes, *meter_units([one.analysis for one in studies]))


def check_known(studies: Sequence[Study], limits: Interval | None) -> None:
    """Refuse limits where what the house keeps depends on a meter."""
    for one in studies:
        if limits is not None and kept(one).edge is None:
            meter = one.paytable.meters[0]
            run = ", or --seed and --rate" if one.paytable.up is None else ""
            raise InputError(
                f"--edge: what {one.paytable.id} keeps depends on the meter {meter}; give --meter {meter}=AMOUNT{run}"
            )


def sensitivity_payload(studies: Sequence[Study], limits: Interval | None) -> list[dict[str, Any]]:
    """Give what pays move and how far they go, exactly, a paytable each."""
    asked = limits_or_even(limits)

    def ranged(found: PayRange | None) -> dict[str, Any]:
        if found is None or found.is_empty:
            return {
                "least_pay": None,
                "most_pay": None,
                "whole_pays": None,
                "possible": None if found is None else False,
            }
        whole = found.whole
        is_bound = found.most < MOST_PAID
        return {
            "least_pay": exact(found.least),
            "most_pay": exact(found.most) if is_bound else None,
            "whole_pays": None if whole is None else [whole[0], whole[1] if is_bound else None],
            "possible": True,
        }

    def paytable(one: Paytable) -> dict[str, Any]:
        rows = [kept(study) for study in studies if study.paytable == one]
        return {
            "paytable": one.id,
            "title": one.title,
            "given": given_text(one),
            "limits": {"low": exact(asked.low), "high": exact(asked.high)},
            "figure": rows[0].key,
            "by_decks": [
                {
                    "decks": row.decks,
                    "basis": str(next(figure_values(row.study, row.key)).basis),
                    row.key: exact(row.edge),
                    "awards": [
                        {
                            "name": move.award,
                            "pays_text": str(move.pay),
                            "one_more": exact(-move.per_unit),
                            **ranged(move.within(asked)),
                        }
                        for move in row.moves
                    ],
                }
                for row in rows
            ],
            "all_decks": [
                {"name": move.award, "pays_text": str(move.pay), **ranged(_everywhere(rows, place, limits))}
                for place, move in enumerate(rows[0].moves)
            ],
        }

    return list(map(paytable, dict.fromkeys(one.paytable for one in studies)))


_RECORDS = (
    Column("Paytable"),
    Column("Decks"),
    Column("Given"),
    _AWARD,
    Column("Pays"),
    Column("One unit more", Style.DECIMAL),
    _LEAST,
    _MOST,
    Column("Least whole pay", Style.COUNT),
    Column("Most whole pay", Style.COUNT),
)


def sensitivity_records(studies: Sequence[Study], limits: Interval | None) -> Document:
    """Lay the same out line by line, for spreadsheets; what holds at all numbers of decks has "all" for them."""
    asked = limits_or_even(limits)
    rows: list[tuple[Cell, ...]] = []
    for paytable, name in names(one.paytable for one in studies).items():
        found = [kept(study) for study in studies if study.paytable == paytable]
        given = conditions(found[0].study.analysis)
        for one in found:
            for move in one.moves:
                bounds = _bounds(move.within(asked))
                rows.append((name, str(one.decks), given, move.award, str(move.pay), -move.per_unit, *bounds))
        for place, move in enumerate(found[0].moves):
            bounds = _bounds(_everywhere(found, place, limits))
            rows.append((name, "all", given, move.award, str(move.pay), None, *bounds))
    return Document("", tables=(Table(_RECORDS, tuple(rows)),))


def _bounds(found: PayRange | None) -> tuple[Cell, ...]:
    if found is None or found.is_empty:
        return (None, None, None, None) if found is None else (_NONE, _NONE, None, None)
    least, most = found.whole or (None, None)
    if found.most == MOST_PAID:
        return (found.least, None, least, None)
    return (found.least, found.most, least, most)
