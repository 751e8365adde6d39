"""The text of a valid bet file, for tests that read it or break it."""

VALID_BET = """
bet = "My bet"
deal = "player:2, up:1"
[hands]
"Flush" = "suited"
[[paytable]]
id = "MINE"
decks = "6, 8"
awards = [
  { hand = "Flush", pays = "5 to 1" },
  { name = "Two sevens", when = "player.7-7", pays = "2.5 for 1" },
]
"""
