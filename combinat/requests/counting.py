"""Card counting: the effect of removal of each card."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.blackjack.rules import BlackjackRules
from combinat.counting.removal import RemovalEffects as Effects
from combinat.counting.removal import removals
from combinat.enumeration.progress import report_progress
from combinat.requests.bets import TableRequest
from combinat.requests.request import Notify
from combinat.results.removal import RemovalAnswer
from combinat.study import EdgeOnly, Study, compute_edge_only
from decks import Shoe


class Removal(TableRequest[Sequence[Sequence[Effects]], RemovalAnswer], frozen=True, kw_only=True):
    """Compute the effect of removing each card on the house edge."""

    def answer(self, notify: Notify) -> Sequence[Sequence[Effects]]:
        return compute_removals(self.studies(notify), self.blackjack_rules, self.strategy)

    def results(self, computed: Sequence[Sequence[Effects]]) -> Sequence[RemovalAnswer]:
        return [RemovalAnswer.of(effects) for bases in computed for effects in bases]


def compute_removals(
    studies: Sequence[Study], rules: BlackjackRules | None, strategy: str
) -> Sequence[Sequence[Effects]]:
    """Return the effects of removal for every study, on each basis."""
    return [_removals(study, index, len(studies), rules, strategy) for index, study in enumerate(studies)]


def _removals(
    study: Study, index: int, study_count: int, rules: BlackjackRules | None, strategy: str
) -> Sequence[Effects]:
    def progress(done: int, total: int) -> None:
        report_progress(index * total + done, study_count * total)

    def edge_at(shoe: Shoe) -> EdgeOnly:
        return compute_edge_only(study.paytable, shoe, study.analysis.meters, rules, strategy)

    effects = removals(study, edge_at, progress)
    if study.option is None:  # it reports no progress of its own
        progress(1, 1)
    return effects
