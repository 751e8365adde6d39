"""Par sheets that several modules read, made once: some take seconds, so these modules run in one process."""

import json
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.bets.load import load_bet
from combinat.bets.paytable import apply_settings
from combinat.study import build_study
from combinat.verifier.derive import derive
from decks import Shoe, find_pack
from reports.render.workbook import render
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from tests.riding import QUICK, small_shoe

READERS = {
    "tests/combinat/test_altered_sheets.py",
    "tests/combinat/test_lucky9_verify.py",
    "tests/combinat/test_verify.py",
    "tests/combinat/test_verify_package.py",
    "tests/reports/test_diff.py",
    "tests/reports/test_html.py",
    "tests/reports/test_jurisdictions.py",
    "tests/reports/test_lucky9.py",
    "tests/reports/test_par_sheet.py",
    "tests/reports/test_schema.py",
    "tests/reports/test_verify_forged_sheets.py",
    "tests/reports/test_verify_malformed_sheets.py",
    "tests/reports/test_what_is_taken_from_a_sheet.py",
    "tests/reports/test_workbook.py",
    "tests/reports/test_workbook_live.py",
}
WHO = Identity(prepared_by="A. Analyst", date="2026-11-16")


WITHOUT_SPLITS = ("FEW-TIE", 1, ("hands", "1"), ("qualify", "three"))
"""A game of which best play is soon found, as `made` takes it."""
FEW = "a few cards"
"""In place of a number of decks: so small a shoe, and so plain a table, that blackjack hands are soon played."""
FILES = {
    "LOSES-2": "data/loses_two.toml",
    "CAPPED": "data/capped.toml",
    "ADDS-UP": "data/adds_up.toml",
    "ADDS-UP-DICE": "data/adds_up.toml",
    "METERS": "data/meters.toml",
    "BUSTS": "data/busts.toml",
    "FEW-9": "data/few_ranks.toml",
    "FEW-TIE": "data/few_ranks_tie.toml",
}
"""Bets that are on no shelf of the catalog, by their files."""
OF_FEW_RANKS = " of few ranks"
"""Behind an id: the same bet from a pack with which best play is soon found, for every number of decks too."""
PLAYED_RANKS = find_pack("standard without 2 6 7 8 J Q")  # two different cards of these still have every total
RIDDEN_RANKS = find_pack("standard without 3 6 7 9 10 J")  # hands bust, are soft, are doubled and split; Q-K-A


def paytable_of(id):
    """A paytable of the catalog or of a file."""
    if id.endswith(OF_FEW_RANKS):
        paytable = paytable_of(id.removesuffix(OF_FEW_RANKS))
        pack = PLAYED_RANKS if paytable.bet.deal.settings else RIDDEN_RANKS
        return replace(paytable, bet=replace(paytable.bet, pack=pack))
    if id not in FILES:
        return get_paytable(id)
    return next(one for one in load_bet(Path(__file__).parent / FILES[id]) if one.id == id)


@lru_cache(maxsize=None)
def made(id, decks, *settings):
    """The sheet of a paytable, of a game with settings under some that are not the usual ones.

    Winnings ride at a table that splits a pair once: what is resplit is the point of other tests.
    """
    paytable = apply_settings(paytable_of(id), dict(settings)) if settings else paytable_of(id)
    shoe = small_shoe() if decks == FEW else Shoe(decks, paytable.bet.pack)
    return build_par_sheet(build_study(paytable, shoe, rules=QUICK if paytable.bet.option else None), WHO)


@lru_cache(maxsize=None)
def workbook(id, decks):
    """The sheet as a workbook with ten decimals."""
    return render(made(id, decks), 10)


def read(id, decks, *settings):
    """The data of a sheet as a reader gets it from a file."""
    return json.loads(json.dumps(made(id, decks, *settings).payload))


@lru_cache(maxsize=None)
def derived(id, decks):
    """What the second method derives from a sheet."""
    return derive(read(id, decks))


def written_sheet(folder, text, decks=6):
    """Write a bet's file, and give the sheet of its paytable as one who reads its JSON has it."""
    path = folder / "bet.toml"
    path.write_text(text)
    return json.loads(json.dumps(build_par_sheet(build_study(load_bet(path)[0], Shoe(decks))).payload))
