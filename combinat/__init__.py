"""What can happen and what it pays.

A bet's TOML file is loaded (`loading`, `finding`) into a `Paytable`: a deal (`deal`) and a ladder of awards, whose
rules (`words`, `grammar`, `rules`) an experiment judges (`experiment`, with `meaning`, `ranks` and `suits` beneath it).
One enumeration gives a `Tally` for every deck count; an `Analysis` reads the exact figures off it. `odds` asks about a
single rule, `checks` looks for what a designer overlooked, `closed_form` gives formulas in the number of decks.
`blackjack_game` plays the game around the bets: the value of every hand, and how to play it.
"""

from combinat.analysis import Analysis, Line, analyze
from combinat.deal import Deal, parse_deal
from combinat.experiment import experiment
from combinat.finding import catalog, find, resolve
from combinat.grammar import parse_rule
from combinat.loading import inspect, load
from combinat.paytable import Award, Bet, Pay, Paytable, parse_pay
from combinat.tally import Tally, Ways

__all__ = [
    "Analysis",
    "Award",
    "Bet",
    "Deal",
    "Line",
    "Pay",
    "Paytable",
    "Tally",
    "Ways",
    "analyze",
    "catalog",
    "experiment",
    "find",
    "inspect",
    "load",
    "parse_deal",
    "parse_pay",
    "parse_rule",
    "resolve",
]
