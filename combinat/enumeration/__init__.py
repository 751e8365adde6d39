"""How cards come and how many ways: experiments, judged by a ladder of rules, tallied for every number of decks."""
