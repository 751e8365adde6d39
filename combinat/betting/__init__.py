"""Games with betting rounds, solved exactly: a TOML file gives cards, rounds, actions and pays; best play is computed.

Read `game` (what a game is), `load` (its file), `hands` (strength of hands), `card_sets` (tables up to suit
permutation), `showdown` (dealer hands by inclusion-exclusion), `states` and `solver` (backward induction).
"""
