"""Titles: blackjack under any rules, such as Free Bet, Zappit, Spanish 21 or Double Exposure, exactly.

- `rules`: every rule of a title as one field with a default; combinations that no table can have are refused.
- `presets`: titles as TOML data in `games/`, each with its source and date.
- `arithmetic`: one algorithm in two number systems, floating point and residues modulo primes.
- `dealer`: probabilities of the dealer's final results, given the cards removed from the shoe.
- `settlement`: what a player's final hand wins and loses against each result.
- `play`: the Bellman equation on one hand, for money and for free bets.
- `splits`: expected profit of the hands of a split.
- `solver`: first hands, zaps and surrenders of a title, solved in floating point and evaluated in residues.
- `rounds`: results of whole rounds by the chosen actions: final hands, house edge, mean bet, bounds of the variance.
- `game`: the figures of a title: house edge, values of actions, strategy chart, what each rule costs.
- `sevens`: Blazing 7's on the player's own cards, whose third card depends on the play.
- `free_bets`: the number of free bets in a round.

A new rule is a field of `rules.TitleRules`. A rule about the result of a final hand is then one line in `settlement`, a
rule about allowed actions one line in `play`.
"""

import os

# Matrices are small: threads of the linear algebra library would cost more than they gain.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
