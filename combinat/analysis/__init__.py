"""What follows from the counts.

Edge, moments, the long run, closed forms, exposure, and what is wrong with a paytable.
"""
