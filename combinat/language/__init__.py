"""The rule language: words, deals, parser, syntax tree, checks, evaluation on a hand, and English descriptions."""
