"""Outcomes of Lucky 9 rounds: the ledger, an example for each award, and the probability of awards by action."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from combinat.enumeration.lucky9.enumerator import LuckyEnumerator, card_value, count_values
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


def iter_round_outcomes(enumerator: LuckyEnumerator, composition: Composition) -> Iterator[Outcome]:
    """Yield the outcomes of the best action for every hand and up card; the ways add up to the cycle."""
    best, awards = enumerator.solve(composition), enumerator.awards
    table = LuckyNineRound(enumerator.deal.rules, count_values(composition))
    for decision in best.decisions:
        cards = _Cards(composition)
        player, up = (
            (cards.take(decision.matchup.first), cards.take(decision.matchup.second)),
            (cards.take(decision.matchup.up),),
        )
        roles: Roles = (("player", player), ("up", up))
        matchup_ways = table.ways(decision.matchup)
        for key, ways in sorted(table.ways_by_action(decision.matchup, (decision.best,))[decision.best].items()):
            if ways and key in awards:
                yield Outcome(roles, ways * matchup_ways, awards[key], roles, _in_words(decision.best, key))


def _in_words(action: str, key: Key) -> str:
    tie = ", tie" if key.is_tie else ""
    return f"{action}, {key.units:+d} units, dealer has {key.dealer}{tie}"


def round_examples(enumerator: LuckyEnumerator, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return a likely round for each award."""
    best, awards = enumerator.solve(composition), enumerator.awards
    table = LuckyNineRound(enumerator.deal.rules, count_values(composition))
    most_likely: dict[int, tuple[int, LuckyNineMatchup, str, Key]] = {}
    for decision in best.decisions:
        matchup_ways = table.ways(decision.matchup)
        for key, ways in table.ways_by_action(decision.matchup, (decision.best,))[decision.best].items():
            award_index = awards.get(key)
            if award_index is not None and ways * matchup_ways > most_likely.get(award_index, (0,))[0]:
                most_likely[award_index] = ways * matchup_ways, decision.matchup, decision.best, key
    outcomes: list[Outcome | None] = []
    for award_index in range(len(enumerator.ladder.rules)):
        if award_index not in most_likely:
            outcomes.append(None)
            continue
        ways, matchup, action, key = most_likely[award_index]
        roles = _deal_round(enumerator.deal.rules, composition, matchup, action, key)
        outcomes.append(Outcome(roles, ways, award_index, roles, _in_words(action, key)))
    return tuple(outcomes)


def derive_round_probabilities(enumerator: LuckyEnumerator, composition: Composition) -> Derivation:
    """Derive the probability of each award by action."""
    best, awards = enumerator.solve(composition), enumerator.awards
    excluded = sum(best.outcome_ways.get(key, 0) for key in enumerator.parts.excluded)
    steps = []
    for action, outcome_ways in best.ways.items():
        situation_count = sum(decision.best == action for decision in best.decisions)
        by_award: dict[int | None, int] = {}
        for key, ways in outcome_ways.items():
            if key in awards:
                by_award[awards[key]] = by_award.get(awards[key], 0) + ways
        steps += [
            DerivationStep(award_index, (action, situation_count, Fraction(ways, best.cycle - excluded)))
            for award_index, ways in by_award.items()
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
            DerivationStep(award_index, ("", "", sum(values, Fraction(0))))
            for award_index, values in probabilities.items()
            if len(values) != 1
        ),
        all_hands=("", len(best.decisions), sum((sum(values) for values in probabilities.values()), Fraction(0))),
        note="Hands and up cards: of how many first hands, by what the cards count, against how many up cards this is "
        "the best action.",
    )


class _Cards:
    """The cards of a composition by value, taken one by one with varying suits."""

    def __init__(self, composition: Composition) -> None:
        self.remaining: dict[int, list[Card]] = {value: [] for value in CARD_VALUES}
        ordered = sorted(
            ((copy, -card.suit, -card.rank), card) for card, copies in composition for copy in range(copies)
        )
        for _, card in ordered:
            self.remaining[card_value(card.rank)].append(card)

    def take(self, value: int) -> Card:
        """Remove and return a card of this value."""
        return self.remaining[value].pop(0)


