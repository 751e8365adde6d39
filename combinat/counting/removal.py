"""Effects of removal: the change of the house edge when one card is removed, exactly and for every kind of bet.

Effect of card c = edge(shoe without c) - edge(shoe). A random removed card carries no information on average, so the
effects, weighted by the number of such cards and the probability that the bet is made, add up to zero; this is checked.
Where strategy is recomputed for each shoe, the player can only gain from the removed card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.enumeration.decision import Progress
from combinat.enumeration.experiment import Experiment
from combinat.enumeration.symmetry import composition_stabilizer, rule_stabilizer
from combinat.enumeration.tally import AwardCounts
from combinat.exact.numbers import MiscountError
from combinat.exact.polynomial import Polynomial
from combinat.study import Basis, EdgeOnly, Study
from decks import Card, Composition, InputError, Shoe, Suit

ONE_DECK_LEFT = 51
"""Cards of one deck less one: effects are scaled to it, so that shoes of all sizes compare."""

StudyOf = Callable[[Shoe], Study | EdgeOnly]
"""Computes the study, or only the house edge, of the bet for another shoe at the same table."""


class Effect(Struct, frozen=True):
    """Cards whose removal has the same effect: their number, and the bet with one of them removed."""

    cards: tuple[Card, ...]
    copies: int
    """Number of these cards in the shoe."""
    ways: AwardCounts
    house_edge: Polynomial
    """House edge of the shoe without one such card."""
    change: Polynomial
    """Edge without one such card less edge of the full shoe; negative if the removal helps the player."""
    scaled: Polynomial
    """The change times the remaining cards, over 51: for one deck the change itself."""


class RemovalEffects(Struct, frozen=True, dict=True):
    """The effects of removal of all cards of a shoe on one basis."""

    study: Study
    basis: Basis
    house_edge: Polynomial
    effects: tuple[Effect, ...]
    is_reoptimized: bool
    """Whether strategy was recomputed without each card, so that the effects need not add up to zero."""
    merges_suits: bool = False
    """Whether cards of one rank are counted as one, though suits may differ in effect."""

    @cached_property
    def balance(self) -> Polynomial:
        """The mean change, weighted by cards and by the probability of the bet: zero for a fixed strategy."""
        total_bets = sum(effect.copies * effect.ways.cycle for effect in self.effects)
        total = sum((effect.change * (effect.copies * effect.ways.cycle) for effect in self.effects), Polynomial.of(0))
        return total * Fraction(1, total_bets)

    def check(self) -> None:
        """Raise `MiscountError` if the effects do not balance."""
        total = self.balance
        if not self.is_reoptimized and total != 0:
            raise MiscountError(f"the effects of removal add up to {total}, not to zero")
        # On other bases the strategy is chosen for another wager, so this one can gain or lose.
        if self.is_reoptimized and self.basis is Basis.BEST and total.is_constant and total.constant > 0:
            raise MiscountError(f"the effects of removal add up to {total}; best play cannot lose by reoptimizing")

    def effect_of(self, card: Card) -> Effect:
        """Return the effect of one card."""
        return next(effect for effect in self.effects if card in effect.cards)


def removals(study: Study, study_of: StudyOf, progress: Progress | None = None) -> tuple[RemovalEffects, ...]:
    """Compute the effects of removal on the basis of the headline, and for the wager alone if that differs.

    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.study import build_study
    >>> from decks import Shoe
    >>> bet = get_paytable("TRI-01")
    >>> (removal,) = removals(build_study(bet, Shoe(6)), lambda shoe: build_study(bet, shoe))
    >>> [(" ".join(map(str, effect.cards[::4])), effect.copies) for effect in removal.effects]
    [('2c Kc Ac', 72), ('3c 4c 5c 6c 7c 8c 9c 10c Jc Qc', 240)]
    >>> removal.balance == 0
    True
    """
    wager_effects = _effects_of_each(study, study.paytable.experiment)
    results = [
        _merge_effects(
            study, study.wager_basis, study.analysis.house_edge, wager_effects, study.round_strategy is not None
        )
    ]
    if study.option is not None:
        best = []
        for index, effect in enumerate(wager_effects):
            edge = study_of(_without_card(study.shoe, effect.cards[0])).house_edge
            best.append(replace(effect, house_edge=edge, change=edge - study.house_edge))
            if progress:
                progress(index + 1, len(wager_effects))
        results.insert(0, _merge_effects(study, study.basis, study.house_edge, best, chosen_anew=True))
    for removal in results:
        removal.check()
    return tuple(results)


def fixed_option_removal(study: Study, gain_without: Callable[[Sequence[Card]], Fraction]) -> RemovalEffects:
    """Compute the effects of removal on a bet with an option under a fixed strategy.

    `gain_without` returns the gain of the option when one of the given cards is removed.
    """
    effects = []
    for effect in _effects_of_each(study, study.paytable.experiment):
        edge = effect.house_edge - gain_without(effect.cards)
        effects.append(replace(effect, house_edge=edge, change=edge - study.house_edge))
    removal = replace(
        _merge_effects(study, Basis.OFF_THE_TOP, study.house_edge, effects, chosen_anew=False), merges_suits=True
    )
    removal.check()
    return removal


def fixed_strategy_removal(study: Study) -> RemovalEffects:
    """Compute the effects on the wager alone under the fixed strategy of the full shoe.

    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.study import build_study
    >>> from decks import Shoe
    >>> removal = fixed_strategy_removal(build_study(get_paytable("TRI-01"), Shoe(1)))
    >>> removal.is_reoptimized, removal.balance == 0
    (False, True)
    """
    experiment = study.paytable.experiment.fix_strategy(study.shoe.composition)
    removal = _merge_effects(
        study, study.wager_basis, study.analysis.house_edge, _effects_of_each(study, experiment), chosen_anew=False
    )
    removal.check()
    return removal


def _without_card(shoe: Shoe, card: Card) -> Shoe:
    return Shoe(shoe.decks, shoe.pack, (*shoe.removed, card))


def _effects_of_each(study: Study, experiment: Experiment) -> list[Effect]:
    """Count the wager alone without each card; symmetric suits are counted once."""
    groups = list(_symmetric_cards(study))
    shoes = [_without_card(study.shoe, cards[0]) for cards, _ in groups]
    analysis = study.analysis
    effects = []
    try:
        counts_by_group = _count_without_each(experiment, study.shoe.composition, [cards for cards, _ in groups], shoes)
    except InputError as error:
        raise InputError(f"{study.paytable.id} cannot do without a card of {study.shoe}: {error}") from None
    for (cards, copies), shoe, award_counts in zip(groups, shoes, counts_by_group, strict=True):
        if not award_counts.cycle:
            raise InputError(f"without {cards[0]} no hand of {study.shoe} fits the condition of {study.paytable.id}")
        edge = Analysis(study.paytable, shoe, award_counts, analysis.meters, analysis.meter_wager).house_edge
        effects.append(Effect(cards, copies, award_counts, edge, edge - analysis.house_edge, Polynomial.of(0)))
    return effects


def _count_without_each(
    experiment: Experiment, composition: Composition, groups: Sequence[tuple[Card, ...]], shoes: Sequence[Shoe]
) -> Sequence[AwardCounts]:
    counts = experiment.count_without_each(composition, groups)
    return list(experiment.count_many([shoe.composition for shoe in shoes])) if counts is None else counts


def _symmetric_cards(study: Study) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Iterate over cards of one rank that neither a rule nor the shoe distinguishes, and their number."""
    composition = study.shoe.composition
    shoe_symmetries = set(composition_stabilizer(composition))
    permutations = [
        permutation
        for permutation in rule_stabilizer(study.paytable.ladder.all_rules)
        if permutation in shoe_symmetries
    ]
    listed_cards: set[Card] = set()
    for card, copies in composition:
        if card not in listed_cards:
            orbit = {
                card if card.is_joker else Card(card.rank, Suit(permutation[card.suit])) for permutation in permutations
            }
            listed_cards |= orbit
            yield tuple(sorted(orbit)), copies * len(orbit)


def _merge_effects(
    study: Study, basis: Basis, edge: Polynomial, effects: Sequence[Effect], chosen_anew: bool
) -> RemovalEffects:
    """Merge cards with the same effect, in order of rank, and scale the effects."""
    effect_by_result: dict[tuple[Polynomial, AwardCounts], Effect] = {}
    for effect in effects:
        merged = effect_by_result.get((effect.house_edge, effect.ways))
        if merged:
            effect = replace(effect, cards=(*merged.cards, *effect.cards), copies=merged.copies + effect.copies)
        effect_by_result[effect.house_edge, effect.ways] = effect
    factor = Fraction(study.shoe.size - 1, ONE_DECK_LEFT)
    scaled_effects = tuple(replace(effect, scaled=effect.change * factor) for effect in effect_by_result.values())
    return RemovalEffects(study, basis, edge, scaled_effects, chosen_anew)
