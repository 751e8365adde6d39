"""Outcomes of Lucky 9 rounds: the ledger, an example for each award, and the probability of awards by action."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from combinat.enumeration.lucky9.enumerator import LuckyRound, card_value, count_values
from combinat.enumeration.lucky9.round import HIT, SPLIT, STAND, Key, LuckyNineMatchup, LuckyNineRound
from combinat.enumeration.lucky9.rules import (
    CARD_VALUES,
    LUCKY,
    MAX_DEALER_DRAW_POINTS,
    LuckyNineRules,
    points,
    score_after_split,
    score_three_cards,
    score_two_cards,
)
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, Roles, StepColumn
from decks import Card, Composition

HAND_NAMES = ("first", "second", "third", "fourth")
"""Names of the hands of a split."""


def outcomes(experiment: LuckyRound, composition: Composition) -> Iterator[Outcome]:
    """Yield the outcomes of the best action for every hand and up card; the ways add up to the cycle."""
    best, awards = experiment.played(composition), experiment.awards
    table = LuckyNineRound(experiment.deal.rules, count_values(composition))
    for situation in best.situations:
        cards = _Cards(composition)
        player, up = (
            (cards.take(situation.cell.one), cards.take(situation.cell.other)),
            (cards.take(situation.cell.up),),
        )
        roles: Roles = (("player", player), ("up", up))
        cell_ways = table.ways(situation.cell)
        for key, ways in sorted(table.laws(situation.cell, (situation.best,))[situation.best].items()):
            if ways and key in awards:
                yield Outcome(roles, ways * cell_ways, awards[key], roles, _in_words(situation.best, key))


def _in_words(action: str, key: Key) -> str:
    tie = ", tie" if key.is_tie else ""
    return f"{action}, {key.units:+d} units, dealer has {key.dealer}{tie}"


def examples(experiment: LuckyRound, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return a likely round for each award."""
    best, awards = experiment.played(composition), experiment.awards
    table = LuckyNineRound(experiment.deal.rules, count_values(composition))
    most_likely: dict[int, tuple[int, LuckyNineMatchup, str, Key]] = {}
    for situation in best.situations:
        cell_ways = table.ways(situation.cell)
        for key, ways in table.laws(situation.cell, (situation.best,))[situation.best].items():
            award = awards.get(key)
            if award is not None and ways * cell_ways > most_likely.get(award, (0,))[0]:
                most_likely[award] = ways * cell_ways, situation.cell, situation.best, key
    outcomes: list[Outcome | None] = []
    for award in range(len(experiment.ladder.rules)):
        if award not in most_likely:
            outcomes.append(None)
            continue
        ways, cell, action, key = most_likely[award]
        roles = _deal_round(experiment.deal.rules, composition, cell, action, key)
        outcomes.append(Outcome(roles, ways, award, roles, _in_words(action, key)))
    return tuple(outcomes)


def derivation(experiment: LuckyRound, composition: Composition) -> Derivation:
    """Derive the probability of each award by action."""
    best, awards = experiment.played(composition), experiment.awards
    excluded = sum(best.law.get(key, 0) for key in experiment.parts.excluded)
    steps = []
    for action, law in best.ways.items():
        situation_count = sum(situation.best == action for situation in best.situations)
        by_award: dict[int | None, int] = {}
        for key, ways in law.items():
            if key in awards:
                by_award[awards[key]] = by_award.get(awards[key], 0) + ways
        steps += [
            DerivationStep(award, (action, situation_count, Fraction(ways, best.cycle - excluded)))
            for award, ways in by_award.items()
            if ways
        ]
    probabilities: dict[int | None, list[Fraction]] = {}
    for step in steps:
        probabilities.setdefault(step.award, []).append(Fraction(step.values[-1]))
    return Derivation(
        text="For each first hand and up card every action was compared exactly; given the dealer's finished hand, the "
        "cards that the player draws were counted by whether they make a hand win, push or lose. The hands of a split "
        "share the dealer's, so their results were counted together.",
        caption="The probability of each award, by what the player does",
        columns=(
            StepColumn("action", "Action", "text"),
            StepColumn("situations", "Hands and up cards", "count"),
            StepColumn("probability", "Probability", "significant"),
        ),
        steps=tuple(steps),
        totals=tuple(
            DerivationStep(award, ("", "", sum(values, Fraction(0))))
            for award, values in probabilities.items()
            if len(values) != 1
        ),
        all_hands=("", len(best.situations), sum((sum(values) for values in probabilities.values()), Fraction(0))),
        note="Hands and up cards: of how many first hands, by what the cards count, against how many up cards this is "
        "the best action.",
    )


