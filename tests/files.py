"""A bet's file that has nothing wrong with it, for tests that read or break one."""

GOOD = """
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
