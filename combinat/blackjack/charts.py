"""Basic strategy: published charts as a strategy that depends on the total or pair and the up card only."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from combinat.blackjack.exact.stand import Figures
from combinat.blackjack.hands import ACE, NAMES, TEN, Hand, is_soft, pair_index, total
from combinat.blackjack.rules import Action, BlackjackRules

_FILE = Path(__file__).with_name("charts.toml")
COLUMNS = (*range(1, TEN + 1), ACE)
"""Up cards in the order of a chart's columns, from two to ace."""
_ACTIONS_BY_LETTER = {
    "H": (Action.HIT,),
    "S": (Action.STAND,),
    "D": (Action.DOUBLE, Action.HIT),
    "DS": (Action.DOUBLE, Action.STAND),
    "P": (Action.SPLIT,),
}


def chart_order(ups: Sequence[int]) -> list[int]:
    """Return the indices of up cards in the order of a chart's columns.

    >>> chart_order((ACE, 1, TEN))
    [1, 2, 0]
    """
    return [ups.index(up) for up in COLUMNS if up in ups]


class BasicChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One chart: rows by hard total, soft total and pair; the cells of a row follow `COLUMNS`."""

    decks: tuple[int, int]
    hits_soft_17: bool
    hard: dict[str, str]
    soft: dict[str, str]
    pairs: dict[str, str]
    pairs_no_das: dict[str, str]
    surrender: dict[str, str]

    def preferences(self, hand: Hand, up: int, double_after_split: bool) -> tuple[Action, ...]:
        """Return the chart's actions for a hand in order of preference.

        >>> chart = chart_for(6, BlackjackRules())
        >>> [str(action) for action in chart.preferences((0, 0, 0, 0, 0, 0, 0, 2, 0, 0), ACE, True)]
        ['surrender', 'split', 'hit']
        """
        column = COLUMNS.index(up)
        best_total = total(hand)
        actions: list[Action] = []
        pair = pair_index(hand)
        if self._surrenders(hand, pair, up):
            actions.append(Action.SURRENDER)
        if pair is not None:
            rows = self.pairs | ({} if double_after_split else self.pairs_no_das)
            row = rows.get(NAMES[pair])
            if row is not None:
                actions += _ACTIONS_BY_LETTER[row.split()[column]]
        row = (self.soft if is_soft(hand) else self.hard).get(str(best_total))
        # Totals without a row are always hit if below 12, else always stood on.
        actions += (
            _ACTIONS_BY_LETTER[row.split()[column]]
            if row is not None
            else (_ACTIONS_BY_LETTER["H"] if best_total < 12 else _ACTIONS_BY_LETTER["S"])
        )
        return tuple(actions)

    def _surrenders(self, hand: Hand, pair: int | None, up: int) -> bool:
        """Return whether the chart surrenders; a pair surrenders only if the chart has a row for that pair."""
        if sum(hand) != 2 or is_soft(hand):
            return False
        pair_name = f"{NAMES[pair]}-{NAMES[pair]}" if pair is not None else ""
        up_names = self.surrender.get(pair_name, "" if pair is not None else self.surrender.get(str(total(hand)), ""))
        return NAMES[up] in up_names.split()


class _Charts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    charts: tuple[BasicChart, ...]


@lru_cache(maxsize=1)
def load_charts() -> _Charts:
    """Load the charts and their source."""
    return msgspec.convert(tomllib.loads(_FILE.read_text(encoding="utf-8")), _Charts)


def chart_for(decks: int, rules: BlackjackRules) -> BasicChart:
    """Return the chart for a number of decks and the soft-17 rule.

    >>> chart_for(1, BlackjackRules()).hard["8"]
    'H H H D D H H H H H'
    """
    return next(
        chart
        for chart in load_charts().charts
        if chart.decks[0] <= decks <= chart.decks[1] and chart.hits_soft_17 == rules.hits_soft_17
    )


def charts_payload(rules: BlackjackRules) -> list[dict[str, Any]]:
    """Return the charts for the soft-17 rule, for every number of decks, as JSON data.

    >>> [chart["decks"] for chart in charts_payload(BlackjackRules())]
    [[3, 100], [2, 2], [1, 1]]
    """
    matching_charts = [chart for chart in load_charts().charts if chart.hits_soft_17 == rules.hits_soft_17]
    rows = ("hard", "soft", "pairs", "pairs_no_das", "surrender")
    return [
        {"decks": list(chart.decks), **{key: dict(getattr(chart, key)) for key in rows}} for chart in matching_charts
    ]


class ChartStrategy:
    """The strategy of a chart, against the up cards `ups`."""

    def __init__(self, decks: int, rules: BlackjackRules, ups: Sequence[int]) -> None:
        self._chart = chart_for(decks, rules)
        self._double_after_split = rules.double_after_split
        self._ups = tuple(ups)

    def choose(self, hand: Hand, figures_by_action: Mapping[Action, Figures]) -> list[Action]:
        """Choose, for each up card, the chart's first preference among the allowed actions."""
        return [
            next(
                action
                for action in self._chart.preferences(hand, up, self._double_after_split)
                if action in figures_by_action
            )
            for up in self._ups
        ]
