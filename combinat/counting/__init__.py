"""Card counting: effects of removal, the value of a count, and the upper bound for perfect play.

Which module answers what:

- `removal`: the change of the house edge when one card is removed (effects of removal, exact).
- `tags`: parsing of tags, betting correlation, and the tags of a level with the highest correlation.
- `conventions`: when rounds begin, burn cards, and how a running count becomes a true count.
- `card_usage`: how many cards of each class the outcomes of a bet use; the input of all counting.
- `running_count`: the exact distribution of the running count at a depth, with the result of the next round.
- `counts`: the value of betting from a trigger on; `burn_card` for shoes whose first card is shown.
- `exposed_cards`: the value of seeing cards of the round besides the count.
- `parlay`: counting with winnings that may be parlayed; `counted_bet` chooses between this and the wager alone.
- `bound`: the upper bound for perfect play, exact by `shoe_states` or estimated by `sampling/`.
- `summary`: the counting section of a sheet.
"""
