"""What the page's panels show: meters, what winnings that ride bring, many plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combinat.bets.paytable import Paytable
from combinat.bets.run_meters import Run, system_of
from combinat.enumeration.decision import Progress
from combinat.study import Study, study
from decks import InputError
from reports.answers.meters import formula_note, meter_document, unknown_break_even_document
from reports.answers.show import award_document
from reports.cli.arguments import parse_meters
from reports.sheet.sections.outlook import expectation
from reports.sheet.sections.request import Request
from reports.studio import drawn
from reports.studio.posted import PostedQuestion, question, table
from reports.studio.view import shown, studies
from reports.tables.meters import Question as MeterQuestion


def only(body: Mapping[str, Any]) -> Paytable:
    """Give the paytable that the page is at."""
    asked = question({"bets": [{"toml": body["toml"], "paytable": body.get("paytable")}]})
    return asked.resolved(asked.arguments[0])[0]


def here(body: Mapping[str, Any]) -> Study:
    """Give the wager alone at the deck count that the page is at."""
    return shown(studies(only(body), body), body)


def meters(body: Mapping[str, Any]) -> dict[str, Any]:
    """Show what the meters do, run as the text says or as was typed beside it, and where they are an even bet."""
    analysis = here({**body, "meters": ()}).analysis
    if not analysis.paytable.meters:
        return {"meters": [], "documents": []}
    values = {key: tuple(body.get(key) or ()) for key in ("seed", "rate", "reserve", "cap", "rate_after_cap")}
    system = system_of(analysis.paytable, analysis.shoe.decks, Run(values, body.get("wager") or None))
    asked = MeterQuestion(meters=parse_meters(tuple(body.get("meters") or ()), [analysis.paytable]))
    if system is None:
        documents = [formula_note(analysis), unknown_break_even_document(analysis, asked)]
    else:
        from combinat.meters.hold import MeterFigures

        figures = MeterFigures(analysis, system)
        documents = [meter_document(figures, asked)]
    return {"meters": list(analysis.paytable.meters), "documents": [drawn.document(one) for one in documents]}


def option(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Work out what winnings that ride bring with the best choices, telling how far it is."""
    paytable = only(body)
    if paytable.bet.option is None:
        raise InputError(f"{paytable.id} has no option: its winnings cannot ride on the hand")
    alone = here(body)
    asked = PostedQuestion((), typed=table(body))
    found = study(paytable, alone.shoe, alone.analysis.meters, asked.table, asked.strategy, progress)
    return {"document": drawn.document(award_document(found))}


def long_run(body: Mapping[str, Any]) -> dict[str, Any]:
    """Show what to expect over many plays."""
    return {"section": drawn.section(expectation(Request(here(body))))}
