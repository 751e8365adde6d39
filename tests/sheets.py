"""Par sheets that several modules read, made once: some take seconds, so these modules run in one process."""

from functools import lru_cache

from combinat.bets.lookup import find
from combinat.study import study
from decks import Shoe
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import par_sheet

READERS = {
    "tests/combinat/test_verify_package.py",
    "tests/reports/test_html.py",
    "tests/reports/test_schema.py",
    "tests/reports/test_what_is_taken_from_a_sheet.py",
    "tests/reports/test_workbook.py",
    "tests/reports/test_workbook_live.py",
}
WHO = Identity(prepared_by="A. Analyst", date="2026-11-16")


@lru_cache(maxsize=None)
def made(id, decks):
    paytable = find(id)
    return par_sheet(study(paytable, Shoe(decks, paytable.bet.pack)), WHO)
