"""The function `par_sheet`: sheets as bytes, texts and files, without an import of `reports`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, cast, overload

from combinat.requests.arguments import BetLike
from combinat.requests.bets import DeckCounts
from combinat.requests.par_sheet import Parsheet
from combinat.requests.request import check_option_names, send_warning
from combinat.results.par_sheet import ParSheetAnswer
from decks import InputError, Shoe

P = ParamSpec("P")


class SheetFiles(Protocol):
    """A computed par sheet; each format is a method that returns bytes, such as `pdf()`; with a path it writes them."""

    @property
    def name(self) -> str:
        """The name of its files, without extension."""

    @property
    def answer(self) -> ParSheetAnswer:
        """Every figure of the sheet, exact."""

    @property
    def payload(self) -> dict[str, Any]:
        """The JSON data of the sheet."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON data of the sheet."""

    def text(self, format: str = "markdown") -> str:
        """Return the sheet as text: Markdown, HTML, CSV, JSON or LaTeX."""

    def content(self, format: str) -> bytes:
        """Return the sheet as the bytes of a file in a format."""

    def save(self, path: str | PathLike[str] = "") -> Path:
        """Write the sheet to a file in the format of its suffix, as PDF for a folder or no path; return the path."""

    def __getattr__(self, name: str) -> Callable[..., bytes]:
        """Return the method of a format; with a path, as in `pdf("x.pdf")`, it also writes the file."""


class ParSheetFunction(Protocol[P]):
    """The function `par_sheet`: a sheet for one bet at one deck count, a list of sheets for several."""

    @overload
    def __call__(
        self, bet: BetLike, decks: int | Shoe | None = None, *args: P.args, **kwargs: P.kwargs
    ) -> SheetFiles: ...
    @overload
    def __call__(
        self, bet: BetLike, decks: str | Sequence[int], *args: P.args, **kwargs: P.kwargs
    ) -> Sequence[SheetFiles]: ...


def _par_sheet_function(
    request: Callable[Concatenate[BetLike | Sequence[BetLike], DeckCounts, P], Parsheet],
) -> ParSheetFunction[P]:
    def par_sheet(bet: BetLike, decks: DeckCounts = None, *args: P.args, **kwargs: P.kwargs) -> Any:
        check_option_names(Parsheet, kwargs)
        question = request(bet, decks, *args, **kwargs)
        is_single = decks is None or isinstance(decks, (int, Shoe))
        if is_single and len(cases := list(question.iter_cases(_ignore))) > 1:
            counts = [shoe.decks for _, shoe, _ in cases]
            raise InputError(f"{bet} has {len(cases)} sheets; write decks={counts[-1]}, or decks={counts} for a list")
        sheets = question.answer(send_warning)
        return sheets[0] if is_single else sheets

    par_sheet.__doc__ = "Compute the par sheet of a bet at a deck count, or the sheets at a list of them."
    return cast("ParSheetFunction[P]", par_sheet)


def _ignore(_: str) -> None:
    """Drop a message that is sent again while the sheets are computed."""


par_sheet = _par_sheet_function(Parsheet)
