"""The answer to `ledger`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Annotated, Any

from msgspec import Meta, Struct

from combinat.analysis.analysis import Analysis
from combinat.enumeration.outcomes import Outcome
from combinat.exact.surd import Exact
from combinat.results.answer import ANSWER_FORMAT, Answer, to_json_data
from combinat.results.html import MAX_ROWS, answer_html


class OutcomeListing(Struct, frozen=True):
    """All outcomes of a bet at a shoe, which `analysis` lists, and how many of them are wanted."""

    analysis: Analysis
    outcome_count: int | None
    """The number of all outcomes; `None` if they must be listed to know it."""
    limit: int | None

    @property
    def listed_count(self) -> int | None:
        """The number of listed outcomes; `None` if it is not known."""
        if self.outcome_count is None or self.limit is None:
            return self.outcome_count
        return min(self.outcome_count, self.limit)


class OutcomeAnswer(Answer, frozen=True, kw_only=True):
    """A class of equivalent outcomes: a representative hand, the ways of the class, and its award."""

    format: str = ANSWER_FORMAT
    hand: Annotated[
        dict[str, list[str]],
        Meta(description="The cards of each role; if roles do not matter, there is one role, `all cards`."),
    ]
    detail: Annotated[str, Meta(description="What else defines the class, such as the suits of a finished hand.")]
    ways: int
    probability: Fraction
    award: Annotated[str | None, Meta(description="The award; null if the hand loses.")]
    pays_text: str

    def __repr__(self) -> str:
        hand = "; ".join(f"{role}: {' '.join(cards)}" for role, cards in self.hand.items())
        return f"<{hand}: {self.ways:,} ways, {self.award or 'no award'}>"

    @classmethod
    def of(cls, outcome: Outcome, analysis: Analysis) -> OutcomeAnswer:
        """Build the answer from an outcome of an analyzed bet."""
        award = None if outcome.award is None else analysis.paytable.awards[outcome.award]
        return cls(
            hand={role: [str(card) for card in cards] for role, cards in outcome.roles},
            detail=outcome.detail,
            ways=outcome.ways,
            probability=Exact(outcome.ways, analysis.ways.cycle),
            award=award.name if award else None,
            pays_text=str(award.pay) if award else "loses",
        )


class LedgerAnswer:
    """All outcomes of a bet at a shoe, listed anew by each iteration since there may be millions.

    >>> from combinat import ledger
    >>> ledger("TRI-03", 6)
    <Ledger of TRI-03, 6 decks: 2,093 outcomes>
    >>> first = next(iter(ledger("TRI-03", 6)))
    >>> first, first.probability
    (<all cards: Qc Kc Ac: 864 ways, Mini royal>, Fraction(108, 626665))
    """

    def __init__(self, listing: OutcomeListing) -> None:
        self._listing = listing

    def __repr__(self) -> str:
        analysis, count = self._listing.analysis, self._listing.listed_count
        outcomes = "" if count is None else f": {count:,} outcomes"
        return f"<Ledger of {analysis.paytable.id}, {analysis.shoe}{outcomes}>"

    def _repr_html_(self) -> str:
        return answer_html({"outcomes": to_json_data(islice(self, MAX_ROWS))})

    def __eq__(self, other: object) -> bool:
        return self._listing == other._listing if isinstance(other, LedgerAnswer) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self._listing.analysis.paytable.id, self._listing.analysis.shoe))

    def __iter__(self) -> Iterator[OutcomeAnswer]:
        analysis = self._listing.analysis
        outcomes = analysis.paytable.experiment.outcomes(analysis.shoe.composition)
        return (OutcomeAnswer.of(outcome, analysis) for outcome in islice(outcomes, self._listing.limit))

    @property
    def decks(self) -> int:
        """The number of decks."""
        return self._listing.analysis.shoe.decks

    @property
    def cycle(self) -> int:
        """The number of equally likely hands; the ways of all outcomes add up to it."""
        return self._listing.analysis.ways.cycle

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the outcomes as JSON data."""
        return to_json_data(self)
