"""Answer of the `sensitivity` command: the effect of one unit of each pay, and the range of each pay within limits."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.analysis.sensitivity import PayRange
from combinat.bets.pay import MAX_PAY
from combinat.exact.interval import Limits
from combinat.results.flags import decks_text, flags, paytable_names
from combinat.results.sensitivity import HouseShare, PaySensitivity
from combinat.study import Study
from decks import format_deck_counts
from reports.page import numerals
from reports.page.model import Cell, Column, Document, Style, Table
from reports.tables.headings import conditions_text, meter_units, paytable_heading

_AWARD_COLUMN, _PAYS_COLUMN = Column("Award"), Column("Pays", Style.COUNT)
_LOWEST_COLUMN, _HIGHEST_COLUMN = Column("Least pay", Style.DECIMAL), Column("Most pay", Style.DECIMAL)
_WHOLE_PAYS_COLUMN = Column("Whole pays", Style.COUNT)
_NONE, _ANY = "none", "any"


def sensitivity_document(sensitivities: Sequence[PaySensitivity]) -> Document:
    """Return for each paytable the effect of its pays and their ranges, by number of decks and for all of them."""
    studies = [row.study for sensitivity in sensitivities for row in sensitivity.rows]
    labels = paytable_names(sensitivity.paytable for sensitivity in sensitivities)
    tables = []
    for sensitivity in sensitivities:
        rows, limits = sensitivity.rows, sensitivity.limits
        prefix = f"{labels[sensitivity.paytable]}, " if len(labels) > 1 else ""
        tables.append(_moves_table(rows, prefix))
        tables += [_ranges_table(PaySensitivity(sensitivity.paytable, (row,), limits), prefix) for row in rows]
        if len(rows) > 1:
            tables.append(_ranges_table(sensitivity, prefix))
    flagged = [f"{labels[study.paytable]}: {flag}" for study in studies for flag in flags(study)]
    return Document(
        title="\n".join(map(paytable_heading, labels)),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=_notes(studies),
    )


def limits_text(limits: Limits | None) -> str:
    """Describe the interval of the edge.

    >>> from fractions import Fraction
    >>> limits_text(Limits(Fraction(3, 100), Fraction(1, 20))), limits_text(None)
    ('from 3% to 5%', 'of 0% or more')
    """
    if limits is None:
        return "of 0% or more"
    low_text, high_text = (None if end is None else numerals.format_rate(end, 6) for end in (limits.low, limits.high))
    if low_text is None:
        return f"of {high_text} or less"
    return (
        f"of {low_text} or more"
        if high_text is None
        else f"of {low_text}"
        if low_text == high_text
        else f"from {low_text} to {high_text}"
    )


def _moves_table(rows: Sequence[HouseShare], prefix: str) -> Table:
    """Return the effect of one unit more: awards by numbers of decks."""
    columns = (_AWARD_COLUMN, _PAYS_COLUMN, *(Column(decks_text(row.decks), Style.PERCENT) for row in rows))
    cells: list[tuple[Cell, ...]] = [
        (move.award, str(move.pay), *(-row.moves[index].per_unit for row in rows))
        for index, move in enumerate(rows[0].moves)
    ]
    current: tuple[Cell, ...] = (f"{rows[0].label} now", None, *(row.edge for row in rows))
    caption = _build_caption(prefix, f"change of the {rows[0].label.lower()} per unit added to an award")
    return Table(columns, (*cells, current), caption, totals=1, keys=2)


def _build_caption(prefix: str, text: str) -> str:
    """Prefix a caption with the paytable's name, or capitalize it."""
    return prefix + text if prefix else text[0].upper() + text[1:]