class _Cards:
    """The cards of a composition by value, taken one by one with varying suits."""

    def __init__(self, composition: Composition) -> None:
        self.left: dict[int, list[Card]] = {kind: [] for kind in CARD_VALUES}
        ordered = sorted(
            ((copy, -card.suit, -card.rank), card) for card, copies in composition for copy in range(copies)
        )
        for _, card in ordered:
            self.left[card_value(card.rank)].append(card)

    def take(self, kind: int) -> Card:
        """Remove and return a card of this value."""
        return self.left[kind].pop(0)


class _Hands(NamedTuple):
    """The values of the cards that a player draws: a third card, or the cards of split hands."""

    drawn: tuple[int, ...]
    split: tuple[tuple[int, int], ...]


def _deal_round(
    rules: LuckyNineRules, composition: Composition, cell: LuckyNineMatchup, action: str, key: Key
) -> Roles:
    """Return the cards of a round with this outcome."""
    counts = list(count_values(composition))
    for kind in cell:
        counts[kind] -= 1
    hands, dealer = next(_iter_rounds(rules, counts, cell, action, key))
    cards = _Cards(composition)
    player, up = tuple(cards.take(kind) for kind in cell[:2]), (cards.take(cell.up),)
    roles: list[tuple[str, tuple[Card, ...]]] = [("player", player), ("up", up)]
    if hands.drawn:
        roles.append(("hit", tuple(cards.take(kind) for kind in hands.drawn)))
    pair_cards = list(player)
    for hand_name, (first_kind, second_kind) in zip(HAND_NAMES, hands.split, strict=False):
        first_card = pair_cards.pop(0) if pair_cards else cards.take(first_kind)
        roles.append((hand_name, (first_card, cards.take(second_kind))))
    roles += [(role, (cards.take(kind),)) for role, kind in zip(("hole", "draw"), dealer, strict=False)]
    return tuple(roles if not hands.split else roles[1:])


def _iter_rounds(
    rules: LuckyNineRules, counts: list[int], cell: LuckyNineMatchup, action: str, key: Key
) -> Iterator[tuple[_Hands, tuple[int, ...]]]:
    """Yield the rounds that have an outcome."""
    for dealer, score in _iter_dealer_hands(counts, cell.up):
        if points(score) != key.dealer:
            continue
        remaining = counts.copy()
        for kind in dealer:
            remaining[kind] -= 1
        if action == STAND:
            player_score = score_two_cards(cell.one, cell.other)
            if (player_score == LUCKY) == key.is_lucky and rules.standing[player_score][score] == key.units:
                yield _Hands((), ()), dealer
        elif action == HIT:
            for kind in CARD_VALUES:
                player_score = score_three_cards(cell.total, kind)
                same = (points(player_score) == key.dealer) == key.is_tie
                if remaining[kind] > 0 and same and rules.drawing[player_score][score] == key.units:
                    yield _Hands((kind,), ()), dealer
        else:
            max_hands = 2 if action == SPLIT else rules.hands
            for seconds in _iter_second_cards(rules, remaining, cell.one, score, max_hands, key.units, 2, ()):
                tied = (cell.one + seconds[0]) % 10 == key.dealer
                if tied == key.is_tie:
                    yield _Hands((), tuple((cell.one, kind) for kind in seconds)), dealer


def _iter_dealer_hands(counts: list[int], up: int) -> Iterator[tuple[tuple[int, ...], int]]:
    for hole in CARD_VALUES:
        score = score_two_cards(up, hole)
        if counts[hole] <= 0:
            continue
        if score > MAX_DEALER_DRAW_POINTS:
            yield (hole,), score
            continue
        for kind in CARD_VALUES:
            if counts[kind] > (kind == hole):
                yield (hole, kind), score_three_cards(score, kind)


def _iter_second_cards(
    rules: LuckyNineRules,
    remaining: list[int],
    split: int,
    score: int,
    max_hands: int,
    units: int,
    hands: int,
    seconds: tuple[int, ...],
) -> Iterator[tuple[int, ...]]:
    """Yield second cards, hand by hand, that win `units` units; pairs are split again while that is allowed."""
    if len(seconds) == hands:
        if units == 0:
            yield seconds
        return
    if abs(units) > max_hands - len(seconds):  # out of reach, even with as many hands as there may be
        return
    for kind in CARD_VALUES:
        if remaining[kind] <= 0:
            continue
        reduced = remaining.copy()
        reduced[kind] -= 1
        if kind == split and hands < max_hands:
            yield from _iter_second_cards(rules, reduced, split, score, max_hands, units, hands + 1, seconds)
        else:
            result = rules.standing[score_after_split(split, kind)][score]
            yield from _iter_second_cards(
                rules, reduced, split, score, max_hands, units - result, hands, (*seconds, kind)
            )
