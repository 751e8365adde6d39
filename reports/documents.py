"""The documents behind the commands: which figures stand where."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from combinat.analysis import Analysis, Line
from combinat.deal import DRAWS
from combinat.polynomial import Polynomial
from combinat.published import agrees, label
from reports.flags import flags
from reports.model import Cell, Column, Document, Figure, Style, Styled, Table
from reports.numerals import decimal, significant

if TYPE_CHECKING:  # a command loads only what it shows
    from combinat.checks import Finding
    from combinat.deal import Deal
    from combinat.odds import Odds
    from combinat.paytable import Paytable

PROBABILITY = Column("Probability", Style.DECIMAL)
ONE_IN = Column("1 in", Style.ODDS)
WITHOUT_END = "∞"
"""How a number of decks without end is written."""


_ROLES_IN_WORDS = {"up": "the dealer's up card", "hole": "the dealer's hole card", "next": "the next card"}
_SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five")


def dealt(deal: Deal, apart: bool) -> str:
    """Say in words which cards count.

    >>> from combinat.deal import parse_deal
    >>> dealt(parse_deal("player:2, up:1"), apart=False)
    "the player's two cards and the dealer's up card, taken together"
    """
    parts = []
    drawn = [f"the dealer's finished hand (the dealer {DRAWS[deal.draw]})"] if deal.draw else []
    for role, count in deal.roles:
        owner = f"the {role.replace('_', ' ')}'s {_SMALL_NUMBERS[count]} card{'s' if count > 1 else ''}"
        parts.append(_ROLES_IN_WORDS[role] if count == 1 and role in _ROLES_IN_WORDS else owner)
    parts += drawn
    if len(parts) == 1:
        return parts[0]
    if drawn:
        return f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{', '.join(parts[:-1])} and {parts[-1]}, {'told apart' if apart else 'taken together'}"


def heading(paytable: Paytable) -> str:
    """Name a paytable with its id and title, once each."""
    return paytable.title if paytable.id in paytable.title else f"{paytable.id}: {paytable.title}"


def if_possible(line: Line, value: Cell) -> Cell:
    """Give a figure of an award, or say that the award cannot be won."""
    return value if line.is_possible else "impossible"


def award_table(analysis: Analysis) -> Table:
    """Lay out the ladder: ways, chances and returns, adding up to the cycle and the whole return."""
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            str(line.award.pay),
            line.ways,
            line.probability,
            if_possible(line, line.one_in),
            if_possible(line, line.true_odds),
            line.return_,
        )
        for line in analysis.lines
    ]
    lose = analysis.lose_probability
    rows.append(
        (
            "no award",
            "loses",
            analysis.ways.none,
            lose,
            1 / lose if lose else None,
            (1 - lose) / lose if lose else None,
            Polynomial.of(0),
        )
    )
    rows.append(("total", "", analysis.ways.cycle, 1, "", "", Styled(analysis.return_, Style.SUM)))
    columns: tuple[Column, ...] = (
        Column("Award"),
        Column("Pays", Style.COUNT),
        Column("Ways", Style.COUNT),
        PROBABILITY,
        ONE_IN,
        Column("True odds to 1", Style.ODDS),
        Column("Return", Style.DECIMAL),
    )
    if analysis.paytable.bet.deal.draw:
        # Ways of ordered deals of a dozen cards run to thirty digits, which tell a reader nothing; JSON has them.
        columns, rows = columns[:2] + columns[3:], [row[:2] + row[3:] for row in rows]
    return Table(columns, tuple(rows))


def hold_formula(analysis: Analysis) -> str:
    """Write the long-run hold in terms of rates and seeds, in units of the wager."""
    terms = []
    for name in analysis.paytable.meters:
        whole = [line for line in analysis.lines if line.award.pay.meter == name and line.award.pay.amount == 1]
        reset = sum((line.probability for line in whole), Fraction(0))
        of = "" if name == "meter" else f" of {name}"
        terms.append(f" − rate{of} − {significant(reset, 8)} × seed{of}")
    return decimal(1 - analysis.fixed_return, 8) + "".join(terms)


def hold_figures(analysis: Analysis) -> tuple[Figure, ...]:
    """The long-run hold, its bounds, or its formula where nothing is known about how the meters are run."""
    from combinat.meters import meter_figures

    figures = meter_figures(analysis)
    if figures is None:
        return (Figure("Hold in the long run", hold_formula(analysis)),)
    if not figures.has_closed_form:
        least, most = figures.hold_bounds
        at_least = Figure("Hold in the long run, at least", least, Style.PERCENT)
        return at_least, Figure("Hold in the long run, at most", most, Style.PERCENT)
    inferred = ", rates and seeds inferred" if figures.system.basis else ""
    return (Figure(f"Hold in the long run{inferred}", figures.hold, Style.PERCENT),)


def edge_figures(analysis: Analysis) -> tuple[Figure, ...]:
    """Give the edge and the return; with an option those of the best choice first, those without it beside them."""
    option = analysis.paytable.bet.option
    if option is None:
        return (
            Figure("House edge", analysis.house_edge, Style.PERCENT),
            Figure("Return", analysis.return_, Style.PERCENT),
        )
    return (
        Figure(f"House edge, best {option}", analysis.best_edge, Style.PERCENT),
        Figure(f"House edge, no {option}", analysis.house_edge, Style.PERCENT),
        Figure(f"Return, best {option}", analysis.best_return, Style.PERCENT),
        Figure(f"Return, no {option}", analysis.return_, Style.PERCENT),
    )


def headline(analysis: Analysis) -> tuple[Figure, ...]:
    """List the figures that sum a paytable up."""
    fixed = Figure("Return of the fixed pays", analysis.fixed_return, Style.PERCENT)
    figures = [
        *edge_figures(analysis),
        *([fixed, *hold_figures(analysis)] if analysis.paytable.meters else []),
        Figure("Hit frequency", analysis.hit_frequency, Style.PERCENT),
        *([Figure("Push rate", analysis.push_rate, Style.PERCENT)] if analysis.push_rate else []),
        Figure("Mean win when winning", analysis.mean_win, Style.DECIMAL),
        # With several open meters the variance is a page-long form of all their products; JSON carries it.
        *([Figure("Variance", analysis.variance, Style.DECIMAL)] if len(analysis.open_meters) <= 1 else []),
        Figure("Standard deviation", analysis.standard_deviation, Style.DECIMAL),
        Figure("Skewness", analysis.skewness, Style.DECIMAL),
        Figure("Excess kurtosis", analysis.kurtosis, Style.DECIMAL),
    ]
    return tuple(figure for figure in figures if figure.value is not None)


def published_notes(analysis: Analysis) -> list[str]:
    """Say of each figure that a source prints for this deck count whether it is ours."""
    notes = []
    for printed in analysis.paytable.published:
        if printed.decks == analysis.shoe.decks and analysis.shoe.is_full:
            verdict = {
                True: "reproduced to every printed digit",
                False: "not reproduced",
                None: "depends on the meters",
            }
            result = verdict[agrees(analysis, printed)]
            notes.append(f"Published {label(printed)} {printed.text}: {result}.")
    return notes


def _dealer_tables(analysis: Analysis) -> tuple[Table, ...]:
    """The tables that only bets on the dealer's finished hand have."""
    if not analysis.paytable.bet.deal.draw:
        return ()
    from reports.dealer_tables import up_card_tables

    return up_card_tables(analysis)


