"""The source of a bet: clause, deck counts and wager requirements; the section of published figures and assumptions."""

from __future__ import annotations

from fractions import Fraction

from combinat.alternatives import AssumptionEffect
from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.basis import Basis
from combinat.bets.assumptions import Assumption
from combinat.bets.paytable import Published
from combinat.exact.numbers import format_percent
from combinat.finder.checks import NOT_A_CHECK, format_as_printed, is_check, published_figure, published_label
from combinat.results.flags import decks_text
from decks import Shoe
from reports.page.model import Cell, Column, Figure, Section, Table
from reports.sheet.sections.request import Request

FRESH_SHOE = Assumption(
    "Every round is dealt from a freshly shuffled shoe; every order of its cards is equally likely.",
    "assumption",
    "none before any card of the shoe is seen; once cards are seen, the edge of a round depends on them",
)
"""The assumption that all sheets share."""
_DECIMALS = 4


def source_figures(request: Request) -> tuple[Figure, ...]:
    """Return the source, its clause, the approved deck counts and the wager requirements."""
    paytable = request.analysis.paytable
    bet = paytable.bet
    requirements = [bet.requirements] if bet.requirements else []
    if paytable.requires and paytable.requires not in (bet.requirements or ""):
        requirements.append(f"a {paytable.requires} wager")
    return (
        Figure("Source", "; ".join(bet.sources) or "the bet's file; no other source is named"),
        *([Figure("Clause", paytable.clause)] if paytable.clause else []),
        Figure(_decks_label(request), _decks_text(request)),
        Figure("Wager requirements", " and ".join(requirements) or "none stated"),
    )


def assumptions_section(request: Request) -> Section:
    """Return the section with the published figures and every assumption."""
    published = published_tables(request.analysis)
    title = "Published figures and assumptions" if published else "Assumptions"
    return Section(title, key="assumptions", tables=(*published, assumptions_table(request)))


def _decks_label(request: Request) -> str:
    paytable = request.analysis.paytable
    if paytable.is_example or paytable.based_on is not None:
        return "Deck counts"
    return "Approved deck counts" if paytable.decks_clause else "Deck counts of the paytable"


def _decks_text(request: Request) -> str:
    paytable = request.analysis.paytable
    if paytable.is_example:
        return f"none are approved; this example can be computed for {paytable.decks_text}"
    if paytable.based_on is not None:
        return f"{paytable.decks_text}; none are approved for a variant"
    return f"{paytable.decks_text} ({paytable.decks_clause})" if paytable.decks_clause else paytable.decks_text


def assumptions_table(request: Request) -> Table:
    """Return every assumption with its origin and its effect on the house edge."""
    effects = (*request.assumption_effects, AssumptionEffect(FRESH_SHOE))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (effect.assumption.text, effect.assumption.origin_text, effect_text(effect, _basis_text(effect, request)))
        for effect in effects
    )
    edge = "hold" if request.analysis.paytable.meters else "house edge"
    columns = (Column("Assumption"), Column("Origin"), Column(f"Effect on the {edge}"))
    return Table(columns, rows, "Each assumption and its effect")


def _basis_text(effect: AssumptionEffect, request: Request) -> str:
    """Return the basis of the edge under an alternative, where the sheet has two."""
    alternative = effect.assumption.alternative
    if request.study.option is None or alternative is None:
        return ""
    return f", {Basis.BEST if alternative.table else Basis.WAGER}"


def effect_text(effect: AssumptionEffect, basis: str = "") -> str:
    """Return the effect of an assumption in words: as stated, or the edge under the alternative and its change."""
    alternative = effect.assumption.alternative
    if alternative is None:
        return effect.assumption.effect
    if effect.change is None:
        return f"{alternative.text}: not computed"
    change = "no change" if not effect.change else f"{_points(effect.change)} points"
    if effect.edge is None:
        return f"{alternative.text}: {change}"
    return f"{alternative.text}: {format_percent(effect.edge, _DECIMALS)}{basis} ({change})"


def _points(change: Fraction) -> str:
    """Format a change of a percentage in percentage points, with its sign."""
    return ("+" if change > 0 else "") + format_percent(change, _DECIMALS).removesuffix("%")


def published_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Return the published figures with the deck count they belong to, ours there, and ours on this sheet."""
    published = analysis.paytable.published
    if not published or not analysis.shoe.is_full:
        return ()
    columns = (
        *(Column(title) for title in ("Published figure", "Published", "For", "Ours there")),
        Column(f"Ours at {decks_text(analysis.shoe.decks)}"),
        Column("Result"),
    )
    return (Table(columns, tuple(_published_row(analysis, figure) for figure in published), "Published figures"),)


def _published_row(analysis: Analysis, published: Published) -> tuple[Cell, ...]:
    at_decks = (
        analysis
        if published.decks == analysis.shoe.decks
        else analyze_wager(analysis.paytable, Shoe(published.decks, analysis.shoe.pack), analysis.meters)
    )
    ours, here = published_figure(at_decks, published), published_figure(analysis, published)
    texts = [
        "depends on the meters" if value is None else format_as_printed(value, published) for value in (ours, here)
    ]
    return (
        published_label(published),
        published.text,
        decks_text(published.decks),
        *texts,
        published_result(at_decks, published),
    )


def published_result(analysis: Analysis, published: Published) -> str:
    """Return whether a published figure is reproduced at its deck count."""
    ours = published_figure(analysis, published)
    if ours is None:
        return "depends on the meters"
    agrees = format_as_printed(ours, published) == published.text
    if agrees and not is_check(analysis, published):
        return NOT_A_CHECK
    return "agrees" if agrees else "differs"
