"""The second method: a par sheet is checked by counting its bet again, by other code, with the standard library only.

`python -m combinat.verifier SHEET.json` needs nothing but this folder, and nothing here uses the program that writes
the sheets. A file is read (`reading`); what it says of the `bet`, its `rules` with their `words` and its `pays`, is
taken as it stands. Ordered physical `cards` are then dealt (`fixed_deals`), drawn (`dealer_draws`, or
`draws_after_others`), played (`coups`) or, if many, given out `rank_by_rank`; the hands are counted (`counting`), and
the `figures` and `tables` worked out that follow. If winnings can ride (`option`), the hands of blackjack are played
(`meetings`, `hands`, `play`, `riding`). `derive` puts it together under the sheet's own keys and `compare` holds it
against the file, while `form` looks for what is missing (`keys`, `parts`, `steps`). What is not compared is listed, so
that nobody believes more than was checked. `format_1` has what older sheets say in other ways.
"""

from combinat.verifier.check import verify
from combinat.verifier.command import checked
from combinat.verifier.compare import NotReached, Verdict
from combinat.verifier.reading import UnreadableError, read

__all__ = ["NotReached", "UnreadableError", "Verdict", "checked", "read", "verify"]