def _ranges_table(sensitivity: PaySensitivity, prefix: str) -> Table:
    """Return the range of each pay, all others fixed, that keeps the edge within `limits` at the decks of all rows."""
    rows = sensitivity.rows
    cells = tuple(
        (move.award, str(move.pay), *_cells(sensitivity.range_at_all_decks(index)))
        for index, move in enumerate(sensitivity.moves)
    )
    counts = [row.decks for row in rows]
    decks = decks_text(counts[0]) if len(rows) == 1 else f"each of {format_deck_counts(counts)} decks"
    within = f"{rows[0].label.lower()} {limits_text(sensitivity.limits)} with {decks}"
    caption = _build_caption(prefix, f"pays for a {within}, one at a time")
    return Table(
        (_AWARD_COLUMN, _PAYS_COLUMN, _LOWEST_COLUMN, _HIGHEST_COLUMN, _WHOLE_PAYS_COLUMN), cells, caption, keys=2
    )


def _cells(pay_range: PayRange | None) -> tuple[Cell, ...]:
    if pay_range is None:
        return (None, None, None)
    if pay_range.is_empty:
        return (_NONE, _NONE, _NONE)
    whole_pays = pay_range.integer_range
    highest: Cell = _ANY if pay_range.high == MAX_PAY else pay_range.high
    if whole_pays is None:
        return (pay_range.low, highest, _NONE)
    if pay_range.high == MAX_PAY:
        return (pay_range.low, highest, f"{whole_pays[0]:,} or more")
    return (
        pay_range.low,
        highest,
        f"{whole_pays[0]:,}" if whole_pays[0] == whole_pays[1] else f"{whole_pays[0]:,} to {whole_pays[1]:,}",
    )


def _notes(studies: Sequence[Study]) -> tuple[str, ...]:
    notes = [
        "One unit is one wager. The edge or hold is linear in each pay while the others stay fixed: two units have "
        "twice the effect. Pays are in the award's own unit."
    ]
    if any(study.option is not None for study in studies):
        notes.append(
            "Where winnings can be parlayed, the added unit is parlayed too, by the present strategy; only pays that "
            "win are considered."
        )
    if any(study.round_strategy is not None for study in studies):
        notes.append("Hands are played by the present strategy, whatever the pays.")
    if studies_with_meters := [study for study in studies if study.paytable.meters]:
        has_up_card = all(
            study.paytable.up is not None for study in studies_with_meters
        )  # meter terms are for all up cards
        options = "--meter" if has_up_card else "--meter, or --seed and --rate"
        notes.append(f"Awards from a meter are not listed; its amount is set by {options}.")
    return (*notes, *meter_units([study.analysis for study in studies]))


_RECORD_COLUMNS = (
    Column("Paytable"),
    Column("Decks"),
    Column("Given"),
    _AWARD_COLUMN,
    Column("Pays"),
    Column("One unit more", Style.DECIMAL),
    _LOWEST_COLUMN,
    _HIGHEST_COLUMN,
    Column("Least whole pay", Style.COUNT),
    Column("Most whole pay", Style.COUNT),
)


def sensitivity_records(sensitivities: Sequence[PaySensitivity]) -> Document:
    """Return the effects and ranges as records; "all" in the decks column means all numbers of decks."""
    names = paytable_names(sensitivity.paytable for sensitivity in sensitivities)
    rows: list[tuple[Cell, ...]] = []
    for sensitivity in sensitivities:
        name, condition = names[sensitivity.paytable], conditions_text(sensitivity.rows[0].study.analysis)
        for row in sensitivity.rows:
            for move in row.moves:
                bounds = _bounds(move.pays_within(sensitivity.interval))
                rows.append((name, str(row.decks), condition, move.award, str(move.pay), -move.per_unit, *bounds))
        for index, move in enumerate(sensitivity.moves):
            bounds = _bounds(sensitivity.range_at_all_decks(index))
            rows.append((name, "all", condition, move.award, str(move.pay), None, *bounds))
    return Document("", tables=(Table(_RECORD_COLUMNS, tuple(rows)),))


def _bounds(pay_range: PayRange | None) -> tuple[Cell, ...]:
    if pay_range is None or pay_range.is_empty:
        return (None, None, None, None) if pay_range is None else (_NONE, _NONE, None, None)
    lowest_pay, highest_pay = pay_range.integer_range or (None, None)
    if pay_range.high == MAX_PAY:
        return (pay_range.low, None, lowest_pay, None)
    return (pay_range.low, pay_range.high, lowest_pay, highest_pay)
