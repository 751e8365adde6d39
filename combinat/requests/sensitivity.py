"""The effect of each pay on the house edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from combinat.exact.interval import Limits, parse_interval
from combinat.requests.bets import TableRequest
from combinat.requests.request import Notify, Option
from combinat.results.sensitivity import SensitivityAnswer, pay_sensitivities
from combinat.study import Study


class Sensitivity(TableRequest[Sequence[Study], SensitivityAnswer], frozen=True, kw_only=True):
    """Compute how each pay affects the house edge.

    The answer has, for each award, the change of the edge per unit of pay, and the range of pays that keeps the edge
    within limits, for each deck count and for all together.
    """

    edge: Annotated[
        str | None,
        Option("Limits of the house edge: 3%..5%, ..5% or 3%.. (inclusive).", unit="percent", default="0%.."),
    ] = None

    @property
    def edge_limits(self) -> Limits | None:
        """The limits of the house edge; `None` if none are given."""
        return None if self.edge is None else parse_interval(self.edge, "--edge", percent=True)

    def answer(self, notify: Notify) -> Sequence[Study]:
        _ = self.edge_limits  # an error in the limits is reported before the count
        return self.studies(notify)

    def results(self, computed: Sequence[Study]) -> Sequence[SensitivityAnswer]:
        return [SensitivityAnswer.of(item) for item in pay_sensitivities(computed, self.edge_limits)]
