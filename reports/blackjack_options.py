"""The options for the rules of a blackjack table, shared by every command that plays blackjack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # commands that only offer these options start faster without
    from combinat.blackjack_rules import BlackjackRules

HitsSoft17 = Annotated[bool, typer.Option("--h17/--s17", help="Whether the dealer hits soft 17 or stands on it.")]
DoubleAfterSplit = Annotated[bool, typer.Option("--das/--no-das", help="Whether hands of a split may be doubled.")]
Double = Annotated[str, typer.Option(help="Which first two cards may be doubled: any, 9-11 or 10-11.")]
Hands = Annotated[int, typer.Option(help="How many hands splits may make; 1 for no splits.")]
ResplitAces = Annotated[bool, typer.Option("--resplit-aces", help="Split aces may be split again.")]
HitSplitAces = Annotated[bool, typer.Option("--hit-split-aces", help="Split aces may draw more than one card.")]
BlackjackPays = Annotated[str, typer.Option("--blackjack", help="What a blackjack pays: 3:2, 6:5 or 1:1.")]
Surrender = Annotated[bool, typer.Option("--surrender", help="Half the bet may be given up after the peek.")]
StrategyName = Annotated[
    str, typer.Option("--strategy", help="best: by the very cards of the hand; basic: by a printed chart of totals.")
]


USUAL = (True, "any", 4, False, False, "3:2", False)
"""What these options say if nothing is typed, soft 17 aside."""


def rules_from(
    hits_soft_17: bool,
    double_after_split: bool,
    double: str,
    hands: int,
    resplit_aces: bool,
    hit_split_aces: bool,
    blackjack: str,
    surrender: bool,
) -> BlackjackRules:
    """Put the rules together from what was typed.

    >>> rules_from(False, True, "any", 4, False, False, "6:5", False).blackjack_pays
    Fraction(6, 5)
    """
    from combinat.blackjack_rules import BlackjackRules, parse_blackjack_pays

    return BlackjackRules(
        hits_soft_17=hits_soft_17,
        double=double.strip().lower(),
        double_after_split=double_after_split,
        max_hands=hands,
        resplit_aces=resplit_aces,
        hit_split_aces=hit_split_aces,
        blackjack_pays=parse_blackjack_pays(blackjack),
        surrender=surrender,
    )
