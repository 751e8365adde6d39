"""Answer of the `sensitivity` command: the effect of one unit of each pay, and the range of each pay within limits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.sensitivity import PayMove, PayRange, intersect_ranges, pay_moves
from combinat.bets.pay import MAX_PAY
from combinat.bets.paytable import Paytable
from combinat.exact.interval import Interval
from combinat.figures import FIGURES, figure_values
from combinat.study import Study
from decks import InputError, format_deck_counts
from reports.answers.compare import decks_text
from reports.answers.studies import condition_text
from reports.page import numerals
from reports.page.model import Cell, Column, Document, Style, Table
from reports.page.numerals import exact
from reports.tables.headings import conditions_text, flags, meter_units, paytable_heading, paytable_names

_AWARD, _PAYS = Column("Award"), Column("Pays", Style.COUNT)
_LEAST, _MOST = Column("Least pay", Style.DECIMAL), Column("Most pay", Style.DECIMAL)
_WHOLE = Column("Whole pays", Style.COUNT)
_NONE, _ANY = "none", "any"


class HouseShare(Struct, frozen=True):
    """The house edge or hold of a study on its headline's basis, and the effect of each pay on it."""

    study: Study
    key: str
    label: str
    edge: Fraction | None
    moves: tuple[PayMove, ...]

    @property
    def decks(self) -> int:
        """The number of decks."""
        return self.study.shoe.decks


def house_share(study: Study) -> HouseShare:
    """Return the house edge and its sensitivities, or those of the long-run hold if the edge depends on meters."""
    first = next(figure_values(study, "house_edge"))
    rides = study.option.gain_per_unit if study.option is not None else ()
    if study.house_edge.is_constant:
        edge = study.house_edge.constant
        return HouseShare(study, "house_edge", first.label, edge, pay_moves(study.analysis, edge, rides))
    meters = study.meters
    has_hold = meters is not None and meters.has_closed_form and not meters.system.all_pays_deducted
    hold = study.hold if has_hold else None
    key = "hold" if hold is not None else "house_edge"
    return HouseShare(study, key, FIGURES[key].label, hold, pay_moves(study.analysis, hold, rides))


def sensitivity_document(studies: Sequence[Study], limits: Interval | None) -> Document:
    """Return for each paytable the effect of its pays and their ranges, by number of decks and for all of them."""
    labels = paytable_names(study.paytable for study in studies)
    tables = []
    for paytable, name in labels.items():
        rows = [house_share(study) for study in studies if study.paytable == paytable]
        prefix = f"{name}, " if len(labels) > 1 else ""
        tables.append(_moves_table(rows, prefix))
        tables += [_ranges_table(row, limits, prefix) for row in rows]
        if len(rows) > 1:
            tables.append(_together_table(rows, limits, prefix))
    flagged = [f"{labels[study.paytable]}: {flag}" for study in studies for flag in flags(study)]
    return Document(
        title="\n".join(map(paytable_heading, labels)),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=_notes(studies),
    )


def limits_or_even(limits: Interval | None) -> Interval:
    """Return `limits`, or the interval of nonnegative edges if it is `None`."""
    return Interval(Fraction(0), None) if limits is None else limits


def limits_text(limits: Interval | None) -> str:
    """Describe the interval of the edge.

    >>> limits_text(Interval(Fraction(3, 100), Fraction(1, 20))), limits_text(None)
    ('from 3% to 5%', 'of nothing or more')
    """
    if limits is None:
        return "of nothing or more"
    low, high = (None if end is None else numerals.format_rate(end, 6) for end in (limits.low, limits.high))
    if low is None:
        return f"of {high} or less"
    return f"of {low} or more" if high is None else f"of {low}" if low == high else f"from {low} to {high}"


def _moves_table(rows: Sequence[HouseShare], prefix: str) -> Table:
    """Return the effect of one unit more: awards by numbers of decks."""
    columns = (_AWARD, _PAYS, *(Column(decks_text(row.decks), Style.PERCENT) for row in rows))
    cells: list[tuple[Cell, ...]] = [
        (move.award, str(move.pay), *(-row.moves[index].per_unit for row in rows))
        for index, move in enumerate(rows[0].moves)
    ]
    now: tuple[Cell, ...] = (f"{rows[0].label} now", None, *(row.edge for row in rows))
    caption = _build_caption(prefix, "one unit more on an award moves what the house keeps by")
    return Table(columns, (*cells, now), caption, totals=1, keys=2)


def _build_caption(prefix: str, text: str) -> str:
    """Prefix a caption with the paytable's name, or capitalize it."""
    return prefix + text if prefix else text[0].upper() + text[1:]


def _ranges_table(row: HouseShare, limits: Interval | None, prefix: str) -> Table:
    """Return the range of each pay at one number of decks, all others fixed."""
    rows = tuple((move.award, str(move.pay), *_cells(move.within(limits_or_even(limits)))) for move in row.moves)
    within = f"{row.label.lower()} {limits_text(limits)} with {decks_text(row.decks)}"
    caption = _build_caption(prefix, f"pays for a {within}, one at a time")
    return Table((_AWARD, _PAYS, _LEAST, _MOST, _WHOLE), rows, caption, keys=2)


def _together_table(rows: Sequence[HouseShare], limits: Interval | None, prefix: str) -> Table:
    """Return the range of each pay that holds at all numbers of decks."""
    cells = tuple(
        (move.award, str(move.pay), *_cells(_range_at_all_decks(rows, index, limits)))
        for index, move in enumerate(rows[0].moves)
    )
    counts = format_deck_counts([row.decks for row in rows])
    within = f"{rows[0].label.lower()} {limits_text(limits)} with {counts} decks alike"
    caption = _build_caption(prefix, f"pays for a {within}, one at a time")
    return Table((_AWARD, _PAYS, _LEAST, _MOST, _WHOLE), cells, caption, keys=2)


