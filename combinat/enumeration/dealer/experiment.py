"""The dealer's draw as an experiment, registered for deals such as `dealer:h17`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from combinat.enumeration.dealer.counting import DealerCounter, iter_finished_hands
from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.enumerator import DealerDraw
from combinat.enumeration.dealer.joint import count_jointly_with_fixed
from combinat.enumeration.dealer.leading import leading_colors
from combinat.enumeration.dealer.ledger import (
    UpCards,
    count_draw_outcomes,
    derive_draw_counts,
    draw_examples,
    iter_draw_outcomes,
    iter_rank_classes,
)
from combinat.enumeration.experiment import CardResolution, Experiment, ExposedView, RankClassOutcome
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, FinishedHand, Outcome
from combinat.enumeration.symmetry import suit_positions
from combinat.enumeration.tally import AwardCounts, Tally
from combinat.language.deal import DRAWING_RULES
from combinat.language.english import describe_rule
from decks import Composition, InputError, Pack, Shoe


class DealerExperiment(Experiment):
    """The dealer's draw, counted by a `DealerCounter`."""

    deal: DealerDrawDeal

    def __init__(self, deal: DealerDrawDeal, pack: Pack, ladder: Ladder) -> None:
        super().__init__(deal, pack, ladder)
        self.draw = DealerDraw(deal, pack, ladder)
        self.counter = DealerCounter(self.draw)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self.counter.full_deck_tally

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's outcomes for a composition."""
        return next(self.count_many([composition]))

    def count_many(self, compositions: Iterable[Composition]) -> Iterator[AwardCounts]:
        """Yield the ladder's counts for each composition in turn, computed in batches."""
        return self.counter.count_many(compositions)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether it can win, for some number of decks."""
        return self.draw.reachable_rules()

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Yield every outcome that a composition can give."""
        return iter_draw_outcomes(self.draw, composition)

    def count_outcomes(self, composition: Composition) -> int:
        """Count the outcomes that a composition can give."""
        return count_draw_outcomes(self.draw, composition)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return an example for each award."""
        return draw_examples(self.draw, composition)

    def card_resolution(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """Return which cards outcomes distinguish: rank classes, with ranks worth ten merged where no rule differs."""
        asks_suits = bool(suit_positions(self.ladder.all_rules) or self.draw.leading_colors)
        return CardResolution(self.draw.table.rank_classes, uses_suits=asks_suits)

    def iter_rank_classes(
        self, composition: Composition, separate_positions: Collection[int] = ()
    ) -> Iterator[RankClassOutcome]:
        """Yield every outcome by its rank classes, and by its hole card if that is in `separate_positions`."""
        return iter_rank_classes(self.draw, composition, self.deal.hole in separate_positions)

    def count_spots_jointly(
        self,
        composition: Composition,
        spot_count: int,
        *,
        by_class: bool = False,  # noqa: ARG002  # one hand needs no classes
    ) -> dict[tuple[int, ...], int] | None:
        """Count the joint awards of several spots, which all depend on one hand; `None` if roles have cards."""
        if self.deal.roles:
            return None
        award_counts = self.count(composition)
        return {
            (rule_index,) * spot_count: count
            for rule_index, count in enumerate((*award_counts.wins, award_counts.losing))
            if count
        }

    def can_count_spots(self, composition: Composition, spot_count: int) -> bool:  # noqa: ARG002  # any number of them
        """Return whether all spots depend on the dealer's hand alone."""
        return not self.deal.roles

    def count_jointly_with(self, other: Experiment, composition: Composition) -> dict[tuple[int, int], int] | None:
        """Count the joint outcomes of rules about dealt cards and rules about the finished hand."""
        if not isinstance(other, FixedExperiment):
            return None
        return count_jointly_with_fixed(other.enumerator, self.draw, composition)

    @property
    def detail_title(self) -> str:
        """Title of the detail of an outcome: the suit class of the finished hand."""
        return "suits"

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts by the number of cards drawn."""
        condition = self.ladder.condition
        return derive_draw_counts(self.draw, shoe, describe_rule(condition, self.deal) if condition else "")

    def views(self) -> tuple[ExposedView, ...]:
        """Return the view by up card, which is exposed when the wager is made."""
        return (UpCards(self.counter),)

    def cycle_in_words(self, shoe: Shoe, award_counts: AwardCounts, condition: str) -> str:  # noqa: ARG002
        """Describe what an outcome is; the text is the same for every shoe."""
        only = f" Only those count where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the first {self.draw.length} cards, the most that can be needed; all orders "
            f"are equally likely.{only} Their number has {len(str(award_counts.cycle))} digits, so the table gives "
            "exact probabilities; the ways stand in the JSON sheet and in the ledger."
        )

    @property
    def hits_soft_17(self) -> bool:
        """Whether the dealer hits a soft 17."""
        return self.deal.hits_soft_17

    def finished_hands(self, composition: Composition) -> Iterator[FinishedHand]:
        """Yield every finished hand that the bet's condition allows, by ranks, with the ways of each award."""
        return iter_finished_hands(self.draw, composition)

    def assumptions(self) -> tuple[str, ...]:
        """Describe how the dealer draws."""
        return (f"The dealer {DRAWING_RULES[self.deal.draw]} and draws by that rule alone, whatever the players do.",)


def experiment(deal: DealerDrawDeal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> DealerExperiment:  # noqa: ARG001
    """Return the experiment of a dealer's draw; its roles are always distinguished."""
    if deal.roles and leading_colors(ladder.all_rules):
        raise InputError(
            f"leading red or black cards can only be counted with no other cards dealt, as in dealer:{deal.draw}; "
            f"the deal is {deal}"
        )
    return DealerExperiment(deal, pack, ladder)
