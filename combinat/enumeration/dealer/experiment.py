"""The dealer's draw as an experiment, registered for deals such as `dealer:h17`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from combinat.enumeration.dealer.counting import DealerDraw
from combinat.enumeration.dealer.deal import DealerDrawDeal
from combinat.enumeration.dealer.enumerator import uses_suits
from combinat.enumeration.dealer.leading import leading_colors
from combinat.enumeration.experiment import CardResolution, Experiment, ExposedView, RankClassOutcome
from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.roles import DRAWS
from combinat.enumeration.tally import AwardCounts
from combinat.language.english import describe_rule
from decks import Composition, InputError, Pack, Shoe


class DealerExperiment(DealerDraw, frozen=True):
    """The dealer's draw with the full interface of an experiment; rarely used parts are imported on demand."""

    @property
    def counts_hands(self) -> bool:
        """Return `False`: a way is an order of a dozen cards, a number of thirty digits that does not help a reader."""
        return False

    @property
    def detail_title(self) -> str:
        """Title of the detail of an outcome: the suit class of the finished hand."""
        return "suits"

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Yield every outcome that a composition can give."""
        from combinat.enumeration.dealer.ledger import outcomes

        return outcomes(self, composition)

    def count_outcomes(self, composition: Composition) -> int:
        """Count the outcomes that a composition can give."""
        from combinat.enumeration.dealer.ledger import count_outcomes

        return count_outcomes(self, composition)

    def kinds(self, composition: Composition, distinguished: Collection[int] = ()) -> Iterator[RankClassOutcome]:
        """Yield every outcome by its rank classes, and by its hole card if that is in `distinguished`."""
        from combinat.enumeration.dealer.ledger import iter_rank_classes

        return iter_rank_classes(self, composition, self.deal.hole in distinguished)

    def listing(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """Return which cards outcomes distinguish: rank classes, with ranks worth ten merged where no rule differs."""
        everywhere = (*range(self.deal.card_count), *self.deal.drawn)
        asks = uses_suits(self.ladder.all_rules, everywhere) or bool(self.leading_colors)
        return CardResolution(self.table.rank_classes, asks_suits=asks)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return an example for each award."""
        from combinat.enumeration.dealer.ledger import examples

        return examples(self, composition)

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts by the number of cards drawn."""
        from combinat.enumeration.dealer.ledger import derivation

        condition = self.ladder.given
        return derivation(self, shoe, describe_rule(condition, self.deal) if condition else "")

    def views(self) -> tuple[ExposedView, ...]:
        """Return the view by up card, which is exposed when the wager is made."""
        from combinat.enumeration.dealer.ledger import UpCards

        return (UpCards(self),)

    def spots_together(
        self,
        composition: Composition,
        spots: int,
        *,
        by_class: bool = False,  # noqa: ARG002  # one hand needs no classes
    ) -> dict[tuple[int, ...], int] | None:
        """Count the joint awards of several spots: all get the same one, since all depend on one hand; else `None`."""
        if self.deal.roles:
            return None
        ways = self.count(composition)
        return {(rule,) * spots: count for rule, count in enumerate((*ways.wins, ways.losing)) if count}

    def can_count_spots(self, composition: Composition, spots: int) -> bool:  # noqa: ARG002  # however many there are
        """Return whether all spots depend on the dealer's hand alone."""
        return not self.deal.roles

    def spots_for(self, cards: int) -> int | None:  # noqa: ARG002  # however many there are
        """Return `None`: all spots depend on one hand, so there is no maximum."""
        return None

    def together_with(self, experiment: Experiment, composition: Composition) -> dict[tuple[int, int], int] | None:
        """Count the joint outcomes of a rule about dealt cards and one about the finished hand."""
        from combinat.enumeration.dealer.joint import count_jointly_with_fixed  # few questions are of two kinds of deal

        return (
            count_jointly_with_fixed(experiment, self, composition) if isinstance(experiment, FixedEnumerator) else None
        )

    def cycle_in_words(self, shoe: Shoe, ways: AwardCounts, condition: str) -> str:  # noqa: ARG002  # it is of no shoe in particular
        """Describe what an outcome is."""
        only = f" Only those count where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the first {self.length} cards, the most that can be needed; all orders are "
            f"equally likely.{only} Their number has {len(str(ways.cycle))} digits, so the table gives exact "
            "probabilities; the ways stand in the JSON sheet and in the ledger."
        )

    def assumptions(self) -> tuple[str, ...]:
        """Describe how the dealer draws."""
        return (f"The dealer {DRAWS[self.deal.draw]} and draws by that rule alone, whatever the players do.",)


def experiment(deal: DealerDrawDeal, pack: Pack, ladder: Ladder, roles_distinct: bool) -> DealerExperiment:  # noqa: ARG001
    """Return the experiment of a dealer's draw; its roles are always distinguished."""
    if deal.roles and leading_colors(ladder.all_rules):
        raise InputError(
            f"leading red or black cards can only be counted with no other cards dealt, as in dealer:{deal.draw}; "
            f"the deal is {deal}"
        )
    return DealerExperiment(deal, pack, ladder)