def award_document(analysis: Analysis) -> Document:
    """Show one paytable at one shoe."""
    paytable, shoe = analysis.paytable, analysis.shoe
    notes = [*published_notes(analysis)]
    if paytable.requires:
        notes.append(f"May only be bet together with {paytable.requires}.")
    if analysis.open_meters:
        given = " ".join(f"--meter {'' if name == 'meter' else name + '='}AMOUNT" for name in analysis.open_meters)
        notes.append(f"Figures in terms of a meter become numbers with {given}, in units of the wager.")
    notes += [*paytable.bet.notes, *paytable.notes]
    if paytable.bet.sources:
        notes.append(f"Source: {'; '.join(paytable.bet.sources)}.")
    meters = "".join(f"; {name} at {value}" for name, value in analysis.meters.items())
    riding_tables: tuple[Table, ...] = ()
    if analysis.riding is not None:
        from reports import riding_tables as option

        riding_tables = option.riding_tables(analysis.riding)
        notes = [*option.riding_notes(analysis.riding), *notes]
    return Document(
        title=heading(paytable),
        subtitle=f"{shoe}, {shoe.size:,} cards; {dealt(paytable.bet.deal, paytable.apart)}{_hands(analysis)}{meters}",
        flags=flags(analysis),
        tables=(award_table(analysis), *_dealer_tables(analysis), *riding_tables),
        figures=headline(analysis),
        notes=tuple(notes),
    )


