"""What follows from the counts: edge, moments, the long run, closed forms, exposure, and how likely a rule is."""
