"""Blackjack: the exact value of every first hand, the strategy that plays it, and winnings parlayed on it.

Four engines compute the expected profit of a first hand against an up card. They differ in the shoes and strategies
they accept and in what else they return:

  engine             shoe           strategy          returns                         method
  -----------------  -------------  ----------------  ------------------------------  ----------------------------------
  exact/             any            best or a chart   value of every action, bounds   Bellman equation in integers
                                                      of the second moment
  fast/              full decks     best              best action, its value and      float64 with a proved error bound
                                                      bounds of its second moment     for the choice, exact values
  by_composition.py  any remaining  fixed             a sum over the cards of the     expansion over final hands
                     shoe                             round
  infinite.py        infinite deck  best or a chart   the exact distribution of the   Bellman equation on totals
                                                      profit, splits included

Which engine answers what:

- `game.BlackjackGame` (`combinat blackjack`) uses exact/. It is the reference for the others and the slowest.
- `game.HandSolver` and `game.house_edge` use fast/ for best strategy from full decks. If two actions are too close for
  float64 (`CloseCallError`), and for all other games, they use exact/.
- Card counting and effects of removal (`combinat count`) use by_composition.py with the strategy of `fixed_strategy`.
- Titles with other rules (Free Bet, Zappit, Spanish 21, Double Exposure, no hole card) use titles/, one general exact
  engine; `combinat blackjack title` and `combinat blackjack games`.
- The infinite-deck limit of a bet with a parlay or press uses infinite.py.

Other modules: `hands` (hands as counts by value), `rules` (rules of a table), `charts` (published basic strategy),
`strategy` (a strategy as a table), `fixed_strategy` (actions of the full shoe's strategy), `cache` (solved games on
disk), `parlay/` (winnings left on the hand).
"""
