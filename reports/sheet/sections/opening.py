"""First sections of a sheet: headline figures, signatures, rules and assumptions."""

from __future__ import annotations

from msgspec.structs import replace

from combinat.analysis.outlook import CONFIDENCE, Z, volatility_index
from combinat.bets.export import describe_award
from combinat.exact.interval import Span
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from combinat.language.english import describe_rule
from combinat.study import Study
from reports.page.figures import STYLES, page_figures
from reports.page.model import Cell, Column, Figure, Hand, Section, Table
from reports.page.numerals import format_fixed
from reports.sheet.sections.request import Request
from reports.tables.awards import AWARDS, PAYS, TRUE_ODDS, added_rules_table, hold_figures, ladder_table
from reports.tables.decisions import settings_table
from reports.tables.headings import meter_units, published_notes

TOP_AWARD = "top_award"
"""Key of the top award, as text."""


def headline_figures(request: Request) -> tuple[Figure, ...]:
    """Return the headline figures."""
    study, analysis = request.study, request.analysis
    figures: list[Figure] = []
    if analysis.paytable.meters:  # the hold comes first, since the edge depends on the meter amounts
        figures += [*hold_figures(study), *page_figures(study, "fixed_return")]
    figures += page_figures(study, "house_edge", "return", "hit_frequency")
    figures += page_figures(study, *(["push_rate"] if analysis.push_rate else []))
    if study.result is not None and study.result.spread is not None:
        deviation = study.result.standard_deviation
        figures.append(_basis_figure(study, "standard_deviation", deviation))
        key = f"volatility_index_{CONFIDENCE * 100}"
        figures.append(_basis_figure(study, key, volatility_index(deviation), f" (z {format_fixed(Z[CONFIDENCE], 6)})"))
    top = analysis.top
    figures.append(Figure("Top award", f"{top.award.name}, {top.award.pay}", key=TOP_AWARD))
    top_award_odds = page_figures(study, "top_award_one_in") or (_impossible("top_award_one_in"),)
    return (*figures, *top_award_odds)


def _basis_figure(study: Study, key: str, value: Surd | Span | None, suffix: str = "") -> Figure:
    """Return a figure of a result, labeled with its basis if the bet has several."""
    basis = f", {study.results[0].basis}" if len(study.results) > 1 else ""
    basis = f", best {study.option.kind}" if study.option is not None else basis
    return Figure(f"{FIGURES[key].label}{basis}{suffix}", value, STYLES[key].style, key, str(study.results[0].basis))


def _impossible(key: str) -> Figure:
    return Figure(FIGURES[key].label, "impossible", STYLES[key].style)


def headline_section(request: Request) -> Section:
    """Return the headline section: summary figures, awards, and published figures."""
    notes = published_notes(request.analysis)
    amounts = [f"{name} at {format_decimal(value)}" for name, value in request.analysis.meters.items()]
    notes += [f"With {', '.join(amounts)}."] * bool(amounts)
    notes += meter_units([request.analysis])
    awards = replace(ladder_table(request.analysis).without(TRUE_ODDS), totals=1)
    return Section("Headline", key="headline", figures=headline_figures(request), tables=(awards,), notes=tuple(notes))


def signatures_section(request: Request) -> Section:
    """Return the section that identifies the document and leaves room for signatures."""
    identity = request.identity
    return Section(
        "Signatures",
        key="signatures",
        figures=(
            Figure("Document", request.document_number),
            Figure("Revision", identity.revision),
            *((Figure("Jurisdiction", identity.jurisdiction),) if identity.jurisdiction else ()),
            Figure("Date", identity.date),
            Figure("Prepared by", identity.prepared_by),
            Figure("Reviewed by", identity.reviewed_by),
        ),
    )


def rules_section(request: Request) -> Section:
    """Return the section with the rules in words, the assumptions, and an example hand for each award."""
    analysis = request.analysis
    paytable = analysis.paytable
    bet = paytable.bet
    cards = bet.deal.description(paytable.roles_distinct)
    text = [
        f"The bet looks at {cards}. It is made {bet.made} and settled {bet.settled}.",
        paytable.settlement.description,
        f"The cards come from {analysis.shoe}, freshly shuffled: every order of the cards is equally likely.",
    ]
    if bet.given:
        text.append(
            f"The bet is made only if this holds: {describe_rule(bet.given, bet.deal)}. "
            "All probabilities are given that."
        )
    if paytable.requires:
        text.append(f"It may only be bet together with {paytable.requires}.")
    text += paytable.experiment.assumptions()
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            describe_award(line.award, paytable),
            Hand(example.dealt) if example else "impossible",
            str(line.award.pay),
        )
        for line, example in zip(analysis.lines, request.study.examples, strict=True)
    ]
    columns = (Column("Award"), Column("What it takes"), Column("Such as"), Column("Pays", key=PAYS.key))
    return Section(
        "Rules and assumptions",
        key="rules",
        text=tuple(text),
        tables=(
            *([added_rules_table(paytable)] if paytable.parts else []),
            Table(columns, tuple(rows), "Awards, highest first, with a hand that takes each", key=AWARDS),
            *([settings_table(bet.deal.settings)] if bet.deal.settings else []),
        ),
        notes=(*bet.notes, *paytable.notes),
    )