class _Hands(NamedTuple):
    """The values of the cards that a player draws: a third card, or the cards of split hands."""

    drawn: tuple[int, ...]
    split: tuple[tuple[int, int], ...]


def _deal_round(
    rules: LuckyNineRules, composition: Composition, matchup: LuckyNineMatchup, action: str, key: Key
) -> Roles:
    """Return the cards of a round with this outcome."""
    counts = list(count_values(composition))
    for value in matchup:
        counts[value] -= 1
    hands, dealer = next(_iter_rounds(rules, counts, matchup, action, key))
    cards = _Cards(composition)
    player, up = tuple(cards.take(value) for value in matchup[:2]), (cards.take(matchup.up),)
    roles: list[tuple[str, tuple[Card, ...]]] = [("player", player), ("up", up)]
    if hands.drawn:
        roles.append(("hit", tuple(cards.take(value) for value in hands.drawn)))
    pair_cards = list(player)
    for hand_name, (first_value, second_value) in zip(HAND_NAMES, hands.split, strict=False):
        first_card = pair_cards.pop(0) if pair_cards else cards.take(first_value)
        roles.append((hand_name, (first_card, cards.take(second_value))))
    roles += [(role, (cards.take(value),)) for role, value in zip(("hole", "draw"), dealer, strict=False)]
    return tuple(roles if not hands.split else roles[1:])


def _iter_rounds(
    rules: LuckyNineRules, counts: list[int], matchup: LuckyNineMatchup, action: str, key: Key
) -> Iterator[tuple[_Hands, tuple[int, ...]]]:
    """Yield the rounds that have an outcome."""
    for dealer, score in _iter_dealer_hands(counts, matchup.up):
        if points(score) != key.dealer:
            continue
        remaining = counts.copy()
        for value in dealer:
            remaining[value] -= 1
        if action == STAND:
            player_score = score_two_cards(matchup.first, matchup.second)
            if (player_score == LUCKY) == key.is_lucky and rules.standing[player_score][score] == key.units:
                yield _Hands((), ()), dealer
        elif action == HIT:
            for value in CARD_VALUES:
                player_score = score_three_cards(matchup.total, value)
                is_tie_as_required = (points(player_score) == key.dealer) == key.is_tie
                if remaining[value] > 0 and is_tie_as_required and rules.drawing[player_score][score] == key.units:
                    yield _Hands((value,), ()), dealer
        else:
            max_hands = 2 if action == SPLIT else rules.hands
            for seconds in _iter_second_cards(rules, remaining, matchup.first, score, max_hands, key.units, 2, ()):
                is_tied = (matchup.first + seconds[0]) % 10 == key.dealer
                if is_tied == key.is_tie:
                    yield _Hands((), tuple((matchup.first, value) for value in seconds)), dealer


def _iter_dealer_hands(counts: list[int], up: int) -> Iterator[tuple[tuple[int, ...], int]]:
    for hole in CARD_VALUES:
        score = score_two_cards(up, hole)
        if counts[hole] <= 0:
            continue
        if score > MAX_DEALER_DRAW_POINTS:
            yield (hole,), score
            continue
        for value in CARD_VALUES:
            if counts[value] > (value == hole):
                yield (hole, value), score_three_cards(score, value)


def _iter_second_cards(
    rules: LuckyNineRules,
    remaining: list[int],
    split: int,
    score: int,
    max_hands: int,
    units: int,
    hand_count: int,
    seconds: tuple[int, ...],
) -> Iterator[tuple[int, ...]]:
    """Yield second cards, hand by hand, that win `units` units; pairs are split again while that is allowed."""
    if len(seconds) == hand_count:
        if units == 0:
            yield seconds
        return
    if abs(units) > max_hands - len(seconds):  # out of reach, even with as many hands as there may be
        return
    for value in CARD_VALUES:
        if remaining[value] <= 0:
            continue
        reduced = remaining.copy()
        reduced[value] -= 1
        if value == split and hand_count < max_hands:
            yield from _iter_second_cards(rules, reduced, split, score, max_hands, units, hand_count + 1, seconds)
        else:
            result = rules.standing[score_after_split(split, value)][score]
            yield from _iter_second_cards(
                rules, reduced, split, score, max_hands, units - result, hand_count, (*seconds, value)
            )
