"""The plain verifier: recounts the bet of a par sheet from its JSON, with the standard library only.

It shares no code with the program that wrote the sheet. Reading order:

1. `sheet`: the sheet as data, and how it is compared, leaf by leaf.
2. `source`: the bet's TOML file, whose text is on the sheet, compared with what the sheet says of the bet.
3. `rules` and `poker`: the rule language.
4. `deal`: fixed deals by brute force. Other games: `pack` (best hands of many cards, jokers), `dealer`, `baccarat`,
   `lucky9`, `blackjack` (a parlay or press of winnings).
5. `figures`: figures of a wager from its awards; then `meters`, `outlook` (many plays), `spots`, `exposure`.
6. `expected`: which section of a sheet says what. `report`: the verdict.

A reader of a three-card sheet without meters needs `sheet`, `rules`, `deal` and `figures`, and from `expected` the
method `sections`.

Run it with `python -m combinat.verifier SHEET.json ...`; the folder also runs alone.
"""

from combinat.verifier.expected import WRITING_HANDS as WRITING_HANDS
from combinat.verifier.report import Verdict as Verdict
from combinat.verifier.report import attempt as attempt
from combinat.verifier.report import verify as verify
from combinat.verifier.report import verify_draft as verify_draft
from combinat.verifier.report import verify_file as verify_file
from combinat.verifier.sheet import SheetError as SheetError
from combinat.verifier.sheet import parse_sheet as parse_sheet
from combinat.verifier.sheet import read_certificate as read_certificate
from combinat.verifier.sheet import read_sheet as read_sheet