def _range_at_all_decks(rows: Sequence[HouseShare], index: int, limits: Interval | None) -> PayRange | None:
    return intersect_ranges(row.moves[index].within(limits_or_even(limits)) for row in rows)


def _cells(pay_range: PayRange | None) -> tuple[Cell, ...]:
    if pay_range is None:
        return (None, None, None)
    if pay_range.is_empty:
        return (_NONE, _NONE, _NONE)
    whole_pays = pay_range.whole
    highest: Cell = _ANY if pay_range.most == MAX_PAY else pay_range.most
    if whole_pays is None:
        return (pay_range.least, highest, _NONE)
    if pay_range.most == MAX_PAY:
        return (pay_range.least, highest, f"{whole_pays[0]:,} or more")
    return (
        pay_range.least,
        highest,
        f"{whole_pays[0]:,}" if whole_pays[0] == whole_pays[1] else f"{whole_pays[0]:,} to {whole_pays[1]:,}",
    )


def _notes(studies: Sequence[Study]) -> tuple[str, ...]:
    notes = [
        "One unit is one wager. What the house keeps is a straight line in each pay, the others staying as they are: "
        "two units do twice as much. Pays are in the unit that the award is paid in now."
    ]
    if any(study.option is not None for study in studies):
        notes.append(
            "Where winnings can ride, each unit rides too, by the choices as they are now; pays are those that win."
        )
    if any(study.play is not None for study in studies):
        notes.append("Hands are played as they are now, whatever the pays.")
    if metered := [study for study in studies if study.paytable.meters]:
        is_seen = all(
            study.paytable.up is not None for study in metered
        )  # meter terms do not apply to a single up card
        says = "--meter says what a meter shows" if is_seen else "--seed, --rate and --meter say what a meter does"
        notes.append(f"Awards from a meter are left out; {says}.")
    return (*notes, *meter_units([study.analysis for study in studies]))


def check_edge_limits(studies: Sequence[Study], limits: Interval | None) -> None:
    """Raise `InputError` if limits are given and the house edge depends on a meter."""
    for study in studies:
        if limits is not None and house_share(study).edge is None:
            meter = study.paytable.meters[0]
            run = ", or --seed and --rate" if study.paytable.up is None else ""
            raise InputError(
                f"--edge: what {study.paytable.id} keeps depends on the meter {meter}; give --meter {meter}=AMOUNT{run}"
            )


def sensitivity_payload(studies: Sequence[Study], limits: Interval | None) -> list[dict[str, Any]]:
    """Return the effects and ranges of pays as data, one item for each paytable."""
    interval = limits_or_even(limits)

    def range_payload(pay_range: PayRange | None) -> dict[str, Any]:
        if pay_range is None or pay_range.is_empty:
            return {
                "least_pay": None,
                "most_pay": None,
                "whole_pays": None,
                "possible": None if pay_range is None else False,
            }
        whole_pays = pay_range.whole
        is_bound = pay_range.most < MAX_PAY
        return {
            "least_pay": exact(pay_range.least),
            "most_pay": exact(pay_range.most) if is_bound else None,
            "whole_pays": None if whole_pays is None else [whole_pays[0], whole_pays[1] if is_bound else None],
            "possible": True,
        }

    def paytable_payload(paytable: Paytable) -> dict[str, Any]:
        rows = [house_share(study) for study in studies if study.paytable == paytable]
        return {
            "paytable": paytable.id,
            "title": paytable.title,
            "given": condition_text(paytable),
            "limits": {"low": exact(interval.low), "high": exact(interval.high)},
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
                            **range_payload(move.within(interval)),
                        }
                        for move in row.moves
                    ],
                }
                for row in rows
            ],
            "all_decks": [
                {
                    "name": move.award,
                    "pays_text": str(move.pay),
                    **range_payload(_range_at_all_decks(rows, index, limits)),
                }
                for index, move in enumerate(rows[0].moves)
            ],
        }

    return list(map(paytable_payload, dict.fromkeys(study.paytable for study in studies)))


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
    """Return the effects and ranges as records; "all" in the decks column means all numbers of decks."""
    interval = limits_or_even(limits)
    rows: list[tuple[Cell, ...]] = []
    for paytable, name in paytable_names(study.paytable for study in studies).items():
        entries = [house_share(study) for study in studies if study.paytable == paytable]
        condition = conditions_text(entries[0].study.analysis)
        for entry in entries:
            for move in entry.moves:
                bounds = _bounds(move.within(interval))
                rows.append((name, str(entry.decks), condition, move.award, str(move.pay), -move.per_unit, *bounds))
        for index, move in enumerate(entries[0].moves):
            bounds = _bounds(_range_at_all_decks(entries, index, limits))
            rows.append((name, "all", condition, move.award, str(move.pay), None, *bounds))
    return Document("", tables=(Table(_RECORDS, tuple(rows)),))


def _bounds(pay_range: PayRange | None) -> tuple[Cell, ...]:
    if pay_range is None or pay_range.is_empty:
        return (None, None, None, None) if pay_range is None else (_NONE, _NONE, None, None)
    low, high = pay_range.whole or (None, None)
    if pay_range.most == MAX_PAY:
        return (pay_range.least, None, low, None)
    return (pay_range.least, pay_range.most, low, high)
