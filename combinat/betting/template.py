"""A template of a game with betting rounds, to start a new file."""

from __future__ import annotations

DEFAULT_ID = "MY-GAME"
TEMPLATE = """\
game = "My Game"
id = "{id}"
hands = "three cards"        # how hands are compared: "three cards" or "five cards" (best five of up to seven)
qualifies = "queen high"     # the dealer needs this hand or better; leave it out if every hand qualifies

[cards]
player = 2
dealer = 2
common = {{ river = 1 }}       # common cards by name, in the order in which they are turned over

[[round]]
name = "first bet"
actions = [
  {{ name = "check" }},
  {{ name = "raise 1x", bet = {{ raise = 1 }}, ends = true }},   # no decision follows
]

[[round]]
name = "river"
sees = ["river"]             # turned over before this round
actions = [
  {{ name = "fold", folds = true }},
  {{ name = "raise 1x", bet = {{ raise = 1 }} }},
]

[[bet]]
name = "ante"
stake = 1                    # stakes are in units of the ante
tie = "loses"
not_qualified = "push"       # if the dealer does not qualify, instead of win, tie and lose

[[bet]]
name = "raise"               # win = "1 to 1", tie = "push", lose = "loses" unless given
win = [
  {{ hand = "straight flush", pays = "2 to 1" }},   # this hand or better
  {{ pays = "1 to 1" }},                            # all other hands
]

[[side_bet]]
name = "pair bonus"
pays = [
  {{ hand = "straight flush", pays = "30 to 1" }},
  {{ hand = "three of a kind", pays = "20 to 1" }},
  {{ hand = "pair", pays = "2 to 1" }},
]

[[strategy]]
name = "simple strategy"
rounds."first bet" = {{ "raise 1x" = "22+ AKs" }}
rounds.river = {{ "raise 1x" = "hidden pair or ace high" }}
"""


def build_game_template(id: str = "") -> str:
    """Return the template with an id."""
    return TEMPLATE.format(id=id or DEFAULT_ID)