def _hands(analysis: Analysis) -> str:
    """How many hands there are, and what is known beforehand."""
    given = analysis.paytable.bet.given
    condition = f"; given {given}" if given else ""
    return condition if analysis.paytable.bet.deal.draw else f"{condition}: {analysis.ways.cycle:,} hands"


def _marks(analysis: Analysis) -> str:
    marks = []
    if analysis.best_edge.constant < 0:
        marks.append("favors the player")
    if not analysis.is_designed:
        marks.append("not designed")
    impossible = [line.award.name for line in analysis.lines if not line.is_possible]
    if impossible:
        marks.append(f"impossible: {', '.join(impossible)}")
    if analysis.paytable.is_example:
        marks.append("example")
    return "; ".join(marks)


def overview_document(analyses: Sequence[Analysis]) -> Document:
    """Show several paytables or deck counts, a line each."""
    columns: tuple[Column, ...] = (
        Column("Paytable"),
        Column("Decks", Style.COUNT),
        Column("Cycle", Style.COUNT),
        Column("House edge", Style.PERCENT),
        Column("Without the option", Style.PERCENT),
        Column("Return", Style.PERCENT),
        Column("Hit frequency", Style.PERCENT),
        Column("Standard deviation", Style.DECIMAL),
        Column("Marks"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.paytable.id,
            one.shoe.decks,
            one.ways.cycle,
            one.best_edge,
            one.house_edge,
            one.best_return,
            one.hit_frequency,
            one.standard_deviation,
            _marks(one),
        )
        for one in analyses
    )
    if not any(one.paytable.bet.option for one in analyses):
        columns, rows = columns[:4] + columns[5:], tuple(row[:4] + row[5:] for row in rows)
    if any(one.paytable.bet.deal.draw for one in analyses):
        columns, rows = columns[:2] + columns[3:], tuple(row[:2] + row[3:] for row in rows)
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], tuple(row[:-1] for row in rows)
    titles = dict.fromkeys(heading(one.paytable) for one in analyses)
    removed = analyses[0].shoe.removed
    subtitle = f"less {' '.join(map(str, removed))}" if removed else ""
    return Document(title="\n".join(titles), subtitle=subtitle, tables=(Table(columns, rows),))


