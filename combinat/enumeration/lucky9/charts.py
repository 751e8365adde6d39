"""The best play as a reader sees it: strategy charts, what a simpler strategy costs, and how the rules are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.decision import Chart, PlayFigure
from combinat.enumeration.lucky9.deal import MAIN, LuckyNine
from combinat.enumeration.lucky9.playing import Played, Situation, Worth, name_of, played
from combinat.enumeration.lucky9.round import CELLS, HIT, RESPLIT, SPLIT, STAND, Cell, Counts
from combinat.enumeration.lucky9.scoring import KINDS
from combinat.enumeration.lucky9.simple import AS_TOTAL, SimpleStrategy, simple_strategy
from combinat.exact.amounts import decimal_text
from combinat.language.deal import SMALL_NUMBERS

LETTERS = {STAND: "S", HIT: "H", SPLIT: "P", RESPLIT: "R", AS_TOTAL: "–"}
IN_WORDS = {STAND: "stand", HIT: "hit", SPLIT: "split once", RESPLIT: "split, and again whenever a hand pairs"}
UP_CARDS = (*KINDS[1:], 0)
"""Aces first, tens last."""
ACROSS = tuple(map(name_of, UP_CARDS))


class LuckyPlay(Struct, frozen=True, dict=True):
    """The best play from a shoe, for the main wager or with a stake on the Tie."""

    deal: LuckyNine
    played: Played
    counts: Counts

    @property
    def basis(self) -> str:
        """Say what the play is best for."""
        if self.deal.tie_stake:
            return "best play of both wagers"
        return "best play" if self.deal.wager == MAIN else "best play of the main wager"

    @property
    def decisions(self) -> tuple[Situation, ...]:
        """Every hand and up card, with the value of each action."""
        return self.played.situations

    @cached_property
    def simple(self) -> SimpleStrategy:
        """The best strategy by totals and pairs."""
        return simple_strategy(self.played)

    @property
    def figures(self) -> tuple[PlayFigure, ...]:
        """What both wagers lose so played, what the simple strategy costs, and what the play for both gains."""
        aim, best = self.played.aim, self.played.mean()
        simple = self.played.mean(self.simple.policy)
        found = [
            *_edges("", "", best),
            *_edges("simple_", " with the simple strategy", simple),
            PlayFigure(
                "simple_cost",
                "Cost of the simple strategy, for one unit on the main wager",
                best.together(aim) - simple.together(aim),
            ),
        ]
        if aim.tie_stake:
            alone = played(replace(aim, tie_stake=Fraction(0)), self.counts).mean()
            found += [
                *_edges("alone_", " if played for the main wager alone", alone),
                PlayFigure(
                    "tie_play_gain",
                    "Gain from the play for both, for one unit on the main wager",
                    best.together(aim) - alone.together(aim),
                ),
                PlayFigure(
                    "both_edge",
                    "House edge of both wagers, of what is staked before the deal",
                    -best.together(aim) / (1 + aim.tie_stake),
                ),
            ]
        return tuple(found)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The best play by the very cards, what it is worth, and the simple strategy."""
        return (
            Chart("Best play, by hand and dealer's up card", "Hands", ACROSS, tuple(self._alike())),
            self._values("What the best play wins on average, for one unit: hands without a pair", pairs=False),
            self._values("What the best play wins on average, for one unit: pairs", pairs=True),
            self._by_kind("The simple strategy, by total and dealer's up card", "Total", self.simple.by_total, str),
            self._by_kind("The simple strategy, pairs to split", "Pair", self.simple.pairs, _pair),
        )

    @cached_property
    def _hands(self) -> dict[tuple[int, int], list[Situation | None]]:
        """For each hand that the shoe can give, by its total, the situations against all up cards."""
        found = {one.cell: one for one in self.played.situations}
        hands = sorted({cell[:2] for cell in CELLS}, key=lambda hand: (sum(hand) % 10, hand[0] == hand[1], hand))
        rows = {hand: [found.get(Cell(*hand, up)) for up in UP_CARDS] for hand in hands}
        return {hand: row for hand, row in rows.items() if any(row)}

    def _alike(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Give what to do, hands of one total that are played alike in one row."""
        rows: dict[tuple[int, tuple[str, ...]], list[str]] = {}
        for (one, other), found in self._hands.items():
            letters = tuple("" if cell is None else LETTERS[cell.best] for cell in found)
            rows.setdefault(((one + other) % 10, letters), []).append(f"{name_of(one)}-{name_of(other)}")
        for (_, letters), names in rows.items():
            yield ", ".join(names), letters

    def _values(self, caption: str, *, pairs: bool) -> Chart:
        rows = [
            (
                f"{name_of(one)}-{name_of(other)}",
                tuple("" if cell is None else cell.values[cell.best] for cell in found),
            )
            for (one, other), found in self._hands.items()
            if (one == other) is pairs
        ]
        return Chart(caption, "Hand", ACROSS, tuple(rows))

    def _by_kind(self, caption: str, down: str, found: dict[tuple[int, int], str], name: Callable[[int], str]) -> Chart:
        rows = [
            (name(kind), tuple(LETTERS[found[kind, up]] if (kind, up) in found else "" for up in UP_CARDS))
            for kind in KINDS
            if any((kind, up) in found for up in UP_CARDS)
        ]
        return Chart(caption, down, ACROSS, tuple(rows))

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what the letters mean and among which plays this is the best."""
        used = {action for one in self.played.situations for action in one.values}
        letters = "; ".join(f"{LETTERS[action]}: {words}" for action, words in IN_WORDS.items() if action in used)
        stake = self.deal.tie_stake
        both = (
            f" It is the best for a unit on the main wager and {decimal_text(stake)} on the Tie together, and values "
            "are those of both."
            if stake
            else " It is the best for the main wager; a Tie beside it does not change it."
        )
        return (
            f"{letters}. 10 stands for tens and faces, a dash in the chart of pairs for playing it by its total.",
            "The play is the best among those that look at the own two cards and the dealer's up card. Whether a hand "
            f"of a split that pairs again is split again is decided for each pair and up card: always or never.{both}",
        )


def _edges(key: str, how: str, worth: Worth) -> tuple[PlayFigure, PlayFigure]:
    """Give what the house keeps of both wagers."""
    return (
        PlayFigure(f"{key}main_edge", f"House edge of the main wager{how or ', so played'}", -worth.main),
        PlayFigure(f"{key}tie_edge", f"House edge of the Tie{how or ', so played'}", -worth.tie),
    )


def _pair(kind: int) -> str:
    return f"{name_of(kind)}-{name_of(kind)}"


def assumptions(deal: LuckyNine) -> tuple[str, ...]:
    """Say how the round goes, and how the rules are read where the source leaves them open."""
    most = SMALL_NUMBERS[deal.most_hands]
    splits = (
        f"splits two cards of equal points, to {most} hands at most, each of which gets one more card and cannot hit"
        if deal.most_hands > 1
        else "cannot split"
    )
    return (
        "Cards count their points, ace 1, tens and faces 0, and a hand the last digit of its sum. With two cards and "
        f"the dealer's up card in view the player stands, hits once, or {splits}. The dealer draws one card with a "
        "two-card total of 4 or less and stands with 5 or more.",
        "The higher total wins even money, equal totals push. Each hand of a split is a wager of its own of the same "
        "amount; results are in units of the first wager, so that a round can win or lose several. What comes back of "
        "an award is its result and the first wager; wagers that splits add are put down and come back beside it.",
        f"Two 9s: {_words(deal, 'nines')}. {_words(deal, 'qualify').capitalize()}. A Lucky 9, the first two cards "
        f"making 9 without a ten-valued card, wins {_words(deal, 'lucky_pays')}; after a split a 9 pays even money"
        " and is no Lucky 9.",
        "The Tie pays when the totals are equal. Reading: it pays also where the player's hand does not qualify, so "
        "that the main wager loses, and where a Lucky 9 beats a three-card 9; after a split it stands with the hand of "
        "the first card, which is finished before the others.",
    )


def _words(deal: LuckyNine, key: str) -> str:
    return next(chosen.in_words for chosen in deal.settings if chosen.setting.key == key)
