"""Card counting: effects of removal, the value of a count, and the upper bound for perfect play.

`removal` computes effects of removal, `tags` the best tags, `running_count` the exact distribution of a running count,
`counts` the value of betting from a trigger on, `exposed_cards` that of seeing cards of the round, `bound` the upper
bound for perfect play (`sampling/` where it has to be estimated), and `summary` the counting section of a sheet.
"""
