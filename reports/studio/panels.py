"""What the page's panels show: variants beside one another, meters, what winnings that ride bring, many plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import Progress
from combinat.figures import FIGURES, headline
from combinat.study import Study, study
from decks import InputError
from reports.answers.meters import break_even_document, formula_note, meter_document, unknown_break_even_document
from reports.answers.show import award_document
from reports.cli.arguments import parse_meters
from reports.cli.meter_run import Run, system_of
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Style, Styled, Table
from reports.sheet.sections.outlook import expectation
from reports.sheet.sections.request import Request
from reports.studio import drawn
from reports.studio.posted import PostedQuestion, question, table
from reports.studio.view import shown, studies
from reports.tables.meters import Question as MeterQuestion

_COMPARED = ("house_edge", "return", "hit_frequency", "standard_deviation", "skewness")


def _only(body: Mapping[str, Any]) -> Paytable:
    """Give the paytable that the page is at."""
    asked = question({"bets": [{"toml": body["toml"], "paytable": body.get("paytable")}]})
    return asked.resolved(asked.arguments[0])[0]


def _here(body: Mapping[str, Any]) -> Study:
    return shown(studies(_only(body), body), body)


def pins(body: Mapping[str, Any]) -> dict[str, Any]:
    """Put pinned variants beside the bet, each figure with how far it is from the bet's own."""
    here = _here(body)
    others: list[tuple[str, Study | None, str]] = []
    for number, pin in enumerate(body["pins"], 1):
        name = str(pin.get("name") or f"variant {number}")
        try:
            found = studies(_only(pin), {**body, "decks": str(here.shoe.decks), "meters": pin.get("meters")})
            others.append((name, found[0], ""))
        except InputError as error:
            others.append((name, None, str(error)))
    known = [(name, one) for name, one, _ in others if one is not None]
    return {
        "at": here.shoe.decks,
        "table": drawn.table(_side_by_side(here, known)),
        "problems": [f"{name}: {problem}" for name, _, problem in others if problem],
    }


def _side_by_side(here: Study, others: Sequence[tuple[str, Study]]) -> Table:
    columns = [Column("Figure"), Column("This bet", Style.DECIMAL)]
    for name, _ in others:
        columns += [Column(name, Style.DECIMAL), Column("difference", Style.DECIMAL)]
    rows: list[tuple[Cell, ...]] = []
    for key in _COMPARED:
        style = STYLES[key].style
        values = [headline(one, key) for one in (here, *(one for _, one in others))]
        rows.append((FIGURES[key].label, *_with_differences(values, style)))
    for name in dict.fromkeys(
        line.award.name for one in (here, *(one for _, one in others)) for line in one.analysis.lines
    ):
        lines = [_line(one, name) for one in (here, *(one for _, one in others))]
        pays = [str(line.award.pay) if line else None for line in lines]
        rows.append((f"{name}: pays", pays[0], *(cell for pay in pays[1:] for cell in (pay, None))))
        returns = [line.return_ if line else None for line in lines]
        rows.append((f"{name}: return", *_with_differences(returns, Style.DECIMAL)))
    return Table(tuple(columns), tuple(rows), f"With {here.shoe}")


def _line(one: Study, name: str) -> Any:
    return next((line for line in one.analysis.lines if line.award.name == name), None)


def _with_differences(values: Sequence[Any], style: Style) -> list[Cell]:
    """Put each value after the first with its difference from the first; roots differ by no fraction and have none."""
    first, *others = values
    cells: list[Cell] = [Styled(first, style)]
    for value in others:
        cells += [Styled(value, style), Styled(_difference(value, first), style)]
    return cells


def _difference(value: Any, first: Any) -> Any:
    try:
        return value - first
    except TypeError:
        return None


def meters(body: Mapping[str, Any]) -> dict[str, Any]:
    """Show what the meters do, run as the text says or as was typed beside it, and where they are an even bet."""
    analysis = _here({**body, "meters": ()}).analysis
    if not analysis.paytable.meters:
        return {"meters": [], "documents": []}
    values = {key: tuple(body.get(key) or ()) for key in ("seed", "rate", "reserve", "cap", "rate_after_cap")}
    system = system_of(analysis, Run(values, body.get("wager") or None))
    asked = MeterQuestion(meters=parse_meters(tuple(body.get("meters") or ()), [analysis.paytable]))
    if system is None:
        documents = [formula_note(analysis), unknown_break_even_document(analysis, asked)]
    else:
        from combinat.meters.hold import MeterFigures

        figures = MeterFigures(analysis, system)
        documents = [meter_document(figures, asked), break_even_document(figures, asked)]
    return {"meters": list(analysis.paytable.meters), "documents": [drawn.document(one) for one in documents]}


def option(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Work out what winnings that ride bring with the best choices, telling how far it is."""
    paytable = _only(body)
    if paytable.bet.option is None:
        raise InputError(f"{paytable.id} has no option: its winnings cannot ride on the hand")
    alone = _here(body)
    asked = PostedQuestion((), typed=table(body))
    found = study(paytable, alone.shoe, alone.analysis.meters, asked.table, asked.strategy, progress)
    return {"document": drawn.document(award_document(found))}


def long_run(body: Mapping[str, Any]) -> dict[str, Any]:
    """Show what to expect over many plays."""
    return {"section": drawn.section(expectation(Request(_here(body))))}
