"""What sheets of format 1, those of version 0.1.0, say in other ways: the rules of blackjack in a sentence.

Their sensitivity to pays is a straight line: what rides with an award as it is rides too when it pays one unit less,
even if it then wins nothing that could.
"""

from __future__ import annotations

import re
from fractions import Fraction

from combinat.verifier.reading import UnreadableError, shown
from combinat.verifier.table_rules import TableRules

MOST_CHARACTERS = 500
LEAST_DOUBLED = {"any two cards": 0, "hard 9 to 11": 9, "hard 10 and 11": 10}
NO_BASIS = "a sheet of format 1 names no basis for its figures, so none is checked"
NO_BOOKS = (
    "a sheet of format {} does not say in full how its meters are run, nor what its intervals stand on, so these "
    "checks of later sheets it cannot have: hold and meters, many plays, house jackpot, two winners, exposure, claims"
)
STRAIGHT_LINE = (
    "pay_sensitivity is read as version 0.1.0 meant it, as a straight line: winnings ride as before, "
    "even where an award that pays one unit less no longer wins"
)


def rules_in_words(text: str) -> TableRules:
    """Read rules such as `dealer hits soft 17, blackjack pays 3 to 2, double any two cards, ..., no surrender`."""
    found = re.fullmatch(
        r"dealer (hits|stands on) soft 17, blackjack pays (\d{1,9}) to (0*[1-9]\d{0,8}), "
        rf"double ({'|'.join(LEAST_DOUBLED)})(?:( and|, not) after a split)?, "
        r"(no splits|split to ([1-9]\d?) hands, split aces (once|as often as others) with "
        r"(one card|any number of cards) each), (late|no) surrender",
        text[:MOST_CHARACTERS],  # as long as rules never are, or the search would take ages
        re.ASCII,
    )
    if not found:
        raise UnreadableError(f"cannot read the rules of blackjack '{shown(text)}'")
    return TableRules(
        hits_soft_17=found[1] == "hits",
        blackjack_pays=Fraction(int(found[2]), int(found[3])),
        least_doubled=LEAST_DOUBLED[found[4]],
        most_hands=1 if found[6] == "no splits" else int(found[7]),
        surrender=found[10] == "late",
        double_after_split=found[5] == " and",
        resplit_aces=found[8] == "as often as others",
        hit_split_aces=found[9] == "any number of cards",
    )