def comparison_document(analyses: Sequence[Analysis]) -> Document:
    """Show paytables side by side, one table for each deck count."""
    ids = list(dict.fromkeys(one.paytable.id for one in analyses))
    tables = []
    flagged: list[str] = []
    for decks in sorted({one.shoe.decks for one in analyses}):
        here = {one.paytable.id: one for one in analyses if one.shoe.decks == decks}
        columns = (Column("Figure"), *(Column(id, Style.COUNT) for id in ids))

        def across(name: str, style: Style, pick: str, here: dict[str, Analysis] = here) -> tuple[Cell, ...]:
            return (name, *(Styled(getattr(here[id], pick), style) if id in here else None for id in ids))

        rows: list[tuple[Cell, ...]] = [
            across("House edge", Style.PERCENT, "best_edge"),
            across("House edge without the option", Style.PERCENT, "house_edge"),
            across("Return", Style.PERCENT, "best_return"),
            across("Hit frequency", Style.PERCENT, "hit_frequency"),
            across("Push rate", Style.PERCENT, "push_rate"),
            across("Standard deviation", Style.DECIMAL, "standard_deviation"),
            across("Skewness", Style.DECIMAL, "skewness"),
        ]
        if not any(one.paytable.bet.option for one in here.values()):
            rows = [row for row in rows if row[0] != "House edge without the option"]
        if all(one.push_rate == 0 for one in here.values()):
            rows = [row for row in rows if row[0] != "Push rate"]
        names = dict.fromkeys(line.award.name for one in here.values() for line in one.lines)
        for name in names:
            lines = {id: _line(one, name) for id, one in here.items()}
            rows.append((f"{name}: pays", *(_pays(lines.get(id)) for id in ids)))
            rows.append((f"{name}: 1 in", *(_one_in(lines.get(id)) for id in ids)))
        tables.append(Table(columns, tuple(rows), f"{decks} deck{'s' if decks > 1 else ''}"))
        flagged += [f"{id}: {flag}" for id, one in here.items() for flag in flags(one)]
    removed = analyses[0].shoe.removed
    subtitle = f"less {' '.join(map(str, removed))}" if removed else ""
    return Document(
        title=" and ".join(ids), subtitle=subtitle, flags=tuple(dict.fromkeys(flagged)), tables=tuple(tables)
    )


def _line(analysis: Analysis, name: str) -> Line | None:
    return next((line for line in analysis.lines if line.award.name == name), None)


def _pays(line: Line | None) -> Cell:
    return str(line.award.pay) if line else None


def _one_in(line: Line | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"


def list_document(paytables: Sequence[Paytable]) -> Document:
    """List paytables, a line each."""
    columns = (
        Column("Paytable"),
        Column("Title"),
        Column("Deal"),
        Column("Decks"),
        Column("Top award"),
        Column("Needs"),
    )
    rows = tuple(
        (
            one.id,
            one.title,
            str(one.bet.deal),
            one.decks_text.removesuffix(" decks").removesuffix(" deck"),
            f"{one.top.name}, {one.top.pay}",
            one.requires or "",
        )
        for one in paytables
    )
    return Document(title=f"{len(rows)} paytable{'s' if len(rows) != 1 else ''}", tables=(Table(columns, rows),))


def odds_document(odds: Sequence[Odds]) -> Document:
    """Show how likely a rule is, a line for each deck count."""
    first = odds[0]
    columns = (
        Column("Decks", Style.COUNT),
        *((Column("Ways", Style.COUNT), Column("Of", Style.COUNT)) if not first.deal.draw else ()),
        PROBABILITY,
        Column("Exactly"),
        ONE_IN,
        Column("True odds to 1", Style.ODDS),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.shoe.decks,
            *((one.ways, one.cycle) if not first.deal.draw else ()),
            one.probability,
            str(one.probability),
            one.one_in if one.ways else "impossible",
            one.true_odds if one.ways else "impossible",
        )
        for one in odds
    )
    given = f", given {first.given}" if first.given else ""
    removed = first.shoe.removed
    less = f", {first.shoe.pack.name} pack" if first.shoe.pack.name != "standard" else ""
    less += f", less {' '.join(map(str, removed))}" if removed else ""
    return Document(
        title=f"{first.rule}{given}",
        subtitle=f"{dealt(first.deal, first.apart)}{less}",
        tables=(Table(columns, rows),),
    )


def check_document(findings: Sequence[Finding]) -> Document:
    """Show what a check found, a line each."""
    columns = (Column("Paytable"), Column("Level"), Column("Finding"))
    rows = tuple((one.paytable, "error" if one.is_error else "warning", one.text) for one in findings)
    return Document(title="ok" if not rows else f"{len(rows)} findings", tables=(Table(columns, rows),))
