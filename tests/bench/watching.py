"""What a count is worth, all triggers at every depth of a shoe, in a process of its own."""

from __future__ import annotations

from tests.bench.timing import Row, interleaved, of_python, timed

COUNTING = """
from combinat.counting.conventions import CONVENTIONS
from combinat.counting.counts import compute_count
from combinat.counting.tags import parse_tags
from combinat.bets.catalog import get_paytable
from decks import Shoe
shoe = Shoe({1})
found = compute_count(get_paytable({0!r}), shoe, parse_tags({2!r}, shoe.composition), CONVENTIONS[{3!r}], {4})
found.best
list(found.by_depth(found.best.trigger if found.best else 0))
"""
REMOVAL = """
from combinat.counting.removal import removals
from combinat.bets.catalog import get_paytable
from combinat.study import build_study, compute_edge_only
from decks import Shoe
bet = get_paytable({0!r})
removals(build_study(bet, Shoe({1})), lambda shoe: compute_edge_only(bet, shoe))
"""
SUITS = """
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from decks import STANDARD, Shoe, parse_cards
deal = parse_deal("baccarat")
rule = parse_rule({0!r}, deal)
experiment(deal, STANDARD, Ladder((rule,)), True).count(Shoe(8, removed=parse_cards("2c 5d 9h")).composition)
"""
ASKED = {
    "three cards": ("TRI-03", 6, "A=1 2=1 3=-1 4=-1 Q=-1 K=1", "blackjack", 52),
    "dealer": ("BUSTER-30", 6, "A=-2 2=-3 3=-2 7=1 8=1 9=1 10=1", "blackjack", 52),
    "baccarat": ("BAC-88-99", 8, "A=1 2=1 8=-3 9=-3 10=1", "baccarat", 14),
}
"""For each bet the decks, the tags, the customs and where the cut card lies."""


def rows() -> list[Row]:
    """A count of a three-card bet, of a bet on the dealer's hand and of one on a coup; effects of removal; suits."""
    works = {name: lambda asked=asked: of_python(COUNTING.format(*asked))[0] for name, asked in ASKED.items()}  # type: ignore[misc]
    works["removal"] = lambda: of_python(REMOVAL.format("L9", 6))[0]
    works["suits"] = lambda: of_python(SUITS.format("count(player_third.suit) == 3"))[0]
    taken = interleaved(works, 3)
    return [
        timed("a count of three cards, six decks, every trigger and depth, a process", taken["three cards"], under=2),
        timed("  of the dealer's hand, six decks", taken["dealer"], under=10),
        timed("  of a coup of baccarat, eight decks", taken["baccarat"], under=10),
        timed("effects of removal of Lucky 9, six decks, a process", taken["removal"], under=3),
        timed("suits of six cards of a coup, three cards gone, a process", taken["suits"], under=5),
    ]
