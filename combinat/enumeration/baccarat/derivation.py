"""The count of each award by the number of cards that are dealt."""

from __future__ import annotations

from fractions import Fraction
from math import perm

from combinat.enumeration.baccarat.coup_counts import CoupCounts, check_size
from combinat.enumeration.outcomes import Derivation, Step, StepColumn
from combinat.enumeration.row_numbers import total_over
from combinat.language.english import in_words
from decks import Shoe

_FINISHED = (
    "Whether third cards are drawn depends on the cards alone, so coups of four, five and six cards are listed once."
)
_FIRST = "No award looks at more than the first two cards of both hands, so that these four are all that is listed."


def derivation(trial: CoupCounts, shoe: Shoe) -> Derivation:
    """Derive the count of every award, and of coups that win nothing, by the number of cards."""
    composition = shoe.composition
    check_size(composition)
    totals: dict[tuple[int | None, int], list[int]] = {}
    for judged in trial.judged(trial.renamings_at(composition)):
        digits = trial.weights(judged, composition)
        for award, rows in (*enumerate(judged.rows.wins), (None, judged.rows.losing)):
            if ways := total_over(rows, digits):
                total = totals.setdefault((award, len(judged.coups.places)), [0, 0])
                total[0] += rows.bit_count()
                total[1] += judged.size * ways
    counted = [
        (award, (cards, kinds, ways), Fraction(ways, perm(composition.size, cards)))
        for (award, cards), (kinds, ways) in sorted(totals.items(), key=lambda item: (item[0][0] is None, item[0]))
    ]
    inside = sum((chance for _, _, chance in counted), Fraction(0))
    given = trial.ladder.given
    condition = (
        f" Of all coups {inside} fit the condition ({in_words(given, trial.deal)}); probabilities are given that."
        if given
        else ""
    )
    size = composition.size
    return Derivation(
        text=f"{_FINISHED if trial.is_finished else _FIRST} Kinds of coup are the ranks of the cards, as far as awards "
        "tell ranks and suits apart, the first two of a hand in no order. With c cards of a kind in a deck, n decks "
        "give cn(cn−1)… ways to draw so many of that kind one after the other: four of each rank, sixteen without "
        "points, one of each rank and suit. The product over the kinds, times the orders of the first two cards, is "
        f"the ways of a coup among {size}·{size - 1}·{size - 2}… ways to draw as many cards; times the ways in which "
        f"the cards after it can lie, up to six, it is a part of the ways of its award.{condition}",
        caption="Ways by the number of cards",
        columns=(
            StepColumn("cards", "Cards", "count"),
            StepColumn("hands", "Kinds of coup", "count"),
            StepColumn("ways", "Ways to draw them", "count"),
            StepColumn("probability", "Probability", "significant"),
        ),
        steps=tuple(Step(award, (*values, chance / inside)) for award, values, chance in counted),
        all_hands=("", "", "", 1),
        is_closed_form=shoe.is_full,
        note="The closed forms are the sums over all coups as polynomials in n, factored; with the number of decks put "
        "in they give the ways of the awards."
        if shoe.is_full
        else "",
    )
