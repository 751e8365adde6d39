"""What a card counter wins: the gain at fixed depths with tags equal to the exact effects of removal.

The counter sees every card, adds up the effects of removal of the cards seen, and bets exactly where the expected
result given this sum and the depth is positive. Rounds begin at one to six eighths of the shoe, equally often. Cards
whose removal changes the probability of every award alike form one class. A state is the number of cards seen of each
class; states with the same sum are one. Everything is computed in integers.

The states and the probabilities of the awards in each do not depend on the pays: they are computed once for a ladder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, lcm, perm, prod

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.award import Award
from combinat.bets.pay import TO_1, fixed_pay
from combinat.bets.paytable import Paytable
from combinat.counting.card_usage import ClassCounts, card_usage
from combinat.counting.removal import Effect, removals
from combinat.finder.ranking import Candidate
from combinat.study import Study
from decks import InputError, Shoe

DEPTHS = tuple(Fraction(eighths, 8) for eighths in range(1, 7))
"""Parts of the shoe that are seen when a round begins."""
MAX_CARDS = 3
"""Maximum number of cards of a deal."""
MAX_STATES = 200_000
"""Maximum number of states of all depths."""


class _DepthStates(Struct, frozen=True):
    """The states at one depth, with integers over `denominator`."""

    denominator: int
    seen: tuple[ClassCounts, ...]
    """Cards seen of each class, for each state."""
    award_weights: tuple[tuple[int, ...], ...]
    """For each award and each state: the probability of the state and of the award in the next round."""
    weights: tuple[int, ...]
    """The probability of each state."""


class CountGain:
    """Computes what a counter wins with the candidates of one ladder at one deck count."""

    def __init__(self, candidate: Candidate, deck_index: int) -> None:
        spec = candidate.model.spec
        self._amounts = dict(spec.amounts)
        paytable = candidate.paytable
        _check_supported(paytable)
        self._shoe = Shoe(spec.decks[deck_index], paytable.bet.pack)
        self._effects = _effects(paytable, self._shoe, self._amounts)
        sizes = tuple(effect.copies for effect in self._effects)
        depths = [int(self._shoe.size * part) for part in DEPTHS]
        state_count = sum(1 for depth in depths for _ in _iter_states(sizes, depth))
        if state_count > MAX_STATES:
            raise InputError(
                f"{paytable.id}: removal distinguishes {len(sizes)} kinds of cards, which is too many to compute the "
                f"gain of a counter with {self._shoe} ({state_count:,} states, at most {MAX_STATES:,})"
            )
        ways_by_award = [
            _ways_by_usage(paytable, award_index, self._shoe, self._effects)
            for award_index in range(len(paytable.awards))
        ]
        card_count = _count_cards(paytable) or 0
        self._states = [_build_states(sizes, depth, ways_by_award, card_count) for depth in depths]

    def gain(self, candidate: Candidate) -> Fraction:
        """Return the gain in units per 100 rounds.

        >>> from combinat.bets.catalog import get_paytable
        >>> from combinat.finder.finder import build_current
        >>> from combinat.finder.spec import build_spec
        >>> spec = build_spec({"bet": get_paytable("TRI-01"), "pays": "Flush=9", "edge": "..90%", "decks": 1})
        >>> current = build_current(spec)
        >>> 0 < CountGain(current, 0).gain(current) < 3
        True
        """
        paytable = candidate.paytable
        gross = [_mean_gross(award, paytable.meter_wager(self._shoe.decks), self._amounts) for award in paytable.awards]
        tags = self._tags(gross)
        unit = lcm(*(amount.denominator for amount in gross), *(tag.denominator for tag in tags))
        integer_gross = [int(amount * unit) for amount in gross]
        integer_tags = [int(tag * unit) for tag in tags]
        total = Fraction(0)
        for states in self._states:
            result_by_count: dict[int, int] = {}
            for state_index, seen in enumerate(states.seen):
                count = sum(map(int.__mul__, integer_tags, seen))
                result = -unit * states.weights[state_index]
                for amount, weights in zip(integer_gross, states.award_weights, strict=True):
                    result += amount * weights[state_index]
                result_by_count[count] = result_by_count.get(count, 0) + result
            positive = sum(result for result in result_by_count.values() if result > 0)
            total += Fraction(positive, states.denominator * unit)
        return 100 * total / len(self._states)

    def _tags(self, gross: Sequence[Fraction]) -> list[Fraction]:
        """Return the tag of each class: the player's gain when one of its cards is removed, less a constant.

        The constant does not matter: at a given depth the count always changes by the same amount.
        """
        return [
            sum(
                (
                    amount * Fraction(wins, effect.ways.cycle)
                    for amount, wins in zip(gross, effect.ways.wins, strict=True)
                ),
                Fraction(0),
            )
            for effect in self._effects
        ]


def _check_supported(paytable: Paytable) -> None:
    card_count = _count_cards(paytable)
    if card_count is None or card_count > MAX_CARDS or paytable.bet.condition is not None or paytable.stated_awards:
        raise InputError(
            f"{paytable.id}: the gain of a counter is computed for deals of up to {MAX_CARDS} cards, without a "
            "condition, that pay one award"
        )


def _count_cards(paytable: Paytable) -> int | None:
    """Return the number of cards of the deal; `None` if it depends on the draw."""
    sizes = [paytable.bet.deal.size(positions) for _, positions in paytable.bet.deal.disjoint_groups()]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _effects(paytable: Paytable, shoe: Shoe, amounts: dict[str, Fraction]) -> tuple[Effect, ...]:
    """Return the classes of cards whose removal changes the ways of all awards alike."""
    study = Study(analyze_wager(paytable, shoe, amounts))
    removal = removals(study, lambda other: Study(analyze_wager(paytable, other, amounts)))[-1]
    return removal.effects


def _mean_gross(award: Award, wager: Fraction, amounts: dict[str, Fraction]) -> Fraction:
    """Return the mean payment of an award, including the wager."""
    return sum(
        (pay.gross_for(wager).at(amounts).constant * probability for pay, probability in award.pay.outcomes),
        Fraction(0),
    )


def _ways_by_usage(
    paytable: Paytable, award_index: int, shoe: Shoe, effects: Sequence[Effect]
) -> dict[ClassCounts, int]:
    """Return the ordered ways of an award by the classes of its cards, from the full shoe."""
    push, loss = fixed_pay(Fraction(0), TO_1), fixed_pay(Fraction(-1), TO_1)
    awards = tuple(
        replace(award, pay=push if index == award_index else loss) for index, award in enumerate(paytable.awards)
    )
    usage = card_usage(replace(paytable, awards=awards), shoe, [effect.cards for effect in effects])
    return {used: weight.gains // usage.unit for (_, used), weight in usage.weights.items() if weight.gains}


def _iter_states(sizes: ClassCounts, depth: int) -> Iterator[ClassCounts]:
    """Iterate over the numbers of cards seen of each class, `depth` cards together."""
    first_size, *other_sizes = sizes
    if not other_sizes:
        if depth <= first_size:
            yield (depth,)
        return
    for first in range(max(0, depth - sum(other_sizes)), min(first_size, depth) + 1):
        for others in _iter_states(tuple(other_sizes), depth - first):
            yield (first, *others)


def _build_states(
    sizes: ClassCounts, depth: int, ways_by_award: Sequence[dict[ClassCounts, int]], card_count: int
) -> _DepthStates:
    """Compute the probability of each state and of each award in it."""
    usages = sorted({usage for ways in ways_by_award for usage in ways})
    full_ways = {usage: prod(map(perm, sizes, usage)) for usage in usages}
    scale = lcm(*full_ways.values())
    seen_states = tuple(_iter_states(sizes, depth))
    remaining_orders = perm(sum(sizes) - depth, card_count) * scale
    state_weights = [prod(map(comb, sizes, seen)) for seen in seen_states]
    award_weights = []
    for ways in ways_by_award:
        terms = [(usage, ordered_ways * (scale // full_ways[usage])) for usage, ordered_ways in ways.items()]
        award_weights.append(
            tuple(
                weight
                * sum(
                    factor
                    * prod(perm(size - count, used) for size, count, used in zip(sizes, seen, usage, strict=True))
                    for usage, factor in terms
                )
                for weight, seen in zip(state_weights, seen_states, strict=True)
            )
        )
    return _DepthStates(
        comb(sum(sizes), depth) * remaining_orders,
        seen_states,
        tuple(award_weights),
        tuple(weight * remaining_orders for weight in state_weights),
    )
