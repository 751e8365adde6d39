"""A coup of baccarat as an experiment, registered for the deal `baccarat`."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from combinat.enumeration.baccarat.deal import MAX_COUP_CARDS, Coup
from combinat.enumeration.baccarat.enumerator import CoupEnumerator
from combinat.enumeration.baccarat.ledger import (
    count_coup_outcomes,
    coup_examples,
    derive_coup_counts,
    iter_coup_outcomes,
)
from combinat.enumeration.experiment import CardResolution, Experiment
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.outcomes import Derivation, Outcome
from combinat.enumeration.symmetry import suit_positions
from combinat.enumeration.tally import AwardCounts, Tally
from decks import Composition, Pack, Shoe


class BaccaratExperiment(Experiment):
    """A coup of baccarat."""

    deal: Coup

    def __init__(self, deal: Coup, pack: Pack, ladder: Ladder) -> None:
        super().__init__(deal, pack, ladder)
        self.enumerator = CoupEnumerator(deal, pack, ladder)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self.enumerator.full_deck_tally

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's coups for a composition."""
        return self.enumerator.count(composition)

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether it can win, for some number of decks."""
        return self.enumerator.reachable_rules()

    def outcomes(self, composition: Composition) -> Iterator[Outcome]:
        """Yield every outcome that a composition can give."""
        return iter_coup_outcomes(self.enumerator, composition)

    def count_outcomes(self, composition: Composition) -> int:
        """Count the outcomes that a composition can give."""
        return count_coup_outcomes(self.enumerator, composition)

    def examples(self, composition: Composition) -> tuple[Outcome | None, ...]:
        """Return an example for each award."""
        return coup_examples(self.enumerator, composition)

    def card_resolution(self, composition: Composition) -> CardResolution:  # noqa: ARG002  # the same for every shoe
        """Return which cards outcomes distinguish: rank classes, and the suits of some cards only."""
        classes = self.enumerator.tables[0].classes
        return CardResolution(classes, uses_suits=bool(suit_positions(self.ladder.all_rules)))

    @property
    def counts_hands(self) -> bool:
        """Return `True`: a way is an order of six cards, as tables of baccarat are usually printed."""
        return True

    @property
    def detail_title(self) -> str:
        """Title of the detail of an outcome: the points of both hands."""
        return "points"

    def derivation(self, shoe: Shoe) -> Derivation | None:
        """Derive the counts by the number of cards drawn."""
        return derive_coup_counts(self.enumerator, shoe)

    def cycle_in_words(self, shoe: Shoe, award_counts: AwardCounts, condition: str) -> str:
        """Describe what an outcome is and how many there are."""
        factors = [shoe.size - cards_drawn for cards_drawn in range(MAX_COUP_CARDS)]
        only = f" Of these {award_counts.cycle:,} count, where this holds: {condition}." if condition else ""
        return (
            f"An outcome is an order of the next six cards, the most that a coup can need: "
            f"{'·'.join(map(str, factors))} = {prod(factors):,}, all equally likely. A coup of four or five "
            f"cards counts with every way in which the cards after it can lie.{only}"
        )

    def assumptions(self) -> tuple[str, ...]:
        """Describe how third cards are drawn."""
        return (
            "An ace counts one point, tens and faces none; of a hand's sum the last digit counts. A natural, 8 or 9 "
            "points with two cards, ends the coup.",
            "Otherwise the player draws a third card with 0 to 5 points. If the player stands, the banker draws with 0 "
            "to 5 points and stands with 6 or 7.",
            "If the player draws, the banker draws with 0 to 2 points; with 3 unless the player's third card is an 8; "
            "with 4 if it is 2 to 7; with 5 if it is 4 to 7; with 6 if it is a 6 or 7; and stands with 7.",
        )


def experiment(deal: Coup, pack: Pack, ladder: Ladder, roles_distinct: bool) -> BaccaratExperiment:  # noqa: ARG001
    """Return the experiment of a coup; player and banker are always distinguished."""
    return BaccaratExperiment(deal, pack, ladder)
