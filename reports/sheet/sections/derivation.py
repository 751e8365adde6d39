"""The appendix that derives each count from first principles, read off the enumeration and the closed form."""

from __future__ import annotations

import re
from fractions import Fraction

from combinat.enumeration.fixed.derivation import derivations
from combinat.language.english import in_words
from reports.page.model import Cell, Column, Formula, Section, Style, Table
from reports.sheet.sections.request import Request


def derivation(request: Request) -> Section:
    """Derive the count of every award."""
    analysis = request.analysis
    if analysis.paytable.bet.deal.draw:
        return _by_cards_drawn(request)
    if not analysis.shoe.is_full:
        return Section(
            11,
            "Derivation",
            text=(
                "The shoe is not a number of full decks, so there is no formula in n: every hand was weighed by the "
                "cards that are left. The ledger lists the hands with their ways.",
            ),
        )
    return _by_shape(request)


def _by_shape(request: Request) -> Section:
    from reports.answers.formulas import formula_tables

    paytable, shoe = request.analysis.paytable, request.analysis.shoe
    columns = (
        Column("Award"),
        Column("Cards"),
        Column("Kinds of hand", Style.COUNT),
        Column("Ways of each from n decks"),
        Column(f"With n = {shoe.decks}"),
        Column("Ways", Style.COUNT),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in derivations(paytable, shoe):
        for step in one.steps:
            rows.append((one.name, step.cards, step.hands, _in_n(step.formula), step.numbers, step.ways))
        if len(one.steps) != 1:
            rows.append((f"{one.name}, in all", "", "", "", "", one.ways))
    rows.append(("all hands", "", "", "", "", request.analysis.ways.cycle))
    kinds = "orders of dealing" if paytable.apart else "sets of cards, whatever their order,"
    text = (
        "Each hand is one of a few patterns: all cards different, or one of them more than once. In n decks there are "
        f"n of every card. The kinds of hand are {kinds} among {paytable.bet.pack.size} different cards, counted one "
        "by one: those that fit the award and none above it. Times the ways of each they give the ways of the award.",
    )
    return Section(
        11,
        "Derivation",
        text=text,
        tables=(
            Table(columns, tuple(rows), "Ways from first principles", totals=1),
            *formula_tables(paytable, shoe.decks),
        ),
        notes=(
            "The closed forms are the sums of the patterns as polynomials in n, factored; with the number of decks put "
            "in they give the ways above.",
        ),
    )


def _in_n(formula: str) -> Formula:
    """Make a formula in n of its plain text."""
    signs = {"·": r" \cdot ", "÷": r" \div ", "−": "-"}
    latex = re.sub(r"C\(n,(\d)\)", r"\\binom{n}{\1}", formula)
    for sign, written in signs.items():
        latex = latex.replace(sign, written)
    return Formula(formula, latex)


def _by_cards_drawn(request: Request) -> Section:
    from combinat.enumeration.dealer.dealer_draw import DealerDraw
    from combinat.enumeration.dealer.outcomes import drawn_derivations

    paytable, shoe = request.analysis.paytable, request.analysis.shoe
    trial = paytable.experiment
    assert isinstance(trial, DealerDraw)  # the deal has a draw
    columns = (
        Column("Award"),
        Column("Cards", Style.COUNT),
        Column("Finished hands", Style.COUNT),
        Column("Orders", Style.COUNT),
        Column("Ways to draw them", Style.COUNT),
        Column("Probability", Style.SIGNIFICANT),
    )
    steps = drawn_derivations(paytable, trial, shoe.composition)
    inside = sum((Fraction(step.ways, step.of) for step in steps), Fraction(0))
    rows: list[tuple[Cell, ...]] = [
        (
            step.award.name if step.award else "no award",
            step.cards,
            step.hands,
            step.orders,
            step.ways,
            Fraction(step.ways, step.of) / inside,
        )
        for step in steps
    ]
    rows.append(("all hands", "", "", "", "", 1))
    given = ""
    if paytable.bet.given:
        condition = in_words(paytable.bet.given, paytable.bet.deal)
        given = f" Of all draws {inside} fit the condition ({condition}); probabilities are given that."
    text = (
        "The dealer's drawing rule ends with a finished hand; whether another card is drawn depends on the cards "
        "alone. So the finished hands are listed once, each with the number of orders in which it can be drawn. With c "
        "cards of a kind in a deck, n decks give cn(cn−1)… ways to draw so many of that kind one after the other: four "
        "of each rank, sixteen that are worth ten, one of each rank and suit. The product over the kinds, times the "
        f"orders, is the ways of a finished hand among {shoe.size}·{shoe.size - 1}·{shoe.size - 2}… ways to draw as "
        f"many cards.{given}",
    )
    return Section(
        11,
        "Derivation",
        text=text,
        tables=(Table(columns, tuple(rows), "Ways by the number of cards drawn", totals=1),),
        notes=("The command 'combinat formula' gives the chance of a bust for each up card as a closed form in n.",),
    )
