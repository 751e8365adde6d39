"""The figures of bets."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.requests.bets import TableRequest
from combinat.requests.request import Notify
from combinat.results.analysis import AnalysisAnswer
from combinat.study import Study


class Analyze(TableRequest[Sequence[Study], AnalysisAnswer], frozen=True, kw_only=True):
    """Compute the awards and figures of bets.

    With several deck counts or bets, the answer has one row for each. The options on splits, doubles and strategy are
    for bets whose winnings can be parlayed on the blackjack hand.
    """

    def answer(self, notify: Notify) -> Sequence[Study]:
        return self.studies(notify)

    def results(self, computed: Sequence[Study]) -> Sequence[AnalysisAnswer]:
        return [AnalysisAnswer.of(study) for study in computed]
