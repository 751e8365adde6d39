"""Blackjack: exact value of every first hand, the strategy that plays it, and winnings parlayed on it.

Four engines answer one question: the expected profit of a first hand against an up card. They differ in what they know
of the shoe and in what they return.

  exact/             any shoe, any strategy; integers only. The value of every action, best or by a printed chart,
                     with splits and resplits; second moments. The reference for the other engines, and the slowest.
  fast/              full decks, best strategy; numpy. Picks each action in float64 with a proved error bound, then
                     computes the value of that action exactly. Two actions that are too close raise CloseCallError,
                     and the game is solved by exact/ instead.
  by_composition.py  a fixed strategy; the result of a round as a sum over the cards dealt, so that it can be evaluated
                     for any remaining shoe. Card counting and effects of removal use it.
  infinite.py        infinite deck (draws with replacement). A hand is its total, the hands of a split are independent
                     given the dealer's total, and the whole distribution is exact.

`game` is the entry point: `Blackjack` is the game of exact/, `HandSolver` chooses between exact/ and fast/, and
`house_edge` sums over all matchups. `cache` stores solved games on disk. `hands`, `rules`, `charts` hold the
vocabulary, `strategy` lays a strategy out as a table, `fixed_strategy` looks actions up, `parlay/` values winnings left
on the hand.
"""
