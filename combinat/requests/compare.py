"""Paytables compared with the first one."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.requests.bets import TableRequest
from combinat.requests.request import Notify
from combinat.results.comparison import Comparison, ComparisonAnswer
from combinat.study import Study


class Compare(TableRequest[Sequence[Study], ComparisonAnswer], frozen=True, kw_only=True):
    """Compare paytables with the first one.

    The answer has the figures by deck count, their differences, which paytable is better for the player, and the
    awards side by side.
    """

    @property
    def keeps_originals(self) -> bool:
        return True

    def answer(self, notify: Notify) -> Sequence[Study]:
        return self.studies(notify)

    def results(self, computed: Sequence[Study]) -> Sequence[ComparisonAnswer]:
        return list(Comparison(computed).answers())
