"""Awards to begin a paytable on a fixed number of cards with."""

from __future__ import annotations

OF_ONE_HAND = 5
"""From so many cards on, hands are those of poker, dealt from one deck."""
STARTERS = {
    1: (("Ace", "has(A)", "11 to 1"),),
    2: (("Suited pair", "pair and suited", "25 to 1"), ("Pair", "pair", "8 to 1")),
    3: (
        ("Straight flush", "straight flush", "35 to 1"),
        ("Three of a kind", "three of a kind", "33 to 1"),
        ("Straight", "straight", "10 to 1"),
        ("Flush", "flush", "5 to 1"),
    ),
    4: (
        ("Four of a kind", "four of a kind", "100 to 1"),
        ("Straight flush", "straight flush", "60 to 1"),
        ("Flush", "flush", "20 to 1"),
        ("Straight", "straight", "15 to 1"),
        ("Three of a kind", "three of a kind", "15 to 1"),
        ("Two pair", "two pair", "7 to 1"),
    ),
    5: (
        ("Straight flush", "straight flush", "500 to 1"),
        ("Four of a kind", "four of a kind", "100 to 1"),
        ("Full house", "full house", "40 to 1"),
        ("Flush", "flush", "20 to 1"),
        ("Straight", "straight", "15 to 1"),
        ("Three of a kind", "three of a kind", "12 to 1"),
        ("Two pair", "two pair", "8 to 1"),
    ),
    6: (
        ("Straight flush", "straight flush", "200 to 1"),
        ("Four of a kind", "four of a kind", "50 to 1"),
        ("Full house", "full house", "15 to 1"),
        ("Flush", "flush", "12 to 1"),
        ("Straight", "straight", "11 to 1"),
        ("Three of a kind", "three of a kind", "9 to 1"),
    ),
    7: (
        ("Straight flush", "straight flush", "50 to 1"),
        ("Four of a kind", "four of a kind", "25 to 1"),
        ("Full house", "full house", "8 to 1"),
        ("Flush", "flush", "6 to 1"),
        ("Straight", "straight", "4 to 1"),
        ("Three of a kind", "three of a kind", "3 to 1"),
    ),
}
"""Awards to begin with, by the number of cards, with pays that leave the house something."""
