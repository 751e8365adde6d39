"""The worksheet of counts that formulas look up: the ways of every outcome with one to eight decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.exact.root import Root
from combinat.figures import FIGURES
from reports.page.model import Style
from reports.render.workbook_calculation import Calculation
from reports.render.workbook_cells import LARGEST_WHOLE, Number, column_letter
from reports.render.workbook_page import Page
from reports.render.workbook_rows import IMPOSSIBLE, DeckColumn
from reports.tables.headings import INFINITE

NAME = "Data"
CYCLE = "Cycle: all hands there are"
_FIRST, _LEFT = 5, 2
"""The row of the first outcome and the column of the first deck count, counted from zero."""


class ByDecks(Struct, frozen=True):
    """A figure with each number of decks, as a formula over the column of the ways."""

    key: str
    label: str
    formula: str
    style: Style


class Data(Struct, frozen=True, dict=True):
    """The counts, where they stand, and what follows from them at each deck count."""

    calculation: Calculation

    @cached_property
    def _count(self) -> int:
        return len(self.calculation.outcomes)

    @cached_property
    def has_fits(self) -> bool:
        """Whether the hands that fit each award are counted too."""
        paytable = self.calculation.analysis.paytable
        return self.calculation.counts_ways and paytable.experiment.counts_hands and not paytable.wheels

    @cached_property
    def figures(self) -> tuple[ByDecks, ...]:
        """What is worked out for each number of decks."""
        return tuple(self._figures())

    def _figures(self) -> Iterator[ByDecks]:
        """Give formulas over the ways of a column and their sum."""
        yield ByDecks("return", FIGURES["return"].label, "SUMPRODUCT({ways},GrossPay)/{cycle}", Style.PERCENT)
        yield ByDecks("house_edge", FIGURES["house_edge"].label, "1-{return}", Style.PERCENT)
        hits = "SUMPRODUCT({ways}*(NetPay>0))/{cycle}"
        yield ByDecks("hit_frequency", FIGURES["hit_frequency"].label, hits, Style.PERCENT)
        deviation = "SQRT(SUMPRODUCT({ways},(GrossPay-{return})^2)/{cycle})"
        yield ByDecks("standard_deviation", FIGURES["standard_deviation"].label, deviation, Style.DECIMAL)
        top = f'IF(INDEX({{ways}},TopPlace)=0,"{IMPOSSIBLE}",{{cycle}}/INDEX({{ways}},TopPlace))'
        yield ByDecks("top_award_one_in", FIGURES["top_award_one_in"].label, top, Style.ODDS)
        if self.calculation.meters:
            fixed = '1-SUMPRODUCT({ways}*GrossPay*(LEFT(Unit,2)<>"of"))/{cycle}'
            yield ByDecks("fixed", "Kept of the fixed pays", fixed, Style.PERCENT)
        if self.calculation.is_steady:
            yield ByDecks("books", "Kept on the books", "1-SetAside-SUMPRODUCT({ways},BookCost)/{cycle}", Style.PERCENT)
            spread = "SQRT(SUMPRODUCT({ways},(BookCost-(1-SetAside-{books}))^2)/{cycle})"
            yield ByDecks("books_deviation", "Standard deviation on the books", spread, Style.DECIMAL)

    @cached_property
    def values(self) -> tuple[dict[str, Number | str], ...]:
        """Work out the same exactly for each number of decks, with the inputs as analyzed."""
        return tuple(map(self._values, range(len(self.calculation.decks.columns))))

    def _values(self, place: int) -> dict[str, Number | str]:
        calculation = self.calculation
        ways = calculation.decks.columns[place].ways
        hands, cycle = calculation.hands(ways), ways.cycle * calculation.turns
        outcomes = calculation.outcomes
        keeps, deviation = _moments(hands, cycle, [one.gross for one in outcomes])
        top = hands[calculation.top_place]
        found: dict[str, Number | str] = {
            "return": 1 - keeps,
            "house_edge": keeps,
            "hit_frequency": Fraction(
                sum(many for many, one in zip(hands, outcomes, strict=True) if one.net > 0), cycle
            ),
            "standard_deviation": deviation,
            "top_award_one_in": Fraction(cycle, top) if top else IMPOSSIBLE,
        }
        if calculation.meters:
            fixed = [Fraction(0) if one.is_metered else one.gross for one in outcomes]
            found["fixed"] = _moments(hands, cycle, fixed)[0]
        if calculation.is_steady:
            kept, spread = _moments(hands, cycle, calculation.costs)
            found |= {"books": kept - calculation.set_aside, "books_deviation": spread}
        return found

    @property
    def _fits_top(self) -> int:
        return _FIRST + self._count + 4

    @property
    def _figures_top(self) -> int:
        return self._fits_top + (self._count + 1 if self.has_fits else -1)

    def place(self, decks: int | None) -> int | None:
        """Find the column of a number of decks."""
        titles = [column.title for column in self.calculation.decks.columns]
        title = INFINITE if decks is None else decks
        return titles.index(title) if title in titles else None

    def at(self, key: str, place: int) -> str:
        """Name the cell of a figure with the deck count of a column."""
        row = self._figures_top + [one.key for one in self.figures].index(key)
        return f"{NAME}!${column_letter(_LEFT + place)}${row + 1}"

    def now(self, key: str) -> str:
        """Look up a figure with the decks put in."""
        return f"INDEX({self._row(self._figures_top + [one.key for one in self.figures].index(key))},DeckPlace)"

    def _row(self, row: int) -> str:
        last = column_letter(_LEFT + len(self.calculation.decks.columns) - 1)
        return f"{NAME}!${column_letter(_LEFT)}${row + 1}:${last}${row + 1}"

    def ways(self, index: int) -> str:
        """Look up the ways of an outcome with the decks put in; where ways are not counted, its chance."""
        return f"INDEX({self._row(_FIRST + index)},DeckPlace)"

    @property
    def cycle(self) -> str:
        """Look up all hands there are with the decks put in."""
        return f"INDEX({self._row(_FIRST + self._count)},DeckPlace)"

    def fits(self, index: int) -> str:
        """Look up the hands that fit an award."""
        return f"INDEX({self._row(self._fits_top + index)},DeckPlace)"

    @property
    def deck_place(self) -> str:
        """Find the column of the decks put in."""
        return f"MATCH(Decks,{self._row(_FIRST - 1)},0)"

    def _kept(self, column: DeckColumn) -> tuple[list[Number], list[Number], Number]:
        """What cells keep of a column: ways where they are counted, else chances of a cycle of one."""
        ways, hands = column.ways, self.calculation.hands(column.ways)
        cycle = ways.cycle * self.calculation.turns
        if self.calculation.counts_ways and cycle < LARGEST_WHOLE:
            return list(hands), list(ways.matches), cycle
        chances: list[Number] = [Fraction(many, cycle) for many in hands]
        return chances, [Fraction(many, ways.cycle) for many in ways.matches], 1

    def write(self, page: Page) -> None:
        """Write the counts, and what follows from them."""
        calculation = self.calculation
        columns = calculation.decks.columns
        page.title("Data", "")
        page.words(
            "What was counted, as formulas look it up: no input changes it. Columns are numbers of decks; "
            + (
                "cells count ways."
                if calculation.counts_ways
                else "cells are probabilities, as ways have too many digits."
            ),
            italic=True,
        )
        page.row = _FIRST - 1
        self._head(page)
        kept = [self._kept(column) for column in columns]
        for index, outcome in enumerate(calculation.outcomes):
            page.text(page.row, 1, outcome.name)
            for place, (hands, _, _) in enumerate(kept):
                style = Style.COUNT if isinstance(hands[index], int) else Style.DECIMAL
                page.number(page.row, _LEFT + place, hands[index], style)
            page.row += 1
        page.text(page.row, 1, CYCLE if calculation.counts_ways else "all together", bold=True)
        for place, (_, _, cycle) in enumerate(kept):
            page.number(page.row, _LEFT + place, cycle, Style.COUNT, bold=True)
        page.row += 2
        if self.has_fits:
            page.row = self._fits_top - 1
            page.heading("Hands that fit each award")
            for index, outcome in enumerate(calculation.outcomes[:-1]):
                page.text(page.row, 1, outcome.name)
                for place, (_, fits, _) in enumerate(kept):
                    style = Style.COUNT if isinstance(fits[index], int) else Style.DECIMAL
                    page.number(page.row, _LEFT + place, fits[index], style)
                page.row += 1
        page.row = self._figures_top - 1
        page.heading("What follows with the pays as they are now")
        self._write_figures(page)
        page.worksheet.freeze_panes(_FIRST, _LEFT)

    def _head(self, page: Page) -> None:
        page.header(["", "Award", *(str(column.title) for column in self.calculation.decks.columns)])
        for place, column in enumerate(self.calculation.decks.columns):
            if isinstance(column.title, int):  # the input is looked up here, so it has to be a number
                page.worksheet.write_number(_FIRST - 1, _LEFT + place, column.title, page.looks.header)

    def _write_figures(self, page: Page) -> None:
        for one in self.figures:
            page.text(page.row, 1, one.label)
            for place, known in enumerate(self.values):
                letter = column_letter(_LEFT + place)
                cells = {other.key: self.at(other.key, place).partition("!")[2] for other in self.figures}
                cells["ways"] = f"${letter}${_FIRST + 1}:${letter}${_FIRST + self._count}"
                cells["cycle"] = f"${letter}${_FIRST + self._count + 1}"
                page.formula(page.row, _LEFT + place, f"={one.formula.format_map(cells)}", known[one.key], one.style)
            page.row += 1


def _moments(hands: Sequence[int], cycle: int, pays: Sequence[Fraction]) -> tuple[Fraction, Root]:
    """What is kept of a wager of one that pays so much with so many hands, and the standard deviation.

    >>> _moments([1, 1], 2, [Fraction(2), Fraction(0)])
    (Fraction(0, 1), sqrt(1))
    """
    mean = Fraction(sum((many * pay for many, pay in zip(hands, pays, strict=True)), Fraction(0))) / cycle
    squares = sum((many * pay**2 for many, pay in zip(hands, pays, strict=True)), Fraction(0)) / cycle
    return 1 - mean, Root(squares - mean**2)
