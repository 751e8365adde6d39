"""What every collector of formulas has before it: the calculation, the working and the data, and where facts go."""

from __future__ import annotations

from msgspec import Struct

from combinat.study import Study
from reports.render.workbook_calculation import Calculation
from reports.render.workbook_data import Data
from reports.render.workbook_facts import Facts
from reports.render.workbook_working import Working


class Collector(Struct, frozen=True):
    """Collects formulas of a sheet."""

    calculation: Calculation
    working: Working
    data: Data
    facts: Facts

    @property
    def study(self) -> Study:
        """The study that the sheet is of."""
        return self.calculation.study
