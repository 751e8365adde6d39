"""The file that a workbook is written to; the one module that loads the library for it."""

from __future__ import annotations

from xlsxwriter import Workbook  # type: ignore[import-untyped]  # it comes without types
from xlsxwriter.worksheet import Worksheet  # type: ignore[import-untyped]


class _Sheet(Worksheet):  # type: ignore[misc]
    """A worksheet that takes formulas as they are."""

    def _prepare_formula(self, formula: str, _: bool = False) -> str:
        # The library looks in each for a hundred functions newer than ours, which takes as long as writing it.
        return formula.removeprefix("=")


class Book(Workbook):  # type: ignore[misc]
    """A workbook of such worksheets."""

    worksheet_class = _Sheet
