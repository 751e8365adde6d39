"""Card counting: all triggers at every depth of a shoe, in a new process."""

from __future__ import annotations

from tests.bench.timing import Row, measure_in_turn, measure_python, time_row

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
"""For each bet: decks, tags, conventions and the cut card."""


def rows() -> list[Row]:
    """Count a three-card bet, a dealer bet and a baccarat bet; effects of removal; suit tags."""
    works = {name: lambda asked=asked: measure_python(COUNTING.format(*asked))[0] for name, asked in ASKED.items()}  # type: ignore[misc]
    works["removal"] = lambda: measure_python(REMOVAL.format("L9", 6))[0]
    works["suits"] = lambda: measure_python(SUITS.format("count(player_third.suit) == 3"))[0]
    times = measure_in_turn(works, 3)
    return [
        time_row(
            "a count of three cards, six decks, every trigger and depth, a process", times["three cards"], under=2
        ),
        time_row("  of the dealer's hand, six decks", times["dealer"], under=10),
        time_row("  of baccarat, eight decks", times["baccarat"], under=10),
        time_row("effects of removal of Lucky 9, six decks, a process", times["removal"], under=3),
        time_row("suits of six cards of a coup, three cards removed, a process", times["suits"], under=5),
    ]
