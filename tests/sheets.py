"""Par sheets that several tests read, made once in each process: some take seconds."""

from functools import lru_cache

from combinat.bets.lookup import find
from combinat.study import study
from decks import Shoe
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import par_sheet

WHO = Identity(prepared_by="A. Analyst", date="2026-11-16")


@lru_cache(maxsize=None)
def made(id, decks):
    paytable = find(id)
    return par_sheet(study(paytable, Shoe(decks, paytable.bet.pack)), WHO)
