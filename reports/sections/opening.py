"""The opening of a sheet: what it is, what it comes to, and which rules and assumptions it rests on."""

from __future__ import annotations

from combinat.amounts import decimal_text
from combinat.deal import DRAWS
from combinat.long_run import CONFIDENCE, Z, volatility_index
from combinat.wording import in_words
from reports.documents import dealt, edge_figures, hold_figures, meter_units, published_notes
from reports.model import Cell, Column, Figure, Hand, Section, Style, Table
from reports.numerals import decimal
from reports.sections.request import Request


def identification(request: Request, data_sha256: str) -> Section:
    """Say which document this is, of which bet, made from what, by what and by whom."""
    analysis, identity = request.analysis, request.identity
    paytable, shoe = analysis.paytable, analysis.shoe
    removed = f", less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""
    return Section(
        1,
        "Identification",
        figures=(
            Figure("Game", paytable.bet.game),
            Figure("Bet", paytable.bet.name),
            Figure("Paytable", paytable.id),
            Figure("Decks", f"{shoe.decks} of {shoe.pack.size} cards, {shoe.size:,} cards in all{removed}"),
            Figure("Designed for", paytable.decks_text),
            Figure("Source", "; ".join(paytable.bet.sources) or "the bet's file itself"),
            *((Figure("Jurisdiction", identity.jurisdiction),) if identity.jurisdiction else ()),
            Figure("Document", request.document_number),
            Figure("Revision", identity.revision),
            Figure("Date", identity.date),
            Figure("Prepared by", identity.prepared_by),
            Figure("Reviewed by", identity.reviewed_by),
            Figure("Software", request.software),
            Figure("SHA-256 of the bet's file", request.input_sha256),
            Figure("SHA-256 of this sheet's data", data_sha256),
        ),
        notes=(
            "The fingerprint of the data is that of the JSON sheet with its keys sorted, without spaces, "
            "and without the fingerprint itself.",
        ),
    )


def headline(request: Request) -> tuple[Figure, ...]:
    """List the figures that sum the sheet up."""
    analysis = request.analysis
    if analysis.paytable.meters:  # what the house keeps is told by the hold; the edge moves with the meters
        fixed = Figure("Return of the fixed pays", analysis.fixed_return, Style.PERCENT)
        figures = [*hold_figures(analysis), fixed, *edge_figures(analysis)]
    else:
        figures = [*edge_figures(analysis)]
    figures.append(Figure("Hit frequency", analysis.hit_frequency, Style.PERCENT))
    if analysis.push_rate:
        figures.append(Figure("Push rate", analysis.push_rate, Style.PERCENT))
    settled = request.settled
    if settled is not None:
        figures.append(Figure("Standard deviation", settled.standard_deviation, Style.DECIMAL))
        label = f"Volatility index, {CONFIDENCE * 100}% (z {decimal(Z[CONFIDENCE], 6)})"
        figures.append(Figure(label, volatility_index(settled), Style.DECIMAL))
    top = analysis.top
    figures.append(Figure("Top award", f"{top.award.name}, {top.award.pay}"))
    figures.append(Figure("Top award: once in", top.one_in if top.is_possible else "impossible", Style.ODDS))
    return tuple(figures)


def headline_section(request: Request) -> Section:
    """Sum the sheet up, with what the sources print."""
    notes = published_notes(request.analysis)
    if request.settled is not None and request.settled is not request.analysis:
        notes.append("The standard deviation and the volatility index are those with the meters at their seeds.")
    given = [f"{name} at {decimal_text(value)}" for name, value in request.analysis.meters.items()]
    notes += [f"With {', '.join(given)}."] * bool(given)
    notes += meter_units([request.analysis])
    return Section(2, "Headline", figures=headline(request), notes=tuple(notes))


def rules(request: Request) -> Section:
    """Say in words what is bet on and what is taken for granted, with a hand for each award."""
    analysis = request.analysis
    paytable = analysis.paytable
    bet = paytable.bet
    text = [
        f"The bet looks at {dealt(bet.deal, paytable.apart)}. It is made {bet.made} and settled {bet.settled}.",
        "A hand takes the first award of the table that it fits, and no other; what fits none loses the wager.",
        f"The cards come from {analysis.shoe}, freshly shuffled: every order of the cards is equally likely.",
    ]
    if bet.given:
        text.append(
            f"The bet is made only if this holds: {in_words(bet.given, bet.deal)}. All probabilities are given that."
        )
    if bet.deal.draw:
        text.append(f"The dealer {DRAWS[bet.deal.draw]} and draws by that rule alone, whatever the players do.")
    if paytable.requires:
        text.append(f"It may only be bet together with {paytable.requires}.")
    if paytable.apart and not bet.deal.draw:
        text.append("Hands are told apart by who holds which cards.")
    elif not bet.deal.draw:
        text.append("The order of the cards and who holds which do not matter, so hands are counted as combinations.")
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            in_words(line.award.rule, bet.deal),
            Hand(example.dealt(bet.deal)) if example else "impossible",
            str(line.award.pay),
        )
        for line, example in zip(analysis.lines, request.examples, strict=True)
    ]
    columns = (Column("Award"), Column("What it takes"), Column("Such as"), Column("Pays"))
    return Section(
        3,
        "Rules and assumptions",
        text=tuple(text),
        tables=(Table(columns, tuple(rows), "Awards, highest first, with a hand that takes each"),),
        notes=(*bet.notes, *paytable.notes),
    )
